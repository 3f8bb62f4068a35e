"""A trace: every scan with its time, every other input and every event of one game, enough to replay it exactly.

    tablelight 1                                      the heading of a record, then how the table judges,
    game NAME size=8 setup=rows                       and the turns made so far
    sense presence
    trace 1 version=0.1.0 debounce=0.005 setting=no settle=0.4 undo=2.0 left_off=3.0
    turn c3-c4 ~5f3a
    103.250000 scan a1=1 b1=1 c1=0 ... ~77b0          the first scan, and later what has changed since the one before
    0.780000 quiet 78 ~c0de                           78 scans without news, the last of them 0.78 s later
    0.010112 scan d4=0 ~0b51
    said turn d4-d5 ~19a2                             what the table answered, in the words of a record
    1.204000 undo ~4cf0                               a button, or another thing that the players or the engine did
    0.310000 back 4 ~90d1                             two tables have agreed to keep the first 4 turns

Times are in seconds, to the microsecond, from line to line; the first is that of the program's clock. The daemon goes
by these times while a trace is kept, so a replay goes by the very same. A level is ``?`` where a sensor cannot tell.
Scans off the usual pace, and all scans from a change until it has settled, are lines of their own; a quiet scan does
nothing at a table where nothing is due. People may add ``note`` and ``expect`` lines, as in scenarios.

A trace has two files: PATH is the part being written, PATH.1 is the full part before it. A pipe or a device at PATH is
written to, without parts. Each part can be read by
itself: it begins with the game as it stood before the last turn, and repeats the input since. What the table knew of
the turns before, and what it had learned of the hands and the sensors, is not in it: a replay of a later part may
answer somewhat sooner or later than the table did. Where the table has not been at rest for long, a part begins in the
middle of a turn, and a replay may answer otherwise at its beginning.

In a game with another table ``away=1`` in the line of the trace tells which player, 0 or 1, sits there: for that player
only the turns count that come from there, until a line ``levels`` tells that all play at this table.

Reading leaves out a torn last line. Any other line that cannot be read is refused with its number.
"""

from __future__ import annotations

import os
import shlex
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from io import TextIOWrapper
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import NamedTuple

from firmware_bridge import __version__
from firmware_bridge.events import Event
from firmware_bridge.reading import USUAL, Constants, Debounce, Patience
from firmware_bridge.records.lines import FIRST, Line, LineError, checked, number, read_lines, seconds
from firmware_bridge.records.notation import MOST_PLAYED, event_words, heading, read_heading, repeat
from firmware_bridge.records.record import RecordError, read_bounded
from firmware_bridge.score import PEOPLE, PlayedTurn, ScoreSheet
from firmware_bridge.table import Table
from firmware_bridge.verdict import AtRest
from games.rules import Position, Turn, clip, say
from hardware import files
from hardware.device import Levels, Sense

FORMAT = 1
"""The version of the trace format."""
SECOND = 1_000_000
"""Microseconds in a second."""

# The pace of scans

SOONEST, LATEST = 5_000, 15_000
"""Microseconds between two scans on the usual pace; guessed, half of the 10,000 of a scan at 100 Hz on either side."""
ALIVE = 6_000
"""Quiet scans after which a line tells that the table is still scanned; guessed. At 100 Hz that is a minute."""

# Writing: how much waits, and when a part ends

LARGEST = 2_000_000
"""Bytes of a part; guessed. It holds some 3,000 turns."""
UNMARKED = 300
"""The fewest lines after which a part may begin although the table is not at rest; guessed."""
WAITING = 20_000
"""Lines that may wait for the disk; guessed. With more the disk is too slow, and the trace ends."""
TOGETHER = 500
"""Lines that are written together where there is no thread; guessed."""
REST = 1.0
"""Seconds between two writes of the thread; guessed."""

# Reading: bounds of what a file may ask for

LARGEST_TRACE = 8_000_000
"""Bytes of a trace that is read at all; guessed. A part has little more than `LARGEST`."""
MOST_SCANS = 20_000
"""Scans that a quiet line stands for at most; guessed. The program writes little more than `ALIVE`."""
LONGEST = 3600.0
"""Seconds of patience at most; guessed."""
WAITS = tuple(field.name for field in fields(Patience))
"""The times of `Patience`, as the line of the trace names them."""

