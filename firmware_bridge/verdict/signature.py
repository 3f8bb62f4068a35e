"""A turn as a table's sensors can see it.

Sites are numbered in the order of the game's sites, frames are tuples in that order. Everything here follows from
the turn's acts; nothing asks which game it is. From one position to the next most turns keep their acts, so what
follows from them, their `Shape`, is worked out once and shared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from games.acts import Act, Kind, Step, precedence
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

Levelled = tuple[tuple[int, int], ...]
"""Pairs of a site's number and a level."""
NumberedAct = tuple[Kind, tuple[int, ...]]
"""What hands do, and the numbers of the sites."""
REMEMBERED = 2048
"""Shapes and frames kept, the oldest go one by one, as to clear all takes a scan's time; a shape takes about 2 kB."""


class Shape:
    """What follows from `acts` and their `steps`; `before` has what stands on each of their sites, by its number."""

    def __init__(
        self, acts: tuple[Act, ...], steps: Sequence[Step], before: Mapping[int, int], sense: Sense,
        number: Mapping[str, int],
    ) -> None:  # fmt: skip
        self.steps: Levelled = tuple((number[site], level) for site, level in steps)
        """Site and true level of each step."""
        self.sown = any(act.kind == "sow" for act in acts)
        """Whether the order of the steps is strict, as in a sowing."""
        self.strict = self.sown and sense is Sense.PRESENCE
        """Whether only that order tells the turn: the sensors see pits fill and empty, and no more."""
        self.result = dict(self.steps)
        """What truly stands on each site of the path when the turn is whole; in the order of a careful hand."""
        self.lifts = frozenset(site for site, level in self.steps if level == 0)
        """The sites with a step to level 0."""
        numbered = [(act.kind, tuple(number[site] for site in act.sites)) for act in acts]
        self.captures = frozenset(sites_of("take", numbered))
        """The sites of the pieces that are taken off."""
        self.flips = frozenset(sites_of("flip", numbered))
        """The sites of the pieces that become others: hands lift them, or turn them over where they stand."""
        self.swapped = frozenset(site for site in self.captures if self.result[site])
        """The sites of captured pieces to which others come."""
        before_steps = precedence(acts)
        self.awaited = dict(filled_before(self.flips, self.steps, before_steps))
        """For the site of a piece that becomes another, the sites that must be filled before."""
        self.preceded = dict(filled_before(sites_of("lay", numbered), self.steps, before_steps))
        """The same for the site of a new piece."""
        self._watch(before, sense)
        self._handle(numbered, before_steps)

    def _watch(self, before: Mapping[int, int], sense: Sense) -> None:
        """What the sensors show of the steps."""
        self._before = {site: sense.of(before[site]) for site in self.result}
        self._sensed = tuple((site, sense.of(level)) for site, level in self.steps)
        shows = dict(self._before)
        self.shown = dict.fromkeys(shows, 0)
        """For each site of the path the levels that the steps put there, as the sensors show them: a bit a level."""
        self.veiled = False
        """Whether some step changes nothing that the sensors show, and is not just a piece that becomes another."""
        seen = []
        for site, level in self._sensed:
            self.shown[site] |= 1 << level | (site in self.flips)
            if shows[site] != level:
                shows[site] = level
                seen.append((site, level))
            elif site not in self.flips:
                self.veiled = True
        self.after = shows
        """What each site of the path shows when the turn is whole."""
        self.seen: Levelled = tuple(seen)
        """The steps that the sensors show: equal for two ways that no sensor can tell apart."""

    def _handle(self, acts: Sequence[NumberedAct], before: Sequence[frozenset[int]]) -> None:
        """Where hands begin, and what they must be seen to lift; `before` says which steps precede which."""
        moved = [sites for kind, sites in acts if kind in ("carry", "push", "sow")]
        rows = [sites for kind, sites in acts if kind == "push"]
        self.inner = frozenset(site for row in rows for site in row[1:-1])
        """The sites within a shifting row, where the piece that leaves is replaced by the one behind it."""
        self.last = next((sites[0] for kind, sites in acts if kind == "lay" and sites[0] in self.lifts), None)
        """The site that was lifted from and is filled last, with a new piece; None where there is none."""
        passed = frozenset() if self.sown else {site for site, level in self._before.items() if not level}
        self.owed = self.lifts - self.inner - passed
        """The lifts that must be seen; not a row's inner ones, for a hand may carry its last piece round instead.

        Nor those of sites where a piece only rests on its way: a hand may carry it over them.
        """
        self.opens = self._first_lifted(before)
        """The sites that a hand may lift first."""
        self.origin = moved[0][0] if moved else None
        """Where the turn begins, for a player: the piece pushed from, carried or sown; None if one is laid."""
        self.moved = tuple(moved[0][-2:] if moved[0] in rows else moved[0][:2]) if moved else ()
        """The site that a moving piece, or the first seed, comes from, and the one that it comes to first."""
        self._laid = sites_of("lay", acts)[:1]
        self.goal = next(iter((*(sites[-1] for sites in moved[-1:]), *self._laid)), None)
        """Where the piece that moves comes to in the end, or a new one; None if there is neither."""
        self._way = moved[0] if moved else self._laid

    def _first_lifted(self, before: Sequence[frozenset[int]]) -> frozenset[int]:
        """The sites of lifts that no other lift must precede."""
        first: set[int] = set()
        late: list[bool] = []
        for (site, level), due in zip(self.steps, before, strict=True):
            lifts = level == 0 or site in self.flips
            late.append(any(late[place] for place in due))
            if lifts and not late[-1]:
                first.add(site)
            late[-1] = late[-1] or lifts
        return frozenset(first)

    @property
    def path(self) -> tuple[int, ...]:
        """The sites of the steps, each once, in order."""
        return tuple(self.result)

    @property
    def travel(self) -> tuple[int, ...]:
        """The path from the origin on: the direction in which a row shifts or seeds are sown."""
        return tuple(dict.fromkeys((*self._way, *self.path)))

    @property
    def begins(self) -> int | None:
        """The site where a player would say that the turn began: its origin, or the site where a stone was placed."""
        return next(iter((*self._laid, *self.result)), None) if self.origin is None else self.origin

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


