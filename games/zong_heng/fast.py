"""Zong-Heng for searching: the position is one integer, and a push is the bits that it changes.

From the lowest bit: the ranks from the first, then the files, so that each square is held twice, and the side to move.
A line is one bit for each of its squares with a black stone, then one for each with a white one: a number so small that
what can be pushed along the line is looked up by it. Every dark square is taken, so it also tells which those are.
A random game is played on a list of these small numbers: to shift the large one at each turn took twice as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.fast import Chance
from games.rules import Position
from games.zong_heng.rules import PASS, Board, ZongHeng

REMEMBERED = 1300
"""Contents of each line, and for each side, of which the moves are kept: on a board of 8 all there are."""
BLIND: Final = 8
"""Picks of a random push without looking by one draw of random bits."""
DRAWS: Final = 2
"""Such draws before all pushes are listed."""
FEW: Final = 2
"""Empty squares from which they are listed at once."""


class Push:
    """A push along a line, the first of its kind."""

    __slots__ = ("across", "along", "origin", "target")

    def __init__(self, along: int, across: tuple[tuple[int, int], ...], origin: int, target: int) -> None:
        self.along = along
        """The bits it changes in its line."""
        self.across = across
        """Places in its line, and the bits it changes in the lines across there, if those were the first of all."""
        self.origin = origin
        self.target = target


class Pushes(dict[int, tuple[Push, ...]]):
    """What one side can push along a line, by what stands on it; fills itself as lines come up."""

    def __init__(self, size: int, side: int) -> None:
        super().__init__()
        self._size = size
        self._own = side + 1

    def __missing__(self, key: int) -> tuple[Push, ...]:
        if len(self) >= 8 * REMEMBERED:
            self.clear()
        size, found = self._size, []
        levels = [(key >> place & 1) | (key >> size + place & 1) << 1 for place in range(size)]
        for start in range(0 if all(levels[::2]) else 1, size, 2):
            found += self._push(levels[start:], start, 1) + self._push(levels[start::-1], start, -1)
        self[key] = tuple(found)
        return self[key]

    def _push(self, levels: list[int], start: int, step: int) -> list[Push]:
        """The push of the row that begins with these levels: none or one."""
        length = levels.index(0) if 0 in levels else 0
        if 2 * levels[:length].count(self._own) <= length:
            return []
        along, across = 0, []
        for place, (new, old) in enumerate(zip([self._own, *levels], levels[: length + 1], strict=False)):
            at, change = start + place * step, (new ^ old) & 1 | (new ^ old) >> 1 << self._size
            along |= change << at
            across += [(at, change)] if change else []
        return [Push(along, tuple(across), start, start + length * step)]


class Line(dict[int, tuple[int, ...]]):
    """The moves of one side along one line, by what stands on it; fills itself from the pushes of any line.

    A move is the bits that it changes and, above them, its name: line, origin and target.
    """

    def __init__(self, size: int, number: int, pushes: Pushes) -> None:
        super().__init__()
        self._first = 2 * size * number
        self._crossing = number - size if number >= size else 2 * size * size + number
        self._width = 2 * size
        self._side = 4 * size * size
        self._number = number
        self._pushes = pushes

    def __missing__(self, key: int) -> tuple[int, ...]:
        if len(self) >= REMEMBERED:
            self.clear()
        self[key] = tuple(self._move(push) for push in self._pushes[key])
        return self[key]

    def _move(self, push: Push) -> int:
        move = push.along << self._first
        for at, change in push.across:
            move |= change << self._crossing + self._width * at
        name = self._number << 8 | push.origin << 4 | push.target
        return move | (2 * name + 1) << self._side


class FastZongHeng:
    """The rules of `games.zong_heng.rules` on integers, for any size; a forced pass changes nothing but the side."""

    exact = 9
    """Empty squares from which a search to the very end takes about a second."""

    def __init__(self, game: ZongHeng) -> None:
        self._grid = game.grid
        self._size = size = game.grid.files
        self._at_side = 4 * size * size
        self._side = 1 << self._at_side
        self._bits = 2 * self._side - 1
        """Those of a state: what lies above them in a move is its name."""
        self._key = (1 << 2 * size) - 1
        self._pushes = Pushes(size, 0), Pushes(size, 1)
        self._lines = tuple([Line(size, number, own) for number in range(2 * size)] for own in self._pushes)
        self._picks = self._padded([(number, place) for number in range(2 * size) for place in range(size - 1)])
        """A line has fewer pushes than squares."""
        self._crossing = [(size, number) for number in range(size)] + [(0, number) for number in range(size)]
        """Of each line the first line across, and its place there."""
        self._left = sum(1 << at for at in range(size * size) if at % size < size - 1)
        """The squares that have one to their right."""
        inner = range(size // 4, size - size // 4)
        self._middle = sum(1 << rank * size + file for rank in inner for file in inner)

    def _padded(self, picks: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """A power of two of lines with a place among their pushes, so that random bits choose one; some name none."""
        return picks + [(0, self._size)] * ((1 << (len(picks) - 1).bit_length()) - len(picks))

    def state(self, position: Position) -> int:
        """The integer for `position`."""
        size, state = self._size, position.side << self._at_side
        for at, level in enumerate(position.cells):
            if level:
                rank, file = divmod(at, size)
                state |= 1 << 2 * size * rank + size * (level - 1) + file
                state |= 1 << 2 * size * (size + file) + size * (level - 1) + rank
        return state

    def position(self, state: int) -> Board:
        """The position of this integer."""
        black, white = self._stones(state, 0), self._stones(state, 1)
        cells = bytes((black >> at & 1) | (white >> at & 1) << 1 for at in self._grid.squares)
        return Board(cells, self.side(state), self._grid)

    def _stones(self, state: int, side: int) -> int:
        """The stones of one side by squares."""
        size, stones = self._size, 0
        for rank in range(size):
            stones |= (state >> (2 * rank + side) * size & (1 << size) - 1) << rank * size
        return stones

    def side(self, state: int) -> int:
        """Who is to move: 0 Black, 1 White."""
        return state >> self._at_side

    def left(self, state: int) -> int:
        """The turns left to the end, passes not counted: the empty squares."""
        return self._size**2 - (state & self._side - 1).bit_count() // 2

    def moves(self, state: int) -> list[int]:
        """Every push, or the forced pass; empty when the board is full."""
        found: list[int] = []
        key, width = self._key, 2 * self._size
        rest = state
        for line in self._lines[state >> self._at_side]:
            found += line[rest & key]
            rest >>= width
        return found or ([self._side] if self.left(state) else [])

    def choices(self, state: int) -> int:
        """How many moves there are."""
        return len(self.moves(state))

    def after(self, state: int, move: int) -> int:
        """The state after `move`."""
        return state ^ move & self._bits

    def text(self, state: int, move: int) -> str:
        """The text of the turn: the square the push starts from and the one it fills."""
        name = move >> self._at_side + 1
        if move == self._side:
            return PASS
        number, places = name >> 8, (name >> 4 & 15, name & 15)
        rank, size = number < self._size, self._size
        squares = [size * number + place if rank else size * place + number - size for place in places]
        return "-".join(self._grid.names(squares))

    def result(self, state: int) -> float:
        """Of a full board: 1.0 if Black's groups are the larger, 0.0 if White's, 0.5 if they are alike."""
        return self._result(self._stones(state, 1))

    def _result(self, white: int) -> float:
        blacks, lights = [0], [0]
        for dark, light, more_dark, more_light in self._groups(white):
            blacks.append(dark)
            lights.append(light)
            most, other = max(blacks), max(lights)
            if most > max(other, more_light) or other > max(most, more_dark):  # nothing as large can come
                return float(most > other)
        blacks.sort(reverse=True)
        lights.sort(reverse=True)
        return 0.5 if blacks == lights else float(blacks > lights)

    def _groups(self, white: int) -> Iterator[tuple[int, int, int, int]]:
        """The groups of a full board with these white stones: the sizes of one black and one white, or 0, and the rest.

        Those in the middle come first, for they are likely to be the largest.
        """
        size, left = self._size, (1 << self._size**2) - 1
        beside = ~(white ^ white >> 1) & self._left
        below = ~(white ^ white >> size) & left >> size
        while left:
            dark, light = left & ~white, left & white
            dark, light = dark & self._middle or dark, light & self._middle or light
            group, grown = 0, (dark & -dark) | (light & -light)
            while group != grown:
                group = grown
                grown |= (grown & beside) << 1
                grown |= (grown & below) << size
                grown |= grown >> 1 & beside
                grown |= grown >> size & below
            left ^= group
            found, rest = group & white, left & white
            yield (group ^ found).bit_count(), found.bit_count(), (left ^ rest).bit_count(), rest.bit_count()

    def playout(self, state: int, random: Chance) -> float:
        """A random game from here to its end, every turn as likely as every other: its result."""
        size, left = self._size, self.left(state)
        rows = self._rows(state)
        pushes, others = self._pushes[::-1] if self.side(state) else self._pushes
        while left:
            left -= (left > FEW and self._blind(rows, pushes, random)) or self._any(rows, pushes, random)
            pushes, others = others, pushes
        return self._result(sum(rows[rank] >> size << rank * size for rank in range(size)))

    def _rows(self, state: int) -> list[int]:
        """What stands on each line."""
        return [state >> 2 * self._size * number & self._key for number in range(2 * self._size)]

    def _blind(self, rows: list[int], pushes: Pushes, random: Chance) -> int:
        """Make the first push that random bits happen to name, each time a line and a place: 1, or 0 if they do not."""
        picks = self._picks
        last, width = len(picks) - 1, len(picks).bit_length() - 1
        for _ in range(DRAWS):
            chances = random.getrandbits(width * BLIND)
            for _ in range(BLIND):
                number, place = picks[chances & last]
                found = pushes[rows[number]]
                if place < len(found):
                    return self._make(rows, number, found[place])
                chances >>= width
        return 0

    def _any(self, rows: list[int], pushes: Pushes, random: Chance) -> int:
        """Make any push: 1, or 0 if there is none."""
        moves = [(number, push) for number, row in enumerate(rows) for push in pushes[row]]
        if not moves:
            return 0
        number, push = moves[int(random.random() * len(moves))]
        return self._make(rows, number, push)

    def _make(self, rows: list[int], number: int, push: Push) -> int:
        """Make the push along the line of this number."""
        first, place = self._crossing[number]
        rows[number] ^= push.along
        for at, change in push.across:
            rows[first + at] ^= change << place
        return 1


FAST = FastZongHeng
