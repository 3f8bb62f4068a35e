"""From the command line and the configuration to a table at which people play: a simulated one or a real one.

Without a page the simulated table is played at a terminal or from a file of turns, and ends with its input. A simulated
table at the page and a real table run until they are switched off, scan after scan: what happens is printed, said
aloud, told to the service manager and shown on the page.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING

from msgspec.structs import replace

from firmware_bridge.cli.monitor import Monitor, own_folder, write_journal
from firmware_bridge.cli.systemd import Notifier
from firmware_bridge.cli.terminal import play_piped
from firmware_bridge.config import Config, LinkConfig, SoundConfig, default_config, read_config
from firmware_bridge.daemon import SCAN_HZ, Daemon
from firmware_bridge.events import Event
from firmware_bridge.health import PAGE, SESSION, Stopwatch
from firmware_bridge.i18n import game_catalogue, print_lines, system_words
from firmware_bridge.layout import check_layouts, fits, full_sense, lay_out, usable_sense
from firmware_bridge.link import Partner
from firmware_bridge.link.courier import kept_standing
from firmware_bridge.link.pairing import LinkError, broker_of, pairing_path, read_pairing
from firmware_bridge.records import Record, RecordError, Saved, option, read_record
from firmware_bridge.score import ScoreSheet, people, person
from firmware_bridge.session import Session
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.web.mirror import Mirror, ShownTable, invitation, open_browser, open_mirror, url, usual_address
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.worker import await_news
from games.rules import Game, OptionError, Position, Reason, load, say
from hardware.bench import open_bench
from hardware.board import Board, find_board, read_board
from hardware.device import Buzzer, DeviceError, Sense

if TYPE_CHECKING:  # loaded where something is to be heard
    from firmware_bridge.audio import Sound
    from firmware_bridge.home import Home

MOST_LINES = 200
"""Lines that wait for a standard output that blocks; guessed: an evening's last half hour."""
LAST_LINES = 1.0
"""Seconds in which the last lines may still be printed; guessed."""
POWER_OFF = ("systemctl", "poweroff")
"""The command that switches the computer off."""
SWITCHED_OFF = 10
"""The exit status that asks the unit to switch the computer off: under it the program has no right to."""


# The commands -----------------------------------------------------------------------------------


def play_anywhere(wanted: argparse.Namespace) -> int:
    """The command ``play``: at a real board if one is named, else at the simulated table; the exit status."""
    config = configured(wanted)
    if wanted.linked or (config.link.play and not wanted.game):
        return play_linked(wanted, config)
    if (wanted.board or wanted.scanner or wanted.lights) and not wanted.fake_gpio:
        return run_real_table(wanted, config, None if wanted.resume else new_sheet(config))
    saved = read_saved(wanted, config) if wanted.resume else None
    sheet = saved.sheet if saved else new_sheet(config)
    if config.page.address and not wanted.fake_gpio:
        return serve_simulated_table(wanted, config, sheet, saved)
    simulation = open_table_simulation(wanted, config, sheet, saved)
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from firmware_bridge.cli.screen import play_typed

            return play_typed(simulation)
        return play_piped(simulation, sys.stdin, sys.stdout)
    finally:
        simulation.close()


def play_unattended(wanted: argparse.Namespace) -> int:
    """The command ``run``: a real table with no screen or keyboard; the exit status."""
    config = configured(wanted)
    if wanted.linked or (config.link.play and not wanted.game):
        return play_linked(wanted, config, real=True)
    sheet = new_sheet(config)  # without GAME it is made all the same, to refuse wrong options at once
    return run_real_table(wanted, config, sheet if wanted.game and not wanted.resume else None)


def play_linked(wanted: argparse.Namespace, config: Config, *, real: bool = False) -> int:
    """The game with the other table, at a real board or at the simulated table of the page; the exit status."""
    real = real or bool((wanted.board or wanted.scanner or wanted.lights) and not wanted.fake_gpio)
    sheet, partner = linked_game(wanted, config)
    if real:
        return run_real_table(wanted, config, sheet, partner)
    if not config.page.address or wanted.fake_gpio:
        raise LinkError("a table without a board plays with another one at the page: add --page")
    return serve_simulated_table(wanted, config, sheet, None, partner)


