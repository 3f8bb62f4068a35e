"""From the command line and the configuration to a table at which people play: simulated, or a real one."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from firmware_bridge.config import Config, default_config, read_config
from firmware_bridge.console import play_piped
from firmware_bridge.daemon import SCAN_HZ, Daemon
from firmware_bridge.evening import Evening, open_evening
from firmware_bridge.layout import check_layouts, fits, lay_out, sensed
from firmware_bridge.notify import Watcher
from firmware_bridge.record import Record
from firmware_bridge.saved import RecordError, Saved, option, read_record
from firmware_bridge.sheet import Sheet
from firmware_bridge.sitting import Sitting
from games.rules import Game, OptionError, Position, load
from hardware.bench import open_bench
from hardware.board import Board, find_board, read_board
from hardware.device import DeviceError, Sense

POWER_OFF = ("systemctl", "poweroff")
SWITCHED_OFF = 10
"""The exit status that asks the unit to switch the computer off: under it the program has no right to."""


def do_play(wanted: argparse.Namespace) -> int:
    """Run the table on simulated pieces, or at a real board if one is named."""
    config = configured(wanted)
    if (wanted.board or wanted.scanner or wanted.lights) and not wanted.fake_gpio:
        return sit(wanted, config, None if wanted.resume else new_sheet(config))
    saved = read_saved(wanted, config) if wanted.resume else None
    sheet = saved.sheet if saved else new_sheet(config)
    evening = seat(wanted, config, sheet, saved)
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from firmware_bridge.screen import play_typed

            return play_typed(evening)
        return play_piped(evening, sys.stdin, sys.stdout)
    finally:
        evening.close()


def do_run(wanted: argparse.Namespace) -> int:
    """Run a real table, with no screen or keyboard."""
    config = configured(wanted)
    sheet = new_sheet(config)  # with no GAME it serves to refuse options before anybody sits down
    return sit(wanted, config, sheet if wanted.game and not wanted.resume else None)


# The simulated table --------------------------------------------------------------------------


def seat(wanted: argparse.Namespace, config: Config, sheet: Sheet, saved: Saved | None) -> Evening:
    """The evening that the command line and the configuration describe."""
    live = sys.stdin.isatty() and sys.stdout.isatty()
    now = time.monotonic() if live else 0.0
    board = chosen_board(wanted, config) if wanted.fake_gpio else None
    if board:
        lay_out(sheet.game, board)
    sense = table_sense(wanted, config, sheet.game, saved, board)
    record = None
    if saved or wanted.record or config.record.keep:
        path = saved_path(wanted.resume, config) if saved else wanted.record or new_path(config, sheet.game)
        record = Record(path, sheet, sense, saved, now=now, background=live)
        print(f"The record is {path}.", file=sys.stderr)
    evening = open_evening(sheet, board or sense, **config.given(record, setting=wanted.set_up))
    evening.now = now
    evening.daemon.warm_up()
    return evening


def table_sense(
    wanted: argparse.Namespace, config: Config, game: Game[Position], saved: Saved | None, board: Board | None
) -> Sense:
    """What the sensors tell: of the board where there is one, as the record says, or as the players wish."""
    if board:
        if saved:
            check_sensed(saved, board)
        return sensed(game, Sense(board.scanner.settings.sense))
    sense = saved.sense if saved else Sense(wanted.sense or config.table.sense)
    check_sense(game, sense)
    return sense


def check_sense(game: Game[Position], sense: Sense) -> None:
    """Refuse sensors that make no sense for the pieces of the game."""
    impossible = Sense.COLOUR if game.pieces == "seeds" else Sense.COUNT
    if sense is impossible:
        allowed = ", ".join(each.value for each in Sense if each is not impossible)
        raise OptionError(f"{game.name} is played with {game.pieces}, not sensed by {sense.value}; allowed: {allowed}")


# A real table ---------------------------------------------------------------------------------


def sit(wanted: argparse.Namespace, config: Config, sheet: Sheet | None) -> int:
    """Play at a real board until it is switched off."""
    board = chosen_board(wanted, config)
    if sheet:
        lay_out(sheet.game, board)
    named = [wanted.record] if wanted.record else []  # for the first game; the next ones have files of their own
    place = (lambda game: named.pop() if named else new_path(config, game)) if config.record.keep or named else None
    saved = unfinished(wanted, config, board) if not sheet else None
    watcher = Watcher()
    at_once = bool(wanted.resume) or (saved is not None and watcher.cut_short(saved[0]))
    sitting = Sitting(open_bench(board), config, place, saved, sheet, at_once=at_once)
    try:
        follow(sitting, lambda text: print(text, flush=True), watcher)
    finally:
        watcher.stopping()
        sitting.close()
    return switch_off(watcher) if sitting.over and wanted.power_off else 0


def switch_off(watcher: Watcher) -> int:
    """Have the computer switched off: by the unit that the program runs under, or by itself."""
    return SWITCHED_OFF if watcher.present else power_off()


def power_off() -> int:
    """Switch the computer off; 1 if it may not."""
    try:
        return 1 if subprocess.run(POWER_OFF, check=False).returncode else 0
    except OSError as error:
        raise DeviceError(f"{' '.join(POWER_OFF)}: {error.strerror}; switch the computer off by hand") from None


def follow(sitting: Sitting, say: Callable[[str], None], watcher: Watcher) -> None:
    """Scan at the table's own rate, until it is switched off; a scan that is late is not made up for.

    A board that speaks by itself wakes the loop early when it has news.
    """
    Daemon.warm_up()
    while not sitting.over:
        due = time.monotonic() + 1 / SCAN_HZ
        events = sitting.step(time.monotonic())
        for event in events:
            say(str(event.say))
        watcher.see(sitting, events, time.monotonic())
        sitting.bench.wait(max(0.0, due - time.monotonic()))


def chosen_board(wanted: argparse.Namespace, config: Config) -> Board:
    """The board of the command line, else that of the configuration."""
    if wanted.fake_gpio and wanted.lights:
        raise DeviceError("--fake-gpio shows the lights on the board that is drawn: leave --lights out")
    if wanted.sense:
        raise OptionError("--sense is for the plain simulated table: a board's scanner has a sense of its own")
    lights = "terminal" if wanted.fake_gpio else wanted.lights or ""  # no library of the real ones is needed then
    path = find_board(wanted.board or config.table.board)
    return check_layouts(read_board(path, scanner=wanted.scanner or "", lights=lights))


def unfinished(wanted: argparse.Namespace, config: Config, board: Board) -> tuple[Path, Saved] | None:
    """The last game, if it was not finished and can be gone on with at this board; RecordError if it was asked for."""
    if not wanted.resume and not records(config):
        return None
    try:
        path = saved_path(wanted.resume or True, config)
        saved = read_record(path) if not wanted.resume else read_saved(wanted, config)
        if saved.sheet.outcome and not wanted.resume:
            return None
        check_resumed(path, saved, board)
    except RecordError as error:
        if wanted.resume:
            raise
        print(f"The last game cannot be gone on with: {error}.", file=sys.stderr)
        return None
    return path, saved


def check_resumed(path: Path, saved: Saved, board: Board) -> None:
    """Refuse a game that cannot be gone on with at this board."""
    game = saved.sheet.game
    if saved.sheet.outcome:
        raise RecordError(f"{path}: this game is over")
    if not fits(game, board):
        raise RecordError(f"{path}: {game.name} does not fit on this board ({board.title})")
    try:
        check_sensed(saved, board)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def check_sensed(saved: Saved, board: Board) -> None:
    """Refuse a game whose turns were told by other sensors."""
    sense = sensed(saved.sheet.game, Sense(board.scanner.settings.sense))
    if saved.sense is not sense:
        raise RecordError(f"this game was sensed by {saved.sense.value}, and the board tells {sense.value}")


# Games and records ----------------------------------------------------------------------------


def configured(wanted: argparse.Namespace) -> Config:
    """The configuration with what the command line says of game, options, mode and record."""
    config = read_config(wanted.config or default_config())
    game, lights, record = config.game, config.lights, config.record
    name = wanted.game or game.name
    options = (game.options if name == game.name else {}) | dict(map(option, wanted.option))
    return replace(
        config,
        game=replace(game, name=name, options=options),
        lights=replace(lights, mode=wanted.mode or lights.mode),
        record=replace(record, keep=record.keep and not wanted.no_record),
    )


def new_sheet(config: Config) -> Sheet:
    """A new game."""
    game = config.game
    return Sheet(load(game.name, **game.options), house_rule=game.house_rule)


def new_path(config: Config, game: Game[Position]) -> Path:
    """Where the record of a game that begins now goes."""
    return config.record.place() / f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}.table"


def records(config: Config) -> list[Path]:
    """All records, the latest last."""
    return sorted(config.record.place().glob("*.table"), key=lambda path: path.stat().st_mtime)


def saved_path(resume: str | bool, config: Config) -> Path:
    """The record to go on with: the one named, else the latest."""
    if isinstance(resume, str):
        return Path(resume)
    kept = records(config)
    if not kept:
        raise RecordError(f"{config.record.place()}: there is no game to go on with; begin one without --resume")
    return kept[-1]


def read_saved(wanted: argparse.Namespace, config: Config) -> Saved:
    """Read the record to go on with, and say so when its last line was torn."""
    path = saved_path(wanted.resume, config)
    saved = read_record(path)
    if wanted.game not in (None, saved.sheet.game.name):
        raise RecordError(f"{path}: this is a game of {saved.sheet.game.name}, not {wanted.game}; leave GAME out")
    if saved.torn:
        print(f"{path}: the last line was cut short when the program ended; it is taken off.", file=sys.stderr)
    return saved
