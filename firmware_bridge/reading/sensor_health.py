"""The health of sensors: the symptoms that they show, which of them are believed, and when that changes.

`Symptoms` finds what ails sensors by the changes of each turn: what no hand does, or does everywhere.

- *late*: what was lifted first was seen to go after what followed had been put down. Hands that lay a new piece before
  they take the old one do so everywhere, a lazy switch or a strong magnet at one site. Seeds are sown from the hand
  that has lifted them, so of a sowing every lift tells.
- *crosstalk*: a level that comes and goes with a change beside it. A hand brushes against neighbours too, here and
  there.
- *miscount*: several seeds more at once, in a pit of the sowing; seeds are sown one by one, but a child may drop two.
- *loose*: a level that comes and goes within `FLICKER` where the turn shows nothing. No hand is so quick; bumps are,
  here and there.
- *restless*: the same for longer. A hand may toy with a piece.
- *mute*: it told nothing for some turns.

What is loose is not to be believed, the others still are. All but mute are named when they have been seen often enough
at one site in the `RECENT` turns, and half as often at all others together at most; but two contacts may be loose at
once. Late and crosstalk are named at first sight if in more than `CALM` turns nothing at all was seen of any other
site, for then these are not the hands. Nothing is learnt from a turn in which the board was upset.

A site is masked, and reads None, when its contact is loose (`reading.sensor_health`) or when players insist on a
turn that all the others bear out (`reading.disambiguation`). It is believed again once it has shown what the position
says, whenever the board was at rest, for `LONG`, and through a turn that changed what stands there.

`Doubt` decides when a sensor is no longer believed, and when it is again, by the history of each site and by what the
others bear out.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise
from math import dist
from typing import NamedTuple

from firmware_bridge.events import Event, sensor_event
from firmware_bridge.reading.candidates import Hypotheses
from firmware_bridge.reading.disambiguation import in_one_row
from firmware_bridge.reading.evidence import FLICKER, Change, changed
from firmware_bridge.reading.signature import Signature
from firmware_bridge.reading.verdict import AtRest, Verdict
from firmware_bridge.score import PlayedTurn
from hardware.device import Levels

OFTEN = {"late": 2, "crosstalk": 2, "miscount": 2, "restless": 4, "loose": 4}
"""In how many turns something is seen before it is named."""
RECENT = 30
"""Turns that are remembered."""
AT_ONCE = frozenset({"late", "crosstalk"})
"""What may be named at first sight."""
CALM = 5
"""Turns in which hands that fumble, or lay first, have shown it."""
UPSET = 4
"""If so many sites come and go in a turn, the board was upset."""
LATE, LATEST = 0.03, 0.5
"""Seconds after what followed: the two touches of two hands are not told apart below; no switch takes longer."""
MOMENT = 0.15
"""Seconds that a level is seen which comes and goes with one beside it, at most."""
ALONG = 0.03
"""Seconds between a change and its being seen beside, at most."""
MUTE = 3
"""Turns through which a site that is mute tells nothing."""
MOST = 300
"""The latest changes that are kept; few turns show as many."""


class Twitch(NamedTuple):
    """From `at` on a `site` showed `level`, for as long as it `lasted` (seconds, `MOMENT` at most)."""

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
        self._seen = {name: deque[Set[int]](maxlen=RECENT) for name in OFTEN}
        self._mute: Counter[int] = Counter()
        self._named: set[tuple[str, int]] = set()
        self.gone: frozenset[int] = frozenset()
        """The sites that came and went before the last turn counted, where it shows nothing."""

    def feed(self, frame: Levels, now: float) -> None:
        """A settled frame at `now` (seconds); the same object while nothing changes."""
        if frame is self._frame:
            return
        if not self._known:
            self._known = list(frame)
        new = changed(self._known, frame, now)
        for change in new:
            self._known[change.site] = change.level
        self._changes += new
        self._frame = frame

    def played(self, signature: Signature, due: Levels, masked: Set[int]) -> list[tuple[str, int]]:
        """A turn counts, after which this frame is `due`: what ails which site, once each, unless it is `masked`."""
        later = set(left_over(due, self._changes))
        latest = [change for change in self._changes if change not in later]
        self._changes = deque((change for change in self._changes if change in later), maxlen=MOST)
        self._note(signature, latest, masked)
        mute = (site for site, level in enumerate(self._frame) if level is None and site not in masked)
        self._mute = Counter({site: self._mute[site] + 1 for site in mute})
        found = [each for each in self._found() if each not in self._named]
        self._named.update(found)
        return found

    def forget(self, sites: Collection[int]) -> None:
        """What these sites did is known by now; they may do it again."""
        for turns in self._seen.values():
            for place, seen in enumerate(turns):
                turns[place] = seen - set(sites)
        self._named = {(name, site) for name, site in self._named if site not in sites}

    def _note(self, signature: Signature, latest: Sequence[Change], masked: Set[int]) -> None:
        """Take down what no step of `signature` shows; a piece that is turned over comes and goes, and quickly."""
        shown = {site for site, _ in signature.seen} | signature.flips
        self.gone = frozenset(came_and_went(latest) - shown)
        believed = [change for change in latest if change.site not in masked]
        twitched = list(twitches(believed))
        quick = {twitch.site for twitch in twitched if twitch.lasted < FLICKER}
        along = self._crosstalk(twitched, believed) - shown
        gone = self.gone - masked - along
        seen: dict[str, Set[int]] = {
            "late": late(signature, believed), "crosstalk": along, "miscount": miscounted(signature, believed),
            "restless": gone - quick, "loose": gone & quick,
        }  # fmt: skip
        for name, turns in self._seen.items():
            turns.append(seen[name] if len(self.gone) < UPSET else set())

    def _found(self) -> Iterator[tuple[str, int]]:
        """What stands out; mute is nobody if all are: then the cable is off."""
        for name, turns in self._seen.items():
            seen = Counter(chain.from_iterable(turns))
            often = (site for site, times in seen.items() if times >= OFTEN[name] or self._at_once(name, site))
            yield from ((name, site) for site in often if stands_out(seen, site, 1 if name == "loose" else 0))
        if any(level is not None for level in self._frame):
            yield from (("mute", site) for site, turns in self._mute.items() if turns >= MUTE)

    def _at_once(self, name: str, site: int) -> bool:
        """Whether `name` may be told at first sight, for in all these turns nothing was seen of any other site."""
        if name not in AT_ONCE or len(self._seen[name]) <= CALM:
            return False
        return {site} == set(chain.from_iterable(chain.from_iterable(self._seen.values())))

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


def stands_out(seen: Counter[int], site: int, but: int) -> bool:
    """Whether all others, `but` so many of them, were seen half as often as `site` at most."""
    others = sorted(times for other, times in seen.items() if other != site)
    return seen[site] >= 2 * sum(others[: len(others) - but])


def late(signature: Signature, latest: Sequence[Change]) -> set[int]:
    """The sites that `signature` lifts which were seen empty only after what follows was seen filled."""
    pairs = [(before, after) for before, after in pairwise(signature.seen) if after[1] and not before[1]]
    if not signature.sown:
        pairs = [pair for pair in pairs if pair[0] == signature.seen[0]]
    least = 0.0 if signature.sown else LATE
    return {lifted[0] for lifted, put in pairs if least < lag(lifted, put, latest) <= LATEST}


def lag(lifted: tuple[int, int], put: tuple[int, int], latest: Sequence[Change]) -> float:
    """Seconds from the one step's being seen to that of the other before it; 0 if either was not, or several times."""
    gone, filled = ([change.at for change in latest if (change.site, change.level) == step] for step in (lifted, put))
    return gone[0] - filled[0] if len(gone) == len(filled) == 1 else 0.0


