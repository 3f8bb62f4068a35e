"""MCP23017 on an I2C bus: fourteen inputs a chip, or sixteen, with pull-ups of its own.

The maker's data sheet says since its revision D (2022) that GPA7 and GPB7 are outputs alone, for as inputs that change
while they are read they may spoil the bus. So a chip counts as fourteen inputs unless `inputs` is 16. Channel 0 is
GPA0 of the chip that is named first, 6 its GPA6, 7 its GPB0, 13 its GPB6; 14 is GPA0 of the next. With sixteen they
count as on the chip: 7 is GPA7, 8 GPB0.

A chip that has lost its supply for a moment has no pull-ups any more, and open inputs read anything. So each scan
reads the pull-ups as well, which stand six registers before the inputs; where they are off the chip is set up anew
and asked again.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from hardware.i2c import Address, ExpanderScanner, ExpanderSettings, Part

DIRECTIONS, POLARITIES, CONTROL, PULL_UPS = 0x00, 0x02, 0x0A, 0x0C
"""Registers, of ports A and B in turn, as they are numbered after power-on; the inputs are 0x12 and 0x13."""
OTHER_CONTROL = 0x05
"""Where the control register is when the ports are numbered one after the other, as another program may have left them.

Else it says which inputs interrupt, and none shall.
"""
READ = 8
"""Registers from the pull-ups to the inputs of port B."""
PORTS = b"\xff\xff"


class Mcp23017(ExpanderScanner):
    """A scan costs one operation: eleven bytes a chip, 1.2 ms for five at 400 kHz."""

    class Settings(ExpanderSettings, frozen=True):
        """`inputs`: how many of each chip are used; 16 with GPA7 and GPB7."""

        addresses: Annotated[tuple[Address, ...], Meta(min_length=1, max_length=8)] = (0x20, 0x21, 0x22, 0x23, 0x24)
        inputs: Literal[14, 16] = 14

        @property
        def contacts(self) -> int:
            """The number of inputs of one chip."""
            return self.inputs

    def __init__(self, settings: Settings) -> None:
        self._port = settings.inputs // 2
        self._used = (1 << self._port) - 1
        super().__init__(settings)

    def _set_up(self, address: int) -> list[Part]:
        inputs, as_they_are = PORTS, b"\0\0"
        return [
            Part(address, bytes((OTHER_CONTROL, 0))),
            Part(address, bytes((CONTROL, 0))),
            Part(address, bytes((DIRECTIONS, *inputs, *as_they_are))),
            Part(address, bytes((PULL_UPS, *PORTS))),
        ]

    def _question(self, address: int) -> Part:
        return Part(address, bytes((PULL_UPS,)), READ)

    def _read(self) -> int:
        try:
            return super()._read()
        except UnsetError:
            for _, prepare in self._prepare:
                prepare()
            return super()._read()

    def _closed_inputs(self, answer: bytes) -> int:
        if answer[:2] != PORTS:
            raise UnsetError("a chip has lost its pull-ups")
        port_a, port_b = (~level & self._used for level in answer[-2:])
        return port_a | port_b << self._port


class UnsetError(OSError):
    """A chip is no longer as it was set up: its supply has failed for a moment."""


SCANNER = Mcp23017
