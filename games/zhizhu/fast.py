"""ZhiZhu for searching: the position is one word, a number below 2**63.

From the lowest bit: 24 for Black's stones, 24 for White's, one for the side to move, and seven for each player: the
stones in hand, or, from 16 on, the return that is barred (`RETURNS`); whoever has stones in hand slides none, so a
return and a hand are never needed together. A ring is eight bits, so that what goes on at all points at once is a few
shifts: the slides in one of four directions are the stones beside an empty point there.

`CoreZhiZhu` lists, counts and plays on such words; `FastZhiZhu` is the same for Python's integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from games.core import INTERPRETED, Core, Luck, Turns
from games.fast import WON, Chance
from games.rules import Game, Position
from games.zhizhu.rules import Board
from games.zhizhu.web import AROUND, BESIDE, POINTS, SITES

if TYPE_CHECKING:
    from mypy_extensions import i64

ALL: Final = (1 << 24) - 1
SIDE: Final = 1 << 48
REST: Final = 49
"""The first bit of Black's hand or return; White's is `WIDTH` higher."""
WIDTH: Final = 7
BARRED: Final = 15
"""A hand is at most this; a return is more by its number."""
FIRSTS: Final = 0x010101
LASTS: Final = 0x808080
"""The first and the last points of all rings."""
CLOCKWISE: Final = ALL ^ FIRSTS
COUNTER: Final = ALL ^ LASTS
"""The other points of all rings."""
RETURNS = (None, *((origin, target) for origin in POINTS for target in BESIDE[origin]))
NUMBER = {slide: number for number, slide in enumerate(RETURNS)}
NEIGHBOURS = tuple(sum(1 << other for other in BESIDE[point]) for point in POINTS)
"""For each point the points beside it, as a mask."""
STEPS: Final = 4
"""The directions of slides: clockwise, counter-clockwise, outward and inward; see `stepped`."""
STONE: Final = 100
THREAT: Final = 8
FREEDOM: Final = 3
"""What a stone, a point that would close an own chain, and a slide are worth to `weigh`."""
REMEMBERED: Final = 8192
"""Sets of stones of which the removals are kept."""
LONGEST: Final = 1000
"""Plies after which a random game is given up as drawn; hardly one in a thousand comes so far."""


# Points as bits -------------------------------------------------------------------------------


def bits(mask: int) -> Iterator[int]:
    """The points of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def many(mask: i64) -> i64:
    """How many of 24 points are set: added up in pairs, fours and eights."""
    mask -= mask >> 1 & 0x555555
    mask = (mask & 0x333333) + (mask >> 2 & 0x333333)
    mask = mask + (mask >> 4) & 0x0F0F0F
    return (mask + (mask >> 8) + (mask >> 16)) & 31


if INTERPRETED and not TYPE_CHECKING:
    many = int.bit_count


def stepped(mask: i64, step: i64) -> i64:
    """The points one step from these."""
    if step == 0:
        return mask << 1 & CLOCKWISE | mask >> 7 & FIRSTS
    if step == 1:
        return mask >> 1 & COUNTER | mask << 7 & LASTS
    if step == 2:
        return mask >> 8
    return mask << 8 & ALL


def _run(ring: int, point: int) -> int:
    """How many stand in a row with `point` on the ring, itself included; counted on both sides, so 15 at most."""
    run = 1
    for way in AROUND[point]:
        for other in way:
            if not ring >> other & 1:
                break
            run += 1
    return run


ARC: Final = [sum(1 << point for point in range(8) if _run(ring, point) >= 5) for ring in range(256)]
"""For the stones of a ring the points that stand in five in a row, or would with a stone there."""
CODES: Final = [
    BARRED + NUMBER.get((point, int(stepped(1 << point, step)).bit_length() - 1), 0)
    for step in range(STEPS)
    for point in POINTS
]
"""For each step and point the number of the slide from there, as a barred return."""


def lines(own: i64) -> i64:
    """The points that stand in a full line of these stones, or would with a stone there."""
    outer = own & 255
    middle = own >> 8 & 255
    inner = own >> 16
    return middle & inner | (outer & inner) << 8 | (outer & middle) << 16


def arcs(own: i64) -> i64:
    """The points that stand in five of these stones on a ring, or would with a stone there."""
    pairs = own & (own << 1 & CLOCKWISE | own >> 7 & FIRSTS)
    if not pairs & (stepped(pairs, 0) | stepped(stepped(stepped(pairs, 0), 0), 0)):
        return 0  # no three in a row, and no two and two with a gap between
    outer: i64 = ARC[own & 255]
    middle: i64 = ARC[own >> 8 & 255]
    inner: i64 = ARC[own >> 16]
    return outer | middle << 8 | inner << 16


