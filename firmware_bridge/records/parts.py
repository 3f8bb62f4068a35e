"""The files of a trace: the part that is being written, and the one before it.

A part that is full is kept as PATH.1 in place of an older one, and the next one can be read without it: it begins with
the game as it stood before the last turn, and repeats what came in since. So what the table knew of the last turn,
which the same hand may still change, is known to a replay too. Where the table has not been at rest for long it begins
in the middle, and a replay may answer otherwise at its beginning.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.records.lines import FIRST, checked
from firmware_bridge.score import PEOPLE, Moment
from hardware.device import Levels

LARGEST = 2_000_000
"""Bytes of a part: some 3,000 turns."""
PASSED = "said turn pass"
Words = Sequence[str | int]


class Mark(NamedTuple):
    """How a game stands where a part may begin: the turns made so far, who plays, whether the board is being set up."""

    moments: tuple[Moment, ...]
    levels: tuple[int, int] = PEOPLE
    setting: bool = False
    due: str = ""
    """The last of these turns, if it did not count before the next player began with another."""


class Tail(NamedTuple):
    """All since a mark: when that was (microseconds), what the sensors showed, and the lines."""

    mark: Mark
    at: int
    raw: Levels
    lines: list[str]

    @property
    def repeated(self) -> list[str] | None:
        """The lines that a part begins with from here; None if what was due did not come."""
        due = shlex.join(("said", "turn", self.mark.due))
        if not self.mark.due:
            return self.lines
        said = next((place for place, text in enumerate(self.lines) if text.startswith("said ")), None)
        if said is None or self.lines[said] != due:
            return None
        rest = dropwhile(PASSED.__eq__, self.lines[said + 1 :])
        return [*self.lines[:said], *rest]


class Parts:
    """The trace at `path`, in parts of little more than `largest` bytes; OSError from all that touches the disk.

    `heading` is that of the record, `about` the line of the trace.
    """

    def __init__(self, path: Path, heading: list[Words], about: Words, largest: int) -> None:
        self.path = path
        self.raw: Levels = ()
        """What the sensors showed in the last scan that was written."""
        self._heading = [words for words in heading if words[0] != "levels"]
        self._about, self._largest = about, largest
        self._file: TextIOWrapper | None = None
        self._size = self._at = 0
        self._check = FIRST
        self._tails: list[Tail] = []

    @property
    def full(self) -> bool:
        """Whether the next part is due."""
        return self._size >= self._largest

    def mark(self, mark: Mark) -> None:
        """A later part may begin here; the first part does."""
        if not self._file:
            self._open(mark)
        self._tails = [*self._tails[-1:], Tail(mark, self._at, self.raw, [])]

    def write(self, words: Words, at: int | None = None) -> None:
        """A line with these words at `at` (microseconds), or at the time of the line before."""
        plain = words[0] in ("scan", "quiet", "right")  # nothing there that needs quotes
        text = " ".join(map(str, words)) if plain else shlex.join(map(str, words))
        if at is not None:
            text = f"{stamp(at - self._at)} {text}"
            self._at = at
        self._line(text)
        for tail in self._tails:
            tail.lines.append(text)

    def _line(self, text: str) -> None:
        assert self._file
        line, self._check = checked(text, self._check)
        self._size += len(line)
        self._file.write(line)

    def begin_anew(self, first: Callable[[Levels], Words]) -> None:
        """The next part, from the mark before the last; `first` gives the words of a scan that shows these levels."""
        tail = self._tail()
        self._open(tail.mark)
        if tail.raw:
            self._line(f"{stamp(tail.at)} {' '.join(map(str, first(tail.raw)))}")
        for text in tail.lines:
            self._line(text)
        self._tails = [tail]

    def _tail(self) -> Tail:
        """Where the next part begins, and what it repeats: the last mark but one, or the last if that is too much."""
        for tail in self._tails:
            lines = tail.repeated
            if lines is not None and sum(map(len, lines)) <= self._largest // 2:
                return tail._replace(mark=tail.mark._replace(due=""), lines=lines)
        return self._tails[-1]

    def _open(self, mark: Mark) -> None:
        """Keep what there is as the part before, and begin with the heading and the turns made so far."""
        self.close()
        before = self.path.with_name(f"{self.path.name}.1")
        for path in (self.path, before):
            if not replaceable(path):
                raise OSError(f"{path.name} is there and is no trace; choose another place")
        if self.path.exists():
            os.replace(self.path, before)
        self._file = self.path.open("x", encoding="utf-8")
        self._size, self._check = 0, FIRST
        levels = [("levels", *mark.levels)] if any(mark.levels) else []
        about = (*self._about, f"setting={'yes' if mark.setting else 'no'}")
        turns = [("turn", moment.turn.text) for moment in mark.moments]
        for words in (*self._heading, *levels, about, *turns):
            self._line(shlex.join(map(str, words)))

    def flush(self) -> None:
        """Hand all to the system."""
        if self._file:
            self._file.flush()

    def close(self) -> None:
        """Release the file; what a full disk does not take is lost."""
        if self._file:
            with suppress(OSError):
                self._file.close()
        self._file = None


def replaceable(path: Path) -> bool:
    """Whether nothing is lost with the file at `path`: there is none, or it is empty, or a trace."""
    if not path.exists():
        return True
    with path.open("rb") as file:
        return not (head := file.read(4000)) or b"\ntrace " in head


def stamp(microseconds: int) -> str:
    """A time in seconds."""
    seconds, rest = divmod(microseconds, 1_000_000)
    return f"{seconds}.{rest:06d}"
