"""The rules of Nine Men's Morris, sentence by sentence."""

from __future__ import annotations

import pytest
from asking import complaint, faults, game, refusal, sequences, texts, turn

from games.rules import Position

GAME = game("morris")


def at(drawing: str, side: str = "x", hands: str = "0,0") -> Position:
    marks = "".join(mark for mark in drawing if mark in ".xo")
    return GAME.position(f"{'/'.join(marks[start : start + 3] for start in range(0, 24, 3))} {side} {hands}")


MILL = """
    x-----x-----.
    | o---.---. |
    | | .-.-o | |
    .-o-.   .-.-x
    | | .-.-. | |
    | o---.---. |
    x-----.-----.
"""
"""Black may close a mill on the top line; White has one on the second line from the left."""


def test_the_lines_of_the_web() -> None:
    assert len(GAME.sites) == 24
    assert len(GAME.links) == 32
    joined = {site: sum(site in link for link in GAME.links) for site in GAME.sites}
    assert [joined[site] for site in ("a7", "d7", "d6", "d5", "c3", "b4", "g4")] == [2, 3, 4, 3, 2, 4, 3]


def test_first_men_are_laid_on_any_empty_point_black_begins() -> None:
    start = GAME.start()
    assert texts(GAME, start) == set(GAME.sites)
    after = turn(GAME, start, "d6").after
    assert str(after) == ".../.x./.../.../.../.../.../... o 8,9"
    assert texts(GAME, after) == {*GAME.sites} - {"d6"}


def test_the_men_in_hand_are_told() -> None:
    after = turn(GAME, GAME.start(), "d6").after
    assert (GAME.beside(after), str(GAME.aside(after))) == ((8, 9), "Left to lay: Black 8, White 9.")
    assert GAME.aside(at(MILL)) is None


def test_a_man_slides_along_a_line_to_an_empty_point_beside_it() -> None:
    quiet = {"a7-a4", "d7-g7", "d7-d6", "g4-g1", "g4-f4", "a1-d1", "a1-a4"}
    assert texts(GAME, at(MILL)) == quiet | {"g4-g7xe5"}


def test_a_mill_takes_a_man_that_stands_in_none() -> None:
    mill = turn(GAME, at(MILL), "g4-g7xe5")
    assert [tuple(act) for act in mill.acts] == [("carry", ("g4", "g7"), (1,), ()), ("take", ("e5",), (), ())]
    assert str(mill.after) == "xxx/o../.../.o./.../.../o../x.. o 0,0"
    assert faults(GAME, at(MILL), "g4-g7") == {"A mill: Black takes one of White's men off the board."}
    assert faults(GAME, at(MILL), "g4-g7xb4") == {
        "The man on b4 stands in a mill, and is safe while White has men that do not."
    }


def test_a_mill_takes_from_mills_where_all_men_stand_in_one() -> None:
    position = at(MILL.replace(".-.-o", ".-.-."))
    assert {text for text in texts(GAME, position) if "x" in text} == {"g4-g7xb2", "g4-g7xb4", "g4-g7xb6"}


def test_a_mill_that_stood_before_takes_nothing() -> None:
    assert "e5-e4" in texts(GAME, at(MILL, "o"))
    assert not any("x" in text for text in texts(GAME, at(MILL, "o")))


def test_a_mill_that_is_opened_and_closed_takes_again() -> None:
    position = at(MILL, "o")
    for text in ("b4-a4", "a1-d1"):
        position = turn(GAME, position, text).after
    assert {text for text in texts(GAME, position) if "x" in text} == {
        f"a4-b4x{site}" for site in ("a7", "d7", "g4", "d1")
    }


def test_two_mills_closed_at_once_take_one_man() -> None:
    double = at(
        """
        x-----.-----x
        | o---x---o |
        | | .-x-. | |
        .-.-.   .-.-.
        | | .-.-. | |
        | .---.---. |
        .-----o-----o
        """,
        hands="5,5",
    )
    assert {text for text in texts(GAME, double) if text.startswith("d7")} == {"d7xb6", "d7xd1", "d7xf6", "d7xg1"}
    assert "A turn takes one man only, whatever mills it closes: put the one from f6 back." in faults(
        GAME, double, "d7xb6"
    )


