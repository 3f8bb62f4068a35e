"""The command line of `tablelight wire` and `tablelight doctor`; what they need is loaded when they are called."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.config import read_config
from hardware.board import boards

Do = Callable[[argparse.Namespace], int]


def register(command: Callable[[str, Do, str], argparse.ArgumentParser]) -> None:
    """Add both commands by `command`, which takes a name, what does it, and a sentence on it."""
    wire = command("wire", do_wire, "find out which channel reads which point, by putting a piece on each")
    _board(wire)
    wire.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the board file to FILE (the board's own)"
    )
    wire.add_argument("--force", action="store_true", help="write to FILE although it exists; it is kept as FILE.old")
    wire.add_argument("--masked", action="store_true", help="ask only for the points that are masked, once mended")
    wire.add_argument("--patience", type=seconds, default=10.0, metavar="N", help="how long a piece is carried (10)")
    doctor = command("doctor", do_doctor, "look at the computer, the board file, the sensors and the lights")
    _board(doctor)
    doctor.add_argument(
        "--seconds", type=seconds, default=5.0, metavar="N", help="how long the sensors are watched (5)"
    )
    how = doctor.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print the findings as JSON")
    how.add_argument("--live", action="store_true", help="show the level of every channel until Ctrl-C")
    how.add_argument("--lights", action="store_true", help="show a test picture: corner, order, colours")


def _board(into: argparse.ArgumentParser) -> None:
    into.add_argument("--board", metavar="NAME|FILE", help=f"the board: {', '.join(boards())}, or a file of yours")
    into.add_argument("--config", type=Path, metavar="FILE", help="read the configuration from FILE (TOML)")


def seconds(text: str) -> float:
    """A time for --patience and --seconds."""
    value = float(text)
    if not 0.5 <= value <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.5 and 3600")
    return value


def board_name(wanted: argparse.Namespace) -> str:
    """The board of the command line, else that of the configuration."""
    from firmware_bridge.seating import default_config

    return str(wanted.board) if wanted.board else read_config(wanted.config or default_config()).table.board


def do_wire(wanted: argparse.Namespace) -> int:
    """Find out a wiring."""
    from firmware_bridge.mapping import map_board

    return map_board(
        board_name(wanted), wanted.output, force=wanted.force, masked=wanted.masked, patience=wanted.patience
    )


def do_doctor(wanted: argparse.Namespace) -> int:
    """Look at everything."""
    from firmware_bridge.checkup import examine_table, is_named
    from firmware_bridge.machine import Machine

    name = board_name(wanted)
    show = "json" if wanted.json else "live" if wanted.live else "lights" if wanted.lights else ""
    named = is_named(wanted.board, name)
    return examine_table(name, Machine(), named=named, seconds=wanted.seconds, show=show)
