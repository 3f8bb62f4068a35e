"""Whole games on the page, from the first turn to the last, as people make them with mouse, finger and keys."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import Game, Position, load
from hardware.device import Sense

from .conftest import Start, Visit
from .keyboard import Typist
from .playing import PHONE, Player
from .running import Program
from .short_games import YIN_YANG, ZHIZHU, ZIG_ZAG, ZONG_HENG


def over(player: Player, program: Program, sheet: ScoreSheet) -> None:
    """The game is over by the rules, the page says so, and the record tells the same game."""
    assert sheet.outcome
    assert sheet.outcome == sheet.game.outcome(sheet.position)
    player.is_in("over")
    assert player.text("#outcome") == str(sheet.outcome)
    assert player.board() == list(sheet.position.board)
    kept = program.kept()
    assert [entry.turn.text for entry in kept.played_turns] == [entry.turn.text for entry in sheet.played_turns]
    assert kept.outcome == sheet.outcome


@pytest.mark.parametrize(
    ("game", "sense", "options", "turns"),
    [
        ("zong-heng", "colour", {"size": 6}, ZONG_HENG),
        pytest.param("zhizhu", "presence", {}, ZHIZHU, marks=pytest.mark.long),
        pytest.param("yin-yang", "presence", {}, YIN_YANG, marks=pytest.mark.long),
    ],
)
def test_a_game_of_stones_with_the_mouse(
    start: Start, visit: Visit, game: str, sense: str, options: dict[str, int], turns: list[str]
) -> None:
    words = [word for name, value in options.items() for word in ("-O", f"{name}={value}")]
    program = start(game, "--sense", sense, *words)
    player = visit(program)
    sheet = ScoreSheet(load(game, **options))
    for number, text in enumerate(turns):
        player.plays(sheet, text, taps=number % 3 == 2)
    over(player, program, sheet)


@pytest.mark.long
def test_a_game_of_seeds_with_the_mouse(start: Start, visit: Visit) -> None:
    program = start("zig-zag", "--sense", "count")
    player = visit(program)
    sheet = ScoreSheet(load("zig-zag"))
    for number, text in enumerate(ZIG_ZAG):
        player.plays(sheet, text, by_itself=number == 0)
    over(player, program, sheet)


def test_a_game_without_a_pointer(start: Start, visit: Visit) -> None:
    program = start("yin-yang", "--sense", "colour")
    player = visit(program, who=Typist)
    player.sits_down()
    sheet = ScoreSheet(load("yin-yang"))
    for text in YIN_YANG:
        player.plays(sheet, text, taps=True)
    over(player, program, sheet)


def test_a_game_on_a_phone(start: Start, visit: Visit) -> None:
    program = start("yin-yang")
    player = visit(program, **PHONE)
    assert player.page.evaluate("() => document.documentElement.scrollWidth") <= 360
    sheet = ScoreSheet(load("yin-yang"))
    for text in YIN_YANG:
        player.plays(sheet, text, taps=True)
    over(player, program, sheet)


@pytest.mark.long
def test_stones_dragged_by_a_finger_on_a_phone(start: Start, visit: Visit) -> None:
    program = start("zong-heng", "-O", "size=6", "--sense", "colour")
    player = visit(program, **PHONE)
    sheet = ScoreSheet(load("zong-heng", size=6))
    for text in ZONG_HENG[:4]:
        player.plays(sheet, text)
    assert program.kept().length == 4


@pytest.mark.long
def test_rows_and_captures_by_keys(start: Start, visit: Visit) -> None:
    program = start("zong-heng", "-O", "size=6", "--sense", "colour")
    player = visit(program, who=Typist)
    player.sits_down()
    player.goes("c3")
    player.key("Shift+ArrowDown")
    player.shows([("c3", 0), ("c2", 1)])
    player.key("d")
    player.stands(["c3-c2"])
    player.key("u")
    player.is_in("setting")
    player.takes_off("c2")
    player.is_in("rest")
    player.stands([])
    player.lifts("c3")
    player.key("Escape")
    player.shows([("c3", 1)])
    player.is_in("rest")


@pytest.mark.long
def test_seeds_by_keys(start: Start, visit: Visit) -> None:
    program = start("zig-zag", "--sense", "presence")
    player = visit(program, who=Typist)
    player.sits_down()
    player.goes("S1")
    player.key("s")
    player.stands(["S1"])
    kept = program.kept()
    assert [entry.turn.text for entry in kept.played_turns] == ["S1"]
    player.shows(zip(kept.game.sites, kept.position.board, strict=True))


def slid(game: Game[Position]) -> ScoreSheet:
    """A game of ZhiZhu in which all stones have been placed and none was captured."""
    for seed in range(1000):
        sheet, luck = ScoreSheet(game), Random(seed)
        while sheet.length < 18 and not sheet.outcome:
            sheet.accept(luck.choice(sheet.turns))
        if sum(map(bool, sheet.position.board)) == 18:
            return sheet
    raise AssertionError("no such game")


@pytest.mark.long
def test_stones_slid_along_the_web_in_a_game_gone_on_with(start: Start, visit: Visit, tmp_path: Path) -> None:
    sheet = slid(load("zhizhu"))
    path = tmp_path / "begun.table"
    Record(path, sheet, Sense.COLOUR).close()
    program = start("zhizhu", "--resume", str(path))
    player = visit(program)
    luck = Random(3)
    for _ in range(6):
        slides = [turn for turn in sheet.turns if len(turn.steps) == 2]
        player.plays(sheet, luck.choice(slides).text)
    assert program.kept(path).length == 24