def test_who_is_left_with_three_men_may_go_anywhere() -> None:
    position = at(MILL.replace("o", ".", 1), "o")
    empty = {site for site, level in zip(GAME.sites, position.board, strict=True) if not level}
    goals = {text.partition("x")[0] for text in texts(GAME, position)}
    assert goals == {f"{origin}-{target}" for origin in ("b4", "b2", "e5") for target in empty}
    assert "b4-b6" in goals


def test_nobody_flies_who_has_men_in_hand() -> None:
    position = at(MILL.replace("o", ".", 1), "o", "0,1")
    assert {text.partition("x")[0] for text in texts(GAME, position)} == {
        site for site, level in zip(GAME.sites, position.board, strict=True) if not level
    }


def test_whoever_is_left_with_two_men_has_lost() -> None:
    position = at(MILL.replace("o", ".", 2), "o")
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert GAME.turns(position) == GAME.refused(position) == ()
    assert (outcome.winner, str(outcome)) == (0, "Black wins: White has two men left.")
    assert GAME.outcome(at(MILL.replace("o", ".", 2), "o", "0,1")) is None


STUCK = """
    o-----x-----o
    | .---.---. |
    | | .-.-. | |
    x-.-.   .-.-x
    | | .-.-. | |
    | .---.---. |
    o-----x-----o
"""


def test_whoever_cannot_move_has_lost() -> None:
    outcome = GAME.outcome(at(STUCK, "o"))
    assert outcome is not None
    assert (outcome.winner, str(outcome)) == (0, "Black wins: White cannot move.")
    assert set(outcome.sites) == {"d7", "a4", "g4", "d1"}
    assert GAME.outcome(at(STUCK.replace("x", ".", 1), "o")) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("e5-e4", "The man on e5 is White's, and it is Black's turn."),
        ("a1-g1", "g1 is not beside a1 on a line: a man slides to the next point."),
        ("xe5", "Black has closed no mill, so the man on e5 stays."),
        ("a7-d7", "A man stands on d7: men go to empty points."),
        ("d6-d5", "There is no man on d6."),
        ("a7", "A man stands on a7: men go to empty points."),
        ("a8", "a8 is no turn of this position; a7-a4, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at(MILL), text) == sentence


def test_a_man_is_laid_only_while_some_are_in_hand_and_of_the_own_colour() -> None:
    assert faults(GAME, at(MILL), "d3") == {
        "All of Black's men have been laid: take the one on d3 off and slide a man.",
        "Black lays dark men: take the one on d3 off.",
    }


def test_men_in_hand_are_laid_before_any_is_moved() -> None:
    sentence = "Black still has men in hand (2): lay one; moving begins when all are laid."
    assert refusal(GAME, at(MILL, "x", "2,2"), "a1-d1") == sentence


def test_a_refused_turn_of_the_other_side_leaves_the_turn_where_it_is() -> None:
    (refused,) = (turn for turn in GAME.refused(at(MILL)) if turn.text == "e5-e4")
    assert refused.after.side == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".../.../... x 9,9", "row a4-b4-c4: 'nothing' should be 3 of . x o"),
        (".../.../.../.../.../.../.../..k x 9,9", "row a1-d1-g1, point 3: 'k' is not one of . x o"),
        (".../.../.../.../.../.../.../... x 9", "hands: '9' should be two numbers from 0 to 9"),
        (".../.../.../.../.../.../.../..o x 9,9", "hands: o has 10 men, board and hand together; at most 9"),
        (".../.../.../.../.../.../.../... b 9,9", "side: 'b' is not one of x o"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_number_of_sequences_is_what_it_was() -> None:
    """Own figures; the oracle counts the same (`test_oracle`). Without mills it would be 24, 24 x 23 and so on."""
    assert sequences(GAME, 4) == [24, 24 * 23, 24 * 23 * 22, 24 * 23 * 22 * 21]
