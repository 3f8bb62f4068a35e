"""Draughts (checkers) as played in England and America, on eight squares a side; a traditional game.

Men go diagonally forward and take by jumping; whoever can take must, and a jump goes on as long as it can. Source:
the rules of play of the World Checkers Draughts Federation. What one of the players has to claim is left to them: a
draw, when neither has taken anything or moved a man for a long time.

To the sensors a piece is a colour: a man that is crowned is exchanged for another piece of its own colour, or topped
with one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, NamedTuple

from games.acts import carry, flip, take
from games.grid import Grid, Line
from games.rules import DARK, EMPTY, LIGHT, Game, Outcome, Position, PositionError, Reason, Turn, say
from games.text import fields, one_of
from more_games.hands import carried_out, numbered

GRID = Grid(8)
NUMBER = numbered(GRID.sites)
MARKS = ".xoXO"
"""An empty square, a black man, a white one, a black king, a white one."""
CROWN = 2
"""How much further on in `MARKS` a king is than a man."""
RAYS = tuple(tuple(GRID.ray(square, *way) for way in ((-1, 1), (1, 1), (-1, -1), (1, -1))) for square in GRID.squares)
"""For each square the two diagonals up the board and the two down, nearest squares first."""
FORWARD = {DARK: slice(0, 2), LIGHT: slice(2, 4)}
"""Which of them lead forward."""
LAST = {DARK: frozenset(GRID.squares[-8:]), LIGHT: frozenset(GRID.squares[:8])}
"""Where men are crowned."""
STRAIGHT = tuple(tuple(ray[0] for ray in rays if ray) for rays in GRID.rays)
"""For each square the ones above, below, left and right of it."""


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """The colours on the squares by ranks from a1, the side to move, and the squares on which kings stand."""

    cells: bytes
    side: int
    kings: frozenset[int] = frozenset()

    def __str__(self) -> str:
        kinds = bytes(level + CROWN * (square in self.kings) for square, level in enumerate(self.cells))
        return f"{GRID.text(kinds, MARKS)} {'xo'[self.side]}"


class Way(NamedTuple):
    """The squares that a piece comes to, after the one on which it stood; and those of the pieces that it takes."""

    path: Line
    taken: Line = ()

    def __str__(self) -> str:
        return ("x" if self.taken else "-").join(GRID.names(self.path))


class Draughts(Game[Board]):
    """The rules on eight files and eight ranks."""

    name = "draughts"
    title = "Draughts"
    sign = ("o.o", ".x.", "x.x")
    players = ("draughts.black", "draughts.white")
    sites = GRID.sites
    places = GRID.places
    shaded = GRID.shaded
    kinds: ClassVar[Mapping[str, str]] = {"K": "draughts.kind-king"}
    summary = """\
