"""The rules of Zong-Heng on how a game starts and how the full board is counted."""

from __future__ import annotations

import pytest

from games.rules import OptionError, Position, load
from tests.games.boards import board, complaint
from tests.games.walks import walk

GAME = load("zong-heng", size=6)
EIGHT = load("zong-heng")


def at(drawing: str, side: str) -> Position:
    return GAME.position(f"{board(drawing)} {side}")


def winner(drawing: str) -> int | None:
    outcome = GAME.outcome(at(drawing, "x"))
    assert outcome is not None
    won: int | None = outcome.winner
    return won


# The board and the setup ----------------------------------------------------------------------


def test_the_board_is_eight_by_eight_unless_asked_otherwise() -> None:
    assert len(EIGHT.sites) == 64


@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_other_even_sizes_work(size: int) -> None:
    placed = [ply for ply in walk(load("zong-heng", size=size), seed=size) if ply.chosen and ply.chosen.steps]
    assert len(placed) == size * size // 2


@pytest.mark.parametrize("size", [4, 7, 9, 14, "8"])
def test_other_sizes_are_refused(size: int | str) -> None:
    with pytest.raises(OptionError, match=f"size = {size} is not possible; allowed: 8, 6, 10, 12"):
        load("zong-heng", size=size)


def test_an_unknown_setup_is_refused() -> None:
    with pytest.raises(OptionError, match="allowed: rows, stripes, diagonals, blocks"):
        load("zong-heng", setup="columns")


def test_a1_is_at_the_bottom_left() -> None:
    assert GAME.places["a1"] == (0, 0)
    assert GAME.places["c2"] == (2, 1)


def test_a1_is_dark() -> None:
    assert {"a1", "b2", "c1", "f6"} < GAME.shaded
    assert not {"a2", "b1", "f5"} & GAME.shaded


def test_the_sites_run_by_ranks_from_a1() -> None:
    assert EIGHT.sites[:9] == ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2")
    assert EIGHT.sites[-1] == "h8"


@pytest.mark.parametrize(
    ("size", "setup"),
    [(size, setup) for size in (6, 8, 10, 12) for setup in ("rows", "diagonals")]
    + [(size, setup) for size in (8, 12) for setup in ("stripes", "blocks")],
)
def test_every_dark_square_holds_a_stone_half_of_them_black_half_white(size: int, setup: str) -> None:
    cells = load("zong-heng", size=size, setup=setup).start().board
    dark = [cells[rank * size + file] for rank in range(size) for file in range(size) if (file + rank) % 2 == 0]
    assert dark.count(1) == dark.count(2) == size * size // 4
    assert cells.count(0) == size * size // 2


@pytest.mark.parametrize("size", [6, 10])
@pytest.mark.parametrize("setup", ["stripes", "blocks"])
def test_stripes_and_blocks_are_refused_where_the_colours_would_not_be_even(setup: str, size: int) -> None:
    with pytest.raises(OptionError, match=f"setup = {setup} needs size = 8 or 12, not {size}"):
        load("zong-heng", setup=setup, size=size)


ROWS = """
    . o . o . o . o
    x . x . x . x .
    . o . o . o . o
    x . x . x . x .
    . o . o . o . o
    x . x . x . x .
    . o . o . o . o
    x . x . x . x .
"""
STRIPES = """
    . x . o . x . o
    x . o . x . o .
    . x . o . x . o
    x . o . x . o .
    . x . o . x . o
    x . o . x . o .
    . x . o . x . o
    x . o . x . o .
"""
DIAGONALS = """
    . x . o . x . o
    o . x . o . x .
    . o . x . o . x
    x . o . x . o .
    . x . o . x . o
    o . x . o . x .
    . o . x . o . x
    x . o . x . o .
"""
BLOCKS = """
    . o . x . o . x
    o . x . o . x .
    . x . o . x . o
    x . o . x . o .
    . o . x . o . x
    o . x . o . x .
    . x . o . x . o
    x . o . x . o .
"""


@pytest.mark.parametrize(
    ("setup", "drawing"), [("rows", ROWS), ("stripes", STRIPES), ("diagonals", DIAGONALS), ("blocks", BLOCKS)]
)
def test_the_setups(setup: str, drawing: str) -> None:
    assert str(load("zong-heng", setup=setup).start()) == f"{board(drawing)} x"


def test_the_setup_is_rows_unless_asked_otherwise() -> None:
    assert str(EIGHT.start()) == ".o.o.o.o/x.x.x.x./.o.o.o.o/x.x.x.x./.o.o.o.o/x.x.x.x./.o.o.o.o/x.x.x.x. x"


# Position texts -------------------------------------------------------------------------------


def test_any_full_set_of_dark_squares_is_a_position() -> None:
    assert GAME.position(".o.o.o/x.x.x./.o.o.o/x.oox./.x.x.x/o.o.o. o").side == 1


