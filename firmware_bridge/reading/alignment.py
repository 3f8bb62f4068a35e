"""What one site has shown, aligned to the levels that hypotheses put there one after another.

A hidden Markov model a site. A *state* is a level that a step brings there; states that follow one another make a
sequence, and sequences that begin alike share their states, as a tree. What the site has shown comes in *stretches* of
one level. Each is the present state, or a later one, or an *excursion*, which costs by its length. Each state goes on,
stretch by stretch, from what the one before it has come to, so that a hypothesis costs one step a state and stretch,
and none where it shares states with others.
"""

from __future__ import annotations

from math import inf, log
from typing import Any

from firmware_bridge.reading.constants import Constants

Key = tuple[tuple[int, float], ...]
"""Levels that a turn brings to a site one after another, each with what it costs, in nats, if it is never seen."""
Times = tuple[float | None, ...]
"""When each state after the first was first seen, in seconds; None if it was not."""
Followed = tuple["State", float, list[int]]
"""The last state of those that follow, what they cost if none is seen, and the places of the turns that bring them."""
NONE: Times = ()
TIE = 1e-9
"""Nats within which two costs are the same; a guess."""


MOST = 64
"""Levels of a site that are kept since the last undisputed position; guessed, more than hands come to: whoever empties
a pit of twenty seeds one by one, counts them and sows them comes to some 45."""


