"""ZhiZhu for searching: the position is one integer, and a turn is the bits that it changes.

From the lowest bit: 24 for Black's stones, 24 for White's, one for the side to move, four for each hand, seven for
each player's return (0 none, else its place in `RETURNS`). So a turn is made by one exclusive or, and what the
stones of a ring can do is looked up by its eight bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from games.fast import WON, Chance
from games.rules import Game, Position
from games.zhizhu.rules import Board
from games.zhizhu.web import AROUND, BESIDE, LINES, POINTS, SITES

ALL = (1 << 24) - 1
SIDE = 1 << 48
HAND = (49, 53)
"""The first bit of each player's hand."""
BACK = (57, 64)
"""The first bit of each player's return."""
RETURNS = (None, *((origin, target) for origin in POINTS for target in BESIDE[origin]))
NUMBER = {slide: number for number, slide in enumerate(RETURNS)}
OTHERS = tuple(sum(1 << other for other in LINES[point] if other != point) for point in POINTS)
"""For each point the other two of its line, as a mask."""
NEIGHBOURS = tuple(sum(1 << other for other in BESIDE[point]) for point in POINTS)
"""For each point the points beside it, as a mask."""
STONE, THREAT, FREEDOM = 100, 8, 3
"""What a stone, a point that would close an own chain, and a slide are worth to `weigh`."""
REMEMBERED = 8192
"""Masks of which the points are kept, and sets of stones of which the removals are."""
LONGEST = 1000
"""Plies after which a random game is given up as drawn; hardly one in a thousand comes so far."""