def test_a_position_with_an_empty_dark_square_is_refused_by_the_name_of_the_square() -> None:
    text = str(GAME.start()).replace("x.x.x./.o.o.o/x.x.x.", "x.x.x./.o.o.o/x...x.", 1)
    assert complaint(GAME, text) == "c3: a dark square always holds a stone, and this one is empty"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "ranks side"),
        (".o.o.o/x.x.x./.o.o.o/x.x.x./.o.o.o/x.x.x.", "ranks side"),
        (".o.o.o/x.x.x./.o.o.o/x.x.x./.o.o.o/x.x.x. y", "side: 'y' is not one of x o"),
        (".o.o.o/x.x.x./.o.o.o/x.x.x./.o.o.o/x.x.x. xo", "side: 'xo'"),
        (".o.o.o/x.x.x./.o.o.o/x.x.x/.o.o.o/x.x.x. x", "rank 3: 'x.x.x' should be 6"),
        (".o.o.o/x.x.x./.o.o.o/x.x.x./.o.o.o x", "rank 1: 'nothing' should be 6"),
        (".o.o.o/x.x.x./.o.o.o/x.x.x./.o.o.o/x.x.x./.o.o.o x", "after the last row"),
        (".o.o.o/x.x.x./.o.o.o/x.X.x./.o.o.o/x.x.x. x", "rank 3, point 3: 'X'"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


# The end --------------------------------------------------------------------------------------

DIAGONAL_BLOCKS = """
    x x x o o o
    x x x o o o
    x x x o o o
    x o o x x o
    o o x x x o
    o x x x x x
"""
"""Black stands in two groups of 10 that meet at a corner, white in groups of 11 and 5."""

SECOND_GROUPS = """
    x x x x x x
    x x x x o o
    o o o o o o
    o o x x x x
    x x x x o o
    x o o o o o
"""
"""Black 10 and 9, white 10 and 7."""

LIST_RUNS_OUT = """
    x x x x x x
    x x x x x x
    x x x x o o
    o o o o o o
    o o o o o o
    x x x x o o
"""
"""Black 16 and 4, white 16."""

EVEN_GROUPS = """
    x x x x x x
    x x x x x x
    o o o o o o
    x x x x x x
    o o o o o o
    o o o o o o
"""
"""Black 12 and 6, white 12 and 6."""


def test_the_game_ends_when_the_board_is_full_and_not_before() -> None:
    assert GAME.outcome(at(EVEN_GROUPS, "x")) is not None
    assert GAME.outcome(at(EVEN_GROUPS.rstrip()[:-1] + ".", "x")) is None


def test_groups_join_up_down_left_and_right_but_not_at_corners() -> None:
    assert winner(DIAGONAL_BLOCKS) == 1


def test_the_largest_group_decides_not_the_number_of_stones() -> None:
    assert board(DIAGONAL_BLOCKS).count("o") < board(DIAGONAL_BLOCKS).count("x")
    assert winner(DIAGONAL_BLOCKS) == 1


def test_the_deciding_group_is_named() -> None:
    outcome = GAME.outcome(at(DIAGONAL_BLOCKS, "x"))
    assert outcome is not None
    assert str(outcome) == "White wins: comparing groups, the largest first, 11 beats 10."
    assert {"f6", "d4", "f2"} <= set(outcome.sites)
    assert len(outcome.sites) == 11


def test_equal_largest_groups_are_followed_by_the_second() -> None:
    assert winner(SECOND_GROUPS) == 0
    assert "10, 9 beats 10, 7" in str(GAME.outcome(at(SECOND_GROUPS, "x")))


def test_a_list_that_runs_out_counts_as_zeros() -> None:
    assert winner(LIST_RUNS_OUT) == 0
    assert "16, 4 beats 16, 0" in str(GAME.outcome(at(LIST_RUNS_OUT, "x")))


def test_lists_equal_to_the_end_are_a_draw() -> None:
    assert winner(EVEN_GROUPS) is None
    assert str(GAME.outcome(at(EVEN_GROUPS, "x"))) == "A draw: the groups of both have the same sizes (12, 6)."


def test_the_colours_play_no_part_in_the_comparison() -> None:
    swap = str.maketrans("xo", "ox")
    assert winner(DIAGONAL_BLOCKS.translate(swap)) == 0
    assert winner(LIST_RUNS_OUT.translate(swap)) == 1


def test_the_side_to_move_does_not_change_the_outcome() -> None:
    assert GAME.outcome(at(SECOND_GROUPS, "x")) == GAME.outcome(at(SECOND_GROUPS, "o"))


def test_a_third_time_the_same_position_would_be_a_draw() -> None:
    outcome = GAME.repeated(GAME.start())
    assert outcome.winner is None
    assert "third time" in str(outcome)
