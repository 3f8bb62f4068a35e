"""The rules of Zong-Heng on turns and passes; most boards are drawn six by six to be read at a glance."""

from __future__ import annotations

from random import Random

import pytest

from games.rules import Position, load, play
from tests.games.boards import board, ends, faults, other_side, refusal, steps, texts
from tests.games.walks import walk

GAME = load("zong-heng", size=6)
EIGHT = load("zong-heng")

ROW_OF_THREE = """
    . o . o . o
    x . x . x .
    . o . o . o
    x . x o x .
    . o . o . o
    x . x . x .
"""
"""On rank 3 the stones c3, d3 and e3 stand in a row, two of them black; f3 is empty."""


def at(drawing: str, side: str) -> Position:
    return GAME.position(f"{board(drawing)} {side}")


# The turn -------------------------------------------------------------------------------------


def test_black_starts() -> None:
    assert GAME.start().side == 0
    assert GAME.players[0] == "zong-heng.black"


def test_a_single_stone_moves_up_down_left_or_right() -> None:
    assert ends(GAME, GAME.start(), "c3") == {"c4", "c2", "b3", "d3"}


def test_a_new_stone_goes_on_the_dark_square_just_emptied() -> None:
    after = """
        . o . o . o
        x . x . x .
        . o x o . o
        x . x . x .
        . o . o . o
        x . x . x .
    """
    assert play(GAME, GAME.start(), "c3-c4") == at(after, "o")


def test_the_whole_line_moves_one_square() -> None:
    after = """
        . o . o . o
        x . x . x .
        . o . o . o
        x . x x o x
        . o . o . o
        x . x . x .
    """
    assert play(GAME, at(ROW_OF_THREE, "x"), "c3-f3") == at(after, "o")


def test_a_column_moves_like_a_row() -> None:
    before = """
        . o . o . o
        x . x . x .
        . o o o . o
        x . o . x .
        . o . o . o
        x . x . x .
    """
    after = """
        . o x o . o
        x . o . x .
        . o o o . o
        x . o . x .
        . o . o . o
        x . x . x .
    """
    assert play(GAME, at(before, "o"), "c3-c6") == at(after, "x")


def test_the_new_stone_is_the_movers_even_behind_an_opposing_one() -> None:
    before = ROW_OF_THREE.replace("x . x o x .", "x . o x x .")
    after = ROW_OF_THREE.replace("x . x o x .", "x . x o x x")
    assert play(GAME, at(before, "x"), "c3-f3") == at(after, "o")


def test_a_push_starts_from_a_dark_square_only() -> None:
    assert ends(GAME, at(ROW_OF_THREE, "x"), "d3") == set()
    assert ends(GAME, at(ROW_OF_THREE, "o"), "d3") == set()


def test_a_run_that_reaches_the_edge_has_no_turn() -> None:
    drawing = ROW_OF_THREE.replace("x . x o x .", "x . x . x x")
    assert ends(GAME, at(drawing, "x"), "e3") == {"d3", "e4", "e2"}


def test_there_is_no_stopping_short_and_no_pushing_a_part_of_the_run() -> None:
    assert ends(GAME, at(ROW_OF_THREE, "x"), "c3") == {"f3", "b3", "c4", "c2"}


def test_a_line_ends_at_the_first_empty_square_not_at_a_later_one() -> None:
    assert {"b1", "d1", "f1"} & ends(GAME, GAME.start(), "a1") == {"b1"}


def test_a_line_needs_more_own_stones_than_opposing_ones() -> None:
    assert "f3" in ends(GAME, at(ROW_OF_THREE, "x"), "c3")
    assert "f3" not in ends(GAME, at(ROW_OF_THREE, "o"), "c3")


def test_three_of_five_are_a_majority() -> None:
    drawing = ROW_OF_THREE.replace("x . x o x .", "x o x o o .")
    assert "f3" in ends(GAME, at(drawing, "o"), "a3")
    assert "f3" not in ends(GAME, at(drawing, "x"), "a3")


