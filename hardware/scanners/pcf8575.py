"""PCF8575 on an I2C bus: sixteen inputs a chip, with nothing to set up but that they are inputs.

A pin that was told to be high is pulled up weakly, by 100 uA, and so it is an input; all are after power-on. A chip
that has lost its supply for a moment is the same as before. Channel 0 is P00 of the chip that is named first, 7 its
P07, 8 its P10, 15 its P17; 16 is P00 of the next.
"""

from __future__ import annotations

from hardware.i2c import ExpanderScanner, ExpanderSettings, Part

INPUTS = 0xFFFF


class Pcf8575(ExpanderScanner):
    """A scan costs one operation: an address and two bytes a chip, 0.3 ms for four at 400 kHz."""

    class Settings(ExpanderSettings, frozen=True):
        """Which bus, which chips, what their switches tell."""

    def _set_up(self, address: int) -> list[Part]:
        return [Part(address, INPUTS.to_bytes(2, "little"))]

    def _question(self, address: int) -> Part:
        return Part(address, wanted=2)

    def _closed_inputs(self, answer: bytes) -> int:
        return int.from_bytes(answer, "little") ^ INPUTS


SCANNER = Pcf8575
