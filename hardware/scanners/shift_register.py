"""A chain of 74HC165 shift registers: all inputs are latched at once and read out one after the other.

Each input has a switch of its own, so there are no ghosts. The first bit out is input H of the register nearest to
the Pi, then G down to A, then H of the next one. Channels count the other way within a register, as people do:
channel 0 is input A of the nearest register, 7 its H, 8 is input A of the next.

Over SPI the clock mode is 2: the clock rests high, the Pi samples at its falling edge, and the register shifts at
the rising one, so a bit never changes while it is read, and the first is there before any edge. In mode 0 both would
happen at one edge. A strip on the same bus rests the clock low, and the edge by which it comes to rest high again
would shift the first bit away. On most Pis it comes before the select, so CLK INH is wired to that; a Pi 5 may select
first. So a byte is read while the inputs are being latched, when the register heeds no clock: from then on it rests
high.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from hardware import pins, settings, spi
from hardware.contacts import ContactScanner, repeated, width
from hardware.device import DeviceError, Sense
from hardware.settings import Pin

INPUTS = 8
SPI_MODE = 2
LOAD, CLOCK = 1, 2
"""Their levels in the group of outputs; the load line is low while the inputs are latched."""


class ShiftRegister(ContactScanner):
    """Over SPI a scan costs two operations and two transfers; over three lines three operations an input, and two."""

    class Settings(settings.Settings, frozen=True):
        """Over SPI `device` is the chip select and `rate` the clock in Hz; `clock` and `data` are for three lines.

        `active_low`: a closed switch pulls its input to ground.
        """

        over: Literal["spi", "lines"] = "spi"
        registers: Annotated[int, Meta(ge=1, le=32)] = 8
        load: Pin = 25
        clock: Pin = 23
        data: Pin = 24
        device: Annotated[int, Meta(ge=0, le=1)] = 1
        rate: Annotated[int, Meta(ge=10_000, le=8_000_000)] = 1_000_000
        sense: Literal["presence", "colour"] = "presence"
        active_low: bool = True

        def __post_init__(self) -> None:
            twice = repeated(self.pins)
            if twice:
                raise ValueError(f"pin {twice[0]} is used twice: load, clock, data and SPI (7 to 11) need their own")

        @property
        def channels(self) -> int:
            """The number of channels."""
            return self.registers * INPUTS // width(Sense(self.sense))

        @property
        def pins(self) -> tuple[int, ...]:
            """The GPIOs that are taken."""
            return (self.load, *spi.PINS) if self.over == "spi" else (self.load, self.clock, self.data)

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        contacts = settings.registers * INPUTS
        self._inverted = (1 << contacts) - 1 if settings.active_low else 0
        super().__init__(Sense(settings.sense), contacts)

    def _claim(self) -> None:
        outputs = (
            (self._settings.load,) if self._settings.over == "spi" else (self._settings.load, self._settings.clock)
        )
        self._outputs = pins.lines("output", outputs, "the shift register")
        try:
            self._source = self._open_source()
        except DeviceError:
            self._outputs.close()
            raise

    def _open_source(self) -> pins.Bus | pins.Lines:
        if self._settings.over == "spi":
            return pins.Bus(self._settings.device, SPI_MODE, self._settings.rate)
        return pins.lines("input", (self._settings.data,), "the data line of the shift register")

    def _release(self) -> None:
        self._outputs.close()
        self._source.close()

    def _read(self) -> int:
        source = self._source
        self._outputs.write(0)
        if isinstance(source, pins.Bus):
            source.read(1)
        self._outputs.write(LOAD)
        shifted = source.read(self._settings.registers) if isinstance(source, pins.Bus) else self._clocked(source)
        return int.from_bytes(shifted, "little") ^ self._inverted

    def _clocked(self, data: pins.Lines) -> bytes:
        """The bytes of all registers, bit by bit; the clock rests low."""
        return bytes(self._byte(data) for _ in range(self._settings.registers))

    def _byte(self, data: pins.Lines) -> int:
        byte = 0
        for _ in range(INPUTS):
            byte = byte << 1 | data.read()
            self._outputs.write(LOAD | CLOCK)
            self._outputs.write(LOAD)
        return byte


SCANNER = ShiftRegister
