"""From the readings of analogue sensors to the settings that tell a piece from none."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

from hardware.device import Levels, Scanner, Sense

LEAST = 24
"""The smallest swing, in counts of 1023, that may be a piece."""
NOISY = 60
"""Counts by which a reading may stray while nothing is done."""
WEAK = 1 / 3
"""A channel whose swing is less than this part of the median is too weak."""


HEAP = 5
"""Seeds that are put on a scale at once: one alone would be measured less well."""


class Tuning(NamedTuple):
    """Settings of an analogue scanner, in counts: see `hardware.device.Analogue`."""

    empty: tuple[int, ...]
    threshold: int
    hysteresis: int


class Weights(NamedTuple):
    """Settings of scales, in their own counts: the reading of each when empty, and what one seed adds to it."""

    empty: tuple[int, ...]
    seed: tuple[int, ...]


class Calibration:
    """Fed with the readings of an empty board, then with those of each piece; counts are 0 to 1023."""

    piece = "piece"
    """What is to be put on a sensor."""
    least, noisy = LEAST, NOISY

    def __init__(self, channels: int) -> None:
        self.empty = [512] * channels
        self.noise = [0] * channels
        self.moves: dict[int, int] = {}
        """Channel -> by how much a piece moves its reading."""
        self._resting: list[list[int]] = [[] for _ in range(channels)]
        self._closed = [False] * channels

    def rest(self, readings: Levels) -> None:
        """Note the readings of the empty board."""
        for kept, reading in zip(self._resting, readings, strict=True):
            if reading is not None:
                kept.append(reading)

    def measure(self) -> frozenset[int]:
        """Take what was noted as the empty board; the channels that stray too much to be of use."""
        for channel, kept in enumerate(self._resting):
            if kept:
                self.empty[channel] = round(median(kept))
                self.noise[channel] = max(abs(reading - self.empty[channel]) for reading in kept)
        return frozenset(channel for channel, noise in enumerate(self.noise) if noise > self.noisy)

    def levels(self, readings: Levels) -> Levels:
        """1 where a reading is far from the empty board's, by the noise measured; None where there is none."""
        for channel, reading in enumerate(readings):
            bar = max(self.least, 4 * self.noise[channel])
            if reading is not None:
                far = abs(reading - self.empty[channel])
                self._closed[channel] = far >= (bar / 2 if self._closed[channel] else bar)
        pairs = zip(readings, self._closed, strict=True)
        return tuple(None if reading is None else int(closed) for reading, closed in pairs)

    def put(self, channel: int, readings: Levels) -> None:
        """Note how far the reading of `channel` has moved with a piece on it."""
        reading = readings[channel]
        if reading is not None:
            self.moves[channel] = reading - self.empty[channel]

    @property
    def swings(self) -> dict[int, int]:
        """Channel -> how far a piece moves its reading, either way."""
        return {channel: abs(move) for channel, move in self.moves.items()}

    def weak(self) -> Mapping[int, int]:
        """The channels that a piece moves too little, with their swing."""
        usual = median(self.swings.values()) if self.swings else 0
        return {c: swing for c, swing in self.swings.items() if swing < WEAK * usual or swing < 6 * self.noise[c]}

    def tuning(self) -> Tuning | Weights | None:
        """The settings, by the channels that are not weak; None where no piece was measured."""
        weak = self.weak()
        good = {channel: swing for channel, swing in self.swings.items() if channel not in weak}
        if not good:
            return None
        threshold = min(good.values()) // 2
        noise = max(self.noise[channel] for channel in good)
        return Tuning(tuple(self.empty), threshold, max(1, min(2 * noise + 2, threshold // 2)))


class Weighing(Calibration):
    """The same for scales under pits, with `HEAP` seeds as a piece; counts have 24 bits and a sign."""

    piece = f"heap of {HEAP} seeds"
    least, noisy = 1000, 5000

    def tuning(self) -> Weights | None:
        """The tare of each scale and the weight of one seed on it; the usual weight where it was not measured."""
        weak = self.weak()
        seeds = {channel: round(move / HEAP) for channel, move in self.moves.items() if channel not in weak}
        if not seeds:
            return None
        usual = round(median(seeds.values()))
        return Weights(tuple(self.empty), tuple(seeds.get(channel, usual) for channel in range(len(self.empty))))


def calibration_of(scanner: Scanner) -> Calibration | None:
    """What calibrates `scanner`; None where there is nothing to calibrate."""
    if not hasattr(scanner, "readings"):
        return None
    return (Weighing if scanner.sense is Sense.COUNT else Calibration)(scanner.channels)
