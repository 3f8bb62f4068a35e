"""The reliability of each sensor: the posterior of what ails it, by the turns that nobody disputes any more.

1.  Once a turn is beyond dispute it is known what every site was to show, level after level. What a site has shown
    besides, or has not shown, is a *symptom*, unless a hand at work may have passed by; `AILMENTS` are told by them.
    What is mute says nothing (None), which costs nothing: a factor is missing.
2.  Of each site and ailment two numbers are kept: in how many turns it was *seen*, and in how many it had the *chance*
    to be. Both fade, so that the last `memory` turns count most.
3.  Hands, and games that were read wrongly, show all of this too, but everywhere: a sound site shows it about as often
    as those of all other rows (a row may fail together), which count the less the sicker they are themselves. A sick
    one shows it at a rate of its own, of which nothing is known beforehand. Either rate has a beta distribution: that
    of sound sites as if it were known from `memory` turns of this very site, that of sick ones an even one. The
    posterior odds are the ratio of the two likelihoods that follow, times the prior odds.
4.  From it follows what a lie and an excursion cost at that site: minus the logarithm of how likely the next one is,
    no more than at a sound sensor, and no less than where a coin tells. What comes and goes makes no lie likelier: it
    is mostly hands that put a piece straight, and would explain away a piece that lies there against the rules.
5.  An ailment is named once its posterior is above `scolded`; it is over once that of the contrary is.
6.  Players who insist on what all other sensors bear out are believed: the site is *masked* and reads None, until it
    has told nothing but the truth for `memory` turns, of which one changed it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise
from math import dist, exp, lgamma, log
from typing import NamedTuple

from firmware_bridge.reading.constants import USUAL, Constants
from games.acts import steps
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

AILMENTS = {
    "lie": "doubted",  # it shows something else than stands there in the end
    "loose": "doubted",  # a level that no step put there came and went within `flutter`
    "restless": "restless",  # the same, for longer
    "crosstalk": "crosstalk",  # the same, within `flutter`, along with a change beside it
    "late": "late",  # what was lifted was seen to go after what followed had been put down
    "miscount": "miscount",  # several seeds more at once, where they were sown one by one
    "mute": "mute",  # it tells nothing
}
"""What each is called in the event that names it."""
COMES = frozenset({"loose", "restless", "crosstalk"})
"""Those that hands show most."""
AT_WORK = 0.5
"""Seconds around a change elsewhere within which a piece that is seen may be in a hand on its way; a guess."""
MOST = 100
"""Levels of a site that are kept, at most."""
TOGETHER = 32
"""Symptoms that are worked out in one scan; a guess."""

RARE, HANDLED = 0.5, 1.0
"""In how many of `memory` turns hands show a symptom at a site that they seldom show, and one of those that come and go
with pieces put straight, tried elsewhere or carried past; guesses. It is no less where all other sites show less."""
Shown = Sequence[tuple[int, float]]
"""Levels that a site showed one after another, and since when each (seconds)."""
Symptom = tuple[str, int, bool]
"""An ailment, a site where it could be seen in a turn, and whether it was."""


class Found(NamedTuple):
    """What is to be told of these sites; the name is one of `events.sensor_event`."""

    name: str
    sites: tuple[int, ...]


class Record:
    """In how many of the last turns an ailment was seen at each site, of those in which it could be."""

    def __init__(self, rows: Sequence[object], usual: float) -> None:
        self._rows, self._usual = rows, usual
        """In which row each site lies, and in how many of `memory` turns hands show it at any of them."""
        self.seen = [0.0] * len(rows)
        self.chances = [0.0] * len(rows)
        self.sick = [0.0] * len(rows)
        """How likely it is that the site has it, 0-1."""

    def note(self, symptoms: Mapping[int, bool], costs: Constants) -> None:
        """One more turn: the sites at which it could be seen, and whether it was."""
        fades = 1 - 1 / costs.memory
        self.seen = [fades * seen + symptoms.get(site, False) for site, seen in enumerate(self.seen)]
        self.chances = [fades * chances + (site in symptoms) for site, chances in enumerate(self.chances)]
        found = dict.fromkeys(self._rows, (0.0, 0.0))
        for row, sick, seen, chances in zip(self._rows, self.sick, self.seen, self.chances, strict=True):
            found[row] = found[row][0] + (1 - sick) * seen, found[row][1] + (1 - sick) * chances
        every = (
            self._usual + sum(seen for seen, _ in found.values()),
            costs.memory + sum(each for _, each in found.values()),
        )
        for site, row in enumerate(self._rows):
            rate = (every[0] - found[row][0]) / (every[1] - found[row][1])
            others = max(rate, self._usual / costs.memory)
            more = self.seen[site] > others * self.chances[site]
            self.sick[site] = self._posterior(site, others, costs) if more else 0.0

    def _posterior(self, site: int, others: float, costs: Constants) -> float:
        """How likely `site` has it, where the others show it at this rate."""
        seen, missed = self.seen[site], self.chances[site] - self.seen[site]
        often, seldom = others * costs.memory, (1 - others) * costs.memory
        sound = log_beta(often + seen, seldom + missed) - log_beta(often, seldom)
        return 1 / (1 + exp(costs.sick + sound - log_beta(1 + seen, 1 + missed)))

    def rate(self, site: int, sound: float) -> float:
        """How likely it is to be seen the next time, where that is `sound` at a sound site."""
        sick = self.sick[site]
        return sick * (self.seen[site] + 1) / (self.chances[site] + 2) + (1 - sick) * sound

    def forget(self, site: int) -> None:
        """Nothing is known of the site."""
        self.seen[site] = self.chances[site] = self.sick[site] = 0.0


class Reliability:
    """What is believed of the sensors of a table that sees `game` by `sense`; it is shown each settled frame."""

    def __init__(self, game: Game[Position], sense: Sense, costs: Constants = USUAL) -> None:
        sites = len(game.sites)
        self._sense, self._costs = sense, costs
        self._number = {site: number for number, site in enumerate(game.sites)}
        self._places = tuple(game.places[site] for site in game.sites)
        self._beside = beside(self._places)
        rows = [row for _, row in self._places]
        handled = COMES | {"late"} if game.pieces == "seeds" else COMES  # who takes seeds in two grabs empties late
        self.records = {name: Record(rows, HANDLED if name in handled else RARE) for name in AILMENTS}
        """What is known, by ailment."""
        self.lies = [costs.lie] * sites
        """What a lie costs at each site, in nats."""
        self.excursions = [costs.excursion] * sites
        """What a level costs there that no step puts there, however short, in nats."""
        self.masked: dict[int, tuple[int, bool]] = {}
        """The sites that are not believed: for how many turns each told the truth, and whether one changed it."""
        self._named: set[tuple[str, int]] = set()
        self._found: list[Found] = []
        self._raw: Levels = ()
        self._believed: Levels = ()
        self._shown: list[list[tuple[int, float]]] = [[] for _ in range(sites)]
        self._learning = deque[Iterator[str]]()

    @property
    def doubtful(self) -> frozenset[int]:
        """The sites that do not tell one position from another."""
        return frozenset(self.masked).union(site for name, site in self._named if AILMENTS[name] == "doubted")

    @property
    def news(self) -> bool:
        """Whether something was found that has not been asked for."""
        return bool(self._found)

    def tell(self) -> list[Found]:
        """What was found since it was asked last."""
        found, self._found = self._found, []
        return found

    # What is seen -------------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> Levels:
        """A settled frame at `now` (seconds); what is believed of it, the same object while that stays the same."""
        if frame is not self._raw:
            self._raw = frame
            for shown, level in zip(self._shown, frame, strict=True):
                if level is not None and (not shown or shown[-1][0] != level):
                    shown.append((level, now))
                    del shown[1 : 3 if len(shown) > MOST else 1]
            self._mask()
        return self._believed

    def begin(self) -> None:
        """The board was set up: what was seen until now tells nothing."""
        for shown in self._shown:
            del shown[:-1]

    # Masks --------------------------------------------------------------------------------------

    def insisted(self, due: Levels) -> bool:
        """The players insist that the board is as `due`: if one sensor alone, or one row's, deny it, they are masked.

        Whether they are.
        """
        deny = [site for site, level in enumerate(self._believed) if level not in (due[site], None)]
        if not deny or (len(deny) > 1 and len({self._places[site][1] for site in deny}) > 1):
            return False
        if new := tuple(site for site in deny if site not in self.doubtful):
            self._found.append(Found("doubted", new))
        self.masked |= dict.fromkeys(deny, (0, False))
        self._mask()
        return True

    def _mask(self) -> None:
        frame = self._raw
        if self.masked:
            frame = tuple(None if site in self.masked else level for site, level in enumerate(frame))
        self._believed = self._believed if frame == self._believed else frame

    def _try(self, false: Collection[int], due: Sequence[Sequence[int]]) -> None:
        """One more turn, in which those of the masked sites that are not `false` told the truth of what was `due`."""
        for site, (turns, changed) in list(self.masked.items()):
            good = site not in false
            self.masked[site] = (turns + 1, changed or due[site][0] != due[site][-1]) if good else (0, False)
            if good and turns + 1 >= self._costs.memory and self.masked[site][1]:
                del self.masked[site]
                for name, record in self.records.items():
                    record.forget(site)
                    self._named.discard((name, site))
                self._found.append(Found("trusted", (site,)))
        self._mask()

    # Turns --------------------------------------------------------------------------------------

    def played(self, before: Position, turn: Turn[Position], ended: float, later: Collection[int] = ()) -> None:
        """`turn`, made from `before` by `ended` (seconds), is beyond dispute.

        At the sites in `later` the next turn goes on, or a piece is owed. `learn` works out what follows.
        """
        due = [[self._sense.of(level)] for level in before.cells]
        for name, level in steps(turn.acts):
            due[self._number[name]].append(self._sense.of(level))
        seen = [self._until(site, levels, ended, site in later) for site, levels in enumerate(due)]
        for site, shown in enumerate(seen):
            del self._shown[site][: len(shown) - 1]
        self._learning.append(self._follow(turn, due, seen, later))

    @property
    def learned(self) -> bool:
        """Whether all that follows from the turns beyond dispute is worked out."""
        return not self._learning

    def learn(self) -> None:
        """Work out a part of what follows from the turns beyond dispute: some symptoms, one ailment, or the costs."""
        if next(self._learning[0], None) is None:
            self._learning.popleft()

    def _follow(
        self, turn: Turn[Position], due: Sequence[Sequence[int]], seen: Sequence[Shown], later: Collection[int]
    ) -> Iterator[str]:
        """Work out what follows from what was `seen` in a turn and what was `due`: the symptoms, then each ailment."""
        coming = chain(self._at_sites(due, seen, later), self._in_acts(turn, seen))
        symptoms = list[Symptom]()
        while some := list(islice(coming, TOGETHER)):
            symptoms += some
            yield "symptoms"
        for ailment, record in self.records.items():
            known = {site: shown for what, site, shown in symptoms if what == ailment and site not in self.masked}
            record.note(known, self._costs)
            yield ailment
        self._try({site for _, site, shown in symptoms if shown}, due)
        self._judge()

    def _until(self, site: int, due: Sequence[int], ended: float, goes_on: bool) -> Shown:
        """What the site showed until `ended`, or until it showed what was due in the end, unless it `goes_on`.

        A piece that was turned over where it stands may have been so late: nobody waits for what no sensor shows.
        """
        shown = self._shown[site]
        if len(due) > 1 and due[0] == due[-1] and not goes_on and shown and shown[-1][0] == due[-1]:
            return shown
        last = sum(at <= ended for _, at in shown) or 1
        while not goes_on and last < len(shown) and shown[last - 1][0] != due[-1]:
            last += 1
        return shown[:last]

    def _at_sites(
        self, due: Sequence[Sequence[int]], seen: Sequence[Shown], later: Collection[int]
    ) -> Iterator[Symptom]:
        """What was noticed of each site; of those that come and go nothing where the hands were at work."""
        for site, (levels, shown) in enumerate(zip(due, seen, strict=True)):
            yield "mute", site, self._raw[site] is None
            if site in later or not shown:
                continue
            false = shown[-1][0] != levels[-1]
            if false or levels[0] != levels[-1]:
                yield "lie", site, false
            if len(levels) > 1 and len(shown) > 1:
                brief = any(ends - at <= self._costs.flutter for (_, at), (_, ends) in pairwise(shown[1:]))
                yield "loose", site, brief and len(shown) >= len(runs(levels)) + 2
            elif len(levels) == 1:
                strays = set(self._strays(site, levels[0], seen))
                if strays == {"hand"}:
                    continue
                near = any(len(seen[other]) > 1 for other in self._beside[site])
                yield from ((name, site, name in strays) for name in ("loose", "restless", "crosstalk")[: 2 + near])

    def _strays(self, site: int, due: int, seen: Sequence[Shown]) -> Iterator[str]:
        """What ails a site by the levels that came and went there, where only one was due; or that it was a hand's.

        A hand that is at work carries pieces over other sites, and puts them down there on the way.
        """
        near = [change for other in self._beside[site] for change in seen[other][1:]]
        elsewhere = [when for other, shown in enumerate(seen) if other != site for _, when in shown[1:]]
        for (level, at), (_, ends) in pairwise(seen[site][1:]):
            if level == due:
                continue
            along = (abs(at - when) <= self._costs.excursion_scale for other, when in near if other == level)
            if ends - at <= self._costs.flutter and any(along):
                yield "crosstalk"
            elif level > due and any(at - AT_WORK <= when <= ends + AT_WORK for when in elsewhere):
                yield "hand"
            else:
                yield "restless" if ends - at > self._costs.flutter else "loose"

    def _in_acts(self, turn: Turn[Position], seen: Sequence[Shown]) -> Iterator[Symptom]:
        """What was noticed of the sites between which pieces went."""
        for act in turn.acts:
            origin, *to = (self._number[site] for site in act.sites)
            if act.kind == "sow" or (act.kind in ("carry", "push") and len(to) == 1):
                gone = [at for level, at in seen[origin][1:] if not level]
                come = [at for level, at in seen[to[0]][1:] if level]
                if len(gone) == len(come) == 1:
                    yield "late", origin, gone[0] - come[0] > self._costs.early_scale
            if act.kind == "sow" and self._sense is Sense.COUNT:
                for pit in to:
                    yield "miscount", pit, any(0 < was < now - 1 for (was, _), (now, _) in pairwise(seen[pit]))

    def _judge(self) -> None:
        """What follows from what is known by now: costs, and names."""
        costs = self._costs
        for found, sound, names in (
            (self.lies, costs.lie, ("lie",)),
            (self.excursions, costs.excursion, ("loose", "restless", "crosstalk")),
        ):
            records, usual = [self.records[name] for name in names], exp(-sound)
            found[:] = [sound] * len(found)
            for site in {site for record in records for site, sick in enumerate(record.sick) if sick}:
                likely = max(record.rate(site, usual) for record in records)
                found[site] = min(sound, max(log(2), -log(likely)))
        for name, record in self.records.items():
            named, title = {site for ailment, site in self._named if ailment == name}, AILMENTS[name]
            for site, sick in enumerate(record.sick) if named or any(record.sick) else ():
                if sick > costs.scolded and site not in named:
                    known = title == "doubted" and site in self.doubtful
                    self._named.add((name, site))
                    self._found += [] if known else [Found(title, (site,))]
                elif site in named and sick < 1 - costs.scolded:
                    self._named.discard((name, site))
                    trusted = title == "doubted" and site not in self.doubtful
                    self._found += [Found("trusted", (site,))] if trusted else []


def runs(levels: Sequence[int]) -> list[int]:
    """The levels without those that are as the one before."""
    return [level for place, level in enumerate(levels) if place == 0 or level != levels[place - 1]]


def log_beta(seen: float, missed: float) -> float:
    """The logarithm of the beta function."""
    return lgamma(seen) + lgamma(missed) - lgamma(seen + missed)


@lru_cache(8)
def beside(places: tuple[tuple[float, float], ...]) -> tuple[tuple[int, ...], ...]:
    """For each site those nearest to it; kept, for every game begins by asking."""
    apart = [[dist(place, other) for other in places] for place in places]
    nearest = [1.1 * sorted(row)[1] for row in apart]
    return tuple(
        tuple(site for site, far in enumerate(row) if 0 < far < near) for row, near in zip(apart, nearest, strict=True)
    )
