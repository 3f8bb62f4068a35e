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

A dead line reads as eight closed or eight open switches a register, which pieces may be as well. So what follows the
last register is read, too: its serial input is joined to its own inverted output, and what has been shifted out of it
comes once more, inverted. A chain whose last serial input is at ground or at the supply always has the same level
there; so unless it is told, a chain is known to be joined once both have come as they should, and checked from then on.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Annotated, Literal

from msgspec import Meta

from hardware import pins, settings, spi
from hardware.contacts import ContactScanner, Silent, repeated, width
from hardware.device import DeviceError, Sense
from hardware.settings import Pin

INPUTS = 8
SPI_MODE = 2
LOAD, CLOCK = 1, 2
"""Their levels in the group of outputs; the load line is low while the inputs are latched."""
AGAIN = {"spi": 8, "lines": 1}
"""Bits that are read once more behind the last register: a byte takes 8 us over SPI, a bit 3 operations over lines."""


class ShiftRegister(ContactScanner):
    """Over SPI a scan costs two operations and two transfers.

    Over three lines it costs three operations an input, three for the bit behind them, and two.
    """

    class Settings(settings.Settings, frozen=True):
        """Over SPI `device` is the chip select and `rate` the clock in Hz; `clock` and `data` are for three lines.

        `active_low`: a closed switch pulls its input to ground. `looped`: whether SER of the last register (pin 10) is
        joined to its own inverted output (pin 7), or a dead chain is not noticed; ``auto``: that is found out.
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
        looped: bool | Literal["auto"] = "auto"

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
        self._again = 0 if settings.looped is False else AGAIN[settings.over]
        self._looped = settings.looped is True
        """Whether the last register is known to hear itself."""
        self._heard: set[int] = set()
        """The levels that have come behind it as they should, one scan after another."""
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
        shifted = self._shifted()
        whole = self._is_whole(shifted)
        if not whole and not self._looped:
            self._heard.clear()
        elif not whole:
            shifted = self._shifted()  # a disturbance on the wires, unless it is there again
            if not self._is_whole(shifted):
                raise Silent(self._silent(shifted))
        return int.from_bytes(shifted[: self._settings.registers], "little") ^ self._inverted

    def _shifted(self) -> bytes:
        """The bytes of all registers, and the bits behind them in one byte more, the topmost first."""
        source, count = self._source, self._settings.registers
        self._outputs.write(0)
        if isinstance(source, pins.Bus):
            source.read(1)
        self._outputs.write(LOAD)
        if isinstance(source, pins.Bus):
            return source.read(count + self._again // 8)
        return bytes(self._byte(source, INPUTS) for _ in range(count)) + bytes((self._byte(source, self._again),))

    def _byte(self, data: pins.Lines, bits: int) -> int:
        """So many bits, the first one topmost; the clock rests low."""
        byte = 0
        for place in range(bits):
            byte |= data.read() << INPUTS - 1 - place
            self._outputs.write(LOAD | CLOCK)
            self._outputs.write(LOAD)
        return byte

    # Whether it answers -----------------------------------------------------------------------

    def _is_whole(self, shifted: bytes) -> bool:
        """Whether what left the last register comes once more, inverted; who is not known to do that may learn it."""
        count, again = self._settings.registers, self._again
        if not again:
            return True
        if (shifted[count - 1] ^ shifted[count] ^ 0xFF) >> INPUTS - again:
            return False
        if not self._looped:
            self._heard.update(shifted[count] >> INPUTS - 1 - place & 1 for place in range(again))
            self._looped = len(self._heard) == 2
        return True

    def _silent(self, shifted: bytes) -> range:
        """The channels of the registers behind which nothing but one level was read, or else all."""
        count = self._settings.registers
        dead = shifted[count - 1]
        first = count - len(list(takewhile(lambda byte: byte == dead, reversed(shifted[:count]))))
        across = width(self.sense)
        return range((first if dead in (0, 0xFF) else 0) * INPUTS // across, count * INPUTS // across)


SCANNER = ShiftRegister
