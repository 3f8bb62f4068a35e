"""What axe finds, in daylight and in the dark: nothing that keeps anybody from playing."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import LookAt, Start, Visit
from .playing import PHONE, Player, expect
from .short_games import ENDING

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
GRAVE = ("serious", "critical")
DIALOGS = ("new", "rules", "help", "end", "seats", "bring")
LONG, SQUARES = pytest.mark.long, ("zong-heng", "yin-yang")


def found(player: Player, where: str, *rules: str) -> list[str]:
    """The serious and critical faults of what is to be seen there, and where they are; `rules` alone are asked for."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    faults = axe.Axe().run(player.page, context=where, options=options).response["violations"]
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in faults if fault["impact"] in GRAVE for node in fault["nodes"]
    ]  # fmt: skip


def in_both_lights(player: Player, where: str = "html") -> None:
    """Nothing is found by day, and by night, when colours alone are others, no want of contrast."""
    player.page.emulate_media(color_scheme="light")
    assert found(player, where) == []
    player.page.emulate_media(color_scheme="dark")
    assert found(player, where, "color-contrast") == []


@pytest.mark.parametrize("game", ["zhizhu", "zig-zag", *(pytest.param(name, marks=LONG) for name in SQUARES)])
def test_the_board_of_each_game(look_at: LookAt, visit: Visit, game: str) -> None:
    in_both_lights(visit(look_at(game)))


def test_the_dialogs(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"))
    for dialog in DIALOGS:
        player.tap(f"#open-{dialog}")
        player.page.locator(f"dialog#{dialog}[open]").wait_for()
        in_both_lights(player, f"#{dialog}")
        player.page.keyboard.press("Escape")


def test_the_window_for_another_table(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"))
    player.tap("#open-seats")
    player.tap("#seats [data-text=pair]")
    expect(player.page.locator("#pair[open]")).to_be_visible()
    in_both_lights(player, "#pair")


def test_how_the_table_is(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zhizhu"))
    player.page.goto(f"{player.origin}/status")
    in_both_lights(player)


@pytest.mark.long
def test_a_fault_and_a_hand_that_holds(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", "-O", "size=6", "--sense", "colour"))
    player.brings(2, "b1")
    player.is_in("astray")
    player.lifts("a1")
    in_both_lights(player)


@pytest.mark.long
def test_watching_on_a_phone(start: Start, visit: Visit) -> None:
    in_both_lights(visit(start("zig-zag", host="0.0.0.0"), **PHONE))


def test_a_game_looked_back_at_and_explained(start: Start, visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "over.table"
    path.write_text(ENDING + "turn c2-c3\nagree\n")
    player = visit(start("zhizhu", "--resume", str(path)))
    player.tap("#explain")
    player.until("state.review?.state === 'made'")
    player.tap("#see-better")
    player.page.locator(".stage .moves .better").first.wait_for()
    in_both_lights(player)
    player.tap("#open-share")
    player.page.locator("dialog#share[open] svg").first.wait_for()
    in_both_lights(player, "#share")


def test_past_games(start: Start, visit: Visit) -> None:
    program = start("zhizhu", "--sense", "colour", "--name", "Anna", "--name", "Ben")
    player = visit(program)
    player.plays(ScoreSheet(load("zhizhu")), "a1")
    player.tap("#open-end")
    player.tap("#end-ways button:first-child")
    player.until("state.story.outcome")
    player.tap("aside .to-past")
    player.page.locator(".played li").wait_for()
    expect(player.page.locator(".played li")).to_contain_text("Anna : Ben", use_inner_text=True)
    in_both_lights(player)
    player.page.fill("[name=player]", "nobody")
    player.page.click(".search button")
    player.page.locator("text=There are no such games.").wait_for()
    player.page.click(".top a")
    player.until("state.table.people[0] === 'Anna'")