class Site:
    """What one site has shown since the last undisputed position; `times` are when each level began, in seconds."""

    __slots__ = (
        "_closed",
        "_counts",
        "_stale",
        "costs",
        "counted",
        "excursion",
        "first",
        "generation",
        "levels",
        "lie",
        "open",
        "stamp",
        "times",
        "told",
    )

    def __init__(self, level: int | None, costs: Constants, stale: list[Any], *, counts: bool = False) -> None:
        """`stale` takes the states that are not needed any more. `counts`: levels are numbers of pieces."""
        self.costs, self._stale, self._counts = costs, stale, counts
        self.lie, self.excursion = costs.lie, costs.excursion
        """What a sensor that lies and a level that no step puts there cost here, in nats."""
        self.counted = set[int]()
        """The levels that turns have brought here which counted: when these are changed soon, it costs little."""
        self.told = set[float]()
        """When levels began that players were told to put right: these cost `back` at most."""
        self.levels: list[int | None] = []
        """Empty while nothing has changed."""
        self.times: list[float] = []
        self.generation = 0
        """Counts up when what was seen is not merely gone on with."""
        self.stamp = 0
        """Counts up when costs change."""
        self.open = 0.0
        """What the present stretch costs as an excursion."""
        self._closed: list[float] = []
        self.first = State(self, None, level or 0, 0.0)

    def rests(self, level: int | None) -> None:
        """The site shows `level`, and what came before is forgotten."""
        if not (self.levels or self.told or self.counted or self.first.children) and self.first.level == (level or 0):
            return
        self._stale.append(self.first)
        self.first = State(self, None, level or 0, 0.0)
        self.told.clear()
        self.counted.clear()
        self.begin([], [])

    def begin(self, levels: list[int | None], times: list[float]) -> None:
        """What was seen so far is this."""
        self.levels, self.times = levels, times
        self._closed = []
        self.generation += 1
        self.stamp += 1

    def add(self, level: int | None, time: float) -> None:
        """It has shown this level from `time` on (seconds). Of more than `MOST` the briefest is forgotten."""
        self.levels.append(level)
        self.times.append(time)
        if len(self.levels) > MOST:
            self._shorten()

    def _shorten(self) -> None:
        """Forget the briefest level but the first and the last: a contact that flickers without end tells no more."""
        levels, times = self.levels, self.times
        place = min(range(1, len(levels) - 1), key=lambda place: times[place + 1] - times[place])
        left = place + (2 if levels[place - 1] == levels[place + 1] else 1)
        self.begin(levels[:place] + levels[left:], times[:place] + times[left:])

    def relies(self, lie: float, excursion: float) -> None:
        """A lie, and a level that no step puts there, cost this from now on."""
        self.lie, self.excursion = lie, excursion
        self.begin(self.levels, self.times)

    def counts(self, level: int) -> None:
        """A turn that counts, and may be changed, has brought this level here."""
        if level not in self.counted:
            self.counted.add(level)
            self.begin(self.levels, self.times)

    def weigh(self, now: float) -> None:
        """Costs are those at `now` (seconds)."""
        last = len(self.levels) - 1
        self.open = self._cost(last, now)
        self.stamp += 1

    def closed(self, place: int) -> float:
        """What the stretch at `place`, which is over, costs as an excursion."""
        while len(self._closed) <= place:
            at = len(self._closed)
            cost, most = self._cost(at, self.times[at + 1]), inf
            if self.times[at] in self.told:
                most = self.costs.back
            elif self.levels[at] in self.counted:  # the longer it has stood the less likely it is changed
                seconds = self.times[at + 1] - self.times[at]
                most = self.costs.back + self.costs.left * log(max(1.0, seconds / self.costs.quiet))
            elif self._is_foreign(at):  # it lay elsewhere, and was taken away again
                most = self.costs.astray + self.costs.astray_site
            self._closed.append(min(cost, most))
        return self._closed[place]

    def _is_foreign(self, place: int) -> bool:
        return place > 0 and (self.levels[place] or 0) > (self.levels[place - 1] or 0)

    def _cost(self, place: int, ends: float) -> float:
        """What it costs that no step puts the level at `place` there, which lasts until `ends` (seconds).

        What the site showed first costs nothing; a contact that flutters, or a hand that hovers, is one excursion; and
        so is a hand that weighs on a scale, which shows one number after another.
        """
        if place == 0:
            return 0.0
        times, levels, costs = self.times, self.levels, self.costs
        seconds = max(0.0, ends - times[place])
        limit = costs.foreign_limit if self._is_foreign(place) else costs.excursion_limit
        if self._counts and place > 1 and times[place] - times[place - 1] < costs.flutter:
            run = place - 1
            while run > 1 and times[run] - times[run - 1] < costs.flutter:
                run -= 1
            longer = (costs.excursion_scale + ends - times[run]) / (costs.excursion_scale + times[place] - times[run])
            return costs.sown + costs.excursion_growth * log(longer) + seconds / limit
        flutters = place > 2 and times[place] - times[place - 1] < costs.flutter
        first = self.excursion
        if flutters and levels[place] == levels[place - 2]:
            first = min(first, costs.again)
        return first + costs.excursion_growth * log(1 + seconds / costs.excursion_scale) + seconds / limit


