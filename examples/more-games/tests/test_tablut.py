"""The rules of Tablut, sentence by sentence; numbers are those of Linnaeus's laws."""

from __future__ import annotations

import pytest
from asking import board, complaint, faults, game, refusal, sequences, texts, turn

from games.rules import Position, Turn

GAME = game("tablut")


def at(muscovites: str, swedes: str = "", king: str = "e5", side: str = "x") -> Position:
    """A position by the squares of its pieces."""
    marks = dict.fromkeys(muscovites.split(), "x") | dict.fromkeys(swedes.split(), "o") | {king: "k"}
    rows = ["".join(marks.get(f"{file}{rank}", ".") for file in "abcdefghi") for rank in range(9, 0, -1)]
    return GAME.position(f"{'/'.join(rows)} {side}")


def taken(made: Turn[Position]) -> set[str]:
    return {act.sites[0] for act in made.acts[1:]}


def captures(position: Position, text: str) -> set[str]:
    """What the legal turn `text` takes off."""
    return taken(turn(GAME, position, text))


def targets(position: Position, origin: str) -> set[str]:
    return {text.partition("-")[2] for text in texts(GAME, position) if text.startswith(f"{origin}-")}


def winner(position: Position) -> tuple[int | None, str] | None:
    outcome = GAME.outcome(position)
    return outcome and (outcome.winner, str(outcome))


def test_the_pieces_stand_as_linnaeus_draws_them_and_muscovy_begins() -> None:
    drawn = board("""
        . . . x x x . . .
        . . . . x . . . .
        . . . . o . . . .
        x . . . o . . . x
        x x o o k o o x x
        x . . . o . . . x
        . . . . o . . . .
        . . . . x . . . .
        . . . x x x . . .
    """)
    assert str(GAME.start()) == f"{drawn} x"
    assert GAME.shaded >= {"e5", "d1", "e2", "a4", "b5", "i6", "h5", "f9", "e8"}
    assert len(GAME.shaded) == 17


# Moves ----------------------------------------------------------------------------------------


def test_pieces_move_in_straight_lines_as_far_as_nothing_stands_in_the_way() -> None:  # 1, 2, 7
    assert targets(at("c3 c6", "f3"), "c3") == {"a3", "b3", "d3", "e3", "c1", "c2", "c4", "c5"}


def test_the_king_moves_like_the_others() -> None:  # 0
    assert targets(at("e7", "c5", side="o"), "e5") == {"e6", "d5", "f5", "g5", "h5", "i5", "e4", "e3", "e2", "e1"}


def test_nobody_enters_or_crosses_the_castle_once_it_is_empty() -> None:
    position = at("e3", "c5", king="e8", side="o")
    assert targets(position, "c5") & {"d5", "e5", "f5", "g5"} == {"d5"}
    assert targets(position, "e8") & {"e6", "e5", "e4"} == {"e6"}
    assert refusal(GAME, position, "e8-e5") == (
        "The castle is closed: nobody enters it, and the king does not come back."
    )
    assert refusal(GAME, position, "c5-f5") == "The castle is closed: nobody crosses it on the way from c5 to f5."


def test_all_other_squares_are_free_to_all() -> None:  # 0
    assert "a4" in targets(at("i9", "c4", side="o"), "c4")


# Captures -------------------------------------------------------------------------------------


def test_the_king_has_a_mark_until_he_is_captured() -> None:
    assert GAME.marks(GAME.start()) == {"e5": "K"}
    beset = at("c3 e1", king="d3")
    (text,) = (each for each in texts(GAME, beset) if captures(beset, each) == {"d3"})
    assert GAME.marks(turn(GAME, beset, text).after) == {}


def test_a_piece_between_two_enemies_is_captured() -> None:  # 9
    assert captures(at("b3 e1", "c3"), "e1-d1") == set()
    assert captures(at("b3 d1", "c3"), "d1-d3") == {"c3"}
    assert captures(at("c3", "b3 d1", king="h8", side="o"), "d1-d3") == {"c3"}


def test_the_edge_is_no_enemy() -> None:
    assert captures(at("b1", "a3"), "b1-b3") == set()


def test_it_is_not_captured_crosswise() -> None:
    assert captures(at("c4 d1", "c3"), "d1-d3") == set()


def test_who_goes_between_two_enemies_is_safe() -> None:
    moved = turn(GAME, at("b3 d3", "c1", side="o"), "c1-c3")
    assert taken(moved) == set()
    assert captures(moved.after, "d3-d4") == set()


def test_up_to_three_are_captured_at_once() -> None:
    position = at("a3 e3 c1 c6", "b3 d3 c4", king="h8")
    assert captures(position, "c1-c2") == set()
    assert captures(at("a3 e3 c1 c5", "b3 d3 c4", king="h8"), "c1-c3") == {"b3", "d3", "c4"}


def test_captured_pieces_are_taken_once_the_other_has_come() -> None:
    acts = turn(GAME, at("b3 d1", "c3"), "d1-d3").acts
    assert acts == (("carry", ("d1", "d3"), (1,), ()), ("take", ("c3",), (), (0,)))


def test_the_king_helps_to_capture() -> None:  # 9
    assert captures(at("c3", "b3", king="d2", side="o"), "d2-d3") == {"c3"}
    assert captures(at("c3", "b1", king="d3", side="o"), "b1-b3") == {"c3"}


def test_the_empty_castle_helps_both_to_capture() -> None:  # 14
    assert captures(at("a3 i1", "d5", king="h8"), "a3-c3") == set()
    assert captures(at("c3", "d5", king="h8"), "c3-c5") == {"d5"}
    assert captures(at("d5", "c3", king="h8", side="o"), "c3-c5") == {"d5"}


