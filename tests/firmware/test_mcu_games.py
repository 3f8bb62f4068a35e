"""Whole games with the firmware at the other end of the line, in lock step: as on the plain simulated table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.daemon import Daemon
from firmware_bridge.layout import lay_out, usable_sense
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.table import Table
from games.rules import load, names
from hardware.bench import open_bench
from hardware.board import Board
from hardware.device import Sense
from hardware.serial.port import SharedPort, share
from hardware.simulation.hands import STYLES
from hardware.simulation.table import Named, SimulatedTable
from tests.firmware.chip import Chip
from tests.hardware.pretend_board import Clock
from tests.simulation.test_serial_games import described, told

SEEDS = {"yin-yang": 28, "zhizhu": 132, "zig-zag": 54, "zong-heng": 0}
"""Random games that come to an end, and not after hundreds of turns."""
SEED, EMPTY = 4000, -1234
"""What a seed and an empty scale show; as `described` has it."""


class Emulated:
    """An open port to an emulated chip whose time is `clock`, in seconds; it runs when it is read."""

    def __init__(self, chip: Chip, clock: Clock) -> None:
        self._chip, self._clock = chip, clock
        self._since = clock()

    def read(self) -> bytes:
        """What the chip has said by now."""
        us = round((self._clock() - self._since) * 1e6)
        if us > 0:
            self._since += us / 1e6
            self._chip.tell("run", us)
        parts = self._chip.tell("bytes").split()
        return bytes(int(part.partition(":")[2], 16) for part in parts)

    def write(self, data: bytes) -> None:
        """Put bytes on its line."""
        self._chip.send(data)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._clock.skip(seconds)

    def close(self) -> None:
        """The cable stays where it is."""


class Wired(SimulatedTable):
    """Pieces over the contacts and the scales of an emulated chip."""

    def __init__(self, board: Board, chip: Chip, count: bool, bounce_us: int = 2000) -> None:
        super().__init__(tuple(board.places), Sense.COUNT, board.places, wiring=board.channels)
        self._chip, self._count, self._bounce_us = chip, count, bounce_us
        self._stood = [-1] * self.channels

    def lay(self, levels: object) -> None:
        """Move pieces; contacts bounce for `bounce_us`."""
        super().lay(levels)
        for channel, stood in enumerate(self._stood):
            level = self.sensed(channel) if self._count else min(self.sensed(channel), 1)
            if level != stood:
                self._stood[channel] = level
                self._feel(channel, level)

    def _feel(self, channel: int, level: int) -> None:
        if self._count:
            self._chip.tell("scale", channel, EMPTY + SEED * level)
        else:
            self._chip.put(channel, level, self._bounce_us)


def at_chip(sheet: ScoreSheet, board: Board, chip: Chip, record: Record) -> Simulation:
    """An evening at the real drivers, firmware and all."""
    seated: list[Simulation] = []
    clock = Clock()
    clock.follow = lambda: seated[0].now if seated else 0.0
    sense = Sense(board.scanner.settings.sense)
    pieces = Wired(board, chip, sense is Sense.COUNT)
    share(SharedPort(board.scanner.settings.port, 1_000_000, lambda: Emulated(chip, clock), clock))
    points = lay_out(sheet.game, board)
    named = Named(pieces, dict(zip(sheet.game.sites, points, strict=True)), sheet.game.places)
    named.lay(zip(sheet.game.sites, sheet.position.board, strict=True))
    bench = open_bench(board)
    seen = usable_sense(sheet.game, sense)
    sensors, strip = board.sensors(bench.scanner, points, seen), board.strip(bench.lights, points)
    seated.append(Simulation(Daemon(sensors, strip, Table(sheet, seen), record=record), named, bench=bench))
    return seated[0]


def played(simulation: Simulation, name: str, between: Callable[[int], None] = lambda _: None) -> None:
    """A whole random game."""
    style = STYLES["done" if simulation.table.game.pieces == "seeds" else "quick"]
    simulation.run(1.5)
    for number, turn in enumerate(random_turns(simulation.table.game, SEEDS[name])):
        simulation.take(turn, style)
        between(number)
    simulation.run(3.0)
    simulation.close()


def compare(name: str, sense: str, chip: Chip, folder: Path, between: Callable[[Simulation, int], None]) -> ScoreSheet:
    """The same game on the plain table and at the chip: both records tell the same."""
    board = described(sense, folder)
    sheets = [ScoreSheet(load(name), house_rule=False) for _ in range(2)]
    seen = usable_sense(sheets[0].game, Sense(sense))
    paths = [folder / "plain.table", folder / "chip.table"]
    plain, written = (Record(path, sheet, seen) for path, sheet in zip(paths, sheets, strict=True))
    played(open_simulation(sheets[0], seen, record=plain), name)
    simulation = at_chip(sheets[1], board, chip, written)
    played(simulation, name, lambda number: between(simulation, number))
    made = [turn.text for turn in random_turns(load(name), SEEDS[name])]
    assert [entry.turn.text for entry in sheets[1].played_turns if entry.turn.text != "pass"] == made
    assert told(paths[1]) == told(paths[0])
    assert sheets[1].outcome == sheets[0].outcome is not None
    return sheets[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name == "zig-zag" else name for name in names()]
)
def test_a_whole_game_through_the_firmware(name: str, power_on: Callable[..., Chip], tmp_path: Path) -> None:
    with power_on() as chip:
        compare(name, "presence", chip, tmp_path, lambda *_: None)
        assert chip.tell("faults") == "0"
        assert set(chip.tell("picture")) == {"0"}
        chip.pictures()
        chip.run(3000)
        assert chip.pictures() == []  # it was told to rest


@pytest.mark.slow
@pytest.mark.long
def test_a_whole_game_of_counted_seeds(power_on: Callable[..., Chip], tmp_path: Path) -> None:
    with power_on("--pits", firmware="pits") as chip:
        compare("zig-zag", "count", chip, tmp_path, lambda *_: None)


@pytest.mark.slow
def test_resets_of_the_chip_in_mid_game_change_nothing(power_on: Callable[..., Chip], tmp_path: Path) -> None:
    kinds = ("brownout", "watchdog", "power", "pin")

    def reset(simulation: Simulation, number: int) -> None:
        chip.tell("reset", kinds[number % 4])
        simulation.run(1.5)

    with power_on() as chip:
        compare("yin-yang", "presence", chip, tmp_path, reset)