def miscounted(signature: Signature, latest: Iterable[Change]) -> set[int]:
    """The pits of a sowing by count that showed several seeds more at once; but not what was lifted and is put back."""
    if not signature.sown or signature.strict:
        return set()
    return {
        change.site for change in latest if change.before and change.level > change.before + 1
    } & signature.after.keys()


def twitches(latest: Iterable[Change]) -> Iterator[Twitch]:
    """What was seen for a moment only."""
    before: dict[int, Change] = {}
    for change in latest:
        last = before.get(change.site)
        if last and last.before == change.level and change.at - last.at <= MOMENT:
            yield Twitch(change.site, last.level, last.at, change.at - last.at)
        before[change.site] = change


def came_and_went(latest: Iterable[Change]) -> set[int]:
    """The sites that changed and show again what they showed before."""
    return {site for site, (first, last) in ends(latest).items() if first.before == last.level}


def left_over(due: Levels, latest: Iterable[Change]) -> list[Change]:
    """The last changes where the sites do not show what is `due`: they belong to what comes next."""
    return [last for site, (_, last) in ends(latest).items() if last.level != due[site]]


def ends(latest: Iterable[Change]) -> dict[int, tuple[Change, Change]]:
    """The first and the last change of each site."""
    found: dict[int, tuple[Change, Change]] = {}
    for change in latest:
        found[change.site] = (found.get(change.site, (change,))[0], change)
    return found