class State:
    """A level that comes to a site after those of its parents, and how well all of them go with what was seen.

    `begins`, `until`: when it may come (seconds); not long before the turn before was whole, nor after its own was.
    The costs, in nats, are those of the weighing of `fit` that came last.
    """

    __slots__ = (
        "_at", "_began", "_came", "_carries", "_carry", "_cost", "_done", "_each", "_ends", "_entered", "_generation",
        "_left", "_present", "_reached", "_since", "_whole", "begins", "begun", "begun_times", "children", "depth",
        "first", "level", "parent", "reach", "reach_times", "site", "skip", "stamp", "unseen", "until", "whole",
        "whole_times",
    )  # fmt: skip

    def __init__(
        self, site: Site, parent: State | None, level: int, skip: float, begins: float = -inf, until: float = inf
    ) -> None:
        self.site, self.parent, self.level, self.skip, self.begins, self.until = (
            site, parent, level, skip, begins, until
        )  # fmt: skip
        self.depth: int = parent.depth + 1 if parent else 0
        first = parent
        while first and first.parent:
            first = first.parent
        self.unseen: float = parent.unseen + (skip if first and level != first.level else 0.0) if parent else 0.0
        """What it costs where the site shows the first state all the time."""
        self.children: dict[tuple[int, float, float, float, bool], State] = {}
        self.first = False
        """Whether it is the first that its turn brings here."""
        self._ends: dict[tuple[Key, float], tuple[State, float]] = {}
        self._each: dict[tuple[int, float], tuple[dict[Key, list[int]], list[Followed]]] = {}
        self._generation = self.stamp = -1
        """`stamp`: that of the site when costs and times were worked out last."""
        self._done = self._since = 0
        self._cost = 0.0
        self._entered: Times = ()
        self._at = -1
        self._present, self._left = 0.0, False
        """At the stretch at place `_at`, the present one: what it costs to be here, with the times at which all of them
        `_came`, and whether that shows something else, so that its length is to be added."""
        self._came: Times = ()
        self._carries: list[tuple[float, Times, float | None]] = []
        self._carry: tuple[float, Times, float | None] = inf, (), None
        self._reached: tuple[float, Times] = inf, ()
        self._whole: tuple[float, Times] = inf, ()
        self._began: tuple[float, Times] = inf, ()
        self.whole = self.begun = self.reach = 0.0
        """If this is the present state; if it or one before it is; the least at which it was ever reached."""
        self.whole_times: Times = ()
        self.begun_times: Times = ()
        self.reach_times: Times = ()

    def cut(self) -> None:
        """Nothing follows it any more."""
        self.children, self._ends, self._each = {}, {}, {}

    # Sequences ----------------------------------------------------------------------------------

    def then(self, key: Key, begins: float = -inf) -> tuple[State, float]:
        """The last state where those of `key` follow, none before `begins`, and what they cost if none is seen."""
        known = self._ends.get((key, begins))
        if known is None:
            end = self
            for level, skip in key:
                end = end.child(level, skip, begins, inf, first=end is self)
            missing = sum(skip for level, skip in key if level != self.level)
            known = self._ends[key, begins] = end, missing
        return known

    def each(self, index: dict[Key, list[int]], begins: float) -> list[Followed]:
        """What follows by each key of `index`, none before `begins`; it is known again until that has more keys."""
        place = id(index), begins
        known = self._each.get(place)
        if known is None or len(known[1]) != len(index):
            found = [(*self.then(key, begins), members) for key, members in index.items()]
            known = self._each[place] = index, found  # which is kept, so that its id stays its own
        return known[1]

    def child(self, level: int, skip: float, begins: float, until: float, *, first: bool) -> State:
        """The state where this level follows; `first`: of a turn."""
        place = level, skip, begins, until, first
        known = self.children.get(place)
        if known is None:
            known = self.children[place] = State(self.site, self, level, skip, begins, until)
            known.first = first
        return known

    def by(self, until: float, most: int) -> State:
        """The same, the last `most` states having come by `until` (seconds)."""
        if most == 0 or self.parent is None:
            return self
        return self.parent.by(until, most - 1).child(self.level, self.skip, self.begins, until, first=self.first)

    def path(self, most: float = inf) -> list[State]:
        """The states from the first one to this, or the last of them, so many at `most`."""
        found, state = [self], self.parent
        while state and len(found) < most:
            found.append(state)
            state = state.parent
        return found[::-1]

    # Costs --------------------------------------------------------------------------------------

    def fit(self) -> State:
        """This state with its costs and times worked out for what the site has shown."""
        site, parent = self.site, self.parent
        if self.stamp == site.stamp:
            return self
        if parent and parent.stamp != site.stamp:
            parent.fit()
        if self._generation != site.generation:
            self._restart()
        self.stamp = site.stamp
        last = len(site.levels) - 1
        if last < 0:
            self._never_changed()
            return self
        if self._at != last:
            self._go_on(last)
        self._sum_up(self._present + site.open if self._left else self._present, site.lie)
        return self

    def _go_on(self, last: int) -> None:
        """Go on to the stretch at place `last`, the present one; how long that lasts is `fit`'s concern."""
        site = self.site
        levels, times = site.levels, site.times
        while self._done < last:
            at = self._done
            self._carries.append(self._step(at, levels[at], times[at] if at else None, site.closed(at)))
            self._done += 1
            reached = self._cost if levels[at] is not None else self._cost + TIE  # what was seen goes before the unseen
            if reached < self._reached[0]:
                self._reached, self._since = (reached, self._entered), at
        cost, entered, level = self._cost, self._entered, levels[last]
        self._carry = self._step(last, level, times[last] if last else None, 0.0)
        self._present, self._came, self._left = self._cost, self._entered, level is not None and level != self.level
        self._cost, self._entered, self._at = cost, entered, last

    def _restart(self) -> None:
        self._generation = self.site.generation
        self._done, self._at = 0, -1
        self._cost = inf if self.parent else 0.0
        self._entered, self._carries = (), []
        self._carry, self._reached = (inf, (), None), (inf, ())

    def _never_changed(self) -> None:
        self.whole = self.reach = min(self.unseen, self.site.lie)
        self.begun = 0.0
        self.whole_times = self.reach_times = (None,) * self.depth
        self.begun_times = ()

    def _step(
        self, at: int, level: int | None, began: float | None, excursion: float
    ) -> tuple[float, Times, float | None]:
        """Go on by the stretch at place `at`; what the next state goes on from.

        That is the least cost of a state up to this one, with its times, and since when what shows the next was seen.
        """
        parent, stay, stayed = self.parent, self._cost, self._entered
        best, times, since = inf, NONE, began
        if parent:
            best, times, since = parent._carries[at] if at < parent._done else parent._carry
        if level is None:
            if stay <= best:
                best, times = stay, stayed
            else:  # it came as the site ceased to tell, if ever it told again
                times = (*times, since if at + 1 < len(self.site.levels) else None)
            self._cost, self._entered = best, times
        elif level == self.level:
            if began is not None and since == began and not self.begins <= began <= self.until:
                skipped = best + self.skip
                return (stay, stayed, since) if stay <= skipped else (skipped, (*times, None), since)
            if stay <= best:
                best, times = stay, stayed
            else:
                times = (*times, since)
            self._cost, self._entered = best, times
            since = None  # what comes to show the same without a gap was not seen to come
        else:
            self._cost = stay + excursion
            skipped = best + self.skip
            if stay <= skipped:
                return stay, stayed, began
            return skipped, (*times, None), since
        return best, times, since

    def _sum_up(self, cost: float, lie: float) -> None:
        """The costs, from those of the parent and the `cost` up to now, and at most those of a sensor that lies."""
        parent = self.parent
        whole = began = cost, self._came
        if parent:
            skipped = parent._whole[0] + self.skip
            if skipped < cost:
                whole = skipped, (*parent._whole[1], None)
            earlier = parent._whole if self.first else parent._began
            if earlier[0] + TIE < cost:
                began = earlier
        self._whole, self._began = whole, began
        reach = whole if whole[0] < self._reached[0] else self._reached
        lies = lie, NONE
        if not (whole[0] < lie and began[0] < lie and reach[0] < lie):
            lies = lie, (None,) * self.depth
        self.whole, self.whole_times = whole if whole[0] < lie else lies
        self.begun, self.begun_times = began if began[0] < lie else lies
        self.reach, self.reach_times = reach if reach[0] < lie else lies

    def stays(self) -> float:
        """As `whole`, if it has been the present state ever since it was first reached for the least."""
        if self.whole_times == self.reach_times:
            return self.whole
        site, last = self.site, len(self.site.levels) - 1
        since = ((place, site.levels[place]) for place in range(self._since + 1, last + 1))
        left = (site.closed(at) if at < last else site.open for at, level in since if level not in (self.level, None))
        return min(site.lie, self.reach + sum(left))

    def before_now(self) -> float:
        """As `whole`, of what came before the present stretch, and without a limit."""
        if len(self.site.levels) < 2:
            return 0.0
        best = inf
        for state in self.path():
            state.fit()
            best = min(state._cost, best + state.skip)
        return best
