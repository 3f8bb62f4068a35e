"""WS2812 lights on the data line of an SPI bus (GPIO 10 for bus 0); any Pi, the 5 included, and no root.

Every bit for a light is sent as three bits: 110 for a one, 100 for a zero. At 2.75 MHz that is high for 727 or 364 ns.
The first data sheet of the WS2812B wants 650 to 950 and 250 to 550, that of its version 5 wants 580 to 1000 and 220 to
380; at 2.4 MHz a zero would last 417. A Pi divides its clock, so it comes to 2.70 to 2.75 MHz.

300 us of zeros at the end make the lights show what they were told. As many go first, for the line may be high while
nothing is sent, or rise by itself as a transfer begins: the lights take that for the beginning of a bit, and the
silence lets them forget it.

A light takes 9 bytes, so the kernel's usual 4096 bytes a transfer are enough for 432 lights; more need
``spidev.bufsiz``. Even one light makes more than 200 bytes: from 96 on the Pi's driver uses DMA, which leaves no gaps
between bytes. On a Pi 3 set ``core_freq=250``, on a Pi 4 ``core_freq=500`` and ``core_freq_min=500``: the bus follows
that clock.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain
from operator import itemgetter
from typing import Annotated

import spidev
from msgspec import Meta

from hardware import settings, spi
from hardware.device import Colour
from hardware.strip import Order, Picture, Strip

RATE = 2_750_000
"""Bits a second: the middle of what both data sheets allow, 2.63 to 2.86 MHz."""
LATCH_US = 300
"""Microseconds of silence that end a picture, and whatever went before it; 280 us by the data sheet."""


def _triplets(value: int) -> bytes:
    return int("".join("110" if value >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3, "big")


_TABLE = tuple(map(_triplets, range(256)))
_PLACES = {"R": 0, "G": 1, "B": 2}


def encode(picture: Sequence[Colour], order: Order = "GRB", rate: int = RATE) -> bytes:
    """The bytes that tell `picture` to the lights at `rate` bits a second. ValueError for a channel beyond 0-255."""
    in_order = itemgetter(*(_PLACES[channel] for channel in order))
    channels = bytes(chain.from_iterable(map(in_order, picture)))
    silence = bytes(_silence(rate))
    return silence + b"".join(map(_TABLE.__getitem__, channels)) + silence


def encoded_size(pixels: int, rate: int = RATE) -> int:
    """Bytes that `encode` makes of a picture."""
    return 9 * pixels + 2 * _silence(rate)


def _silence(rate: int) -> int:
    return -(-LATCH_US * rate // 8_000_000)


class Ws2812Spi(Strip):
    """WS2812 lights on an SPI bus."""

    class Settings(settings.Settings, frozen=True):
        """Where the strip is connected."""

        bus: Annotated[int, Meta(ge=0, le=9)] = 0
        device: Annotated[int, Meta(ge=0, le=3)] = 0
        order: Order = "GRB"
        rate: Annotated[int, Meta(ge=2_200_000, le=2_900_000)] = RATE
        """Bits a second on the bus, three for each bit of a light."""

        @property
        def pins(self) -> tuple[int, ...]:
            """The GPIOs that are taken; those of other buses than 0 are not known here."""
            return () if self.bus else spi.PINS

    def __init__(self, settings: Settings, pixels: int) -> None:
        self._settings = settings
        self._path = f"/dev/spidev{settings.bus}.{settings.device}"
        self._device = spidev.SpiDev()
        super().__init__(pixels)

    def _open(self) -> None:
        spi.must_fit(encoded_size(self.pixels, self._settings.rate), f"{self.pixels} lights")
        self._device.open(self._settings.bus, self._settings.device)
        self._device.mode = 0
        self._device.max_speed_hz = self._settings.rate

    def _send(self, picture: Picture) -> None:
        # Not by the library, which divides what does not fit into the buffer as it was at its first use.
        os.write(self._device.fileno(), encode(picture, self._settings.order, self._settings.rate))

    def _release(self) -> None:
        self._device.close()

    def _advice(self, error: OSError) -> str:
        return spi.advice(self._path, error)


LIGHTS = Ws2812Spi
