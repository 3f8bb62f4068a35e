"""The board comes first at every size, what is pressed lies under the thumb, and nothing stands there empty."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import LookAt, Start, Visit
from .playing import PHONE, Player, expect

SIZES = {
    "small phone": (320, 640),
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "laptop": (1280, 800),
    "television": (3840, 2160),
}
GAMES = ("zong-heng", "zhizhu", "yin-yang", "zig-zag")
BOXES = """(names) => names.map((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom];
})"""
HOLLOW = """() => [...document.querySelectorAll("main *")].filter((each) => {
  const { borderTopWidth, borderBottomWidth, backgroundColor, visibility } = getComputedStyle(each);
  const box = each.getBoundingClientRect();
  const framed = parseFloat(borderTopWidth) && parseFloat(borderBottomWidth);
  const filled = backgroundColor !== "rgba(0, 0, 0, 0)";
  const says = each.innerText?.trim() || each.matches(".lamp, .bar, i, input, select") || each.querySelector("svg");
  const seen = each.checkVisibility() && visibility === "visible" && box.height > 0 && !each.closest("svg");
  return (framed || filled) && seen && !says;
}).map((each) => each.outerHTML.slice(0, 80))"""
FINGER = 40.0
"""Pixels that a button must be high, at least, to be hit by a thumb; 44 is asked for where there is room."""


def boxes(player: Player, *names: str) -> list[list[float]]:
    """Left, top, right and bottom of elements, in CSS pixels of the window."""
    told: list[list[float]] = player.page.evaluate(BOXES, list(names))
    return told


def come(look_at: LookAt, visit: Visit, game: str, size: str) -> tuple[Player, int, int]:
    """A player at a window of that size, and its width and height."""
    width, height = SIZES[size]
    phone: dict[str, Any] = {"has_touch": True, "is_mobile": True} if "phone" in size else {}
    player = visit(look_at(game), viewport={"width": width, "height": height}, **phone)
    player.until("document.querySelector('[data-cue]:not([data-cue=\"\"])')")
    return player, width, height


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_the_board_comes_first_and_buttons_are_in_reach(look_at: LookAt, visit: Visit, game: str, size: str) -> None:
    player, width, height = come(look_at, visit, game, size)
    stage, *buttons = boxes(player, ".stage", *(f'[data-press="{each}"]' for each in ("undo", "hint", "done")))
    left, top, right, bottom = stage
    assert top <= max(0.21 * height, 60)
    assert left >= 0
    assert right <= width
    assert bottom <= height
    assert right - left >= 0.95 * width or bottom - top >= 0.6 * height or (right - left) >= 0.6 * width
    for _, above, _, below in buttons:
        assert above >= 0
        assert below <= height
        assert below - above >= FINGER
    assert player.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("game", ["zong-heng", "zhizhu"])
def test_a_large_screen_is_used(look_at: LookAt, visit: Visit, game: str) -> None:
    player, _, height = come(look_at, visit, game, "television")
    ((_, top, _, bottom),) = boxes(player, ".stage")
    assert bottom - top >= 0.9 * height
    size = player.page.evaluate("parseFloat(getComputedStyle(document.querySelector('#guide')).fontSize)")
    assert size >= height / 80


@pytest.mark.parametrize("size", ["small phone", "laptop"])
def test_no_box_stands_empty(look_at: LookAt, visit: Visit, size: str) -> None:
    player, _, _ = come(look_at, visit, "zong-heng", size)
    assert player.page.evaluate(HOLLOW) == []


def test_mishaps_are_in_the_workshop(look_at: LookAt, visit: Visit) -> None:
    player, _, _ = come(look_at, visit, "zong-heng", "laptop")
    within = player.page.locator('#workshop [data-mishap="bump"], #workshop #sense, #workshop #cable')
    expect(within).to_have_count(3)
    expect(within.filter(visible=True)).to_have_count(0)
    player.tap("#workshop summary")
    expect(within.filter(visible=True)).to_have_count(3)


def test_the_menu_of_a_phone_opens_and_closes(look_at: LookAt, visit: Visit) -> None:
    player, _, _ = come(look_at, visit, "zong-heng", "phone")
    menu, button = player.page.locator("#menu"), player.page.locator("#open-menu")
    expect(menu).to_be_hidden()
    for closing in ("Escape", "#title"):
        player.tap("#open-menu")
        expect(menu).to_be_visible()
        expect(button).to_have_attribute("aria-expanded", "true")
        player.page.keyboard.press("Escape") if closing == "Escape" else player.tap(closing)
        expect(menu).to_be_hidden()
        expect(button).to_have_attribute("aria-expanded", "false")
    player.tap("#open-menu")
    player.tap("#open-rules")
    expect(player.page.locator("dialog#rules[open]")).to_be_visible()
    expect(menu).to_be_hidden()


def test_an_arrow_shows_where_a_stone_goes_back(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", "-O", "size=6", "--sense", "colour"), **PHONE)
    player.lights("movable")
    expect(player.page.locator(".pointer path")).to_have_count(0)
    player.lifts("a1")
    player.touches("e4")  # no turn leads there
    player.is_in("astray")
    player.until("state.pointer?.join() === 'e4,a1'")
    expect(player.page.locator(".pointer path")).to_have_count(2)  # its edge, and the arrow
    player.lifts("e4")
    player.touches("a1")
    player.is_in("rest")
    expect(player.page.locator(".pointer path")).to_have_count(0)
