"""Frames on their way to a micro-controller board: numbered, and the one that waits for its answer sent again."""

from __future__ import annotations

from math import inf

from hardware import frames
from hardware.frames import LOOK, REST, SHOW, Frame

ANSWERED = (LOOK, SHOW, REST)
"""The kinds whose answer is waited for."""
ANSWER = 0.1
"""Seconds after which a frame without an answer is sent again, besides what it takes to send it."""
SENDINGS = 4
"""How often a frame is sent before the board counts as lost."""
BYTE = 10 / 115_200
"""Seconds that a byte takes on the slowest line."""


class Sending:
    """What one end of a line sends. One frame at most waits for an answer, and nothing else ought to be sent then."""

    def __init__(self) -> None:
        self.spoke = -inf
        """When anything was sent last."""
        self._frame: Frame | None = None
        self._sendings = 0
        self._number = -1
        self._bytes = 0

    @property
    def waiting(self) -> bool:
        """Whether a frame waits for its answer."""
        return self._frame is not None

    def send(self, kind: int, body: bytes, now: float) -> bytes:
        """The bytes of the next frame; one whose kind is answered waits from now on."""
        self._number = (self._number + 1) % 256
        frame = Frame(kind, self._number, body)
        if kind in ANSWERED:
            self._frame, self._sendings = frame, 1
        return self._packed(frame, now)

    def again(self, now: float) -> bytes | None:
        """The frame that waits, with its number, if it has waited long enough; None if it was sent too often."""
        if not self._frame or now - self.spoke < ANSWER + BYTE * self._bytes:
            return b""
        if self._sendings == SENDINGS:
            return None
        self._sendings += 1
        return b"\0" + self._packed(self._frame, now)

    def answered(self, number: int) -> int:
        """An answer to the frame of that number has come: the kind of what was waiting for it, 0 if nothing was."""
        return self.landed(self._frame.kind) if self._frame and self._frame.number == number else 0

    def landed(self, kind: int) -> int:
        """What answers `kind` has come, for whichever frame: `kind` if one was waiting for it, else 0."""
        if not self._frame or self._frame.kind != kind:
            return 0
        self.forget()
        return kind

    def forget(self) -> None:
        """Nothing waits any more."""
        self._frame, self._bytes = None, 0

    def _packed(self, frame: Frame, now: float) -> bytes:
        data = frames.pack(frame)
        self.spoke = now
        self._bytes += len(data)
        return data
