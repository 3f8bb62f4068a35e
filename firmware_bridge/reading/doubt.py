"""When a sensor is no longer believed, and when it is again: the history of each site, and what the others bear out."""

from __future__ import annotations

from collections.abc import Collection

from firmware_bridge.reading.candidates import Hypotheses
from firmware_bridge.reading.confidence import Confidence
from firmware_bridge.reading.disambiguation import in_one_row
from firmware_bridge.reading.sensor_health import Symptoms, beside
from firmware_bridge.reading.verdict import AtRest, Verdict
from firmware_bridge.score import Moment
from firmware_bridge.table import referee
from firmware_bridge.table.referee import Event
from hardware.device import Levels


class Doubt:
    """What is believed of the sensors that `hypotheses` go by."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self._hypotheses = hypotheses
        self._confidence = Confidence()
        game = hypotheses.watch.sight.game
        self._loose: list[int] = []
        self._symptoms = Symptoms(beside([game.places[site] for site in game.sites]))

    def feed(self, frame: Levels, now: float) -> Levels:
        """`frame` without what is not believed; the same object while nothing changes."""
        self._symptoms.feed(frame, now)
        return self._confidence.feed(frame)

    def played(self, moment: Moment, now: float) -> list[Event]:
        """A turn counts at `now` (seconds); says what ails sensors, if they are still believed."""
        sight = self._hypotheses.watch.sight
        way, due = sight.way(*moment), sight.frame(moment.turn.after)
        ails = self._symptoms.played(way, due, self._confidence.masked.keys())
        self._confidence.failed(self._symptoms.gone, now)
        self._loose += [site for name, site in ails if name == "loose"]
        return [self._told(name, [site]) for name, site in ails if name != "loose"]

    def loose(self, now: float) -> list[Event]:
        """The contacts that were found loose are not believed from now on; says so."""
        loose, self._loose = self._loose, []
        return self.disbelieve(loose, now) if loose else []

    def disbelieve(self, sites: Collection[int], now: float) -> list[Event]:
        """`sites` are not believed from `now` on; says so."""
        self._symptoms.forget(sites)
        self._hypotheses.disbelieve(self._confidence.mask(sites, now), sites)
        return [self._told("doubted", sites)]

    def contradicted(self, sites: Collection[int], now: float) -> list[Event]:
        """The players say that `sites` are as they should be: if one sensor alone, or one row's, deny it, they lie."""
        return self.disbelieve(sites, now) if sites and in_one_row(self._hypotheses.watch.sight, sites) else []

    def rested(self, verdict: Verdict, now: float) -> list[Event]:
        """If the board is at rest, some of the sites may be believed again; says so."""
        hands = self._hypotheses
        if not self._confidence.masked or hands.watch.seen.differs or not isinstance(verdict, AtRest):
            return []
        good = self._confidence.rested(hands.watch.rest, now)
        hands.believe(self._confidence.shown, now)
        return [self._told("trusted", good)] if good else []

    def _told(self, name: str, sites: Collection[int]) -> Event:
        names = self._hypotheses.watch.sight.game.sites
        return referee.doubted(name, [names[site] for site in sites])
