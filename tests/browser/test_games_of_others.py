"""Games of other distributions on the page, with what the built-in ones do not have: a piece takes another's place, or
becomes one of the other colour."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load, names
from tests.distributions import install
from tests.games.small_games import Crowned, Turning

from .conftest import Start, Visit
from .playing import expect
from .running import BY_ME

ROOT = Path(__file__).parents[2]
GUIDED = "document.querySelector('#guide').textContent.includes(wanted)"


@pytest.fixture(autouse=True)
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games of examples/more-games and two small ones are installed, for the program and for the test."""
    games = {name: f"more_games.{name}:GAME" for name in ("clobber", "konane")}
    games |= {small.name: f"tests.games.small_games:{small.__name__}" for small in (Crowned, Turning)}
    games |= {"torn": "nowhere:Torn"}
    known = names(installed=True)
    folder = tmp_path / "site"
    folder.mkdir()
    install(folder, "others", {"tablelight.games": {name: at for name, at in games.items() if name not in known}}, {})
    paths = [str(folder), str(ROOT / "examples" / "more-games"), str(ROOT)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    for path in paths:
        monkeypatch.syspath_prepend(path)


def test_a_stone_takes_the_place_of_the_one_it_captures(start: Start, visit: Visit) -> None:
    player, sheet = visit(start("clobber", "--sense", "presence")), ScoreSheet(load("clobber"))
    expect(player.page.locator("#standing")).to_be_hidden()  # it does not tell who is ahead
    for made in range(3):
        turn = sheet.turns[0]
        origin, target = turn.acts[1].sites
        if made:
            player.drags(origin, target)
        else:
            player.lifts(origin)
            player.lit("capture", target)
            player.until(GUIDED, "captures what stands there")
            player.touches(target)
        sheet.read(turn.text)
        player.stands([entry.turn.text for entry in sheet.played_turns])
        assert player.board() == list(sheet.position.board)
    origin, target = sheet.turns[0].acts[1].sites
    levels = dict(zip(sheet.game.sites, sheet.position.board, strict=True))
    own = next(site for site, level in levels.items() if level == levels[origin] and site != origin)
    player.drags(origin, own)
    player.hears(f"{own} is taken")
    player.is_in("rest")


def test_a_game_of_others_is_begun_on_the_page(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng"))
    player.tap("#open-new")
    assert "A game is left out: the game torn (nowhere:Torn of others) cannot be loaded" in player.text("#new-left-out")
    player.tap("#new [value=clobber]")
    player.tap("#new [value=ok]")
    player.until("state.table.game === 'clobber' && state.story.ways.length")
    game = load("clobber")
    player.shows(zip(game.sites, game.start().board, strict=True))
    assert player.board() == list(game.start().board)


def test_the_engines_turn_is_told_act_by_act(start: Start, visit: Visit) -> None:
    player = visit(start("test-turning", "--sense", "colour", "--opponent", "1", "--opponent", "1", more=BY_ME))
    sheet = ScoreSheet(load("test-turning"))
    plan = player.until("state.now.plan")
    site, *others = (act.sites[0] for act in next(turn for turn in sheet.turns if turn.text == plan).acts)
    player.until(GUIDED, f"Lay a new black stone on {site}")
    player.touches(site)
    player.until(GUIDED, f"Turn over what lies on {', '.join(others)}")
    for other in others:
        player.touches(other)
    player.stands([plan])


def test_what_is_captured_stays_off_when_the_engines_turn_is_carried_out(start: Start, visit: Visit) -> None:
    player = visit(start("konane", "--sense", "presence", "--opponent", "1", "--opponent", "1", more=BY_ME))
    plan = player.until("state.now.plan")
    player.lifts(plan)  # the first stone of Konane is taken off, which is a whole turn
    player.stands([plan])
    second = player.until("state.now.plan !== wanted && state.now.plan", plan)
    player.tap("#carry-out")
    player.stands([plan, second])
    player.until("state.now.levels.filter(Boolean).length === wanted", len(load("konane").sites) - 2)


def test_a_stone_that_the_lights_ask_for_is_turned_over_by_a_tap(start: Start, visit: Visit) -> None:
    player = visit(start("test-turning", "--sense", "colour"))
    sheet = ScoreSheet(load("test-turning"))
    site, flipped = sheet.turns[0].acts[0].sites[0], sheet.turns[0].acts[1].sites[0]
    player.touches(site)
    player.lit("place-here", flipped)
    player.until(GUIDED, f"Turn over what lies on {flipped}")
    player.touches(flipped)
    player.stands([site])
    assert player.board() == list(sheet.turns[0].after.board)


def test_any_stone_is_turned_over_by_its_button_or_a_key(start: Start, visit: Visit) -> None:
    """By presence no light can ask for it."""
    player = visit(start("test-turning", "--sense", "presence"))
    turn = ScoreSheet(load("test-turning")).turns[0]
    site, flipped = turn.acts[0].sites[0], turn.acts[1].sites[0]
    player.touches(site)
    player.stands([site])
    player.until(GUIDED, f"{flipped}: black stone")
    player.lifts(flipped)
    player.tap('[data-hand="flip"]')
    player.shows([(flipped, 1)])
    player.is_in("rest")
    assert player.board() == list(turn.after.board)
    player.page.locator(f'[data-site="{flipped}"]').focus()
    player.page.keyboard.press("f")
    player.shows([(flipped, 2)])
    player.stands([site])


MARKED = """() => Object.fromEntries([...document.querySelectorAll("[data-site]")]
    .map((site) => [site.dataset.site, site.querySelector(".kind")?.textContent]).filter(([, mark]) => mark))"""
"""The marks on the stones of the board, by their sites."""


def test_the_mark_of_a_kind_is_seen_heard_and_carried(start: Start, visit: Visit) -> None:
    player = visit(start("test-crowned", "--sense", "colour"))
    player.until("document.querySelector('[data-site=b1] .kind')")
    assert player.page.evaluate(MARKED) == {"a1": "K", "b1": "K"}
    assert player.attribute("b1", "aria-label").startswith("b1, black stone (Black)")  # what its kind is called there
    assert "(" not in player.attribute("d1", "aria-label")
    player.lifts("b1")
    assert player.page.evaluate(MARKED) == {"a1": "K"}
    expect(player.page.locator(".floating .kind")).to_have_text("K")
    assert "black stone (Black), from b1" in player.text("#in-hand")
    player.touches("a1")
    player.stands(["b1xa1"])
    assert player.page.evaluate(MARKED) == {"a1": "K"}
    assert player.attribute("a1", "aria-label").startswith("a1, black stone (Black)")
    player.tap("[data-look=back]")
    player.until("state.viewing === 0")
    assert player.page.evaluate(MARKED) == {"a1": "K", "b1": "K"}


def test_a_mark_stays_on_a_stone_that_is_carried_where_no_turn_leads(start: Start, visit: Visit) -> None:
    player = visit(start("test-crowned", "--sense", "colour"))
    player.drags("b1", "a1")
    player.stands(["b1xa1"])
    player.drags("a1", "b1")
    player.shows([("a1", 0), ("b1", 1)])  # astray, or a turn on its way back: that depends on how soon it was
    assert player.page.evaluate(MARKED) == {"b1": "K"}
