"""What hands did, as one likelihood. The theory; the costs are those of `firmware_bridge.reading.constants`, in nats.

1.  *Evidence* is what each site has shown, level after level with their times, since the last undisputed position, the
    *root*. Nothing is thrown away because it looks like rest.
2.  A *hypothesis* is a short sequence: turns made whole one after another from the root on, each perhaps taken back or
    with a debt, and then nothing, or a turn begun, or an illegal one, or pieces that stand elsewhere.
3.  To each site it puts a sequence of *states*: the levels that its steps bring there, those of one turn after those
    of the one before. What the site has shown is *aligned* to them by a small hidden Markov model: each stretch of one
    level is either the present state, or a later one, or an *excursion*, which costs by its length. A state that was
    never seen costs, little within a row that slides, much where a hand has lifted. At most a site costs as much as a
    sensor that *lies*.
4.  The cost of a hypothesis is the sum over the sites, and soft terms: steps before others that they need, by how much;
    a turn begun and left for long; a turn begun before the one before has ended, up to a few tenths of a second; and
    the prior: one of so many legal turns, or that of taking back, of an illegal turn, of pieces astray.
5.  The probability of a hypothesis goes with exp(-cost). Resting is one hypothesis among them: pieces adjusted, bumps
    and hovering are its excursions. A turn counted too early is replaced by itself, when another becomes likelier.
6.  The search is best first. A hypothesis is followed only while its bound, what its turns cost at least, is within a
    margin of the best. A changed site concerns only turns through it; the alignments to equal states are shared, and
    each goes on where it was when the site changed last.
7.  The root moves on when only one turn is left that may have been the first, and another has followed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush, nsmallest
from itertools import islice, pairwise
from math import exp, inf, log
from typing import Literal, NamedTuple

from firmware_bridge.reading.constants import USUAL, Constants
from games.acts import Act, precedence, steps
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

States = tuple[tuple[int, float, float, float], ...]
"""Levels that come to a site one after another: each with what it costs when it is never seen, and when it may come.

That is, from when and until when, in seconds: not long before the turn before was whole, nor after the turn itself was.
"""
Sites = tuple[tuple[int, States], ...]
"""Sites with the states that a turn brings there."""
Times = tuple[float | None, ...]
"""When each state was first seen, in seconds; None if it was not."""
PASS = "pass"
TIE = 1e-9
"""Nats within which two costs are the same; a guess, like all that follow here."""
LATE = 0.3
"""Seconds after a turn was whole within which what is seen of it is not the next one's."""
OVERLAPS = 0.5
"""Seconds before the end of a turn from which on what is seen may belong to the next."""
REMEMBERED = 4096
"""Ways, options and frames kept."""
AHEAD = 16
"""Positions of which illegal turns are kept."""
CHUNK = 12
"""Illegal turns listed while nothing changes, a scan."""
FIRST = 1000.0
"""Nats by which those that go on from what counts are followed before others."""
BEAM = 12
"""Nodes followed, at most, each time the hypotheses are weighed."""
LEAVES = 3
"""Nodes after which something wrong is looked for."""
DEEPEST = 4
"""Turns in a hypothesis, at most."""
EXPLAINED = 0.5
"""Nats below which nothing is left to explain."""
MANY = 100_000
"""More than there are."""


class Fit(NamedTuple):
    """What one site has shown, aligned to states; costs in nats."""

    whole: float
    """If the last state is the present one."""
    begun: float
    """If any state is."""
    reach: float
    """Least cost at which the last state was ever reached, whatever came then."""
    whole_times: Times
    begun_times: Times
    reach_times: Times
    closed: float
    """As `whole`, of what came before the present stretch, and without a limit."""

    def times(self, which: int) -> Times:
        """When each state was seen; `which`: 0 whole, 1 begun, 2 once reached."""
        return (self.whole_times, self.begun_times, self.reach_times)[which]


class History:
    """What one site has shown, level after level; `times` are when each began, in seconds."""

    __slots__ = ("alignments", "levels", "times")

    def __init__(self, level: int | None, now: float) -> None:
        self.levels: list[int | None] = [level]
        self.times: list[float] = [now]
        self.alignments: dict[States, Alignment] = {}

    def add(self, level: int | None, now: float) -> None:
        """The site shows another level from now on."""
        self.levels.append(level)
        self.times.append(now)

    def cut(self, start: float) -> None:
        """Forget what was over by `start`."""
        first = 0
        while first + 1 < len(self.times) and self.times[first + 1] <= start:
            first += 1
        if first:
            del self.levels[:first], self.times[:first]
            self.alignments = {}


