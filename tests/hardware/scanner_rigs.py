"""The scanners that the contract is tried on; one more driver is one more rig."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hardware import backends, fakegpio
from hardware.device import Scanner, Sense
from hardware.simulation.faulty_sensors import Fault, FaultyScanner
from hardware.simulation.table import SimulatedTable
from tests.hardware.pretend_board import Clock, Makeup, PretendBoard, PseudoTerminal, attended, plugged_in


class Rig(NamedTuple):
    """A scanner and the world around it: `stand` puts a level on a channel.

    `fail` cuts the sensors off and `heal` connects them again; `close` clears away all that is not the scanner's.
    `scans` is how many the scanner needs to go once over all its sensors.
    """

    scanner: Scanner
    stand: Callable[[int, int], None]
    fail: Callable[[], None]
    heal: Callable[[], None]
    close: Callable[[], None]
    scans: int = 1


def simulated(sense: Sense) -> Rig:
    """The table in memory."""
    sites = [f"p{number}" for number in range(6)]
    table = SimulatedTable(sites, sense)

    def sighted(value: bool) -> None:
        table.sighted = value

    def stand(channel: int, level: int) -> None:
        table.lay([(sites[channel], level)])

    return Rig(table, stand, lambda: sighted(False), lambda: sighted(True), lambda: None)


def sick(sense: Sense, *faults: Fault) -> Rig:
    """The table in memory behind faults that do not ail it now."""
    rig = simulated(sense)
    return rig._replace(scanner=FaultyScanner(rig.scanner, faults, lambda: 0.0))


def wired(kind: str, channels: int, *, scans: int = 1, **settings: Any) -> Rig:
    """A driver on pins that are wired to a simulated board."""
    driver = backends.find("scanners", kind)
    chosen = driver.Settings(**settings)
    levels = [0] * channels
    board = fakegpio.open_fake(kind, chosen, levels)

    def cut(value: bool) -> None:
        board.cut = value

    return Rig(driver(chosen), levels.__setitem__, lambda: cut(True), lambda: cut(False), board.close, scans)


def told(sense: str, channels: int, *, terminal: bool = False) -> Rig:
    """A micro-controller board, in memory or over a pseudo terminal; a seed weighs 1000 counts."""
    levels, clock = [0] * channels, Clock()
    board = PretendBoard(levels, clock, Makeup(sense, channels))
    wire = PseudoTerminal(board) if terminal else None
    attended(wire, clock) if wire else plugged_in(board)
    driver = backends.find("scanners", "serial_mcu")
    scales = {"seed": (1000,)} if sense == "count" else {}
    scanner = driver(driver.Settings(port="/dev/pretend", sense=sense, channels=channels, **scales))

    def settle() -> None:
        for _ in range(3 if scales else 0):  # scales are read ten times a second, and a weight must be at rest
            clock.skip(0.11)
            scanner.scan()

    def stand(channel: int, level: int) -> None:
        levels[channel] = scanner.sense.of(level) * (1000 if scales else 1)
        settle()

    def fail() -> None:
        board.plugged = False
        if wire:
            wire.unplug()

    def heal() -> None:
        if wire and not board.plugged:
            wire.plug()
        board.plugged = True
        clock.skip(6)
        settle()

    settle()
    return Rig(scanner, stand, fail, heal, wire.unplug if wire else lambda: None)


RIGS: dict[str, Callable[[], Rig]] = {
    "simulated presence": lambda: simulated(Sense.PRESENCE),
    "simulated colour": lambda: simulated(Sense.COLOUR),
    "simulated count": lambda: simulated(Sense.COUNT),
    "sick presence, later": lambda: sick(
        Sense.PRESENCE, Fault("stuck on", since=1.0), Fault("slow", count=0, since=2.0)
    ),
    "sick colour, at no rate": lambda: sick(Sense.COLOUR, Fault("misread", rate=1e-12), Fault("flicker", rate=1e-12)),
    "sick count, in vain": lambda: sick(Sense.COUNT, Fault("weak", time=0.0), Fault("bounce", time=0.0, count=0)),
    "matrix presence": lambda: wired("gpio_matrix", 64),
    "matrix colour": lambda: wired("gpio_matrix", 6, rows=(4, 17, 0), columns=(1, 5, 6, 13), sense="colour"),
    "registers by spi, presence": lambda: wired("shift_register", 64),
    "registers by spi, colour": lambda: wired("shift_register", 8, registers=2, sense="colour"),
    "registers by lines, presence": lambda: wired("shift_register", 8, over="lines", registers=1),
    "registers by lines, colour": lambda: wired("shift_register", 16, over="lines", registers=4, sense="colour"),
    "registers to the supply": lambda: wired("shift_register", 8, registers=1, active_low=False),
    "hall presence": lambda: wired("hall", 32, inputs=2, sense="presence", at_once=16),
    "hall colour": lambda: wired("hall", 16, inputs=1, dark="fall", at_once=16),
    "hall presence, a quarter at a time": lambda: wired("hall", 16, scans=4, inputs=1, sense="presence"),
    "hall colour, a half at a time": lambda: wired("hall", 32, scans=2, inputs=2, at_once=8),
    "multiplexers, presence": lambda: wired("multiplexer", 64),
    "multiplexers, colour": lambda: wired("multiplexer", 8, select=(4, 3, 2, 1), inputs=(26,), sense="colour"),
    "mcp23017, presence": lambda: wired("mcp23017", 70),
    "mcp23017, colour": lambda: wired("mcp23017", 16, addresses=(0x27, 0x20), inputs=16, sense="colour"),
    "pcf8575, presence": lambda: wired("pcf8575", 64),
    "pcf8575, colour": lambda: wired("pcf8575", 8, addresses=(0x25,), bus=0, sense="colour"),
    "board in memory, presence": lambda: told("presence", 64),
    "board in memory, colour": lambda: told("colour", 9),
    "board in memory, count": lambda: told("count", 20),
    "board on a terminal, presence": lambda: told("presence", 13, terminal=True),
    "board on a terminal, colour": lambda: told("colour", 64, terminal=True),
}
