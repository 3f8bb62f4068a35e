"""What stands beside the board: the turns so far, a new game, the lights' mode, the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start, Visit
from .playing import expect
from .short_games import YIN_YANG, ZONG_HENG


def test_looking_back_and_on_again(start: Start, visit: Visit) -> None:
    program = start("yin-yang", "--sense", "colour")
    player, sheet = visit(program), ScoreSheet(load("yin-yang"))
    for text in YIN_YANG[:3]:
        player.plays(sheet, text)
    boards = [list(entry.position.board) for entry in sheet.played_turns] + [list(sheet.position.board)]
    assert player.turns() == YIN_YANG[:3]
    for turn in (2, 1, 0):
        player.tap('[data-look="back"]')
        assert player.board() == boards[turn]
    assert player.cues() == {}
    assert player.text("#say") == "You look at the board as it was at the start."
    player.touches("d5")
    assert player.ask("state.hand") is None
    player.tap('[data-look="on"]')
    assert player.board() == boards[1]
    player.tap('[data-turn="2"]')
    assert player.board() == boards[2]
    assert player.text("#say") == f"Turn 2: Two plays {YIN_YANG[1]}."
    expect(player.page.locator(".site.changed")).to_have_count(2)
    player.tap("#back-to-now")
    assert player.board() == boards[3]
    player.plays(sheet, YIN_YANG[3])
    player.tap('[data-look="back"]')
    player.tap("#open-end")
    player.tap("#end-ways button:first-child")
    player.is_in("over")
    player.page.locator("#outcome").wait_for()  # a result brings one back to now
    expect(player.page.locator("#back-to-now")).to_be_hidden()


def test_a_new_game_with_its_options(start: Start, visit: Visit) -> None:
    program = start("zig-zag")
    player = visit(program)
    player.tap("#open-new")
    expect(player.page.locator("#new-sense")).to_have_value("count")
    player.page.check("#new-games [value=zong-heng]")
    player.page.select_option("#option-size", "10")
    player.page.select_option("#option-setup", "diagonals")
    player.tap("#new-ok")
    player.until("state.table.game === wanted && state.now && state.story", "zong-heng")
    assert player.ask("state.table.sense") == "colour"  # as much as there is to sense, as before
    game = load("zong-heng", size=10, setup="diagonals")
    assert player.board() == list(game.start().board)
    assert player.page.title().startswith("Zong-Heng")
    kept = program.kept(program.latest())
    assert kept.game.name == "zong-heng"
    assert kept.game.chosen == game.chosen
    turn = game.turns(game.start())[0]
    player.hears(" begins. ")
    player.lifts(turn.steps[0].site)
    player.is_in("under-way")
    assert not player.text("#say")  # that is no news in mid-turn
    player.touches(turn.steps[0].site)
    player.plays(ScoreSheet(game), turn.text)
    assert program.kept().game.name == "zig-zag"
    player.opens("workshop")
    player.page.select_option("#sense", "presence")
    player.until("state.table.sense === wanted", "presence")
    player.tap("#open-new")
    player.page.check("#new-games [value=zig-zag]")
    expect(player.page.locator("#new-sense")).to_have_value("presence")  # the player has chosen less


@pytest.mark.long
def test_a_board_set_up_by_light(start: Start, visit: Visit) -> None:
    program = start("yin-yang", "--sense", "colour")
    player = visit(program)
    player.tap("#open-new")
    player.page.check("#new-set-up")
    player.tap("#new-ok")
    player.is_in("setting")
    board = load("yin-yang").start().board
    player.lights("missing")
    assert len(player.cues()) == sum(map(bool, board))
    for site, level in zip(load("yin-yang").sites, board, strict=True):
        if level:
            player.lays(level, site)
    player.is_in("rest")
    player.hears(" begins. ")


@pytest.mark.long
def test_the_lights_tell_less_in_referee_mode(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng"))
    player.lights("movable")
    player.opens("settings")
    player.page.select_option("#mode", "referee")
    player.lights()
    player.press("hint")
    player.lights("movable")
    player.page.select_option("#mode", "coach")
    player.until("state.table.mode === wanted", "coach")


@pytest.mark.long
def test_the_record_is_downloaded_as_it_is_on_disk(start: Start, visit: Visit, tmp_path: Path) -> None:
    program = start("zong-heng", "-O", "size=6", "--sense", "colour")
    player, sheet = visit(program), ScoreSheet(load("zong-heng", size=6))
    for text in ZONG_HENG[:2]:
        player.plays(sheet, text)
    player.opens("settings")
    with player.page.expect_download() as download:
        player.tap("#record")
    kept = tmp_path / "downloaded.table"
    download.value.save_as(kept)
    assert kept.read_bytes() == program.record.read_bytes()
    assert program.kept(kept).length == 2
