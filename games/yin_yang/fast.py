"""Yin-Yang for searching: the position is one integer, and a move is the bits that it changes.

From the lowest bit: 36 for the dark stones by their squares, 36 for the light ones, one for the side to move. A board
of 36 bits is worked on as a whole: like neighbours are added up on all squares at once, and what is free one, two ...
five squares further is a shift. Compiled, a board is a number of the processor's own (`i64`), which makes random games
four times as fast; without the compiler the name is nothing but a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.fast import Chance
from games.grid import Line
from games.rules import Position
from games.yin_yang.rules import GRID, SIZE, Board, YinYang

if TYPE_CHECKING:
    from mypy_extensions import i64

SQUARES: Final = SIZE * SIZE
ALL: Final = (1 << SQUARES) - 1
SIDE: Final = 1 << 2 * SQUARES
FACTOR: Final = 48271
PRIME: Final = 2147483647
"""Lehmer's random numbers, as Park, Miller and Stockmeyer chose them (Communications of the ACM 36, 1993)."""


def mask(squares: Line) -> int:
    """These squares as bits."""
    return sum(1 << square for square in squares)


FILES_BUT_LAST: Final = mask(tuple(square for square in GRID.squares if square % SIZE < SIZE - 1))
FILES_BUT_FIRST: Final = FILES_BUT_LAST << 1
MATCHING: Final = sum(1 << square + (0 if GRID.dark[square] else SQUARES) for square in GRID.squares)
"""The bits of stones that match their squares."""


def alike(own: i64) -> tuple[i64, i64, i64, i64, i64]:
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


def ones(board: i64) -> i64:
    """How many bits are set; there are few, so taking them off one by one is the quickest."""
    many: i64 = 0
    while board:
        board &= board - 1
        many += 1
    return many


def moved(stone: i64, step: i64) -> i64:
    """A stone so many squares further, by their numbers."""
    return stone << step if step > 0 else stone >> -step


class Movers:
    """Looks at all stones that can move; what is made of them is said by `offer`."""

    def look(self, dark: i64, light: i64) -> None:
        """Offer the stones that go one square down, left, up and right, then those that go two, up to five."""
        free: i64 = ALL ^ (dark | light)
        downs, lefts = free << SIZE & ALL, free << 1 & FILES_BUT_FIRST
        ups, rights = free >> SIZE, free >> 1 & FILES_BUT_LAST
        down, left, up, right = downs, lefts, ups, rights
        a, b, c, d, e = alike(dark)
        f, g, h, i, j = alike(light)
        one, two, three, four, five = a | f, b | g, c | h, d | i, e | j
        step: i64 = 1
        while one | two | three | four | five:
            if one & down:
                self.offer(one & down, -SIZE * step)
            if one & left:
                self.offer(one & left, -step)
            if one & up:
                self.offer(one & up, SIZE * step)
            if one & right:
                self.offer(one & right, step)
            down, left = downs & down << SIZE, lefts & left << 1
            up, right = ups & up >> SIZE, rights & right >> 1
            one, two, three, four, five = two, three, four, five, 0
            step += 1

    def offer(self, stones: i64, step: i64) -> None:
        """These stones can move so many squares, by their numbers."""
        raise NotImplementedError


class Every(Movers):
    """Every move."""

    def __init__(self, state: int) -> None:
        self.found: list[int] = []
        self._dark: i64 = state & ALL
        self.look(self._dark, state >> SQUARES & ALL)

    def offer(self, stones: i64, step: i64) -> None:
        """Note their moves."""
        while stones:
            stone = stones & -stones
            stones ^= stone
            both = SIDE | int(stone) << SQUARES | int(stone)
            target = int(moved(stone, step))
            self.found.append(both | (target if self._dark & stone else target << SQUARES))


class Count(Movers):
    """How many moves there are."""

    def __init__(self, state: int) -> None:
        self.many: i64 = 0
        self.look(state & ALL, state >> SQUARES & ALL)

    def offer(self, stones: i64, step: i64) -> None:
        """Count them."""
        self.many += ones(stones)


class Lot(Movers):
    """One move after another by chance, each as likely as every other."""

    def __init__(self, seed: int) -> None:
        self.stone: i64 = 0
        self.target: i64 = 0
        self._luck: i64 = seed
        self._many: i64 = 0
        self._stones: i64 = 0
        self._step: i64 = 0

    def draw(self, dark: i64, light: i64) -> bool:
        """Choose a stone and where it goes; False if none can move."""
        self._many = 0
        self.look(dark, light)
        if not self._many:
            return False
        stones = self._stones
        for _ in range(self._among(ones(stones))):
            stones &= stones - 1
        self.stone = stones & -stones
        self.target = moved(self.stone, self._step)
        return True

    def offer(self, stones: i64, step: i64) -> None:
        """Take these for the ones before, as likely as they are many."""
        here = ones(stones)
        self._many += here
        if self._among(self._many) < here:
            self._stones, self._step = stones, step

    def _among(self, many: i64) -> i64:
        """A number from 0 up to, not including, so many."""
        self._luck = self._luck * FACTOR % PRIME
        return self._luck * many >> 31


class FastYinYang:
    """The rules of `games.yin_yang.rules` on integers."""

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
        return Every(state).found

    def choices(self, state: int) -> int:
        """How many moves there are."""
        return int(Count(state).many)

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
        lot = Lot(random.getrandbits(30) + 1)
        dark: i64 = state & ALL
        light: i64 = state >> SQUARES & ALL
        while lot.draw(dark, light):
            if dark & lot.stone:
                dark, light = dark ^ lot.stone | lot.target, light | lot.stone
            else:
                dark, light = dark | lot.stone, light ^ lot.stone | lot.target
        return self.result(int(light) << SQUARES | int(dark))


FAST = FastYinYang
