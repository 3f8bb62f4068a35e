"""`tablelight doctor`: the findings told, the sensors watched or shown live, the test pictures shown.

`examine_table` is the command. `Watch` finds faulty sensors while nobody touches them. `sample_pictures` are what the
lights are to show, `live` and `changes` the lines that show the sensors.
"""

from __future__ import annotations

import json
import stat
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from statistics import median
from typing import NamedTuple

from firmware_bridge.config import Config, read_config
from firmware_bridge.i18n import print_lines
from firmware_bridge.workshop.doctor import Finding, Findings, Grade, check_pins, check_supply, examine
from firmware_bridge.workshop.machine import Machine
from firmware_bridge.workshop.wire_command import analogue, chart
from firmware_bridge.workshop.wiring import WHITE, ChannelMonitor, listed
from hardware.bench import open_keys
from hardware.board import BLACK, Board, find_board, read_board
from hardware.device import LAMPS, Colour, DeviceError, Keys, Levels, Scanner, Trouble
from hardware.settings import SettingsError

SLOW = 0.005
"""Seconds of a scan beyond which 100 scans a second leave too little time for the rest (guessed)."""
CHANGES = 3
"""Changes of a channel nobody touches that are too many (guessed)."""
LIVE_HZ = 30
"""Looks a second at the sensors while they are shown (guessed)."""
ADVICE = {
    "ghosts": "show ghosts: clear the board; if it stays, see the diodes there",
    "grounded": "share a wire that touches ground: look along it for bare copper or a drop of solder",
    "silent": "do not answer: see the wires that lead there, their power, and behind 74HC165 that pin 10 of the last "
    "one is joined to its own pin 7",
}
"""What to do about each kind of `Trouble`, after the channels."""
MOST_LISTED = 4
"""Channels that are named one by one, where they follow one another; a guess at what people still read."""
BOARD = "--live and --lights need a board file that can be read"
Sleep = Callable[[float], None]


def examine_table(
    name: str, machine: Machine, *, named: bool, seconds: float, show: str, config: Path | None = None
) -> int:
    """Look at all there is and then `show`: ``json``, ``live``, ``lights`` or nothing; 1 if there is a fault, else 0.

    The board that nobody has `named` is left out where there is no Pi. `config` is the file of the settings, if any.
    """
    board, read = examine_file(name) if named or machine.model else (None, [])
    report = Report(show != "json")
    report.add([*examine(machine, board), *examine_settings(config), *read])
    if board:
        report.add([*check_pins(machine, board), *check_supply(machine, board)])
        report.add(watch_sensors(board, seconds, aloud=show != "json"))
    if show == "json":
        findings = [finding._asdict() for finding in report.all]
        print_lines(*json.dumps({"ok": not report.faults, "findings": findings}, indent=2).split("\n"))
    elif show and not board:
        raise SettingsError(f"{BOARD}: name one with --board")
    elif board and show:
        report.add((show_live if show == "live" else show_lights)(board))
    return int(report.faults > 0)


def is_named(board: str | None, name: str) -> bool:
    """Whether the command line or the configuration names a board."""
    return bool(board) or name != Config().table.board


class Report:
    """The findings so far, printed as they come unless it is to be quiet."""

    def __init__(self, aloud: bool) -> None:
        self.all: list[Finding] = []
        self._aloud = aloud

    def add(self, findings: Iterable[Finding]) -> None:
        """Add some more."""
        for finding in findings:
            self.all.append(finding)
            if self._aloud:
                print_lines(f"{finding.grade:7} {finding.about:10} {finding.say}")

    @property
    def faults(self) -> int:
        """The number of faults."""
        return sum(finding.grade == "fault" for finding in self.all)


def examine_settings(path: Path | None) -> Findings:
    """Whether others can read the token in the settings at `path`; SettingsError."""
    if path and read_config(path).page.token:
        if path.stat().st_mode & stat.S_IROTH:
            says = f"all users of this computer can read the token in it; chmod o-r {path} keeps it from them"
            yield Finding("remark", "settings", f"{path}: {says}.")
        else:
            yield Finding("ok", "settings", f"{path}: not every user can read the token in it.")


def examine_file(name: str) -> tuple[Board | None, list[Finding]]:
    """The board, if its file is as it should be, and what there is to say about it."""
    try:
        path = find_board(name)
        board = read_board(path)
    except SettingsError as error:
        return None, [Finding("fault", "board", f"{error}.")]
    masked = len(board.places) - len(board.channels)
    say = f"{path}: {board.title or 'no title'}, {len(board.places)} points, {masked} of them masked"
    return board, [Finding("ok", "board", f"{say}; scanner {board.scanner.kind}, lights {board.lights.kind}.")]


