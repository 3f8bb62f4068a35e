"""Hands at a table of pits: seeds lifted, sown, taken and counted.

A `SeedHand` is to `Pits` what `hardware.simulation.paths.Hand` is to `Magnets`: it does acts at times of its own, and
the levels follow. Ranges are guesses, as no measurements of sowing hands were found, and wider than any constant of
the reader: a seed may fall every 40 ms or every 2 s.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, inf
from random import Random

from hardware.simulation.hands import Act
from hardware.simulation.paths import Board, Manner, between
from hardware.simulation.physics import Pits

RHYTHM = (0.04, 1.0)
"""Median seconds from one seed to the next."""
GRAB = (0.1, 1.2)
"""Seconds that a hand needs in a pit to lift its seeds."""


class Seeds:
    """The seeds of a game in pits: how many each holds once all that was begun has ended."""

    def __init__(self, table: Pits, board: Board) -> None:
        self.table = table
        self.on = {site: many for site, many in board.items() if many}
        table.fill(self.on)
        self.free: dict[str, float] = dict.fromkeys(table.sites, -inf)

    def board(self) -> dict[str, int]:
        """The pits that are not empty."""
        return {site: many for site, many in self.on.items() if many}

    def add(self, site: str, many: int) -> None:
        """So many seeds more, or less."""
        self.on[site] = self.on.get(site, 0) + many
        if not self.on[site]:
            del self.on[site]

    def hand(self, manner: Manner, choose: Random, time: float) -> SeedHand:
        """A hand that begins then."""
        return SeedHand(self, manner, choose, time)


class SeedHand:
    """A hand at work from `time` (seconds) on; `time` is when it is done with what it was told so far."""

    def __init__(self, stones: Seeds, manner: Manner, choose: Random, time: float) -> None:
        self.stones, self.manner, self.choose, self.time = stones, manner, choose, time
        self.begun = inf
        self.rhythm = min(RHYTHM[1], max(RHYTHM[0], manner.pause / 2))
        """Median seconds from one seed to the next; quick people sow quickly."""
        self.grabs = 1
        """In how many grabs a pit is lifted."""
        self.doubles = 0.0
        """The chance that two seeds fall into a pit; the second is then moved on."""

    def pause(self, median: float | None = None) -> None:
        """Do nothing for a while: log-normal about `median` seconds."""
        self.time += (self.manner.pause if median is None else median) * exp(self.choose.gauss(0, self.manner.tail))

    def lift(self, site: str, many: int | None = None) -> int:
        """Lift all seeds of a pit, or `many`; how many these are."""
        lying = self.stones.on.get(site, 0)
        many = lying if many is None else many
        self.time = max(self.time, self.stones.free[site])
        self.begun = min(self.begun, self.time)
        ends = self.time + between(self.choose, *GRAB)
        self.stones.table.reach(site, self.time, ends)
        self.stones.table.fall(site, ends - self.choose.uniform(0, 0.05), -many)
        self.stones.add(site, -many)
        self.stones.free[site] = self.time = ends
        return many

    def drop(self, site: str, many: int = 1) -> None:
        """Let seeds fall into a pit, from above it or from within."""
        self.time = max(self.time, self.stones.free[site])
        self.begun = min(self.begun, self.time)
        stays = 0.0
        if self.choose.random() < 0.5:  # the hand goes down into the pit
            stays = between(self.choose, 0.02, 0.4)
            self.stones.table.reach(site, self.time, self.time + stays)
        self.stones.table.fall(site, self.time + stays / 2, many)
        self.stones.add(site, many)
        self.time += stays
        self.stones.free[site] = self.time

    def touch(self, site: str, seconds: float) -> None:
        """Count or stir the seeds of a pit with a finger."""
        self.time = max(self.time, self.stones.free[site])
        self.begun = min(self.begun, self.time)
        self.stones.table.reach(site, self.time, self.time + seconds)
        self.time += seconds
        self.stones.free[site] = self.time

    def sow(self, sites: tuple[str, ...], drops: int) -> None:
        """Lift the first pit, in so many grabs, and let a seed fall into each of the others."""
        lying = self.stones.on.get(sites[0], 0)
        first = lying if self.grabs < 2 or lying < 2 else self.choose.randint(1, lying - 1)
        self.lift(sites[0], first)
        if first < lying and self.choose.random() < 0.5:
            self.pause(0.3)
            self.lift(sites[0], lying - first)
            first = lying
        held, pits, at = first, sites[len(sites) - drops :], 0
        while at < len(pits):
            if not held and at < lying:
                self.lift(sites[0], lying - first)
                held = lying - first
            self.pause(self.rhythm)
            if at + 1 < len(pits) and held > 1 and self.choose.random() < self.doubles:
                self.drop(pits[at], 2)
                self.pause(0.4)
                self.lift(pits[at], 1)
                self.pause(self.rhythm)
                self.drop(pits[at + 1])
                held, at = held - 2, at + 2
            else:
                self.drop(pits[at])
                held, at = held - 1, at + 1

    def do(self, act: Act, halts: object = ()) -> None:
        """One act, as this hand does it now."""
        kind, sites, levels, _ = act
        if kind == "sow":
            self.sow(sites, len(levels))
        elif kind in ("lay", "flip"):
            self.set(sites[0], levels[0])
        else:
            many = self.lift(sites[0])
            if kind == "carry":
                self.pause(0.3)
                self.drop(sites[1], many)

    def set(self, site: str, level: int) -> None:
        """Make a pit hold so many seeds."""
        more = level - self.stones.on.get(site, 0)
        if more > 0:
            self.drop(site, more)
        elif more:
            self.lift(site, -more)

    def restore(self, board: Mapping[str, int]) -> None:
        """Make all pits hold what they do on `board`: first what is too much is taken out."""
        differ = {site: board.get(site, 0) - self.stones.on.get(site, 0) for site in self.stones.table.sites}
        for site, more in sorted(differ.items(), key=lambda pair: pair[1]):
            if more:
                self.set(site, board.get(site, 0))
                self.pause()
