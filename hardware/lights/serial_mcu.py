"""Lights on a micro-controller board, told over the line by which its sensors tell of themselves.

Only what has changed is sent, all of it at once, and nobody waits for the board, which answers when its lights have it:
later scans hear that. The last picture that comes meanwhile is the next, those in between are skipped. A board that was
reset, or lost, is told its picture anew by itself.
"""

from __future__ import annotations

from itertools import chain

from hardware import settings
from hardware.device import DeviceError
from hardware.serial.frames import Hello
from hardware.serial.port import BAUD, PATH, Baud, Path, shared_port
from hardware.strip import Picture, Strip

FAREWELL = 0.3
"""Seconds that the board has for going dark."""


class SerialMcu(Strip):
    """The strip of a board. The board file's `pixels` may be fewer than the board has: those behind stay dark."""

    class Settings(settings.Settings, frozen=True):
        """The same port and baud as the scanner's."""

        port: Path = PATH
        baud: Baud = BAUD

        @property
        def pins(self) -> tuple[int, ...]:
            """None: the board has its own."""
            return ()

    def __init__(self, settings: Settings, pixels: int) -> None:
        self._settings = settings
        self._port = shared_port(settings.port, settings.baud)
        self._board = self._port.conversation
        self.pixels = pixels
        self._port.join(self._check)
        try:
            super().__init__(pixels)
        except DeviceError:
            self._port.leave(self._check)
            raise

    def _check(self, hello: Hello) -> str:
        if hello.pixels >= self.pixels:
            return ""
        return (
            f"the board on {self._settings.port} has {hello.pixels} lights and the board file uses {self.pixels}: "
            "use fewer, or build the firmware for more"
        )

    def close(self) -> None:
        """Go dark, for which the board has 0.3 s, and leave it; a second call does nothing."""
        if self._closed:
            return
        super().close()
        if not self._board.problem:
            self._port.until(lambda: self._board.shown, FAREWELL)
        self._port.leave(self._check)

    def _open(self) -> None:
        """The line is there, and opens its port by itself."""

    def _send(self, picture: Picture) -> None:
        self._board.show(bytes(chain.from_iterable(picture)))
        self._port.pump()
        if self._board.problem:
            raise OSError(self._board.problem)

    def _release(self) -> None:
        """The line is kept: it looks for a board that is lost."""

    def _advice(self, error: OSError) -> str:
        return str(error)


LIGHTS = SerialMcu
