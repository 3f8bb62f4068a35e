"""The page in each of its languages: chosen by the browser, changed by the menu, whole."""

from __future__ import annotations

import re

import pytest

import firmware_bridge.i18n.page_text  # noqa: F401, its sentences are known from here on
from firmware_bridge.i18n import LANGUAGES, words
from firmware_bridge.score import ScoreSheet
from games.rules import SENTENCES, Reason, load

from .conftest import LookAt, Start, Visit
from .playing import Player, expect

LOCALES = {"en": "en-GB", "ja": "ja-JP", "fr": "fr-CH", "es": "es-MX"}
EVERYTHING = """() => {
  const found = [document.title];
  for (const each of document.querySelectorAll("body *")) {
    for (const child of each.childNodes) if (child.nodeType === Node.TEXT_NODE) found.push(child.data.trim());
    for (const name of ["aria-label", "title"]) if (each.hasAttribute(name)) found.push(each.getAttribute(name));
  }
  return found.filter(Boolean);
}"""
LINES = """() => Object.fromEntries([...document.querySelectorAll("[data-press]")].map((each) => {
  const text = document.createRange();
  text.selectNodeContents(each);
  return [each.dataset.press, new Set([...text.getClientRects()].map((line) => line.top)).size];
}))"""
ID = re.compile(r"(?<![\w./])(?:page|table|cue|rules|status|refused|zong-heng|zhizhu|yin-yang|zig-zag)\.[a-z][a-z-]+")


def read_whole(player: Player, language: str) -> None:
    """Every word of the page is in `language`; none is missing, and no message id or empty brace is to be seen."""
    told = words(language)
    expect(player.page.locator("html")).to_have_attribute("lang", language)
    for text in player.page.evaluate(EVERYTHING):
        assert text not in SENTENCES
        assert not ID.search(text), text
        assert not re.search(r"\{\w*\}", text), text
    for id, shown in player.page.evaluate(
        "() => [...document.querySelectorAll('[data-text]')].map((each) => [each.dataset.text, each.textContent])"
    ):
        assert shown == told.text(f"page.{id}")
    for id, shown in player.page.evaluate(
        "() => [...document.querySelectorAll('[data-label]')]"
        ".map((each) => [each.dataset.label, each.getAttribute('aria-label')])"
    ):
        assert shown == told.text(f"page.{id}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_browsers_language(start: Start, visit: Visit, language: str) -> None:
    player = visit(start("zong-heng", "-O", "size=6", "--sense", "colour"), locale=LOCALES[language])
    told = words(language)
    read_whole(player, language)
    player.plays(ScoreSheet(load("zong-heng", size=6)), "c3-c2")
    player.hears(told.say(Reason.of("table.played", player="zong-heng.black", turn="c3-c2")))
    player.until("document.querySelector('#status').textContent.startsWith(wanted)",
                 told.say(Reason.of("table.to-play", number=2, player="zong-heng.white")))  # fmt: skip
    player.tap("#open-rules")
    for paragraph in told.summary(load("zong-heng")):
        expect(player.page.locator("#rules-text p", has_text=paragraph)).to_be_visible()
    player.page.keyboard.press("Escape")
    for dialog in ("#open-new", "#open-help", "#open-end"):
        player.tap(dialog)
        read_whole(player, language)
        player.page.keyboard.press("Escape")


def test_the_buttons_stay_in_one_line_on_the_smallest_phone(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zig-zag"))
    for language in LANGUAGES:
        player.page.set_viewport_size({"width": 1000, "height": 700})
        player.page.select_option("#language", language)
        player.until("document.documentElement.lang === wanted && state.page.language === wanted", language)
        player.page.set_viewport_size({"width": 320, "height": 568})
        assert player.page.evaluate(LINES) == dict.fromkeys(("done", "undo", "hint"), 1), language


@pytest.mark.long
def test_the_language_is_changed_by_the_menu_and_kept(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zig-zag"))
    load("zig-zag")  # its sentences are known from here on
    for language in ("ja", "es", "fr", "en", "fr"):
        player.page.select_option("#language", language)
        player.until("document.documentElement.lang === wanted && state.page.language === wanted", language)
        player.until("state.now.status.startsWith(wanted)",
                     words(language).say(Reason.of("table.to-play", number=1, player="zig-zag.south")))  # fmt: skip
        read_whole(player, language)
    player.page.reload()
    player.until("state.connected && state.now && state.story")
    read_whole(player, "fr")


@pytest.mark.long
@pytest.mark.parametrize("game", ["zhizhu", "yin-yang", "zig-zag"])
def test_every_game_in_every_language(look_at: LookAt, visit: Visit, game: str) -> None:
    player = visit(look_at(game))
    load(game)  # its sentences are known from here on
    for language in LANGUAGES:
        player.page.select_option("#language", language)
        player.until("state.page.language === wanted && document.documentElement.lang === wanted", language)
        player.until("state.table.rules[0] === wanted", words(language).summary(load(game))[0])
        read_whole(player, language)
