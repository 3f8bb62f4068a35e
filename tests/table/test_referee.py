"""The sentences about what is to be put right: every site with what belongs there."""

from __future__ import annotations

import pytest

from hardware.device import Sense
from tests.table.players import At, C, N, P, at


def said(now: At) -> str:
    """The last sentence."""
    return str(now.session.events[-1].say)


def after(name: str, sense: Sense, *changes: tuple[str, int], setting: bool = False) -> str:
    """What is said after `changes` that come all at once; while `setting`, no turn is looked for in them."""
    now = at(name, sense)
    now.session.board.lay(changes)
    if setting:
        now.session.daemon.set_right(now.session.now)
    now.run(5.0)
    return said(now)


@pytest.mark.parametrize("sense", [P, C])
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ([("d4", 0)], "A white stone belongs on d4."),
        ([("c3", 0), ("a1", 2)], "Move the white stone from a1 back to c3."),
        ([("c3", 0), ("d4", 0)], "To put right (2): white on c3, d4."),
        ([("d3", 0), ("c4", 0)], "To put right (2): black on d3, c4."),
        ([("c3", 0), ("d3", 0)], "To put right (2): black on d3; white on c3."),
        ([("a1", 1), ("b2", 1), ("e5", 2)], "To put right (3): nothing on a1, b2, e5."),
        ([("c3", 0), ("d4", 0), ("f1", 2)], "To put right (3): white on c3, d4; nothing on f1."),
        ([("d3", 0), ("c4", 0), ("f1", 2)], "To put right (3): black on d3, c4; nothing on f1."),
        ([("d3", 0), ("c3", 0), ("f1", 2)], "To put right (3): black on d3; white on c3; nothing on f1."),
    ],
)
def test_every_site_is_named_with_what_belongs_there(
    sense: Sense, changes: list[tuple[str, int]], sentence: str
) -> None:
    assert after("yin-yang", sense, *changes, setting=True) == sentence


def test_where_a_stone_that_was_carried_off_may_go_instead() -> None:
    sentence = "Move the black stone from d5 back to c3; from there it may go to "
    assert after("zong-heng", C, ("c3", 0), ("d5", 1)) == f"{sentence}c2, b3, d3, c4."
    assert after("zong-heng", P, ("c3", 0), ("d5", 1)) == f"{sentence}c2, b3, d3, c4."
    now = at("zong-heng", C, "c3-c4", "d4-d3")  # and what lies in its way it pushes
    now.lay(("c3", 0), ("e4", 1), wait=5.0)
    assert said(now) == "Move the black stone from e4 back to c3; from there it may go to c2, b3, d3, c4."


def test_a_stone_from_which_no_turn_begins_goes_back_and_no_more_is_said() -> None:
    now = at("zong-heng", C, "c3-c4", "d4-d3")
    now.lay(("c4", 0), ("d5", 1), wait=5.0)
    assert said(now) == "Move the black stone from d5 back to c4."


def test_a_stone_of_the_wrong_colour() -> None:
    assert after("yin-yang", C, ("c3", 1), setting=True) == "The stone on c3 should be white."


def test_of_many_sites_the_first_are_named() -> None:
    now = at("zong-heng", P)
    now.session.board.knock_over()
    now.run(1.0)
    assert said(now) == "To put right (32): black on a1, c1, e1, g1; white on b2, d2, f2, h2 (+24)."


def test_counted_seeds_are_told_for_the_pits_that_differ() -> None:
    assert after("zig-zag", N, ("S2", 6), ("N3", 4)) == "To put right (2): S2: 5, N3: 5."
    assert after("zig-zag", N, ("S2", 6)) == "Seeds that belong in S2: 5."


def test_seeds_that_are_not_counted_are_told_for_all_the_pits() -> None:
    sentence = after("zig-zag", P, ("S2", 0), ("S4", 0))
    assert sentence.startswith("The sensors cannot count seeds: look into all the pits, and put right (12): S1: 5, S2")
    assert sentence.count(": 5") == 12


def test_after_the_end_it_is_said_that_the_game_is_over() -> None:
    now = at("zong-heng", C, "c3-c4")
    now.resign(0)
    now.lay(("d4", 0), wait=5.0)
    assert said(now) == "The game is over: take a turn back, begin a new game, or put right (1): white on d4."
