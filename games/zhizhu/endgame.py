"""The endings of ZhiZhu, worked out once: with few stones and empty hands, who wins and in how many turns.

An ending is the stones of both players, who is to move, and the return that each must not make. Its byte in the table
is 0 if the game is drawn, else one more than the *distance*: the turns of both players until the end, if the winner
hurries and the loser puts it off. The distance is odd if the mover wins and even if the other does. It falls with every
turn of a win that is played well, so the engine gets to the end and does not go round; to know who wins would not be
enough.

**Standings.** A *standing* is the points of one player's stones, 24 bits, and above them the number of the return that
the player must not make (`games.zhizhu.fast`), where that matters: where it makes a chain again with the stones as they
are. A return that bars no slide is left out, so few standings have one.

**Symmetry.** The rules look the same from 32 sides: eight turns of the web, each mirrored or not, each of these with
the outer and the inner ring exchanged or not. All 32 take neighbours to neighbours, lines to lines and rings to
rings, and the rules say nothing else of points. Endings that are alike from some side have one place in the table.

**Working out** (`Layer`) goes backwards from the finished games, through all endings with the same numbers of stones
together: both tables that slides lead between, the mover having more stones and having fewer.

1. Every ending is looked at once. A mover who is shut in has lost. One who can take a stone and so come to an ending
   that is lost for the other has won; endings with fewer stones are known by then.
2. Then by the distance from the end: from an ending that is lost, every slide that leads there has won. An ending that
   is won asks of every slide that leads there whether all turns now lose; the longest of them is the distance.
3. What is never reached is drawn: neither side can force an end.

**What is proved**, with the house rule on the third standing of a position (`stood` are the positions that have stood
twice):

- *Draws*, always. Whoever keeps to drawn positions cannot be forced out of them, and a third standing only draws.
- *Wins and losses in which nothing stood twice.* The distance falls with every turn of a win, so no position of it
  comes twice; one that stood once before may come again, and that is its second time.
- *Wins and losses no farther from the end than any decided position in `stood`.* On the line to the end are only
  positions nearer to it; none of these is in `stood`, and none is drawn.

Elsewhere the third standing may save the loser: there the search goes on, and the table is only its estimate.
"""

from __future__ import annotations

import zlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import combinations

from games.endings import Ask
from games.fast import DECIDED, WON
from games.rules import say
from games.zhizhu.fast import ALL, NEIGHBOURS, NUMBER, RETURNS, back, bits, fill, hand, owed, removals
from games.zhizhu.web import POINTS

LEAST, LARGEST = 3, 4
"""Stones of each player in the smallest and in the largest ending: about 1.1 MB in the file, 7 MB in memory."""
DECISIVE = {2: 0, 3: 40_383, 4: 2_171_607}
"""How many endings are won or lost up to so many stones of each player, counted by working them out."""
TOLD = 2000
"""Endings between two reports of progress: a twentieth of a second on the computer this was written on."""
FARTHEST = 254
"""Plies: the largest distance that a byte of the table can hold."""
GUESS = DECIDED // 2
"""The weight of a win that the house rule may yet turn into a draw: more than any other estimate."""
Stones = tuple[int, int]
"""The numbers of the mover's stones and of the other's."""
Slide = tuple[int, int, int]
"""The number of the standing after it, the point it comes from and the point it goes to as masks."""


# Standings ------------------------------------------------------------------------------------


