"""Switches the lights off, after a program that could not do so itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.config import read_config
from firmware_bridge.seating import default_config
from hardware import backends
from hardware.board import boards, find_board, read_board


def register(command: Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser]) -> None:
    """Add the command."""
    into = command("dark", do_dark, "switch the lights of a board off")
    into.add_argument("--board", metavar="NAME|FILE", help=f"the board: {', '.join(boards())}, or a file of yours")
    into.add_argument("--lights", metavar="KIND", help=f"other lights: {', '.join(backends.names('lights'))}")
    into.add_argument("--config", type=Path, metavar="FILE", help="read the configuration from FILE (TOML)")


def do_dark(wanted: argparse.Namespace) -> int:
    """Open the lights, which makes them dark, and close them; DeviceError if they cannot be opened."""
    name = wanted.board or read_config(wanted.config or default_config()).table.board
    board = read_board(find_board(name), lights=wanted.lights or "")
    lights = board.open_lights()
    lights.close()
    print(f"The lights are dark: {lights.pixels} on {board.lights.kind}.")
    return 0
