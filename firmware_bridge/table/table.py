"""The table: a game in progress. It is told what the sensors show and what is pressed, and answers with events.

It takes values and `now` (seconds) and returns values. It reads no clock, file or device. These rules say how a
verdict becomes a turn accepted, amended or taken back; `settle`, `undo` and the like are fields of `Patience`:

 1. *Accepting.* A complete and sure turn counts at once, with two exceptions: while a piece that it takes could come
    back by itself, as after a bump, and while the only piece that it lays could be gone again, as at a loose contact.
    A turn that is not sure counts on Done, when its frame has stood for `settle`, or when the next player begins a
    turn that fits its result. A beginning does not count as such if it comes sooner than anybody replies, if it may
    be a bump, or if it puts back what was taken. After pieces were swept off, the frame must stand for `spilt`. A
    sowing with invisible steps never counts by standing. One that counted by a lift is taken back if that lift was
    the first of putting all of it back.
 2. *Amending.* The turn before stays open to the same hand. While this position has no turn for what the hands do,
    but the one before has, the turn is being changed for another one. That one counts after `settle`, or when the
    next player begins. It is the same hand if it goes on with the same piece or further on the same path (not in a
    sowing), or if all that the turn had changed is as it was. A piece lifted again at once is still in the same hand,
    whatever else that might mean. What merely puts back what the turn had taken is not sure, and must stand for
    `undo`. Where a piece is moved at once that may be either, the table asks. If the board comes to show the turn
    before, and the one that it was changed to as the next player's, a sensor had lost the first: both count.
 3. *Taking back.* A frame takes turns back after `undo` if it equals an earlier position and no turn of the side to
    move explains it. The last turn is taken back after `put_back` if more than one site was put back, for no capture
    made first looks so. If the pieces are put again as they stood, the turns count again. The hands must have begun
    with the last turn, and must not have upset the board, that is, changed more at once than one turn taken back.
    Seeds by presence prove nothing by their picture: there only the button undoes.
 4. *Asking.* A question is asked when its frame has stood for `settle`. What a turn still owes is said after
    `left_off`.
 5. *Passing.* Where a pass is one of several legal turns, Done pressed at rest says so, and pressed again passes.
 6. *Setting up*, and undoing by the button, are one thing: nothing counts until the frame equals the position.
 7. *Insisting.* A sensor lies if it alone speaks against a turn on which the players insist (`reading.sensor_health`).
    The turns that may be meant are offered, and Done names one of them (`reading.disambiguation`). If the players
    claim a turn that was not seen, the next one is asked about (`reading.acceptance`).
 8. *Saying.* The lights follow every frame. That something is wrong is said once it has stood for a moment
    (`table.referee`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from firmware_bridge.events import Event, ready_event, turn_event, undone_event
from firmware_bridge.reading import (
    Accept,
    Adopt,
    Amendment,
    Astray,
    AtRest,
    Back,
    Blind,
    Complete,
    Doubt,
    Guess,
    Hypotheses,
    Judging,
    Lost,
    Offer,
    Offered,
    Patience,
    Players,
    Reconciler,
    SensorView,
    UnderWay,
    Verdict,
    View,
    Wait,
    Which,
    guesses,
    in_one_row,
)
from firmware_bridge.score import PlayedTurn, ScoreSheet
from firmware_bridge.table import referee
from firmware_bridge.table.referee import Announcer, Purpose
from games.rules import Game, Position, Reason, Turn
from hardware.device import Levels, Sense

DONE_REFERS_BACK = 1.0
"""Seconds after a turn has counted in which Done is about that turn, and claims no other; a guess."""


class Table:
    """One game at one table, from the position that `sheet` has come to.

    `sense`: what the sensors tell. `setting`: the board is being made to equal the position, and nothing counts yet.
    """

    def __init__(
        self, sheet: ScoreSheet, sense: Sense, patience: Patience | None = None, *, setting: bool = False
    ) -> None:
        self.game: Game[Position] = sheet.game
        self.sensors = SensorView(sheet.game, sense)
        self.sheet = sheet
        self.setting = setting
        self.verdict: Verdict = AtRest()
        """What the frame is taken for."""
        self._hypotheses = Hypotheses(sheet, self.sensors)
        self._players = Players(patience or Patience())
        self._doubt = Doubt(self._hypotheses)
        self._judging = Judging(self._hypotheses, self._players)
        self._announcer = Announcer()
        self._changed_at = self._accepted_at = 0.0
        """When the frame was first seen, and when the last turn was accepted, in seconds."""
        self._due = inf
        """When something follows from the frame if it stands until then, in seconds."""
        self._judge_again = False
        """Whether it is then to be judged once more."""
        self._asked = self._flagged = self._insisting = self._may_pass = False
        """Whether of this frame a question was asked, what is wrong was called for, Done was pressed, and it was said
        that Done, pressed again, passes."""
        self._offer: Offer | None = None
        self._unseen: frozenset[int] = frozenset()
        """Sites that another colour came to than lay there, while the board is set up, unseen by the sensors."""
        if sheet.played_turns:  # whatever happened at the board since, nobody saw
            self._watch.forgive()

    @property
    def _watch(self) -> Reconciler:
        """The evidence about the position that the sheet has come to."""
        return self._hypotheses.watch

    @property
    def frame(self) -> Levels:
        """The settled frame seen last."""
        return self._hypotheses.frame

    @property
    def patience(self) -> Patience:
        """How long frames must stand for these players."""
        return self._players.patience

    @property
    def pending(self) -> bool:
        """Whether something is to happen if the frame goes on standing."""
        return self._due < inf

    @property
    def planned(self) -> Turn[Position] | None:
        """The turn that the engine has chosen, until it is made."""
        return self._hypotheses.plan.turn if self._hypotheses.plan else None

    @property
    def empty(self) -> bool:
        """Whether nothing stands on the table, as far as can be seen."""
        return 0 in self.frame and not any(self.frame)

    def view(self) -> View:
        """A snapshot for the lights."""
        watch, hands = self._watch, self._hypotheses
        return View(
            self.game, watch.position, self.frame, watch.rest, self.verdict, watch.signatures, hands.last,
            self._accepted_at, self._changed_at, self._asked, self._flagged, self.setting, self.sheet.outcome,
            hands.plan, frozenset().union(*watch.seen.emptied),
        )  # fmt: skip

    # What is seen -------------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> list[Event]:
        """Take note of the settled `frame` at `now` (seconds): the same object as before if nothing has changed."""
        frame = self._doubt.feed(frame, now)
        if frame is not self.frame:
            return self._take_in(frame, now)
        if now < self._due and now < self._announcer.due:
            self._watch.prepare()
            return []
        said = self._announcer.speak(now)
        if now >= self._due:
            self._due = inf
            said += self._frame_stood(now)
        return said

    def glimpse(self, sites: Iterable[int], now: float) -> None:
        """Take note that `sites` were empty at `now`, too shortly to count: a bump, or a very quick hand."""
        self._watch.seen.glimpse(sites, now)

    # What is asked of the table -----------------------------------------------------------------

    def done(self, now: float) -> list[Event]:
        """Press Done: the player says that the turn is over."""
        verdict, insisting = self.verdict, self._insisting
        self._insisting = True
        if isinstance(verdict, Blind):
            return [Event.of("blind")]
        if isinstance(verdict, Offered):
            return self._take_offered(now)
        unseen = isinstance(verdict, AtRest) and not self.setting and now > self._accepted_at + DONE_REFERS_BACK
        if unseen and self._hypotheses.plan and not self._hypotheses.plan.seen:  # no sensor shows it
            return self._accept(self._hypotheses.plan.turn, now)
        if unseen and (passes := self._optional_pass()):
            may, self._may_pass = self._may_pass, True
            return self._pass(passes, now) if may else [Event.of("may-pass", player=self.sheet.player)]
        if isinstance(verdict, AtRest) and not unseen and self._has_passed():  # still that player's finger
            self._insisting = False
            return self._refuse_done(verdict, now)
        self._players.done(unseen=unseen)
        if isinstance(verdict, Complete):
            return self._accept(verdict.signature.turn, now)
        if amendment := self._hypotheses.amendment():
            return self._amend(amendment, now)
        if isinstance(verdict, Which) and self._asked and self._hypotheses.untouchable(verdict):
            return self._confirm(verdict.signatures[0].turn, now)
        told_already = isinstance(verdict, Astray) and not verdict.refused and not self.setting
        return (self._insist(now) if insisting or told_already else []) or self._refuse_done(verdict, now)

    def undo(self, now: float) -> list[Event]:
        """Press Undo: the last turn is taken back, and the board must follow."""
        if self.sheet.called_off:
            self.sheet.go_on()
            return self._start_anew([Event("undone", Reason.of("table.goes-on", count=0))])
        if (length := self.sheet.before_last()) is None:
            return [Event.of("nothing-undone")]
        self.setting, self._changed_at = True, now
        return self._back_to(length, now)

    def resign(self, side: int) -> list[Event]:
        """Player `side` (0 or 1) gives up."""
        return [Event.of("over")] if self.sheet.outcome else self._start_anew(self.sheet.resign(side))

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        return [Event.of("over")] if self.sheet.outcome else self._start_anew(self.sheet.agree())

    def plan(self, turn: Turn[Position]) -> list[Event]:
        """Let a hand carry out the legal `turn` that the engine has chosen; nothing else counts until then."""
        if not turn.acts:
            return self._pass(turn, self._changed_at)
        self._hypotheses.carry_out(turn)
        return self._judge(self._changed_at)

    def look_again(self) -> list[Event]:
        """Begin anew with the position, for others play from now on."""
        return self._start_anew([])

    def set_right(self, frame: Levels, now: float) -> list[Event]:
        """Have the board made equal to the position before the game goes on, whatever hands did meanwhile."""
        self._hypotheses.frame, self._changed_at = self._doubt.feed(frame, now), now
        self.setting = True
        return self._start_anew([])

    # A new frame --------------------------------------------------------------------------------

    def _take_in(self, frame: Levels, now: float) -> list[Event]:
        """A frame that differs from the one before."""
        before, pause = self.verdict, now - self._changed_at
        self._hypotheses.feed(frame, now, resting=isinstance(self.verdict, AtRest))
        self._changed_at = now
        self._asked = self._flagged = self._judge_again = self._insisting = self._may_pass = False
        if loose := self._doubt.loose(now):
            return [*loose, *self._judge(now)]
        again = self._hypotheses.put_again()
        said = self._replay(again, now) if again else self._judge(now)
        if isinstance(before, UnderWay) and not isinstance(self.verdict, Astray):
            self._players.paused(pause)
        return said

    def _judge(self, now: float) -> list[Event]:
        """What the frame means for this position, or else for the one before or the one after."""
        verdict = self._hypotheses.verdict()
        if self.setting:
            return self._set_up(verdict, now)
        follows = self._judging.follows(verdict, now)
        if isinstance(follows, Adopt):
            return self._adopt(*follows)
        if isinstance(follows, Wait):
            self._due, self._judge_again = follows.until, True
            return []
        if isinstance(follows, Back):
            return self._back_to(follows.length, now)
        return [*self._accept_before(follows, now), *self._judge(now)]

    def _accept_before(self, follows: Accept | Amendment, now: float) -> list[Event]:
        """Accept what was made before, for the next player has begun; `follows` says what."""
        if isinstance(follows, Accept):
            return self._accept(follows.turn, now, lifted=True)
        return self._amend(follows, now)

    def _set_up(self, verdict: Verdict, now: float) -> list[Event]:
        """Nothing counts until the frame equals the position."""
        differs = tuple(site for site, level in enumerate(self.frame) if level not in (self._watch.rest[site], None))
        if differs or isinstance(verdict, Blind):
            return self._adopt(verdict if isinstance(verdict, Blind) else Astray(differs))
        self.setting = False
        self._announcer = Announcer()
        self._begin()
        unseen, self._unseen = self._unseen, frozenset()
        event = Event.of("righted") if self.sheet.outcome else ready_event(self.sheet.player, unseen=bool(unseen))
        return [event, *self._judge(now)]

    def _adopt(self, verdict: Verdict, wait: float | None = None) -> list[Event]:
        """Take the frame for `verdict`: accept the turn, or wait until the frame has stood; say what is wrong.

        `wait` is in seconds; None for what the players' patience says.
        """
        self.verdict = verdict
        self._judging.adopted(verdict, self._changed_at)
        if wait is None:
            wait = self._players.patience.wait(verdict, self._hypotheses, complained=self._announcer.complained)
        self._due = max(self._changed_at + wait, self._hypotheses.ripens(verdict))
        astray = self._astray_event(verdict) if isinstance(verdict, Astray) and not self.pending else None
        righted = "looks-right" if self.sensors.strict else "righted"
        events = self._announcer.hear(verdict, astray, self._changed_at, righted)
        if isinstance(verdict, Complete | UnderWay) and self._due <= self._changed_at:
            self._due = inf
            return events + self._frame_stood(self._changed_at)
        return events

    def _astray_event(self, verdict: Astray) -> Event:
        if self.planned and not self.setting:
            return referee.off_plan_event(
                self.sheet.player, self.planned, [self.game.sites[site] for site in verdict.sites]
            )
        purpose = Purpose(self.setting, self.sheet.outcome is not None, self._unseen)
        signatures = self._watch.signatures
        return referee.astray_event(self.sensors, self.sheet.position, self.frame, verdict, purpose, signatures)

    # A frame that has stood ---------------------------------------------------------------------

    def _frame_stood(self, now: float) -> list[Event]:
        verdict = self.verdict
        if self._judge_again:
            self._judge_again = False
            return self._judge(now)
        if isinstance(verdict, Complete):
            return self._accept(verdict.signature.turn, now)
        if isinstance(verdict, Which):
            return self._ask(verdict)
        if self._offer and isinstance(verdict, Offered):
            return self._show_offer(self._offer, now)
        if isinstance(verdict, UnderWay) and not self._hypotheses.taking_back(verdict):
            amendment = self._hypotheses.amendment()
            return self._amend(amendment, now) if amendment else self._unfinished()
        length = self._hypotheses.earlier() if isinstance(verdict, UnderWay | Astray) else None
        return self._back_to(length, now) if length is not None else []

    def _ask(self, which: Which) -> list[Event]:
        self.verdict = which
        self._hypotheses.ask(which)
        self._asked, self._due, self._players.claimed = True, inf, False
        return [referee.question_event(self.game, which)]

    def _unfinished(self) -> list[Event]:
        """The hands rest where a turn is not whole: say that what was wrong is right, or which rule asks for more."""
        if self._announcer.complained:
            self._due = self._changed_at + self._players.patience.left_off
            return self._announcer.righted("righted-in-turn")
        signature = self._hypotheses.left_off()
        self._flagged = signature is not None
        if signature is None and self._hypotheses.changing:  # the hand is not changing its turn after all
            return self._adopt(self._hypotheses.verdict())
        return [referee.unfinished_event(signature)] if signature else []

    # Done ---------------------------------------------------------------------------------------

    def _optional_pass(self) -> Turn[Position] | None:
        """The pass that the player to move may choose; None where there is none, or the engine is to move."""
        passes = (turn for turn in self.sheet.turns if not turn.acts)
        return None if self.sheet.level else next(passes, None)

    def _has_passed(self) -> bool:
        """Whether the last turn is a pass that a player has chosen."""
        return any(not (entry.turn.acts or entry.forced) for entry in self.sheet.played_turns[-1:])

    def _pass(self, turn: Turn[Position], now: float) -> list[Event]:
        """Accept a pass: whatever hands do now is the next player's."""
        self._hypotheses.forget()
        return self._write_down(turn, now)

    def _confirm(self, turn: Turn[Position], now: float) -> list[Event]:
        """Accept `turn`: one of this position, or else in place of the turn before."""
        length = self._hypotheses.amended_at
        if turn in self.sheet.turns or length is None:
            return self._accept(turn, now)
        return self._amend(Amendment(turn, length), now)

    def _refuse_done(self, verdict: Verdict, now: float) -> list[Event]:
        """Say what keeps the turn from counting."""
        rests = isinstance(verdict, AtRest)
        if rests and (None not in self.frame or not self._watch.whole()):
            return [Event.of("over") if self.sheet.outcome else Event.of("nothing-done", player=self.sheet.player)]
        slipped = isinstance(verdict, Astray) and verdict.refused is not None
        if not self.setting and not slipped and (which := self._watch.whole()):
            return self._ask(which)
        self._flagged = True
        if isinstance(verdict, Astray):
            said = self._announcer.insist(self._astray_event(verdict), now)
            once_more = self.setting and in_one_row(self.sensors, verdict.sites)
            return [*said, Event.of("press-again")] if once_more else said
        return [referee.unfinished_event(self._hypotheses.left_off())]

    def _insist(self, now: float) -> list[Event]:
        """Offer turns to players who insist; while the board is set up, disbelieve the sensors that contradict them."""
        if self.setting:
            wrong = self.verdict.sites if isinstance(self.verdict, Astray) else ()
            said = self._doubt.contradicted(wrong, now)
            return said and [*said, *self._judge(now)]
        first = self._judging.latest or self._hypotheses.past.only()
        found = guesses(self._watch, first, () if self.planned else self.sheet.played_turns)
        return self._offer_turns(found, now) if found else []

    # Turns that are offered ---------------------------------------------------------------------

    def _offer_turns(self, found: Sequence[Guess], now: float) -> list[Event]:
        """Offer these turns: Done names the one that is shown."""
        self._offer = Offer(found, now)
        return self._show_offer(self._offer, now)

    def _show_offer(self, offer: Offer, now: float) -> list[Event]:
        """Show the next part of the offer; after the last one, what the frame is taken for without it."""
        if not (shown := offer.shown(now)):
            self._insisting = False
            return self._judge(now)
        self._due = offer.until(now)
        self.verdict = Offered(tuple(guess.signature for guess in shown), self._due)
        return [referee.offer_event([guess.turns for guess in shown])]

    def _take_offered(self, now: float) -> list[Event]:
        """Accept the turn that is shown; the sensors that speak against it lie."""
        taken = self._offer.taken(now) if self._offer else ()
        if len(taken) != 1:
            return self._offer_turns(taken, now) if taken else []
        (guess,) = taken
        if guess.back is not None:
            self._hypotheses.forget()
            return self._amend(Amendment(guess.signature.turn, guess.back), now)
        said = self._doubt.disbelieve(guess.lies, now) if guess.lies else []
        return said + [event for turn in guess.turns for event in self._accept(turn, now)]

    # Turns accepted and taken back --------------------------------------------------------------

    def _accept(self, turn: Turn[Position], now: float, *, lifted: bool = False) -> list[Event]:
        self._hypotheses.keep_open(lifted=lifted)
        return self._write_down(turn, now)

    def _amend(self, amendment: Amendment, now: float) -> list[Event]:
        changed = self.sheet.played_turns[amendment.length]
        events = self._replace(*amendment, now)
        self._hypotheses.past.changed(changed, *amendment)
        return events

    def _replace(self, turn: Turn[Position], length: int, now: float) -> list[Event]:
        """Accept `turn` in place of all turns after the first `length`; if that is the last alone, it is amended."""
        amends = self.sheet.before_last() == length
        dropped = [entry.turn.text for entry in self.sheet.back_to(length)]
        if amends:
            return self._write_down(turn, now, "amended")
        return [undone_event(dropped), *self._write_down(turn, now)]

    def _write_down(self, turn: Turn[Position], now: float, how: str = "played") -> list[Event]:
        """Write `turn` down; the turn before stays open to be changed."""
        event = turn_event(how, self.sheet.player, turn)
        self._players.accepted(self.sheet.position.side)
        ails = self._doubt.played(PlayedTurn(self.sheet.position, turn), now)
        self._hypotheses.accepted(turn)
        events = [event, *self.sheet.accept(turn), *ails]
        self._accepted_at = now
        self._may_pass = False
        self._watch_anew()
        return events + self._doubt.rested(self.verdict, now)

    def _replay(self, again: Lost, now: float) -> list[Event]:
        """Accept turns again that were taken back; the first in place of the one that it was changed to, if it was."""
        first, *rest = (entry.turn for entry in again.played_turns)
        changed = again.length < self.sheet.length
        events = self._replace(first, again.length, now) if changed else self._write_down(first, now)
        return events + [event for turn in rest for event in self._write_down(turn, now)]

    def _back_to(self, length: int, now: float) -> list[Event]:
        before = self.sheet.position
        dropped = self.sheet.back_to(length)
        self._hypotheses.gone_back([] if self.setting or self.sensors.strict else dropped)
        self._announcer = Announcer()
        self._watch_anew()
        events = [undone_event([entry.turn.text for entry in dropped])]
        unseen = self.sensors.alike(before, self.sheet.position)
        if self.setting:
            self._unseen |= unseen
        elif unseen:
            events.append(referee.look_event(self.sensors, self.sheet.position, unseen))
        return events + self._judge(now)

    # A new start --------------------------------------------------------------------------------

    def _start_anew(self, events: list[Event]) -> list[Event]:
        """Drop what the hands began, for the position has other legal turns now, or other players."""
        self._hypotheses.forget()
        self._watch_anew()
        return [*events, *self._judge(self._changed_at)]

    def _watch_anew(self) -> None:
        """Watch the position that the sheet has come to, beginning with what the board shows now."""
        self._begin()
        self._watch.feed(self.frame, self._changed_at)

    def _begin(self) -> None:
        self._hypotheses.begin()
        self.verdict = AtRest()
        self._judging.forget()
        self._due = inf