def test_a_single_stone_must_be_ones_own() -> None:
    assert ends(GAME, GAME.start(), "d4") == set()
    assert ends(GAME, other_side(GAME, GAME.start()), "d4") == {"d5", "d3", "c4", "e4"}


def test_turns_with_the_same_result_stay_separate() -> None:
    turns = EIGHT.turns(EIGHT.start())
    assert (len(turns), len({turn.after for turn in turns})) == (56, 32)


def test_a_push_moves_the_far_stone_first_and_lays_the_new_one_last() -> None:
    far, middle, near, new = [("e3", 0), ("f3", 1)], [("d3", 0), ("e3", 2)], [("c3", 0), ("d3", 1)], [("c3", 1)]
    assert steps(GAME, at(ROW_OF_THREE, "x"), "c3-f3") == far + middle + near + new


# What is proved about every game --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_dark_squares_are_always_full(seed: int) -> None:
    dark = [square for square in range(64) if sum(divmod(square, 8)) % 2 == 0]
    for ply in walk(EIGHT, seed):
        assert all(ply.position.board[square] for square in dark)


@pytest.mark.parametrize("seed", range(3))
def test_every_line_is_odd(seed: int) -> None:
    lines = [len(turn.path) - 1 for ply in walk(EIGHT, seed) for turn in ply.turns if turn.steps]
    assert all(stones % 2 for stones in lines)
    assert max(lines) > 1


def test_the_square_emptied_and_the_square_filled_name_the_turn() -> None:
    for ply in walk(EIGHT, seed=0):
        pushes = [turn for turn in ply.turns if turn.steps]
        assert len({(turn.steps[-1].site, turn.steps[1].site) for turn in pushes}) == len(pushes)


def rows_and_columns(position: Position, size: int) -> list[list[tuple[int, bool]]]:
    """Every rank and file as pairs: the level of the square, and whether it is dark."""
    squares = [(level, sum(divmod(square, size)) % 2 == 0) for square, level in enumerate(position.board)]
    return [squares[k * size : (k + 1) * size] for k in range(size)] + [squares[k::size] for k in range(size)]


def count_lines(position: Position, size: int) -> int:
    """The number of pairs of a dark square and a direction in which some square is empty."""
    both_ways = [squares for line in rows_and_columns(position, size) for squares in (line, line[::-1])]
    return sum(
        dark and any(not level for level, _ in line[place + 1 :])
        for line in both_ways
        for place, (_, dark) in enumerate(line)
    )


@pytest.mark.parametrize("seed", range(3))
def test_every_line_can_be_pushed_by_exactly_one_player_for_majorities_never_tie(seed: int) -> None:
    for ply in walk(GAME, seed):
        own, others = texts(GAME, ply.position) - {"pass"}, texts(GAME, other_side(GAME, ply.position)) - {"pass"}
        assert not own & others
        assert len(own | others) == count_lines(ply.position, 6)


@pytest.mark.parametrize("seed", range(8))
def test_eight_by_eight_takes_exactly_32_placements(seed: int) -> None:
    chosen = [ply.chosen for ply in walk(EIGHT, seed) if ply.chosen]
    assert sum(turn.text != "pass" for turn in chosen) == 32


def nearly_white(random: Random) -> Position:
    """A board with few black stones and few empty squares, so that black is often stuck."""
    marks = [[random.choice("oooooox" if (file + rank) % 2 else "oooooox.") for file in range(6)] for rank in range(6)]
    return GAME.position("/".join(map("".join, marks)) + " x")


def test_both_players_are_never_stuck_at_once() -> None:
    random = Random(0)
    boards = [nearly_white(random) for _ in range(200)]
    stuck = [position for position in boards if texts(GAME, position) == {"pass"}]
    assert len(stuck) > 10
    assert all("pass" not in texts(GAME, play(GAME, position, "pass")) for position in stuck)


