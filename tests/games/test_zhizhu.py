"""The rules of ZhiZhu: the board, placing and sliding. Chains and the end have files of their own.

A board is drawn as its three circles, the outer one on top: a column is a line, a row is a circle and its two ends
are neighbours. The first column is line 1.
"""

from __future__ import annotations

from math import isclose

import pytest

from games.rules import OptionError, Position, load, play
from tests.games.boards import board, complaint, ends, faults, refusal, steps, texts
from tests.games.walks import walks

GAME = load("zhizhu")


def at(drawing: str, rest: str = "x 0,0 -,-") -> Position:
    return GAME.position(f"{board(drawing)} {rest}")


# The board ------------------------------------------------------------------------------------


def test_there_are_24_points_on_three_circles() -> None:
    assert GAME.sites == tuple(f"{circle}{line}" for circle in "abc" for line in range(1, 9))


@pytest.mark.parametrize(
    ("point", "x", "y"), [("a1", 0, 3), ("a3", 3, 0), ("a5", 0, -3), ("a7", -3, 0), ("b1", 0, 2), ("c3", 1, 0)]
)
def test_the_lines_run_clockwise_from_the_top(point: str, x: int, y: int) -> None:
    assert all(isclose(*pair, abs_tol=1e-9) for pair in zip(GAME.places[point], (x, y), strict=True))


def neighbours(point: str) -> set[str]:
    return {other for link in GAME.links if point in link for other in link} - {point}


@pytest.mark.parametrize(
    ("point", "beside"),
    [
        ("a1", {"a2", "a8", "b1"}),
        ("b4", {"b3", "b5", "a4", "c4"}),
        ("c8", {"c7", "c1", "b8"}),
        ("c1", {"c2", "c8", "b1"}),
    ],
)
def test_neighbours_are_along_the_circle_and_along_the_line_and_there_is_no_centre(
    point: str, beside: set[str]
) -> None:
    assert neighbours(point) == beside


def test_there_are_40_links() -> None:
    assert len(GAME.links) == len({frozenset(link) for link in GAME.links}) == 3 * 8 + 8 * 2


# The start ------------------------------------------------------------------------------------


def test_the_board_starts_empty_with_nine_stones_in_each_hand() -> None:
    assert str(GAME.start()) == "......../......../........ x 9,9 -,-"


def test_the_coin_changes_only_who_starts() -> None:
    start = load("zhizhu", first="o").start()
    assert str(start) == "......../......../........ o 9,9 -,-"
    assert start.side == 1


def test_player_0_is_x_whoever_starts() -> None:
    other = load("zhizhu", first="o")
    assert str(play(other, other.start(), "a1")) == "o......./......../........ x 9,8 -,-"


def test_the_coin_knows_two_sides() -> None:
    with pytest.raises(OptionError, match="first = dark is not possible; allowed: x, o"):
        load("zhizhu", first="dark")


# Placing --------------------------------------------------------------------------------------


def test_a_stone_may_be_placed_on_any_empty_point() -> None:
    assert texts(GAME, GAME.start()) == set(GAME.sites)
    assert texts(GAME, play(GAME, GAME.start(), "b3")) == set(GAME.sites) - {"b3"}


def test_players_place_in_turn_until_both_have_placed_nine() -> None:
    for ply in walks(GAME, range(5), most=40):
        placing = any("-" not in turn.text.partition("x")[0] for turn in ply.turns)
        hands = str(ply.position).split()[2]
        assert placing == (hands != "0,0")
        assert hands in {f"{k},{k}" for k in range(10)} | {f"{k},{k + 1}" for k in range(9)}


LAST_IN_HAND = """
    x . . x . x . .
    . . . . o . o .
    . . o . . . . .
"""


def test_with_a_stone_in_hand_no_stone_slides() -> None:
    assert not any("-" in text for text in texts(GAME, at(LAST_IN_HAND, "o 0,1 -,-")))


def test_the_hand_gets_smaller_by_one() -> None:
    assert str(play(GAME, at(LAST_IN_HAND, "o 0,1 -,-"), "c8")).endswith(" x 0,0 -,-")


# Sliding --------------------------------------------------------------------------------------


