"""The program's ends of a line to a board that is pretended: its scanner and its lights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardware.backends import find
from tests.hardware.pretend_board import Clock

PATH = "/dev/pretend"
SCANNER, LIGHTS = find("scanners", "serial_mcu"), find("lights", "serial_mcu")
DARK, RED = (0, 0, 0), (255, 0, 0)


def scanner(**keys: Any) -> Any:
    return SCANNER(SCANNER.Settings(port=PATH, **keys))


def lights(pixels: int = 66, **keys: Any) -> Any:
    return LIGHTS(LIGHTS.Settings(port=PATH, **keys), pixels)


def scans(each: Any, clock: Clock, seconds: float) -> Iterator[Any]:
    """What a hundred scans a second give."""
    for _ in range(round(100 * seconds)):
        clock.skip(0.01)
        yield each.scan()


def pass_by(each: Any, clock: Clock, seconds: float) -> Any:
    """What the last scan gives after so long."""
    return [*scans(each, clock, seconds)][-1]
