"""How long the program takes from a changed level at the scanner to the finished picture at the lights.

Debouncing is left out (its hold is 0); the record is kept in memory's place, for its thread never holds up a scan.
Also: a scan with nothing changed, and start-up and memory of the command.

    make bench
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.cells import Cell, cells, random_turns
from benchmarks.results import Latency, Scan, add_option, save, spread
from firmware_bridge.daemon import Daemon, collect_garbage
from firmware_bridge.events import Event
from firmware_bridge.reading import Debounce
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import load
from hardware.simulation.hands import STYLES

SLOWEST_PICTURE = 2.2
"""Milliseconds that 64 WS2812 take to be told one picture."""


class Timed(Simulation):
    """A simulated table that times each cycle, in milliseconds: those that saw a new frame, and the others."""

    def __init__(self, inner: Simulation) -> None:
        super().__init__(inner.daemon, inner.board)
        self.changed: list[float] = []
        self.idle: list[float] = []

    def step(self, now: float) -> list[Event]:
        before = self.board.scan()
        self.move(now)
        begun = time.perf_counter()
        events = self.daemon.cycle(now)
        spent = 1000 * (time.perf_counter() - begun)
        (self.idle if self.board.scan() is before else self.changed).append(spent)
        self.events += events
        return events


def measure(cell: Cell, games: int) -> Timed:
    """Whole random games, every cycle timed."""
    changed, idle = [], []
    Daemon.warm_up()
    for seed in range(games):
        simulation = Timed(
            open_simulation(ScoreSheet(load(cell.game), house_rule=False), cell.sense, debounce=Debounce(0))
        )
        style = list(STYLES.values())[seed % 3]
        for _, turn in zip(range(60), random_turns(simulation.table.game, seed), strict=False):
            simulation.take(turn, style)
        changed += simulation.changed
        idle += simulation.idle
        simulation.close()
        collect_garbage()
    simulation.changed, simulation.idle = changed, idle
    return simulation


def start_up() -> tuple[float, float]:
    """Seconds until `tablelight play` shows its board on a terminal, and its memory by then in MB."""
    ours, theirs = pty.openpty()
    begun = time.perf_counter()
    command = [sys.executable, "-m", "firmware_bridge", "play", "zong-heng", "--no-record"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | {"TERM": "xterm"})
    os.close(theirs)
    shown = b""
    while b"to play" not in shown:
        shown += os.read(ours, 4096)
    ready = time.perf_counter() - begun
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
    process.terminate()
    process.wait()
    return ready, int(peak[1]) / 1024 if peak else 0.0


def main() -> None:
    """Print the table and save it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=12, help="games a cell (default 12)")
    add_option(parser)
    wanted = parser.parse_args()
    rows = []
    print("milliseconds          level changed -> picture          nothing changed")
    print("game       sensed        median    p99   worst          median    p99")
    for cell in cells():
        timed = measure(cell, wanted.games)
        scan = Scan(cell.game, cell.sense.value, spread(timed.changed), spread(timed.idle))
        rows.append(scan)
        print(
            f"{cell.game:10} {cell.sense.value:10}",
            *(f"{ms:8.3f}" for ms in (scan.changed.median_ms, scan.changed.p99_ms, scan.changed.worst_ms)),
            "      ",
            *(f"{ms:7.3f}" for ms in (scan.idle.median_ms, scan.idle.p99_ms)),
        )
    print(f"for comparison: 64 WS2812 need {SLOWEST_PICTURE} ms to be told one picture")
    seconds, memory = start_up()
    print(f"tablelight play: its board is on the terminal after {seconds:.2f} s; {memory:.0f} MB resident at most")
    save("latency", Latency(rows, seconds, memory), wanted, seeds=f"0 to {wanted.games - 1}")


if __name__ == "__main__":
    main()
