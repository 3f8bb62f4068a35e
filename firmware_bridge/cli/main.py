"""The command line: its parser, its help, and what becomes of a command that fails.

Whatever a command refuses is one sentence, in the language of the process, and exit status 2. So is an error that comes
up in a game or a driver of another package, with exit status 1.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from itertools import takewhile
from operator import itemgetter
from pathlib import Path
from traceback import walk_tb
from typing import NoReturn

from firmware_bridge import __version__
from firmware_bridge.cli.commands import (
    SHELLS,
    do_analyse,
    do_check_game,
    do_club,
    do_compile,
    do_completion,
    do_convert,
    do_dark,
    do_demo,
    do_doctor,
    do_endings,
    do_fit,
    do_flash,
    do_games,
    do_gtp,
    do_install_service,
    do_link,
    do_moves,
    do_overlay,
    do_perft,
    do_picture,
    do_play,
    do_replay,
    do_rules,
    do_run,
    do_status,
    do_wire,
    option_values,
)
from firmware_bridge.engine.advice import SHOWN
from firmware_bridge.i18n import plain_line, print_lines, speak, system_words, wrapped
from firmware_bridge.lighting import MODES, PALETTES
from firmware_bridge.link.pairing import LinkError
from firmware_bridge.records import LineError, RecordError
from firmware_bridge.workshop import FARTHEST, FIRMWARES, NEAREST, PITCH, RATES
from games.rules import (
    IllegalTurn,
    OptionError,
    PositionError,
    Reason,
    fault_of,
    load,
    names,
    offered,
    say,
    usual_game,
)
from hardware import backends
from hardware.board import USUAL, boards
from hardware.device import DeviceError, Sense
from hardware.settings import SettingsError

FAULTS = (SettingsError, RecordError, LineError, LinkError, OptionError, PositionError, IllegalTurn, DeviceError)
"""Errors that are said in a sentence, with exit status 2."""
OWN = frozenset({"games", "hardware", "firmware_bridge", "tablelight"})
"""The packages of the program itself."""
Run = Callable[[argparse.Namespace], int]
"""What does a command; it returns the exit status."""
Command = Callable[[str, Run], argparse.ArgumentParser]
"""What adds a command to the parser, by its name and what does it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may lack letters of the language
            stream.reconfigure(errors="replace")
    # As Ctrl-C does: it may come anywhere, and neither an ``except Exception`` nor asyncio keeps that for itself.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        wanted = parser().parse_args(arguments)
        status: int = wanted.do(wanted)
        sys.stdout.flush()
    except FAULTS as fault:
        told = system_words().say(fault.reason) if isinstance(fault, IllegalTurn) else fault
        print_lines(f"tablelight: {told}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0
    except BrokenPipeError:  # the reader of the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if (why := fault_of_another(error)) is None:
            raise
        print_lines(f"tablelight: {system_words().say(why)}", file=sys.stderr)
        return 1
    return status


def fault_of_another(error: Exception) -> Reason | None:
    """What is to be said of an error that came up in a game or a driver of another package; None if in none."""
    games, drivers = [*offered()], [*backends.offered("scanners"), *backends.offered("lights")]
    for frame, line in reversed([*walk_tb(error.__traceback__)]):
        module = str(frame.f_globals.get("__name__", ""))
        near = [(shared(point.module, module), point) for point in (*games, *drivers)]
        parts, point = max(near, key=itemgetter(0), default=(0, None))  # one package may bring many
        if point and parts and module.partition(".")[0] not in OWN:
            where = f"{Path(frame.f_code.co_filename).name}, {frame.f_code.co_name}, {line}"
            name = "game-fails" if point in games else "driver-fails"
            return Reason.of(f"command.{name}", name=point.name, fault=fault_of(error), where=where)
    return None


def shared(one: str, other: str) -> int:
    """How many parts the names of two modules begin with in common."""
    pairs = zip(one.split("."), other.split("."), strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


# The parser -------------------------------------------------------------------------------------


def known_games() -> str:
    """The help of an argument that is a game."""
    return system_words().say(Reason.of("help.game", games=", ".join(names())))


def parser() -> argparse.ArgumentParser:
    """The parser of all commands, with its help in the language of the process."""
    tell = speak().text
    top = PlainParser(prog="tablelight", description=tell("command.tablelight"), formatter_class=HelpLines)
    top.add_argument("--version", action="version", version=f"tablelight {__version__}", help=tell("help.version"))
    commands = top.add_subparsers(title=tell("command.all"), required=True, metavar="COMMAND")

    def command(name: str, do: Run) -> argparse.ArgumentParser:
        tells = tell(f"command.{name}")
        about = tells[0].upper() + tells[1:]
        added = commands.add_parser(name, help=tells, description=about, formatter_class=HelpLines)
        added.set_defaults(do=do)
        return added

    play = command("play", do_play)
    _add_play(play)
    play.add_argument("--sense", choices=[sense.value for sense in Sense], help=tell("help.sense"))
    play.add_argument("--set-up", action="store_true", help=tell("help.set-up"))
    play.set_defaults(power_off=False)
    play.add_argument("--fake-gpio", action="store_true", help=tell("help.fake-gpio"))
    run = command("run", do_run)
    _add_play(run)
    run.add_argument("--power-off", action="store_true", help=tell("help.power-off"))
    run.set_defaults(fake_gpio=False, sense=None)
    _add_link(command("link", do_link))
    _add_club(command("club", do_club))
    status = command("status", do_status)
    status.add_argument("--json", action="store_true", help=tell("help.json"))
    demo = command("demo", do_demo)
    demo.add_argument("game", nargs="?", default=usual_game(), metavar="GAME", help=known_games())
    demo.add_argument("--speed", type=speed, default=3.0, metavar="N", help=tell("help.speed"))
    demo.add_argument("--seed", type=int, default=1, help=tell("help.seed"))
    replay = command("replay", do_replay)
    replay.add_argument("file", type=file_path, nargs="?")
    replay.add_argument("--trace", type=file_path, metavar="FILE", help=tell("help.trace-again"))
    replay.add_argument("--speed", type=speed, metavar="N", help=tell("help.speed-again"))
    _add_rules(command)
    _add_workshop(command)
    _add_engine(command)
    _add_analysis(command)
    completion = command("completion", do_completion)
    completion.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    completion.set_defaults(top=top, files=(file_name, file_path))
    return top


def _add_play(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    into.add_argument("game", nargs="?", metavar="GAME", help=known_games())
    _add_options(into)
    into.add_argument("--opponent", action="append", type=level, metavar="LEVEL", help=tell("help.opponent"))
    into.add_argument("--seat", type=int, choices=(0, 1), default=0, help=tell("help.seat"))
    into.add_argument("--name", action="append", metavar="NAME", help=tell("help.name"))
    into.add_argument("--clock", metavar="TIME", help=tell("help.clock"))
    into.add_argument("--mode", choices=MODES, help=tell("help.mode"))
    into.add_argument("--hints", choices=SHOWN, help=tell("help.hints"))
    into.add_argument("--board", type=file_name, metavar="NAME|FILE", help=listed("help.board", boards()))
    into.add_argument("--scanner", metavar="KIND", help=listed("help.scanner", backends.names("scanners")))
    into.add_argument("--lights", metavar="KIND", help=listed("help.lights", backends.names("lights")))
    into.add_argument("--config", type=file_path, metavar="FILE", help=tell("help.config"))
    into.add_argument("--record", type=file_path, metavar="FILE", help=tell("help.record"))
    into.add_argument("--no-record", action="store_true", help=tell("help.no-record"))
    into.add_argument("--trace", type=file_path, metavar="FILE", help=tell("help.trace"))
    into.add_argument("--page", action="store_true", help=tell("help.page"))
    into.add_argument("--address", metavar="HOST:PORT", help=tell("help.address"))
    into.add_argument("--linked", action="store_true", help=tell("help.linked"))
    into.add_argument("--resume", type=file_name, nargs="?", const=True, metavar="FILE", help=tell("help.resume"))


def _add_link(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    into.add_argument("what", choices=("new", "join", "show", "end"), help=tell("help.link-what"))
    into.add_argument("given", nargs="*", metavar="GAME|WORDS", help=tell("help.link-given"))
    _add_options(into)
    into.add_argument("--broker", metavar="ADDRESS", help=tell("help.broker"))
    into.add_argument("--seat", type=int, choices=(0, 1), default=0, help=tell("help.seat"))
    into.add_argument("--words", metavar="WORDS", help=tell("help.words"))
    _add_terms(into)
    into.set_defaults(address=None)


def _add_terms(into: argparse.ArgumentParser) -> None:
    """What is played is told, and nothing of how one table is to be."""
    tell = system_words().text
    into.add_argument("--clock", metavar="TIME", help=tell("help.clock"))
    into.add_argument("--config", type=file_path, metavar="FILE", help=tell("help.config"))
    into.set_defaults(opponent=None, name=None, mode=None, hints=None, no_record=False, trace=None, page=False)


def _add_club(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    into.add_argument("what", choices=("new", "rounds", "table", "wall", "end"), help=tell("help.club-what"))
    into.add_argument("given", nargs="*", metavar="GAME|NAME", help=tell("help.club-given"))
    _add_options(into)
    into.add_argument("--broker", metavar="ADDRESS", help=tell("help.broker"))
    _add_terms(into)
    into.add_argument("--json", type=file_path, metavar="FILE", help=tell("help.club-json"))
    into.add_argument("--address", metavar="HOST:PORT", help=tell("help.club-address"))
    into.add_argument("--delay", type=float, default=0.0, metavar="SECONDS", help=tell("help.club-delay"))
    into.add_argument("--table", metavar="NAME", help=tell("help.club-table"))


def _add_rules(command: Command) -> None:
    tell = system_words().text
    moves = command("moves", do_moves)
    moves.add_argument("game", metavar="GAME", help=known_games())
    _add_options(moves)
    moves.add_argument("turns", nargs="*", metavar="TURN", help=tell("help.turns"))
    moves.add_argument("--from", dest="position", metavar="POSITION", help=tell("help.start"))
    moves.add_argument("--json", action="store_true", help=tell("help.json"))
    count = command("perft", do_perft)
    count.add_argument("game", metavar="GAME", help=known_games())
    _add_options(count)
    count.add_argument("depth", type=depth, metavar="DEPTH")
    rules = command("rules", do_rules)
    rules.add_argument("game", metavar="GAME", help=known_games())


def _add_workshop(command: Command) -> None:
    tell = system_words().text
    _add_overlay(command("overlay", do_overlay))
    _add_picture(command("picture", do_picture))
    _add_wire(command("wire", do_wire))
    check = command("check-game", do_check_game)
    check.add_argument("game", metavar="GAME|PATH", help=tell("help.checked-game"))
    check.add_argument("--seconds", type=seconds(1, 3600), default=60.0, metavar="N", help=tell("help.check-seconds"))
    _add_doctor(command("doctor", do_doctor))
    fit = command("fit", do_fit)
    fit.add_argument("file", type=file_path, nargs="+", metavar="TRACE", help=tell("help.fitted-trace"))
    fit.add_argument("-o", "--output", type=file_path, metavar="FILE", help=tell("help.fitted"))
    flash = command("flash", do_flash)
    flash.add_argument("firmware", nargs="?", choices=FIRMWARES, default="matrix", help=tell("help.firmware"))
    flash.add_argument("--port", metavar="PORT", help=tell("help.port"))
    flash.add_argument("--baud", type=int, choices=RATES, metavar="N", help=tell("help.baud"))
    service = command("install-service", do_install_service)
    service.add_argument("--no-start", action="store_true", help=tell("help.no-start"))
    service.add_argument("--uninstall", action="store_true", help=tell("help.uninstall"))
    service.add_argument("--purge", action="store_true", help=tell("help.purge"))
    dark = command("dark", do_dark)
    _add_board(dark)
    dark.add_argument("--lights", metavar="KIND", help=listed("help.lights", backends.names("lights")))


def _add_overlay(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    usual = system_words().say(Reason.of("help.pitch", pitch=f"{PITCH:g}"))
    into.add_argument("game", metavar="GAME", help=known_games())
    into.add_argument("--pitch", type=pitch, default=PITCH, metavar="MM", help=usual)
    into.add_argument("--board", type=file_name, default=USUAL, metavar="NAME|FILE", help=tell("help.laid-on"))
    into.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=tell("help.option"))
    papers = ("A4", "A3", "A2", "letter", "none")
    into.add_argument("--paper", choices=papers, default="none", help=tell("help.paper"))
    into.add_argument("-o", "--output", type=file_path, required=True, metavar="FILE", help=tell("help.sheet"))


def _add_picture(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    into.add_argument("file", type=file_path, metavar="RECORD", help=tell("help.drawn-record"))
    into.add_argument("--turn", type=int, metavar="N", help=tell("help.drawn-turn"))
    into.add_argument("--lights", choices=(*MODES, "none"), default="coach", help=tell("help.mode"))
    into.add_argument("--palette", choices=tuple(PALETTES), default="default", help=tell("help.palette"))
    output = Path("board.svg")
    into.add_argument("-o", "--output", type=file_path, default=output, metavar="FILE", help=tell("help.drawn"))


def _add_wire(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    _add_board(into)
    into.add_argument("-o", "--output", type=file_path, metavar="FILE", help=tell("help.output"))
    into.add_argument("--force", action="store_true", help=tell("help.force"))
    into.add_argument("--masked", action="store_true", help=tell("help.masked"))
    into.add_argument("--patience", type=seconds(0.5, 3600), default=10.0, metavar="N", help=tell("help.patience"))


def _add_doctor(into: argparse.ArgumentParser) -> None:
    tell = system_words().text
    _add_board(into)
    into.add_argument("--seconds", type=seconds(0.5, 3600), default=5.0, metavar="N", help=tell("help.seconds"))
    how = into.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help=tell("help.findings"))
    how.add_argument("--live", action="store_true", help=tell("help.live"))
    how.add_argument("--lights", action="store_true", help=tell("help.picture"))


def _add_engine(command: Command) -> None:
    tell = system_words().text
    gtp = command("gtp", do_gtp)
    gtp.add_argument("game", metavar="GAME", help=known_games())
    gtp.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=tell("help.option"))
    gtp.add_argument("--seconds", type=seconds(0.01, 86400), metavar="S", help=tell("help.think"))
    gtp.add_argument("--nodes", type=nodes, metavar="N", help=tell("help.nodes"))
    gtp.add_argument("--seed", type=int, default=0, metavar="N", help=tell("help.luck"))
    endings = command("endings", do_endings)
    endings.add_argument("game", metavar="GAME", nargs="?", help=tell("help.ending-game"))
    endings.add_argument("--seeds", type=int, metavar="N", help=tell("help.ending-seeds"))
    endings.add_argument("--stones", type=int, metavar="N", help=tell("help.ending-stones"))
    endings.add_argument("--force", action="store_true", help=tell("help.again"))
    built = command("compile", do_compile)
    built.add_argument("--force", action="store_true", help=tell("help.build-again"))


def _add_analysis(command: Command) -> None:
    tell = system_words().text
    games = command("games", do_games)
    games.add_argument("--player", default="", metavar="NAME", help=tell("help.of-player"))
    games.add_argument("--game", default="", metavar="GAME", help=known_games())
    games.add_argument("--result", default="", choices=("won", "lost", "drawn", "open"), help=tell("help.result"))
    games.add_argument("--since", default="", metavar="DAY", help=tell("help.since"))
    games.add_argument("--until", default="", metavar="DAY", help=tell("help.until"))
    games.add_argument("--stats", action="store_true", help=tell("help.stats"))
    games.add_argument("--json", action="store_true", help=tell("help.json"))
    games.add_argument("--config", type=file_path, metavar="FILE", help=tell("help.config"))
    convert = command("convert", do_convert)
    convert.add_argument("file", type=file_path, metavar="FILE", help=tell("help.converted"))
    convert.add_argument(
        "-o", "--output", type=file_path, required=True, metavar="FILE", help=tell("help.converted-to")
    )
    analyse = command("analyse", do_analyse)
    analyse.add_argument("file", type=file_path, metavar="RECORD", help=tell("help.drawn-record"))
    analyse.add_argument("-o", "--output", type=file_path, metavar="FILE", help=tell("help.report"))
    analyse.add_argument("--seconds", type=seconds(0.01, 86400), metavar="S", help=tell("help.think-each"))
    analyse.add_argument("--nodes", type=nodes, metavar="N", help=tell("help.nodes-each"))
    analyse.add_argument("--seed", type=int, default=0, metavar="N", help=tell("help.luck"))


def _add_options(into: argparse.ArgumentParser) -> None:
    games = (load(name) for name in names())
    told = "; ".join(f"{game.name}: {', '.join(option_values(game).values())}" for game in games if game.options)
    into.add_argument("-O", "--option", action="append", default=[], metavar="NAME=VALUE", help=told)


def _add_board(into: argparse.ArgumentParser) -> None:
    into.add_argument("--board", type=file_name, metavar="NAME|FILE", help=listed("help.board", boards()))
    into.add_argument("--config", type=file_path, metavar="FILE", help=system_words().text("help.config"))


# The values of options --------------------------------------------------------------------------


def within(text: str, least: float, most: float, unit: str = "") -> float:
    """The number that `text` is; ValueError, or ArgumentTypeError if it is not between the two."""
    value = float(text)
    if not least <= value <= most:
        bounds = {"least": f"{least:g}", "most": f"{most:g}{unit}"}
        raise argparse.ArgumentTypeError(system_words().say(Reason.of("help.bounds", text=text, **bounds)))
    return value


def speed(text: str) -> float:
    """The factor of --speed."""
    return within(text, 0.1, 1000)


def level(text: str) -> int:
    """The level (1-8) of --opponent."""
    return int(within(str(int(text)), 1, 8))


def depth(text: str) -> int:
    """The depth of perft, in turns."""
    return int(within(str(int(text)), 1, 20))


def pitch(text: str) -> float:
    """The distance of --pitch, in mm."""
    return within(text, NEAREST, FARTHEST, " mm")


def seconds(least: float, most: float) -> Callable[[str], float]:
    """What reads a time between the two, in seconds."""

    def seconds(text: str) -> float:
        return within(text, least, most)

    return seconds


def nodes(text: str) -> int:
    """The number of --nodes."""
    return int(within(str(int(text)), 1, 1e9))


def file_name(text: str) -> str:
    """`text`, if it can name a file; SettingsError, for an empty name is mostly a variable that was not set."""
    if not text:
        raise SettingsError("'': a file has no empty name; name one, or leave the option out")
    if not Path(text).name:
        raise SettingsError(f"{text}: a folder, where a file is to be named")
    return text


def file_path(text: str) -> Path:
    """The path of a file that `text` names; SettingsError."""
    return Path(file_name(text))


# Help -------------------------------------------------------------------------------------------


class PlainParser(argparse.ArgumentParser):
    """A parser that repeats what it does not understand, such as names of files, without its control characters."""

    def error(self, message: str) -> NoReturn:
        """Say what was not understood, and end."""
        super().error(plain_line(message))


class HelpLines(argparse.HelpFormatter):
    """Help in lines that fit the terminal, also in languages without blanks between words."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))


def listed(id: str, names: Iterable[str]) -> str:
    """The help text `id` with these names in it."""
    return system_words().say(Reason.of(id, names=", ".join(names)))


say(
    "command",
    tablelight="A companion for a real game table.",
    all="commands",
    play="play on the simulated table, hands typed or piped in; or at a board",
    run="run a real table; without GAME everything is chosen at the table, by light",
    link="play with another table: `new GAME` shows six words, `join WORDS` takes them there",
    club="an evening of many tables: everybody plays everybody, the results, and a wall of all boards",
    status="tell how a running table is: its scans, its helpers, its sensors, its computer",
    demo="watch simulated hands play a whole game",
    replay="play a record or a scenario again",
    moves="print a position, its legal turns and the outcome",
    perft="count the turn sequences and positions of each depth",
    rules="print the rules of a game in short",
    overlay="draw the sheet of a game, to print and lay on a table of squares",
    wire="find out which channel reads which point, by putting a piece on each",
    check_game="look whether a game keeps all that the program needs of it, with sentences for its author",
    doctor="look at the computer, the board file, the sensors and the lights",
    flash="build the firmware and put it on a Nano or Uno",
    install_service="let the table start with this computer, or no longer; needs root",
    completion="print what lets a shell complete commands and options",
    fit="estimate what is usual at a table, its sensors and its people, from traces, so that it reads them better",
    gtp="let programs play against the engine: Go Text Protocol on standard input and output",
    endings="work out the endings of games, which the engine looks up",
    compile="compile the engine, so that it thinks faster; needs a C compiler, and plays the same",
    dark="switch the lights of a board off",
    darkened="The lights are dark: {count} on {kind}.",
    picture="draw a position of a record, or a whole game that moves",
    games="find past games and what became of them, or count the results",
    convert="write a recorded game as SGF text, or SGF text as a record, checked by the rules",
    analyse="find the turns that decided a recorded game, and what was better",
    game_fails="The game {name}, of another package, fails: {fault} ({where}). The turns so far are in the record, if "
    "one is kept; tablelight check-game {name} looks for the cause.",
    driver_fails="The driver {name}, of another package, fails: {fault} ({where}). The turns so far are in the record, "
    "if one is kept; tell those who made it.",
)

say(
    "help",
    version="print the version and end",
    sense="what the sensors tell (presence)",
    set_up="begin with an empty board and be guided in setting it up",
    fake_gpio="the board's own scanner over wiring that is simulated",
    power_off="switch the computer off with the table",
    speed="times as fast as hands (3)",
    seed="which game is played (1)",
    opponent="play against the engine at this level, 1 (a child's first game) to 8; given twice, it plays both sides",
    seat="where you sit: 0 begins, 1 does not (0)",
    linked="play the game with the other table that this one is paired with",
    link_what="new: begin a pairing; join: take the words of another table; show: tell of the pairing; end: forget it",
    link_given="the game of a new pairing, or the six words (or the whole address) to join with",
    broker="the broker: HOST, mqtt://HOST:PORT or, with TLS, mqtts://HOST:PORT",
    words="begin with these six words, which the plan of an evening has (words of its own)",
    club_what="new: plan an evening; rounds: who plays whom, and by which words; table: the results; wall: show all "
    "boards in a browser; end: forget the evening",
    club_given="with new: the game, and the names of all players",
    club_json="with table: write the results to FILE as well",
    club_address="where the wall is served (127.0.0.1:8000): 0.0.0.0:8000 lets other computers see it",
    club_delay="show everything on the wall so many seconds late (0)",
    club_table="show the games of this player on the wall, and no others",
    name="what a player is called; given twice, the first is of who plays first; with one opponent it is your name",
    clock="give each player time: 10 (minutes), 10+5 (and 5 seconds more after each turn), 10+3x30 (and then 3 periods "
    "of 30 seconds), or off",
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
    game="{games}, or another one that is installed",
    checked_game="the name of a game, or the path of its folder or file",
    check_seconds="how long one check may take (60)",
    pitch="from square to square ({pitch} mm)",
    laid_on="the board it is laid on (registers)",
    option="an option of the game",
    paper="cut a PDF into pages of this size (none: the whole sheet is one page)",
    sheet="FILE.svg or FILE.pdf",
    think="seconds for a turn (1; none if --nodes is given)",
    nodes="positions or random games for a turn, so that it is the same on every computer",
    luck="another number, other choices between equal turns (0)",
    ending_game="a game that has endings (all of them)",
    ending_seeds="games of seeds: up to so many seeds in the pits (as many as can be)",
    ending_stones="games of stones: up to so many stones of each player (as many as can be)",
    again="work them out although they are there",
    build_again="compile it although it is there",
    bounds="{text} is not between {least} and {most}",
    firmware="for switches in a matrix (as usual), or pits on scales",
    port="where the board is plugged in: /dev/ttyUSB0 (the only board that there is)",
    baud="the speed of its boot loader: 115200, or 57600 for an older Nano (one after the other)",
    no_start="install it only; it starts with the computer the next time",
    uninstall="take it away again; games and settings stay",
    purge="with --uninstall: delete games and settings, too",
    fitted_trace="what --trace has kept of an evening at this table; several of one game are put together",
    fitted="write it to FILE (TOML) as well, which [table] constants of the configuration is to name",
    drawn_record="the record of a game",
    converted="a record, or SGF text as this program writes it",
    converted_to="the file to write: NAME.sgf, or NAME.table for a record",
    drawn_turn="after so many turns; 0 is the start (the last)",
    palette="the colours of the lights",
    drawn="FILE.svg, FILE.png, or FILE.gif for the game up to there (board.svg)",
    of_player="those of a player: a part of the name will do",
    result="those that somebody won or lost (with --player: that player), drawn ones, or those not finished",
    since="those begun on this day or later, such as 2026-11-25",
    until="those begun on this day or before",
    stats="how the players have done, and how the games have ended",
    report="FILE.html or FILE.json (a table in the terminal)",
    think_each="seconds for a position (no limit); the values then depend on the computer",
    nodes_each="positions (20000) or random games (2000) for a position",
)
