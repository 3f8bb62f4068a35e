"""The endings of Zig Zag, worked out once: with few seeds in the pits, how many the mover still gets.

An ending is a layout of a few seeds, the mover's row first (the board is the same from both sides), and who captured
last. Its value is the mover's *share*: the seeds in the pits that the mover gets; the other side gets the rest, as
seeds left over go to whoever captured last. Positions that stood before the ending are not looked at.

Play that goes round for ever without a capture counts by the house rule on repetition: all seeds left go to the side
that captured last. So that side begins with everything, and the shares are corrected over and over until no turn
changes one any more: what is left is what each side can force.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator
from math import comb
from typing import TYPE_CHECKING

from games.core import Turns
from games.endings import Ask
from games.fast import WON
from games.rules import say
from games.zig_zag.fast import BANNED, CAPTOR, ROW, SEED, STORE, WIDTH, WORD, CoreZigZag, joined, left

if TYPE_CHECKING:
    from mypy_extensions import i64

LEAST, LARGEST = 1, 10
"""Seeds in the pits of the smallest and of the largest ending: 646,646 bytes."""


def size(seeds: int) -> int:
    """How many layouts there are with at most so many seeds."""
    return comb(seeds + 12, 12)


class Half(dict[int, int]):
    """What six pits add to the number of a layout: a cache that fills itself, 19,448 entries at most.

    The key is the seeds of the six pits, six bits each, and above them the number of seeds in the pits before. The
    value is what the pits add, 20 bits, and above it the number of seeds so far.
    """

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    def __missing__(self, key: int) -> int:
        number, seeds = 0, key >> 36
        for pit in range(6):
            seeds += key >> 6 * pit & 63
            number += comb(seeds + self._first + pit, self._first + pit + 1)
        self[key] = number | seeds << 20
        return self[key]


NEAR, FAR = Half(0), Half(6)


def number(near: int, far: int) -> int:
    """The place of a layout in the table: `near` is the mover's row, six bits a pit; 10 seeds at most in all."""
    first = NEAR[near]
    return (first & 0xFFFFF) + (FAR[far | first >> 20 << 36] & 0xFFFFF)


def layouts(seeds: int, pits: int = 12) -> Iterator[int]:
    """Every layout of so many seeds in the pits, in the order of `number`."""
    if pits == 1:
        yield seeds
        return
    for before in range(seeds + 1):
        last = seeds - before << 6 * (pits - 1)
        for rest in layouts(before, pits - 1):
            yield rest | last


def on_board(state: int) -> int:
    """The seeds in the pits."""
    return left(state & WORD, state >> WIDTH)


class Endgame:
    """The endings with up to `reach` seeds in the pits: a byte each, the shares of the mover.

    The upper half of the byte is the share if the mover captured last, the lower half if the other did.
    """

    def __init__(self, shares: bytes, reach: int) -> None:
        self.shares = shares
        self.reach = reach

    def share(self, state: int) -> int | None:
        """How many of the seeds in the pits the mover gets; None where the table does not say."""
        a, b = state & WORD, state >> WIDTH
        captor = (b >> CAPTOR) - 1
        if captor < 0 or b & BANNED or left(a, b) > self.reach:
            return None
        both = self.shares[number(a & ROW, b & ROW)]
        return both >> 4 if captor == b >> WIDTH & 1 else both & 15

    def weight(self, state: int) -> int | None:
        """The exact weight of `state` for its side to move; None where the table does not say."""
        share = self.share(state)
        if share is None:
            return None
        a, b = state & WORD, state >> WIDTH
        margin = (a >> STORE) - (b >> STORE & 63) + 2 * share - left(a, b)
        return SEED * margin + (WON if margin > 0 else -WON if margin else 0)

    def known(self, root: int, stood: Collection[int]) -> Ask:
        """`weight` for states with fewer seeds than `root` only, so that a search still sees how to get there."""
        most = min(self.reach, on_board(root) - 1)
        return lambda state: self.weight(state) if on_board(state) <= most else None

    def ahead(self, root: int, stood: Collection[int]) -> Ask:
        """`weight`."""
        return self.weight

    def exact(self, root: int, stood: Collection[int]) -> Ask | None:
        """`weight`, if the table has `root`; `stood` is not looked at."""
        return None if self.weight(root) is None else self.weight

    def packed(self) -> bytes:
        """The table as it is."""
        return self.shares


def most() -> int:
    """The bytes of the largest table."""
    return size(LARGEST)


