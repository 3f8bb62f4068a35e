"""What newcomers stumbled over when they tried the page."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import load
from tests.browser import test_puzzles
from tests.browser.test_lessons import opened, solved

from .conftest import LookAt, Start, Visit
from .playing import PHONE, expect

FITS = "(() => { const voice = document.querySelector('.voice'); return voice.scrollHeight <= voice.clientHeight; })()"
MIDDLE = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return [box.top, box.bottom, document.querySelector("#buttons").getBoundingClientRect().top];
}"""

HASTY = """async () => {
  const { on } = await import("/static/state.js");
  const { righted } = await import("/static/shown.js");
  const { lift } = await import("/static/hand.js");
  window.lifted = [];
  on("now", () => righted() && window.lifted.push(lift("S5")));
}"""
"""A hand that lifts the seeds of S5 whenever other hands take back a turn; what it was told."""


def test_before_a_game_is_chosen_none_is_named(start: Start, visit: Visit) -> None:
    player = visit(start(""))
    player.page.locator("#start").wait_for()
    assert player.text("#title") == ""
    assert player.page.title() == "Tablelight"
    expect(player.page.locator("#leave-start")).to_be_hidden()


def test_done_waits_for_something_to_be_told(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng"))
    player.until("document.querySelector('[data-press=done]').disabled")
    player.until("document.querySelector('[data-press=undo]').disabled")  # nor is there anything to take back
    player.lifts("c3")
    player.until("!document.querySelector('[data-press=done]').disabled")
    player.until("!document.querySelector('[data-press=undo]').disabled")


def test_of_the_lights_of_another_game_it_is_told_what_they_mean_there(start: Start, visit: Visit) -> None:
    player = visit(start("zig-zag"))
    expect(player.page.locator("#legend")).to_contain_text("the seeds of this pit may be sown")
    opened(player, "zong-heng")
    expect(player.page.locator("#legend")).to_contain_text("this piece may be moved")


def test_undo_after_a_lesson_that_is_won_asks_for_it_again(start: Start, visit: Visit) -> None:
    player, game = visit(start("zong-heng")), load("zong-heng", **load("zong-heng").lesson_options)
    opened(player, "zong-heng")
    last = len(game.lessons)
    player.tap(f'#lesson-steps [data-lesson="{last}"]')
    player.until("state.table.lesson.number === wanted && state.now.state === 'rest'", last)
    task = player.text("#task")
    solved(player, game, last, taps=True)
    player.until("state.table.lesson.solved && document.querySelector('#task').textContent !== wanted", task)
    player.press("undo")
    expect(player.page.locator("#task")).to_have_text(task)
    expect(player.page.locator("#lesson-on")).to_be_hidden()
    player.lights("movable")


def test_a_solved_lesson_bids_nobody_to_move(start: Start, visit: Visit) -> None:
    player, game = visit(start("zhizhu")), load("zhizhu")
    opened(player, "zhizhu")
    player.until("document.querySelectorAll('[data-cue=target]').length > 5")
    player.lays(1, "a3")
    player.until("state.said.some(({ name }) => name === 'lesson-other')")
    expect(player.page.locator("#tidy-now")).to_be_hidden()
    assert "taken back: try again." in player.text("#say")
    expect(player.page.locator("#guide")).to_be_hidden()
    player.until("state.now.state === 'rest' && state.story.turns.length === 0 && !state.hand")
    solved(player, game, 1, taps=True)
    player.until("state.table.lesson.solved && state.now.state === 'rest'")
    player.until("!Object.values(state.now.cues).some(({ kind }) => ['movable', 'target', 'begin'].includes(kind))")
    expect(player.page.locator("#guide")).to_be_hidden()
    assert player.text("#status") == ""
    expect(player.page.locator(".site.recent")).to_have_count(2)  # where a stone came to lie, and where one was taken


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_what_is_said_fits_into_its_place(start: Start, visit: Visit, window: dict[str, Any]) -> None:
    player = visit(start("zong-heng", "--sense", "colour"), **window)
    player.drag('[data-site="a7"] .hit', '[data-site="c8"] .hit')
    player.is_in("astray")
    player.hears("Move the black stone from c8 back to a7")
    player.until(FITS)
    expect(player.page.locator("#tidy-now")).to_be_visible()


def test_a_lesson_on_a_phone_opens_at_its_top_with_board_and_guidance(start: Start, visit: Visit) -> None:
    player = visit(start(""), **PHONE | {"viewport": {"width": 390, "height": 780}})
    player.page.locator("#start").wait_for()
    player.page.evaluate("scrollTo(0, 400)")
    player.tap('[data-learn="zhizhu"]')
    player.until("state.table.lesson?.number === 1 && state.now.state === 'rest' && scrollY === 0")
    player.page.locator("#guide").wait_for()
    for what in ("#task", "#board .stage", "#guide"):
        top, bottom, buttons = player.page.evaluate(MIDDLE, what)
        assert top >= 0, what
        assert bottom <= buttons, what


def test_an_arrow_between_neighbours_has_a_shaft(look_at: LookAt, visit: Visit) -> None:
    page = visit(look_at("yin-yang")).page
    path = "(await import('/static/board.js')).arrow([0, 0], [100, 0], 100).getAttribute('d')"
    numbers = page.evaluate(f"async () => {path}.match(/[\\d.]+/g).slice(0, 3).map(Number)")
    begins, _, ends = numbers
    assert begins == pytest.approx(24)
    assert ends == pytest.approx(76)


def test_undo_while_the_engine_sows_takes_back_ones_own_turn(start: Start, visit: Visit) -> None:
    player = visit(start("zig-zag", "--opponent", "1"))
    turn = player.ask("state.story.ways[0].text")
    player.page.evaluate("async (turn) => (await import('/static/hand.js')).carryOut(turn)", turn)
    player.until("state.story.turns.length === 1 && state.now.plan && state.now.state === 'under-way'")
    player.press("undo")
    player.until("state.story.turns.length === 0 && state.now.state === 'rest'")
    assert player.board() == [5] * 12


def test_no_hand_lifts_what_is_being_taken_back_in_a_lesson(start: Start, visit: Visit) -> None:
    player, game = visit(start("zig-zag")), load("zig-zag")
    opened(player, "zig-zag")
    player.page.evaluate(HASTY)
    player.lifts("S1")
    player.tap('[data-hand="sow"]')
    player.until("window.lifted.length && state.now.state === 'rest' && state.said.at(-1).name === 'lesson'")
    assert not any(player.page.evaluate("window.lifted"))
    assert player.ask("state.hand === null && !state.trail.length")
    assert player.board() == list(game.position(game.lessons[0].position).board)


def test_a_lesson_that_is_won_has_one_way_on_and_counts_no_captures_of_its_own(start: Start, visit: Visit) -> None:
    player, game = visit(start("zhizhu")), load("zhizhu")
    opened(player, "zhizhu")
    last = len(game.lessons)
    player.tap(f'#lesson-steps [data-lesson="{last}"]')
    player.until("state.table.lesson.number === wanted && state.now.state === 'rest'", last)
    solved(player, game, last, taps=True)
    player.until("state.story.outcome && document.querySelector('#outcome').textContent")
    expect(player.page.locator("#lesson-on")).to_be_visible()
    expect(player.page.locator("#play-again")).to_be_hidden()
    expect(player.page.locator(".prisoners:not(:empty)")).to_have_count(0)  # six were captured before the lesson


def test_after_a_puzzle_nobody_is_offered_the_strongest_opponent(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang"))
    test_puzzles.opened(player, "yin-yang")
    assert 8 in player.ask("state.table.levels")
    player.tap("#open-new")
    expect(player.page.locator("#new-who")).to_have_value("people")
    player.page.select_option("#new-who", "it")
    expect(player.page.locator("#new-level")).to_have_value("3")


def test_what_was_said_before_is_not_said_of_a_board_that_has_changed(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang"))
    player.page.evaluate("async () => (await import('/static/live.js')).ask({ do: 'press', button: 'undo' })")
    player.hears("no turn to take back")
    player.lifts("c3")
    player.until("!document.querySelector('#say').textContent")
    player.touches("c3")
    player.is_in("rest")
    player.drags("c3", "a3")
    player.until("state.now.state === 'astray' && state.said.at(-1).name === 'astray'")
    player.tap("#tidy-now")
    player.is_in("rest")
    player.hears("right again")
    player.drags("d3", "f3")
    player.is_in("astray")
    player.until("!document.querySelector('#say').textContent.includes('right again')")
    assert player.ask("state.said.at(-1).name === 'righted' || state.said.at(-1).name === 'astray'")
