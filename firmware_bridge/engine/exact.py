"""Exact play: the value of a position near the end of a game that fills its board, by every line.

Alpha-beta over three values for the side to move: 0 lost, 1 drawn, 2 won. Positions are the words of `games.core`.

1. **Order.** The turns come first that leave the fewest answers: that takes as little as a tenth of the positions.
2. **Bounds.** What is known of each position's value is kept in a table of a fixed size with two places for each: one
   for what took the most work, one for the latest. A turn whose known bound is enough is taken before any is searched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from firmware_bridge.engine import POLL, Stopped, never
from games.core import Core, Turns, spread

if TYPE_CHECKING:
    from mypy_extensions import i64

REMEMBERED: Final = 1 << 17
"""Positions of which bounds are kept: about 15 MB once they are."""


class Bounds:
    """What is known of a position's value."""

    def __init__(self) -> None:
        self.a: i64 = -1
        self.b: i64 = 0
        self.least: i64 = 0
        self.most: i64 = 2
        self.work: i64 = 0
        """Positions looked at for it."""


class Exact:
    """The values of positions of one game; what is known of them lasts from call to call."""

    def __init__(self, core: Core, remembered: int = REMEMBERED) -> None:
        self._core = core
        size = 2
        while 2 * size <= remembered:
            size *= 2
        self._places: list[Bounds | None] = [None] * size
        self._last: i64 = size - 1
        self._plies: list[Turns] = []
        self._nodes: i64 = 0
        self._left: i64 = POLL
        self._stop: Callable[[], bool] = never

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return int(self._nodes)

    def value(self, state: int, stop: Callable[[], bool] = never) -> float:
        """The score of the side to move in `state`: 0.0, 0.5 or 1.0; `Stopped` if `stop()` says so first."""
        self._stop = stop
        a, b = self._core.words(state)
        return int(self._value(a, b, 0, 2, 0)) / 2

    def _value(self, a: i64, b: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The value, if it lies between alpha and beta; else a bound on the same side of them."""
        known = self._known(a, b)
        least: i64 = 0
        most: i64 = 2
        if known is not None:
            least, most = known.least, known.most
            if least > alpha:
                alpha = least
            if most < beta:
                beta = most
            if alpha >= beta:
                return least if least >= beta else most
        before = self._nodes
        self._nodes += 1
        self._left -= 1
        if not self._left:
            self._left = POLL
            if self._stop():
                raise Stopped
        found = self._best(a, b, alpha, beta, ply)
        if found > alpha:
            least = found
        if found < beta:
            most = found
        self._keep(a, b, least, most, self._nodes - before)
        return found

    def _best(self, a: i64, b: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        core = self._core
        if ply == len(self._plies):
            self._plies.append(Turns())
        turns = self._plies[ply]
        core.fill(a, b, turns)
        if not turns.many:
            return core.ended(a, b)
        for number in range(turns.many):
            slot = turns.slots[number]
            known = self._known(slot.a, slot.b)
            if known is not None and 2 - known.most >= beta:
                return 2 - known.most
            slot.order = -core.count(slot.a, slot.b)
        best: i64 = 0
        for number in range(turns.many):
            chosen = turns.foremost(number)
            floor = best if best > alpha else alpha
            value = 2 - self._value(chosen.a, chosen.b, 2 - beta, 2 - floor, ply + 1)
            if value > best:
                best = value
                if best >= beta:
                    break
        return best

    # What is known ---------------------------------------------------------------------------

    def _place(self, a: i64, b: i64) -> i64:
        """The first of the two places of a position."""
        return spread(a, b) & self._last & ~1

    def _known(self, a: i64, b: i64) -> Bounds | None:
        place = self._place(a, b)
        first = self._places[place]
        if first is not None and first.a == a and first.b == b:
            return first
        second = self._places[place + 1]
        if second is not None and second.a == a and second.b == b:
            return second
        return None

    def _keep(self, a: i64, b: i64, least: i64, most: i64, work: i64) -> None:
        kept = self._known(a, b)
        if kept is None:
            place = self._place(a, b)
            kept = self._places[place]
            if kept is None:
                kept = self._places[place] = Bounds()
            elif work < kept.work:
                kept = self._places[place + 1]
                if kept is None:
                    kept = self._places[place + 1] = Bounds()
            kept.a, kept.b, kept.work = a, b, 0
        kept.least, kept.most, kept.work = least, most, kept.work + work
