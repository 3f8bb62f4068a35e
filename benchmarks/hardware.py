"""What sensors and lights cost: a scan of 64 sites, a picture of 66 lights, and the share of a core that it all takes.

    make bench

Operations on lines are counted while the drivers scan; what one costs on a Zero 2 W (40 to 80 us), and how much slower
that is than one core here (12 to 15 times), are estimates from what others have measured. Nothing here ran on a Pi.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from benchmarks.cells import random_turns
from benchmarks.results import Hardware, Scanner, add_results_option, save
from firmware_bridge.daemon import SCAN_HZ, Daemon
from firmware_bridge.lighting import PALETTES, paint
from firmware_bridge.lighting.output import PICTURE_HZ
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import load
from hardware import fakegpio
from hardware.backends import find
from hardware.device import Sense
from hardware.power import within
from hardware.simulation.hands import STYLES

SLOWER = (12, 15)
"""How many times slower a Zero 2 W is than one core here."""
OPERATION_US = (40, 80)
"""Microseconds of one operation on lines there."""
WIRE_US = 30
"""Microseconds on the wire for one light."""
PIXELS = 66
ALLOWED = 0.40
"""The share of one core that the loop may take there."""
SCANNERS: dict[str, tuple[str, dict[str, Any], int]] = {
    "gpio_matrix, groups of lgpio": ("gpio_matrix", {}, 16),
    "gpio_matrix, pin by pin": ("gpio_matrix", {}, 0),
    "shift_register, SPI": ("shift_register", {}, 4),
    "multiplexer": ("multiplexer", {}, 32),
    "shift_register, three lines": ("shift_register", {"over": "lines"}, 0),
}
"""The driver, its settings, and the operations of a scan on lgpio, as `tests/hardware/scanners_on_a_pi.py` counts
them; 0 where they are counted here."""


def timed(do: Callable[[], object], seconds: float = 0.5) -> float:
    """Microseconds of one call: the least of five runs."""
    calls = 1
    while (spent := run(do, calls)) < seconds / 5:
        calls *= 2
    return min(spent, *(run(do, calls) for _ in range(4))) / calls * 1e6


def run(do: Callable[[], object], calls: int) -> float:
    """Seconds of so many calls."""
    begun = time.perf_counter()
    for _ in range(calls):
        do()
    return time.perf_counter() - begun


@contextmanager
def wired(kind: str, given: dict[str, Any]) -> Iterator[tuple[Any, fakegpio.FakeBoard]]:
    """A scanner over simulated wiring, half of its 64 sites taken."""
    driver = find("scanners", kind)
    settings = driver.Settings(**given)
    with fakegpio.open_fake(kind, settings, [number % 2 for number in range(settings.channels)]) as board:
        scanner = driver(settings)
        yield scanner, board
        scanner.close()


def operations(scanner: Any, board: fakegpio.FakeBoard) -> int:
    """How often a scan at rest touches a line."""
    for _ in range(5):  # the wiring is examined after a change
        scanner.scan()
    board.trace = []
    scanner.scan()
    count, board.trace = len(board.trace), None
    return count


def scans() -> list[Scanner]:
    """What each scanner costs; prints a line for each."""
    found = []
    print("64 sites                       a scan here, simulated    operations    on a Zero 2 W    share at 100 Hz")
    for name, (kind, given, counted) in SCANNERS.items():
        with wired(kind, given) as (scanner, board):
            touched = counted or operations(scanner, board)
            here = timed(scanner.scan) if counted != 16 else None
        found.append(Scanner(name, touched, here))
        there = [touched * cost / 1000 for cost in OPERATION_US]
        share = [ms / 1000 * SCAN_HZ * 100 for ms in there]
        print(
            f"{name:30} {'-' if here is None else f'{here:.0f} us':>22}    {touched:10}    "
            f"{there[0]:4.1f} to {there[1]:4.1f} ms    {share[0]:4.0f} to {share[1]:3.0f} %"
        )
    return found


def pictures() -> dict[str, float]:
    """The microseconds here of each part of a picture's making; prints them."""
    simulation = open_simulation(ScoreSheet(load("zong-heng")), Sense.PRESENCE)
    simulation.run(0.2)
    sites, scene = simulation.table.game.sites, simulation.daemon.scene
    painted = [*paint(scene, sites, PALETTES["default"], 0.3, 0.5)]
    encode = find_encoder()
    figures = {
        "painting": timed(lambda: paint(scene, sites, PALETTES["default"], 0.3, 0.5)),
        "power budget": timed(lambda: within(painted, 2000)),
        "encoding for SPI": timed(lambda: encode(painted)),
    }
    whole = sum(figures.values())
    wire = PIXELS * WIRE_US
    print(f"\na picture of {PIXELS} lights: " + ", ".join(f"{name} {us:.0f} us" for name, us in figures.items()))
    print(
        f"on the wire {wire / 1000:.1f} ms; pictures a second at most: here {1e6 / (whole + wire):.0f}, "
        f"on a Zero 2 W {1e6 / (whole * SLOWER[1] + wire):.0f}; sent are {PICTURE_HZ}"
    )
    return figures


