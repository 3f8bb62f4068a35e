"""When the table speaks of what is wrong: once it has stood for a moment, and once."""

from __future__ import annotations

from math import inf

from firmware_bridge.reading.verdict import AtRest, Blind, Complete, Verdict
from firmware_bridge.table.referee import Event, told
from games.rules import Reason

MOMENT = 0.2
"""Seconds that something must be wrong before it is said: a piece that jumps, or a hand that passes, is nothing."""
CHATTER = 2.0
"""Seconds for which the same fault is not spoken of again."""


class Voice:
    """Speaks of what is wrong once it has stood for a moment, and of its being right again."""

    def __init__(self) -> None:
        self.due = inf
        """When something is to be said, in seconds."""
        self._next: Event | None = None
        self._told: Event | None = None
        self._blind = self._half = False
        self._latest: Event | None = None
        self._at = -inf

    @property
    def waits(self) -> bool:
        """Whether something was said to be wrong, and not yet that it is right again."""
        return self._told is not None

    def hear(self, verdict: Verdict, astray: Event | None, since: float, how: str) -> list[Event]:
        """What is to be said of `verdict` at once; `astray` tells what is wrong, `how` that it is right again.

        A table that is astray without such an event takes a turn back.
        """
        if isinstance(verdict, Blind):
            return self.blind(since)
        said = self.sighted()
        if astray:
            self.wrong(astray, since)
        elif isinstance(verdict, AtRest | Complete):
            righted = self.right(how)
            said += righted if isinstance(verdict, AtRest) else []
        else:
            self.hush()  # hands under way may pass what looks right
        return said

    def wrong(self, event: Event, since: float) -> None:
        """`event` tells what is wrong `since` then; it is to be said unless the players know: lights are faster."""
        if self._told and said_already(event, self._told):
            self._told = event
            self.hush()
            return
        just = event == self._latest and since < self._at + CHATTER  # a loose contact is no reason to chatter
        self._next, self.due = event, since + (CHATTER if just else MOMENT)

    def blind(self, since: float) -> list[Event]:
        """The table sees nothing: what was wrong before is to be said again once it sees."""
        self.hush()
        self._told = None
        event = told("blind")
        if not self._blind:
            just = event == self._latest and since < self._at + CHATTER
            self._next, self.due = event, since + CHATTER if just else since
        return self.speak(since)

    def sighted(self) -> list[Event]:
        """The table sees; say so, if it was said that it does not."""
        was, self._blind = self._blind, False
        return [told("sighted")] if was else []

    def speak(self, now: float) -> list[Event]:
        """Say what is due."""
        if not self._next or now < self.due:
            return []
        event = self._next
        self.hush()
        self._latest, self._at = event, now
        if event.name == "blind":
            self._blind = True
        else:
            self._told = event
        return [event]

    def insist(self, event: Event, now: float) -> list[Event]:
        """Say `event`, for somebody has asked."""
        self._next, self.due = event, now
        return self.speak(now)

    def hush(self) -> None:
        """What was to be said no longer holds."""
        self._next, self.due = None, inf

    def right(self, how: str) -> list[Event]:
        """Say that all is right again, and `how`, if it was said that something is not."""
        self.hush()
        was, self._told = self._told or self._half, None
        self._half = how == "righted-in-turn"  # once the turn is put back as well, all is
        return [Event("righted", Reason(f"table.{how}"))] if was else []


def said_already(event: Event, before: Event) -> bool:
    """Whether `event` tells the players nothing new after `before`."""
    general = all(each.say.id.startswith("table.") for each in (event, before))
    return set(event.sites) <= set(before.sites) if general else event.say.id == before.say.id
