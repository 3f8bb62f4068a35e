"""The whole path at a micro-controller: a contact closes, the table understands, the lights have the new picture.

    make bench        (with avr-gcc and simavr)

In a game of Zong-Heng a stone is lifted and put back, again and again, at no particular moment of the loop, in front
of the firmware on an emulated ATmega328P, at 1,000,000 baud.

The chip's time is emulated: its cycles at 16 MHz, its line bit by bit, its strip at the strip's own pace, however long
the emulator takes. The program's time is this computer's, by the clock, from one look at the port to the next: the chip
goes on for just as long. While the program waits at the port only the chip's time passes. What is left out: the
computer's side of the line (driver, USB adapter, waking up), and that this computer is faster than a Pi. A contact
closes cleanly in the first table; in the second it bounces for 2 ms first, which is no part of the path.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.results import Chip as Measurement
from benchmarks.results import Way, add_results_option, save, spread
from firmware_bridge.daemon import Daemon
from firmware_bridge.layout import lay_out, usable_sense
from firmware_bridge.reading import Debounce
from firmware_bridge.score import ScoreSheet
from firmware_bridge.table import Table
from games.rules import load
from hardware.bench import Bench, open_bench
from hardware.board import Board
from hardware.serial.port import SharedPort, share
from hardware.simulation.table import Named
from tests.firmware.chip import Chip, build, missing
from tests.firmware.test_mcu_games import Wired
from tests.simulation.test_serial_games import described

DEBOUNCE_MS = 5
ALLOWED_MS = 12
"""What half of the changes may take, debouncing included."""
BOUNCE_US = 2000


class Alongside:
    """An open port to an emulated chip that lives as long as the program works or waits, and no longer."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self._us = float(chip.tell("time"))
        self._left = perf_counter()

    def now(self) -> float:
        """Seconds since the chip was switched on."""
        return self._us / 1e6 + perf_counter() - self._left

    def read(self) -> bytes:
        """What the chip has said by now."""
        self.catch_up()
        said = bytes(int(part.partition(":")[2], 16) for part in self._chip.tell("bytes").split())
        self._left = perf_counter()
        return said

    def write(self, data: bytes) -> None:
        """Put bytes on its line."""
        self.catch_up()
        self._chip.send(data)
        self._left = perf_counter()

    def wait(self, seconds: float) -> None:
        """Let the chip go on until it says something, `seconds` at most."""
        self.catch_up()
        self._pass("listen", round(1e6 * seconds))

    def catch_up(self) -> None:
        """Let the chip live through what the program has worked."""
        self._pass("run", round(1e6 * (perf_counter() - self._left)))

    def _pass(self, *words: object) -> None:
        self._chip.tell(*words)
        self._us = float(self._chip.tell("time"))
        self._left = perf_counter()

    def close(self) -> None:
        """The cable stays where it is."""


class Moments(NamedTuple):
    """In seconds: the contact, the program's knowing, the picture's leaving, its acknowledgement."""

    moved: float
    known: float
    left: float
    shown: float


class Watched:
    """Follows one change through a game whose scanner and lights are listened to."""

    def __init__(self, daemon: Daemon, bench: Bench, stones: Named, wire: Alongside) -> None:
        self._daemon, self._bench, self._stones, self._wire = daemon, bench, stones, wire
        scanner: Any = bench.scanner
        self._link = scanner._port.conversation
        self._levels: Any = None
        self.known = self.left = self.shown = 0.0
        self._listen()

    def _listen(self) -> None:
        scanner: Any = self._daemon.scanner
        lights: Any = self._bench.lights
        scan, show = scanner.scan, lights.show

        def heard() -> Any:
            levels = scan()
            if levels is not self._levels:
                self._levels, self.known = levels, self._wire.now()
            self._look()
            return levels

        def sent(picture: Any) -> None:
            self.left = self._wire.now()
            show(picture)
            self._look()

        scanner.scan, lights.show = heard, sent

    def _look(self) -> None:
        """Whether a picture that left after the change was known is acknowledged by now."""
        if not self.shown and self.known and self.left > self.known and self._link.shown:
            self.shown = self._wire.now()

    def cycle(self) -> None:
        """One turn of the loop, as `tablelight run` has it."""
        begun = self._wire.now()
        self._daemon.cycle(begun)
        self._bench.wait(max(0.0, self._daemon.due(begun) - self._wire.now()))

    def close(self) -> None:
        """End the game."""
        self._daemon.close()
        self._bench.close()

    def idle(self, seconds: float) -> None:
        """Turn the loop for so long."""
        end = self._wire.now() + seconds
        while self._wire.now() < end:
            self.cycle()

    def follow(self, site: str, level: int) -> Moments:
        """Lay `level` on `site`, and turn the loop until the picture that tells of it is acknowledged."""
        self.known = self.left = self.shown = 0.0
        self._wire.catch_up()
        moved = self._wire.now()
        self._stones.lay([(site, level)])
        while not self.shown:
            self.cycle()
        return Moments(moved, self.known, self.left, self.shown)


