"""The sheet to lay on a table of squares, so that any game can be played on it: drawn true to scale from the rules.

The board's outline, a cross over the middle of each corner square, title, rules in short, and a bar to measure.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from firmware_bridge.drawing import shapes
from firmware_bridge.drawing.ground import Box, Lay, Look, ground
from firmware_bridge.drawing.shapes import (
    BLACK,
    GREY,
    WHITE,
    Drawing,
    Ink,
    Label,
    Point,
    Shape,
    box,
    line,
    svg,
    wrap,
)
from firmware_bridge.i18n import print_lines
from firmware_bridge.layout import lay_out
from firmware_bridge.records import option
from firmware_bridge.workshop import PITCH
from games.rules import Game, Position, Site, load
from hardware.board import MOST, Backend, Board, BoardFile, build, find_board
from hardware.settings import SettingsError, convert, read_toml

MARGIN = 5.0
"""mm around the board, for coordinates; also what printers leave blank at the edge of a paper."""
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
DARK, PALE = 0.74, 0.6
"""The greys of a dark square, and of what is only a help."""
PAPER = Look(
    square=THIN,
    dark=Ink(BLACK, 0.25, DARK),
    mark=Ink(PALE, 0.2, WHITE),
    rope=Ink(BLACK, 1.0),
    thread=Ink(BLACK, 0.5),
    point=Ink(BLACK, 0.6, WHITE),
    pit=Ink(BLACK, 0.7, WHITE),
    path=Ink(PALE, 0.3),
    arrow=Ink(BLACK, 1.0),
    store=Ink(BLACK, 0.7, WHITE),
    word=BLACK,
    site=0.35,
    paper=True,
)
"""Marks are open or pale: the light shines through the paper."""


@dataclass(frozen=True, slots=True)
class NoDevice:
    """Stands for a scanner and lights, so that a sheet is drawn where no library of the Pi is installed."""

    channels: int = MOST + 1
    pins: tuple[int, ...] = ()
    keys: None = None
    """A board may say that its buttons are on the scanner's own board."""


def read_plan(path: Path) -> Board:
    """The board in `path` without its devices; SettingsError, also where its points are not squares."""
    board = read_points(path)
    if not board.grid:
        raise SettingsError(
            f"{path}: the points of this board ({board.title}) are not squares on a grid, so no sheet is laid on it; "
            "its points are where you built them"
        )
    return board


def read_points(path: Path) -> Board:
    """The board in `path` without its devices; SettingsError."""
    data, none = read_toml(path), Backend("a sheet", NoDevice(), NoDevice())
    try:
        return build(convert(data, BoardFile), none, none)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


@dataclass(frozen=True)
class OnBoard:
    """A game that lies on a board of squares `pitch` mm apart, each site over the point that reads and lights it."""

    game: Game[Position]
    board: Board
    pitch: float

    @cached_property
    def cells(self) -> Mapping[Site, tuple[int, int]]:
        """File and rank, from 0, of the square under each site."""
        points = lay_out(self.game, self.board)
        return {site: self.board.places[point] for site, point in zip(self.game.sites, points, strict=True)}

    @cached_property
    def at(self) -> Mapping[Site, Point]:
        """The middle of each site on the sheet."""
        return {site: self.middle(*cell) for site, cell in self.cells.items()}

    @cached_property
    def size(self) -> tuple[int, int]:
        """Files and ranks of the board."""
        files, ranks = zip(*self.board.places.values(), strict=True)
        return 1 + max(files), 1 + max(ranks)

    def middle(self, file: float, rank: float) -> Point:
        """The middle of a square of the board on the sheet."""
        return MARGIN + (file + 0.5) * self.pitch, MARGIN + (self.size[1] - rank - 0.5) * self.pitch

    @property
    def lay(self) -> Lay:
        """The game, to be drawn on the sheet."""
        places = self.game.places
        upright = len({(x - places[site][0], y - places[site][1]) for site, (x, y) in self.cells.items()}) == 1
        room = min(min(point) for point in self.at.values()) > MARGIN + self.pitch
        size = min(0.12 * self.pitch, 6.0) if room else 3.2
        if self.game.pieces == "seeds":
            size = 0.12 * self.pitch
        return Lay(self.game, self.at, self.pitch, PAPER, size, dict(self.stores()), upright)

    def stores(self) -> Iterator[tuple[int, Box]]:
        """Each player's store at the right hand, where the board leaves room for it."""
        xs, ys = zip(*self.at.values(), strict=True)
        high = max(ys) - min(ys) + 0.8 * self.pitch
        seeds_beside = self.game.pieces == "seeds" and self.game.beside(self.game.start()) is not None
        for side, x in ((0, max(xs) + self.pitch), (1, min(xs) - self.pitch)):
            if seeds_beside and MARGIN < x < MARGIN + self.size[0] * self.pitch:
                yield side, (x - 0.38 * self.pitch, min(ys) - 0.4 * self.pitch, 0.76 * self.pitch, high)


