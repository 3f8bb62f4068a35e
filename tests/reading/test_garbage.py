"""What the reader has done with goes without a collector, which is off while a game runs."""

from __future__ import annotations

import gc

import pytest

from benchmarks.cells import Cell, cells
from benchmarks.evenings import play, scans
from benchmarks.judged import TableFollower


@pytest.mark.parametrize("cell", cells(), ids=str)
def test_an_evening_leaves_nothing_to_collect(cell: Cell) -> None:
    evening, table = play(cell, seed=100, longest=8), TableFollower(cell)
    gc.collect()
    gc.disable()
    try:
        for now, levels in scans(evening, quick=True):
            table.see(levels, now)
        assert gc.collect() == 0
    finally:
        gc.enable()
