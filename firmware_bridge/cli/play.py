"""Tables that are kept for as long as the program runs: a real one, and the simulated one for those at the page."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from firmware_bridge.cli.follow import attend
from firmware_bridge.cli.setup import check_sensed, chosen_board, places, read_saved, records, saved_path, table_sense
from firmware_bridge.cli.systemd import Watcher
from firmware_bridge.config import Config
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.layout import fits, lay_out
from firmware_bridge.records.saved import RecordError, Saved, read_record
from firmware_bridge.score import Sheet
from firmware_bridge.session.session import Sitting
from firmware_bridge.web.invite import open_mirror
from firmware_bridge.web.simulated_host import Host
from games.rules import Reason
from hardware.bench import open_bench
from hardware.board import Board
from hardware.device import DeviceError

POWER_OFF = ("systemctl", "poweroff")
SWITCHED_OFF = 10
"""The exit status that asks the unit to switch the computer off: under it the program has no right to."""


def invite(wanted: argparse.Namespace, config: Config, sheet: Sheet, saved: Saved | None) -> int:
    """Run the simulated table for those at the page."""
    sense = table_sense(wanted, config, sheet.game, saved, None)
    kept = (saved_path(wanted.resume, config), saved) if saved else None
    mirror = open_mirror(config)
    host = Host(
        config, sheet, sense, places(wanted, config), saved=kept, set_up=wanted.set_up, now=time.monotonic()
    )  # fmt: skip
    attend(host, config, Watcher(), mirror)
    return 0


def sit(wanted: argparse.Namespace, config: Config, sheet: Sheet | None) -> int:
    """Play at a real board until it is switched off."""
    board = chosen_board(wanted, config)
    if sheet:
        lay_out(sheet.game, board)
    saved = unfinished(wanted, config, board) if not sheet else None
    watcher = Watcher()
    at_once = bool(wanted.resume) or (saved is not None and watcher.cut_short(saved[0]))
    mirror = open_mirror(config)
    bench = open_bench(board)
    sitting = Sitting(bench, config, places(wanted, config), saved, sheet, at_once=at_once)
    attend(sitting, config, watcher, mirror, bench.buzzer)
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
        print(here().say(Reason.of("record.unfit", fault=str(error))), file=sys.stderr)
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
