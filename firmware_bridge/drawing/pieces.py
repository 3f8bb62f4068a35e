"""What lies on the board of a screen: lights, stones, seeds and turn lamps; and a picture of it all with its caption.

A dark stone and a light one differ by more than colour: the light one has a ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import cos, dist, pi, sin, sqrt

from firmware_bridge.drawing.ground import PIT, Box, Lay, centred
from firmware_bridge.drawing.screen import CORNER, board, border, lay_down
from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Point, Shape, Words, wrap
from games.rules import DARK, Game, Position
from hardware.device import Colour

STONE, CROWDED = 0.36, 0.4
"""Radius of a stone in pitches, and at most in distances to the nearest site."""
LIT = 1.24
"""Radius of a light, in those of the piece it is seen around."""
DOZEN = 12
"""Seeds that are drawn one by one; more are but a number."""
SEED, PILE = 5.6, 24.0
"""Radius of a seed, and of the circle of seeds in a pit."""
SEEDS = Ink("#3a2a1e", 1.2, "#e8cf9c", kind="board-seed")
COUNT = "#fbf3e2"
LAMP = 11.0
PAPER, INK = "#f4eee3", "#2b1f17"
CAPTION = 30.0
"""The size of a caption's type."""
AROUND = 24.0
"""What is left around the board."""

STONES = (
    (Ink("#8d8073", 2.4, "#211c19", kind="board-dark-stone"), Ink("#4b433d", 1.6, kind="board-dark-ring")),
    (Ink("#43342a", 2.4, "#f3e9d5", kind="board-light-stone"), Ink("#a3917a", 2.4, kind="board-light-ring")),
)
"""For either colour the ink of the stone and of the ring upon it."""
SHADOW = Ink(None, 0, "#000000", strength=0.28)
WELL = Ink(None, 0, "#17100c", strength=0.6)
"""Around a light it is darker, so that every colour is seen on wood."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be seen: a level a site, the pieces that each player has beside the board, and the lights.

    `lights` are a colour a site and one for each player's turn lamp, as paint() gives them, or none.
    """

    levels: Sequence[int]
    beside: tuple[int, int] = (0, 0)
    lights: Sequence[Colour] = ()


def picture(game: Game[Position], shown: Shown, caption: Sequence[str] = ()) -> Drawing:
    """The board with what lies on it; the first line of the caption is bold."""
    empty = stage(game, rows(game, caption))
    return replace(empty, shapes=(*empty.shapes, *upon(game, shown, caption)))


def stage(game: Game[Position], lines: int) -> Drawing:
    """The board alone, with room for so many lines under it."""
    lay, size = lay_down(game)
    width, height = size[0] + 2 * AROUND, size[1] + 2 * AROUND + 1.4 * CAPTION * lines
    shapes = tuple(board(lay, size))
    return Drawing(game.title, width, height, shapes, unit="px", paper=PAPER, origin=(-AROUND, -AROUND))


def upon(game: Game[Position], shown: Shown, caption: Sequence[str]) -> Iterator[Shape]:
    """What is drawn upon a stage."""
    lay, size = lay_down(game)
    yield from lying(lay, size, shown)
    yield from told(caption, size)


def rows(game: Game[Position], caption: Sequence[str]) -> int:
    """The lines that a caption takes."""
    return len(list(told(caption, lay_down(game)[1])))


def told(caption: Sequence[str], size: tuple[float, float]) -> Iterator[Words]:
    """The caption under a board of that size."""
    lines = [(text, not place) for place, line in enumerate(caption) for text in wrap(line, CAPTION, 0.9 * size[0])]
    for row, (text, bold) in enumerate(lines, start=1):
        at = 4.0, size[1] + 1.4 * CAPTION * row
        yield Words(at, text, CAPTION, bold=bold, shade=INK, kind="board-caption")


