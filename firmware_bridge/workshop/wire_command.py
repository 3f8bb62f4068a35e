"""`tablelight wire` at the table: the lights and sentences of the course, and the board file at its end.

`map_board` follows a `Wiring` with the lights and a line on the terminal. `write_wired` writes what was found out into
the board file; all else in it stays, comments too. `chart` is a board in characters, as it lies.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, NamedTuple, TextIO, cast

import tomlkit

from firmware_bridge.i18n import print_lines
from firmware_bridge.lighting import PictureOutput
from firmware_bridge.workshop.calibration import Tuning, calibration_of
from firmware_bridge.workshop.wiring import Ask, Wired, Wiring, listed
from hardware import files
from hardware.board import (
    BLACK,
    Board,
    BoardFile,
    Channels,
    Places,
    boards,
    build,
    chosen,
    find_board,
    read_board,
    run_channels,
)
from hardware.device import LAMPS, Analogue, Colour, DeviceError, Levels, Scanner
from hardware.settings import SettingsError, convert, read_toml

HZ = 50
"""Scans a second (guessed)."""
WIDTH = 20
"""Cells of the bar that shows how far it is."""
NAMED = 8
"""Named points in a line of a chart."""


# The course -----------------------------------------------------------------------------------


class Frame(NamedTuple):
    """What a scanner saw at `now` (seconds)."""

    now: float
    levels: Levels
    readings: Levels = ()


class Prompt:
    """Sentences with a bar: in place on a terminal, else a line each."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._in_place = out.isatty()
        self._before = ""

    def show(self, wiring: Wiring) -> None:
        """Say what is asked for now."""
        bar, count = progress(wiring)
        said = f"{bar} {count}: {wiring.ask.say}" if self._in_place else f"{count}: {wiring.ask.say}"
        self._out.write(f"{self._up()}\x1b[J{said}" if self._in_place else f"{said}\n")
        self._before = said
        self._out.flush()

    def _up(self) -> str:
        """To the beginning of what was said before, which may take several lines of a terminal."""
        lines = max(0, len(self._before) - 1) // get_terminal_size().columns
        return f"\r\x1b[{lines}A" if lines else "\r"

    def end(self) -> None:
        """Leave the line."""
        if self._in_place:
            self._out.write("\n")


def progress(wiring: Wiring) -> tuple[str, str]:
    """How far it is: a bar, and a count with the time left."""
    done, total, left = wiring.done, len(wiring.asked), wiring.left()
    bar = "=" * round(WIDTH * done / total)
    time_left = "" if not left else f", {round(left)} s left" if left < 90 else f", {round(left / 60)} min left"
    return f"[{bar:{WIDTH}}]", f"{done} of {total}{time_left}"


def map_board(name: str, output: Path | None, *, force: bool, masked: bool, patience: float) -> int:
    """Find out the wiring of a board and write it down; returns the exit status."""
    source = find_board(name)
    target = target_file(name, source, output, force)
    board = read_board(source) if masked else read_unwired(source)
    asked = [point for point in board.places if point not in board.channels]
    if not asked:
        raise SettingsError(f"{source}: no point is masked; leave out --masked to ask for all")
    with closing(board.open_scanner()) as scanner:
        sensors = analogue(scanner)
        wiring = Wiring(
            asked, scanner.channels, known=board.channels, patience=patience, calibration=calibration_of(scanner)
        )
        try:
            follow(wiring, board, frames(scanner, sensors))
        except BaseException:  # whatever ends it, Ctrl-C above all, what was found is kept
            keep_partial(wiring.found(), len(board.channels), source, target)
            raise
    found = wiring.found()
    return conclude_board(softened(found, board) if masked else found, board, source, target)


def target_file(name: str, source: Path, output: Path | None, force: bool) -> Path:
    """The file to write: the one named, else the board's own. SettingsError before any work is done."""
    if output is None and name in boards():
        raise SettingsError(f"{name} comes with the program: say where yours is to go, as in -o my-{name}.toml")
    target = (output or source).expanduser()
    if output and target.exists() and not force and not target.samefile(source):
        raise SettingsError(
            f"{target} exists already: name another file, or add --force and it is kept as {target}.old"
        )
    check_writable(target)
    return target


