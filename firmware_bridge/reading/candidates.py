"""What the hands may be doing: a turn of this position, another in place of the turn before, or taking turns back.

`Hypotheses` tries the three in this order, and knows what speaks for each of them. What follows, and when, is the
table's to say: the rules are in `firmware_bridge.table.table`. `Opened` is the turn that was made last, while the same
hand may yet change it, or put it back. `Past` knows the turns that were made as the sensors show them: which earlier
position a frame equals, and which turns stand on the board again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import inf
from typing import NamedTuple

from firmware_bridge.reading.reconcile import Reconciler
from firmware_bridge.reading.signature import SensorView, Signature
from firmware_bridge.reading.verdict import Astray, AtRest, Complete, UnderWay, Verdict, Which
from firmware_bridge.score import PlayedTurn, ScoreSheet
from games.rules import Position, Turn
from hardware.device import Levels

SAME_HAND = 0.6
"""Seconds: who lifts a piece sooner after it was put down has it still in the hand; nobody replies so fast."""


class Opened:
    """A turn that counts since `made` (seconds); `watch` sees it from the position before it.

    `length`: of the sheet before it. `lifted`: it counts for nothing else than what seems the next player's lift.
    """

    def __init__(self, watch: Reconciler, length: int, made: float, *, lifted: bool) -> None:
        self.watch, self.length, self.lifted = watch, length, lifted
        self._made = made
        self.same_hand = False
        """Whether the first piece lifted since was put down so shortly before that the hand still had it."""
        self.soon = False
        """Whether anything was touched so soon."""
        self.returned = False
        """Whether nothing was left of the turn, at one time."""

    def feed(self, frame: Levels, now: float, rest: Levels, *, first: bool) -> None:
        """What has changed at `now`; `rest` is what the sensors show of the turn made, `first` that it is as yet so."""
        if first:
            self.same_hand, self.soon = self._reached_back(frame, now), self.is_soon(now)
        self.watch.feed(frame, now)
        self.returned = self.returned or self.put_back(frame, rest)

    def is_soon(self, now: float) -> bool:
        """Whether the hand that made the turn has hardly left it at `now`."""
        return now - self._made < SAME_HAND

    def _reached_back(self, frame: Levels, now: float) -> bool:
        """Whether a piece goes off so soon after it was put down that it is the same hand."""
        before = zip(frame, self.watch.rest, self.watch.seen.frame, strict=True)
        gone = [site for site, (level, rest, shown) in enumerate(before) if not level and rest == 0 != shown]
        return any(now - self.watch.seen.since(site) < SAME_HAND for site in gone)

    def changes(self, rest: Levels) -> frozenset[int]:
        """The sites that the turn changed."""
        return frozenset(site for site, level in enumerate(self.watch.rest) if level != rest[site])

    def put_back(self, frame: Levels, rest: Levels) -> bool:
        """Whether nothing is left of what could be seen of the turn."""
        changed = self.changes(rest)
        return bool(changed) and all(frame[site] == self.watch.rest[site] for site in changed)

    def undone(self, frame: Levels, rest: Levels) -> bool:
        """Whether the board is as it was before the turn, and no capture made first looks like that: it takes one."""
        return frame == self.watch.rest and len(self.changes(rest)) > 1

    def takes_back(self, frame: Levels, rest: Levels, touched: Iterable[int]) -> bool:
        """Whether all that was `touched` since stands as it did before the turn."""
        return all(rest[site] != self.watch.rest[site] == frame[site] for site in touched)


class Lost(NamedTuple):
    """Turns that do not count any more, and the length of the sheet that they belong after."""

    length: int
    played_turns: list[PlayedTurn]


class Past:
    """What was played on `sheet`, through `sensors`."""

    def __init__(self, sheet: ScoreSheet, sensors: SensorView) -> None:
        self._sheet, self._sensors = sheet, sensors
        self._lost = Lost(0, [])

    def seen(self, entry: PlayedTurn) -> Signature:
        """The way of a turn that was made."""
        return self._sensors.signature(entry.position, entry.turn)

    def latest(self) -> Signature | None:
        """The last turn that a hand made."""
        made = (self.seen(entry) for entry in reversed(self._sheet.played_turns) if entry.turn.steps)
        return next(made, None)

    def earlier(self, frame: Levels) -> int | None:
        """The length of the sheet at the latest earlier position that `frame` equals; seeds by presence never tell.

        Nor do turns that went where the frame tells nothing. A cleared board takes back the first turn alone, not a
        game whose pieces are put away.
        """
        if self._sheet.called_off or self._sensors.strict:
            return None
        last = self._sheet.length - 1
        for length in range(last, -1, -1):
            entry = self._sheet.played_turns[length]
            if None in frame and any(frame[site] is None for site in self.seen(entry).path):
                return None
            if self._equals(frame, entry.position) and (any(entry.position.board) or length == last):
                return length
        return None

    def _equals(self, frame: Levels, position: Position) -> bool:
        """Whether `frame`, as far as it can be seen, shows `position` at rest."""
        shown = self._sensors.frame(position)
        return shown == frame or all(level in (due, None) for level, due in zip(frame, shown, strict=True))

    def upset(self, frame: Levels, before: Levels) -> bool:
        """Whether more has changed at once than one turn taken back: then the board was upset."""
        changed = {site for site, (new, old) in enumerate(zip(frame, before, strict=True)) if new != old}
        paths = (self.seen(entry).result.keys() for entry in self._sheet.played_turns)
        return len(changed) > 2 and not any(changed <= path for path in paths)

    # Turns that may count again ---------------------------------------------------------------

    def taken_back(self, played_turns: Iterable[PlayedTurn]) -> None:
        """A hand has put back these turns, the last ones; the sheet is without them."""
        self._lost = Lost(self._sheet.length, [entry for entry in played_turns if not entry.forced])

    def changed(self, entry: PlayedTurn, turn: Turn[Position], length: int) -> None:
        """The turn of `entry` was changed to `turn`; or the next player made this one, and a sensor lost the first.

        `length` is that of the sheet before either.
        """
        after = entry.turn.after
        others = [PlayedTurn(after, other) for other in self._sheet.game.turns(after) if other.text == turn.text]
        self._lost = Lost(length, [entry, *others] if others else [])

    def again(self, frame: Levels) -> Lost | None:
        """What was lost, if `frame` shows what it led to, and can tell it."""
        if not self._lost.played_turns or not self._equals(frame, self._lost.played_turns[-1].turn.after):
            return None
        dark = any(frame[site] is None for entry in self._lost.played_turns for site in self.seen(entry).path)
        return None if dark else self._lost

    def only(self) -> Signature | None:
        """The turn of this position that a hand has put back, if it was one."""
        here = self._lost.length == self._sheet.length and len(self._lost.played_turns) == 1
        return self.seen(self._lost.played_turns[0]) if here else None

    def forget(self) -> None:
        """Nothing that was lost may count again."""
        self._lost = Lost(0, [])


class Amendment(NamedTuple):
    """The turn that the one before has been changed to, and the length of the sheet that it belongs after."""

    turn: Turn[Position]
    length: int


class Hypotheses:
    """What the hands at the game on `sheet` may be doing; only reads the sheet."""

    def __init__(self, sheet: ScoreSheet, sensors: SensorView) -> None:
        self._sheet, self._sensors = sheet, sensors
        self.past = Past(sheet, sensors)
        """The turns that were made."""
        self.frame: Levels = sensors.frame(sheet.position)
        """The settled frame seen last."""
        self.now = 0.0
        """When it was first seen, in seconds."""
        self.last = self.past.latest()
        """The last turn that a hand made."""
        self.changing = False
        """Whether the turn before is being changed for another."""
        self.held = False
        """Whether what looks like a turn may be the hand of the turn before, putting back what it took."""
        self._open: Opened | None = None
        self._swept = self._lengthening = False
        self.begin()

    def begin(self) -> None:
        """Watch the position that the sheet has come to; where the engine is to move, no turn counts yet."""
        self.plan: Signature | None = None
        """The turn that the engine has chosen, for a hand to carry out."""
        self.watch = Reconciler(self._sensors, self._sheet.position, () if self._sheet.level else self._sheet.turns)

    def carry_out(self, turn: Turn[Position]) -> None:
        """The engine has chosen `turn`: until it is made nothing else counts, but what leads to the same."""
        sheet = self._sheet
        self.plan = self._sensors.signature(sheet.position, turn)
        twins = (turn, *(other for other in sheet.turns if other.after == turn.after and other != turn))
        self.watch = Reconciler(self._sensors, sheet.position, twins, chosen=True)
        self.watch.feed(self.frame, self.now)

    def feed(self, frame: Levels, now: float, *, resting: bool) -> None:
        """Take note of what has changed at `now`; `resting`, whether the frame before was at rest."""
        self._lengthening = self.changing
        self._swept = (self._swept and not resting) or self.past.upset(frame, self.frame)
        if self._open:
            self._open.feed(frame, now, self.watch.rest, first=not self.watch.seen.touched)
        self.frame, self.now = frame, now
        self.watch.feed(frame, now)

    def believe(self, frame: Levels, now: float) -> None:
        """Sites are believed again: `frame` shows them too."""
        self.frame = frame
        self.watch.feed(frame, now)
        if self._open:
            self._open.watch.feed(frame, now)

    def disbelieve(self, frame: Levels, sites: Collection[int]) -> None:
        """What was seen at `sites` is nothing: `frame` is what is left."""
        self.forget()
        self.frame, self.watch = frame, self.watch.without(sites)

    # A turn of this position ------------------------------------------------------------------

    def verdict(self) -> Verdict:
        """What the frame comes to if the hands make a turn of this position, and do not change the one before."""
        self.changing = False
        verdict = self.watch.verdict()
        return self._slipped(verdict, self.plan) if self.plan and isinstance(verdict, Astray) else verdict

    def weighed(self, verdict: Verdict) -> Verdict:
        """`verdict`, not sure if it is a turn that only puts back a piece that the turn before has taken."""
        self.held = isinstance(verdict, Complete) and not verdict.signature.sown and self.takes_back()
        return replace(verdict, sure=False) if isinstance(verdict, Complete) and self.held else verdict

    def _slipped(self, astray: Astray, plan: Signature) -> Astray:
        """Of a turn to be carried out only what no step of it explains is wrong; all, if that is just their order."""
        strange = tuple(site for site in astray.sites if not plan.puts(site, self.frame[site]))
        return Astray(strange or astray.sites, None, plan if strange and not plan.sown else None)

    def keep_open(self, *, lifted: bool = False) -> None:
        """A turn of this position is about to count: the same hand may go on to change it, or put it back.

        `lifted`: it counts for nothing else than what seems to be the next player's lift.
        """
        self.forget()
        self._open = Opened(self.watch, self._sheet.length, self.now, lifted=lifted)

    def accepted(self, turn: Turn[Position]) -> None:
        """`turn` of this position counts."""
        self.last = self.past.seen(PlayedTurn(self._sheet.position, turn))
        if self._open:
            self._open.watch.unask()

    def begun(self, complete: Complete, verdict: Verdict) -> bool:
        """Whether the frame is wholly explained as a turn after the one that was complete, and not as this one."""
        turn = complete.signature.turn
        rests = isinstance(verdict, AtRest) and not complete.signature.strict
        if rests or not (isinstance(verdict, Astray | AtRest) or self.watch.unexplained):
            return False
        if self._sheet.levels[turn.after.side]:  # the engine begins nothing by itself
            return False
        after, rest = self.watch.seen_from(turn.after), self.watch.rest
        if not complete.signature.strict and all(self.frame[site] == rest[site] for site in after.seen.differs):
            return False  # what was taken is only put back
        return isinstance(after.verdict(), UnderWay | Complete) and not after.unexplained

    def ripens(self, verdict: Verdict) -> float:
        """When `verdict` may be acted upon: not before what it takes off, or lays, could be as before by itself."""
        if not isinstance(verdict, Complete):
            return -inf
        return self.watch.seen.ripens(verdict.signature.lifts or verdict.signature.path)

    def stands(self, signature: Signature) -> bool:
        """Whether all that `signature` changes is as it leaves it, as far as can be seen."""
        return all(self.frame[site] in (level, None) for site, level in signature.after.items())

    def settles(self) -> float:
        """When no piece that has gone can come back by itself any more."""
        return self.watch.seen.ripens(site for site, level in enumerate(self.frame) if level == 0)

    def ask(self, which: Which) -> None:
        """The question has been put; it is about the turn before, too, if that is being changed."""
        self.watch.ask(which)
        if self._open and self.changing:
            self._open.watch.ask(which)

    def untouchable(self, which: Which) -> bool:
        """Whether Done must do for an answer: there is one result, and where it began the sensors tell nothing."""
        unseen = all(
            signature.begins is not None and self.frame[signature.begins] is None for signature in which.signatures
        )
        return unseen and len({signature.turn.after for signature in which.signatures}) == 1

    def left_off(self) -> Signature | None:
        """The illegal turn that this would be, or that the last one would become, if the hands were to stop here."""
        if self._open and self.changing:
            return self._open.watch.left_off()
        beyond = self.beyond()
        return self.watch.left_off() or (beyond.refused if beyond else None)

    # The turn before --------------------------------------------------------------------------

    def changed(self, verdict: Verdict) -> UnderWay | Complete | Which | None:
        """What the turn before is becoming, if `verdict` does not tell it better; `changing` follows from it."""
        self.changing = False
        if not self._open:
            return None
        other = isinstance(verdict, Astray) and not (verdict.refused and self.last and self.last.sown)
        same = self._open.same_hand
        soon = (same or self._open.soon) and not isinstance(verdict, AtRest)
        longer = isinstance(verdict, AtRest) and self._lengthening
        changed = self._becoming() if other or soon or longer else None
        if not (other or same or isinstance(changed, Complete)) or (longer and not self._extended(changed)):
            return None
        if isinstance(changed, Complete) and self._another_hand(verdict, changed):
            return None
        self.changing = changed is not None
        return changed

    def _another_hand(self, verdict: Verdict, changed: Complete) -> bool:
        """Whether `verdict` is wholly the next player's: begun elsewhere, and no touch could tell `changed` from it."""
        if not self._open or self._open.same_hand or self.watch.unexplained or isinstance(verdict, Astray | AtRest):
            return False
        elsewhere = self._open.changes(self.watch.rest).isdisjoint(self.watch.seen.first_touched)
        signatures = (verdict.signature,) if isinstance(verdict, Complete) else getattr(verdict, "signatures", ())
        return elsewhere and any(signature.begins == changed.signature.begins for signature in signatures)

    def _becoming(self) -> UnderWay | Complete | Which | None:
        """It is the same hand when it goes on with the same piece, or has put everything back that it had changed."""
        if not self._open or not self.last or self._sensors.strict:
            return None
        verdict = self._open.watch.verdict()
        if not (self._open.returned or self._begun_there(self._open) or self._extended(verdict)):
            return None
        if isinstance(verdict, UnderWay):
            signatures = tuple(filter(self._same, verdict.signatures))
            return UnderWay(signatures) if signatures else None
        if isinstance(verdict, Which):
            return verdict if self._open.returned else None
        return verdict if isinstance(verdict, Complete) and self._same(verdict.signature) else None

    def _same(self, signature: Signature) -> bool:
        """Whether `signature` may be what the turn before has become."""
        if not self._open or self._open.returned or not self.last:
            return self._open is not None and self._open.returned
        return not signature.sown and (
            signature.origin == self.last.origin or self.last.result.keys() < signature.result.keys()
        )

    def _extended(self, verdict: Verdict | None) -> bool:
        """Whether the turn before was only the first part of what `verdict` wholly explains: of a longer row."""
        signatures = (verdict.signature,) if isinstance(verdict, Complete) else getattr(verdict, "signatures", ())
        if not signatures or not self._open or not self.last or self._open.watch.unexplained or self._sheet.level:
            return False
        return all(self.last.result.keys() < signature.result.keys() for signature in signatures)

    def _begun_there(self, opened: Opened) -> bool:
        """Whether the hands have begun where the turn before changed something, or have put a part of it back."""
        begun = self.watch.seen.first_touched
        if self.last and not self.last.flips.isdisjoint(begun):  # what became another piece looks as it did
            return True
        touched = [site for site in self.watch.seen.touched if self.frame[site] == opened.watch.rest[site]]
        return not opened.changes(self.watch.rest).isdisjoint({*begun, *touched})

    def takes_back(self) -> bool:
        """Whether all that was touched since the turn before stands as it did before that turn, which is still open."""
        touched = self.watch.seen.touched
        return self._open is not None and self._open.takes_back(self.frame, self.watch.rest, touched)

    def put_back(self) -> int | None:
        """The length of the sheet before a sowing that a lift seemed to end, if all of it was only put back."""
        if not self._open or not self._open.lifted or not self._sensors.strict or not self._open.is_soon(self.now):
            return None
        return self._open.length if self._open.put_back(self.frame, self.watch.rest) and self.takes_back() else None

    def disputed(self, verdict: Verdict, changed: Verdict | None) -> Which | None:
        """Whether it may be either: the next player's turn, made at once, or the turn before, made otherwise."""
        if not isinstance(verdict, Complete) or not isinstance(changed, Complete) or not self._open:
            return None
        worse = self.watch.unexplained > self._open.watch.unexplained
        told = self._open.same_hand or worse or self.takes_back()
        return None if told else Which((verdict.signature, changed.signature))

    @property
    def amended_at(self) -> int | None:
        """The length of the sheet before the turn that may still be changed."""
        return self._open.length if self._open else None

    @property
    def answered(self) -> bool:
        """Whether a question about the turn before was answered."""
        return self._open is not None and self._open.watch.answered

    def beyond(self) -> Astray | None:
        """What is wrong if the hand that made the turn before has not left it at that: it takes a second stone, say."""
        if not self._open or not self.last or self.last.sown:
            return None
        return self._open.watch.beyond(self.last.turn)

    def amendment(self) -> Amendment | None:
        """The other turn of the position before that the same hand has changed its turn to."""
        changed = self._becoming() if self.changing else None
        if not self._open or not self.last or not isinstance(changed, Complete):
            return None
        if changed.signature.turn == self.last.turn:
            return None
        return Amendment(changed.signature.turn, self._open.length)

    # Turns taken back -------------------------------------------------------------------------

    def earlier(self) -> int | None:
        """How long the sheet was at the latest earlier position that the frame equals, if the last turn was touched."""
        begun = self.last and not self.last.result.keys().isdisjoint(self.watch.seen.first_touched)
        return self.past.earlier(self.frame) if begun and not self._swept else None

    def taking_back(self, verdict: UnderWay) -> bool:
        """Whether the frame is an earlier position, and no turn is likely to begin like this."""
        back = self.undone() if self.changing else not self.watch.likely(verdict.signatures)
        return back and self.earlier() is not None

    def undone(self) -> bool:
        """Whether the board is as it was before the turn made last, and no capture made first can look like that."""
        return self._open is not None and self._open.undone(self.frame, self.watch.rest)

    def may_undo(self, verdict: Astray) -> bool:
        """Whether the frame is an earlier position, and not what the side to move has made by an illegal turn."""
        turn = verdict.refused.turn if verdict.refused else None
        if turn and turn.after.side != self._sheet.position.side and self._sensors.frame(turn.after) == self.frame:
            return False
        return self.earlier() is not None

    def gone_back(self, dropped: Iterable[PlayedTurn]) -> None:
        """The sheet has gone back by these turns, which may be put again as they stood."""
        self.forget()
        self.past.taken_back(dropped)
        self.last = self.past.latest()

    def captured_first(self) -> bool:
        """Whether the frame may as well be what follows that turn: a hand took the stone first, and walked away."""
        back = self.past.only()
        return back is not None and self.watch.seen_from(back.turn.after).whole() is not None

    def put_again(self) -> Lost | None:
        """Turns that did not count any more, once they stand again as they stood and nothing else was touched.

        A turn that another one was made of counts again only if the next player has none for what is seen.
        """
        again = self.past.again(self.frame)
        if not again or any(self.frame[site] == self.watch.rest[site] for site in self.watch.seen.touched):
            return None
        if again.length < self._sheet.length and isinstance(self.watch.verdict(), Complete):
            return None
        self.forget()
        return again

    def forget(self) -> None:
        """Nothing is left of what the hands began: no turn is open, and none may be put again."""
        self._open = None
        self.past.forget()
