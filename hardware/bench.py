"""A board with its devices open: the real ones, or its own drivers over wiring and lights that are simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from time import monotonic, sleep
from typing import Any

from hardware.backends import needed
from hardware.board import Board
from hardware.device import Buzzer, DeviceError, Keys, Lights, Scanner, Sense, Waking
from hardware.simulation.table import SimulatedButtons, SimulatedTable


@dataclass(frozen=True, slots=True)
class Bench:
    """The devices of a board; `release` is what there is to release besides."""

    board: Board
    scanner: Scanner
    lights: Lights
    keys: Keys
    buzzer: Buzzer | None = None
    release: ExitStack = field(default_factory=ExitStack)

    def wait(self, seconds: float) -> None:
        """Until the scanner has news, where it can tell, or for `seconds`."""
        if isinstance(self.scanner, Waking):
            self.scanner.wait(seconds)
        else:
            sleep(seconds)

    def close(self) -> None:
        """Lights dark, devices released; a second call does nothing."""
        with suppress(DeviceError):  # lights that fail cannot be helped
            self.lights.close()
        self.scanner.close()
        self.keys.close()
        if self.buzzer:
            self.buzzer.close()
        self.release.close()


def open_bench(board: Board, lights: Lights | None = None) -> Bench:
    """Open what the board file names, but `lights` where given; after a DeviceError nothing is open."""
    with ExitStack() as opened:
        scanner = board.open_scanner()
        opened.callback(scanner.close)
        keys = open_keys(board, scanner)
        opened.callback(keys.close)
        buzzer = open_buzzer(board)
        if buzzer:
            opened.callback(buzzer.close)
        bench = Bench(board, scanner, lights or board.open_lights(), keys, buzzer)
        opened.pop_all()
        return bench


def open_keys(board: Board, scanner: Any = None) -> Keys:
    """The buttons of the board, which may be those of its `scanner`."""
    keys: Keys
    if board.buttons.on == "board":
        keys = scanner.keys
        return keys
    if not board.buttons.pins():
        return SimulatedButtons()
    keys = needed("hardware.buttons", "a board with buttons").GpioButtons(board.buttons)
    return keys


def open_buzzer(board: Board) -> Buzzer | None:
    """The buzzer of the board, if it has one."""
    if board.buzzer is None:
        return None
    buzzer: Buzzer = needed("hardware.buzzer", "a board with a buzzer").GpioBuzzer(board.buzzer)
    return buzzer


class FakeTable(SimulatedTable):
    """Pieces on the points of `board`, with its own scanner and buttons wired to them by `fakegpio`.

    Faults are made on `wiring`; `clock` tells the time in seconds, for contacts that bounce.
    """

    def __init__(self, board: Board, clock: Callable[[], float] = monotonic) -> None:
        fakegpio = needed("hardware.fakegpio", "--fake-gpio")
        self._contacts = [0] * board.scanner.settings.channels
        self.wiring = fakegpio.open_fake(board.scanner.kind, board.scanner.settings, self._contacts, clock=clock)
        super().__init__(
            tuple(board.places),
            Sense.COLOUR,
            board.places,
            length=board.length,
            wiring=board.channels,
            pixels=board.pixels,
        )

    def lay(self, levels: Iterable[tuple[str, int]]) -> None:
        """Make these sites hold these levels; to the switches a heap of seeds is but a piece."""
        super().lay(levels)
        self._contacts[: self.channels] = [min(self.sensed(channel), 2) for channel in range(self.channels)]

    @property
    def sighted(self) -> bool:
        """Whether the cable is plugged in."""
        return not self.wiring.cut

    @sighted.setter
    def sighted(self, sighted: bool) -> None:
        self.wiring.cut = not sighted


def open_fake_bench(board: Board, clock: Callable[[], float] = monotonic) -> tuple[Bench, FakeTable]:
    """The board's own scanner and buttons over wiring that is simulated, and the table with its pieces and lights."""
    table = FakeTable(board, clock)
    with ExitStack() as opened:
        opened.callback(table.wiring.close)
        bench = open_bench(board, table)
        return replace(bench, release=opened.pop_all()), table
