"""The rules of Zig Zag on the seed that may not go straight back, and what is said about refused turns.

Boards are drawn as in `test_zig_zag`.
"""

from __future__ import annotations

import pytest

from games.rules import Position, load, play
from tests.games.boards import faults, pits, refusal, steps, texts

GAME = load("zig-zag")


def at(drawing: str, rest: str = "S - -", south: int = 0) -> Position:
    return GAME.position(pits(drawing, rest, south))


def stores(position: Position) -> list[int]:
    """South's and North's."""
    return [int(store) for store in str(position).split()[1].split(",")]


def back(position: Position) -> str:
    """The pit that may not be played unless that captures, or ``-``."""
    return str(position).split()[3]


# No return ------------------------------------------------------------------------------------

ACROSS = """
    0 1 0 0 0 4
    0 4 1 0 0 3
"""
"""South may sow the single seed of S3 across the middle into N4, taking nothing."""


@pytest.mark.parametrize(("origin", "target"), [("S3", "N4"), ("S4", "N3"), ("N3", "S4"), ("N4", "S3")])
def test_a_single_seed_sown_across_the_middle_may_not_be_sown_straight_back(origin: str, target: str) -> None:
    level = {**dict.fromkeys(GAME.sites, 0), "S1": 2, "N1": 2, origin: 1}
    north, south = (",".join(str(level[f"{side}{column}"]) for column in range(1, 7)) for side in "NS")
    after = play(GAME, GAME.position(f"{north}/{south} 55,0 {origin[0]} - -"), origin)
    assert back(after) == target
    assert target not in texts(GAME, after)
    assert texts(GAME, after) == {f"{target[0]}1"}


def test_the_refusal_is_said_in_words() -> None:
    assert refusal(GAME, play(GAME, at(ACROSS), "S3"), "N4") == (
        "N4 holds the seed just sown across the middle: it may not go straight back unless it captures."
    )


def test_the_seed_may_go_back_if_that_captures() -> None:
    drawing = ACROSS.replace("0 1 0 0 0 4", "0 0 2 0 0 4")
    after = play(GAME, at(drawing), "S3")
    assert back(after) == "N4"
    assert "N4" in texts(GAME, after)
    assert stores(play(GAME, after, "N4"))[1] == stores(after)[1] + 2


def test_the_seed_is_barred_for_the_next_turn_only() -> None:
    after = play(GAME, play(GAME, play(GAME, at(ACROSS), "S3"), "N2"), "S2")
    assert back(after) == "-"
    assert "N4" in texts(GAME, after)


def test_other_pits_are_free() -> None:
    assert texts(GAME, play(GAME, at(ACROSS), "S3")) == {"N2", "N6"}


def test_two_seeds_do_not_count() -> None:
    drawing = ACROSS.replace("0 4 1", "0 4 2")
    assert back(play(GAME, at(drawing), "S3")) == "-"


def test_a_pit_that_held_seeds_does_not_count() -> None:
    drawing = ACROSS.replace("0 1 0 0 0 4", "0 1 0 1 0 4")
    assert back(play(GAME, at(drawing), "S3")) == "-"


def test_a_seed_that_captured_does_not_count() -> None:
    drawing = ACROSS.replace("0 4 1 0", "0 4 1 2")
    assert back(play(GAME, at(drawing), "S3")) == "-"


@pytest.mark.parametrize("pit", ["S1", "S2", "S5", "S6"])
def test_a_single_seed_that_does_not_cross_the_middle_does_not_count(pit: str) -> None:
    level = {**dict.fromkeys(GAME.sites, 0), pit: 1}
    south = ",".join(str(level[f"S{column}"]) for column in range(1, 7))
    first = steps(GAME, GAME.position(f"1,1,1,1,1,1/{south} 53,0 S - -"), pit)[1][0]
    north = ",".join("0" if f"N{column}" == first else "1" for column in range(1, 7))
    assert back(play(GAME, GAME.position(f"{north}/{south} 54,0 S - -"), pit)) == "-"


ONLY_BACK = """
    0 0 0 1 0 0
    2 0 0 0 0 3
"""


def test_if_that_is_the_only_pit_to_play_one_passes() -> None:
    assert texts(GAME, at(ONLY_BACK, "N N4 -")) == {"pass"}
    assert refusal(GAME, at(ONLY_BACK, "N N4 -"), "N4") == (
        "No turn is possible, so the turn passes; N4 cannot be played."
    )


def test_with_the_pass_the_restriction_lapses() -> None:
    position = at(ONLY_BACK, "N N4 S")
    assert play(GAME, position, "pass") == at(ONLY_BACK, "S - S")


def test_whoever_has_a_turn_may_not_pass() -> None:
    assert "pass" not in texts(GAME, at(ONLY_BACK, "N - -"))
    assert refusal(GAME, GAME.start(), "pass").startswith("pass is no turn of this position")


# What is said about turns that the rules refuse -----------------------------------------------


@pytest.mark.parametrize(
    ("pit", "sentence"),
    [
        ("N1", "N1 is North's pit; it is South's turn, and a turn begins in a pit of one's own."),
        ("S3", "S3 is empty: there is nothing to sow."),
        ("S7", "S7 is no turn of this position; S1, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_pit_is_told_why(pit: str, sentence: str) -> None:
    drawing = """
        5 5 5 5 5 5
        5 5 0 5 5 5
    """
    assert refusal(GAME, at(drawing), pit) == sentence


def test_sowing_away_from_the_middle_is_listed() -> None:
    sentence = "From S1 the first seed goes toward the middle of the board, into N2."
    assert sentence in faults(GAME, GAME.start(), "S1")


def test_leaving_off_after_a_lap_is_listed() -> None:
    sentence = "The last seed fell into N5, your own pit that held seeds: lift them all and sow on."
    assert sentence in {fault for pit in GAME.sites for fault in faults(GAME, play(GAME, GAME.start(), "S1"), pit)}


def test_leaving_a_capture_is_listed() -> None:
    position = play(GAME, play(GAME, GAME.start(), "S1"), "N4")
    sentence = "The last seed fell into an empty pit of North: take what lies in S3 into your store."
    assert sentence in faults(GAME, position, "S5")
