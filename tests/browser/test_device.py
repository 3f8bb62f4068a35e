"""The page as a program of the device: it installs, opens without its table, and takes no more than it is given."""

from __future__ import annotations

import json
from typing import Any

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import LookAt, Start, Visit
from .playing import expect

LAST = """(({ story, now }) => story.turns.length === 1 && String(now.levels) === String(state.now.levels))(
  JSON.parse(localStorage.getItem('last') ?? '{"story":{"turns":[]}}'))"""
KEPT = "(await (await caches.open('page')).keys()).length > 25"


def test_the_page_can_be_installed(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"))
    address = player.page.get_attribute("link[rel=manifest]", "href")
    told = player.page.request.get(f"{player.origin}/{address}")
    assert told.headers["content-type"] == "application/manifest+json"
    manifest: dict[str, Any] = json.loads(told.text())
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    icon = player.page.request.get(f"{player.origin}/static/{manifest['icons'][0]['src']}")
    assert icon.ok
    expect(player.page.locator("#install")).to_be_hidden()  # until a browser offers it


def test_without_its_table_the_page_opens_with_the_last_position(start: Start, visit: Visit) -> None:
    program = start("zong-heng", "-O", "size=6", "--sense", "colour")
    player, sheet = visit(program), ScoreSheet(load("zong-heng", size=6))
    player.forgiven = "WebSocket connection|Failed to load resource|ERR_CONNECTION"
    player.plays(sheet, "c3-c2")
    board = player.board()
    player.until(KEPT)
    player.until(LAST)
    program.end()
    player.page.reload()
    player.until("state.away && document.querySelector('[data-site]')")
    assert player.board() == board
    assert player.turns() == ["c3-c2"]
    assert "The table is away" in player.text("#connection")
    expect(player.page.locator('[data-press="undo"]')).to_be_disabled()


def test_where_nothing_is_secure_nothing_is_promised(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"))
    player.context.add_init_script(
        "Object.defineProperty(window, 'isSecureContext', { value: false });"
        "Object.defineProperty(document, 'fullscreenEnabled', { value: false });"
    )
    player.page.reload()
    player.until("state.connected && document.querySelector('[data-site]')")
    expect(player.page.locator("#full-screen")).to_be_hidden()
    expect(player.page.locator("#install")).to_be_hidden()
