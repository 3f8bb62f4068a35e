"""Chips on an I2C bus of the Pi: all that is said in a scan goes out in one operation.

A bus is a file of the kernel's, `/dev/i2c-1`; smbus2 gives it a list of messages at once. A chip that is not there
answers at once that it is not. A wire that hangs would hold the program up for a second each time, so the kernel is
told to give up after 20 ms: an exchange with eight chips takes 8 ms at the usual 100 kHz.

Where a bus is simulated its number stands in `simulated`, and nothing of the computer is opened.
"""

from __future__ import annotations

import errno
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from fcntl import ioctl
from typing import Annotated, Literal, NamedTuple, Protocol

from msgspec import Meta
from smbus2 import SMBus, i2c_msg

from hardware import settings
from hardware.contacts import ContactScanner, repeated, width
from hardware.device import DeviceError, Sense

PINS = {0: (0, 1), 1: (2, 3)}
"""The GPIOs of SDA and SCL of each bus that has a fixed place on the header."""
LOWEST, HIGHEST = 0x20, 0x27
"""The addresses that the three address pins of an expander choose from."""
SET_RETRIES, SET_TIMEOUT = 0x0701, 0x0702
"""Requests to the kernel, from linux/i2c-dev.h; a timeout is told in units of 10 ms."""

Address = Annotated[int, Meta(ge=LOWEST, le=HIGHEST)]


class Part(NamedTuple):
    """What is exchanged with one chip: bytes `sent`, and the number of bytes `wanted` from it."""

    address: int
    sent: bytes = b""
    wanted: int = 0


Ask = Callable[[], list[bytes]]
"""Does an exchange, as often as it is called: what each part wanted, in order; OSError."""


class Bus(Protocol):
    """An open bus."""

    def asking(self, parts: Sequence[Part]) -> Ask:
        """An exchange that can be repeated; of all parts or, after an OSError, of some."""

    def close(self) -> None:
        """Close it; a second call does nothing."""


simulated: dict[int, Callable[[], Bus]] = {}
"""What opens a bus that is no file, by its number."""


class KernelBus:
    """A bus of this computer; DeviceError."""

    def __init__(self, number: int) -> None:
        self._bus = SMBus()
        try:
            self._bus.open(number)
            ioctl(self._file(), SET_RETRIES, 0)
            ioctl(self._file(), SET_TIMEOUT, 2)
        except OSError as error:
            self.close()
            raise DeviceError(advice(f"/dev/i2c-{number}", error)) from None

    def asking(self, parts: Sequence[Part]) -> Ask:
        """The messages are made once, and each answer comes into the same memory."""
        told = [(part, _messages(part)) for part in parts]
        messages = [message for _, each in told for message in each]

        def ask() -> list[bytes]:
            self._file()
            self._bus.i2c_rdwr(*messages)
            return [bytes(each[-1]) if part.wanted else b"" for part, each in told]

        return ask

    def _file(self) -> int:
        if self._bus.fd is None:
            raise OSError("the bus is closed")
        return self._bus.fd

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            self._bus.close()


def _messages(part: Part) -> list[i2c_msg]:
    sent = [i2c_msg.write(part.address, part.sent)] if part.sent else []
    return sent + ([i2c_msg.read(part.address, part.wanted)] if part.wanted else [])


def open_bus(number: int) -> Bus:
    """The bus of that number; DeviceError."""
    return simulated[number]() if number in simulated else KernelBus(number)


def advice(path: str, error: OSError) -> str:
    """One sentence on what to do about `error` from the bus `path`."""
    if isinstance(error, FileNotFoundError):
        return f"there is no {path}: switch I2C on with sudo raspi-config nonint do_i2c 0, and restart"
    if isinstance(error, PermissionError):
        return f"{path} is not open to this user: sudo usermod -aG i2c $USER, then log in again"
    if error.errno == errno.ETIMEDOUT:
        return f"{path} hangs: look for a wire or a chip without supply that holds SDA or SCL low"
    return f"{path} cannot be used ({error.strerror or error}): see that nothing else drives it, and try again"


def absent(path: str, address: int) -> str:
    """What to do about a chip that does not answer."""
    return (
        f"no chip answers at address {address:#x} of {path}: see its supply, SDA and SCL, and its pins A0, A1, A2, "
        "which choose the address; the key addresses says which there are"
    )


class ExpanderSettings(settings.Settings, frozen=True):
    """`bus`: the number of /dev/i2c-; `addresses`: of the chips, in the order of their channels."""

    bus: Annotated[int, Meta(ge=0, le=22)] = 1
    addresses: Annotated[tuple[Address, ...], Meta(min_length=1, max_length=8)] = (0x20, 0x21, 0x22, 0x23)
    sense: Literal["presence", "colour"] = "presence"

    def __post_init__(self) -> None:
        twice = repeated(self.addresses)
        if twice:
            raise ValueError(f"address {twice[0]:#x} is named twice: each chip has one of its own, by A0, A1 and A2")

    @property
    def contacts(self) -> int:
        """The number of inputs of one chip."""
        return 16

    @property
    def channels(self) -> int:
        """The number of channels."""
        return len(self.addresses) * self.contacts // width(Sense(self.sense))

    @property
    def pins(self) -> tuple[int, ...]:
        """The GPIOs that are taken; those of other buses than 0 and 1 are not known here."""
        return PINS.get(self.bus, ())

    @property
    def path(self) -> str:
        """The file of the bus, for who looks whether it may be opened."""
        return f"/dev/i2c-{self.bus}"


class ExpanderScanner(ContactScanner):
    """Chips with 16 inputs each, an input a contact; a closed switch pulls its input to ground."""

    def __init__(self, settings: ExpanderSettings) -> None:
        self._settings = settings
        super().__init__(Sense(settings.sense), len(settings.addresses) * settings.contacts)

    @abstractmethod
    def _set_up(self, address: int) -> list[Part]:
        """What makes inputs with pull-ups of all pins of a chip."""

    @abstractmethod
    def _question(self, address: int) -> Part:
        """What asks a chip for its inputs."""

    @abstractmethod
    def _closed_inputs(self, answer: bytes) -> int:
        """The closed inputs in its answer, a bit each; OSError where that cannot be one of a chip that is set up."""

    def _claim(self) -> None:
        self._bus = open_bus(self._settings.bus)
        self._ask = self._bus.asking([self._question(address) for address in self._settings.addresses])
        self._prepare = [(at, self._bus.asking(self._set_up(at))) for at in self._settings.addresses]
        for address, prepare in self._prepare:
            try:
                prepare()
            except OSError as error:
                self._bus.close()
                hangs, path = error.errno == errno.ETIMEDOUT, self._settings.path
                raise DeviceError(advice(path, error) if hangs else absent(path, address)) from None

    def _release(self) -> None:
        self._bus.close()

    def _read(self) -> int:
        return sum(
            self._closed_inputs(answer) << self._settings.contacts * number for number, answer in enumerate(self._ask())
        )