def unpacked(reach: int, data: bytes) -> Endgame:
    """The table up to this reach from its bytes; ValueError if it cannot be right."""
    if reach > LARGEST or len(data) != size(reach):
        raise ValueError("another size")
    return Endgame(data, reach)


def build(reach: int = LARGEST, progress: Callable[[int, int], None] = lambda done, all: None) -> Endgame:
    """Work out the endings up to `reach` seeds; see `games.endings.Kind`."""
    shares = bytearray(1)
    for count in range(1, reach + 1):
        shares += Layer(count, shares).solved()
        progress(len(shares), size(reach))
    return Endgame(bytes(shares), reach)


def reached(done: int, reach: int) -> int:
    """The seeds up to which all is worked out, where so many endings are done."""
    return next(count for count in reversed(range(reach + 1)) if size(count) <= done)


class Layer:
    """The endings with `seeds` seeds; `shares` are those of all endings with fewer.

    Endings after a crossing of the middle, in which a pit may not be played, have places behind all others.
    """

    def __init__(self, seeds: int, shares: bytearray) -> None:
        self._seeds = seeds
        self._shares = shares
        self._base = len(shares)
        self._core = CoreZigZag()
        self._turns = Turns()
        self._captures = bytearray()
        """Place -> the share by the best capture at once; 0 if there is none."""
        self._quiet = array("i")
        """The places of the endings reached without a capture, by the place of the ending before."""
        self._starts = array("i", [0])
        """Place -> where its part of `_quiet` begins; it ends where the next one's begins."""
        self._crossed: list[int] = []
        """The endings after a crossing of the middle, as states."""
        self._places: dict[int, int] = {}
        """State -> its place in `_crossed`."""

    def solved(self) -> bytearray:
        """A byte for each ending, as in `Endgame`."""
        plain = size(self._seeds) - size(self._seeds - 1)
        for pits in layouts(self._seeds):
            self._look(pits & ROW, pits >> 36, plain)
        for state in self._crossed:  # crossing the middle twice in a row adds to it
            self._look(state & WORD, state >> WIDTH, plain)
        mine, theirs = self._settled()
        return bytearray(own << 4 | other for own, other in zip(mine[:plain], theirs, strict=False))

    def _look(self, a: i64, b: i64, plain: int) -> None:
        """Note where the turns from this ending lead; South is to move, and the stores are empty."""
        best = 0
        self._core.fill(a, b, self._turns)
        for slot in self._turns.slots[: self._turns.many]:
            if slot.gain:
                best = max(best, self._seeds - (self._shares[number(slot.a, slot.b & ROW)] & 15))
            elif slot.b & BANNED:
                self._quiet.append(plain + self._crossing(joined(slot.a, slot.b & (ROW | BANNED))))
            else:
                self._quiet.append(number(slot.a, slot.b & ROW) - self._base)
        self._captures.append(best)
        self._starts.append(len(self._quiet))

    def _crossing(self, state: int) -> int:
        """The place of `state` in `_crossed`."""
        if state not in self._places:
            self._places[state] = len(self._crossed)
            self._crossed.append(state)
        return self._places[state]

    def _settled(self) -> tuple[bytearray, bytearray]:
        """The shares if the mover captured last, from all downward, and if the other did, from nothing upward."""
        mine, theirs = bytearray(self._captures), bytearray(self._captures)
        for place in range(len(mine)):
            if self._starts[place] < self._starts[place + 1]:
                mine[place] = self._seeds
        unsettled, changed = [place for place in range(len(mine)) if mine[place] != theirs[place]], True
        while changed:
            changed = self._corrected(unsettled, mine, theirs)
            unsettled = [place for place in unsettled if mine[place] != theirs[place]]
        return mine, theirs

    def _corrected(self, places: list[int], mine: bytearray, theirs: bytearray) -> bool:
        changed = False
        for place in places:
            after = self._quiet[self._starts[place] : self._starts[place + 1]]
            own = max(self._captures[place], self._seeds - min(map(theirs.__getitem__, after)))
            other = max(self._captures[place], self._seeds - min(map(mine.__getitem__, after)))
            if own != mine[place] or other != theirs[place]:
                mine[place], theirs[place], changed = own, other, True
        return changed


say(
    "zig-zag",
    endings_so_far="Zig Zag, seeds: {done} of {count}, seconds left: about {left}",
    endings_done="{file}: the endings of Zig Zag with up to {count} seeds in the pits, {size} bytes. "
    "The engine looks them up.",
)