def overlay(game: Game[Position], board: Board, pitch: float = PITCH) -> Drawing:
    """The sheet of `game` for `board`; SettingsError if the game does not fit."""
    lay = OnBoard(game, board, pitch)
    files, ranks = lay.size
    shapes: list[Shape] = [*ground(lay.lay), *edge(lay)]
    legend, height = footer(lay)
    width = max(files * pitch, BAR) + 2 * MARGIN
    return Drawing(
        f"{game.title}, {pitch:g} mm a square", width, 3 * MARGIN + ranks * pitch + height, (*shapes, *legend)
    )


# What surrounds the game ----------------------------------------------------------------------


def edge(lay: OnBoard) -> Iterator[Shape]:
    """The outline of the board, and a cross in the middle of each corner square."""
    files, ranks = lay.size
    yield box(MARGIN, MARGIN, files * lay.pitch, ranks * lay.pitch, Ink(GREY, 0.2))
    for file in {0, files - 1}:
        for rank in {0, ranks - 1}:
            yield from cross(lay, file, rank)


def cross(lay: OnBoard, file: int, rank: int) -> Iterator[Shape]:
    """A cross over the middle of a square, and the name of that square unless it is part of the game."""
    (x, y), arm = lay.middle(file, rank), 0.08 * lay.pitch
    yield line([(x - arm, y), (x + arm, y)], THIN)
    yield line([(x, y - arm), (x, y + arm)], THIN)
    if (file, rank) not in lay.cells.values():
        name = next(name for name, place in lay.board.places.items() if place == (file, rank))
        yield Label((x, y + arm + 1.4 * SMALL), name, SMALL, "middle", shade=GREY)


def footer(lay: OnBoard) -> tuple[list[Shape], float]:
    """Title, rules in short and the bar, below the board; and their height."""
    files, ranks = lay.size
    wide, top = files * lay.pitch, 2 * MARGIN + ranks * lay.pitch + GAP
    beside = wide >= COLUMN + BAR + 10
    summary = wrap(lay.game.summary, SIZE, FULL * (COLUMN if beside else max(wide, BAR)))
    lines = [Label((MARGIN, top + TITLE + (row + 1) * 1.4 * SIZE), text, SIZE) for row, text in enumerate(summary)]
    under = top + TITLE + (len(lines) + 0.6) * 1.4 * SIZE
    title = Label((MARGIN, top + 0.75 * TITLE), lay.game.title, TITLE, bold=True)
    bar = list(scale_bar(MARGIN + wide - BAR, top, lay)) if beside else list(scale_bar(MARGIN, under, lay))
    return [title, *lines, *bar], GAP + under - top + (0 if beside else 3 + 3 * 1.4 * SMALL)


def scale_bar(left: float, top: float, lay: OnBoard) -> Iterator[Shape]:
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
        yield Label((left, top + 3 + (number + 1) * 1.4 * SMALL), text, SMALL)


# The command ----------------------------------------------------------------------------------


def do_overlay(wanted: argparse.Namespace) -> int:
    """Draw the sheet and say what was written."""
    game = load(wanted.game, **dict(map(option, wanted.option)))
    drawing = overlay(game, read_plan(find_board(wanted.board)), wanted.pitch)
    written, on = rendered(drawing, wanted.output, wanted.paper)
    shapes.write(wanted.output, written)
    size = f"{drawing.width:.0f} x {drawing.height:.0f} mm"
    print_lines(
        f"{wanted.output}: {drawing.title}; the sheet is {size}, on {on}. Print it at 100 % and measure the bar."
    )
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
        from firmware_bridge.drawing.pdf import paginate, pdf
    except ImportError as error:
        raise SettingsError(
            f"{path}: PDF needs the library {error.name}: install it with pip install 'tablelight[print]', or draw SVG"
        ) from None
    pages = paginate(drawing, paper)
    return pdf(drawing, pages), f"{len(pages)} page{'s' * (len(pages) > 1)}{f' of {paper}' if paper != 'none' else ''}"