if INTERPRETED and not TYPE_CHECKING:
    arcs = lru_cache(maxsize=REMEMBERED)(arcs)


def fill(own: i64) -> i64:
    """The points that stand in a chain of these stones, or would with a stone there."""
    return lines(own) | arcs(own)


def owed(own: i64, point: i64) -> i64:
    """The stones to remove for a stone that comes to stand on `point`: a line 1, a ring 2, both 3."""
    return (lines(own) >> point & 1) + 2 * (arcs(own) >> point & 1)


def free(stones: i64) -> i64:
    """Those of the stones that may be removed next: those that stand in no chain, or all."""
    loose = stones & ~fill(stones)
    return loose if loose else stones


@lru_cache(maxsize=REMEMBERED)
def removals(stones: int, count: int) -> tuple[int, ...]:
    """Every set of `count` of these stones, as masks, that may be removed one after another, free stones first."""
    if not count or not stones:
        return (0,)
    loose = int(free(stones))
    if count == 1:
        return tuple(1 << point for point in bits(loose))
    found = {1 << point | more for point in bits(loose) for more in removals(stones ^ 1 << point, count - 1)}
    return tuple(sorted(found))


def freedom(own: i64, empty: i64) -> i64:
    """How many slides these stones have."""
    clockwise = empty << 1 & CLOCKWISE | empty >> 7 & FIRSTS
    counter = empty >> 1 & COUNTER | empty << 7 & LASTS
    return many(own & clockwise) + many(own & counter) + many(own & empty >> 8) + many(own & empty << 8)


# Words ----------------------------------------------------------------------------------------


