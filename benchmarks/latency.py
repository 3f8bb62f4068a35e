"""How long the program takes from a changed level at the scanner to the finished picture at the lights.

Debouncing is left out (its hold is 0); the record is kept in memory's place, for its thread never holds up a scan.
Figures are the processor time of the loop's thread. A virtual computer counts as such the time that its host takes
away, so the same games are played in three rounds, minutes apart: they are the same scan by scan, and each scan counts
with the least of its times. The worst by the clock, in which other programs of the computer have their part, stands
beside, from the calmest round.

Also: scans with nothing changed, those that go on weighing what has and the idle ones; boards of 12 x 12, with the part
of the worst scan that took most of it; how long the lights keep a turn back until its record is safe on a slow card,
and how soon they answer a hand, at the real pace; start-up and memory of the command.

    make bench
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest import mock

from benchmarks.cells import Cell, cells, random_turns
from benchmarks.results import Answer, Card, Large, Latency, Scan, Spread, add_results_option, save, spread
from firmware_bridge.daemon import Daemon, collect_garbage
from firmware_bridge.events import Event
from firmware_bridge.health import Stopwatch
from firmware_bridge.lighting import Cue
from firmware_bridge.reading import Debounce
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import load
from hardware.device import Sense
from hardware.simulation.hands import STYLES

ROUNDS = 3
"""How often the same games are played; a guess."""
LARGE = 12
"""Squares a side of the largest boards."""
SYNC = 0.03
"""Seconds that a slow card takes to have a line safe."""
RESTED = 0.5
"""Seconds without a change after which a piece that is lifted begins a turn; a guess."""
SLOWEST_PICTURE = 2.2
"""Milliseconds that 64 WS2812 take to be told one picture."""


class Timed(Simulation):
    """A simulated table that times each cycle, in milliseconds of processor time, and tells `times` of it."""

    def __init__(self, inner: Simulation, times: Times) -> None:
        super().__init__(inner.daemon, inner.board)
        self._times = times
        self._watch = self.daemon.stopwatch = Stopwatch(time.thread_time)

    def step(self, now: float) -> list[Event]:
        before = self.board.scan()
        self.move(now)
        clock, begun = time.perf_counter(), self._watch.begin(self._watch.now())
        events = self.daemon.cycle(now)
        spent = 1000 * (self._watch.now() - begun)
        if self.board.scan() is before:
            weighed = self.table.reader.weighed_at == now
            (self._times.weighing if weighed else self._times.idle).append(spent)
        else:
            self._watch.end()
            self._times.changed.append(spent)
            self._times.clock = max(self._times.clock, 1000 * (time.perf_counter() - clock))
        self.events += events
        return events

    @property
    def worst(self) -> dict[str, float]:
        """The parts of the worst cycle of this game that saw a new frame, in seconds."""
        return self._watch.worst(self._watch.now())


class Times:
    """Milliseconds of each cycle that saw a new frame, that went on weighing one, and of the others.

    And the worst of the first by the clock.
    """

    def __init__(self) -> None:
        self.changed: list[float] = []
        self.weighing: list[float] = []
        self.idle: list[float] = []
        self.clock = 0.0
        self.parts: dict[str, float] = {}
        """The parts of the worst one, in seconds."""

    @classmethod
    def least(cls, rounds: Sequence[Times]) -> Times:
        """What the same scans took where nothing held them up; ValueError if they were not the same."""
        best = cls()
        for name in ("changed", "weighing", "idle"):
            every = zip(*(getattr(each, name) for each in rounds), strict=True)
            setattr(best, name, [min(scan) for scan in every])
        calmest = min(rounds, key=lambda each: max(each.changed))
        best.clock, best.parts = calmest.clock, calmest.parts
        return best


def measure(every: Sequence[Cell], games: int, **options: int) -> list[Times]:
    """Whole random games of each cell, every cycle timed."""
    rounds = []
    for number in range(ROUNDS):
        rounds.append([])
        for cell in every:
            told = f"round {number + 1} of {ROUNDS}: {cell.game} by {cell.sense.value}"
            print(f"{told:50}", end="\r", file=sys.stderr, flush=True)
            rounds[-1].append(measure_once(cell, games, **options))
    return [Times.least(each) for each in zip(*rounds, strict=True)]


def measure_once(cell: Cell, games: int, **options: int) -> Times:
    """The games of one round."""
    times = Times()
    Daemon.warm_up()
    for seed in range(games):
        sheet = ScoreSheet(load(cell.game, **options), house_rule=False)
        simulation = Timed(open_simulation(sheet, cell.sense, debounce=Debounce(0)), times)
        style = list(STYLES.values())[seed % 3]
        for _, turn in zip(range(60), random_turns(simulation.table.game, seed), strict=False):
            simulation.take(turn, style)
        times.parts = max(times.parts, simulation.worst, key=lambda parts: sum(parts.values()))
        simulation.close()
        del simulation
        collect_garbage(dropped=True)
    return times


def told(times: Spread) -> str:
    """Median, the 99th percentile and the worst, in milliseconds."""
    return "".join(f"{ms:8.3f}" for ms in (times.median_ms, times.p99_ms, times.worst_ms))


def large(games: int) -> list[Large]:
    """Boards of `LARGE` x `LARGE` squares, of the games that have a size."""
    rows = []
    print(f"\n{LARGE} x {LARGE}: milliseconds, level changed -> picture, and the part of the worst that took most")
    every = [cell for cell in cells() if "size" in load(cell.game).chosen]
    for cell, times in zip(every, measure(every, games, size=LARGE), strict=True):
        part = max(times.parts, key=times.parts.__getitem__)
        changed, weighing = spread(times.changed), spread(times.weighing)
        row = Large(cell.game, cell.sense.value, LARGE, changed, part, 1000 * times.parts[part], weighing)
        rows.append(row)
        print(f"{cell.game:10} {cell.sense.value:10}{told(changed)}    {told(weighing)}   {part} {row.part_ms:.3f}")
    return rows


class Paced(Simulation):
    """A simulated table at the real pace, which notes how soon the lights answer, and what they keep back."""

    def __init__(self, inner: Simulation) -> None:
        super().__init__(inner.daemon, inner.board)
        self._begun = time.perf_counter()
        self.answers: list[float] = []
        """Milliseconds from the scan in which the first piece of a turn was gone to other lights."""
        self.kept_back: list[float] = []
        """Milliseconds from each scan that accepted a turn to the picture that says so."""
        self.scans: list[float] = []
        """Milliseconds of each scan, by the clock."""
        self._accepted = self._changed_at = 0.0
        self._touched: tuple[float, Mapping[str, Cue]] | None = None

    def run(self, seconds: float = 0.0) -> list[Event]:
        """Let time pass as it does at `tablelight run`: a scan comes when the daemon wants it, or is late."""
        seen, end = len(self.events), self.hands_free_at + seconds
        while self.now < end:
            self.step(max(self.daemon.due(self.now), time.perf_counter() - self._begun))
        return self.events[seen:]

    def step(self, now: float) -> list[Event]:
        time.sleep(max(0.0, self._begun + now - time.perf_counter()))
        before, lit = self.board.scan(), self.daemon.scene.cues
        self.move(now)
        begun = time.perf_counter()
        if self.board.scan() is not before:
            if now - self._changed_at > RESTED:
                self._touched = begun, lit
            self._changed_at = now
        events = self.daemon.cycle(now)
        ended = time.perf_counter()
        self.scans.append(1000 * (ended - begun))
        if self._touched and self.daemon.scene.cues != self._touched[1]:
            self.answers.append(1000 * (ended - self._touched[0]))
            self._touched = None
        if any(event.name in ("played", "amended") for event in events):
            self._accepted = begun
        if self._accepted and self.daemon.shown_at == now:
            self.kept_back.append(1000 * (ended - self._accepted))
            self._accepted = 0.0
        self.events += events
        return events


def slow_card(turns: int) -> list[Card]:
    """How long the lights keep a turn back until it is safe, on this computer's disk and on a slow card."""
    rows = []
    sync = os.fdatasync
    print("\nmilliseconds    turn accepted -> lights say so    longest scan by the clock")

    def slowly(file: int) -> None:
        time.sleep(SYNC)
        sync(file)

    for name, how in (("as it is", sync), (f"{1000 * SYNC:g} ms", slowly)):
        with tempfile.TemporaryDirectory() as folder, mock.patch("os.fdatasync", how):
            sheet = ScoreSheet(load("yin-yang"), house_rule=False)
            record = Record(Path(folder, "game.table"), sheet, Sense.COLOUR, background=True)
            simulation = Paced(open_simulation(sheet, Sense.COLOUR, record=record))
            for _, turn in zip(range(turns), random_turns(simulation.table.game, 0), strict=False):
                simulation.take(turn, STYLES["finger"])
            simulation.close()
        row = Card(name, spread(simulation.kept_back), max(simulation.scans))
        rows.append(row)
        print(f"sync {name:10}{told(row.kept_back)}    {row.scan_ms:8.3f}")
    return rows


