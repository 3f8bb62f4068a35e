"""WS2812 lights on any GPIO of a Pi 5, told by the kernel's own driver.

``dtoverlay=ws2812-pio,gpio=18,num_leds=64`` in /boot/firmware/config.txt makes /dev/leds0. It takes four bytes a
light: red, green, blue, and one for lights that have white. `num_leds` must be the number of lights: with fewer the
kernel refuses a picture, with more it waits 50 ms for the rest of each.

The file belongs to root; the udev rule ``SUBSYSTEM=="ws2812-pio-rp1", GROUP="gpio", MODE="0660"`` opens it to the group
gpio.
"""

from __future__ import annotations

import errno
import os
from itertools import chain
from operator import itemgetter
from typing import Annotated

from msgspec import Meta

from hardware import settings
from hardware.strip import Order, Picture, Strip


class Leds0(Strip):
    """WS2812 lights behind the kernel's character device."""

    class Settings(settings.Settings, frozen=True):
        """The device, and what the kernel does with colours."""

        device: Annotated[str, Meta(min_length=1, max_length=200)] = "/dev/leds0"
        order: Order = "GRB"
        brightness: Annotated[int, Meta(ge=0, le=255)] = 0
        """0: colours pass as they are. 1-255: the kernel scales them and bends them to its gamma, which makes dark
        colours much darker; for a kernel that stays dark at 0."""

        @property
        def pins(self) -> tuple[int, ...]:
            """The GPIOs that are taken: which one the kernel's overlay was given is not known here."""
            return ()

    def __init__(self, settings: Settings, pixels: int) -> None:
        self._settings = settings
        self._file = -1
        first, second, third = map("RGB".index, settings.order)
        # The kernel puts the second of the bytes, green, first on the wire.
        self._in_order = itemgetter(second, first, third)
        super().__init__(pixels)

    def _open(self) -> None:
        self._file = os.open(self._settings.device, os.O_WRONLY)
        # A single byte at the start is no picture but the brightness.
        os.pwrite(self._file, bytes([self._settings.brightness]), 0)

    def _send(self, picture: Picture) -> None:
        # At the start each time: the kernel goes on behind the last write, where no lights are.
        channels = chain.from_iterable((*self._in_order(colour), 0) for colour in picture)
        os.pwrite(self._file, bytes(channels), 0)

    def _release(self) -> None:
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def _advice(self, error: OSError) -> str:
        path = self._settings.device
        overlay = f"dtoverlay=ws2812-pio,gpio=18,num_leds={self.pixels} in /boot/firmware/config.txt"
        if isinstance(error, FileNotFoundError):
            return f"there is no {path}: set {overlay} and restart (Pi 5 only; elsewhere choose ws2812_spi)"
        if isinstance(error, PermissionError):
            return (
                f"{path} is not open to this user: add the udev rule "
                'SUBSYSTEM=="ws2812-pio-rp1", GROUP="gpio", MODE="0660", and the user to the group gpio'
            )
        if error.errno in (errno.EFBIG, errno.ENOSPC):
            return f"{path} has fewer than {self.pixels} lights: set {overlay} and restart"
        return f"{path} takes no picture ({error.strerror or error}): look for ws2812-pio-rp1 in dmesg"


LIGHTS = Leds0
