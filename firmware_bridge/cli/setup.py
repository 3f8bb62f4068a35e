"""From the command line and the configuration to a table at which people play: simulated, or a real one."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path

from msgspec.structs import replace

from firmware_bridge.cli.console import play_piped
from firmware_bridge.config import Config, default_config, read_config
from firmware_bridge.engine.client import searchable
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.layout import check_layouts, fullest, lay_out, sensed
from firmware_bridge.records.append_log import dated
from firmware_bridge.records.record import Record
from firmware_bridge.records.saved import RecordError, Saved, option, read_record
from firmware_bridge.score import Sheet
from firmware_bridge.simulation.table import Evening, open_evening
from games.rules import Game, OptionError, Position, Reason, load, say
from hardware.board import Board, find_board, read_board
from hardware.device import DeviceError, Sense


def do_play(wanted: argparse.Namespace) -> int:
    """Run the table on simulated pieces, or at a real board if one is named."""
    config = configured(wanted)
    if (wanted.board or wanted.scanner or wanted.lights) and not wanted.fake_gpio:
        from firmware_bridge.cli.play import sit

        return sit(wanted, config, None if wanted.resume else new_sheet(config))
    saved = read_saved(wanted, config) if wanted.resume else None
    sheet = saved.sheet if saved else new_sheet(config)
    if config.page.address and not wanted.fake_gpio:
        from firmware_bridge.cli.play import invite

        return invite(wanted, config, sheet, saved)
    evening = seat(wanted, config, sheet, saved)
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from firmware_bridge.cli.screen import play_typed

            return play_typed(evening)
        return play_piped(evening, sys.stdin, sys.stdout)
    finally:
        evening.close()


def do_run(wanted: argparse.Namespace) -> int:
    """Run a real table, with no screen or keyboard."""
    from firmware_bridge.cli.play import sit

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
        print(here().say(Reason.of("record.at", path=str(path))), file=sys.stderr)
    evening = open_evening(sheet, board or sense, **config.given(record, setting=wanted.set_up, background=live))
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
    usual = fullest(game) if config.page.address else Sense.PRESENCE
    sense = saved.sense if saved else Sense(wanted.sense or config.table.sense or usual)
    check_sense(game, sense)
    return sense


def check_sense(game: Game[Position], sense: Sense) -> None:
    """Refuse sensors that make no sense for the pieces of the game."""
    impossible = Sense.COLOUR if game.pieces == "seeds" else Sense.COUNT
    if sense is impossible:
        allowed = ", ".join(each.value for each in Sense if each is not impossible)
        raise OptionError(f"{game.name} is played with {game.pieces}, not sensed by {sense.value}; allowed: {allowed}")


# A real table ---------------------------------------------------------------------------------


def chosen_board(wanted: argparse.Namespace, config: Config) -> Board:
    """The board of the command line, else that of the configuration."""
    if wanted.fake_gpio and wanted.lights:
        raise DeviceError("--fake-gpio shows the lights on the board that is drawn: leave --lights out")
    if wanted.sense:
        raise OptionError("--sense is for the plain simulated table: a board's scanner has a sense of its own")
    lights = "terminal" if wanted.fake_gpio else wanted.lights or ""  # no library of the real ones is needed then
    path = find_board(wanted.board or config.table.board)
    return check_layouts(read_board(path, scanner=wanted.scanner or "", lights=lights))


def check_sensed(saved: Saved, board: Board) -> None:
    """Refuse a game whose turns were told by other sensors."""
    sense = sensed(saved.sheet.game, Sense(board.scanner.settings.sense))
    if saved.sense is not sense:
        raise RecordError(f"this game was sensed by {saved.sense.value}, and the board tells {sense.value}")


# Games and records ----------------------------------------------------------------------------


def configured(wanted: argparse.Namespace) -> Config:
    """The configuration with what the command line says of game, opponent, lights, record and page."""
    config = read_config(wanted.config or default_config())
    game, lights, record, page = config.game, config.lights, config.record, config.page
    name = wanted.game or game.name
    options = (game.options if name == game.name else {}) | dict(map(option, wanted.option))
    return replace(
        config,
        game=replace(game, name=name, options=options, levels=wanted_levels(wanted, game.levels)),
        lights=replace(lights, mode=wanted.mode or lights.mode, hints=wanted.hints or lights.hints),
        record=replace(record, keep=record.keep and not wanted.no_record, trace=str(wanted.trace or record.trace)),
        page=replace(page, address=wanted.address or page.address or (usual_page() if wanted.page else "")),
    )


def usual_page() -> str:
    """Where the page is served unless told otherwise."""
    from firmware_bridge.web.invite import usual_address

    return usual_address()


def new_sheet(config: Config) -> Sheet:
    """A new game."""
    game = config.game
    played = load(game.name, **game.options)
    return Sheet(played, house_rule=game.house_rule, levels=possible_levels(played, game.levels))


def possible_levels(game: Game[Position], levels: tuple[int, int]) -> tuple[int, int]:
    """`levels`; OptionError if the engine is to play a game that it does not know."""
    if any(levels):
        from firmware_bridge.engine import compiled

        if not searchable(game):
            raise OptionError(f"the engine does not know {game.name}: play it without an opponent")
        compiled.tell()
    return levels


def wanted_levels(wanted: argparse.Namespace, levels: tuple[int, int]) -> tuple[int, int]:
    """Who plays either side, as the command line says, else `levels`; OptionError."""
    opponents: list[int] = wanted.opponent or []
    if len(opponents) == 2:
        return opponents[0], opponents[1]
    if len(opponents) > 2:
        raise OptionError("--opponent is given once, or twice for the engine on both sides")
    if not opponents:
        return levels
    return (0, opponents[0]) if wanted.seat == 0 else (opponents[0], 0)


def places(wanted: argparse.Namespace, config: Config) -> Callable[[Game[Position]], Path] | None:
    """Where the record of each game goes that begins: the first one where the command line says."""
    named = [wanted.record] if wanted.record else []
    return (lambda game: named.pop() if named else new_path(config, game)) if config.record.keep or named else None


def new_path(config: Config, game: Game[Position]) -> Path:
    """Where the record of a game that begins now goes."""
    stem = f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    free = (
        config.record.place() / f"{stem}{more}.table" for more in chain([""], (f"-{number}" for number in count(2)))
    )
    return next(path for path in free if not path.exists())


def records(config: Config) -> list[Path]:
    """All records, the latest last."""
    return sorted(config.record.place().glob("*.table"), key=dated)


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
        print(here().say(Reason.of("record.torn", path=str(path))), file=sys.stderr)
    return saved


say(
    "record",
    at="The record is {path}.",
    unfit="The last game cannot be gone on with: {fault}.",
    torn="{path}: the last line was cut short when the program ended; it is taken off.",
)