def linked_game(wanted: argparse.Namespace, config: Config) -> tuple[ScoreSheet, Partner]:
    """The score of the game with the other table, and who reaches it; LinkError."""
    if wanted.game or wanted.resume or wanted.opponent:
        raise LinkError("--linked goes on with the game of the pairing: leave GAME, --resume and --opponent out")
    path = pairing_path(config.record.directory())
    pairing = read_pairing(path)
    try:
        standing = kept_standing(pairing, path)
    except OSError as error:
        raise LinkError(f"{path.parent}: {error.strerror}") from None
    except OptionError as error:
        raise LinkError(f"{path}: {error}") from None
    return standing.sheet, Partner(path, standing.games)


# The simulated table ----------------------------------------------------------------------------


def open_table_simulation(
    wanted: argparse.Namespace, config: Config, sheet: ScoreSheet, saved: Saved | None
) -> Simulation:
    """The simulation that the command line and the configuration describe, with its record."""
    live = sys.stdin.isatty() and sys.stdout.isatty()
    now = time.monotonic() if live else 0.0
    board = wanted_board(wanted, config) if wanted.fake_gpio else None
    if board:
        lay_out(sheet.game, board)
    sense = table_sense(wanted, config, sheet.game, saved, board)
    record = None
    if saved or wanted.record or config.record.keep:
        path = resumed_path(wanted.resume, config) if saved else wanted.record or new_record_path(config, sheet.game)
        record = Record(path, sheet, sense, saved, now=now, background=live, shelf=config.record.shelf())
        print_lines(system_words().say(Reason.of("record.at", path=str(path))), file=sys.stderr)
    simulation = open_simulation(
        sheet, board or sense, **config.daemon_options(record, setting=wanted.set_up, background=live)
    )
    simulation.now = now
    return simulation


def serve_simulated_table(
    wanted: argparse.Namespace, config: Config, sheet: ScoreSheet, saved: Saved | None, partner: Partner | None = None
) -> int:
    """Run the simulated table for players at the page; the exit status."""
    sense = table_sense(wanted, config, sheet.game, saved, None)
    kept = (resumed_path(wanted.resume, config), saved) if saved else None
    mirror = open_mirror(config)
    host = SimulatedHost(
        config, sheet, sense, record_namer(wanted, config), saved=kept, set_up=wanted.set_up, now=time.monotonic(),
        offered=not (wanted.game or saved or wanted.opponent or partner), partner=partner,
    )  # fmt: skip
    run_table(host, config, Notifier(), mirror)
    return 0


def table_sense(
    wanted: argparse.Namespace, config: Config, game: Game[Position], saved: Saved | None, board: Board | None
) -> Sense:
    """The sense of the board's sensors, else of the record, else the one asked for; OptionError, RecordError."""
    if board:
        if saved:
            check_sensed(saved, board)
        return usable_sense(game, Sense(board.scanner.settings.sense))
    usual = full_sense(game) if config.page.address else Sense.PRESENCE
    sense = saved.sense if saved else Sense(wanted.sense or config.table.sense or usual)
    check_sense(game, sense)
    return sense


def check_sense(game: Game[Position], sense: Sense) -> None:
    """OptionError if sensors of this sense tell nothing of the pieces of the game."""
    impossible = Sense.COLOUR if game.pieces == "seeds" else Sense.COUNT
    if sense is impossible:
        allowed = ", ".join(each.value for each in Sense if each is not impossible)
        raise OptionError(f"{game.name} is played with {game.pieces}, not sensed by {sense.value}; allowed: {allowed}")


# A real table -----------------------------------------------------------------------------------


def run_real_table(
    wanted: argparse.Namespace, config: Config, sheet: ScoreSheet | None, partner: Partner | None = None
) -> int:
    """Play at a real board until it is switched off; the exit status."""
    board = wanted_board(wanted, config)
    if sheet:
        lay_out(sheet.game, board)
    saved = unfinished_game(wanted, config, board) if not sheet else None
    notifier = Notifier()
    at_once = bool(wanted.resume) or (saved is not None and notifier.cut_short(saved[0]))
    mirror = open_mirror(config)
    bench = open_bench(board)
    session = Session(bench, config, record_namer(wanted, config), saved, sheet, at_once=at_once, partner=partner)
    run_table(session, config, notifier, mirror, bench.buzzer)
    return switch_off(notifier) if session.over and wanted.power_off else 0


