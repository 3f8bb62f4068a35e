"""The command line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from firmware_bridge.cli.commands import (
    do_analyse,
    do_compile,
    do_dark,
    do_demo,
    do_doctor,
    do_endings,
    do_gtp,
    do_moves,
    do_overlay,
    do_perft,
    do_picture,
    do_play,
    do_replay,
    do_rules,
    do_run,
    do_wire,
    shown,
)
from firmware_bridge.engine.advice import SHOWN
from firmware_bridge.i18n import speak, system_words, wrapped
from firmware_bridge.lighting import MODES, PALETTES
from firmware_bridge.records import LineError, RecordError
from firmware_bridge.workshop import FARTHEST, NEAREST, PITCH
from games.rules import (
    IllegalTurn,
    OptionError,
    PositionError,
    Reason,
    load,
    names,
    say,
)
from hardware import backends
from hardware.board import boards
from hardware.device import DeviceError, Sense
from hardware.settings import SettingsError

SEEDS = 10
"""Seeds in the pits of the largest endings of Zig Zag."""
ENDINGS = ("zhizhu", "zig-zag")
STONES = 4
"""Stones of each player in the largest endings of ZhiZhu."""

Do = Callable[[argparse.Namespace], int]
Command = Callable[[str, Do], argparse.ArgumentParser]
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
    _workshop(command)
    _engine(command)
    _analysis(command)
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


def speed(text: str) -> float:
    """A factor for --speed."""
    return within(text, 0.1, 1000)


def level(text: str) -> int:
    """A level for --opponent."""
    return int(within(str(int(text)), 1, 8))


def depth(text: str) -> int:
    """A depth for perft."""
    return int(within(str(int(text)), 1, 20))


def _workshop(command: Command) -> None:
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
    into.add_argument("--patience", type=seconds(0.5, 3600), default=10.0, metavar="N", help=tell("help.patience"))


def _doctor(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    _board(into)
    into.add_argument("--seconds", type=seconds(0.5, 3600), default=5.0, metavar="N", help=tell("help.seconds"))
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


def _engine(command: Command) -> None:
    """Add the commands by `command`, which takes a name and what does it."""
    tell = system_words().text
    gtp = command("gtp", do_gtp)
    gtp.add_argument("game", metavar="GAME", help=", ".join(names()))
    gtp.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=tell("help.option"))
    gtp.add_argument("--seconds", type=seconds(0.01, 86400), metavar="S", help=tell("help.think"))
    gtp.add_argument("--nodes", type=nodes, metavar="N", help=tell("help.nodes"))
    gtp.add_argument("--seed", type=int, default=0, metavar="N", help=tell("help.luck"))
    endings = command("endings", do_endings)
    endings.add_argument("game", metavar="GAME", nargs="?", choices=ENDINGS, help=", ".join(ENDINGS))
    endings.add_argument("--seeds", type=seeds, default=SEEDS, metavar="N", help=tell("help.ending-seeds"))
    endings.add_argument("--stones", type=stones, default=STONES, metavar="N", help=tell("help.ending-stones"))
    endings.add_argument("--force", action="store_true", help=tell("help.again"))
    built = command("compile", do_compile)
    built.add_argument("--force", action="store_true", help=tell("help.build-again"))


def _analysis(command: Command) -> None:
    """Add the command by `command`, which takes a name and what does it."""
    tell = system_words().text
    analyse = command("analyse", do_analyse)
    analyse.add_argument("file", type=Path, metavar="RECORD", help=tell("help.drawn-record"))
    analyse.add_argument("-o", "--output", type=Path, metavar="FILE", help=tell("help.report"))
    analyse.add_argument("--seconds", type=seconds(0.01, 86400), metavar="S", help=tell("help.think-each"))
    analyse.add_argument("--nodes", type=nodes, metavar="N", help=tell("help.nodes-each"))
    analyse.add_argument("--seed", type=int, default=0, metavar="N", help=tell("help.luck"))


def seconds(least: float, most: float) -> Callable[[str], float]:
    """What reads a time between the two for an option."""

    def seconds(text: str) -> float:
        return within(text, least, most)

    return seconds


def pitch(text: str) -> float:
    """A distance for --pitch."""
    return within(text, NEAREST, FARTHEST, " mm")


def nodes(text: str) -> int:
    """A number for --nodes."""
    return int(within(str(int(text)), 1, 1e9))


def seeds(text: str) -> int:
    """A number for --seeds."""
    return int(within(str(int(text)), 1, SEEDS))


def stones(text: str) -> int:
    """A number for --stones."""
    return int(within(str(int(text)), 3, STONES))


# Help -------------------------------------------------------------------------------------------


class Lines(argparse.HelpFormatter):
    """Help in lines that fit the terminal, in languages that put no blanks between words too."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))


