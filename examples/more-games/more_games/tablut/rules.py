"""Tablut on 9 by 9 squares, as Carl Linnaeus saw it played in Lapland in 1732.

Sources: his diary (Iter Lapponicum, 20 July 1732; fourteen laws in Latin, told here by their numbers) as J. C. Ashton
reads it, "Linnaeus's game of Tablut and its relationship to the ancient Viking game Hnefatafl", The Heroic Age 13,
2010, whose main point is that a king away from his castle is captured by two like everybody else; and the translation
by O. Salmi, 2013.

- All pieces move in straight lines as far as they like, and jump over none (1, 2, 7). The castle in the middle is the
  king's alone, who does not come back to it; all other squares are free to all.
- A piece that an enemy shuts in between himself and another one is taken off (9), the king's help counting like any
  other's; so is one shut in between an enemy and the empty castle (14). Who goes between two enemies is safe.
- The king is captured in his castle by four (10), beside it by three, the castle being the fourth (11), elsewhere by
  two (9).
- While the king in his castle is beset on three sides and a Swede stands on the fourth, this one is captured between
  the king and a Muscovite beyond (10).
- The king who comes to the edge has won (3, 4). He warns of one open way with "Raichi", of two with "Tuichu" (6).

What Linnaeus does not say, and is played here: the Muscovites begin; nobody crosses the empty castle; a capture is made
by the piece that moves beside the one captured, or beside the king; a side that cannot move has lost (12 says so of a
king shut in).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from games.acts import carry, take
from games.grid import Grid
from games.rules import DARK, EMPTY, LIGHT, Game, Outcome, Position, PositionError, Reason, Turn, say
from games.text import fields, one_of
from more_games.hands import carried_out, numbered

GRID = Grid(9)
NUMBER = numbered(GRID.sites)
BESIDE = tuple(tuple(ray[0] for ray in rays if ray) for rays in GRID.rays)
CORNERS = tuple(tuple({*around} - {*beside}) for around, beside in zip(GRID.around, BESIDE, strict=True))
EDGE = frozenset(square for square in GRID.squares if len(BESIDE[square]) < 4)
CASTLE = NUMBER["e5"]
MARKS, KING = ".xok", 3
START = "...xxx.../....x..../....o..../x...o...x/xxookooxx/x...o...x/....o..../....x..../...xxx..."


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Pieces on the squares by ranks from a1, the side to move, and the king's square; None once he is captured."""

    cells: bytes
    side: int
    king: int | None

    def __str__(self) -> str:
        cells = bytearray(self.cells)
        if self.king is not None:
            cells[self.king] = KING
        return f"{GRID.text(bytes(cells), MARKS)} {'xo'[self.side]}"


