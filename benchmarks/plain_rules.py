"""The rules of the four games for `benchmarks.plain_alphabeta`, on positions as fast as they can be made.

A position is three words, each an integer from 0 up to, not including, 2**63, so that they are native once compiled.
Nothing here is shared with `games` and its fast forms; a test compares every turn with the readable rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

WON: Final = 1_000_000
"""The weight of a game that is won."""
DECIDED: Final = 500_000
"""Weights beyond this, either way, are wins and losses."""
Words = tuple[int, int, int]
TOP: Final = 1 << 62


def bit(place: i64) -> i64:
    """The number with this bit alone: compiled, a 1 would be one of C's short numbers, whose bits end at 31."""
    return TOP >> 62 - place


class Slot:
    """A turn, as the words of the position after it."""

    def __init__(self) -> None:
        self.a: i64 = 0
        self.b: i64 = 0
        self.c: i64 = 0
        self.weight: i64 = 0
        """Free for a search."""


class Turns:
    """The turns of a position, captures first; filled again and again."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.many: i64 = 0
        self.captures: i64 = 0

    def clear(self) -> None:
        """None."""
        self.many = 0
        self.captures = 0

    def add(self, a: i64, b: i64, c: i64, captures: bool) -> None:
        """One more."""
        many = self.many
        if many == len(self.slots):
            self.slots.append(Slot())
        slot = self.slots[many]
        slot.a, slot.b, slot.c = a, b, c
        self.many = many + 1
        if captures:
            first = self.captures
            self.slots[many] = self.slots[first]
            self.slots[first] = slot
            self.captures = first + 1

    def sort(self) -> None:
        """Put the turns in the order of their weights, the lightest first."""
        slots = self.slots
        for number in range(1, self.many):
            slot, place = slots[number], number
            while place and slots[place - 1].weight > slot.weight:
                slots[place] = slots[place - 1]
                place -= 1
            slots[place] = slot


class Rules:
    """A game on words."""

    def __init__(self) -> None:
        self.tells_end = True
        """Whether a game that is over is always `decided`, unless it is drawn."""

    def fill(self, a: i64, b: i64, c: i64, turns: Turns) -> None:
        """Fill `turns` with every legal turn; none exactly when the game is over."""
        raise NotImplementedError

    def weigh(self, a: i64, b: i64, c: i64) -> i64:
        """What a position is worth to its side to move."""
        raise NotImplementedError

    def ended(self, a: i64, b: i64, c: i64) -> i64:
        """The same of a finished game."""
        raise NotImplementedError

    def decided(self, a: i64, b: i64, c: i64) -> i64:
        """The same of a game that is over, or as good as that; 0 if it is drawn, or while it is open."""
        weight = self.weigh(a, b, c)
        return weight if weight > DECIDED or weight < -DECIDED else 0

    def repeated(self, a: i64, b: i64, c: i64) -> i64:
        """The same of a position that stands for the third time."""
        return 0

    def left(self, a: i64, b: i64, c: i64) -> i64:
        """The most turns that can still come, passes not counted; 0 where there is no such bound."""
        return 0

    def least(self, a: i64, b: i64, c: i64) -> i64:
        """The turns that will come at the least."""
        return 0


def count(bits: i64) -> i64:
    """How many of 62 bits are set."""
    many: i64 = 0
    while bits:
        half = bits & 0x7FFFFFFF
        half -= half >> 1 & 0x55555555
        half = (half & 0x33333333) + (half >> 2 & 0x33333333)
        half = half + (half >> 4) & 0x0F0F0F0F
        many += half * 0x01010101 >> 24 & 255
        bits >>= 31
    return many


# ZhiZhu ---------------------------------------------------------------------------------------

WEB: Final = (1 << 24) - 1
STONE: Final = 100
SLIDE: Final = 2
"""What a stone is worth, and a slide; guessed."""


def clockwise(points: i64) -> i64:
    """The points one further on their rings."""
    return points << 1 & 0xFEFEFE | points >> 7 & 0x010101


def back(points: i64) -> i64:
    """The points one before on their rings."""
    return points >> 1 & 0x7F7F7F | points << 7 & 0x808080


def lines(own: i64) -> i64:
    """The points on whose line the two others are own."""
    outer, middle, inner = own & 255, own >> 8 & 255, own >> 16
    return middle & inner | (outer & inner) << 8 | (outer & middle) << 16


def arcs(own: i64) -> i64:
    """The points that are one of five own ones on their ring, or would be with a stone there."""
    one, other = clockwise(own), back(own)
    two, others = one & clockwise(one), other & back(other)
    three, more = one & clockwise(two), other & back(others)
    return one & clockwise(three) | three & other | two & others | one & more | other & back(more)


class ZhiZhu(Rules):
    """Stones of Black and of White, the side to move, the hands; what each side may not slide back, as two points."""

    def fill(self, a: i64, b: i64, c: i64, turns: Turns) -> None:
        """Every legal turn."""
        turns.clear()
        side = a >> 48 & 1
        own, other = a >> 24 * side & WEB, a >> 24 * (1 - side) & WEB
        hand = a >> 49 + 4 * side & 15
        if count(own) + hand <= 2 or count(other) + (a >> 53 - 4 * side & 15) <= 2:
            return
        forbidden = b >> 24 * side & WEB
        b ^= forbidden << 24 * side
        a ^= 1 << 48
        if hand:
            self._place(a - bit(49 + 4 * side), b, own, other, side, turns)
        else:
            self._slide(a, b, own, other, side, forbidden, turns)

    def _place(self, a: i64, b: i64, own: i64, other: i64, side: i64, turns: Turns) -> None:
        line, arc, empty = lines(own), arcs(own), WEB ^ (own | other)
        while empty:
            point = empty & -empty
            empty ^= point
            owed: i64 = (1 if line & point else 0) + (2 if arc & point else 0)
            self._made(a | point << 24 * side, b, other, side, owed, turns)

    def _slide(self, a: i64, b: i64, own: i64, other: i64, side: i64, forbidden: i64, turns: Turns) -> None:
        empty = WEB ^ (own | other)
        line, arc = lines(own), arcs(own)
        chains = line | arc
        way: i64 = 0
        while way < 4:
            stones = own & moved(empty, way ^ 1)
            while stones:
                origin = stones & -stones
                stones ^= origin
                target = moved(origin, way)
                owed: i64 = 0
                if (origin | target) & chains:
                    rest = own ^ origin
                    owed = (1 if lines(rest) & target else 0) + (2 if arcs(rest) & target else 0)
                    if owed and origin | target == forbidden:
                        continue
                kept = b | (origin | target) << 24 * side if origin & chains else b
                self._made(a ^ (origin | target) << 24 * side, kept, other, side, owed, turns)
            way += 1

    def _made(self, a: i64, b: i64, other: i64, side: i64, owed: i64, turns: Turns) -> None:
        """The turns that leave `a` and `b` and then remove so many of the other's stones."""
        if owed:
            self._take(a, b, other, 24 * (1 - side), owed, 0, turns)
        else:
            turns.add(a, b, 0, False)

    def _take(self, a: i64, b: i64, stones: i64, shift: i64, owed: i64, above: i64, turns: Turns) -> None:
        """Remove `owed` stones one after another, those outside of chains first.

        While all are such, only those above the last one, `above`; it is -1 once their order matters.
        """
        if not owed or not stones:
            if above >= 0 or self._is_new(a, b, turns):
                turns.add(a, b, 0, True)
            return
        free = stones & ~(lines(stones) | arcs(stones))
        if count(free) < owed:
            above = -1  # the same ones may come again in another order
        left = free if free else stones
        while left:
            stone = left & -left
            left ^= stone
            if above < 0:
                self._take(a ^ stone << shift, b, stones ^ stone, shift, owed - 1, -1, turns)
            elif stone > above:
                self._take(a ^ stone << shift, b, stones ^ stone, shift, owed - 1, stone, turns)

    def _is_new(self, a: i64, b: i64, turns: Turns) -> bool:
        for number in range(turns.captures):
            slot = turns.slots[number]
            if slot.a == a and slot.b == b:
                return False
        return True

    def weigh(self, a: i64, b: i64, c: i64) -> i64:
        """Stones and slides."""
        side = a >> 48 & 1
        own, other = a >> 24 * side & WEB, a >> 24 * (1 - side) & WEB
        hand = a >> 49 + 4 * side & 15
        stones, others = count(own) + hand, count(other) + (a >> 53 - 4 * side & 15)
        if stones <= 2:
            return -WON
        if others <= 2:
            return WON
        empty = WEB ^ (own | other)
        freedom = slides(own, empty)
        if not hand and not freedom:
            return -WON
        return STONE * (stones - others) + SLIDE * (freedom - slides(other, empty))

    def ended(self, a: i64, b: i64, c: i64) -> i64:
        """Whoever has two stones left or cannot slide has lost."""
        side = a >> 48 & 1
        few = count(a >> 24 * (1 - side) & WEB) + (a >> 53 - 4 * side & 15) <= 2
        return WON if few else -WON