def bits(mask: int) -> Iterator[int]:
    """The points of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Points(dict[int, tuple[int, ...]]):
    """The points of each mask that comes up, lowest first."""

    def __missing__(self, key: int) -> tuple[int, ...]:
        if len(self) >= REMEMBERED:
            self.clear()
        return self.setdefault(key, tuple(bits(key)))


SET = Points()


def _run(ring: int, point: int) -> int:
    """How many stand in a row with `point` on the ring, itself included; counted on both sides, so 15 at most."""
    run = 1
    for way in AROUND[point]:
        for other in way:
            if not ring >> other & 1:
                break
            run += 1
    return run


ARC = tuple(sum(1 << point for point in range(8) if _run(ring, point) >= 5) for ring in range(256))
"""For the stones of a ring the points that stand in five in a row, or would with a stone there."""


def fill(own: int) -> int:
    """The points that stand in a chain of these stones, or would with a stone there."""
    outer, middle, inner = own & 255, own >> 8 & 255, own >> 16
    lines = middle & inner | (outer & inner) << 8 | (outer & middle) << 16
    return lines | ARC[outer] | ARC[middle] << 8 | ARC[inner] << 16


def owed(own: int, point: int) -> int:
    """The stones to remove for a stone that comes to stand on `point`: a line 1, a ring 2, both 3."""
    line = OTHERS[point]
    return (own & line == line) + 2 * (ARC[own >> (point & 24) & 255] >> (point & 7) & 1)


@lru_cache(maxsize=REMEMBERED)
def removals(stones: int, count: int) -> tuple[int, ...]:
    """Every set of `count` of these stones, as masks, that may be removed one after another, free stones first."""
    if not count or not stones:
        return (0,)
    free = stones & ~fill(stones) or stones
    if count == 1:
        return tuple(1 << point for point in bits(free))
    found = {1 << point | more for point in bits(free) for more in removals(stones ^ 1 << point, count - 1)}
    return tuple(sorted(found))


class Around(dict[int, tuple[int, ...]]):
    """The slides within one ring by its bits: those that may slide, and above them the eight that are empty.

    Fills itself as positions come up: 6,561 entries at most.
    """

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    def __missing__(self, key: int) -> tuple[int, ...]:
        found = tuple(
            (1 << point | 1 << target) << self._first
            for point in bits(key & 255)
            for target in BESIDE[point]
            if target < 8 and key >> 8 + target & 1
        )
        self[key] = found
        return found


def _each(first: int, step: int) -> tuple[tuple[int, ...], ...]:
    """For each eight bits the changes they make: each bit, moved up by `first`, together with the one `step` above."""
    changes = [1 << first + bit | (1 << first + bit + step if step else 0) for bit in range(8)]
    return tuple(tuple(changes[bit] for bit in bits(mask)) for mask in range(256))


PLACES = tuple(tuple(_each(24 * side + 8 * ring, 0) for ring in range(3)) for side in (0, 1))
ACROSS = tuple(tuple(_each(24 * side + 8 * ring, 8) for ring in range(2)) for side in (0, 1))
"""For each side the slides between the outer and the middle ring, and between the middle and the inner."""
AROUNDS = tuple(tuple(Around(24 * side + 8 * ring) for ring in range(3)) for side in (0, 1))

Turns = tuple[list[int], list[int], tuple[int, ...], int]
"""Captures; other moves; the stones of those far from any chain, and what all of these change besides."""


class FastZhiZhu:
    """The rules of `games.zhizhu.rules` on integers; a move is the exclusive or of the states before and after it."""

    spread = 60.0
    kind = (1 << 48) - 1

    def __init__(self, game: Game[Board] | None = None) -> None:
        """The option of `game` changes only who starts, so all games are searched alike."""

    def state(self, position: Position) -> int:
        """The integer for `position`."""
        assert isinstance(position, Board)
        stones = sum(1 << point + 24 * (level - 1) for point, level in enumerate(position.cells) if level)
        hands = sum(hand << first for hand, first in zip(position.hands, HAND, strict=True))
        returns = sum(NUMBER[slide] << first for slide, first in zip(position.returns, BACK, strict=True))
        return stones | position.side * SIDE | hands | returns

    def position(self, state: int) -> Board:
        """The position of this integer."""
        cells = bytes((state >> point & 1) + 2 * (state >> 24 + point & 1) for point in POINTS)
        dark, light = (state >> first & 15 for first in HAND)
        ours, theirs = (RETURNS[state >> first & 127] for first in BACK)
        return Board(cells, self.side(state), (dark, light), (ours, theirs))

    def side(self, state: int) -> int:
        """Who is to move, 0 or 1."""
        return state >> 48 & 1

    def moves(self, state: int) -> list[int]:
        """Every legal move, captures first; empty when the game is over."""
        captures, others = self._moves(state)
        return captures + others

    def _moves(self, state: int) -> tuple[list[int], list[int]]:
        captures, others, plain, change = self._found(state)
        return captures, others + [change ^ made for made in plain]

    def _found(self, state: int) -> Turns:
        side = state >> 48 & 1
        own, other = (state >> 24 & ALL, state & ALL) if side else (state & ALL, state >> 24 & ALL)
        hand, back = state >> HAND[side] & 15, state >> BACK[side] & 127
        if own.bit_count() + hand <= 2 or other.bit_count() + (state >> HAND[1 - side] & 15) <= 2:
            return [], [], (), 0
        change = SIDE ^ back << BACK[side]
        if hand:
            return _placings(side, own, other, change ^ (hand ^ hand - 1) << HAND[side])
        return _slides(side, own, other, change, back)

    def after(self, state: int, move: int) -> int:
        """The state after `move`."""
        return state ^ move

    def children(self, state: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The captures and the other moves, each with the state after it."""
        captures, others = self._moves(state)
        return [(move, state ^ move) for move in captures], [(move, state ^ move) for move in others]

    def text(self, state: int, move: int) -> str:
        """The text of the turn."""
        side = state >> 48 & 1
        own, change, taken = state >> 24 * side, move >> 24 * side & ALL, move >> 24 * (1 - side) & ALL
        place = "-".join(SITES[point] for mask in (change & own, change & ~own) for point in bits(mask))
        return place + "".join(f"x{SITES[point]}" for point in bits(taken))

    def result(self, state: int) -> float:
        """Of a finished game: 1.0 if Black has won, 0.0 if White."""
        for side in (0, 1):
            if (state >> 24 * side & ALL).bit_count() + (state >> HAND[side] & 15) <= 2:
                return float(side)
        return float(self.side(state))

    def playout(self, state: int, random: Chance) -> float:
        """The result of a random game from here; 0.5 where it is given up after `LONGEST` plies."""
        for _ in range(LONGEST):
            captures, others, plain, change = self._found(state)
            count = len(plain) + len(others) + len(captures)
            if not count:
                return self.result(state)
            chosen = int(random.random() * count) - len(plain)
            if chosen < 0:
                state ^= change ^ plain[chosen]
            else:
                state ^= others[chosen] if chosen < len(others) else captures[chosen - len(others)]
        return 0.5

    def weigh(self, state: int) -> int:
        """Stones, chains that one stone more would close, and slides: the mover's less the other's."""
        side = state >> 48 & 1
        own, other = (state >> 24 & ALL, state & ALL) if side else (state & ALL, state >> 24 & ALL)
        hand = state >> HAND[side] & 15
        stones, others = own.bit_count() + hand, other.bit_count() + (state >> HAND[1 - side] & 15)
        if stones <= 2 or others <= 2:
            return WON if self.result(state) == 1 - side else -WON
        empty = ALL ^ (own | other)
        slides = _freedom(own, empty)
        if not hand and not slides:  # the forbidden return is never the only slide
            return -WON
        threats = (fill(own) & empty).bit_count() - (fill(other) & empty).bit_count()
        return STONE * (stones - others) + THREAT * threats + FREEDOM * (slides - _freedom(other, empty))

    def repeated(self, state: int) -> int:
        """A draw."""
        return 0


