"""The rules of draughts, sentence by sentence."""

from __future__ import annotations

import pytest
from asking import board, complaint, faults, game, refusal, sequences, texts, turn

from games.rules import Position

GAME = game("draughts")


def at(drawing: str, side: str = "x") -> Position:
    return GAME.position(f"{board(drawing)} {side}")


QUIET = """
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    o . . . . . . .
    . . . . . . . .
    . . x . X . . .
    . . . . . x . .
    . . . . . . . .
"""
CHAIN = """
    . . . . . . . .
    . . . . . . . .
    . . . . . o . .
    . . . . . . . .
    . o . o . . . .
    . . . . . . . .
    . o . . . . . .
    x . . . . . x .
"""
CROWNING = """
    . . . . . . . .
    . . o . o . . .
    . x . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
"""
RING = """
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . o . o . .
    . . X . . . . .
    . . . o . o . .
    . . . . . . . .
"""


def test_each_player_has_twelve_men_on_the_dark_squares_and_black_begins() -> None:
    start = GAME.start()
    assert str(start) == ".o.o.o.o/o.o.o.o./.o.o.o.o/......../......../x.x.x.x./.x.x.x.x/x.x.x.x. x"
    assert {site for site, level in zip(GAME.sites, start.board, strict=True) if level} <= GAME.shaded


def test_men_go_diagonally_forward_to_an_empty_square_and_kings_backward_too() -> None:
    assert texts(GAME, at(QUIET)) == {"c3-b4", "c3-d4", "e3-d4", "e3-f4", "e3-d2", "f2-g3"}
    assert texts(GAME, at(QUIET, "o")) == {"a5-b4"}


def test_a_man_takes_by_jumping_and_goes_on_as_long_as_it_can_but_may_choose_how() -> None:
    assert texts(GAME, at(CHAIN)) == {"a1xc3xa5", "a1xc3xe5xg7"}


def test_whoever_can_take_must() -> None:
    assert refusal(GAME, at(CHAIN), "g1-h2") == "Black can take, and so must: a1xc3xa5, for one."


def test_a_jump_is_made_hop_by_hop_and_what_was_jumped_over_goes_off_at_any_moment() -> None:
    jump = turn(GAME, at(CHAIN), "a1xc3xa5")
    assert [tuple(act) for act in jump.acts] == [
        ("carry", ("a1", "c3"), (1,), ()),
        ("carry", ("c3", "a5"), (1,), ()),
        ("take", ("b2",), (), ()),
        ("take", ("b4",), (), ()),
    ]
    assert str(jump.after) == "......../......../.....o../x......./...o..../......../......../......x. o"


def test_a_jump_that_is_broken_off_is_refused() -> None:
    assert faults(GAME, at(CHAIN), "a1xc3") == {"The jump goes on: from c3 the same piece takes another one."}


def test_pieces_jumped_over_do_not_stay() -> None:
    sentence = "The piece on {} was jumped over: take it off the board."
    assert faults(GAME, at(CHAIN), "a1xc3xa5") == {sentence.format("b2"), sentence.format("b4")}


def test_a_man_on_the_last_rank_is_made_a_king_and_its_turn_is_over() -> None:
    (text,) = texts(GAME, at(CROWNING))
    crowned = turn(GAME, at(CROWNING), text)
    assert text == "b6xd8"
    assert [act.kind for act in crowned.acts] == ["carry", "take", "flip"]
    assert (crowned.acts[-1].sites, crowned.acts[-1].levels) == (("d8",), (1,))
    assert str(crowned.after) == "...X..../....o.../......../......../......../......../......../........ o"


def test_kings_alone_have_a_mark() -> None:
    (text,) = texts(GAME, at(CROWNING))
    assert GAME.marks(GAME.start()) == GAME.marks(at(CROWNING)) == {}
    assert GAME.marks(turn(GAME, at(CROWNING), text).after) == {"d8": "K"}
    assert GAME.marks(at(QUIET)) == {"e3": "K"}


def test_a_king_on_the_last_rank_jumps_on() -> None:
    king = at(CROWNING.replace("x", "X"))
    assert texts(GAME, king) == {"b6xd8xf6"}
    assert [act.kind for act in turn(GAME, king, "b6xd8xf6").acts] == ["carry", "carry", "take", "take"]


def test_a_man_that_takes_a_king_stays_a_man() -> None:
    after = turn(GAME, at(CHAIN.replace("o", "O")), "a1xc3xa5").after
    assert str(after).startswith("......../......../.....O../x")


def test_a_jump_may_end_where_it_began_and_takes_no_piece_twice() -> None:
    assert texts(GAME, at(RING)) == {"c3xe5xg3xe1xc3", "c3xe1xg3xe5xc3"}
    assert str(turn(GAME, at(RING), "c3xe5xg3xe1xc3").after).count("X") == 1


def test_whoever_has_no_piece_left_has_lost() -> None:
    outcome = GAME.outcome(turn(GAME, at(RING), "c3xe5xg3xe1xc3").after)
    assert outcome is not None
    assert (outcome.winner, str(outcome)) == (0, "Black wins: all of White's pieces are taken.")


def test_whoever_cannot_move_has_lost() -> None:
    blocked = at(". . . . . . . .\n" * 5 + "o . . . . . . .\n. x . . . . . .\n. . x . . . . .", "o")
    assert GAME.turns(blocked) == ()
    outcome = GAME.outcome(blocked)
    assert outcome is not None
    assert (outcome.winner, str(outcome)) == (0, "Black wins: none of White's pieces can move.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a5-b4", "The piece on a5 is White's, and it is Black's turn."),
        ("c3-c4", "Pieces go diagonally, on the dark squares: c4 is not diagonally beside c3."),
        ("c3-b2", "A man goes and takes forward only, and b2 lies back from c3."),
        ("e3-g5", "A piece that takes nothing goes one square: g5 is two from e3."),
        ("f2-d4", "The piece on e3 is Black's own: only pieces of the other colour are jumped over."),
        ("b2-a3", "There is no piece on b2."),
        ("f2-e3", "A piece stands on e3: pieces go to empty squares."),
        ("c3", "c3 is no turn of this position; f2-g3, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at(QUIET), text) == sentence


def test_a_man_takes_forward_only() -> None:
    position = at(QUIET.replace("x", "o").replace("X", "x").replace("o", "x", 1), "o")
    assert faults(GAME, position, "f2xd4") == {"A man goes and takes forward only, and d4 lies back from f2."}


def test_a_refused_turn_of_the_other_side_leaves_the_turn_where_it_is() -> None:
    (refused,) = (turn for turn in GAME.refused(at(QUIET)) if turn.text == "a5-b4")
    assert refused.after.side == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("......../........ x", "rank 6: 'nothing' should be 8 of . x o X O"),
        (
            ".x....../......../......../......../......../......../......../........ x",
            "b8: a man on its last rank is a",
        ),
        (
            "......../......../......../......../......../......../......../.x...... x",
            "b1: pieces stand on dark squares",
        ),
        ("......../......../......../......../......../......../......../........ b", "side: 'b' is not one of x o"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_number_of_sequences_is_what_the_literature_has() -> None:
    """The figures of Aart Bik, up to 7 of the 28 plies that are known."""
    assert sequences(GAME, 7) == [7, 49, 302, 1469, 7361, 36768, 179740]
