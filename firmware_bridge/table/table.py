"""The table: a game in progress, told what the sensors show and what is pressed, answering with events.

A game in progress, told what the sensors show, answering with events; `Table` is also told what is pressed.

It takes values and `now` (seconds) and returns values; it reads no clock, file or device. How a verdict becomes
a turn accepted, amended or taken back:

 1. A turn that is complete and sure counts at once; but not while a piece that it takes could come back by itself,
    as after a bump, nor while the only one that it lays could be gone again, as at a loose contact. One that is not
    sure counts on Done, when its frame has stood for `settle` seconds, or when the next player begins a turn that
    fits its result: not sooner than anybody replies, nor by a bump, nor by putting back what was taken. After pieces
    were swept off it must stand for `spilt`. A sowing of which some steps are invisible never counts by standing; one
    that counted by a lift is taken back if that was to put all of it back.
 2. The turn before stays open to the same hand: while this position has no turn for what the hands do, but the
    one before has, the turn is being changed for another, which counts after `settle`, or when the next player
    begins. It is the same hand if it goes on with the same piece or further on the same path (not in a sowing), or if
    all that the turn had changed is as it was. A piece lifted again at once is still in the same hand, whatever else
    it might mean; what merely puts back what the turn had taken is not sure, and must stand for `undo`; and where a
    piece is moved at once that may be either, the table asks. If the board comes to show the turn before and the one
    it was changed to as the next player's, a sensor had lost the first: both count.
 3. A frame that equals an earlier position, and that no turn of the side to move explains, takes turns back after
    `undo` seconds; the last one after `put_back`, if more than one site was put back, for no capture made first looks
    so. Put again as it stood, it replays them. The hands must have begun with the last turn, and not have upset the
    board: changed more at once than one turn taken back. For seeds by presence a picture is no proof: the button
    undoes.
 4. A question is asked when its frame has stood for `settle`; what a turn still owes is said after `left_off`.
 5. Setting up, and undoing by the button, are one thing: nothing counts until the frame equals the position.
 6. What speaks alone against a turn on which the players insist is a sensor that lies (`reading.doubt`): the
    turns that may be meant are offered, for Done to name one (`reading.disambiguation`). If they claim a turn that was
    not seen, the next one is asked about (`firmware_bridge.reading.acceptance`).
 7. The lights follow every frame; that something is wrong is said once it has stood for a moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from firmware_bridge.events import Event, played, ready, told, undone
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
from firmware_bridge.score import Moment, ScoreSheet
from firmware_bridge.table import referee
from firmware_bridge.table.referee import Aim, Announcer
from games.rules import Game, Position, Reason, Turn
from hardware.device import Levels, Sense


class Play:
    """One game at one table, from wherever `sheet` has come to.

    `setting` says that the board is being made to equal the position.
    """

    def __init__(
        self, sheet: ScoreSheet, sense: Sense, patience: Patience | None = None, *, setting: bool = False
    ) -> None:
        self.game: Game[Position] = sheet.game
        self.sensors = SensorView(sheet.game, sense)
        self.sheet = sheet
        self.setting = setting
        self._hypotheses = Hypotheses(sheet, self.sensors)
        self._players = Players(patience or Patience())
        self._doubt = Doubt(self._hypotheses)
        self._judging = Judging(self._hypotheses, self._players)
        self._stood = self._since = 0.0
        self._due = inf
        self._asked = self._flagged = self._insisting = False
        self._offer: Offer | None = None
        self._voice = Announcer()
        self._unseen: frozenset[int] = frozenset()
        self.verdict: Verdict = AtRest()
        self._again = False
        if sheet.moments:  # whatever happened at the board since, nobody saw
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
            self.game, watch.position, self.frame, watch.rest, self.verdict, watch.signatures, hands.last, self._since,
            self._stood, self._asked, self._flagged, self.setting, self.sheet.outcome, hands.plan,
        )  # fmt: skip

    # What comes in ----------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> list[Event]:
        """A settled frame at `now`; the same object again while nothing changes."""
        frame = self._doubt.feed(frame, now)
        if frame is not self.frame:
            before, pause = self.verdict, now - self._stood
            self._hypotheses.feed(frame, now, resting=isinstance(self.verdict, AtRest))
            self._stood = now
            self._asked = self._flagged = self._again = self._insisting = False
            if loose := self._doubt.loose(now):
                return [*loose, *self._judge(now)]
            again = self._hypotheses.put_again()
            said = self._put_again(again, now) if again else self._judge(now)
            if isinstance(before, UnderWay) and not isinstance(self.verdict, Astray):
                self._players.paused(pause)
            return said
        if now < self._due and now < self._voice.due:
            self._watch.prepare()
            return []
        said = self._voice.speak(now)
        if now >= self._due:
            self._due = inf
            said += self._ripen(now)
        return said

    def glimpse(self, sites: Iterable[int], now: float) -> None:
        """These sites were empty at `now`, too shortly to count: a bump, or a very quick hand."""
        self._watch.seen.glimpse(sites, now)

    def _afresh(self, events: list[Event]) -> list[Event]:
        """The position is the same, and its legal turns are others; nothing is left of what the hands began."""
        self._hypotheses.forget()
        self._look_again()
        return [*events, *self._judge(self._stood)]

    def _look_again(self) -> None:
        """Begin with the position that the sheet has come to, and what the board shows now."""
        self._begin()
        self._watch.feed(self.frame, self._stood)

    def _begin(self) -> None:
        self._hypotheses.begin()
        self.verdict = AtRest()
        self._judging.forget()
        self._due = inf

    # A new frame ------------------------------------------------------------------------------

    def _judge(self, now: float) -> list[Event]:
        """What the frame means for this position, or failing that for the ones before and after."""
        verdict = self._hypotheses.verdict()
        if self.setting:
            return self._set_up(verdict, now)
        follows = self._judging.follows(verdict, now)
        if isinstance(follows, Adopt):
            return self._adopt(*follows)
        if isinstance(follows, Wait):
            self._due, self._again = follows.until, True
            return []
        if isinstance(follows, Back):
            return self._back_to(follows.length, now)
        return [*self._go_on(follows, now), *self._judge(now)]

    def _go_on(self, follows: Accept | Amendment, now: float) -> list[Event]:
        """The next player has begun: what was made before counts."""
        if isinstance(follows, Accept):
            return self._accept(follows.turn, now, lifted=True)
        return self._amend(follows, now)

    def _set_up(self, verdict: Verdict, now: float) -> list[Event]:
        """Nothing counts until the frame equals the position."""
        differs = tuple(site for site, level in enumerate(self.frame) if level not in (self._watch.rest[site], None))
        if differs or isinstance(verdict, Blind):
            return self._adopt(verdict if isinstance(verdict, Blind) else Astray(differs))
        self.setting = False
        self._voice = Announcer()
        self._begin()
        unseen, self._unseen = self._unseen, frozenset()
        event = told("righted") if self.sheet.outcome else ready(self.sheet.player, unseen=bool(unseen))
        return [event, *self._judge(now)]

    def _adopt(self, verdict: Verdict, wait: float | None = None) -> list[Event]:
        """Take `verdict` for true: commit, or wait for it to ripen, and say what is wrong."""
        self.verdict = verdict
        self._judging.adopted(verdict, self._stood)
        if wait is None:
            wait = self._players.patience.wait(verdict, self._hypotheses, complained=self._voice.waits)
        self._due = max(self._stood + wait, self._hypotheses.ripens(verdict))
        astray = self._wrong(verdict) if isinstance(verdict, Astray) and not self.pending else None
        events = self._voice.hear(verdict, astray, self._stood, "looks-right" if self.sensors.strict else "righted")
        if isinstance(verdict, Complete | UnderWay) and self._due <= self._stood:
            self._due = inf
            return events + self._ripen(self._stood)
        return events

    def _wrong(self, verdict: Astray) -> Event:
        if self.planned and not self.setting:
            return referee.off_plan(self.sheet.player, self.planned, [self.game.sites[site] for site in verdict.sites])
        aim = Aim(self.setting, self.sheet.outcome is not None, self._unseen)
        return referee.astray(self.sensors, self.sheet.position, self.frame, verdict, aim, self._watch.signatures)

    # A frame that has stood -------------------------------------------------------------------

    def _ripen(self, now: float) -> list[Event]:
        verdict = self.verdict
        if self._again:
            self._again = False
            return self._judge(now)
        if isinstance(verdict, Complete):
            return self._accept(verdict.signature.turn, now)
        if isinstance(verdict, Which):
            return self._ask(verdict)
        if self._offer and isinstance(verdict, Offered):
            return self._show(self._offer, now)
        if isinstance(verdict, UnderWay) and not self._hypotheses.taking_back(verdict):
            amendment = self._hypotheses.amendment()
            return self._amend(amendment, now) if amendment else self._rested()
        length = self._hypotheses.earlier() if isinstance(verdict, UnderWay | Astray) else None
        return self._back_to(length, now) if length is not None else []

    def _ask(self, which: Which) -> list[Event]:
        self.verdict = which
        self._hypotheses.ask(which)
        self._asked, self._due, self._players.claimed = True, inf, False
        return [referee.asked(self.game, which)]

    def _show(self, offer: Offer, now: float) -> list[Event]:
        """Show the next part of the offer; after the last one, what the frame is taken for without it."""
        if not (shown := offer.shown(now)):
            self._insisting = False
            return self._judge(now)
        self._due = offer.until(now)
        self.verdict = Offered(tuple(guess.signature for guess in shown), self._due)
        return [referee.offered([guess.turns for guess in shown])]

    def _rested(self) -> list[Event]:
        """The hands rest where a turn is not whole: say that what was wrong is right, else which rule asks for more."""
        if self._voice.waits:
            self._due = self._stood + self._players.patience.left_off
            return self._voice.right("righted-in-turn")
        signature = self._hypotheses.left_off()
        self._flagged = signature is not None
        if signature is None and self._hypotheses.changing:  # the hand is not changing its turn after all
            return self._adopt(self._hypotheses.verdict())
        return [referee.owed(signature)] if signature else []

    # Accepting --------------------------------------------------------------------------------

    def _amend(self, amendment: Amendment, now: float) -> list[Event]:
        changed = self.sheet.moments[amendment.length]
        events = self._instead(*amendment, now)
        self._hypotheses.past.changed(changed, *amendment)
        return events

    def _put_again(self, again: Lost, now: float) -> list[Event]:
        """Turns count again; the first in place of the one that it was changed to, if it was."""
        first, *rest = (moment.turn for moment in again.moments)
        changed = again.length < self.sheet.length
        events = self._instead(first, again.length, now) if changed else self._repeat(first, now)
        return events + [event for turn in rest for event in self._repeat(turn, now)]

    def _instead(self, turn: Turn[Position], length: int, now: float) -> list[Event]:
        """`turn` in place of all but `length` turns; only in place of the last one does the record call it amended."""
        amends = self.sheet.before_last() == length
        dropped = [moment.turn.text for moment in self.sheet.back_to(length)]
        if amends:
            return self._repeat(turn, now, "amended")
        return [undone(dropped), *self._repeat(turn, now)]

    def _accept(self, turn: Turn[Position], now: float, *, lifted: bool = False) -> list[Event]:
        self._hypotheses.keep_open(lifted=lifted)
        return self._repeat(turn, now)

    def _repeat(self, turn: Turn[Position], now: float, how: str = "played") -> list[Event]:
        """Write `turn` down; what was open to be changed stays so."""
        event = played(how, self.sheet.player, turn)
        self._players.accepted(self.sheet.position.side)
        ails = self._doubt.played(Moment(self.sheet.position, turn), now)
        self._hypotheses.accepted(turn)
        events = [event, *self.sheet.accept(turn), *ails]
        self._since = now
        self._look_again()
        return events + self._doubt.rested(self.verdict, now)

    def _back_to(self, length: int, now: float) -> list[Event]:
        before = self.sheet.position
        dropped = self.sheet.back_to(length)
        self._hypotheses.gone_back([] if self.setting or self.sensors.strict else dropped)
        self._voice = Announcer()
        self._look_again()
        events = [undone([moment.turn.text for moment in dropped])]
        unseen = self.sensors.alike(before, self.sheet.position)
        if self.setting:
            self._unseen |= unseen
        elif unseen:
            events.append(referee.look(self.sensors, self.sheet.position, unseen))
        return events + self._judge(now)


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
            return self._accept(verdict.signature.turn, now)
        if amendment := self._hypotheses.amendment():
            return self._amend(amendment, now)
        if isinstance(verdict, Which) and self._asked and self._hypotheses.untouchable(verdict):
            return self._confirm(verdict.signatures[0].turn, now)
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
            return said + ([told("press-again")] if self.setting and in_one_row(self.sensors, verdict.sites) else [])
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
            return self._amend(Amendment(guess.signature.turn, guess.back), now)
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
