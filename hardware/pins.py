"""GPIO lines, in groups: through lgpio a whole group in one operation, else pin by pin through gpiozero.

Opening raises DeviceError with a sentence for the person at the table; afterwards whatever fails is an OSError.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from time import perf_counter_ns
from typing import Any, Literal, Protocol

from gpiozero import GPIOPinInUse, GPIOZeroError, SPIFixedRate
from gpiozero.pins.local import LocalPiFactory
from gpiozero.pins.spi import SPISoftware

from hardware.device import DeviceError
from hardware.gpio import open_factory, over_lgpio

Kind = Literal["input", "output", "open drain"]
"""Inputs are pulled up. Outputs begin high. An open drain line is driven low or let go, and pulled up then."""


class Lines(Protocol):
    """A group of lines; bit k of a number is the level of the group's line k, 1 for high."""

    def read(self) -> int:
        """The levels on the wires; OSError."""

    def write(self, levels: int) -> None:
        """Set all lines; OSError."""

    def close(self) -> None:
        """Let the lines go; a second call does nothing."""


def lines(kind: Kind, pins: Sequence[int], owner: str) -> Lines:
    """Claim `pins` for `owner` (``the rows of the matrix``); DeviceError."""
    factory = open_factory()
    try:
        return GroupLines(factory, kind, pins, owner) if over_lgpio(factory) else PinLines(factory, kind, pins, owner)
    except GPIOPinInUse as error:
        raise DeviceError(f"{owner}: {error}; give each pin one task in the settings") from None
    except (GPIOZeroError, OSError) as error:
        raise DeviceError(f"{owner}: GPIO {', '.join(map(str, pins))} cannot be opened: {error}") from None


# Two ways to the lines ------------------------------------------------------------------------


class Reserved:
    """Pins that are booked in gpiozero, so that no button or light can have them as well."""

    def __init__(self, factory: Any, pins: Sequence[int], owner: str) -> None:
        self._factory, self._owner, self._open = factory, owner, True
        self._names = [f"GPIO{pin}" for pin in pins]
        self._all = (1 << len(pins)) - 1
        factory.reserve_pins(self, *self._names)

    def __repr__(self) -> str:
        return self._owner

    def _conflicts_with(self, other: object) -> bool:
        """Asked by gpiozero of whoever books a pin a second time."""
        return True

    def _check(self) -> None:
        if not self._open:
            raise OSError(f"{self._owner}: closed")

    def _give_back(self) -> None:
        self._open = False
        self._factory.release_pins(self, *self._names)


class GroupLines(Reserved):
    """A group that the kernel reads or writes as one: one system call however many lines."""

    def __init__(self, factory: Any, kind: Kind, pins: Sequence[int], owner: str) -> None:
        super().__init__(factory, pins, owner)
        self._lgpio = import_module("lgpio")
        self._chip = factory._handle  # gpiozero keeps the chip open and has no public name for it
        self._leader = pins[0]
        self._kind = kind
        try:
            self._claim(kind, list(pins))
        except self._lgpio.error as error:
            self._give_back()
            raise OSError(f"{error}; another program or an overlay in config.txt may hold one") from None

    def _claim(self, kind: Kind, pins: list[int]) -> None:
        for pin in pins:
            with suppress(
                self._lgpio.error
            ):  # not allocated, as it should be: but gpiozero claims pins it is done with
                self._lgpio.gpio_free(self._chip, pin)
        if kind == "input":
            self._lgpio.group_claim_input(self._chip, pins, self._lgpio.SET_PULL_UP)
        else:
            drain = self._lgpio.SET_OPEN_DRAIN | self._lgpio.SET_PULL_UP
            flags = drain if kind == "open drain" else 0
            self._lgpio.group_claim_output(self._chip, pins, [1] * len(pins), flags)

    def read(self) -> int:
        """The levels on the wires; those of open drain lines too, for a Pi reads its pads, not what it wrote."""
        self._check()
        try:
            return int(self._lgpio.group_read(self._chip, self._leader)[1])
        except self._lgpio.error as error:
            raise OSError(str(error)) from None

    def write(self, levels: int) -> None:
        """Set all lines: some versions of lgpio keep what they last read for those that a mask leaves out."""
        self._check()
        try:
            self._lgpio.group_write(self._chip, self._leader, levels, self._all)
        except self._lgpio.error as error:
            raise OSError(str(error)) from None

    def close(self) -> None:
        """Let open drain lines go and free the group."""
        if self._open:
            with suppress(OSError, self._lgpio.error):
                if self._kind == "open drain":
                    self.write(self._all)
                self._lgpio.group_free(self._chip, self._leader)
            self._give_back()


