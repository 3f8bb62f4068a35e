"""What is usual at one table: the constants of its hands and sensors, estimated from games whose turns are known.

    evidence = Evidence()
    evidence.add(observe(watched))       # of each game: what was seen, and which turns were made
    for fitted in estimate(evidence):
        fitted.name, fitted.usual, fitted.value, fitted.observations

What each site has shown is aligned, by least cost under the usual constants, to the levels that the turns brought there
one after another. That tells excursions from steps, steps that were never seen, and when the others were made. From
these a cost is the logarithm of how rarely a thing happens, and how costs grow is the likeliest law of how long things
last, each as if it had been usual `WORTH` times before: so little evidence changes little. Nothing leaves its bounds.

Turns during which something was taken back or wrong tell how often that is, and nothing else. What mistakes cost is not
estimated, for no evening tells.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import exp, inf, log
from typing import NamedTuple

import msgspec

from firmware_bridge.reading.constants import BOUNDS, USUAL, Constants
from games.acts import Act, precedence, steps
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

NEEDED = 100
"""Turns without which nothing is estimated; a guess, as are all numbers here: fewer tell one evening's mood."""
WORTH = 2.0
"""How often a thing is taken to have happened as rarely as is usual, before anything is seen."""
SPREAD = 0.7
"""The standard deviation of the logarithm of a law's constants from table to table: they differ by a factor of two."""
LATE = 0.5
"""Seconds after a turn counted in which its last steps may still be seen, or its contacts flutter."""
OVERLAPS = 0.5
"""Seconds by which one turn may begin before the end of the one before; a piece laid later than that was owed."""
QUICK = 0.1
"""The share of answers that are given more quickly than `reply`."""
FEW, ANSWERS = 5, 20
"""Of how many overlaps and answers the usual constants of time are worth."""
LONGEST = 10.0
"""Seconds beyond which an excursion is none of a hand: a sensor lies, or a piece was put aside."""
WIDEST, FINEST = 0.5, 0.005
"""The steps of a search, in logarithms, at its beginning and at its end."""


class Made(NamedTuple):
    """A turn that was made in the position `before`, and had counted by then (seconds).

    `clean`: nothing was taken back or wrong since the turn before had counted.
    """

    turn: Turn[Position]
    before: Position
    by: float
    clean: bool = True


class Watched(NamedTuple):
    """A game that was watched: its turns, and each settled frame with when it came, in seconds.

    The first frame shows the position before the first turn. `taken_back` are turns that are not among the `turns`.
    """

    game: Game[Position]
    sense: Sense
    frames: Sequence[tuple[float, Levels]]
    turns: Sequence[Made]
    taken_back: int = 0


class Evidence(msgspec.Struct):
    """What was seen in some games, counted."""

    turns: int = 0
    trials: dict[str, tuple[int, int]] = {}
    """By constant: how often it happened, of how many times that it might have."""
    times: dict[str, dict[int, int]] = {}
    """By what lasted: how often so many milliseconds."""

    def add(self, other: Evidence) -> None:
        """Count in what was seen elsewhere."""
        self.turns += other.turns
        for name, (happened, times) in other.trials.items():
            self.note(name, happened, times)
        for name, lasted in other.times.items():
            for ms, count in lasted.items():
                self.last(name, ms / 1000, count)

    def note(self, name: str, happened: int, times: int = 1) -> None:
        """It happened so often, of so many times."""
        before = self.trials.get(name, (0, 0))
        self.trials[name] = before[0] + happened, before[1] + times

    def last(self, name: str, seconds: float, count: int = 1) -> None:
        """It lasted so long."""
        ms = max(1, round(1000 * seconds))
        lasted = self.times.setdefault(name, {})
        lasted[ms] = lasted.get(ms, 0) + count

    def lasted(self, name: str) -> dict[float, int]:
        """How often it lasted so many seconds."""
        return {ms / 1000: count for ms, count in self.times.get(name, {}).items()}


# What a turn brings to the sites --------------------------------------------------------------


class State(NamedTuple):
    """A level that `step` of a turn brings to a site; `kind` is the constant that it costs if it is never seen."""

    level: int
    kind: str
    turn: int
    step: int
    since: float
    until: float


