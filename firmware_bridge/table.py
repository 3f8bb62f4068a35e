"""The table: a game in progress, told what the sensors show and what is pressed, answering with events.

It takes values and `now` (seconds) and returns values; it reads no clock, file or device. How a verdict becomes
a turn accepted, amended or taken back:

 1. A turn that is complete and sure counts at once. One that is not counts on Done, when its frame has stood for
    `settle` seconds, or when the next player begins a turn that fits its result. A sowing of which some steps
    are invisible never counts by standing.
 2. The turn before stays open to the same hand: while this position has no turn for what the hands do, but the
    one before has, the turn is being changed for another, which counts after `settle`. (Not a sowing.)
 3. A frame that equals an earlier position, and that no turn of the side to move explains, takes turns back after
    `undo` seconds; put again as it stood, it replays them. The hands must have begun with the last turn, and not
    have upset the board: changed more at once than one turn taken back. For seeds by presence a picture is no
    proof: the button undoes.
 4. A question is asked when its frame has stood for `settle`; what a turn still owes is said after `left_off`.
 5. Setting up, and undoing by the button, are one thing: nothing counts until the frame equals the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from firmware_bridge import referee
from firmware_bridge.past import Past
from firmware_bridge.reconcile import Watch
from firmware_bridge.referee import CHATTER, Event, Voice, told
from firmware_bridge.sheet import PASS, Moment, Sheet
from firmware_bridge.verdict import Astray, AtRest, Blind, Complete, UnderWay, Verdict, Which
from firmware_bridge.view import View
from firmware_bridge.way import Sight, Way
from games.rules import Game, Position, Reason, Turn
from hardware.device import Levels, Sense


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a frame must stand still."""

    settle: float = 0.4
    """Before an unsure turn counts and before a question is asked."""
    undo: float = 2.0
    """Before an earlier position counts as taken back."""
    left_off: float = 3.0
    """Before a turn left off is spoken of."""


