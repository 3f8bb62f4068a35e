"""The command line."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from firmware_bridge import analysis, workshop
from firmware_bridge.cli import engine_commands
from firmware_bridge.cli.help import Lines, listed, within
from firmware_bridge.cli.play import do_play, do_run
from firmware_bridge.cli.terminal import rules_text
from firmware_bridge.engine.advice import SHOWN
from firmware_bridge.i18n.catalogue import speak, system_words
from firmware_bridge.i18n.progress import padded, width
from firmware_bridge.lighting.scene import MODES
from firmware_bridge.records.lines import LineError, read_lines
from firmware_bridge.records.record import RecordError, option, read_bounded
from firmware_bridge.simulation.demo import demo_plain, demo_simulation
from firmware_bridge.simulation.script import perform_script
from games.rules import (
    Game,
    IllegalTurn,
    OptionError,
    Outcome,
    Position,
    PositionError,
    Reason,
    load,
    names,
    perft,
    play,
    say,
)
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may lack the letters of the language
            stream.reconfigure(errors="replace")
    wanted = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _stop)
    try:
        status: int = wanted.do(wanted)
        sys.stdout.flush()
    except FAULTS as fault:
        told = system_words().say(fault.reason) if isinstance(fault, IllegalTurn) else fault
        print(f"tablelight: {told}", file=sys.stderr)
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
    """All commands with their options, told in the language of the process."""
    tell = speak().text
    top = argparse.ArgumentParser(prog="tablelight", description=tell("command.tablelight"), formatter_class=Lines)
    commands = top.add_subparsers(title=tell("command.all"), required=True, metavar="COMMAND")

    def command(name: str, do: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        tells = tell(f"command.{name}")
        about = tells[0].upper() + tells[1:]
        added = commands.add_parser(name, help=tells, description=about, formatter_class=Lines)
        added.set_defaults(do=do)
        return added

    play = command("play", do_play)
    _play(play)
    play.add_argument("--sense", choices=[sense.value for sense in Sense], help=tell("help.sense"))
    play.add_argument("--set-up", action="store_true", help=tell("help.set-up"))
    play.set_defaults(power_off=False)
    play.add_argument("--fake-gpio", action="store_true", help=tell("help.fake-gpio"))
    run = command("run", do_run)
    _play(run)
    run.add_argument("--power-off", action="store_true", help=tell("help.power-off"))
    run.set_defaults(fake_gpio=False, sense=None)
    demo = command("demo", do_demo)
    demo.add_argument("game", nargs="?", default="zong-heng", metavar="GAME", help=", ".join(names()))
    demo.add_argument("--speed", type=speed, default=3.0, metavar="N", help=tell("help.speed"))
    demo.add_argument("--seed", type=int, default=1, help=tell("help.seed"))
    replay = command("replay", do_replay)
    replay.add_argument("file", type=Path, nargs="?")
    replay.add_argument("--trace", type=Path, metavar="FILE", help=tell("help.trace-again"))
    replay.add_argument("--speed", type=speed, metavar="N", help=tell("help.speed-again"))
    _rules(command)
    workshop.register(command)
    engine_commands.register(command)
    analysis.register(command)
    return top


def _play(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    into.add_argument("game", nargs="?", metavar="GAME", help=", ".join(names()))
    _add_options(into)
    into.add_argument("--opponent", action="append", type=level, metavar="LEVEL", help=tell("help.opponent"))
    into.add_argument("--seat", type=int, choices=(0, 1), default=0, help=tell("help.seat"))
    into.add_argument("--mode", choices=MODES, help=tell("help.mode"))
    into.add_argument("--hints", choices=SHOWN, help=tell("help.hints"))
    into.add_argument("--board", metavar="NAME|FILE", help=listed("help.board", boards()))
    into.add_argument("--scanner", metavar="KIND", help=listed("help.scanner", backends.names("scanners")))
    into.add_argument("--lights", metavar="KIND", help=listed("help.lights", backends.names("lights")))
    into.add_argument("--config", type=Path, metavar="FILE", help=tell("help.config"))
    into.add_argument("--record", type=Path, metavar="FILE", help=tell("help.record"))
    into.add_argument("--no-record", action="store_true", help=tell("help.no-record"))
    into.add_argument("--trace", type=Path, metavar="FILE", help=tell("help.trace"))
    into.add_argument("--page", action="store_true", help=tell("help.page"))
    into.add_argument("--address", metavar="HOST:PORT", help=tell("help.address"))
    into.add_argument("--resume", nargs="?", const=True, metavar="FILE", help=tell("help.resume"))


def _rules(command: Callable[[str, Callable[[argparse.Namespace], int]], argparse.ArgumentParser]) -> None:
    tell = system_words().text
    moves = command("moves", do_moves)
    moves.add_argument("game", metavar="GAME", help=", ".join(names()))
    _add_options(moves)
    moves.add_argument("turns", nargs="*", metavar="TURN", help=tell("help.turns"))
    moves.add_argument("--from", dest="position", metavar="POSITION", help=tell("help.start"))
    moves.add_argument("--json", action="store_true", help=tell("help.json"))
    count = command("perft", do_perft)
    count.add_argument("game", metavar="GAME", help=", ".join(names()))
    _add_options(count)
    count.add_argument("depth", type=depth, metavar="DEPTH")
    rules = command("rules", do_rules)
    rules.add_argument("game", metavar="GAME", help=", ".join(names()))


def _add_options(into: argparse.ArgumentParser) -> None:
    games = (load(name) for name in names())
    told = "; ".join(f"{game.name}: {', '.join(shown(game).values())}" for game in games if game.options)
    into.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=told)


def shown(game: Game[Position]) -> dict[str, str]:
    """Each option of a game with its values: ``size=8|6|10|12``."""
    return {name: f"{name}={'|'.join(map(str, values))}" for name, values in game.options.items()}


def speed(text: str) -> float:
    """A factor for --speed."""
    return within(text, 0.1, 1000)


def level(text: str) -> int:
    """A level for --opponent."""
    return int(within(str(int(text)), 1, 8))


def depth(text: str) -> int:
    """A depth for perft."""
    return int(within(str(int(text)), 1, 20))


def chosen(wanted: argparse.Namespace) -> Game[Position]:
    """The game that the command names, with its options."""
    return load(wanted.game, **dict(map(option, wanted.option)))


# The commands ---------------------------------------------------------------------------------


def do_demo(wanted: argparse.Namespace) -> int:
    """Show, or print, a whole game."""
    simulation = demo_simulation(load(wanted.game))
    if sys.stdout.isatty():
        from firmware_bridge.cli.screen import demo_shown

        demo_shown(simulation, wanted.seed, wanted.speed)
    else:
        demo_plain(simulation, wanted.seed, print)
    if simulation.table.sheet.outcome:
        print(system_words().say(simulation.table.sheet.outcome.reason))
    simulation.daemon.close()
    return 0


def do_replay(wanted: argparse.Namespace) -> int:
    """Do a record, a scenario or a trace again and print what happens."""
    if bool(wanted.file) == bool(wanted.trace):
        raise RecordError("replay takes one file: a record or a scenario, or a trace behind --trace")
    if wanted.trace:
        from firmware_bridge.cli.replay import replay_trace

        return replay_trace(wanted.trace, wanted.speed)
    try:
        lines = list(read_lines(read_bounded(wanted.file, "record").decode()))
    except UnicodeDecodeError:
        raise RecordError(f"{wanted.file}: not a text file, so neither a record nor a scenario") from None
    except LineError as error:
        raise RecordError(f"{wanted.file}: {error}") from None
    try:
        for line, events in perform_script(lines):
            print(f"{line.number:4} {' '.join(line.words)}")
            for event in events:
                print(f"       {system_words().say(event.say)}")
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
    print("\n".join(told(game, position, turns, outcome)))
    return 0


def told(game: Game[Position], position: Position, turns: list[str], outcome: Outcome | None) -> list[str]:
    """The position with its turns, a line each."""
    words = system_words()
    values = {
        "position": str(position),
        "side": f"{position.side} ({words.text(game.players[position.side])})",
        "turns": f"{len(turns)}: {' '.join(turns)}",
        "outcome": words.say(outcome.reason) if outcome else words.text("moves.goes-on"),
    }
    labels = {name: words.text(f"moves.{name}") for name in values}
    wide = max(map(width, labels.values())) + 2
    return [padded(labels[name], wide) + value for name, value in values.items()]


def do_perft(wanted: argparse.Namespace) -> int:
    """Count turn sequences."""
    print(system_words().text("moves.perft"))
    for count in perft(chosen(wanted), wanted.depth):
        print(f"{count.depth:5} {count.sequences:11} {count.distinct:11}", flush=True)
    return 0


def do_rules(wanted: argparse.Namespace) -> int:
    """Print the rules in short."""
    game = load(wanted.game)
    words = system_words()
    print(f"{game.title}\n\n{rules_text(game)}")
    if game.options:
        titled = (f"{option} ({words.text(f'{game.name}.option-{name}')})" for name, option in shown(game).items())
        print("\n" + words.say(Reason.of("moves.options", options=", ".join(titled))))
    return 0


say(
    "moves",
    position="position",
    side="side",
    turns="turns",
    outcome="outcome",
    goes_on="the game goes on",
    perft="depth   sequences   positions",
    options="Options: {options}",
)
