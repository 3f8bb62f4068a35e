"""The commands for those who build a table; what they need is loaded when they are called."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.cli.help import listed, within
from firmware_bridge.config import default_config, read_config
from firmware_bridge.i18n.catalogue import system_words
from firmware_bridge.lighting.output import PALETTES
from firmware_bridge.lighting.scene import MODES
from games.rules import Reason, names, say
from hardware import backends
from hardware.board import boards, find_board, read_board

PITCH, NEAREST, FARTHEST = 50.0, 15.0, 100.0
"""mm between the centres of two squares of a sheet: the usual, the least and the most."""
Do = Callable[[argparse.Namespace], int]
Command = Callable[[str, Do], argparse.ArgumentParser]


def register(command: Command) -> None:
    """Add the commands by `command`, which takes a name and what does it."""
    _overlay(command("overlay", do_overlay))
    _picture(command("picture", do_picture))
    _wire(command("wire", do_wire))
    _doctor(command("doctor", do_doctor))
    dark = command("dark", do_dark)
    _board(dark)
    dark.add_argument("--lights", metavar="KIND", help=listed("help.lights", backends.names("lights")))


def _wire(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    _board(into)
    into.add_argument("-o", "--output", type=Path, metavar="FILE", help=tell("help.output"))
    into.add_argument("--force", action="store_true", help=tell("help.force"))
    into.add_argument("--masked", action="store_true", help=tell("help.masked"))
    into.add_argument("--patience", type=seconds, default=10.0, metavar="N", help=tell("help.patience"))


def _doctor(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    _board(into)
    into.add_argument("--seconds", type=seconds, default=5.0, metavar="N", help=tell("help.seconds"))
    how = into.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help=tell("help.findings"))
    how.add_argument("--live", action="store_true", help=tell("help.live"))
    how.add_argument("--lights", action="store_true", help=tell("help.picture"))


def _overlay(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    usual = system_words().say(Reason.of("help.pitch", pitch=f"{PITCH:g}"))
    into.add_argument("game", metavar="GAME", help=", ".join(names()))
    into.add_argument("--pitch", type=pitch, default=PITCH, metavar="MM", help=usual)
    into.add_argument("--board", default="grid", metavar="NAME|FILE", help=tell("help.laid-on"))
    into.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=tell("help.option"))
    papers = ("A4", "A3", "A2", "letter", "none")
    into.add_argument("--paper", choices=papers, default="none", help=tell("help.paper"))
    into.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=tell("help.sheet"))


def _picture(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    into.add_argument("file", type=Path, metavar="RECORD", help=tell("help.drawn-record"))
    into.add_argument("--turn", type=int, metavar="N", help=tell("help.drawn-turn"))
    into.add_argument("--lights", choices=(*MODES, "none"), default="coach", help=tell("help.mode"))
    into.add_argument("--palette", choices=tuple(PALETTES), default="default", help=tell("help.palette"))
    output = Path("board.svg")
    into.add_argument("-o", "--output", type=Path, default=output, metavar="FILE", help=tell("help.drawn"))


def _board(into: argparse.ArgumentParser) -> None:
    into.add_argument("--board", metavar="NAME|FILE", help=listed("help.board", boards()))
    into.add_argument("--config", type=Path, metavar="FILE", help=system_words().text("help.config"))


def seconds(text: str) -> float:
    """A time for --patience and --seconds."""
    return within(text, 0.5, 3600)


def pitch(text: str) -> float:
    """A distance for --pitch."""
    return within(text, NEAREST, FARTHEST, " mm")


def board_name(wanted: argparse.Namespace) -> str:
    """The board of the command line, else that of the configuration."""
    return str(wanted.board) if wanted.board else read_config(wanted.config or default_config()).table.board


def do_wire(wanted: argparse.Namespace) -> int:
    """Find out a wiring."""
    from firmware_bridge.workshop.wire_command import map_board

    return map_board(
        board_name(wanted), wanted.output, force=wanted.force, masked=wanted.masked, patience=wanted.patience
    )


def do_doctor(wanted: argparse.Namespace) -> int:
    """Look at everything."""
    from firmware_bridge.workshop.doctor_command import examine_table, is_named
    from firmware_bridge.workshop.machine import Machine

    name = board_name(wanted)
    show = "json" if wanted.json else "live" if wanted.live else "lights" if wanted.lights else ""
    named = is_named(wanted.board, name)
    return examine_table(name, Machine(), named=named, seconds=wanted.seconds, show=show)


def do_overlay(wanted: argparse.Namespace) -> int:
    """Draw a sheet."""
    from firmware_bridge.workshop import overlay

    return overlay.do_overlay(wanted)


def do_picture(wanted: argparse.Namespace) -> int:
    """Draw a position of a record, or the whole game."""
    from firmware_bridge.drawing import picture

    return picture.do_picture(wanted)


def do_dark(wanted: argparse.Namespace) -> int:
    """Open the lights, which makes them dark, and close them; DeviceError if they cannot be opened."""
    board = read_board(find_board(board_name(wanted)), lights=wanted.lights or "")
    lights = board.open_lights()
    lights.close()
    print(system_words().say(Reason.of("command.darkened", count=lights.pixels, kind=board.lights.kind)))
    return 0


say("command", picture="draw a position of a record, or a whole game that moves")
say(
    "help",
    drawn_record="the record of a game",
    drawn_turn="after so many turns; 0 is the start (the last)",
    palette="the colours of the lights",
    drawn="FILE.svg, FILE.png, or FILE.gif for the game up to there (board.svg)",
)
