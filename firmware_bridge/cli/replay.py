"""A trace played again: the same scans at the same times, and where the table now answers otherwise.

    12.340: then 'note astray NAME.majority ...', now 'turn c3-c4'

Answers are compared scan by scan. Quiet stretches are left out as soon as nothing is due at the table any more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from firmware_bridge.daemon import DaemonOptions, assemble
from firmware_bridge.engine.advice import plans
from firmware_bridge.events import Event
from firmware_bridge.lighting import MODES
from firmware_bridge.reading import Debounce
from firmware_bridge.records import (
    SECOND,
    Line,
    LineError,
    RecordError,
    SavedTrace,
    engine_levels,
    event_words,
    known_site,
    microseconds_of,
    player,
    quiet_scans,
    read_trace,
    sensor_level,
    turns_kept,
)
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import SUPPLY, Expectations, Simulation
from games.rules import clip
from hardware.board import PointLights
from hardware.device import Levels, Sense
from hardware.simulation.table import SimulatedTable

MOST = 20_000_000
"""Scans while something is due at the table, after which a trace is refused: two and a half days; guessed."""


class TracedTable(SimulatedTable):
    """A table whose sensors show what a trace says. Stones that are sensed by presence have the colours due there."""

    def sample(self, levels: Levels, due: Sequence[int]) -> None:
        """Show `levels` from now on; `due` is what the position has on each site."""
        if self.sense is Sense.PRESENCE:
            drawn = [right or 1 if level else 0 for level, right in zip(levels, due, strict=True)]
        else:
            drawn = [level or 0 for level in levels]
        self.lay(zip(self.sites, drawn, strict=True))
        self._seen = levels


# Playing it again -----------------------------------------------------------------------------


class Retrace:
    """A trace played at a new daemon. `whole`: quiet stretches are scanned to their end, to be watched.

    `at_once`: each scan weighs all that was seen. Some traces have no scans that followed at once, as a daemon now has.
    """

    def __init__(self, kept: SavedTrace, *, whole: bool = False, at_once: bool = False) -> None:
        game, sense = kept.sheet.game, kept.sense
        self._board = TracedTable(game.sites, sense, game.places)
        lights = PointLights(self._board, [(pixel,) for pixel in range(self._board.pixels)], SUPPLY)
        given = DaemonOptions(patience=kept.patience, debounce=Debounce(kept.debounce), setting=kept.setting)
        self.simulation = Simulation(assemble(self._board, lights, kept.sheet, sense, given), self._board)
        self.differences: list[str] = []
        """Sentences that tell where the table answers otherwise; each begins with the time in seconds."""
        self.unmet: list[str] = []
        """Sentences that tell which expectations were not met, likewise."""
        self._lines, self._whole, self._at_once = kept.lines, whole, at_once
        self._expected = Expectations(self.simulation)
        self._raw: dict[str, int | None] = dict.fromkeys(game.sites)
        self._most = sum(game.start().board) if game.pieces == "seeds" else 2
        self._at = self._begun = 0
        self._left = MOST
        self._then: list[str] = []
        self._now: list[str] = []

    def steps(self) -> Iterator[float]:
        """Play the trace scan by scan; yields the time of each scan, in seconds, before it is done. LineError."""
        for line in self._lines:
            if line.word in SCANS:
                self._compare()
                yield from self._scans(line)
            else:
                self._other(line)
        self._compare()

    def _scans(self, line: Line) -> Iterator[float]:
        before, self._at = self._at, self._at + microseconds_of(line)
        if line.word == "scan":
            self._begun = self._begun or self._at
            self._sample(line)
            yield from self._scan(self._at)
            return
        scans = quiet_scans(line)
        self._left -= scans
        if self.simulation.table.at_work and self._left < 0:
            raise LineError(f"line {line.number}: there are more than {MOST} scans up to here, which no trace has")
        for number in range(1, scans):
            if not (self._whole or self.simulation.table.at_work):
                break
            yield from self._scan(before + (self._at - before) * number // scans)
            self._compare()
        yield from self._scan(self._at)

    def _scan(self, at: int) -> Iterator[float]:
        self.simulation.now = at / SECOND
        yield self.simulation.now
        self._hear(self.simulation.daemon.cycle(self.simulation.now))
        while self._at_once and self.simulation.table.weighing:
            self._hear(self.simulation.daemon.cycle(self.simulation.now))

    def _sample(self, line: Line) -> None:
        """Show the changes that `line` tells."""
        for word in line.rest:
            site, _, text = word.partition("=")
            self._raw[known_site(site, self._raw, line)] = sensor_level(text, self._most, line)
        self._board.sample(tuple(self._raw.values()), self._sheet.position.board)

    def _hear(self, events: list[Event]) -> None:
        """Keep what the table answers now."""
        self.simulation.events += events
        self._now += [" ".join(map(str, event_words(event, self._sheet))) for event in events]

    # Other lines --------------------------------------------------------------------------------

    def _other(self, line: Line) -> None:
        """Do a line that is no scan: a button, a request, an answer of the table, or a note that somebody wrote."""
        self._at += microseconds_of(line)
        if line.word == "said":
            self._then.append(" ".join(line.rest))
        elif line.word == "note":
            self._expected.begin()
        elif line.word == "expect":
            self._expect(line)
        elif line.word in HEARD:
            self._hear(HEARD[line.word](self, line) or [])
        else:
            raise LineError(f"line {line.number}: {clip(line.word)!r} is no word of a trace")

    def _expect(self, line: Line) -> None:
        if not line.rest:
            raise LineError(f"line {line.number}: it does not say what is expected")
        try:
            self._expected.check(line.rest)
        except LineError as error:
            self.unmet.append(f"{self.lasted:.3f}: line {line.number}: {error}")

    def _press(self, line: Line) -> list[Event]:
        return self.simulation.daemon.press(line.word, self._at / SECOND)

    def _ask(self, request: Callable[[], list[Event]]) -> list[Event]:
        return self.simulation.daemon.ask(lambda _: request(), self._at / SECOND)

    def _lose(self, line: Line) -> list[Event]:
        """A player gives up, or has no time left."""
        try:
            side = player(self._sheet, " ".join(line.rest))
        except LineError as error:
            raise LineError(f"line {line.number}: {error}") from None
        table = self.simulation.table
        return self._ask(lambda: (table.resign if line.word == "resign" else table.flag)(side))

    def _agree(self, _: Line) -> list[Event]:
        return self._ask(self.simulation.table.agree)

    def _plan(self, line: Line) -> list[Event]:
        """A turn that others have chosen, unless the game has come to another position by now."""
        table, text = self.simulation.table, " ".join(line.rest)
        turn = next((turn for turn in table.sheet.turns if turn.text == text), None)
        if not turn:
            self._differs(f"then {clip(text)!r} was chosen, now it is no turn")
            return []
        self.simulation.events.append(plans(table, turn))
        return self._ask(lambda: table.plan(turn))

    def _drop(self, _: Line) -> list[Event]:
        return self.simulation.daemon.drop(self._at / SECOND)

    def _back(self, line: Line) -> list[Event]:
        """What two tables have agreed to take back, unless the game has come to fewer turns by now."""
        length = turns_kept(line)
        if length >= self._sheet.length:
            self._differs(f"then the game went back to {length} turns, now there are no more than {self._sheet.length}")
            return []
        table = self.simulation.table
        return self.simulation.daemon.ask(lambda now: table.back_to(length, now), self._at / SECOND)

    def _levels(self, line: Line) -> list[Event]:
        self._sheet.levels, self._sheet.away = engine_levels({"levels": line}), None
        return self._ask(self.simulation.table.look_again)

    def _right(self, line: Line) -> list[Event]:
        self._sample(line)
        return self.simulation.daemon.set_right(self._at / SECOND)

    def _mode(self, line: Line) -> None:
        mode = " ".join(line.rest)
        if mode not in MODES:
            raise LineError(f"line {line.number}: {clip(mode)!r} is no mode; one of {', '.join(MODES)}")
        self.simulation.daemon.set_mode(mode)

    # What differs -----------------------------------------------------------------------------

    def _compare(self) -> None:
        """Note where the answers since the scan before differ from those of the trace."""
        then, now = self._then, self._now
        if then or now:
            self._then, self._now = [], []
            if then != now:
                short = list(map(brief, then)) != list(map(brief, now))
                self._differs(f"then {quoted(then, short=short)}, now {quoted(now, short=short)}")

    def _differs(self, text: str) -> None:
        self.differences.append(f"{self.lasted:.3f}: {text}")

    @property
    def _sheet(self) -> ScoreSheet:
        return self.simulation.table.sheet

    @property
    def lasted(self) -> float:
        """Seconds since the first scan."""
        return max(0, self._at - self._begun) / SECOND


SCANS = ("scan", "quiet")
"""The lines that let scans pass."""
HEARD: dict[str, Callable[[Retrace, Line], list[Event] | None]] = {
    "done": Retrace._press,
    "undo": Retrace._press,
    "hint": Retrace._press,
    "standing": Retrace._press,
    "resign": Retrace._lose,
    "flag": Retrace._lose,
    "agree": Retrace._agree,
    "back": Retrace._back,
    "plan": Retrace._plan,
    "drop": Retrace._drop,
    "levels": Retrace._levels,
    "right": Retrace._right,
    "mode": Retrace._mode,
}
"""What does each line that is neither a scan nor a remark."""


def brief(said: str) -> str:
    """An answer in short: a note is its name alone."""
    words = said.split(" ")
    return words[1] if words[0] == "note" and len(words) > 1 else said


def quoted(said: list[str], *, short: bool) -> str:
    """The answers, as a part of a sentence."""
    return ", ".join(repr(brief(each) if short else each) for each in said) or "nothing"


# The command ----------------------------------------------------------------------------------


def replay_trace(path: Path, speed: float | None, out: Callable[[str], None] = print) -> int:
    """Play the trace at `path` again and tell where the table answers otherwise: 1 if it does, else 0. RecordError.

    With a `speed` (1: that of the trace) it is shown on the screen, if there is a terminal.
    """
    kept = read_trace(path)
    watched = speed is not None and sys.stdout.isatty()
    again = Retrace(kept, whole=watched)
    try:
        if watched and speed:
            from firmware_bridge.cli.screen import show_steps

            show_steps(again.simulation, again.steps(), speed)
        else:
            for _ in again.steps():
                pass
    except LineError as error:
        raise RecordError(f"{path}: {error}") from None
    for difference in (*again.differences, *again.unmet):
        out(difference)
    if kept.torn:
        out(f"line {kept.torn} was cut short when the program ended; it is left out")
    if again.differences or again.unmet:
        return 1
    out(f"{again.lasted:.1f} s, turns made: {again.simulation.table.sheet.length}; the table answers as it did then")
    return 0
