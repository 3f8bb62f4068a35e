"""The commands: each takes what the parser has read, prints its answer and returns the exit status.

What a command needs is imported when it is called, so that no command waits for what another one needs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from firmware_bridge.i18n import padded, print_lines, system_words, width
from firmware_bridge.records import LineError, RecordError, option, read_bounded, read_lines
from games.rules import Game, Outcome, Position, Reason, load, perft, play, say
from hardware.board import find_board, read_board
from hardware.settings import SettingsError

SHELLS = ("bash", "fish", "zsh")
"""Shells that commands can be completed in."""


def option_values(game: Game[Position]) -> dict[str, str]:
    """The options of a game, each with its values: ``size=8|6|10|12``."""
    return {name: f"{name}={'|'.join(map(str, values))}" for name, values in game.options.items()}


def chosen_game(wanted: argparse.Namespace) -> Game[Position]:
    """The game that the command names, with its options."""
    return load(wanted.game, **dict(map(option, wanted.option)))


def do_play(wanted: argparse.Namespace) -> int:
    """Run the table on simulated pieces, or at a real board if one is named."""
    from firmware_bridge.cli.play import play_anywhere

    return play_anywhere(wanted)


def do_link(wanted: argparse.Namespace) -> int:
    """Pair this table with another one."""
    from firmware_bridge.cli.linking import link_tables

    return link_tables(wanted)


def do_club(wanted: argparse.Namespace) -> int:
    """Plan an evening of many tables, tell its results, or show it."""
    from firmware_bridge.cli.club import club

    return club(wanted)


def do_run(wanted: argparse.Namespace) -> int:
    """Run a real table, with no screen or keyboard."""
    from firmware_bridge.cli.play import play_unattended

    return play_unattended(wanted)


def do_status(wanted: argparse.Namespace) -> int:
    """Tell how a running table is."""
    from firmware_bridge.cli.monitor import tell_status

    return tell_status(as_json=wanted.json)


def do_demo(wanted: argparse.Namespace) -> int:
    """Show a whole game on the screen, or print it where there is no terminal."""
    from firmware_bridge.simulation import demo_plain, demo_simulation

    simulation = demo_simulation(load(wanted.game))
    if sys.stdout.isatty():
        from firmware_bridge.cli.screen import show_demo

        show_demo(simulation, wanted.seed, wanted.speed)
    else:
        demo_plain(simulation, wanted.seed, print_lines)
    if simulation.table.sheet.outcome:
        print_lines(system_words().say(simulation.table.sheet.outcome.reason))
    simulation.daemon.close()
    return 0


def do_replay(wanted: argparse.Namespace) -> int:
    """Play a record, a scenario or a trace again and print what happens; RecordError."""
    from firmware_bridge.simulation import perform_script

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
            print_lines(f"{line.number:4} {' '.join(line.words)}")
            for event in events:
                print_lines(f"       {system_words().say(event.say)}")
    except LineError as error:
        raise RecordError(f"{wanted.file}: {error}") from None
    return 0


def do_moves(wanted: argparse.Namespace) -> int:
    """Print a position with its legal turns and its outcome."""
    game = chosen_game(wanted)
    position = game.position(wanted.position) if wanted.position else game.start()
    for text in wanted.turns:
        position = play(game, position, text)
    turns = [turn.text for turn in game.turns(position)]
    outcome = game.outcome(position)
    if wanted.json:
        ended = {"winner": outcome.winner, "reason": str(outcome)} if outcome else None
        print_lines(json.dumps({"position": str(position), "side": position.side, "turns": turns, "outcome": ended}))
        return 0
    print_lines(*position_lines(game, position, turns, outcome))
    return 0


def position_lines(game: Game[Position], position: Position, turns: list[str], outcome: Outcome | None) -> list[str]:
    """The lines that tell the position, whose turn it is, the legal turns and the outcome."""
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
    """Count the turn sequences and positions of each depth."""
    print_lines(system_words().text("moves.perft"))
    for count in perft(chosen_game(wanted), wanted.depth):
        print_lines(f"{count.depth:5} {count.sequences:11} {count.distinct:11}")
    return 0


def do_rules(wanted: argparse.Namespace) -> int:
    """Print the rules in short."""
    from firmware_bridge.cli.terminal import rules_text

    game = load(wanted.game)
    words = system_words()
    print_lines(game.title, "", *rules_text(game).split("\n"))
    if game.options:
        titled = (
            f"{option} ({words.text(f'{game.name}.option-{name}', name)})"
            for name, option in option_values(game).items()
        )
        print_lines("", words.say(Reason.of("moves.options", options=", ".join(titled))))
    return 0


def do_compile(wanted: argparse.Namespace) -> int:
    """Compile the engine for this computer."""
    from firmware_bridge.engine.build import compile_engine

    return compile_engine(again=wanted.force)


def do_gtp(wanted: argparse.Namespace) -> int:
    """Let a program play against the engine."""
    from firmware_bridge.cli import gtp

    return gtp.run(wanted, sys.stdin.buffer, sys.stdout)


def do_endings(wanted: argparse.Namespace) -> int:
    """Work out the endings of one game, or of all that have some."""
    from firmware_bridge.engine.build import work_out

    reaches = {"stones": wanted.stones, "seeds": wanted.seeds}
    told = {pieces: reach for pieces, reach in reaches.items() if reach is not None}
    return work_out(wanted.game, told, again=wanted.force)


def do_games(wanted: argparse.Namespace) -> int:
    """List the games that were played; OptionError, SettingsError."""
    from firmware_bridge.library import command

    return command.games(wanted)


def do_convert(wanted: argparse.Namespace) -> int:
    """Write a game in another form; RecordError, SettingsError."""
    from firmware_bridge.exchange import command

    return command.convert(wanted)


def do_analyse(wanted: argparse.Namespace) -> int:
    """Analyse a record; RecordError, SettingsError, OptionError."""
    from firmware_bridge.analysis import command

    return command.analyse(wanted)


def board_name(wanted: argparse.Namespace) -> str:
    """The board of the command line, else that of the configuration."""
    from firmware_bridge.config import default_config, read_config

    return str(wanted.board) if wanted.board else read_config(wanted.config or default_config()).table.board


def do_wire(wanted: argparse.Namespace) -> int:
    """Find out which channel reads which point."""
    from firmware_bridge.workshop.wire_command import map_board

    return map_board(
        board_name(wanted), wanted.output, force=wanted.force, masked=wanted.masked, patience=wanted.patience
    )


def do_doctor(wanted: argparse.Namespace) -> int:
    """Examine the computer, the board file, the sensors and the lights."""
    from firmware_bridge.config import default_config
    from firmware_bridge.workshop.doctor_command import examine_table, is_named
    from firmware_bridge.workshop.machine import Machine

    name = board_name(wanted)
    show = "json" if wanted.json else "live" if wanted.live else "lights" if wanted.lights else ""
    named = is_named(wanted.board, name)
    config = wanted.config or default_config()
    return examine_table(name, Machine(), named=named, seconds=wanted.seconds, show=show, config=config)


def do_flash(wanted: argparse.Namespace) -> int:
    """Put the firmware on a micro-controller; DeviceError."""
    from firmware_bridge.workshop.flash_command import flash

    return flash(wanted.firmware, wanted.port or "", wanted.baud)


def do_install_service(wanted: argparse.Namespace) -> int:
    """Let the table start with the computer; SettingsError."""
    from firmware_bridge.workshop.service_command import install_service

    return install_service(start=not wanted.no_start, uninstall=wanted.uninstall, purge=wanted.purge)


def do_completion(wanted: argparse.Namespace) -> int:
    """Print the script for a shell; SettingsError where the library that makes it is missing."""
    try:
        import shtab
    except ImportError:
        raise SettingsError("completion needs the library shtab: pip install 'tablelight[completion]'") from None
    for each in actions(wanted.top):
        if each.type in wanted.files:
            each.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(wanted.top, wanted.shell))
    return 0


def actions(top: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of a parser and of its commands."""
    for each in top._actions:  # argparse has no public name for them
        yield each
        if isinstance(each, argparse._SubParsersAction):
            for below in each.choices.values():
                yield from actions(below)


def do_fit(wanted: argparse.Namespace) -> int:
    """Estimate what is usual at a table; RecordError, SettingsError."""
    from firmware_bridge.workshop.fit_command import fit_table

    return fit_table(wanted.file, wanted.output)


def do_check_game(wanted: argparse.Namespace) -> int:
    """Check a game; OptionError."""
    from firmware_bridge.workshop.check_game import check_game

    return check_game(wanted.game, wanted.seconds)


def do_overlay(wanted: argparse.Namespace) -> int:
    """Draw the sheet of a game."""
    from firmware_bridge.workshop import overlay

    return overlay.do_overlay(wanted)


def do_picture(wanted: argparse.Namespace) -> int:
    """Draw a position of a record, or the whole game."""
    from firmware_bridge.drawing import picture

    return picture.do_picture(wanted)


def do_dark(wanted: argparse.Namespace) -> int:
    """Open the lights, which makes them dark, and close them; DeviceError."""
    board = read_board(find_board(board_name(wanted)), lights=wanted.lights or "")
    lights = board.open_lights()
    lights.close()
    print_lines(system_words().say(Reason.of("command.darkened", count=lights.pixels, kind=board.lights.kind)))
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
