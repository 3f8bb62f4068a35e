"""What no sensor can answer: turns shown by light, a few at a time, until Done says that it was one of those.

When the players insist on a turn that the table has not seen, a sensor lies, or those of one row do. Which turns would
look like the frame, but for one site or row, is told by pictures alone; few are shown one by one, many in parts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import isqrt
from typing import NamedTuple

from firmware_bridge.reading import LikelihoodReader
from firmware_bridge.score import PlayedTurn
from firmware_bridge.verdict.signature import SensorView, Signature
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


def guesses(
    reader: LikelihoodReader, sensors: SensorView, turns: Sequence[Turn[Position]], made: Sequence[PlayedTurn] = ()
) -> list[Guess]:
    """The turns that the frame would show but for one site; failing that, but for the fewest sites of one row.

    `turns` are those that may be made. One that was seen whole may count, with another turn after it that was not seen
    to begin. Of the turns `made` the last ones may have been others.
    """
    if not reader.frame:
        return []
    stands = reader.passed(reader.position)
    found = [*pictured(reader, sensors, stands, turns), *instead(reader, sensors, made)]
    for node in reader.likely_next():
        if node.turn:
            first, after = sensors.signature(stands, node.turn), reader.passed(node.position)
            others = pictured(reader, sensors, after, sensors.game.turns(after))
            found += [guess._replace(first=first) for guess in others]
    found.sort(key=lambda guess: (len(guess.lies), guess.signature.path))
    single = [guess for guess in found if len(guess.lies) <= 1]
    fewest = len(found[0].lies) if found else 0
    return single or [guess for guess in found if len(guess.lies) == fewest]


def instead(reader: LikelihoodReader, sensors: SensorView, made: Sequence[PlayedTurn]) -> Iterator[Guess]:
    """The turns whose whole picture the frame is, in place of the last of those `made`, or the last two."""
    if not sensors.strict:
        for length in range(max(0, len(made) - RETOLD), len(made)):
            position, counted = made[length].position, made[length].turn.after
            for guess in pictured(reader, sensors, position, sensors.game.turns(position)):
                if guess.signature.turn.after != counted and not guess.lies:
                    yield guess._replace(back=length)


def pictured(
    reader: LikelihoodReader, sensors: SensorView, position: Position, turns: Sequence[Turn[Position]]
) -> Iterator[Guess]:
    """Each turn of `position` that the frame shows but for sites of one row.

    Of those with the same result it is one that was seen to begin.
    """
    emptied = reader.likelihood.emptied
    results: dict[Position, Signature] = {}
    for turn in turns:
        signature = sensors.signature(position, turn) if turn.acts else None
        if signature and (turn.after not in results or signature.origin in emptied):
            results[turn.after] = signature
    for signature in results.values():
        due = sensors.frame(signature.turn.after)
        lies = frozenset(
            site
            for site, (level, other) in enumerate(zip(reader.frame, due, strict=True))
            if level not in (other, None)
        )
        if in_one_row(sensors, lies):
            yield Guess(signature, lies)


def in_one_row(sensors: SensorView, sites: Collection[int]) -> bool:
    """Whether `sites` lie in one row, whose sensors may have failed together."""
    game = sensors.game
    return len(sites) <= 1 or len({game.places[game.sites[site]][1] for site in sites}) == 1
