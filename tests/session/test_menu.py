"""Choosing by light: where the signs lie, and which stones answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.lighting import MODES
from firmware_bridge.session.menu import BRIGHTNESS, SETTLE, Plan, begun, new_game, pause, place_signs
from games.rules import load, names
from hardware.board import find_board
from tests.session.menus import USUAL, Asked, asked, own, questions, shipped

# Stones ---------------------------------------------------------------------------------------


def test_a_stone_on_a_sign_answers_when_it_has_stood() -> None:
    table = Asked(asked("grid"))
    table.lay((table.point(1), 1), wait=SETTLE - 0.05)
    assert table.question == "table.ask-game"
    table.run(0.1)
    assert table.question == "table.ask-who-or-learn"
    assert table.said == ["table.ask-game", "menu.game", "table.ask-who-or-learn"]


def test_a_stone_that_hovers_answers_nothing() -> None:
    table = Asked(asked("grid"))
    for _ in range(10):
        table.lay((table.point(1), 1), wait=SETTLE - 0.05)
        table.lay((table.point(1), 0), wait=0.1)
    assert table.said == ["table.ask-game"]


def test_a_stone_beside_the_signs_answers_nothing() -> None:
    table = Asked(asked("grid"))
    table.lay(("d8", 1), ("h1", 1), ("a5", 1), wait=3.0)
    assert table.said == ["table.ask-game"]


def test_stones_on_two_signs_answer_nothing_until_one_is_taken_off() -> None:
    table = Asked(asked("grid"))
    one, two = table.point(0), table.point(2)
    table.lay((one, 1), wait=SETTLE - 0.05)
    table.lay((two, 1), wait=3.0)
    assert table.question == "table.ask-game"
    table.lay((one, 0), wait=SETTLE + 0.05)
    assert table.menu._answers == ["zig-zag"]


def test_a_stone_moved_to_another_sign_counts_there_from_anew() -> None:
    table = Asked(asked("grid"))
    table.lay((table.point(0), 1), wait=SETTLE - 0.05)
    table.lay((table.point(0), 0), (table.point(3), 1), wait=SETTLE - 0.05)
    assert table.question == "table.ask-game"
    table.run(0.1)
    assert table.menu._answers == ["zong-heng"]


def test_two_stones_on_one_sign_are_one_answer() -> None:
    table = Asked(asked("grid"))
    table.lay(*[(point, 1) for point in table.menu.signs[1]])
    assert table.question == "table.ask-who-or-learn"
    table.run(3.0)
    assert table.question == "table.ask-who-or-learn"


def test_a_stone_that_lay_there_before_is_no_answer() -> None:
    table = Asked(asked("grid"), None, "a8", "f8")
    table.run(3.0)
    assert table.said == ["table.ask-game"]
    table.lay(("f8", 0), wait=0.1)
    assert table.said == ["table.ask-game"]
    table.lay(("f8", 1))
    assert table.menu._answers == ["zhizhu"]


def test_a_stone_left_from_one_question_does_not_answer_the_next() -> None:
    table = Asked(asked("grid"))
    table.lay(("a8", 1))
    assert table.question == "table.ask-who-or-learn"
    assert "a8" in table.menu.signs[0]
    table.run(5.0)
    assert table.question == "table.ask-who-or-learn"


@pytest.mark.parametrize("board", ["grid", "web", "pits"])
def test_every_answer_can_be_reached_on_a_board_full_of_pieces(board: str) -> None:
    for number in range(len(BRIGHTNESS)):
        table = Asked(asked(board), shipped(board), *shipped(board).places)
        while table.question != "table.ask-brightness":
            choose(table, 0)
        choose(table, number)
        assert table.menu.result.brightness == BRIGHTNESS[number]


def choose(table: Asked, number: int) -> None:
    """Lift a piece of that sign and put it back."""
    point = table.point(number)
    table.lay((point, 0), wait=0.1)
    table.lay((point, 1))


@pytest.mark.parametrize(
    ("masked", "question"),
    [
        ("f7", "table.ask-game"),
        ("g8", "table.ask-mode"),
        ("b2", "table.ask-mode"),
        ("a1", "table.ask-brightness"),
    ],
)
def test_every_answer_can_be_given_on_a_point_that_is_sensed(masked: str, question: str, tmp_path: Path) -> None:
    text = find_board("grid").read_text().replace("masked = []", f'masked = ["{masked}"]')
    board = own(text, tmp_path)
    (asking,) = (q for q in questions(asked("grid")) if q.say.id == question)
    quiet = [sign for sign in place_signs(asking, board) if not set(sign) & set(board.channels)]
    assert quiet == []


def test_masked_points_on_a_sign_do_no_harm(tmp_path: Path) -> None:
    text = find_board("grid").read_text().replace("masked = []", 'masked = ["a8", "f8", "c3"]')
    table = Asked(asked("grid"), own(text, tmp_path))
    table.lay(("a8", 1), wait=2.0)
    assert table.said == ["table.ask-game"]
    table.lay(("b8", 1))
    assert table.menu._answers == ["yin-yang"]


# Buttons --------------------------------------------------------------------------------------


def test_done_gives_the_usual_answer_to_all_that_follows() -> None:
    table = Asked(asked("grid"))
    table.press("done")
    assert table.menu.over
    assert table.menu.result == USUAL
    table = Asked(asked("grid"))
    table.lay((table.point(1), 1))
    table.lay((table.point(1), 0), wait=0.1)
    table.lay((table.point(1), 1))
    table.press("done")
    assert table.menu.result == Plan("zhizhu", "coach", False, 104, (0, 3))


def test_undo_goes_back_one_question_at_a_time_and_no_farther_than_the_first() -> None:
    table = Asked(asked("grid"))
    for number in (1, 0, 3, 1, 1):
        table.lay((table.point(number), 1))
        table.lay(*[(point, 0) for point in table.board.places], wait=0.1)
    assert table.question == "table.ask-brightness"
    for question in ("sides", "mode", "clock", "who-or-learn", "game", "game"):
        table.press("undo")
        assert table.question == f"table.ask-{question}"
    table.lay((table.point(2), 1))
    table.press("done")
    assert table.menu.result == USUAL._replace(game="zig-zag")


def test_questions_with_one_answer_are_not_asked() -> None:
    table = Asked(asked("web"), shipped("web"))
    assert table.question == "table.ask-who-or-learn"
    table.press("undo")
    assert table.question == "table.ask-who-or-learn"
    table.press("done")
    assert table.menu.result == USUAL._replace(game="zhizhu")


def test_other_buttons_do_nothing() -> None:
    table = Asked(asked("grid"))
    table.press("hint")
    assert table.said == ["table.ask-game"]


@pytest.mark.parametrize(
    ("answers", "result"),
    [
        ([0], "go-on"),
        ([1, 3, 0, 0, 1, 1, 7], Plan("zong-heng", "referee", True, 255)),
        ([1, 3, 1, 0, 4, 1, 1, 7], Plan("zong-heng", "referee", True, 255, (0, 1), clock="10+5")),
        ([1, 3, 2, 7, 6, 1, 1, 7], Plan("zong-heng", "referee", True, 255, (8, 0), clock="30")),
        ([2, 0], "first"),
        ([2, 1], "second"),
        ([2, 2], "agree"),
        ([2, 3], "go-on"),
    ],
)
def test_a_pause_returns_what_was_chosen(answers: list[int], result: object) -> None:
    table = Asked(lambda: pause(asked("grid")))
    for number in answers:
        table.lay((table.point(number), 1))
        table.lay(*[(point, 0) for point in table.board.places], wait=0.1)
    assert table.menu.over
    assert table.menu.result == result


def test_done_goes_on_with_an_unfinished_game() -> None:
    table = Asked(lambda: begun(asked("grid")))
    table.press("done")
    assert table.menu.result == "go-on"
    table = Asked(lambda: begun(asked("grid")))
    table.lay((table.point(1), 1))
    assert table.question == "table.ask-game"


@pytest.mark.parametrize("mode", MODES)
def test_the_usual_answers_are_those_of_last_time(mode: Any) -> None:
    games = [load(name) for name in names()]
    usual = Plan("zhizhu", mode, True, 47, (0, 5), clock="7+2x20")
    table = Asked(lambda: new_game(games, usual, shipped("grid")))
    table.press("done")
    assert table.menu.result == usual._replace(brightness=48)


def test_done_in_the_moment_in_which_a_stone_would_count_answers_once() -> None:
    for scans in range(25, 35):
        table = Asked(asked("web"), shipped("web"))
        table.lay((table.point(0), 1))
        table.lay((table.point(1), 1), wait=scans / SCAN_HZ)
        table.said += [event.say.id for event in table.menu.press("done")]
        table.run(1 / SCAN_HZ)
        assert table.said.count("menu.brightness") == 1


# Sensors that fail ----------------------------------------------------------------------------


def test_a_blind_scanner_is_told_of_once_and_nothing_is_chosen() -> None:
    table = Asked(asked("grid"))
    table.table.sighted = False
    table.run(2.0)
    assert table.said == ["table.ask-game", "table.blind"]
    table.table.sighted = True
    table.run(2.0)
    assert table.question == "table.ask-game"
    table.lay((table.point(3), 1))
    assert table.question == "table.ask-who-or-learn"


def test_done_works_on_a_blind_table() -> None:
    table = Asked(asked("grid"))
    table.table.sighted = False
    table.run(1.0)
    table.press("done")
    assert table.menu.result == USUAL


def test_a_table_that_sees_again_says_so() -> None:
    table = Asked(asked("grid"))
    table.table.sighted = False
    table.run(1.0)
    table.table.sighted = True
    table.run(1.0)
    assert "table.sighted" in table.said


def test_closing_a_menu_goes_dark() -> None:
    table = Asked(asked("grid"))
    table.menu.close()
    assert not table.lit()