class Way(NamedTuple):
    """The steps of one turn, as sensors tell them."""

    states: list[tuple[int, int, str, int]]
    """Site, level, kind and place of each step that shows."""
    sites: list[int]
    """The site of every step."""
    behind: dict[int, int]
    """For these, the lift of the piece behind."""
    owed: list[int]
    """The places of the last steps of pieces that may be laid or taken late."""


def way(made: Made, sense: Sense, number: Mapping[str, int]) -> Way:
    """What the sensors are to show of a turn."""
    acts, cells = made.turn.acts, made.before.cells
    kinds = [kind for act in acts for kind in kinds_of(act)]
    all_steps = steps(acts)
    final = {site: place for place, (site, _) in enumerate(all_steps)}
    shown: dict[str, int] = {}
    states: list[tuple[int, int, str, int]] = []
    for place, (site, level) in enumerate(all_steps):
        shows, was = sense.of(level), shown.setdefault(site, sense.of(cells[number[site]]))
        if shows != was:
            states.append((number[site], shows, "lie" if final[site] == place else kinds[place], place))
        shown[site] = shows
    behind: dict[int, int] = {}
    first = 0
    for act in acts:
        if act.kind == "push":
            lifts = list(range(first, first + 2 * len(act.levels), 2))
            behind.update(pairwise(lifts))
        first += len(steps((act,)))
    late = [act.sites[0] for act in acts if act.kind in ("lay", "take") and len(acts) > 1]
    showing = {place for *_, place in states}
    owed = [final[site] for site in late if final[site] in showing]
    return Way(states, [number[site] for site, _ in all_steps], behind, owed)


def kinds_of(act: Act) -> Iterator[str]:
    """For each step of `act` the constant that it costs if it is never seen, and others follow it there."""
    if act.kind == "push":
        for place in range(len(act.levels), 0, -1):
            yield "lift" if place == 1 else "inner"
            yield "lift"
        return
    if act.kind in ("carry", "take", "sow"):
        yield "lift"
    yield from ["sown" if act.kind == "sow" else "lift"] * len(act.levels)


# What was seen of it --------------------------------------------------------------------------


class Aligned(NamedTuple):
    """What one site has shown, as steps and excursions."""

    seen: dict[int, float]
    """When each state that was seen to come was first seen."""
    skipped: list[int]
    """The states that were never seen, though something else was shown before."""
    excursions: list[tuple[float, float, bool]]
    """When each began, how long it lasted, and whether it was the same again, as a contact flutters."""


def align(levels: Sequence[int], times: Sequence[float], ends: float, states: Sequence[State]) -> Aligned:
    """Align `levels`, which began at `times`, to the states, the first of which is there from the beginning."""
    best = [0.0] + [inf] * (len(states) - 1)
    came: list[list[int]] = []
    for place, (level, began) in enumerate(zip(levels, times, strict=True)):
        until = times[place + 1] if place + 1 < len(times) else ends
        strange = excursion(levels, times, place, until)
        after, back = [inf] * len(states), [0] * len(states)
        carry, origin = inf, 0  # the least cost of having been in a state before this one, and which
        for at, state in enumerate(states):
            stays = best[at] + (0.0 if state.level == level else strange)
            after[at], back[at] = stays, at
            if place and state.level == level and carry < stays and state.since <= began <= state.until:
                after[at], back[at] = carry, origin
            unseen = carry + (getattr(USUAL, state.kind) if at and state.level != states[origin].level else 0.0)
            carry, origin = (best[at], at) if best[at] <= unseen else (unseen, origin)
        came.append(back)
        best, silent = silently(states, after, level, began, until)
        came.append(silent)
    return traced(levels, times, ends, states, came, best)


def silently(
    states: Sequence[State], best: list[float], level: int, began: float, until: float
) -> tuple[list[float], list[int]]:
    """Go on to states that show the same, where what comes between was not seen; costs, and where each came from."""
    after, back = list(best), list(range(len(states)))
    carry, origin = inf, 0
    for at, state in enumerate(states):
        unseen = carry + (getattr(USUAL, state.kind) if at and state.level != level else 0.0)
        if state.level == level and unseen < best[at] and state.since <= until and began <= state.until:
            after[at], back[at] = unseen, origin
        carry, origin = (best[at], at) if state.level == level and best[at] <= unseen else (unseen, origin)
    return after, back