def lying(lay: Lay, frame: tuple[float, float], shown: Shown) -> Iterator[Shape]:
    """Lights and pieces on the sites, in the stores, and the turn lamps."""
    size = radius(lay)
    for at, light in zip(lay.at.values(), shown.lights, strict=False):
        yield from glow(at, light, LIT * size)
        if lay.game.pieces == "seeds":  # they are counted, so nothing shines upon them
            yield Circle(at, 0.9 * size, lay.look.pit)
    for at, level in zip(lay.at.values(), shown.levels, strict=True):
        if lay.game.pieces == "seeds":
            yield from seeds(at, level)
        elif level:
            yield from stone(at, level, size)
    for side, tray in lay.stores.items():
        yield from beside(lay, side, tray, shown.beside[side])
    if any(map(any, shown.lights[-2:])):  # where it is nobody's turn they would be two dark dots
        yield from lamps(lay, frame, shown.lights[-2:])


def radius(lay: Lay) -> float:
    """Of a pit, or of a stone on this board."""
    if lay.game.pieces == "seeds":
        return PIT * lay.pitch
    nearest = min(dist(one, other) for one, other in combinations(lay.at.values(), 2))
    return min(STONE * lay.pitch, CROWDED * nearest)


# Pieces ---------------------------------------------------------------------------------------


def stone(at: Point, level: int, size: float) -> Iterator[Shape]:
    """A stone of that radius."""
    body, ring = STONES[level - DARK]
    yield Circle((at[0], at[1] + 0.08 * size), size, SHADOW)
    yield Circle(at, size, body)
    yield Circle(at, 0.62 * size, ring)


def seeds(at: Point, count: int) -> Iterator[Shape]:
    """The seeds of a pit around their number."""
    x, y = at
    for seed in range(count if count <= DOZEN else 0):
        turn = 2 * pi * seed / max(count, 4) - pi / 2
        yield Circle((x + PILE * cos(turn), y + PILE * sin(turn)), SEED, SEEDS)
    size = 24.0 if count <= DOZEN else 36.0
    yield centred(at, str(count), size, shade=COUNT if count else "#b79a7a")


def beside(lay: Lay, side: int, tray: Box, count: int) -> Iterator[Shape]:
    """What a player has in the store, or in hand."""
    left, top, wide, high = tray
    if lay.game.pieces == "seeds":
        yield centred((left + wide / 2, top + high / 2), str(count), 36.0, shade=COUNT)
        return
    size = 0.38 * high
    for place in range(count):
        yield from stone((left + high / 2 + place * 2.15 * size, top + high / 2), side + DARK, size)
    if count:
        yield centred((left + wide - high / 2, top + high / 2), str(count), 30.0, shade=COUNT)


# Lights ---------------------------------------------------------------------------------------


def glow(at: Point, light: Colour, size: float) -> Iterator[Shape]:
    """A light of that radius: its hue at full strength, the weaker it is the more of the wood is seen through it."""
    strength = sqrt(max(light) / 255)
    if not strength:
        return
    hue = "#" + "".join(f"{round(part * 255 / max(light)):02x}" for part in light)
    yield Circle(at, 1.06 * size, WELL)
    for share, part in ((1.0, 0.3), (0.92, 0.5)):
        yield Circle(at, share * size, Ink(None, 0, hue, strength=round(part * strength, 3)))
    yield Circle(at, 0.95 * size, Ink(hue, 0.14 * size, kind="board-light", strength=round(strength, 3)))


def lamps(lay: Lay, size: tuple[float, float], lights: Sequence[Colour]) -> Iterator[Shape]:
    """The turn lamps, in the frame at the right hand of each player, as they sit at the screen."""
    x = size[0] - max(border(lay.game) / 2, LAMP + 5)
    for light, y in zip(lights, (size[1] - CORNER, CORNER), strict=True):  # clear of the round corner
        yield Circle((x, y), LAMP, Ink("#1d140e", 2.0, "#ffffff" if any(light) else "#2b1f17", kind="board-lamp"))
