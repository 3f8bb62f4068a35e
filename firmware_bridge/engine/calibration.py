"""What the engine's values are worth: a value, and the expected score that games really came to from there.

A search by random games hopes for too little of a good position, for its games are played badly; one by weights has a
scale of its own; and every search errs a little in favour of the side to move, whose best turn it picks. So a value is
brought to the scale of results by two numbers, which a game says in its ``levels.py`` (`games.fast.Scale`): the odds
that the search sees, raised to a power and then divided. The better value stays the better one, what is sure stays
sure, and what the side to move is to expect and what the other side is, add up to 1. `python -m benchmarks.calibration`
fits the numbers by one half of its games, and tells by the other half how far off the values are: docs/figures.md.

A search itself, and the levels of an opponent, go by the values as the search has them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from firmware_bridge.engine import Found
from games.fast import Scale, beside
from games.rules import Game


def scale_of(game: Game[Any]) -> Scale | None:
    """The scale that a game says in its ``levels.py``; the values of one that says none are left as they are."""
    return getattr(beside(game, "levels"), "SCALE", None)


def calibrated(game: Game[Any], found: Found) -> Found:
    """What was found, with expected scores in place of the search's values, and their errors to scale."""
    scale = scale_of(game)
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
