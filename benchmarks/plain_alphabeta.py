"""A plain alpha-beta for the four games: what somebody writes first. And what can be forced, by looking at every line.

The alpha-beta deepens ply by ply, looks at captures first, remembers nothing, knows no endings, and weighs a position
by what is obvious: stones and slides in ZhiZhu, seeds in the stores in Zig Zag, the largest groups in Zong-Heng, stones
on their own shade in Yin-Yang. It is what the engine is to be better than (`benchmarks.strength`), so it shares no code
with it: `benchmarks.plain` compiles it and `plain_rules` as the engine is compiled, and dresses it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from benchmarks.plain_rules import DECIDED, Rules, Slot, Turns, Words

if TYPE_CHECKING:
    from mypy_extensions import i64

INFINITE: Final = 4_000_000
DEEPEST: Final = 60
"""Plies."""
POLL: Final = 1023
"""Positions from one look at the clock to the next, less one: a power of two."""


# The search -----------------------------------------------------------------------------------


class OutOfTimeError(Exception):
    """The seconds of a turn are used up."""


class Search:
    """Searches one game."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._turns = [Turns() for _ in range(DEEPEST + 1)]
        self._ends = 0.0
        self._most: i64 = 0
        self.nodes: i64 = 0
        """Positions looked at for the last turn."""
        self.depth: i64 = 0
        """Plies of the last search that was not broken off."""

    def best(self, words: Words, stood: set[Words], seconds: float, nodes: int = 0) -> Words:
        """The position after the turn that it chooses, in about so many seconds of its processor, or so many nodes.

        `stood` are the positions that have stood twice.
        """
        self._ends = time.process_time() + seconds
        self._most, self.nodes, self.depth = nodes, 0, 0
        root = self._turns[0]
        self._rules.fill(words[0], words[1], words[2], root)
        order = list(range(int(root.many)))
        known = [self._again(slot, stood) for slot in root.slots[: len(order)]]
        try:
            while len(order) > 1 and self.depth < DEEPEST:
                if abs(self._deeper(root, order, known)) > DECIDED:
                    break
        except OutOfTimeError:
            pass
        slot = root.slots[order[0]]
        return int(slot.a), int(slot.b), int(slot.c)

    def _again(self, slot: Slot, stood: set[Words]) -> int | None:
        """What a turn is worth that ends the game, as the position has stood twice; else None."""
        again = (int(slot.a), int(slot.b), int(slot.c)) in stood
        return -int(self._rules.repeated(slot.a, slot.b, slot.c)) if again else None

    def _deeper(self, root: Turns, order: list[int], known: list[int | None]) -> int:
        """Search a ply deeper than before, and put the best turn first, as soon as it is found: its weight."""
        alpha: i64 = -INFINITE
        depth = self.depth
        for place, number in enumerate(list(order)):
            slot, sure = root.slots[number], known[number]
            weight = -self._weight(slot.a, slot.b, slot.c, depth, 1, -INFINITE, -alpha) if sure is None else sure
            if weight > alpha:
                alpha = weight
                order.insert(0, order.pop(order.index(number) if place else 0))
        self.depth = depth + 1
        return int(alpha)

    def _weight(self, a: i64, b: i64, c: i64, depth: i64, ply: i64, alpha: i64, beta: i64) -> i64:
        """The weight of a position, if it lies between alpha and beta; else a bound of it."""
        self.nodes += 1
        if not self.nodes & POLL and not self._most and time.process_time() >= self._ends:
            raise OutOfTimeError
        if self._most and self.nodes > self._most:
            raise OutOfTimeError
        if not depth:
            return nearer(self._rules.weigh(a, b, c), ply)
        turns = self._turns[ply]
        self._rules.fill(a, b, c, turns)
        many = turns.many
        if not many:
            return nearer(self._rules.ended(a, b, c), ply)
        number: i64 = 0
        while number < many:
            slot = turns.slots[number]
            weight = -self._weight(slot.a, slot.b, slot.c, depth - 1, ply + 1, -beta, -alpha)
            if weight > alpha:
                if weight >= beta:
                    return weight
                alpha = weight
            number += 1
        return alpha


def nearer(weight: i64, ply: i64) -> i64:
    """A weight as it counts at the root: of two wins the earlier one weighs more."""
    if weight > DECIDED:
        return weight - ply
    return weight + ply if weight < -DECIDED else weight


