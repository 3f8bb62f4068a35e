"""Figures that go with the rules in short: an example of a turn, the board before it and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from math import dist
from xml.etree.ElementTree import tostring

from firmware_bridge.drawing.examples import Example, examples
from firmware_bridge.drawing.ground import PIT, Box, Lay
from firmware_bridge.drawing.marks import BODY, RIM, arrow, cross
from firmware_bridge.drawing.pieces import Shown, picture
from firmware_bridge.drawing.screen import PITCH, lay_down
from firmware_bridge.drawing.shapes import Drawing, Point, Shape, between, bounds, line
from firmware_bridge.drawing.svg import element, inset
from firmware_bridge.lighting.palette import BLACK, PALETTES
from games.rules import Game, Position, Site, say

LEAST = 5
"""Squares of a board that are shown at least, each way."""
GAP = 40.0
"""Between the two boards of a figure."""


def figures(game: Game[Position]) -> tuple[tuple[str, str], ...]:
    """Figures of the game's turns, each with the message id of its caption; one to three."""
    return tuple((f"figure.{name}", drawn(example)) for name, example in examples(game).items())


def drawn(example: Example) -> str:
    """The board before the turn and after it, side by side or, if they are wide, one below the other; a turn that may
    not be made has no board after it."""
    boards = [before(example)] if example.way.turn.reason else [before(example), after(example)]
    wide, high = boards[0].width, boards[0].height
    right, down = (wide + GAP, 0.0) if wide < 1.5 * high else (0.0, high + GAP)
    start = (2 - len(boards)) / 2  # one alone stands in the middle, as large as one of two
    root = element(Drawing("", wide + right, high + down, (), unit="", paper=None))
    for place, board in enumerate(boards):
        root.append(inset(board, (start + place) * right, (start + place) * down, wide))
    return tostring(root).decode()


def before(example: Example) -> Drawing:
    """What counts is lit; where the pieces go, there are arrows; what is taken is crossed out."""
    at, lit = lay_down(example.game)[0].at, dict.fromkeys(example.counted, "tally")
    board = cropped(example, picture(example.game, seen(example, example.position, lit)))
    taken = (mark for site in example.taken for mark in cross(at[site]))
    return replace(board, shapes=(*board.shapes, *ways(example, at), *taken))


def ways(example: Example, at: Mapping[Site, Point]) -> Iterator[Shape]:
    """An arrow, from pit to pit for seeds; a line that ends in a cross for a turn that may not be made."""
    path = [at[site] for site in example.path]
    if example.way.turn.reason:
        yield from (line(path, RIM), line(path, BODY), *cross(path[-1]))
    elif example.way.sown:
        for one, other in pairwise(path):
            rim = PIT * PITCH / dist(one, other)
            yield from arrow([between(one, other, rim), between(other, one, rim)])
    elif path:
        yield from arrow(path)


def after(example: Example) -> Drawing:
    """The new piece is lit, or where the last one came to lie."""
    lit = dict.fromkeys(example.new or example.path[-1:], "place-here" if example.new else "target")
    return cropped(example, picture(example.game, seen(example, example.way.turn.after, lit)))


def seen(example: Example, position: Position, lit: dict[Site, str]) -> Shown:
    """A position with lights on these sites."""
    game, palette = example.game, PALETTES["default"]
    lights = [palette[lit[site]] if site in lit else BLACK for site in game.sites]
    return Shown(position.board, game.beside(position) or (0, 0), [*lights, BLACK, BLACK] if lit else [])


def cropped(example: Example, whole: Drawing) -> Drawing:
    """The board without what surrounds it; of many squares those around the turn."""
    lay, size = lay_down(example.game)
    left, top, wide, high = window(example, lay) if example.way.inner else (0.0, 0.0, *size)
    right, bottom = left + wide, top + high

    def within(shape: Shape) -> bool:
        (west, north), (east, south) = bounds(shape)
        return west < right and east > left and north < bottom and south > top

    shapes = tuple(filter(within, whole.shapes))
    return replace(whole, shapes=shapes, title="", origin=(left, top), width=wide, height=high, paper=None)


def window(example: Example, lay: Lay) -> Box:
    """The squares of a turn and those around them."""
    turn = [lay.at[lay.game.sites[site]] for site in example.way.path]
    left, right = span([x for x, _ in turn], [x for x, _ in lay.at.values()], lay.pitch)
    top, bottom = span([y for _, y in turn], [y for _, y in lay.at.values()], lay.pitch)
    return left, top, right - left, bottom - top


def span(wanted: list[float], whole: list[float], pitch: float) -> tuple[float, float]:
    """From where to where squares are shown: those wanted and one more at either end, `LEAST` at least."""
    most = len(set(whole))
    first, last = (round((edge - min(whole)) / pitch) for edge in (min(wanted), max(wanted)))
    first, last = max(0, first - 1), min(most - 1, last + 1)
    while last - first + 1 < min(LEAST, most):
        first, last = (first - 1, last) if first else (first, last + 1)
    return min(whole) + (first - 0.5) * pitch, min(whole) + (last + 0.5) * pitch


say(
    "figure",
    push="The marked stones are one's own, more than half of the row: it moves one square on, and a new stone goes "
    "where it began.",
    too_few="No push: only the marked stones of this row are one's own, and that is not more than half.",
    count="As many squares as stones of its colour stand around it (marked); then a stone of the other colour goes "
    "where it was.",
    line="Three on a line: one stone of the other colour comes off.",
    circle="Five in a row on a circle: two stones of the other colour come off.",
    slide="When all stones are on the board: one step along a line or a circle.",
    sow="The seeds are sown one by one along the crossing path; where the last falls into one's own pit with seeds, "
    "all of them are sown on.",
    take="The last seed falls into an empty pit of the other side: the seeds across from it are captured.",
)
