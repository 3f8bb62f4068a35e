"""Yin-Yang for searching: the position is one integer, and a move is the bits that it changes.

From the lowest bit: 36 for the dark stones by their squares, 36 for the light ones, one for the side to move. A board
of 36 bits is worked on as a whole: like neighbours are added up on all squares at once, and what is free one, two ...
five squares further is a shift. Compiled, a board is a number of the processor's own (`i64`), which makes random games
four times as fast; without the compiler the name is nothing but a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.core import Core, Luck, Turns, ones
from games.fast import Chance
from games.grid import Line
from games.rules import Position
from games.yin_yang.rules import GRID, SIZE, Board, YinYang

if TYPE_CHECKING:
    from mypy_extensions import i64

SQUARES: Final = SIZE * SIZE
ALL: Final = (1 << SQUARES) - 1
SIDE: Final = 1 << 2 * SQUARES
TO_MOVE: Final = 1 << SQUARES
"""Two to move, in the first word of a `CoreYinYang`."""
STEPS: Final = SIZE - 1
"""Squares that a stone goes, at most."""


def mask(squares: Line) -> int:
    """These squares as bits."""
    return sum(1 << square for square in squares)


FILES_BUT_LAST: Final = mask(tuple(square for square in GRID.squares if square % SIZE < SIZE - 1))
FILES_BUT_FIRST: Final = FILES_BUT_LAST << 1
MATCHING: Final = sum(1 << square + (0 if GRID.dark[square] else SQUARES) for square in GRID.squares)
"""The bits of stones that match their squares."""
DARK_MATCHING: Final = MATCHING & ALL
LIGHT_MATCHING: Final = MATCHING >> SQUARES
"""Those of dark stones and of light ones."""


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


def moved(stone: i64, step: i64) -> i64:
    """A stone so many squares further, by their numbers."""
    return stone << step if step > 0 else stone >> -step


class Movers:
    """The stones that can move: boards of those that can go down, left, up and right, and of those that go how far."""

    def __init__(self) -> None:
        self.dark: i64 = 0
        self.light: i64 = 0
        self.down: i64 = 0
        self.left: i64 = 0
        self.up: i64 = 0
        self.right: i64 = 0
        self._one: i64 = 0
        self._two: i64 = 0
        self._three: i64 = 0
        self._four: i64 = 0

    def look(self, dark: i64, light: i64) -> i64:
        """Look at these stones: how many moves they have."""
        free: i64 = ALL ^ (dark | light)
        downs, lefts = free << SIZE & ALL, free << 1 & FILES_BUT_FIRST
        ups, rights = free >> SIZE, free >> 1 & FILES_BUT_LAST
        a, b, c, d, e = alike(dark)
        f, g, h, i, j = alike(light)
        one, two, three, four, five = a | f, b | g, c | h, d | i, e | j
        self.dark, self.light, self._one, self._two, self._three, self._four = dark, light, one, two, three, four
        all_down, all_left, all_up, all_right = one & downs, one & lefts, one & ups, one & rights
        down, left, up, right = downs, lefts, ups, rights
        while two | three | four | five:  # a stone has but one distance, so those of all distances share a board
            down, left = downs & down << SIZE, lefts & left << 1
            up, right = ups & up >> SIZE, rights & right >> 1
            all_down, all_left, all_up, all_right = (
                all_down | two & down,
                all_left | two & left,
                all_up | two & up,
                all_right | two & right,
            )
            two, three, four, five = three, four, five, 0
        self.down, self.left, self.up, self.right = all_down, all_left, all_up, all_right
        return ones(all_down) + ones(all_left) + ones(all_up) + ones(all_right)

    def far(self, stone: i64) -> i64:
        """How many squares this stone goes."""
        if stone & self._one:
            return 1
        if stone & self._two:
            return 2
        if stone & self._three:
            return 3
        return 4 if stone & self._four else 5

    def ways(self) -> list[tuple[int, int]]:
        """For each direction the stones that can go there, and what a step adds to the number of a square."""
        return [(self.down, -SIZE), (self.left, -1), (self.up, SIZE), (self.right, 1)]


class CoreYinYang(Core):
    """The rules on two words: the dark stones with the side to move, and the light ones."""

    def __init__(self) -> None:
        self._movers = Movers()

    def words(self, state: int) -> tuple[i64, i64]:
        """The words for a state."""
        return state & ALL | state >> SQUARES & TO_MOVE, state >> SQUARES & ALL

    def state(self, a: i64, b: i64) -> int:
        """The state for these words."""
        return int(a & ALL) | int(b) << SQUARES | int(a & TO_MOVE) << SQUARES

    def count(self, a: i64, b: i64) -> i64:
        """How many legal turns there are."""
        return self._movers.look(a & ALL, b)

    def fill(self, a: i64, b: i64, turns: Turns) -> None:
        """Fill `turns` with every legal turn; none exactly when the game is over."""
        movers = self._movers
        movers.look(a & ALL, b)
        turns.many = 0
        other: i64 = ~a & TO_MOVE
        self._go(movers.down, -SIZE, other, turns)
        self._go(movers.left, -1, other, turns)
        self._go(movers.up, SIZE, other, turns)
        self._go(movers.right, 1, other, turns)

    def ended(self, a: i64, b: i64) -> i64:
        """2 if the side to move has the higher score, else 0; equal, Two wins."""
        matching = ones(a & DARK_MATCHING) + ones(b & LIGHT_MATCHING)
        one_wins = 2 * matching > ones(a & ALL) + ones(b)
        return 2 if one_wins == (a & TO_MOVE == 0) else 0

    def _go(self, stones: i64, step: i64, other: i64, turns: Turns) -> None:
        """Add the turns of these stones in one direction."""
        movers = self._movers
        way: i64 = (2 if step > 0 else 0) + (step & 1)
        while stones:
            stone = stones & -stones
            stones ^= stone
            far = movers.far(stone)
            target = moved(stone, far * step)
            dark, light = movers.dark | stone, movers.light | stone
            if movers.dark & stone:
                dark ^= stone ^ target
            else:
                light ^= stone ^ target
            turns.add(dark | other, light, (ones(stone - 1) * 4 + way) * STEPS + far - 1, 0)


class Lot:
    """One move after another by chance, each as likely as every other."""

    def __init__(self, seed: int) -> None:
        self.stone: i64 = 0
        self.target: i64 = 0
        self._luck = Luck(seed)
        self._movers = Movers()

    def draw(self, dark: i64, light: i64) -> bool:
        """Choose a stone and where it goes; False if none can move."""
        movers = self._movers
        many = movers.look(dark, light)
        if not many:
            return False
        which = self._luck.among(many)
        here = ones(movers.down)
        if which < here:
            return self._take(movers.down, which, -SIZE)
        which -= here
        here = ones(movers.left)
        if which < here:
            return self._take(movers.left, which, -1)
        which -= here
        here = ones(movers.up)
        if which < here:
            return self._take(movers.up, which, SIZE)
        return self._take(movers.right, which - here, 1)

    def _take(self, stones: i64, which: i64, step: i64) -> bool:
        """Choose the stone of that number among these, and a direction."""
        while which:
            stones &= stones - 1
            which -= 1
        self.stone = stones & -stones
        self.target = moved(self.stone, step * self._movers.far(self.stone))
        return True


class FastYinYang:
    """The rules of `games.yin_yang.rules` on integers."""

    exact = 20
    """Turns left, at most, from which a search to the very end takes a second at most, mostly far less."""

    def __init__(self, game: YinYang) -> None:
        """Whatever the options of `game`."""
        self._movers = Movers()

    def core(self) -> CoreYinYang:
        """The rules on two words."""
        return CoreYinYang()

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
        movers = self._movers
        movers.look(state & ALL, state >> SQUARES & ALL)
        found: list[int] = []
        for left, step in movers.ways():
            stones = left
            while stones:
                stone = stones & -stones
                stones ^= stone
                both = SIDE | stone << SQUARES | stone
                target = int(moved(stone, step * int(movers.far(stone))))
                found.append(both | (target if state & stone else target << SQUARES))
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
        lot = Lot(random.getrandbits(31))
        dark: i64 = state & ALL
        light: i64 = state >> SQUARES & ALL
        while lot.draw(dark, light):
            if dark & lot.stone:
                dark, light = dark ^ lot.stone | lot.target, light | lot.stone
            else:
                dark, light = dark | lot.stone, light ^ lot.stone | lot.target
        return self.result(int(light) << SQUARES | int(dark))


FAST = FastYinYang
