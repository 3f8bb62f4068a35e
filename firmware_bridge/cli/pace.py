"""How long a turn may take under a game clock: main time, then so many turns in each period. Times in seconds."""

from __future__ import annotations

AHEAD = 25
"""Turns for which main time is kept in hand; short of a whole game, for late turns need less thought."""
PART = 0.9
"""How much of a turn's share is used: the rest goes to whoever carries the turn to the clock."""


class Clock:
    """What one player still has. After `main` seconds, `turns` turns are to be made in each `period`; 0: none more."""

    def __init__(self, main: float, period: float, turns: int) -> None:
        self._period, self._turns = period, turns
        if main or not turns:
            self.tell(main, 0)
        else:
            self.tell(period, turns)

    def tell(self, left: float, due: int) -> None:
        """The clock stands at `left`, and in that time `due` turns are still to be made; 0 of them in main time."""
        self._left, self._due = max(0.0, left), due

    def share(self) -> float:
        """How long the next turn may be thought about."""
        if self._due:
            return PART * self._left / self._due
        later = self._period / self._turns if self._turns else 0.0
        return PART * (self._left / AHEAD + later)

    def spend(self, seconds: float) -> None:
        """A turn took so long."""
        left, due = self._left - seconds, self._due
        if due == 1:
            self.tell(self._period, self._turns)
        elif due or left > 0 or not self._turns:
            self.tell(left, max(0, due - 1))
        else:  # main time has run out
            self.tell(left + self._period, self._turns)
