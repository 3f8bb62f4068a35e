"""Nothing moves under a finger or a mouse, nothing hides anything, and whoever makes a mishap sees what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.events import Event
from firmware_bridge.i18n import LANGUAGES
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import Reason, load
from hardware.device import Sense

from .conftest import LookAt, Start, Visit
from .playing import PHONE, Player, expect
from .running import BY_ME
from .short_games import ZHIZHU, ZIG_ZAG

SMALL = ("-O", "size=6", "--sense", "colour")
WINDOWS = {"desktop": {}, "phone": PHONE}
HELD = (
    '[data-press="undo"]',
    '[data-look="back"]',
    '[data-look="now"]',
    "#turns",
    "#said-before",
    "#workshop",
    "#open-new",
    ".stage",
)
WHERE = """(names) => names.map((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [name, Math.round(box.x + scrollX), Math.round(box.y + scrollY), Math.round(box.height)];
})"""
HIDDEN = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((each) => [each, each.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const names = boxes(".ground text");
  const hides = (box) => names.filter(([, other]) => meet(box, other)).map(([name]) => name.textContent);
  return boxes(".badge .plate").flatMap(([, box]) => hides(box));
}"""
SPEAKS = """(language) => {
  const list = document.querySelector("#language");
  list.value = language;
  list.dispatchEvent(new Event("change", { bubbles: true }));
}"""
"""Chooses a language, be the list in sight or not."""
IN_SIGHT = """(name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
}"""
MORE = """async (name) => {
  const each = document.querySelector(name);
  const frame = () => new Promise(requestAnimationFrame);
  const told = [each.hasAttribute("data-more")];
  each.scrollTop = each.scrollHeight;
  await frame(); await frame(); await frame();
  return [...told, each.hasAttribute("data-more")];
}"""

WIDE = """(name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  const over = ([, { left, right }]) => left < box.left || right > box.right;
  const all = [...document.querySelectorAll(`${name} select`)].map((each) => [each.id, each.getBoundingClientRect()]);
  return all.filter(over).map(([id]) => id);
}"""

CUT = """() => {
  const { top } = document.querySelector("#turns").getBoundingClientRect();
  const lines = [...document.querySelectorAll("#turns button")];
  const boxes = lines.map((each) => [each.textContent, each.getBoundingClientRect()]);
  return boxes.filter(([, box]) => box.top < top - 2 && box.bottom > top + 2).map(([words]) => words);
}"""


COVERS = """(() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const voice = document.querySelector(".voice");
  const told = ["#say", "#alarm", "#guide"].map(box).filter(({ height }) => height > 1);
  const buttons = box(".voice .row");
  const covers = told.some(({ bottom }) => bottom > buttons.top + 1);
  return told.length && buttons.height && !covers && voice.scrollHeight <= voice.clientHeight + 1;
})()"""
"""Whether sentences and buttons stand there, and no button lies over a sentence."""
PLACED = [".stage", '[data-press="undo"]']
PHONES = ((320, 568), (360, 740), (390, 844))


def places(player: Player) -> list[list[Any]]:
    """Where each of `HELD` lies on the page."""
    told: list[list[Any]] = player.page.evaluate(WHERE, list(HELD))
    return told


@pytest.mark.parametrize("window", WINDOWS)
def test_nothing_moves_whatever_is_said(start: Start, visit: Visit, window: str) -> None:
    player, sheet = visit(start("zong-heng", *SMALL), **WINDOWS[window]), ScoreSheet(load("zong-heng", size=6))
    player.lights("movable")
    before = places(player)
    player.plays(sheet, "c3-c2", taps=True)
    player.lights("movable", "last")
    assert places(player) == before
    player.lays(1, "b1")
    player.is_in("astray")
    player.page.locator("#tidy-now").wait_for()
    assert places(player) == before
    player.tap("#tidy-now")
    player.is_in("rest")
    player.tap('[data-look="back"]')
    player.page.locator("#back-to-now").wait_for()
    assert places(player) == before
    player.tap('[data-look="now"]')
    expect(player.page.locator("#back-to-now")).to_be_hidden()
    assert places(player) == before


