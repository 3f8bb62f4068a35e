"""Records of random games, for tests of damaged files."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.cells import Cell
from firmware_bridge.events import Event, turn_event
from firmware_bridge.records import Record
from firmware_bridge.score import PASS, ScoreSheet
from games.rules import Reason, Turn, load
from hardware.device import Sense
from tests.simulation.midgame import game_of, sheet_at

Facts = tuple[str, int, str, tuple[str, ...]]


def facts(sheet: ScoreSheet) -> Facts:
    """The facts of a game that a record must keep."""
    return str(sheet.position), sheet.length, str(sheet.outcome), tuple(m.turn.text for m in sheet.played_turns)


class WrittenRecord(NamedTuple):
    """A record on disk, the sheet it was written from, and the facts after each line of the file."""

    path: Path
    sheet: ScoreSheet
    story: dict[int, Facts]
    """The length of the file -> what had been played by then."""


class Writer:
    """Plays at random and writes down what happens, as a table does."""

    def __init__(self, path: Path, sheet: ScoreSheet, sense: Sense, seed: int) -> None:
        self.path, self.sheet, self.chance = path, sheet, Random(seed)
        self.record = Record(path, sheet, sense)
        self.now = 0.0
        self.story = {path.stat().st_size: facts(sheet)}

    def write(self, events: list[Event]) -> None:
        self.now += self.chance.choice((0.01, 1.5, 100.0))
        self.record.write(events, self.now)
        self.story[self.path.stat().st_size] = facts(self.sheet)

    def turn(self) -> None:
        if self.sheet.called_off:
            self.sheet.go_on()
            self.write([Event("undone", Reason.of("table.goes-on", count=0))])
        elif self.sheet.outcome:
            self.undo()
        else:
            self.play(self.chance.choice(self.sheet.turns))

    def play(self, turn: Turn[Any]) -> None:
        player = self.sheet.player
        self.write([turn_event("played", player, turn), *self.sheet.accept(turn)])

    def undo(self) -> None:
        length = self.sheet.before_last()
        if length is not None:
            lasting = max(0, length - self.chance.choice((0, 0, 0, 1, 4)))
            dropped = self.sheet.back_to(lasting)
            self.write([Event.of("undone", turns="...", count=len(dropped))])

    def amend(self) -> None:
        if self.sheet.before_last() is not None:
            self.sheet.undo()
            turn, player = self.chance.choice(self.sheet.turns), self.sheet.player
            self.write([turn_event("amended", player, turn), *self.sheet.accept(turn)])

    def note(self) -> None:
        self.write(
            [Event.of("blind"), Event("astray", Reason.of("table.extra", site="a1", count=2), sites=("a1", "b2"))]
        )

    def resign(self) -> None:
        if not self.sheet.outcome:
            self.write(self.sheet.resign(self.chance.randrange(2)))

    def happen(self) -> None:
        ways = self.turn, self.undo, self.amend, self.note, self.resign
        self.chance.choices(ways, (20, 2, 2, 2, 1))[0]()


def keep(path: Path, cell: Cell, seed: int, *, lines: int = 40, last: str = "", **options: int | str) -> WrittenRecord:
    """Play and record a random game; `last` resigns (White, if the seed is odd) or agrees, and a note follows."""
    game: Any = load(cell.game, **options) if options else game_of(cell.game)
    writer = Writer(path, ScoreSheet(game, house_rule=bool(seed % 3)), cell.sense, seed)
    for _ in range(lines):
        writer.happen()
    if last and not writer.sheet.outcome:
        writer.write(writer.sheet.agree() if last == "agree" else writer.sheet.resign(seed % 2))
        writer.note()
    writer.record.close()
    return WrittenRecord(path, writer.sheet, writer.story)


def with_a_pass(path: Path) -> WrittenRecord:
    """A record of a Zong-Heng game in which a pass was forced."""
    game = game_of("zong-heng")
    played_out = (sheet_at(game, seed, 40) for seed in range(100))
    played_turns = next(
        sheet.played_turns for sheet in played_out if any(m.turn.text == PASS for m in sheet.played_turns)
    )
    writer = Writer(path, ScoreSheet(game), Sense.COLOUR, 0)
    for entry in played_turns:
        if entry.turn.text != PASS:
            writer.play(entry.turn)
    writer.record.close()
    return WrittenRecord(path, writer.sheet, writer.story)


def new(path: Path, *, background: bool = False) -> tuple[ScoreSheet, Record]:
    """A game of ZhiZhu that begins, and its record."""
    sheet = ScoreSheet(game_of("zhizhu"))
    return sheet, Record(path, sheet, Sense.COLOUR, background=background)


def play(sheet: ScoreSheet, record: Record, *turns: str) -> None:
    """Make these turns, and write them down."""
    for text in turns:
        turn = next(turn for turn in sheet.turns if turn.text == text)
        record.write([turn_event("played", sheet.player, turn), *sheet.accept(turn)], float(sheet.length))
