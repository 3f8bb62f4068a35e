"""What no sensor can answer: turns shown by light, a few at a time, until Done says that it was one of those.

When the players insist on a turn that the table has not seen, a sensor lies, or those of one row do. Which turns would
look like the frame, but for one site or row, is told by pictures alone; few are shown one by one, many in parts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import isqrt
from typing import NamedTuple

from firmware_bridge.reading.reconcile import Reconciler
from firmware_bridge.reading.signature import SensorView, Signature
from firmware_bridge.score import PlayedTurn
from games.rules import Position, Turn

SHOWN = 3.0
"""Seconds for which a part is shown."""
REACTION = 0.4
"""Seconds that it takes to press the button: so long after a part has gone it is still the one that is meant."""
FEW = 5
"""Turns at most that are shown one by one."""
RETOLD = 2
"""The last so many turns may have been read wrongly."""


class Guess(NamedTuple):
    """A turn that may have been made, if the sensors of the sites in `lies` do; after `first`, if there is one.

    `back`: in place of all but so many of the turns that count.
    """

    signature: Signature
    lies: frozenset[int] = frozenset()
    first: Signature | None = None
    back: int | None = None

    @property
    def turns(self) -> tuple[Turn[Position], ...]:
        """What would count."""
        return (self.first.turn, self.signature.turn) if self.first else (self.signature.turn,)


class Offer:
    """`guesses`, at least one, shown one part after another since `begun` (seconds)."""

    def __init__(self, guesses: Sequence[Guess], begun: float) -> None:
        size = 1 if len(guesses) <= FEW else isqrt(len(guesses))
        self._parts = [tuple(guesses[first : first + size]) for first in range(0, len(guesses), size)]
        self._begun = begun

    def shown(self, now: float) -> tuple[Guess, ...]:
        """Those shown at `now`; none when all have been shown."""
        place = self._place(now)
        return self._parts[place] if place < len(self._parts) else ()

    def taken(self, now: float) -> tuple[Guess, ...]:
        """Those that Done means, pressed at `now`; none while nobody can have seen them."""
        return self.shown(now - REACTION) if now - self._begun >= REACTION else ()

    def until(self, now: float) -> float:
        """When the next part is shown, or the last one no longer, in seconds."""
        return self._begun + (self._place(now) + 1) * SHOWN

    def _place(self, now: float) -> int:
        return round((now - self._begun) // SHOWN)


def guesses(watch: Reconciler, first: Signature | None, made: Sequence[PlayedTurn] = ()) -> list[Guess]:
    """The turns that the frame would show but for one site; failing that, but for the fewest sites of one row.

    `first` was seen whole, and may count, with another turn after it that was not seen to begin. Of the turns `made`
    the last ones may have been others.
    """
    found = [*pictured(watch), *instead(watch, made)]
    if first:
        found += [guess._replace(first=first) for guess in pictured(watch.seen_from(first.turn.after))]
    found.sort(key=lambda guess: (len(guess.lies), guess.signature.path))
    single = [guess for guess in found if len(guess.lies) <= 1]
    fewest = len(found[0].lies) if found else 0
    return single or [guess for guess in found if len(guess.lies) == fewest]


def instead(watch: Reconciler, made: Sequence[PlayedTurn]) -> Iterator[Guess]:
    """The turns whose whole picture the frame is, in place of the last of those `made`, or the last two."""
    if not watch.sensors.strict:
        for length in range(max(0, len(made) - RETOLD), len(made)):
            others = pictured(watch.seen_from(made[length].position))
            counted = made[length].turn.after
            yield from (
                guess._replace(back=length)
                for guess in others
                if guess.signature.turn.after != counted and not guess.lies
            )


def pictured(watch: Reconciler) -> Iterator[Guess]:
    """Each turn that the frame shows but for sites of one row; of those with the same result one seen to begin."""

    def begun(signature: Signature) -> bool:
        return signature.origin is not None and watch.seen.lifted(signature.origin)

    results = {signature.turn.after: signature for signature in sorted(watch.signatures, key=begun) if signature.steps}
    for signature in results.values():
        lies = astray(watch, signature)
        if in_one_row(watch.sensors, lies):
            yield Guess(signature, lies)


def astray(watch: Reconciler, signature: Signature) -> frozenset[int]:
    """The sites where the frame visibly is not what it would be after `signature`."""
    frame = watch.seen.frame
    beside = (site for site in watch.seen.differs if site not in signature.after)
    return frozenset([*beside, *(site for site, due in signature.after.items() if frame[site] not in (due, None))])


def in_one_row(sensors: SensorView, sites: Collection[int]) -> bool:
    """Whether `sites` lie in one row, whose sensors may have failed together."""
    game = sensors.game
    return len(sites) <= 1 or len({game.places[game.sites[site]][1] for site in sites}) == 1
