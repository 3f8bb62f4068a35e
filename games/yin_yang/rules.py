"""Yin-Yang: stones move as far as they have neighbours of their colour, and leave the other colour behind.

Either player moves any stone; One wants stones that match their squares, Two stones that do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.acts import carry, lay
from games.grid import Grid
from games.rules import EMPTY, Figure, Game, Outcome, Position, Reason, Standing, Turn, colour, say
from games.text import fields, one_of
from games.yin_yang.lessons import LESSONS
from games.yin_yang.puzzles import PUZZLES

SIZE = 6
GRID = Grid(SIZE)


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Stones on the squares by ranks from a1, and the side to move."""

    cells: bytes
    side: int

    def __str__(self) -> str:
        return f"{GRID.text(self.cells)} {'12'[self.side]}"


START = Board(GRID.cells("....../....../..xo../..ox../....../......"), 0)


class YinYang(Game[Board]):
    """The rules on six by six squares."""

    name = "yin-yang"
    title = "Yin-Yang"
    sign = ("xxo", "xxo", "xoo")
    lessons = LESSONS
    puzzles = PUZZLES
    figures = (Figure("count", "....../....../..xo../..xx../..o.../...... 2", "c3-a3", ("c4", "d3")),)
    players = ("yin-yang.one", "yin-yang.two")
    sites = GRID.sites
    places = GRID.places
    shaded = GRID.shaded
    summary = """\
Two players, One and Two; One begins. Nobody owns a colour: either player may move any stone.
In your turn choose a stone and count the stones of its colour on the eight squares around it. It moves exactly that
many squares straight up, down, left or right, over empty squares to an empty one. Then a stone of the other colour
goes on the square it left. A stone with no neighbour of its colour cannot move.
The game ends at once when no stone can move. The stones that match their squares (black on dark, white on light) count
for One, all others for Two. The higher count wins, and Two wins when they are equal."""

    def start(self) -> Board:
        return START

    def position(self, text: str) -> Board:
        ranks, side = fields(text, "ranks side")
        return Board(GRID.cells(ranks), one_of(side, "side", "12"))

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self._moves(position))

    def _moves(self, position: Board) -> Iterator[Turn[Board]]:
        for square in self._standing(position):
            yield from self._moves_of(position, square)

    def _moves_of(self, position: Board, square: int) -> Iterator[Turn[Board]]:
        cells = position.cells
        count = self._like(cells, square)
        for ray in GRID.rays[square]:
            if 0 < count <= len(ray) and not any(cells[passed] for passed in ray[:count]):
                yield self._move(position, square, ray[count - 1])

    @staticmethod
    def _standing(position: Board) -> Iterator[int]:
        return (square for square in GRID.squares if position.cells[square])

    @staticmethod
    def _like(cells: bytes, square: int) -> int:
        """The number of stones of its own colour around the stone on `square`."""
        return sum(cells[beside] == cells[square] for beside in GRID.around[square])

    def _move(self, position: Board, origin: int, target: int, reason: Reason | None = None) -> Turn[Board]:
        return self._leave(position, origin, target, 3 - position.cells[origin], reason)

    @staticmethod
    def _leave(position: Board, origin: int, target: int, left: int, reason: Reason | None) -> Turn[Board]:
        """The turn that moves a stone and leaves one of the level `left` behind."""
        level, (start, end) = position.cells[origin], GRID.names((origin, target))
        after = bytearray(position.cells)
        after[origin], after[target] = left, level
        board = Board(bytes(after), 1 - position.side)
        return Turn(f"{start}-{end}", board, (carry(start, end, level), lay(start, left)), reason)

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        yield from self._laid_down(position)
        yield from self._same_left_behind(position)
        yield from self._refused_moves(position)
        yield from self._crooked(position)

    def _crooked(self, position: Board) -> Iterator[Turn[Board]]:
        """Neither straight up, down, left nor right."""
        for square in self._standing(position):
            straight = {target for ray in GRID.rays[square] for target in ray}
            for target in GRID.squares:
                if not position.cells[target] and target not in straight:
                    yield self._move(position, square, target, self._crook(position, square, target))

    def _crook(self, position: Board, square: int, target: int) -> Reason:
        if not self._like(position.cells, square):
            return self._fault(square, 0, 0)
        return Reason.of("yin-yang.straight", square=GRID.sites[square], target=GRID.sites[target])

    def _refused_moves(self, position: Board) -> Iterator[Turn[Board]]:
        """Too near, too far, or over another stone."""
        cells = position.cells
        for square in self._standing(position):
            count = self._like(cells, square)
            for ray in GRID.rays[square]:
                free = next((length for length, passed in enumerate(ray) if cells[passed]), len(ray))
                for length, target in enumerate(ray, start=1):
                    if not cells[target] and (length != count or length > free):
                        yield self._move(position, square, target, self._fault(square, count, length))

    @staticmethod
    def _fault(square: int, count: int, length: int) -> Reason:
        name = "stays" if count == 0 else "passes" if length == count else "distance"
        return Reason.of(f"yin-yang.{name}", square=GRID.sites[square], count=count, length=length)

    def _same_left_behind(self, position: Board) -> Iterator[Turn[Board]]:
        for turn in self.turns(position):
            origin, target = map(GRID.sites.index, turn.path)
            level = position.cells[origin]
            reason = Reason.of("yin-yang.new-stone", square=turn.path[0], colour=colour(3 - level))
            yield self._leave(position, origin, target, level, reason)

    def _laid_down(self, position: Board) -> Iterator[Turn[Board]]:
        for square in GRID.squares:
            if position.cells[square] == EMPTY:
                for level in (1, 2):
                    site, after = GRID.sites[square], bytearray(position.cells)
                    after[square] = level
                    reason = Reason.of("yin-yang.no-move", square=site)
                    yield Turn(site, Board(bytes(after), 1 - position.side), (lay(site, level),), reason)

    def why_not(self, position: Board, site: str) -> Reason | None:
        square = GRID.sites.index(site)
        if position.cells[square] == EMPTY or any(self._moves_of(position, square)):
            return None
        count = self._like(position.cells, square)
        return Reason.of("yin-yang.hemmed" if count else "yin-yang.stays", square=site, count=count)

    def explain(self, position: Board, text: str) -> Reason:
        origin, _, target = text.partition("-")
        if origin not in GRID.sites or target not in GRID.sites:
            return super().explain(position, text)
        cells = position.cells
        start, end = GRID.sites.index(origin), GRID.sites.index(target)
        if cells[start] == EMPTY:
            return Reason.of("yin-yang.empty", square=origin)
        if cells[end] != EMPTY:
            return Reason.of("yin-yang.taken", square=target)
        return self._crook(position, start, end)

    # The end ----------------------------------------------------------------------------------

    def outcome(self, position: Board) -> Outcome | None:
        if self.turns(position):
            return None
        standing = self.standing(position)
        one, two = standing.counts
        winner = int(one <= two)
        name = "yin-yang.equal" if one == two else "yin-yang.score"
        reason = Reason.of(name, player=self.players[winner], one=one, two=two)
        return Outcome(winner, reason, standing.sites[winner])

    def standing(self, position: Board) -> Standing:
        matching = [square for square in self._standing(position) if (position.cells[square] == 1) == GRID.dark[square]]
        others = [square for square in self._standing(position) if square not in matching]
        one, two = len(matching), len(others)
        reason = Reason.of("yin-yang.standing-equal" if one == two else "yin-yang.standing", one=one, two=two)
        return Standing((one, two), int(one <= two), reason, (GRID.names(matching), GRID.names(others)))


