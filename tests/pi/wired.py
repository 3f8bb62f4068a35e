"""The table that is wired to a virtual Pi: hands act on the switches of the kernel module, eyes read the strip."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from hardware.board import Board
from hardware.device import Colour
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.scanners.shift_register import ShiftRegister
from tests.hardware.pretend_pi import decode

FOLDER = Path("/sys/kernel/debug/virtual_table")
DONE, POWER = 18, 3
"""GPIOs of buttons, on every board that is shipped."""
MISO = 9
BOUNCE = 800
"""Microseconds that a switch bounces: of the 500 to 2000 that are said of reed switches, a guess."""
EVERY = range(64)


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
    """Switches in eight rows of eight on a matrix of GPIOs or on shift registers, buttons, and a strip of lights."""

    def __init__(self, kind: Literal["grid", "registers"] = "grid", *, diodes: bool = True) -> None:
        self.kind, self.diodes = kind, diodes
        matrix, register = GpioMatrix.Settings(), ShiftRegister.Settings()
        self.rows, self.columns = matrix.rows, matrix.columns
        self._registers = joined((register.load, register.clock, register.data, register.registers))

    def wire(self) -> VirtualTable:
        """Solder it to the header, all switches open; what was there before is gone."""
        grid = self.kind == "grid"
        self.do("registers", self._registers if not grid else "")
        self.do("rows", joined(self.rows if grid else ()))
        self.do("columns", joined(self.columns if grid else ()))
        self.do("diodes", int(self.diodes))
        self.do("bounce", BOUNCE)
        for contact in EVERY:
            self.do("input", contact, 1)
        return self

    def do(self, *words: object) -> None:
        """One command to the module."""
        (FOLDER / "do").write_text(" ".join(map(str, words)))

    def switch(self, row: int, column: int, *, closed: bool = True) -> None:
        """Close or open a switch."""
        if self.kind == "grid":
            self.do("switch", row, column, int(closed))
        else:
            self.do("input", 8 * row + column, int(not closed))

    def press(self, *, pressed: bool = True) -> None:
        """Press or release Done."""
        self.hold(DONE, pressed=pressed)

    def hold(self, button: int, *, pressed: bool = True) -> None:
        """Press or release the button at a GPIO."""
        self.do("press", button, int(pressed))

    def pull_cable(self, *, out: bool = True) -> None:
        """Pull the cable of the columns or of the registers' data, or plug it in again."""
        for pin in self.columns if self.kind == "grid" else (MISO,):
            self.do("broken", pin, int(out))

    def heard(self) -> Heard:
        """What the strip has heard last."""
        return parse(self.strip())

    def strip(self) -> bytes:
        """What the module tells of the strip."""
        return (FOLDER / "strip").read_bytes()

    def picture(self) -> list[Colour]:
        """What the strip shows, each bit of it as long as the data sheet asks; AssertionError if it is not."""
        heard = self.heard()
        return decode(heard.data, heard.rate)[0]

    def lit(self) -> bool:
        """Whether any light is on."""
        return any(map(any, self.picture()))

    def shorts(self) -> int:
        """A bit for each GPIO that was driven against something."""
        return int((FOLDER / "shorts").read_text(), 16)


def lamps(picture: list[Colour], board: Board) -> tuple[bool, bool]:
    """Whether the turn lamps of the first and the second player are on."""
    first, second = (any(picture[pixel]) for pixel in board.status)
    return first, second
