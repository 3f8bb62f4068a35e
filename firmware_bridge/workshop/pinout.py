"""Whether config.txt gives away pins that a board uses, and whether its supply is enough."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.workshop.doctor import SPI_PINS, Finding, Findings
from firmware_bridge.workshop.machine import Machine
from hardware.board import Board
from hardware.power import estimate


def check_pins(machine: Machine, board: Board) -> Findings:
    """Who uses which pins, where no file of the board can tell: it refuses by itself to give one pin two uses."""
    own = {
        f"the scanner ({board.scanner.kind})": tuple(board.scanner.settings.pins),
        f"the lights ({board.lights.kind})": tuple(board.lights.settings.pins),
        "the buttons": tuple(board.buttons.pins().values()),
        "the buzzer": () if board.buzzer is None else (board.buzzer,),
    }
    clashes = [
        Finding("fault", "pins", f"GPIO {pin} is used by {owner} and by {other}: move one, or take that line out.")
        for owner, pins in own.items()
        for other, given in boot_pins(machine)
        for pin in pins
        if pin in given and not (set(pins) >= set(given) == set(SPI_PINS))
    ]
    yield from clashes
    used = "; ".join(f"{owner}: GPIO {', '.join(map(str, pins))}" for owner, pins in own.items() if pins)
    if used and not clashes:
        yield Finding("ok", "pins", f"No pin is used twice. {used[0].upper()}{used[1:]}.")


def boot_pins(machine: Machine) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The pins that config.txt gives away."""
    if machine.param("i2c_arm") or machine.param("i2c"):
        yield "I2C (dtparam=i2c_arm=on in config.txt)", (2, 3)
    if machine.param("spi"):
        yield "SPI (dtparam=spi=on in config.txt)", SPI_PINS
    if machine.setting("enable_uart") == "1":
        yield "the serial port (enable_uart=1 in config.txt)", (14, 15)
    for overlay in machine.overlays():
        if overlay.name in OVERLAYS:
            key, usual = OVERLAYS[overlay.name]
            pin = overlay.values.get(key, usual)
            yield f"dtoverlay={overlay.name} in config.txt", (int(pin),) if pin.isdigit() else ()


OVERLAYS = {"w1-gpio": ("gpiopin", "4"), "ws2812-pio": ("gpio", "4")}
"""Overlays that take a pin: the parameter that names it, and the pin without it."""


def check_supply(board: Board) -> Findings:
    """What the lights could draw, against what the board file says there is."""
    if not board.length:
        return
    white, dark = (round(estimate([colour] * board.length)) for colour in ((255, 255, 255), (0, 0, 0)))
    full = f"{board.length} lights draw {white} mA at full white and {dark} mA when dark, by estimate"
    if dark >= board.supply:
        yield Finding("fault", "supply", f"{full}; {board.supply} mA leave nothing for light: state a larger supply.")
    elif white > board.supply:
        yield Finding("remark", "supply", f"{full}; bright pictures are dimmed to the {board.supply} mA stated.")
    else:
        yield Finding("ok", "supply", f"{full}; the supply gives {board.supply} mA.")
