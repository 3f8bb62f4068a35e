"""What a month does to the program: memory, open files and the time of a scan must stay as they are.

    make endure                                        a month of evenings, then 10,000 losses of the serial line
    python -m benchmarks.endurance --scans 300000 --losses 200

Prints the figures of each third of the time, and a verdict; the exit status is 1 when something has grown.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import active_count
from typing import NamedTuple

from tqdm import tqdm

from benchmarks.losses import Tethered
from benchmarks.month import Evenings
from firmware_bridge.daemon import SCAN_HZ, Daemon
from hardware.device import Sense

SCANS = 10_000_000
LOSSES = 10_000
WINDOW = 100_000
"""Scans of which the median time is taken."""
TURNS = 60
"""Turns of each game in an evening."""
MEMORY, OBJECTS, SLOWER = 1.5, 0.01, 1.25
"""What may be more at the end: MB, the share of all objects, and the scan's time by this factor."""


class State(NamedTuple):
    """What the process holds: MB in memory, objects under the garbage collector, open files, threads."""

    memory: float
    objects: int
    files: int
    threads: int


def handles() -> int:
    """How many files this process has open."""
    return len(os.listdir("/proc/self/fd"))


def state() -> State:
    """That of this process, now, without what is garbage already."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return State(memory, len(gc.get_objects()), handles(), active_count())


class Times:
    """The median of each `WINDOW` of times, in microseconds."""

    def __init__(self, window: int = WINDOW) -> None:
        self.count = 0
        self.medians: list[float] = []
        self._window = array("q", bytes(8 * window))

    def add(self, nanoseconds: int) -> None:
        """One more time."""
        place = self.count % len(self._window)
        self._window[place] = nanoseconds
        self.count += 1
        if place == len(self._window) - 1:
            self.medians.append(median(self._window) / 1000)


# Verdicts -------------------------------------------------------------------------------------


def thirds(values: Sequence[float], of: Callable[[Sequence[float]], float]) -> tuple[float, float, float]:
    """The median or the most of each third of the values, after a first third of all in which memory finds its level.

    In the first evening of each table what it remembers of positions fills up; and what Python has freed goes back to
    the system in whole arenas only.
    """
    steady = values[len(values) // 3 :] if len(values) > 4 else values
    third = max(1, len(steady) // 3)
    return of(steady[:third]), of(steady[third : -third or None] or steady), of(steady[-third:])


def judged(
    name: str,
    values: Sequence[float],
    allowed: Callable[[float], float],
    of: Callable[[Sequence[float]], float] = max,
) -> bool:
    """Print the thirds of `values`, and say whether the last one is within what is allowed after the first.

    The most of each tells: what is held for a while comes and goes between evenings, what is lost for good lifts it.
    """
    first, middle, last = thirds(values, of)
    grown = last > allowed(first)
    print(f"  {name:34} {first:12.2f} {middle:12.2f} {last:12.2f}   {'GROWN' if grown else 'flat'}")
    return not grown


def verdict(states: Sequence[State], scans: Sequence[float] = ()) -> bool:
    """Print all figures by thirds; whether nothing has grown."""
    print(f"  {'':34} {'first third':>12} {'second':>12} {'last':>12}")
    flat = [
        judged("memory, MB", [each.memory for each in states], lambda first: first + MEMORY),
        judged("objects", [each.objects for each in states], lambda first: first * (1 + OBJECTS)),
        judged("open files", [each.files for each in states], lambda first: first),
        judged("threads", [each.threads for each in states], lambda first: first),
    ]
    if scans:
        flat.append(judged("a scan, us, median of 100,000", scans, lambda first: first * SLOWER, median))
    return all(flat)


# What is done ---------------------------------------------------------------------------------


def month(scans: int, turns: int = TURNS) -> bool:
    """Evenings at three tables until there were so many scans; whether everything stayed flat."""
    times, done, states = Times(), Counter[str](), list[State]()
    with TemporaryDirectory() as name, tqdm(total=scans, desc="month", unit="scan", unit_scale=True) as progress:
        tables = [Evenings(sense, folder(name, sense), times.add, done) for sense in Sense]
        while times.count < scans or len(states) < 2 * len(tables):
            tables[len(states) % len(tables)].simulation(turns)
            states.append(state())
            progress.update(times.count - progress.n)
        for table in tables:
            table.close()
    print(f"{len(states)} evenings, {times.count} scans, {times.count / SCAN_HZ / 3600:.1f} hours of play")
    print("  " + ", ".join(f"{what}: {count}" for what, count in done.items()), flush=True)
    return verdict(states, times.medians)


def folder(name: str, sense: Sense) -> Path:
    """Where the records of the table with this sense go."""
    path = Path(name) / sense.value
    path.mkdir()
    return path


def losses(count: int) -> bool:
    """A game at a board whose line is lost so often; whether everything stayed flat, and each time came back right."""
    states = list[State]()
    with TemporaryDirectory() as name:
        table = Tethered(Path(name))
        for number in tqdm(range(1, count + 1), desc="losses", unit="loss"):
            table.lose(number)
            if table.rounds > len(states):
                states.append(state())
        print(
            f"{table.losses} losses of the line, {table.turns} turns between them; each time all was right again",
            flush=True,
        )
        table.close()
    return verdict(states or [state()])


def main() -> None:
    """Do both, and say whether anything has grown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scans", type=int, default=SCANS, help=f"scans of the month (default {SCANS})")
    parser.add_argument("--losses", type=int, default=LOSSES, help=f"losses of the serial line (default {LOSSES})")
    wanted = parser.parse_args()
    Daemon.warm_up()
    flat = [wanted.scans == 0 or month(wanted.scans), wanted.losses == 0 or losses(wanted.losses)]
    print("Nothing has grown." if all(flat) else "Something has grown: see above.")
    sys.exit(not all(flat))


if __name__ == "__main__":
    main()
