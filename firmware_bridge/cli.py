"""The command line."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from firmware_bridge import workshop
from firmware_bridge.demo import demo_evening, demo_plain
from firmware_bridge.lines import LineError, read_lines
from firmware_bridge.saved import RecordError, option
from firmware_bridge.scene import MODES
from firmware_bridge.script import perform_script
from firmware_bridge.seating import do_play, do_run
from games.rules import Game, IllegalTurn, OptionError, Position, PositionError, load, names, perft, play
from hardware import backends
from hardware.board import boards
from hardware.device import DeviceError, Sense
from hardware.settings import SettingsError

FAULTS = (SettingsError, RecordError, LineError, OptionError, PositionError, IllegalTurn, DeviceError)
"""What is said in a sentence, with exit status 2."""


class Stopped(Exception):
    """The program was asked to end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    wanted = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _stop)
    try:
        status: int = wanted.do(wanted)
        sys.stdout.flush()
    except FAULTS as fault:
        print(f"tablelight: {fault}", file=sys.stderr)
        return 2
    except (Stopped, KeyboardInterrupt):
        return 0
    except BrokenPipeError:  # whoever was reading has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _stop(*_: object) -> NoReturn:
    raise Stopped


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = argparse.ArgumentParser(prog="tablelight", description="A companion for a real game table.")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(name: str, do: Callable[[argparse.Namespace], int], tells: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=tells, description=tells[0].upper() + tells[1:] + ".")
        added.set_defaults(do=do)
        return added

    play = command("play", do_play, "play on the simulated table, hands typed or piped in; or at a board")
    _play(play)
    play.add_argument("--sense", choices=[sense.value for sense in Sense], help="what the sensors tell (presence)")
    play.add_argument("--set-up", action="store_true", help="begin with an empty board and be guided in setting it up")
    play.set_defaults(power_off=False)
    play.add_argument("--fake-gpio", action="store_true", help="the board's own scanner over wiring that is simulated")
    run = command("run", do_run, "run a real table; without GAME everything is chosen at the table, by light")
    _play(run)
    run.add_argument("--power-off", action="store_true", help="switch the computer off with the table")
    run.set_defaults(fake_gpio=False, sense=None)
    demo = command("demo", do_demo, "watch simulated hands play a whole game")
    demo.add_argument("game", nargs="?", default="zong-heng", metavar="GAME", help=", ".join(names()))
    demo.add_argument("--speed", type=speed, default=3.0, metavar="N", help="times as fast as hands (3)")
    demo.add_argument("--seed", type=int, default=1, help="which game is played (1)")
    replay = command("replay", do_replay, "play a record or a scenario again")
    replay.add_argument("file", type=Path)
    _rules(command)
    workshop.register(command)
    return top


def _play(into: argparse.ArgumentParser) -> None:
    into.add_argument("game", nargs="?", metavar="GAME", help=", ".join(names()))
    _add_options(into)
    into.add_argument("--mode", choices=MODES, help="how much the lights tell (coach)")
    into.add_argument("--board", metavar="NAME|FILE", help=f"the board: {', '.join(boards())}, or a file of yours")
    into.add_argument("--scanner", metavar="KIND", help=f"other sensors: {', '.join(backends.names('scanners'))}")
    into.add_argument("--lights", metavar="KIND", help=f"other lights: {', '.join(backends.names('lights'))}")
    into.add_argument("--config", type=Path, metavar="FILE", help="read the configuration from FILE (TOML)")
    into.add_argument("--record", type=Path, metavar="FILE", help="write the record to FILE")
    into.add_argument("--no-record", action="store_true", help="write none")
    into.add_argument("--resume", nargs="?", const=True, metavar="FILE", help="go on with a game: FILE, or the latest")


