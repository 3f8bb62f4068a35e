"""Figures that go with the rules in short: turns that a game offers as examples, with the boards before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import dist
from xml.etree.ElementTree import tostring

from firmware_bridge.drawing.board import BODY, PITCH, RIM, Shown, arrange, arrow, cross, picture, standing
from firmware_bridge.drawing.ground import PIT, Box, Lay
from firmware_bridge.drawing.shapes import Drawing, Point, Shape, between, bounds, element, inset, line
from firmware_bridge.layout import full_sense
from firmware_bridge.lighting import BLACK, PALETTES
from firmware_bridge.verdict import SensorView, Signature
from games.rules import Figure, Game, Position, Site

LEAST = 5
"""Squares of a board that are shown at least, each way."""
GAP = 40.0
"""Between the two boards of a figure."""


@dataclass(frozen=True, slots=True)
class Example:
    """A turn in its position; `counted` are the sites whose pieces allow it."""

    game: Game[Position]
    position: Position
    signature: Signature
    counted: frozenset[Site] = field(default_factory=frozenset)

    @property
    def path(self) -> list[Site]:
        """Where the pieces go, from the first site to the last; empty for a piece that is laid down."""
        if self.signature.origin is None:
            return []
        signature = self.signature
        sites = (
            [site for site, level in signature.steps if level or site == signature.origin]
            if signature.sown
            else list(signature.travel)
        )
        return [self.game.sites[site] for site in sites]

    @property
    def taken(self) -> list[Site]:
        """The sites of captured pieces."""
        return [self.game.sites[site] for site in sorted(self.signature.captures)]

    @property
    def new(self) -> list[Site]:
        """Where a piece is laid down."""
        board, signature = self.position.board, self.signature
        fresh = (
            [signature.begins]
            if signature.begins is not None and signature.result[signature.begins] and not signature.sown
            else []
        )
        return [self.game.sites[site] for site in fresh if board[site] == 0 or signature.origin is not None]


def examples(game: Game[Position]) -> dict[str, Example]:
    """The turns that the game offers as figures, by name; of the game with its usual options."""
    usual = type(game)()
    sensors = SensorView(usual, full_sense(usual))
    return {figure.name: example(usual, sensors, figure) for figure in usual.figures}


def example(game: Game[Position], sensors: SensorView, figure: Figure) -> Example:
    """The turn of one figure; ValueError if there is no such turn."""
    position = game.position(figure.position)
    for turn in (*game.turns(position), *game.tries(position)):
        if turn.text == figure.turn:
            return Example(game, position, sensors.signature(position, turn), frozenset(figure.counted))
    raise ValueError(f"{game.name}: the figure {figure.name} shows {figure.turn}, which is no turn there")


# The figures ----------------------------------------------------------------------------------


def figures(game: Game[Position]) -> tuple[tuple[str, str], ...]:
    """The figures of `game`, each with the message id of its caption."""
    return tuple((f"{game.name}.figure-{name}", drawn(example)) for name, example in examples(game).items())


def drawn(example: Example) -> str:
    """The board before the turn and after it, side by side or, if they are wide, one below the other; a turn that may
    not be made has no board after it."""
    boards = [before(example)] if example.signature.turn.reason else [before(example), after(example)]
    wide, high = boards[0].width, boards[0].height
    right, down = (wide + GAP, 0.0) if wide < 1.5 * high else (0.0, high + GAP)
    start = (2 - len(boards)) / 2  # one alone stands in the middle, as large as one of two
    root = element(Drawing("", wide + right, high + down, (), unit="", paper=None))
    for place, board in enumerate(boards):
        root.append(inset(board, (start + place) * right, (start + place) * down, wide))
    return tostring(root).decode()


def before(example: Example) -> Drawing:
    """What counts is lit; where the pieces go, there are arrows; what is taken is crossed out."""
    at, lit = arrange(example.game)[0].at, dict.fromkeys(example.counted, "tally")
    board = cropped(example, picture(example.game, seen(example, example.position, lit)))
    taken = (mark for site in example.taken for mark in cross(at[site]))
    return replace(board, shapes=(*board.shapes, *motion(example, at), *taken))


def motion(example: Example, at: Mapping[Site, Point]) -> Iterator[Shape]:
    """An arrow, from pit to pit for seeds; a line that ends in a cross for a turn that may not be made."""
    path = [at[site] for site in example.path]
    if example.signature.turn.reason:
        yield from (line(path, RIM), line(path, BODY), *cross(path[-1]))
    elif example.signature.sown:
        for one, other in pairwise(path):
            rim = PIT * PITCH / dist(one, other)
            yield from arrow([between(one, other, rim), between(other, one, rim)])
    elif path:
        yield from arrow(path)


def after(example: Example) -> Drawing:
    """The new piece is lit, or where the last one came to lie."""
    lit = dict.fromkeys(example.new or example.path[-1:], "place-here" if example.new else "target")
    return cropped(example, picture(example.game, seen(example, example.signature.turn.after, lit)))


def seen(example: Example, position: Position, lit: dict[Site, str]) -> Shown:
    """A position with lights on these sites."""
    game, palette = example.game, PALETTES["default"]
    lights = [palette[lit[site]] if site in lit else BLACK for site in game.sites]
    return standing(game, position, [*lights, BLACK, BLACK] if lit else [])


def cropped(example: Example, whole: Drawing) -> Drawing:
    """The board without what surrounds it; of many squares those around the turn."""
    lay, size = arrange(example.game)
    left, top, wide, high = window(example, lay) if example.signature.inner else (0.0, 0.0, *size)
    right, bottom = left + wide, top + high

    def within(shape: Shape) -> bool:
        (west, north), (east, south) = bounds(shape)
        return west < right and east > left and north < bottom and south > top

    shapes = tuple(filter(within, whole.shapes))
    return replace(whole, shapes=shapes, title="", origin=(left, top), width=wide, height=high, paper=None)


def window(example: Example, lay: Lay) -> Box:
    """The squares of a turn and those around them."""
    turn = [lay.at[lay.game.sites[site]] for site in example.signature.path]
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
