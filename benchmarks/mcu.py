"""The whole path at a micro-controller: a contact closes, the table understands, the lights have the new picture.

    make bench        (with avr-gcc and simavr; in real time, over a pseudo terminal, the firmware on an emulated chip)

In a game of Zong-Heng a stone is lifted and put back, again and again, at no particular moment of the loop.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

sys.path += [str(Path(__file__).parents[1] / "tests" / folder) for folder in ("firmware", "bridge", "hardware")]

from chip import build, missing
from test_mcu_evening import Controlled, RealTime, at_port
from test_mcu_games import Wired
from test_mcu_pty import running
from test_serial_games import described

from firmware_bridge.daemon import SCAN_HZ, Daemon
from firmware_bridge.sheet import Sheet
from games.rules import load
from hardware.board import read_board

DEBOUNCE_MS = 5
ALLOWED_MS = 12
"""What half of the changes may take, debouncing included."""


class Moments(NamedTuple):
    """Seconds of the clock: the contact, the program's knowing, the picture's leaving, its acknowledgement."""

    moved: float
    known: float
    left: float
    shown: float


class Watched:
    """Follows one change through an evening whose scanner and lights are listened to."""

    def __init__(self, evening: RealTime) -> None:
        self._evening = evening
        self._link = evening.bench.scanner._line.link
        self.known = self.left = 0.0
        self._listen()

    def _listen(self) -> None:
        scanner, lights = self._evening.daemon.scanner, self._evening.bench.lights
        scan, show = scanner.scan, lights.show

        def heard() -> Any:
            levels = scan()
            if levels is not self._levels:
                self._levels, self.known = levels, time.monotonic()
            return levels

        def sent(picture: Any) -> None:
            self.left = time.monotonic()
            show(picture)

        self._levels: Any = None
        scanner.scan, lights.show = heard, sent

    def cycle(self) -> None:
        """One turn of the loop, as `tablelight run` has it."""
        due = time.monotonic() + 1 / SCAN_HZ
        self._evening.daemon.cycle(time.monotonic())
        self._evening.bench.scanner.wait(max(0.0, due - time.monotonic()))

    def follow(self, site: str, level: int) -> Moments:
        """Lay `level` on `site`; all is done when a picture that left after it was known is acknowledged."""
        self.known = self.left = 0.0
        moved = time.monotonic()
        self._evening.board.lay([(site, level)])
        while not (self.known and self.left > self.known and self._link.shown):
            self.cycle()
        return Moments(moved, self.known, self.left, time.monotonic())


def measure(evening: RealTime, changes: int) -> list[Moments]:
    """That many changes of one stone, at random moments."""
    chance, watched = random.Random(1), Watched(evening)
    found = []
    for number in range(changes + 4):
        pause = time.monotonic() + chance.uniform(0.3, 0.4)
        while time.monotonic() < pause:
            watched.cycle()
        moments = watched.follow("c3", number % 2)
        found.append(moments)
    return found[4:]


def at(values: list[float], share: float) -> float:
    """The value below which `share` of all lie."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(found: list[Moments]) -> None:
    """Print the figures."""
    stages = {
        "contact to program (5 ms of it debouncing)": [m.known - m.moved for m in found],
        "program: verdict, scene, picture": [m.left - m.known for m in found],
        "picture to acknowledgement": [m.shown - m.left for m in found],
    }
    whole = [1000 * (m.shown - m.moved) for m in found]
    print(
        f"contact -> picture acknowledged, {len(found)} changes at 1 Mbaud, milliseconds       median     p99   share"
    )
    for name, seconds in stages.items():
        ms = [1000 * value for value in seconds]
        print(f"  {name:60} {at(ms, 0.5):12.2f} {at(ms, 0.99):7.2f} {sum(ms) / sum(whole):6.0%}")
    median = at(whole, 0.5)
    print(f"  {'the whole path':60} {median:12.2f} {at(whole, 0.99):7.2f}")
    print(
        f"  {'under' if median < ALLOWED_MS else 'NOT under'} {ALLOWED_MS} ms, {DEBOUNCE_MS} ms of debouncing included"
    )


def main() -> None:
    """Build, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", type=int, default=200, help="changes that are measured (200)")
    changes = parser.parse_args().changes
    if missing():
        print(f"The path at a micro-controller is not measured: {missing()}")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder)
        with running(folder, folder) as (link, control), closing(Controlled(control)) as chip:
            described("presence", folder)
            text = (folder / "board.toml").read_text()
            (folder / "board.toml").write_text(text.replace("/dev/tablelight", str(link)))
            board = read_board(folder / "board.toml")
            with at_port(Sheet(load("zong-heng")), board, Wired(board, chip, False), None) as evening:
                Daemon.warm_up()
                report(measure(evening, changes))


if __name__ == "__main__":
    main()
