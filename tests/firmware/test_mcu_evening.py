"""Whole games over a real serial port with the firmware at its end, in real time: as on the plain simulated table."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.layout import lay_out, usable_sense
from firmware_bridge.reading import Debounce
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.table import Table
from games.rules import load, names
from hardware.bench import open_bench
from hardware.board import Board, read_board
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Style
from hardware.simulation.table import Named
from tests.firmware.test_mcu_games import SEEDS, Wired
from tests.firmware.test_mcu_pty import running
from tests.simulation.test_serial_games import described, told


class Controlled:
    """The table around a chip that runs by itself."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))
        self._answers = self._socket.makefile("r")

    def tell(self, *words: object) -> str:
        """One command and its answer."""
        self._socket.sendall((" ".join(map(str, words)) + "\n").encode())
        return self._answers.readline().rstrip("\n")

    def put(self, channel: int, level: int, bounce_us: int = 0) -> None:
        """A piece comes or goes."""
        self.tell("close" if level else "open", channel // 8, channel % 8, bounce_us)

    def close(self) -> None:
        """Leave it alone."""
        self._answers.close()
        self._socket.close()


class RealTime(Simulation):
    """An evening whose time is the clock's; it waits for the board as the program does."""

    begun = 0.0

    def step(self, now: float) -> list[Event]:
        """The next cycle, when it is time."""
        self.begun = self.begun or time.monotonic() - now
        while (left := self.begun + now - time.monotonic()) > 0:
            self.bench.scanner.wait(left)
        return super().step(now)


@contextmanager
def at_port(sheet: ScoreSheet, board: Board, pieces: Wired, record: Record | None) -> Iterator[RealTime]:
    """An evening at the real drivers and a real port."""
    sense = Sense(board.scanner.settings.sense)
    points = lay_out(sheet.game, board)
    named = Named(pieces, dict(zip(sheet.game.sites, points, strict=True)), sheet.game.places)
    named.lay(zip(sheet.game.sites, sheet.position.board, strict=True))
    bench = open_bench(board)
    seen = usable_sense(sheet.game, sense)
    sensors, strip = board.sensors(bench.scanner, points, seen), board.strip(bench.lights, points)
    simulation = RealTime(
        Daemon(sensors, strip, Table(sheet, seen), debounce=Debounce(0), record=record), named, bench=bench
    )
    yield simulation
    simulation.close()


@pytest.mark.long
@pytest.mark.parametrize("name", names())
def test_a_whole_game_over_a_real_port(name: str, built: Path, tmp_path: Path) -> None:
    sense = "presence"
    described(sense, tmp_path)
    text = (tmp_path / "board.toml").read_text()
    style = Style(pace=0.12, gap=0.04, done=True) if load(name).pieces == "seeds" else STYLES["quick"]
    sheets = [ScoreSheet(load(name), house_rule=False) for _ in range(2)]
    paths = [tmp_path / "plain.table", tmp_path / "chip.table"]
    plain, written = (Record(path, sheet, Sense(sense)) for path, sheet in zip(paths, sheets, strict=True))
    with running(built, tmp_path) as (link, control), closing(Controlled(control)) as chip:
        (tmp_path / "board.toml").write_text(text.replace("/dev/tablelight", str(link)))
        board = read_board(tmp_path / "board.toml")
        with at_port(sheets[1], board, Wired(board, chip, False), written) as simulation:
            play(simulation, name, style)
    simulation = open_simulation(sheets[0], Sense(sense), record=plain)
    play(simulation, name, style)
    simulation.close()
    assert told(paths[1]) == told(paths[0])
    assert sheets[1].outcome == sheets[0].outcome is not None


def play(simulation: Simulation, name: str, style: Style) -> None:
    """A whole random game."""
    simulation.run(1.5)
    for turn in random_turns(simulation.table.game, SEEDS[name]):
        simulation.take(turn, style)
    simulation.run(2.0)