def moved(points: i64, way: i64) -> i64:
    """The points beside these in one of four ways; the ways 0 and 1 are opposite, and 2 and 3."""
    if way < 2:
        return back(points) if way else clockwise(points)
    return points >> 8 if way == 3 else points << 8 & WEB


def slides(own: i64, empty: i64) -> i64:
    """How many slides these stones have."""
    found = count(own & clockwise(empty)) + count(own & back(empty))
    return found + count(own & empty >> 8) + count(own & empty << 8)


# Zig Zag --------------------------------------------------------------------------------------

PATH = (0, 7, 2, 9, 4, 11, 5, 10, 3, 8, 1, 6)
"""The pits in the order of sowing: 0 to 5 are South's, 6 to 11 North's."""
SEEDS: Final = 60
ROW: Final = (1 << 36) - 1
STORE: Final = 36
"""The first bit of a side's store, above its six pits of six bits each; further up in the first word: who is to move,
the pit that may not be played unless it captures (0 none, else its column), and who captured last (0 none)."""
MOVER: Final = 42
BANNED: Final = 43
LAST: Final = 46


def way_of(pit: int) -> int:
    """Which way a pit is sown first: 0 along the path, 1 against it; toward the middle of the board."""
    after = PATH[(PATH.index(pit) + 1) % 12]
    return 0 if after % 6 == pit % 6 + (1 if pit % 6 < 3 else -1) else 1


