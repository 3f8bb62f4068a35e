"""Who sits where with a browser of their own; what is to be agreed upon; whose hand is in the midst of a turn.

Values only: a guest is known by a key, `now` (seconds) is an argument, and what cannot be done is told by the end of
the id of a sentence.

1. A seat is a player's side. Whoever asks first has it, until they rise, or their browser has been away for `AWAY`
   seconds. While no seat is taken nothing here keeps anybody from anything, but for rule 6.
2. The acts of a turn belong to the seat of the player to move: hands, Done, Hint. Where that seat is free they are
   everybody's.
3. Only who has a seat resigns for it; for a free one those without a seat do.
4. What touches both is agreed upon: to take a turn back, a draw, and in mid-game another game. It is done as soon as
   nobody else has a seat, or the other player grants it. Both asking for the same is to grant it.
5. What was asked lapses after `LASTS` seconds, and when a turn is made or taken back. A guest without a seat asks in
   place of the free one; where both are taken, guests without one ask for nothing.
6. On a simulated table a hand that has begun a turn goes on with it alone: until the board has been at rest for
   `RESTS` seconds, or that hand for `IDLE`. Nobody else's hand, Done or Undo comes between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from firmware_bridge.session import (
    AnyRequest,
    Drop,
    End,
    Invite,
    Join,
    Lay,
    Make,
    New,
    Press,
    Rejoin,
    Return,
    Solve,
    Teach,
)
from games.rules import say

Side = Literal[0, 1]
What = Literal["undo", "draw", "new"]
"""What is agreed upon."""
SIDES: tuple[Side, Side] = (0, 1)
AWAY = 120.0
"""Seconds after which the seat of a browser that is away is free; a guess: a phone in a pocket is back sooner."""
LASTS = 30.0
"""Seconds after which what was asked lapses; a guess: time to see it and to think, and not to forget it."""
RESTS = 0.4
"""Seconds at rest after which a hand is done; a guess: longer than a table takes to see what was touched."""
IDLE = 20.0
"""Seconds after which a hand that does nothing more is no longer waited for; a guess."""


class Seat(NamedTuple):
    """Whose it is: the guest's key and the name to be shown, and since when (seconds) no browser of theirs is there."""

    guest: str
    name: str
    gone: float | None = None


class Asked(NamedTuple):
    """What a guest asks the others for, in place of side `by`, up to `until` (seconds), and what it leads to."""

    what: What
    guest: str
    by: Side
    until: float
    request: AnyRequest


class Grip(NamedTuple):
    """The guest whose hand is in the midst of a turn, and when it touched something last (seconds)."""

    guest: str
    last: float


