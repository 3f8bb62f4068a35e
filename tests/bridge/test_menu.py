"""Choosing by light: where the signs lie, and which stones answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.dialogues import BRIGHTNESS, Plan, begun, new_game, option, pause
from firmware_bridge.light import Looks
from firmware_bridge.menu import SETTLE, Choice, Dialogue, Menu, Question, placed
from firmware_bridge.scene import MODES
from games.rules import Reason, load, names
from hardware.board import Board, find_board, read_board
from hardware.device import Sense
from hardware.simulated import SimulatedTable

USUAL = Plan("zong-heng", "coach", False, 104)
PLAIN = "[scanner]\nkind = 'shift_register'\nregisters = 32\n"


def shipped(name: str) -> Board:
    return read_board(find_board(name))


def own(text: str, folder: Path) -> Board:
    path = folder / "board.toml"
    path.write_text(text)
    return read_board(path)


FITTING = {"grid": names(), "web": ("zhizhu",), "pits": ("zig-zag",)}


def asked(board: str) -> Callable[[], Dialogue[Any]]:
    """The dialogue for a new game at that board."""
    games = [load(name) for name in FITTING[board]]
    return lambda: new_game(games, USUAL, seats=board == "grid")


def questions(dialogue: Callable[[], Dialogue[Any]]) -> list[Question]:
    """Every question that the dialogue can come to, whatever is answered."""
    found: dict[tuple[str, ...], Question] = {}
    paths: list[list[str]] = [[]]
    for path in paths:
        asking = dialogue()
        try:
            question = next(asking)
            for answer in path:
                question = asking.send(answer)
        except StopIteration:
            continue
        ids = tuple(choice.id for choice in question.choices)
        if ids not in found:
            paths += [[*path, choice.id] for choice in question.choices]
        found[ids] = question
    return list(found.values())


class Asked:
    """A menu at a simulated board, and hands that lay stones."""

    def __init__(self, dialogue: Callable[[], Dialogue[Any]], board: Board | None = None, *before: str) -> None:
        self.board = board or shipped("grid")
        self.table = SimulatedTable(
            tuple(self.board.places), Sense.PRESENCE, self.board.places, length=self.board.length,
            wiring=self.board.channels, pixels=self.board.pixels,
        )  # fmt: skip
        self.table.lay([(point, 1) for point in before])
        points = tuple(self.board.places)
        scanner, lights = self.board.sensors(self.table, points), self.board.strip(self.table, points)
        self.menu: Menu[Any] = Menu(self.board, scanner, lights, dialogue, Looks())
        self.now = 0.0
        self.said: list[str] = []
        self.run(0.1)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * SCAN_HZ)):
            self.now += 1 / SCAN_HZ
            self.said += [event.say.id for event in self.menu.cycle(self.now)]

    def press(self, name: str) -> None:
        self.said += [event.say.id for event in self.menu.press(name)]
        self.run(0.1)

    def lay(self, *changes: tuple[str, int], wait: float = SETTLE + 0.05) -> None:
        """All at once, and then nothing for a while."""
        self.table.lay(changes)
        self.run(wait)

    def point(self, number: int) -> str:
        """A point of that answer's sign."""
        return next(iter(self.menu.signs[number]))

    @property
    def question(self) -> str:
        return self.menu.question.say.id

    def lit(self) -> set[str]:
        return {point for point in self.table.sites if any(self.table.light(point))}


# Signs ----------------------------------------------------------------------------------------


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
    signs = list(placed(question, board))
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
    for question in questions(lambda: pause(lambda: new_game(games, USUAL, seats=True))):
        apart(question, board)


@pytest.mark.parametrize("board", ["grid", "web", "pits"])
@given(count=st.integers(2, 8))
def test_any_number_of_answers_up_to_eight_finds_its_place(board: str, count: int) -> None:
    sign = ("###",) * 4
    choices = tuple(Choice(str(number), Reason.of("menu.new"), sign) for number in range(count))
    apart(Question(Reason.of("table.ask-begun"), choices), shipped(board))