def analogue(scanner: Scanner) -> Analogue | None:
    """`scanner`, if it gives readings."""
    return cast(Analogue, scanner) if hasattr(scanner, "readings") else None


def frames(scanner: Scanner, sensors: Analogue | None) -> Iterator[Frame]:
    """What the scanner sees, again and again."""
    while True:
        yield Frame(time.monotonic(), scanner.scan(), sensors.readings() if sensors else ())
        time.sleep(1 / HZ)


def follow(wiring: Wiring, board: Board, seen: Iterable[Frame]) -> None:
    """Ask at the table and on the terminal until all is known."""
    points = tuple(board.places)
    prompt = Prompt(sys.stderr)
    with ExitStack() as open_:
        show = open_.enter_context(lit(board, points))
        open_.callback(prompt.end)
        told: Ask | None = None
        for frame in seen:
            ask = wiring.feed(frame.levels, frame.now, frame.readings)
            show([*wiring.picture(points), *[BLACK] * LAMPS], frame.now)
            if ask != told:
                told = ask
                prompt.show(wiring)
            if wiring.result:
                return


@contextmanager
def lit(board: Board, points: Sequence[str]) -> Iterator[Callable[[Sequence[Colour], float], None]]:
    """What shows a picture of `points` and the lamps, at a time in seconds; without lights the sentences lead on."""
    try:
        lights = board.open_lights()
    except DeviceError as error:
        print_lines(f"The lights stay dark: {error}. Follow what is said here.", file=sys.stderr)
        yield lambda *_: None
        return
    with closing(lights):
        yield PictureOutput(board.strip(lights, points)).show  # lights that fail are tried again, the sentences lead on