class Alignment:
    """What one site has shown, aligned to `states`: a hidden Markov model that goes on stretch by stretch."""

    __slots__ = ("_costs", "_done", "_from", "_levels", "_reach", "_skips", "_times", "_until")

    def __init__(self, states: States) -> None:
        self._levels, self._skips, self._from, self._until = zip(*states, strict=True)
        self._costs = [0.0] + [inf] * (len(states) - 1)
        self._times: list[Times] = [()] * len(states)
        self._done = 0
        self._reach: tuple[float, Times] = inf, ()

    def fit(self, history: History, now: float, costs: Constants) -> Fit:
        """How well the states go with what was seen until `now` (seconds)."""
        levels, times = history.levels, history.times
        last = len(levels) - 1
        while self._done < last:
            at = self._done
            excursion = excursion_cost(history, at, times[at + 1], costs)
            self._costs, self._times = self._step(levels[at], times[at] if at else None, excursion)
            self._note(self._costs, self._times)
            self._done += 1
        excursion = excursion_cost(history, last, now, costs)
        found, entered = self._step(levels[last], times[last] if last else None, excursion)
        reach, reach_times = self._last(found, entered)
        if self._reach[0] <= reach:
            reach, reach_times = self._reach
        whole, whole_times = self._last(found, entered)
        least = min(found) + TIE
        place = max(place for place, cost in enumerate(found) if cost <= least)
        begun, begun_times = found[place], entered[place]
        lie = costs.lie
        unseen = (None,) * (len(found) - 1)
        return Fit(
            whole if whole < lie else lie,
            begun if begun < lie else lie,
            reach if reach < lie else lie,
            whole_times if whole < lie else unseen,
            begun_times if begun < lie else unseen,
            reach_times if reach < lie else unseen,
            self._last(self._costs, self._times)[0] if last else 0.0,
        )

    def _step(self, level: int | None, at: float | None, excursion: float) -> tuple[list[float], list[Times]]:
        """One more stretch of `level`, which began at `at`; what it costs where it is an excursion."""
        costs, times, skips = self._costs, self._times, self._skips
        found: list[float] = []
        entered: list[Times] = []
        best, since = inf, at  # the least cost of a state before this one; what shows the next was seen since then
        best_times: Times = ()
        for place, due in enumerate(self._levels):
            stay, stayed = costs[place], times[place]
            if level is None:
                best, best_times = (stay, stayed) if stay <= best else (best, (*best_times, None))
                found.append(best)
                entered.append(best_times)
            elif level == due:
                if at is not None and since == at and not self._from[place] <= at <= self._until[place]:
                    found.append(stay)
                    entered.append(stayed)
                    skipped = best + skips[place]
                    best, best_times = (stay, stayed) if stay <= skipped else (skipped, (*best_times, None))
                    continue
                if stay <= best:
                    best, best_times = stay, stayed
                else:
                    best_times = (*best_times, since)
                since = None  # what comes to show the same without a gap was not seen to come
                found.append(best)
                entered.append(best_times)
            else:
                found.append(stay + excursion)
                entered.append(stayed)
                skipped = best + skips[place]
                best, best_times, since = (
                    (stay, stayed, at) if stay <= skipped else (skipped, (*best_times, None), since)
                )
        return found, entered

    def _last(self, costs: list[float], times: list[Times]) -> tuple[float, Times]:
        """What it costs to have come to the last state, seen or not."""
        best, best_times = costs[0], times[0]
        for place in range(1, len(costs)):
            other = best + self._skips[place]
            if costs[place] <= other:
                best, best_times = costs[place], times[place]
            else:
                best, best_times = other, (*best_times, None)
        return best, best_times

    def _note(self, costs: list[float], times: list[Times]) -> None:
        if costs[-1] < self._reach[0]:
            self._reach = costs[-1], times[-1]


def excursion_cost(history: History, place: int, ends: float, costs: Constants) -> float:
    """What it costs that no step puts the level at `place` of `history` there, which lasts until `ends` (seconds).

    What the site showed first costs nothing; a contact that flutters is one excursion.
    """
    if place == 0:
        return 0.0
    times = history.times
    seconds = max(0.0, ends - times[place])
    flutters = place > 2 and times[place] - times[place - 1] < costs.flutter
    first = costs.again if flutters and history.levels[place] == history.levels[place - 2] else costs.excursion
    return first + costs.excursion_growth * log(1 + seconds / costs.excursion_scale) + seconds / costs.excursion_limit


# Turns ----------------------------------------------------------------------------------------


