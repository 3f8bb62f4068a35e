"""A contact that flutters without end: what was seen is weighed all the same, and what is kept of it is bounded.

The daemon scans at its own pace, at once while it weighs; a scan takes a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest

from firmware_bridge.cli.replay import TracedTable
from firmware_bridge.daemon import Daemon, DaemonOptions, assemble
from firmware_bridge.reading.alignment import MOST, Site
from firmware_bridge.reading.constants import USUAL
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import SUPPLY
from games.rules import load, names
from hardware.board import PointLights
from hardware.device import Sense

SCAN = 0.001
BEGINS, LIFTS, LAYS, ENDS = 0.5, 1.0, 1.4, 6.0
"""When the contact begins to flutter, and hands make a turn; in seconds."""


class Fluttering:
    """A daemon at a table at which one turn is made while a contact that has nothing to do with it flutters."""

    def __init__(self, name: str, shown: Callable[[int, float], bool]) -> None:
        """`shown`: whether the contact is closed in the scan of this number, at this time."""
        self.shown = shown
        game = load(name)
        position = game.start()
        for _ in range(4):  # in ZhiZhu there is no stone before
            self.before, self.turn = position, min(game.turns(position), key=lambda turn: len(turn.steps))
            position = self.turn.after
        self.board = TracedTable(game.sites, Sense.COLOUR, game.places)
        lights = PointLights(self.board, [(pixel,) for pixel in range(self.board.pixels)], SUPPLY)
        sheet = ScoreSheet(game, start=self.before)
        self.daemon: Daemon = assemble(self.board, lights, sheet, Sense.COLOUR, DaemonOptions())
        after, before = self.turn.after.board, self.before.board
        self.loose = next(
            site for site, (level, other) in enumerate(zip(before, after, strict=True)) if level and level == other
        )

    def levels(self, scan: int, now: float) -> tuple[int, ...]:
        """What the sensors show."""
        stages = (self.before, self.turn.after)
        lifted = [min(pair) for pair in zip(*(stage.board for stage in stages), strict=True)]
        shown = list(self.before.board if now < LIFTS else lifted if now < LAYS else self.turn.after.board)
        if now > BEGINS and not self.shown(scan, now):
            shown[self.loose] = 0
        return tuple(shown)

    def play(self) -> int:
        """Scan until the end; how many scans there were from the beginning of the flutter on."""
        now, scan, fluttering = 0.0, 0, 0
        while now < ENDS:
            self.board.sample(self.levels(scan, now), self.before.board)
            self.daemon.cycle(now)
            scan += 1
            fluttering += now > BEGINS
            now = max(now + SCAN, self.daemon.due(now))
        return fluttering

    @property
    def kept(self) -> int:
        """How many levels are kept of what the contact has shown."""
        return len(self.daemon.table.reader.likelihood._sites[self.loose].levels)


STONES = [name for name in names() if load(name).pieces != "seeds"]


@pytest.mark.parametrize("name", STONES)
def test_a_contact_that_flutters_in_each_scan_keeps_nothing_from_being_weighed(name: str) -> None:
    table = Fluttering(name, lambda scan, now: scan % 2 == 0)
    steady = Fluttering(name, lambda scan, now: True)
    assert table.play() < 1.6 * steady.play()
    read, due = table.daemon.table, steady.daemon.table
    assert type(read.verdict) is type(due.verdict)
    assert len(read.sheet.played_turns) == len(due.sheet.played_turns) == (name != "zong-heng")  # a push at once: asked
    assert table.kept <= MOST


@pytest.mark.parametrize("period", [0.02, 0.1])
@pytest.mark.parametrize("name", STONES)
def test_of_what_a_loose_contact_shows_no_more_is_kept_than_tells(name: str, period: float) -> None:
    table = Fluttering(name, lambda scan, now: int(2 * now / period) % 2 == 0)
    table.play()
    assert table.kept <= MOST


def test_the_briefest_level_is_forgotten() -> None:
    site = Site(1, USUAL, [])
    site.begin([1], [-inf])
    for place in range(MOST - 1):
        site.add(place % 2, 10.0 * place + (9.5 if place == 6 else 0.0))
    assert len(site.levels) == MOST
    site.add(1, 10.0 * MOST)
    assert len(site.levels) == MOST - 1
    assert 69.5 not in site.times
    assert all(before != level for before, level in zip(site.levels, site.levels[1:], strict=False))
