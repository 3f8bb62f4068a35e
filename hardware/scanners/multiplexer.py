"""Switches behind 74HC4067 multiplexers: one of sixteen at a time is joined to a pin that is pulled up, and read.

All multiplexers share their select lines, so one position of these puts a switch on each input. Every switch leads to
ground and is joined to nothing else, so there are no ghosts and no diodes. Channel = 16 x input + position, as
for `hall`, which has the same multiplexers and reads them by a converter.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from hardware import pins, settings
from hardware.contacts import ContactScanner, repeated, width
from hardware.device import DeviceError, Sense
from hardware.settings import Pin

POSITIONS = 16
"""Switches on a multiplexer."""


class Multiplexer(ContactScanner):
    """A scan costs two operations a position, 32, where gpiozero uses lgpio."""

    class Settings(settings.Settings, frozen=True):
        """`select`: the pins at S0 to S3; `inputs`: the pin at Z of each multiplexer.

        `settle`: microseconds from the selection of a position to its reading. An input that was low rises through
        the Pi's own pull-up, as the columns of a matrix do.
        """

        select: Annotated[tuple[Pin, ...], Meta(min_length=4, max_length=4)] = (22, 23, 24, 25)
        inputs: Annotated[tuple[Pin, ...], Meta(min_length=1, max_length=8)] = (5, 6, 12, 13)
        sense: Literal["presence", "colour"] = "presence"
        settle: Annotated[int, Meta(ge=0, le=1000)] = 30

        def __post_init__(self) -> None:
            twice = repeated(self.pins)
            if twice:
                raise ValueError(f"pin {twice[0]} is used twice: each select line and each input needs its own")

        @property
        def channels(self) -> int:
            """The number of channels."""
            return POSITIONS * len(self.inputs) // width(Sense(self.sense))

        @property
        def pins(self) -> tuple[int, ...]:
            """The GPIOs that are taken."""
            return (*self.select, *self.inputs)

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._every_input = (1 << len(settings.inputs)) - 1
        self._spread = [sum(1 << POSITIONS * k for k in bits) for bits in map(_places, range(self._every_input + 1))]
        super().__init__(Sense(settings.sense), POSITIONS * len(settings.inputs))

    def _claim(self) -> None:
        self._select = pins.lines("output", self._settings.select, "the select lines of the multiplexers")
        try:
            self._inputs = pins.lines("input", self._settings.inputs, "the inputs of the multiplexers")
        except DeviceError:
            self._select.close()
            raise

    def _release(self) -> None:
        self._select.close()
        self._inputs.close()

    def _read(self) -> int:
        contacts = 0
        for position in range(POSITIONS):
            self._select.write(position)
            pins.settle(self._settings.settle)
            contacts |= self._spread[self._inputs.read() ^ self._every_input] << position
        return contacts


def _places(number: int) -> list[int]:
    """The places of the bits that are set."""
    return [place for place in range(number.bit_length()) if number >> place & 1]


SCANNER = Multiplexer