def drawn(signs: tuple[dict[str, int], ...]) -> list[str]:
    """The grid from above, with the number of the sign on each point."""
    at = {point: str(number) for number, sign in enumerate(signs) for point in sign}
    return ["".join(at.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in range(8, 0, -1)]


def test_the_question_of_the_game_drawn() -> None:
    table = Asked(asked("grid"))
    assert drawn(table.menu.signs) == [
        "000..111", "000..1.1", "000..111", "........", "........", "222...3.", ".....333", "222...3.",
    ]  # fmt: skip
    assert table.lit() == {point for sign in table.menu.signs for point in sign}


def test_the_question_of_the_sides_has_each_sign_before_its_player() -> None:
    question = Question(Reason.of("table.ask-sides"), (option("near"), option("far")))
    assert drawn(tuple(placed(question, shipped("grid")))) == [
        "..111...", "...1....", "........", "........", "........", "........", "...0....", "..000...",
    ]  # fmt: skip


def test_brightness_is_asked_by_bars() -> None:
    choices = tuple(Choice(str(level), Reason.of("menu.brightness", level=level)) for level in BRIGHTNESS)
    signs = tuple(placed(Question(Reason.of("table.ask-brightness"), choices), shipped("grid")))
    assert drawn(signs) == [
        ".......7", "......67", ".....567", "....4567", "...34567", "..234567", ".1234567", "01234567",
    ]  # fmt: skip


# Stones ---------------------------------------------------------------------------------------


def test_a_stone_on_a_sign_answers_when_it_has_stood() -> None:
    table = Asked(asked("grid"))
    table.lay((table.point(1), 1), wait=SETTLE - 0.05)
    assert table.question == "table.ask-game"
    table.run(0.1)
    assert table.question == "table.ask-mode"
    assert table.said == ["table.ask-game", "menu.game", "table.ask-mode"]


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
    assert table.question == "table.ask-mode"
    table.run(3.0)
    assert table.question == "table.ask-mode"


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
    assert table.question == "table.ask-mode"
    assert "a8" in table.menu.signs[0]
    table.run(5.0)
    assert table.question == "table.ask-mode"


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
    quiet = [sign for sign in placed(asking, board) if not set(sign) & set(board.channels)]
    assert quiet == []


def test_masked_points_on_a_sign_do_no_harm(tmp_path: Path) -> None:
    text = find_board("grid").read_text().replace("masked = []", 'masked = ["a8", "f8", "c3"]')
    table = Asked(asked("grid"), own(text, tmp_path))
    table.lay(("a8", 1), wait=2.0)
    assert table.said == ["table.ask-game"]
    table.lay(("b8", 1))
    assert table.menu._answers == ["yin-yang"]


# Buttons --------------------------------------------------------------------------------------


def test_done_takes_the_usual_for_all_that_follows() -> None:
    table = Asked(asked("grid"))
    table.press("done")
    assert table.menu.over
    assert table.menu.result == USUAL
    table = Asked(asked("grid"))
    table.lay((table.point(1), 1))
    table.lay((table.point(2), 1))
    table.press("done")
    assert table.menu.result == Plan("zhizhu", "quiet", False, 104)


def test_undo_goes_back_one_question_at_a_time_and_no_farther_than_the_first() -> None:
    table = Asked(asked("grid"))
    for number in (1, 1, 1):
        table.lay((table.point(number), 1))
        table.lay(*[(point, 0) for point in table.board.places], wait=0.1)
    assert table.question == "table.ask-brightness"
    for question in ("sides", "mode", "game", "game"):
        table.press("undo")
        assert table.question == f"table.ask-{question}"
    table.lay((table.point(2), 1))
    table.press("done")
    assert table.menu.result == USUAL._replace(game="zig-zag")


def test_questions_with_one_answer_are_not_asked() -> None:
    table = Asked(asked("web"), shipped("web"))
    assert table.question == "table.ask-mode"
    table.press("undo")
    assert table.question == "table.ask-mode"
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
        ([1, 3, 1, 1, 7], Plan("zong-heng", "referee", True, 255)),
        ([2, 0], "first"),
        ([2, 1], "second"),
        ([2, 2], "agree"),
        ([2, 3], "go-on"),
    ],
)
def test_what_a_pause_comes_to(answers: list[int], result: object) -> None:
    table = Asked(lambda: pause(asked("grid")))
    for number in answers:
        table.lay((table.point(number), 1))
        table.lay(*[(point, 0) for point in table.board.places], wait=0.1)
    assert table.menu.over
    assert table.menu.result == result


def test_what_is_begun_is_gone_on_with_by_done() -> None:
    table = Asked(lambda: begun(asked("grid")))
    table.press("done")
    assert table.menu.result == "go-on"
    table = Asked(lambda: begun(asked("grid")))
    table.lay((table.point(1), 1))
    assert table.question == "table.ask-game"


@pytest.mark.parametrize("mode", MODES)
def test_the_usual_answers_are_those_of_last_time(mode: Any) -> None:
    games = [load(name) for name in names()]
    usual = Plan("zhizhu", mode, True, 47)
    table = Asked(lambda: new_game(games, usual, seats=True))
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
    assert table.question == "table.ask-mode"


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