class Game(NamedTuple):
    """What of the game in hand matters here.

    `side` is to move (None: nobody), people play `people`; `playing`: a turn was made and the game is not over.
    """

    side: Side | None = None
    people: tuple[bool, bool] = (True, True)
    playing: bool = False


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats, what is asked, and the hand in the midst of a turn."""

    taken: tuple[Seat | None, Seat | None] = (None, None)
    asked: Asked | None = None
    grip: Grip | None = None

    @property
    def told(self) -> tuple[object, ...]:
        """What browsers are told of: not when a hand touched something last."""
        return self.taken, self.asked, self.grip and self.grip.guest

    # Seats ------------------------------------------------------------------------------------

    def side_of(self, guest: str) -> Side | None:
        """Where the guest sits; None for one without a seat."""
        return next((side for side in SIDES if (seat := self.taken[side]) and seat.guest == guest), None)

    def sit(self, side: Side, guest: str, name: str, game: Game) -> tuple[Seats, str]:
        """The guest takes a seat, leaving the other one, or has another name there."""
        seat = self.taken[side]
        if seat and seat.guest != guest:
            return self, "seat-taken"
        if not game.people[side]:
            return self, "seat-engine"
        return self.rise(guest)._at(side, Seat(guest, name)), ""

    def rise(self, guest: str) -> Seats:
        """The guest leaves the seat, and what was asked from there."""
        side = self.side_of(guest)
        return self if side is None else self._at(side, None)._without(guest)

    def _at(self, side: Side, seat: Seat | None) -> Seats:
        other = self.taken[1 - side]
        return replace(self, taken=(other, seat) if side else (seat, other))

    def _without(self, guest: str) -> Seats:
        asked, grip = self.asked, self.grip
        return replace(
            self,
            asked=None if asked and asked.guest == guest else asked,
            grip=None if grip and grip.guest == guest else grip,
        )

    def here(self, guest: str, now: float, *, here: bool) -> Seats:
        """The last browser of a guest has gone at `now`, or one has come."""
        seats, side = (self if here else self._without(guest)), self.side_of(guest)
        seat = None if side is None else self.taken[side]
        return seats if side is None or not seat else seats._at(side, seat._replace(gone=None if here else now))

    def pass_time(self, now: float, *, resting: float | None) -> Seats:
        """What is left at `now`; `resting`: since when (seconds) the board is at rest, None where it is not."""
        seats, grip = self, self.grip
        for side in SIDES:
            seat = self.taken[side]
            if seat and seat.gone is not None and now - seat.gone >= AWAY:
                seats = seats.rise(seat.guest)
        if seats.asked and now >= seats.asked.until:
            seats = replace(seats, asked=None)
        done = grip and (now - grip.last >= IDLE or (resting is not None and now - max(resting, grip.last) >= RESTS))
        return replace(seats, grip=None) if done else seats

    def moved(self, game: Game) -> Seats:
        """A turn was made or taken back, or another game began: what was asked before it is no longer meant."""
        seats = replace(self, asked=None)
        for side in SIDES:
            seat = seats.taken[side]
            if seat and not game.people[side]:
                seats = seats.rise(seat.guest)
        return seats

    # What is asked ----------------------------------------------------------------------------

    def ask(self, guest: str, request: AnyRequest, game: Game, now: float) -> tuple[Seats, str, AnyRequest | None]:
        """A guest asks for something: the seats then, why it is refused, and what is to be done now, if anything."""
        if why := self._forbidden(guest, request, game):
            return self, why, None
        what = agreed_upon(request, game)
        if what:
            return self._agree(guest, what, request, now)
        held = isinstance(request, Lay | Make)
        return (replace(self, grip=Grip(guest, now)) if held else self), "", request

    def _forbidden(self, guest: str, request: AnyRequest, game: Game) -> str:
        """Why a guest may not ask for this: empty if nothing speaks against it."""
        touches = isinstance(request, Lay | Make | Drop)
        acts = touches or (isinstance(request, Press) and request.button in ("done", "hint", "whisper"))
        if acts and self._others_turn(guest, game):
            return "not-your-turn"
        hands = isinstance(request, Lay | Make | Drop) or (
            isinstance(request, Press) and request.button in ("done", "undo")
        )
        if hands and self.grip and self.grip.guest != guest:
            return "other-hand"
        if isinstance(request, End) and request.resigns is not None:
            mine = self.side_of(guest)
            own = request.resigns == mine if mine is not None else not self.taken[request.resigns]
            return "" if own else "not-your-seat"
        return ""

    def _others_turn(self, guest: str, game: Game) -> bool:
        """Whether the turn belongs to the seat of somebody else."""
        seat = None if game.side is None else self.taken[game.side]
        return bool(seat and seat.guest != guest)

    def may_act(self, guest: str, game: Game) -> bool:
        """Whether the guest's hand may do something now."""
        return not self._others_turn(guest, game) and (self.grip is None or self.grip.guest == guest)

    def _agree(self, guest: str, what: What, request: AnyRequest, now: float) -> tuple[Seats, str, AnyRequest | None]:
        others = [seat for seat in self.taken if seat and seat.guest != guest]
        mine = self.side_of(guest)
        if not others:
            return self, "", request
        if mine is None and len(others) > 1:
            return self, "seats-taken", None
        asked = self.asked
        if asked and asked.guest != guest:
            same = asked.what == what and what != "new"
            return (replace(self, asked=None), "", asked.request) if same else (self, "asked-already", None)
        by: Side = mine if mine is not None else 1 if self.taken[0] else 0
        return replace(self, asked=Asked(what, guest, by, now + LASTS, request)), "", None

    def may_answer(self, guest: str) -> bool:
        """Whether what is asked is for this guest to grant or refuse."""
        return bool(self.asked and self.asked.guest != guest and self.side_of(guest) is not None)

    def answer(self, guest: str, *, grants: bool) -> tuple[Seats, str, Asked | None]:
        """A guest answers, or takes back what they have asked: the seats, why not, and what was answered."""
        asked = self.asked
        if not asked:
            return self, "nothing-asked", None
        if asked.guest == guest and not grants:
            return replace(self, asked=None), "", None
        if not self.may_answer(guest):
            return self, "not-asked-you", None
        return replace(self, asked=None), "", asked


BEGINS = New | Teach | Solve | Return | Invite | Join | Rejoin
"""Requests that lead to another game."""


def agreed_upon(request: AnyRequest, game: Game) -> What | None:
    """What the players have to agree on for this, if anything."""
    if isinstance(request, Press) and request.button == "undo":
        return "undo"
    if isinstance(request, End) and request.resigns is None:
        return "draw"
    return "new" if isinstance(request, BEGINS) and game.playing else None


say(
    "refused",
    seat_taken="Somebody else has this seat: take the other one, or wait until it is left.",
    seat_engine="The computer plays there: take the other seat, or begin a game for two people.",
    not_your_turn="It is the other player's turn: wait for it to be made.",
    other_hand="Somebody else is in the midst of a turn: wait until it is made.",
    not_your_seat="Only the player who has this seat can resign for it.",
    seats_taken="Both players have their own buttons: ask them.",
    asked_already="Something else is being asked already: answer that first.",
    nothing_asked="Nothing is being asked any more.",
    not_asked_you="This is for the other player to answer.",
    refused="The other player does not agree: the game goes on.",
)
