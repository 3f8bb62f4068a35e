"""Zong-Heng, by Kanare Kato: push rows of stones, and join your own into the larger groups.

Black and white fill a checkered board. A turn pushes an unbroken row one square on, from a dark square to the
first empty one, and lays a new stone on the dark square it vacated; the row must hold more of one's own stones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest

from games.acts import Act, carry, lay, push
from games.grid import Grid, Line
from games.rules import (
    EMPTY,
    Figure,
    Game,
    OptionError,
    Outcome,
    Position,
    PositionError,
    Reason,
    Standing,
    Turn,
    clip,
    colour,
    say,
)
from games.text import fields, one_of
from games.zong_heng.lessons import LESSONS, OPTIONS
from games.zong_heng.puzzles import PUZZLES


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Stones on the squares by ranks from a1, and the side to move."""

    cells: bytes
    side: int
    grid: Grid = field(compare=False)

    def __str__(self) -> str:
        return f"{self.grid.text(self.cells)} {'xo'[self.side]}"

    def __hash__(self) -> int:
        return hash(self.cells) ^ self.side


SETUPS: dict[str, Callable[[int, int], int]] = {
    "rows": lambda file, rank: rank % 2,
    "stripes": lambda file, rank: file // 2 % 2,
    "diagonals": lambda file, rank: (file + rank) // 2 % 2,
    "blocks": lambda file, rank: (file // 2 + rank // 2) % 2,
}
"""Setup -> 0 for a black stone, 1 for a white one, by file and rank from 0."""

PASS = "pass"
REMEMBERED = 4096
"""Rows of which the acts are kept."""
SIZES_TOLD = 3
"""Sizes of groups of each colour that the standing tells, more where these are equal; guessed: as many as one reads."""


class ZongHeng(Game[Board]):
    """The rules on a board of 6, 8, 10 or 12 squares a side."""

    name = "zong-heng"
    title = "Zong-Heng"
    options = {"size": (8, 6, 10, 12), "setup": tuple(SETUPS)}
    usual = True
    sign = (".#.", "###", ".#.")
    lessons = LESSONS
    puzzles = PUZZLES
    lesson_options = OPTIONS
    figures = (
        Figure(
            "push", "xooooooo/x.x.x.xo/xo.o.o.o/x.x.x.xo/xo.o.o.o/x.x.x.xo/xoxo.o.o/xxxxxxxo o", "b2-e2", ("b2", "d2")
        ),
        Figure(
            "too-few", "xooooooo/x.x.xoxo/xo.o.o.o/x.x.x.xo/xo.o.o.o/x.x.x.xo/xoxo.o.o/xxxxxxxo x", "b2-e2", ("c2",)
        ),
    )
    players = ("zong-heng.black", "zong-heng.white")
    summary = """\
Two players, black and white; black begins. Every dark square holds a stone.
In your turn push a row: choose a stone on a dark square, whoever's it is, and a direction. The unbroken row of stones
from there to the first empty square moves one square on, and a new stone of your colour goes on the dark square you
vacated.
The row must hold more of your stones than of your opponent's. Without a possible push you pass.
When the board is full, compare the sizes of the groups (stones of one colour joined up, down, left or right, not
diagonally), the largest first; if these are equal the next ones, and so on."""

    def __init__(self, size: int = 8, setup: str = "rows") -> None:
        self.grid = Grid(size)
        self.setup = setup
        self.sites = self.grid.sites
        self.places = self.grid.places
        self.shaded = self.grid.shaded
        self._outward = tuple(
            tuple(outward((start, *ray)) for ray in rays if ray) for start, rays in enumerate(self.grid.rays)
        )
        """For each square the lines outward: what reads their cells, and their beginnings, shortest first."""
        self._dark = [square for square in self.grid.squares if self.grid.dark[square]]
        self._start = self._lay_out()
        self._ways: dict[tuple[Line, bytes, int], tuple[str, tuple[Act, ...]]] = {}

    def _lay_out(self) -> bytes:
        shade = SETUPS[self.setup]
        cells = bytearray(len(self.sites))
        for square in self._dark:
            cells[square] = 1 + shade(square % self.grid.files, square // self.grid.files)
        if cells.count(1) != cells.count(2):
            raise OptionError(f"zong-heng: setup = {self.setup} needs size = 8 or 12, not {self.grid.files}")
        return bytes(cells)

    def start(self) -> Board:
        return Board(self._start, 0, self.grid)

    def position(self, text: str) -> Board:
        ranks, side = fields(text, "ranks side")
        cells = self.grid.cells(ranks)
        for square in self._dark:
            if cells[square] == EMPTY:
                raise PositionError(f"{self.sites[square]}: a dark square always holds a stone, and this one is empty")
        return Board(cells, one_of(side, "side", "xo"), self.grid)

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self.listed(position))

    def listed(self, position: Board) -> Iterator[Turn[Board]]:
        own = position.side + 1
        passes = EMPTY in position.cells
        for line, row in self._rows(position, self._dark):
            if 2 * row.count(own) > len(row):
                passes = False
                yield self._push(position, line, row, own)
        if passes:
            yield Turn(PASS, Board(position.cells, 1 - position.side, self.grid), ())

    def _rows(self, position: Board, starts: list[int]) -> Iterator[tuple[Line, bytes]]:
        """Each row that can be pushed from `starts`: its squares outward, the empty one last; and its stones."""
        cells = position.cells
        for start in starts:
            for read, lines in self._outward[start]:
                row = cells[read]
                length = row.find(EMPTY)
                if length > 0:
                    yield lines[length], row[:length]

    def _push(self, position: Board, line: Line, row: bytes, new: int, reason: Reason | None = None) -> Turn[Board]:
        """Move the stones of `row` one square on along `line`; then the `new` stone goes on the vacated square."""
        after = bytearray(position.cells)
        after[along(line)] = bytes((new,)) + row
        text, acts = self._way(line, row, new)
        return Turn(text, Board(bytes(after), 1 - position.side, self.grid), acts, reason)

    def _way(self, line: Line, row: bytes, new: int) -> tuple[str, tuple[Act, ...]]:
        """The text and the acts of a push; the same rows come again and again, so these are remembered."""
        key = line, row, new
        if key not in self._ways:
            if len(self._ways) >= REMEMBERED:
                self._ways.clear()
            sites = self.grid.names(line)
            self._ways[key] = f"{sites[0]}-{sites[-1]}", (push(sites, tuple(row)), lay(sites[0], new))
        return self._ways[key]

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        yield from self._laid_down(position)
        yield from self._refused_pushes(position)

    def _refused_pushes(self, position: Board) -> Iterator[Turn[Board]]:
        own, other = position.side + 1, 2 - position.side
        for line, row in self._rows(position, self._dark):
            if 2 * row.count(own) <= len(row):
                yield self._push(position, line, row, own, self._minority(position, line, row))
            else:
                reason = self._say("new-stone", position, square=self.sites[line[0]])
                yield self._push(position, line, row, other, reason)
                yield from self._carried_round(position, line)
                yield from self._too_far(position, line)
        light = [square for square in self.grid.squares if position.cells[square] and not self.grid.dark[square]]
        for line, row in self._rows(position, light):
            yield self._push(position, line, row, own, self._say("light-square", position, square=self.sites[line[0]]))

    def _carried_round(self, position: Board, line: Line) -> Iterator[Turn[Board]]:
        """The last stone carried round to the front, where that is not the same as a push."""
        first, last, cells = line[0], line[-1], position.cells
        if len({cells[square] for square in line[:-1]}) > 1:
            yield self._carried(position, first, last, self._say("order", position, square=self.sites[first]))

    def _too_far(self, position: Board, line: Line) -> Iterator[Turn[Board]]:
        """The last stone carried on over the square that its row may be pushed to."""
        start, cells = line[0], position.cells
        ray = next(ray for ray in self.grid.rays[start] if ray and ray[0] == line[1])
        for target in ray[len(line) - 1 :]:
            if cells[target] == EMPTY:
                text = f"{self.sites[start]}-{self.sites[target]}"
                yield self._carried(position, start, target, self._stops(position, text, line[-1]))

    def _stops(self, position: Board, text: str, end: int) -> Reason:
        return self._say("stops", position, row=clip(text), square=self.sites[end])

    def _laid_down(self, position: Board) -> Iterator[Turn[Board]]:
        for square in self.grid.squares:
            if position.cells[square] == EMPTY:
                for level in (position.side + 1, 2 - position.side):
                    site, after = self.sites[square], bytearray(position.cells)
                    after[square] = level
                    reason = self._say("no-push", position, square=site)
                    yield Turn(site, Board(bytes(after), 1 - position.side, self.grid), (lay(site, level),), reason)

    def _carried(self, position: Board, origin: int, target: int, reason: Reason) -> Turn[Board]:
        """A stone carried off in place of a push, and a new one laid where it was."""
        after, own, level = bytearray(position.cells), position.side + 1, position.cells[origin]
        after[origin], after[target] = own, level
        start, end = self.grid.names((origin, target))
        board = Board(bytes(after), 1 - position.side, self.grid)
        return Turn(f"{start}-{end}", board, (carry(start, end, level), lay(start, own)), reason)

    def _minority(self, position: Board, line: Line, row: bytes) -> Reason:
        stones, own = len(row), row.count(position.side + 1)
        name = "single" if stones == 1 else "majority"
        told = f"{self.sites[line[0]]}-{self.sites[line[-1]]}"
        return self._say(name, position, own=own, stones=stones, need=stones // 2 + 1, row=told)

    def _say(self, name: str, position: Board, **values: int | str) -> Reason:
        own = position.side + 1
        return Reason.of(f"zong-heng.{name}", player=self.players[position.side], colour=colour(own), **values)

    def why_not(self, position: Board, site: str) -> Reason | None:
        square, own = self.sites.index(site), position.side + 1
        if position.cells[square] == EMPTY:
            return None
        if not self.grid.dark[square]:
            return self._say("light-square", position, square=site)
        rows = list(self._rows(position, [square]))
        if not rows:
            return self._say("hemmed", position, square=site)
        line, row = max(rows, key=lambda each: (2 * each[1].count(own) - len(each[1]), len(each[1])))
        if 2 * row.count(own) > len(row):
            return None
        reason = self._minority(position, line, row)
        return reason if len(row) == 1 else Reason("zong-heng.no-row", (*reason.values, ("square", site)))

    def explain(self, position: Board, text: str) -> Reason:
        start, _, end = text.partition("-")
        if start not in self.sites or end not in self.sites:
            return super().explain(position, text)
        square = self.sites.index(start)
        if position.cells[square] == EMPTY:
            return self._say("empty", position, square=start)
        for line, _ in self._rows(position, [square]):
            ray = next(ray for ray in self.grid.rays[square] if line[1] in ray)
            if self.sites.index(end) in ray:
                return self._stops(position, text, line[-1])
        return self._say("edge", position, square=start, row=clip(text))

    # The end ----------------------------------------------------------------------------------

    def outcome(self, position: Board) -> Outcome | None:
        if EMPTY in position.cells:
            return None
        groups = self._both(position)
        sizes = [[len(group) for group in own] for own in groups]
        decided = first_difference(sizes)
        if decided is None:
            return Outcome(None, Reason.of("zong-heng.drawn", sizes=spell(sizes[0])))
        winner = larger(sizes, decided)
        own, other = (spell(fill(sizes[side], decided + 1)) for side in (winner, 1 - winner))
        reason = Reason.of("zong-heng.groups", player=self.players[winner], own=own, against=other)
        return Outcome(winner, reason, self.grid.names(groups[winner][decided]))

    def standing(self, position: Board) -> Standing:
        groups = self._both(position)
        sizes = [[len(group) for group in own] for own in groups]
        decided = first_difference(sizes)
        told = max(SIZES_TOLD, decided + 1 if decided is not None else 0)
        black, white = (spell(own[:told]) for own in sizes)
        largest = tuple(
            tuple(site for group in own if len(group) == len(own[0]) for site in self.grid.names(group))
            for own in groups
        )
        return Standing(
            (sizes[0][0] if sizes[0] else 0, sizes[1][0] if sizes[1] else 0),
            None if decided is None else larger(sizes, decided),
            Reason.of("zong-heng.standing", black=black or 0, white=white or 0),
            (largest[0], largest[1]),
        )

    def _both(self, position: Board) -> list[list[list[int]]]:
        """The groups of black and of white."""
        return [self._groups(position.cells, level) for level in (1, 2)]

    def _groups(self, cells: bytes, level: int) -> list[list[int]]:
        """The groups of one colour, largest first."""
        left = {square for square in self.grid.squares if cells[square] == level}
        groups = []
        while left:
            group = [left.pop()]
            for square in group:
                beside = {ray[0] for ray in self.grid.rays[square] if ray} & left
                group += beside
                left -= beside
            groups.append(sorted(group))
        return sorted(groups, key=lambda group: (-len(group), group))


def outward(line: Line) -> tuple[slice, tuple[Line, ...]]:
    """What reads the cells of `line`, and its beginnings: first one square, last all."""
    return along(line), tuple(line[: length + 1] for length in range(len(line)))


@cache
def along(line: Line) -> slice:
    """What reads the cells of a straight line, of two squares at least."""
    step = line[1] - line[0]
    end = line[-1] + step
    return slice(line[0], None if end < 0 else end, step)


def fill(sizes: list[int], length: int) -> list[int]:
    """The first `length` sizes: a list that runs out counts as zeros."""
    return (sizes + [0] * length)[:length]


def first_difference(sizes: list[list[int]]) -> int | None:
    """The rank from which one side is ahead, largest groups first; None if all are equal."""
    pairs = enumerate(zip_longest(*sizes, fillvalue=0))
    return next((rank for rank, (black, white) in pairs if black != white), None)


def larger(sizes: list[list[int]], rank: int) -> int:
    """Which side has the larger group of this rank."""
    black, white = (fill(own, rank + 1)[rank] for own in sizes)
    return 0 if black > white else 1


def spell(sizes: Iterable[int]) -> str:
    """Sizes as a player reads them."""
    return ", ".join(map(str, sizes))


say(
    "zong-heng",
    summary=ZongHeng.summary,
    about="Push rows of stones, and join your own into large groups.",
    aim="When the board is full, the largest group of one colour wins.",
    help="Drag a stone against the one beside it to push the row, or on an empty square; or tap it and then tap where "
    "it goes. Then tap the place where the row began: a new stone is laid there. Over the edge of the board a stone is "
    "taken off.",
    value_rows="Rows",
    value_stripes="Stripes",
    value_diagonals="Diagonals",
    value_blocks="Blocks",
    option_size="squares along a side",
    option_setup="how the stones stand at the start",
    black="Black",
    white="White",
    majority="{player} has {own} of the {stones} stones in this row and needs {need}.",
    single="A single stone must be your own: {player} cannot push this one.",
    no_row="No row from {square} can be pushed: for {row}, {player} has {own} of the {stones} stones and needs {need}.",
    hemmed="No row from {square} can be pushed: none ends at an empty square.",
    new_stone="The new stone on {square} must be {colour}, for it is {player}'s turn.",
    order="Push the row from {square} as it stands: its stones keep their order.",
    light_square="A push starts from a dark square, and {square} is light.",
    no_push="A stone comes on the board only where a push has vacated a dark square; take the one on {square} off.",
    empty="There is no stone on {square} to push.",
    stops="A push ends on the first empty square: from there the row ends at {square}, so {row} is not possible.",
    edge="From {square} no row ends at an empty square in that direction, so {row} is not possible.",
    groups="{player} wins: comparing groups, the largest first, {own} beats {against}.",
    standing="Largest groups: Black {black}; White {white}. On the full board the larger one wins.",
    drawn="A draw: the groups of both have the same sizes ({sizes}).",
    figure_push="The marked stones are one's own, more than half of the row: it moves one square on, and a new stone "
    "goes where it began.",
    figure_too_few="No push: only the marked stones of this row are one's own, and that is not more than half.",
)
