"""When a sensor is no longer believed, and when it is again: the history of each site, and what the others bear out."""

from __future__ import annotations

from collections.abc import Collection

from firmware_bridge import referee
from firmware_bridge.confidence import Confidence
from firmware_bridge.hypotheses import Hypotheses
from firmware_bridge.reconcile import Watch
from firmware_bridge.referee import Event
from firmware_bridge.verdict import AtRest, Complete, Verdict, Which
from games.rules import Position, Turn
from hardware.device import Levels

MOST_ASTRAY = 8
"""Groups of sites astray at most that one is looked for among that is only a sensor's."""


class Doubt:
    """What is believed of the sensors that `hypotheses` go by."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self._hypotheses = hypotheses
        self._confidence = Confidence()

    def feed(self, frame: Levels, now: float) -> Levels:
        """`frame` without what is not believed; the same object while nothing changes."""
        return self._confidence.feed(frame, now)

    def played(self, turn: Turn[Position]) -> None:
        """`turn` counts: what twitched elsewhere meanwhile was no hand."""
        number = self._hypotheses.watch.sight.number
        self._confidence.played({number[site] for site in turn.path})

    def loose(self, now: float) -> list[Event]:
        """The contacts that have twitched too often are not believed from now on; says so."""
        loose = self._confidence.loose
        return self._disbelieve(loose, now) if loose else []

    def insisted(self, now: float) -> list[Event]:
        """The players insist on a turn: if all but one sensor, or those of one row, bear it out, these are doubted."""
        liar = self.liar()
        return self._disbelieve(liar, now) if liar else []

    def liar(self) -> frozenset[int] | None:
        """The sites, gone astray in one frame, without which all else is a whole turn; None if not just one fits.

        What went astray last may be the next player's doing.
        """
        watch = self._hypotheses.watch
        strayed = watch.seen.strayed()
        if len(strayed) > MOST_ASTRAY:
            return None
        fits = [sites for sites in strayed[:-1] if self._borne_out(watch.without(sites))]
        return fits[0] if len(fits) == 1 else None

    def _borne_out(self, watch: Watch) -> bool:
        """Whether `watch` comes to whole turns, wholly explained by what can be seen."""
        whole = isinstance(watch.verdict(), Complete | Which) and not watch.unexplained
        return whole and bool(watch.seen.differs)

    def _disbelieve(self, sites: Collection[int], now: float) -> list[Event]:
        self._hypotheses.disbelieve(self._confidence.mask(sites, now), sites)
        return [self._told("doubted", sites)]

    def rested(self, verdict: Verdict, now: float) -> list[Event]:
        """If the board is at rest, some of the sites may be believed again; says so."""
        hands = self._hypotheses
        if not self._confidence.masked or hands.watch.seen.differs or not isinstance(verdict, AtRest):
            return []
        good = self._confidence.rested(hands.watch.rest, now)
        hands.frame = self._confidence.shown
        hands.watch.feed(hands.frame, now)
        return [self._told("trusted", good)] if good else []

    def _told(self, name: str, sites: Collection[int]) -> Event:
        names = self._hypotheses.watch.sight.game.sites
        return referee.doubted(name, [names[site] for site in sites])
