"""Works out ZhiZhu's endings backwards from the finished games, all those with the same stones together.

An ending is a place in the table of its stones: the mover's standing and the other's, as `endgame_web` numbers them.
`Layer` holds both tables that slides lead between, the mover having more stones and having fewer.

1. Every ending is looked at once: who is shut in has lost; who can take a stone and so come to an ending that is lost
   for the other, wins. Endings with fewer stones are known by then.
2. Then, by the distance from the end: from an ending that is lost every slide that leads there has won. One that is
   won asks of every slide that leads there whether now all turns lose, and the longest of them is the distance.

What is never reached is drawn: neither side can force an end.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator

from firmware_bridge.engine.endgame_web import Standings, standing, standings, turned
from games.fast.zhizhu import ALL, NEIGHBOURS, NUMBER, bits, owed, removals

FARTHEST = 254
"""Plies; a byte of the table is a distance and one."""
Slide = tuple[int, int, int]
"""The standing after it, the point it comes from and the point it goes to as masks."""


class Ways:
    """The standings of so many stones with what they can do; the other's stones not looked at."""

    def __init__(self, stones: int) -> None:
        ways = standings(stones)
        self.stones = stones
        self.known: Standings = ways
        self.masks = array("I", [way & ALL for way in ways.all])
        self.seen = tuple(array("I", [ways.number[turned(way, side)] for way in ways.all]) for side in range(32))
        """For each side the standings as they look from there."""
        self.quiet: list[tuple[Slide, ...]] = []
        """For each standing the slides that make no chain."""
        self.closing: list[tuple[tuple[int, int, int], ...]] = []
        """For each standing those that make one: the standing after it, the point as a mask, the stones owed."""
        self.before: list[list[tuple[int, int]]] = [[] for _ in ways.all]
        """For each standing where quiet slides that lead to it begin: the standing, the point as a mask."""
        self.left: dict[tuple[int, int], tuple[int, ...]] = {}
        """What `fewer` has found."""
        for number, way in enumerate(ways.all):
            self._add(number, list(self._slides(way & ALL, way >> 24)))

    def _slides(self, stones: int, back: int) -> Iterator[tuple[int, int, int, int]]:
        """The standing after each slide, origin and target as masks, the stones owed."""
        for point in bits(stones):
            rest = stones ^ 1 << point
            leaving = owed(rest, point)
            for target in bits(NEIGHBOURS[point] & ~stones):
                count = owed(rest, target)
                if not count or NUMBER[point, target] != back:
                    after = standing(rest | 1 << target, NUMBER[target, point] if leaving else 0)
                    yield self.known.number[after], 1 << point, 1 << target, count

    def _add(self, number: int, slides: list[tuple[int, int, int, int]]) -> None:
        self.quiet.append(tuple((after, origin, target) for after, origin, target, count in slides if not count))
        self.closing.append(tuple((after, target, count) for after, _, target, count in slides if count))
        for after, origin, _ in self.quiet[-1]:
            self.before[after].append((number, origin))

    def fewer(self, number: int, count: int) -> tuple[int, ...]:
        """The standings, of `count` stones fewer, that are left where `count` are taken from this one."""
        if (number, count) not in self.left:
            way, left = self.known.all[number], standings(self.stones - count).number
            taken = removals(way & ALL, count)
            self.left[number, count] = tuple(left[standing(way & ALL ^ gone, way >> 24)] for gone in taken)
        return self.left[number, count]


class Table:
    """The endings in which the mover has some stones and the other some: a byte each, and 0 where it is not known."""

    def __init__(self, own: Ways, other: Ways) -> None:
        self.own, self.other = own, other
        self.bytes = bytearray(len(own.known.rows) * len(other.known))

    def place(self, own: int, other: int) -> int:
        """As `endgame_web.place`, by the numbers of the standings."""
        known, seen = self.own.known, self.other.seen
        row = known.row[own]
        other = seen[known.seen[own]][other]
        same = known.same[row]
        return row * len(seen[0]) + (min(other, min([seen[side][other] for side in same])) if same else other)

    def at(self, place: int) -> tuple[int, int]:
        """The standings of a place."""
        row, other = divmod(place, len(self.other.masks))
        return self.own.known.rows[row], other

    def row(self, row: int) -> Iterator[tuple[int, int]]:
        """The endings of a row: place and the other's standing; of those that are alike one."""
        own, same, first = self.own.known.rows[row], self.own.known.same[row], row * len(self.other.masks)
        stones = self.own.masks[own]
        for other, mask in enumerate(self.other.masks):
            if not mask & stones and all(self.other.seen[side][other] >= other for side in same):
                yield first + other, other


