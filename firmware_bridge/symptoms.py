"""What is noticed of sensors that are still believed, by the changes of each turn. Frames and turns in, names out.

- *late*: what was lifted first was seen to go after what followed had been put down. Hands that lay a new piece before
  they take the old one do so everywhere, a lazy switch or a strong magnet at one site.
- *crosstalk*: a level that comes and goes with a change beside it. A hand brushes against neighbours too, here and
  there.
- *mute*: it told nothing for some turns.

The first two are named when they have been seen `TWICE` at one site, and not as often at all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import dist
from typing import NamedTuple

from firmware_bridge.way import Way
from hardware.device import Levels

TWICE = 2
"""How often something is seen before it is named."""
LATE = 0.03
"""Seconds after what followed: nobody's two hands are so far apart."""
TWITCH = 0.15
"""Seconds for which a level is seen that belongs beside it, at most."""
ALONG = 0.03
"""Seconds between a change and its being seen beside, at most."""
MUTE = 3
"""Turns through which a site that is mute tells nothing."""
MOST = 2000
"""Changes in one turn that are kept."""


class Change(NamedTuple):
    """A site came to show another level at `at` (seconds)."""

    site: int
    old: int
    new: int
    at: float


class Symptoms:
    """What was noticed so far; `beside` says for each site which lie next to it."""

    def __init__(self, beside: Sequence[Sequence[int]]) -> None:
        self._beside = beside
        self._frame: Levels = ()
        self._changes: list[Change] = []
        self._seen = {"late": Counter[int](), "crosstalk": Counter[int]()}
        self._mute: Counter[int] = Counter()
        self._named: set[tuple[str, int]] = set()

    def feed(self, frame: Levels, now: float) -> None:
        """A settled frame at `now` (seconds); the same object while nothing changes."""
        if frame is not self._frame and len(frame) == len(self._frame) and len(self._changes) < MOST:
            for site, (old, new) in enumerate(zip(self._frame, frame, strict=True)):
                if old is not None and new is not None and old != new:
                    self._changes.append(Change(site, old, new, now))
        self._frame = frame

    def played(self, way: Way) -> Iterator[tuple[str, int]]:
        """A turn counts: what ails which site, once each."""
        changes, self._changes = self._changes, []
        self._seen["late"].update(late(way, changes))
        self._seen["crosstalk"].update(self._crosstalk(changes) - {*way.path})
        self._mute = Counter({site: self._mute[site] + 1 for site, level in enumerate(self._frame) if level is None})
        for found in self._found():
            if found not in self._named:
                self._named.add(found)
                yield found

    def _found(self) -> Iterator[tuple[str, int]]:
        for name, seen in self._seen.items():
            yield from ((name, site) for site, times in seen.items() if times >= max(TWICE, seen.total() / 2))
        if any(level is not None for level in self._frame):
            yield from (("mute", site) for site, turns in self._mute.items() if turns >= MUTE)

    def _crosstalk(self, changes: Sequence[Change]) -> set[int]:
        """The sites that showed for a moment what happened beside them."""
        return {site for site, level, at in twitches(changes) if self._happened_beside(site, level, at, changes)}

    def _happened_beside(self, site: int, level: int, at: float, changes: Sequence[Change]) -> bool:
        near = (change for change in changes if abs(change.at - at) <= ALONG and change.site in self._beside[site])
        return any(change.new == level for change in near)


def beside(places: Sequence[tuple[float, float]]) -> list[list[int]]:
    """For each site those nearest to it."""
    apart = [[dist(place, other) for other in places] for place in places]
    nearest = [sorted(row)[1] for row in apart]
    return [
        [site for site, far in enumerate(row) if 0 < far < 1.1 * least]
        for row, least in zip(apart, nearest, strict=True)
    ]


def late(way: Way, changes: Sequence[Change]) -> set[int]:
    """The site that `way` lifts first, if it was seen empty only after the next one was seen filled."""
    if len(way.steps) < 2 or way.steps[0][1] or not way.steps[1][1]:
        return set()
    origin, target = way.steps[0][0], way.steps[1][0]
    gone = [change.at for change in changes if change.site == origin and not change.new]
    put = [change.at for change in changes if change.site == target and change.new > change.old]
    return {origin} if gone and put and gone[-1] > put[0] + LATE and len(gone) == 1 else set()


def twitches(changes: Sequence[Change]) -> Iterator[tuple[int, int, float]]:
    """Site, level and time of what was seen for a moment only."""
    latest: dict[int, Change] = {}
    for change in changes:
        before = latest.get(change.site)
        if before and before.old == change.new and change.at - before.at <= TWITCH:
            yield before.site, before.new, before.at
        latest[change.site] = change