class Way:
    """What the sensors show of a turn's acts: for each site the states that its steps bring there."""

    def __init__(
        self,
        acts: tuple[Act, ...],
        before: Mapping[int, int],
        sense: Sense,
        number: Mapping[str, int],
        costs: Constants,
    ) -> None:
        made = [(number[site], level) for site, level in steps(acts)]
        self.needs = precedence(acts)
        """For each step the places of those that it needs."""
        self.acts: list[tuple[str, range]] = []
        """Kind and steps of each act."""
        kinds: list[tuple[str, float]] = []
        for act in acts:
            first = len(kinds)
            kinds += [(act.kind, skip) for skip in skips(act, costs)]
            self.acts.append((act.kind, range(first, len(kinds))))
        final = {site: place for place, (site, _) in enumerate(made)}
        states: dict[int, list[tuple[int, float, float, float]]] = {}
        shown: dict[int, int] = {}
        self.steps: list[tuple[int, int]] = []
        """Site of each step, and the place of its state there; -1 where the sensors show nothing of it."""
        for place, (site, level) in enumerate(made):
            kind, skip = kinds[place]
            here = states.setdefault(site, [])
            was = shown.setdefault(site, sense.of(before[site]))
            level = sense.of(level)
            if kind == "flip" and was:
                here.append((0, 0.0, -inf, inf))
            if level != was or (kind == "flip" and was):
                here.append((level, costs.lie if final[site] == place and level != was else skip, -inf, inf))
            self.steps.append((site, len(here) - 1 if level != was else -1))
            shown[site] = level
        self.inner = inner_steps(acts)
        """The steps within rows, which may pass unseen."""
        self.behind = dict(lifts_behind(acts))
        """For the lift of a piece within a row, that of the piece behind it."""
        self.sites = tuple((site, tuple(keys)) for site, keys in states.items() if keys)
        """The sites at which something is to be seen, with the states that follow the first."""
        self.before = {site: sense.of(before[site]) for site in states}
        self.after = shown
        """What each site shows when the turn is whole."""
        self.unseen = sum(untouched(((self.before[site], 0.0, -inf, inf), *key)) for site, key in self.sites)
        """What it costs if nothing of it was seen."""
        self.owed = [
            number[act.sites[0]]
            for act in acts
            if act.kind in ("lay", "take") and len(acts) > 1 and self._closes(act, number)
        ]
        """The sites of the pieces that may be laid or taken late."""
        self.keys = dict(self.sites)
        self.late = {owed: self._late(owed) for owed in self.owed}
        """For each of these the sites with their states, the last one there not due."""
        self.reversed = {owed: self._reversed(owed, costs) for owed in (None, *self.owed)}
        """The sites with their states when the turn is taken back; what was owed may not have been made."""

    def _closes(self, act: Act, number: Mapping[str, int]) -> bool:
        site = number[act.sites[0]]
        return any(at == site for at, _ in self.sites)

    def _late(self, owed: int) -> Sites:
        """The sites with their states, the last one of `owed` not due."""
        return tuple(
            (site, (*key[:-1], (key[-1][0], 0.0, -inf, inf)) if site == owed else key) for site, key in self.sites
        )

    def _reversed(self, owed: int | None, costs: Constants) -> Sites:
        """The sites with their states when the turn is taken back; the last act at `owed` may not have been made."""
        found = []
        for site, key in self.sites:
            levels = [self.before[site], *(level for level, *_ in key)][-2::-1]
            missed = [*(0.0 if site == owed else skip for _, skip, *_ in key[-2::-1]), costs.lie]
            found.append((site, tuple((level, skip, -inf, inf) for level, skip in zip(levels, missed, strict=True))))
        return tuple(found)

    def order(self, times: Sequence[float | None], now: float, costs: Constants) -> float:
        """What the order costs in which the steps were seen; `times`: None where one was not, inf where it is due."""
        total = 0.0
        times = [None if time == inf and place in self.inner else time for place, time in enumerate(times)]

        def when(place: int) -> float:
            """When a step was made at the earliest: its own time, or that of the steps it needs.

            A piece within a row that was not seen to leave has left once the one behind it has.
            """
            time = times[place]
            if time is not None:
                return time
            if place in self.behind:
                return when(self.behind[place])
            return max(map(when, self.needs[place]), default=-inf)

        for place, time in enumerate(times):
            if time is None or time == inf:
                continue
            for need in self.needs[place]:
                before = when(need)
                if before > time:
                    late = (now if before == inf else before) - time
                    total += costs.early + costs.early_growth * log(1 + late / costs.early_scale)
        made = -inf
        taken = False
        for kind, places in self.acts:
            seen = [time for place in places if (time := times[place]) is not None]
            if kind in ("lay", "take") and seen and seen[0] < made and seen[0] != inf:
                total += costs.laid_early if kind == "lay" else 0.0
                taken = taken or kind == "take"
            if kind != "take":
                made = max(made, *seen) if seen else made
        return total + (costs.taken_early if taken else 0.0)


def inner_steps(acts: tuple[Act, ...]) -> frozenset[int]:
    """The places of the steps at the sites within rows that are pushed."""
    rows = {site for act in acts if act.kind == "push" for site in act.sites[1:-1]}
    return frozenset(place for place, (site, _) in enumerate(steps(acts)) if site in rows)


def lifts_behind(acts: tuple[Act, ...]) -> Iterator[tuple[int, int]]:
    """Each lift within a row that is pushed, with the lift of the piece behind it."""
    first = 0
    for act in acts:
        if act.kind == "push":
            yield from ((place, place + 2) for place in range(first, first + 2 * len(act.levels) - 2, 2))
        first += len(steps((act,)))