class PinLines(Reserved):
    """A group of single pins of gpiozero's, by whatever way it reaches them."""

    def __init__(self, factory: Any, kind: Kind, pins: Sequence[int], owner: str) -> None:
        super().__init__(factory, pins, owner)
        self._kind = kind
        self._levels: int | None = self._all
        try:
            self._pins = [(1 << number, factory.pin(name)) for number, name in enumerate(self._names)]
            for _, pin in self._pins:
                self._let_go(pin) if kind != "output" else pin.output_with_state(1)
        except (GPIOZeroError, OSError):
            self._give_back()
            raise

    def _let_go(self, pin: Any) -> None:
        pin.input_with_pull("up")

    def read(self) -> int:
        """The levels on the wires, one pin after the other."""
        self._check()
        levels = 0
        try:
            for bit, pin in self._pins:
                if pin.state:
                    levels |= bit
        except GPIOZeroError as error:
            raise OSError(str(error)) from None
        return levels

    def write(self, levels: int) -> None:
        """Set the lines that change; those that go high first, so that an old strobe ends before a new one begins."""
        self._check()
        changed = self._all if self._levels is None else levels ^ self._levels
        self._levels = None  # unknown, if this fails half way
        try:
            self._set(changed & levels, 1)
            self._set(changed & ~levels, 0)
        except GPIOZeroError as error:
            raise OSError(str(error)) from None
        self._levels = levels

    def _set(self, which: int, level: int) -> None:
        for bit, pin in self._pins if which else ():
            if not bit & which:
                continue
            if self._kind == "output":
                pin.state = level
            elif level:
                self._let_go(pin)
            else:
                pin.output_with_state(0)

    def close(self) -> None:
        """Make inputs of all pins."""
        if self._open:
            for _, pin in self._pins:
                with suppress(GPIOZeroError, OSError):
                    pin.close()
            self._give_back()


def settle(microseconds: float) -> None:
    """Wait on the spot, for a wire or a switch to settle: to sleep would take longer."""
    end = perf_counter_ns() + 1000 * microseconds
    while microseconds and perf_counter_ns() < end:
        pass


# SPI ------------------------------------------------------------------------------------------


class Bus:
    """The SPI bus of the header, with one chip on it.

    `device` is the chip select (0: GPIO8, 1: GPIO7), `mode` the clock mode, `rate` in Hz. DeviceError.
    """

    def __init__(self, device: int, mode: int, rate: int) -> None:
        factory = open_factory()
        try:
            self._spi = self._open(factory, device)
            self._spi.clock_mode = mode
            with suppress(SPIFixedRate):  # where bits are set one by one they go as fast as they go
                self._spi.rate = rate
        except GPIOPinInUse as error:
            raise DeviceError(f"SPI: {error}; give each pin one task in the settings") from None
        except Exception as error:  # lgpio raises an error of its own, and need not be installed
            raise DeviceError(f"/dev/spidev0.{device} cannot be used: {error}") from None

    def _open(self, factory: Any, device: int) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of gpiozero's going on in software, which a Pi is too slow for
            spi = factory.spi(port=0, device=device)
        if isinstance(factory, LocalPiFactory) and isinstance(spi, SPISoftware):
            spi.close()
            raise OSError("switch SPI on (raspi-config) and add this user to the group spi")
        return spi

    def read(self, count: int) -> bytes:
        """`count` bytes, while zeros are sent; OSError."""
        return self.exchange(bytes(count))

    def exchange(self, sent: bytes) -> bytes:
        """As many bytes as are `sent` at the same time; the chip is selected for that long. OSError."""
        try:
            return bytes(self._spi.transfer(list(sent)))
        except Exception as error:
            raise OSError(str(error)) from None

    def close(self) -> None:
        """Close the bus; a second call does nothing."""
        with suppress(Exception):
            self._spi.close()
