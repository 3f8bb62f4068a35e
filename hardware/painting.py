"""From the picture that a micro-controller board holds to the one that it ought to show, in frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from hardware.frames import COLOURS, PAINT, SHOW, crc

PIXEL = 3
"""Bytes of a colour."""


class Painting:
    """The pictures for a strip of `pixels`: only what has changed is painted, and a picture once begun is finished.

    A picture that a newer one overtakes before it is begun is skipped. All are 3 bytes a pixel: red, green, blue.
    """

    def __init__(self, pixels: int) -> None:
        self._size = PIXEL * pixels
        self._wanted: bytes | None = None
        self._begun: bytes | None = None
        self._held: bytes | None = None
        self._parts: deque[bytes] = deque()
        self._shown = False

    def want(self, picture: bytes) -> None:
        """Show `picture` next; what it leaves out of the strip stays dark."""
        whole = picture.ljust(self._size, b"\0")
        if whole != self._wanted:
            self._wanted, self._shown = whole, False

    @property
    def shown(self) -> bool:
        """Whether the board has said that it shows what it ought to."""
        return self._shown or self._wanted is None

    def frame(self) -> tuple[int, bytes] | None:
        """Kind and body of the next frame; the same until it is `done`. None when all is shown."""
        if self._begun is None:
            if self._shown or self._wanted is None:
                return None
            self._begun = self._wanted
            self._parts = deque(strokes(self._held, self._begun))
        return (PAINT, self._parts[0]) if self._parts else (SHOW, crc(self._begun).to_bytes(2, "little"))

    def done(self) -> None:
        """The board has done what the last frame told it."""
        if self._parts:
            self._parts.popleft()
        elif self._begun is not None:
            self._held, self._begun = self._begun, None
            self._shown = self._held == self._wanted

    def forget(self) -> None:
        """Nobody knows what the board holds: paint all of it."""
        self._held = self._begun = None
        self._shown = False

    def repeat(self) -> None:
        """The board may have shown something of its own: let it show its picture again."""
        self._shown = False


def strokes(held: bytes | None, wanted: bytes) -> Iterator[bytes]:
    """The bodies of the PAINT frames that make `wanted` of `held`; of nothing known where that is None."""
    changed = [
        at for at in range(0, len(wanted), PIXEL) if not held or held[at : at + PIXEL] != wanted[at : at + PIXEL]
    ]
    while changed:
        first = changed[0]
        ends = [at + PIXEL for at in changed[:COLOURS] if at < first + PIXEL * COLOURS]
        yield (first // PIXEL).to_bytes(2, "little") + wanted[first : ends[-1]]
        changed = changed[len(ends) :]