Tables = dict[tuple[int, int], Table]


class Layer:
    """The endings with so many stones, whoever is to move."""

    def __init__(self, more: Ways, fewer: Ways, smaller: Tables, told: Callable[[], None]) -> None:
        self.tables = [Table(more, fewer)] + [Table(fewer, more)] * (more is not fewer)
        self.smaller = smaller
        self.told = told
        """Hears of every ending that is found to be won or lost."""
        self.found: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
        """By distance the places that may have it, twice their number and one more in the second table."""

    def solve(self) -> None:
        """Fill the tables."""
        for which, table in enumerate(self.tables):
            for row in range(len(table.own.known.rows)):
                self._look(which, table, row)
        for distance in range(FARTHEST + 1):
            for code in self.found.pop(distance, ()):
                self._settle(code & 1, code >> 1, distance)
        if self.found:
            raise OverflowError("a win that takes longer than a byte can say")

    def _look(self, which: int, table: Table, row: int) -> None:
        """Note the endings of a row that are decided at once, or by taking a stone."""
        own = table.own.known.rows[row]
        reach = sum({target for _, _, target in table.own.quiet[own]})
        closing = table.own.closing[own]
        masks = table.other.masks
        for place, other in table.row(row):
            distance = self._taking(table, closing, other) if closing else None
            if distance is None and not reach & ~masks[other]:
                distance = self._lost(which, place)
            if distance is not None:
                self.found[distance].append(place << 1 | which)

    def _taking(self, table: Table, closing: tuple[tuple[int, int, int], ...], other: int) -> int | None:
        """The distance of the quickest win by taking stones; None if there is none."""
        lost = [value for value in self._taken(table, closing, other) if value & 1]
        return min(lost) if lost else None

    def _taken(self, table: Table, closing: tuple[tuple[int, int, int], ...], other: int) -> Iterator[int]:
        """The bytes of the endings that follow where stones are taken."""
        mask = table.other.masks[other]
        for after, target, count in closing:
            if not target & mask:
                if table.other.stones - count <= 2:
                    yield 1
                    continue
                smaller = self.smaller[table.other.stones - count, table.own.stones]
                for left in table.other.fewer(other, count):
                    yield smaller.bytes[smaller.place(left, after)]

    def _lost(self, which: int, place: int) -> int | None:
        """The distance of an ending that every turn loses; None if one does not, as far as is known."""
        longest = 0
        for value in self._after(which, place):
            if not value or value & 1:
                return None
            longest = max(longest, value)
        return longest

    def _after(self, which: int, place: int) -> Iterator[int]:
        """The bytes of the endings that follow."""
        table, after = self.tables[which], self.tables[which - 1]
        own, other = table.at(place)
        mask = table.other.masks[other]
        for way, _, target in table.own.quiet[own]:
            if not target & mask:
                yield after.bytes[after.place(other, way)]
        yield from self._taken(table, table.own.closing[own], other)

    def _settle(self, which: int, place: int, distance: int) -> None:
        """Write a distance down if there is none yet, and note what follows for the endings that lead there."""
        table, earlier = self.tables[which], (which - 1) % len(self.tables)
        if table.bytes[place]:
            return
        table.bytes[place] = distance + 1
        self.told()
        for start in self._before(which, place):
            longest = self._lost(earlier, start) if distance & 1 else distance + 1
            if longest is not None:
                self.found[longest].append(start << 1 | earlier)

    def _before(self, which: int, place: int) -> Iterator[int]:
        """The places, not settled yet, from which a quiet slide leads here; of the table of the other side."""
        table, before = self.tables[which], self.tables[which - 1]
        own, other = table.at(place)
        mask = table.own.masks[own]
        for way, origin in table.other.before[other]:
            if not origin & mask:
                start = before.place(way, own)
                if not before.bytes[start]:
                    yield start


def worked_out(stones: int, told: Callable[[], None]) -> Tables:
    """The tables up to so many stones a player; `told` hears of every ending that is won or lost."""
    ways = {count: Ways(count) for count in range(3, stones + 1)}
    tables: Tables = {}
    for more in range(3, stones + 1):
        for fewer in range(3, more + 1):
            layer = Layer(ways[more], ways[fewer], tables, told)
            layer.solve()
            tables |= {(table.own.stones, table.other.stones): table for table in layer.tables}
    return tables
