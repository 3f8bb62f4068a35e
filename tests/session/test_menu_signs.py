"""Choosing by light: where the signs lie, and what they look like."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.session.menu import BRIGHTNESS, Choice, Question, begun, new_game, option, pause, place_signs
from games.rules import Reason, load, names
from hardware.board import Board
from tests.session.menus import PLAIN, USUAL, Asked, asked, own, questions, shipped


@pytest.mark.parametrize("board", ["grid", "web", "pits"])
def test_signs_lie_on_the_board_and_apart_for_every_question(board: str) -> None:
    table = shipped(board)
    seen = [*questions(asked(board)), *questions(lambda: begun(asked(board))), *questions(lambda: pause(asked(board)))]
    assert {question.say.id for question in seen} >= {"table.ask-mode", "table.ask-pause", "table.ask-end"}
    assert any(len(question.choices) == len(BRIGHTNESS) for question in seen)
    for question in seen:
        apart(question, table)
        assert 0 <= question.usual < len(question.choices)
        assert all(str(choice.say) for choice in question.choices)
        assert str(question.say)


def apart(question: Question, board: Board) -> None:
    """Each answer has a sign of its own, on the board."""
    signs = list(place_signs(question, board))
    assert len(signs) == len(question.choices)
    assert all(signs)
    points = [point for sign in signs for point in sign]
    assert len(set(points)) == len(points)
    assert set(points) <= set(board.places)


@pytest.mark.parametrize("files", [6, 7, 8, 9, 11, 16])
@pytest.mark.parametrize("ranks", [6, 7, 8, 9, 12, 16])
def test_signs_lie_apart_on_boards_of_any_size(files: int, ranks: int, tmp_path: Path) -> None:
    board = own(f"{PLAIN}[points]\nfiles = {files}\nranks = {ranks}", tmp_path)
    games = [load(name) for name in names() if name != "zhizhu"]
    for question in questions(lambda: pause(lambda: new_game(games, USUAL, board))):
        apart(question, board)


@pytest.mark.parametrize("board", ["grid", "web", "pits"])
@given(count=st.integers(2, 12))
def test_any_number_of_answers_up_to_twelve_finds_its_place(board: str, count: int) -> None:
    sign = ("###",) * 4
    choices = tuple(Choice(str(number), Reason.of("menu.new"), sign) for number in range(count))
    apart(Question(Reason.of("table.ask-begun"), choices), shipped(board))


def drawn(signs: tuple[dict[str, int], ...]) -> list[str]:
    """The grid from above, with the number of the sign on each point."""
    at = {point: str(number) for number, sign in enumerate(signs) for point in sign}
    return ["".join(at.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in range(8, 0, -1)]


def test_the_question_of_the_game_is_drawn_in_the_corners() -> None:
    table = Asked(asked("grid"))
    assert drawn(table.menu.signs) == [
        "000..111", "000..1.1", "000..111", "........", "........", "222...3.", ".....333", "222...3.",
    ]  # fmt: skip
    assert table.lit() == {point for sign in table.menu.signs for point in sign}


def test_the_question_of_the_sides_has_each_sign_before_its_player() -> None:
    question = Question(Reason.of("table.ask-sides"), (option("near"), option("far")))
    assert drawn(tuple(place_signs(question, shipped("grid")))) == [
        "..111...", "...1....", "........", "........", "........", "........", "...0....", "..000...",
    ]  # fmt: skip


def test_brightness_is_asked_by_bars() -> None:
    choices = tuple(Choice(str(level), Reason.of("menu.brightness", level=level)) for level in BRIGHTNESS)
    signs = tuple(place_signs(Question(Reason.of("table.ask-brightness"), choices), shipped("grid")))
    assert drawn(signs) == [
        ".......7", "......67", ".....567", "....4567", "...34567", "..234567", ".1234567", "01234567",
    ]  # fmt: skip
