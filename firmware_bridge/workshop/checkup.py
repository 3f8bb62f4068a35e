"""The course of `tablelight doctor`: the findings told, the sensors watched or shown live, the test pictures shown."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress

from firmware_bridge.config import Config
from firmware_bridge.workshop.doctor import Finding, examine
from firmware_bridge.workshop.inspection import Watch, changes, live, shots
from firmware_bridge.workshop.machine import Machine
from firmware_bridge.workshop.mapping import analogue
from firmware_bridge.workshop.pinout import check_pins, check_supply
from hardware.board import Board, find_board, read_board
from hardware.device import DeviceError, Levels, Scanner
from hardware.settings import SettingsError

LIVE_HZ = 30
Sleep = Callable[[float], None]
BOARD = "--live and --lights need a board file that can be read"


def examine_table(name: str, machine: Machine, *, named: bool, seconds: float, show: str) -> int:
    """Look at all there is and then `show`: ``json``, ``live``, ``lights`` or nothing; 1 if there is a fault, else 0.

    The board that nobody has `named` is left out where there is no Pi.
    """
    board, read = look_at_file(name) if named or machine.model else (None, [])
    told = Told(show != "json")
    told.add([*examine(machine, board), *read])
    if board:
        told.add([*check_pins(machine, board), *check_supply(board)])
        told.add(watched(board, seconds, aloud=show != "json"))
    if show == "json":
        print(json.dumps({"ok": not told.faults, "findings": [finding._asdict() for finding in told.all]}, indent=2))
    elif show and not board:
        raise SettingsError(f"{BOARD}: name one with --board")
    elif board and show:
        told.add((show_live if show == "live" else show_lights)(board))
    return int(told.faults > 0)


def is_named(board: str | None, name: str) -> bool:
    """Whether the command line or the configuration names a board."""
    return bool(board) or name != Config().table.board


class Told:
    """The findings so far, printed as they come unless it is to be quiet."""

    def __init__(self, aloud: bool) -> None:
        self.all: list[Finding] = []
        self._aloud = aloud

    def add(self, findings: Iterable[Finding]) -> None:
        """Add some more."""
        for finding in findings:
            self.all.append(finding)
            if self._aloud:
                print(f"{finding.grade:7} {finding.about:10} {finding.say}", flush=True)

    @property
    def faults(self) -> int:
        """The number of faults."""
        return sum(finding.grade == "fault" for finding in self.all)


def look_at_file(name: str) -> tuple[Board | None, list[Finding]]:
    """The board, if its file is as it should be, and what there is to say about it."""
    try:
        path = find_board(name)
        board = read_board(path)
    except SettingsError as error:
        return None, [Finding("fault", "board", f"{error}.")]
    masked = len(board.places) - len(board.channels)
    say = f"{path}: {board.title or 'no title'}, {len(board.places)} points, {masked} of them masked"
    return board, [Finding("ok", "board", f"{say}; scanner {board.scanner.kind}, lights {board.lights.kind}.")]


def watched(board: Board, seconds: float, *, aloud: bool) -> list[Finding]:
    """What the sensors show while nobody touches them."""
    if aloud:
        print(f"Watching the sensors for {seconds:g} s: clear the board and leave it alone.", file=sys.stderr)
    try:
        scanner = board.open_scanner()
    except DeviceError as error:
        return [Finding("fault", "sensors", f"{error}.")]
    watch = Watch(scanner.channels)
    with closing(scanner):
        begun = now = time.monotonic()
        while now - begun < seconds:
            levels = scanner.scan()
            watch.feed(levels, now, (later := time.monotonic()) - now, scanner.trouble)
            now = later
    return list(watch.findings({channel: point for point, channel in board.channels.items()}))


def show_lights(board: Board, sleep: Sleep = time.sleep) -> list[Finding]:
    """Show the test pictures within the power budget, and say what should be seen."""
    said = ""
    try:
        with closing(board.open_lights()) as lights, suppress(KeyboardInterrupt):
            strip = board.strip(lights, tuple(board.places))
            for shot in shots(tuple(board.places)):
                strip.show(shot.picture)
                if shot.say != said:
                    print(said := shot.say, flush=True)
                sleep(shot.lasts)
    except DeviceError as error:
        return [Finding("fault", "lights", f"{error}.")]
    say = "if order or corner differ, see [pixels] in the board file; if colours differ, see order in [lights]"
    return [Finding("ok", "lights", f"The strip took the pictures; {say}.")]


def show_live(board: Board, sleep: Sleep = time.sleep) -> list[Finding]:
    """Show every channel until Ctrl-C: the board redrawn on a terminal, else a line a change."""
    try:
        scanner = board.open_scanner()
    except DeviceError as error:
        return [Finding("fault", "sensors", f"{error}.")]
    with closing(scanner), suppress(KeyboardInterrupt):
        (redraw if sys.stdout.isatty() else print_changes)(board, scanner, sleep)
    return []


def redraw(board: Board, scanner: Scanner, sleep: Sleep) -> None:
    """Draw the board again, in place, whenever it has changed."""
    print("The board as its sensors show it: . empty, # a piece, ? cannot tell, - masked. Ctrl-C ends.")
    sensors = analogue(scanner)
    drawn: list[str] = []
    while True:
        lines = list(live(board, scanner.scan(), sensors.readings() if sensors else ()))
        if lines != drawn:
            print((f"\x1b[{len(drawn)}A\x1b[J" if drawn else "") + "\n".join(lines), flush=True)
            drawn = lines
        sleep(1 / LIVE_HZ)


def print_changes(board: Board, scanner: Scanner, sleep: Sleep) -> None:
    """Print each change of a channel, with the seconds since the beginning."""
    begun = time.monotonic()
    before: Levels = (0,) * scanner.channels
    while True:
        after = scanner.scan()
        for line in changes(board, before, after):
            print(f"{time.monotonic() - begun:8.2f} {line}", flush=True)
        before = after
        sleep(1 / LIVE_HZ)
