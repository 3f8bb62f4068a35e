"""Lessons at a table without a screen: chosen by light, solved by hands, kept for the next evening."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.config import Config, GameConfig, RecordConfig
from firmware_bridge.lessons import Progress
from firmware_bridge.session import Press, Teach
from games.lessons import solutions
from games.rules import Game, load, names
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.session.screenless_players import Hands, ScreenlessTable


def course(name: str) -> Game[Any]:
    return load(name, **load(name).lesson_options)


def learning(name: str, lesson: int | None = None, **given: Any) -> ScreenlessTable:
    """A lesson chosen at the table; None presses Done for the usual one. The board is set up as the lights show."""
    table = ScreenlessTable(**given)
    table.choose(name)
    table.choose("learn")
    if lesson is None:
        table.press("done")
    else:
        table.choose(str(lesson))
    return set_up(table)


def set_up(table: ScreenlessTable) -> ScreenlessTable:
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    table.now = hands.now
    table.events += hands.events
    return table


def style(game: Game[Any]) -> Any:
    return STYLES["done" if game.pieces == "seeds" else "finger"]


def solve(table: ScreenlessTable) -> Hands:
    """Make the first turn that solves the lesson in hand."""
    tutor = table.session.daemon.tutor
    hands = table.seated()
    hands.take(solutions(tutor.exercise.lesson, tutor.game)[0], style(tutor.game))
    hands.run(3.0)
    table.now = hands.now
    table.events += hands.events
    return hands


@pytest.mark.parametrize("sense", [Sense.PRESENCE, None], ids=["presence", "full"])
@pytest.mark.parametrize("name", names())
def test_all_lessons_are_solved_by_hands_and_a_first_game_follows(name: str, sense: Sense | None) -> None:
    full = Sense.COUNT if load(name).pieces == "seeds" else Sense.COLOUR
    table = learning(name, 1, sense=sense or full)
    game = course(name)
    for number, lesson in enumerate(game.lessons, start=1):
        tutor = table.session.daemon.tutor
        assert (tutor.number, tutor.exercise.lesson) == (number, lesson)
        assert table.events[-1].say == game.lesson_says(lesson)
        solve(table)
        assert tutor.solved
        assert game.lesson_says(lesson, "done") in [event.say for event in table.events]
        table.press("done")
        if number < len(game.lessons):
            set_up(table)
    assert table.session.progress.solved(game) == tuple(range(1, len(game.lessons) + 1))
    daemon = table.session.daemon
    assert daemon.tutor is None
    assert daemon.table.sheet.levels == (0, 1)
    assert daemon.table.setting
    assert str(daemon.table.sheet.position) == str(load(name).start())


@pytest.mark.parametrize("name", names())
def test_another_legal_turn_is_taken_back_and_one_may_try_again(name: str) -> None:
    table = learning(name, 1)
    tutor, sheet = table.session.daemon.tutor, table.sheet
    good = {turn.after for turn in solutions(tutor.exercise.lesson, tutor.game)}
    hands = table.seated()
    hands.take(next(turn for turn in sheet.turns if turn.after not in good), style(tutor.game))
    hands.run(3.0)
    table.now = hands.now
    table.events += hands.events
    assert table.said[-3:].count("lesson-other") == 1
    assert "undone" in table.said
    assert not tutor.solved
    assert not sheet.played_turns
    set_up(table)
    assert table.said[-1] == "lesson"
    solve(table)
    assert tutor.solved


@pytest.mark.parametrize("name", names())
def test_a_solved_lesson_whose_turn_is_taken_back_asks_for_it_again(name: str) -> None:
    number = len(course(name).lessons)
    table = learning(name, number)
    tutor = table.session.daemon.tutor
    solve(table)
    assert tutor.solved
    table.press("undo")
    set_up(table)
    assert not tutor.solved
    assert not table.sheet.played_turns
    assert table.said[-1] == "lesson"
    assert table.lit()
    solve(table)
    assert tutor.solved


@pytest.mark.parametrize(
    ("name", "lesson", "turn", "why"),
    [
        ("zhizhu", 2, "a3", "a2, a3 and a4 lie on a ring, and a ring needs five."),
        ("zhizhu", 3, "b2", "b2 is allowed, but does not capture what is asked for."),
        ("zhizhu", 5, "a1-a2", "a1-a2 is allowed, but the game goes on after it."),
        ("zong-heng", 5, "a1-a4", "a1-a4 is allowed, but ends the game with your 10 against 11, which does not win."),
        ("yin-yang", 2, "d2-b2", "That stone has only two neighbours of its colour."),
        ("yin-yang", 3, "d3-d1", "d3-d1 is allowed, but makes 5, and 7 are asked for."),
        ("zong-heng", 2, "a3-b3", "a3-b3 is allowed, but its row is too short."),
        ("zig-zag", 5, "S6", "That captures, but fewer than eleven."),
        ("zig-zag", 5, "S2", "That captures nothing now."),
        ("zig-zag", 2, "S2", "S2 is allowed, but its sowing ends too soon."),
    ],
)
def test_of_another_turn_it_is_told_what_it_lacks(name: str, lesson: int, turn: str, why: str) -> None:
    table = learning(name, lesson)
    hands = table.seated()
    hands.take(next(each for each in table.sheet.turns if each.text == turn), style(course(name)))
    hands.run(3.0)
    (told,) = (str(event.say) for event in hands.events if event.name == "lesson-other")
    assert told.startswith(why)
    assert told.endswith("taken back: try again.")


def test_an_illegal_turn_is_refused_with_its_rule() -> None:
    table = learning("zong-heng", 3, sense=Sense.COLOUR)
    game, sheet = course("zong-heng"), table.sheet
    refused = next(turn for turn in game.refused(sheet.position) if turn.text == "f6-c6")  # as its task asks for
    hands = table.seated()
    hands.play(refused, STYLES["finger"])
    hands.run(3.0)
    assert any(event.say.id == "zong-heng.majority" for event in hands.events)
    assert not table.session.daemon.tutor.solved


def test_hint_says_the_hint_and_lights_what_solves_it() -> None:
    table = learning("yin-yang", 6)
    table.press("hint")
    assert table.events[-1].say.id == "yin-yang.lesson-last-hint"
    lit = {site for site, cue in table.session.daemon.scene.cues.items() if cue.kind == "hint"}
    assert lit == {"d5"}
    table.run(10.0)
    lit = {site for site, cue in table.session.daemon.scene.cues.items() if cue.kind == "hint"}
    assert lit == {"d5"}  # who has asked once sees it until the turn is made


def test_done_takes_the_first_lesson_that_was_not_solved(tmp_path: Path) -> None:
    config = Config(game=GameConfig("yin-yang"), record=RecordConfig(folder=str(tmp_path)))
    table = learning("yin-yang", 1, config=config, folder=tmp_path)
    solve(table)
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".table"]  # a lesson leaves no record
    table.session.close()
    later = learning("yin-yang", None, config=config, folder=tmp_path)
    assert later.session.daemon.tutor.number == 2
    assert Progress(tmp_path / "lessons" / "solved.json").known == {"yin-yang": ("one",)}


@pytest.mark.parametrize("data", [b"", b"[]", b'{"yin-yang": 3}', b"\xff", b'{"yin-yang": ["nothing"]}'])
def test_a_damaged_file_forgets_and_hurts_nobody(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "solved.json"
    path.write_bytes(data)
    progress, game = Progress(path), load("yin-yang")
    assert progress.solved(game) == ()
    assert progress.next_lesson(game) == 1
    progress.note(game, game.lessons[1].name)
    progress.close()
    assert Progress(path).solved(game) == (2,)


def test_all_solved_begins_with_the_first_again() -> None:
    progress, game = Progress(), load("yin-yang")
    for lesson in game.lessons:
        progress.note(game, lesson.name)
    assert progress.next_lesson(game) == 1


def test_the_page_asks_for_lessons_of_a_real_table() -> None:
    table = ScreenlessTable()
    table.session.obey(Teach("zhizhu", 9), table.now)
    assert table.session.menu is not None  # there is no such lesson, and nothing has happened
    table.session.obey(Teach("zhizhu", 2), table.now)
    assert table.session.menu is None
    set_up(table)
    assert table.session.daemon.tutor.number == 2
    solve(table)
    table.session.obey(Press("done"), table.now)
    assert table.session.daemon.tutor.number == 3


def test_a_lesson_that_does_not_fit_on_the_board_is_refused() -> None:
    table = ScreenlessTable("pits")
    (said,) = table.session.obey(Teach("zong-heng", 1), table.now)
    assert said.name == "refused"
    assert table.session.menu is not None
