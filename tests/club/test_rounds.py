"""Everybody plays everybody, and the table of results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.club.rounds import Pair, Score, cross_table, round_robin


@given(st.integers(2, 40))
def test_everybody_meets_everybody_once_and_nobody_twice_in_a_round(count: int) -> None:
    rounds = round_robin(count)
    met = [frozenset(pair) for each in rounds for pair in each.pairs]
    assert len(met) == len({*met}) == count * (count - 1) // 2
    for each in rounds:
        playing = [player for pair in each.pairs for player in pair]
        byes = [] if each.bye is None else [each.bye]
        assert sorted(playing + byes) == list(range(count))


@given(st.integers(2, 40))
def test_who_begins_is_balanced(count: int) -> None:
    begins = [0] * count
    for each in round_robin(count):
        for first, second in each.pairs:
            begins[first] += 1
            begins[second] -= 1
    assert all(abs(balance) <= 1 - count % 2 for balance in begins)


@given(st.integers(2, 20).map(lambda half: 2 * half - 1))
def test_of_an_odd_number_each_has_one_bye(count: int) -> None:
    assert sorted(each.bye for each in round_robin(count) if each.bye is not None) == list(range(count))


def test_the_rounds_are_those_of_the_berger_tables() -> None:
    told = [{(first + 1, second + 1) for first, second in each.pairs} for each in round_robin(6)]
    assert {(1, 6), (2, 5), (3, 4)} in told
    assert {(6, 4), (5, 3), (1, 2)} in told
    assert {(2, 6), (3, 1), (4, 5)} in told
    assert {(6, 5), (1, 4), (2, 3)} in told
    assert {(3, 6), (4, 2), (5, 1)} in told


def scores(*lines: str) -> list[Score]:
    """``0-1 1`` is a game of players 0 and 1 which the first has won, ``½`` a draw, ``0`` lost."""
    told = []
    for line in lines:
        pair, result = line.split()
        first, second = map(int, pair.split("-"))
        told.append(Score(Pair(first, second), {"1": 0, "0": 1, "½": None}[result]))
    return told


def test_points_are_counted_and_sonneborn_berger_tells_equal_ones_apart() -> None:
    # 0 and 1 have two points each; 0 has beaten 1, who has two points, and 3; 1 has beaten 2 and 3.
    rows = cross_table(4, scores("0-1 1", "0-2 0", "0-3 1", "1-2 1", "1-3 1", "2-3 ½"))
    assert [(row.place, row.player, row.points, row.tie_break) for row in rows] == [
        (1, 0, 2.0, 2.5), (2, 1, 2.0, 2.0), (3, 2, 1.5, 2.25), (4, 3, 0.5, 0.75),
    ]  # fmt: skip
    assert rows[0].results == (None, 1.0, 0.0, 1.0)


def test_the_game_between_equal_ones_decides_then() -> None:
    # 1 and 2 have a point each, and have both beaten nobody but one with one point: 1 has won their game.
    rows = cross_table(4, scores("0-1 1", "0-2 1", "0-3 1", "1-2 1", "2-3 1", "1-3 0"))
    equal = [row for row in rows if row.points == 1]
    assert {row.tie_break for row in equal} == {1.0}
    assert {row.place for row in equal} == {2}  # each has beaten one of the others
    rows = cross_table(3, scores("1-2 1"))
    assert [(row.place, row.player) for row in rows] == [(1, 1), (2, 0), (2, 2)]


def test_direct_encounter_tells_two_apart() -> None:
    # 0 and 1: two points and the same Sonneborn-Berger; 1 has won against 0.
    lines = ("0-1 0", "0-2 1", "0-3 1", "1-2 0", "1-3 1", "2-3 0")
    rows = cross_table(4, scores(*lines))
    points = {row.player: (row.points, row.tie_break) for row in rows}
    assert points[0] == (2.0, 2.0)
    assert points[1] == (2.0, 3.0)
    rows = cross_table(5, scores("0-1 0", "0-2 1", "1-3 0", "2-3 ½", "0-4 ½", "1-4 ½", "2-4 ½", "3-4 ½"))
    two = [row for row in rows if row.player in (0, 1)]
    assert two[0].points == two[1].points == 1.5


@given(st.integers(2, 9), st.randoms(use_true_random=False))
def test_points_add_up_to_the_games_and_lines_agree(count: int, luck: object) -> None:
    choice = luck.choice  # type: ignore[attr-defined]
    played = [Score(pair, choice((0, 1, None))) for each in round_robin(count) for pair in each.pairs]
    rows = cross_table(count, played)
    assert sum(row.points for row in rows) == len(played)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    for one, row in enumerate(rows):
        for other, part in enumerate(row.results):
            assert (part is None) == (one == other)
            assert part is None or part + rows[other].results[one] == pytest.approx(1)  # type: ignore[operator]