Two players, Black and White, with twelve men each on the dark squares; Black begins. A man goes diagonally forward to
an empty square beside it. It takes a piece of the other colour diagonally in front of it by jumping over it to the
empty square beyond; if it can then jump again it must, in the same turn.
Whoever can take must take, but may choose among the ways to do so. Take the pieces that were jumped over off the board.
A man that comes to the last rank is made a king, and its turn is over: exchange it for another piece, or put one on
top. Kings go and take backward as well, one square at a time like men.
Whoever has no turn, because all pieces are taken or none can move, has lost."""

    def start(self) -> Board:
        men = (
            (DARK if square < 24 else LIGHT if square >= 40 else EMPTY) * GRID.dark[square] for square in GRID.squares
        )
        return Board(bytes(men), 0)

    def position(self, text: str) -> Board:
        ranks, side = fields(text, "ranks side")
        kinds = GRID.cells(ranks, MARKS)
        for square, kind in enumerate(kinds):
            if kind and not GRID.dark[square]:
                raise PositionError(f"{GRID.sites[square]}: pieces stand on dark squares, and this one is light")
            if kind in LAST and square in LAST[kind]:
                king = MARKS[kind + CROWN]
                raise PositionError(f"{GRID.sites[square]}: a man on its last rank is a king, written {king}")
        cells = bytes(kind - CROWN if kind > LIGHT else kind for kind in kinds)
        kings = frozenset(square for square, kind in enumerate(kinds) if kind > LIGHT)
        return Board(cells, one_of(side, "side", "xo"), kings)

    def marks(self, position: Board) -> dict[str, str]:
        return dict.fromkeys(GRID.names(sorted(position.kings)), "K")

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(turn_of(position, way) for way in legal(position))

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        ways = legal(position)
        if ways and ways[0].taken:
            for way in quiet(position):
                yield turn_of(position, way, self._say("must-take", position, turn=str(ways[0])))
            for way in ways:
                yield from self._unfinished(position, way)
        for way in legal(replace(position, side=1 - position.side)):
            yield turn_of(position, way, self._say("not-own", position, site=GRID.sites[way.path[0]]))
        yield from self._wrong_ways(position)

    def _unfinished(self, position: Board, way: Way) -> Iterator[Turn[Board]]:
        """Pieces left standing that were jumped over; and the jump broken off."""
        for kept in {way.taken, *((square,) for square in way.taken)}:
            reason = self._say("jumped-over", position, site=GRID.sites[kept[0]])
            yield turn_of(position, way, reason, kept)
        for jumps in range(1, len(way.taken)):
            short = Way(way.path[: jumps + 1], way.taken[:jumps])
            yield turn_of(position, short, self._say("goes-on", position, site=GRID.sites[short.path[-1]]))

    def _wrong_ways(self, position: Board) -> Iterator[Turn[Board]]:
        """Where pieces of the side to move do not go."""
        cells, own = position.cells, position.side + 1
        for origin in GRID.squares:
            if cells[origin] != own:
                continue
            king = origin in position.kings
            for target in STRAIGHT[origin]:
                if not cells[target]:
                    yield self._wrong(position, "straight", origin, target)
            for ray in RAYS[origin]:
                ahead = king or ray in RAYS[origin][FORWARD[own]]
                if not ahead and ray and not cells[ray[0]]:
                    yield self._wrong(position, "backward", origin, ray[0])
                if len(ray) > 1 and not cells[ray[1]]:
                    yield from self._leaps(position, origin, ray, ahead)

    def _leaps(self, position: Board, origin: int, ray: Line, ahead: bool) -> Iterator[Turn[Board]]:
        """From `origin` over the first square of `ray` to the second, which is empty."""
        between, target, *_ = ray
        level = position.cells[between]
        if not level:
            yield self._wrong(position, "far", origin, target)
        elif level == position.side + 1:
            yield self._wrong(position, "own-jumped", origin, target, between)
        elif not ahead:
            reason = self._say("backward", position, site=GRID.sites[origin], target=GRID.sites[target])
            yield turn_of(position, Way((origin, target), (between,)), reason)

    def _wrong(self, position: Board, name: str, origin: int, target: int, between: int = 0) -> Turn[Board]:
        sites = {"site": GRID.sites[origin], "target": GRID.sites[target], "between": GRID.sites[between]}
        return turn_of(position, Way((origin, target)), self._say(name, position, **sites))

    def _say(self, name: str, position: Board, **values: str) -> Reason:
        player, other = self.players[position.side], self.players[1 - position.side]
        return Reason.of(f"draughts.{name}", player=player, other=other, **values)

    def explain(self, position: Board, text: str) -> Reason:
        origin, *path = text.replace("x", "-").split("-")
        if path and all(site in NUMBER for site in (origin, *path)):
            if not position.cells[NUMBER[origin]]:
                return Reason.of("draughts.empty", site=origin)
            for site in path:
                if position.cells[NUMBER[site]]:
                    return Reason.of("draughts.occupied", site=site)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def outcome(self, position: Board) -> Outcome | None:
        if legal(position):
            return None
        winner = 1 - position.side
        name = "blocked" if position.side + 1 in position.cells else "taken"
        values = {"player": self.players[winner], "other": self.players[position.side]}
        return Outcome(winner, Reason.of(f"draughts.{name}", **values))


# Ways -----------------------------------------------------------------------------------------


def legal(position: Board) -> list[Way]:
    """The ways of all legal turns: jumps where there are any."""
    return list(jumps(position)) or list(quiet(position))


def rays(position: Board, square: int) -> tuple[Line, ...]:
    """The diagonals along which the piece on `square` goes."""
    return RAYS[square] if square in position.kings else RAYS[square][FORWARD[position.cells[square]]]


def quiet(position: Board) -> Iterator[Way]:
    """The ways of one square."""
    cells, own = position.cells, position.side + 1
    for origin in GRID.squares:
        if cells[origin] == own:
            yield from (Way((origin, ray[0])) for ray in rays(position, origin) if ray and not cells[ray[0]])


def jumps(position: Board) -> Iterator[Way]:
    """The jumps, each to its end."""
    for origin in GRID.squares:
        if position.cells[origin] == position.side + 1:
            yield from (way for way in onward(position, Way((origin,))) if way.taken)


def onward(position: Board, way: Way) -> Iterator[Way]:
    """`way` with all the jumps that can follow it; itself, if none can.

    No piece is jumped over twice, and all of them stand until the turn is over. The square left is empty.
    """
    origin, at, further = way.path[0], way.path[-1], False
    crowned = origin not in position.kings and at in LAST[position.cells[origin]]
    ways = RAYS[at] if origin in position.kings else RAYS[at][FORWARD[position.cells[origin]]]
    for between, target in (ray[:2] for ray in ways if len(ray) > 1 and not crowned):
        taken = position.cells[between] == 2 - position.side and between not in way.taken
        if taken and (target == origin or not position.cells[target]):
            further = True
            yield from onward(position, Way((*way.path, target), (*way.taken, between)))
    if not further:
        yield way


def turn_of(position: Board, way: Way, reason: Reason | None = None, kept: Iterable[int] = ()) -> Turn[Board]:
    """The turn that goes this way, whether or not it may; the pieces on `kept` are left standing."""
    origin, goal = way.path[0], way.path[-1]
    level = position.cells[origin]
    king = origin in position.kings
    crowned = not king and goal in LAST[level]
    taken = [square for square in way.taken if square not in kept]
    moves = [carry(*hop, level) for hop in pairwise(GRID.names(way.path))]
    takes = [take(GRID.sites[square]) for square in taken]
    acts = (*moves, *takes, *((flip(GRID.sites[goal], level),) if crowned else ()))
    kings = position.kings.difference([origin, *taken])
    if king or crowned:
        kings |= {goal}
    side = 2 - level  # after a piece of the wrong side, its owner is still to move
    return Turn(str(way), Board(carried_out(position.cells, acts, NUMBER), side, kings), acts, reason)


say(
    "draughts",
    summary=Draughts.summary,
    black="Black",
    white="White",
    kind_king="king",
    not_own="The piece on {site} is {other}'s, and it is {player}'s turn.",
    must_take="{player} can take, and so must: {turn}, for one.",
    jumped_over="The piece on {site} was jumped over: take it off the board.",
    goes_on="The jump goes on: from {site} the same piece takes another one.",
    straight="Pieces go diagonally, on the dark squares: {target} is not diagonally beside {site}.",
    backward="A man goes and takes forward only, and {target} lies back from {site}.",
    far="A piece that takes nothing goes one square: {target} is two from {site}.",
    own_jumped="The piece on {between} is {player}'s own: only pieces of the other colour are jumped over.",
    empty="There is no piece on {site}.",
    occupied="A piece stands on {site}: pieces go to empty squares.",
    taken="{player} wins: all of {other}'s pieces are taken.",
    blocked="{player} wins: none of {other}'s pieces can move.",
)
