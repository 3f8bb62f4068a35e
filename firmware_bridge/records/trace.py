"""A trace: every scan with its time, all else that comes in, and every event that comes out: enough to do it again.

    tablelight 1                                      the heading of a record, then how the table judges,
    game zong-heng size=8 setup=rows                  and the turns made so far
    sense presence
    trace 1 version=0.1.0 debounce=0.005 setting=no settle=0.4 undo=2.0 left_off=3.0
    turn c3-c4 ~5f3a
    103.250000 scan a1=1 b1=1 c1=0 ... ~77b0          the first scan, and later what has changed since the one before
    0.780000 quiet 78 ~c0de                           78 scans without news, the last of them 0.78 s later
    0.010112 scan d4=0 ~0b51
    said turn d4-d5 ~19a2                             what the table answered, as a record tells it
    1.204000 undo ~4cf0                               a button, or another thing that the players or the engine did

Times are those from line to line in seconds, to the microsecond, and the first is that of the program's clock. They are
what the daemon goes by while a trace is kept, so a replay goes by the very same. A level is ``?`` where a sensor cannot
tell. Scans off the usual pace and all that follow a change until it has settled are lines of their own; a scan in a
quiet stretch does nothing at a table where nothing is due. ``note`` and ``expect``, written by people, are as in
scenarios.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.reading.patience import Patience
from firmware_bridge.reading.verdict import AtRest, Complete
from firmware_bridge.records.parts import LARGEST, Mark, Parts
from firmware_bridge.records.record import heading, words_of
from firmware_bridge.score import Moment, Sheet
from firmware_bridge.table.referee import Event, told
from firmware_bridge.table.table import Table
from games.rules import Position, Turn, say

if TYPE_CHECKING:
    from firmware_bridge.reading.debounce import Debounce
    from hardware.device import Levels, Sense

FORMAT = 1
"""The version of the trace format."""
SECOND = 1_000_000
"""Microseconds."""
SOONEST, LATEST = 5_000, 15_000
"""Microseconds between two scans that are on the usual pace."""
ALIVE = 6_000
"""Quiet scans after which a line tells that the table is still looked at: a minute."""
WAITING = 20_000
"""Lines that may wait for the disk; a card so slow that there are more is given up."""
TOGETHER = 500
"""Lines that wait for one another where there is no thread."""
UNMARKED = 300
"""Lines at least after which a later part may begin although the table is not at rest."""
REST = 1.0
"""Seconds between two visits to the disk."""


class Entry(NamedTuple):
    """What is to be written: at `at` (microseconds) a scan of these levels, or else `said`, or else these words."""

    at: int
    levels: Levels | None = None
    words: Sequence[str | int] = ()
    said: Sequence[Event] = ()
    mark: Mark | None = None
    """How the game stands before the hands begin with something."""


class Trace:
    """A trace of one game, in the file `path` and, when that grows beyond `largest` bytes, the part before in PATH.1.

    In the `background` a thread of its own writes; a scan only leaves word of what is new. A disk that refuses ends
    the trace, and not the game.
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
        self, sheet: Sheet, sense: Sense, debounce: Debounce, patience: Patience | None, *, setting: bool
    ) -> Traced:
        """The table of the game on `sheet`, from now on followed by this trace; only once for each trace."""
        patience = patience or Patience()
        self._table = Traced(sheet, sense, patience, setting=setting, trace=self)
        self._hold = round(debounce.hold * SECOND)
        judging = {"version": version(), "debounce": debounce.hold, **asdict(patience)}
        about = [f"{name}={value}" for name, value in judging.items()]
        self._parts = Parts(self.path, [*heading(sheet, sense)], ("trace", FORMAT, *about), self._largest)
        self._waiting.append(Entry(0, mark=Mark(tuple(sheet.moments), sheet.levels, setting)))
        if self._background:
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()
        return self._table

    # What comes in, and what comes out -----------------------------------------------------------

    def scan(self, levels: Levels, now: float) -> float:
        """What the sensors show at `now` (seconds); returns that time as the trace has it."""
        at = int(now * SECOND)
        last = self._last
        if levels is self._raw and SOONEST < at - last < LATEST and not self._unsettled and self._quiet < ALIVE:
            self._quiet += 1
            self._before, self._last = last, at
            return at / SECOND
        return self._note(levels, max(at, self._last)) / SECOND

    def _note(self, levels: Levels, at: int) -> int:
        self._calm(self._quiet, self._last)
        if levels != self._raw:
            self._mark()
            self._settles, self._unsettled = at + self._hold, True
        elif self._unsettled:
            self._unsettled = at <= self._settles + 1  # the daemon's fractions may be off by one
        self._put(Entry(at, levels))
        self._raw = levels
        self._before, self._last = self._last, at
        return at

    def _calm(self, scans: int, end: int) -> None:
        """So many scans have passed without news, the last of them at `end`."""
        if scans:
            self._put(Entry(end, words=("quiet", scans)))
        self._quiet = 0

    def _mark(self) -> None:
        """The hands begin with something at a table at rest, or it is high time: a later part may begin here, too."""
        table = self._table
        sheet, verdict = table.sheet, table.verdict
        mark = Mark(tuple(sheet.moments), sheet.levels, table.setting)
        calm = not (self._unsettled or table.pending or table.setting or sheet.outcome)
        if calm and isinstance(verdict, Complete):  # it will count as the next player begins
            turn = verdict.way.turn
            mark = mark._replace(moments=(*mark.moments, Moment(sheet.position, turn)), due=turn.text)
        elif not (calm and isinstance(verdict, AtRest)) and self._unmarked < max(self._largest // 1000, UNMARKED):
            return
        self._put(Entry(self._last, mark=mark))
        self._unmarked = 0

    def answer(self, events: Sequence[Event]) -> None:
        """The table has answered."""
        if self._quiet:  # the last scan was not as quiet as it seemed
            self._calm(self._quiet - 1, self._before)
            self._put(Entry(self._last, self._raw))
        self._put(Entry(self._last, said=tuple(events)))

    def hear(self, words: Sequence[str | int], now: float = 0.0) -> float:
        """Something but a scan has come in, at `now` or with the last scan; returns the time as the trace has it."""
        self._calm(self._quiet, self._last)
        self._last = max(int(now * SECOND), self._last)
        self._put(Entry(self._last, words=words))
        return self._last / SECOND

    def right(self, levels: Levels, now: float) -> float:
        """The pieces have served another purpose, and lie so now; returns the time as the trace has it."""
        self._calm(self._quiet, self._last)
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
        """That the trace has ended, once."""
        if self._told or not self.problem:
            return []
        self._told = True
        return [told("untraced", fault=self.problem)]

    # The disk --------------------------------------------------------------------------------------

    def _work(self) -> None:
        """The thread: now and then write all that waits."""
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
            parts.begin_anew(lambda levels: ("scan", *self._changes((), levels)))
        if entry.mark:
            parts.mark(entry.mark)
        elif entry.levels is not None:
            changes = self._changes(parts.raw, entry.levels)
            parts.write((*(entry.words or ("scan",)), *changes), entry.at)
            parts.raw = entry.levels
        elif entry.said:
            for event in entry.said:
                parts.write(("said", *words_of(event, self._table.sheet)))
        else:
            parts.write(entry.words, entry.at)

    def _changes(self, before: Levels, after: Levels) -> list[str]:
        """What `after` shows, site by site, where `before` does not."""
        pairs = zip(self._table.game.sites, before or (-1,) * len(after), after, strict=True)
        return [f"{site}={'?' if level is None else level}" for site, was, level in pairs if was != level]

    def close(self) -> None:
        """Write what waits, if the disk lets it, and release the file."""
        self._closing.set()
        if self._thread:
            self._thread.join()
            self._thread = None
        self._calm(self._quiet, self._last)
        if not self.problem:
            self._flush()
        self._parts.close()


class Traced(Table):
    """A table that tells its trace what it is asked and what it answers."""

    def __init__(self, sheet: Sheet, sense: Sense, patience: Patience, *, setting: bool, trace: Trace) -> None:
        super().__init__(sheet, sense, patience, setting=setting)
        self._trace = trace

    def _answered(self, events: list[Event]) -> list[Event]:
        if events:
            self._trace.answer(events)
        return events

    def see(self, frame: Levels, now: float) -> list[Event]:
        """A settled frame; the scan that it comes from is in the trace already."""
        events = super().see(frame, now)
        return self._answered(events) if events else events

    def done(self, now: float) -> list[Event]:
        """The Done button."""
        return self._answered(super().done(self._trace.hear(("done",), now)))

    def undo(self, now: float) -> list[Event]:
        """The Undo button."""
        return self._answered(super().undo(self._trace.hear(("undo",), now)))

    def plan(self, turn: Turn[Position]) -> list[Event]:
        """The engine has chosen `turn`."""
        self._trace.hear(("plan", turn.text))
        return self._answered(super().plan(turn))

    def look_again(self) -> list[Event]:
        """Others play from now on."""
        self._trace.hear(("levels", *self.sheet.levels))
        return self._answered(super().look_again())

    def resign(self, side: int) -> list[Event]:
        """Player `side` gives up."""
        self._trace.hear(("resign", self.sheet.short_names[side]))
        return self._answered(super().resign(side))

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        self._trace.hear(("agree",))
        return self._answered(super().agree())

    def set_right(self, frame: Levels, now: float) -> list[Event]:
        """The board is to be made equal to the position before the game goes on."""
        return self._answered(super().set_right(frame, self._trace.right(frame, now)))


def version() -> str:
    """The version of the program, or ``unknown`` where it is not installed."""
    from importlib import metadata  # takes a while to load

    try:
        return metadata.version("tablelight")
    except metadata.PackageNotFoundError:
        return "unknown"


say("table", untraced="The trace has ended ({fault}). The game goes on without it.")
