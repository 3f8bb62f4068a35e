"""Who is ahead: on the page in words and figures, and on the board when asked."""

from __future__ import annotations

import pytest

from firmware_bridge.i18n import LANGUAGES
from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import LookAt, Start, Visit
from .playing import PHONE, Player, expect

COUNTS = """async (counts) => {
  const { change, settled, state } = await import("/static/state.js");
  change({ story: { ...state.story, standing: { ...state.story.standing, counts } } });
  await settled();
}"""
LONG = ("--name", "Maximiliana Theodora Oberholz", "--name", "Ann", "--clock", "10+3x30")


def test_the_standing_follows_the_game_and_lights_the_groups(start: Start, visit: Visit) -> None:
    program = start("zong-heng", "-O", "size=6", "--sense", "colour")
    player = visit(program)
    assert "Largest groups: Black 1, 1, 1" in player.text("#standing")
    assert "Both stand equal." in player.text("#standing")
    player.plays(ScoreSheet(load("zong-heng", size=6)), "c3-d3")
    assert "Black is ahead." in player.text("#standing button")
    assert "Black 3" in " ".join(player.text("#standing .counts").split())
    player.tap("#standing button")
    player.hears("Largest groups: Black 3")
    player.lit("for-first", "c3", "d3", "e3")
    expect(player.page.locator('#legend [data-legend="for-first"]')).to_have_text("counts for Black")
    player.tap('[data-look="back"]')
    player.page.locator("#standing").wait_for(state="hidden")


def test_prisoners_on_a_phone(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu"), **PHONE)
    assert "Left to place: Black 9, White 9." in player.text("#standing")
    assert player.page.locator("#standing").bounding_box()["width"] <= 360  # type: ignore[index]
    assert "Left to place" not in player.text("#status")


PARTS = """() => {
  const wide = (name) => document.querySelector(`#standing ${name}`).getBoundingClientRect().width;
  return [wide(".bar i"), wide(".bar")];
}"""
"""How long the first player's part of the bar is, and all of it, in pixels."""


@pytest.mark.parametrize("game", ["zong-heng", "yin-yang", "zig-zag"])
def test_the_bar_is_as_long_for_each_as_the_counts_are(look_at: LookAt, visit: Visit, game: str) -> None:
    """The page is told other counts than those of the table, small ones, great ones, and none."""
    player = visit(look_at(game))
    for width, counts in ((1280, None), (1280, (9, 1)), (320, (1, 24)), (320, (0, 7)), (320, (0, 0))):
        player.page.set_viewport_size({"width": width, "height": 800})
        if counts:
            player.page.evaluate(COUNTS, counts)
        one, two = player.ask("state.story.standing.counts")
        shown, whole = player.page.evaluate(PARTS)
        assert whole > 80
        assert shown == pytest.approx(whole * (one / (one + two) if one + two else 0.5), abs=0.5)
        assert [int(count) for count in player.page.locator("#standing .share b").all_inner_texts()] == [one, two]
        names = player.page.locator("#standing .share .who")
        assert all(names.nth(side).bounding_box()["width"] > 20 for side in (0, 1))  # type: ignore[index]


def in_view(player: Player) -> None:
    """All that a player needs can be seen at once, on the windows of usual laptops."""
    for width, height in ((1280, 800), (1366, 768)):
        player.page.set_viewport_size({"width": width, "height": height})
        for what in ("#whose", "#board", ".voice", "#buttons", "#standing", "#standing .why", "#standing button"):
            box = player.page.locator(what).bounding_box()
            assert box, what
            assert box["x"] >= 0, what
            assert box["x"] + box["width"] <= width, what
            assert box["y"] >= 0, what
            assert box["y"] + box["height"] <= height, what


@pytest.mark.parametrize("game", ["zong-heng", "zhizhu", "yin-yang", "zig-zag"])
def test_board_guidance_buttons_and_standing_are_in_view(look_at: LookAt, visit: Visit, game: str) -> None:
    player = visit(look_at(game))
    for language in LANGUAGES:
        player.page.select_option("#language", language)
        player.until("document.documentElement.lang === wanted", language)
        in_view(player)
        title = player.page.locator("#title")
        assert title.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
        assert title.bounding_box()["y"] > 0  # type: ignore[index]


CUT = "(each) => [...document.querySelectorAll(each)].map((name) => name.scrollWidth > name.clientWidth)"
OVER = """(each) => [...document.querySelectorAll(each)].filter((box) => {
  const [outer, inner] = [box, box.querySelector(".who")].map((one) => one.getBoundingClientRect());
  return inner.right > outer.right + 0.5;
}).map((box) => box.textContent)"""
"""The players whose names reach over their boxes."""


@pytest.mark.parametrize("game", ["yin-yang", "zig-zag"])
def test_names_stand_beside_those_of_the_sides_and_nothing_overflows(start: Start, visit: Visit, game: str) -> None:
    program = start(game, *LONG)
    player, sheet = visit(program), ScoreSheet(load(game))
    for language in reversed(LANGUAGES):
        player.page.select_option("#language", language)
        player.until("document.documentElement.lang === wanted", language)
        in_view(player)
    turn = sheet.turns[0].text
    player.plays(sheet, turn)
    side = sheet.game.player_name(0)
    name = f"Maximiliana Theodora Oberholz ({side})"
    assert player.text("#say") == f"{name} plays {turn}."
    assert player.text("#turns button") == f"1. {name}: {turn}"
    assert player.text("#status").startswith(f"Turn 2: Ann ({sheet.game.player_name(1)}) to play.")
    expect(player.page.locator("#standing .who").first).to_have_attribute("title", name)
    assert player.page.evaluate(CUT, "#standing .who") == [True, False]  # Ann needs no room that is not there
    for size in ((1280, 800), (320, 640)):
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
        assert player.page.evaluate(OVER, ".player") == []
    player.page.set_viewport_size({"width": 320, "height": 640})
    for what in ("#whose", "#status", "#say", "#turns", "#turns button", "#standing", "#standing button"):
        box = player.page.locator(what).first.bounding_box()
        assert box, what
        assert box["x"] >= 0, what
        assert box["x"] + box["width"] <= 320, what
    assert player.page.evaluate("document.documentElement.scrollWidth") == 320
