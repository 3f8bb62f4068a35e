"""From the picture that a micro-controller board holds to the one that it ought to show, in frames."""

from __future__ import annotations

from itertools import islice

from hardware.frames import COLOURS, PAINT, SHOW, crc

PIXEL = 3
"""Bytes of a colour."""
NEAR = 3 * PIXEL
"""Bytes that need no painting, of which so many between two that do cost no more than another frame."""
AT_ONCE = 8
"""Frames of painting that are sent at a time: as many as a port takes, whatever they hold."""


class Painting:
    """The pictures for a strip of `pixels`: only what has changed is painted, and all of a picture is sent at once.

    A picture that comes while another is under way takes its place, unless that is complete: then it is the next, and
    those in between are skipped. All are 3 bytes a pixel: red, green, blue.
    """

    def __init__(self, pixels: int) -> None:
        self._size = PIXEL * pixels
        self._wanted: bytes | None = None
        self._held = b""
        """What the board holds, if nothing was lost on the way; what comes after its end is not known."""
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

    def frames(self) -> list[tuple[int, bytes]]:
        """Kind and body of the frames to send now; the last is a SHOW, unless there is more to paint than fits."""
        if self._shown or self._wanted is None:
            return []
        told = [(PAINT, self._painted(*span)) for span in islice(strokes(self._held, self._wanted), AT_ONCE)]
        if len(told) < AT_ONCE:
            told.append((SHOW, crc(self._wanted).to_bytes(2, "little")))
        return told

    def _painted(self, start: int, end: int) -> bytes:
        wanted = self._wanted or b""
        self._held = wanted[:end] + self._held[end:]
        return (start // PIXEL).to_bytes(2, "little") + wanted[start:end]

    def done(self) -> None:
        """The board shows what it holds."""
        self._shown = self._held == self._wanted

    def forget(self) -> None:
        """Nobody knows what the board holds: paint all of it."""
        self._held, self._shown = b"", False

    def repeat(self) -> None:
        """The board may have shown something of its own: let it show its picture again."""
        self._shown = False


def strokes(held: bytes, wanted: bytes) -> list[tuple[int, int]]:
    """Where to paint to make `wanted` of `held`, from left to right: first byte and end, a frame each."""
    spans: list[tuple[int, int]] = []
    for at in range(0, len(wanted), PIXEL):
        if held[at : at + PIXEL] == wanted[at : at + PIXEL]:
            continue
        start, end = spans[-1] if spans else (at, at)
        if spans and at - end <= NEAR and at - start < PIXEL * COLOURS:
            spans[-1] = (start, at + PIXEL)
        else:
            spans.append((at, at + PIXEL))
    return spans