def sown(side: int) -> list[int]:
    """What the pits of a side gain, by way, pit and seeds: 64 times the number of the pit with its way, and seeds."""
    found = []
    for way in (1, -1):
        for pit in range(12):
            at, gained = PATH.index(pit), 0
            for seeds in range(64):
                found.append(gained - (seeds << 6 * (pit % 6) if pit // 6 == side else 0))
                at = (at + way) % 12
                if PATH[at] // 6 == side:
                    gained += 1 << 6 * (PATH[at] % 6)
    return found


FIRST_WAY = [way_of(pit) for pit in range(12)]
SOUTH, NORTH = sown(0), sown(1)
ENDS = [PATH[(PATH.index(pit) + way * seeds) % 12] for way in (1, -1) for pit in range(12) for seeds in range(64)]
"""The pit of the last seed."""


class ZigZag(Rules):
    """South's pits and store, and what the rules remember; North's pits and store."""

    def __init__(self) -> None:
        super().__init__()
        self._a: i64 = 0
        self._b: i64 = 0
        self._captures: bool = False
        self._goes_on: dict[Words, bool] = {}

    def fill(self, a: i64, b: i64, c: i64, turns: Turns) -> None:
        """Every legal turn."""
        turns.clear()
        if left(a, b) <= 3 and not self._capturable(a, b):
            return
        side = a >> MOVER & 1
        own = b if side else a
        banned = a >> BANNED & 7
        pit: i64 = 0
        while pit < 6:
            if own >> 6 * pit & 63:
                self._sow(a, b, 6 * side + pit)
                if self._captures or pit != banned or not banned:
                    turns.add(self._a, self._b, 0, self._captures)
            pit += 1
        if not turns.many:
            turns.add(passed(a), b, 0, False)

    def _sow(self, a: i64, b: i64, pit: i64) -> None:
        """Sow all laps from a pit, and capture: leaves the words after that."""
        start, home = pit, pit // 6
        way: i64 = 768 * FIRST_WAY[pit]
        a = passed(a)
        seeds = (b if home else a) >> 6 * (pit % 6) & 63
        single = seeds == 1
        while True:
            lap = way + (pit << 6) + seeds
            a += SOUTH[lap]
            b += NORTH[lap]
            pit = ENDS[lap]
            seeds = (a if pit < 6 else b) >> 6 * (pit % 6) & 63
            if seeds == 1 or pit // 6 != home:
                break
        self._captures = False
        if seeds == 1 and pit // 6 != home:
            column = pit % 6
            taken = (b if home else a) >> 6 * column & 63
            if taken:
                gain = (taken << STORE) - (taken << 6 * column)
                a = a & ~(3 << LAST) | home + 1 << LAST
                if home:
                    b += gain
                else:
                    a += gain
                self._captures = True
            elif single and (start % 6 == 2 or start % 6 == 3):
                a |= column << BANNED
        self._a, self._b = a, b

    def _capturable(self, a: i64, b: i64) -> bool:
        """Whether a seed can still be captured by any turns from here."""
        key = int(a & ~(3 << LAST) & ~(63 << STORE)), int(b & ROW), 0
        if key not in self._goes_on:
            self._goes_on[key] = self._captured_some_day(key)
        return self._goes_on[key]

    def _captured_some_day(self, key: Words) -> bool:
        seen, queue = {key}, [key]
        for first, second, _ in queue:
            a: i64 = first
            b: i64 = second
            side, banned, found = a >> MOVER & 1, a >> BANNED & 7, False
            for pit in range(6):
                if not (b if side else a) >> 6 * pit & 63:
                    continue
                self._sow(a, b, 6 * side + pit)
                if self._captures:
                    return True
                if pit != banned or not banned:
                    found = True
                    after = int(self._a), int(self._b), 0
                    if after not in seen:
                        seen.add(after)
                        queue.append(after)
            after = int(passed(a)), second, 0
            if not found and after not in seen:
                seen.add(after)
                queue.append(after)
        return False

    def weigh(self, a: i64, b: i64, c: i64) -> i64:
        """Seeds in the stores; decided once one side has more than half of all."""
        south, north = a >> STORE & 63, b >> STORE & 63
        if south + north >= SEEDS - 3 and not self._capturable(a, b):
            return self.ended(a, b, c)
        weight = STONE * (south - north)
        if 2 * south > SEEDS:
            weight += WON
        elif 2 * north > SEEDS:
            weight -= WON
        return -weight if a >> MOVER & 1 else weight

    def ended(self, a: i64, b: i64, c: i64) -> i64:
        """Seeds in the stores, what is left over being of the side that captured last."""
        margin = margin_of(a, b)
        weight = STONE * margin + (WON if margin > 0 else -WON if margin else 0)
        return -weight if a >> MOVER & 1 else weight

    def repeated(self, a: i64, b: i64, c: i64) -> i64:
        """As at the end."""
        return self.ended(a, b, c)


def left(a: i64, b: i64) -> i64:
    """The seeds in the pits."""
    return SEEDS - (a >> STORE & 63) - (b >> STORE & 63)


def passed(a: i64) -> i64:
    """The first word after a turn that only passes."""
    return a & ~(7 << BANNED) ^ 1 << MOVER


def margin_of(a: i64, b: i64) -> i64:
    """South's seeds less North's, those in the pits counting for the side that captured last."""
    margin = (a >> STORE & 63) - (b >> STORE & 63)
    last = a >> LAST & 3
    return margin + (left(a, b) if last == 1 else -left(a, b) if last == 2 else 0)


# Zong-Heng ------------------------------------------------------------------------------------

HALF: Final = (1 << 32) - 1
"""The squares of one shade, four a rank; of both shades the squares of one file have the same number in every rank."""
LOWER: Final = 0x0F0F0F0F
"""Those in the ranks 1, 3, 5 and 7, whose dark squares stand left of the light ones of their number."""
NOT_FIRST: Final = 0xEEEEEEEE
NOT_LAST: Final = 0x77777777


def ray(start: int, way: int) -> list[int]:
    """The numbers of the squares from the dark square `start` on, one after another light and dark."""
    rank, file = divmod(start, 4)
    file = 2 * file + rank % 2
    step_rank, step_file = ((1, 0), (-1, 0), (0, 1), (0, -1))[way]
    found = []
    while 0 <= rank < 8 and 0 <= file < 8:
        found.append(4 * rank + file // 2)
        rank, file = rank + step_rank, file + step_file
    return found


RAYS = [ray(start, way) for start in range(32) for way in range(4)]


class ZongHeng(Rules):
    """White's stones on dark squares and the side to move; White's on light squares; all stones on light squares."""

    def fill(self, a: i64, b: i64, c: i64, turns: Turns) -> None:
        """Every legal turn."""
        turns.clear()
        if c == HALF:
            return
        side = a >> 32
        white = a & HALF
        number: i64 = 0
        while number < 128:
            self._push(white, b, c, side, number, turns)
            number += 1
        if not turns.many:
            turns.add(a ^ 1 << 32, b, c, False)

    def _push(self, white: i64, b: i64, c: i64, side: i64, number: i64, turns: Turns) -> None:
        """The push along a ray, if there is one: the row moves one on, and a stone comes where it began."""
        squares = RAYS[number]
        length: i64 = len(squares)
        colour = white >> (number >> 2) & 1
        own: i64 = 1 if colour == side else -1
        dark, light, moving = white, b, colour
        start = number >> 2
        if colour != side:
            dark ^= bit(start)
        at: i64 = 1
        while at < length:
            square: i64 = squares[at]
            if at & 1:
                if not c >> square & 1:
                    if own > 0:
                        after = dark | (1 - side) << 32
                        turns.add(after, light | moving << square, c | bit(square), False)
                    return
                colour = light >> square & 1
                if colour != moving:
                    light ^= bit(square)
            else:
                colour = dark >> square & 1
                if colour != moving:
                    dark ^= bit(square)
            moving = colour
            own += 1 if colour == side else -1
            at += 1

    def decided(self, a: i64, b: i64, c: i64) -> i64:
        """Only once the board is full."""
        return self.ended(a, b, c) if c == HALF else 0

    def left(self, a: i64, b: i64, c: i64) -> i64:
        """The empty squares."""
        return 32 - count(c)

    def least(self, a: i64, b: i64, c: i64) -> i64:
        """The same: the board is always filled."""
        return 32 - count(c)

    def weigh(self, a: i64, b: i64, c: i64) -> i64:
        """The largest groups, and stones."""
        if c == HALF:
            return self.ended(a, b, c)
        dark = a & HALF
        white, black = largest(dark, b), largest(HALF ^ dark, c ^ b)
        stones = 32 + count(c) - 2 * (count(dark) + count(b))
        weight = STONE * (black - white) + stones
        return -weight if a >> 32 else weight

    def ended(self, a: i64, b: i64, c: i64) -> i64:
        """Of a full board: whoever has the larger group, the largest first."""
        dark = a & HALF
        black, white = groups(HALF ^ dark, HALF ^ b), groups(dark, b)
        weight: i64 = 0
        if black != white:
            weight = WON if black > white else -WON
        return -weight if a >> 32 else weight


def grown(dark: i64, light: i64, darks: i64, lights: i64) -> tuple[i64, i64]:
    """The group that these stones are of, among the stones of one colour: its dark and its light squares."""
    while True:
        near = dark | dark << 4 | dark >> 4 | (dark & LOWER & NOT_FIRST) >> 1 | (dark & ~LOWER & NOT_LAST) << 1
        light = near & lights
        near = light | light << 4 | light >> 4 | (light & LOWER & NOT_LAST) << 1 | (light & ~LOWER & NOT_FIRST) >> 1
        near = (near & darks) | dark
        if near == dark:
            return dark, light
        dark = near


def largest(darks: i64, lights: i64) -> i64:
    """The size of the largest group of these stones."""
    most: i64 = 0
    every = count(darks) + count(lights)
    while darks and every > most:
        dark, light = grown(darks & -darks, 0, darks, lights)
        size = count(dark) + count(light)
        if size > most:
            most = size
        every -= size
        darks ^= dark
        lights ^= light
    return 1 if not most and lights else most


def groups(darks: i64, lights: i64) -> list[int]:
    """The sizes of all groups of these stones, the largest first."""
    sizes: list[int] = []
    while darks:
        dark, light = grown(darks & -darks, 0, darks, lights)
        sizes.append(int(count(dark) + count(light)))
        darks ^= dark
        lights ^= light
    sizes += [1] * int(count(lights))
    sizes.sort(reverse=True)
    return sizes


# Yin-Yang -------------------------------------------------------------------------------------

BOARD: Final = (1 << 36) - 1
NOT_LEFT: Final = 0xFBEFBEFBE
NOT_RIGHT: Final = 0x7DF7DF7DF
SHADE: Final = 0xA95A95A95
"""The dark squares, a1 among them."""


class YinYang(Rules):
    """Black stones and the side to move; white stones."""

    def __init__(self) -> None:
        super().__init__()
        self.tells_end = False

    def fill(self, a: i64, b: i64, c: i64, turns: Turns) -> None:
        """Every legal turn."""
        turns.clear()
        black = a & BOARD
        empty = BOARD ^ (black | b)
        mover = (a >> 36 ^ 1) << 36
        self._move(black, b, empty, mover, True, turns)
        self._move(b, black, empty, mover, False, turns)

    def _move(self, own: i64, other: i64, empty: i64, mover: i64, black: bool, turns: Turns) -> None:
        """The moves of one colour's stones."""
        left, right = own << 1 & NOT_LEFT, own >> 1 & NOT_RIGHT
        ones, twos = left ^ right, left & right
        fours: i64 = 0
        for row in (own, left, right):
            for step in range(2):
                near = row << 6 & BOARD if step else row >> 6
                carry = ones & near
                ones ^= near
                fours ^= twos & carry
                twos ^= carry
        stones = own & (ones | twos | fours)
        while stones:
            stone = stones & -stones
            stones ^= stone
            far: i64 = (1 if ones & stone else 0) + (2 if twos & stone else 0) + (4 if fours & stone else 0)
            way: i64 = 0
            while way < 4:
                target, gone = stone, far
                while gone:
                    target = stepped(target, way) & empty
                    if not target:
                        break
                    gone -= 1
                if target:
                    first, second = own ^ stone | target, other | stone
                    if black:
                        turns.add(first | mover, second, 0, False)
                    else:
                        turns.add(second | mover, first, 0, False)
                way += 1

    def decided(self, a: i64, b: i64, c: i64) -> i64:
        """Never before there is no turn."""
        return 0

    def left(self, a: i64, b: i64, c: i64) -> i64:
        """The empty squares."""
        return 36 - count(a & BOARD) - count(b)

    def weigh(self, a: i64, b: i64, c: i64) -> i64:
        """Stones on their own shade, less the others."""
        weight = STONE * shades(a & BOARD, b)
        return -weight if a >> 36 else weight

    def ended(self, a: i64, b: i64, c: i64) -> i64:
        """Two wins when they are equal."""
        weight: i64 = WON if shades(a & BOARD, b) > 0 else -WON
        return -weight if a >> 36 else weight


def stepped(stone: i64, way: i64) -> i64:
    """A stone one square further; nowhere beyond the edge."""
    if way < 2:
        return stone << 6 & BOARD if way else stone >> 6
    return stone << 1 & NOT_LEFT if way == 2 else stone >> 1 & NOT_RIGHT


def shades(black: i64, white: i64) -> i64:
    """Stones on their own shade, less the others."""
    right = count(black & SHADE) + count(white & ~SHADE)
    return 2 * right - count(black) - count(white)


def rules(name: str) -> Rules:
    """The rules of the game of this name; KeyError."""
    every: dict[str, Rules] = {
        "zhizhu": ZhiZhu(),
        "zig-zag": ZigZag(),
        "zong-heng": ZongHeng(),
        "yin-yang": YinYang(),
    }
    return every[name]
