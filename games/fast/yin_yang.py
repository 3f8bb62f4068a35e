"""Yin-Yang for searching: the position is one integer, and a move is the bits that it changes.

From the lowest bit: 36 for the dark stones by their squares, 36 for the light ones, one for the side to move. Where a
stone with so many like neighbours can go is looked up by what stands on the squares it would pass.
"""

from __future__ import annotations

from games._grid import Line
from games.fast.contract import Chance
from games.rules import Position
from games.yin_yang import GRID, SIZE, Board, YinYang

SQUARES = SIZE * SIZE
ALL = (1 << SQUARES) - 1
SIDE = 1 << 2 * SQUARES
FARTHEST = 8
"""The most like neighbours; with more than five a stone is stuck."""


def mask(squares: Line) -> int:
    """These squares as bits."""
    return sum(1 << square for square in squares)


FILES_BUT_LAST = mask(tuple(square for square in GRID.squares if square % SIZE < SIZE - 1))
AROUND = tuple(mask(squares) for squares in GRID.around)
MATCHING = sum(1 << square + (0 if GRID.dark[square] else SQUARES) for square in GRID.squares)
"""The bits of stones on squares of their own shade."""


class Reach(dict[int, tuple[int, ...]]):
    """The moves of one stone with so many like neighbours, by what stands within its reach; fills itself."""

    def __init__(self, square: int, level: int, count: int) -> None:
        super().__init__()
        rays = [ray[:count] for ray in GRID.rays[square] if 0 < count <= len(ray)]
        self.within = mask(tuple(passed for ray in rays for passed in ray))
        """The squares it could pass or reach."""
        shift = SQUARES * (level - 1)
        left = SIDE | 1 << square | 1 << SQUARES + square
        self._ways = [(mask(ray), left | 1 << ray[-1] + shift) for ray in rays]

    def __missing__(self, key: int) -> tuple[int, ...]:
        self[key] = tuple(move for passed, move in self._ways if not key & passed)
        return self[key]


def _reaches(level: int) -> tuple[tuple[Reach, ...], ...]:
    return tuple(tuple(Reach(square, level, count) for count in range(FARTHEST + 1)) for square in GRID.squares)


class FastYinYang:
    """The rules of `games.yin_yang` on integers."""

    exact = 17
    """Turns left, at most, from which a search to the very end takes about a second."""

    def __init__(self, game: YinYang) -> None:
        self._reach = tuple(
            {1 << square: (AROUND[square], reach) for square, reach in enumerate(_reaches(level))} for level in (1, 2)
        )

    def state(self, position: Position) -> int:
        """The integer for `position`."""
        stones = sum(1 << at + SQUARES * (level - 1) for at, level in enumerate(position.cells) if level)
        return stones | position.side << 2 * SQUARES

    def position(self, state: int) -> Board:
        """The position of this integer."""
        cells = bytes((state >> at & 1) | (state >> SQUARES + at & 1) << 1 for at in GRID.squares)
        return Board(cells, self.side(state))

    def side(self, state: int) -> int:
        """Who is to move: 0 One, 1 Two."""
        return state >> 2 * SQUARES

    def left(self, state: int) -> int:
        """The most turns that can still come: the empty squares."""
        return SQUARES - (state & SIDE - 1).bit_count()

    def moves(self, state: int) -> list[int]:
        """Every move; empty when the game is over."""
        dark, light = state & ALL, state >> SQUARES & ALL
        taken = dark | light
        free = ALL ^ taken
        beside = (free & FILES_BUT_LAST) << 1 | free >> 1 & FILES_BUT_LAST | free << SIZE | free >> SIZE
        found: list[int] = []
        for own, reach in ((dark, self._reach[0]), (light, self._reach[1])):
            left = own & beside  # the others are shut in
            while left:
                low = left & -left
                left ^= low
                around, reaches = reach[low]
                there = reaches[(own & around).bit_count()]
                found += there[taken & there.within]
        return found

    def after(self, state: int, move: int) -> int:
        """The state after `move`."""
        return state ^ move

    def text(self, state: int, move: int) -> str:
        """The text of the turn: where the stone stood and where it goes."""
        origin = move & move >> SQUARES & ALL
        target = (move | move >> SQUARES) & ALL ^ origin
        return "-".join(GRID.names(bits.bit_length() - 1 for bits in (origin, target)))

    def result(self, state: int) -> float:
        """Of a finished game: 1.0 if One has the higher score, else 0.0, for Two wins when they are equal."""
        stones = state & SIDE - 1
        return float(2 * (stones & MATCHING).bit_count() > stones.bit_count())

    def playout(self, state: int, random: Chance) -> float:
        """A random game from here to its end: its result."""
        draw = random.random
        moves = self.moves(state)
        while moves:
            state ^= moves[int(draw() * len(moves))]
            moves = self.moves(state)
        return self.result(state)


FAST = FastYinYang
