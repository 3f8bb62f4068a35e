"""What was found out about a wiring: the channel of each point, and all that is wrong with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from firmware_bridge.workshop.calibration import Calibration, Tuning, Weights

Answers = Mapping[str, frozenset[int] | None]
"""Point -> the channels that it closes; None where it was not asked for."""


class Wired(NamedTuple):
    """A wiring. Points without a place in `channels` are to be masked."""

    channels: Mapping[str, int]
    left: tuple[str, ...]
    """Points that were not asked for."""
    dead: tuple[str, ...]
    """Points that close no channel."""
    doubled: Mapping[str, tuple[int, ...]]
    """Points that close several channels, with all of these."""
    shared: Mapping[int, tuple[str, ...]]
    """Channels that several points close, with these."""
    unfit: Mapping[str, int]
    """Points whose channel has turned out to be stuck or to flicker, with it."""
    weak: Mapping[str, int]
    """Points of an analogue channel that a piece moves too little, with its swing in counts of 1023."""
    stuck: tuple[int, ...]
    flickering: tuple[int, ...]
    tuning: Tuning | Weights | None
    """The settings of an analogue scanner."""

    def masked(self, points: Iterable[str]) -> tuple[str, ...]:
        """Those of `points` that cannot be used."""
        return tuple(point for point in points if point not in self.channels)

    def notes(self) -> Iterator[str]:
        """A sentence for each thing that is wrong, with what to do."""
        if self.dead:
            yield f"{listed(self.dead)}: no channel changes with a piece there; see the sensor and its wire."
        for point, channels in self.doubled.items():
            kept = f"{self.channels[point]} is used" if point in self.channels else "none is used"
            yield f"{point}: a piece there closes channels {listed(channels)}, {kept}; look for a short between them."
        for channel, points in self.shared.items():
            yield f"{listed(points)}: channel {channel} closes with a piece on any of them; look for a short."
        for point, channel in self.unfit.items():
            yield f"{point}: its channel {channel} has begun to stick or to flicker; see the sensor."
        for point, swing in self.weak.items():
            yield f"{point}: a piece moves its reading by {swing} only; bring sensor and magnet nearer together."
        yield from self._channel_notes()

    def _channel_notes(self) -> Iterator[str]:
        if self.stuck:
            yield f"{channels(self.stuck)} closed all the time with nothing on the board; left aside."
        if self.flickering:
            yield f"{channels(self.flickering)} flickering by itself while nothing is done; left aside: a cold joint?"


def listed(names: Iterable[object]) -> str:
    """`names` in a sentence."""
    *most, last = map(str, names)
    return f"{', '.join(most)} and {last}" if most else last


def channels(numbers: tuple[int, ...]) -> str:
    """The channels as the subject of a sentence."""
    return f"channel {numbers[0]} is" if len(numbers) == 1 else f"channels {listed(numbers)} are"


def conclude(
    answers: Answers, stuck: frozenset[int], flickering: frozenset[int], calibration: Calibration | None
) -> Wired:
    """The wiring that the last answers come to."""
    given = {point: answer for point, answer in answers.items() if answer}
    claims = Counter(channel for answer in given.values() for channel in answer)
    own = {point: min(c for c in answer if claims[c] == 1) for point, answer in given.items() if alone(answer, claims)}
    unfit = {point: channel for point, channel in own.items() if channel in stuck | flickering}
    faint = calibration.weak() if calibration else {}
    weak = {point: faint[channel] for point, channel in own.items() if channel in faint}
    return Wired(
        channels={point: channel for point, channel in own.items() if point not in unfit | weak},
        left=tuple(point for point, answer in answers.items() if answer is None),
        dead=tuple(point for point, answer in answers.items() if answer is not None and not answer),
        doubled={point: tuple(sorted(answer)) for point, answer in given.items() if len(answer) > 1},
        shared={c: tuple(p for p in given if c in given[p]) for c in sorted(claims) if claims[c] > 1},
        unfit=unfit, weak=weak, stuck=tuple(sorted(stuck)), flickering=tuple(sorted(flickering)),
        tuning=calibration.tuning() if calibration else None,
    )  # fmt: skip


def alone(answer: frozenset[int], claims: Mapping[int, int]) -> bool:
    """Whether one of the channels belongs to this point only."""
    return any(claims[channel] == 1 for channel in answer)
