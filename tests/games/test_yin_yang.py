"""The rules of Yin-Yang, one test a rule."""

from __future__ import annotations

import pytest

from games.rules import OptionError, Outcome, Position, load, play
from tests.games.boards import board, complaint, ends, faults, other_side, refusal, steps, texts
from tests.games.walks import walk, walks

GAME = load("yin-yang")

START = """
    . . . . . .
    . . . . . .
    . . x o . .
    . . o x . .
    . . . . . .
    . . . . . .
"""

THREE_LIKE = """
    . . . . . .
    . . . . . .
    x . . . . .
    x x . . . .
    x . o . . .
    . . . . . .
"""
"""Around b3 stand three black stones, two of them at its corners, and one white stone."""


def at(drawing: str, side: str = "1") -> Position:
    return GAME.position(f"{board(drawing)} {side}")


def ended(*stones: str) -> Outcome:
    """The outcome with these stones, such as ``x a1``, standing apart from each other."""
    marks = {square: mark for mark, square in map(str.split, stones)}
    ranks = ("".join(marks.get(f"{file}{rank}", ".") for file in "abcdef") for rank in range(6, 0, -1))
    outcome = GAME.outcome(GAME.position("/".join(ranks) + " 1"))
    assert outcome is not None
    return outcome


# The board and the setup ----------------------------------------------------------------------


def test_the_board_is_six_by_six() -> None:
    assert len(GAME.sites) == 36
    assert (GAME.sites[0], GAME.sites[6], GAME.sites[-1]) == ("a1", "a2", "f6")
    assert GAME.places["f6"] == (5, 5)


def test_there_are_no_options() -> None:
    with pytest.raises(OptionError, match="yin-yang has no option 'size'; its options: none"):
        load("yin-yang", size=8)


def test_the_setup_is_four_stones_in_the_centre() -> None:
    assert GAME.start() == at(START)
    assert str(GAME.start()) == "....../....../..xo../..ox../....../...... 1"


def test_in_the_setup_each_stone_stands_on_a_square_of_the_other_shade() -> None:
    level = dict(zip(GAME.sites, GAME.start().board, strict=True))
    assert (level["c3"], level["d4"]) == (2, 2)  # dark squares, as a1 is
    assert (level["d3"], level["c4"]) == (1, 1)


