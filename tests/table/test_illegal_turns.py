"""The acceptance sweep: nothing that breaks the rules is ever taken for a turn, and all of it is shown.

What is counted as a fault, and what a player would agree to, is written down in `sweeping`.
"""

from __future__ import annotations

import pytest

from benchmarks.cells import Cell
from tests.simulation.midgame import CELLS
from tests.table.illegal_turns import DOINGS, Sweep

FEW, MANY = 10, 200


NOT_YET = {
    ("yin-yang:presence", "one more"): "an extra stone counts for two seconds as it is taken off again",
    ("zong-heng:presence", "illegal turns"): "an illegal push counts for two seconds as it is put right",
}
DONE = [
    pytest.param(
        cell,
        doing,
        id=f"{cell}-{doing}",
        marks=[pytest.mark.xfail(strict=True, reason=f"Not yet: {NOT_YET[str(cell), doing]}")]
        if (str(cell), doing) in NOT_YET
        else [],
    )
    for cell in CELLS
    for doing in DOINGS
]


def swept(cell: Cell, doing: str, first_seed: int, times: int) -> Sweep:
    sweep = Sweep(cell, doing, first_seed)
    sweep.run(times)
    assert sweep.done == times
    return sweep


@pytest.mark.parametrize(("cell", "doing"), DONE)
def test_what_breaks_the_rules_is_shown_and_never_a_turn(cell: Cell, doing: str) -> None:
    assert swept(cell, doing, 1000, FEW).faults == []


@pytest.mark.long
@pytest.mark.parametrize("doing", DOINGS)
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_two_hundred_times(cell: Cell, doing: str) -> None:
    sweep = swept(cell, doing, 50_000, MANY)
    assert sweep.faults == []
    assert sweep.count["right"] + sweep.count["unsaid"] > MANY // 2
