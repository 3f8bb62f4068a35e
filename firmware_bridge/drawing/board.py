"""The board as a screen shows it: wood, thin lines, 100 units a pitch; and what lies on it.

`screen` is the board alone; pieces and lights are laid on it by a page. `picture` is the board with its pieces, lights
and turn lamps and a caption. `arrow` and `cross` mark turns, in white with a dark edge: they are seen on any piece.
A dark stone and a light one differ by more than colour: the light one has a ring. Every ink has a class
(``board-frame``, ``board-dark`` ...), so that the style sheet of a page may change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, dist, pi, sin, sqrt
from xml.etree.ElementTree import tostring

from firmware_bridge.drawing.ground import PIT, Box, Lay, Look, centred, ground, in_squares, room
from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Label, Point, Shape, element, line, wrap
from firmware_bridge.drawing.shapes import box as rectangle
from firmware_bridge.layout import as_on_squares
from games.rules import DARK, Game, Position, Site
from hardware.device import Colour

# The board --------------------------------------------------------------------------------------

PITCH = 100.0
"""Units of a drawing between two neighbouring sites."""
HALF, BORDER = 50.0, 46.0
"""From the middle of a site to where the frame begins, and how wide that is."""
WIDE_HALF, HIGH_HALF, NARROW_BORDER = 76.0, 66.0, 28.0
"""The same where the names of sites stand beside them and not on the frame: at the sides, then above and below."""
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

# Marks ------------------------------------------------------------------------------------------

LINE, EDGE = 7.0, 12.0
"""How wide a mark is, and with its edge."""
HEAD, ARM = 32.0, 24.0
"""The length of an arrow's head, and of an arm of a cross."""
BODY = Ink("#ffffff", LINE, kind="board-mark")
RIM = Ink("#1d140e", EDGE, kind="board-mark-edge")

# Pieces, lights and captions --------------------------------------------------------------------

STONE, CROWDED = 0.36, 0.4
"""Radius of a stone in pitches, and at most in distances to the nearest site."""
LIT = 1.24
"""Radius of a light, in those of the piece it is seen around."""
DRAWN_SEEDS = 12
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
LETTERS = "#f3e9d5", "#211c19"
"""For either colour the ink of the mark of a kind."""
SHADOW = Ink(None, 0, "#000000", strength=0.28)
WELL = Ink(None, 0, "#17100c", strength=0.6)
"""Around a light it is darker, so that every colour is seen on wood."""


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


def screen(game: Game[Position], places: Mapping[Site, Point] | None = None, *, named: bool = True) -> Screen:
    """The board of `game`, whose sites lie at `places`: in pitches, y up; None: as on any table of squares.

    `named`: the names of its sites stand there.
    """
    lay, size = arrange(game, places)
    shapes = tuple(shape for shape in board(lay, size) if named or not isinstance(shape, Label))
    drawing = Drawing("", *size, shapes, unit="", paper=None)
    trays = (lay.stores[0], lay.stores[1]) if lay.stores else None
    return Screen(tostring(element(drawing)).decode(), (0.0, 0.0, *size), PITCH, lay.at, trays)


def arrange(game: Game[Position], places: Mapping[Site, Point] | None = None) -> tuple[Lay, tuple[float, float]]:
    """The game upon its frame, and how large that is; `places` as `screen` has them."""
    rise = PITCH * (ROWS if places is None and rows_of_pits(game) else 1.0)
    places = places or as_on_squares(game)
    xs, ys = zip(*places.values(), strict=True)
    across, up = beside_board(game)
    wide, high = (WIDE_HALF, HIGH_HALF) if game.links else (HALF, HALF)
    left, top = border(game) + wide + across, border(game) + high + up
    at = {
        site: (round(left + (x - min(xs)) * PITCH, 2), round(top + (max(ys) - y) * rise, 2))
        for site, (x, y) in places.items()
    }
    size = 2 * left + (max(xs) - min(xs)) * PITCH, 2 * top + (max(ys) - min(ys)) * rise
    return Lay(game, at, PITCH, WOOD, 24.0, trays(game, size)), size


def border(game: Game[Position]) -> float:
    """How wide the frame is."""
    return NARROW_BORDER if game.links else BORDER


def rows_of_pits(game: Game[Position]) -> bool:
    """Whether pits lie in rows, and not in a ring for one."""
    return game.pieces == "seeds" and in_squares(game.places, 1.0)


