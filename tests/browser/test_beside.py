"""A screen beside a real board: drawn as the board lies, read from afar, turned to any seat, and spoken."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import firmware_bridge.i18n.page_text  # noqa: F401, its sentences are known from here on
from firmware_bridge.i18n import LANGUAGES, words
from firmware_bridge.score import ScoreSheet
from games.rules import SENTENCES, load

from .conftest import LookAt, Start, Visit
from .mirrored import Mirrored
from .playing import Player, expect

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
TABLET = {"viewport": {"width": 1280, "height": 800}}
MINUTE = 0.00647 * 800
"""Pixels of a minute of arc on it, from three metres: see beside.css."""
PLACE = re.compile(r"\b[A-Za-z][0-9]\b")
FITTED = """async (lines) => {
  const { fit } = await import("/static/beside.js");
  const [words, line] = ["words", "line"].map((id) => document.getElementById(id));
  return lines.map((told) => {
    line.textContent = told;
    fit();
    const whole = words.scrollHeight <= words.clientHeight && words.scrollWidth <= words.clientWidth;
    return [told, whole ? parseFloat(getComputedStyle(words).fontSize) : 0];
  });
}"""
MIDDLES = """() => Object.fromEntries([...document.querySelectorAll("[data-site]")].map((each) => {
  const { e, f } = each.getCTM();
  return [each.dataset.site, [Math.round(e), Math.round(f)]];
}))"""
WIDTHS = """() => [...document.querySelectorAll(".ring, .seat")].map(
  (each) => parseFloat(getComputedStyle(each).strokeWidth))"""
ALOUD = """
window.heard = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; this.lang = ""; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  pending: false, cancel() {}, speak({ text, lang }) { window.heard.push([lang, text]); },
} });
"""
"""A voice that keeps what it says, for there is none here."""


@pytest.fixture
def web(chromium: object) -> Iterator[Mirrored]:
    """ZhiZhu on a table of squares."""
    del chromium  # asked for so that nothing starts where there is no browser
    mirrored = Mirrored(ScoreSheet(load("zhizhu")))
    yield mirrored
    mirrored.close()


@pytest.fixture
def squares(chromium: object) -> Iterator[Mirrored]:
    """Zong-Heng on a table of squares."""
    del chromium
    mirrored = Mirrored(ScoreSheet(load("zong-heng")))
    yield mirrored
    mirrored.close()


def line(player: Player) -> str:
    """Whose turn it is, and the line."""
    return " ".join(player.text("#words").split())


def test_the_board_lies_as_on_the_table_and_is_turned_by_quarters(web: Mirrored, visit: Visit) -> None:
    player = visit(web, "/beside", **TABLET)
    at = player.page.evaluate(MIDDLES)
    assert (at["a1"][0], at["a1"][1]) == (at["c1"][0], at["a2"][1])  # the corner of a ring of squares, not of a circle
    for upper_left in ("a6", "a4", "a2", "a8"):  # clockwise: what was below at the left comes to lie above it
        player.page.click("#turn-board")
        turned = player.page.evaluate(MIDDLES)
        assert min(turned, key=lambda site: sum(turned[site])) == upper_left
    assert player.page.evaluate(MIDDLES) == at


def test_one_line_without_places_leads_through_a_mistake(squares: Mirrored, visit: Visit) -> None:
    player = visit(squares, "/beside", **TABLET)
    assert line(player) == "Black Lift a lit piece."
    expect(player.page.locator(".seat.turn")).to_have_attribute("data-seat", "0")
    squares.pieces.lay([("c3", 0)])
    squares.run(0.5)
    player.until("document.querySelector('#line').textContent === 'Put it on a lit place.'")
    squares.pieces.lay([("c6", 1)])
    squares.run(3.0)
    player.until("document.querySelector('#line').textContent === 'Put it back along the arrow.'")
    expect(player.page.locator(".pointer path")).to_have_count(2)
    expect(player.page.locator('[data-site="c3"] .ghost')).to_have_count(1)
    assert not PLACE.search(line(player))
    squares.pieces.lay([("c6", 0), ("c3", 1)])
    squares.run(0.5)
    player.until("document.querySelector('#line').textContent === 'Lift a lit piece.'")
    expect(player.page.locator(".pointer path")).to_have_count(0)


@pytest.mark.parametrize("game", ["zong-heng", "zig-zag"])
def test_all_that_is_said_there_is_read_from_three_metres(look_at: LookAt, visit: Visit, game: str) -> None:
    player = visit(look_at(game), "/beside", **TABLET)
    player.until("document.querySelector('[data-site]') && document.querySelector('#line').textContent")
    names = [name for name in SENTENCES if name.startswith("page.beside-") and name not in ("page.beside-engine",)]
    lines = [words(language).text(name) for language in LANGUAGES for name in names]
    assert len(names) > 20
    sizes = dict(player.page.evaluate(FITTED, lines))
    small = {told: size for told, size in sizes.items() if 0.7 * size < 10 * MINUTE}
    assert not small
    widths = player.page.evaluate(WIDTHS)
    assert min(widths) > 1.99 * MINUTE


def test_nothing_there_changes_the_table_and_everybody_can_use_it(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zhizhu"))
    player.opens("settings")
    player.page.click("a[href='/beside']")
    player.until("document.body.classList.contains('beside') && document.querySelector('[data-site]')")
    expect(player.page.locator("#board [role=button], #board [tabindex]")).to_have_count(0)
    assert [each.get_attribute("aria-label") for each in player.page.locator(".bar > :not([hidden])").all()] == [
        "To the page with buttons", "Turn the board", "Say aloud what the table says", "Whole screen",
    ]  # fmt: skip
    for scheme in ("light", "dark"):
        player.page.emulate_media(color_scheme=scheme)
        faults = axe.Axe().run(player.page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [fault for fault in faults if fault["impact"] in ("serious", "critical")] == []
    player.page.click("a[href='/']")
    player.until("document.querySelector('[data-press=done]')")


def test_it_speaks_when_asked_in_the_language_of_the_page(squares: Mirrored, visit: Visit) -> None:
    player = visit(squares, "/beside", **TABLET)
    player.context.add_init_script(f"localStorage.setItem('language', 'fr');{ALOUD}")
    player.page.reload()
    player.until("state.now && state.page?.language === 'fr' && document.querySelector('#line').textContent")
    assert player.page.evaluate("heard") == []
    player.page.click("#speak")
    expect(player.page.locator("#speak")).to_have_attribute("aria-pressed", "true")
    for change in (("c3", 0), ("c4", 1), ("c3", 1)):
        squares.pieces.lay([change])
        squares.run(0.5)
    player.until("heard.length > 1")
    (language, first), *others = player.page.evaluate("heard")
    assert (language, first.split()[0]) == ("fr", words("fr").text("zong-heng.black"))
    assert all(told[0] == "fr" and "-" not in told[1] for told in others)
    player.page.click("#speak")
    said = player.page.evaluate("heard.length")
    squares.pieces.lay([("c3", 0)])
    squares.run(1.0)
    assert player.page.evaluate("heard.length") == said


def test_who_is_to_play_is_called_by_name(start: Start, visit: Visit) -> None:
    program = start("zong-heng", "--name", "Anna", "--name", "Ben")
    player, screen = visit(program), visit(program, "/beside", **TABLET)
    expect(screen.page.locator("#who")).to_have_text("Anna (Black)")
    player.plays(ScoreSheet(load("zong-heng")), "c3-c4")
    expect(screen.page.locator("#who")).to_have_text("Ben (White)")
    expect(screen.page.locator("#who svg .stone.light")).to_have_count(1)
