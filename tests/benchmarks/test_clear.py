"""Turns that what was seen tells alone."""

from __future__ import annotations

import pytest

from benchmarks.cells import Cell
from benchmarks.clear import begins, clear, seen_of
from benchmarks.evenings import play
from firmware_bridge.verdict import SensorView, Signature
from games.rules import load
from hardware.device import Sense


def signature(game: str, position: str, text: str, sense: Sense) -> Signature:
    """The turn of this text."""
    rules = load(game)
    stands = rules.position(position)
    turn = next(turn for turn in rules.turns(stands) if turn.text == text)
    return SensorView(rules, sense).signature(stands, turn)


RANKS = "/".join([*str(load("zong-heng").start()).split()[0].split("/")[:-1], "xxx.x.x."]) + " x"


def test_a_turn_begins_with_what_is_seen_of_its_first_steps_in_any_order_that_its_acts_allow() -> None:
    whole = signature("zong-heng", RANKS, "a1-d1", Sense.PRESENCE)
    assert begins(seen_of(whole.seen), whole, Sense.PRESENCE)
    assert begins(seen_of(whole.seen[:-1]), whole, Sense.PRESENCE)
    number = SensorView(load("zong-heng"), Sense.PRESENCE).number
    assert not begins({number["d1"]: [1]}, whole, Sense.PRESENCE)  # no stone has left c1 yet
    assert not begins({number["h8"]: [0]}, whole, Sense.PRESENCE)
    assert not begins({number["c1"]: [0, 1, 0]}, whole, Sense.PRESENCE)


def test_a_row_that_may_be_another_one_on_its_way_is_not_told_by_what_was_seen() -> None:
    short = signature("zong-heng", RANKS, "c1-d1", Sense.PRESENCE)
    longer = signature("zong-heng", RANKS, "a1-d1", Sense.PRESENCE)
    moved = seen_of(short.seen)
    assert begins(moved, short, Sense.PRESENCE)
    assert not begins(moved, signature("zong-heng", RANKS, "g1-h1", Sense.PRESENCE), Sense.PRESENCE)
    assert not begins(seen_of(longer.seen), short, Sense.PRESENCE)


@pytest.mark.parametrize(
    ("game", "sense", "most"),
    [("zong-heng", Sense.COLOUR, 1.0), ("zhizhu", Sense.PRESENCE, 1.0), ("zig-zag", Sense.PRESENCE, 0.6)],
)
def test_most_turns_are_told_so_but_of_seeds_that_nobody_counts(game: str, sense: Sense, most: float) -> None:
    evening = play(Cell(game, sense), "steady", "usual", 104, 20)
    told = clear(evening)
    assert 0 < len(told) <= most * len(evening.turns)
    assert most < 1 or len(told) > 0.7 * len(evening.turns)