Words = Sequence[str | int]
"""A line as words."""


# The files of a trace -----------------------------------------------------------------------------


class Mark(NamedTuple):
    """How a game stands where a part may begin: the turns made so far, who plays, whether the board is being set up.

    `away`: the player who sits at another table, if one does.
    """

    played_turns: tuple[PlayedTurn, ...]
    levels: tuple[int, int] = PEOPLE
    setting: bool = False
    away: int | None = None


class Tail(NamedTuple):
    """A mark and what followed: its time (microseconds), what the sensors showed at it, and the lines since."""

    mark: Mark
    at: int
    raw: Levels
    lines: list[str]


class TraceFiles:
    """The trace at `path`, in parts of little more than `largest` bytes; OSError from all that touches the disk.

    `heading` is that of the record, `about` the line of the trace.
    """

    def __init__(self, path: Path, heading: list[Words], about: Words, largest: int) -> None:
        self.path = path
        self.raw: Levels = ()
        """What the sensors showed in the last scan that was written."""
        self._heading = [words for words in heading if words[0] not in ("levels", "clock")]
        self._about, self._largest = about, largest
        self._file: TextIOWrapper | None = None
        self._streams = False
        """Whether it is a pipe or a device, which has no parts."""
        self._size = self._at = 0
        self._check = FIRST
        self._tails: list[Tail] = []

    @property
    def full(self) -> bool:
        """Whether the next part is due."""
        return self._size >= self._largest and not self._streams

    def mark(self, mark: Mark) -> None:
        """Let a later part begin here; the first part begins at the first mark."""
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

    def begin_part(self, first: Callable[[Levels], Words]) -> None:
        """Begin the next part from the last mark but one; `first` gives the words of a scan that shows these levels."""
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
            if sum(map(len, tail.lines)) <= self._largest // 2:
                return tail
        return self._tails[-1]

    def _open(self, mark: Mark) -> None:
        """Keep the file as the part before, and begin another with the heading and the turns made so far."""
        self.close()
        stream = files.open_stream(self.path)
        self._streams = stream is not None
        self._file = os.fdopen(self._new_part() if stream is None else stream, "w", encoding="utf-8")
        self._size, self._check = 0, FIRST
        levels = [("levels", *mark.levels)] if any(mark.levels) else []
        away = () if mark.away is None else (f"away={mark.away}",)
        about = (*self._about, *away, f"setting={'yes' if mark.setting else 'no'}")
        turns = [("turn", made_turn.turn.text) for made_turn in mark.played_turns]
        for words in (*self._heading, *levels, about, *turns):
            self._line(shlex.join(map(str, words)))

    def _new_part(self) -> int:
        """A new file, for its owner to read alone; the one that was there is kept as the part before. Links stay."""
        place = Path(os.path.realpath(self.path))
        before = Path(os.path.realpath(f"{place}.1"))
        for path in (place, before):
            if not replaceable(path):
                raise OSError(f"{path.name} is there and is no trace; choose another place")
        if place.exists():
            place.replace(before)
        return os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def flush(self) -> None:
        """Hand everything written to the operating system."""
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
    head = files.read(path, 4000)
    return not head or b"\ntrace " in head


def stamp(microseconds: int) -> str:
    """A time in seconds, as a word."""
    whole, rest = divmod(microseconds, 1_000_000)
    return f"{whole}.{rest:06d}"


# Writing a trace ----------------------------------------------------------------------------------


class Entry(NamedTuple):
    """What to write at `at` (microseconds): a scan of these levels, else what the table `said`, else these words."""

    at: int
    levels: Levels | None = None
    words: Sequence[str | int] = ()
    said: Sequence[Event] = ()
    mark: Mark | None = None
    """How the game stands here; a later part may begin with it."""