def traced(
    levels: Sequence[int],
    times: Sequence[float],
    ends: float,
    states: Sequence[State],
    came: Sequence[Sequence[int]],
    best: Sequence[float],
) -> Aligned:
    """The alignment of least cost, from its end back to its beginning."""

    def missed(after: int) -> list[int]:
        later = range(after + 1, len(states))
        return [at for at in later if states[at].level != states[after].level]

    def unseen(after: int) -> float:
        return float(sum(getattr(USUAL, states[at].kind) for at in missed(after)))

    at = min(range(len(states)), key=lambda each: best[each] + unseen(each))
    seen: dict[int, float] = {}
    skipped, excursions = missed(at), []
    for place in range(len(levels) - 1, -1, -1):
        before = came[2 * place + 1][at]
        skipped += [each for each in range(before + 1, at) if states[each].level != levels[place]]
        at, before = before, came[2 * place][before]
        if before != at:
            seen[at] = times[place]
            skipped += [each for each in range(before + 1, at) if states[each].level != states[before].level]
        if states[at].level != levels[place] and place:
            until = times[place + 1] if place + 1 < len(times) else ends
            excursions.append((times[place], until - times[place], flutters(levels, times, place)))
        at = before
    return Aligned(seen, skipped, excursions)


def flutters(levels: Sequence[int], times: Sequence[float], place: int) -> bool:
    """Whether a level is the same again, as a contact flutters."""
    return place > 2 and times[place] - times[place - 1] < USUAL.flutter and levels[place] == levels[place - 2]


def excursion(levels: Sequence[int], times: Sequence[float], place: int, until: float) -> float:
    """What it costs that no step puts a level there; nothing for the first."""
    if not place:
        return 0.0
    seconds = max(0.0, until - times[place])
    first = USUAL.again if flutters(levels, times, place) else USUAL.excursion
    return first + USUAL.excursion_growth * log(1 + seconds / USUAL.excursion_scale) + seconds / USUAL.excursion_limit


def histories(frames: Sequence[tuple[float, Levels]]) -> list[tuple[list[int], list[float]]]:
    """For each site its levels one after another, and when each began; what cannot be told is left out."""
    found: list[tuple[list[int], list[float]]] = [([], []) for _ in frames[0][1]]
    for now, frame in frames:
        for (levels, times), level in zip(found, frame, strict=True):
            if level is not None and (not levels or levels[-1] != level):
                levels.append(level)
                times.append(now)
    return found


# What follows from it -------------------------------------------------------------------------


def observe(watched: Watched) -> Evidence:
    """What is to be learned from a game."""
    found = Evidence()
    turns = [made for made in watched.turns if made.turn.acts]
    if not turns or not watched.frames:
        return found
    number = {site: place for place, site in enumerate(watched.game.sites)}
    ways = [way(made, watched.sense, number) for made in turns]
    times = _aligned(watched, turns, ways, found)
    found.note("back", watched.taken_back, len(turns) + watched.taken_back)
    found.turns = sum(made.clean for made in turns)
    ended = -inf
    for place, made in enumerate(turns):
        following = min(times[place + 1].values(), default=inf) if place + 1 < len(turns) else inf
        its = _owed(ways[place], times[place], following, found if made.clean else Evidence())
        if made.clean and its:
            _turn(made.turn.acts, ways[place], its, found)
            _between(min(its.values()) - ended, found)
        ended = max(its.values(), default=-inf)
    return found


