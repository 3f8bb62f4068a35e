"""What a position is worth when both sides play without a fault to the very end: for the last turns of a game.

Alpha-beta over three values (0 player 1 wins, 1 drawn, 2 player 0 wins), the turns that leave the fewest answers first:
that takes a tenth of the positions in Yin-Yang. The bounds known of each position are kept in a table, which is emptied
when it is full; a turn to a position of which enough is known is taken before any is looked at, which saves a quarter.
For games in which no position comes again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from firmware_bridge.engine import POLL, Stopped, never
from games.fast.contract import Fast

REMEMBERED = 200_000
"""Positions of which bounds are kept: about 30 MB."""
NOTHING = 2
"""The bounds of a position of which nothing is known: four times the least value, plus the greatest."""


class Ending(Fast, Protocol):
    """A fast game that is surely over after so many turns."""

    exact: int
    """The turns left from which playing to the very end is worth trying."""

    def left(self, state: int) -> int:
        """The most turns that can still come, passes not counted."""
        ...

    def choices(self, state: int) -> int:
        """How many moves there are."""
        ...


class Exact:
    """The values of positions near the end of one game; keeps what it has learnt from call to call."""

    def __init__(self, fast: Ending) -> None:
        self._fast = fast
        self._table: dict[int, int] = {}
        self._stop: Callable[[], bool] = never
        self.nodes = 0
        """Positions looked at so far."""

    def value(self, state: int, stop: Callable[[], bool] = never) -> float:
        """The result of `state` for player 0: 0.0, 0.5 or 1.0; `Stopped` if `stop()` says so first."""
        self._stop = stop
        return self._value(state, 0, 2) / 2

    def _value(self, state: int, alpha: int, beta: int) -> int:
        """The value, if it lies between alpha and beta; else a bound on the same side of them."""
        bounds = self._table.get(state, NOTHING)
        least, most = bounds >> 2, bounds & 3
        alpha, beta = max(alpha, least), min(beta, most)
        if alpha >= beta:
            return least if least >= beta else most
        self.nodes += 1
        if not self.nodes % POLL and self._stop():
            raise Stopped
        found = self._best(state, alpha, beta)
        if len(self._table) >= REMEMBERED:
            self._table.clear()
        self._table[state] = (least if found <= alpha else found) << 2 | (most if found >= beta else found)
        return found

    def _best(self, state: int, alpha: int, beta: int) -> int:
        fast = self._fast
        children = dict.fromkeys([fast.after(state, move) for move in fast.moves(state)])
        if not children:
            return int(2 * fast.result(state))
        if (known := self._known(children, fast.side(state), alpha, beta)) is not None:
            return known
        tried = sorted(children, key=fast.choices)  # what leaves the other side the fewest answers first
        return self._least(tried, alpha, beta) if fast.side(state) else self._greatest(tried, alpha, beta)

    def _known(self, children: Iterable[int], side: int, alpha: int, beta: int) -> int | None:
        """A bound that is known of a child and settles the question; None without one."""
        for child in children:
            bounds = self._table.get(child, NOTHING)
            if side and bounds & 3 <= alpha:
                return bounds & 3
            if not side and bounds >> 2 >= beta:
                return bounds >> 2
        return None

    def _greatest(self, children: list[int], alpha: int, beta: int) -> int:
        best = 0
        for child in children:
            best = max(best, self._value(child, max(alpha, best), beta))
            if best >= beta:
                break
        return best

    def _least(self, children: list[int], alpha: int, beta: int) -> int:
        best = 2
        for child in children:
            best = min(best, self._value(child, alpha, min(beta, best)))
            if best <= alpha:
                break
        return best
