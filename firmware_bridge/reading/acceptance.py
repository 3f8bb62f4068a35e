"""Acceptance: what follows at once from a new frame, how long a frame must stand, and the pace of these players.

`Judging` says what follows at once, given what the frame before came to. In this order, and the first that holds: a
sowing that a lift seemed to end was only put back; a piece was laid, and more happens before it is known to be no
flicker; the turn before may have been changed, or the next player may have made one, and nothing tells which; the turn
before is being changed; it was changed, and the next player has begun; the turn that was complete counts, for the next
player has begun. Otherwise the frame is what it looks like. The rules are in `firmware_bridge.table.table`.

`Patience` says how long a frame must stand still before something follows from it.

`Players` learns how long the players pause, and whether they press Done. Pauses within turns, of which it keeps the
latest `KEPT`, stretch the settle time to `STRETCH` times what three in
four of them took, but never below what is set nor above `SLOWEST`: slow hands are given time, and a walk to the window
is not taken for slowness. Who never presses Done and then does, where the table has seen nothing, says that a turn
was made that could not be seen; who presses it after every turn does not.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

from firmware_bridge.reading.candidates import Amendment, Hypotheses
from firmware_bridge.reading.signature import Signature
from firmware_bridge.reading.verdict import Astray, Complete, UnderWay, Verdict, Which
from games.rules import Position, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds that a frame must stand still."""

    settle: float = 0.4
    """Before an unsure turn counts and before a question is asked."""
    spilt: float = 0.8
    """Before a capture counts whose stones went off as no hand takes them: swept off, they come back one by one."""
    undo: float = 2.0
    """Before an earlier position counts as taken back; what looks so may be a capture made first."""
    put_back: float = 0.1
    """Before it does where no capture looks so."""
    left_off: float = 3.0
    """Before a turn left off is spoken of."""

    def wait(self, verdict: Verdict, hypotheses: Hypotheses, *, complained: bool) -> float:
        """Seconds for `verdict`; inf if nothing follows. `complained`: players were told that something is wrong."""
        if isinstance(verdict, UnderWay):
            return self._under_way(verdict, hypotheses, complained=complained)
        if isinstance(verdict, Complete):
            return self._complete(verdict, hypotheses)
        if isinstance(verdict, Which):
            return self.settle
        return self._back(hypotheses) if isinstance(verdict, Astray) and hypotheses.may_undo(verdict) else inf

    def _back(self, hypotheses: Hypotheses) -> float:
        return self.put_back if hypotheses.undone() else self.undo

    def _complete(self, verdict: Complete, hypotheses: Hypotheses) -> float:
        if verdict.sure:
            return 0.0
        if verdict.signature.veiled:
            return inf
        if hypotheses.held:
            return self.undo
        return self.spilt if hypotheses.watch.seen.swept(verdict.signature) else self.settle

    def _under_way(self, verdict: UnderWay, hypotheses: Hypotheses, *, complained: bool) -> float:
        if verdict.signatures[0].strict:
            return inf  # there may be more seeds in the hand than meet the eye
        if hypotheses.taking_back(verdict):
            return self._back(hypotheses)
        return self.settle if complained else self.left_off


KEPT = 24
FEWEST = 8
"""Pauses before anything follows from them."""
STRETCH = 1.25
SLOWEST = 1.2
"""Seconds: the longest settle time that players can bring about."""
SHORTEST, LONGEST = 0.1, 3.0
"""Seconds of a pause that says something: what is shorter slides, and who pauses longer has left off."""


