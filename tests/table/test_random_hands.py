"""Thousands of things that hands may do at a table, in no order at all; `wandering` says what must hold."""

from __future__ import annotations

import pytest

from benchmarks.cells import Cell
from hardware.device import Sense
from tests.simulation.midgame import CELLS
from tests.table.random_hands import wander

NOT_YET = pytest.mark.xfail(strict=True, reason="Not yet: a turn counts though its whole board never stood alone")
SURELY_SEEN = [
    pytest.param(cell, id=str(cell), marks=[] if cell.sense is Sense.PRESENCE else [NOT_YET]) for cell in CELLS
]


@pytest.mark.parametrize("cell", SURELY_SEEN)
def test_wandering_hands(cell: Cell) -> None:
    played = sum(wanderer.sheet.length for wanderer in wander(cell, range(2, 6), 50))
    assert played > 20


@pytest.mark.long
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_wandering_hands_for_long(cell: Cell) -> None:
    assert sum(1 for _ in wander(cell, range(100, 112), 100)) == 12
