"""A watch of one position and the hands over it, for tests that follow frame by frame what it makes of them."""

from __future__ import annotations

from typing import Any

from firmware_bridge.reading import Astray, Reconciler, SensorView, Signature, Verdict
from games.rules import Game
from hardware.device import Levels, Sense
from tests.simulation.midgame import game_of

P, C, N = Sense.PRESENCE, Sense.COLOUR, Sense.COUNT


class Hands:
    """A watch of one position and the hands over it: ``lift``, ``put`` and the verdict after each change."""

    def __init__(self, name: str, sense: Sense, position: str = "") -> None:
        self.game: Game[Any] = game_of(name)
        start = self.game.position(position) if position else self.game.start()
        self.watch = Reconciler(SensorView(self.game, sense), start)
        self.sense = sense
        self.frame: Levels = self.watch.rest
        self.now = 0.0

    def sees(self, *changes: tuple[str, int | None]) -> Verdict:
        """All these sites come to show these levels in one frame."""
        levels = list(self.frame)
        for site, level in changes:
            levels[self.game.sites.index(site)] = None if level is None else self.sense.of(level)
        self.frame = tuple(levels)
        self.now += 1.0
        self.watch.feed(self.frame, self.now)
        return self.watch.verdict()

    def lift(self, *sites: str) -> Verdict:
        """These sites become empty, one after another."""
        return [self.sees((site, 0)) for site in sites][-1]

    def put(self, site: str, level: int = 1) -> Verdict:
        return self.sees((site, level))

    def touch(self, site: str) -> Verdict:
        """Lift what stands there and put it back."""
        level = self.frame[self.game.sites.index(site)] or 0
        self.sees((site, 0 if level else 1))
        return self.sees((site, level))

    def names(self, sites: tuple[int, ...]) -> set[str]:
        return {self.game.sites[site] for site in sites}


def texts(signatures: tuple[Signature, ...]) -> set[str]:
    return {signature.turn.text for signature in signatures}


def reason(verdict: Verdict) -> str:
    assert isinstance(verdict, Astray)
    return verdict.refused.turn.reason.id if verdict.refused and verdict.refused.turn.reason else ""
