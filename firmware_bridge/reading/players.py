"""What the table comes to know of these players: how long they pause, and whether they press Done.

Pauses within turns, of which it keeps the latest `KEPT`, stretch the settle time to `STRETCH` times what three in
four of them took, but never below what is set nor above `SLOWEST`: slow hands are given time, and a walk to the window
is not taken for slowness. Who never presses Done and then does, where the table has seen nothing, says that a turn
was made that could not be seen; who presses it after every turn does not.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from firmware_bridge.reading.patience import Patience

KEPT = 24
FEWEST = 8
"""Pauses before anything follows from them."""
STRETCH = 1.25
SLOWEST = 1.2
"""Seconds: the longest settle time that players can bring about."""
SHORTEST, LONGEST = 0.1, 3.0
"""Seconds of a pause that says something: what is shorter slides, and who pauses longer has left off."""


class Players:
    """The players at one table; `patience` is what is set, and the least that they are given."""

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        """How long frames must stand for these players."""
        self.claimed = False
        """Whether somebody says that a turn was made which the table has not seen: the next is to be confirmed."""
        self._least = patience.settle
        self._pauses: deque[float] = deque(maxlen=KEPT)
        self._presses: dict[int, bool] = {}
        self._pressed = False
        self._latest: int | None = None

    def paused(self, seconds: float) -> None:
        """In the midst of a turn a player paused for so long."""
        if SHORTEST <= seconds <= LONGEST:
            self._pauses.append(seconds)

    def done(self, *, unseen: bool) -> None:
        """Done was pressed. If `unseen`, no turn was seen: unless who played last is given to it, one was made."""
        self._pressed = True
        given = self._latest is None or self._presses.get(self._latest, True)
        self.claimed = self.claimed or (unseen and not given)

    def accepted(self, side: int) -> None:
        """A turn of player `side` counts."""
        if self._latest is not None:
            self._presses[self._latest] = self._pressed
        self._latest, self._pressed, self.claimed = side, False, False
        if len(self._pauses) >= FEWEST:
            self.patience = replace(self.patience, settle=self._settle())

    def _settle(self) -> float:
        """Seconds that a frame must stand, going by the pauses."""
        usual = sorted(self._pauses)[len(self._pauses) * 3 // 4]
        return max(self._least, min(SLOWEST, STRETCH * usual))
