"""Puzzles at a table without a screen: chosen by light, answered by the other side, with hints by light."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_bridge.config import Config, GameConfig, RecordConfig
from firmware_bridge.lessons import OwnPuzzle
from firmware_bridge.session import Solve
from games.puzzles import to_find
from games.rules import game_class, load, names
from hardware.device import Sense
from tests.session.screenless_players import ScreenlessTable
from tests.session.test_lessons_by_light import set_up, style

OWN = OwnPuzzle(
    "yin-yang", {}, "xoox../xooo../xxoo../oxoo../xo.ox./.ox... 1", "win", "a2-a1", "2026-11-25", 9, "x.table"
)


def puzzling(name: str, number: int = 1, **given: Any) -> ScreenlessTable:
    """A puzzle asked for on the page, with the board set up as the lights show."""
    table = ScreenlessTable(**given)
    table.session.obey(Solve(name, number), table.now)
    return set_up(table)


def play(table: ScreenlessTable, text: str) -> None:
    """Make the turn of this text, and wait."""
    sheet = table.session.daemon.table.sheet
    hands = table.seated()
    hands.take(next(turn for turn in sheet.turns if turn.text == text), style(sheet.game))
    hands.run(3.0)
    table.now = hands.now
    table.events += hands.events


def carry_out(table: ScreenlessTable) -> str:
    """Make the turn that the lights ask for; its text."""
    planned = table.session.daemon.table.planned
    assert planned
    play(table, planned.text)
    return planned.text


def hinted(table: ScreenlessTable) -> set[str]:
    return {site for site, cue in table.session.daemon.scene.cues.items() if cue.kind == "hint"}


@pytest.mark.parametrize("name", names())
def test_a_puzzle_of_two_turns_is_solved_with_the_answer_between_them(name: str) -> None:
    puzzles = game_class(name).puzzles
    number = next(number for number, each in enumerate(puzzles, start=1) if to_find(each) == 2)
    first, answer, second = puzzles[number - 1].turns
    sense = Sense.COUNT if game_class(name).pieces == "seeds" else Sense.COLOUR
    table = puzzling(name, number, sense=sense)
    tutor = table.session.daemon.tutor
    assert table.said[-1] == "lesson"
    play(table, first)
    assert (tutor.stage.found, tutor.solved) == (1, False)
    assert carry_out(table) == answer
    assert table.events[-1].say.id == "table.puzzle-on"
    play(table, second)
    assert tutor.solved
    assert not tutor.stage.missed
    assert table.session.progress.next_puzzle(load(name), number - 1) == number + 1


def test_a_solved_puzzle_whose_last_turn_is_taken_back_asks_for_it_again() -> None:
    puzzles = game_class("zhizhu").puzzles
    number = next(number for number, each in enumerate(puzzles, start=1) if to_find(each) == 2)
    first, _, second = puzzles[number - 1].turns
    table = puzzling("zhizhu", number, sense=Sense.COLOUR)
    tutor = table.session.daemon.tutor
    play(table, first)
    carry_out(table)
    play(table, second)
    assert tutor.solved
    table.press("undo")
    set_up(table)
    assert (tutor.stage.found, tutor.solved) == (1, False)
    assert table.said[-1] == "lesson"
    play(table, second)
    assert tutor.solved


def test_the_menu_leads_to_the_next_puzzle_and_done_to_the_one_after(tmp_path: Path) -> None:
    config = Config(game=GameConfig("yin-yang"), record=RecordConfig(folder=str(tmp_path)))
    table = ScreenlessTable(config=config, folder=tmp_path)
    for answer in ("yin-yang", "learn", "puzzle"):
        table.choose(answer)
    set_up(table)
    tutor = table.session.daemon.tutor
    assert tutor.number == 1
    play(table, tutor.exercise.puzzle.turns[0])
    table.press("done")
    assert table.session.daemon.tutor.number == 2
    table.session.close()
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".table"]  # a puzzle leaves no record
    later = ScreenlessTable(config=config, folder=tmp_path)
    for answer in ("yin-yang", "learn", "puzzle"):
        later.choose(answer)
    assert later.session.daemon.tutor.number == 2  # what was solved is known the next evening


def test_another_turn_is_a_miss_and_may_be_tried_again() -> None:
    table = puzzling("yin-yang")
    tutor, sheet = table.session.daemon.tutor, table.session.daemon.table.sheet
    good = tutor.exercise.puzzle.turns[0]
    play(table, next(turn.text for turn in sheet.turns if not tutor.exercise.right(0, sheet.position, turn)))
    assert "lesson-other" in table.said
    assert tutor.stage.missed
    assert not sheet.played_turns
    set_up(table)
    assert table.said[-1] == "lesson"
    play(table, good)
    assert tutor.solved


def test_a_wrong_second_turn_leaves_the_first_and_its_answer() -> None:
    puzzles = game_class("zhizhu").puzzles
    number = next(number for number, each in enumerate(puzzles, start=1) if to_find(each) == 2)
    table = puzzling("zhizhu", number, sense=Sense.COLOUR)
    tutor, sheet = table.session.daemon.tutor, table.session.daemon.table.sheet
    play(table, tutor.exercise.puzzle.turns[0])
    carry_out(table)
    play(table, next(turn.text for turn in sheet.turns if not tutor.exercise.right(1, sheet.position, turn)))
    assert [entry.turn.text for entry in sheet.played_turns] == list(tutor.exercise.puzzle.turns[:2])
    assert tutor.stage.found == 1
    set_up(table)
    table.press("undo")  # the turn that was right, and its answer
    set_up(table)
    assert not sheet.played_turns
    assert tutor.stage.found == 0
    assert table.events[-1].say == tutor.exercise.task(0)


def test_hint_shows_where_it_begins_and_pressed_again_the_turn() -> None:
    table = puzzling("yin-yang")
    tutor = table.session.daemon.tutor
    (turn,) = tutor.exercise.puzzle.turns
    table.press("hint")
    assert table.events[-1].say.id == "table.puzzle-hint"
    assert turn.partition("-")[0] in hinted(table)
    table.press("hint")
    assert turn in str(table.events[-1].say)
    assert hinted(table) == {turn.partition("-")[0]}
    assert tutor.stage.helped == 2
    play(table, turn)
    assert (tutor.solved, tutor.stage.missed) == (True, False)


def test_a_hint_where_each_place_begins_one_turn_lights_two() -> None:
    table = puzzling("zig-zag", sense=Sense.COUNT)
    tutor = table.session.daemon.tutor
    table.press("hint")
    lit = hinted(table)
    assert len(lit) == 2
    assert tutor.exercise.puzzle.turns[0] in lit


def test_a_puzzle_from_ones_own_game_comes_whole_and_done_leads_to_the_others() -> None:
    table = ScreenlessTable()
    (said,) = table.session.obey(Solve("yin-yang", own=OWN), table.now)
    assert str(said.say) == "A puzzle from one of your games of Yin-Yang: 2026-11-25, turn 9."
    set_up(table)
    play(table, "a2-a1")
    assert table.session.daemon.tutor.solved
    assert table.session.progress.known == {}  # it is no part of the game
    table.press("done")
    assert table.session.daemon.tutor.number == 1


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        (Solve("yin-yang", 99), "no puzzle 99"),
        (Solve("nothing", 1), "there is no game 'nothing'"),
        (Solve("yin-yang", own=replace(OWN, better="a1-a2")), "a1"),
        (Solve("yin-yang", own=replace(OWN, position="x")), "'x'"),
        (Solve("yin-yang", own=replace(OWN, options={"size": 3})), "no option 'size'"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_the_reason(request_: Solve, fault: str) -> None:
    table = ScreenlessTable()
    (said,) = table.session.obey(request_, table.now)
    assert said.name == "refused"
    assert fault in str(said.say)
    assert table.session.menu is not None


def test_a_puzzle_that_does_not_fit_on_the_board_is_refused() -> None:
    table = ScreenlessTable("pits")
    (said,) = table.session.obey(Solve("zong-heng", 1), table.now)
    assert said.name == "refused"