def at_table(chip: Chip, folder: Path, bounce_us: int) -> Watched:
    """A game of Zong-Heng at the real drivers and the chip."""
    board, sheet, wire = described("presence", folder), ScoreSheet(load("zong-heng")), Alongside(chip)
    settings: Any = board.scanner.settings
    share(SharedPort(settings.port, 1_000_000, lambda: wire, wire.now))
    points = lay_out(sheet.game, board)
    pieces = Wired(board, chip, False, bounce_us)
    stones = Named(pieces, dict(zip(sheet.game.sites, points, strict=True)), sheet.game.places)
    stones.lay(zip(sheet.game.sites, sheet.position.board, strict=True))
    return Watched(*seated(board, sheet, points), stones, wire)


def seated(board: Board, sheet: ScoreSheet, points: Any) -> tuple[Daemon, Bench]:
    """The program at its end of the line."""
    bench = open_bench(board)
    seen = usable_sense(sheet.game, bench.scanner.sense)
    sensors, strip = board.sensors(bench.scanner, points, seen), board.strip(bench.lights, points)
    return Daemon(sensors, strip, Table(sheet, seen), debounce=Debounce(0)), bench


def measure(folder: Path, changes: int, bounce_us: int) -> list[Moments]:
    """That many changes of one stone, at random moments, after four that are not counted."""
    chance, found = random.Random(1), []
    with Chip(folder / "chip", folder / "matrix.elf") as chip:
        watched = at_table(chip, folder, bounce_us)
        Daemon.warm_up()
        for number in range(changes + 4):
            watched.idle(chance.uniform(0.3, 0.4))
            found.append(watched.follow("c3", number % 2))
        watched.close()
    return found[4:]


def way(found: list[Moments], contact: str) -> Way:
    """The figures of contacts that close in this way."""
    return Way(
        contact,
        len(found),
        known=spread([1000 * (m.known - m.moved) for m in found]),
        program=spread([1000 * (m.left - m.known) for m in found]),
        picture=spread([1000 * (m.shown - m.left) for m in found]),
        whole=spread([1000 * (m.shown - m.moved) for m in found]),
    )


def report(way: Way) -> None:
    """Print them."""
    title = f"{way.contact} -> picture acknowledged, {way.changes} changes at 1 Mbaud, ms"
    print(f"{title:74}     median     p99")
    stages = {
        f"contact to program ({DEBOUNCE_MS} ms of it debouncing)": way.known,
        "program: verdict, scene, picture": way.program,
        "picture to acknowledgement": way.picture,
        "the whole path": way.whole,
    }
    for name, times in stages.items():
        print(f"  {name:60} {times.median_ms:22.2f} {times.p99_ms:7.2f}")


def main() -> None:
    """Build, play, print, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", type=int, default=200, help="changes that are measured (200)")
    add_results_option(parser)
    wanted = parser.parse_args()
    if missing():
        print(f"The path at a micro-controller is not measured: {missing()}")
        return
    with tempfile.TemporaryDirectory() as name:
        build(Path(name))
        clean = way(measure(Path(name), wanted.changes, 0), "a contact closes")
        report(clean)
        under = clean.whole.median_ms is not None and clean.whole.median_ms < ALLOWED_MS
        print(f"  {'under' if under else 'NOT under'} {ALLOWED_MS} ms, {DEBOUNCE_MS} ms of debouncing included")
        bounced = way(measure(Path(name), wanted.changes, BOUNCE_US), "a contact bounces for 2 ms and closes")
        report(bounced)
    save("mcu", Measurement(DEBOUNCE_MS, [clean, bounced]), wanted, seed=1)


if __name__ == "__main__":
    main()
