"""Scales at a micro-controller board, read in seeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hardware.serial import frames
from hardware.serial.port import SharedPort
from tests.hardware.mcu_ends import pass_by, scanner, scans
from tests.hardware.pretend_board import Clock, Makeup, PretendBoard, plugged_in

SEED, EMPTY = 4000, (100, -5000, 0, 70000)


@pytest.fixture
def weights() -> list[int]:
    """What four scales show."""
    return list(EMPTY)


@pytest.fixture
def pits(weights: list[int], clock: Clock) -> Iterator[Any]:
    """Four scales, the third hung the other way round."""
    plugged_in(PretendBoard(weights, clock, Makeup("count", 4)))
    each = scanner(sense="count", channels=4, empty=EMPTY, seed=(SEED, SEED, -SEED, SEED))
    yield each
    each.close()


def test_scales_are_read_in_seeds(pits: Any, weights: list[int], clock: Clock) -> None:
    assert pits.scan() == (None,) * 4
    assert pass_by(pits, clock, 0.3) == (0, 0, 0, 0)
    weights[:] = [100 + 4 * SEED, -5000 + SEED, -3 * SEED, 70000 + 36 * SEED]
    assert pass_by(pits, clock, 0.3) == (4, 1, 3, 36)
    assert pits.readings() == tuple(weights)
    assert pits.scan() is pits.scan()


def test_a_scale_that_is_missing_cannot_be_told_and_the_others_can(pits: Any, weights: list[int], clock: Clock) -> None:
    weights[2] = frames.NO_READING  # a scale that hangs the other way round would take it for 2097 seeds
    assert pass_by(pits, clock, 0.3) == (0, 0, None, 0)
    assert pits.readings()[2] is None
    weights[2] = -SEED
    assert pass_by(pits, clock, 0.3) == (0, 0, 1, 0)


def test_a_scale_that_moves_cannot_be_told(pits: Any, weights: list[int], clock: Clock) -> None:
    pass_by(pits, clock, 0.3)
    seen = []
    for step in range(8):
        weights[0] = 100 + step * SEED
        seen += scans(pits, clock, 0.1)
    assert {levels[0] for levels in seen[15:]} == {None}
    assert {levels[1] for levels in seen} == {0}
    assert pass_by(pits, clock, 0.3)[0] == 7


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (3, 3.29, 3),
        (3, 3.39, 3),
        (3, 3.41, None),
        (3, 3.65, None),
        (3, 3.69, None),
        (3, 3.71, 4),
        (0, -0.39, 0),
        (0, -0.6, None),
    ],
)
def test_a_weight_between_two_counts_is_the_one_that_it_had_or_none(
    before: float, after: float, shown: int | None, pits: Any, weights: list[int], clock: Clock
) -> None:
    for seeds in (before, after):
        weights[1] = EMPTY[1] + round(seeds * SEED)
        level = pass_by(pits, clock, 0.4)[1]
    assert level == shown


def test_scales_that_were_unplugged_are_read_anew(weights: list[int], clock: Clock) -> None:
    board = PretendBoard(weights, clock, Makeup("count", 4))
    plugged_in(board)
    each = scanner(sense="count", channels=4, empty=EMPTY, seed=(SEED,))
    pass_by(each, clock, 0.3)
    board.plugged = False
    assert pass_by(each, clock, 0.1) == each.readings() == (None,) * 4
    weights[0] += 2 * SEED
    board.plugged = True
    assert pass_by(each, clock, 2) == (2, 0, 0, 0)
    each.close()
    assert each.readings() == (None,) * 4


def test_only_scales_have_readings(line: SharedPort) -> None:
    each = scanner()
    assert not hasattr(each, "readings")
    each.close()
    assert line.users == 0
