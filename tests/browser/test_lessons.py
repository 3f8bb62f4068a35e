"""Lessons on the page: solved by mouse, by finger and by keys; and the first screen, which leads to them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware_bridge.score import ScoreSheet
from firmware_bridge.web.cards import cards
from games.lessons import solutions
from games.rules import Game, load, names

from .conftest import Start, Visit
from .keyboard import Typist
from .playing import PHONE, PLACES, Player, expect
from .test_for_everybody import in_both_lights

TASK = "document.querySelector('#task').textContent"
ABOVE_BUTTONS = (
    "document.querySelector('.tools').getBoundingClientRect().bottom"
    " <= document.querySelector('#buttons').getBoundingClientRect().top"
)
"""Whether all that is needed lies above the buttons, which lie over what is under them on a phone."""

COVERED = """[...document.querySelectorAll(".voice > p")].some((each) => {
  const [words, row] = [each, document.querySelector(".voice .row")].map((one) => one.getBoundingClientRect());
  return words.height > 1 && row.height > 1 && words.bottom > row.top + 1;
})"""
"""Whether a button lies over what is said."""


def course(name: str) -> Game[Any]:
    return load(name, **load(name).lesson_options)


def opened(player: Player, game: str) -> None:
    """Open the first screen, and choose to learn this game."""
    player.tap("#open-start")
    player.tap(f'[data-learn="{game}"]')
    player.until("state.table.lesson?.number === 1 && state.now.state === 'rest'")
    player.page.locator("#lesson").wait_for()  # that part of the page is fetched now, and moves what is below


def solved(player: Player, game: Game[Any], number: int, *, taps: bool) -> None:
    """Read the task, solve the lesson in hand, and read what was learnt."""
    lesson = game.lessons[number - 1]
    player.until(f"{TASK} === wanted", str(game.lesson_says(lesson)))
    sheet = ScoreSheet(game, game.position(lesson.position), house_rule=False)
    player.shows(zip(game.sites, sheet.position.board, strict=True))
    player.is_in("rest")
    player.until(ABOVE_BUTTONS)
    player.plays(sheet, solutions(lesson, game)[0].text, taps=taps)
    player.until("state.table.lesson.solved")
    player.until(f"{TASK} === wanted", str(game.lesson_says(lesson, "done")))


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
@pytest.mark.parametrize("name", names())
def test_all_lessons_of_a_game(start: Start, visit: Visit, name: str, *, touch: bool) -> None:
    player = visit(start(name), **(PHONE if touch else {}))
    game = course(name)
    opened(player, name)
    count = len(game.lessons)
    for number in range(1, count + 1):
        solved(player, game, number, taps=touch)
        player.tap("#lesson-on")
        if number < count:
            player.until("state.table.lesson?.number === wanted && !state.table.lesson.solved", number + 1)
    player.until("state.table.lesson === null && state.table.levels[1] === 1")
    expect(player.page.locator("#lesson")).to_be_hidden()
    expect(player.page.locator("#lesson-on")).to_be_hidden()
    player.tap("#open-start")
    assert f"{count} of {count} lessons solved" in player.text(f'[data-card="{name}"]')


@pytest.mark.parametrize("name", names())
def test_the_first_and_the_last_lesson_by_keys(start: Start, visit: Visit, name: str) -> None:
    typist = visit(start(name), who=Typist)
    game = course(name)
    typist.page.locator("#open-start").focus()
    typist.key("Enter")
    typist.page.locator(f'[data-learn="{name}"]').focus()
    typist.key("Enter")
    typist.until("state.table.lesson?.number === 1 && state.now.state === 'rest'")
    typist.sits_down()
    solved(typist, game, 1, taps=True)
    last = len(game.lessons)
    typist.page.locator(f'#lesson-steps [data-lesson="{last}"]').focus()
    typist.key("Enter")
    typist.until("state.table.lesson?.number === wanted && state.now.state === 'rest'", last)
    assert typist.page.evaluate("document.activeElement.dataset.lesson") == str(last)  # a step keeps the focus
    typist.sits_down()
    solved(typist, game, last, taps=True)


def test_another_turn_is_taken_back_by_the_hand_and_told(start: Start, visit: Visit) -> None:
    player, game = visit(start("yin-yang")), course("yin-yang")
    opened(player, "yin-yang")
    sheet = ScoreSheet(game, game.position(game.lessons[0].position), house_rule=False)
    player.plays(sheet, "d4-d5")
    player.hears("d4-d5 is allowed, but is not what is asked for here.")
    player.stands([])
    player.is_in("rest")
    player.hears("d4-d5 is allowed, but is not what is asked for here.")
    assert "it moves one square" in player.text("#task")
    player.lifts("d4")
    player.is_in("under-way")
    player.touches("d4")
    player.is_in("rest")
    assert "is not what is asked for" not in player.text("#say")  # that was before
    solved(player, game, 1, taps=False)


def test_on_a_phone_all_of_the_guidance_is_read(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng"), **PHONE)
    opened(player, "zong-heng")
    fits = "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1)(document.querySelector('.voice'))"
    player.until(f"document.querySelector('#guide').textContent && {fits}")


def test_a_refused_row_and_the_way_back_are_read_on_a_phone(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng"), **PHONE)
    opened(player, "zong-heng")
    player.tap('#lesson-steps [data-lesson="3"]')
    player.until("state.table.lesson?.number === 3 && state.now.state === 'rest'")
    player.page.evaluate(PLACES, ".hands")
    player.drags("f6", "e6")
    player.is_in("astray")
    assert not player.ask(COVERED)
    player.press("hint")
    player.until("state.said.at(-1).text.startsWith('The row c1')")
    assert not player.ask(COVERED)
    player.lifts("c6")
    assert not player.ask(COVERED)
    player.until(ABOVE_BUTTONS)
    assert len(player.ask("places")) == 1


def test_what_a_counted_turn_has_captured_is_not_in_the_hand(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu"))
    opened(player, "zhizhu")
    player.tap('#lesson-steps [data-lesson="2"]')
    player.until("state.table.lesson?.number === 2 && state.now.state === 'rest'")
    player.brings(1, "c2")
    player.lifts("a5")  # a stone of a chain
    player.hears("a5 stands in a chain")
    player.tap('[data-hand="put-back"]')
    player.lifts("a7")
    player.until("state.table.lesson.solved")
    player.until("!state.hand")
    player.shows([("a7", 0)])


def test_an_illegal_turn_has_the_usual_refusal(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang"))
    opened(player, "yin-yang")
    player.drags("c3", "a3")
    player.brings(1, "c3")
    player.is_in("astray")
    player.hears("moves exactly 1, one square for each stone of its colour around it, not 2")
    assert "it moves one square" in player.text("#task")


def test_hint_lights_the_turn_and_says_it(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu"))
    opened(player, "zhizhu")
    player.press("hint")
    player.hears("Lay a black stone on c1")
    player.lit("hint", "c1")


# The first screen -------------------------------------------------------------------------------


def test_without_a_game_named_the_page_offers_all(start: Start, visit: Visit) -> None:
    player = visit(start(""))
    player.page.locator("#start").wait_for()
    player.until("document.querySelectorAll('.little-board .little-piece').length > 10")
    expect(player.page.locator("#board")).to_be_hidden()
    assert "Whoever captures seven of the other's nine stones wins." in player.text('[data-card="zhizhu"]')
    in_both_lights(player)
    player.tap('[data-play="zhizhu"]')
    player.page.locator("dialog#new[open]").wait_for()
    expect(player.page.locator("#new [name=game]:checked")).to_have_attribute("value", "zhizhu")
    player.page.keyboard.press("Escape")
    expect(player.page.locator("#board")).to_be_visible()


def test_whoever_names_a_game_sees_its_board(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu"))
    expect(player.page.locator("#start")).to_be_hidden()
    player.tap("#open-start")
    player.tap("#leave-start")
    expect(player.page.locator("#board")).to_be_visible()


def test_the_cards_play_by_themselves_and_stand_still_where_nothing_may_move(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang"), reduced_motion="no-preference")
    player.tap("#open-start")
    pieces = "document.querySelectorAll('[data-card=yin-yang] .little-piece').length"
    player.until(f"{pieces} === 4")
    player.until(f"{pieces} > 6")
    player.page.emulate_media(reduced_motion="reduce")
    ended = json.loads(cards())["yin-yang"]["turns"][-1][1]
    player.until(f"{pieces} === wanted", sum(map(bool, ended)))
    assert player.page.evaluate("getComputedStyle(document.querySelector('.little-piece')).transitionDuration") == "0s"


def test_a_lesson_and_the_first_screen_on_a_phone_have_nothing_that_axe_finds(start: Start, visit: Visit) -> None:
    player = visit(start("zig-zag"), **PHONE)
    player.tap("#open-start")
    in_both_lights(player)
    player.tap('[data-learn="zig-zag"]')
    player.until("state.table.lesson?.number === 1 && state.now.state === 'rest'")
    in_both_lights(player)
