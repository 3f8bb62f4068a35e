"""What the page tells hands to do next, and what it lets them do."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import LookAt, Start, Visit
from .keyboard import Typist
from .playing import Player, expect
from .running import BY_ME
from .short_games import ZHIZHU
from .views import PATIENT


def test_an_illegal_move_is_led_back_and_no_new_stone_is_called_for(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", "-O", "size=6", "--sense", "colour"))
    player.drags("c3", "d5")
    player.lights("wrong", "missing")
    player.until("/d5 back to c3/.test(document.querySelector('.voice').textContent)")
    expect(player.page.locator(".tray.next")).to_have_count(0)
    player.hears("back to c3; from there it may go to")
    player.lifts("d5")
    player.until("state.said.at(-1).text.includes('the turn is not finished yet')")
    player.touches("c3")
    player.is_in("rest")
    assert "not finished" not in player.text("#say")  # for nothing is left to do
    player.lifts("c3")
    player.until("document.querySelector('#guide').textContent === 'Tap a lit square, or drag it there.'")
    player.touches("c2")  # and after half a turn the stone that is owed is called for
    player.lit("place-here", "c3")
    expect(player.page.locator('.tray.next[data-supply="1"]')).to_have_count(1)
    assert "c3" in player.text("#guide")
    assert not player.text("#say")
    player.until("state.said.at(-1).name === 'owed'")
    assert "not finished" in player.text("#say")
    player.drags("c2", "c3")
    player.is_in("rest")
    player.until("!document.querySelector('#say').textContent")  # for there is nothing left to do
    player.drags("c3", "c2")
    player.brings(1, "c3")
    player.stands(["c3-c2"])
    player.plays(read("c3-c2"), "f4-f5")
    player.lifts("c2")
    player.until("/pushes the whole row/.test(document.querySelector('#guide').textContent)")


def test_a_new_stone_of_the_wrong_colour_is_taken_off_again(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang", "--sense", "colour"))
    player.drags("c3", "b3")
    player.brings(2, "c3")
    player.lights("wrong")
    player.lifts("c3")
    player.until("/Take it off the board/.test(document.querySelector('#guide').textContent)")
    player.tap('[data-hand="take-off"]')
    player.brings(1, "c3")
    player.stands(["c3-b3"])


DONE = "async () => (await import('/static/live.js')).ask({ do: 'press', button: 'done' })"
HINTED = """(() => {
  const marked = document.querySelectorAll("[data-cue=hint]").length;
  const words = document.querySelector("#guide").textContent;
  return marked && words.startsWith(marked > 1 ? "The marked places are where" : "The marked place is where");
})()"""


def read(*turns: str) -> ScoreSheet:
    """Zong-Heng on 6 x 6 squares after these turns."""
    sheet = ScoreSheet(load("zong-heng", size=6))
    for text in turns:
        sheet.read(text)
    return sheet


ROW = "tablelight 1\ngame zong-heng size=6\nsense colour\nposition .o.o.o/x.x.x./.o.ooo/xxo.x./.o.o.o/x.x.x. x\n"
"""The head of a record: dark may push a3, b3 and the light stone of c3, which may not be moved by itself."""


def test_a_row_begun_from_its_far_end_is_led_on(start: Start, visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "row.table"
    path.write_text(ROW)
    player = visit(start("", "--resume", str(path)))
    for origin, target in (("c3", "d3"), ("b3", "c3"), ("a3", "b3")):
        if origin != "c3":
            player.until(f"document.querySelector('#guide').textContent.endsWith('from {origin} to {target}.')")
            assert player.ask("state.pointer") == [origin, target]
        player.drags(origin, target)
    player.brings(1, "a3")
    player.stands(["a3-d3"])


BARRED = {
    "zig-zag": ("count", "5,5,5,5,5,5/5,5,5,5,5,5 0,0 S - -", "N3", "it is South's turn", "seeds back."),
    "yin-yang": ("colour", "....../....../..xo../..ox../....../....x. 1", "e1", "no stone of its col", "back on e1."),
    "zhizhu": ("colour", "xo....../......../........ x 8,8 -,-", "a1", "still has stones in hand (8)", "back on a1."),
    "zong-heng": (
        "colour", "/".join([".o.o.o.o", "x.x.x.x."] * 4) + " x", "b2", "A single stone must be your own", "back on b2.",
    ),
}  # fmt: skip
"""By game the sense, a position, a piece with which no turn begins there, why, and what is to be done with it."""


@pytest.mark.parametrize("name", BARRED)
def test_a_piece_with_which_no_turn_begins_goes_back_with_the_reason(
    start: Start, visit: Visit, tmp_path: Path, name: str
) -> None:
    sense, position, site, why, back = BARRED[name]
    path = tmp_path / "begun.table"
    path.write_text(f"tablelight 1\ngame {name}\nsense {sense}\nposition {position}\n")
    player = visit(start("", "--resume", str(path), quick=PATIENT))
    player.is_in("rest")
    player.lifts(site)
    player.until("wanted.every((words) => document.querySelector('#guide').textContent.includes(words))", [why, back])
    player.tap('[data-hand="put-back"]')
    player.is_in("rest")
    assert why not in player.text(".voice")


def test_while_a_stone_of_an_illegal_turn_is_led_back_the_rule_stands_beside_it(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang", "--sense", "colour", quick=PATIENT))
    player.drags("c3", "a3")  # the stone that is to be left behind is not laid yet
    rule = "The stone on c3 moves exactly 1, one square for each stone of its colour around it, not 2."
    player.until(
        "document.querySelector('#guide').textContent === wanted", f"{rule} Move the stone from a3 back to c3."
    )
    player.lifts("a3")
    player.touches("c3")
    player.is_in("rest")


def test_stones_are_laid_by_a_tap_and_one_is_captured(start: Start, visit: Visit) -> None:
    player, sheet = visit(start("zhizhu", "--sense", "colour")), ScoreSheet(load("zhizhu"))
    for text in ZHIZHU[:10]:
        player.touches(text)
        sheet.read(text)
        player.stands([entry.turn.text for entry in sheet.played_turns])
        player.until("state.now.side === wanted", sheet.position.side)  # who lays the next stone
    player.press("hint")
    player.until(HINTED)
    player.touches("a3")
    player.until("Object.values(state.now.cues).some(({ kind, under }) => kind === 'hint' && under === 'capture')")
    assert "tap a marked stone" in player.text("#guide")
    assert "black stone: 3" in player.text('[data-supply="1"]')
    player.takes_off("c5")
    sheet.read("a3xc5")
    player.stands([entry.turn.text for entry in sheet.played_turns])


def test_where_nothing_is_pushed_a_neighbour_stays(start: Start, visit: Visit) -> None:
    player = visit(start("yin-yang", "--sense", "presence"))
    before = player.board()
    player.drags("c3", "c4")
    player.hears("c4 is taken")
    player.is_in("rest")
    assert player.board() == before
    player.touches("a1")
    player.hears("Nothing lies on a1")
    assert not player.text("#alarm")


def test_the_engines_turn_is_carried_out(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", "-O", "size=6", "--opponent", "1", "--opponent", "1", more=BY_ME))
    for made in range(3):
        player.until("state.now.plan && state.now.side === wanted && !state.making", made % 2)
        plan = player.ask("state.now.plan")
        origin, target = plan.split("-")
        player.until("document.querySelector('#guide').textContent.includes(wanted)", origin)
        if made:
            player.lifts(origin)
        if made == 2:
            player.touches(target)
            player.until("level(wanted) > 0", target)
            strays(player)
        player.tap("#carry-out")
        player.until("state.story.turns.at(-1)?.text === wanted", plan)
    assert len(player.turns()) == 3


def strays(player: Player) -> None:
    """Lay a stone that is no part of the engine's turn, lift it, hear that it goes off the board, and lay it again."""
    empty = "Object.keys(state.table.board.at).find((site) => !level(site) && !state.now.cues[site])"
    site = player.until(empty)
    player.lays(2, site)
    player.is_in("astray")
    player.lifts(site)
    player.until("document.querySelector('#guide').textContent === 'Take it off the board.'")
    player.touches(site)
    player.is_in("astray")


def test_the_arrow_keys_lead_to_what_lies_nearest(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zhizhu"), who=Typist)
    player.sits_down()
    player.page.locator('[data-site="b5"]').focus()
    player.key("ArrowRight")
    assert player.focused == "b4"
    player.key("ArrowDown")
    assert player.focused == "a4"


def test_a_turn_that_was_not_seen_is_shown_until_done_says_that_it_was_the_one(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu", "--sense", "presence"))
    player.page.evaluate(DONE)  # as at a table: on the page the button waits until a hand has done something
    player.hears("If a turn was made all the same, press Done again.")
    player.page.evaluate(DONE)
    player.hears("Was it one of these turns: a1")
    player.lights("travelling")
    player.until("document.querySelector('#guide').textContent.startsWith('If the lights show the turn')")
    player.until("state.said.at(-1).text.includes('b1')")
    player.brings(1, "c5")  # the hands go on instead
    player.stands(["c5"])
