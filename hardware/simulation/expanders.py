"""I2C expanders as their data sheets have them: registers that count on by themselves, pins with or without pull-ups.

`I2cBus` is what a driver opens instead of a file of the kernel's, and raises what the kernel would.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from hardware.i2c import PINS, Ask, Part
from hardware.simulation.circuits import Switches

REGISTERS = 22
"""Of an MCP23017: eleven for each port."""
DIRECTIONS, POLARITIES, PULL_UPS, INPUTS = 0x00, 0x02, 0x0C, 0x12
CONTROLS = (0x0A, 0x0B)
"""The control register answers at two places."""
ONE_AFTER_THE_OTHER, STANDS_STILL = 0x80, 0x20
"""Bits of it: how the registers are numbered, and that their number does not count on."""


class Chip(Protocol):
    """A chip on the bus."""

    def write(self, data: bytes) -> None:
        """Take bytes."""

    def read(self, count: int) -> bytes:
        """Give bytes."""

    def reset(self) -> None:
        """Be as after power-on."""


class Mcp23017:
    """`closed` tells which of the sixteen switches from its pins to ground are closed, GPA0 first."""

    def __init__(self, closed: Callable[[], int]) -> None:
        self._closed = closed
        self.reset()

    def reset(self) -> None:
        """All pins are inputs without pull-ups."""
        self.registers = bytearray(REGISTERS)
        self.registers[DIRECTIONS : DIRECTIONS + 2] = b"\xff\xff"
        self._next = 0

    def write(self, data: bytes) -> None:
        """The number of a register, and what comes into it and those behind it."""
        self._next = data[0]
        for byte in data[1:]:
            place = self._place()
            if place in CONTROLS:
                for each in CONTROLS:
                    self.registers[each] = byte
            elif place is not None:
                self.registers[place] = byte
            self._count_on()

    def read(self, count: int) -> bytes:
        """What stands in the registers from the number on that was told last."""
        told = bytearray()
        for _ in range(count):
            place = self._place()
            told.append(0 if place is None else self._told(place))
            self._count_on()
        return bytes(told)

    def _place(self) -> int | None:
        """Where the register of the number that is next is kept; None if there is no such register."""
        if not self.registers[CONTROLS[0]] & ONE_AFTER_THE_OTHER:
            return self._next if self._next < REGISTERS else None
        port, register = divmod(self._next, 16)
        return 2 * register + port if port < 2 and register < REGISTERS // 2 else None

    def _count_on(self) -> None:
        if not self.registers[CONTROLS[0]] & STANDS_STILL:
            self._next += 1

    def _told(self, place: int) -> int:
        if place not in (INPUTS, INPUTS + 1):
            return self.registers[place]
        port = place - INPUTS
        high = ~(self._closed() >> 8 * port) & self.registers[PULL_UPS + port]  # without a pull-up it may be anything
        return (high ^ self.registers[POLARITIES + port]) & self.registers[DIRECTIONS + port]


class Pcf8575:
    """`closed` tells which of the sixteen switches from its pins to ground are closed, P00 first."""

    def __init__(self, closed: Callable[[], int]) -> None:
        self._closed = closed
        self.reset()

    def reset(self) -> None:
        """All pins are pulled up."""
        self._high = 0xFFFF

    def write(self, data: bytes) -> None:
        """Which pins are pulled up and which are driven low; bytes in turn for the two ports."""
        self._high = int.from_bytes(data[-2:], "little")

    def read(self, count: int) -> bytes:
        """The pins as they are, the ports in turn."""
        return ((self._high & ~self._closed()).to_bytes(2, "little") * count)[:count]


CHIPS: dict[str, Callable[[Callable[[], int]], Chip]] = {"mcp23017": Mcp23017, "pcf8575": Pcf8575}


class I2cBus:
    """Chips of one `kind` at `addresses`; each has the next `contacts` of the switches at its pins `wired`."""

    def __init__(
        self, number: int, kind: str, addresses: Sequence[int], switches: Switches, wired: Sequence[int]
    ) -> None:
        self.number = number
        self.pins: tuple[int, ...] = PINS.get(number, ())
        self.cut = False
        """Whether the cable to all of them is off: nobody answers."""
        self.hangs = False
        """Whether a wire is held low."""
        self.lost: set[int] = set()
        """Addresses of chips that have no supply."""
        self.asked: list[list[int]] = []
        """The addresses of each exchange so far."""
        self._switches, self._wired = switches, tuple(wired)
        self.chips: dict[int, Chip] = {
            address: CHIPS[kind](partial(self._at_pins, len(wired) * place)) for place, address in enumerate(addresses)
        }

    def _at_pins(self, first: int) -> int:
        closed = self._switches.closed() >> first
        return sum((closed >> place & 1) << pin for place, pin in enumerate(self._wired))

    def open(self) -> OpenBus:
        """The bus, for one more driver."""
        return OpenBus(self)

    def exchange(self, parts: Sequence[Part]) -> list[bytes]:
        """As the kernel does it: the first part that fails ends it all."""
        self.asked.append([part.address for part in parts])
        return list(map(self._part, parts))

    def _part(self, part: Part) -> bytes:
        if self.hangs:
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        if self.cut or part.address in self.lost or part.address not in self.chips:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        chip = self.chips[part.address]
        if part.sent:
            chip.write(part.sent)
        return chip.read(part.wanted) if part.wanted else b""

    # As a circuit at pins: the kernel has both lines, and nobody sets them one by one.

    def drive(self, pin: int, level: bool | None) -> None:
        """Nothing comes of it."""

    def level(self, pin: int) -> bool | None:
        """Both lines are pulled up."""
        return None


class OpenBus:
    """A simulated bus as one driver has it open."""

    def __init__(self, bus: I2cBus) -> None:
        self._bus: I2cBus | None = bus

    def asking(self, parts: Sequence[Part]) -> Ask:
        """An exchange that can be repeated until the bus is closed."""

        def ask() -> list[bytes]:
            if self._bus is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            return self._bus.exchange(parts)

        return ask

    def close(self) -> None:
        """No exchange succeeds any more."""
        self._bus = None
