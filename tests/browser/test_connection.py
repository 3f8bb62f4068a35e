"""The line between page and table: reloaded, lost and found again, and who may do what over it."""

from __future__ import annotations

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start, Visit
from .playing import expect

SMALL = ("-O", "size=6", "--sense", "colour")
TOKEN = "an-evening-of-ours"
ON_THE_NETWORK = {"host": "0.0.0.0", "more": f'[page]\ntoken = "{TOKEN}"\n'}


def test_a_reload_in_the_middle_of_a_turn_loses_nothing(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL)
    player, sheet = visit(program), ScoreSheet(load("zong-heng", size=6))
    for text in ("c3-c2", "f4-f5"):
        player.plays(sheet, text)
    player.drags("a1", "b1")
    player.lit("place-here", "a1")
    board, turns = player.board(), player.turns()
    player.page.reload()
    player.until("state.connected && state.now && state.story && document.querySelector('[data-site]')")
    player.is_in("under-way")
    player.lit("place-here", "a1")
    assert (player.board(), player.turns()) == (board, turns)
    player.brings(1, "a1")
    player.stands(["c3-c2", "f4-f5", "a1-b1"])


def test_a_lost_connection_is_told_and_comes_back(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL)
    player, sheet = visit(program), ScoreSheet(load("zong-heng", size=6))
    player.forgiven = "WebSocket connection"
    player.plays(sheet, "c3-c2")
    killed = program.server
    program.kill_server()
    player.until("document.body.dataset.connected === 'no'")
    expect(player.page.locator("#connection")).to_be_visible()
    assert "connection to the table is lost" in player.text("#connection")
    expect(player.page.locator('[data-press="undo"]')).to_be_disabled()
    player.until("document.body.dataset.connected === 'yes'")
    player.page.locator("#connection").wait_for(state="hidden")
    assert program.server != killed
    player.until("state.story && state.now")
    assert player.turns() == ["c3-c2"]
    player.plays(sheet, "f4-f5")
    assert program.kept().length == 2


def test_who_has_the_token_plays_and_others_watch(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, **ON_THE_NETWORK)
    assert f"/#{TOKEN}" in program.said
    player, watcher = visit(program, f"/#{TOKEN}"), visit(program)
    expect(watcher.page.locator("#watching")).to_be_visible()
    assert "You are watching" in watcher.text("#watching")
    for control in ("[data-press=undo]", "[data-mishap=bump]", "#open-new", "#open-end", "#mode", "#sense"):
        expect(watcher.page.locator(control)).to_be_disabled()
    watcher.touches("c3")
    assert watcher.ask("state.hand") is None
    sheet = ScoreSheet(load("zong-heng", size=6))
    player.plays(sheet, "c3-c2")
    watcher.stands(["c3-c2"])
    watcher.shows(zip(sheet.game.sites, sheet.position.board, strict=True))
    assert player.page.url == f"{program.origin}/"
    player.page.reload()
    player.until("state.connected && state.now && state.story")
    expect(player.page.locator("#watching")).to_be_hidden()
    player.plays(sheet, "f4-f5")


@pytest.mark.long
def test_the_token_can_be_typed_in(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, **ON_THE_NETWORK)
    player = visit(program)
    player.page.fill("#token", "wrong-word")
    player.page.press("#token", "Enter")
    player.until("sessionStorage.getItem('token') === 'wrong-word' && state.page.token")
    expect(player.page.locator("#watching")).to_be_visible()
    player.page.fill("#token", TOKEN)
    player.page.press("#token", "Enter")
    player.until("state.page.may")
    expect(player.page.locator("#watching")).to_be_hidden()
    player.plays(ScoreSheet(load("zong-heng", size=6)), "c3-c2")
