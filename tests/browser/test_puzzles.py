"""Puzzles on the page: solved by mouse and by keys, with the other side's answers, hints, and a row that is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.score import ScoreSheet
from games.puzzles import known, to_find
from games.rules import Game, Puzzle, game_class, load

from .conftest import Start, Visit
from .keyboard import Typist
from .playing import PHONE, Player, expect
from .test_for_everybody import in_both_lights

TASK = "document.querySelector('#puzzle-task').textContent"
BEGUN = "state.table.lesson?.puzzle && state.table.lesson.number === wanted && state.now.state === 'rest'"


def lying(name: str, number: int) -> tuple[Game[Any], Puzzle]:
    puzzle = game_class(name).puzzles[number - 1]
    return load(name, **dict(puzzle.options)), puzzle


def first_of(name: str, turns: int) -> int:
    """The number of the first puzzle with so many turns to find."""
    return next(number for number, each in enumerate(game_class(name).puzzles, start=1) if to_find(each) == turns)


def opened(player: Player, name: str, number: int = 1) -> None:
    """Come in by the door beside Learn, and choose a puzzle."""
    player.tap("#open-start")
    player.tap(f'[data-puzzle="{name}"]')
    player.until("state.table.lesson?.puzzle && document.querySelector('#puzzle:not([hidden])')")
    if number > 1:
        player.page.locator("#puzzle-choice").select_option(f"number {number}")
    player.until(BEGUN, number)


def plays(player: Player, name: str, number: int, *, taps: bool) -> None:
    """Find every turn of a puzzle; the other side answers by itself."""
    game, puzzle = lying(name, number)
    sheet = ScoreSheet(game, game.position(puzzle.position), house_rule=False)
    for step in range(to_find(puzzle)):
        if step:
            sheet.read(puzzle.turns[2 * step - 1])
            player.stands([entry.turn.text for entry in sheet.played_turns])
            player.is_in("rest")
            assert f"find turn {step + 1} of {to_find(puzzle)}" in player.text("#puzzle-task")
        player.plays(sheet, puzzle.turns[2 * step], taps=taps)
    player.until("state.table.lesson.solved")


def test_a_puzzle_of_two_turns_by_mouse_and_the_row_goes_on(start: Start, visit: Visit) -> None:
    player, number = visit(start("zong-heng")), first_of("zong-heng", 2)
    opened(player, "zong-heng", number)
    assert player.text("#puzzle-title") == f"Puzzle {number} of {len(game_class('zong-heng').puzzles)}"
    assert "takes 2 turns" in player.text("#puzzle-task")
    plays(player, "zong-heng", number, taps=False)
    assert player.text("#puzzle-task").startswith("Solved:")
    assert player.text("#streak") == "In a row: 1. Best: 1."
    player.tap("#puzzle-on")
    player.until(BEGUN, number + 1)
    player.page.reload()
    player.until("document.querySelector('#streak')?.textContent === wanted", "In a row: 1. Best: 1.")
    player.tap("#open-start")
    expect(player.page.locator('[data-puzzle="zong-heng"]')).to_be_visible()


def test_a_puzzle_by_keys_from_the_door_to_the_next(start: Start, visit: Visit) -> None:
    typist = visit(start("yin-yang"), who=Typist)
    typist.page.locator("#open-start").focus()
    typist.key("Enter")
    typist.page.locator('[data-puzzle="yin-yang"]').focus()
    typist.key("Enter")
    typist.until(BEGUN, 1)
    typist.until("document.querySelector('#puzzle:not([hidden])')")
    typist.sits_down()
    plays(typist, "yin-yang", 1, taps=True)
    typist.page.locator("#puzzle-on").focus()
    typist.key("Enter")
    typist.until(BEGUN, 2)


def test_another_turn_is_taken_back_and_ends_the_row_and_so_does_the_solution(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang"))
    opened(player, "yin-yang")
    plays(player, "yin-yang", 1, taps=False)
    assert player.text("#streak") == "In a row: 1. Best: 1."
    player.tap("#puzzle-on")
    player.until(BEGUN, 2)
    game, puzzle = lying("yin-yang", 2)
    sheet = ScoreSheet(game, game.position(puzzle.position), house_rule=False)
    good = known(game, sheet.position, puzzle.turns[0]).after
    player.plays(sheet, next(turn.text for turn in sheet.turns if turn.after != good))
    player.hears("is a turn, but not the one that is looked for")
    player.until("document.querySelector('#streak').textContent === wanted", "In a row: 0. Best: 1.")
    player.is_in("rest")
    plays(player, "yin-yang", 2, taps=False)
    assert player.text("#streak") == "In a row: 0. Best: 1."
    player.tap("#puzzle-on")
    player.until(BEGUN, 3)
    turn = game_class("yin-yang").puzzles[2].turns[0]
    player.press("hint")
    player.hears("begins at one of the lit places")
    player.tap("#puzzle-solution")
    player.hears(f"The turn is {turn}")
    player.lit("hint", turn.partition("-")[0])
    expect(player.page.locator("#puzzle-solution")).to_be_disabled()


@pytest.mark.parametrize("name", ["zig-zag"])
def test_a_puzzle_on_a_phone_has_nothing_that_axe_finds(start: Start, visit: Visit, name: str) -> None:
    phone = visit(start(name), **PHONE)
    opened(phone, name)
    in_both_lights(phone)
    plays(phone, name, 1, taps=True)
    in_both_lights(phone)


def thrown_away(path: Path) -> tuple[ScoreSheet, str]:
    """A game in which a win was thrown away, kept at `path`: how it stood before, and what would have won."""
    game, puzzle = lying("zong-heng", 4)
    sheet = ScoreSheet(game, game.position(puzzle.position), house_rule=False)
    good = known(game, sheet.position, puzzle.turns[0])
    bad = next(turn.text for turn in sheet.turns if turn.after != good.after)
    path.write_text(
        f"tablelight 1\ngame zong-heng size=6\nsense colour\nposition {puzzle.position}\nturn {bad}\nagree\n"
    )
    return sheet, good.text


def test_a_game_that_is_explained_gives_puzzles_of_its_own(start: Start, visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "over.table"
    sheet, better = thrown_away(path)
    player = visit(start("zong-heng", "--resume", str(path)))
    player.is_in("over")
    player.tap("#explain")
    player.until("state.review?.state === 'made'")
    player.tap("#puzzles-found")
    player.until("state.table.lesson?.puzzle?.own && state.now.state === 'rest'")
    player.until("document.querySelector('#puzzle-title')?.textContent === wanted", "A puzzle from your game")
    player.plays(sheet, better)
    player.until("state.table.lesson.solved")
    assert player.text("#puzzle-task").startswith("Solved:")
    player.tap("#puzzle-on")  # on with those of the game
    player.until(BEGUN, 1)
    player.until("document.querySelectorAll('#puzzle-choice option[value^=own]').length === 1")