def skips(act: Act, costs: Constants) -> Iterator[float]:
    """For each step of `act` what it costs if it is never seen, and others follow it there."""
    if act.kind == "push":
        inner = min(costs.inner, costs.inner_row / max(1, len(act.levels) - 1))
        for place in range(len(act.levels), 0, -1):
            yield costs.lift if place == 1 else inner
            yield costs.lift
        return
    if act.kind in ("carry", "take", "sow"):
        yield costs.lift
    yield from [costs.sown if act.kind == "sow" else costs.lift] * len(act.levels)


@lru_cache(maxsize=65536)
def untouched(states: States) -> float:
    """What states cost where the site has shown the first of them all the time."""
    return sum(skip for level, skip, *_ in states if level != states[0][0])


class Options:
    """Turns of one position, by the sites and states that they go through."""

    def __init__(self) -> None:
        self.turns: list[Turn[Position]] = []
        self.ways: list[Way] = []
        self.index: dict[int, dict[States, list[int]]] = {}

    def add(self, turn: Turn[Position], way: Way) -> None:
        """One more."""
        for site, key in way.sites:
            self.index.setdefault(site, {}).setdefault(key, []).append(len(self.turns))
        self.turns.append(turn)
        self.ways.append(way)

    @property
    def log(self) -> float:
        """What it costs that it is one of them and no other."""
        return log(max(1, len(self.turns)))


class Refused:
    """Illegal turns of one position: those `listed`, and those `coming`."""

    def __init__(self, coming: Iterator[Turn[Position]]) -> None:
        self.coming = coming
        self.listed = Options()


Kind = Literal["rest", "begun", "illegal", "astray"]


class Node:
    """Turns made one after another from the root on; `chain` has the states of each site that they go through."""

    __slots__ = (
        "back", "bound", "chain", "children", "cost", "due", "ended", "firm", "net", "order", "owed", "own", "parent",
        "passed", "path", "position", "prior", "times", "turn", "way",
    )  # fmt: skip

    def __init__(self, position: Position) -> None:
        self.position = position
        self.parent: Node | None = None
        self.turn: Turn[Position] | None = None
        self.way: Way | None = None
        self.owed: int | None = None
        """The site where a piece was not laid or taken when the next turn began; `due`, if it was later."""
        self.due = False
        self.back = False
        self.prior = 0.0
        self.order = 0.0
        """What the order of all steps costs, and `own` that of its last turn's, made at `times`."""
        self.own = 0.0
        self.times: list[float | None] = []
        self.bound = 0.0
        self.cost = inf
        self.ended = -inf
        """When its last turn was whole, in seconds."""
        self.firm = -inf
        """When its last turn was whole but for steps that may pass unseen, in seconds."""
        self.path: tuple[object, ...] = ()
        """What tells it from others: each turn by where it leads, with what was taken back."""
        self.chain: dict[int, States] = {}
        self.passed: dict[int, States] = {}
        self.net: tuple[Node, ...] = ()
        """The turns that still stand, each by the node at its end."""
        self.children: dict[tuple[int, int | None], Node] = {}

    def after(self, position: Position) -> Node:
        """One turn more, at sites that are still to be told."""
        node = Node(position)
        node.parent = self
        node.chain = dict(self.chain)
        return node

    def states(self, site: int, rest: Levels) -> States:
        """The states of a site so far; `rest` is what the root shows."""
        return self.chain.get(site) or ((rest[site] or 0, 0.0, -inf, inf),)

    def past(self, site: int, rest: Levels) -> States:
        """The same where another turn follows: those of the turn before must have come by its end."""
        return self.passed.get(site) or self.states(site, rest)

    def goes_along(self, counted: Sequence[Position]) -> bool:
        """Whether all its turns are those that led to these positions."""
        alone = not self.back and self.owed is None and len(self.net) <= len(counted)
        return alone and all(node.position == due for node, due in zip(self.net, counted, strict=False))

    def whole_by(self, firm: float, sites: Iterable[tuple[int, States]]) -> None:
        """The last turn, which went through `sites`, was whole at `firm` (seconds)."""
        if firm != self.firm:
            self.firm = firm
            self.children = {}
            self.passed = {}
            for site, key in sites:
                if site == self.owed:
                    continue
                states = self.chain[site]
                late = tuple((level, skip, begins, firm + LATE) for level, skip, begins, _ in states[-len(key) :])
                self.passed[site] = states[: -len(key)] + late


@lru_cache(maxsize=65536)
def begun_after(key: States, time: float) -> States:
    """The states, none of which comes before `time` (seconds)."""
    return tuple((level, skip, time, until) for level, skip, _, until in key)


class Hypothesis(NamedTuple):
    """What the hands may have done: the turns up to `node`, and then `kind`; `turn` is the one begun or illegal."""

    cost: float
    node: Node
    kind: Kind
    turn: Turn[Position] | None = None