def watch_sensors(board: Board, seconds: float, *, aloud: bool) -> list[Finding]:
    """What the sensors show while nobody touches them."""
    if aloud:
        print_lines(f"Watching the sensors for {seconds:g} s: clear the board and leave it alone.", file=sys.stderr)
    try:
        scanner = board.open_scanner()
    except DeviceError as error:
        return [Finding("fault", "sensors", f"{error}.")]
    watch = Watch(scanner.channels)
    with closing(scanner):
        begun = now = time.monotonic()
        while now - begun < seconds:
            levels = scanner.scan()
            watch.feed(levels, now, (later := time.monotonic()) - now, scanner.trouble)
            now = later
    return list(watch.findings({channel: point for point, channel in board.channels.items()}))


def show_lights(board: Board, sleep: Sleep = time.sleep) -> list[Finding]:
    """Show the test pictures within the power budget, and say what should be seen."""
    said = ""
    try:
        with closing(board.open_lights()) as lights, suppress(KeyboardInterrupt):
            strip = board.strip(lights, tuple(board.places))
            for shot in sample_pictures(tuple(board.places)):
                strip.show(shot.picture)
                if shot.say != said:
                    print_lines(said := shot.say)
                sleep(shot.lasts)
    except DeviceError as error:
        return [Finding("fault", "lights", f"{error}.")]
    say = "if order or corner differ, see [pixels] in the board file; if colours differ, see order in [lights]"
    return [Finding("ok", "lights", f"The strip took the pictures; {say}.")]


def show_live(board: Board, sleep: Sleep = time.sleep) -> list[Finding]:
    """Show every channel and button until Ctrl-C: the board redrawn on a terminal, else a line a change."""
    with ExitStack() as opened:
        try:
            scanner = opened.enter_context(closing(board.open_scanner()))
            keys = opened.enter_context(closing(open_keys(board, scanner)))
        except DeviceError as error:
            return [Finding("fault", "sensors", f"{error}.")]
        with suppress(KeyboardInterrupt):
            (redraw if sys.stdout.isatty() else print_changes)(board, scanner, keys, sleep)
    return []


def redraw(board: Board, scanner: Scanner, keys: Keys, sleep: Sleep) -> None:
    """Draw the board again, in place, whenever it has changed."""
    print_lines("The board as its sensors show it: . empty, # a piece, ? cannot tell, - masked. Ctrl-C ends.")
    sensors = analogue(scanner)
    drawn: list[str] = []
    while True:
        lines = list(live(board, scanner.scan(), sensors.readings() if sensors else (), scanner.trouble, keys.down()))
        if lines != drawn:
            sys.stdout.write(f"\x1b[{len(drawn)}A\x1b[J" if drawn else "")
            print_lines(*lines)
            drawn = lines
        sleep(1 / LIVE_HZ)


def print_changes(board: Board, scanner: Scanner, keys: Keys, sleep: Sleep) -> None:
    """Print each change of a channel or a button, with the seconds since the beginning."""
    begun = time.monotonic()
    before: Levels = (0,) * scanner.channels
    held = frozenset[str]()
    while True:
        after, down = scanner.scan(), keys.down()
        told = [f"button {name}: {'pressed' if name in down else 'released'}" for name in sorted(held ^ down)]
        for line in [*changes(board, before, after), *told]:
            print_lines(f"{time.monotonic() - begun:8.2f} {line}")
        before, held = after, down
        sleep(1 / LIVE_HZ)


# What is looked at ----------------------------------------------------------------------------


