"""A turn as a table's sensors can see it.

Sites are numbered in the order of the game's sites, frames are tuples in that order. Everything here is derived
from the turn's steps; nothing asks which game it is. From one position to the next most turns keep their steps, so
what follows from them, their `Shape`, is worked out once and shared.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules import Game, Position, Step, Turn
from hardware.device import Levels, Sense

Levelled = tuple[tuple[int, int], ...]
"""Pairs of a site's number and a level."""
REMEMBERED = 2048
"""Shapes and frames kept; a shape takes about 2 kB."""


class Shape:
    """What follows from `steps` on sites that hold the levels `before`; `sown` when their order is strict."""

    def __init__(self, steps: Levelled, before: Mapping[int, int], sense: Sense, *, sown: bool) -> None:
        self.steps = steps
        """Site and true level of each step."""
        self.sown = sown
        """Whether the order of the steps is strict, as in a sowing."""
        self.strict = sown and sense is Sense.PRESENCE
        """Whether only that order tells the turn: the sensors see pits fill and empty, and no more."""
        self.result = dict(steps)
        """What truly stands on each site of the path when the turn is whole; in the order of a careful hand."""
        self.lifts = frozenset(site for site, level in steps if level == 0)
        """The sites with a step to level 0."""
        self._watch(before, sense)
        self._handle()

    def _watch(self, before: Mapping[int, int], sense: Sense) -> None:
        """What the sensors show of the steps."""
        self._before = {site: sense.of(before[site]) for site in self.result}
        self._sensed = tuple((site, sense.of(level)) for site, level in self.steps)
        shows = dict(self._before)
        self.shown = dict.fromkeys(shows, 0)
        """For each site of the path the levels that the steps put there, as the sensors show them: a bit a level."""
        seen = []
        for site, level in self._sensed:
            self.shown[site] |= 1 << level
            if shows[site] != level:
                shows[site] = level
                seen.append((site, level))
        self.after = shows
        """What each site of the path shows when the turn is whole."""
        self.seen: Levelled = tuple(seen)
        """The steps that the sensors show: equal for two ways that no sensor can tell apart."""
        self.veiled = len(seen) < len(self.steps)
        """Whether some step changes nothing that the sensors show."""

    def _handle(self) -> None:
        """Where hands begin, what they must be seen to lift, and what they take off at the end."""
        steps = self.steps
        end = len(steps)
        while end and steps[end - 1][1] == 0:
            end -= 1
        self.captures = frozenset(site for site, _ in steps[end:])
        """The sites of the steps to 0 that nothing follows."""
        self.inner: frozenset[int] = frozenset() if self.sown else self._replaced()
        """The sites of a shifting row where the stone lifted is replaced by the one lifted next."""
        self.last = None if self.sown or not end or steps[end - 1][0] not in self.lifts else steps[end - 1][0]
        """The site that was lifted from and is filled last, with a new stone; None where there is none."""
        self.owed = self.lifts - self.inner
        """The lifts that must be seen; not a row's inner ones, for a hand may carry its last stone round instead."""
        self.opens = frozenset(site for site, _ in steps[:1]) if self.sown else self._untouched()
        """The sites that a hand may lift first: those that no earlier step touches, and in a sowing the first."""
        origins = self.owed & self.opens - self.captures
        self.origin = next((site for site in self.result if site in origins), None)
        """Where the turn begins, for a player: the stone pushed from, slid or lifted; None if one is placed."""

    def _replaced(self) -> frozenset[int]:
        filled: set[int] = set()
        lifted = False
        for site, level in self.steps:
            if level and lifted:
                filled.add(site)
            lifted = level == 0
        return frozenset(site for site in self.lifts & filled if self.result[site])

    def _untouched(self) -> frozenset[int]:
        touched: set[int] = set()
        first: set[int] = set()
        for site, level in self.steps:
            if level == 0 and site not in touched:
                first.add(site)
            touched.add(site)
        return frozenset(first)

    @property
    def path(self) -> tuple[int, ...]:
        """The sites of the steps, each once, in order."""
        return tuple(self.result)

    @property
    def travel(self) -> tuple[int, ...]:
        """The path from the origin on: the direction in which a row shifts or seeds are sown."""
        if self.origin in (None, *self.path[:1]):
            return self.path
        return tuple(dict.fromkeys(site for site, _ in reversed(self.steps)))

    @property
    def begins(self) -> int | None:
        """The site where a player would say that the turn began: its origin, or the site where a stone was placed."""
        return next(iter(self.result), None) if self.origin is None else self.origin

    def puts(self, site: int, level: int | None) -> bool:
        """Whether some step lets `site` show `level`; None is any level."""
        return level is None or bool(self.shown.get(site, 0) >> level & 1)

    def state(self, seen: int) -> dict[int, int]:
        """What the path shows after the first `seen` of the steps that the sensors see."""
        return self._before | dict(self.seen[:seen])

    def reached(self, frame: Levels) -> int | None:
        """The fewest steps, at least one, after which the path looks like `frame`; None if it never does."""
        shows = dict(self._before)
        for count, (site, level) in enumerate(self._sensed, start=1):
            shows[site] = level
            if all(frame[at] in (due, None) for at, due in shows.items()):
                return count
        return None


class Signature(Shape):
    """A turn with its shape, which it shares with the same steps in other positions."""

    def __init__(self, turn: Turn[Position], shape: Shape) -> None:
        self.__dict__.update(shape.__dict__)
        self.turn = turn


class SensorView:
    """How one table sees one game: what its sensors show of positions and turns."""

    def __init__(self, game: Game[Position], sense: Sense) -> None:
        self.game = game
        self.sense = sense
        self.number = {site: number for number, site in enumerate(game.sites)}
        """The number of each site."""
        self.strict = game.pieces == "seeds" and sense is Sense.PRESENCE
        """Whether only the order in which pits fill and empty tells a turn."""
        self._frames: dict[bytes, tuple[int, ...]] = {}
        self._shapes: dict[tuple[tuple[Step, ...], bytes], Shape] = {}

    def frame(self, position: Position) -> tuple[int, ...]:
        """What the sensors show of `position` at rest."""
        frame = self._frames.get(position.cells)
        if frame is None:
            if len(self._frames) >= REMEMBERED:
                self._frames.clear()
            frame = self._frames[position.cells] = tuple(map(self.sense.of, position.cells))
        return frame

    def alike(self, before: Position, after: Position) -> frozenset[int]:
        """The sites that hold another piece after than before, and show the same."""
        pairs = enumerate(zip(before.cells, after.cells, strict=True))
        return frozenset(site for site, (old, new) in pairs if old != new and self.sense.of(old) == self.sense.of(new))

    def signature(self, position: Position, turn: Turn[Position]) -> Signature:
        """`turn`, begun from `position`."""
        cells, number = position.cells, self.number
        key = turn.steps, bytes([cells[number[step.site]] for step in turn.steps])
        shape = self._shapes.get(key)
        if shape is None:
            if len(self._shapes) >= REMEMBERED:
                self._shapes.clear()
            shape = self._shapes[key] = self._shape(*key)
        return Signature(turn, shape)

    def _shape(self, steps: tuple[Step, ...], before: bytes) -> Shape:
        numbers = [self.number[step.site] for step in steps]
        levelled = tuple(zip(numbers, (step.level for step in steps), strict=True))
        return Shape(levelled, dict(zip(numbers, before, strict=True)), self.sense, sown=self.game.pieces == "seeds")
