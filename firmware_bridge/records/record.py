"""The record of a game: one append-only text file, a line an event; a turn is safe on disk before the lights say so.

What the lines mean is in `notation.py`. The check at the end of a line tells a damaged one; a line without a check is
read too. Reading gives the game as far as it was played. A torn last line is left out. Damage anywhere else is refused
with the line's number, and the file is left as it is.

A record that has become too long is left as it is, and the game goes on in another beside it, ``NAME-part-2.table``,
which begins with all turns that stand; in a game of very many turns with the last of them, from a position.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import NamedTuple

from firmware_bridge.events import Event
from firmware_bridge.records import append_log
from firmware_bridge.records.append_log import AppendLog, dated
from firmware_bridge.records.lines import FIRST, LineError, read_lines, write_line
from firmware_bridge.records.notation import (
    TIMED,
    TURNS,
    Replay,
    event_words,
    heading,
    played_lines,
    read_heading,
    time_words,
)
from firmware_bridge.records.shelf import Shelf
from firmware_bridge.score import ScoreSheet
from games.rules import say
from hardware import files
from hardware.device import Sense

LARGEST = 4_000_000
"""Bytes of a record that is read at all; guessed. Earlier versions of the program wrote without end."""
PART = re.compile(r"-part-\d+$")
"""What tells the records of one game apart."""
RETRY = 1.0
"""Seconds before the next try while the disk refuses; guessed."""


# Reading ------------------------------------------------------------------------------------------


class RecordError(Exception):
    """A record that cannot be used; says which file and line, and why. The file is left as it is."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a record holds: the game as far as it was played, and what to cut off before going on."""

    sheet: ScoreSheet
    sense: Sense
    ended: float
    """The time of the last line, in seconds since the game began."""
    check: int
    """The check of the last line."""
    whole: int
    """The length of the file in bytes up to its last whole line."""
    length: int
    """The length of the file in bytes when it was read."""
    made: int
    """The lines of turns in it, those that were taken back included."""

    @property
    def torn(self) -> bool:
        """Whether its last line was cut short."""
        return self.whole < self.length


def read_record(path: Path) -> Saved:
    """Read a record; a torn last line is left out, damage anywhere else is a RecordError."""
    data = read_bounded(path, "record")
    whole = data.rfind(b"\n") + 1
    try:
        lines = list(read_lines(data[:whole].decode()))
        check = lines[-1].check if lines else FIRST
        sheet, sense = read_heading(lines)
        replay = Replay(sheet)
        for line in lines:
            replay.take(line)
        replay.play()
    except UnicodeDecodeError as error:
        damaged = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{path}: line {damaged}: not text; the file is damaged and was left as it is") from None
    except LineError as error:
        raise RecordError(f"{path}: {error}; the file was left as it is") from None
    ended = max((line.at for line in lines if line.at is not None), default=0.0)
    return Saved(sheet, sense, ended, check, whole, len(data), sum(line.word in TURNS for line in lines))


def read_bounded(path: Path, what: str, largest: int = LARGEST) -> bytes:
    """The whole of a file that should be a `what`, of at most `largest` bytes; RecordError."""
    try:
        data = files.read(path, largest)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    if len(data) > largest:
        raise RecordError(f"{path}: larger than {largest} bytes, which no {what} is")
    return data


# Writing ------------------------------------------------------------------------------------------


class Lines(NamedTuple):
    """Lines that wait for the disk, and where they go, in bytes from the beginning; or the whole of a `new` file."""

    data: bytes
    end: int
    new: bool = False


class Bounds(NamedTuple):
    """How long a record may become before the game goes on in another; guessed.

    A whole evening has some hundred turns. Reading such a record takes a computer of four watts some ten seconds.
    """

    size: int = 250_000
    """Bytes beyond what it begins with."""
    made: int = 2_000
    """Lines of turns, those that were taken back included."""
    kept: int = 500
    """Turns that the other record begins with at most."""
    spare: int = 50
    """Turns that a record has at least which begins with a position, so that a few may be taken back."""


BOUNDS = Bounds()


