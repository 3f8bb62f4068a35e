"""What the engine's values are worth: a value, and the expected score that games really came to from there.

A search by random games hopes for too little of a good position, for its games are played badly; one by weights has a
scale of its own; and every search errs a little in favour of the side to move, whose best turn it picks. So a value is
brought to the scale of results by two numbers a game (`Scale`): the odds that the search sees, raised to a power and
then divided. The better value stays the better one, what is sure stays sure, and what the side to move is to expect and
what the other side is, add up to 1. `python -m benchmarks.calibration` fits the numbers by one half of its games, and
tells by the other half how far off the values are: docs/figures.md.

A search itself, and the levels of an opponent, go by the values as the search has them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from firmware_bridge.engine import Found
from games.rules import Game


class Scale(NamedTuple):
    """How a search's values and results of games go together."""

    slope: float = 1.0
    """The power of the odds, above 0; below 1 where the search is too sure of itself."""
    favour: float = 1.0
    """How many times too good the odds of the side to move are, above 0."""

    def score(self, value: float) -> float:
        """What the side to move is to expect (0 to 1), for a value of the search of a position that is not proved."""
        own: float = value**self.slope
        other: float = self.favour * (1 - value) ** self.slope
        return own / (own + other)


SCALES = {
    "zong-heng": Scale(1.18, 1.64),
    "yin-yang": Scale(1.99, 1.39),
    "zhizhu": Scale(0.88, 1.06),
    "zig-zag": Scale(0.66, 1.0),
}
"""Game -> its scale, by `python -m benchmarks.calibration`, for as many nodes a position as a finished game is analysed
with. The values of any other game are left as they are."""


def calibrated(game: Game[Any], found: Found) -> Found:
    """What was found, with expected scores in place of the search's values, and their errors to scale."""
    scale = SCALES.get(game.name)
    if found.proved or not scale:
        return found
    values = (found.value, *(value for _, value in found.others))
    value, *rest = map(scale.score, values)
    others = tuple((text, each) for (text, _), each in zip(found.others, rest, strict=True))
    errors = tuple(spread(each, error, scale) for each, error in zip(values, found.errors, strict=False))
    return replace(found, value=value, others=others, errors=errors)


def spread(value: float, error: float, scale: Scale) -> float:
    """The standard error of a calibrated value, for that of the search's: half of what lies between both ends."""
    least, most = max(0.0, value - error), min(1.0, value + error)
    return (scale.score(most) - scale.score(least)) / 2 if error else 0.0
