"""The rules of ZhiZhu on chains and what they take. Boards are drawn as in `test_zhizhu`."""

from __future__ import annotations

from itertools import combinations

import pytest

from games.rules import Position, load, play
from tests.games.boards import board, refusal, steps, texts
from tests.games.walks import walks

GAME = load("zhizhu")


def at(drawing: str, rest: str = "x 0,0 -,-") -> Position:
    return GAME.position(f"{board(drawing)} {rest}")


def begins(position: Position, move: str) -> set[str]:
    """What may be removed together with `move`: the rest of the texts of the turns that begin with it."""
    turns = texts(GAME, position)
    return {text.removeprefix(move) for text in turns if text == move or text.startswith(f"{move}x")}


def pairs(*points: str) -> set[str]:
    """Every two of these points, as the end of a turn's text."""
    return {f"x{one}x{other}" for one, other in combinations(points, 2)}


# Chains ---------------------------------------------------------------------------------------


def test_three_on_a_line_remove_one_also_while_placing() -> None:
    drawing = """
        x . . . . . . .
        x . o . . . . .
        . . . o . . . .
    """
    assert begins(at(drawing, "x 7,7 -,-"), "c1") == {"xb3", "xc4"}


LINE_BY_A_SLIDE = """
    . x . . . . . .
    x . o . o . . .
    x . . o . . . .
"""


def test_three_on_a_line_by_a_slide_remove_one() -> None:
    assert begins(at(LINE_BY_A_SLIDE), "a2-a1") == {"xb3", "xb5", "xc4"}


FOUR_OF_FIVE = """
    x x . x x . . .
    . . o . . . . .
    . . . o . o . .
"""


def test_five_on_a_circle_remove_two_also_while_placing() -> None:
    assert begins(at(FOUR_OF_FIVE, "x 4,4 -,-"), "a3") == pairs("b3", "c4", "c6")


def test_five_on_a_circle_by_a_slide_remove_two() -> None:
    drawing = """
        x x . x x . . .
        . o x . . . . .
        . . o o . o . .
    """
    assert begins(at(drawing), "b3-a3") == pairs("b2", "c3", "c4", "c6")


def test_the_ends_of_a_drawn_circle_are_neighbours() -> None:
    drawing = FOUR_OF_FIVE.replace("x x . x x . . .", "x x x . . . . x")
    assert begins(at(drawing, "x 4,4 -,-"), "a7") == pairs("b3", "c4", "c6")


@pytest.mark.parametrize("row", ["x x . x . . . .", "x x . x . x x .", ". x . x . . . ."])
def test_fewer_than_five_consecutive_points_are_no_chain(row: str) -> None:
    drawing = FOUR_OF_FIVE.replace("x x . x x . . .", row)
    assert begins(at(drawing, "x 4,4 -,-"), "a3") == {""}


def test_a_chain_has_stones_of_one_colour_only() -> None:
    drawing = FOUR_OF_FIVE.replace("x x . x x . . .", "x x . o x . . .")
    assert begins(at(drawing, "x 4,4 -,-"), "a3") == {""}


def test_removal_is_compulsory() -> None:
    position = at(FOUR_OF_FIVE, "x 4,4 -,-")
    assert not {"a3", "a3xb3", "a3xc4", "a3xc6"} & texts(GAME, position)
    assert refusal(GAME, position, "a3xb3") == ("A chain: Black captures 2 of White's stones. Still to take off: 1.")


def test_a_line_without_its_removal_is_told_why() -> None:
    drawing = """
        x . . . . . . .
        x . o . . . . .
        . . . o . . . .
    """
    assert refusal(GAME, at(drawing, "x 7,7 -,-"), "c1").startswith("A chain: Black captures 1 of")
    assert refusal(GAME, at(LINE_BY_A_SLIDE), "a2-a1").startswith("A chain: Black captures 1 of")


def test_the_stones_removed_leave_the_board_and_the_game() -> None:
    after = """
        x x x x x . . .
        . . . . . . . .
        . . . . . o . .
    """
    assert play(GAME, at(FOUR_OF_FIVE, "x 4,4 -,-"), "a3xb3xc4") == at(after, "o 3,4 -,-")


def test_a_standing_chain_is_not_made_again_by_a_stone_elsewhere() -> None:
    drawing = """
        x . . . . . . .
        x . o . . . . .
        x . . o . . . .
    """
    assert begins(at(drawing, "x 6,6 -,-"), "a5") == {""}


