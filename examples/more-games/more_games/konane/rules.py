"""Konane, the traditional game of Hawaii, on 8 or 6 squares a side.

The board begins full. Each player takes one own stone off; then stones jump over each other and take what they jump
over, until one player cannot. Source: Michael D. Ernst, "Playing Konane Mathematically", UMAP Journal 16(2), 1995;
the stones that Black may begin with are those of most of today's players: in the middle of the board or at a corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from games.acts import carry, take
from games.grid import Grid, Line
from games.rules import DARK, EMPTY, LIGHT, Game, Outcome, Position, PositionError, Reason, Turn, clip, say
from games.text import fields, one_of
from more_games.hands import carried_out, numbered


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Stones on the squares by ranks from a1, and the side to move."""

    cells: bytes
    side: int
    grid: Grid = field(compare=False)

    def __str__(self) -> str:
        return f"{self.grid.text(self.cells)} {'xo'[self.side]}"

    @property
    def gaps(self) -> list[int]:
        """The empty squares: none before Black's first turn, one before White's."""
        return [square for square, level in enumerate(self.cells) if level == EMPTY]


class Way(NamedTuple):
    """The squares that a stone comes to, after the one on which it stood; and those of the stones that it takes."""

    path: Line
    taken: Line = ()


class Konane(Game[Board]):
    """The rules on a board of 8 or 6 squares a side."""

    name = "konane"
    title = "Konane"
    options = {"size": (8, 6)}
    sign = ("xox", "o.o", "xox")
    players = ("konane.black", "konane.white")
    summary = """\
Two players, Black and White; the board is full, black stones on the dark squares, white ones on the light. Black takes
one black stone off, from the middle of the board or a corner; White one white stone beside that gap.
From then on a turn is a jump: a stone jumps over one of the other colour beside it, up, down, left or right, to the
empty square beyond, and takes it off the board. It may jump on in the same direction, never round a corner.
Whoever cannot jump has lost."""

    def __init__(self, size: int = 8) -> None:
        self.grid = Grid(size)
        self.sites, self.places, self.shaded = self.grid.sites, self.grid.places, self.grid.shaded
        self._number = numbered(self.sites)
        low, high = size // 2 - 1, size // 2
        squares = [(0, 0), (low, low), (high, high), (size - 1, size - 1)]
        self._first = [rank * size + file for file, rank in squares]
        """The squares from which Black may take the first stone."""

    def start(self) -> Board:
        return Board(bytes(DARK if dark else LIGHT for dark in self.grid.dark), 0, self.grid)

    def position(self, text: str) -> Board:
        ranks, side = fields(text, "ranks side")
        position = Board(self.grid.cells(ranks), one_of(side, "side", "xo"), self.grid)
        for site, level, dark in zip(self.sites, position.cells, self.grid.dark, strict=True):
            if level not in (EMPTY, DARK if dark else LIGHT):
                raise PositionError(f"{site}: black stones (x) stand on dark squares, white ones (o) on light squares")
        if len(position.gaps) <= 1:
            self._check_opening(position)
        return position

    def _check_opening(self, position: Board) -> None:
        gaps = position.gaps
        if position.side != len(gaps):
            raise PositionError(f"side: where so many squares are empty ({len(gaps)}), {'xo'[len(gaps)]} is to move")
        if gaps and gaps[0] not in self._first:
            allowed = ", ".join(self.grid.names(self._first))
            raise PositionError(f"{self.sites[gaps[0]]}: the first stone is taken from one of {allowed}")

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        if len(position.gaps) <= 1:
            return tuple(self._taken_off(position, square) for square in self._openings(position))
        return tuple(self._jump(position, way) for way in jumps(position))

    def _openings(self, position: Board) -> Iterable[int]:
        """The squares from which a stone may be taken off before the first jump."""
        return [ray[0] for ray in self.grid.rays[position.gaps[0]] if ray] if position.gaps else self._first

    def _taken_off(self, position: Board, square: int, reason: Reason | None = None) -> Turn[Board]:
        """The stone on `square` is taken off, whether or not it may be."""
        site = self.sites[square]
        acts = (take(site),)
        after = Board(carried_out(position.cells, acts, self._number), 1 - position.side, self.grid)
        return Turn(site, after, acts, reason)

    def _jump(self, position: Board, way: Way, reason: Reason | None = None, kept: Iterable[int] = ()) -> Turn[Board]:
        """A stone goes this way, whether or not it may; what it jumped over and is `kept` stays."""
        level, path = position.cells[way.path[0]], self.grid.names(way.path)
        takes = (take(self.sites[square]) for square in way.taken if square not in kept)
        acts = (*(carry(*hop, level) for hop in pairwise(path)), *takes)
        side = 2 - level  # after a stone of the wrong side, its owner is still to move
        after = Board(carried_out(position.cells, acts, self._number), side, self.grid)
        return Turn(("x" if way.taken else "-").join(path), after, acts, reason)

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        ways = list(jumps(position))
        if len(position.gaps) <= 1:
            for square in self.grid.squares:
                if position.cells[square] and square not in self._openings(position):
                    yield self._taken_off(position, square, self._no_opening(position, square))
        elif ways:
            yield from self._unfinished(position, ways)
            for square in self.grid.squares:
                if position.cells[square]:
                    reason = self._say("no-jump", position, site=self.sites[square])
                    yield self._taken_off(position, square, reason)
            yield from self._no_jumps(position)
        for way in jumps(replace(position, side=1 - position.side)):
            yield self._jump(position, way, self._say("not-own", position, site=self.sites[way.path[0]]))

    def _no_opening(self, position: Board, square: int) -> Reason:
        allowed = ", ".join(self.grid.names(self._openings(position)))
        name = "beside" if position.gaps else "first"
        return self._say(name, position, allowed=allowed, site=self.sites[square])

    def _unfinished(self, position: Board, ways: list[Way]) -> Iterator[Turn[Board]]:
        """Stones left standing that were jumped over; and jumps round a corner."""
        for way in ways:
            for kept in {way.taken, *((square,) for square in way.taken)}:
                reason = self._say("jumped-over", position, site=self.sites[kept[0]])
                yield self._jump(position, way, reason, kept)
            at, heading = way.path[-1], way.taken[-1] - way.path[-2]
            for over, target in leaps(position, at):
                if abs(over - at) != abs(heading):
                    corner = Way((*way.path, target), (*way.taken, over))
                    yield self._jump(position, corner, self._say("corner", position, site=self.sites[at]))

    def _no_jumps(self, position: Board) -> Iterator[Turn[Board]]:
        """Stones of the side to move carried where they jump over nothing."""
        cells = position.cells
        for origin in self.grid.squares:
            if cells[origin] == position.side + 1:
                near = [ray[0] for ray in self.grid.rays[origin] if ray]
                far = [ray[1] for ray in self.grid.rays[origin] if len(ray) > 1 and not cells[ray[0]]]
                slant = set(self.grid.around[origin]).difference(near)
                for target in (*near, *far, *sorted(slant)):
                    if not cells[target]:
                        sites = {"site": self.sites[origin], "target": self.sites[target]}
                        reason = self._say("over-nothing", position, **sites)
                        yield self._jump(position, Way((origin, target)), reason)

    def _say(self, name: str, position: Board, **values: str) -> Reason:
        player, other = self.players[position.side], self.players[1 - position.side]
        return Reason.of(f"konane.{name}", player=player, other=other, **values)

    def explain(self, position: Board, text: str) -> Reason:
        origin, _, target = text.replace("x", "-").partition("-")
        if origin in self._number and not position.cells[self._number[origin]]:
            return Reason.of("konane.empty", site=origin)
        if target and len(position.gaps) <= 1:
            return self._say("no-jump-yet", position, turn=clip(text))
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def outcome(self, position: Board) -> Outcome | None:
        if len(position.gaps) <= 1 or next(jumps(position), None):
            return None
        winner = 1 - position.side
        values = {"player": self.players[winner], "other": self.players[position.side]}
        return Outcome(winner, Reason.of("konane.stuck", **values))