def at_rest(player: Player) -> list[Any]:
    """Where the board and Undo are, once two frames have not moved them."""
    before = None
    while (here := player.page.evaluate(WHERE, PLACED)) != before:
        before = here
        player.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    return list(here)


@pytest.mark.parametrize("clock", [(), ("--clock", "10+3x30")], ids=["untimed", "timed"])
def test_no_button_lies_over_what_is_said_on_a_phone_and_the_board_stays(
    start: Start, visit: Visit, clock: tuple[str, ...]
) -> None:
    words = ("--sense", "colour", "--opponent", "1", "--opponent", "1", *clock)
    player = visit(start("zong-heng", *words, more=BY_ME))
    player.until("state.now.plan && state.now.side === 0")
    origin = player.ask("state.now.plan").split("-")[0]
    stood: dict[tuple[str, int], list[list[Any]]] = {}

    def looks_well() -> None:
        for language in LANGUAGES:
            player.page.evaluate(SPEAKS, language)
            player.until("document.documentElement.lang === wanted", language)
            for width, height in PHONES:
                player.page.set_viewport_size({"width": width, "height": height})
                player.until(COVERS)
                if (language, width) not in stood:
                    stood[language, width] = at_rest(player)
                kept = stood[language, width]
                player.until(f"JSON.stringify(({WHERE})(wanted[0])) === JSON.stringify(wanted[1])", [PLACED, kept])

    looks_well()
    player.lifts(origin)
    looks_well()
    player.touches(origin)
    is_empty = "Object.keys(state.table.board.at).find((site) => !level(site))"
    site = player.until(f"!state.hand && level(wanted) && {is_empty}", origin)  # once the stone is back there
    player.page.evaluate("async (site) => (await import('/static/hand.js')).layNew(site, 2)", site)
    player.is_in("astray")
    player.page.locator("#tidy-now").wait_for()
    looks_well()


def test_a_mishap_is_told_in_sight_with_its_remedy(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL), **PHONE)
    player.opens("workshop")
    player.tap("#cable")
    player.is_in("blind")
    player.page.locator("#plug-now").wait_for()
    for told in ("#alarm", "#plug-now"):
        player.until(f"({IN_SIGHT})(wanted)", told)  # the page glides there
    player.tap("#plug-now")
    player.is_in("rest")
    expect(player.page.locator("#plug-now")).to_be_hidden()


@pytest.mark.parametrize("game", ["zhizhu", "zig-zag"])
def test_no_mark_hides_the_name_of_a_site(look_at: LookAt, visit: Visit, game: str) -> None:
    player = visit(look_at(game))
    player.until("document.querySelectorAll('.badge .plate').length > 5")
    assert player.page.evaluate(HIDDEN) == []


FULL = "tablelight 1\ngame zhizhu\nsense colour\nposition xxxxoooo/xoxoxoxo/......xo x 0,0 -,-\n"
"""The head of a record: every point of two rings holds a stone, and so the lights there are as large as they get."""
LIT = """async (kind) => {
  const { change, state } = await import("/static/state.js");
  const cue = { kind, level: 0, strength: 1, phase: 0, choice: false, under: "", order: 0, tells: "" };
  const lit = Object.keys(state.table.board.at).map((site) => [site, cue]);
  change({ now: { ...state.now, cues: kind ? Object.fromEntries(lit) : {} } });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return [...document.querySelectorAll(".ground text")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.textContent, x, y, x + width, y + height, getComputedStyle(each).fill.match(/\\d+/g).map(Number)];
  });
}"""