# What can be forced ---------------------------------------------------------------------------


SORTED: Final = 3
"""Plies from which it is worth while to look first where most is gained; by trial."""


class TooHardError(Exception):
    """More positions than patience."""


class Proof:
    """What can be forced within so many plies, by looking at every line; it looks at `patience` positions at most."""

    def __init__(self, rules: Rules, patience: int) -> None:
        self._rules = rules
        self._turns = [Turns() for _ in range(DEEPEST + 1)]
        self._known: dict[tuple[int, int, int, int], bool] = {}
        self.left: i64 = patience
        """How many more positions are looked at."""

    def wins(self, words: Words, plies: int) -> bool:
        """Whether the side to move wins within `plies`, whatever the other does; TooHardError."""
        return self._wins(words[0], words[1], words[2], plies, 0)

    def loses(self, words: Words, plies: int) -> bool:
        """Whether the side to move loses within `plies`, whatever it does; TooHardError."""
        return self._loses(words[0], words[1], words[2], plies, 0)

    def results(self, words: Words) -> list[Words]:
        """The positions after each turn; none once the game is over or decided."""
        turns = self._turns[0]
        self._rules.fill(words[0], words[1], words[2], turns)
        if self._rules.decided(words[0], words[1], words[2]):
            turns.clear()
        return [(int(slot.a), int(slot.b), int(slot.c)) for slot in turns.slots[: int(turns.many)]]

    def _wins(self, a: i64, b: i64, c: i64, plies: i64, ply: i64) -> bool:
        if self._rules.least(a, b, c) > plies:
            return False
        if not plies or self._rules.decided(a, b, c):
            return self._result(a, b, c, ply) > 0
        if plies < 3:
            return self._any_loses(a, b, c, plies, ply)
        key = int(a), int(b), int(c), int(plies)
        if key not in self._known:
            self._known[key] = self._wins(a, b, c, plies - 2, ply) or self._any_loses(a, b, c, plies, ply)
        return self._known[key]

    def _loses(self, a: i64, b: i64, c: i64, plies: i64, ply: i64) -> bool:
        if self._rules.least(a, b, c) > plies:
            return False
        if not plies or self._rules.decided(a, b, c):
            return self._result(a, b, c, ply) < 0
        if plies < 3:
            return self._all_win(a, b, c, plies, ply)
        key = int(a), int(b), int(c), int(plies)
        if key not in self._known:
            self._known[key] = self._all_win(a, b, c, plies, ply)
        return self._known[key]

    def _result(self, a: i64, b: i64, c: i64, ply: i64) -> i64:
        """More than 0 if the side to move has won, less if it has lost; 0 if it is drawn, or while the game goes on."""
        self._count()
        settled = self._rules.decided(a, b, c)
        if settled or self._rules.tells_end:
            return settled
        turns = self._turns[ply]
        self._rules.fill(a, b, c, turns)
        return 0 if turns.many else self._rules.ended(a, b, c)

    def _any_loses(self, a: i64, b: i64, c: i64, plies: i64, ply: i64) -> bool:
        self._count()
        turns = self._listed(a, b, c, plies, ply)
        many = turns.many
        if not many:
            return self._rules.ended(a, b, c) > 0
        number: i64 = 0
        while number < many:
            slot = turns.slots[number]
            if self._loses(slot.a, slot.b, slot.c, plies - 1, ply + 1):
                return True
            number += 1
        return False

    def _all_win(self, a: i64, b: i64, c: i64, plies: i64, ply: i64) -> bool:
        self._count()
        turns = self._listed(a, b, c, plies, ply)
        many = turns.many
        if not many:
            return self._rules.ended(a, b, c) < 0
        number: i64 = 0
        while number < many:
            slot = turns.slots[number]
            if not self._wins(slot.a, slot.b, slot.c, plies - 1, ply + 1):
                return False
            number += 1
        return True

    def _listed(self, a: i64, b: i64, c: i64, plies: i64, ply: i64) -> Turns:
        """The turns from here, those first that look best, where many plies follow."""
        turns = self._turns[ply]
        self._rules.fill(a, b, c, turns)
        if plies >= SORTED:
            for number in range(turns.many):
                slot = turns.slots[number]
                slot.weight = self._rules.weigh(slot.a, slot.b, slot.c)
            turns.sort()
        return turns

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooHardError
