"""The rules of Clobber, sentence by sentence."""

from __future__ import annotations

import pytest
from asking import board, complaint, faults, game, refusal, sequences, texts, turn

from games.rules import Position

GAME = game("clobber")


def at(drawing: str, side: str = "x") -> Position:
    return GAME.position(f"{board(drawing)} {side}")


FEW = """
    . . . . . .
    . . . . . .
    . x o . . .
    . . o x . .
    x . . . . .
"""


def test_the_board_begins_full_and_black_stands_on_the_dark_squares() -> None:
    start = GAME.start()
    assert str(start) == "xoxoxo/oxoxox/xoxoxo/oxoxox/xoxoxo x"
    assert {site for site, level in zip(GAME.sites, start.board, strict=True) if level == 1} == GAME.shaded


def test_a_stone_takes_a_stone_of_the_other_colour_beside_it() -> None:
    assert texts(GAME, at(FEW)) == {"b3xc3", "d2xc2"}
    assert texts(GAME, at(FEW, "o")) == {"c3xb3", "c2xd2"}


def test_what_is_taken_leaves_the_board_before_the_other_stone_comes_there() -> None:
    takes = turn(GAME, at(FEW), "b3xc3")
    assert [act[:3] for act in takes.acts] == [("take", ("c3",), ()), ("carry", ("b3", "c3"), (1,))]
    assert str(takes.after) == "....../....../..x.../..ox../x..... o"


def test_whoever_cannot_take_has_lost() -> None:
    over = at("x . . . . . \n" * 3 + ". . . . . o \n" * 2)
    assert GAME.turns(over) == ()
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert (outcome.winner, str(outcome)) == (1, "White wins: Black has no stone beside one of the other colour.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("c3xb3", "The stone on c3 is White's, and it is Black's turn."),
        ("b3xb4", "A stone moves only by taking, and there is no stone on b4."),
        ("b3xc2", "c2 is not beside b3: a stone takes the one above, below, left or right of it."),
        ("a5xa4", "There is no stone on a5."),
        ("b3", "b3 is no turn of this position; d2xc2, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at(FEW), text) == sentence


def test_an_own_stone_cannot_be_taken() -> None:
    position = at(". . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\nx x o . . .")
    assert faults(GAME, position, "a1xb1") == {"A stone takes one of the other colour: the one on b1 is Black's own."}


def test_a_refused_turn_of_the_other_side_leaves_the_turn_where_it_is() -> None:
    (refused,) = (turn for turn in GAME.refused(at(FEW)) if turn.text == "c3xb3")
    assert refused.after.side == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("....../....../....../......", "a position reads 'ranks side'"),
        ("....../....../....../...... x", "rank 1: 'nothing' should be 6 of . x o"),
        ("....../....../..../....../...... x", "rank 3: '....' should be 6 of . x o"),
        ("....../..k.../....../....../...... x", "rank 4, point 3: 'k' is not one of . x o"),
        ("....../....../....../....../...... b", "side: 'b' is not one of x o"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_number_of_sequences_is_what_it_was() -> None:
    """Own figures; the oracle counts the same (`test_oracle`)."""
    assert sequences(GAME, 3) == [49, 2116, 80063]