def answers(turns: int) -> list[Answer]:
    """How soon the lights answer a hand that lifts the first piece of a turn, at the table's own pace."""
    rows = []
    print("\nmilliseconds        first piece of a turn lifted -> other lights")
    for cell in cells():
        sheet = ScoreSheet(load(cell.game), house_rule=False)
        simulation = Paced(open_simulation(sheet, cell.sense))
        for _, turn in zip(range(turns), random_turns(simulation.table.game, 0), strict=False):
            simulation.run(RESTED)
            simulation.take(turn, STYLES["finger"])
        simulation.close()
        rows.append(Answer(cell.game, cell.sense.value, spread(simulation.answers)))
        print(f"{cell.game:10} {cell.sense.value:10}{told(rows[-1].light)}")
    return rows


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
    add_results_option(parser)
    wanted = parser.parse_args()
    rows = []
    print("milliseconds           level changed -> picture                  weighing goes on           nothing to do")
    print(
        "game       sensed       median     p99   worst  by the clock   median     p99   worst   median     p99   worst"
    )
    for cell, timed in zip(cells(), measure(cells(), wanted.games), strict=True):
        changed, idle, weighing = (spread(each) for each in (timed.changed, timed.idle, timed.weighing))
        rows.append(Scan(cell.game, cell.sense.value, changed, idle, timed.clock, weighing))
        print(f"{cell.game:10} {cell.sense.value:9}{told(changed)}{timed.clock:9.3f}     {told(weighing)} {told(idle)}")
    larger = large(wanted.games)
    cards = slow_card(2 * wanted.games)
    soon = answers(2 * wanted.games)
    print(f"for comparison: 64 WS2812 need {SLOWEST_PICTURE} ms to be told one picture")
    seconds, memory = start_up()
    print(f"tablelight play: its board is on the terminal after {seconds:.2f} s; {memory:.0f} MB resident at most")
    save("latency", Latency(rows, seconds, memory, larger, cards, soon), wanted, seeds=f"0 to {wanted.games - 1}")


if __name__ == "__main__":
    main()
