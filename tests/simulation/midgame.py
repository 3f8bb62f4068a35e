"""Simulations in the middle of random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from benchmarks.cells import Cell, cells
from firmware_bridge.score import PASS, ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import Game, Position, Turn, load
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Style

CELLS = cells()
COMMITTED = {"played", "amended"}
FLAGS = {"astray", "owed", "asked"}


@cache
def game_of(name: str) -> Game[Any]:
    return load(name)


def sheet_at(game: Game[Any], seed: int, length: int) -> ScoreSheet:
    """The sheet of a random game after `length` turns, or one turn before its end."""
    choose, sheet = Random(seed), ScoreSheet(game, house_rule=False)
    while sheet.length < length and not sheet.outcome:
        sheet.accept(choose.choice(game.turns(sheet.position)))
    if sheet.outcome:
        sheet.undo()
    return sheet


def midgame_simulation(cell: Cell, seed: int, length: int) -> Simulation:
    """A simulation after `length` turns of a random game, the board at rest."""
    session = open_simulation(sheet_at(game_of(cell.game), seed, length), cell.sense)
    session.run(0.1)
    return session


def follow(session: Simulation, turn: Turn[Position], style: Style) -> bool:
    """Make `turn`, press Done where the table waits for it; whether the table then has this turn and no other."""
    sheet = session.table.sheet
    length = sheet.length
    session.take(turn, style)
    if sheet.length == length:
        session.press("done")
        session.answer(turn)
    new = sheet.played_turns[length:]
    return bool(new) and new[0].turn.after == turn.after and all(entry.turn.text == PASS for entry in new[1:])


def after_a_turn(cell: Cell, seed: int, length: int) -> Simulation:
    """A simulation after `length` turns, the last of them made by hands, the board at rest for a moment."""
    session = midgame_simulation(cell, seed, length - 1)
    turn = Random(seed).choice(session.table.game.turns(session.table.sheet.position))
    assert follow(session, turn, STYLES["singly"]), (cell, seed, length, turn.text)
    session.run(0.1)
    return session


def shown(sense: Sense, board: Sequence[int]) -> tuple[int, ...]:
    """What sensors show of `board`."""
    return tuple(map(sense.of, board))


def seeds(count: int) -> Iterator[int]:
    """As many seeds, well apart."""
    return iter(range(1000, 1000 + count))
