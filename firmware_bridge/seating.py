"""From the command line and the configuration to a table at which people play: simulated, or a real one."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from firmware_bridge.config import Config, read_config
from firmware_bridge.console import play_piped
from firmware_bridge.daemon import SCAN_HZ, Daemon
from firmware_bridge.evening import Evening, open_evening, open_wired
from firmware_bridge.layout import fits, sensed
from firmware_bridge.record import Record
from firmware_bridge.saved import RecordError, Saved, option, read_record
from firmware_bridge.sheet import Sheet
from firmware_bridge.sitting import Sitting
from games.rules import Game, OptionError, Position, load
from hardware.bench import open_bench
from hardware.board import Board, find_board, read_board
from hardware.device import DeviceError, Sense

POWER_OFF = ("systemctl", "poweroff")


def do_play(wanted: argparse.Namespace) -> int:
    """Run the table on simulated pieces, or at a real board if one is named."""
    config = read_config(wanted.config or default_config())
    if (wanted.board or wanted.scanner or wanted.lights) and not wanted.fake_gpio:
        return sit(wanted, config, None if wanted.resume else new_sheet(wanted, config))
    saved = read_saved(wanted.resume, config) if wanted.resume else None
    sheet = saved.sheet if saved else new_sheet(wanted, config)
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
    config = read_config(wanted.config or default_config())
    return sit(wanted, config, new_sheet(wanted, config) if wanted.game else None)


# The simulated table --------------------------------------------------------------------------


def seat(wanted: argparse.Namespace, config: Config, sheet: Sheet, saved: Saved | None) -> Evening:
    """The evening that the command line and the configuration describe."""
    live = sys.stdin.isatty() and sys.stdout.isatty()
    now = time.monotonic() if live else 0.0
    board = chosen_board(wanted, config) if wanted.fake_gpio else None
    sense = table_sense(wanted, config, sheet.game, saved, board)
    record = None
    if saved or wanted.record or (config.record.keep and not wanted.no_record):
        path = saved_path(wanted.resume, config) if saved else wanted.record or new_path(config, sheet.game)
        record = Record(path, sheet, sense, saved, now=now, background=live)
        print(f"The record is {path}.", file=sys.stderr)
    looks = replace(config.looks(), mode=wanted.mode) if wanted.mode else config.looks()
    given: dict[str, Any] = {
        "setting": wanted.set_up, "patience": config.patience(), "debounce": config.steady(), "looks": looks,
        "record": record, "supply": config.lights.supply,
    }  # fmt: skip
    evening = open_wired(sheet, board, **given) if board else open_evening(sheet, sense, **given)
    evening.now = now
    evening.daemon.warm_up()
    return evening


def table_sense(
    wanted: argparse.Namespace, config: Config, game: Game[Position], saved: Saved | None, board: Board | None
) -> Sense:
    """What the sensors tell: of the board where there is one, as the record says, or as the players wish."""
    if board:
        if wanted.sense:
            raise OptionError("--sense is for the plain simulated table: a board's scanner has a sense of its own")
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
    keep = config.record.keep and not wanted.no_record
    place = (lambda game: wanted.record or new_path(config, game)) if keep or wanted.record else None
    saved = unfinished(wanted, config, board) if not sheet else None
    if wanted.mode:
        config = replaced_mode(config, wanted.mode)
    sitting = Sitting(open_bench(board), config, place, saved, sheet, at_once=bool(wanted.resume))
    try:
        follow(sitting, lambda text: print(text, flush=True))
    finally:
        sitting.close()
    return power_off() if sitting.over and wanted.power_off else 0


def power_off() -> int:
    """Switch the computer off; 1 if it may not."""
    try:
        return 1 if subprocess.run(POWER_OFF, check=False).returncode else 0
    except OSError as error:
        raise DeviceError(f"{' '.join(POWER_OFF)}: {error.strerror}; switch the computer off by hand") from None


def follow(sitting: Sitting, say: Callable[[str], None]) -> None:
    """Scan at the table's own rate, until it is switched off; a scan that is late is not made up for."""
    Daemon.warm_up()
    due = time.monotonic()
    while not sitting.over:
        for event in sitting.step(time.monotonic()):
            say(str(event.say))
        due = max(due + 1 / SCAN_HZ, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))


def chosen_board(wanted: argparse.Namespace, config: Config) -> Board:
    """The board of the command line, else that of the configuration."""
    if wanted.fake_gpio and wanted.lights:
        raise DeviceError("--fake-gpio shows the lights on the board that is drawn: leave --lights out")
    name = wanted.board or config.table.board
    return read_board(find_board(name), scanner=wanted.scanner or "", lights=wanted.lights or "")


def unfinished(wanted: argparse.Namespace, config: Config, board: Board) -> tuple[Path, Saved] | None:
    """The last game, if it was not finished and can be gone on with at this board."""
    try:
        path = saved_path(wanted.resume or True, config)
        saved = read_record(path)
    except RecordError as error:
        if wanted.resume:
            raise
        if records(config):
            print(f"The last game cannot be gone on with: {error}.", file=sys.stderr)
        return None
    alike = saved.sense is sensed(saved.sheet.game, Sense(board.scanner.settings.sense))
    return (path, saved) if not saved.sheet.outcome and alike and fits(saved.sheet.game, board) else None


def replaced_mode(config: Config, mode: Any) -> Config:
    """The configuration with another mode."""
    return msgspec.structs.replace(config, lights=msgspec.structs.replace(config.lights, mode=mode))


# Games and records ----------------------------------------------------------------------------


def new_sheet(wanted: argparse.Namespace, config: Config) -> Sheet:
    """A new game: that of the command line, else that of the configuration."""
    options = dict(map(option, wanted.option))
    game = load(wanted.game, **options) if wanted.game else load(config.game.name, **config.game.options | options)
    return Sheet(game, house_rule=config.game.house_rule)


def default_config() -> Path | None:
    """The user's own configuration, if there is one."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    path = Path(home) / "tablelight.toml"
    return path if path.exists() else None


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


def read_saved(resume: str | bool, config: Config) -> Saved:
    """Read the record to go on with, and say so when its last line was torn."""
    path = saved_path(resume, config)
    saved = read_record(path)
    if saved.torn:
        print(f"{path}: the last line was cut short when the program ended; it is taken off.", file=sys.stderr)
    return saved