# Passing --------------------------------------------------------------------------------------

ALL_WHITE = """
    o o o o o o
    o o o o o o
    o o o o o o
    o o o . o o
    o o o o o o
    o o o o o o
"""


def test_a_pass_is_forced_when_no_turn_exists() -> None:
    assert texts(GAME, at(ALL_WHITE, "x")) == {"pass"}


def test_a_pass_changes_the_side_and_nothing_else() -> None:
    assert play(GAME, at(ALL_WHITE, "x"), "pass") == at(ALL_WHITE, "o")


def test_whoever_has_a_turn_may_not_pass() -> None:
    assert "pass" not in texts(GAME, at(ALL_WHITE, "o"))
    assert refusal(GAME, GAME.start(), "pass").startswith("pass is no turn of this position")


def test_supply_is_not_enforced() -> None:
    drawing = ALL_WHITE.replace("o", "x")
    assert at(drawing, "x").board.count(1) == 35
    assert play(GAME, at(drawing, "x"), "c3-d3").board.count(1) == 36


# What is said about turns that the rules refuse -----------------------------------------------

FIRST_EMPTY = "A push ends on the first empty square:"


@pytest.mark.parametrize(
    ("side", "text", "sentence"),
    [
        ("o", "c3-f3", "White has 1 of the 3 stones in this row and needs 2."),
        ("o", "a1-a2", "A single stone must be your own: White cannot push this one."),
        ("x", "c3-e3", f"{FIRST_EMPTY} from there the row ends at f3, so c3-e3 is not possible."),
        ("x", "c3-d4", "From c3 no row ends at an empty square in that direction, so c3-d4 is not possible."),
        ("x", "d3-f3", "A push starts from a dark square, and d3 is light."),
        ("x", "b1-b2", "There is no stone on b1 to push."),
        ("x", "c3", "c3 is no turn of this position; a1-a2, for one, is. The legal turns can be listed."),
        ("x", "b1", "A stone comes on the board only where a push has vacated a dark square; take the one on b1 off."),
    ],
)
def test_a_refused_push_is_told_why(side: str, text: str, sentence: str) -> None:
    assert refusal(GAME, at(ROW_OF_THREE, side), text) == sentence


def test_the_majority_is_counted_in_longer_rows_too() -> None:
    drawing = ROW_OF_THREE.replace("x . x o x .", "x o x o o .")
    assert refusal(GAME, at(drawing, "x"), "a3-f3") == "Black has 2 of the 5 stones in this row and needs 3."


def test_a_forced_pass_is_said_to_be_forced() -> None:
    sentence = "No turn is possible, so the turn passes; c3-d3 cannot be played."
    assert refusal(GAME, at(ALL_WHITE, "x"), "c3-d3") == sentence


def test_after_the_end_nothing_can_be_played() -> None:
    assert (
        refusal(GAME, at(ALL_WHITE.replace(".", "o"), "x"), "a1-a2")
        == "The game is over: a1-a2 can no longer be played."
    )


def after_fault(position: Position, text: str, words: str) -> list[tuple[int, ...]]:
    """The boards that the listed illegal turns with this text and these words lead to."""
    turns = [turn for turn in GAME.refused(position) if turn.text == text and words in str(turn.reason)]
    return [turn.after.board for turn in turns]


def test_a_new_stone_of_the_wrong_colour_is_listed() -> None:
    assert "The new stone on c3 must be black, for it is Black's turn." in faults(GAME, GAME.start(), "c3-c4")


def test_a_stone_carried_round_to_the_front_is_listed() -> None:
    carried = ROW_OF_THREE.replace("x . x o x .", "x . x o x x")
    boards = after_fault(at(ROW_OF_THREE, "x"), "c3-f3", "keep their order")
    assert boards == [at(carried, "o").board]
