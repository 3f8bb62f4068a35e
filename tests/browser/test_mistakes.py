"""What goes wrong at a table, what the page then shows and says, and how the game goes on."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start, Visit
from .playing import PHONE, PLACES, Player, expect
from .running import Program

SMALL = ("-O", "size=6")


def game() -> ScoreSheet:
    """Zong-Heng on 6 x 6 squares."""
    return ScoreSheet(load("zong-heng", size=6))


def goes_on(player: Player, program: Program, sheet: ScoreSheet, *turns: str) -> None:
    """The game goes on with these turns, and the record has them and no others."""
    for text in turns:
        player.plays(sheet, text)
    assert [entry.turn.text for entry in program.kept().played_turns] == [
        entry.turn.text for entry in sheet.played_turns
    ]


def reason(sheet: ScoreSheet, turn: str) -> str:
    """Why the rules refuse the turn of this text."""
    return next(str(refused.reason) for refused in sheet.game.refused(sheet.position) if refused.text == turn)


def test_an_illegal_turn_is_shown_and_said_and_put_right(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, "--sense", "colour")
    player, sheet = visit(program), game()
    player.drags("f4", "f3")  # a white stone, and it is the dark ones' turn
    player.brings(1, "f4")
    player.is_in("astray")
    player.hears(reason(sheet, "f4-f3"))
    assert player.text("#alarm") == reason(sheet, "f4-f3")
    player.lights("wrong")
    expect(player.page.locator('[data-cue="wrong"] .mark')).not_to_have_count(0)
    expect(player.page.locator('#legend [data-legend="wrong"]')).to_be_visible()
    player.takes_off("f4")
    player.drags("f3", "f4")
    player.is_in("rest")
    player.hears("The board is right again.")
    goes_on(player, program, sheet, "c3-c2", "f4-f5")


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desk", "phone"])
def test_trays_stay_where_they_are_whatever_is_said(start: Start, visit: Visit, window: dict[str, Any]) -> None:
    program = start("zong-heng", *SMALL, "--sense", "colour")
    assert len(places(visit(program, **window), "#supply")) == 1


def test_on_a_phone_the_button_that_puts_right_stays_as_well(start: Start, visit: Visit) -> None:
    """But for the height of a line that three long sentences take away for a moment; it moved by two lines."""
    heights = [y for _, y in places(visit(start("zong-heng", *SMALL, "--sense", "colour"), **PHONE), "#tidy-now")]
    assert max(heights) - min(heights) < 12


def places(player: Player, what: str) -> list[tuple[float, float]]:
    """Where an element stands, one place after another, while a stone is moved that may not be, and that is told."""
    player.page.evaluate(PLACES, what)
    player.drags("f4", "f3")
    player.brings(1, "f4")
    player.hears(reason(game(), "f4-f3"))
    player.until("places.at(-1)[1] > 10")  # frames
    return [tuple(json.loads(place)) for place, _ in player.ask("places")]


@pytest.mark.long
def test_a_stone_cannot_be_put_where_one_lies(start: Start, visit: Visit) -> None:
    program = start("yin-yang", "--sense", "colour")
    player = visit(program)
    player.lifts("d4")
    player.touches("c3")
    assert "c3 is taken" in player.text("#alarm")
    player.tap('[data-hand="put-back"]')
    player.is_in("rest")


@pytest.mark.long
def test_undo_by_the_button_has_hands_put_the_board_right(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, "--sense", "colour")
    player, sheet = visit(program), game()
    goes_on(player, program, sheet, "c3-c2", "f4-f5")
    player.press("undo")
    player.stands(["c3-c2"])
    player.is_in("rest")
    sheet.undo()
    assert player.board() == list(sheet.position.board)
    goes_on(player, program, sheet, "f4-f3")


@pytest.mark.long
def test_the_end_by_resigning_is_taken_back(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, "--sense", "colour")
    player, sheet = visit(program), game()
    player.tap("#open-end")
    player.tap("#end-ways button:first-child")
    player.is_in("over")
    assert player.text("#outcome") == "White wins: Black resigns."
    player.press("undo")
    player.is_in("rest")
    goes_on(player, program, sheet, "c3-c2")


@pytest.mark.long
def test_a_bumped_table_goes_on(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, "--sense", "colour")
    player, sheet = visit(program), game()
    player.opens("workshop")
    player.tap('[data-mishap="bump"]')
    stones = sum(map(bool, sheet.position.board))  # the last that jumps slides off, and back a second later
    off = "state.now.levels.filter(Boolean).length === wanted && performance.now() / 1000 > state.received + 0.3"
    player.until(off, stones - 1)
    player.is_in("rest")
    assert player.board() == list(sheet.position.board)
    goes_on(player, program, sheet, "c3-c2")


class Mishap(NamedTuple):
    """What happens to a table, how the table then is, and the button that puts it right."""

    sense: str
    button: str
    gone: bool
    """Whether all the pieces are off their sites."""
    state: str
    cue: str
    says: str
    remedy: str
    called: str


MISHAPS = {
    "pieces knocked over": Mishap(
        "presence", '[data-mishap="knock-over"]', True, "astray", "missing", "To put right", "#tidy-now",
        "Put everything right",
    ),
    "a pulled cable": Mishap(
        "colour", "#cable", False, "blind", "blind", "The table sees nothing", "#cable", "Plug the sensors in"
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("mishap", MISHAPS.values(), ids=MISHAPS)
def test_a_mishap_is_told_and_put_right(mishap: Mishap, start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, "--sense", mishap.sense)
    player, sheet = visit(program), game()
    player.opens("workshop")
    player.tap(mishap.button)
    player.until("state.now.levels.some(Boolean) !== wanted", mishap.gone)
    player.is_in(mishap.state)
    player.hears(mishap.says)
    player.lights(mishap.cue)
    assert player.text(mishap.remedy) == mishap.called
    player.tap(mishap.remedy)
    player.is_in("rest")
    player.hears("again.")
    assert player.board() == list(sheet.position.board)
    goes_on(player, program, sheet, "c3-c2")


def test_a_turn_that_presence_cannot_tell_is_asked_by_light(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL, "--sense", "colour")
    player, sheet = visit(program), game()
    player.opens("workshop")
    player.page.select_option("#sense", "presence")
    player.until("state.table.sense === wanted", "presence")
    player.brings(1, "c4")  # as if the new stone on c3 had pushed: no site was ever seen empty
    player.hears("Which turn was it?")
    player.lit("ask", "c3")
    player.lifts("c3")
    player.touches("c3")
    player.stands(["c3-c4"])
    sheet.read("c3-c4")
    assert program.kept(program.latest()).played_turns[-1].turn.text == "c3-c4"
    player.is_in("rest")
    player.plays(sheet, "f4-f5")
