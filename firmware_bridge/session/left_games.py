"""Finished games that were left to try something: a position of theirs, a lesson, a puzzle. One may go back to them."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.daemon import Daemon
from firmware_bridge.records import Record, Saved
from firmware_bridge.score import ScoreSheet
from hardware.device import Sense

MOST = 8
"""Games that are remembered; guessed: who goes on from what was tried goes back step by step."""


class LeftGame(NamedTuple):
    """A game as it stood; `record` is closed."""

    sheet: ScoreSheet
    sense: Sense
    record: Record | None

    @property
    def path(self) -> Path | None:
        """The file in which it may go on; None where it was played without, or goes on in several."""
        return self.record.path if self.record and self.saved else None

    @property
    def saved(self) -> Saved | None:
        """What that file holds."""
        return self.record.saved if self.record else None


class LeftGames:
    """The games that were left, the last one first to go back to."""

    def __init__(self) -> None:
        self._games: deque[LeftGame] = deque(maxlen=MOST)

    def __bool__(self) -> bool:
        return bool(self._games)

    def leave(self, daemon: Daemon | None) -> None:
        """The game of `daemon` is left for what one may come back from; only a finished one is remembered."""
        if daemon and daemon.table.sheet.outcome and not daemon.tutor:
            self._games.append(LeftGame(daemon.table.sheet, daemon.table.sensors.sense, daemon.record))

    def back(self) -> LeftGame | None:
        """The game that was left last, which is remembered no longer; None if there is none."""
        return self._games.pop() if self._games else None

    def forget(self) -> None:
        """Another game begins."""
        self._games.clear()
