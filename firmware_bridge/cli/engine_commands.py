"""The commands of the engine; what they need is loaded when they are called."""

from __future__ import annotations

import argparse
import sys

from firmware_bridge.cli.help import within
from firmware_bridge.i18n.catalogue import system_words
from firmware_bridge.workshop import Command
from games.rules import names, say

SEEDS = 10
"""Seeds in the pits of the largest endings of Zig Zag."""
ENDINGS = ("zhizhu", "zig-zag")
STONES = 4
"""Stones of each player in the largest endings of ZhiZhu."""


def register(command: Command) -> None:
    """Add the commands by `command`, which takes a name and what does it."""
    tell = system_words().text
    gtp = command("gtp", do_gtp)
    gtp.add_argument("game", metavar="GAME", help=", ".join(names()))
    gtp.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=tell("help.option"))
    gtp.add_argument("--seconds", type=seconds, metavar="S", help=tell("help.think"))
    gtp.add_argument("--nodes", type=nodes, metavar="N", help=tell("help.nodes"))
    gtp.add_argument("--seed", type=int, default=0, metavar="N", help=tell("help.luck"))
    endings = command("endings", do_endings)
    endings.add_argument("game", metavar="GAME", nargs="?", choices=ENDINGS, help=", ".join(ENDINGS))
    endings.add_argument("--seeds", type=seeds, default=SEEDS, metavar="N", help=tell("help.ending-seeds"))
    endings.add_argument("--stones", type=stones, default=STONES, metavar="N", help=tell("help.ending-stones"))
    endings.add_argument("--force", action="store_true", help=tell("help.again"))
    built = command("compile", do_compile)
    built.add_argument("--force", action="store_true", help=tell("help.build-again"))


def seconds(text: str) -> float:
    """A time for --seconds."""
    return within(text, 0.01, 86400)


def nodes(text: str) -> int:
    """A number for --nodes."""
    return int(within(str(int(text)), 1, 1e9))


def seeds(text: str) -> int:
    """A number for --seeds."""
    return int(within(str(int(text)), 1, SEEDS))


def stones(text: str) -> int:
    """A number for --stones."""
    return int(within(str(int(text)), 3, STONES))


def do_compile(wanted: argparse.Namespace) -> int:
    """Compile the engine for this computer."""
    from firmware_bridge.engine.compiled import main

    return main(again=wanted.force)


def do_gtp(wanted: argparse.Namespace) -> int:
    """Answer the commands of a program."""
    from firmware_bridge.cli import gtp
    from firmware_bridge.engine import compiled

    compiled.tell()
    return gtp.run(wanted, sys.stdin.buffer, sys.stdout)


def do_endings(wanted: argparse.Namespace) -> int:
    """Work out the endings and say where they are."""
    from firmware_bridge.engine.endgame import work_out

    reaches = {"zhizhu": wanted.stones, "zig-zag": wanted.seeds}
    return work_out({wanted.game: reaches[wanted.game]} if wanted.game else reaches, again=wanted.force)


say("help", ending_stones="up to so many stones of each player (4)")
