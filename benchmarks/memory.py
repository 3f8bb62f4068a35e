"""What a table's processes hold together: the daemon, the page, the engine and what makes the report.

Each game is played by hands against the engine at its strongest, then given up, and its report is made, in a process
that has nothing else to do. What each process holds is its proportional set size, in which memory that several share is
shared out (`Pss` in the kernel's `smaps_rollup`); all are looked at once a second, and the moment counts at which they
hold most together. The daemon's has what this script needs in it.

    make memory
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import signal
import time
from collections.abc import Iterator
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from tqdm import tqdm

from benchmarks.helpers import Lost
from benchmarks.results import Held, Memory, add_results_option, save
from firmware_bridge.session.messages import End
from games.rules import names

MOST_MB = 200.0
"""What all may hold together."""
STRONGEST = 8
EVERY = 1.0
"""Seconds between two looks."""


def shares(pid: int) -> tuple[float, float]:
    """What a process holds, in MB: its proportional set size, and what it shares with no other; OSError."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = {key: int(kb) / 1024 for key, kb in re.findall(r"^(\w+):\s+(\d+) kB", told, re.MULTILINE)}
    return found.get("Pss", 0.0), found.get("Private_Clean", 0.0) + found.get("Private_Dirty", 0.0)


def held(pid: int | None) -> float:
    """The proportional set size of a process, in MB; 0 if there is none."""
    try:
        return shares(pid)[0] if pid else 0.0
    except OSError:  # it has just ended
        return 0.0


class Weighed(Lost):
    """A table at which nothing is lost, and all processes are looked at."""

    def __init__(self, folder: Path, game: str, turns: int) -> None:
        super().__init__(folder, 1, lambda _: None, game, (0, STRONGEST))
        self.playing = self.reporting_too = Held(game, 0.0, 0.0, 0.0, 0.0, 0.0)
        self._game, self._most, self._next_look = game, turns, 0.0

    def rounds(self) -> Iterator[str]:
        """A game, and its report."""
        for step in self.play(lambda: self.browser.answered and self.turns >= self._most):
            self.playing = self._look(self.playing)
            yield step
        self.obey(End(0), time.monotonic())
        self.browser.wants_report = True
        while not self.browser.has_report:
            self.reporting_too = self._look(self.reporting_too)
            yield "on"

    def _look(self, most: Held) -> Held:
        """What is held now, or `most` if that was more."""
        if (now := time.monotonic()) < self._next_look:
            return most
        self._next_look = now + EVERY
        pids = (os.getpid(), self.process("page"), self.process("engine"), self.reporting())
        each = [held(pid) for pid in pids]
        return max(most, Held(self._game, sum(each), *each), key=lambda held: held.all_mb)


def table(folder: str, game: str, turns: int, told: SimpleQueue[bytes]) -> None:
    """A process: one game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    weighed = Weighed(Path(folder), game, turns)
    weighed.run()
    told.put(msgspec.json.encode((weighed.playing, weighed.reporting_too)))


def main() -> None:
    """Print the figures and save them; the exit status tells whether they are small enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=8, help="turns of a game (default 8)")
    add_results_option(parser)
    wanted = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    found = []
    for game in tqdm(names(), unit="game"):
        with TemporaryDirectory() as folder:
            told = spawn.SimpleQueue()
            process = spawn.Process(target=table, args=(folder, game, wanted.turns, told))
            process.start()
            process.join()
            if process.exitcode:
                raise SystemExit(f"{game}: its table has failed")
            found.append(msgspec.json.decode(told.get(), type=tuple[Held, Held]))
    memory = Memory([playing for playing, _ in found], [reporting for _, reporting in found])
    for what, rows in (("playing", memory.playing), ("reporting", memory.reporting)):
        for row in rows:
            print(
                f"{row.game:10} {what:10} {row.all_mb:6.0f} MB: daemon {row.daemon_mb:.0f}, page {row.page_mb:.0f}",
                end="",
            )
            print(f", engine {row.engine_mb:.0f}, report {row.report_mb:.0f}")
    save("memory", memory, wanted, seed=1)
    raise SystemExit(any(row.all_mb > MOST_MB for row in (*memory.playing, *memory.reporting)))


if __name__ == "__main__":
    main()
