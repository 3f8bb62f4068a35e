"""Evenings at the physical table whose sensors are sick: what they show, changed as a fault of the simulation does.

    evening, lied = ailing(play(cell, "mixed", "usual", seed=7), "flicker", seed=7)

The hands and the fields of their stones stay as they were, and so does what is true of the turns.
"""

from __future__ import annotations

from benchmarks.evenings import Evening, scans
from benchmarks.judged import Fed
from games.rules import load
from hardware.device import Levels
from hardware.simulation.faulty_sensors import FAULTS, FaultyScanner


def ailing(evening: Evening, fault: str, seed: int) -> tuple[Evening, dict[int, float]]:
    """The evening with sensors that have this `fault`; and since when (seconds) each of those that lie did."""
    game, now = load(evening.cell.game), 0.0
    fed = Fed(evening.cell.sense, len(game.sites))
    places = [game.places[site] for site in game.sites]
    sick = FaultyScanner(fed, FAULTS[fault], lambda: now, seed, places)
    frames: list[tuple[float, Levels]] = []
    lied: dict[int, float] = {}
    for at, levels in scans(evening):
        now, fed.levels = at, levels
        shown = sick.scan()
        if not frames or shown is not frames[-1][1]:
            frames.append((now, shown))
            lied = dict.fromkeys(sick.misreported, now) | lied
    return evening._replace(frames=frames), lied


def everywhere(fault: str) -> bool:
    """Whether a `fault` has all sensors sick, so that none can be named."""
    return any(each.count == 0 for each in FAULTS[fault])