# Jumps ----------------------------------------------------------------------------------------


def leaps(position: Board, origin: int) -> Iterator[tuple[int, int]]:
    """The squares that a stone of the side to move jumps over from `origin`, each with the one that it comes to."""
    for ray in position.grid.rays[origin]:
        if len(ray) > 1 and position.cells[ray[0]] == 2 - position.side and not position.cells[ray[1]]:
            yield ray[0], ray[1]


def jumps(position: Board) -> Iterator[Way]:
    """The ways of all turns after the opening: the shorter ones of a line first."""
    cells, own, other = position.cells, position.side + 1, 2 - position.side
    for origin in position.grid.squares:
        for ray in position.grid.rays[origin] if cells[origin] == own else ():
            way = Way((origin,))
            for over, target in zip(ray[::2], ray[1::2], strict=False):
                if cells[over] != other or cells[target]:
                    break
                way = Way((*way.path, target), (*way.taken, over))
                yield way


say(
    "konane",
    summary=Konane.summary,
    option_size="squares along a side",
    black="Black",
    white="White",
    first="{player} begins by taking a black stone off from one of {allowed}: put the one from {site} back.",
    beside="{player} takes a white stone off beside the gap, from one of {allowed}: put the one from {site} back.",
    no_jump_yet="Before the first jump each player takes one stone off, so {turn} is not possible yet.",
    jumped_over="The stone on {site} was jumped over: take it off the board.",
    corner="A stone jumps on straight ahead only: it cannot turn on {site}.",
    no_jump="No stone has jumped over {site}, so the one there stays.",
    over_nothing="Stones move by jumping over one of the other colour, and from {site} to {target} there is none.",
    not_own="The stone on {site} is {other}'s, and it is {player}'s turn.",
    empty="There is no stone on {site}.",
    stuck="{player} wins: {other} cannot jump.",
)
