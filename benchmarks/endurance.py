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
from benchmarks.results import Growth, Losses, Month, Thirds, add_results_option, save
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
STEP = 3.0
"""MB that may be more if the last third has had hardly any of it.

Freed memory seldom goes back to the system, so one evening that needs more than all before lifts it for good: by
2.2 MB in a month that was followed. A leak lifts it in every third.
"""
AT_LOSSES = 0.025
"""The share of all objects that may be more at the end of the losses.

They end at any position, and what a reader knows of one are some thousand objects more or less. One object lost
for good with each loss of the line would be 4,444 more from the first to the last third: 3.3 %.
"""


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
    """That of this process, now, with the garbage that the daemon has not collected."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return State(memory, len(gc.get_objects()) + gc.get_freeze_count(), handles(), active_count())


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


def thirds(values: Sequence[float], of: Callable[[Sequence[float]], float]) -> Thirds:
    """The median or the most of each third of the values, after a first third of all in which memory finds its level.

    In the first evening of each table what it remembers of positions fills up; and what Python has freed goes back to
    the system in whole arenas only.
    """
    steady = values[len(values) // 3 :] if len(values) > 4 else values
    third = max(1, len(steady) // 3)
    return Thirds(of(steady[:third]), of(steady[third : -third or None] or steady), of(steady[-third:]))


def judged(name: str, values: Thirds, allowed: Callable[[float], float]) -> bool:
    """Print the thirds of a figure, and say whether the last one is within what is allowed after the first."""
    grown = values.last > allowed(values.first)
    figures = f"{values.first:12.2f} {values.second:12.2f} {values.last:12.2f}"
    print(f"  {name:34} {figures}   {'GROWN' if grown else 'flat'}")
    return not grown


def growth(states: Sequence[State], scans: Sequence[float] = ()) -> Growth:
    """All figures by thirds.

    The most of each tells: what is held for a while comes and goes between evenings, what is lost for good lifts it.
    """
    memory, objects, files, threads = (thirds([each[place] for each in states], max) for place in range(4))
    return Growth(memory, objects, files, threads, thirds(scans, median) if scans else None)


def allowed_mb(first: float, second: float) -> float:
    """The most memory in the last third: a leak of `MEMORY` from the first on would have half of it in the last."""
    return max(first + MEMORY, min(first + STEP, second + MEMORY / 3))


def verdict(grown: Growth, objects: float = OBJECTS) -> bool:
    """Print all figures by thirds; whether nothing has grown, objects by no more than this share."""
    print(f"  {'':34} {'first third':>12} {'second':>12} {'last':>12}")
    flat = [
        judged("memory, MB", grown.memory_mb, lambda first: allowed_mb(first, grown.memory_mb.second)),
        judged("objects", grown.objects, lambda first: first * (1 + objects)),
        judged("open files", grown.files, lambda first: first),
    ]
    if grown.threads:
        flat.append(judged("threads", grown.threads, lambda first: first))
    if grown.scan_us:
        flat.append(judged("a scan, us, median of 100,000", grown.scan_us, lambda first: first * SLOWER))
    return all(flat)


# What is done ---------------------------------------------------------------------------------


def month(scans: int, turns: int = TURNS) -> Month:
    """Evenings at three tables until there were so many scans."""
    times, done, states = Times(), Counter[str](), list[State]()
    with TemporaryDirectory() as name, tqdm(total=scans, desc="month", unit="scan", unit_scale=True) as progress:
        tables = [Evenings(sense, folder(name, sense), times.add, done) for sense in Sense]
        while times.count < scans or len(states) < 2 * len(tables):
            tables[len(states) % len(tables)].play_evening(turns)
            states.append(state())
            progress.update(times.count - progress.n)
        for table in tables:
            table.close()
    print(f"{len(states)} evenings, {times.count} scans, {times.count / SCAN_HZ / 3600:.1f} hours of play")
    print("  " + ", ".join(f"{what}: {count}" for what, count in done.items()), flush=True)
    return Month(len(states), times.count, dict(done), growth(states, times.medians))


def folder(name: str, sense: Sense) -> Path:
    """Where the records of the table with this sense go."""
    path = Path(name) / sense.value
    path.mkdir()
    return path


def losses(count: int) -> Losses:
    """A game at a board whose line is lost so often; each time it comes back right."""
    states = list[State]()
    with TemporaryDirectory() as name:
        table = Tethered(Path(name))
        for number in tqdm(range(1, count + 1), desc="losses", unit="loss"):
            table.lose(number)
            if table.rounds > len(states):
                states.append(state())
        print(
            f"{table.losses} losses of the line, {table.turns} turns between them, {table.asked} of them asked for; "
            "each time all was right again",
            flush=True,
        )
        figures = Losses(table.losses, table.turns, growth(states or [state()]), table.asked)
        table.close()
    return figures


def main() -> None:
    """Do both, save what was measured, and say whether anything has grown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scans", type=int, default=SCANS, help=f"scans of the month (default {SCANS})")
    parser.add_argument("--losses", type=int, default=LOSSES, help=f"losses of the serial line (default {LOSSES})")
    add_results_option(parser)
    wanted = parser.parse_args()
    Daemon.warm_up()
    flat = []
    if wanted.scans:
        kept = month(wanted.scans)
        flat.append(verdict(kept.growth))
        save("month", kept, wanted, seed="the sense")
    if wanted.losses:
        lost = losses(wanted.losses)
        flat.append(verdict(lost.growth, AT_LOSSES))
        save("losses", lost, wanted, seed=1)
    print("Nothing has grown." if all(flat) else "Something has grown: see above.")
    sys.exit(not all(flat))


if __name__ == "__main__":
    main()