def wanted_board(wanted: argparse.Namespace, config: Config) -> Board:
    """The board of the command line, else that of the configuration; DeviceError, OptionError, SettingsError."""
    if wanted.fake_gpio and wanted.lights:
        raise DeviceError("--fake-gpio shows the lights on the board that is drawn: leave --lights out")
    if wanted.sense:
        raise OptionError("--sense is for the plain simulated table: a board's scanner has a sense of its own")
    lights = "terminal" if wanted.fake_gpio else wanted.lights or ""  # no library of the real ones is needed then
    path = find_board(wanted.board or config.table.board)
    return check_layouts(read_board(path, scanner=wanted.scanner or "", lights=lights))


def unfinished_game(wanted: argparse.Namespace, config: Config, board: Board) -> tuple[Path, Saved] | None:
    """The last game, if it was not finished and can be gone on with at this board; RecordError if it was asked for."""
    if not wanted.resume and not config.record.shelf().newest():
        return None
    try:
        path = resumed_path(wanted.resume or True, config)
        saved = read_record(path) if not wanted.resume else read_saved(wanted, config)
        if saved.sheet.outcome and not wanted.resume:
            return None
        check_resumed(path, saved, board)
    except RecordError as error:
        if wanted.resume:
            raise
        print_lines(system_words().say(Reason.of("record.unfit", fault=str(error))), file=sys.stderr)
        return None
    return path, saved


def check_resumed(path: Path, saved: Saved, board: Board) -> None:
    """RecordError if a game cannot be gone on with at this board."""
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
    """RecordError if the turns of a game were told by sensors of another sense."""
    sense = usable_sense(saved.sheet.game, Sense(board.scanner.settings.sense))
    if saved.sense is not sense:
        raise RecordError(f"this game was sensed by {saved.sense.value}, and the board tells {sense.value}")


def switch_off(notifier: Notifier) -> int:
    """Have the unit that the program runs under switch the computer off, or do it here; the exit status."""
    return SWITCHED_OFF if notifier.present else power_off()


def power_off() -> int:
    """Switch the computer off: 0, or 1 if it was refused; DeviceError."""
    try:
        return 1 if subprocess.run(POWER_OFF, check=False).returncode else 0
    except OSError as error:
        raise DeviceError(f"{' '.join(POWER_OFF)}: {error.strerror}; switch the computer off by hand") from None


# A table until it is switched off ---------------------------------------------------------------


def run_table(
    table: ShownTable, config: Config, notifier: Notifier, mirror: Mirror | None, buzzer: Buzzer | None = None
) -> None:
    """Run `table` until it is switched off; then its lights are dark, and the last sentence is said to its end."""
    printer = Printer()
    home = told_house(config.link)
    sound = open_table_sound(config.sound, buzzer, printer.say)
    loop = ScanLoop(table, printer.say, notifier, mirror, sound, home)
    if notifier.present:
        write_journal()
    records, logs = config.record.directory(), notifier.present
    monitor = Monitor(
        table, loop.stopwatch, records, mirror, home=home, folder=own_folder(), logs=logs,
        complain=printer.say,
    )  # fmt: skip
    try:
        loop.run()
    finally:
        notifier.stopping()
        table.close()
        monitor.close()
        if sound:
            sound.close()
        printer.close()


def told_house(config: LinkConfig) -> Home | None:
    """What tells a house of the table, if it is to be told; LinkError."""
    if not config.home:
        return None
    from firmware_bridge.home import open_home

    return open_home(config.home, broker_of(config.broker, config.ca, config.user, config.password_file)[0])


def open_table_sound(config: SoundConfig, buzzer: Buzzer | None, complain: Callable[[str], None]) -> Sound | None:
    """The speech and the buzzer that `config` asks for; None for silence, for which nothing is loaded."""
    if not config.speech and not (config.buzzer and buzzer):
        return None
    from firmware_bridge.audio import open_sound

    return open_sound(config, buzzer, complain)


