"""Against the engine: chosen in the dialog, told in the panel, with hints as they were asked for; and the end."""

from __future__ import annotations

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import LookAt, Start, Visit
from .playing import PLACES, Player, expect
from .running import BY_ME

SMALL = ("-O", "size=6", "--sense", "colour")

SEEN = """(words) => [...document.querySelectorAll("main *")].filter((each) => {
  const own = [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.includes(words));
  return own && each.getBoundingClientRect().width > 1;
}).length"""
"""How often words can be seen; those who hear the page are told them once more, when they come."""


LINKED = """async () => {
  const { change, state } = await import("/static/state.js");
  change({ table: { ...state.table, linked: true } });
}"""
"""Has the page take the table for one of two that play together."""


def names(player: Player) -> list[str]:
    """The players as the panel names them."""
    told: list[str] = player.ask("[...document.querySelectorAll('#whose .who')].map((each) => each.innerText)")
    return told


def test_a_game_against_the_engine(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, more=BY_ME)
    player, sheet = visit(program), ScoreSheet(load("zong-heng", size=6))
    assert names(player) == ["Black", "White"]
    player.plays(sheet, "c3-c2")
    player.plays(sheet, "f4-f5")
    expect(player.page.locator("#said li")).not_to_have_count(0)
    player.tap("#open-new")
    assert "without a result" in player.text("#new-drops")
    player.page.select_option("#new-who", "it")
    player.page.select_option("#new-level", "1")
    player.tap("#new-ok")
    player.until("JSON.stringify(state.table.levels) === '[1,0]' && !state.story.turns.length")
    assert names(player) == ["Black (computer, level 1)", "White"]
    expect(player.page.locator('[data-press="hint"]')).to_be_disabled()
    player.tap("#open-end")
    expect(player.page.locator("#end-ways button")).to_have_text(["White resigns"])
    player.page.keyboard.press("Escape")
    player.until("state.now.plan && document.querySelector('[data-legend=begin]')")
    assert not {"c3-c2", "f4-f5"} & {*player.text("#said").replace(".", " ").split()}
    sheet = ScoreSheet(load("zong-heng", size=6))
    player.plays(sheet, player.ask("state.now.plan"))
    player.until("!document.querySelector('[data-press=hint]').disabled")


def test_players_tell_their_names(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, "--name", "Anna Berg")
    player = visit(program)
    assert names(player) == ["Anna Berg\nBlack", "White"]
    player.tap("#open-new")
    expect(player.page.locator("#name-begins")).to_have_value("Anna Berg")
    player.page.fill("#name-other", " Ben ")
    player.tap("#new-ok")
    player.until("state.table.people[1] === 'Ben'")
    assert names(player) == ["Anna Berg\nBlack", "Ben\nWhite"]
    player.tap("#open-end")
    player.tap("#end-ways button:first-child")
    player.until("state.story.outcome && !document.querySelector('#outcome').hidden")
    assert player.text("#outcome") == "Ben (White) wins: Anna Berg (Black) resigns. Anna Berg 0 - 1 Ben"


@pytest.mark.long
def test_who_begins_is_who_the_option_says(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu", "--sense", "colour"))
    player.tap("#open-new")
    expect(player.page.locator("#new-drops")).to_be_hidden()
    assert player.page.locator("label[for=option-first] span").inner_text().lower() == "who begins"
    player.page.select_option("#option-first", "o")
    player.page.select_option("#new-who", "you")
    player.page.select_option("#new-level", "2")
    player.tap("#new-ok")
    player.until("JSON.stringify(state.table.levels) === '[2,0]' && state.now.side === 1")


def test_hints_are_for_those_who_want_them(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang", "--sense", "colour"))
    player.opens("settings")
    hint = player.page.locator('[data-press="hint"]')
    for wanted, idle in (("off", True), ("always", True), ("button", False)):
        player.page.select_option("#hints", wanted)
        player.until("state.table.hints === wanted", wanted)
        expect(hint).to_be_enabled(enabled=not idle)
        assert hint.get_attribute("title")
    player.page.select_option("#mode", "referee")
    player.page.select_option("#hints", "off")
    player.until("state.table.hints === 'off' && state.table.mode === 'referee'")
    expect(hint).to_be_enabled()


def test_the_result_stands_there_once_and_one_may_play_again(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL))
    expect(player.page.locator("#explain")).to_be_hidden()
    player.tap("#open-end")
    player.tap("#end-ways button:last-child")
    player.is_in("over")
    player.page.locator("#play-again").wait_for()
    player.until("state.said.at(-1).text === state.story.outcome")
    assert player.page.evaluate(SEEN, "Both agree on a draw.") == 1
    for button in ("done", "hint"):
        expect(player.page.locator(f'[data-press="{button}"]')).to_be_disabled()
    expect(player.page.locator("#explain")).to_be_visible()
    player.tap("#play-again")
    expect(player.page.locator("dialog#new[open]")).to_be_visible()
    expect(player.page.locator("#new-drops")).to_be_hidden()
    player.tap("#new-ok")
    player.is_in("rest")
    expect(player.page.locator("#outcome")).to_be_hidden()


def test_a_button_of_the_end_stays_where_it_is(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL))
    player.page.evaluate(PLACES, "#play-again")
    player.tap("#open-end")
    player.tap("#end-ways button:last-child")
    player.is_in("over")
    player.until("performance.getEntriesByName(new URL('/static/moments.js', location).href).length")
    player.until("places.at(-1)?.[1] > 50")  # frames
    assert len(player.ask("places")) == 1


def test_between_two_tables_another_game_is_asked_for_at_once(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL))
    player.tap("#open-end")
    player.tap("#end-ways button:last-child")
    player.is_in("over")
    player.page.evaluate(LINKED)
    player.tap("#play-again")
    player.is_in("rest")
    expect(player.page.locator("dialog[open]")).to_have_count(0)


def test_a_player_is_shown_with_the_own_stones_and_a_lamp_of_no_such_look(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zhizhu"))
    own = player.page.locator("#whose .own > svg > g")
    assert [own.nth(side).get_attribute("class") for side in (0, 1)] == ["stone dark", "stone light"]
    expect(player.page.locator("#whose .lit")).to_have_attribute("data-side", "0")
    player.tap("#open-help")
    assert "seed" not in player.text("#help-text")
    expect(visit(look_at("yin-yang")).page.locator("#whose .own svg")).to_have_count(0)


def test_the_engine_plays_both_sides_by_itself(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL))
    player.tap("#open-new")
    player.page.select_option("#new-who", "both")
    player.page.select_option("#new-level", "1")
    player.tap("#new-ok")
    player.until("state.story.turns.length >= 3")
    expect(player.page.locator("#carry-out")).to_be_hidden()
    player.opens("settings")
    player.page.select_option("#carry", "me")
    player.until("!state.table.carried && state.now.plan && state.now.state === 'rest'")
    player.page.locator("#carry-out").wait_for()
