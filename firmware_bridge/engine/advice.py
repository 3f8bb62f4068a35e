"""Those who think along at a table: whoever gives hints, and the engine where it plays one of the sides, or both.

The engine's hands are those of the person at the table: its turn is shown step by step, and waits for them.
"""

from __future__ import annotations

from firmware_bridge.engine.client import Thinker, Thought, question
from firmware_bridge.engine.hints import Hints, Shown
from firmware_bridge.lighting.scene import Hint
from firmware_bridge.table.referee import Event, told
from firmware_bridge.table.table import Table
from games.rules import Position, Turn, say


class Company:
    """At one table, with what `thinker` finds; hints are `shown` when it says."""

    def __init__(self, thinker: Thinker, shown: Shown = "button") -> None:
        self._thinker = thinker
        self._hints = Hints(thinker, shown)
        self._position: Position | None = None
        self._thought: Thought | None = None
        self._failing = False

    @property
    def hint(self) -> Hint | None:
        """What the lights are to show of the hint."""
        return self._hints.hint

    @property
    def shown(self) -> Shown:
        """When hints are shown."""
        return self._hints.shown

    def show(self, shown: Shown) -> None:
        """Show hints at other times from now on."""
        self._hints.show(shown)

    def want(self, table: Table) -> list[Event]:
        """The Hint button; while a turn of the engine waits for a hand, that is told again."""
        return [plans(table, table.planned)] if table.planned else self._hints.want(table)

    def see(self, table: Table, now: float) -> list[Event]:
        """Think along at `now` (seconds), after each scan."""
        self._thinker.listen(now)
        return [*self._hints.see(table, now), *self._play(table, now), *self._troubles()]

    def _play(self, table: Table, now: float) -> list[Event]:
        """Find the engine's turn, and have the table ask for it."""
        sheet = table.sheet
        if table.planned or not sheet.level:
            return []
        if not self._thought or sheet.position is not self._position:
            self._position = sheet.position
            self._thought = self._thinker.ask(question(sheet, sheet.level, self._thinker.luck + sheet.length), now)
        answer = self._thought.answer
        if table.setting or not answer or not self._thought.over:
            return []
        turn = next(turn for turn in sheet.turns if turn.text == answer.turn)
        self._thought = None
        return [plans(table, turn), *table.plan(turn)]

    def _troubles(self) -> list[Event]:
        """That no answer comes, once."""
        before, self._failing = self._failing, self._thinker.failing
        return [told("thoughtless")] if self._failing and not before else []

    def close(self) -> None:
        """No thoughts any more."""
        self._thinker.close()


def plans(table: Table, turn: Turn[Position]) -> Event:
    """The engine has chosen `turn`."""
    return told("plans", player=table.sheet.player, turn=turn.text)


say(
    "table",
    plans="{player} plays {turn}: carry it out as the lights show.",
    thoughtless="The engine does not answer: its process ends again and again. The game is kept; go on without it.",
)
