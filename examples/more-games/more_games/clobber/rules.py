"""Clobber, by Michael H. Albert, J. P. Grossman and Richard Nowakowski (2001), on 5 ranks of 6 squares.

The board begins full. A stone moves to a neighbouring square on which a stone of the other colour stands, and takes
it. Whoever makes the last move wins. Source: Albert, Grossman, Nowakowski, Wolfe, "An introduction to Clobber",
Integers 5(2), 2005, A01. Who begins is not laid down there; here Black does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.acts import carry, take
from games.grid import Grid
from games.rules import DARK, LIGHT, Game, Outcome, Position, Reason, Turn, say
from games.text import fields, one_of
from more_games.hands import carried_out, numbered

GRID = Grid(6, 5)
NUMBER = numbered(GRID.sites)
BESIDE = tuple(tuple(ray[0] for ray in rays if ray) for rays in GRID.rays)
"""For each square the squares above, below, left and right of it."""
DIAGONAL = tuple(tuple({*around} - {*beside}) for around, beside in zip(GRID.around, BESIDE, strict=True))


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Stones on the squares by ranks from a1, and the side to move."""

    cells: bytes
    side: int

    def __str__(self) -> str:
        return f"{GRID.text(self.cells)} {'xo'[self.side]}"


class Clobber(Game[Board]):
    """The rules on six files and five ranks."""

    name = "clobber"
    title = "Clobber"
    sign = ("xo.", "...", ".ox")
    players = ("clobber.black", "clobber.white")
    sites = GRID.sites
    places = GRID.places
    shaded = GRID.shaded
    summary = """\
Two players, Black and White; Black begins. The board is full: black stones on the dark squares, white ones on the
light. In your turn one of your stones takes a stone of the other colour beside it, above, below, left or right: take
that stone off the board and put yours in its place.
Whoever cannot take has lost."""

    def start(self) -> Board:
        return Board(bytes(DARK if dark else LIGHT for dark in GRID.dark), 0)

    def position(self, text: str) -> Board:
        ranks, side = fields(text, "ranks side")
        return Board(GRID.cells(ranks), one_of(side, "side", "xo"))

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self._takes(position, pair) for pair in captures(position.cells, position.side))

    def _takes(self, position: Board, pair: tuple[int, int], reason: Reason | None = None) -> Turn[Board]:
        """The stone of the first square goes to the second, and what stands there off the board."""
        origin, target = GRID.names(pair)
        cells = position.cells
        taken = (take(target),) if cells[pair[1]] else ()
        acts = (*taken, carry(origin, target, cells[pair[0]]))
        side = 2 - cells[pair[0]]  # after a stone of the wrong side, its owner is still to move
        return Turn(f"{origin}x{target}", Board(carried_out(cells, acts, NUMBER), side), acts, reason)

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        cells, own = position.cells, position.side + 1
        for pair in captures(cells, 1 - position.side):
            yield self._takes(position, pair, self._say("not-own", position, pair))
        for origin in GRID.squares:
            if cells[origin] == own:
                yield from self._no_captures(position, origin, BESIDE[origin], own, "own-colour")
                yield from self._no_captures(position, origin, BESIDE[origin], 0, "nothing-there")
                yield from self._no_captures(position, origin, DIAGONAL[origin], 3 - own, "not-beside")

    def _no_captures(
        self, position: Board, origin: int, targets: Iterable[int], level: int, name: str
    ) -> Iterator[Turn[Board]]:
        """A stone goes from `origin` to each of `targets` where `level` stands, which the rule `name` forbids."""
        for target in targets:
            if position.cells[target] == level:
                yield self._takes(position, (origin, target), self._say(name, position, (origin, target)))

    def _say(self, name: str, position: Board, pair: tuple[int, int]) -> Reason:
        site, target = GRID.names(pair)
        player, other = self.players[position.side], self.players[1 - position.side]
        return Reason.of(f"clobber.{name}", player=player, other=other, site=site, target=target)

    def explain(self, position: Board, text: str) -> Reason:
        origin, _, target = text.partition("x")
        if target in NUMBER and origin in NUMBER and not position.cells[NUMBER[origin]]:
            return Reason.of("clobber.empty", site=origin)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def outcome(self, position: Board) -> Outcome | None:
        if next(captures(position.cells, position.side), None):
            return None
        winner = 1 - position.side
        values = {"player": self.players[winner], "other": self.players[position.side]}
        return Outcome(winner, Reason.of("clobber.stuck", **values))


def captures(cells: bytes, side: int) -> Iterator[tuple[int, int]]:
    """The pairs of squares from and to which a stone of `side` may go."""
    own, other = side + 1, 2 - side
    for origin in GRID.squares:
        if cells[origin] == own:
            yield from ((origin, target) for target in BESIDE[origin] if cells[target] == other)


say(
    "clobber",
    summary=Clobber.summary,
    black="Black",
    white="White",
    not_own="The stone on {site} is {other}'s, and it is {player}'s turn.",
    own_colour="A stone takes one of the other colour: the one on {target} is {player}'s own.",
    nothing_there="A stone moves only by taking, and there is no stone on {target}.",
    not_beside="{target} is not beside {site}: a stone takes the one above, below, left or right of it.",
    empty="There is no stone on {site}.",
    stuck="{player} wins: {other} has no stone beside one of the other colour.",
)
