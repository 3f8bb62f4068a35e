"""The commands for those who build a table; what they need is loaded when they are called."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.config import default_config, read_config
from games.rules import names
from hardware import backends
from hardware.board import boards, find_board, read_board

PITCH, NEAREST, FARTHEST = 50.0, 15.0, 100.0
"""mm between the centres of two squares of a sheet: the usual, the least and the most."""
Do = Callable[[argparse.Namespace], int]


def register(command: Callable[[str, Do, str], argparse.ArgumentParser]) -> None:
    """Add the commands by `command`, which takes a name, what does it, and a sentence on it."""
    _overlay(command("overlay", do_overlay, "draw the sheet of a game, to print and lay on a table of squares"))
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
    dark = command("dark", do_dark, "switch the lights of a board off")
    _board(dark)
    dark.add_argument("--lights", metavar="KIND", help=f"other lights: {', '.join(backends.names('lights'))}")


def _overlay(into: argparse.ArgumentParser) -> None:
    into.add_argument("game", metavar="GAME", help=", ".join(names()))
    into.add_argument("--pitch", type=pitch, default=PITCH, metavar="MM", help=f"from square to square ({PITCH:g} mm)")
    into.add_argument("--board", default="grid", metavar="NAME|FILE", help="the board it is laid on (grid)")
    into.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    into.add_argument(
        "--paper", choices=("A4", "A3", "A2", "letter", "none"), default="none",
        help="cut a PDF into pages of this size (none: the whole sheet is one page)",
    )  # fmt: skip
    into.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="FILE.svg or FILE.pdf")


def _board(into: argparse.ArgumentParser) -> None:
    into.add_argument("--board", metavar="NAME|FILE", help=f"the board: {', '.join(boards())}, or a file of yours")
    into.add_argument("--config", type=Path, metavar="FILE", help="read the configuration from FILE (TOML)")


def seconds(text: str) -> float:
    """A time for --patience and --seconds."""
    value = float(text)
    if not 0.5 <= value <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.5 and 3600")
    return value


def pitch(text: str) -> float:
    """A distance for --pitch."""
    value = float(text)
    if not NEAREST <= value <= FARTHEST:
        raise argparse.ArgumentTypeError(f"{text} is not between {NEAREST:g} and {FARTHEST:g} mm")
    return value


def board_name(wanted: argparse.Namespace) -> str:
    """The board of the command line, else that of the configuration."""
    return str(wanted.board) if wanted.board else read_config(wanted.config or default_config()).table.board


def do_wire(wanted: argparse.Namespace) -> int:
    """Find out a wiring."""
    from firmware_bridge.workshop.mapping import map_board

    return map_board(
        board_name(wanted), wanted.output, force=wanted.force, masked=wanted.masked, patience=wanted.patience
    )


def do_doctor(wanted: argparse.Namespace) -> int:
    """Look at everything."""
    from firmware_bridge.workshop.checkup import examine_table, is_named
    from firmware_bridge.workshop.machine import Machine

    name = board_name(wanted)
    show = "json" if wanted.json else "live" if wanted.live else "lights" if wanted.lights else ""
    named = is_named(wanted.board, name)
    return examine_table(name, Machine(), named=named, seconds=wanted.seconds, show=show)


def do_overlay(wanted: argparse.Namespace) -> int:
    """Draw a sheet."""
    from firmware_bridge.workshop import overlay

    return overlay.do_overlay(wanted)


def do_dark(wanted: argparse.Namespace) -> int:
    """Open the lights, which makes them dark, and close them; DeviceError if they cannot be opened."""
    board = read_board(find_board(board_name(wanted)), lights=wanted.lights or "")
    lights = board.open_lights()
    lights.close()
    print(f"The lights are dark: {lights.pixels} on {board.lights.kind}.")
    return 0