def beside_board(game: Game[Position]) -> tuple[float, float]:
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


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be seen: a level a site, the pieces that each player has beside the board, the lights, the marks.

    `lights` are a colour a site and one for each player's turn lamp, as paint() gives them, or none. `marks` are as
    `Game.marks` tells them.
    """

    levels: Sequence[int]
    beside: tuple[int, int] = (0, 0)
    lights: Sequence[Colour] = ()
    marks: Mapping[Site, str] = field(default_factory=dict)


def standing(game: Game[Position], position: Position, lights: Sequence[Colour] = ()) -> Shown:
    """The pieces as they stand in the position."""
    return Shown(position.board, game.beside(position) or (0, 0), lights, game.marks(position))


def picture(game: Game[Position], shown: Shown, caption: Sequence[str] = ()) -> Drawing:
    """The board with what lies on it; the first line of the caption is bold."""
    empty = empty_board(game, line_count(game, caption))
    return replace(empty, shapes=(*empty.shapes, *contents(game, shown, caption)))


def empty_board(game: Game[Position], lines: int) -> Drawing:
    """The board alone, with room for so many lines under it."""
    lay, size = arrange(game)
    width, height = size[0] + 2 * AROUND, size[1] + 2 * AROUND + 1.4 * CAPTION * lines
    shapes = tuple(board(lay, size))
    return Drawing(game.title, width, height, shapes, unit="px", paper=PAPER, origin=(-AROUND, -AROUND))


def contents(game: Game[Position], shown: Shown, caption: Sequence[str]) -> Iterator[Shape]:
    """What is drawn on an empty board: pieces, lights and the caption."""
    lay, size = arrange(game)
    yield from pieces_and_lights(lay, size, shown)
    yield from caption_lines(caption, size)


def line_count(game: Game[Position], caption: Sequence[str]) -> int:
    """The number of lines that a caption takes."""
    return len(list(caption_lines(caption, arrange(game)[1])))


def caption_lines(caption: Sequence[str], size: tuple[float, float]) -> Iterator[Label]:
    """The caption under a board of that size."""
    lines = [(text, not place) for place, line in enumerate(caption) for text in wrap(line, CAPTION, 0.9 * size[0])]
    for row, (text, bold) in enumerate(lines, start=1):
        at = 4.0, size[1] + 1.4 * CAPTION * row
        yield Label(at, text, CAPTION, bold=bold, shade=INK, kind="board-caption")


def pieces_and_lights(lay: Lay, frame: tuple[float, float], shown: Shown) -> Iterator[Shape]:
    """Lights and pieces on the sites, in the stores, and the turn lamps."""
    size = radius(lay)
    for at, light in zip(lay.at.values(), shown.lights, strict=False):
        yield from glow(at, light, LIT * size)
        if lay.game.pieces == "seeds":  # they are counted, so nothing shines upon them
            yield Circle(at, 0.9 * size, lay.look.pit)
    for (site, at), level in zip(lay.at.items(), shown.levels, strict=True):
        if lay.game.pieces == "seeds":
            yield from seeds(at, level)
        elif level:
            yield from stone(at, level, size, shown.marks.get(site, ""))
    for side, tray in lay.stores.items():
        yield from beside(lay, side, tray, shown.beside[side])
    if any(map(any, shown.lights[-2:])):  # where it is nobody's turn they would be two dark dots
        yield from lamps(lay, frame, shown.lights[-2:])


def radius(lay: Lay) -> float:
    """Of a pit, or of a stone on this board."""
    if lay.game.pieces == "seeds":
        return PIT * room(lay)
    return min(STONE * lay.pitch, CROWDED * room(lay))


# Pieces ---------------------------------------------------------------------------------------


def stone(at: Point, level: int, size: float, mark: str = "") -> Iterator[Shape]:
    """A stone of that radius; the ring makes room for a mark."""
    body, ring = STONES[level - DARK]
    yield Circle((at[0], at[1] + 0.08 * size), size, SHADOW)
    yield Circle(at, size, body)
    yield Circle(at, (0.86 if mark else 0.62) * size, ring)
    if mark:
        letter = centred(at, mark, 1.15 * size, shade=LETTERS[level - DARK])
        yield replace(letter, bold=True, kind="board-kind")


def seeds(at: Point, count: int) -> Iterator[Shape]:
    """The seeds of a pit around their number."""
    x, y = at
    for seed in range(count if count <= DRAWN_SEEDS else 0):
        turn = 2 * pi * seed / max(count, 4) - pi / 2
        yield Circle((x + PILE * cos(turn), y + PILE * sin(turn)), SEED, SEEDS)
    size = 24.0 if count <= DRAWN_SEEDS else 36.0
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


# Marks ----------------------------------------------------------------------------------------


def arrow(path: Sequence[Point]) -> Iterator[Shape]:
    """From the first point through the others to the last."""
    (ax, ay), (bx, by) = path[-2:]
    long = dist((ax, ay), (bx, by))
    x, y = (bx - ax) / long, (by - ay) / long
    base = bx - HEAD * x, by - HEAD * y
    wing = 0.55 * HEAD
    head = [(bx, by), (base[0] - wing * y, base[1] + wing * x), (base[0] + wing * y, base[1] - wing * x)]
    yield line([*path[:-1], base], RIM)
    yield line(head, Ink(RIM.line, EDGE - LINE, RIM.line, kind=RIM.kind), closed=True)
    yield line([*path[:-1], base], BODY)
    yield line(head, Ink(None, 0, BODY.line, kind=BODY.kind), closed=True)


def cross(at: Point) -> Iterator[Shape]:
    """Over a point."""
    x, y = at
    for ink in (RIM, BODY):
        for rise in (ARM, -ARM):
            yield line([(x - ARM, y - rise), (x + ARM, y + rise)], ink)
