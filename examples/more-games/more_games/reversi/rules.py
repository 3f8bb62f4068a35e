"""Reversi on 8 by 8 squares, with the start and the passes of Othello.

A disc is laid so that others of the opponent's colour stand in an unbroken row between it and another own one; all of
these, in all directions, are turned over. Source: the rules of the World Othello Federation, whose names of squares
are kept: files a to h from Black's left, rows 1 to 8 from the far side. Beyond the text of those rules: who resigns or
runs out of time is the players' affair, and empty squares at the end are not counted for the winner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from games.acts import flip, lay
from games.grid import Grid, Line
from games.rules import DARK, EMPTY, LIGHT, Game, Outcome, Position, Reason, Turn, say
from games.text import fields, one_of
from more_games.hands import carried_out, numbered

GRID = Grid(8)
NUMBER = numbered(GRID.sites)
WAYS = [(across, up) for across in (-1, 0, 1) for up in (-1, 0, 1) if across or up]
RAYS = tuple(tuple(ray for way in WAYS if len(ray := GRID.ray(square, *way)) > 1) for square in GRID.squares)
"""For each square the straight lines from it in all directions that can hold a row and the disc at its end."""
START = {"d4": LIGHT, "e4": DARK, "d5": DARK, "e5": LIGHT}


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Discs on the squares by rows from a1, and the side to move."""

    cells: bytes
    side: int

    def __str__(self) -> str:
        return f"{from_the_far_side(GRID.text(self.cells))} {'xo'[self.side]}"


class Reversi(Game[Board]):
    """The rules on eight files and eight rows."""

    name = "reversi"
    title = "Reversi"
    sign = ("...", "xo.", "ox.")
    players = ("reversi.black", "reversi.white")
    sites = GRID.sites
    places = {site: (file, 7 - row) for site, (file, row) in GRID.places.items()}
    summary = """\
Two players, Black and White; Black begins. Discs are black on one side and white on the other.
In your turn lay a disc of your colour on an empty square so that one or more of your opponent's stand in an unbroken
row, straight or diagonal, between it and another disc of yours. Turn all these over, in every direction.
Who can turn none passes; whoever can turn one must.
When neither can, more discs win."""

    def start(self) -> Board:
        return Board(bytes(START.get(site, EMPTY) for site in GRID.sites), 0)

    def position(self, text: str) -> Board:
        rows, side = fields(text, "rows side")
        return Board(GRID.cells(from_the_far_side(rows)), one_of(side, "side", "xo"))

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        cells, side = position.cells, position.side
        turns = tuple(laid(position, square, sum(lines, ())) for square, lines in moves(cells, side))
        if turns or not any(moves(cells, 1 - side)):
            return turns
        return (Turn("pass", Board(cells, 1 - side), ()),)

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        cells, side = position.cells, position.side
        own, other = side + 1, 2 - side
        possible = dict(moves(cells, side))
        for square, lines in possible.items():
            yield from self._too_few(position, square, lines)
        empty = [square for square in GRID.squares if cells[square] == EMPTY]
        for square in empty:
            if square not in possible:
                yield laid(position, square, (), level=own, reason=self._say("no-row", position, square))
        for square, lines in moves(cells, 1 - side):
            yield laid(position, square, sum(lines, ()), level=other, reason=self._say("not-turn", position, square))
        for square in empty:
            yield laid(position, square, (), level=other, reason=self._say("colour", position, square))

    def _too_few(self, position: Board, square: int, lines: list[Line]) -> Iterator[Turn[Board]]:
        """Rows forgotten, all or some of them; or single discs at the end of a row."""
        owed = sum(lines, ())
        left = [sum(kept, ()) for count in range(len(lines)) for kept in combinations(lines, count)]
        left += [tuple(at for at in owed if at != forgotten) for forgotten in owed]
        for turned in dict.fromkeys(left):
            missing = next(at for at in owed if at not in turned)
            reason = self._say("turn-over", position, missing, count=len(owed))
            yield laid(position, square, turned, level=position.side + 1, reason=reason)

    def _say(self, name: str, position: Board, square: int, **values: int) -> Reason:
        player, other = self.players[position.side], self.players[1 - position.side]
        return Reason.of(f"reversi.{name}", player=player, other=other, site=GRID.sites[square], **values)

    def explain(self, position: Board, text: str) -> Reason:
        if text in NUMBER and position.cells[NUMBER[text]]:
            return Reason.of("reversi.taken", site=text)
        if text == "pass":
            possible = next(moves(position.cells, position.side))[0]
            return self._say("must", position, possible)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def outcome(self, position: Board) -> Outcome | None:
        cells = position.cells
        if any(any(moves(cells, side)) for side in (0, 1)):
            return None
        black, white = cells.count(DARK), cells.count(LIGHT)
        if black == white:
            return Outcome(None, Reason.of("reversi.drawn", black=black, white=white))
        winner = int(white > black)
        return Outcome(winner, Reason.of("reversi.won", player=self.players[winner], black=black, white=white))


def moves(cells: bytes, side: int) -> Iterator[tuple[int, list[Line]]]:
    """The squares where `side` may lay a disc, each with the rows that it turns over."""
    for square in GRID.squares:
        if not cells[square]:
            lines = rows(cells, square, side + 1)
            if lines:
                yield square, lines


def rows(cells: bytes, square: int, own: int) -> list[Line]:
    """The rows of the other colour between `square` and a disc of level `own`."""
    other, found = 3 - own, []
    for ray in RAYS[square]:
        if cells[ray[0]] == other:
            for length, at in enumerate(ray):
                if cells[at] != other:
                    if cells[at] == own:
                        found.append(ray[:length])
                    break
    return found


def laid(
    position: Board, square: int, turned: Iterable[int], *, level: int = 0, reason: Reason | None = None
) -> Turn[Board]:
    """A disc of the side to move, or of `level`, laid on `square`; and then these discs `turned` over to it."""
    new = level or position.side + 1
    acts = (lay(GRID.sites[square], new), *(flip(site, new, needs=(0,)) for site in GRID.names(turned)))
    after = Board(carried_out(position.cells, acts, NUMBER), 2 - new)
    return Turn(GRID.sites[square], after, acts, reason)


def from_the_far_side(text: str) -> str:
    """The rows of a text in the opposite order: row 1 is the farthest, and is written first."""
    return "/".join(reversed(text.split("/")))


say(
    "reversi",
    summary=Reversi.summary,
    about="Enclose discs between two of your own, and turn them over.",
    black="Black",
    white="White",
    no_row="{player} encloses no disc of {other}'s with one on {site}.",
    colour="It is {player}'s turn: the disc on {site} must be {player}'s.",
    not_turn="The disc on {site} is {other}'s, and it is {player}'s turn.",
    turn_over="All enclosed discs are turned over, {count} in this turn: the one on {site} too.",
    taken="There is a disc on {site}.",
    must="{player} may pass only if no disc can be turned over: {site} turns some.",
    won="{player} wins: {black} black discs, {white} white ones.",
    drawn="A draw: {black} black discs, {white} white ones.",
)
