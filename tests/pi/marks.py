"""Marks on the disk of the state, behind its file system: what the table had told by then of its games.

A mark is one block, written past all caches, so that in the log of the disk's writes it stands behind all that was on
disk when the turn was seen to be accepted. A turn counts as accepted when the strip shows the lamp of who is to play
next, or of the winner, and did not do so before; where the same player is to play again the next turn tells it.
"""

from __future__ import annotations

import json
import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

FILE_SYSTEM = 64 << 20
"""Bytes of the file system of the state."""
BLOCK = 4096
DISK = FILE_SYSTEM + BLOCK
DEVICE = Path("/dev/disk/by-label/state")
LOOKS = 0.02
"""Seconds between two looks at the strip: a cut in between finds a turn accepted that was not marked yet."""


class Mark(NamedTuple):
    """That in the game of a record the turn of that number, from 1 and without passes, was seen to be accepted.

    With 0 turns the record is about to be removed.
    """

    record: str
    number: int
    turn: str = ""


def packed(mark: Mark) -> bytes:
    """A mark as it is written."""
    return json.dumps(mark).encode().ljust(BLOCK, b"\0")


def unpacked(data: bytes) -> Mark:
    """A mark as it was written; ValueError."""
    record, number, turn = json.loads(data.rstrip(b"\0"))
    return Mark(record, number, turn)


def write(mark: Mark) -> None:
    """Write a mark, and have it in the log when this returns. It is not flushed: a mark makes nothing else safe."""
    with mmap.mmap(-1, BLOCK) as block:  # what goes past the caches must begin at a page
        block[:] = packed(mark)
        device = os.open(DEVICE, os.O_WRONLY | os.O_DIRECT)
        try:
            os.pwrite(device, block, FILE_SYSTEM)
        finally:
            os.close(device)


class Eye(Thread):
    """Looks at the lamps all the time, and marks the turn that is expected as soon as they tell of it."""

    def __init__(self, look: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._look = look
        self._expected: tuple[Mark, Any] | None = None
        self._seen = Event()
        self.start()

    def expect(self, mark: Mark, lamps: Any) -> None:
        """A turn is being made, after which the lamps are these, and before which they are others."""
        self._seen.clear()
        self._expected = mark, lamps

    def wait(self, seconds: float) -> bool:
        """Whether what was expected is seen and marked, at the latest in so many `seconds`; True if nothing was."""
        return self._expected is None or self._seen.wait(seconds)

    def run(self) -> None:
        """The thread."""
        while True:
            time.sleep(LOOKS)
            expected = self._expected
            if expected and self._look() == expected[1]:
                write(expected[0])
                self._expected = None
                self._seen.set()
