"""How a few stones of one player can stand on ZhiZhu's web, alike if turned, mirrored or with the circles exchanged.

A *standing* is the points of one player's stones, 24 bits, and above them the number of the return that player must
not make (`games.fast.zhizhu`), where that matters: it makes a chain again with the stones as they are. What bars no
slide is left out, so that few standings have a return.

The rules look the same from 32 sides: eight turns of the web, each of them mirrored or not, each of these with the
outer and the inner circle exchanged or not. All 32 take neighbours to neighbours, lines to lines and circles to
circles, and nothing else is said of points by the rules.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from games._web import POINTS
from games.fast.zhizhu import ALL, NEIGHBOURS, NUMBER, RETURNS, bits, fill, owed


def _sides() -> Iterator[tuple[int, ...]]:
    """Where each point comes to lie, for each of the 32 sides; first as it is."""
    for circles in (0, 1, 2), (2, 1, 0):
        for way in (1, -1):
            for turn in range(8):
                yield tuple(8 * circles[point // 8] + (way * point + turn) % 8 for point in POINTS)


SIDES = tuple(_sides())
TURNED = tuple(
    tuple(tuple(sum(1 << side[first + bit] for bit in bits(circle)) for circle in range(256)) for first in (0, 8, 16))
    for side in SIDES
)
"""For each side and circle where eight bits come to lie."""
TURNED_RETURNS = tuple(
    tuple(NUMBER[side[slide[0]], side[slide[1]]] << 24 if slide else 0 for slide in RETURNS) for side in SIDES
)


def turned(standing: int, side: int) -> int:
    """The standing as it looks from one of the 32 sides."""
    outer, middle, inner = TURNED[side]
    points = outer[standing & 255] | middle[standing >> 8 & 255] | inner[standing >> 16 & 255]
    return points | TURNED_RETURNS[side][standing >> 24] if standing > ALL else points


def standing(stones: int, back: int) -> int:
    """The standing of these stones with the return of this number, 0 for none."""
    if back:
        origin, target = RETURNS[back] or (0, 0)
        if stones >> origin & 1 and not stones >> target & 1 and owed(stones ^ 1 << origin, target):
            return stones | back << 24
    return stones


def with_returns(stones: int) -> Iterator[int]:
    """The standings of these stones: without a return, then with each that would make a chain."""
    yield stones
    for target in bits(fill(stones) & ~stones):
        for origin in bits(NEIGHBOURS[target] & stones):
            if owed(stones ^ 1 << origin, target):
                yield stones | NUMBER[origin, target] << 24


class Standings:
    """Every standing of so many stones, in one order, and which of them are alike.

    Of those that are alike one has a row of the table of endings. 11,586 standings of four stones in 428 rows.
    """

    def __init__(self, stones: int) -> None:
        masks = (sum(1 << point for point in points) for points in combinations(POINTS, stones))
        self.all = [way for mask in masks for way in with_returns(mask)]
        self.number = {way: number for number, way in enumerate(self.all)}
        self.row = array("i", [-1]) * len(self.all)
        """The row of each."""
        self.seen = bytearray(len(self.all))
        """The side from which each looks like the one that has the row."""
        self.rows: list[int] = []
        """The numbers of those that have a row."""
        self.same: list[tuple[int, ...]] = []
        """For each row the sides, except the first, from which that standing looks the same."""
        for number, row in enumerate(self.row):
            if row < 0:
                self._add_row(number)

    def __len__(self) -> int:
        return len(self.all)

    def _add_row(self, number: int) -> None:
        way = self.all[number]
        same = []
        for side in range(32):
            other = self.number[turned(way, side)]
            if other == number and side:
                same.append(side)
            elif self.row[other] < 0:
                self.row[other], self.seen[other] = len(self.rows), BACK[side]
        self.rows.append(number)
        self.same.append(tuple(same))


def _back(side: tuple[int, ...]) -> int:
    return SIDES.index(tuple(side.index(point) for point in POINTS))


BACK = tuple(_back(side) for side in SIDES)
"""For each side the one that turns it back."""


@cache
def standings(stones: int) -> Standings:
    """Those of so many stones, made once."""
    return Standings(stones)


def place(own: int, other: int) -> int:
    """The place of an ending among those with as many stones: the mover's standing and the other's."""
    ways, others = standings((own & ALL).bit_count()), standings((other & ALL).bit_count())
    number = ways.number[own]
    row, other = ways.row[number], turned(other, ways.seen[number])
    least = min([others.number[other], *(others.number[turned(other, side)] for side in ways.same[row])])
    return row * len(others) + least