def test_player_one_starts() -> None:
    assert GAME.start().side == 0
    assert GAME.players == ("yin-yang.one", "yin-yang.two")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "ranks side"),
        ("....../....../..xo../..ox../....../......", "ranks side"),
        ("....../....../..xo../..ox../....../...... x", "side: 'x' is not one of 1 2"),
        ("....../....../..xo../..ox./....../...... 1", "rank 3: '..ox.' should be 6"),
        ("....../....../..xo../..ox../...... 1", "rank 1"),
        ("....../....../..xo../..ox../....../......./ 1", "rank 1"),
        ("....../....../..xo../..o#../....../...... 1", "rank 3, point 4: '#'"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


# The turn -------------------------------------------------------------------------------------


def test_either_player_may_move_any_stone() -> None:
    turns = {"c4-b4", "c4-c5", "d4-e4", "d4-d5", "c3-b3", "c3-c2", "d3-e3", "d3-d2"}
    assert texts(GAME, GAME.start()) == turns
    assert texts(GAME, at(START, "2")) == turns


def test_a_stone_moves_as_far_as_it_has_like_neighbours_corners_included() -> None:
    assert ends(GAME, at(THREE_LIKE), "b3") == {"b6", "e3"}


def test_a_stone_moves_exactly_that_far() -> None:
    assert not {"c3", "d3", "f3"} & ends(GAME, at(THREE_LIKE), "b3")


def test_stones_of_the_other_colour_do_not_count() -> None:
    drawing = """
        . . . . . .
        . . . . . .
        o . o . . .
        x x . . . .
        o . . . . .
        . . . . . .
    """
    assert ends(GAME, at(drawing), "b3") == {"c3", "b4", "b2"}


def test_a_light_stone_counts_light_stones() -> None:
    drawing = THREE_LIKE.translate(str.maketrans("xo", "ox"))
    assert ends(GAME, at(drawing), "b3") == {"b6", "e3"}


def test_a_stone_moves_up_down_left_and_right_only() -> None:
    drawing = """
        . . . . . .
        . . . . . .
        . . . x . .
        . . x . . .
        . . . . . .
        . . . . . .
    """
    assert ends(GAME, at(drawing), "c3") == {"c4", "c2", "b3", "d3"}


def test_every_square_passed_must_be_empty() -> None:
    drawing = THREE_LIKE.replace("x x . . . .", "x x . o . .")
    assert ends(GAME, at(drawing), "b3") == {"b6"}


def test_the_last_square_must_be_empty() -> None:
    drawing = THREE_LIKE.replace("x x . . . .", "x x . . x .")
    assert ends(GAME, at(drawing), "b3") == {"b6"}


def test_the_last_square_must_be_on_the_board() -> None:
    drawing = """
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        x x . . . .
        x . . . . .
    """
    assert ends(GAME, at(drawing), "b2") == {"b4", "d2"}


def test_a_stone_of_the_opposite_colour_goes_on_the_square_it_left() -> None:
    after = THREE_LIKE.replace("x x . . . .", "x o . . x .")
    assert play(GAME, at(THREE_LIKE), "b3-e3") == at(after, "2")


def test_a_light_stone_leaves_a_dark_one() -> None:
    after = START.replace(". . x o . .", ". . x x o .")
    assert play(GAME, at(START), "d4-e4") == at(after, "2")


def test_the_way_is_lifted_set_down_replaced() -> None:
    assert steps(GAME, at(START), "c4-c5") == [("c4", 0), ("c5", 1), ("c4", 2)]


def test_a_stone_without_a_like_neighbour_cannot_move() -> None:
    drawing = START.replace("x", "o", 1)
    assert ends(GAME, at(drawing), "d3") == set()
    assert ends(GAME, at(drawing), "d4") != set()


def test_the_supply_of_stones_is_unlimited() -> None:
    drawing = """
        . . . . . .
        . . . . o o
        . . . . . .
        x x x x x x
        x x x x x x
        x x x x x x
    """
    assert play(GAME, at(drawing), "e5-d5").board.count(1) == 19


# The end --------------------------------------------------------------------------------------


def test_the_game_goes_on_while_any_stone_can_move() -> None:
    drawing = """
        . . . . . .
        x . . . . .
        . . . . . .
        . . . . . o
        . . . . o .
        . . . . . .
    """
    assert GAME.outcome(at(drawing)) is None


def test_the_game_ends_when_no_stone_can_move() -> None:
    assert texts(GAME, GAME.position("....../....../x...../o...../....../...... 1")) == set()
    assert ended("x a4", "o a3")


@pytest.mark.parametrize("seed", range(5))
def test_both_players_have_the_same_moves(seed: int) -> None:
    for ply in walk(GAME, seed):
        assert texts(GAME, ply.position) == texts(GAME, other_side(GAME, ply.position))
        assert "pass" not in texts(GAME, ply.position)


@pytest.mark.parametrize(("stone", "winner"), [("x a1", 0), ("o a2", 0), ("o a1", 1), ("x a2", 1)])
def test_one_scores_stones_on_their_own_shade_and_two_the_rest(stone: str, winner: int) -> None:
    assert ended(stone).winner == winner


def test_the_higher_score_wins() -> None:
    assert ended("x a1", "x c1", "o d4").winner == 0
    assert ended("x a1", "o c1", "x a4").winner == 1


def test_the_score_is_said() -> None:
    assert str(ended("x a1", "x c1", "o d4")) == ("One wins. Stones that match their squares: 2; the others: 1.")


def test_the_stones_that_scored_are_named() -> None:
    assert ended("x a1", "x c1", "o d4").sites == ("a1", "c1")


def test_two_wins_when_the_scores_are_equal() -> None:
    outcome = ended("x a1", "x d1")
    assert outcome.winner == 1
    assert str(outcome).startswith("Two wins the tie.")


def test_the_outcome_does_not_depend_on_whose_turn_it_would_be() -> None:
    texts_of_both = ("x...../....../....../....../....../...... 1", "x...../....../....../....../....../...... 2")
    assert len({GAME.outcome(GAME.position(text)) for text in texts_of_both}) == 1


def test_the_board_bounds_the_game() -> None:
    for ply in walks(GAME, range(20)):
        stones = 36 - ply.position.board.count(0)
        assert ply.position.side == stones % 2  # four at the start, and one more a turn
        assert not ply.turns or stones < 36


def test_the_square_emptied_and_the_square_filled_name_the_turn() -> None:
    for ply in walks(GAME, range(5)):
        assert len({(turn.steps[0].site, turn.steps[1].site) for turn in ply.turns}) == len(ply.turns)


def test_by_colour_the_final_picture_names_the_turn() -> None:
    for ply in walks(GAME, range(20)):
        assert len({turn.after.board for turn in ply.turns}) == len(ply.turns)


def test_a_third_time_the_same_position_would_be_a_draw() -> None:
    assert GAME.repeated(GAME.start()).winner is None


# What is said about turns that the rules refuse -----------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("b3-d3", "The stone on b3 moves exactly 3, one square for each stone of its colour around it, not 2."),
        ("b3-f3", "The stone on b3 moves exactly 3, one square for each stone of its colour around it, not 4."),
        ("c2-c3", "The stone on c2 cannot move: no stone of its colour stands around it."),
        ("b3-c4", "A stone moves straight up, down, left or right: b3 to c4 is neither."),
        ("b3-a3", "a3 is taken: a stone ends on an empty square."),
        ("b5-b6", "There is no stone on b5 to move."),
        ("d1", "A stone comes on the board only on the square another has just left; take the one on d1 off."),
    ],
)
def test_a_refused_move_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at(THREE_LIKE), text) == sentence


def test_a_move_over_another_stone_is_told_why() -> None:
    drawing = THREE_LIKE.replace("x x . . . .", "x x . o . .")
    assert refusal(GAME, at(drawing), "b3-e3") == "The stone on b3 cannot pass over another stone."


def test_leaving_a_stone_of_the_same_colour_is_listed() -> None:
    sentence = "The stone left behind on c4 must be white, the other colour."
    assert sentence in faults(GAME, GAME.start(), "c4-c5")


def test_nobody_can_pass() -> None:
    assert refusal(GAME, GAME.start(), "pass").startswith("pass is no turn of this position")


def test_after_the_end_nothing_can_be_played() -> None:
    position = GAME.position("x...../....../....../....../....../...... 1")
    assert refusal(GAME, position, "a6-b6") == "The game is over: a6-b6 can no longer be played."