def _sides() -> Iterator[tuple[int, ...]]:
    """For each of the 32 sides where each point comes to lie; the first side leaves all as it is."""
    for rings in (0, 1, 2), (2, 1, 0):
        for direction in (1, -1):
            for turn in range(8):
                yield tuple(8 * rings[point // 8] + (direction * point + turn) % 8 for point in POINTS)


SIDES = tuple(_sides())
TURNED = tuple(
    tuple(tuple(sum(1 << side[first + bit] for bit in bits(ring)) for ring in range(256)) for first in (0, 8, 16))
    for side in SIDES
)
"""For each side and ring: the mask of a ring's eight bits -> the mask of where they come to lie."""
TURNED_RETURNS = tuple(
    tuple(NUMBER[side[slide[0]], side[slide[1]]] << 24 if slide else 0 for slide in RETURNS) for side in SIDES
)
"""For each side: the number of a return -> its number as seen from there, above the points."""


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
    """Every standing of so many stones, numbered, and which of them are alike.

    Of those that are alike one has a row of the table of endings: four stones have 11,586 standings and 428 rows.
    """

    def __init__(self, stones: int) -> None:
        masks = (sum(1 << point for point in points) for points in combinations(POINTS, stones))
        self.all = [each for mask in masks for each in with_returns(mask)]
        self.number = {each: number for number, each in enumerate(self.all)}
        self.row = array("i", [-1]) * len(self.all)
        """Number of a standing -> its row."""
        self.seen = bytearray(len(self.all))
        """Number of a standing -> the side from which it looks like the one that has the row."""
        self.rows: list[int] = []
        """Row -> the number of the standing that has it."""
        self.same: list[tuple[int, ...]] = []
        """Row -> the sides, except the first, from which its standing looks the same."""
        for number, row in enumerate(self.row):
            if row < 0:
                self._add_row(number)

    def __len__(self) -> int:
        return len(self.all)

    def _add_row(self, number: int) -> None:
        own = self.all[number]
        same = []
        for side in range(32):
            other = self.number[turned(own, side)]
            if other == number and side:
                same.append(side)
            elif self.row[other] < 0:
                self.row[other], self.seen[other] = len(self.rows), BACK_TURNED[side]
        self.rows.append(number)
        self.same.append(tuple(same))


def _back(side: tuple[int, ...]) -> int:
    return SIDES.index(tuple(side.index(point) for point in POINTS))


BACK_TURNED = tuple(_back(side) for side in SIDES)
"""For each side the one that turns it back."""


@cache
def standings(stones: int) -> Standings:
    """The standings of so many stones, made once."""
    return Standings(stones)


def place(own: int, other: int) -> int:
    """The place in its table of the ending with the mover's standing `own` and the standing `other`."""
    mine, others = standings((own & ALL).bit_count()), standings((other & ALL).bit_count())
    number = mine.number[own]
    row, other = mine.row[number], turned(other, mine.seen[number])
    least = min([others.number[other], *(others.number[turned(other, side)] for side in mine.same[row])])
    return row * len(others) + least


# The table ------------------------------------------------------------------------------------


@cache
def order(reach: int) -> tuple[Stones, ...]:
    """The tables up to so many stones of each player, in the order in which they are saved."""
    return tuple((own, other) for own in range(3, reach + 1) for other in range(3, reach + 1))


def size(stones: Stones) -> int:
    """The bytes of a table."""
    return len(standings(stones[0]).rows) * len(standings(stones[1]))


class Endgame:
    """The endings with up to `reach` stones of each player: for each pair of numbers the bytes of its endings."""

    def __init__(self, tables: dict[Stones, bytes], reach: int) -> None:
        self.tables = tables
        self.reach = reach

    def distance(self, state: int) -> int | None:
        """The distance of a state: even if the mover loses, -1 if drawn, None where the table has no such ending."""
        if hand(state, 0) or hand(state, 1):
            return None
        dark, light = state & ALL, state >> 24 & ALL
        count = dark.bit_count(), light.bit_count()
        if max(count) > self.reach or min(count) < 3:
            return None
        dark, light = standing(dark, back(state, 0)), standing(light, back(state, 1))
        if state >> 48 & 1:
            return self.tables[count[1], count[0]][place(light, dark)] - 1
        return self.tables[count][place(dark, light)] - 1

    def weight(self, state: int) -> int | None:
        """The weight of `state` for its side to move if nothing stood before it; None where the table does not say."""
        distance = self.distance(state)
        return None if distance is None else weight(distance, WON)

    def known(self, root: int, stood: Collection[int]) -> Ask:
        """What is proved; no draws if `root` is one, so that the search finds the turn that asks most of the other."""
        return self._ask(stood, draws=self.distance(root) != -1)

    def ahead(self, root: int, stood: Collection[int]) -> Ask:
        """As `known`, and an estimate by the distance where the result is not proved."""
        return self._ask(stood, draws=self.distance(root) != -1, guess=True)

    def exact(self, root: int, stood: Collection[int]) -> Ask | None:
        """What is proved, if `root` is drawn; else None."""
        return self._ask(stood, draws=True) if self.distance(root) == -1 else None

    def _ask(self, stood: Collection[int], *, draws: bool, guess: bool = False) -> Ask:
        nearest, least, most = self._nearest(stood), -1 if draws else 0, self.reach

        def ask(state: int) -> int | None:
            if (state & ALL).bit_count() > most:  # nearly every position of a search: so they take no more time
                return None
            distance = self.distance(state)
            if distance is None or distance < least or (distance > nearest and not guess):
                return None
            return weight(distance, WON if distance <= nearest else GUESS)

        return ask

    def _nearest(self, stood: Collection[int]) -> int:
        """The distance of the decided position in `stood` that is nearest to the end."""
        distances = [self.distance(state) for state in stood]
        return min([distance for distance in distances if distance is not None and distance >= 0], default=FARTHEST)

    def packed(self) -> bytes:
        """The tables, one after another, compressed."""
        return zlib.compress(b"".join(self.tables[stones] for stones in order(self.reach)), 9)


def weight(distance: int, won: int) -> int:
    """The weight of a distance: a nearer win is worth more, a nearer loss less; 0 for a draw."""
    return 0 if distance < 0 else won - distance if distance & 1 else distance - won


def most() -> int:
    """The bytes of all tables before they are compressed."""
    return sum(map(size, order(LARGEST)))


def unpacked(reach: int, data: bytes) -> Endgame:
    """The tables up to this reach from what `Endgame.packed` gave; ValueError if they cannot be right."""
    if not LEAST <= reach <= LARGEST:
        raise ValueError("no such reach")
    whole = sum(map(size, order(reach)))
    try:
        tables = zlib.decompressobj().decompress(data, whole + 1)
    except zlib.error as error:
        raise ValueError(*error.args) from None
    if len(tables) != whole:
        raise ValueError("another size")
    return Endgame(parted(tables, reach), reach)


def parted(data: bytes, reach: int) -> dict[Stones, bytes]:
    """The tables from their bytes, one after another."""
    found, first = {}, 0
    for stones in order(reach):
        found[stones] = data[first : first + size(stones)]
        first += size(stones)
    return found


# Working out ----------------------------------------------------------------------------------


class SlideGraph:
    """The standings of so many stones and the slides between them, whatever the other player's stones are."""

    def __init__(self, stones: int) -> None:
        known = standings(stones)
        self.stones = stones
        self.known: Standings = known
        self.masks = array("I", [each & ALL for each in known.all])
        self.seen = tuple(array("I", [known.number[turned(each, side)] for each in known.all]) for side in range(32))
        """Side -> number of a standing -> number of the standing that it looks like from there."""
        self.quiet: list[tuple[Slide, ...]] = []
        """Number of a standing -> its slides that make no chain."""
        self.closing: list[tuple[tuple[int, int, int], ...]] = []
        """Number of a standing -> its slides that make a chain: the standing after, target as a mask, stones owed."""
        self.before: list[list[tuple[int, int]]] = [[] for _ in known.all]
        """Number of a standing -> the quiet slides that lead to it: the standing before, the origin as a mask."""
        self._fewer: dict[tuple[int, int], tuple[int, ...]] = {}
        """What `fewer` has found."""
        for number, each in enumerate(known.all):
            self._add(number, list(self._slides(each & ALL, each >> 24)))

    def _slides(self, stones: int, back: int) -> Iterator[tuple[int, int, int, int]]:
        """Every slide: the number of the standing after it, origin and target as masks, the stones owed."""
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
        """The numbers of the standings that are left when `count` stones are taken from this one."""
        if (number, count) not in self._fewer:
            full, left = self.known.all[number], standings(self.stones - count).number
            taken = removals(full & ALL, count)
            self._fewer[number, count] = tuple(left[standing(full & ALL ^ gone, full >> 24)] for gone in taken)
        return self._fewer[number, count]


class Table:
    """The endings with one number of stones for the mover and one for the other: a byte each, 0 until it is known."""

    def __init__(self, own: SlideGraph, other: SlideGraph) -> None:
        self.own, self.other = own, other
        self.bytes = bytearray(len(own.known.rows) * len(other.known))

    def place(self, own: int, other: int) -> int:
        """The same as the function `place`, by the numbers of the standings."""
        known, seen = self.own.known, self.other.seen
        row = known.row[own]
        other = seen[known.seen[own]][other]
        same = known.same[row]
        return row * len(seen[0]) + (min(other, min([seen[side][other] for side in same])) if same else other)

    def at(self, place: int) -> tuple[int, int]:
        """The numbers of both standings at a place."""
        row, other = divmod(place, len(self.other.masks))
        return self.own.known.rows[row], other

    def row(self, row: int) -> Iterator[tuple[int, int]]:
        """The endings of a row, place and number of the other's standing; of those that are alike only one."""
        own, same, first = self.own.known.rows[row], self.own.known.same[row], row * len(self.other.masks)
        stones = self.own.masks[own]
        for other, mask in enumerate(self.other.masks):
            if not mask & stones and all(self.other.seen[side][other] >= other for side in same):
                yield first + other, other


Tables = dict[tuple[int, int], Table]


class Layer:
    """The endings with these numbers of stones, whoever is to move; `smaller` are the tables with fewer stones.

    `told` is called for every ending that is found to be won or lost.
    """

    def __init__(self, more: SlideGraph, fewer: SlideGraph, smaller: Tables, told: Callable[[], None]) -> None:
        self.tables = [Table(more, fewer)] + [Table(fewer, more)] * (more is not fewer)
        self._smaller = smaller
        self._told = told
        self._found: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
        """Distance -> the endings that may have it: twice the place, and one more in the second table."""

    def solve(self) -> None:
        """Fill the tables."""
        for which, table in enumerate(self.tables):
            for row in range(len(table.own.known.rows)):
                self._look(which, table, row)
        for distance in range(FARTHEST + 1):
            for code in self._found.pop(distance, ()):
                self._settle(code & 1, code >> 1, distance)
        if self._found:
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
                self._found[distance].append(place << 1 | which)

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
                smaller = self._smaller[table.other.stones - count, table.own.stones]
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
        for reached, _, target in table.own.quiet[own]:
            if not target & mask:
                yield after.bytes[after.place(other, reached)]
        yield from self._taken(table, table.own.closing[own], other)

    def _settle(self, which: int, place: int, distance: int) -> None:
        """Write the distance down if there is none yet, and note what follows for the endings that lead there."""
        table, earlier = self.tables[which], (which - 1) % len(self.tables)
        if table.bytes[place]:
            return
        table.bytes[place] = distance + 1
        self._told()
        for start in self._before(which, place):
            longest = self._lost(earlier, start) if distance & 1 else distance + 1
            if longest is not None:
                self._found[longest].append(start << 1 | earlier)

    def _before(self, which: int, place: int) -> Iterator[int]:
        """The places in the other side's table, not settled yet, from which a quiet slide leads here."""
        table, before = self.tables[which], self.tables[which - 1]
        own, other = table.at(place)
        mask = table.own.masks[own]
        for begun, origin in table.other.before[other]:
            if not origin & mask:
                start = before.place(begun, own)
                if not before.bytes[start]:
                    yield start


def worked_out(stones: int, told: Callable[[], None]) -> Tables:
    """The tables up to so many stones of each player; `told` is called for every ending that is won or lost."""
    graphs = {count: SlideGraph(count) for count in range(3, stones + 1)}
    tables: Tables = {}
    for more in range(3, stones + 1):
        for fewer in range(3, more + 1):
            layer = Layer(graphs[more], graphs[fewer], tables, told)
            layer.solve()
            tables |= {(table.own.stones, table.other.stones): table for table in layer.tables}
    return tables


def build(reach: int = LARGEST, progress: Callable[[int, int], None] = lambda done, all: None) -> Endgame:
    """Work out the endings up to `reach` stones of each player, 3 or more; see `games.endings.Kind`."""
    done = 0

    def told() -> None:
        nonlocal done
        done += 1
        if not done % TOLD or done == DECISIVE[reach]:
            progress(done, DECISIVE[reach])

    tables = worked_out(reach, told)
    return Endgame({stones: bytes(table.bytes) for stones, table in tables.items()}, reach)


def reached(done: int, reach: int) -> int:
    """The stones of each player up to which all is worked out when so many endings are done; 2 before any."""
    return max(count for count, every in DECISIVE.items() if every <= done)


say(
    "zhizhu",
    endings_so_far="ZhiZhu, stones of each player: {done} of {count}, seconds left: about {left}",
    endings_done="{file}: the endings of ZhiZhu with up to {count} stones of each player, {size} bytes. "
    "The engine looks them up.",
)