def test_the_king_in_his_castle_helps_sweden() -> None:
    assert captures(at("d5", "c3", side="o"), "c3-c5") == {"d5"}
    assert captures(at("c3", "d5"), "c3-c5") == set()


def test_a_swede_beside_a_king_beset_on_three_sides_is_captured_against_him() -> None:  # 10
    assert captures(at("c3 e4 e6 f5", "d5"), "c3-c5") == {"d5"}
    assert captures(at("c3 e4 e6", "d5 f5"), "c3-c5") == set()


# The king -------------------------------------------------------------------------------------


def test_the_king_in_his_castle_is_captured_by_four() -> None:  # 10
    assert captures(at("d4 e4 e6 f5"), "d4-d5") == {"e5"}
    assert captures(at("d4 e6 f5"), "d4-d5") == set()
    assert captures(at("d4 e6 f5", "e4"), "d4-d5") == set()


def test_the_king_beside_his_castle_is_captured_by_three() -> None:  # 11
    assert captures(at("c4 d4 d6", king="d5"), "c4-c5") == {"d5"}
    assert captures(at("d3 d6", king="d5"), "d3-d4") == set()
    assert captures(at("c4", king="d5"), "c4-c5") == set()


def test_the_king_elsewhere_is_captured_by_two() -> None:  # 9
    assert captures(at("b3 d1", king="c3"), "d1-d3") == {"c3"}
    assert captures(at("c6 b4", king="c5"), "b4-c4") == {"c5"}


def test_muscovy_wins_by_capturing_the_king() -> None:  # 12
    after = turn(GAME, at("b3 d1", king="c3"), "d1-d3").after
    assert GAME.turns(after) == ()
    assert winner(after) == (0, "Muscovy wins: the king is captured.")


def test_sweden_wins_when_the_king_comes_to_the_edge() -> None:  # 3, 4
    after = turn(GAME, at("a1", king="c3", side="o"), "c3-i3").after
    assert GAME.turns(after) == ()
    assert winner(after) == (1, "Sweden wins: the king has come to the edge.")


def test_a_side_that_cannot_move_has_lost() -> None:  # 12
    shut_in = at("a2 b1", king="e5", side="x")
    assert winner(shut_in) is None
    assert winner(at("a1", "a2 b1", king="e5")) == (1, "Sweden wins: Muscovy cannot move.")
    assert winner(at("e4 e6 d5 f5", side="o")) == (0, "Muscovy wins: Sweden cannot move.")


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (at("c1 c9 a3", king="c3"), "Raichi: an open way leads the king from c3 to the edge."),
        (at("c1 c9", king="c3"), "Tuichu: two open ways, or more, lead the king from c3 to the edge."),
        (at("c1 c9 a3 i3", king="c3"), "The king is on c3."),
        (at("c1 c9 a3", king="c3", side="o"), "The king is on c3."),
    ],
)
def test_the_king_is_named_and_his_open_ways_are_called(position: Position, said: str) -> None:  # 6
    assert str(GAME.aside(position)) == said


# What is refused ------------------------------------------------------------------------------

SOME = at("b3 d1 g7", "c3 h2")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("c3-c4", "The piece on c3 is Sweden's, and it is Muscovy's turn."),
        ("b3-d3", "A piece stands between b3 and d3, and no piece jumps."),
        ("b3-c4", "c4 does not lie in a straight line from b3: pieces move up, down, left or right."),
        ("b3-e6", "e6 does not lie in a straight line from b3: pieces move up, down, left or right."),
        ("b3-c3", "There is a piece on c3 already."),
        ("a1-a2", "There is no piece on a1."),
        ("c3-e9", "The piece on c3 is Sweden's, and it is Muscovy's turn."),
        ("b3", "b3 is no turn of this position; d1-d2, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, SOME, text) == sentence


def test_a_captured_piece_must_be_taken_off() -> None:
    assert "The piece on c3 is captured: take it off." in faults(GAME, SOME, "d1-d3")


def test_no_other_piece_is_taken_off() -> None:
    assert faults(GAME, at("d1 a9", "c3"), "d1-d3") == {
        "The piece on c3 is not captured: it is not shut in between two enemies."
    }
    assert faults(GAME, at("c4 a9", king="d5"), "c4-c5") == {
        "The king on d5 is not captured: in his castle four must shut him in, beside it three, elsewhere two."
    }


def test_a_refused_turn_of_the_other_side_leaves_the_turn_where_it_is() -> None:
    assert {turn.after.side for turn in GAME.refused(SOME) if turn.text == "c3-c4"} == {0}


EMPTY = "/".join(["........."] * 9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (EMPTY, "a position reads 'ranks side'"),
        (f"{EMPTY[:-1]} x", "rank 1: '........' should be 9 of . x o k"),
        (f"K{EMPTY[1:]} x", "rank 9, point 1: 'K' is not one of . x o k"),
        (f"kk{EMPTY[2:]} x", "there are 2 kings; at most one"),
        (f"{EMPTY[:44]}x{EMPTY[45:]} x", "e5: 'x' cannot stand there; the castle is the king's alone"),
        (f"{EMPTY} k", "side: 'k' is not one of x o"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_number_of_sequences_is_what_it_was() -> None:
    """Own figures; the oracle counts the same (`test_oracle`), and 353,200 for three plies."""
    assert sequences(GAME, 2) == [80, 4400]
