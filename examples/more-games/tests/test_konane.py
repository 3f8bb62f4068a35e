"""The rules of Konane, sentence by sentence; on 6 squares a side where nothing else is said."""

from __future__ import annotations

import pytest
from asking import board, complaint, faults, game, refusal, sequences, texts, turn, walk
from more_games.konane.rules import Konane
from oracle_konane import konane

from games.rules import OptionError, Position, load

LARGE = game("konane")
GAME = Konane(6)


def at(drawing: str, side: str = "x") -> Position:
    return GAME.position(f"{board(drawing)} {side}")


LINES = """
    . . . . . .
    . . . . . .
    . . . . o .
    . . . . x .
    . . o . . .
    x o . o . .
"""


def test_the_board_is_full_black_on_the_dark_squares() -> None:
    start = LARGE.start()
    assert {site for site, level in zip(LARGE.sites, start.board, strict=True) if level == 1} == LARGE.shaded
    assert 0 not in start.board


def test_black_takes_a_stone_off_in_the_middle_or_at_a_corner() -> None:
    assert texts(LARGE, LARGE.start()) == {"a1", "d4", "e5", "h8"}
    assert texts(GAME, GAME.start()) == {"a1", "c3", "d4", "f6"}
    first = turn(GAME, GAME.start(), "d4")
    assert [tuple(act) for act in first.acts] == [("take", ("d4",), (), ())]
    assert first.after.board.count(0) == 1


def test_white_takes_a_stone_off_beside_the_gap() -> None:
    assert texts(LARGE, turn(LARGE, LARGE.start(), "d4").after) == {"c4", "e4", "d3", "d5"}
    assert texts(LARGE, turn(LARGE, LARGE.start(), "h8").after) == {"g8", "h7"}


def test_then_stones_jump_into_the_gaps() -> None:
    opened = turn(GAME, turn(GAME, GAME.start(), "c3").after, "c4").after
    assert texts(GAME, opened) == {"a3xc3", "e3xc3", "c1xc3"}


def test_a_stone_jumps_straight_and_on_in_the_same_direction_as_far_as_it_likes() -> None:
    assert texts(GAME, at(LINES)) == {"a1xc1", "a1xc1xe1", "e3xe5"}
    assert texts(GAME, at(LINES, "o")) == {"e4xe2"}


def test_a_jump_is_made_hop_by_hop_and_takes_what_it_jumps_over() -> None:
    jump = turn(GAME, at(LINES), "a1xc1xe1")
    assert [tuple(act) for act in jump.acts] == [
        ("carry", ("a1", "c1"), (1,), ()),
        ("carry", ("c1", "e1"), (1,), ()),
        ("take", ("b1",), (), ()),
        ("take", ("d1",), (), ()),
    ]
    assert str(jump.after) == "....../....../....o./....x./..o.../....x. o"


def test_stones_jumped_over_do_not_stay() -> None:
    sentence = "The stone on {} was jumped over: take it off the board."
    assert faults(GAME, at(LINES), "a1xc1xe1") == {sentence.format("b1"), sentence.format("d1")}


def test_whoever_cannot_jump_has_lost() -> None:
    after = turn(GAME, at(LINES), "e3xe5").after
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert GAME.turns(after) == ()
    assert (outcome.winner, str(outcome)) == (0, "Black wins: White cannot jump.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("e4xe2", "The stone on e4 is White's, and it is Black's turn."),
        ("a1xc1xc3", "A stone jumps on straight ahead only: it cannot turn on c1."),
        ("e3-e2", "Stones move by jumping over one of the other colour, and from e3 to e2 there is none."),
        ("e3-c3", "Stones move by jumping over one of the other colour, and from e3 to c3 there is none."),
        ("e3-f4", "Stones move by jumping over one of the other colour, and from e3 to f4 there is none."),
        ("d1", "No stone has jumped over d1, so the one there stays."),
        ("b2xb4", "There is no stone on b2."),
        ("k9", "k9 is no turn of this position; a1xc1, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at(LINES), text) == sentence


def test_a_wrong_beginning_is_told_why() -> None:
    start = GAME.start()
    after = turn(GAME, start, "a1").after
    first = "Black begins by taking a black stone off from one of a1, c3, d4, f6: put the one from c1 back."
    beside = "White takes a white stone off beside the gap, from one of a2, b1: put the one from c2 back."
    assert refusal(GAME, start, "c1") == first
    assert refusal(GAME, after, "c2") == beside
    assert refusal(GAME, after, "c2xc4") == (
        "Before the first jump each player takes one stone off, so c2xc4 is not possible yet."
    )


def test_a_refused_turn_of_the_other_side_leaves_the_turn_where_it_is() -> None:
    (refused,) = (turn for turn in GAME.refused(at(LINES)) if turn.text == "e4xe2")
    assert refused.after.side == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("....../...... x", "rank 4: 'nothing' should be 6 of . x o"),
        (f"o.....{5 * '/......'} b", "side: 'b' is not one of x o"),
        (f"x.....{5 * '/......'} x", "a6: black stones (x) stand on dark squares, white ones (o) on light squares"),
        ("oxoxox/xoxoxo/oxoxox/xoxoxo/oxoxox/xoxoxo o", "side: where so many squares are empty (0), x is to move"),
        ("oxoxox/xoxoxo/oxoxox/xoxoxo/oxoxox/.oxoxo x", "side: where so many squares are empty (1), o is to move"),
        ("oxoxox/xoxoxo/oxoxox/xoxoxo/oxoxox/xo.oxo o", "c1: the first stone is taken from one of a1, c3, d4, f6"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_board_has_8_or_6_squares_a_side() -> None:
    assert [len(load("konane", size=size).sites) for size in (8, 6)] == [64, 36]
    with pytest.raises(OptionError, match="konane: size = 7 is not possible; allowed: 8, 6"):
        load("konane", size=7)


@pytest.mark.parametrize("seed", range(8))
def test_turns_on_the_small_board_are_those_of_the_oracle(seed: int) -> None:
    for position, turns, _ in walk(GAME, seed):
        assert {turn.text: str(turn.after) for turn in turns} == konane(str(position))


def test_the_number_of_sequences_is_what_it_was() -> None:
    """Own figures; the oracle counts the same (`test_oracle`)."""
    assert sequences(LARGE, 5) == [4, 12, 28, 172, 892]
    assert sequences(GAME, 5) == [4, 12, 28, 156, 668]
