"""Evenings at the physical table whose sensors are sick: what they show, changed as a fault of the simulation does.

    evening, lied = ailing(play(cell, "mixed", "usual", seed=7), "flicker", seed=7)

The hands and the fields of their stones stay as they were, and so does what is true of the turns.
"""

from __future__ import annotations

from benchmarks.evenings import Evening, scans
from games.rules import load
from hardware.device import Levels
from hardware.simulation.faulty_sensors import FAULTS, FaultyScanner


class Replayed:
    """A scanner that shows what an evening showed; `now` in seconds."""

    trouble = None
    settled = False

    def __init__(self, evening: Evening) -> None:
        self.sense = evening.cell.sense
        self.levels: Levels = evening.frames[0][1]
        self.channels = len(self.levels)
        self.now = 0.0

    def scan(self) -> Levels:
        """What is shown now."""
        return self.levels

    def close(self) -> None:
        """Nothing."""


def ailing(evening: Evening, fault: str, seed: int) -> tuple[Evening, dict[int, float]]:
    """The evening with sensors that have this `fault`; and since when (seconds) each of those that lie did."""
    replayed, game = Replayed(evening), load(evening.cell.game)
    places = [game.places[site] for site in game.sites]
    sick = FaultyScanner(replayed, FAULTS[fault], lambda: replayed.now, seed, places)
    frames: list[tuple[float, Levels]] = []
    lied: dict[int, float] = {}
    for now, levels in scans(evening):
        replayed.now, replayed.levels = now, levels
        shown = sick.scan()
        if not frames or shown is not frames[-1][1]:
            frames.append((now, shown))
            lied = dict.fromkeys(sick.misreported, now) | lied
    return evening._replace(frames=frames), lied
