"""What the hands may be doing: a turn of this position, another in place of the turn before, or taking turns back.

The three are tried in this order. Here is what speaks for each of them; what follows from it, and when, is the
table's: the rules are in `firmware_bridge.table`.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge.past import Past
from firmware_bridge.reconcile import Watch
from firmware_bridge.sheet import PASS, Moment, Sheet
from firmware_bridge.verdict import Astray, AtRest, Complete, UnderWay, Verdict, Which
from firmware_bridge.way import Sight, Way
from games.rules import Position, Turn
from hardware.device import Levels


class Amendment(NamedTuple):
    """The turn that the one before has been changed to, and the length of the sheet that it belongs after."""

    turn: Turn[Position]
    length: int


class Hypotheses:
    """What the hands at the game on `sheet` may be doing; only reads the sheet."""

    def __init__(self, sheet: Sheet, sight: Sight) -> None:
        self._sheet, self._sight = sheet, sight
        self._past = Past(sheet, sight)
        self.frame: Levels = sight.frame(sheet.position)
        """The settled frame seen last."""
        self.last = self._past.latest()
        """The last turn that a hand made."""
        self.changing = False
        """Whether the turn before is being changed for another."""
        self._open: tuple[Watch, int] | None = None
        self._swept = False
        self._taken_back: list[Moment] = []
        self.begin()

    def begin(self) -> None:
        """Watch the position that the sheet has come to; where the engine is to move, no turn counts yet."""
        self.plan: Way | None = None
        """The turn that the engine has chosen, for a hand to carry out."""
        self.watch = Watch(self._sight, self._sheet.position, () if self._sheet.level else self._sheet.turns)

    def carry_out(self, turn: Turn[Position]) -> None:
        """The engine has chosen `turn`: until it is made nothing else counts, but what leads to the same."""
        sheet = self._sheet
        self.plan = self._sight.way(sheet.position, turn)
        twins = tuple(other for other in sheet.turns if other.after == turn.after)
        self.watch = Watch(self._sight, sheet.position, twins, chosen=True)
        self.watch.feed(self.frame)

    def feed(self, frame: Levels, *, resting: bool) -> None:
        """Take note of what changed; `resting`, whether the frame before was at rest."""
        self._swept = (self._swept and not resting) or self._past.upset(frame, self.frame)
        self.frame = frame
        self.watch.feed(frame)
        if self._open:
            self._open[0].feed(frame)

    # A turn of this position ------------------------------------------------------------------

    def verdict(self) -> Verdict:
        """What the frame comes to if the hands make a turn of this position, and do not change the one before."""
        self.changing = False
        verdict = self.watch.verdict()
        return self._slipped(verdict, self.plan) if self.plan and isinstance(verdict, Astray) else verdict

    def _slipped(self, astray: Astray, plan: Way) -> Astray:
        """Of a turn to be carried out only what no step of it explains is wrong; all, if that is just their order."""
        strange = tuple(site for site in astray.sites if not plan.puts(site, self.frame[site]))
        return Astray(strange or astray.sites, None, plan if strange and not plan.sown else None)

    def accepted(self, turn: Turn[Position], *, kept_open: bool = False) -> None:
        """`turn` of this position counts; if `kept_open`, the same hand may go on to change it. (Not a sowing.)"""
        self.last = self._past.seen(Moment(self._sheet.position, turn))
        if kept_open:
            self.forget()
            self._open = None if self.last.sown else (self.watch, self._sheet.length)

    def begun(self, complete: Complete, verdict: Verdict) -> bool:
        """Whether the frame is wholly explained as a turn after the one that was complete, and not as this one."""
        turn = complete.way.turn
        rests = isinstance(verdict, AtRest) and not complete.way.strict
        if rests or not (isinstance(verdict, Astray | AtRest) or self.watch.unexplained):
            return False
        if self._sheet.levels[turn.after.side]:  # the engine begins nothing by itself
            return False
        after = Watch(self._sight, turn.after)
        after.feed(self.frame)
        return isinstance(after.verdict(), UnderWay | Complete) and not after.unexplained

    def untouchable(self, which: Which) -> bool:
        """Whether Done must do for an answer: there is one result, and where it began the sensors tell nothing."""
        unseen = all(way.begins is not None and self.frame[way.begins] is None for way in which.ways)
        return unseen and len({way.turn.after for way in which.ways}) == 1

    def left_off(self) -> Way | None:
        """The illegal turn that this would be, or that the last one would become, if the hands were to stop here."""
        if self._open and self.changing:
            return self._open[0].left_off()
        beyond = self.beyond()
        return self.watch.left_off() or (beyond.refused if beyond else None)

    # The turn before --------------------------------------------------------------------------

    def changed(self) -> UnderWay | Complete | None:
        """What the turn before is becoming, if it is the same hand that is at work; `changing` follows from it."""
        changed = self._becoming()
        self.changing = changed is not None
        return changed

    def _becoming(self) -> UnderWay | Complete | None:
        """It is the same hand when it began where that turn changed something, and goes on with the same piece."""
        if not self._open or not self.last:
            return None
        before, origin = self._open[0], self.last.origin
        if all(before.rest[site] == self.watch.rest[site] for site in self.watch.seen.first_touched):
            return None
        verdict = before.verdict()
        if isinstance(verdict, UnderWay):
            ways = tuple(way for way in verdict.ways if way.origin == origin)
            return UnderWay(ways) if ways else None
        return verdict if isinstance(verdict, Complete) and verdict.way.origin == origin else None

    def beyond(self) -> Astray | None:
        """What is wrong if the hand that made the turn before has not left it at that: it takes a second stone, say."""
        return self._open[0].beyond(self.last.turn) if self._open and self.last else None

    def amendment(self) -> Amendment | None:
        """The other turn of the position before that the same hand has changed its turn to."""
        changed = self._becoming() if self.changing else None
        return Amendment(changed.way.turn, self._open[1]) if self._open and isinstance(changed, Complete) else None

    # Turns taken back -------------------------------------------------------------------------

    def earlier(self) -> int | None:
        """How long the sheet was at the latest earlier position that the frame equals, if the last turn was touched."""
        begun = self.last and not self.last.result.keys().isdisjoint(self.watch.seen.first_touched)
        return self._past.earlier(self.frame) if begun and not self._swept else None

    def taking_back(self, verdict: UnderWay) -> bool:
        """Whether the frame is an earlier position, and no turn is likely to begin like this."""
        return not self.changing and not self.watch.likely(verdict.ways) and self.earlier() is not None

    def may_undo(self, verdict: Astray) -> bool:
        """Whether the frame is an earlier position, and not what the side to move has made by an illegal turn."""
        turn = verdict.refused.turn if verdict.refused else None
        if turn and turn.after.side != self._sheet.position.side and self._sight.frame(turn.after) == self.frame:
            return False
        return self.earlier() is not None

    def gone_back(self, dropped: list[Moment]) -> None:
        """The sheet has gone back by these turns, which may be put again as they stood."""
        self.forget()
        self._taken_back = [moment for moment in dropped if moment.turn.text != PASS]
        self.last = self._past.latest()

    def put_again(self) -> list[Moment]:
        """The turns taken back by hand, once they stand again as they stood and nothing else was touched."""
        if not self._taken_back or self.frame != self._sight.frame(self._taken_back[-1].turn.after):
            return []
        differs = {site for site, level in enumerate(self.frame) if level != self.watch.rest[site]}
        if not differs.issuperset(self.watch.seen.touched):
            return []
        again, self._taken_back = self._taken_back, []
        return again

    def forget(self) -> None:
        """Nothing is left of what the hands began: no turn is open, and none may be put again."""
        self._open, self._taken_back = None, []
