"""Which turns what was seen tells alone: no other legal turn has brought the sites, or may on its way, to the same.

What is left open is when hands do what: steps count in any order that the acts of a turn allow.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.evenings import Evening
from firmware_bridge.reading.ways import passed
from firmware_bridge.verdict import SensorView, Signature
from games.acts import precedence
from games.rules import load
from hardware.device import Sense

Seen = dict[int, list[int]]
"""For each site the levels that its sensor shows, one after another."""


def clear(evening: Evening) -> list[int]:
    """The places of the legal turns that are told so, and whose last step is seen."""
    game = load(evening.cell.game)
    sense = evening.cell.sense
    sensors, position = SensorView(game, sense), passed(game, game.start())
    found = []
    for place, made in enumerate(evening.turns):
        if made.turn.reason:
            continue
        own = sensors.signature(position, made.turn)
        others = (sensors.signature(position, turn) for turn in game.turns(position) if turn.after != made.turn.after)
        last = own.steps[-1][0], sense.of(own.steps[-1][1])
        if own.seen[-1:] == (last,) and not any(begins(seen_of(own.seen), other, sense) for other in others):
            found.append(place)
        position = passed(game, made.turn.after)
    return found


def seen_of(steps: Sequence[tuple[int, int]]) -> Seen:
    """What is seen of these steps, of which each changes what its site shows."""
    found: Seen = {}
    for site, level in steps:
        found.setdefault(site, []).append(level)
    return found


def begins(seen: Seen, turn: Signature, sense: Sense) -> bool:
    """Whether `turn`, or a part of it after which hands may stop, shows this."""
    left, missing = {site: list(levels) for site, levels in seen.items()}, set[int]()
    shown = list(turn.seen)
    for place, ((site, level), needs) in enumerate(zip(turn.steps, precedence(turn.turn.acts), strict=True)):
        visible = shown[:1] == [(site, sense.of(level))]
        if visible:
            del shown[0]
        if visible and left.get(site):
            if left[site].pop(0) != sense.of(level) or needs & missing:
                return False
        elif visible or needs & missing:
            missing.add(place)
    return not any(left.values())