class Tablut(Game[Board]):
    """The rules as Linnaeus has them."""

    name = "tablut"
    title = "Tablut"
    sign = (".x.", "xox", ".x.")
    players = ("tablut.muscovy", "tablut.sweden")
    sites = GRID.sites
    kinds: ClassVar[Mapping[str, str]] = {"K": "tablut.kind-king"}
    places = GRID.places
    shaded = frozenset(
        GRID.names(square for square, mark in enumerate(GRID.cells(START, MARKS)) if MARKS[mark] in "xk")
    )
    summary = """\
Two players: Muscovy with sixteen dark pieces, which begins, and Sweden with eight light ones and a king.
In your turn move one piece in a straight line, up, down, left or right, as far as you like over empty squares. The
castle in the middle is closed to all: the king, once he has left it, does not come back.
A piece between two of its enemies, up and down or left and right, is captured when the second comes: take it off. The
empty castle counts as an enemy of both. Whoever moves between two enemies is safe.
The king is captured by four in his castle, by three beside it, by two elsewhere. While three beset him in the castle,
a Swede on the fourth side is captured between him and a fourth Muscovite.
Sweden wins when the king comes to the edge, Muscovy by capturing him. Who cannot move has lost."""

    def start(self) -> Board:
        return self.position(f"{START} x")

    def position(self, text: str) -> Board:
        ranks, side = fields(text, "ranks side")
        cells = GRID.cells(ranks, MARKS)
        if cells.count(KING) > 1:
            raise PositionError(f"there are {cells.count(KING)} kings; at most one")
        if cells[CASTLE] in (DARK, LIGHT):
            raise PositionError(f"e5: {MARKS[cells[CASTLE]]!r} cannot stand there; the castle is the king's alone")
        king = cells.index(KING) if KING in cells else None
        return Board(cells.replace(bytes([KING]), bytes([LIGHT])), one_of(side, "side", "xo"), king)

    def marks(self, position: Board) -> dict[str, str]:
        return {} if position.king is None else {GRID.sites[position.king]: "K"}

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        if position.king is None or position.king in EDGE:
            return ()
        return tuple(whole(position, move) for move in moves(position.cells, position.side))

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        for move in moves(position.cells, position.side):
            yield from self._captures(position, move)
        for move in moves(position.cells, 1 - position.side):
            taken = captured(position, move)
            yield made(position, move, taken, self._say("not-own", position, move))
        for move in closed(position.cells, position.side):
            through = move[1] != CASTLE
            yield made(position, move, (), self._say("through" if through else "castle", position, move))
        for origin in standing(position.cells, position.side + 1):
            for target in CORNERS[origin]:
                if position.cells[target] == EMPTY and target != CASTLE:
                    yield made(position, (origin, target), (), self._say("straight", position, (origin, target)))
            for target in beyond(position.cells, origin):
                yield made(position, (origin, target), (), self._say("jump", position, (origin, target)))

    def _captures(self, position: Board, move: tuple[int, int]) -> Iterator[Turn[Board]]:
        """Captures left off, all or some; one piece more than is captured."""
        due = captured(position, move)
        for count in range(len(due)):
            for taken in combinations(due, count):
                left = next(square for square in due if square not in taken)
                yield made(position, move, taken, self._say("capture", position, (move[0], left)))
        for square in BESIDE[move[1]]:
            if position.cells[square] == 2 - position.side and square not in due:
                name = "king-free" if square == position.king else "free"
                yield made(position, move, (*due, square), self._say(name, position, (move[0], square)))

    def _say(self, name: str, position: Board, move: tuple[int, int]) -> Reason:
        site, target = GRID.names(move)
        player, other = self.players[position.side], self.players[1 - position.side]
        return Reason.of(f"tablut.{name}", player=player, other=other, site=site, target=target)

    def explain(self, position: Board, text: str) -> Reason:
        site, _, target = text.partition("-")
        if site not in NUMBER or target not in NUMBER:
            return super().explain(position, text)
        move, cells = (NUMBER[site], NUMBER[target]), position.cells
        if not cells[move[0]]:
            return self._say("empty", position, move)
        if cells[move[0]] != position.side + 1:
            return self._say("not-own", position, move)
        return self._say("taken" if cells[move[1]] else "straight", position, move)

    # The end ----------------------------------------------------------------------------------

    def aside(self, position: Board) -> Reason | None:
        if position.king is None:
            return None
        ways = sum(not any(position.cells[square] for square in ray) for ray in GRID.rays[position.king])
        call = "king" if position.side or position.king in EDGE else ("king", "raichi", "tuichu")[min(ways, 2)]
        return Reason.of(f"tablut.{call}", site=GRID.sites[position.king])

    def outcome(self, position: Board) -> Outcome | None:
        if position.king is None:
            return self._won(0, "captured")
        if position.king in EDGE:
            return self._won(1, "edge", (GRID.sites[position.king],))
        if next(moves(position.cells, position.side), None):
            return None
        return self._won(1 - position.side, "stuck")

    def _won(self, winner: int, why: str, sites: tuple[str, ...] = ()) -> Outcome:
        reason = Reason.of(f"tablut.{why}", player=self.players[winner], other=self.players[1 - winner])
        return Outcome(winner, reason, sites)


def standing(cells: bytes, level: int) -> Iterator[int]:
    """The squares on which pieces of `level` stand."""
    return (square for square in GRID.squares if cells[square] == level)


def moves(cells: bytes, side: int) -> Iterator[tuple[int, int]]:
    """The squares from and to which pieces of `side` may go."""
    for origin in standing(cells, side + 1):
        for ray in GRID.rays[origin]:
            for target in ray:
                if cells[target] or target == CASTLE:
                    break
                yield origin, target


