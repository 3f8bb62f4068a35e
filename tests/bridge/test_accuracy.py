"""Whole random games by clean hands of every style: no turn is ever had wrong, and hardly one asked about."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import accuracy
from benchmarks.accuracy import Cell, by_hands, cells
from hardware.device import Sense

CELLS = cells()


def check(cell: Cell, hands: dict[str, Counter[str]]) -> None:
    """The figures that the README promises."""
    gaps, pushes = hands["with gaps"], hands["new stone pushes"]
    assert gaps["turns"] > 0
    assert (gaps["wrong"], pushes["wrong"]) == (0, 0), cell
    most = 0.02 if cell.sense is Sense.PRESENCE else 0.0
    assert gaps["asked"] <= most * gaps["turns"], cell


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_first_turns_of_games_in_every_style(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracy, "LONGEST", 14)
    check(cell, by_hands(cell, 4))


@pytest.mark.long
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_whole_games(cell: Cell) -> None:
    check(cell, by_hands(cell, 3))
