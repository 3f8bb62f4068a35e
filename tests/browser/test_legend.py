"""What stands beside the board of the lights: of all that is lit, and of nothing else, whatever the hands do."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from firmware_bridge.i18n import LANGUAGES
from firmware_bridge.score import ScoreSheet
from games.rules import load, names

from .conftest import Start, Visit
from .playing import PHONE, Player
from .test_looks import SPEAKS

SIZES: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {**PHONE, "reduced_motion": "reduce"},
}
TURNS = 4
TOLD = """(() => {
  const lit = [...document.querySelectorAll("[data-light]")].filter((each) => each.dataset.light);
  const all = document.querySelector("#legend").getBoundingClientRect();
  const seen = [...document.querySelectorAll("#legend li")].filter((each) => {
    const box = each.getBoundingClientRect();
    const across = box.left >= -1 && box.right <= innerWidth + 1;
    return box.height && across && box.top >= all.top - 1 && box.bottom <= all.bottom + 1;
  });
  const kinds = (each, name) => [...new Set(each.map(({ dataset }) => dataset[name]))].sort().join();
  return [kinds(lit, "cue"), kinds(seen, "legend")];
})()"""
"""The kinds of cues that are lit, and those that are told where one can read them."""


class Reader(Player):
    """A player who looks up each light, after each touch."""

    looked = 0
    """How often."""

    def reads(self) -> None:
        """Just what is lit is told."""
        self.until(f"(([lit, told]) => lit === told)({TOLD})")
        self.looked += 1

    def shows(self, levels: Iterable[tuple[str, int]]) -> None:
        super().shows(levels)
        self.reads()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", names())
def test_just_what_is_lit_is_told(start: Start, visit: Visit, name: str, size: str) -> None:
    player = visit(start(name), who=Reader, **SIZES[size])
    assert isinstance(player, Reader)
    sheet, luck = ScoreSheet(load(name)), Random(5)
    player.is_in("rest")
    player.reads()
    for _ in range(TURNS):
        player.plays(sheet, luck.choice(sheet.turns).text, taps=True)
        player.reads()
    player.press("hint")
    player.until("Object.values(state.now.cues).some(({ kind }) => kind === 'hint')")
    player.reads()
    player.tap("#standing button")
    player.hears(str(sheet.game.standing(sheet.position)))
    player.reads()
    last = sheet.played_turns[-1].turn.path  # who lifts a piece of these may change that turn
    barred = [site for site in sheet.game.sites if site not in last and sheet.game.why_not(sheet.position, site)]
    for site in barred[:1]:
        player.lifts(site)
        player.is_in("astray")
        player.reads()
    player.opens("workshop")
    player.tap("#cable")
    player.is_in("blind")
    player.reads()
    assert player.looked > 2 * TURNS


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "turns", "slip"),
    [
        ("yin-yang", [], ("c3", "a3")),
        ("zhizhu", ["a1", "c5"], ("a1", "b1")),
        ("zong-heng", [], ("b2", "b3")),
        ("zig-zag", [], ("N3", "S4", "N5", "S6")),
    ],
)
def test_it_is_told_while_the_rule_is_told_that_was_broken(
    start: Start, visit: Visit, name: str, turns: list[str], slip: tuple[str, ...], size: str
) -> None:
    player, sheet = visit(start(name), who=Reader, **SIZES[size]), ScoreSheet(load(name))
    assert isinstance(player, Reader)
    for text in turns:
        player.plays(sheet, text, taps=True)
    player.is_in("rest")
    for site in slip:
        player.touches(site)
    player.is_in("astray")
    player.until("document.querySelector('#alarm').textContent")
    for language in LANGUAGES:  # the longest sentences leave least room
        player.page.evaluate(SPEAKS, language)
        player.until("document.documentElement.lang === wanted && state.said.length", language)
        player.reads()