def find_encoder() -> Callable[[Any], bytes]:
    """The strip's own encoder."""
    from hardware.lights.ws2812_spi import encode

    return encode


class Counted(Simulation):
    """A simulation that adds up the time of its cycles."""

    spent = 0.0

    def step(self, now: float) -> list[Any]:
        """One cycle, timed."""
        self.move(now)
        begun = time.perf_counter()
        events = self.daemon.cycle(now)
        self.spent += time.perf_counter() - begun
        self.events += events
        return events


def loop(picture: float) -> tuple[float, tuple[float, float]]:
    """The share of a core that the loop takes in a game, and the least and the most that is on a Zero 2 W; prints them.

    `picture` is what one costs here, in microseconds.
    """
    inner = open_simulation(ScoreSheet(load("zong-heng"), house_rule=False), Sense.PRESENCE)
    simulation = Counted(inner.daemon, inner.board)
    Daemon.warm_up()
    for turn in islice(random_turns(simulation.table.game, 1), 24):
        simulation.take(turn, STYLES["finger"])
        simulation.run(2.0)
    here = simulation.spent / simulation.now
    matrix = [16 * cost / 1e6 * SCAN_HZ for cost in OPERATION_US]
    sending = PICTURE_HZ * (picture / 1e6)
    least, most = (here + sending) * SLOWER[0] + matrix[0], (here + sending) * SLOWER[1] + matrix[1]
    print(
        f"\nthe loop in a game of Zong-Heng at {SCAN_HZ} Hz: {here:.2%} of a core here without its devices; with\n"
        f"a matrix and {PICTURE_HZ} pictures a second on a Zero 2 W {least:.0%} to {most:.0%} of one core: "
        + ("under" if most < ALLOWED else "NOT under")
        + f" {ALLOWED:.0%}. While a picture is sent ({PIXELS * WIRE_US / 1000:.1f} ms) the loop waits."
    )
    return here, (least, most)


def main() -> None:
    """Print all figures and save them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_results_option(parser)
    wanted = parser.parse_args()
    scanners, costs = scans(), pictures()
    here, there = loop(sum(costs.values()))
    figures = Hardware(
        scanners,
        PIXELS,
        costs["painting"],
        costs["power budget"],
        costs["encoding for SPI"],
        wire_us=PIXELS * WIRE_US,
        scan_hz=SCAN_HZ,
        picture_hz=PICTURE_HZ,
        slower=SLOWER,
        operation_us=OPERATION_US,
        loop_here=here,
        loop_there=there,
    )
    save("hardware", figures, wanted, seed=1)


if __name__ == "__main__":
    main()