def softened(wired: Wired, board: Board) -> Wired:
    """The settings of analogue sensors that suit these points and the others, which were measured before."""
    before = board.scanner.settings
    if not isinstance(wired.tuning, Tuning):
        return wired
    threshold = min(before.threshold, wired.tuning.threshold)
    hysteresis = min(before.hysteresis, wired.tuning.hysteresis, threshold // 2)
    return wired._replace(tuning=wired.tuning._replace(threshold=threshold, hysteresis=hysteresis))


# At the end -----------------------------------------------------------------------------------


def conclude_board(wired: Wired, board: Board, source: Path, target: Path) -> int:
    """Write the board file and tell what there is to know; returns the exit status."""
    old = write_wired(source, target, wired)
    cells = {point: str(wired.channels.get(point, "--")) for point in board.places}
    print_lines("The channel of each point, -- where there is none:", "", *chart(board, cells))
    masked = wired.masked(board.places)
    print_lines("", f"{len(wired.channels)} of {len(board.places)} points have their channel.")
    for note in wired.notes():
        print_lines(f"- {note}")
    print_lines(f"Written to {target}{f'; what was there before is in {old}' if old else ''}.")
    if masked:
        print_lines(f"Masked: {listed(masked)}. Once mended: tablelight wire --board {target} --masked")
    print_lines(f"Next: tablelight doctor --board {target} --live, and put a piece here and there.")
    return 0


def keep_partial(wired: Wired, known: int, source: Path, target: Path) -> None:
    """Keep what was found before the course ended early, in a file of its own."""
    if len(wired.channels) <= known:
        print_lines("", f"No point was found yet; {target} was not touched.", file=sys.stderr)
        return
    part = target.with_suffix(".part.toml")
    write_wired(source, part, wired)
    print_lines(
        "",
        f"{len(wired.channels)} points have their channel so far; {target} was not touched. Go on with:",
        f"tablelight wire --board {part} --masked -o {target}{' --force' if target.exists() else ''}",
        file=sys.stderr,
    )


# The board file -------------------------------------------------------------------------------


def read_unwired(path: Path) -> Board:
    """The board in `path`, whatever it says of channels, with every point masked; SettingsError."""
    data = unwired(read_toml(path))
    try:
        places = tuple(convert(data, BoardFile).points.places())
        file = convert(data | {"masked": places}, BoardFile)
        return build(file, *chosen(file, "", ""))
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def check_writable(target: Path) -> None:
    """Refuse a file that could not be written later, before any work is done; SettingsError."""
    if not target.parent.is_dir():
        raise SettingsError(f"{target}: there is no folder {target.parent}; make it first")
    if (target.exists() and not target.is_file()) or not os.access(target.parent, os.W_OK):
        raise SettingsError(f"{target}: no file can be written there; name another with -o")


def write_wired(source: Path, target: Path, wired: Wired) -> Path | None:
    """Write `source` with the wiring to `target`, once it reads back well; SettingsError.

    A `target` that exists is kept beside it, with ``.old`` at its end: that path is returned.
    """
    try:
        with files.replacing(target) as new:
            new.write_text(with_wiring(source, wired), encoding="utf-8")
            check_read_back(new, target, wired)
            if not target.exists():
                shutil.copymode(source, new)
            return keep_copy(target)
    except OSError as error:
        raise SettingsError(f"{target}: {error.strerror or error}; nothing was changed") from None


def check_read_back(new: Path, target: Path, wired: Wired) -> None:
    """Refuse a file that does not say what was found out."""
    try:
        board = read_board(new)
    except SettingsError as error:
        raise SettingsError(str(error).replace(str(new), str(target))) from None
    if board.channels != wired.channels:
        raise SettingsError(f"{target}: the file does not read back as it was written; nothing was changed")


def keep_copy(target: Path) -> Path | None:
    """The copy of `target` that is kept, if there is one."""
    if not target.exists():
        return None
    old = target.with_name(f"{target.name}.old")
    files.write(old, target.read_bytes())
    shutil.copystat(target, old)
    return old


def with_wiring(source: Path, wired: Wired) -> str:
    """The text of `source` with the channels, the masked points and the settings of analogue sensors."""
    file = tomlkit.parse(source.read_text(encoding="utf-8"))
    places = convert(unwired(file.unwrap()), BoardFile).points.places()
    if not usable(file.unwrap().get("channels"), places):
        file["channels"] = tomlkit.table()
    at = tomlkit.inline_table()
    at.update({point: wired.channels[point] for point in places if point in wired.channels})
    file["channels"]["at"] = at
    file["masked"] = list(wired.masked(places))
    if wired.tuning:
        # a scanner that is analogue has a table: it is not the one that boards have unless they say so
        settings = wired.tuning._asdict().items()
        file["scanner"].update({key: list(value) if isinstance(value, tuple) else value for key, value in settings})
    return tomlkit.dumps(file)


def unwired(data: Mapping[str, Any]) -> dict[str, Any]:
    """A board file's tables without what is to be found out."""
    return {key: value for key, value in data.items() if key not in ("channels", "masked")}


def usable(channels: Any, places: Places) -> bool:
    """Whether a table of channels can stay as it is, but for the exceptions in it."""
    try:
        run = convert({key: value for key, value in channels.items() if key != "at"}, Channels)
        return bool(list(run_channels(run, places, ())))
    except (SettingsError, AttributeError):
        return False


# A board in characters ------------------------------------------------------------------------


def chart(board: Board, cells: Mapping[str, str]) -> Iterator[str]:
    """The lines of the board, from above, with the text of each point."""
    return squares(board, cells) if board.grid else rows(board, cells)


def squares(board: Board, cells: Mapping[str, str]) -> Iterator[str]:
    """Squares with their ranks and files."""
    wide = 2 + max(map(len, cells.values()))
    ranks = 1 + max(y for _, y in board.places.values())
    for rank in range(ranks - 1, -1, -1):
        yield f"{rank + 1:3}" + "".join(cells[point].rjust(wide) for point, (_, y) in board.places.items() if y == rank)
    yield "   " + "".join(point[0].rjust(wide) for point, (_, y) in board.places.items() if y == 0)


def rows(board: Board, cells: Mapping[str, str]) -> Iterator[str]:
    """Named points, some in a line."""
    told = [f"{point}: {cells[point]}" for point in board.places]
    wide = 2 + max(map(len, told))
    for start in range(0, len(told), NAMED):
        yield "".join(text.ljust(wide) for text in told[start : start + NAMED]).rstrip()