class CoreZhiZhu(Core):
    """The rules of `games.zhizhu.rules` on words; the second word is 0."""

    def __init__(self) -> None:
        self._own: i64 = 0
        self._other: i64 = 0
        self._empty: i64 = 0
        self._chains: i64 = 0
        """The points in a chain of the mover, or that would be with a stone there."""
        self._rest: i64 = 0
        """The mover's hand or barred return."""
        self._after: i64 = 0
        """The position with the other to move, the mover's stone in hand spent and its return forgotten."""
        self._first: i64 = 0
        """The first bit of the mover's stones."""
        self._wanted: i64 = 0
        """Of `pick`: the turns still to be passed over."""
        self._picked: i64 = 0
        self._turns = Turns()

    def words(self, state: int) -> tuple[i64, i64]:
        """The state itself."""
        return state, 0

    def state(self, a: i64, b: i64) -> int:
        """The first word."""
        return int(a)

    def _enter(self, a: i64) -> bool:
        """Set what turns are made of; False if a player has two stones left, or fewer."""
        side = a >> 48 & 1
        self._first = 24 * side
        self._own = a >> self._first & ALL
        self._other = a >> 24 - self._first & ALL
        first = REST + WIDTH * side
        self._rest = a >> first & 127
        rest = a >> REST + WIDTH - WIDTH * side & 127
        hand = self._rest if self._rest <= BARRED else 0
        if many(self._own) + hand <= 2 or many(self._other) + (rest if rest <= BARRED else 0) <= 2:
            return False
        self._empty = ALL & ~(self._own | self._other)
        self._chains = fill(self._own)
        self._after = a ^ SIDE ^ (self._rest ^ (hand - 1 if hand else 0)) << first
        return True

    def _placing(self) -> bool:
        return 0 < self._rest <= BARRED

    # Listing ---------------------------------------------------------------------------------

    def fill(self, a: i64, b: i64, turns: Turns) -> None:
        """Every legal turn, captures first."""
        turns.many = 0
        if not self._enter(a):
            return
        if self._placing():
            self._captures_by_placing(turns)
            self._places(turns)
        else:
            self._chained(turns, True)
            self._slides(turns)

    def captures(self, a: i64, b: i64, turns: Turns) -> None:
        """The turns that capture."""
        turns.many = 0
        if not self._enter(a):
            return
        if self._placing():
            self._captures_by_placing(turns)
        else:
            self._chained(turns, False)

    def _places(self, turns: Turns) -> None:
        """Those that place a stone and make no chain."""
        left = self._empty & ~self._chains
        while left:
            stone = left & -left
            left ^= stone
            turns.add(self._after | stone << self._first, 0, many(stone - 1), 0)

    def _captures_by_placing(self, turns: Turns) -> None:
        left = self._empty & self._chains
        if left:
            straight, round = lines(self._own), arcs(self._own)
            while left:
                stone = left & -left
                left ^= stone
                kind = many(stone - 1)
                self._take(turns, self._after | stone << self._first, kind, _debt(stone, straight, round))

    def _take(self, turns: Turns, after: i64, kind: i64, count: i64) -> None:
        """The turns to `after` with each way to remove so many stones."""
        up, loose = 24 - self._first, self._other & ~fill(self._other)
        if many(loose) < count:  # seldom, for then the last ones are taken out of chains
            for taken in removals(int(self._other), int(count)):
                gone: i64 = taken
                turns.add(after ^ gone << up, 0, kind, many(gone))
            return
        while loose:  # no chain is broken by what stands in none, so any of these may go
            one = loose & -loose
            loose ^= one
            others = loose if count > 1 else one
            while others:
                two = others & -others
                others ^= two
                more = others if count > 2 else two
                while more:
                    three = more & -more
                    more ^= three
                    turns.add(after ^ (one | two | three) << up, 0, kind, count)

    def _slides(self, turns: Turns) -> None:
        """Those that slide a stone out of no chain and make none."""
        quiet, loose = self._empty & ~self._chains, self._own & ~self._chains
        for step in range(STEPS):
            left = loose & stepped(quiet, step ^ 1)
            while left:
                stone = left & -left
                left ^= stone
                made = self._after ^ (stone | stepped(stone, step)) << self._first
                turns.add(made, 0, 24 + 24 * step + many(stone - 1), 0)

    def _chained(self, turns: Turns, quiets: bool) -> None:
        """Those that slide a stone out of a chain, or into one: captures, and with `quiets` all of them."""
        chains, empty, first = self._chains, self._empty, self._first
        closing = empty & chains
        left = self._own & chains | self._own & beside(closing)
        while left:
            stone = left & -left
            left ^= stone
            rest = self._own ^ stone
            straight, round = lines(rest), arcs(rest)
            for step in range(STEPS):
                target = stepped(stone, step) & (empty if stone & chains else closing)
                if not target:
                    continue
                point = many(stone - 1)
                slide: i64 = CODES[24 * step + point]
                count = _debt(target, straight, round)
                made = self._after ^ (stone | target) << first
                if stone & chains:
                    code: i64 = CODES[24 * (step ^ 1) + many(target - 1)]
                    made |= code << REST + WIDTH * (first // 24)
                kind = 24 + 24 * step + point
                if not count:
                    if quiets:
                        turns.add(made, 0, kind, 0)
                elif slide != self._rest:
                    self._take(turns, made, kind, count)

    # Counting and random games ---------------------------------------------------------------

    def count(self, a: i64, b: i64) -> i64:
        """How many legal turns there are."""
        if not self._enter(a):
            return 0
        found = self._count_quiet()
        if self._chains & (self._empty if self._placing() else self._empty | self._own):
            found += self._count_chained()
        return found

    def _count_quiet(self) -> i64:
        """How many turns have nothing to do with a chain."""
        quiet = self._empty & ~self._chains
        if self._placing():
            return many(quiet)
        return freedom(self._own & ~self._chains, quiet)

    def _count_chained(self) -> i64:
        """How many turns leave a chain or make one; they are in `_turns`."""
        turns = self._turns
        turns.many = 0
        if self._placing():
            self._captures_by_placing(turns)
        else:
            self._chained(turns, True)
        return turns.many

    def _quiet(self, number: i64) -> i64:
        """The position after the quiet turn of this number."""
        quiet = self._empty & ~self._chains
        if self._placing():
            return self._after | nth(quiet, number) << self._first
        loose = self._own & ~self._chains
        for step in range(STEPS):
            found = loose & stepped(quiet, step ^ 1)
            here = many(found)
            if number < here:
                stone = nth(found, number)
                return self._after ^ (stone | stepped(stone, step)) << self._first
            number -= here
        raise AssertionError

    def play(self, a: i64, luck: Luck) -> i64:
        """The last position of a random game from `a`; one in which a turn is left where it is given up."""
        for _ in range(LONGEST):
            if not self._enter(a):
                return a
            quiets = self._count_quiet()
            chained: i64 = 0
            if self._chains & (self._empty if self._placing() else self._empty | self._own):
                chained = self._count_chained()
            if not quiets + chained:
                return a
            number = luck.among(quiets + chained)
            a = self._quiet(number) if number < quiets else self._turns.slots[number - quiets].a
        return a

    # Searching --------------------------------------------------------------------------------

    def left(self, a: i64, b: i64) -> i64:
        """The stones of the player who has more; with stones in hand all of them."""
        first, second = a >> REST & 127, a >> REST + WIDTH & 127
        if 0 < first <= BARRED or 0 < second <= BARRED:
            return 24
        black, white = many(a & ALL), many(a >> 24 & ALL)
        return black if black > white else white

    def weigh(self, a: i64, b: i64) -> i64:
        """Stones, chains that one stone more would close, and slides: the mover's less the other's."""
        side = a >> 48 & 1
        own, other = (a >> 24 & ALL, a & ALL) if side else (a & ALL, a >> 24 & ALL)
        mine = a >> REST + WIDTH * side & 127
        theirs = a >> REST + WIDTH - WIDTH * side & 127
        hand = mine if mine <= BARRED else 0
        stones = many(own) + hand
        others = many(other) + (theirs if theirs <= BARRED else 0)
        if stones <= 2 or others <= 2:  # where both are left with two, Black has lost
            black = others if side else stones
            return WON if (black <= 2) == (side == 1) else -WON
        empty = ALL & ~(own | other)
        slides = freedom(own, empty)
        if not hand and not slides:  # the barred return is never the only slide
            return -WON
        threats = many(fill(own) & empty) - many(fill(other) & empty)
        return STONE * (stones - others) + THREAT * threats + FREEDOM * (slides - freedom(other, empty))

    def repeated(self, a: i64, b: i64) -> i64:
        """A draw."""
        return 0


def beside(mask: i64) -> i64:
    """The points beside these."""
    return stepped(mask, 0) | stepped(mask, 1) | stepped(mask, 2) | stepped(mask, 3)


def nth(mask: i64, number: i64) -> i64:
    """The point of this number, counted from 0, as a mask."""
    for _ in range(number):
        mask &= mask - 1
    return mask & -mask


def _debt(stone: i64, straight: i64, round: i64) -> i64:
    """The stones to remove for one that has come to stand there: in a full line 1, in five on a ring 2."""
    return (1 if stone & straight else 0) + (2 if stone & round else 0)


# Python's integers ----------------------------------------------------------------------------


class FastZhiZhu:
    """The rules of `games.zhizhu.rules` on integers; a move is the exclusive or of the states before and after it."""

    spread = 60.0

    def __init__(self, game: Game[Board] | None = None) -> None:
        """The option of `game` changes only who starts, so all games are searched alike."""
        self._core = CoreZhiZhu()
        self._turns = Turns()

    def core(self) -> CoreZhiZhu:
        """The rules on words, for one search."""
        return CoreZhiZhu()

    def state(self, position: Position) -> int:
        """The integer for `position`."""
        assert isinstance(position, Board)
        stones = sum(1 << point + 24 * (level - 1) for point, level in enumerate(position.cells) if level)
        rests = [
            hand or (BARRED + NUMBER[back] if back else 0)
            for hand, back in zip(position.hands, position.returns, strict=True)
        ]
        return stones | position.side * SIDE | rests[0] << REST | rests[1] << REST + WIDTH

    def position(self, state: int) -> Board:
        """The position of this integer."""
        cells = bytes((state >> point & 1) + 2 * (state >> 24 + point & 1) for point in POINTS)
        ours, theirs = (RETURNS[back(state, side)] for side in (0, 1))
        return Board(cells, self.side(state), (hand(state, 0), hand(state, 1)), (ours, theirs))

    def side(self, state: int) -> int:
        """Who is to move, 0 or 1."""
        return state >> 48 & 1

    def moves(self, state: int) -> list[int]:
        """Every legal move, captures first; empty when the game is over."""
        turns = self._turns
        self._core.fill(state, 0, turns)
        return [state ^ int(turns.slots[number].a) for number in range(turns.many)]

    def after(self, state: int, move: int) -> int:
        """The state after `move`."""
        return state ^ move

    def text(self, state: int, move: int) -> str:
        """The text of the turn."""
        side = state >> 48 & 1
        own, change, taken = state >> 24 * side, move >> 24 * side & ALL, move >> 24 * (1 - side) & ALL
        place = "-".join(SITES[point] for mask in (change & own, change & ~own) for point in bits(mask))
        return place + "".join(f"x{SITES[point]}" for point in bits(taken))

    def result(self, state: int) -> float:
        """Of a finished game: 1.0 if Black has won, 0.0 if White."""
        for side in (0, 1):
            if (state >> 24 * side & ALL).bit_count() + hand(state, side) <= 2:
                return float(side)
        return float(self.side(state))

    def playout(self, state: int, random: Chance) -> float:
        """The result of a random game from here; 0.5 where it is given up after `LONGEST` plies."""
        last = int(self._core.play(state, Luck(random.getrandbits(30))))
        return 0.5 if self._core.count(last, 0) else self.result(last)

    def weigh(self, state: int) -> int:
        """Stones, chains that one stone more would close, and slides: the mover's less the other's."""
        return int(self._core.weigh(state, 0))

    def repeated(self, state: int) -> int:
        """A draw."""
        return 0


def hand(state: int, side: int) -> int:
    """The stones that a side has in hand."""
    rest = state >> REST + WIDTH * side & 127
    return rest if rest <= BARRED else 0


def back(state: int, side: int) -> int:
    """The number of the return that a side must not make if it makes a chain; 0 for none."""
    rest = state >> REST + WIDTH * side & 127
    return rest - BARRED if rest > BARRED else 0


FAST = FastZhiZhu