class ScanLoop:
    """Scans `table` until it is switched off, and tells everybody of what happens: `say` gets each sentence.

    Nothing in it waits, and while a game runs nothing opens, lists or looks up a file.
    """

    def __init__(
        self,
        table: ShownTable,
        say: Callable[[str], None],
        notifier: Notifier,
        mirror: Mirror | None = None,
        sound: Sound | None = None,
        home: Home | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table, self._say, self._notifier, self._mirror, self._sound = table, say, notifier, mirror, sound
        self._home = home
        self.stopwatch = Stopwatch(clock)
        """Where the time of the scans goes."""
        self._words = system_words()
        self._daemon: Daemon | None = None

    def run(self) -> None:
        """Scan until it is switched off, at the table's own rate, and while light waits for it as fast as can be.

        A scan that is late is not made up for.

        A board that sends by itself ends the wait early when it has news, and so does a hand on the page. DeviceError
        if pieces are to be moved on a page that cannot be served.
        """
        Daemon.warm_up()
        try:
            due = self.stopwatch.now()
            while not self._table.over:
                now = self.stopwatch.begin(due)
                self.scan(now)
                ended = self.stopwatch.end()
                daemon = self._table.shown
                due = max(daemon.due(now) if daemon else now + 1 / SCAN_HZ, ended)
                self._table.wait(due - ended, self._pause)
        finally:
            if self._home:
                self._home.close()
            if self._mirror:
                self._mirror.close()

    def _pause(self, seconds: float) -> None:
        """Wait for so many seconds, or until somebody at the page asks something, or another table plays."""
        workers = self._mirror.asking(self._table) if self._mirror else []
        if self._daemon and self._daemon.partner:
            workers.append(self._daemon.partner.worker)
        await_news(workers, seconds)

    def scan(self, now: float) -> None:
        """One scan at `now` (seconds): the requests of the page, the table, and everybody who is told."""
        table, mirror, lap = self._table, self._mirror, self.stopwatch.lap
        events: list[Event] = []
        if mirror:
            events += [event for request in mirror.requests(table) for event in table.obey(request, now)]
            if mirror.unannounced:  # before it is told that a server that cannot serve has ended
                announce_page(mirror, table, self._say)
            lap(PAGE)
        events += table.step(now)
        if table.daemon is not self._daemon:
            self._begin(table.daemon)
        events += mirror.troubles() if mirror else []
        if self._home and mirror:
            events += self._home.see(mirror.listening, mirror.server.token, now)
        for event in events:
            self._say(self._words.say(event.say))
        if self._sound:
            self._sound.hear(events, now)
        self._notifier.see(table, events, now)
        lap(SESSION)
        if mirror:
            mirror.see(table, events, now)
            lap(PAGE)

    def _begin(self, daemon: Daemon | None) -> None:
        """A game begins: its scans are timed, and its sentences are read now, so that no turn waits for them."""
        self._daemon = daemon
        if daemon:
            daemon.stopwatch = self.stopwatch
            game_catalogue(daemon.table.game.name, self._words.language)


def announce_page(mirror: Mirror, table: ShownTable, say: Callable[[str], None]) -> None:
    """Say where the page is, or why there is none; DeviceError if there is none and pieces are moved on it."""
    mirror.unannounced = False
    if mirror.fault and table.hands:
        raise DeviceError(mirror.fault)
    for line in [mirror.fault] if mirror.fault else invitation(mirror).split("\n"):
        say(line)
    if table.hands and not mirror.fault:
        open_browser(url(mirror.server, mirror.listening))


class Printer:
    """Prints lines from a thread of its own: where standard output blocks or fails, nothing waits and nothing ends.

    Lines that find too many waiting are lost, as are those that cannot be written: the record has all of them.
    """

    def __init__(self) -> None:
        self._lines: Queue[str | None] = Queue(MOST_LINES)
        self._thread = Thread(target=self._print, name="printer", daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        """Print `text` soon."""
        with suppress(Full):
            self._lines.put_nowait(text)

    def _print(self) -> None:
        while (text := self._lines.get()) is not None:
            with suppress(OSError):
                print_lines(text)

    def close(self) -> None:
        """Print what is left, as far as there is time."""
        with suppress(Full):
            self._lines.put_nowait(None)
        self._thread.join(LAST_LINES)


# The configuration and the game -----------------------------------------------------------------


def configured(wanted: argparse.Namespace) -> Config:
    """The configuration, with what the command line says of game, opponent, lights, record and page in its place."""
    config = read_config(wanted.config or default_config())
    game, lights, record, page = config.game, config.lights, config.record, config.page
    name = wanted.game or game.name
    options = (game.options if name == game.name else {}) | dict(map(option, wanted.option))
    return replace(
        config,
        game=replace(
            game,
            name=name,
            options=options,
            levels=(levels := wanted_levels(wanted, game.levels)),
            names=wanted_names(wanted, game.names, levels),
            clock=game.clock if wanted.clock is None else wanted.clock,
        ),
        lights=replace(lights, mode=wanted.mode or lights.mode, hints=wanted.hints or lights.hints),
        record=replace(record, keep=record.keep and not wanted.no_record, trace=str(wanted.trace or record.trace)),
        page=replace(page, address=wanted.address or page.address or (usual_address() if wanted.page else "")),
    )


def wanted_levels(wanted: argparse.Namespace, levels: tuple[int, int]) -> tuple[int, int]:
    """The engine's level (1-8, 0 for a person) on either side, as the command line says, else `levels`; OptionError."""
    opponents: list[int] = wanted.opponent or []
    if len(opponents) == 2:
        return opponents[0], opponents[1]
    if len(opponents) > 2:
        raise OptionError("--opponent is given once, or twice for the engine on both sides")
    if not opponents:
        return levels
    return (0, opponents[0]) if wanted.seat == 0 else (opponents[0], 0)


def wanted_names(wanted: argparse.Namespace, names: tuple[str, str], levels: tuple[int, int]) -> tuple[str, str]:
    """What both players are called, as the command line says, else `names`; OptionError."""
    told = [person(name) for name in wanted.name or []]
    if len(told) > 2:
        raise OptionError("--name is given once for each player, so twice at the most")
    if len(told) == 1:
        return ("", told[0]) if levels[0] and not levels[1] else (told[0], names[1])
    return (told[0], told[1]) if told else names


def new_sheet(config: Config) -> ScoreSheet:
    """The score sheet of a new game, as the configuration describes it; OptionError."""
    chosen = config.game
    game = load(chosen.name, **chosen.options)
    if any(chosen.levels):
        from firmware_bridge.engine import compiled

        compiled.tell(game)
    return ScoreSheet(
        game, house_rule=chosen.house_rule, levels=chosen.levels, clock=chosen.clocks, names=people(chosen.names)
    )


# Records ----------------------------------------------------------------------------------------


def read_saved(wanted: argparse.Namespace, config: Config) -> Saved:
    """Read the record to go on with, and say so if its last line was cut short; RecordError."""
    path = resumed_path(wanted.resume, config)
    saved = read_record(path)
    if wanted.game not in (None, saved.sheet.game.name):
        raise RecordError(f"{path}: this is a game of {saved.sheet.game.name}, not {wanted.game}; leave GAME out")
    if saved.torn:
        print_lines(system_words().say(Reason.of("record.torn", path=str(path))), file=sys.stderr)
    return saved


def resumed_path(resume: str | bool, config: Config) -> Path:
    """The path of the record to go on with: the one named, else the latest; RecordError if there is none."""
    if isinstance(resume, str):
        return Path(resume)
    newest = config.record.shelf().newest()
    if not newest:
        raise RecordError(f"{config.record.directory()}: there is no game to go on with; begin one without --resume")
    return newest


def record_namer(wanted: argparse.Namespace, config: Config) -> Callable[[Game[Position]], Path] | None:
    """What names the record of each new game: the first as the command line says; None if no records are kept."""
    named = [wanted.record] if wanted.record else []
    return (
        (lambda game: named.pop() if named else new_record_path(config, game)) if config.record.keep or named else None
    )


def new_record_path(config: Config, game: Game[Position]) -> Path:
    """The path of the record of a game that begins now; there is no such file yet."""
    stem = f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    free = (
        config.record.directory() / f"{stem}{more}.table" for more in chain([""], (f"-{number}" for number in count(2)))
    )
    return next(path for path in free if not path.exists())


say(
    "record",
    at="The record is {path}.",
    unfit="The last game cannot be gone on with: {fault}.",
    torn="{path}: the last line was cut short when the program ended; it is taken off.",
)
