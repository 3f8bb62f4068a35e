"""The table: a game in progress, told what the sensors show and what is pressed, answering with events."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.reading.candidates import Amendment
from firmware_bridge.reading.disambiguation import Guess, Offer, guesses, in_one_row
from firmware_bridge.reading.verdict import Astray, AtRest, Blind, Complete, Offered, Verdict, Which
from firmware_bridge.table import referee
from firmware_bridge.table.play import Play
from firmware_bridge.table.referee import Event, told
from games.rules import Position, Reason, Turn
from hardware.device import Levels

JUST = 1.0
"""Seconds after a turn has counted in which Done is about that turn, and claims no other."""


class Table(Play):
    """A game at a table with buttons, and whoever presses them."""

    def done(self, now: float) -> list[Event]:
        """The Done button: the player says that the turn is over."""
        verdict, insisting = self.verdict, self._insisting
        self._insisting = True
        if isinstance(verdict, Blind):
            return [told("blind")]
        if isinstance(verdict, Offered):
            return self._take(now)
        unseen = isinstance(verdict, AtRest) and not self.setting and now > self._since + JUST
        self._players.done(unseen=unseen)
        if isinstance(verdict, Complete):
            return self._accept(verdict.way.turn, now)
        if amendment := self._hypotheses.amendment():
            return self._amend(amendment, now)
        if isinstance(verdict, Which) and self._asked and self._hypotheses.untouchable(verdict):
            return self._confirm(verdict.ways[0].turn, now)
        told_already = isinstance(verdict, Astray) and not verdict.refused and not self.setting
        return (self._insist(now) if insisting or told_already else []) or self._not_done(verdict, now)

    def _confirm(self, turn: Turn[Position], now: float) -> list[Event]:
        """`turn` was made: one of this position, or in place of the turn before."""
        length = self._hypotheses.amended_at
        if turn in self.sheet.turns or length is None:
            return self._accept(turn, now)
        return self._amend(Amendment(turn, length), now)

    def _not_done(self, verdict: Verdict, now: float) -> list[Event]:
        """What keeps the turn from counting."""
        rests = isinstance(verdict, AtRest)
        if rests and (None not in self.frame or not self._watch.whole()):
            return [told("over") if self.sheet.outcome else told("nothing-done", player=self.sheet.player)]
        slipped = isinstance(verdict, Astray) and verdict.refused is not None
        if not self.setting and not slipped and (which := self._watch.whole()):
            return self._ask(which)
        self._flagged = True
        if isinstance(verdict, Astray):
            said = self._voice.insist(self._wrong(verdict), now)
            return said + ([told("press-again")] if self.setting and in_one_row(self.sight, verdict.sites) else [])
        return [referee.owed(self._hypotheses.left_off())]

    def _insist(self, now: float) -> list[Event]:
        """The players insist: turns are offered; where the board is set up, what contradicts them is not believed."""
        if self.setting:
            wrong = self.verdict.sites if isinstance(self.verdict, Astray) else ()
            said = self._doubt.contradicted(wrong, now)
            return said and [*said, *self._judge(now)]
        first = self._judging.latest or self._hypotheses.past.only()
        found = guesses(self._watch, first, () if self.planned else self.sheet.moments)
        return self._offered(found, now) if found else []

    # Turns that are offered ------------------------------------------------------------------

    def _offered(self, found: Sequence[Guess], now: float) -> list[Event]:
        """Show these turns, one of which Done may name."""
        self._offer = Offer(found, now)
        return self._show(self._offer, now)

    def _take(self, now: float) -> list[Event]:
        """One of the turns shown was made; then the sensors that speak against it lie."""
        taken = self._offer.taken(now) if self._offer else ()
        if len(taken) != 1:
            return self._offered(taken, now) if taken else []
        (guess,) = taken
        if guess.back is not None:
            self._hypotheses.forget()
            return self._amend(Amendment(guess.way.turn, guess.back), now)
        said = self._doubt.disbelieve(guess.lies, now) if guess.lies else []
        return said + [event for turn in guess.turns for event in self._accept(turn, now)]

    # Others ------------------------------------------------------------------------------------

    def plan(self, turn: Turn[Position]) -> list[Event]:
        """The engine has chosen `turn`, a legal one: a hand is to carry it out, and nothing else counts."""
        self._hypotheses.carry_out(turn)
        return self._judge(self._stood)

    def look_again(self) -> list[Event]:
        """Others play from now on: begin anew with the position."""
        return self._afresh([])

    def undo(self, now: float) -> list[Event]:
        """The Undo button: the last turn is taken back, and the board must follow."""
        if self.sheet.called_off:
            self.sheet.go_on()
            return self._afresh([Event("undone", Reason.of("table.goes-on", count=0))])
        if (length := self.sheet.before_last()) is None:
            return [told("nothing-undone")]
        self.setting, self._stood = True, now
        return self._back_to(length, now)

    def resign(self, side: int) -> list[Event]:
        """Player `side` gives up."""
        return [told("over")] if self.sheet.outcome else self._afresh(self.sheet.resign(side))

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        return [told("over")] if self.sheet.outcome else self._afresh(self.sheet.agree())

    def set_right(self, frame: Levels, now: float) -> list[Event]:
        """Whatever hands did meanwhile, the board is to be made equal to the position before the game goes on."""
        self._hypotheses.frame, self._stood = self._doubt.feed(frame, now), now
        self.setting = True
        return self._afresh([])
