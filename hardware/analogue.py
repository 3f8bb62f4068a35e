"""Boards of Hall sensors as circuits: what the sensors read, and the converter that tells it bit by bit.

As in `hardware.wiring`, nothing here knows gpiozero.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hardware.wiring import Level

MIDDLE, TOP = 512, 1023
"""Of the counts of the converter: half its range, and the most that it can tell."""
POSITIONS = 16
"""Sensors on a multiplexer."""


class Halls:
    """Linear Hall sensors, a channel each; all in counts of 1023. The same `seed` gives the same readings again."""

    def __init__(self, level: Level, channels: int, seed: int, *, dark_rises: bool = True) -> None:
        self.swing = 200
        """How far a piece moves the reading: a dark one up, if `dark_rises`, and a light one down."""
        self.weak: dict[int, int] = {}
        """Channels where a piece moves it by another number of counts."""
        self.noise = 2
        """How far a reading strays by itself, up or down."""
        self.spread = 20
        """How far from the middle the reading of an empty site may be; each sensor has a place of its own in that."""
        self.dead: dict[int, int] = {}
        """Channels that always read the same, with what they read."""
        self.level = level
        """What stands on the channels."""
        self._chance = Random(seed)
        self._places = [self._chance.uniform(-1, 1) for _ in range(channels)]
        self._dark = 1 if dark_rises else -1

    def empty(self, channel: int) -> int:
        """What the channel reads, but for noise, with nothing on it."""
        return MIDDLE + round(self.spread * self._places[channel])

    def reading(self, channel: int) -> int:
        """What the channel reads now; no more than the converter can tell."""
        if channel in self.dead:
            return self.dead[channel]
        level = self.level(channel) if callable(self.level) else self.level[channel]
        moved = (0, self._dark, -self._dark)[level] * self.weak.get(channel, self.swing)
        strayed = self._chance.randint(-self.noise, self.noise)
        return min(TOP, max(0, self.empty(channel) + moved + strayed))


class Converter:
    """An MCP3008 with a 74HC4067 at each of its first `inputs`; the multiplexers share the lines `select`, S0 first.

    Edge by edge, for single inputs alone: what asks for the difference of two gets no answer. The unused inputs are
    grounded, and the line `data_out` is pulled up.
    """

    def __init__(
        self, halls: Halls, select: Sequence[int], inputs: int, *, chip: int, clock: int, data_in: int, data_out: int
    ) -> None:
        self.pins = (*select, chip, clock, data_in, data_out)
        self.mute = False
        """Whether the converter has lost its supply, or its output line has come off."""
        self._halls, self._select, self._inputs = halls, tuple(select), inputs
        self._chip, self._clock, self._data_in, self._data_out = chip, clock, data_in, data_out
        self._high = dict.fromkeys(self.pins, False) | {chip: True}
        self._heard: list[bool] = []
        """The bits from the start bit on, as far as the chip listens to them."""
        self._answer: list[int] | None = None
        """The bits that are still to be told, the next one last; None before the first."""
        self._out: bool | None = None

    def drive(self, pin: int, level: bool | None) -> None:
        """A rising clock takes a bit in, a falling one puts a bit out; a rising select ends it all."""
        before = self._high[pin]
        self._high[pin] = level is True or (level is None and pin == self._chip)
        if self._high[self._chip]:
            self._heard, self._answer, self._out = [], None, None
        elif pin == self._clock and before != self._high[pin]:
            self._listen() if self._high[pin] else self._tell()

    def level(self, pin: int) -> bool | None:
        """What the converter tells; where it tells nothing its line is pulled up."""
        if pin != self._data_out:
            return None
        return True if self._out is None or self.mute else self._out

    def _listen(self) -> None:
        """Start bit, single-ended, three bits of the input, and one clock more to sample it."""
        bit = self._high[self._data_in]
        if (self._heard or bit) and len(self._heard) < 6:
            self._heard.append(bit)

    def _tell(self) -> None:
        if len(self._heard) < 6 or not self._heard[1]:
            return
        if self._answer is None:
            self._answer = self._bits(self._sampled())
        self._out = bool(self._answer.pop()) if self._answer else False

    def _sampled(self) -> int:
        number = sum(bit << 2 - place for place, bit in enumerate(self._heard[2:5]))
        position = sum(self._high[pin] << place for place, pin in enumerate(self._select))
        return self._halls.reading(POSITIONS * number + position) if number < self._inputs else 0

    def _bits(self, reading: int) -> list[int]:
        """The last one first: a zero, ten bits from the topmost down, and nine of them up again."""
        down = [reading >> place & 1 for place in range(10)]
        return [*down[:0:-1], *down, 0]
