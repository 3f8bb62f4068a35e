"""What decided a recorded game: the value after each turn, the turns that lost most, and what was better.

`form` is an analysis as data and as JSON, `weighing` makes one; `page`, `plain` and `curve` show it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.cli.engine_commands import nodes, seconds
from firmware_bridge.i18n.catalogue import system_words
from firmware_bridge.workshop import Command
from games.rules import say


def register(command: Command) -> None:
    """Add the command by `command`, which takes a name and what does it."""
    tell = system_words().text
    analyse = command("analyse", do_analyse)
    analyse.add_argument("file", type=Path, metavar="RECORD", help=tell("help.drawn-record"))
    analyse.add_argument("-o", "--output", type=Path, metavar="FILE", help=tell("help.report"))
    analyse.add_argument("--seconds", type=seconds, metavar="S", help=tell("help.think-each"))
    analyse.add_argument("--nodes", type=nodes, metavar="N", help=tell("help.nodes-each"))
    analyse.add_argument("--seed", type=int, default=0, metavar="N", help=tell("help.luck"))


def do_analyse(wanted: argparse.Namespace) -> int:
    """Analyse a record; RecordError, SettingsError, OptionError."""
    from firmware_bridge.analysis import command
    from firmware_bridge.engine import compiled

    compiled.tell()
    return command.analyse(wanted)


Step = Callable[[int, int], None]
"""Told how many positions are done, and of how many."""

say("command", analyse="find the turns that decided a recorded game, and what was better")
say(
    "help",
    report="FILE.html or FILE.json (a table in the terminal)",
    think_each="seconds for a position (no limit); the values then depend on the computer",
    nodes_each="positions (20000) or random games (2000) for a position",
)