def _aligned(watched: Watched, turns: Sequence[Made], ways: Sequence[Way], found: Evidence) -> list[dict[int, float]]:
    """Align every site, and count what was seen there; when the steps of each turn were seen."""
    by = [made.by for made in turns]
    ends = watched.frames[-1][0] + LATE
    states: list[list[State]] = [[] for _ in watched.game.sites]
    for place, each in enumerate(ways):
        since = by[place - 2] if place > 1 else -inf
        for site, level, kind, step in each.states:
            last = place + 2 if step in each.owed else place
            until = by[last] + LATE if last < len(by) else inf
            states[site].append(State(level, kind, place, step, since, until))
        if turns[place].clean:
            found.note("excursion", 0, len(states))
    times: list[dict[int, float]] = [{} for _ in turns]
    for site, (levels, began) in enumerate(histories(watched.frames)):
        if not levels or (len(levels) == 1 and not states[site]):
            continue
        first = State(watched.sense.of(turns[0].before.cells[site]), "", -1, -1, -inf, inf)
        its = [first, *states[site]]
        aligned = align(levels, began, ends, its)
        for at, time in aligned.seen.items():
            times[its[at].turn][its[at].step] = time
        for at in (*aligned.seen, *aligned.skipped):
            if turns[its[at].turn].clean:
                found.note(its[at].kind, at in aligned.skipped)
        for start, lasted, again in aligned.excursions:
            place = bisect_right(by, start)
            if lasted < LONGEST and place < len(turns) and turns[place].clean:
                found.note("excursion", not again, 0)
                found.note("again", again)
                found.last("excursion", lasted)
    return times


def _owed(way: Way, times: Mapping[int, float], following: float, found: Evidence) -> dict[int, float]:
    """The times of the steps but of what was laid or taken late, after the next turn had begun."""
    its = dict(times)
    for place in way.owed:
        others = [time for other, time in times.items() if way.sites[other] != way.sites[place]]
        late = times.get(place, inf)
        debt = bool(others) and following < late - OVERLAPS and late > max(others) + OVERLAPS
        if place in its or debt:
            found.note("debt", debt)
        if debt:
            its.pop(place, None)
    return its


def _turn(acts: tuple[Act, ...], way: Way, times: Mapping[int, float], found: Evidence) -> None:
    """The order of the steps of one turn, and its pauses."""
    needs = precedence(acts)

    def when(place: int) -> float:
        """When a step was made at the earliest: its own time, or that of the steps it needs."""
        if place in times:
            return times[place]
        if place in way.behind:
            return when(way.behind[place])
        return max(map(when, needs[place]), default=-inf)

    for place, time in times.items():
        for before in map(when, needs[place]):
            if before > -inf:
                found.note("early", before > time)
                if before > time:
                    found.last("early", before - time)
    made, first = -inf, 0
    for act in acts:
        count = len(steps((act,)))
        seen = [times[place] for place in range(first, first + count) if place in times]
        if act.kind in ("lay", "take") and seen and made > -inf:
            found.note("laid_early" if act.kind == "lay" else "taken_early", seen[0] < made)
        if act.kind != "take":
            made = max(made, *seen) if seen else made
        first += count
    ordered = sorted(times.values())
    if len(ordered) > 1:
        found.last("pause", max(later - sooner for sooner, later in pairwise(ordered)))


def _between(gap: float, found: Evidence) -> None:
    """The seconds from the end of the turn before to the beginning of this one."""
    if -OVERLAPS <= gap < inf:
        found.note("overlap", gap < 0)
        found.last("overlap" if gap < 0 else "reply", abs(gap))


# The estimate ---------------------------------------------------------------------------------


class Fitted(NamedTuple):
    """A constant as it is usual and as it was estimated, from so many observations."""

    name: str
    usual: float
    value: float
    observations: int


def estimate(evidence: Evidence, usual: Constants = USUAL) -> list[Fitted]:
    """The constants of hands and sensors that the evidence makes likeliest."""
    found: dict[str, tuple[float, int]] = {}
    for name in SHARES:
        happened, times = evidence.trials.get(name, (0, 0))
        found[name] = share(happened, times, getattr(usual, name)), times
    for lasting, (names, law) in LAWS.items():
        lasted = evidence.lasted(lasting)
        values = likeliest(names, lasted, law, usual)
        found |= {name: (value, sum(lasted.values())) for name, value in zip(names, values, strict=True)}
    for name, lasting, typical in (("overlap_scale", "overlap", scale), ("reply", "reply", quickest)):
        lasted = evidence.lasted(lasting)
        found[name] = typical(lasted, getattr(usual, name)), sum(lasted.values())
    return [
        Fitted(name, getattr(usual, name), within(name, value) if count else getattr(usual, name), count)
        for name in BOUNDS
        if name in found
        for value, count in [found[name]]
    ]


def constants(estimated: Sequence[Fitted], usual: Constants = USUAL) -> Constants:
    """The constants with those that were estimated in place of the usual ones."""
    values = {name: getattr(usual, name) for name in BOUNDS}
    return Constants(**values | {each.name: each.value for each in estimated})


