"""Every strip of lights with a view of what it truly shows, for the suite of promises.

Those on a pretended Pi are there only in a process that runs on one; test_real_strips.py starts it.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hardware.backends import find
from hardware.device import Colour, Lights, Sense
from hardware.simulation.table import SimulatedTable
from tests.hardware.ddp import Controller
from tests.hardware.pretend_board import Clock, Makeup, PretendBoard, PseudoTerminal, attended, plugged_in
from tests.hardware.pretend_pi import FOLDER, PretendPi

PIXELS = 8


class Rig(NamedTuple):
    """Lights; what they truly show, or nothing once it was wiped; how to make them fail and heal."""

    lights: Lights
    lit: Callable[[], Sequence[Colour]]
    wipe: Callable[[], None]
    fail: Callable[[], None]
    heal: Callable[[], None]


def simulated(_: Path) -> Rig:
    """The table in memory; it never fails."""
    table = SimulatedTable([f"p{number}" for number in range(PIXELS)], Sense.PRESENCE, length=PIXELS)
    return Rig(table, lambda: table.pictures[-1], table.pictures.clear, lambda: None, lambda: None)


def leds0(folder: Path) -> Rig:
    """The kernel's driver, for which a plain file stands; when it fails it is /dev/full, which takes nothing."""
    device, driven, full = folder / "leds0", folder / "driven", Path("/dev/full")
    driven.touch()
    device.symlink_to(driven)
    driver = find("lights", "leds0")
    lights = driver(driver.Settings(device=str(device)), PIXELS)

    def lit() -> list[Colour]:
        data = driven.read_bytes()
        return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 4)]

    def become(before: Path, after: Path) -> None:
        device.unlink()
        device.symlink_to(after)
        for number in opened(before):
            file = os.open(after, os.O_WRONLY)
            os.dup2(file, number, inheritable=False)
            os.close(file)

    return Rig(lights, lit, lambda: os.truncate(driven, 0), lambda: become(driven, full), lambda: become(full, driven))


def opened(path: Path) -> list[int]:
    """The numbers under which this process has the file open."""
    numbers = list(Path("/proc/self/fd").iterdir())
    return [int(each.name) for each in numbers if os.path.lexists(each) and os.readlink(each) == str(path)]


class Screen(io.StringIO):
    """A stream that can break."""

    broken = False

    def write(self, text: str, /) -> int:
        """Write, or fail like a terminal that has gone."""
        if self.broken:
            raise OSError(5, "Input/output error")
        return super().write(text)

    def lit(self) -> list[Colour]:
        """The last picture drawn."""
        blocks = self.getvalue().rstrip("\n").split("\n\n")
        cells = re.findall(r"\x1b\[48;2;(\d+);(\d+);(\d+)m  ", blocks[-1])
        return [(int(red), int(green), int(blue)) for red, green, blue in cells]

    def wipe(self) -> None:
        """Clear it."""
        self.seek(0)
        self.truncate()


def terminal(_: Path) -> Rig:
    """Cells of colour on a stream."""
    screen = Screen()
    driver = find("lights", "terminal")
    lights = driver(driver.Settings(columns=3), PIXELS, screen)

    def tear(broken: bool) -> None:
        screen.broken = broken

    return Rig(lights, screen.lit, screen.wipe, lambda: tear(True), lambda: tear(False))


def on_board(*, terminal: bool) -> Callable[[Path], Rig]:
    """The strip of a micro-controller board, in memory or over a pseudo terminal."""

    def rig(_: Path) -> Rig:
        clock = Clock()
        board = PretendBoard([0] * 64, clock, Makeup(pixels=PIXELS))
        wire = PseudoTerminal(board) if terminal else None
        attended(wire, clock) if wire else plugged_in(board)
        driver = find("lights", "serial_mcu")
        lights = driver(driver.Settings(port="/dev/pretend"), PIXELS)

        def fail() -> None:
            board.plugged = False
            if wire:
                wire.unplug()

        def heal() -> None:
            if wire and not board.plugged:
                wire.plug()
            board.plugged = True
            clock.skip(6)

        return Rig(lights, lambda: board.pictures[-1] if board.pictures else (), board.pictures.clear, fail, heal)

    return rig


def wled(_: Path) -> Rig:
    """A controller in the network: a socket that takes DDP; when it fails its port is closed, which the kernel says."""
    controller = Controller()
    driver = find("lights", "wled")
    lights = driver(driver.Settings(host="127.0.0.1", port=controller.port), PIXELS)
    return Rig(lights, controller.lit, controller.wipe, controller.close, controller.open)


def on_pi(name: str, **values: Any) -> Callable[[Path], Rig]:
    """A driver with the real library on a pretended Pi."""

    def rig(_: Path) -> Rig:
        pi = PretendPi(Path(os.environ[FOLDER])).be()
        driver = find("lights", name)
        return Rig(driver(driver.Settings(**values), PIXELS), pi.lit, pi.forget, pi.fail, pi.heal)

    return rig


REAL: dict[str, Callable[[Path], Rig]] = {
    "ws2812_spi": on_pi("ws2812_spi"),
    "ws281x by spi": on_pi("ws281x"),
    "ws281x by pwm": on_pi("ws281x", via="pwm"),
    "ws281x by pcm": on_pi("ws281x", via="pcm"),
    "leds0 of the kernel": on_pi("leds0"),
}
DRIVERS: dict[str, Callable[[Path], Rig]] = {
    "leds0": leds0,
    "terminal": terminal,
    "board in memory": on_board(terminal=False),
    "board on a terminal": on_board(terminal=True),
    "wled": wled,
} | (REAL if FOLDER in os.environ else {})
RIGS: dict[str, Callable[[Path], Rig]] = {"simulated": simulated} | DRIVERS