class Likelihood:
    """Weighs what the hands have done since `position`, of `game`, as a table sees it by `sense`."""

    def __init__(self, game: Game[Position], sense: Sense, position: Position, costs: Constants = USUAL) -> None:
        self.game, self.sense, self.costs = game, sense, costs
        self._number = {site: number for number, site in enumerate(game.sites)}
        self._ways: dict[tuple[tuple[Act, ...], bytes], Way] = {}
        self._options: dict[Position, Options] = {}
        self._refused: dict[Position, Refused] = {}
        self._shown: dict[bytes, Levels] = {}
        self.likeliest: Node | None = None
        """The turns that were most likely made when it was weighed last."""
        self.frame: Levels = ()
        self.changed_at = -inf
        """When a site changed last, in seconds."""
        self._fits: dict[tuple[int, States], Fit] = {}
        self._now = -inf
        self.begin(position)

    def begin(self, position: Position) -> None:
        """From here on `position` stands, whatever the sites show."""
        self.root = Node(position)
        self.rest = self.shows(position)
        self._histories: dict[int, History] = {}
        if self.frame:
            for site, level in enumerate(self.frame):
                if level != self.rest[site]:
                    self._histories[site] = History(level, self.changed_at)

    def shows(self, position: Position) -> Levels:
        """What the sensors show of `position`."""
        shown = self._shown.get(position.cells)
        if shown is None:
            if len(self._shown) >= REMEMBERED:
                self._shown.clear()
            shown = self._shown[position.cells] = tuple(map(self.sense.of, position.cells))
        return shown

    def options(self, position: Position) -> Options:
        """The legal turns of a position, once the passes that are forced have been played."""
        known = self._options.get(position)
        if known is None:
            if len(self._options) >= REMEMBERED:
                self._options.clear()
            turns = self.game.turns(position)
            if [turn.text for turn in turns] == [PASS]:
                known = self.options(turns[0].after)
            else:
                known = Options()
                for turn in turns:
                    known.add(turn, self._way(position, turn))
            self._options[position] = known
        return known

    def passed(self, position: Position) -> Position:
        """The position once the passes that are forced have been played."""
        turns = self.game.turns(position)
        return self.passed(turns[0].after) if [turn.text for turn in turns] == [PASS] else position

    def refused(self, position: Position) -> Refused:
        """The illegal turns that people try in a position; listed so far, and those to come."""
        known = self._refused.get(position)
        if known is None:
            if len(self._refused) >= AHEAD:
                self._refused.clear()
            known = self._refused[position] = Refused(self.game.tries(self.passed(position)))
        return known

    def prepare(self) -> None:
        """Nothing has changed: list some of what may be needed soon."""
        if self.likeliest is None:
            return
        position = self.likeliest.position
        if position not in self._options:
            self.options(position)
        else:
            self._list(self.refused(position), position, CHUNK)

    def _list(self, refused: Refused, position: Position, most: int) -> None:
        """List up to so many more illegal turns."""
        for turn in islice(refused.coming, most):
            refused.listed.add(turn, self._way(position, turn))

    def _way(self, position: Position, turn: Turn[Position]) -> Way:
        cells, number = position.cells, self._number
        key = turn.acts, bytes([cells[number[site]] for act in turn.acts for site in act.sites])
        way = self._ways.get(key)
        if way is None:
            if len(self._ways) >= REMEMBERED:
                self._ways.clear()
            before = {number[site]: cells[number[site]] for act in turn.acts for site in act.sites}
            way = self._ways[key] = Way(turn.acts, before, self.sense, number, self.costs)
        return way

    # What is seen -------------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> None:
        """Take note of a frame that differs from the one before."""
        for site, level in enumerate(frame):
            history = self._histories.get(site)
            if history:
                if history.levels[-1] != level:
                    history.add(level, now)
            elif level != self.rest[site]:
                history = self._histories[site] = History(self.rest[site], -inf)
                history.add(level, now)
        self.frame, self.changed_at = frame, now

    def _fit(self, site: int, states: States) -> Fit:
        fit = self._fits.get((site, states))
        if fit is None:
            history = self._histories.get(site)
            if history is None:
                missing = untouched(states)
                times: Times = (None,) * (len(states) - 1)
                fit = Fit(missing, 0.0, missing, times, (), times, missing)
            else:
                alignment = history.alignments.get(states)
                if alignment is None:
                    alignment = history.alignments[states] = Alignment(states)
                fit = alignment.fit(history, self._now, self.costs)
            self._fits[site, states] = fit
        return fit

    def _then(self, node: Node, site: int, key: States) -> States:
        """The states of a site if a turn follows `node` that brings those of `key` there."""
        history = self._histories.get(site)
        if history and len(history.times) > 1 and history.times[1] < node.firm - OVERLAPS:
            key = begun_after(key, node.firm - OVERLAPS)
        return node.past(site, self.rest) + key

    # Weighing -----------------------------------------------------------------------------------

    def weigh(self, now: float, counted: Sequence[Position] = ()) -> list[Hypothesis]:
        """The hypotheses within the margin, the best first; those that go on from the turns `counted` are not missed.

        These are told by the positions that they led to, one after another.
        """
        self._now, self._fits = now, {}
        root, margin = self.root, self.costs.margin
        root.bound = 0.0
        self._rest(root)
        found: list[Hypothesis] = [Hypothesis(root.cost, root, "rest")]
        heap: list[tuple[float, int, Node]] = [(0.0, 0, root)]  # what explains more comes first
        best, count = root.cost, 0
        followed: set[tuple[object, ...]] = set()
        while heap and len(followed) < BEAM:
            _, _, node = heappop(heap)
            if node.bound + min(node.cost - node.bound, self.costs.back) > best + margin:
                continue
            through = node.path
            if through in followed:
                continue
            followed.add(through)
            base = self._base(node)
            for hypothesis in self._begun(node, base, best):
                found.append(hypothesis)
                best = min(best, hypothesis.cost)
            for child in self._children(node, base, best):
                self._rest(child)
                found.append(Hypothesis(child.cost, child, "rest"))
                best = min(best, child.cost)
                unexplained = child.cost - child.bound
                if unexplained > EXPLAINED and len(child.net) <= DEEPEST:
                    count += 1
                    late = child.bound + unexplained / 2
                    heappush(heap, (late - FIRST if child.goes_along(counted) else late, count, child))
        found += self._wrong(found, best)
        found.sort(key=lambda hypothesis: hypothesis.cost)
        self.likeliest = found[0].node
        return [hypothesis for hypothesis in found if hypothesis.cost <= found[0].cost + margin]

    def _base(self, node: Node) -> dict[int, float]:
        """For each site that has changed, what it costs if nothing followed `node`."""
        return {site: self._fit(site, node.states(site, self.rest)).whole for site in self._histories}

    def _rest(self, node: Node) -> None:
        """Work out what `node` costs if nothing followed it."""
        seen = sum(self._base(node).values())
        unseen = sum(untouched(states) for site, states in node.chain.items() if site not in self._histories)
        node.cost = node.prior + node.order + seen + unseen

    def _begun(self, node: Node, base: dict[int, float], best: float) -> Iterator[Hypothesis]:
        """The turns that may be under way after `node`."""
        options = self.options(node.position)
        gained: dict[int, float] = {}
        for site, due in base.items():
            for key, members in options.index.get(site, {}).items():
                gain = self._fit(site, self._then(node, site, key)).begun - due
                for place in members:
                    gained[place] = gained.get(place, 0.0) + gain
        start = node.cost + options.log
        for place, gain in gained.items():
            cost = start + gain
            if gain < 0 and cost <= best + self.costs.margin:
                way = options.ways[place]
                times = self._times(node, way.steps, way.sites, 1)
                made = seen(times)
                if made and any(time == inf and step not in way.inner for step, time in enumerate(times)):
                    idle = max(0.0, self._now - max(made))
                    cost += self._order(node, way, way.sites, times, 1)
                    cost += self.costs.left * log(1 + idle / self.costs.left_scale)
                    if cost <= best + self.costs.margin:
                        best = min(best, cost)
                        yield Hypothesis(cost, node, "begun", options.turns[place])

    def _children(self, node: Node, base: dict[int, float], best: float) -> Iterator[Node]:
        """The turns that may have been made whole after `node`, and the last one taken back."""
        options = self.options(node.position)
        start = node.prior + node.order
        for site, states in node.chain.items():
            start += self._fit(site, states).reach
        gained: dict[int, float] = {}
        for site in base:
            last = node.states(site, self.rest)[-1]
            before = self._fit(site, node.chain[site]).reach if site in node.chain else 0.0
            for key, members in options.index.get(site, {}).items():
                gain = self._fit(site, self._then(node, site, key)).reach - before - untouched((last, *key))
                for place in members:
                    gained[place] = gained.get(place, 0.0) + gain
        limit, least = best + self.costs.margin, min(self.costs.debt, self.costs.back)
        for place, gain in gained.items():
            way = options.ways[place]
            bound = start + options.log + way.unseen + gain
            if bound <= limit:
                child = self._child(node, place, None, options)
                child.bound = bound
                yield from self._ordered(node, child, way.sites, limit)
            for owed in way.owed:
                fit = self._fit(owed, self._then(node, owed, way.keys[owed]))
                late = self._fit(owed, self._then(node, owed, dict(way.late[owed])[owed]))
                less = bound - fit.reach + late.reach + self.costs.debt
                if less - self.costs.debt + least <= limit:
                    child = self._child(node, place, owed, options)
                    child.bound = less
                    for each in self._ordered(node, child, way.late[owed], limit + self.costs.debt):
                        if each.bound <= limit and (each.due or fit.whole > late.whole + self.costs.debt):
                            yield each
                        yield from self._taken_back(each, each.bound, limit)
        if node.way and not node.back and node.parent:
            yield from self._taken_back(node, start, limit)

    def _child(self, node: Node, place: int, owed: int | None, options: Options) -> Node:
        child = node.children.get((place, owed))
        if child is None:
            turn, way = options.turns[place], options.ways[place]
            sites = way.sites if owed is None else way.late[owed]
            child = node.children[place, owed] = node.after(turn.after)
            child.chain |= {site: self._then(node, site, key) for site, key in sites}
            child.turn, child.way, child.owed = turn, way, owed
            child.net = (*node.net, child)
            child.path = (*node.path, (turn.after, owed))
        child.prior = node.prior + options.log + (0.0 if owed is None else self.costs.debt)
        return child

    def _ordered(self, node: Node, child: Node, sites: Sequence[tuple[int, States]], limit: float) -> Iterator[Node]:
        """`child` with what the order of its last turn costs, if it is still within the limit."""
        way = child.way
        if way is None:
            return
        child.times, order, more = self._best_order(node, way, sites)
        made = seen(child.times)
        if not made:
            return
        if child.owed is None:
            firm = [time for place, time in enumerate(child.times) if place not in way.inner and time is not None]
            child.whole_by(max(firm, default=max(made)), sites)
            child.ended = max(made)
        else:
            last = max(place for place, (site, _) in enumerate(way.steps) if site == child.owed)
            others = [time for place, time in enumerate(child.times) if place != last and place not in way.inner]
            child.ended = max(seen(others), default=max(made))
            child.whole_by(child.ended, sites)
            paid = child.times[last]
            child.due = paid is not None and paid > child.ended + LATE
        child.own = way.order(child.times, self._now, self.costs)
        child.order = node.order + order
        child.bound += order + more
        if child.bound <= limit:
            yield child

    def _best_order(
        self, node: Node, way: Way, sites: Sequence[tuple[int, States]]
    ) -> tuple[list[float | None], float, float]:
        """When the steps were made, what their order costs, and how much more the sites do than at the least."""
        times = self._times(node, way.steps, sites, 2)
        order = self._order(node, way, sites, times, 2) if seen(times) else 0.0
        if order > self.costs.overlap:
            fits = [self._fit(site, self._then(node, site, key)) for site, key in sites]
            more = sum(fit.whole - fit.reach for fit in fits)
            if more < order:
                others = self._times(node, way.steps, sites, 0)
                late = self._order(node, way, sites, others, 0) if seen(others) else inf
                if late + more < order:
                    return others, late, more
        return times, order, 0.0

    def _taken_back(self, node: Node, start: float, limit: float) -> Iterator[Node]:
        """The last turn taken back."""
        way, parent = node.way, node.parent
        if way is None or parent is None:
            return
        child = node.children.get((-1, None))
        if child is None:
            child = node.children[-1, None] = node.after(parent.position)
            sites = way.reversed[node.owed]
            child.chain |= {site: node.past(site, self.rest) + key for site, key in sites}
            child.back, child.net = True, node.net[:-1]
            child.path = (*node.path, "back")
        more = self.costs.back - (self.costs.debt if node.owed is not None else 0.0)
        child.prior = node.prior + more
        early = [None if time is not None and time > node.firm + LATE else time for time in node.times]
        less = node.own + pause(seen(node.times), self.costs)
        less -= way.order(early, self._now, self.costs) + pause(seen(early), self.costs)
        child.order = node.order - less
        child.bound = start + more - less
        times = []
        for site, states in child.chain.items():
            fit = self._fit(site, states)
            child.bound += fit.reach - self._fit(site, node.states(site, self.rest)).reach
            times += [time for time in fit.reach_times[len(node.states(site, self.rest)) - 1 :] if time is not None]
        if times and child.bound <= limit:
            child.ended = max(times)
            child.whole_by(child.ended, way.reversed[node.owed])
            yield child

    def _times(
        self, node: Node, steps: Iterable[tuple[int, int]], sites: Iterable[tuple[int, States]], which: int
    ) -> list[float | None]:
        """When each step was seen; `which`: 0 whole, 1 begun, 2 once reached."""
        entered: dict[int, Times] = {}
        for site, key in sites:
            states = self._then(node, site, key)
            entered[site] = self._fit(site, states).times(which)[len(states) - len(key) - 1 :]
        found: list[float | None] = []
        for site, place in steps:
            if place < 0:
                found.append(None)
            else:
                times = entered[site]
                found.append(times[place] if place < len(times) else inf)
        return found

    def _order(
        self, node: Node, way: Way, sites: Iterable[tuple[int, States]], times: Sequence[float | None], which: int
    ) -> float:
        """What the order of the steps costs, made after `node`: their own, and one turn after another."""
        ended, before = node.ended, 0.0
        shared = [(site, key) for site, key in sites if site in node.chain] if node.way and node.parent else []
        if node.way and node.parent and shared:  # what was seen there may be this turn's, and not that one's
            joint = list(node.times)
            for site, key in shared:
                entered = self._fit(site, self._then(node, site, key)).times(which)
                first = len(node.parent.states(site, self.rest)) - 1
                for place, (at, state) in enumerate(node.way.steps):
                    if at == site and state >= 0 and first + state < len(entered):
                        joint[place] = entered[first + state]
            ended = max(seen(joint), default=ended)
            before = node.way.order(joint, self._now, self.costs) - node.own
        gap, costs = min(seen(times)) - ended, self.costs
        own = before + way.order(times, self._now, costs) + pause(seen(times), costs)
        if gap >= costs.reply:
            return own
        if gap >= 0:
            return own + costs.overlap * (1 - max(0.0, gap) / costs.reply)
        return own + costs.overlap + (gap / costs.overlap_scale) ** 2

    def _wrong(self, found: Sequence[Hypothesis], best: float) -> list[Hypothesis]:
        """The illegal turns, and pieces that stand elsewhere, after the few positions that may best stand."""
        nodes = [hypothesis.node for hypothesis in found if hypothesis.kind == "rest"]
        few = nsmallest(LEAVES, nodes, key=lambda node: node.bound + node.cost)
        return [hypothesis for node in few for hypothesis in self._wrong_after(node, best)]

    def _wrong_after(self, node: Node, best: float) -> Iterator[Hypothesis]:
        """The same after `node`."""
        costs = self.costs
        base = self._base(node)
        floor = node.cost - sum(base.values())
        final = self.shows(node.position)
        strange = [site for site in base if self.frame[site] is not None and self.frame[site] != final[site]]
        left = dict(node.parent.way.sites) if node.back and node.parent and node.parent.way else {}
        if (
            strange
            and not any(site in left for site in strange)
            and floor + costs.astray + costs.astray_site <= best + costs.margin
        ):
            more = 0.0
            for site in strange:
                closed = self._fit(site, node.states(site, self.rest)).closed
                more += min(0.0, closed + costs.astray_site - base[site])
            yield Hypothesis(node.cost + costs.astray + more, node, "astray")
        least = floor + self.options(node.position).log + costs.illegal + costs.illegal_step
        if strange and least < best + costs.near:
            yield from self._illegal(node, base, best)

    def _illegal(self, node: Node, base: dict[int, float], best: float) -> Iterator[Hypothesis]:
        """The illegal turns that may have been made after `node`."""
        refused = self.refused(node.position)
        self._list(refused, node.position, MANY)
        options = refused.listed
        start = node.cost + self.options(node.position).log + self.costs.illegal
        gained: dict[int, float] = {}
        for site, due in base.items():
            last = node.states(site, self.rest)[-1]
            for key, members in options.index.get(site, {}).items():
                gain = self._fit(site, self._then(node, site, key)).whole - due - untouched((last, *key))
                for place in members:
                    gained[place] = gained.get(place, 0.0) + gain
        for place, gain in gained.items():
            way = options.ways[place]
            cost = start + way.unseen + gain + self.costs.illegal_step * len(way.steps)
            if cost <= best + self.costs.margin:
                times = self._times(node, way.steps, way.sites, 2)
                if seen(times):
                    cost += self._order(node, way, way.sites, times, 2)
                    yield Hypothesis(cost, node, "illegal", options.turns[place])

    # Going on -----------------------------------------------------------------------------------

    def settle(self, node: Node) -> None:
        """The board rests after `node`, beyond doubt: what came between its states was nothing."""
        for site, history in list(self._histories.items()):
            states = node.states(site, self.rest)
            levels: list[int | None] = [states[0][0]]
            times = [-inf]
            for (level, *_), time in zip(states[1:], self._fit(site, states).whole_times, strict=True):
                if time is not None and level != levels[-1]:
                    levels.append(level)
                    times.append(time)
            if levels[-1] != history.levels[-1]:
                levels.append(history.levels[-1])
                times.append(max(history.times[-1], times[-1]))
            if len(levels) == 1:
                del self._histories[site]
            elif len(levels) < len(history.levels):
                settled = self._histories[site] = History(levels[0], times[0])
                settled.levels, settled.times = levels, times

    def advance(self, node: Node) -> None:
        """`node`, a child of the root, is undisputed: it becomes the root."""
        final = self.shows(node.position)
        for site, history in list(self._histories.items()):
            start = node.ended - OVERLAPS
            if site in node.chain:
                times = self._fit(site, node.chain[site]).reach_times
                start = times[-1] if times and times[-1] is not None else node.ended
            history.cut(start)
            history.alignments = {}
            if len(history.levels) == 1 and history.levels[0] == final[site]:
                del self._histories[site]
        self.root = Node(node.position)
        self.root.ended, self.root.firm = node.ended, node.firm
        self.rest = final


def seen(times: Iterable[float | None]) -> list[float]:
    """Those of the times that are known."""
    return [time for time in times if time is not None and time < inf]


def pause(times: Sequence[float], costs: Constants) -> float:
    """What the longest pause between steps costs that were made at `times` (seconds)."""
    longest = max((later - sooner for sooner, later in pairwise(sorted(times))), default=0.0)
    return costs.left * log(1 + max(0.0, longest - costs.left_scale) / costs.left_scale)


def probabilities(hypotheses: Sequence[Hypothesis]) -> list[float]:
    """How likely each is, if it must be one of them."""
    least = min((hypothesis.cost for hypothesis in hypotheses), default=0.0)
    weights = [exp(least - hypothesis.cost) for hypothesis in hypotheses]
    total = sum(weights)
    return [weight / total for weight in weights]