def within(name: str, value: float) -> float:
    """`value` in three digits, or the bound of the constant that it is beyond."""
    least, most = BOUNDS[name]
    return min(most, max(least, float(f"{value:.3g}")))


SHARES = (
    "excursion", "again", "lie", "lift", "inner", "sown", "early", "laid_early", "taken_early", "debt",
    "overlap", "back",
)  # fmt: skip
"""The constants that are the logarithm of a share."""


def share(happened: int, times: int, usual: float) -> float:
    """What it costs that something happens, in nats."""
    return -log((happened + WORTH) / (times + WORTH * exp(usual)))


Law = Callable[[float, Sequence[float]], float]
"""The logarithm of how likely it is, up to a constant, that something lasts so many seconds, by a law's constants."""


def excursions(seconds: float, law: Sequence[float]) -> float:
    """At least d seconds last (1 + d / scale) ** -growth * exp(-d / limit) of them."""
    growth, start, limit = law
    return log(growth / (start + seconds) + 1 / limit) - growth * log(1 + seconds / start) - seconds / limit


def leads(seconds: float, law: Sequence[float]) -> float:
    """The same without a limit."""
    growth, start = law
    return log(growth / start) - (growth + 1) * log(1 + seconds / start)


def pauses(seconds: float, law: Sequence[float]) -> float:
    """Up to the scale all are as likely, and of those beyond at least d seconds last (d / scale) ** -growth."""
    growth, start = law
    return -log(start) if seconds <= start else log(growth / start) - (growth + 1) * log(seconds / start)


LAWS: dict[str, tuple[tuple[str, ...], Law]] = {
    "excursion": (("excursion_growth", "excursion_scale", "excursion_limit"), excursions),
    "early": (("early_growth", "early_scale"), leads),
    "pause": (("left", "left_scale"), pauses),
}
"""For what lasts, the constants of its law."""


def likeliest(names: Sequence[str], lasted: Mapping[float, int], law: Law, usual: Constants) -> list[float]:
    """The constants of a law that make what lasted so long likeliest, within their bounds, by Hooke and Jeeves."""
    start = [log(getattr(usual, name)) for name in names]
    bounds = [(log(least), log(most)) for least, most in (BOUNDS[name] for name in names)]

    def likelihood(logs: Sequence[float]) -> float:
        values = [*map(exp, logs)]
        strange = sum(((log_ - log_usual) / SPREAD) ** 2 for log_, log_usual in zip(logs, start, strict=True))
        return sum(count * law(seconds, values) for seconds, count in lasted.items()) - strange / 2

    def near(logs: list[float], step: float) -> list[float]:
        """The likeliest found from there by one step in each direction."""
        for place, (least, most) in enumerate(bounds):
            tried = [min(most, max(least, logs[place] + by)) for by in (0.0, step, -step)]
            logs = max(([*logs[:place], each, *logs[place + 1 :]] for each in tried), key=likelihood)
        return logs

    best, step = start, WIDEST if lasted else 0.0
    while step > FINEST:
        better = near(best, step)
        if likelihood(better) <= likelihood(best):
            step /= 2
            continue
        while True:  # as far again in the same direction, as long as that is better still
            ahead = [
                min(most, max(least, 2 * to - at)) for at, to, (least, most) in zip(best, better, bounds, strict=True)
            ]
            best, tried = better, near(ahead, step)
            if likelihood(tried) <= likelihood(best):
                break
            better = tried
    return [*map(exp, best)]


def scale(lasted: Mapping[float, int], usual: float) -> float:
    """The scale of what is as rare as exp(-(d / scale) ** 2)."""
    squares = 2 * sum(count * seconds**2 for seconds, count in lasted.items())
    return float(((squares + FEW * usual**2) / (sum(lasted.values()) + FEW)) ** 0.5)


def quickest(lasted: Mapping[float, int], usual: float) -> float:
    """The seconds below which `QUICK` of all are."""
    count, left = sum(lasted.values()), QUICK * sum(lasted.values())
    found = usual
    for seconds in sorted(lasted):
        found, left = seconds, left - lasted[seconds]
        if left <= 0:
            break
    return exp((count * log(found) + ANSWERS * log(usual)) / (count + ANSWERS))
