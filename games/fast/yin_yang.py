"""Yin-Yang for searching: the position is one integer, and a move is the bits that it changes.

From the lowest bit: 36 for the dark stones by their squares, 36 for the light ones, one for the side to move. A board
of 36 bits is worked on as a whole: like neighbours are added up on all squares at once, and what is free one, two ...
five squares further is a shift.
"""

from __future__ import annotations

from games._grid import Line
from games.fast.contract import Chance
from games.rules import Position
from games.yin_yang import GRID, SIZE, Board, YinYang

SQUARES = SIZE * SIZE
ALL = (1 << SQUARES) - 1
SIDE = 1 << 2 * SQUARES


def mask(squares: Line) -> int:
    """These squares as bits."""
    return sum(1 << square for square in squares)


FILES_BUT_LAST = mask(tuple(square for square in GRID.squares if square % SIZE < SIZE - 1))
FILES_BUT_FIRST = FILES_BUT_LAST << 1
MATCHING = sum(1 << square + (0 if GRID.dark[square] else SQUARES) for square in GRID.squares)
"""The bits of stones on squares of their own shade."""
JUMPS = [step * count for count in range(1, 6) for step in (SIZE, 1, SIZE, 1)]
"""How many squares further a stone comes, by the places in what `movers` returns."""


def alike(own: int) -> tuple[int, int, int, int, int]:
    """Those of the stones `own` that have one, two ... five of the others around them: bits added column by column."""
    left, right = own << 1 & FILES_BUT_FIRST, own >> 1 & FILES_BUT_LAST
    one, two = left ^ right, left & right
    row, rows = one ^ own, two | own & one
    above, below = row >> SIZE, row << SIZE & ALL
    ones, carry = above ^ below ^ one, above & below | one & (above ^ below)
    above, below = rows >> SIZE, rows << SIZE & ALL
    first, second = above ^ below, two ^ carry
    twos = first ^ second
    fours = own & (above & below ^ two & carry ^ first & second)
    few = own & ~fours
    none = ~ones
    return few & ones & ~twos, few & none & twos, few & ones & twos, fours & none & ~twos, fours & ones & ~twos


def movers(dark: int, light: int) -> list[int]:
    """The stones that can move one, two ... five squares, of each number those that go down, left, up and right."""
    free = ALL ^ (dark | light)
    downs, lefts = free << SIZE & ALL, free << 1 & FILES_BUT_FIRST
    ups, rights = free >> SIZE, free >> 1 & FILES_BUT_LAST
    down, left, up, right = downs, lefts, ups, rights
    a, b, c, d, e = alike(dark)
    f, g, h, i, j = alike(light)
    found: list[int] = []
    for same in [a | f, b | g, c | h, d | i, e | j]:
        found += [same & down, same & left, same & up, same & right]
        down, left = downs & down << SIZE, lefts & left << 1
        up, right = ups & up >> SIZE, rights & right >> 1
    return found


def nth(boards: list[int], number: int) -> tuple[int, int]:
    """The stone with this number, from 0, on the boards that `movers` returns, and the place of its board."""
    way, board = -1, 0
    while number >= 0:
        board &= board - 1
        while not board:
            way += 1
            board = boards[way]
        number -= 1
    return board & -board, way


def counted(boards: list[int]) -> int:
    """How many bits are set; there are few, so taking them off one by one is the quickest."""
    many = 0
    for board in boards:
        while board:
            board &= board - 1
            many += 1
    return many


def moved(stone: int, way: int) -> int:
    """Where a stone on the board of that place goes."""
    return stone << JUMPS[way] if way & 2 else stone >> JUMPS[way]


class FastYinYang:
    """The rules of `games.yin_yang` on integers."""

    exact = 17
    """Turns left, at most, from which a search to the very end takes about a second."""

    def __init__(self, game: YinYang) -> None:
        """There is nothing to prepare."""

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
        found: list[int] = []
        for way, board in enumerate(movers(dark, light)):
            while board:
                low = board & -board
                board ^= low
                target = moved(low, way)
                both = low | low << SQUARES | SIDE
                found.append(both | target if dark & low else both | target << SQUARES)
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
        dark, light = state & ALL, state >> SQUARES & ALL
        boards = movers(dark, light)
        while many := counted(boards):
            low, way = nth(boards, int(draw() * many))
            target = moved(low, way)
            if dark & low:
                dark, light = dark ^ low | target, light | low
            else:
                dark, light = dark | low, light ^ low | target
            boards = movers(dark, light)
        return self.result(dark | light << SQUARES)


FAST = FastYinYang
