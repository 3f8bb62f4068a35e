"""What ails sensors, by the changes of each turn: what no hand does, or does everywhere.

- *loose*: levels that come and go within `FLICKER` while nothing else does so for `ALONE` before and after, at a site
  that the turn has nothing to do with. A bump shakes one site alone now and then; `TWITCHES` within `WINDOW` are a
  loose contact, which is not to be believed.
- *late*: what was lifted first was seen to go after what followed had been put down. Hands that lay a new piece before
  they take the old one do so everywhere, a lazy switch or a strong magnet at one site.
- *crosstalk*: a level that comes and goes with a change beside it. A hand brushes against neighbours too, here and
  there.
- *mute*: it told nothing for some turns.

The last three are still believed. Late and crosstalk are named when they have been seen `TWICE` at one site, and half
as often at all others together at most; or once, if in more than `CALM` turns no other site was late or twitched,
for then these are not the hands.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import dist
from typing import NamedTuple

from firmware_bridge.evidence import FLICKER, Change, changed
from firmware_bridge.way import Way
from hardware.device import Levels

ALONE = 0.1
"""Seconds before and after a twitch in which no other site twitches."""
TWITCHES = 5
"""So many within `WINDOW` are a loose contact."""
WINDOW = 60.0
"""Seconds."""
TWICE = 2
"""How often something is seen before it is named."""
CALM = 5
"""Turns in which hands that fumble, or lay first, have shown it."""
LATE, LATEST = 0.03, 0.5
"""Seconds after what followed: the two touches of two hands are not told apart below; no switch takes longer."""
MOMENT = 0.15
"""Seconds that a level is seen which comes and goes, at most."""
ALONG = 0.03
"""Seconds between a change and its being seen beside, at most."""
MUTE = 3
"""Turns through which a site that is mute tells nothing."""
MOST = 300
"""The latest changes that are kept; few turns show as many."""


class Twitch(NamedTuple):
    """At `at` (seconds) a `site` came to show `level`, for `lasted` seconds only."""

    site: int
    level: int
    at: float
    lasted: float


class Symptoms:
    """What was noticed so far; `beside` says for each site which lie next to it."""

    def __init__(self, beside: Sequence[Sequence[int]]) -> None:
        self._beside = beside
        self._frame: Levels = ()
        self._known: list[int | None] = []
        self._changes: deque[Change] = deque(maxlen=MOST)
        self._alone: dict[int, list[float]] = {}
        self._seen = {"late": Counter[int](), "crosstalk": Counter[int]()}
        self._restless: set[int] = set()
        self._turns = 0
        self._mute: Counter[int] = Counter()
        self._named: set[tuple[str, int]] = set()
        self.twitched: frozenset[int] = frozenset()
        """The sites that twitched before the last turn counted."""

    def feed(self, frame: Levels, now: float) -> None:
        """A settled frame at `now` (seconds); the same object while nothing changes."""
        if frame is self._frame:
            return
        if len(frame) != len(self._known):
            self._known = list(frame)
        new = changed(self._known, frame, now)
        for change in new:
            self._known[change.site] = change.level
        self._changes += new
        self._frame = frame

    @property
    def loose(self) -> tuple[int, ...]:
        """The sites that have twitched too often."""
        return tuple(site for site, times in self._alone.items() if len(times) >= TWITCHES)

    def forget(self, sites: Iterable[int]) -> None:
        """`sites` are no longer believed: what they did is known."""
        for site in sites:
            self._alone.pop(site, None)

    def played(self, way: Way) -> Iterator[tuple[str, int]]:
        """A turn counts: what ails which site, once each, loose contacts left out."""
        latest = list(self._changes)
        self._changes.clear()
        self._turns += 1
        seen = list(twitches(latest))
        self.twitched = frozenset(twitch.site for twitch in seen)
        self._note_alone([twitch for twitch in seen if twitch.lasted < FLICKER], way.path)
        lazy = late(way, latest)
        self._seen["late"].update(lazy)
        self._seen["crosstalk"].update(self._crosstalk(seen, latest) - {*way.path})
        self._restless |= lazy | (self.twitched - {*way.path})
        self._mute = Counter({site: self._mute[site] + 1 for site, level in enumerate(self._frame) if level is None})
        found = [each for each in self._found() if each not in self._named]
        self._named.update(found)
        yield from found

    def _note_alone(self, seen: Sequence[Twitch], path: Collection[int]) -> None:
        """What twitched alone, and not where the turn was made, was no hand, nor a bump."""
        for site, _, at, _ in seen:
            beside = any(other.site != site and abs(other.at - at) < ALONE for other in seen)
            if not beside and site not in path:
                self._alone[site] = [*(time for time in self._alone.get(site, ()) if at - time < WINDOW), at]

    def _found(self) -> Iterator[tuple[str, int]]:
        for name, seen in self._seen.items():
            total = seen.total()
            often = (site for site, times in seen.items() if times >= 2 * (total - times))
            yield from ((name, site) for site in often if seen[site] >= TWICE or self._only(site))
        if any(level is not None for level in self._frame):
            yield from (("mute", site) for site, turns in self._mute.items() if turns >= MUTE)

    def _only(self, site: int) -> bool:
        """Whether `site` alone was late, or twitched, in all these turns."""
        return self._turns > CALM and self._restless == {site}

    def _crosstalk(self, seen: Iterable[Twitch], latest: Sequence[Change]) -> set[int]:
        """The sites that showed for a moment what happened beside them."""
        return {twitch.site for twitch in seen if self._happened_beside(twitch, latest)}

    def _happened_beside(self, twitch: Twitch, latest: Sequence[Change]) -> bool:
        near = (change for change in latest if abs(change.at - twitch.at) <= ALONG)
        return any(change.level == twitch.level and change.site in self._beside[twitch.site] for change in near)


def beside(places: Sequence[tuple[float, float]]) -> list[list[int]]:
    """For each site those nearest to it."""
    apart = [[dist(place, other) for other in places] for place in places]
    nearest = [1.1 * sorted(row)[1] for row in apart]
    return [[site for site, far in enumerate(row) if 0 < far < near] for row, near in zip(apart, nearest, strict=True)]


def late(way: Way, latest: Iterable[Change]) -> set[int]:
    """The site that `way` lifts first, if it was seen empty only after the next one was seen filled."""
    if len(way.steps) < 2 or way.steps[0][1] or not way.steps[1][1]:
        return set()
    origin, target = way.steps[0][0], way.steps[1][0]
    gone = [change.at for change in latest if change.site == origin and not change.level]
    put = [change.at for change in latest if change.site == target and change.level > (change.before or 0)]
    return {origin} if len(gone) == 1 and put and LATE < gone[0] - put[0] <= LATEST else set()


def twitches(latest: Iterable[Change]) -> Iterator[Twitch]:
    """What was seen for a moment only."""
    before: dict[int, Change] = {}
    for change in latest:
        last = before.get(change.site)
        if last and last.before == change.level and change.at - last.at <= MOMENT:
            yield Twitch(change.site, last.level, last.at, change.at - last.at)
        before[change.site] = change