def closed(cells: bytes, side: int) -> Iterator[tuple[int, int]]:
    """The same for moves into the empty castle, and through it."""
    for origin in standing(cells, side + 1):
        for ray in GRID.rays[origin] if not cells[CASTLE] else ():
            for target in ray if CASTLE in ray else ():
                if cells[target]:
                    break
                if target == CASTLE or ray.index(target) > ray.index(CASTLE):
                    yield origin, target


def beyond(cells: bytes, origin: int) -> Iterator[int]:
    """The empty squares behind the first piece that stands in the way, in each direction."""
    for ray in GRID.rays[origin]:
        first = next((place for place, square in enumerate(ray) if cells[square]), len(ray))
        yield from (square for square in ray[first:] if not cells[square] and square != CASTLE)


def captured(position: Board, move: tuple[int, int]) -> tuple[int, ...]:
    """The squares of the pieces that are captured by this move."""
    origin, target = move
    own = position.cells[origin]
    cells = bytearray(position.cells)
    cells[origin], cells[target] = EMPTY, own
    king = target if origin == position.king else position.king
    taken = []
    for ray in GRID.rays[target]:
        if ray and cells[ray[0]] == 3 - own:
            if ray[0] == king:
                shut_in = beset(cells, king, ray[1:2])
            else:
                shut_in = len(ray) > 1 and against(cells, ray[0], ray[1], king)
            if shut_in:
                taken.append(ray[0])
    return tuple(taken)


def against(cells: bytearray, square: int, behind: int, king: int | None) -> bool:
    """Whether the piece on `square` is shut in from `behind`: by an enemy, or by the castle."""
    if behind != CASTLE or not cells[CASTLE]:
        return behind == CASTLE or cells[behind] == 3 - cells[square]
    if cells[square] == DARK:
        return True  # the king himself
    return king == CASTLE and all(cells[other] == DARK for other in BESIDE[CASTLE] if other != square)


def beset(cells: bytearray, king: int, behind: Sequence[int]) -> bool:
    """Whether the king is captured by a piece that has come beside him; `behind` him is the square opposite to it."""
    if king == CASTLE or CASTLE in BESIDE[king]:
        return all(cells[square] == DARK for square in BESIDE[king] if square != CASTLE)
    return all(cells[square] == DARK for square in behind)


def whole(position: Board, move: tuple[int, int]) -> Turn[Board]:
    """The turn that makes `move`, and takes off what that captures."""
    return made(position, move, captured(position, move))


def made(position: Board, move: tuple[int, int], taken: Sequence[int], reason: Reason | None = None) -> Turn[Board]:
    """The turn that carries a piece along `move` and then takes off these."""
    level = position.cells[move[0]]
    site, target = GRID.names(move)
    acts = (carry(site, target, level), *(take(GRID.sites[square], needs=(0,)) for square in taken))
    king = move[1] if move[0] == position.king else position.king
    after = Board(carried_out(position.cells, acts, NUMBER), 2 - level, None if king in taken else king)
    return Turn(f"{site}-{target}", after, acts, reason)


say(
    "tablut",
    summary=Tablut.summary,
    about="Bring the king from his castle to the edge, or shut him in.",
    muscovy="Muscovy",
    sweden="Sweden",
    kind_king="king",
    not_own="The piece on {site} is {other}'s, and it is {player}'s turn.",
    castle="The castle is closed: nobody enters it, and the king does not come back.",
    through="The castle is closed: nobody crosses it on the way from {site} to {target}.",
    straight="{target} does not lie in a straight line from {site}: pieces move up, down, left or right.",
    jump="A piece stands between {site} and {target}, and no piece jumps.",
    capture="The piece on {target} is captured: take it off.",
    free="The piece on {target} is not captured: it is not shut in between two enemies.",
    king_free="The king on {target} is not captured: in his castle four must shut him in, beside it three, "
    "elsewhere two.",
    empty="There is no piece on {site}.",
    taken="There is a piece on {target} already.",
    king="The king is on {site}.",
    raichi="Raichi: an open way leads the king from {site} to the edge.",
    tuichu="Tuichu: two open ways, or more, lead the king from {site} to the edge.",
    captured="{player} wins: the king is captured.",
    edge="{player} wins: the king has come to the edge.",
    stuck="{player} wins: {other} cannot move.",
)