say(
    "yin-yang",
    summary=YinYang.summary,
    about="A stone moves as far as it has neighbours of its colour. Nobody owns a colour.",
    aim="Stones that match their squares, black on dark or white on light, count for One, all others for Two: whoever "
    "has more wins, Two in a tie.",
    help="Drag a stone to where it goes, or tap it and then tap where it goes. Then tap the place that it left: a "
    "stone of the other colour is laid there. Over the edge of the board a stone is taken off.",
    one="One",
    two="Two",
    distance="The stone on {square} moves exactly {count}, one square for each stone of its colour around it, not "
    "{length}.",
    stays="The stone on {square} cannot move: no stone of its colour stands around it.",
    hemmed="The stone on {square} moves exactly {count}, one square for each stone of its colour around it, and no way "
    "is free that far.",
    passes="The stone on {square} cannot pass over another stone.",
    new_stone="The stone left behind on {square} must be {colour}, the other colour.",
    no_move="A stone comes on the board only on the square another has just left; take the one on {square} off.",
    empty="There is no stone on {square} to move.",
    taken="{square} is taken: a stone ends on an empty square.",
    straight="A stone moves straight up, down, left or right: {square} to {target} is neither.",
    score="{player} wins. Stones that match their squares: {one}; the others: {two}.",
    equal="{player} wins the tie. Stones that match their squares: {one}; the others: {two}.",
    standing="Stones that match their squares count for One: {one}; the others for Two: {two}.",
    standing_equal="Stones that match their squares count for One: {one}; the others for Two: {two}, and Two wins "
    "ties.",
    figure_count="As many squares as stones of its colour stand around it (marked); then a stone of the other colour "
    "goes where it was.",
)
