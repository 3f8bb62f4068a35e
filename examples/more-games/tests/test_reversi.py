"""The rules of Reversi, sentence by sentence."""

from __future__ import annotations

import pytest
from asking import board, complaint, faults, game, refusal, sequences, texts, turn

from games.rules import Position

GAME = game("reversi")


def at(drawing: str, side: str = "x") -> Position:
    return GAME.position(f"{board(drawing)} {side}")


ROWS = """
    . . . . . . . .
    . x . . . . . .
    . . o . . x . .
    . . . o . o . .
    . . . . . o . .
    . x o o o . o .
    . . . . . o . .
    . . . . . . . .
"""
"""A black disc on f6 ends rows from f3 and b6; in the one from b2 there is a gap on e5. One on h6 ends none."""
STUCK = """
    x x x x x x x x
    x x x x x x x x
    x x x x x x x x
    x x x x x x x x
    x x x x x x x x
    x x x x x x x x
    x x x x x x o .
    x x x x x x . .
"""
"""White can turn nothing over, Black can."""
OVER = """
    x . . . . . . .
    . x . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . o
"""


def test_four_discs_stand_crosswise_at_the_start_and_black_begins() -> None:
    start = GAME.start()
    assert str(start) == "......../......../......../...ox.../...xo.../......../......../........ x"
    assert texts(GAME, start) == {"d3", "c4", "f5", "e6"}


def test_row_1_is_the_far_one() -> None:
    assert GAME.places["a1"] == (0, 7)
    assert GAME.places["h8"] == (7, 0)


def test_all_rows_between_two_own_discs_are_turned_over() -> None:
    laid = turn(GAME, at(ROWS), "f6")
    assert laid.acts[0] == ("lay", ("f6",), (1,), ())
    assert {act[:1] + act.sites + act.levels for act in laid.acts[1:]} == {
        ("flip", site, 1) for site in ("f4", "f5", "c6", "d6", "e6")
    }


def test_a_disc_is_laid_before_others_are_turned_over() -> None:
    assert {act[::3] for act in turn(GAME, at(ROWS), "f6").acts[1:]} == {("flip", (0,))}


def test_a_row_without_a_gap_ends_at_the_new_disc() -> None:
    assert {act.sites[0] for act in turn(GAME, at(ROWS), "e5").acts[1:]} == {"c3", "d4"}


def test_what_is_turned_over_turns_no_others() -> None:
    below = "\n. x . . . . . .\n" + ". . . . . . . .\n" * 5
    before, after = "x o . . . . . .\n. o . . . . . .", "x x x . . . . .\n. o . . . . . ."
    assert turn(GAME, at(before + below), "c1").after == at(after + below, "o")


def test_who_can_turn_none_over_passes() -> None:
    (passes,) = GAME.turns(at(STUCK, "o"))
    assert (passes.text, passes.acts, passes.after) == ("pass", (), at(STUCK, "x"))


def test_who_can_turn_one_over_must() -> None:
    assert refusal(GAME, GAME.start(), "pass") == "Black may pass only if no disc can be turned over: d3 turns some."


def test_the_game_ends_when_neither_can_turn_one_over_and_more_discs_win() -> None:
    for side in "xo":
        assert GAME.turns(at(OVER, side)) == ()
        outcome = GAME.outcome(at(OVER, side))
        assert outcome is not None
        assert (outcome.winner, str(outcome)) == (0, "Black wins: 2 black discs, 1 white ones.")


def test_as_many_discs_are_a_draw() -> None:
    outcome = GAME.outcome(at(OVER.replace(". x .", ". . .")))
    assert outcome is not None
    assert (outcome.winner, str(outcome)) == (None, "A draw: 1 black discs, 1 white ones.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("h6", "Black encloses no disc of White's with one on h6."),
        ("f3", "There is a disc on f3."),
        ("f9", "f9 is no turn of this position; e5, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at(ROWS), text) == sentence


def test_what_was_not_turned_over_is_told() -> None:
    assert faults(GAME, at(ROWS), "e5") >= {
        "All enclosed discs are turned over, 2 in this turn: the one on c3 too.",
        "All enclosed discs are turned over, 2 in this turn: the one on d4 too.",
    }


def test_a_disc_has_the_colour_of_the_player() -> None:
    assert "It is Black's turn: the disc on a1 must be Black's." in faults(GAME, at(ROWS), "a1")


def test_the_opponent_waits() -> None:
    refused = [turn for turn in GAME.refused(GAME.start()) if len(turn.acts) > 1]
    assert {(turn.text, str(turn.reason), turn.after.side) for turn in refused} == {
        (site, f"The disc on {site} is White's, and it is Black's turn.", 0) for site in ("e3", "f4", "c5", "d6")
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("........", "a position reads 'rows side'"),
        ("......../......../......../........ x", "rank 4: 'nothing' should be 8 of . x o"),
        ("......../.......w/......../......../......../......../......../........ x", "rank 2, point 8: 'w' is not"),
        ("......../......../......../......../......../......../......../........ b", "side: 'b' is not one of x o"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_number_of_sequences_is_the_published_one() -> None:
    """A. Bik, "Perft for Reversi", 2009."""
    assert sequences(GAME, 7) == [4, 12, 56, 244, 1396, 8200, 55092]
