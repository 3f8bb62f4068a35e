"""The table: a game in progress. It is told what the sensors show and what is pressed, and answers with events.

It takes values and `now` (seconds) and returns values. It reads no clock, file or device. What hands did is the
reader's to say (`firmware_bridge.reading`); these rules say what follows at the table:

 1. *The sheet follows the reader.* A turn that it counts is written down; one that takes the place of another is
    amended; one that it counts no longer is taken back. Where the engine is to move just its turn may be made, and
    after the end none.
 2. *Words of the players* outrank it: a turn that they name, by a touch where they were asked, by Done where turns were
    offered, or by the button that takes turns back, is final.
 3. *Setting up*, and undoing by the button, are one thing: nothing counts until the frame equals the position.
 4. *Passing.* Where a pass is one of several legal turns, Done pressed at rest says so, and pressed again passes.
 5. *Done* is evidence that a turn is whole. Where none is, it is said what keeps the turn from counting; pressed again,
    the turns are offered that would look the same but for sensors that lie, and Done names one of them
    (`verdict.offer`).
 6. *Saying.* The lights follow every frame. What is wrong is said once it is all but certain (`table.referee`), what a
    turn still owes once the hands have left it for `left_off`, and might have done by then what no sensor shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf

from firmware_bridge.events import Event, ready_event, sensor_event, turn_event, undone_event
from firmware_bridge.reading import SEED, USUAL, Constants, LikelihoodReader, Patience
from firmware_bridge.score import ScoreSheet
from firmware_bridge.table import referee
from firmware_bridge.table.referee import Announcer, Purpose
from firmware_bridge.verdict import (
    Astray,
    AtRest,
    Blind,
    Debt,
    Guess,
    Offer,
    Offered,
    SensorView,
    Signature,
    UnderWay,
    Verdict,
    View,
    Which,
    guesses,
    in_one_row,
    judge,
    owed,
    sites_to_touch,
)
from games.rules import Game, Position, Reason, Turn
from hardware.device import Levels, Sense

DONE_REFERS_BACK = 1.0
"""Seconds after a turn has counted in which Done is about that turn, and claims no other; a guess."""
LISTED = 16
"""Signatures of new turns that a scan lists for the lights: some 25 microseconds each here, if they are not alike."""


class Table:
    """One game at one table, from the position that `sheet` has come to.

    `sense`: what the sensors tell. `setting`: the board is being made to equal the position, and nothing counts yet.
    `costs`: the constants of this table.
    """

    def __init__(
        self,
        sheet: ScoreSheet,
        sense: Sense,
        patience: Patience | None = None,
        *,
        setting: bool = False,
        costs: Constants = USUAL,
    ) -> None:
        self.game: Game[Position] = sheet.game
        self.sensors = SensorView(sheet.game, sense)
        self.sheet = sheet
        self.setting = setting
        self.verdict: Verdict = AtRest()
        """What the frame is taken for."""
        self.reader = LikelihoodReader(sheet.game, sense, sheet.position, costs, patience)
        sheet.ahead = self.reader.known
        self.revision = 0
        """Counts up when the lights may have to change, though nothing was said and no site has changed."""
        self._plan: Signature | None = None
        self._planned_at = 0.0
        """When a site had changed last as it was planned, in seconds."""
        self._announcer = Announcer()
        self._changed_at = self._accepted_at = 0.0
        """When the frame was first seen, and when the last turn was accepted, in seconds."""
        self._due = inf
        """When something is said of the frame if it stands until then, in seconds."""
        self._asked = self._flagged = self._insisting = self._may_pass = False
        """Whether of this frame a question was asked, what is wrong was called for, Done was pressed, and it was said
        that Done, pressed again, passes."""
        self._opens = setting and not sheet.played_turns
        """Whether nothing was said yet of how the game is won: with the first turn it is to be."""
        self._reminded = False
        """Whether a rule that asks for more was told of the turn under way: how much is left is told sooner then."""
        self._offer: Offer | None = None
        self._fault: tuple[Levels, Event] = (), Event.of("righted")
        """The frame that was told to be wrong, and how."""
        self._debts: tuple[Debt, ...] = ()
        """Those that players know of."""
        self._unseen: frozenset[int] = frozenset()
        """Sites that another colour came to than lay there, while the board is set up, unseen by the sensors."""
        self._signatures: tuple[Signature, ...] = ()
        self._unlisted: list[Turn[Position]] = []
        """The turns that may be made and whose signatures are not listed yet, the last one first."""
        self._listed_for: Position | None = None
        self._begin()

    @property
    def frame(self) -> Levels:
        """The settled frame seen last, without what is not believed."""
        return self.reader.frame or self._rest

    @property
    def patience(self) -> Patience:
        """How long frames must stand."""
        return self.reader.patience

    @property
    def pending(self) -> bool:
        """Whether something is to happen if the frame goes on standing."""
        return self._due < inf or self._announcer.due < inf or (not self.setting and self.reader.pending)

    @property
    def weighing(self) -> bool:
        """Whether the next scan goes on with what was seen last, be there news or not."""
        return not self.setting and self.reader.weighing

    @property
    def prepared(self) -> bool:
        """Whether all that hands may do next is listed, so that what they do is soon weighed."""
        return self.setting or self.reader.prepared

    @property
    def at_work(self) -> bool:
        """Whether a scan that shows nothing new may yet change anything: what was seen is still being weighed."""
        return self.pending or (not self.setting and self.reader.at_work)

    @property
    def asks(self) -> bool:
        """Whether players have been asked which turn it was."""
        return self._asked

    @property
    def planned(self) -> Turn[Position] | None:
        """The turn that engine, program or another table has chosen, until it is made here."""
        return self._plan.turn if self._plan else None

    @property
    def at_rest(self) -> bool:
        """Whether the board shows the position, and no hand has begun anything."""
        return isinstance(self.verdict, AtRest) and not self.setting

    @property
    def empty(self) -> bool:
        """Whether nothing stands on the table, as far as can be seen."""
        return 0 in self.frame and not any(self.frame)

    @property
    def _rest(self) -> tuple[int, ...]:
        """What the sensors show of the position."""
        return self.sensors.frame(self.sheet.position)

    @property
    def _differs(self) -> tuple[int, ...]:
        """The sites that show something else than the position, as far as can be seen."""
        pairs = enumerate(zip(self.frame, self._rest, strict=True))
        return tuple(site for site, (level, due) in pairs if level not in (due, None))

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """The turns that may be made, as the sensors can see them."""
        return self._list_signatures(None)

    def _list_signatures(self, most: int | None) -> tuple[Signature, ...]:
        """The same, but only those listed before and the next `most`."""
        position = self.sheet.position
        if self._listed_for is not position:
            self._listed_for, self._signatures = position, ()
            self._unlisted = [turn for turn in reversed(self._allowed()) if turn.acts]
        if self._unlisted:
            count = len(self._unlisted) if most is None else min(most, len(self._unlisted))
            turns = (self._unlisted.pop() for _ in range(count))
            self._signatures += tuple(self.sensors.signature(position, turn) for turn in turns)
        return self._signatures

    @property
    def _last(self) -> Signature | None:
        """The last turn that a hand made."""
        made = (entry for entry in reversed(self.sheet.played_turns) if entry.turn.steps)
        entry = next(made, None)
        return self.sensors.signature(entry.position, entry.turn) if entry else None

    def prepare(self) -> Iterator[None]:
        """List what may be done first, before there are scans: some milliseconds, a few of them at each step."""
        self.reader.legal(self.sheet.position)
        yield
        self._list_signatures(LISTED)
        while self._unlisted:
            yield
            self._list_signatures(LISTED)

    def dissolve(self) -> Iterator[None]:
        """The game is left: let go of what was read of it, a little at each step; nothing may be asked afterwards."""
        return self.reader.dissolve()

    def view(self) -> View:
        """A snapshot for the lights. After a turn each one has some more of those that may follow, until it has all."""
        signatures = self._list_signatures(LISTED)
        self.revision += bool(self._unlisted)
        return View(
            self.game, self.sheet.position, self.frame, self._rest, self.verdict, signatures, self._last,
            self._accepted_at, self._changed_at, self._asked, self._flagged, self.setting,
            self.sheet.outcome, self._plan, self.reader.likelihood.emptied, owed(self.reader),
        )  # fmt: skip

    @property
    def doubtful(self) -> bool:
        """Whether what is wrong is not certain enough to be spoken of."""
        return isinstance(self.verdict, Astray) and self.verdict.doubtful

    # What is seen -------------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> list[Event]:
        """Take note of the settled `frame` at `now` (seconds): the same object as before if nothing has changed."""
        said: list[Event] = []
        if self.reader.look(frame, now):
            self._changed_at = now
            self._flagged = self._insisting = self._may_pass = False
            self._offer = None
            if self.setting:
                return self._set_up(now)
            if isinstance(self.verdict, Blind) or self.reader.blind:
                said = self._adopt(judge(self.reader, self.sensors), now)
        if self.setting:
            return self._announcer.speak(now)
        if self.reader.read(now):
            said += self._follow(now)
        elif now < self._due and now < self._announcer.due:
            return said
        said += self._announcer.speak(now)
        if now >= self._due:
            self._due = inf
            said += self._stood(now)
        return said

    def glimpse(self, sites: Iterable[int], now: float) -> None:
        """Take note that `sites` were empty at `now`, too shortly to count: a bump, or a very quick hand."""
        if not self.setting:
            self.reader.glimpse(sites, now)

    # What is asked of the table -----------------------------------------------------------------

    def done(self, now: float) -> list[Event]:
        """Press Done: the player says that the turn is over."""
        insisting, self._insisting = self._insisting, True
        if isinstance(self.verdict, Blind):
            return [Event.of("blind")]
        if isinstance(self.verdict, Offered):
            return self._take_offered(now)
        if self.setting:
            return (self._disbelieve(now) if insisting else []) or self._refuse_done(now)
        unseen = isinstance(self.verdict, AtRest) and now > self._accepted_at + DONE_REFERS_BACK
        if unseen and self._plan and not self._plan.seen:  # no sensor shows it
            return self._write_down([self._plan.turn], now)
        if unseen and (passes := self._optional_pass()):
            may, self._may_pass = self._may_pass, True
            return self._write_down([passes], now) if may else [Event.of("may-pass", player=self.sheet.player)]
        if isinstance(self.verdict, AtRest) and not unseen and self._has_passed():  # still that player's finger
            self._insisting = False
            return self._refuse_done(now)
        before = self.sheet.played_turns[:]
        self.reader.done(now)
        said = self._follow(now)
        if self.sheet.played_turns != before:
            return said
        if isinstance(self.verdict, Which):
            return said or self._put_question(self.verdict, now)
        if isinstance(self.verdict, UnderWay) and not self.sensors.strict and (exact := self._pictured()):
            return [*said, *self._begin_offer(exact, now)]
        told_already = isinstance(self.verdict, Astray) and not self.verdict.refused and self._announcer.complained
        insisted: list[Event] = []
        if insisting or told_already:
            insisted = (self._disbelieve(now) if self.reader.rests else []) or self._offer_turns(now)
        return [*said, *insisted] or self._refuse_done(now)

    def undo(self, now: float) -> list[Event]:
        """Press Undo: the last turn is taken back, and the board must follow; or one that is planned for a player."""
        if self._plan and self.sheet.here:
            return self.drop(now)
        if self.sheet.called_off:
            self.sheet.go_on()
            return [Event("undone", Reason.of("table.goes-on", count=0)), *self._start_anew(now)]
        if (length := self.sheet.before_last()) is None:
            return [Event.of("nothing-undone")]
        return self._go_back(length, now)

    def back_to(self, length: int, now: float) -> list[Event]:
        """All turns after the first `length` are taken back, and the board must follow; there is at least one."""
        return self._go_back(length, now)

    def _go_back(self, length: int, now: float) -> list[Event]:
        self.setting, self._changed_at = True, now
        before = self.sheet.position
        dropped = self.sheet.back_to(length)
        self.sheet.hold_clock()
        self._unseen |= self.sensors.alike(before, self.sheet.position)
        self._announcer = Announcer()
        self._begin()
        return [undone_event([entry.turn.text for entry in dropped]), *self._set_up(now)]

    def resign(self, side: int) -> list[Event]:
        """Player `side` (0 or 1) gives up."""
        if self.sheet.outcome:
            return [Event.of("over")]
        return [*self.sheet.resign(side), *self._start_anew(self._changed_at)]

    def flag(self, side: int) -> list[Event]:
        """The time of player `side` (0 or 1) is up."""
        if self.sheet.outcome:
            return []
        return [*self.sheet.flag(side), *self._start_anew(self._changed_at)]

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        if self.sheet.outcome:
            return [Event.of("over")]
        return [*self.sheet.agree(), *self._start_anew(self._changed_at)]

    def plan(self, turn: Turn[Position]) -> list[Event]:
        """Let a hand carry out the legal `turn`, which others have chosen; nothing else counts until then."""
        if not turn.acts:
            return self._write_down([turn], None)
        self._plan = self.sensors.signature(self.sheet.position, turn)
        self._planned_at = self.reader.likelihood.changed_at
        self._allow()
        return []

    def drop(self, now: float) -> list[Event]:
        """The turn that is planned for a player here is not to be made: what hands have begun of it is put back."""
        turn = self.planned
        if not turn or not self.sheet.here:
            return [Event.of("nothing-dropped")]
        self.setting, self._changed_at = True, now
        self._begin()
        return [Event.of("dropped", player=self.sheet.player, turn=turn.text), *self._set_up(now)]

    def look_again(self) -> list[Event]:
        """Begin anew with the position, for others play from now on."""
        return self._start_anew(self._changed_at)

    def set_right(self, frame: Levels, now: float) -> list[Event]:
        """Have the board made equal to the position before the game goes on, whatever hands did meanwhile."""
        self.setting, self._changed_at = True, now
        self._begin()
        self.reader.look(frame, now)
        return self._set_up(now)

    # What the reader has made of it -------------------------------------------------------------

    def _follow(self, now: float) -> list[Event]:
        """Write down what counts by now, and say what is to be said."""
        if self._plan and self._is_carried_out(self._plan):
            return self._write_down([self._plan.turn], now)
        said = self._update_sheet(now)
        if said:
            self._asked, self._offer = False, None  # what was asked about, or offered, is settled
        said += [*self._sensors_told(), *self._debts_told(now)]
        verdict = judge(self.reader, self.sensors)
        if isinstance(self.verdict, Offered) and self._offer:
            return said  # what is offered goes on being shown
        if isinstance(verdict, Which):
            return said + self._ask(verdict)
        if self._asked and self.reader.questioned and self.reader.decision.call != "tell":
            return said
        self._asked = False
        return said + self._adopt(verdict, now)

    def _is_carried_out(self, plan: Signature) -> bool:
        """Whether the board shows the turn that the engine has chosen, and one of its sites was touched.

        A piece in whose place another one comes must be seen to go; the order of seeds by presence is the reader's.
        """
        return not plan.strict and self._shows(plan)

    def _shows(self, plan: Signature) -> bool:
        """Whether the frame is the picture of the planned turn, and a hand has touched what it goes through.

        Seeds that go round may leave the picture as it was: then what the turn before has touched says nothing.
        """
        due = self.sensors.frame(plan.turn.after)
        if not plan.seen or any(level not in (other, None) for level, other in zip(self.frame, due, strict=True)):
            return False
        seen, emptied = self.reader.likelihood, self.reader.likelihood.emptied
        touched = seen.touched_since(self._planned_at) if plan.strict else seen.touched
        return not touched.isdisjoint(plan.path) and plan.swapped <= emptied

    def _adopt(self, verdict: Verdict, now: float) -> list[Event]:
        """Take the frame for `verdict`; say what is wrong."""
        if isinstance(verdict, Astray) and self.sheet.outcome and verdict.refused:
            verdict = replace(verdict, sites=self._differs, refused=None, toward=None)  # the rules are over
        if verdict != self.verdict:
            self.verdict = verdict
            self.revision += 1
        left = isinstance(verdict, UnderWay) and not (self._flagged or self._plan)
        patience = self.patience
        self._reminded = self._reminded and isinstance(verdict, UnderWay)
        soon = self._announcer.complained or self._reminded
        left_off = self._changed_at + (patience.settle if soon else patience.left_off + self.reader.unseen)
        self._due = left_off if left and (now < left_off or self._due < inf) else inf
        if self._plan and self._plan.strict and self._shows(self._plan):
            self._due = self._changed_at + SEED * len(self._plan.steps)
        astray = None
        if isinstance(verdict, Astray) and not verdict.doubtful:
            astray = self._known_fault(self._astray_event(verdict))
            if not verdict.unfinished:
                self.reader.tell(verdict.sites)
        righted = "looks-right" if self.sensors.strict else "righted"
        said = self._announcer.hear(verdict, astray, now, righted)
        if any(event.name == "righted" for event in said) and not self.setting:
            self.reader.righted()
        return said

    def _known_fault(self, event: Event) -> Event:
        """What is told of this frame: what was told first, while that names all sites."""
        frame, told = self._fault
        if frame is not self.frame or not set(event.sites) <= set(told.sites):
            self._fault = self.frame, event
        return self._fault[1]

    def _update_sheet(self, now: float) -> list[Event]:
        """Make the sheet equal to what counts by now."""
        due = [counted.turn for counted in self.reader.turns]
        made = [place for place, entry in enumerate(self.sheet.played_turns) if not entry.forced]
        same = 0
        for turn, place in zip(due, made, strict=False):
            if self.sheet.played_turns[place].turn.after != turn.after:
                break
            same += 1
        if same == len(due) == len(made):
            return []
        said, dropped = [], len(made) - same
        if dropped:
            before = self.sheet.position
            texts = [entry.turn.text for entry in self.sheet.back_to(made[same])]
            self._plan = None
            if dropped == 1 and same < len(due):
                said += self._record(due[same], now, "amended", touched=self._changed_at)
                same += 1
            else:
                said.append(undone_event(texts))
                if unseen := self.sensors.alike(before, self.sheet.position) if same == len(due) else ():
                    said.append(referee.look_event(self.sensors, self.sheet.position, unseen))
        for turn in due[same:]:
            if self.sheet.outcome:
                break
            said += self._record(turn, now, touched=self._changed_at)
        if self.sheet.outcome and len(due) > sum(not entry.forced for entry in self.sheet.played_turns):
            self._begin()
        self._allow()
        return said

    def _record(
        self, turn: Turn[Position], now: float, how: str = "played", *, touched: float | None = None
    ) -> list[Event]:
        """Write `turn` down, whose last touch was at `touched` (seconds), where that is of use to a clock."""
        event = turn_event(how, self.sheet.player, turn)
        self._accepted_at, self._may_pass, self._plan = now, False, None
        self._offer = None
        self._announcer.finished()
        return [event, *self.sheet.accept(turn, touched)]

    def _write_down(self, turns: Sequence[Turn[Position]], now: float | None) -> list[Event]:
        """These turns were made, by what the players say: whatever hands do now comes after them.

        Without `now`: the engine has made one that no hand need carry out.
        """
        at = self._changed_at if now is None else now
        said = [event for turn in turns for event in self._record(turn, at, touched=now)]
        return said + self._start_anew(at)

    def _sensors_told(self) -> list[Event]:
        sites = self.game.sites
        return [sensor_event(name, [sites[site] for site in found]) for name, found in self.reader.reliability.tell()]

    def _debts_told(self, now: float) -> list[Event]:
        """Say which pieces turns that count still owe, once each."""
        debts = owed(self.reader)
        new = [debt for debt in debts if debt not in self._debts]
        if now - self._changed_at < self.patience.settle and new:
            return []
        self._debts = debts
        return [referee.debt_event(self.game, debt) for debt in new]

    def _stood(self, now: float) -> list[Event]:
        """The frame has stood until something was due."""
        if self._offer and isinstance(self.verdict, Offered):
            return self._show_offer(self._offer, now)
        if self._plan and self._plan.strict and self._shows(self._plan):
            return self._write_down([self._plan.turn], now)
        return self._unfinished(now) if isinstance(self.verdict, UnderWay) else []

    def _unfinished(self, now: float) -> list[Event]:
        """The hands rest where a turn is not whole: say that what was wrong is right, or which rule asks for more."""
        if self._announcer.complained:
            self._due = now + self.patience.left_off
            return self._righted_in_turn()
        self._flagged = True
        refused = None if self.sensors.strict else self._left_off()  # several rules may ask for what nobody has seen
        self._reminded = refused is not None
        return [referee.unfinished_event(refused)]

    def _righted_in_turn(self) -> list[Event]:
        """What was wrong is right again, while a turn is under way."""
        signatures = self.verdict.signatures if isinstance(self.verdict, UnderWay) else ()
        self.reader.forgive({site for signature in signatures for site in signature.result})
        return self._announcer.righted("righted-in-turn")

    def _left_off(self) -> Signature | None:
        """The illegal turn that it would be, or that the last one would become, if the hands were to stop here."""
        last = self._last
        begun = {signature.origin for signature in getattr(self.verdict, "signatures", ())}
        stood = [(self.sheet.position, begun)]
        if last and self.sheet.played_turns and not last.sown:
            stood.append((self.sheet.played_turns[-1].position, {last.origin}))
        for stands, origins in stood:
            refused = self.reader.illegal(stands)
            for place, turn in enumerate(refused.turns):
                if any(self.frame[site] != level for site, level in refused.way(place).after.items()):
                    continue
                signature = self.sensors.signature(stands, turn)
                if signature.origin in origins and self.sensors.frame(turn.after) == self.frame:
                    return signature
        return None

    # Questions ----------------------------------------------------------------------------------

    def _ask(self, which: Which) -> list[Event]:
        """Put the question, once."""
        self.verdict, self._due = which, inf
        if self._asked:
            return []
        self._asked = True
        touched = zip(sites_to_touch(self.game, which.signatures), self.reader.decision.nodes, strict=True)
        self.reader.ask({site: node.net for site, node in touched if site is not None})
        return [referee.question_event(self.game, which)]

    def _put_question(self, which: Which, now: float) -> list[Event]:
        """Put the question once more; where no sensor can see the touch that answers it, Done does."""
        results = {signature.turn.after for signature in which.signatures}
        begins = [signature.begins for signature in which.signatures]
        if len(results) == 1 and all(site is not None and self.frame[site] is None for site in begins):
            self.reader.choose(self.reader.decision.nodes[0].net, now)
            return self._follow(now)
        return [referee.question_event(self.game, which)]

    # Done ---------------------------------------------------------------------------------------

    def _optional_pass(self) -> Turn[Position] | None:
        """The pass that the player to move may choose; None where there is none, or the engine is to move."""
        passes = (turn for turn in self.sheet.turns if not turn.acts)
        return next(passes, None) if self.sheet.here else None

    def _has_passed(self) -> bool:
        """Whether the last turn is a pass that a player has chosen."""
        return any(not (entry.turn.acts or entry.forced) for entry in self.sheet.played_turns[-1:])

    def _refuse_done(self, now: float) -> list[Event]:
        """Say what keeps the turn from counting."""
        if isinstance(self.verdict, AtRest):
            return [Event.of("over") if self.sheet.outcome else Event.of("nothing-done", player=self.sheet.player)]
        self._flagged = True
        if isinstance(self.verdict, Astray):
            said = self._announcer.insist(self._astray_event(self.verdict), now)
            once_more = self.setting and in_one_row(self.sensors, self.verdict.sites)
            return [*said, Event.of("press-again")] if once_more else said
        return [referee.unfinished_event(self._left_off())]

    def _disbelieve(self, now: float) -> list[Event]:
        """The players insist that the board is as it should be: what sensors contradict them is not believed."""
        if not self.reader.reliability.insisted(self._rest):
            return []
        self.reader.look(self.reader.raw, now)
        return [*self._sensors_told(), *(self._set_up(now) if self.setting else ())]

    def _astray_event(self, verdict: Astray) -> Event:
        if self.planned and not self.setting:
            return referee.off_plan_event(
                self.sheet.player, self.planned, [self.game.sites[site] for site in verdict.sites]
            )
        if verdict.unfinished:
            return referee.unfinished_event(None)
        purpose = Purpose(self.setting, self.sheet.outcome is not None, self._unseen)
        return referee.astray_event(self.sensors, self.sheet.position, self.frame, verdict, purpose, self.signatures)

    # Turns that are offered ---------------------------------------------------------------------

    def _offer_turns(self, now: float) -> list[Event]:
        """Offer turns to players who insist."""
        made = () if self.planned else self.sheet.played_turns
        found = guesses(self.reader, self.sensors, self._allowed(), made)
        return self._begin_offer(found, now) if found else []

    def _pictured(self) -> list[Guess]:
        """The turns whose whole picture the frame is."""
        allowed = guesses(self.reader, self.sensors, self._allowed())
        return [guess for guess in allowed if not (guess.lies or guess.first)]

    def _begin_offer(self, found: Sequence[Guess], now: float) -> list[Event]:
        """Offer these turns: Done names the one that is shown."""
        self._offer = Offer(found, now)
        return self._show_offer(self._offer, now)

    def _show_offer(self, offer: Offer, now: float) -> list[Event]:
        """Show the next part of the offer; after the last one, what the frame is taken for without it."""
        if not (shown := offer.shown(now)):
            self._insisting, self._offer = False, None
            return self._adopt(judge(self.reader, self.sensors), now)
        self._due = offer.until(now)
        self.verdict = Offered(tuple(guess.signature for guess in shown), self._due)
        return [referee.offer_event([guess.turns for guess in shown])]

    def _take_offered(self, now: float) -> list[Event]:
        """Accept the turn that is shown; the sensors that speak against it lie."""
        taken = self._offer.taken(now) if self._offer else ()
        if len(taken) != 1:
            return self._begin_offer(taken, now) if taken else []
        (guess,) = taken
        self._offer = None
        if guess.back is not None:
            dropped = self.sheet.back_to(guess.back)
            if len(dropped) == 1:
                said = self._record(guess.signature.turn, now, "amended", touched=now)
                return said + self._start_anew(now)
            return [undone_event([entry.turn.text for entry in dropped]), *self._write_down(guess.turns, now)]
        said = []
        if guess.lies and self.reader.reliability.insisted(self.sensors.frame(guess.signature.turn.after)):
            said = self._sensors_told()
            self.reader.look(self.reader.raw, now)
        return said + self._write_down(guess.turns, now)

    # A new start --------------------------------------------------------------------------------

    def _set_up(self, now: float) -> list[Event]:
        """Nothing counts until the frame equals the position."""
        differs = self._differs
        if self.reader.blind or differs:
            return self._adopt(Blind() if self.reader.blind else Astray(differs), now)
        self.setting = False
        self._announcer = Announcer()
        self._begin()
        unseen, self._unseen = self._unseen, frozenset()
        opens, self._opens = self._opens, False
        if self.sheet.outcome:
            return [Event.of("righted")]
        return [self.sheet.opening() if opens else ready_event(self.sheet.player, unseen=bool(unseen))]

    def _start_anew(self, now: float) -> list[Event]:
        """Drop what the hands began, for the position has other legal turns now, or other players."""
        self._begin()
        if self.setting:
            return self._set_up(now)
        return [] if self._differs else self._adopt(AtRest(), now)

    def _begin(self) -> None:
        """Watch the position that the sheet has come to, beginning with what the board shows now."""
        self._plan, self._offer, self._asked = None, None, False
        self.verdict = AtRest()
        self._due = inf
        played = [(entry.position, entry.turn) for entry in self.sheet.played_turns if not entry.forced]
        self.reader.put(self.sheet.start, played, closed=self.sheet.called_off)
        self._allow()

    def _allowed(self) -> tuple[Turn[Position], ...]:
        """The turns that hands may make now: where others choose, the one that they have chosen, if they have."""
        sheet = self.sheet
        if not self._plan:
            return sheet.turns if sheet.here else ()
        turn = self._plan.turn
        return (turn, *(other for other in sheet.turns if other.after == turn.after and other != turn))

    def _allow(self) -> None:
        """Tell the reader which turns may be made."""
        self._listed_for = None
        restricted = self._plan or not self.sheet.here or self.sheet.outcome
        self.reader.only(self.sheet.position, self._allowed() if restricted else None)
