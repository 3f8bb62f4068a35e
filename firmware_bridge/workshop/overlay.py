"""The sheet to lay on a table of squares, so that any game can be played on it: drawn true to scale from the rules.

The board's outline, a cross over the middle of each corner square, title, rules in short, and a bar to measure.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.saved import option
from firmware_bridge.workshop import PITCH
from firmware_bridge.workshop.drawing import BLACK, GREY, Drawing, Ink, Shape, Words, box, line, svg, wrap
from firmware_bridge.workshop.ground import MARGIN, Lay, ground
from games.rules import Game, Position, load
from hardware.board import Backend, Board, BoardFile, build, find_board
from hardware.runs import MOST
from hardware.settings import SettingsError, convert, read_toml

GAP = 3.0
"""mm between the lower coordinates and the title."""
COLUMN = 240.0
"""mm that a line of the rules may be wide."""
FULL = 0.86
"""How much of its width a line fills, since the typeface that stands in for Helvetica in an SVG may be wider."""
SIZE, TITLE, SMALL = 3.6, 7.0, 2.6
"""Sizes of type, in mm."""
BAR = 100
"""mm, for checking that the printer kept to the scale."""
THIN, FRAME = Ink(BLACK, 0.25), Ink(BLACK, 0.5)


@dataclass(frozen=True, slots=True)
class NoDevice:
    """Stands for a scanner and lights, so that a sheet is drawn where no library of the Pi is installed."""

    channels: int = MOST + 1
    pins: tuple[int, ...] = ()


def read_plan(path: Path) -> Board:
    """The board in `path` without its devices; SettingsError, also where its points are not squares."""
    try:
        none = Backend("a sheet", None, NoDevice())
        board = build(convert(read_toml(path), BoardFile), none, none)
    except SettingsError as error:
        raise SettingsError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None
    if not board.grid:
        raise SettingsError(
            f"{path}: the points of this board ({board.title}) are not squares on a grid, so no sheet is laid on it; "
            "its points are where you built them"
        )
    return board


def overlay(game: Game[Position], board: Board, pitch: float = PITCH) -> Drawing:
    """The sheet of `game` for `board`; SettingsError if the game does not fit."""
    lay = Lay(game, board, pitch)
    files, ranks = lay.size
    shapes: list[Shape] = [*ground(lay), *edge(lay)]
    legend, height = footer(lay)
    width = max(files * pitch, BAR) + 2 * MARGIN
    return Drawing(
        f"{game.title}, {pitch:g} mm a square", width, 3 * MARGIN + ranks * pitch + height, (*shapes, *legend)
    )


# What surrounds the game ----------------------------------------------------------------------


def edge(lay: Lay) -> Iterator[Shape]:
    """The outline of the board, and a cross in the middle of each corner square."""
    files, ranks = lay.size
    yield box(MARGIN, MARGIN, files * lay.pitch, ranks * lay.pitch, Ink(GREY, 0.2))
    for file in {0, files - 1}:
        for rank in {0, ranks - 1}:
            yield from cross(lay, file, rank)


def cross(lay: Lay, file: int, rank: int) -> Iterator[Shape]:
    """A cross over the middle of a square, and the name of that square unless it is part of the game."""
    (x, y), arm = lay.middle(file, rank), 0.08 * lay.pitch
    yield line([(x - arm, y), (x + arm, y)], THIN)
    yield line([(x, y - arm), (x, y + arm)], THIN)
    if (file, rank) not in lay.cells.values():
        name = next(name for name, place in lay.board.places.items() if place == (file, rank))
        yield Words((x, y + arm + 1.4 * SMALL), name, SMALL, "middle", grey=GREY)


def footer(lay: Lay) -> tuple[list[Shape], float]:
    """Title, rules in short and the bar, below the board; and their height."""
    files, ranks = lay.size
    wide, top = files * lay.pitch, 2 * MARGIN + ranks * lay.pitch + GAP
    beside = wide >= COLUMN + BAR + 10
    summary = wrap(lay.game.summary, SIZE, FULL * (COLUMN if beside else max(wide, BAR)))
    lines = [Words((MARGIN, top + TITLE + (row + 1) * 1.4 * SIZE), text, SIZE) for row, text in enumerate(summary)]
    under = top + TITLE + (len(lines) + 0.6) * 1.4 * SIZE
    title = Words((MARGIN, top + 0.75 * TITLE), lay.game.title, TITLE, bold=True)
    bar = list(scale_bar(MARGIN + wide - BAR, top, lay)) if beside else list(scale_bar(MARGIN, under, lay))
    return [title, *lines, *bar], GAP + under - top + (0 if beside else 3 + 3 * 1.4 * SMALL)


def scale_bar(left: float, top: float, lay: Lay) -> Iterator[Shape]:
    """100 mm to measure, and what to do if they are not."""
    yield line([(left, top + 3), (left + BAR, top + 3)], FRAME)
    for mark in range(0, BAR + 1, 10):
        yield line([(left + mark, top + (1 if mark % 50 == 0 else 2)), (left + mark, top + 3)], THIN)
    told = (
        f"This bar is {BAR} mm long; where it is not, print again at 100 %.",
        f"{lay.pitch:g} mm a square. The crosses lie over the middles of the corner squares; "
        f"{next(iter(lay.board.places))} is at the bottom left.",
    )
    rows = [row for text in told for row in wrap(text, SMALL, FULL * BAR)]
    for number, text in enumerate(rows):
        yield Words((left, top + 3 + (number + 1) * 1.4 * SMALL), text, SMALL)


# The command ----------------------------------------------------------------------------------


def do_overlay(wanted: argparse.Namespace) -> int:
    """Draw the sheet and say what was written."""
    game = load(wanted.game, **dict(map(option, wanted.option)))
    drawing = overlay(game, read_plan(find_board(wanted.board)), wanted.pitch)
    written, on = rendered(drawing, wanted.output, wanted.paper)
    try:
        wanted.output.write_bytes(written)
    except OSError as error:
        raise SettingsError(f"{wanted.output}: {error.strerror or error}; name another file with -o") from None
    size = f"{drawing.width:.0f} x {drawing.height:.0f} mm"
    print(f"{wanted.output}: {drawing.title}; the sheet is {size}, on {on}. Print it at 100 % and measure the bar.")
    return 0


def rendered(drawing: Drawing, path: Path, paper: str) -> tuple[bytes, str]:
    """The file as its suffix asks for it, and the pages it has."""
    if path.suffix.lower() == ".svg" and paper == "none":
        return svg(drawing), "1 page"
    if path.suffix.lower() == ".svg":
        raise SettingsError(f"{path}: an SVG is one page; for pages of {paper} name a file that ends in .pdf")
    if path.suffix.lower() != ".pdf":
        raise SettingsError(f"{path}: the sheet is drawn as SVG or PDF; name a file that ends in .svg or .pdf")
    try:
        from firmware_bridge.workshop.pdf import paginate, pdf
    except ImportError as error:
        raise SettingsError(
            f"{path}: PDF needs the library {error.name}: install it with pip install 'tablelight[print]', or draw SVG"
        ) from None
    pages = paginate(drawing, paper)
    return pdf(drawing, pages), f"{len(pages)} page{'s' * (len(pages) > 1)}{f' of {paper}' if paper != 'none' else ''}"
