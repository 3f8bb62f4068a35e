"""What follows at once from a new frame, given what the one before it came to.

In this order, and the first that holds: a sowing that a lift seemed to end was only put back; a piece was laid, and
more happens before it is known to be no flicker; the turn before may have been changed, or the next player may have
made one, and nothing tells which; the turn before is being changed; it was changed, and the next player has begun; the
turn that was complete counts, for the next player has begun. Otherwise the frame is what it looks like. The rules are
in `firmware_bridge.table.play`.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge.reading.candidates import Amendment, Hypotheses
from firmware_bridge.reading.players import Players
from firmware_bridge.reading.signature import Way
from firmware_bridge.reading.verdict import Astray, Complete, UnderWay, Verdict, Which
from games.rules import Position, Turn

REPLY = 0.2
"""Seconds after which the next player may begin; what is touched sooner is the same hand, or a sleeve."""


class Adopt(NamedTuple):
    """The frame is what `verdict` says; something follows in `wait` seconds, or if None when it is usual."""

    verdict: Verdict
    wait: float | None = None


class Accept(NamedTuple):
    """`turn` counts, for the next player has begun."""

    turn: Turn[Position]


class Back(NamedTuple):
    """The turns after the first `length` are taken back."""

    length: int


class Wait(NamedTuple):
    """Until then (seconds) the frame may be a bump: then it is judged again."""

    until: float


Follows = Adopt | Accept | Amendment | Back | Wait


class Judging:
    """Judges frame by frame what the hands of `hypotheses` have come to."""

    def __init__(self, hypotheses: Hypotheses, players: Players) -> None:
        self._hypotheses, self._players = hypotheses, players
        self._before: Verdict | None = None
        self._at = 0.0
        self._whole: Complete | None = None
        self._becoming: Complete | None = None
        self.latest: Way | None = None
        """The turn of this position that was seen whole last, whatever came then."""

    def forget(self) -> None:
        """The position is another one."""
        self._before = self._whole = self._becoming = self.latest = None

    def adopted(self, verdict: Verdict, at: float) -> None:
        """The frame that has stood since `at` (seconds) was taken for this."""
        self._before = verdict
        self.latest = verdict.way if isinstance(verdict, Complete) else self.latest
        if isinstance(verdict, Astray):
            return
        whole, self._whole = self._whole, verdict if isinstance(verdict, Complete) else None
        if not (whole and self._whole and whole.way.turn == self._whole.way.turn):
            self._at = at

    def follows(self, verdict: Verdict, now: float) -> Follows:
        """What is to be done about `verdict` on a frame seen first at `now` (seconds)."""
        hands = self._hypotheses
        if isinstance(verdict, Astray) and (length := hands.put_back()) is not None:
            return Back(length)
        if self._whole and (laid := self._laid(self._whole, now)):
            return laid
        changed = hands.changed(verdict)
        if either := hands.disputed(verdict, changed):
            return Adopt(either)
        if isinstance(changed, Complete):
            self._becoming = changed
            return Adopt(UnderWay((changed.way,)), 0.0 if hands.answered else self._players.patience.settle)
        going_on = self._changed_before(verdict) or (self._gone_on(self._whole, verdict, now) if self._whole else None)
        if going_on:
            return going_on
        if isinstance(verdict, Astray):
            return Adopt(changed or hands.beyond() or verdict)
        return Adopt(changed or self._confirmed(hands.weighed(verdict)))

    def _laid(self, whole: Complete, now: float) -> Accept | Wait | None:
        """A turn that only lays a piece, and is sure, counts whatever comes, once that is no flicker."""
        if whole.way.lifts or not whole.sure or not self._hypotheses.stands(whole.way):
            return None
        ripe = self._hypotheses.ripens(whole)
        return Accept(whole.way.turn) if ripe <= now else Wait(ripe)

    def _confirmed(self, verdict: Verdict) -> Verdict:
        """`verdict`; to be asked about, if it is a turn and may be another one.

        Somebody claims one before that was not seen; or what looked like taking back was a capture made first.
        """
        if not isinstance(verdict, Complete) or self._hypotheses.watch.answered:
            return verdict
        asks = self._players.claimed or self._hypotheses.captured_first()
        return Which((verdict.way,)) if asks else verdict

    def _changed_before(self, verdict: Verdict) -> Amendment | None:
        """The turn that the one before had become, if the next player has begun after it."""
        became, self._becoming = self._becoming, None
        length = self._hypotheses.amended_at
        if not became or length is None or not self._hypotheses.begun(became, verdict):
            return None
        return Amendment(became.way.turn, length)

    def _gone_on(self, whole: Complete, verdict: Verdict, now: float) -> Accept | Wait | None:
        """The turn that was complete, if the next player has begun after it."""
        if not isinstance(verdict, Complete) and now - self._at < REPLY:
            self._whole = None
            return None
        begun = self._hypotheses.begun(whole, verdict)
        settles = self._hypotheses.settles()
        if settles > now and (begun or (isinstance(verdict, Astray) and isinstance(self._before, Complete))):
            return Wait(settles)
        return Accept(whole.way.turn) if begun else None
