"""The endings of Zig Zag, worked out once: with few seeds in the pits, how many the mover still gets.

An ending is worked out for each way that a few seeds can lie, the mover's row first (the board is the same from both
sides), and for both answers to who captured last: with the other one's share all seeds are shared out, as those left
over go to whoever captured last. Play that goes round for ever without a capture counts as the house rule on
repetition has it: all that is left goes to the side that captured last. So that side begins with everything, and
the shares are corrected, over and over, until no turn corrects any more: what the other side can force remains.
What has stood before the ending is not looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator
from math import comb
from pathlib import Path

from firmware_bridge.engine.endgame import Ask, damaged, keep, kept
from games.fast.weighed import WON
from games.fast.zig_zag import BANNED, ROW, SEED, STORES, FastZigZag, on_board

GAME = "zig-zag"
LARGEST = 10
"""Seeds in the pits of the largest ending: 646,646 bytes."""


def size(seeds: int) -> int:
    """How many endings there are with at most so many seeds."""
    return comb(seeds + 12, 12)


class Half(dict[int, int]):
    """What six pits add to the number of an ending, by their seeds and above them those in the pits before.

    Twenty bits, and above them the seeds so far. Fills itself as endings come up: 19,448 entries at most.
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
    """The place in the table of an ending: the mover's row and the other's, six bits a pit, 10 seeds at most."""
    first = NEAR[near]
    return (first & 0xFFFFF) + (FAR[far | first >> 20 << 36] & 0xFFFFF)


def layouts(seeds: int, pits: int = 12) -> Iterator[int]:
    """Every way that so many seeds can lie in the pits, in the order of `number`."""
    if pits == 1:
        yield seeds
        return
    for before in range(seeds + 1):
        last = seeds - before << 6 * (pits - 1)
        for rest in layouts(before, pits - 1):
            yield rest | last


class Endgame:
    """The endings with up to `reach` seeds in the pits: a byte each, the shares of the mover.

    The upper half of the byte is the share if the mover captured last, the lower half if the other did.
    """

    def __init__(self, shares: bytes, reach: int) -> None:
        self.shares = shares
        self.reach = reach

    def share(self, state: int) -> int | None:
        """How many of the seeds in the pits the mover gets; None where the table does not say."""
        captor = (state >> 87) - 1
        if captor < 0 or state & BANNED or on_board(state) > self.reach:
            return None
        side = state >> 84 & 1
        rows = state & ROW, state >> 36 & ROW
        both = self.shares[number(rows[side], rows[1 - side])]
        return both >> 4 if captor == side else both & 15

    def weight(self, state: int) -> int | None:
        """The exact weight of `state` for its side to move; None where the table does not say."""
        share = self.share(state)
        if share is None:
            return None
        side = state >> 84 & 1
        margin = (state >> STORES[side] & 63) - (state >> STORES[1 - side] & 63) + 2 * share - on_board(state)
        return SEED * margin + (WON if margin > 0 else -WON if margin else 0)

    def known(self, root: int, stood: Collection[int]) -> Ask:
        """`weight` for states with fewer seeds than `root` only, so that a search still sees how to get there."""
        most = min(self.reach, on_board(root) - 1)
        return lambda state: self.weight(state) if on_board(state) <= most else None

    def ahead(self, root: int, stood: Collection[int]) -> Ask:
        """`weight`."""
        return self.weight

    def exact(self, root: int, stood: Collection[int]) -> Ask | None:
        """`weight`, if the table has `root`; what has stood is not looked at."""
        return None if self.weight(root) is None else self.weight

    def write(self, path: Path) -> None:
        """Save the table; the file appears whole or not at all; OSError."""
        keep(path, GAME, self.reach, self.shares)


def read(path: Path) -> Endgame:
    """The table saved at `path`; `EndgameError` if it cannot be used."""
    reach, shares = kept(path, GAME, size(LARGEST))
    if reach > LARGEST or len(shares) != size(reach):
        raise damaged(path)
    return Endgame(shares, reach)


def build(reach: int = LARGEST, progress: Callable[[int, int], None] = lambda done, all: None) -> Endgame:
    """Work the endings out, from none to `reach` seeds; `progress` hears how many of how many are done."""
    shares = bytearray(1)
    for count in range(1, reach + 1):
        shares += Layer(count, shares).solved()
        progress(len(shares), size(reach))
    return Endgame(bytes(shares), reach)


def reached(done: int, reach: int) -> int:
    """The seeds up to which all is worked out, where so many endings are done."""
    return next(count for count in reversed(range(reach + 1)) if size(count) <= done)


class Layer:
    """The endings with one number of seeds, those after a crossing of the middle behind them.

    `shares` are those of all endings with fewer seeds.
    """

    def __init__(self, seeds: int, shares: bytearray) -> None:
        self.seeds = seeds
        self.shares = shares
        self.base = len(shares)
        self.fast = FastZigZag()
        self.captures = bytearray()
        """The share by the best capture at once; 0 if there is none."""
        self.quiet = array("i")
        """The places of the endings reached without a capture, those of one ending after those of another."""
        self.starts = array("i", [0])
        self.crossed: list[int] = []
        self.places: dict[int, int] = {}
        """Where each stands in `crossed`."""

    def solved(self) -> bytearray:
        """A byte for each ending, as in `Endgame`."""
        plain = size(self.seeds) - size(self.seeds - 1)
        for state in layouts(self.seeds):
            self._look(state, plain)
        for state in self.crossed:  # crossing the middle twice in a row adds to it
            self._look(state, plain)
        mine, theirs = self._settled()
        return bytearray(own << 4 | other for own, other in zip(mine[:plain], theirs, strict=False))

    def _look(self, state: int, plain: int) -> None:
        """Note where the turns from this ending lead; South is to move, and the stores are empty."""
        best = 0
        for move in self.fast.moves(state):
            after = self.fast.after(state, move)
            near, far = after >> 36 & ROW, after & ROW
            if after >> STORES[0] & 63:
                best = max(best, self.seeds - (self.shares[number(near, far)] & 15))
            elif after & BANNED:
                self.quiet.append(plain + self._crossing(near | far << 36 | after & BANNED))
            else:
                self.quiet.append(number(near, far) - self.base)
        self.captures.append(best)
        self.starts.append(len(self.quiet))

    def _crossing(self, state: int) -> int:
        """The place of `state` in `crossed`."""
        if state not in self.places:
            self.places[state] = len(self.crossed)
            self.crossed.append(state)
        return self.places[state]

    def _settled(self) -> tuple[bytearray, bytearray]:
        """The shares if the mover captured last, from all downward, and if the other did, from nothing upward."""
        mine, theirs = bytearray(self.captures), bytearray(self.captures)
        for place in range(len(mine)):
            if self.starts[place] < self.starts[place + 1]:
                mine[place] = self.seeds
        unsettled, changed = [place for place in range(len(mine)) if mine[place] != theirs[place]], True
        while changed:
            changed = self._corrected(unsettled, mine, theirs)
            unsettled = [place for place in unsettled if mine[place] != theirs[place]]
        return mine, theirs

    def _corrected(self, places: list[int], mine: bytearray, theirs: bytearray) -> bool:
        changed = False
        for place in places:
            after = self.quiet[self.starts[place] : self.starts[place + 1]]
            own = max(self.captures[place], self.seeds - min(map(theirs.__getitem__, after)))
            other = max(self.captures[place], self.seeds - min(map(mine.__getitem__, after)))
            if own != mine[place] or other != theirs[place]:
                mine[place], theirs[place], changed = own, other, True
        return changed
