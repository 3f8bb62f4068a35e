"""Linear Hall sensors behind 74HC4067 multiplexers, read by an MCP3008: the polarity of a magnet tells its colour.

A multiplexer passes on one of sixteen sensors. All of them share their select lines, so one position of these puts a
sensor on each input of the converter, and every input is then converted by a transfer of its own: the chip takes a
new command only after its select has risen. Channel = 16 x input + position.

To read all costs 16 x (1 + inputs) operations: 80 for 64 sensors, about half a core of a Zero 2 W or more at 100
scans a second. So a scan reads but some of the positions, `at_once`, and the next scan the next ones: with 4 of 16 a
quarter of the operations, and each site is read 25 times a second. The first scan, and the first after a failure,
reads all. As debouncing cannot tell a level that lasts from one that is merely not read again, a change counts only
when a second conversion in the same scan agrees.
"""

from __future__ import annotations

from itertools import cycle
from typing import Annotated, Literal

from msgspec import Meta

from hardware import pins, settings, spi
from hardware.contacts import UNKNOWN, ContactScanner, Silent, repeated, width
from hardware.device import DeviceError, Levels, Sense
from hardware.settings import Pin

POSITIONS = 16
"""Sensors on a multiplexer."""
MIDDLE = 512
"""What a sensor reads with no magnet near it, where nobody has measured."""
SPI_MODE = 0
START, SINGLE_ENDED, NULL_BIT = 1, 0x80, 4
"""Bits of the bytes to the converter, and of those that come back."""
Reading = Annotated[int, Meta(ge=0, le=1023)]


class Hall(ContactScanner):
    """A scan costs `at_once` x (1 + inputs) operations, and as many again where something has changed.

    Each channel counts as two contacts, one closed by a dark piece and one by a light one; by presence as one.
    """

    class Settings(settings.Settings, frozen=True):
        """`empty`, `threshold` and `hysteresis` are in counts of 1023 and have the meaning that `Analogue` gives them.

        `empty` holds a reading a channel; with none it is 512 for all. `dark` is what a dark piece makes the reading
        do; a light one does the other, and by presence either is a piece. `settle`: microseconds from the selection
        of a position to its conversion. `device` is the chip select, `rate` the clock in Hz. `at_once`: how many of
        the 16 positions a scan reads.
        """

        select: Annotated[tuple[Pin, ...], Meta(min_length=4, max_length=4)] = (22, 23, 24, 25)
        inputs: Annotated[int, Meta(ge=1, le=8)] = 4
        device: Annotated[int, Meta(ge=0, le=1)] = 1
        rate: Annotated[int, Meta(ge=10_000, le=3_600_000)] = 1_000_000
        sense: Literal["presence", "colour"] = "colour"
        dark: Literal["rise", "fall"] = "rise"
        empty: tuple[Reading, ...] = ()
        threshold: Annotated[int, Meta(ge=2, le=511)] = 80
        hysteresis: Annotated[int, Meta(ge=1, le=510)] = 40
        settle: Annotated[int, Meta(ge=0, le=1000)] = 10
        at_once: Literal[4, 8, 16] = 4

        def __post_init__(self) -> None:
            twice = repeated(self.pins)
            if twice:
                raise ValueError(f"pin {twice[0]} is used twice: four select lines and SPI (7 to 11) need their own")
            if len(self.empty) not in (0, self.channels):
                raise ValueError(
                    f"empty has {len(self.empty)} readings and there are {self.channels} channels: "
                    "give one a channel, or none"
                )
            if self.hysteresis >= self.threshold:
                raise ValueError(
                    f"hysteresis {self.hysteresis} must be below threshold {self.threshold}, "
                    "or a piece would never count as gone"
                )

        @property
        def channels(self) -> int:
            """The number of channels."""
            return POSITIONS * self.inputs

        @property
        def pins(self) -> tuple[int, ...]:
            """The GPIOs that are taken."""
            return (*self.select, *spi.PINS)

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        sense = Sense(settings.sense)
        self._empty = settings.empty or (MIDDLE,) * settings.channels
        self._width = width(sense)
        self._mask = (1 << self._width) - 1
        self._commands = [bytes((START, SINGLE_ENDED | number << 4, 0)) for number in range(settings.inputs)]
        self._parts = cycle([range(at, at + settings.at_once) for at in range(0, POSITIONS, settings.at_once)])
        self._held = 0
        super().__init__(sense, settings.channels * self._width)

    def _claim(self) -> None:
        self._select = pins.lines("output", self._settings.select, "the select lines of the multiplexers")
        try:
            self._converter = pins.Bus(self._settings.device, SPI_MODE, self._settings.rate)
        except DeviceError:
            self._select.close()
            raise

    def _release(self) -> None:
        self._select.close()
        self._converter.close()

    def readings(self) -> Levels:
        """A reading a channel, 0-1023, all of them now; None for all where the converter does not answer."""
        try:
            steps = [self._converted(position) for position in range(POSITIONS)]
        except OSError as error:
            return self._lost(error)
        return tuple(reading for readings in zip(*steps, strict=True) for reading in readings)

    # One scan ---------------------------------------------------------------------------------

    def _read(self) -> int:
        positions = next(self._parts)
        if self._contacts == UNKNOWN:
            self._held, positions = 0, range(POSITIONS)
        for position in positions:
            changed = self._seen(position) ^ self._held
            if changed:  # a disturbance on the wires, unless it is there again
                self._held ^= changed & (self._seen(position) ^ self._held)
        return self._held

    def _seen(self, position: int) -> int:
        """The closed contacts, with those at `position` as they are now; OSError."""
        closed = self._held
        for number, reading in enumerate(self._converted(position)):
            channel = POSITIONS * number + position
            at = channel * self._width
            before = closed >> at & self._mask
            closed ^= (before ^ self._contact(channel, reading, before)) << at
        return closed

    def _contact(self, channel: int, reading: int, before: int) -> int:
        """The contact that a reading closes: 1 or 2, or 0 for none; `before` is the one that is closed so far."""
        off = reading - self._empty[channel]
        dark = self._width == 1 or (off > 0) == (self._settings.dark == "rise")
        contact = 1 if dark else 2
        bar = self._settings.threshold - (self._settings.hysteresis if contact == before else 0)
        return contact if abs(off) >= bar else 0

    def _converted(self, position: int) -> list[int]:
        """The readings of the sensors at `position`, an input each; OSError."""
        self._select.write(position)
        pins.settle(self._settings.settle)
        return [self._conversion(command) for command in self._commands]

    def _conversion(self, command: bytes) -> int:
        """One reading; OSError. The chip pulls its line low for the bit before it, else pulled up: `Silent`."""
        _, high, low = self._converter.exchange(command)
        if high & NULL_BIT:
            raise Silent(range(self.channels))
        return (high & 3) << 8 | low


SCANNER = Hall
