"""Who keeps the clocks at a table: lets them run and stand, calls the end of time, and says when little is left.

They stand while nobody can be thought to think: the table sees nothing (`Blind`), asks or offers which turn it was, the
board is being set up or put right, hands carry out what the engine has chosen, or the game is over. What players have
put wrong costs them time.
"""

from __future__ import annotations

from math import inf

from firmware_bridge.clocks import Clock
from firmware_bridge.events import Event
from firmware_bridge.table.table import Table
from firmware_bridge.verdict import Astray, AtRest, Blind, Offered, Which

WEIGHING = 1.0
"""Seconds after the end of time in which a turn whose last touch was before it may still come to count; a guess."""


class Timekeeper:
    """Keeps the clocks of the game at one table, if it has any."""

    def __init__(self) -> None:
        self._said: set[tuple[int, str]] = set()
        """What was said, and of whose time."""
        self._seen: Clock | None = None
        self._due = -inf
        """When there is something to do again if that clock goes on running, in seconds."""

    def see(self, table: Table, now: float) -> list[Event]:
        """Let the clock run or stand as the table is at `now` (seconds); what is to be said of it."""
        sheet = table.sheet
        if not sheet.clock:
            return []
        late = sheet.clock.late
        if late is not None and late != sheet.away:  # while it was waited for, the turn was finished too late
            return table.flag(late)
        sheet.clock = sheet.clock.stop(now) if stands(table) else sheet.clock.run(now)
        if sheet.clock.since is None or (sheet.clock is self._seen and now < self._due):
            return []
        self._seen, self._due = sheet.clock, min(sheet.clock.changes(now), sheet.clock.falls)
        if sheet.clock.side == sheet.away:  # what time that player has left the other table knows
            return []
        if now >= sheet.clock.falls and (now >= sheet.clock.falls + WEIGHING or not in_hand(table)):
            sheet.stop_clock(now)
            return table.flag(sheet.clock.side)
        return self._warn(table, now)

    def _warn(self, table: Table, now: float) -> list[Event]:
        """Say once of each player that little time is left, and that periods have begun."""
        clock = table.sheet.clock
        assert clock
        shown, pace = clock.shown(clock.side, now), clock.pace(now)
        player, control = table.game.players[clock.side], clock.control
        if shown.within and control.main and self._first("periods", clock.side):
            return [
                Event.of("time-periods", player=player, seconds=f"{control.period:g}", count=shown.periods),
            ]
        if pace and not control.periods and self._first(pace, clock.side):
            return [Event.of("time-short", player=player, seconds=round(shown.seconds))]
        return []

    def _first(self, what: str, side: int) -> bool:
        """Whether this was not said before of the time of `side`."""
        new = (side, what) not in self._said
        self._said.add((side, what))
        return new


def stands(table: Table) -> bool:
    """Whether the clocks of `table` stand."""
    if table.setting or table.planned or table.sheet.outcome:
        return True
    asked = isinstance(table.verdict, Which) and table.asks
    return asked or isinstance(table.verdict, Blind | Offered)


def in_hand(table: Table) -> bool:
    """Whether a turn may have been made that does not count yet."""
    return not isinstance(table.verdict, AtRest | Astray) or table.at_work