class Trace:
    """A trace of one game in the file `path`; beyond `largest` bytes it is kept as PATH.1, and a new part begins.

    With `background` a thread of its own writes, and a scan only queues what is new. A disk that refuses ends the
    trace, and not the game.
    """

    def __init__(self, path: Path, *, largest: int = LARGEST, background: bool = False) -> None:
        self.path = path
        self.problem = ""
        """Why the trace has ended, or empty."""
        self._largest, self._background = largest, background
        self._waiting: deque[Entry] = deque()
        self._closing = Flag()
        self._thread: Thread | None = None
        self._raw: Levels = ()
        self._before = self._last = self._settles = self._quiet = 0
        self._unmarked = 0
        self._unsettled = self._told = False

    def follow(
        self,
        sheet: ScoreSheet,
        sense: Sense,
        debounce: Debounce,
        patience: Patience | None,
        *,
        setting: bool,
        costs: Constants = USUAL,
    ) -> TracedTable:
        """The table of the game on `sheet`, followed by this trace from now on; may be called once."""
        patience = patience or Patience()
        self._table = TracedTable(sheet, sense, patience, setting=setting, costs=costs, trace=self)
        self._hold = round(debounce.hold * SECOND)
        judging = {"version": __version__, "debounce": debounce.hold, **asdict(patience)}
        about = [f"{name}={value}" for name, value in judging.items()]
        self._parts = TraceFiles(self.path, [*heading(sheet, sense)], ("trace", FORMAT, *about), self._largest)
        self._waiting.append(Entry(0, mark=Mark(tuple(sheet.played_turns), sheet.levels, setting, sheet.away)))
        if self._background:
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()
        return self._table

    # Input and answers ----------------------------------------------------------------------------

    def scan(self, levels: Levels, now: float) -> float:
        """What the sensors show at `now` (seconds); returns that time as the trace has it."""
        at = int(now * SECOND)
        last = self._last
        if levels is self._raw and SOONEST < at - last < LATEST and not self._unsettled and self._quiet < ALIVE:
            self._quiet += 1
            self._before, self._last = last, at
            return at / SECOND
        return self._note_scan(levels, max(at, self._last)) / SECOND

    def _note_scan(self, levels: Levels, at: int) -> int:
        self._end_quiet(self._quiet, self._last)
        if levels != self._raw:
            self._offer_mark()
            self._settles, self._unsettled = at + self._hold, True
        elif self._unsettled:
            self._unsettled = at <= self._settles + 1  # the daemon's fractions may be off by one
        self._put(Entry(at, levels))
        self._raw = levels
        self._before, self._last = self._last, at
        return at

    def _end_quiet(self, scans: int, end: int) -> None:
        """Write that so many scans passed without news, the last of them at `end`."""
        if scans:
            self._put(Entry(end, words=("quiet", scans)))
        self._quiet = 0

    def _offer_mark(self) -> None:
        """Let a later part begin here if the table is at rest, or if there has been no such place for long."""
        table = self._table
        sheet, verdict = table.sheet, table.verdict
        mark = Mark(tuple(sheet.played_turns), sheet.levels, table.setting, sheet.away)
        calm = isinstance(verdict, AtRest) and not (self._unsettled or table.pending or table.setting or sheet.outcome)
        if not calm and self._unmarked < max(self._largest // 1000, UNMARKED):
            return
        self._put(Entry(self._last, mark=mark))
        self._unmarked = 0

    def note_answer(self, events: Sequence[Event]) -> None:
        """The table has answered."""
        if self._quiet:  # the last scan was not as quiet as it seemed
            self._end_quiet(self._quiet - 1, self._before)
            self._put(Entry(self._last, self._raw))
        self._put(Entry(self._last, said=tuple(events)))

    def note_input(self, words: Sequence[str | int], now: float = 0.0) -> float:
        """Note an input other than a scan, at `now` (seconds) or with the last scan; returns the time in the trace."""
        self._end_quiet(self._quiet, self._last)
        self._last = max(int(now * SECOND), self._last)
        self._put(Entry(self._last, words=words))
        return self._last / SECOND

    def note_right(self, levels: Levels, now: float) -> float:
        """Note how the pieces lie at `now` (seconds), after they chose from the menu; returns the time in the trace."""
        self._end_quiet(self._quiet, self._last)
        self._raw, self._last = levels, max(int(now * SECOND), self._last)
        self._put(Entry(self._last, levels, ("right",)))
        return self._last / SECOND

    def _put(self, entry: Entry) -> None:
        if self.problem:
            return
        self._waiting.append(entry)
        self._unmarked += 1
        if not self._thread and len(self._waiting) > TOGETHER:
            self._flush()
        if len(self._waiting) > WAITING:
            self.problem = f"{self.path}: the disk is too slow"

    def troubles(self) -> list[Event]:
        """The event that the trace has ended; told once."""
        if self._told or not self.problem:
            return []
        self._told = True
        return [Event.of("untraced", fault=self.problem)]

    # The disk --------------------------------------------------------------------------------------

    def _work(self) -> None:
        """The thread: write all that waits, every `REST` seconds."""
        while not self._closing.wait(REST):
            self._flush()

    def _flush(self) -> None:
        try:
            while self._waiting:
                self._write(self._waiting.popleft())
            self._parts.flush()
        except OSError as error:
            self.problem = f"{self.path}: {error.strerror or error}"
            self._waiting.clear()

    def _write(self, entry: Entry) -> None:
        parts = self._parts
        if parts.full and not entry.said:
            parts.begin_part(lambda levels: ("scan", *self._changes((), levels)))
        if entry.mark:
            parts.mark(entry.mark)
        elif entry.levels is not None:
            changes = self._changes(parts.raw, entry.levels)
            parts.write((*(entry.words or ("scan",)), *changes), entry.at)
            parts.raw = entry.levels
        elif entry.said:
            for event in entry.said:
                parts.write(("said", *event_words(event, self._table.sheet)))
        else:
            parts.write(entry.words, entry.at)

    def _changes(self, before: Levels, after: Levels) -> list[str]:
        """The levels of `after` that differ from `before`, as words."""
        pairs = zip(self._table.game.sites, before or (-1,) * len(after), after, strict=True)
        return [f"{site}={'?' if level is None else level}" for site, was, level in pairs if was != level]

    def close(self) -> None:
        """Write what waits, if the disk lets it, and release the file."""
        self._closing.set()
        if self._thread:
            self._thread.join()
            self._thread = None
        self._end_quiet(self._quiet, self._last)
        if not self.problem:
            self._flush()
        self._parts.close()


class TracedTable(Table):
    """A table that tells its trace what it is asked and what it answers."""

    def __init__(
        self,
        sheet: ScoreSheet,
        sense: Sense,
        patience: Patience,
        *,
        setting: bool,
        costs: Constants,
        trace: Trace,
    ) -> None:
        super().__init__(sheet, sense, patience, setting=setting, costs=costs)
        self._trace = trace

    def _answered(self, events: list[Event]) -> list[Event]:
        if events:
            self._trace.note_answer(events)
        return events

    def see(self, frame: Levels, now: float) -> list[Event]:
        """See a settled frame; its scan is in the trace already."""
        events = super().see(frame, now)
        return self._answered(events) if events else events

    def done(self, now: float) -> list[Event]:
        """The Done button."""
        return self._answered(super().done(self._trace.note_input(("done",), now)))

    def undo(self, now: float) -> list[Event]:
        """The Undo button."""
        return self._answered(super().undo(self._trace.note_input(("undo",), now)))

    def back_to(self, length: int, now: float) -> list[Event]:
        """Two tables that play one game have agreed to go back to its first `length` turns."""
        return self._answered(super().back_to(length, self._trace.note_input(("back", length), now)))

    def plan(self, turn: Turn[Position]) -> list[Event]:
        """Engine, program or another table has chosen `turn`."""
        self._trace.note_input(("plan", turn.text))
        return self._answered(super().plan(turn))

    def drop(self, now: float) -> list[Event]:
        """A turn that was planned for a player is not to be made."""
        return self._answered(super().drop(self._trace.note_input(("drop",), now)))

    def look_again(self) -> list[Event]:
        """Look again after the levels of the players have changed, or all play at this table from now on."""
        self._trace.note_input(("levels", *self.sheet.levels))
        return self._answered(super().look_again())

    def resign(self, side: int) -> list[Event]:
        """Player `side` gives up."""
        self._trace.note_input(("resign", self.sheet.short_names[side]))
        return self._answered(super().resign(side))

    def flag(self, side: int) -> list[Event]:
        """The time of player `side` is up."""
        self._trace.note_input(("flag", self.sheet.short_names[side]))
        return self._answered(super().flag(side))

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        self._trace.note_input(("agree",))
        return self._answered(super().agree())

    def set_right(self, frame: Levels, now: float) -> list[Event]:
        """Have the board made equal to the position before the game goes on."""
        return self._answered(super().set_right(frame, self._trace.note_right(frame, now)))


# Reading a trace ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SavedTrace:
    """A trace as it was read: the game as it stood, how the table judged, and the lines that follow.

    `debounce` is in seconds; `setting` tells whether the board was being set up.
    """

    sheet: ScoreSheet
    sense: Sense
    patience: Patience
    debounce: float
    setting: bool
    lines: list[Line]
    torn: int = 0
    """The number of a last line that was cut short and is left out, or 0."""
    version: str = ""
    """Of the program that wrote it."""


def read_trace(path: Path) -> SavedTrace:
    """Read a trace; RecordError says which file and line cannot be read, and why."""
    data = read_bounded(path, "trace", LARGEST_TRACE)
    whole = data.rfind(b"\n") + 1
    torn = data.count(b"\n") + 1 if whole < len(data) else 0
    try:
        return read_trace_lines(list(read_lines(data[:whole].decode())), torn)
    except UnicodeDecodeError as error:
        damaged = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{path}: line {damaged}: not text; a trace is") from None
    except LineError as error:
        raise RecordError(f"{path}: {error}") from None


def read_trace_lines(lines: list[Line], torn: int = 0) -> SavedTrace:
    """Take the heading and the turns made so far off `lines`; `torn` as in `SavedTrace`; LineError."""
    sheet, sense = read_heading(lines)
    if not lines or lines[0].words[:2] != ("trace", str(FORMAT)):
        where = f"line {lines[0].number}: " if lines else ""
        raise LineError(f"{where}'trace {FORMAT}' is missing after the heading: this is no trace")
    about = lines.pop(0)
    judged = dict(word.partition("=")[::2] for word in about.rest[1:])
    spans = {name: span(judged[name], about) for name in ("debounce", *WAITS) if name in judged}
    hold = spans.pop("debounce", Debounce().hold)
    while lines and lines[0].word == "turn":
        repeat(sheet, lines.pop(0))
    sheet.away = side_of(judged["away"], about) if "away" in judged else None
    setting, version = judged.get("setting") == "yes", judged.get("version", "")
    return SavedTrace(sheet, sense, Patience(**spans), hold, setting, lines, torn, version)


def span(text: str, line: Line) -> float:
    """The word `text` as a time of `Patience` in seconds; LineError."""
    value = seconds(text)
    if value is None or value > LONGEST:
        raise LineError(f"line {line.number}: {clip(text)!r} is not a number of seconds up to {LONGEST:.0f}")
    return value


def side_of(text: str, line: Line) -> int:
    """The word `text` as a side, 0 or 1; LineError."""
    side = number(text, 1)
    if side is None:
        raise LineError(f"line {line.number}: {clip(text)!r} is no side that is away: 0 or 1")
    return side


def microseconds_of(line: Line) -> int:
    """The time of a line, in microseconds since the line before."""
    return round((line.at or 0.0) * SECOND)


def quiet_scans(line: Line) -> int:
    """How many scans a quiet line stands for; LineError."""
    text = " ".join(line.rest)
    scans = number(text, MOST_SCANS)
    if not scans:
        raise LineError(f"line {line.number}: {clip(text)!r} is not a number of scans up to {MOST_SCANS}")
    return scans


def turns_kept(line: Line) -> int:
    """How many turns two tables have agreed to keep; LineError."""
    text = " ".join(line.rest)
    turns = number(text, MOST_PLAYED)
    if turns is None:
        raise LineError(f"line {line.number}: {clip(text)!r} is not a number of turns up to {MOST_PLAYED}")
    return turns


def known_site(site: str, sites: Mapping[str, object], line: Line) -> str:
    """`site`, if the game has it; LineError."""
    if site not in sites:
        raise LineError(f"line {line.number}: there is no site {clip(site)!r} in this game")
    return site


def sensor_level(text: str, most: int, line: Line) -> int | None:
    """The word `text` as the level of a sensor, from 0 to `most`, or None for ``?``; LineError."""
    if text == "?":
        return None
    told = number(text, most)
    if told is None:
        raise LineError(f"line {line.number}: {clip(text)!r} is no level: ? or a number up to {most}")
    return told


say("table", untraced="The trace has ended ({fault}). The game goes on without it.")
