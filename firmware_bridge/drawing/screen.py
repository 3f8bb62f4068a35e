"""The board as a screen shows it: wood, thin lines, 100 units a pitch; pieces and lights are laid on it by others.

Every ink has a class (``board-frame``, ``board-dark`` ...), so that the style sheet of a page may change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import tostring

from firmware_bridge.drawing.ground import PIT, Box, Lay, Look, ground
from firmware_bridge.drawing.shapes import Drawing, Ink, Point, Shape
from firmware_bridge.drawing.shapes import box as rectangle
from firmware_bridge.drawing.svg import element
from games.rules import Game, Position, Site

PITCH = 100.0
HALF, BORDER = 50.0, 46.0
"""From the middle of a site to where the frame begins, and how wide that is."""
WIDE_HALF, NARROW_BORDER = 66.0, 28.0
"""The same where the names of sites stand beside them and not on the frame."""
CORNER = 26.0
"""How round the corners of the frame are."""
ROWS = 1.4
"""How far the rows of pits are apart, in pitches: there is room for the way of the seeds between them."""
TRAY, SPACE = 72.0, 26.0
"""How wide a store is, and what is left between it and the sites."""

WOOD = Look(
    square=Ink("#5b4332", 1.2, "#b48f68", kind="board-square"),
    dark=Ink("#5b4332", 1.2, "#8c6849", kind="board-dark"),
    mark=None,
    rope=Ink("#4a3526", 3.0, kind="board-line"),
    thread=Ink("#4a3526", 3.0, kind="board-line"),
    point=Ink("#4a3526", 2.4, "#8c6849", kind="board-point"),
    pit=Ink("#4a3526", 2.4, "#7d5c41", kind="board-pit"),
    path=Ink("#866447", 3.0, kind="board-path"),
    arrow=Ink("#5b4332", 3.0, kind="board-arrow"),
    store=Ink("#4a3526", 2.4, "#7d5c41", kind="board-store"),
    word="#d8c3a6",
    site="#4a3526",
    paper=False,
)
FRAME = Ink("#2b1f17", 2.0, "#463225", kind="board-frame")
FIELD = Ink("#5b4332", 1.2, "#a98460", kind="board-field")


@dataclass(frozen=True, slots=True)
class Screen:
    """A board without pieces and lights."""

    ground: str
    """A whole ``<svg>``, as large as what it is put into."""
    box: Box
    """Its viewBox."""
    pitch: float
    at: Mapping[Site, Point]
    """The middle of each site, in the order of the game's."""
    stores: tuple[Box, Box] | None
    """Where each player's pieces beside the board lie; None in games that have none."""


def screen(game: Game[Position]) -> Screen:
    """The board of `game`."""
    lay, size = lay_down(game)
    drawing = Drawing("", *size, tuple(board(lay, size)), unit="", paper=None)
    trays = (lay.stores[0], lay.stores[1]) if lay.stores else None
    return Screen(tostring(element(drawing)).decode(), (0.0, 0.0, *size), PITCH, lay.at, trays)


def lay_down(game: Game[Position]) -> tuple[Lay, tuple[float, float]]:
    """The game upon its frame, and how large that is."""
    xs, ys = zip(*game.places.values(), strict=True)
    (across, up), rise = room(game), PITCH * (ROWS if game.pieces == "seeds" else 1.0)
    edge = border(game) + (WIDE_HALF if game.links else HALF)
    left, top = edge + across, edge + up
    at = {
        site: (round(left + (x - min(xs)) * PITCH, 2), round(top + (max(ys) - y) * rise, 2))
        for site, (x, y) in game.places.items()
    }
    size = 2 * left + (max(xs) - min(xs)) * PITCH, 2 * top + (max(ys) - min(ys)) * rise
    return Lay(game, at, PITCH, WOOD, 24.0, trays(game, size)), size


def border(game: Game[Position]) -> float:
    """How wide the frame is."""
    return NARROW_BORDER if game.links else BORDER


def room(game: Game[Position]) -> tuple[float, float]:
    """What stores take at either side, and above and below: seeds at the right hand, stones before their player."""
    if game.beside(game.start()) is None:
        return 0.0, 0.0
    return (TRAY + SPACE, 0.0) if game.pieces == "seeds" else (0.0, TRAY + SPACE)


def trays(game: Game[Position], size: tuple[float, float]) -> dict[int, Box]:
    """The stores of a board of that size."""
    if game.beside(game.start()) is None:
        return {}
    (width, height), edge = size, border(game) + 14.0
    if game.pieces == "seeds":
        high = height - 2 * (BORDER + HALF - PIT * PITCH)
        top = (height - high) / 2
        return {0: (width - edge - TRAY, top, TRAY, high), 1: (edge, top, TRAY, high)}
    wide = min(width - 2 * edge, 9.4 * TRAY)
    left = (width - wide) / 2
    return {0: (left, height - edge - TRAY, wide, TRAY), 1: (left, edge, wide, TRAY)}


def board(lay: Lay, size: tuple[float, float]) -> Iterator[Shape]:
    """The frame, the field within it, and the ground."""
    yield rectangle(1, 1, size[0] - 2, size[1] - 2, FRAME, CORNER)
    edge = border(lay.game)
    yield rectangle(edge, edge, size[0] - 2 * edge, size[1] - 2 * edge, FIELD, corner=6.0)
    yield from ground(lay)