class Players:
    """The players at one table; `patience` is what is set, and the least that they are given."""

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        """How long frames must stand for these players."""
        self.claimed = False
        """Whether somebody says that a turn was made which the table has not seen: the next is to be confirmed."""
        self._least = patience.settle
        self._pauses: deque[float] = deque(maxlen=KEPT)
        self._presses: dict[int, bool] = {}
        self._pressed = False
        self._latest: int | None = None

    def paused(self, seconds: float) -> None:
        """In the midst of a turn a player paused for so long."""
        if SHORTEST <= seconds <= LONGEST:
            self._pauses.append(seconds)

    def done(self, *, unseen: bool) -> None:
        """Done was pressed. If `unseen`, no turn was seen: unless who played last is given to it, one was made."""
        self._pressed = True
        given = self._latest is None or self._presses.get(self._latest, True)
        self.claimed = self.claimed or (unseen and not given)

    def accepted(self, side: int) -> None:
        """A turn of player `side` counts."""
        if self._latest is not None:
            self._presses[self._latest] = self._pressed
        self._latest, self._pressed, self.claimed = side, False, False
        if len(self._pauses) >= FEWEST:
            self.patience = replace(self.patience, settle=self._settle())

    def _settle(self) -> float:
        """Seconds that a frame must stand, going by the pauses."""
        usual = sorted(self._pauses)[len(self._pauses) * 3 // 4]
        return max(self._least, min(SLOWEST, STRETCH * usual))


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
        self.latest: Signature | None = None
        """The turn of this position that was seen whole last, whatever came then."""

    def forget(self) -> None:
        """The position is another one."""
        self._before = self._whole = self._becoming = self.latest = None

    def adopted(self, verdict: Verdict, at: float) -> None:
        """The frame that has stood since `at` (seconds) was taken for this."""
        self._before = verdict
        self.latest = verdict.signature if isinstance(verdict, Complete) else self.latest
        if isinstance(verdict, Astray):
            return
        whole, self._whole = self._whole, verdict if isinstance(verdict, Complete) else None
        if not (whole and self._whole and whole.signature.turn == self._whole.signature.turn):
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
            return Adopt(UnderWay((changed.signature,)), 0.0 if hands.answered else self._players.patience.settle)
        going_on = self._changed_before(verdict) or (self._gone_on(self._whole, verdict, now) if self._whole else None)
        if going_on:
            return going_on
        if isinstance(verdict, Astray):
            return Adopt(changed or hands.beyond() or verdict)
        return Adopt(changed or self._confirmed(hands.weighed(verdict)))

    def _laid(self, whole: Complete, now: float) -> Accept | Wait | None:
        """A turn that only lays a piece, and is sure, counts whatever comes, once that is no flicker."""
        if whole.signature.lifts or not whole.sure or not self._hypotheses.stands(whole.signature):
            return None
        ripe = self._hypotheses.ripens(whole)
        return Accept(whole.signature.turn) if ripe <= now else Wait(ripe)

    def _confirmed(self, verdict: Verdict) -> Verdict:
        """`verdict`; to be asked about, if it is a turn and may be another one.

        Somebody claims one before that was not seen; or what looked like taking back was a capture made first.
        """
        if not isinstance(verdict, Complete) or self._hypotheses.watch.answered:
            return verdict
        asks = self._players.claimed or self._hypotheses.captured_first()
        return Which((verdict.signature,)) if asks else verdict

    def _changed_before(self, verdict: Verdict) -> Amendment | None:
        """The turn that the one before had become, if the next player has begun after it."""
        became, self._becoming = self._becoming, None
        length = self._hypotheses.amended_at
        if not became or length is None or not self._hypotheses.begun(became, verdict):
            return None
        return Amendment(became.signature.turn, length)

    def _gone_on(self, whole: Complete, verdict: Verdict, now: float) -> Accept | Wait | None:
        """The turn that was complete, if the next player has begun after it."""
        if not isinstance(verdict, Complete) and now - self._at < REPLY:
            self._whole = None
            return None
        begun = self._hypotheses.begun(whole, verdict)
        settles = self._hypotheses.settles()
        if settles > now and (begun or (isinstance(verdict, Astray) and isinstance(self._before, Complete))):
            return Wait(settles)
        return Accept(whole.signature.turn) if begun else None
