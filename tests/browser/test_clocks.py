"""Clocks on the page: large by the names, counted down as the table counts, chosen with a new game."""

from __future__ import annotations

from random import Random

from firmware_bridge.clocks import Clock, clocks
from firmware_bridge.score import ScoreSheet
from firmware_bridge.web.forms import encode
from firmware_bridge.web.snapshots import clocks_form
from games.rules import load

from .conftest import LookAt, Start, Visit
from .playing import PHONE, expect

TWIN = """async (asked) => {
  const { shown, told } = await import('/static/counting.js');
  return asked.map(([clocks, side, at]) => {
    const [seconds, periods] = shown(clocks, side, at);
    return [told(seconds), periods];
  });
}"""
INSIDE = """[...document.querySelectorAll('.clock')].every((each) => {
  const [own, of] = [each, each.closest('.player')].map((node) => node.getBoundingClientRect());
  return own.width > 60 && own.left >= of.left && own.right <= of.right && own.right <= innerWidth;
})"""


def random_clock(chance: Random) -> Clock:
    """Clocks after some turns, running or not."""
    clock = clocks(chance.choice(["1", "90", "3+2", "1+3x30", "0+2x20"]))
    assert clock
    for _ in range(chance.randrange(1, 6)):
        clock = clock.turn(100.0, 1 - clock.side).run(100.0).stop(100.0 + chance.uniform(0, 40))
    return clock.run(200.0) if chance.random() < 0.7 else clock


def test_the_page_shows_what_the_table_counts(look_at: LookAt, visit: Visit) -> None:
    chance = Random(5)
    asked = [(random_clock(chance), chance.randrange(2), 200 + chance.uniform(0, 70)) for _ in range(200)]
    due = [[(now := clock.shown(side, at)).text, now.periods] for clock, side, at in asked]
    given = b"[" + b",".join(encode([clocks_form(clock), side, at]) for clock, side, at in asked) + b"]"
    told = visit(look_at("zong-heng")).page.evaluate(f"({TWIN})({given.decode()})")
    assert told == due


def test_clocks_run_on_the_page_and_one_loses_on_time(start: Start, visit: Visit) -> None:
    program = start("zhizhu", "--sense", "colour", "--clock", "0.05+1x1")
    phone, other = visit(program, **PHONE), visit(program)
    expect(phone.page.locator("#whose .clock b")).to_have_text(["0:03.0", "0:03.0"])
    assert phone.ask(INSIDE)
    assert other.ask(INSIDE)
    phone.plays(ScoreSheet(load("zhizhu")), "a1", taps=True)
    phone.until("document.querySelector('[data-side=\"1\"] .clock.runs.low b')?.textContent < '0:02.9'")
    other.until("document.querySelector('[data-side=\"1\"] .clock.runs')")
    other.until("state.story.outcome")
    assert other.text("#outcome") == "Black wins: the time of White is up."
    assert other.text('[data-side="1"] .clock') == "0:00.0"


def test_time_is_chosen_with_a_new_game(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", "--sense", "colour"))
    expect(player.page.locator("#whose .clock").first).to_be_hidden()
    player.tap("#open-new")
    player.page.select_option("#new-clock", "own")
    player.page.fill("#own-clock", "soon")
    player.tap("#new-ok")
    expect(player.page.locator("#new")).to_be_visible()
    player.page.fill("#own-clock", "7+2x20")
    player.tap("#new-ok")
    player.until("state.table.clock === '7+2x20' && !document.querySelector('#new').open")
    expect(player.page.locator("#whose .clock").first).to_have_text("7:00 2 x 20 s", use_inner_text=True)
    player.tap("#open-new")
    expect(player.page.locator("#new-clock")).to_have_value("7+2x20")
    player.page.select_option("#new-clock", "")
    player.tap("#new-ok")
    player.until("state.table.clock === '' && document.querySelector('.clock').hidden")
