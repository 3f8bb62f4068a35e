"""Clocks: how much time players have for their turns, and what is left of it. Pure: `now` (seconds) is an argument.

How time is given is written as players write it (`control`):

    10         sudden death: ten minutes a player, for the whole game
    10+5       Fischer: and five seconds more after each turn
    10+3x30    byo-yomi: and then three periods of thirty seconds; one is used up by a turn that takes longer

Rules of the clock:

 1. The first turn begins it, so that nobody's time goes before hands have begun; likewise where a game is gone on with.
 2. A turn ends with its last touch, however much later it comes to count: that the table weighs what it has seen is no
    thought of the player. From that touch on the other one's time runs, so that no time is lost or given.
 3. A turn that is taken back gives back all that followed it: the other one's time, and the increment. What its player
    had thought stays used, or turns could be made and taken back to win time.
 4. A clock stands (`stop`) while no player can be thought to think: who keeps it says when.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Literal, NamedTuple

from games.rules import OptionError, clip

Pace = Literal["", "low", "last"]
"""How short of time the player to move is: not, somewhat, or the last seconds before the end run."""

FORM = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)(?:\+(?:(\d{1,2})x)?(\d{1,3}))?", re.ASCII)
LONGEST = 16
"""Characters of a time control at most."""
MOST_MINUTES, MOST_SECONDS, MOST_PERIODS = 600.0, 600, 20
"""How much time can be given; guessed."""
LAST_SECONDS = 10.0
"""The last seconds of a period, or of all time; a guess at what is counted aloud."""
LOW_PART, LOW_MOST = 1 / 8, 60.0
"""Time is low below this part of the minutes given, or below so many seconds if that is less: as lichess.org has it."""


# How time is given ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Control:
    """How time is given to each player, in seconds: the `main` time, then periods; or more after each turn."""

    main: float
    increment: float = 0.0
    periods: int = 0
    period: float = 0.0

    def __str__(self) -> str:
        minutes = f"{round(self.main / 60, 2):g}"
        if self.periods:
            return f"{minutes}+{self.periods}x{self.period:g}"
        return f"{minutes}+{self.increment:g}" if self.increment else minutes

    @property
    def low(self) -> float:
        """Seconds below which time is low, in a game without periods."""
        return max(LAST_SECONDS, min(self.main * LOW_PART, LOW_MOST))


def control(text: str) -> Control | None:
    """The time control that `text` is, None for ``off`` and for nothing; OptionError."""
    if text in ("", "off"):
        return None
    found = FORM.fullmatch(text)
    minutes, periods, seconds = found.groups(default="0") if found else ("0", "0", "0")
    bounds = float(minutes) <= MOST_MINUTES and int(periods) <= MOST_PERIODS and int(seconds) <= MOST_SECONDS
    given = float(minutes) or int(seconds)
    counted = "x" not in text or (int(periods) and int(seconds))
    if not (found and bounds and given and counted):
        raise OptionError(
            f"clock: {clip(text)!r} is no time control; it reads MINUTES, MINUTES+SECONDS a turn, or "
            f"MINUTES+PERIODSxSECONDS, such as 10, 10+5 or 10+3x30, with at most {MOST_MINUTES:g} minutes, "
            f"{MOST_PERIODS} periods and {MOST_SECONDS} seconds; or off"
        )
    if int(periods):
        return Control(60 * float(minutes), 0.0, int(periods), float(seconds))
    return Control(60 * float(minutes), float(seconds))


def clocks(text: str) -> Clock | None:
    """The clocks of a game for which time is given so; OptionError."""
    given = control(text)
    return Clock.of(given) if given else None


def control_text(clock: Clock | None) -> str:
    """How the time of a game is given, empty without clocks."""
    return str(clock.control) if clock else ""


# What is left ---------------------------------------------------------------------------------------


class Left(NamedTuple):
    """What a player has left: seconds of the main time, and periods."""

    main: float
    periods: int = 0


class Shown(NamedTuple):
    """What a clock shows: seconds until something ends, and how many periods are left, the present one included."""

    seconds: float
    periods: int
    within: bool = False
    """Whether a period runs, and not the main time."""

    @property
    def text(self) -> str:
        """``1:02:03``, ``9:58``, and the last seconds with their tenths: ``0:09.4``. A second that has begun counts."""
        if self.seconds < LAST_SECONDS:
            return f"0:{int(self.seconds * 10) / 10:04.1f}"
        minutes, seconds = divmod(ceil(self.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of both players in a turn; `side` (0 or 1) is to move.

    `left`: what each had when the turn began. `used`: seconds of the turn that are over by `since`, from when on it
    runs; None while it stands. `begun`: whether a turn was made, so that it may run. `late`: whose last touch came
    after the end of time, if so.
    """

    control: Control
    left: tuple[Left, Left]
    side: int = 0
    used: float = 0.0
    since: float | None = None
    begun: bool = False
    late: int | None = None

    @classmethod
    def of(cls, control: Control, side: int = 0) -> Clock:
        """The clocks before the first turn. Without main time a player has the increment for the first turn."""
        full = Left(control.main or control.increment, control.periods)
        return cls(control, (full, full), side)

    def run(self, now: float) -> Clock:
        """The clock runs from `now` on, if it has begun."""
        return replace(self, since=now) if self.begun and self.since is None else self

    def stop(self, now: float) -> Clock:
        """The clock stands from `now` on."""
        return self if self.since is None else replace(self, used=self._spent(now), since=None)

    def hold(self) -> Clock:
        """The clock stands as it did when it was last seen to: what has passed since does not count."""
        return replace(self, since=None)

    def upto(self, at: float) -> Clock:
        """The same clock, with what was used by `at` (seconds): what a turn that is taken back leaves."""
        return self.stop(at).run(at) if self.since is not None else self

    def turn(self, at: float | None, side: int) -> Clock:
        """A turn was made, of which the last touch was at `at`, and `side` is to move; None: it took nobody's time."""
        spent = self.used if at is None or self.since is None else self._spent(at)
        mine = self._spend(self.left[self.side], spent)
        mine = mine._replace(main=mine.main + self.control.increment)
        left = (mine, self.left[1]) if self.side == 0 else (self.left[0], mine)
        since = None if at is None or self.since is None else max(at, self.since)
        late = self.side if spent > self._total else None
        return Clock(self.control, left, side, 0.0, since, begun=True, late=late)

    def passed(self, side: int) -> Clock:
        """A pass was forced, which takes no time, and `side` is to move."""
        return replace(self, side=side)

    def _spent(self, now: float) -> float:
        return self.used + (max(0.0, now - self.since) if self.since is not None else 0.0)

    def _spend(self, left: Left, seconds: float) -> Left:
        """What is left after a turn of so many seconds: of the periods, each that was used up is lost."""
        if seconds < left.main or not left.periods:
            return Left(max(0.0, left.main - seconds), left.periods)
        lost = int((seconds - left.main) // self.control.period)
        return Left(0.0, max(0, left.periods - lost))

    # What is to be seen of it -----------------------------------------------------------------------

    @property
    def falls(self) -> float:
        """When the flag of the player to move falls, in seconds, if nothing is done until then."""
        return inf if self.since is None else self.since + self._total - self.used

    @property
    def _total(self) -> float:
        """All that the player to move had when the turn began, in seconds."""
        left = self.left[self.side]
        return left.main + left.periods * self.control.period

    def shown(self, side: int, now: float) -> Shown:
        """What the clock of `side` shows at `now`."""
        left, spent = self.left[side], self._spent(now) if side == self.side else 0.0
        if left.main > spent or not left.periods:
            return Shown(max(0.0, left.main - spent), left.periods)
        over = spent - left.main
        lost = int(over // self.control.period)
        if lost >= left.periods:
            return Shown(0.0, 0, within=True)
        return Shown(self.control.period - over % self.control.period, left.periods - lost, within=True)

    def pace(self, now: float) -> Pace:
        """How short of time the player to move is at `now`; a clock that stands presses nobody."""
        if self.since is None:
            return ""
        shown = self.shown(self.side, now)
        follows = shown.periods - shown.within > 0
        if shown.seconds <= LAST_SECONDS:
            return "low" if follows else "last"
        return "low" if not self.control.periods and shown.seconds <= self.control.low else ""

    def changes(self, now: float) -> float:
        """When the pace may be another than at `now`, in seconds."""
        if self.since is None:
            return inf
        seconds = self.shown(self.side, now).seconds
        marks = (self.control.low, LAST_SECONDS, 0.0)
        return min((now + seconds - mark for mark in marks if seconds > mark), default=inf)