def letters(player: Player, kind: str) -> dict[str, int]:
    """How many points of each name have its own colour, all places being lit by a kind of light, or none."""
    pillow = pytest.importorskip("PIL.Image", reason="pip install pillow")
    names = player.page.evaluate(LIT, kind)
    picture = pillow.open(BytesIO(player.page.screenshot())).convert("RGB")
    shown = {name: picture.crop([round(2 * each) for each in box]).tobytes() for name, *box, _ in names}
    colours = {name: colour for name, *_, colour in names}

    def own(pixel: tuple[int, ...], name: str) -> bool:
        return all(abs(one - other) < 4 for one, other in zip(pixel, colours[name], strict=True))

    pixels = {name: zip(*3 * [iter(points)], strict=True) for name, points in shown.items()}
    return {name: sum(own(pixel, name) for pixel in each) for name, each in pixels.items()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_light_lies_over_the_name_of_a_site(start: Start, visit: Visit, tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "full.table"
    path.write_text(FULL)
    player = visit(start("", "--resume", str(path)), color_scheme=scheme, device_scale_factor=2)
    player.is_in("rest")
    dark = letters(player, "")
    assert len(dark) == 24
    for kind in ("movable", "ask", "wrong"):
        lit = letters(player, kind)
        assert {name: count for name, count in lit.items() if count < 0.95 * dark[name]} == {}


def test_a_long_dialog_shows_that_it_goes_on_and_the_help_is_of_this_game(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zig-zag"), viewport={"width": 1000, "height": 420})
    for dialog, words in (("rules", "#rules-text"), ("help", "#help-text"), ("new", "#new .scrolls")):
        player.opens("menu")
        player.tap(f"#open-{dialog}")
        player.until("document.querySelector(wanted).hasAttribute('data-more')", words)
        assert player.page.evaluate(IN_SIGHT, f"#{dialog} .end button:last-child")
        if dialog == "help":
            assert not {"tray", "push", "stone"} & {*player.text(words).lower().replace(",", " ").split()}
        assert player.page.evaluate(MORE, words) == [True, False]
        player.page.keyboard.press("Escape")


def test_what_is_chosen_for_a_new_game_has_room_on_a_phone(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"), **PHONE)
    for language in LANGUAGES:
        player.opens("menu")
        player.page.select_option("#language", language)
        player.until("document.documentElement.lang === wanted", language)
        player.tap("#open-new")
        player.page.select_option("#new-who", "it")
        expect(player.page.locator("#new-level")).to_be_visible()
        assert player.page.evaluate(WIDE, "#new .scrolls") == []
        player.page.keyboard.press("Escape")


def beside(sheet: ScoreSheet) -> Iterator[list[str]]:
    """What lies beside the board before each turn and after the last, as the page writes it."""
    positions = [entry.position for entry in sheet.played_turns] + [sheet.position]
    for position in positions:
        yield [str(count) for count in sheet.game.beside(position) or ()]


@pytest.mark.parametrize(("game", "turns"), [("zig-zag", ZIG_ZAG[:15]), ("zhizhu", ZHIZHU[:16])])
def test_the_stores_of_earlier_turns(start: Start, visit: Visit, tmp_path: Path, game: str, turns: list[str]) -> None:
    sheet, path = ScoreSheet(load(game)), tmp_path / "begun.table"
    for text in turns:
        sheet.read(text)
    record = Record(path, ScoreSheet(load(game)), Sense.PRESENCE)
    record.write([Event("played", Reason("table.ready"), entry.turn) for entry in sheet.played_turns], 0.0)
    record.close()
    player = visit(start(game, "--resume", str(path)))
    player.stands(turns)
    for number, stores in reversed(list(enumerate(beside(sheet)))):
        for side, count in enumerate(stores):
            expect(player.page.locator(f'[data-store="{side}"]')).to_have_attribute("data-count", count)
        assert player.page.evaluate(CUT) == []
        if number:
            player.tap('[data-look="back"]')
    assert player.text("#status") == f"Looking back: turn 0 of {len(turns)}."
