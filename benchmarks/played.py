"""A table at which simulated hands play without end, several times as fast as people, and every scan is timed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random
from statistics import median

from benchmarks.results import Spread, at
from firmware_bridge.config import Config
from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Make, Mishap, New
from firmware_bridge.web.mirror import Mirror
from firmware_bridge.web.simulated_host import RecordPath, SimulatedHost
from games.rules import load
from hardware.device import Sense

SPEED = 4
"""How much faster than people the hands are, and the scans than usual."""


@dataclass
class Spent:
    """Milliseconds from a changed level to the finished picture, and of every scan with all that the page is told.

    Both of processor time of the loop's thread; `clock` has the scans by the clock.
    """

    changed: list[float] = field(default_factory=list)
    scans: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)


class Played:
    """A table at which random turns of `game` are made without end, and its page, if it has one.

    `place` says where records go; None keeps none.
    """

    def __init__(
        self, game: str, mirror: Mirror | None = None, config: Config | None = None, place: RecordPath | None = None
    ) -> None:
        sheet = ScoreSheet(load(game), house_rule=False)
        self.host = SimulatedHost(config or Config(), sheet, Sense.PRESENCE, place, seed=1)
        self.mirror = mirror
        self.now = 0.0
        self._game = game
        self._choose = Random(1)

    def play(self, seconds: float, spent: Spent) -> None:
        """Go on for that long by the clock."""
        end = time.monotonic() + seconds
        while (begun := time.monotonic()) < end:
            self._move()
            self._scan(spent)
            time.sleep(max(0.0, begun + 1 / SCAN_HZ / SPEED - time.monotonic()))

    def _move(self) -> None:
        """Make a turn whenever the hands are free."""
        simulation = self.host.simulation
        if simulation.busy or self.host.beginning:
            return
        turns = simulation.table.sheet.turns
        ask = Make(self._choose.choice(turns).text) if turns else New(self._game)
        told = self.host.obey(ask, self.now)
        if any(event.name == "not-begun" for event in told):  # a guest has had the hands drop a turn
            self.host.obey(Mishap("tidy"), self.now)

    def _scan(self, spent: Spent) -> None:
        simulation, mirror = self.host.simulation, self.mirror
        self.now += 1 / SCAN_HZ
        before = simulation.board.scan()
        simulation.move(self.now)
        clock, begun = time.perf_counter(), time.thread_time()
        events = (
            [event for request in mirror.requests(self.host) for event in self.host.obey(request, self.now)]
            if mirror
            else []
        )
        events += self.host.step(self.now)
        shown = time.thread_time()
        if mirror:
            mirror.see(self.host, events, self.now)
        spent.scans.append(1000 * (time.thread_time() - begun))
        spent.clock.append(1000 * (time.perf_counter() - clock))
        if simulation.board.scan() is not before:
            spent.changed.append(1000 * (shown - begun))

    def close(self) -> None:
        """Lights dark, no page any more."""
        if self.mirror:
            self.mirror.close()
        self.host.close()


def told(rounds: dict[str, list[Spent]]) -> None:
    """The table of figures, a line for each kind of rounds.

    What else the computer does meanwhile comes in bursts, so it is the usual round that counts.
    """
    print("milliseconds            level changed -> picture, the usual round        every scan")
    print("                       changes    median     p99   worst of all        median     p99")
    for name, of in rounds.items():
        changed = sum(len(spent.changed) for spent in of)
        worst = max(max(spent.changed) for spent in of)
        print(f"{name:22}{changed:8}", *(f"{usual(of, share):9.3f}" for share in (0.5, 0.99)), end="")
        print(f"{worst:15.3f}     ", *(f"{usual(of, share, 'scans'):9.3f}" for share in (0.5, 0.99)))


def ratio(slower: list[Spent], quicker: list[Spent]) -> float:
    """How much longer the slowest hundredth takes."""
    return usual(slower, 0.99) / usual(quicker, 0.99)


def spread(rounds: list[Spent]) -> Spread:
    """From a changed level to the picture, the usual round, and the worst of all."""
    return Spread(usual(rounds, 0.5), usual(rounds, 0.99), max(max(spent.changed) for spent in rounds))


def usual(rounds: list[Spent], share: float, what: str = "changed") -> float:
    """The figure at `share` of a round's, in the middle of all rounds."""
    return median(at(getattr(spent, what), share) for spent in rounds)
