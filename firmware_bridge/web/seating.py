"""The seats at the table in hand: `seats.py` over the browsers that are there and what the daemon tells.

It passes on what may be done at once, keeps what is to be agreed upon, and tells each browser how it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from firmware_bridge.i18n import Words
from firmware_bridge.score import LONGEST_NAME
from firmware_bridge.session import AnyRequest, AnySnapshot, Now, Press, Story, Table, Whispered, reason
from firmware_bridge.web.forms import AskedForm, HintForm, SeatForm, SeatsForm
from firmware_bridge.web.seats import SIDES, Asked, Game, Seats, Side
from firmware_bridge.web.snapshots import cue_form

LOOK_AT_SEATS = 0.25
"""Seconds after which it is looked again what has lapsed; guessed."""
RESTING = frozenset({"rest", "over", "setting", "choosing"})
"""States of a table in which no hand is in the midst of a turn."""


class SeatRequest(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something that a browser asks of the server, for its reader's seat."""


class Sit(SeatRequest, frozen=True, tag="sit"):
    """Take the seat of a player (0, 1), under a name; the player's own where that is empty."""

    side: Literal[0, 1]
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""


class Rise(SeatRequest, frozen=True, tag="rise"):
    """Leave the seat."""


class Answer(SeatRequest, frozen=True, tag="answer"):
    """Grant what the other player asks for, or refuse it; who has asked takes it back."""

    grants: bool


AnySeatRequest = Sit | Rise | Answer


class Seating:
    """Who sits where. `changed` is called when anything that browsers are told has changed."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.version = 0
        """How often what is told has changed."""
        self._seats, self._game = Seats(), Game()
        self._changed = changed
        self._present: Counter[str] = Counter()
        self._resting: float | None = None
        self._made = -1
        self._whispered: Whispered | None = None

    # Who is there -----------------------------------------------------------------------------

    def come(self, guest: str, now: float) -> None:
        """A browser of a guest is there."""
        self._present[guest] += 1
        self._set(self._seats.here(guest, now, here=True))

    def go(self, guest: str, now: float) -> None:
        """A browser of a guest has gone."""
        self._present[guest] -= 1
        if self._present[guest] <= 0:
            del self._present[guest]
            self._set(self._seats.here(guest, now, here=False))

    def pass_time(self, now: float) -> None:
        """Free what has lapsed at `now` (seconds)."""
        self._set(self._seats.pass_time(now, resting=self._resting))

    def take(self, told: AnySnapshot, now: float) -> None:
        """Take in what the daemon tells of the game."""
        before = self._game
        if isinstance(told, Table):
            first, second = told.levels
            self._game = before._replace(people=(not first, not second))
            self._set(self._seats.moved(self._game) if before.people != self._game.people else self._seats)
        elif isinstance(told, Story):
            made = told.before + len(told.turns)
            self._game = before._replace(playing=made > 0 and told.outcome is None)
            self._set(self._seats.moved(self._game) if made != self._made else self._seats)
            self._made = made
        elif isinstance(told, Now):
            self._resting = (now if self._resting is None else self._resting) if told.state in RESTING else None
            side = None if told.state in ("over", "setting") else told.side
            self._game = before._replace(side=next((each for each in SIDES if each == side), None))
            if told.whispered != self._whispered:
                self._whispered = told.whispered
                self._tell()
        if before != self._game:
            self._tell()

    def _set(self, seats: Seats) -> None:
        before, self._seats = self._seats, seats
        if seats.told != before.told:
            self._tell()

    def _tell(self) -> None:
        self.version += 1
        self._changed()

    @property
    def names(self) -> tuple[str, str]:
        """The names at the seats, empty where none was told."""
        first, second = (seat.name if seat else "" for seat in self._seats.taken)
        return first, second

    # What is asked ----------------------------------------------------------------------------

    def ask(self, guest: str, request: AnyRequest, now: float) -> tuple[str, AnyRequest | None]:
        """A guest asks for something: why it is refused, and what the daemon is to be asked at once, if anything."""
        self.pass_time(now)
        if request == Press("hint") and self._seats.side_of(guest) is not None:
            request = Press("whisper")  # what one player asks for is not for the other
        seats, why, request_now = self._seats.ask(guest, request, self._game, now)
        self._set(seats)
        return why, request_now

    def arrange(self, guest: str, request: AnySeatRequest, now: float) -> tuple[str, Asked | None]:
        """A guest takes or leaves a seat, or answers: why that is refused, and what was answered, if anything."""
        self.pass_time(now)
        seats, why, answered = self._seats, "", None
        if isinstance(request, Sit):
            name = "".join(each for each in " ".join(request.name.split()) if each.isprintable())
            seats, why = seats.sit(request.side, guest, name, self._game)
        elif isinstance(request, Rise):
            seats = seats.rise(guest)
        else:
            seats, why, answered = seats.answer(guest, grants=request.grants)
        self._set(seats)
        return why, answered

    def form(self, guest: str, now: float, words: Words) -> SeatsForm:
        """How it stands, as a browser of this guest is told at `now` (seconds)."""
        seats, game = self._seats, self._game
        asked = seats.asked
        return SeatsForm(
            [self._seat(side) for side in SIDES],
            seats.side_of(guest),
            seats.may_act(guest, game),
            asked and AskedForm(
                asked.what, asked.by, asked.guest == guest, seats.may_answer(guest), round(asked.until - now, 1)
            ),
            self._hint(words) if game.side is not None and seats.side_of(guest) == game.side else None,
        )  # fmt: skip

    def _hint(self, words: Words) -> HintForm | None:
        told = self._whispered
        if not told:
            return None
        cues = {site: cue_form(cue, words) for site, cue in told.cues.items()}
        return HintForm(cues, words.say(reason(told.say)) if told.say else "")

    def _seat(self, side: Side) -> SeatForm | None:
        seat = self._seats.taken[side]
        return seat and SeatForm(seat.name, seat.gone is not None)
