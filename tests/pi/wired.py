"""The tables of a virtual Pi: hands act on switches of the kernel module or of an emulated chip, eyes read lights."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

from hardware.board import Board
from hardware.device import Colour
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.scanners.hall import MIDDLE, Hall
from hardware.scanners.mcp23017 import Mcp23017
from hardware.scanners.multiplexer import Multiplexer
from hardware.scanners.pcf8575 import Pcf8575
from hardware.scanners.shift_register import ShiftRegister
from tests.hardware.pretend_pi import decode
from tests.systemd.players import Mcu

FOLDER = Path("/sys/kernel/debug/virtual_table")
DONE, POWER = 18, 3
"""GPIOs of buttons, on every board that is shipped."""
SDA, MISO = 2, 9
BOUNCE = 800
"""Microseconds that a switch bounces: of the 500 to 2000 that are said of reed switches, a guess."""
EVERY = range(64)
MAGNET = 200
"""Counts by which a magnet lifts the reading of a linear Hall sensor: of the 80 that count and the 511 there are."""
CHIP = Path("/dev/virtio-ports/chip")
"""Where commands to the emulated chip go."""
Kind = Literal["grid", "registers", "mcp23017", "pcf8575", "multiplexer", "hall"]
OTHERS: tuple[Kind, ...] = ("mcp23017", "pcf8575", "multiplexer", "hall")
"""Scanners for which no board is shipped."""
BOARD = """title = "eight by eight squares at another scanner"
supply = 2000
[points]
files = 8
ranks = 8
[scanner]
kind = "KIND"
sense = "presence"
[lights]
kind = "ws2812_spi"
[channels]
corner = "a1"
[pixels]
corner = "a1"
serpentine = true
each = 3
status = [192, 193]
[buttons]
done = 18
undo = 21
hint = 20
power = 26
"""
"""A board file for one of them: that of registers, with buttons that leave every scanner its pins."""


class Heard(NamedTuple):
    """What the strip has heard: how many transfers, and of the last one bits a second and bytes."""

    transfers: int
    rate: int
    data: bytes


def parse(told: bytes) -> Heard:
    """What the module tells of the strip. ValueError if it is cut off."""
    head, _, data = told.partition(b"\n")
    transfers, rate, size = map(int, head.split())
    if len(data) != size:
        raise ValueError(f"{len(data)} bytes of {size}")
    return Heard(transfers, rate, data)


def joined(pins: tuple[int, ...]) -> str:
    """Pins as the module reads them."""
    return ",".join(map(str, pins))


class VirtualTable:
    """Switches in eight rows of eight at one kind of scanner, buttons, and a strip of lights."""

    def __init__(self, kind: Kind = "grid", *, diodes: bool = True) -> None:
        self.kind, self.diodes = kind, diodes
        matrix = GpioMatrix.Settings()
        self.rows, self.columns = matrix.rows, matrix.columns
        self.sensed = self.columns if kind == "grid" else (SDA,) if kind in ("mcp23017", "pcf8575") else (MISO,)
        """The GPIOs at which what sensors say comes in."""

    def wire(self) -> VirtualTable:
        """Solder it to the header, all switches open; what was there before is gone."""
        register, selected, measured = ShiftRegister.Settings(), Multiplexer.Settings(), Hall.Settings()
        chips = {"mcp23017": Mcp23017.Settings().addresses, "pcf8575": Pcf8575.Settings().addresses}.get(self.kind, ())
        wires = {
            "grid": {"rows": self.rows, "columns": self.columns},
            "registers": {"registers": (register.load, register.clock, register.data, register.registers)},
            "multiplexer": {"multiplexers": (*selected.select, *selected.inputs)},
            "hall": {"multiplexers": measured.select},
        }.get(self.kind, {})
        for part in ("rows", "columns", "registers", "multiplexers"):
            self.do(part, joined(wires.get(part, ())))
        self.do(self.kind if chips else "pcf8575", len(chips))
        self.do("diodes", int(self.diodes))
        self.do("bounce", BOUNCE)
        for contact in EVERY:
            self.switch(*divmod(contact, 8), closed=False)
        return self

    def do(self, *words: object) -> None:
        """One command to the module."""
        (FOLDER / "do").write_text(" ".join(map(str, words)))

    def switch(self, row: int, column: int, *, closed: bool = True) -> None:
        """Close or open a switch."""
        contact = 8 * row + column
        if self.kind == "grid":
            self.do("switch", row, column, int(closed))
        elif self.kind == "hall":
            self.do("reading", contact, MIDDLE + MAGNET * closed)
        else:
            self.do("input", spread_out(contact) if self.kind == "mcp23017" else contact, int(not closed))

    def press(self, *, pressed: bool = True) -> None:
        """Press or release Done."""
        self.hold(DONE, pressed=pressed)

    def hold(self, button: int, *, pressed: bool = True) -> None:
        """Press or release the button at a GPIO."""
        self.do("press", button, int(pressed))

    def pull_cable(self, *, out: bool = True) -> None:
        """Pull the cable by which it hears of the sensors, or plug it in again."""
        for pin in self.sensed:
            self.do("broken", pin, int(out))

    def strip(self) -> bytes:
        """What the module tells of the strip."""
        return (FOLDER / "strip").read_bytes()

    def picture(self, strip: bytes | None = None) -> list[Colour]:
        """What the strip shows, or had shown when it was read; each bit must be as long as the data sheet asks.

        AssertionError if it is not, ValueError where there is no whole picture.
        """
        heard = parse(self.strip() if strip is None else strip)
        return decode(heard.data, heard.rate)[0]

    def lit(self) -> bool:
        """Whether any light is on."""
        return any(map(any, self.picture()))

    def shorts(self) -> int:
        """A bit for each GPIO that was driven against something."""
        return int((FOLDER / "shorts").read_text(), 16)


def spread_out(contact: int) -> int:
    """The input at which a contact is, where of the sixteen of a chip the last of either port is left out."""
    chip, at = divmod(contact, 14)
    return 16 * chip + at + (at > 6)


class VirtualChip(Mcu):
    """Switches, Done and lights at the emulated micro-controller, which is outside and on a serial line."""

    def __init__(self) -> None:
        line = CHIP.open("r+b", buffering=0)
        super().__init__(line.write, line.readline)
        self._asking = Lock()
        """Eyes look from a thread of their own."""

    def do(self, *words: object) -> str:
        """A command, and its answer."""
        with self._asking:
            return super().do(*words)

    def strip(self) -> bytes:
        """What its strip was told last, in hexadecimal digits."""
        return self.do("picture").encode()

    def picture(self, strip: bytes | None = None) -> list[Colour]:
        """What the strip shows, or had shown when it was read; ValueError where there is no picture yet."""
        told = bytes.fromhex((self.strip() if strip is None else strip).decode())
        return [(told[at], told[at + 1], told[at + 2]) for at in range(0, len(told), 3)]

    def shorts(self) -> int:
        """How often it did what it must not."""
        return int(self.do("faults"))


def lamps(picture: list[Colour], board: Board) -> tuple[bool, bool]:
    """Whether the turn lamps of the first and the second player are on."""
    first, second = (any(picture[pixel]) for pixel in board.status)
    return first, second
