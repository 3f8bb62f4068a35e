"""Hands that tell the table by Done what it does not see, true or not: it believes them, and goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.cells import Cell
from games.rules import Turn
from hardware.simulation.hands import Style, one_by_one
from tests.simulation.midgame import CELLS
from tests.table.random_hands import Wanderer, wander


class Teller(Wanderer):
    """Of what must hold the first: no exception, legal turns, and a record that comes to the same."""

    @property
    def doings(self) -> dict[Callable[[Any], None], float]:
        common = {doing: often for doing, often in super().doings.items() if doing is not Wanderer.stand}
        return common | {Teller.make_otherwise: 5, Teller.blink: 2, Teller.wait: 2}

    def has_stood(self, turn: Turn[Any]) -> None:
        """The players' word counts for more than what stands."""

    def wait(self) -> None:
        self.tell("wait")
        self.run(self.chance.choice((1.0, 2.5, 5.5)))

    def end(self) -> None:
        self.tell("end")

    def make_otherwise(self) -> None:
        """The board becomes as if some turn before had been another one, and Done says so; then it changes again."""
        if not self.sheet.played_turns:
            return
        length = max(0, self.sheet.length - self.chance.choice((1, 2, 2, 3)))
        turn = self.chance.choice(self.sheet.game.turns(self.sheet.played_turns[length].position))
        self.tell("make otherwise", length, turn)
        self.session.do(one_by_one(self.toward(turn.after.board), Style(pace=self.pace)))
        self.run(self.chance.choice((0.2, 0.6, 2.5)))
        for _ in range(self.chance.choice((2, 4, 6))):
            self.done()
            self.run(self.chance.choice((0.05, 0.3, 1.0)))
            if any("changes the turn" in line for line in self.story[-3:]):
                break
        self.change_mind()

    def blink(self) -> None:
        """A site shows something else for a moment."""
        site = self.chance.choice(self.sheet.game.sites)
        level = self.session.board.level(site)
        self.tell("blink", site)
        for shown in (0 if level else 1, level):
            self.session.board.lay([(site, shown)])
            self.run(self.chance.choice((0.03, 0.06, 1.0)))


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_telling_hands(cell: Cell) -> None:
    played = sum(teller.sheet.length for teller in wander(cell, range(6), 60, Teller))
    assert played > 20


@pytest.mark.long
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_telling_hands_for_long(cell: Cell) -> None:
    assert sum(1 for _ in wander(cell, range(100, 160), 100, Teller)) == 60
