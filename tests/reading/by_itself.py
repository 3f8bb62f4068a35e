"""The reader without a table: what it makes of an evening when nobody answers it."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.cells import Cell
from benchmarks.judged import SICK, Said, WithoutAnswers
from benchmarks.rivals import STOOD
from firmware_bridge.reading import LikelihoodReader
from firmware_bridge.reading.ways import passed
from games.rules import Position, Turn
from hardware.device import Levels

LIT = 0.5
"""The probability of something wrong from which on lights would show it; a guess."""


class ByItself(WithoutAnswers):
    """The reader over debounced levels: it says what it would ask and tell, and hears no answers."""

    lost = "missed"

    def __init__(self, cell: Cell) -> None:
        super().__init__(cell)
        self._reader = LikelihoodReader(self._game, cell.sense, self._start)
        self._put = 0
        self._frame: Levels = ()

    @property
    def made(self) -> Sequence[Position]:
        """The results of the turns that count."""
        return [*self._before, *(counted.turn.after for counted in self._reader.turns[self._put :])]

    @property
    def speaks(self) -> str:
        """What it would say now."""
        return {"ask": "asked", "tell": "accused"}.get(self._reader.decision.call, "")

    def see(self, levels: Levels, now: float) -> None:
        """Debounced, and read."""
        spoke, doubted = self.speaks, self._reader.doubt > LIT
        self._frame = self._debounce.feed(levels, now)
        self._reader.see(self._frame, now)
        if (speaks := self.speaks) and speaks != spoke:
            self.said.append(Said(now, "asked" if speaks == "asked" else "accused"))
        if self._reader.doubt > LIT and not doubted:
            self.said.append(Said(now, "lit"))
        for found in self._reader.reliability.tell():
            if found.name in SICK:
                self.said.append(Said(now, "accused"))
                self.blamed = dict.fromkeys(found.sites, now) | self.blamed

    def look(self, now: float) -> None:
        """Let the frame stand."""
        self._reader.see(self._frame, max(now, self._reader.likelihood.changed_at + STOOD))

    def put(self, due: Sequence[Turn[Position]], levels: Levels) -> None:
        """Go on from the last of these."""
        self._before = [turn.after for turn in due]
        for position in [turn.after for turn in due[-2:]] or [self._start]:  # what it missed, and what followed
            self._reader.put(passed(self._game, position))
        self._put = len(self._reader.turns)