class Watch:
    """Fed with the frames of sensors that nobody touches, the time, and what each scan took, in seconds."""

    def __init__(self, channels: int) -> None:
        self._monitor = ChannelMonitor(channels, changes=CHANGES)
        self._costs: deque[float] = deque(maxlen=10_000)
        self._count = 0
        self._begun: float | None = None
        self._now = 0.0
        self._channels = channels
        self._troubles: set[Trouble] = set()

    def feed(self, frame: Levels, now: float, cost: float, trouble: Trouble | None = None) -> None:
        """Note one scan."""
        self._begun = now if self._begun is None else self._begun
        self._now = now
        self._count += 1
        self._costs.append(cost)
        self._monitor.feed(frame, now)
        if trouble:
            self._troubles.add(trouble)

    def findings(self, names: Mapping[int, str]) -> Findings:
        """What the sensors have shown; `names` are the points of channels."""
        monitor = self._monitor
        if self._troubles and len(monitor.silent) == self._channels:
            yield from (Finding("fault", "sensors", f"{called(c, names)} {say}.") for _, c, say in self._ails())
            return
        if not self._costs or len(monitor.silent) == self._channels:
            yield Finding(
                "fault", "sensors", "No channel tells anything: see that the sensors are connected and powered."
            )
            return
        yield from self._pace()
        yield from (Finding(grade, "sensors", f"{called(c, names)} {say}.") for grade, c, say in self._odd() if c)
        if not any(channels for _, channels, _ in self._odd()):
            yield Finding("ok", "sensors", f"{self._channels} channels, all of them open and quiet.")

    def _odd(self) -> Iterator[tuple[Grade, frozenset[int], str]]:
        """Channels that are not as they should be, and what to do about them."""
        monitor = self._monitor
        yield "fault", monitor.silent, "told nothing all the time: see the connection"
        yield "fault", monitor.flickering, "changed again and again: leave the board alone, else see for a cold joint"
        yield "remark", monitor.stuck, "closed all the time: a piece stands there, or the sensor is stuck"
        yield from self._ails()

    def _ails(self) -> Iterator[tuple[Grade, frozenset[int], str]]:
        """What the scanner has found wrong with the wiring."""
        return (("fault", frozenset(each.channels), advice(each)) for each in sorted(self._troubles))

    def _pace(self) -> Findings:
        lasted, cost = self._now - (self._begun or 0.0), median(self._costs)
        pace = f"{round(self._count / lasted)} scans a second, " if lasted else ""
        slow = "; a hundred a second leave little time for the rest" if cost > SLOW else ""
        yield Finding("remark" if slow else "ok", "scan", f"{pace}{1000 * cost:.2f} ms each{slow}.")


def advice(trouble: Trouble) -> str:
    """What to do about it, after the channels; of a kind that only its driver knows, its name."""
    return ADVICE.get(trouble.kind, f"show {trouble.kind}: see the wires there")


def called(channels: frozenset[int], names: Mapping[int, str]) -> str:
    """Channels as the subject of a sentence, each with its point."""
    told = {number: f"{number} ({names[number]})" if number in names else str(number) for number in sorted(channels)}
    first, last = min(told), max(told)
    if MOST_LISTED < len(told) == last - first + 1:
        return f"Channels {told[first]} to {told[last]}"
    return f"Channel{'s' if len(told) > 1 else ''} {listed([*told.values()])}"


class SamplePicture(NamedTuple):
    """A test picture, what should be seen, and for how many seconds."""

    say: str
    picture: tuple[Colour, ...]
    lasts: float


def sample_pictures(points: Sequence[str]) -> Iterator[SamplePicture]:
    """The corner, a light that runs over the points, the turn lamps, then all lights in each colour."""
    yield SamplePicture(f"One white light, at {points[0]}.", only(0, points), 2.0)
    for place in range(len(points)):
        yield SamplePicture(f"A white light runs from {points[0]} to {points[-1]}.", only(place, points), 0.15)
    for lamp in range(LAMPS):
        say = f"The turn lamp of the {('first', 'second')[lamp]} player, where there is one."
        yield SamplePicture(say, only(len(points) + lamp, points), 1.5)
    colours = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": WHITE}
    for name, colour in colours.items():
        yield SamplePicture(f"All lights in {name}.", (colour,) * (len(points) + LAMPS), 2.0)


def only(place: int, points: Sequence[str]) -> tuple[Colour, ...]:
    """A picture of points and lamps in which one is white."""
    return tuple(WHITE if number == place else BLACK for number in range(len(points) + LAMPS))


def live(
    board: Board, levels: Levels, readings: Levels, trouble: Trouble | None = None, down: Iterable[str] = ()
) -> Iterator[str]:
    """The lines of the board as its sensors show it: a mark for each point, the readings of analogue sensors.

    Below it what else there is: channels of no point, what ails the wiring, the buttons that are `down`.
    """
    cells = dict.fromkeys(board.places, "-")
    for point, channel in board.channels.items():
        cells[point] = mark(levels[channel]) + (f"{readings[channel]}" if readings else "")
    yield from chart(board, cells)
    known = set(board.channels.values())
    other = [str(channel) for channel, level in enumerate(levels) if level and channel not in known]
    yield f"closed channels of no point: {', '.join(other) or 'none'}"
    if trouble:
        names = {channel: point for point, channel in board.channels.items()}
        yield f"{called(frozenset(trouble.channels), names)} {advice(trouble)}."
    yield f"buttons pressed: {', '.join(sorted(down)) or 'none'}"


def mark(level: int | None) -> str:
    """A level as one character, as long as it is below ten."""
    return "?" if level is None else "." if not level else "#" if level == 1 else str(level)


def changes(board: Board, before: Levels, after: Levels) -> Iterator[str]:
    """A line for each channel that has changed."""
    names = {channel: point for point, channel in board.channels.items()}
    for channel, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            yield f"channel {channel} ({names.get(channel, 'no point')}): {mark(old)} -> {mark(new)}"