class Table:
    """One game at one table, from wherever `sheet` has come to.

    `setting` says that the board is being made to equal the position.
    """

    def __init__(self, sheet: Sheet, sense: Sense, patience: Patience | None = None, *, setting: bool = False) -> None:
        self.game: Game[Position] = sheet.game
        self.sight = Sight(sheet.game, sense)
        self.sheet = sheet
        self.setting = setting
        self._past = Past(sheet, self.sight)
        self._patience = patience or Patience()
        self._frame: Levels = self.sight.frame(sheet.position)
        self._stood = self._since = 0.0
        self._due = inf
        self._asked = self._flagged = False
        self._voice = Voice()
        self._open: tuple[Watch, int] | None = None
        self._changing = self._swept = False
        self._taken_back: list[Moment] = []
        self._last = self._past.latest()
        self._begin()
        if sheet.moments:  # whatever happened at the board since, nobody saw
            self._watch.forgive()

    def _begin(self) -> None:
        """Watch the position that the sheet has come to."""
        self._watch = Watch(self.sight, self.sheet.position, self.sheet.turns)
        self.verdict: Verdict = AtRest()
        self._due = inf

    @property
    def frame(self) -> Levels:
        """The settled frame seen last."""
        return self._frame

    @property
    def pending(self) -> bool:
        """Whether something is to happen if the frame goes on standing."""
        return self._due < inf

    @property
    def empty(self) -> bool:
        """Whether nothing stands on the table, as far as can be seen."""
        return 0 in self._frame and not any(self._frame)

    def view(self) -> View:
        """A snapshot for the lights."""
        watch = self._watch
        return View(
            self.game, watch.position, self._frame, watch.rest, self.verdict, watch.ways, self._last, self._since,
            self._stood, self._asked, self._flagged, self.setting, self.sheet.outcome,
        )  # fmt: skip

    # What comes in ----------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> list[Event]:
        """A settled frame at `now`; the same object again while nothing changes."""
        if frame is not self._frame:
            self._swept = (not isinstance(self.verdict, AtRest) and self._swept) or self._past.upset(frame, self._frame)
            self._frame, self._stood = frame, now
            self._asked = self._flagged = False
            return self._look(now)
        if now < self._due:
            self._watch.prepare()
            return []
        self._due = inf
        return self._ripen(now)

    def done(self, now: float) -> list[Event]:
        """The Done button: the player says that the turn is over."""
        verdict = self.verdict
        if isinstance(verdict, Blind):
            return [told("blind")]
        if isinstance(verdict, AtRest) and (None not in self._frame or not self._watch.whole()):
            return [told("over") if self.sheet.outcome else told("nothing-done", player=self.sheet.player)]
        if isinstance(verdict, Complete):
            return self._commit(verdict.way.turn, now)
        if self._amendment():
            return self._amend(now)
        if isinstance(verdict, Which) and self._asked and self._untouchable(verdict):
            return self._commit(verdict.ways[0].turn, now)
        slipped = isinstance(verdict, Astray) and verdict.refused is not None
        if not self.setting and not slipped and (which := self._watch.whole()):
            return self._ask(which)
        self._flagged = True
        return [self._wrong(verdict) if isinstance(verdict, Astray) else referee.owed(self._left())]

    def _untouchable(self, which: Which) -> bool:
        """Whether Done must do for an answer: there is one result, and where it began the sensors tell nothing."""
        unseen = all(way.begins is not None and self._frame[way.begins] is None for way in which.ways)
        return unseen and len({way.turn.after for way in which.ways}) == 1

    def undo(self, now: float) -> list[Event]:
        """The Undo button: the last turn is taken back, and the board must follow."""
        if self.sheet.called_off:
            self.sheet.go_on()
            return self._afresh([Event("undone", Reason.of("table.goes-on", count=0))])
        length = self.sheet.before_last()
        if length is None:
            return [told("nothing-undone")]
        self.setting = True
        return self._back_to(length, now)

    def resign(self, side: int) -> list[Event]:
        """Player `side` gives up."""
        if self.sheet.outcome:
            return [told("over")]
        return self._afresh(self.sheet.resign(side))

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        if self.sheet.outcome:
            return [told("over")]
        return self._afresh(self.sheet.agree())

    def set_right(self, frame: Levels, now: float) -> list[Event]:
        """Whatever hands did meanwhile, the board is to be made equal to the position before the game goes on."""
        self._frame, self._stood = frame, now
        self.setting = True
        return self._afresh([])

    def _afresh(self, events: list[Event]) -> list[Event]:
        """The position is the same, and its legal turns are others; nothing is left of what the hands began."""
        self._open, self._taken_back = None, []
        self._begin()
        self._watch.feed(self._frame)
        return [*events, *self._judge(self._stood)]

    # A new frame ------------------------------------------------------------------------------

    def _look(self, now: float) -> list[Event]:
        self._watch.feed(self._frame)
        if self._open:
            self._open[0].feed(self._frame)
        if self._stands_again():
            return self._redo(now)
        return self._judge(now)

    def _judge(self, now: float) -> list[Event]:
        """What the frame means for this position, or failing that for the ones before and after."""
        verdict = self._watch.verdict()
        self._changing = False
        if self.setting:
            return self._set_up(verdict, now)
        if isinstance(self.verdict, Complete) and self._begun(self.verdict, verdict):
            return [*self._commit(self.verdict.way.turn, now), *self._judge(now)]
        if not isinstance(verdict, Astray):
            return self._adopt(verdict)
        changed = self._changed()
        self._changing = changed is not None
        if isinstance(changed, Complete):
            return self._adopt(UnderWay((changed.way,)), self._patience.settle)
        return self._adopt(changed or verdict)

    def _changed(self) -> UnderWay | Complete | None:
        """What the turn before is becoming, if it is the same hand that is at work.

        It is when it began where that turn changed something, and goes on with the same piece.
        """
        if not self._open or not self._last:
            return None
        before, origin = self._open[0], self._last.origin
        if all(before.rest[site] == self._watch.rest[site] for site in self._watch.first_touched):
            return None
        verdict = before.verdict()
        if isinstance(verdict, UnderWay):
            ways = tuple(way for way in verdict.ways if way.origin == origin)
            return UnderWay(ways) if ways else None
        return verdict if isinstance(verdict, Complete) and verdict.way.origin == origin else None

    def _set_up(self, verdict: Verdict, now: float) -> list[Event]:
        """Nothing counts until the frame equals the position."""
        differs = tuple(site for site, level in enumerate(self._frame) if level not in (self._watch.rest[site], None))
        if differs or isinstance(verdict, Blind):
            return self._adopt(verdict if isinstance(verdict, Blind) else Astray(differs))
        self.setting = False
        self._voice = Voice()
        self._begin()
        ready = told("righted") if self.sheet.outcome else told("ready", player=self.sheet.player)
        return [ready, *self._judge(now)]

    def _adopt(self, verdict: Verdict, wait: float | None = None) -> list[Event]:
        """Take `verdict` for true: commit, or wait for it to ripen, and say what is wrong."""
        self.verdict = verdict
        events = self._speak(verdict)
        if isinstance(verdict, Complete) and verdict.sure:
            return [*events, *self._commit(verdict.way.turn, self._stood)]
        self._due = self._stood + (self._wait(verdict) if wait is None else wait)
        if self._voice.muted:
            self._due = min(self._due, self._stood + CHATTER)
        return events

    def _wait(self, verdict: Verdict) -> float:
        """How long `verdict` must stand before something follows from it."""
        if isinstance(verdict, Complete) and verdict.way.veiled:
            return inf
        if isinstance(verdict, UnderWay) and verdict.ways[0].strict:
            return inf  # there may be more seeds in the hand than meet the eye
        if isinstance(verdict, Complete | Which):
            return self._patience.settle
        if isinstance(verdict, UnderWay):
            if self._taking_back(verdict):
                return self._patience.undo
            return self._patience.settle if self._voice.waits else self._patience.left_off
        return self._patience.undo if isinstance(verdict, Astray) and self._may_undo(verdict) else inf

    def _may_undo(self, verdict: Astray) -> bool:
        """Whether the frame is an earlier position, and not what the side to move has made by an illegal turn."""
        turn = verdict.refused.turn if verdict.refused else None
        if turn and turn.after.side != self.sheet.position.side and self.sight.frame(turn.after) == self._frame:
            return False
        return self._earlier() is not None

    def _speak(self, verdict: Verdict) -> list[Event]:
        """Say that the table is astray or blind, or at rest again; hands under way may pass what looks right."""
        if isinstance(verdict, UnderWay | Which):
            return []
        if isinstance(verdict, Blind):
            return self._voice.wrong(told("blind"), self._stood)
        if isinstance(verdict, Astray):
            return self._voice.wrong(self._wrong(verdict), self._stood)
        said = self._voice.right(strict=self.sight.strict)
        return said if isinstance(verdict, AtRest) else []

    def _wrong(self, verdict: Astray) -> Event:
        return referee.astray(self.game, self.sheet.position, self._frame, verdict, setting=self.setting)

    # A frame that has stood -------------------------------------------------------------------

    def _ripen(self, now: float) -> list[Event]:
        verdict = self.verdict
        if isinstance(verdict, Complete):
            return self._commit(verdict.way.turn, now)
        if isinstance(verdict, Which):
            return self._ask(verdict)
        if isinstance(verdict, UnderWay) and not self._taking_back(verdict):
            return self._amend(now) if self._amendment() else self._rested()
        if isinstance(verdict, Astray) and self._voice.muted:
            self._due = self._stood + self._wait(verdict)
            return self._voice.wrong(self._wrong(verdict), now)
        length = self._earlier() if isinstance(verdict, UnderWay | Astray) else None
        return self._back_to(length, now) if length is not None else []

    def _taking_back(self, verdict: UnderWay) -> bool:
        """Whether the frame is an earlier position, and no turn is likely to begin like this."""
        return not self._changing and not self._watch.likely(verdict.ways) and self._earlier() is not None

    def _ask(self, which: Which) -> list[Event]:
        self.verdict = which
        self._watch.ask(which)
        self._asked, self._due = True, inf
        return [referee.asked(self.game, which)]

    def _rested(self) -> list[Event]:
        """The hands rest where a turn is not whole: say that what was wrong is right, else which rule asks for more."""
        if self._voice.waits:
            self._due = self._stood + self._patience.left_off
            return self._voice.right(strict=self.sight.strict)
        way = self._left()
        self._flagged = way is not None
        if way is None and self._changing:  # the hand is not changing its turn after all
            self._changing = False
            return self._adopt(self._watch.verdict())
        return [referee.owed(way)] if way else []

    def _left(self) -> Way | None:
        """The illegal turn that this would be, or that the last one would become."""
        return self._open[0].left_off() if self._open and self._changing else self._watch.left_off()

    # Accepting --------------------------------------------------------------------------------

    def _begun(self, complete: Complete, verdict: Verdict) -> bool:
        """Whether the frame is wholly explained as a turn after the one that was complete, and not as this one."""
        rests = isinstance(verdict, AtRest) and not complete.way.strict
        if rests or not (isinstance(verdict, Astray | AtRest) or self._watch.unexplained):
            return False
        after = Watch(self.sight, complete.way.turn.after)
        after.feed(self._frame)
        return isinstance(after.verdict(), UnderWay | Complete) and not after.unexplained

    def _commit(self, turn: Turn[Position], now: float) -> list[Event]:
        sown = self._past.seen(Moment(self.sheet.position, turn)).sown
        self._open = None if sown else (self._watch, self.sheet.length)
        self._taken_back = []
        return self._accept("played", turn, now)

    def _amendment(self) -> Turn[Position] | None:
        """The other turn of the position before that the same hand has changed its turn to."""
        changed = self._changed() if self._changing else None
        return changed.way.turn if isinstance(changed, Complete) else None

    def _amend(self, now: float) -> list[Event]:
        turn = self._amendment()
        assert turn and self._open  # noqa: PT018
        self.sheet.back_to(self._open[1])
        return self._accept("amended", turn, now)

    def _accept(self, name: str, turn: Turn[Position], now: float) -> list[Event]:
        event = referee.played(name, self.sheet.player, turn)
        self._last = self._past.seen(Moment(self.sheet.position, turn))
        events = [event, *self.sheet.accept(turn)]
        self._since = now
        self._begin()
        self._watch.feed(self._frame)
        return events

    # Taking back ------------------------------------------------------------------------------

    def _earlier(self) -> int | None:
        """How long the sheet was at the latest earlier position that the frame equals, if the last turn was touched."""
        begun = self._last and not self._last.result.keys().isdisjoint(self._watch.first_touched)
        return self._past.earlier(self._frame) if begun and not self._swept else None

    def _back_to(self, length: int, now: float) -> list[Event]:
        dropped = self.sheet.back_to(length)
        self._taken_back = [] if self.setting else [moment for moment in dropped if moment.turn.text != PASS]
        self._open, self._voice = None, Voice()
        self._last = self._past.latest()
        self._begin()
        self._watch.feed(self._frame)
        turns = " ".join(moment.turn.text for moment in dropped)
        return [told("undone", turns=turns, count=len(dropped)), *self._judge(now)]

    def _stands_again(self) -> bool:
        """Whether what was taken back by hand has been put again as it stood, and nothing else was touched."""
        if not self._taken_back or self._frame != self.sight.frame(self._taken_back[-1].turn.after):
            return False
        differs = {site for site, level in enumerate(self._frame) if level != self._watch.rest[site]}
        return differs.issuperset(self._watch.touched)

    def _redo(self, now: float) -> list[Event]:
        moments, self._taken_back = self._taken_back, []
        return [event for moment in moments for event in self._accept("played", moment.turn, now)]
