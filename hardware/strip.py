"""A strip of lights as every driver shows it: whole pictures, each sent once, dark at both ends.

A driver says how its device is opened, sent a picture and released; that it is tried again after a failure, and that
nothing is sent twice to lights that hold it, is settled here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from hardware.device import Colour, DeviceError

LONGEST = 512
"""Lights that a strip may have: telling them a picture takes 15 ms, longer than a scan."""

Order = Literal["GRB", "GBR", "RGB", "RBG", "BRG", "BGR"]
"""In which order a light takes its channels; WS2812 want green first."""

Picture = tuple[Colour, ...]


class Strip(ABC):
    """`Lights` over a device of `pixels` lights, 1 to 512; dark and open once it exists, else DeviceError."""

    refresh: float | None = None
    """As `Lights` has it; a driver of lights that forget says how soon."""

    def __init__(self, pixels: int) -> None:
        if not 1 <= pixels <= LONGEST:
            raise DeviceError(f"a strip has 1 to {LONGEST} lights, not {pixels}: give the number that yours has")
        self.pixels = pixels
        self._dark: Picture = ((0, 0, 0),) * pixels
        self._shown: Picture | None = None
        self._opened = self._closed = False
        self.show(self._dark)

    def show(self, picture: Sequence[Colour]) -> None:
        """Show `picture`; the one that is shown already is not sent again, unless the lights forget it.

        ValueError for a wrong length or once closed. DeviceError when the device takes no picture: it is released, and
        the next call opens it again.
        """
        if len(picture) != self.pixels:
            raise ValueError(f"a picture for this strip has {self.pixels} pixels, not {len(picture)}")
        if self._closed:
            raise ValueError("these lights are closed")
        whole = tuple(picture)
        if whole != self._shown or self.refresh:
            self._tell(whole)

    def close(self) -> None:
        """Go dark and release the device; a device that fails is released as it is. A second call does nothing."""
        if self._closed:
            return
        with suppress(DeviceError):
            self.show(self._dark)
        self._drop()
        self._closed = True

    def _tell(self, picture: Picture) -> None:
        self._shown = None
        try:
            if not self._opened:
                self._open()
                self._opened = True
            self._send(picture)
        except OSError as error:
            self._drop()
            raise DeviceError(self._advice(error)) from None
        except DeviceError:
            self._drop()
            raise
        self._shown = picture

    def _drop(self) -> None:
        self._opened = False
        with suppress(OSError):
            self._release()

    @abstractmethod
    def _open(self) -> None:
        """Open the device; OSError or DeviceError."""

    @abstractmethod
    def _send(self, picture: Picture) -> None:
        """Send a picture to the open device; OSError or DeviceError."""

    @abstractmethod
    def _release(self) -> None:
        """Let go of the device, also of one that was opened half or not at all."""

    @abstractmethod
    def _advice(self, error: OSError) -> str:
        """One sentence on what to do about `error`."""
