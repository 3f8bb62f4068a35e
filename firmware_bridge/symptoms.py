"""What ails sensors, by the changes of each turn: what no hand does, or does everywhere.

- *late*: what was lifted first was seen to go after what followed had been put down. Hands that lay a new piece before
  they take the old one do so everywhere, a lazy switch or a strong magnet at one site. Seeds are sown from the hand
  that has lifted them, so of a sowing every lift tells, and by any time.
- *crosstalk*: a level that comes and goes with a change beside it. A hand brushes against neighbours too, here and
  there.
- *miscount*: several seeds more or fewer at once, in a pit of the sowing; seeds are sown one by one, but a child may
  drop two.
- *loose*: a level that comes and goes otherwise, at a site where the turn shows nothing. Bumps shake sites, and hands
  touch a wrong piece, here and there.
- *mute*: it told nothing for some turns.

What is loose is not to be believed, the others still are. All but mute are named when they have been seen often enough
at one site, and half as often at all others together at most; those still believed also at first sight, if in more than
`CALM` turns no other site was restless, for then these are not the hands. Nothing is learnt from a turn in which the
board was upset.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist
from typing import NamedTuple

from firmware_bridge.evidence import Change, changed
from firmware_bridge.way import Way
from hardware.device import Levels

OFTEN = {"late": 2, "crosstalk": 2, "miscount": 2, "loose": 4}
"""In how many turns something is seen before it is named."""
CALM = 5
"""Turns in which hands that fumble, or lay first, have shown it."""
UPSET = 3
"""So many sites come and go in a turn at most, unless the board was upset."""
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
    """From `at` (seconds) on a `site` showed `level`, for `MOMENT` at most."""

    site: int
    level: int
    at: float


class Symptoms:
    """What was noticed so far; `beside` says for each site which lie next to it."""

    def __init__(self, beside: Sequence[Sequence[int]]) -> None:
        self._beside = beside
        self._frame: Levels = ()
        self._known: list[int | None] = []
        self._changes: deque[Change] = deque(maxlen=MOST)
        self._seen = {name: Counter[int]() for name in OFTEN}
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

    def played(self, way: Way) -> list[tuple[str, int]]:
        """A turn counts: what ails which site, once each; but loose contacts again and again."""
        later = left_over(way, self._changes)
        latest = [change for change in self._changes if change not in later]
        self._changes = deque(later, maxlen=MOST)
        self._turns += 1
        self._note(way, latest)
        self._mute = Counter({site: self._mute[site] + 1 for site, level in enumerate(self._frame) if level is None})
        found = [each for each in self._found() if each not in self._named]
        self._named.update(found)
        self._forget_loose(found)
        return found

    def _note(self, way: Way, latest: Sequence[Change]) -> None:
        """Take down what no step of `way` shows."""
        shown = {site for site, _ in way.seen}
        twitched = list(twitches(latest))
        self.twitched = frozenset(twitch.site for twitch in twitched)
        gone = came_and_went(latest) - shown
        if len(gone) > UPSET:
            return
        along = self._crosstalk(twitched, latest) - shown
        seen = {
            "late": late(way, latest),
            "crosstalk": along,
            "miscount": miscounted(way, latest),
            "loose": gone - along,
        }
        for name, sites in seen.items():
            self._seen[name].update(sites)
        self._restless |= gone.union(*seen.values())

    def _forget_loose(self, found: Iterable[tuple[str, int]]) -> None:
        """What is no longer believed may be again, and loose again."""
        for name, site in found:
            if name == "loose":
                del self._seen[name][site]
                self._named.remove((name, site))

    def _found(self) -> Iterator[tuple[str, int]]:
        for name, seen in self._seen.items():
            total = seen.total()
            often = (site for site, times in seen.items() if times >= 2 * (total - times))
            yield from ((name, site) for site in often if seen[site] >= OFTEN[name] or self._only(name, site))
        if any(level is not None for level in self._frame):
            yield from (("mute", site) for site, turns in self._mute.items() if turns >= MUTE)

    def _only(self, name: str, site: int) -> bool:
        """Whether `site` alone was restless in all these turns, and what it has is told at first sight."""
        return name != "loose" and self._turns > CALM and self._restless == {site}

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


def late(way: Way, latest: Sequence[Change]) -> set[int]:
    """The sites that `way` lifts which were seen empty only after what follows was seen filled."""
    pairs = [(origin, target) for (origin, left), (target, put) in pairwise(way.steps) if put and not left]
    if not way.sown:
        pairs = [pair for pair in pairs if pair[0] == way.steps[0][0]]
    least = 0.0 if way.sown else LATE
    return {origin for origin, target in pairs if least < lag(origin, target, latest) <= LATEST}


def lag(origin: int, target: int, latest: Sequence[Change]) -> float:
    """Seconds from `target`'s being seen filled to `origin`'s being seen empty; 0 if it was not, or several times."""
    gone = [change.at for change in latest if change.site == origin and not change.level]
    put = [change.at for change in latest if change.site == target and change.level > (change.before or 0)]
    return gone[0] - put[0] if len(gone) == 1 and put else 0.0


def miscounted(way: Way, latest: Iterable[Change]) -> set[int]:
    """The pits of a sowing by count that showed several seeds more or fewer at once; but all lifted and put back."""
    if not way.sown or way.strict:
        return set()
    jumps = (change for change in latest if change.before and change.level and abs(change.level - change.before) > 1)
    return {change.site for change in jumps} & way.after.keys()


def twitches(latest: Iterable[Change]) -> Iterator[Twitch]:
    """What was seen for a moment only."""
    before: dict[int, Change] = {}
    for change in latest:
        last = before.get(change.site)
        if last and last.before == change.level and change.at - last.at <= MOMENT:
            yield Twitch(change.site, last.level, last.at)
        before[change.site] = change


def came_and_went(latest: Iterable[Change]) -> set[int]:
    """The sites that changed and show again what they showed before."""
    return {site for site, (first, last) in ends(latest).items() if first.before == last.level}


def left_over(way: Way, latest: Iterable[Change]) -> list[Change]:
    """The last changes where the sites do not show what `way` has left: they belong to what comes after it."""
    return [last for site, (first, last) in ends(latest).items() if last.level != way.after.get(site, first.before)]


def ends(latest: Iterable[Change]) -> dict[int, tuple[Change, Change]]:
    """The first and the last change of each site."""
    found: dict[int, tuple[Change, Change]] = {}
    for change in latest:
        found[change.site] = (found.get(change.site, (change,))[0], change)
    return found