def sites_of(kind: Kind, acts: Sequence[NumberedAct]) -> tuple[int, ...]:
    """The sites of the acts of this kind, in order."""
    return tuple(site for name, sites in acts if name == kind for site in sites)


def filled_before(
    sites: Collection[int], steps: Levelled, before: Sequence[frozenset[int]]
) -> Iterator[tuple[int, frozenset[int]]]:
    """These sites, each with those that come to hold a piece by the steps that are to be made before."""
    for (site, _), due in zip(steps, before, strict=True):
        if site in sites:
            yield site, frozenset(steps[place][0] for place in due if steps[place][1] and steps[place][0] != site)


class Signature(Shape):
    """A turn with its shape, which it shares with the same acts in other positions."""

    def __init__(self, turn: Turn[Position], shape: Shape) -> None:
        self.__dict__.update(shape.__dict__)
        self.turn = turn

    def __eq__(self, other: object) -> bool:
        """Whether it is the same turn, with the same steps."""
        return isinstance(other, Signature) and self.steps is other.steps and self.turn == other.turn

    def __hash__(self) -> int:
        return hash((self.turn.text, self.steps))


class SensorView:
    """How one table sees one game: what its sensors show of positions and turns."""

    def __init__(self, game: Game[Position], sense: Sense) -> None:
        self.game = game
        self.sense = sense
        self.number = {site: number for number, site in enumerate(game.sites)}
        """The number of each site."""
        self.strict = game.pieces == "seeds" and sense is Sense.PRESENCE
        """Whether only the order in which pits fill and empty tells a turn."""
        self._frames: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._shapes: dict[tuple[tuple[Act, ...], bytes], Shape] = {}

    def frame(self, position: Position) -> tuple[int, ...]:
        """What the sensors show of `position` at rest."""
        board = position.board
        frame = self._frames.get(board)
        if frame is None:
            if len(self._frames) >= REMEMBERED:
                del self._frames[next(iter(self._frames))]
            frame = self._frames[board] = tuple(map(self.sense.of, board))
        return frame

    def alike(self, before: Position, after: Position) -> frozenset[int]:
        """The sites that hold another piece after than before, and show the same."""
        pairs = enumerate(zip(before.board, after.board, strict=True))
        return frozenset(site for site, (old, new) in pairs if old != new and self.sense.of(old) == self.sense.of(new))

    def refused(self, position: Position) -> list[Signature]:
        """The illegal turns that people try, those left out that no sensor can tell from a legal one."""
        legal = {self.signature(position, turn).seen for turn in self.game.turns(position)}
        tries = (self.signature(position, turn) for turn in self.game.tries(position)) if legal else ()
        return [signature for signature in tries if signature.seen not in legal]

    def signature(self, position: Position, turn: Turn[Position]) -> Signature:
        """`turn`, begun from `position`."""
        board, number = position.board, self.number
        before = {number[site]: board[number[site]] for act in turn.acts for site in act.sites}
        key = turn.acts, bytes(before.values())
        shape = self._shapes.get(key)
        if shape is None:
            if len(self._shapes) >= REMEMBERED:
                del self._shapes[next(iter(self._shapes))]
            shape = self._shapes[key] = Shape(turn.acts, turn.steps, before, self.sense, number)
        return Signature(turn, shape)
