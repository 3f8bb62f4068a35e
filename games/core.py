"""A game for searching without objects: positions and turns as numbers of the processor's own.

A position is two *words*, integers from 0 up to, not including, 2**63, and equal positions have equal words. `Core`
lists what can be played into `Turns`, which are made once and filled again and again, so that a search makes no object
for a position. Compiled (`tablelight compile`), the words are native integers (`i64`) and calls within compiled code
cost next to nothing; without the compiler `i64` is nothing but a note.

    core = fast.core()
    a, b = core.words(state)
    turns = Turns()
    core.fill(a, b, turns)              # turns.many of them, in turns.slots; none exactly when the game is over
    core.state(turns.slots[0].a, turns.slots[0].b)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

KINDS: Final = 1024
"""What a turn does on the board is told by a number below this."""
FACTOR: Final = 48271
PRIME: Final = 2147483647
"""Lehmer's random numbers, as Park, Miller and Stockmeyer chose them (Communications of the ACM 36, 1993)."""
LOW: Final = 0x7FFFFFFF
FACTOR_1: Final = 0x5BD1E995
FACTOR_2: Final = 0x27D4EB2F
FACTOR_3: Final = 0x1B873593
FACTOR_4: Final = 0x2545F491
"""Of a word the lowest 31 bits, and odd factors of 31 and 30 bits that spread words over a table; any would do."""


def ones(bits: i64) -> i64:
    """How many bits are set; where there are few, taking them off one by one is the quickest."""
    many: i64 = 0
    while bits:
        bits &= bits - 1
        many += 1
    return many


INTERPRETED: Final = hasattr(ones, "__code__")
"""Whether games run as they are read. Some then replace a function by what Python itself does faster: under `if
INTERPRETED and not TYPE_CHECKING`, which the compiler leaves out."""
if INTERPRETED and not TYPE_CHECKING:
    ones = int.bit_count


def spread(a: i64, b: i64) -> i64:
    """A number for a position of which the lower bits are as good as random: a place in a table."""
    mixed = (a & LOW) * FACTOR_1 ^ (a >> 31) * FACTOR_2 ^ (b & LOW) * FACTOR_3 ^ (b >> 31) * FACTOR_4
    return mixed >> 20 ^ mixed >> 40


class Luck:
    """Random numbers: a Lehmer generator."""

    def __init__(self, seed: int) -> None:
        self._luck: i64 = seed % (PRIME - 1) + 1

    def among(self, many: i64) -> i64:
        """A number from 0 up to, not including, `many`; `many` is at most 2**31."""
        self._luck = self._luck * FACTOR % PRIME
        return self._luck * many >> 31


class Slot:
    """A turn, as the position after it: the words `a` and `b`."""

    def __init__(self) -> None:
        self.a: i64 = 0
        self.b: i64 = 0
        self.kind: i64 = 0
        """What it does on the board, so that like turns of different positions are alike; below `KINDS`."""
        self.gain: i64 = 0
        """The pieces it captures; 0 for a quiet turn."""
        self.order: i64 = 0
        """Free for the search."""


class Turns:
    """The turns of one position; filled again and again."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.many: i64 = 0
        """How many of the slots are in use."""

    def add(self, a: i64, b: i64, kind: i64, gain: i64) -> None:
        """One more."""
        if self.many == len(self.slots):
            self.slots.append(Slot())
        slot = self.slots[self.many]
        slot.a, slot.b, slot.kind, slot.gain = a, b, kind, gain
        self.many += 1

    def foremost(self, number: i64) -> Slot:
        """The turn of the greatest order of those from `number` on, brought to this place."""
        slots = self.slots
        best, place = slots[number].order, number
        for other in range(number + 1, self.many):
            order = slots[other].order
            if order > best:
                best, place = order, other
        chosen = slots[place]
        slots[place] = slots[number]
        slots[number] = chosen
        return chosen


class Core:
    """The rules of one game on words."""

    def words(self, state: int) -> tuple[i64, i64]:
        """The words for a state of the game's fast form."""
        raise NotImplementedError

    def state(self, a: i64, b: i64) -> int:
        """The state for these words."""
        raise NotImplementedError

    def fill(self, a: i64, b: i64, turns: Turns) -> None:
        """Fill `turns` with every legal turn; none exactly when the game is over."""
        raise NotImplementedError

    def count(self, a: i64, b: i64) -> i64:
        """How many legal turns there are."""
        raise NotImplementedError

    def ended(self, a: i64, b: i64) -> i64:
        """Of a finished game: 2 if the side to move has won, 1 drawn, 0 lost; of games that fill their board."""
        raise NotImplementedError

    def captures(self, a: i64, b: i64, turns: Turns) -> None:
        """Fill `turns` with the legal turns that capture."""
        raise NotImplementedError

    def left(self, a: i64, b: i64) -> i64:
        """What is left, by the measure of the reach of the game's endings; more than any reach where they have none."""
        raise NotImplementedError

    def weigh(self, a: i64, b: i64) -> i64:
        """What the position is worth to its side to move, as `games.fast.Weighed.weigh`."""
        raise NotImplementedError

    def repeated(self, a: i64, b: i64) -> i64:
        """What it is worth if it stands for the third time, as `games.fast.Weighed.repeated`."""
        raise NotImplementedError


class Perft:
    """Counts the lines of play, with a list of turns for each ply."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._turns: list[Turns] = []

    def count(self, state: int, depth: int) -> int:
        """The lines of `depth` turns from `state`, from 1 on; games that end sooner count nothing."""
        self._turns = [Turns() for _ in range(depth)]
        a, b = self._core.words(state)
        return int(self._count(a, b, depth))

    def _count(self, a: i64, b: i64, depth: i64) -> i64:
        if depth == 1:
            return self._core.count(a, b)
        turns = self._turns[depth - 1]
        self._core.fill(a, b, turns)
        found: i64 = 0
        for number in range(turns.many):
            slot = turns.slots[number]
            found += self._count(slot.a, slot.b, depth - 1)
        return found
