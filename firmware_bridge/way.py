"""A turn as a table's sensors can see it.

Sites are numbered in the order of the game's sites, frames are tuples in that order. Everything here is
derived from the turn's steps; nothing asks which game it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense


class Way:
    """One turn of `game` under one sense, begun from `position`. `index` numbers the game's sites."""

    def __init__(
        self, game: Game[Position], position: Position, turn: Turn[Position], sense: Sense, index: Mapping[str, int]
    ) -> None:
        self.turn = turn
        self.sown = game.pieces == "seeds"
        """Whether the order of the steps is strict, as in a sowing."""
        self.strict = self.sown and sense is Sense.PRESENCE
        """Whether only that order tells the turn: the sensors see pits fill and empty, and no more."""
        self._rest = position.board
        self._sense = sense
        self._index = index

    @cached_property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Site and true level of each step."""
        return tuple((self._index[step.site], step.level) for step in self.turn.steps)

    @cached_property
    def path(self) -> tuple[int, ...]:
        """The sites of the steps, each once, in the order of a careful hand."""
        return tuple(dict.fromkeys(site for site, _ in self.steps))

    @cached_property
    def result(self) -> dict[int, int]:
        """What truly stands on each site of the path when the turn is whole."""
        return dict(self.steps)

    @cached_property
    def after(self) -> dict[int, int]:
        """What the sensors show of the result."""
        return {site: self._sense.of(level) for site, level in self.result.items()}

    @cached_property
    def shown(self) -> dict[int, set[int]]:
        """The levels that the steps put on each site, as the sensors show them."""
        shown: dict[int, set[int]] = {site: set() for site in self.path}
        for site, level in self.steps:
            shown[site].add(self._sense.of(level))
        return shown

    @cached_property
    def veiled(self) -> bool:
        """Whether some step changes nothing that the sensors show."""
        return len(self.seen) < len(self.steps)

    @cached_property
    def captures(self) -> frozenset[int]:
        """The sites of the steps to 0 that nothing follows."""
        end = len(self.steps)
        while end and self.steps[end - 1][1] == 0:
            end -= 1
        slid = {site for site, _ in self.steps[:end]}
        return frozenset(site for site, _ in self.steps[end:] if site not in slid or self.sown)

    @cached_property
    def lifts(self) -> frozenset[int]:
        """The sites with a step to level 0."""
        return frozenset(site for site, level in self.steps if level == 0)

    @cached_property
    def inner(self) -> frozenset[int]:
        """The sites of a shifting row where the stone lifted is replaced by the one lifted next."""
        pairs = zip(self.steps, self.steps[1:], strict=False)
        filled = {to for (_, lifted), (to, level) in pairs if lifted == 0 and level}
        ends = {site for site, level in self.result.items() if level == 0}
        return frozenset() if self.sown else self.lifts & (filled - ends)

    @cached_property
    def owed(self) -> frozenset[int]:
        """The lifts that must be seen; not a row's inner ones, for a hand may carry its last stone round instead."""
        return self.lifts - self.inner

    @cached_property
    def opens(self) -> frozenset[int]:
        """The sites that a hand may lift first: those that no earlier step touches, and in a sowing the first."""
        if self.sown:
            return frozenset(site for site, _ in self.steps[:1])
        touched: set[int] = set()
        first = []
        for site, level in self.steps:
            if level == 0 and site not in touched:
                first.append(site)
            touched.add(site)
        return frozenset(first)

    @cached_property
    def origin(self) -> int | None:
        """Where the turn begins, for a player: the stone pushed from, slid or lifted; None if one is placed."""
        return next((site for site in self.path if site in self.owed & self.opens - self.captures), None)

    @cached_property
    def travel(self) -> tuple[int, ...]:
        """The path from the origin on: the direction in which a row shifts or seeds are sown."""
        return self.path if self.origin in (None, self.path[0]) else self.path[::-1]

    def steps_to(self, seen: int) -> int:
        """The fewest steps that show the first `seen` of what the sensors see."""
        shows = {site: self._sense.of(self._rest[site]) for site in self.path}
        for count, (site, level) in enumerate(self.steps):
            if seen == 0:
                return count
            seen -= shows[site] != self._sense.of(level)
            shows[site] = self._sense.of(level)
        return len(self.steps)

    def state(self, count: int) -> dict[int, int]:
        """What the sensors show on the path after the first `count` steps."""
        shows = {site: self._sense.of(self._rest[site]) for site in self.path}
        shows.update({site: self._sense.of(level) for site, level in self.steps[:count]})
        return shows

    def reached(self, frame: Levels, least: int = 0) -> int | None:
        """The fewest steps, `least` or more, after which the path looks like `frame`; None if it never does."""
        shows = self.state(least)
        for count in range(least, len(self.steps) + 1):
            if count > least:
                site, level = self.steps[count - 1]
                shows[site] = self._sense.of(level)
            if all(frame[site] in (level, None) for site, level in shows.items()):
                return count
        return None

    @cached_property
    def seen(self) -> tuple[tuple[int, int], ...]:
        """The steps that the sensors show: equal for two ways that no sensor can tell apart."""
        shows = {site: self._sense.of(self._rest[site]) for site in self.path}
        seen = []
        for site, level in self.steps:
            if shows[site] != self._sense.of(level):
                shows[site] = self._sense.of(level)
                seen.append((site, shows[site]))
        return tuple(seen)
