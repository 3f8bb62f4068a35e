"""The ways of turns: what the sensors show of their acts, site by site, and what hands may do about their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice
from math import exp, inf, log
from typing import Any, TypeVar

from firmware_bridge.reading.alignment import Key
from firmware_bridge.reading.constants import Constants
from firmware_bridge.reading.upset import Moves
from firmware_bridge.score import PASS
from games.acts import Act, precedence, steps
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

REMEMBERED = 4096
"""Ways and frames kept; guessed, as are the others here."""
POSITIONS = 64
"""Positions of which legal turns are kept."""
AHEAD = 16
"""Positions of which illegal turns are kept."""
CHUNK = 2
"""Ways worked out at a time, in a part of a weighing, or in a scan in which nothing has changed."""
LISTED_AT_ONCE = 4
"""Turns listed at a time, in the same."""
MADE = 12
"""Turns made at a time in such a scan, before they are listed; forty take 0.15 to 0.3 ms here."""
RELEASED = 16
"""Things that are let go of in such a scan, of a kind, when nothing is to be listed; and in any of them one more for
each `BACKLOG` lists of them that wait."""
BACKLOG = 50
STRICT = 2.0
"""How much more it costs where seeds are seen in another order than hands can sow them; a guess."""
SUPPLY = 0.2
"""Seconds at least that a hand is under way with a new piece before that lands; a guess."""
LEARNED = 0.5
"""Nats by which a cost must change before turns are listed anew."""
T = TypeVar("T")
Sites = tuple[tuple[int, Key], ...]
"""Sites with the levels that a turn brings there."""


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
        self._made = acts
        self.acts: list[tuple[str, range]] = []
        """Kind and steps of each act."""
        kinds: list[tuple[str, float]] = []
        self.pushed = -1
        """The lift of the stone behind which a new one is laid, which may do the pushing; -1 where there is none."""
        self.behind: dict[int, int] = {}
        """For the lift of a piece within a row, that of the piece behind it."""
        rows: set[int] = set()
        for act in acts:
            first = len(kinds)
            kinds += [(act.kind, skip) for skip in skips(act, costs)]
            if act.kind == "push":
                rows.update(number[site] for site in act.sites[1:-1])
                last = first + 2 * len(act.levels) - 2
                self.behind.update((place, place + 2) for place in range(first, last, 2))
                if any(other.kind == "lay" and other.sites[0] == act.sites[0] for other in acts):
                    self.pushed = last
                    kinds[last] = act.kind, min(costs.lift, costs.new_stone)
            self.acts.append((act.kind, range(first, len(kinds))))
        final = {site: place for place, (site, _) in enumerate(made)}
        states: dict[int, list[tuple[int, float]]] = {}
        shown: dict[int, int] = {}
        self.steps: list[tuple[int, int]] = []
        """Site of each step, and the place of its state there; -1 where the sensors show nothing of it."""
        for place, (site, level) in enumerate(made):
            kind, skip = kinds[place]
            here = states.setdefault(site, [])
            was = shown.get(site)
            if was is None:
                was = sense.of(before[site])
            level = sense.of(level)
            turned = was > 0 and kind == "flip"
            if turned:
                here.append((0, 0.0))
            if level != was or turned:
                here.append((level, costs.lie if final[site] == place and level != was else skip))
            self.steps.append((site, len(here) - 1 if level != was else -1))
            shown[site] = level
        self.sown = any(act.kind == "sow" for act in acts)
        """Whether pieces are sown one by one, from a hand that may hold more than meets the eye."""
        self._strict = STRICT if self.sown else 1.0
        self.hidden = next((place for place, step in enumerate(self.steps[::-1]) if step[1] >= 0), 0)
        """How many steps there are at the end of which the sensors show nothing."""
        self.landings = [place for place, (_, level) in enumerate(made) if level]
        """The steps by which pieces come to stand."""
        self.laid = frozenset([place for kind, places in self.acts if kind == "lay" for place in places])
        """The steps by which new pieces are laid, which a hand has taken up beside the board."""
        self.inner = frozenset([place for place, (site, _) in enumerate(made) if site in rows]) if rows else frozenset()
        """The steps at the sites within rows that are pushed, which may pass unseen."""
        self.sites = tuple([(site, tuple(keys)) for site, keys in states.items() if keys])
        """The sites at which something is to be seen, with the states that follow the first."""
        self.keys = dict(self.sites)
        self.before = {site: sense.of(before[site]) for site in states}
        self.after = shown
        """What each site shows when the turn is whole."""
        self.unseen = sum([skip for site, key in self.sites for level, skip in key if level != self.before[site]])
        """What it costs if nothing of it was seen."""
        self.owed = [
            number[act.sites[0]]
            for act in acts
            if act.kind in ("lay", "take") and len(acts) > 1 and number[act.sites[0]] in self.keys
        ]
        """The sites of the pieces that may be laid or taken late."""
        self._lie = costs.lie
        self._late: dict[int, Sites] = {}
        self._reversed: dict[tuple[int | None, bool], Sites] = {}

    def late(self, owed: int) -> Sites:
        """The sites with their levels, the last one of `owed` not due."""
        known = self._late.get(owed)
        if known is None:
            known = self._late[owed] = tuple(
                (site, (*key[:-1], (key[-1][0], 0.0)) if site == owed else key) for site, key in self.sites
            )
        return known

    def reversed(self, owed: int | None, *, at_once: bool = False) -> Sites:
        """The sites with their levels when the turn is taken back; the last act at `owed` may not have been made.

        `at_once`: a new piece may be left to stand for the one that has moved.
        """
        known = self._reversed.get((owed, at_once))
        if known is None:
            found = []
            for site, key in self.sites:
                levels = [self.before[site], *(level for level, _ in key)][-2::-1]
                stays = at_once and levels[-1] == self.after[site]
                missed = [*(0.0 if site == owed or stays else skip for _, skip in key[-2::-1]), self._lie]
                found.append((site, tuple(zip(levels, missed, strict=True))))
            known = self._reversed[owed, at_once] = tuple(found)
        return known

    @cached_property
    def needs(self) -> tuple[frozenset[int], ...]:
        """For each step the places of those that it needs."""
        return precedence(self._made)

    @cached_property
    def _pairs(self) -> list[tuple[int, int]]:
        return [(place, need) for place, needs in enumerate(self.needs) for need in needs]

    @cached_property
    def seen(self) -> dict[int, list[tuple[int, int]]]:
        """For each site the steps of which something is to be seen there, with the places of their states."""
        found: dict[int, list[tuple[int, int]]] = {}
        for place, (site, state) in enumerate(self.steps):
            if state >= 0:
                found.setdefault(site, []).append((place, state))
        return found

    @cached_property
    def moves(self) -> Moves:
        """The sites that it empties and fills."""
        return moves(self.sites)

    @cached_property
    def tried(self) -> Sites:
        """The sites with their levels when the turn is begun and put back: those that were never seen were not made."""
        found = []
        for site, key in self.sites:
            levels = [self.before[site], *(level for level, _ in key)]
            back = [(level, 0.0) for level in levels[-2::-1]]
            found.append((site, (*((level, 0.0) for level, _ in key), *back[:-1], (back[-1][0], self._lie))))
        return tuple(found)

    def order(self, times: Sequence[float | None], now: float, costs: Constants) -> float:
        """What the order costs in which the steps were seen; `times`: None where one was not, inf where it is due."""
        total = 0.0
        if self.inner and inf in times:
            times = [None if time == inf and place in self.inner else time for place, time in enumerate(times)]
        earliest: dict[int, float] = {}
        for place, need in self._pairs:
            time = times[place]
            if time is None or time == inf:
                continue
            before = times[need]
            if before is None:
                before = self._earliest(need, times, earliest)
            if before > time:
                late = (now if before == inf else before) - time
                total += self._strict * (costs.early + costs.early_growth * log(1 + late / costs.early_scale))
        if len(self.acts) == 1:
            return total
        made, taken = -inf, False
        for kind, places in self.acts:
            seen = [time for time in times[places.start : places.stop] if time is not None]
            if not seen:
                continue
            if kind == "take":
                taken = taken or (seen[0] < made and seen[0] != inf)
                continue
            if kind == "lay" and seen[0] < made and seen[0] != inf:
                total += costs.laid_early
            made = max(made, *seen)
        return total + (costs.taken_early if taken else 0.0)

    def begun(self, times: Sequence[float | None]) -> float:
        """When it was begun, by the first step seen: a hand that lays a new piece has set out before."""
        first, place = min((time, place) for place, time in enumerate(times) if time is not None)
        return first - SUPPLY if place in self.laid else first

    def _earliest(self, place: int, times: Sequence[float | None], known: dict[int, float]) -> float:
        """When a step was made at the earliest: its own time, or that of the steps it needs; `known`: found before.

        A piece within a row that was not seen to leave has left once the one behind it has.
        """
        time = times[place]
        if time is not None:
            return time
        if place not in known:
            needs = (self.behind[place],) if place in self.behind else self.needs[place]
            known[place] = max((self._earliest(need, times, known) for need in needs), default=-inf)
        return known[place]


def moves(sites: Sites) -> Moves:
    """The sites that are emptied on the way to these levels, and those that are filled in the end."""
    emptied = frozenset(site for site, levels in sites if empties(levels))
    return Moves(emptied, frozenset(site for site, levels in sites if levels[-1][0]))


def empties(levels: Key) -> bool:
    """Whether a site is empty once on the way through these levels."""
    return any(not level for level, _ in levels)


def skips(act: Act, costs: Constants) -> Iterator[float]:
    """For each step of `act` what it costs if it is never seen, and others follow it there."""
    if act.kind == "push":
        inner = min(costs.inner, costs.excursion / max(1, len(act.levels) - 1))
        for place in range(len(act.levels), 0, -1):
            yield costs.lift if place == 1 else inner
            yield costs.lift
        return
    if act.kind in ("carry", "take", "sow"):
        yield costs.lift
    yield from [costs.sown if act.kind == "sow" else costs.lift] * len(act.levels)


class Options:
    """Turns of one position, by the sites and levels that they go through; they are listed a few at a time.

    Of a turn that is listed it is known which sites it may concern. Its way is worked out once such a site has changed,
    or while nothing does.
    """

    def __init__(
        self,
        coming: Iterator[Turn[Position]],
        way: Callable[[Turn[Position]], Way],
        number: Mapping[str, int],
        legal: Sequence[Turn[Position]] = (),
    ) -> None:
        self._coming, self._way, self._number, self.legal = coming, way, number, tuple(legal)
        self.whole = False
        """Whether all are listed."""
        self.turns: list[Turn[Position]] = []
        self.index: dict[int, dict[Key, list[int]]] = {}
        """The places of the turns through a site, as far as that is opened, by the states that they bring there."""
        self._ways: list[Way | None] = []
        self._worked_out = 0
        """The ways before this one are all known."""
        self._through: dict[int, list[int]] = {}
        """For each site the places of the turns that it may concern."""
        self._opened: dict[int, int] = {}
        """How many of them are in the index."""

    @property
    def log(self) -> float:
        """What it costs that it is one of so many and no other: of those listed, where nobody knows how many come."""
        return log(max(1, len(self.legal or self.turns)))

    def all(self) -> Options:
        """The same, once all are listed."""
        while not self.whole:
            self.list(LISTED_AT_ONCE)
        return self

    def way(self, place: int) -> Way:
        """The way of the turn at `place`."""
        way = self._ways[place]
        if way is None:
            way = self._ways[place] = self._way(self.turns[place])
        return way

    def open(self, site: int, most: int = CHUNK) -> bool:
        """Work out up to so many more of the ways through `site`; whether it is open: all that are listed are known."""
        through, done = self._through.get(site, ()), self._opened.get(site, 0)
        if done == len(through):
            return True
        index = self.index.setdefault(site, {})
        for place in through[done:]:
            if self._ways[place] is None:
                if not most:
                    break
                most -= 1
            if key := self.way(place).keys.get(site):
                index.setdefault(key, []).append(place)
            done += 1
        self._opened[site] = done
        return done == len(through)

    def prepare(self, most: int) -> bool:
        """Work out up to so many more of the ways of those that are listed; whether all of them are known."""
        for _ in range(most):
            if self._worked_out < len(self.turns):
                self.way(self._worked_out)
                self._worked_out += 1
        return self._worked_out == len(self.turns)

    def emptying(self, sites: Iterable[int]) -> Iterator[Moves]:
        """The moves of the turns that empty any of `sites`, which are open."""
        through = (members for site in sites for key, members in self.index.get(site, {}).items() if empties(key))
        return (self.way(place).moves for place in dict.fromkeys(chain.from_iterable(through)))

    def parts(self) -> list[list[Any] | dict[Any, Any]]:
        """What they are made of, to be taken apart bit by bit."""
        return [self.turns, self._ways, *self._through.values(), self._through, *self.index.values(), self.index]

    def list(self, most: int) -> None:
        """List up to so many more."""
        for _ in range(most):
            turn = next(self._coming, None)
            if turn is None:
                self.whole = True
                return
            for site in {self._number[site] for act in turn.acts for site in act.sites}:
                self._through.setdefault(site, []).append(len(self.turns))
            self.turns.append(turn)
            self._ways.append(None)


class TurnIndex:
    """The turns of any position of `game`, as a table sees them by `sense`: legal and illegal ones, listed ahead."""

    def __init__(self, game: Game[Position], sense: Sense, costs: Constants) -> None:
        self.game, self._sense, self._usual = game, sense, costs
        self.costs = costs
        """Those of the ways that are listed from now on."""
        self._number = {site: number for number, site in enumerate(game.sites)}
        self._ways: dict[tuple[tuple[Act, ...], bytes], Way] = {}
        self._legal: dict[Position, Options] = {}
        self._illegal: dict[Position, Options] = {}
        self._shown: dict[bytes, Levels] = {}
        self._passed: dict[Position, Position] = {}
        self._stale: list[list[Any] | dict[Any, Any]] = []
        """What is not needed any more, and is let go of bit by bit: all at once it would take a scan's time."""
        self._only: dict[Position, tuple[Turn[Position], ...]] = {}
        """Positions where just these turns may be made, whatever the rules say."""
        self._begun: tuple[Position, Iterator[Turn[Position]], list[Turn[Position]]] | None = None
        """A position of which the turns are being made: what makes the rest, and those that are there."""
        self._pushes = [0, 0]
        """Turns with a row that a new stone may have pushed, and those in which it did."""

    def shows(self, position: Position) -> Levels:
        """What the sensors show of `position`."""
        shown = self._shown.get(position.cells)
        if shown is None:
            drop_oldest(self._shown, REMEMBERED)
            shown = self._shown[position.cells] = tuple(map(self._sense.of, position.cells))
        return shown

    def only(self, position: Position, turns: Sequence[Turn[Position]] | None) -> bool:
        """Just these turns may be made from `position`, or None: those that the rules allow. Whether that is news."""
        due = None if turns is None else tuple(turns)
        if self._only.get(position) == due:
            return False
        if due is None:
            del self._only[position]
        else:
            self._only[position] = due
        self._forget(self._legal)
        self._legal = {}
        return True

    def _turns(self, position: Position) -> Sequence[Turn[Position]]:
        known = self._only.get(position)
        if known is not None:
            return known
        if self._begun and self._begun[0] == position:
            _, rest, turns = self._begun
            self._begun = None
            return (*turns, *rest)
        return self.game.turns(position)

    def known(self, position: Position) -> tuple[Turn[Position], ...] | None:
        """The turns that the rules allow in `position`, if they have been asked for lately and none is forced."""
        known = None if position in self._only else self._legal.get(position)
        return known.legal if known else None

    def passed(self, position: Position) -> Position:
        """The position once the passes that are forced have been played."""
        known = self._passed.get(position)
        if known is None:
            drop_oldest(self._passed, REMEMBERED)
            known = self._passed[position] = passed(self.game, position)
        return known

    def legal(self, position: Position) -> Options:
        """The turns that may be made, once the passes that are forced have been played; they may still be listed."""
        stands = self._passed.get(position, position)
        known = self._legal.get(stands)
        if known is None:
            turns = self._turns(stands)
            if forced(turns):
                after = turns[0].after
                known = self.legal(after)
                if stands not in self._only:
                    self._passed[stands] = self._passed.get(after, after)
                return known
            self._drop(self._legal, POSITIONS)
            self._passed[stands] = stands
            known = self._legal[stands] = Options(iter(turns), partial(self.way, stands), self._number, turns)
        return known

    def illegal(self, position: Position) -> Options:
        """The illegal turns that people try in a position; they may still be listed."""
        known = self._illegal.get(position)
        if known is None:
            self._drop(self._illegal, AHEAD)
            stands = self.passed(position)
            tries = self.game.tries(stands)
            known = self._illegal[position] = Options(tries, partial(self.way, stands), self._number)
        return known

    def prepare(self, position: Position) -> None:
        """Nothing has changed: list some of the turns of `position`, where the hands may soon go on."""
        stands = self._passed.get(position, position)
        legal = self._legal.get(stands)
        rests = 0
        if legal is None:
            if self._made_all(stands):
                self.legal(position)
            return
        illegal = self.illegal(position) if legal.whole and legal.prepare(CHUNK) else None
        if not legal.whole:
            legal.list(LISTED_AT_ONCE)
        elif illegal and not illegal.whole:
            illegal.list(LISTED_AT_ONCE)
        elif illegal and illegal.prepare(CHUNK):
            rests = RELEASED
        self._release(rests + len(self._stale) // BACKLOG)

    def _made_all(self, position: Position) -> bool:
        """Make some of the turns of `position`; whether all of them are there."""
        if position in self._only:
            return True
        if not self._begun or self._begun[0] != position:
            self._begun = position, self.game.listed(position), []
        _, rest, turns = self._begun
        more = list(islice(rest, MADE))
        turns += more
        return len(more) < MADE

    def _drop(self, known: dict[Position, Options], most: int) -> None:
        """Keep at most so many of these, one more to come; the one that has been there for longest goes."""
        if dropped := drop_oldest(known, most):
            self._stale += dropped.parts()

    def _forget(self, known: dict[Position, Options]) -> None:
        """None of these is needed any more."""
        for options in known.values():
            self._stale += options.parts()

    def dissolve(self) -> Iterator[None]:
        """Let go of all that is known, a little at each step; nothing may be asked afterwards."""
        self._forget(self._legal)
        self._forget(self._illegal)
        self._stale += [self._ways, self._shown, self._passed, self._legal, self._illegal]
        while self._stale:
            self._release(RELEASED)
            yield

    def _release(self, most: int) -> None:
        """Let go of so much of what is not needed any more."""
        for _ in range(most):
            if not self._stale:
                return
            last = self._stale[-1]
            if not last:
                self._stale.pop()
            elif isinstance(last, dict):
                last.popitem()
            else:
                last.pop()

    def prepared(self, position: Position) -> bool:
        """Whether all turns of `position` are listed, and what is not needed any more has been let go of."""
        legal, illegal = self._legal.get(self._passed.get(position, position)), self._illegal.get(position)
        known = (each is not None and each.whole and each.prepare(0) for each in (legal, illegal))
        return all(known) and not self._stale

    def way(self, position: Position, turn: Turn[Position]) -> Way:
        """What the sensors show of a turn of `position`."""
        cells, number = position.cells, self._number
        key = turn.acts, bytes([cells[number[site]] for act in turn.acts for site in act.sites])
        way = self._ways.get(key)
        if way is None:
            drop_oldest(self._ways, REMEMBERED)
            before = {number[site]: cells[number[site]] for act in turn.acts for site in act.sites}
            way = self._ways[key] = Way(turn.acts, before, self._sense, number, self.costs)
        return way

    def learn(self, *, by_new_stone: bool) -> None:
        """A row was pushed; how likely these players push with the new stone is the share of those that they did so."""
        self._pushes[0] += 1
        self._pushes[1] += by_new_stone
        made, so = self._pushes
        cost = -log((so + exp(-self._usual.new_stone)) / (made + 1))
        if abs(cost - self.costs.new_stone) > LEARNED:
            self.costs = replace(self.costs, new_stone=cost)
            self._forget(self._legal)
            self._forget(self._illegal)
            self._stale.append(self._ways)
            self._ways, self._legal, self._illegal = {}, {}, {}


def drop_oldest(known: dict[Any, T], most: int) -> T | None:
    """Keep less than so many of what is `known`: what has been there for longest goes, and is returned.

    To clear it all at once would take a scan's time.
    """
    return known.pop(next(iter(known))) if len(known) >= most else None


def forced(turns: Sequence[Turn[Position]]) -> bool:
    """Whether there is nothing but to pass."""
    return len(turns) == 1 and turns[0].text == PASS


def passed(game: Game[Position], position: Position) -> Position:
    """The position once the passes that are forced have been played."""
    turns = game.turns(position)
    return passed(game, turns[0].after) if forced(turns) else position