def _rules(command: Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser]) -> None:
    moves = command("moves", do_moves, "print a position, its legal turns and the outcome")
    moves.add_argument("game", metavar="GAME", help=", ".join(names()))
    _add_options(moves)
    moves.add_argument("turns", nargs="*", metavar="TURN", help="turns to make first")
    moves.add_argument("--from", dest="position", metavar="POSITION", help="begin here and not at the start")
    moves.add_argument("--json", action="store_true", help="print JSON")
    count = command("perft", do_perft, "count the turn sequences and positions of each depth")
    count.add_argument("game", metavar="GAME", help=", ".join(names()))
    _add_options(count)
    count.add_argument("depth", type=depth, metavar="DEPTH")
    rules = command("rules", do_rules, "print the rules of a game in short")
    rules.add_argument("game", metavar="GAME", help=", ".join(names()))


def _add_options(into: argparse.ArgumentParser) -> None:
    told = "; ".join(f"{name}: {shown(game)}" for name in names() if (game := load(name)).options)
    into.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=told)


def shown(game: Game[Position]) -> str:
    """The options of a game with their values."""
    return ", ".join(f"{name}={'|'.join(map(str, values))}" for name, values in game.options.items())


def speed(text: str) -> float:
    """A factor for --speed."""
    value = float(text)
    if not 0.1 <= value <= 1000:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.1 and 1000")
    return value


def depth(text: str) -> int:
    """A depth for perft."""
    value = int(text)
    if not 1 <= value <= 20:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 20")
    return value


def chosen(wanted: argparse.Namespace) -> Game[Position]:
    """The game that the command names, with its options."""
    return load(wanted.game, **dict(map(option, wanted.option)))


# The commands ---------------------------------------------------------------------------------


def do_demo(wanted: argparse.Namespace) -> int:
    """Show, or print, a whole game."""
    evening = demo_evening(load(wanted.game))
    if sys.stdout.isatty():
        from firmware_bridge.screen import demo_shown

        demo_shown(evening, wanted.seed, wanted.speed)
    else:
        demo_plain(evening, wanted.seed, print)
    if evening.table.sheet.outcome:
        print(evening.table.sheet.outcome)
    evening.daemon.close()
    return 0


def do_replay(wanted: argparse.Namespace) -> int:
    """Do a record or a scenario again and print what happens."""
    try:
        lines = list(read_lines(wanted.file.read_text()))
    except OSError as error:
        raise RecordError(f"{wanted.file}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{wanted.file}: not a text file, so neither a record nor a scenario") from None
    except LineError as error:
        raise RecordError(f"{wanted.file}: {error}") from None
    try:
        for line, events in perform_script(lines):
            print(f"{line.number:4} {' '.join(line.words)}")
            for event in events:
                print(f"       {event.say}")
    except LineError as error:
        raise RecordError(f"{wanted.file}: {error}") from None
    return 0


def do_moves(wanted: argparse.Namespace) -> int:
    """Print a position with its turns."""
    game = chosen(wanted)
    position = game.position(wanted.position) if wanted.position else game.start()
    for text in wanted.turns:
        position = play(game, position, text)
    turns = [turn.text for turn in game.turns(position)]
    outcome = game.outcome(position)
    if wanted.json:
        ended = {"winner": outcome.winner, "reason": str(outcome)} if outcome else None
        print(json.dumps({"position": str(position), "side": position.side, "turns": turns, "outcome": ended}))
        return 0
    print(f"position  {position}\nside      {position.side} ({game.player_name(position.side)})")
    print(f"turns     {len(turns)}: {' '.join(turns)}\noutcome   {outcome or 'the game goes on'}")
    return 0


def do_perft(wanted: argparse.Namespace) -> int:
    """Count turn sequences."""
    print("depth   sequences   positions")
    for count in perft(chosen(wanted), wanted.depth):
        print(f"{count.depth:5} {count.sequences:11} {count.distinct:11}", flush=True)
    return 0


def do_rules(wanted: argparse.Namespace) -> int:
    """Print the rules in short."""
    game = load(wanted.game)
    print(f"{game.title}\n\n{game.summary}")
    if game.options:
        print(f"\nOptions: {shown(game)}")
    return 0