LONG = 120.0
"""Seconds for which a masked site must tell the truth."""


@dataclass(slots=True)
class Trial:
    """How a masked site has done: since when it tells the truth, in seconds; what it showed first, and ever since."""

    since: float
    first: int | None = None
    followed: bool = False


class Confidence:
    """What is believed of the settled frames it is fed with."""

    def __init__(self) -> None:
        self.masked: dict[int, Trial] = {}
        """The sites that are not believed."""
        self._raw: Levels = ()
        self.shown: Levels = ()
        """What is believed of the frame."""

    def feed(self, frame: Levels) -> Levels:
        """`frame` without what is not believed; the same object while nothing changes."""
        if frame is not self._raw:
            self._raw = frame
            self._show()
        return self.shown

    def failed(self, sites: Set[int], now: float) -> None:
        """`sites` came and went where nothing was done: masked ones have told no truth until `now` (seconds)."""
        for site in self.masked.keys() & sites:
            self.masked[site].since = now

    def mask(self, sites: Iterable[int], now: float) -> Levels:
        """Do not believe `sites` from `now` on; returns the frame without them."""
        for site in sites:
            self.masked[site] = Trial(now)
        self._show()
        return self.shown

    def rested(self, rest: Levels, now: float) -> tuple[int, ...]:
        """The board is at rest, as far as it is believed: the masked sites that are believed again, if any."""
        good = [site for site, trial in self.masked.items() if self._proven(trial, self._raw[site], rest[site], now)]
        for site in good:
            del self.masked[site]
        if good:
            self._show()
        return tuple(good)

    def _proven(self, trial: Trial, level: int | None, due: int | None, now: float) -> bool:
        """Whether a masked site that shows `level`, where `due` stands, has done well for long."""
        if level != due:
            trial.since, trial.first, trial.followed = now, None, False
            return False
        if trial.first is None:
            trial.first = level
        trial.followed = trial.followed or level != trial.first
        return trial.followed and now - trial.since >= LONG

    def _show(self) -> None:
        """What is believed of the frame; the same object if that is the same."""
        if not self.masked:
            self.shown = self._raw
            return
        shown = tuple(None if site in self.masked else level for site, level in enumerate(self._raw))
        self.shown = self.shown if shown == self.shown else shown


class Doubt:
    """What is believed of the sensors that `hypotheses` go by."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self._hypotheses = hypotheses
        self._confidence = Confidence()
        game = hypotheses.watch.sensors.game
        self._loose: list[int] = []
        self._symptoms = Symptoms(beside([game.places[site] for site in game.sites]))

    def feed(self, frame: Levels, now: float) -> Levels:
        """`frame` without what is not believed; the same object while nothing changes."""
        self._symptoms.feed(frame, now)
        return self._confidence.feed(frame)

    def played(self, entry: PlayedTurn, now: float) -> list[Event]:
        """A turn counts at `now` (seconds); says what ails sensors, if they are still believed."""
        sensors = self._hypotheses.watch.sensors
        signature, due = sensors.signature(entry.position, entry.turn), sensors.frame(entry.turn.after)
        ails = self._symptoms.played(signature, due, self._confidence.masked.keys())
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
        return self.disbelieve(sites, now) if sites and in_one_row(self._hypotheses.watch.sensors, sites) else []

    def rested(self, verdict: Verdict, now: float) -> list[Event]:
        """If the board is at rest, some of the sites may be believed again; says so."""
        hands = self._hypotheses
        if not self._confidence.masked or hands.watch.seen.differs or not isinstance(verdict, AtRest):
            return []
        good = self._confidence.rested(hands.watch.rest, now)
        hands.believe(self._confidence.shown, now)
        return [self._told("trusted", good)] if good else []

    def _told(self, name: str, sites: Collection[int]) -> Event:
        names = self._hypotheses.watch.sensors.game.sites
        return sensor_event(name, [names[site] for site in sites])
