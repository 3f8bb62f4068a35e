"""Two phones at one table: seats, their own buttons, what they agree on; and two guests without seats."""

from __future__ import annotations

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import LookAt, Start, Visit
from .playing import PHONE, Player, expect
from .running import Program

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
SMALL = ("-O", "size=6", "--sense", "colour")
TOKEN = "an-evening-of-ours"
ON_THE_NETWORK = {"host": "0.0.0.0", "more": f'[page]\ntoken = "{TOKEN}"\n'}
LIFT = """async () => {
  const { ask } = await import("/static/live.js");
  return ask({ do: "lay", changes: [["e1", 0]] });
}"""
STILL = PHONE | {"reduced_motion": "reduce"}
JOIN = f"/?join#{TOKEN}"


def sits(player: Player, side: int, name: str) -> None:
    """Take a seat in the dialog that is open."""
    player.page.fill("#seat-name", name)
    player.tap(f'.seat-line[data-side="{side}"] button')
    player.until("state.seats?.mine === wanted", side)


def two_phones(start: Start, visit: Visit) -> tuple[Program, Player, Player]:
    """Ann plays first, Ben second."""
    program = start("zong-heng", *SMALL, **ON_THE_NETWORK)
    ann, ben = (visit(program, JOIN, **STILL) for _ in range(2))
    sits(ann, 0, "Ann")
    ben.until("state.seats?.seats[0]?.name === 'Ann'")
    expect(ben.page.locator('.seat-line[data-side="0"] button')).to_be_disabled()
    sits(ben, 1, "Ben")
    ann.until("state.seats?.seats[1]?.name === 'Ben'")
    return program, ann, ben


def test_two_phones_play_and_agree(start: Start, visit: Visit) -> None:
    program, ann, ben = two_phones(start, visit)
    sheet = ScoreSheet(load("zong-heng", size=6))
    assert "Ann" in ben.text('.player[data-side="0"]')
    assert [ann.ask("state.quarters"), ben.ask("state.quarters")] == [0, 2]  # each sees the board from the own seat
    ben.touches("f4")
    assert ben.ask("state.hand") is None  # it is Ann's turn
    expect(ben.page.locator('[data-press="done"]')).to_be_disabled()
    ann.plays(sheet, "c3-c2", taps=True)
    ben.until("state.seats.act && state.now.state === 'rest'")
    ann.tap('[data-press="undo"]')
    ben.page.locator("#asked-grant").wait_for()
    assert "Ann asks to take the last turn back" in ben.text("#asked")
    expect(ann.page.locator("#asked-withdraw")).to_be_visible()
    ben.tap("#asked-refuse")
    ann.until("document.querySelector('#alarm').textContent.includes('does not agree')")
    expect(ann.page.locator("#asked")).to_be_hidden()
    assert program.kept().length == 1
    ann.tap('[data-press="undo"]')
    ben.page.locator("#asked-grant").wait_for()
    ben.tap("#asked-grant")
    ann.until("state.story.turns.length === 0 && state.now.state === 'rest'")
    faults = axe.Axe().run(ben.page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [fault for fault in faults if fault["impact"] in ("serious", "critical")] == []
    ann.until("state.seats.act && state.now.state === 'rest'")
    ann.opens("menu")
    ann.tap("#open-end")
    ways = ann.page.locator("#end-ways button")
    expect(ways).to_have_text(["Ann (Black) resigns", "Both agree on a draw"], use_inner_text=True)
    ways.nth(0).click()
    expect(ways.nth(0)).to_have_text("Press again to resign", use_inner_text=True)
    assert ann.ask("state.story.outcome") is None
    ways.nth(0).click()
    ben.until("state.story?.outcome")
    assert program.kept().outcome.winner == 1


def test_a_hint_is_told_to_its_seat_alone(start: Start, visit: Visit) -> None:
    program, ann, ben = two_phones(start, visit)
    ann.tap('[data-press="hint"]')
    ann.until("Object.values(state.now.cues).some(({ kind }) => kind === 'hint') && state.seats.hint.text")
    assert ann.text("#say") == ann.ask("state.seats.hint.text")
    ben.until("state.said.at(-1).name === 'helped'")  # that there was help is no secret
    assert ben.ask("state.seats.hint") is None
    assert not ben.ask("Object.values(state.now.cues).some(({ kind }) => kind === 'hint')")
    assert "note helped" in program.record.read_text()


def test_a_seat_outlives_a_reload_and_is_left_by_a_button(start: Start, visit: Visit) -> None:
    _, ann, ben = two_phones(start, visit)
    ann.page.reload()
    ann.until("state.seats?.mine === 0")
    ben.opens("menu")
    ben.tap("#open-seats")
    ben.tap('.seat-line[data-side="1"] button')
    ann.until("state.seats.seats[1] === null")
    ben.until("state.seats.mine === null")


def test_an_invitation_is_for_those_who_may_play(start: Start, visit: Visit, look_at: LookAt) -> None:
    program = start("zong-heng", *SMALL, **ON_THE_NETWORK)
    player, watcher = visit(program, JOIN), visit(program)
    assert player.page.locator("#invite-code path").first.evaluate("each => each.getBBox().width") > 20  # modules
    assert player.text("#invite-at").endswith(f":{program.port}/?join#{TOKEN}")
    assert watcher.ask("[state.page.invite, state.page.code]") == ["", ""]
    alone = visit(look_at("zong-heng"))
    alone.tap("#open-seats")
    expect(alone.page.locator("#invite")).to_be_hidden()
    assert "--address" in alone.text("#invite-none")


def test_two_guests_do_not_break_each_others_turn(start: Start, visit: Visit) -> None:
    program = start("zong-heng", *SMALL)
    one, other = visit(program), visit(program)
    sheet = ScoreSheet(load("zong-heng", size=6))
    one.drags("c3", "c2")
    other.until("state.seats && !state.seats.act")
    other.touches("e1")
    assert other.ask("state.hand") is None
    assert other.page.evaluate(LIFT)  # as no page of ours would ask it, and it comes to nothing
    other.until("state.refusal.includes('midst of a turn')")
    one.brings(1, "c3")
    one.stands(["c3-c2"])
    sheet.read("c3-c2")
    other.until("state.seats.act")
    other.plays(sheet, "f4-f5")
    assert program.kept().length == 2