def _freedom(own: int, empty: int) -> int:
    """How many slides these stones have."""
    clockwise = empty << 1 & 0xFEFEFE | empty >> 7 & 0x010101
    counter = empty >> 1 & 0x7F7F7F | empty << 7 & 0x808080
    across = (own & empty >> 8).bit_count() + (own & empty << 8).bit_count()
    return across + (own & clockwise).bit_count() + (own & counter).bit_count()


def _placings(side: int, own: int, other: int, change: int) -> Turns:
    """Those that place a stone; `change` is what all of them change besides stones."""
    empty = ALL ^ (own | other)
    chains = fill(own) & empty
    quiet = empty ^ chains
    outer, middle, inner = PLACES[side]
    found: list[int] = []
    for point in SET[chains]:
        made = 1 << point + 24 * side ^ change
        found += [made ^ taken << 24 - 24 * side for taken in removals(other, owed(own, point))]
    return found, [], outer[quiet & 255] + middle[quiet >> 8 & 255] + inner[quiet >> 16], change


def _slides(side: int, own: int, other: int, change: int, back: int) -> Turns:
    """Those that slide a stone; `back` is the number of the return that may not make a chain."""
    empty = ALL ^ (own | other)
    chains = fill(own)
    free, quiet = own & ~chains, empty & ~chains
    first, second, third = AROUNDS[side]
    outward, inward = ACROSS[side]
    across = free & quiet >> 8 | free >> 8 & quiet
    quiets = first[free & 255 | (quiet & 255) << 8] + second[free >> 8 & 255 | quiet & 65280]
    quiets += third[free >> 16 | quiet >> 16 << 8] + outward[across & 255] + inward[across >> 8 & 255]
    found, others = _chained(side, own, other, change, back) if chains & (own | empty) else ([], [])
    return found, others, quiets, change


def _chained(side: int, own: int, other: int, change: int, back: int) -> tuple[list[int], list[int]]:
    """Slides out of a chain and slides that may make one: captures and others."""
    empty, chains = ALL ^ (own | other), fill(own)
    found: list[int] = []
    quiet: list[int] = []
    for link in _links(own & chains, empty, own & ~chains, empty & chains):
        point, target = divmod(link, 24)
        count = owed(own ^ 1 << point, target)
        made = change ^ (1 << point | 1 << target) << 24 * side
        if chains >> point & 1:
            made ^= NUMBER[target, point] << BACK[side]
        if not count:
            quiet.append(made)
        elif NUMBER[point, target] != back:
            found += [made ^ taken << 24 - 24 * side for taken in removals(other, count)]
    return found, quiet


def _links(leaving: int, empty: int, free: int, closing: int) -> list[int]:
    """The slides, as 24 times origin and target, from `leaving` to any empty point and from `free` to `closing`."""
    found = [24 * point + target for point in SET[leaving] for target in SET[NEIGHBOURS[point] & empty]]
    return found + [24 * point + target for target in SET[closing] for point in SET[NEIGHBOURS[target] & free]]


FAST = FastZhiZhu