def test_with_empty_hands_stones_slide_and_none_is_placed() -> None:
    assert all("-" in text for text in texts(GAME, at(LAST_IN_HAND)))


def test_an_own_stone_slides_along_a_link_to_an_empty_neighbour() -> None:
    drawing = """
        x . . x . x . .
        x . . . o . o .
        . . o . . . . .
    """
    assert ends(GAME, at(drawing), "b1") == {"b2", "b8", "c1"}


def test_opposing_stones_are_not_ones_own_to_slide() -> None:
    assert ends(GAME, at(LAST_IN_HAND), "b5") == set()


def test_three_stones_may_not_fly() -> None:
    assert texts(GAME, at(LAST_IN_HAND)) == {
        *("a1-a2", "a1-a8", "a1-b1"),
        *("a4-a3", "a4-a5", "a4-b4"),
        *("a6-a5", "a6-a7", "a6-b6"),
    }


# Texts and ways -------------------------------------------------------------------------------


def test_a_placed_stone_has_its_owners_colour() -> None:
    assert steps(GAME, at(LAST_IN_HAND, "o 0,1 -,-"), "c8") == [("c8", 2)]


def test_hands_and_side_are_part_of_the_position() -> None:
    assert len({at(LAST_IN_HAND, f"{rest} -,-") for rest in ("x 0,0", "o 0,0", "o 1,0", "o 0,1")}) == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("......../......../........ x 9,9", "outer/middle/inner side hands returns"),
        ("......../......./........ x 9,9 -,-", "middle ring: '.......' should be 8"),
        ("......../........ x 9,9 -,-", "inner ring: 'nothing' should be 8"),
        ("......../......../......../. x 9,9 -,-", "after the last row"),
        ("..*...../......../........ x 9,9 -,-", "outer ring, point 3: '*'"),
        ("......../......../........ 0 9,9 -,-", "side: '0' is not one of x o"),
        ("......../......../........ x 9 -,-", "hands: '9' should be two numbers"),
        ("......../......../........ x 10,9 -,-", "hands: '10,9' should be two numbers from 0 to 9"),
        ("......../......../........ x -1,9 -,-", "hands: '-1,9'"),
        ("xx....../......../........ x 8,9 -,-", "hands: x has 10 stones"),
        ("......../o......./........ x 9,9 -,-", "hands: o has 10 stones"),
        ("......../......../........ x 9,9 -", "returns: '-' should be two slides"),
        ("......../......../........ x 9,9 a1-a3,-", "returns: 'a1-a3' is not a slide along a link"),
        ("......../......../........ x 9,9 -,c1-c5", "returns: 'c1-c5' is not a slide along a link"),
        ("......../......../........ x 9,9 a1,-", "returns: 'a1'"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


# What is said about turns that the rules refuse -----------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("b5-b4", "The stone on b5 is White's, and it is Black's turn."),
        ("a1-a3", "No link joins a1 and a3: a stone slides to an empty point beside it."),
        ("a1-c1", "No link joins a1 and c1: a stone slides to an empty point beside it."),
        ("a1-a4", "a4 is taken: a stone goes on an empty point."),
        ("c8-c7", "There is no stone on c8 to slide."),
        ("xb5", "Black has made no chain, so the stone on b5 stays."),
        ("a2", "All nine stones of Black have been placed: take the one on a2 off and slide a stone."),
        ("pass", "pass is no turn of this position; a1-a2, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_slide_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at(LAST_IN_HAND), text) == sentence


def test_a_slide_with_a_stone_in_hand_is_told_why() -> None:
    assert refusal(GAME, at(LAST_IN_HAND, "o 0,1 -,-"), "b5-b4") == (
        "White still has stones in hand (1): place one; sliding begins when all are placed."
    )


def test_a_stone_placed_on_another_is_told_why() -> None:
    assert refusal(GAME, at(LAST_IN_HAND, "o 0,1 -,-"), "a1") == "a1 is taken: a stone goes on an empty point."


def test_a_stone_of_the_wrong_colour_is_listed() -> None:
    assert faults(GAME, GAME.start(), "a1") == {"Black places black stones; take the one on a1 off."}
