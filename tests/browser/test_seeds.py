"""Seeds in the page's hands: none is ever lost, the pit that comes next has a name, and a slip is told at once."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import Position, Turn, load
from hardware.device import Sense

from .conftest import Start, Visit
from .playing import Player, expect

SEEDS = 60
HELD = "(state.hand?.level ?? 0) + (state.story.beside?.[0] ?? 0) + (state.story.beside?.[1] ?? 0)"


def relayed() -> tuple[ScoreSheet, Turn[Position]]:
    """A game in which a turn goes on twice from a pit of one's own that held seeds."""
    for seed in range(1000):
        sheet, luck = ScoreSheet(load("zig-zag")), Random(seed)
        for _ in range(6):
            for turn in sheet.turns:
                if len(lifts(turn)) == 3 and turn.steps[-1].level and len(turn.steps) < 24:
                    return sheet, turn
            sheet.accept(luck.choice(sheet.turns))
    raise AssertionError("no such game")


def lifts(turn: Turn[Position]) -> list[int]:
    """The places of the steps that lift seeds."""
    return [place for place, step in enumerate(turn.steps) if step.level == 0]


def counted(player: Player) -> int:
    """All seeds: on the board as it is shown, in the hand, and in the stores."""
    held: int = player.ask(HELD)
    return sum(player.board()) + held


def sows(player: Player, turn: Turn[Position], end: int) -> None:
    """Make the steps before `end`, tap by tap; the page names the pit each time, and all seeds are there."""
    player.touches(turn.steps[0].site)
    for made, step in enumerate(turn.steps[1:end], start=1):
        player.shows([turn.steps[made - 1]])
        assert step.site in player.text("#guide")
        expect(player.page.locator(f'.site.due[data-site="{step.site}"]')).to_have_count(1)
        player.touches(step.site)
        assert counted(player) == SEEDS
    player.shows([turn.steps[end - 1]])


@pytest.mark.parametrize("sense", [Sense.PRESENCE, pytest.param(Sense.COUNT, marks=pytest.mark.long)])
def test_no_seed_is_lost_in_a_relay(sense: Sense, start: Start, visit: Visit, tmp_path: Path) -> None:
    sheet, turn = relayed()
    path = tmp_path / "begun.table"
    Record(path, sheet, sense).close()
    player = visit(start("zig-zag", "--resume", str(path)))
    again = lifts(turn)[1] + 1
    sows(player, turn, again)
    player.press("done")
    player.hears("still seeds in your hand")
    assert counted(player) == SEEDS
    player.tap('[data-hand="put-back"]')
    player.is_in("rest")
    player.shows(zip(sheet.game.sites, sheet.position.board, strict=True))
    assert counted(player) == SEEDS
    sows(player, turn, again)
    player.tap('[data-hand="sow"]')
    sheet.accept(turn)
    player.stands([entry.turn.text for entry in sheet.played_turns])
    player.is_in("rest")
    assert player.board() == list(sheet.position.board)
    assert counted(player) == SEEDS


def test_a_sowing_that_goes_astray_is_told_before_it_is_done(start: Start, visit: Visit) -> None:
    player = visit(start("zig-zag", "--sense", "presence"))
    for site in ("S1", "N2", "N3"):
        player.touches(site)
    assert "The seed in N3 belongs in S3: put all the seeds back" in player.text("#guide")
    expect(player.page.locator('[data-hand="sow"]')).to_have_count(0)
    for site in ("N4", "S5", "N6"):
        player.touches(site)
    assert "S3: 6, N3: 5" in player.text("#guide")
    player.press("undo")  # what is begun is taken back before what is done
    player.is_in("rest")
    assert player.board() == [5] * 12
    for site in ("S3", "N1", "N1", "N1", "N1", "N1"):
        player.touches(site)
    player.until("document.querySelector('#guide').textContent.includes('not how the seeds of S3 go')")
    player.until("['complete', 'which'].includes(state.now.state)")  # for the sensors it may be a whole turn
    expect(player.page.locator('[data-press="done"].next')).to_have_count(0)
    assert not player.text("#say")
    player.press("undo")
    player.is_in("rest")
    player.lets_the_hand_sow("S1")
    player.stands(["S1"])
    before = player.board()
    player.lifts("N4")
    player.tap('[data-hand="sow"]')
    player.until("state.making && state.now.levels.at(-3) === 0 && state.now.levels.some((level) => level > 6)")
    player.press("undo")  # the hand stops, and puts back what it has sown
    player.is_in("rest")
    player.hears(" to play.")
    assert player.board() == before
    assert player.turns() == ["S1"]
    stands = player.ask("document.querySelector('#turns').getBoundingClientRect().top")
    player.press("hint")
    player.until("document.querySelectorAll('#legend li').length === 3")
    assert player.ask("document.querySelector('#turns').getBoundingClientRect().top") == stands


@pytest.mark.long
def test_a_pit_tapped_twice_and_a_store_keep_their_seeds(start: Start, visit: Visit) -> None:
    player = visit(start("zig-zag", "--sense", "count"))
    player.lifts("S3")
    player.tap('[data-store="0"]')
    player.hears("captured seeds only")
    assert counted(player) == SEEDS
    player.touches("S3")
    player.is_in("rest")
    assert player.board() == [5] * 12
    for site in ("S3", "N1", "N1", "N1", "N1", "N1"):
        player.touches(site)
    player.is_in("astray")  # the table tells what lies wrong, and the page no second list
    player.until("document.querySelector('#guide').textContent.endsWith('put them back, and sow anew.')")
    player.tap('[data-hand="put-back"]')
    player.is_in("rest")
    player.lifts("N3")
    assert "No turn begins in N3" in player.text("#guide")
    player.page.keyboard.press("Escape")
    player.is_in("rest")
    assert player.board() == [5] * 12


NUMBERED = """JSON.stringify([...document.querySelectorAll("[data-site]")]
  .filter((each) => each.querySelector(".order"))
  .map((each) => [each.dataset.site, +each.querySelector(".order").textContent, !!each.querySelector(".next")])
  .sort())"""
"""The pits that bear a number: which one, and whether it stands out."""


def test_each_pit_bears_the_number_of_its_seed_and_that_of_the_next_one_stands_out(
    start: Start, visit: Visit, tmp_path: Path
) -> None:
    sheet, turn = relayed()
    path = tmp_path / "begun.table"
    Record(path, sheet, Sense.COUNT).close()
    player = visit(start("zig-zag", "--resume", str(path)))
    for made, step in enumerate(turn.steps[:-1], start=1):
        player.touches(step.site)
        falling = [site for site, _ in takewhile(lambda each: each.level, turn.steps[made:])]
        numbers = {site: falling.index(site) + 1 for site in falling}
        told = [[site, number, number == 1] for site, number in sorted(numbers.items())]
        player.until(f"{NUMBERED} === JSON.stringify(wanted)", told)