def test_a_sixth_stone_beside_five_makes_a_chain_of_five_again() -> None:
    drawing = FOUR_OF_FIVE.replace("x x . x x . . .", "x x x x x . . .")
    assert begins(at(drawing, "x 3,4 -,-"), "a6") == pairs("b3", "c4", "c6")


def test_a_stone_slid_within_them_makes_a_chain_of_five_again() -> None:
    drawing = FOUR_OF_FIVE.replace("x x . x x . . .", "x x x x x x x .")
    assert begins(at(drawing), "a7-a8") == pairs("b3", "c4", "c6")


def test_one_turn_counts_a_circle_at_most_once() -> None:
    drawing = FOUR_OF_FIVE.replace("x x . x x . . .", "x x . x x x x x")
    assert begins(at(drawing, "x 1,4 -,-"), "a3") == pairs("b3", "c4", "c6")


def test_a_line_and_a_circle_in_one_turn_remove_three() -> None:
    drawing = """
        x x . x x . . .
        . . x . . o . o
        . . x . . o . o
    """
    three = {"x" + "x".join(points) for points in combinations(("b6", "b8", "c6", "c8"), 3)}
    assert begins(at(drawing, "x 2,4 -,-"), "a3") == three


# What may be removed --------------------------------------------------------------------------


def test_a_stone_that_stands_in_a_chain_is_not_removed_while_others_stand() -> None:
    drawing = """
        x . . . o . . .
        x . . . o . o .
        . . . . o . . .
    """
    position = at(drawing, "x 5,5 -,-")
    assert begins(position, "c1") == {"xb7"}
    assert refusal(GAME, position, "c1xb5") == (
        "b5 stands in a chain and cannot be taken while White has a stone outside of chains."
    )


def test_five_on_a_circle_protect_as_well() -> None:
    drawing = """
        x . . . . . . .
        x . . . . . o .
        . o o o o o . .
    """
    assert begins(at(drawing, "x 5,3 -,-"), "c1") == {"xb7"}


def test_a_chain_is_taken_from_when_the_opponent_has_no_other_stone() -> None:
    drawing = """
        x . . . o . . .
        x . . . o . . .
        . . . . o . . .
    """
    assert begins(at(drawing, "x 5,5 -,-"), "c1") == {"xa5", "xb5", "xc5"}


def test_after_the_last_free_stone_the_second_comes_from_the_chain() -> None:
    drawing = """
        x x . x . o . x
        . . . . . o . .
        . . . . . o o .
    """
    assert begins(at(drawing, "x 4,4 -,-"), "a3") == {"xa6xc7", "xb6xc7", "xc6xc7"}


def test_a_stone_whose_chain_the_first_removal_broke_is_free_for_the_second() -> None:
    drawing = """
        x x . x o o . x
        . . . . o o . .
        . . . . o o . .
    """
    same_line = pairs("a5", "b5", "c5") | pairs("a6", "b6", "c6")
    assert begins(at(drawing, "x 4,3 -,-"), "a3") == same_line


def test_if_fewer_stones_stand_than_are_owed_those_are_removed() -> None:
    drawing = FOUR_OF_FIVE.replace(". . . o . o . .", ". . . . . . . .")
    assert begins(at(drawing, "x 4,4 -,-"), "a3") == {"xb3"}


def test_if_none_stands_none_is_removed() -> None:
    drawing = FOUR_OF_FIVE.replace("o", ".")
    assert begins(at(drawing, "x 4,4 -,-"), "a3") == {""}


# Texts and ways -------------------------------------------------------------------------------


def test_a_turn_names_the_removed_stones_in_the_order_of_the_points() -> None:
    assert "a3xb3xc4" in texts(GAME, at(FOUR_OF_FIVE, "x 4,4 -,-"))
    assert "a3xc4xb3" not in texts(GAME, at(FOUR_OF_FIVE, "x 4,4 -,-"))


def test_a_stone_is_lifted_set_down_and_then_captures() -> None:
    assert steps(GAME, at(LINE_BY_A_SLIDE), "a2-a1xb5") == [("a2", 0), ("a1", 1), ("b5", 0)]


def test_by_presence_alone_the_final_picture_names_the_turn() -> None:
    for ply in walks(GAME, range(6), most=150):
        pictures = {tuple(map(bool, turn.after.board)) for turn in ply.turns}
        assert len(pictures) == len(ply.turns)