def listed(id: str, names: Iterable[str]) -> str:
    """The sentence `id` with these names in it."""
    return system_words().say(Reason.of(id, names=", ".join(names)))


def within(text: str, least: float, most: float, unit: str = "") -> float:
    """The number that `text` is, if it lies between the two; ValueError or ArgumentTypeError."""
    value = float(text)
    if not least <= value <= most:
        bounds = {"least": f"{least:g}", "most": f"{most:g}{unit}"}
        raise argparse.ArgumentTypeError(system_words().say(Reason.of("help.bounds", text=text, **bounds)))
    return value


say(
    "command",
    tablelight="A companion for a real game table.",
    all="commands",
    play="play on the simulated table, hands typed or piped in; or at a board",
    run="run a real table; without GAME everything is chosen at the table, by light",
    demo="watch simulated hands play a whole game",
    replay="play a record or a scenario again",
    moves="print a position, its legal turns and the outcome",
    perft="count the turn sequences and positions of each depth",
    rules="print the rules of a game in short",
    overlay="draw the sheet of a game, to print and lay on a table of squares",
    wire="find out which channel reads which point, by putting a piece on each",
    doctor="look at the computer, the board file, the sensors and the lights",
    gtp="let programs play against the engine: Go Text Protocol on standard input and output",
    endings="work out the endings of ZhiZhu and Zig Zag, which the engine looks up",
    compile="compile the engine, so that it thinks faster; needs a C compiler, and plays the same",
    dark="switch the lights of a board off",
    darkened="The lights are dark: {count} on {kind}.",
    picture="draw a position of a record, or a whole game that moves",
    analyse="find the turns that decided a recorded game, and what was better",
)

say(
    "help",
    sense="what the sensors tell (presence)",
    set_up="begin with an empty board and be guided in setting it up",
    fake_gpio="the board's own scanner over wiring that is simulated",
    power_off="switch the computer off with the table",
    speed="times as fast as hands (3)",
    seed="which game is played (1)",
    opponent="play against the engine at this level, 1 (a child's first game) to 8; given twice, it plays both sides",
    seat="where you sit: 0 begins, 1 does not (0)",
    mode="how much the lights tell (coach)",
    hints="when the lights show good turns: off, button (on request; so unless told otherwise), always",
    board="the board: {names}, or a file of yours",
    scanner="other sensors: {names}",
    lights="other lights: {names}",
    config="read the configuration from FILE (TOML)",
    record="write the record to FILE",
    no_record="write none",
    trace="keep every scan in FILE, to tell of a fault with: 4 MB at most, of the last turns",
    trace_again="feed a trace to the table again, and tell where it answers otherwise now",
    speed_again="with --trace: times as fast as it was, on the screen (as fast as it goes, without)",
    page="serve the table to browsers: watch it there, or play without hardware",
    address="where the page is served (127.0.0.1:8000): 0.0.0.0:8000 lets a phone in; with --page or without",
    resume="go on with a game: FILE, or the latest",
    turns="turns to make first",
    start="begin here and not at the start",
    json="print JSON",
    output="write the board file to FILE (the board's own)",
    force="write to FILE although it exists; it is kept as FILE.old",
    masked="ask only for the points that are masked, once mended",
    patience="how long a piece is carried (10)",
    seconds="how long the sensors are watched (5)",
    findings="print the findings as JSON",
    live="show the level of every channel until Ctrl-C",
    picture="show a test picture: corner, order, colours",
    pitch="from square to square ({pitch} mm)",
    laid_on="the board it is laid on (grid)",
    option="an option of the game",
    paper="cut a PDF into pages of this size (none: the whole sheet is one page)",
    sheet="FILE.svg or FILE.pdf",
    think="seconds for a turn (1; none if --nodes is given)",
    nodes="positions or random games for a turn, so that it is the same on every computer",
    luck="another number, other choices between equal turns (0)",
    ending_seeds="up to so many seeds in the pits (10)",
    ending_stones="up to so many stones of each player (4)",
    again="work them out although they are there",
    build_again="compile it although it is there",
    bounds="{text} is not between {least} and {most}",
    drawn_record="the record of a game",
    drawn_turn="after so many turns; 0 is the start (the last)",
    palette="the colours of the lights",
    drawn="FILE.svg, FILE.png, or FILE.gif for the game up to there (board.svg)",
    report="FILE.html or FILE.json (a table in the terminal)",
    think_each="seconds for a position (no limit); the values then depend on the computer",
    nodes_each="positions (20000) or random games (2000) for a position",
)