class Record:
    """An open record of a game that begins, or goes on, at `now` (seconds).

    With `background` a thread of its own writes, so that a slow card never holds up a scan. `shelf` is the folder of
    records, which is told of this one if it lies there. With `after`, the thread that closes the record before, that
    thread also makes the file, once the other one has ended; until then nothing is safe.
    """

    def __init__(
        self,
        path: Path,
        sheet: ScoreSheet,
        sense: Sense,
        saved: Saved | None = None,
        *,
        now: float = 0.0,
        background: bool = False,
        shelf: Shelf | None = None,
        bounds: Bounds = BOUNDS,
        after: Thread | None = None,
    ) -> None:
        self.path = path
        """The file that is written to now."""
        self.problem = ""
        """Why the last lines could not be written, or empty."""
        self.refused = ""
        """Why the file could not be made, after the time at which that is a RecordError; then there is no record."""
        self._sheet = sheet
        self._at = saved.ended if saved else 0.0
        self._begun = now - self._at
        self._check = saved.check if saved else FIRST
        self._sense, self._bounds = sense, bounds
        self._timed = time_words(sheet.clock) if sheet.clock and saved else ()
        """How the clocks stand by what was written last."""
        self._first = 0
        """The turn of the game that the file begins with."""
        self._made = saved.made if saved else sheet.length
        self._shelf = shelf if shelf and shelf.holds(path) else None
        self._news: deque[Event] = deque()
        self._is_new = saved is None
        data = b"" if saved else self._beginning()
        self._log = None if after else self._open(data, saved)
        self._end = saved.whole if saved else len(data)
        """Where the next lines go, in bytes from the beginning of the file."""
        self._full = (0 if saved else self._end) + bounds.size
        """Where this file ends at the earliest, so that what it begins with never fills it."""
        self._waiting: deque[Lines] = deque()
        self._given = self._kept = self._promised = 0
        """How many times lines were given to the disk, how many of them it has, and the last that make the game."""
        self._wake, self._closing = Flag(), Flag()
        making = partial(self._make, after, data, saved) if after else None
        self._thread = Thread(target=self._work, args=(making,), daemon=True) if background else None
        if self._thread:
            self._thread.start()
        else:
            self._tell_shelf(new=self._is_new)

    def _make(self, after: Thread, data: bytes, saved: Saved | None) -> bool:
        """Make the file, or find it, once the thread `after` has ended; whether that could be done."""
        after.join()
        try:
            self._log = self._open(data, saved)
        except RecordError as error:
            self.refused = str(error)
        return self._log is not None

    def _open(self, data: bytes, saved: Saved | None = None) -> AppendLog:
        """The file, made with `data` in it or found, and ours alone; RecordError."""
        try:
            after = self._shelf.latest() if self._shelf else append_log.latest(self.path)
            if saved:
                return append_log.go_on(self.path, saved.length, saved.whole, after)
            return append_log.begin(self.path, data, after)
        except BlockingIOError:
            raise RecordError(f"{self.path}: another tablelight is writing to it; stop that one first") from None
        except OSError as error:
            instead = "copy it to another place and resume the copy" if saved else "choose another place with --record"
            raise RecordError(f"{self.path}: {error.strerror or error}; {instead}") from None

    def _beginning(self) -> bytes:
        """The heading, and the turns that stand from the first that is kept in this file."""
        lines = [self._checked(words) for words in heading(self._sheet, self._sense, self._first)]
        lines += [self._checked(words, self._at) for words in played_lines(self._sheet, self._first)]
        return "".join(lines).encode()

    def _tell_shelf(self, *, new: bool) -> None:
        """Tell the folder that this is the newest record, and the players if others had to go for it."""
        if self._shelf:
            with suppress(OSError):  # the next start looks at all records, and the next record tries again
                removed = self._shelf.add(self.path, new=new)
                if removed:
                    self._news.append(Event.of("removed", count=removed, most=self._shelf.most))

    def news(self) -> list[Event]:
        """What the players are to be told of records; told once."""
        return [self._news.popleft() for _ in range(len(self._news))]

    @property
    def saved(self) -> Saved | None:
        """What the file holds once it is closed, so that the game may go on in it; None where it began in another."""
        if self._first:
            return None
        return Saved(self._sheet, self._sense, self._at, self._check, self._end, self._end, self._made)

    @property
    def safe(self) -> bool:
        """Whether all that makes the game has reached the disk; notes may still wait."""
        if not self._thread:
            self._flush()
        return self._log is not None and self._kept >= self._promised

    def write(self, events: Sequence[Event], now: float) -> None:
        """Write a line for each event at `now` (seconds), and how the clocks stand; with no event that alone."""
        at = self._at = max(self._at, now - self._begun)  # no clock makes a time run backwards
        lines = [event_words(event, self._sheet) for event in events]
        self._made += sum(words[0] in TURNS for words in lines)
        if self._sheet.clock and (not lines or any(words[0] in TIMED for words in lines)):
            timed = time_words(self._sheet.clock)
            if not lines and timed == self._timed:
                return
            self._timed = timed
            lines.append(timed)
        if self._is_full(lines):
            length = self._sheet.length
            self._first = length - self._bounds.kept if length > self._bounds.kept else 0
            self._made, self._end, self._check = length - self._first, 0, FIRST
            notes = [words for words in lines if words[0] == "note"]
            data = self._beginning()
            self._full = len(data) + self._bounds.size
            data += self._written(notes, at)
            self._waiting.append(Lines(data, 0, new=True))
        else:
            data = self._written(lines, at)
            self._waiting.append(Lines(data, self._end))
        self._end += len(data)
        self._given += 1
        if any(words[0] not in ("note", "time") for words in lines):
            self._promised = self._given
        if self._thread:
            self._wake.set()
        else:
            self._flush()

    def _is_full(self, lines: Sequence[Sequence[str | int]]) -> bool:
        """Whether these lines, whose turns are on the sheet already, are for another file.

        So they are, too, where they take back what was before the beginning of this one.
        """
        if self._end >= self._full or self._made > self._bounds.made:
            return True
        back = any(words[0] in ("undo", "amend") for words in lines)
        return bool(self._first) and back and self._sheet.length - self._first < self._bounds.spare

    def _written(self, lines: Sequence[Sequence[str | int]], at: float) -> bytes:
        return "".join(self._checked(words, at) for words in lines).encode()

    def _checked(self, words: Sequence[str | int], at: float | None = None) -> str:
        text, self._check = write_line(words, at, self._check)
        return text

    def _work(self, making: Callable[[], bool] | None) -> None:
        """The thread: flush when there is something to, and try again every `RETRY` seconds while the disk refuses."""
        if making and not making():
            return
        self._tell_shelf(new=self._is_new)
        while not self._closing.is_set():
            self._wake.wait()
            self._wake.clear()
            while not self._flush() and not self._closing.wait(RETRY):
                pass

    def _flush(self) -> bool:
        """Put what waits on the disk, in order and each whole or not at all; whether nothing waits any more."""
        while self._waiting:
            if not self._put(self._waiting[0]):
                return False
            self._waiting.popleft()
            self._kept += 1
        return True

    def _put(self, lines: Lines) -> bool:
        try:
            if lines.new:
                self._begin_part(lines.data)
            elif self._log:
                self._log.add(lines.data, lines.end)
        except OSError as error:
            self.problem = f"{self.path}: {error.strerror or error}"
            return False
        self.problem = ""
        return True

    def _begin_part(self, data: bytes) -> None:
        """Go on in another file, beside this one, which stays; OSError."""
        stem = PART.sub("", self.path.stem)
        for part in count(2):
            path = self.path.with_name(f"{stem}-part-{part}{self.path.suffix}")
            if path.exists():
                continue
            after = self._shelf.latest() if self._shelf else dated(self.path)
            log = append_log.begin(path, data, after)
            break
        if self._log:
            self._log.close()
        self._log, self.path = log, path
        self._news.append(Event.of("continued", path=str(path)))
        self._tell_shelf(new=True)

    def close(self) -> None:
        """Write what is waiting, if the disk lets it, and release the file."""
        self._closing.set()
        self._wake.set()
        if self._thread:
            self._thread.join()
            self._thread = None
        if not self._log:
            return
        self._flush()
        self._log.close()
        if self._shelf:  # another program may have begun a record meanwhile, which is not the newest any more
            self._shelf.latest()
            self._tell_shelf(new=False)


say(
    "table",
    unrecorded="This game is played without a record ({fault}).",
    continued="The record has become long; the game goes on in {path}.",
    removed="No more than {most} records are kept. Records removed: {count}, those without a turn first, then the "
    "oldest.",
)
