"""The ground that a game is played on, drawn over a board of squares: checkered squares, a web of lines, or pits.

Each site is drawn exactly over the point of the board that reads and lights it. Marks are open or pale: the light
shines through the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, degrees, hypot

from firmware_bridge.layout import lay_out
from firmware_bridge.workshop.drawing import BLACK, WHITE, Circle, Ink, Point, Shape, Words, box, line, slack
from games.rules import Game, Position, Site
from hardware.board import Board

MARGIN = 5.0
"""mm around the board, for coordinates; also what printers leave blank at the edge of a paper."""
ROPE, THREAD = Ink(BLACK, 1.0), Ink(BLACK, 0.5)
SAG = 0.07
"""How far a ring hangs between two points, so that nobody takes a side of it for a straight line."""
DARK, PALE = 0.74, 0.6
"""The greys of a dark square, and of what is only a help."""


@dataclass(frozen=True)
class Lay:
    """A game as it lies on a board of squares `pitch` mm apart."""

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

    @property
    def upright(self) -> bool:
        """Whether the game lies square upon square, so that files and ranks can be named at the edge."""
        places = self.game.places
        return len({(x - places[site][0], y - places[site][1]) for site, (x, y) in self.cells.items()}) == 1

    def middle(self, file: float, rank: float) -> Point:
        """The middle of a square of the board on the sheet."""
        return MARGIN + (file + 0.5) * self.pitch, MARGIN + (self.size[1] - rank - 0.5) * self.pitch


def ground(lay: Lay) -> Iterator[Shape]:
    """The sites of the game and what joins them."""
    if lay.game.pieces == "seeds":
        return pits(lay)
    return web(lay) if lay.game.links else squares(lay)


def squares(lay: Lay) -> Iterator[Shape]:
    """Squares, the dark ones shaded, each with a small ring in its middle for the light."""
    half = lay.pitch / 2
    for site, (x, y) in lay.at.items():
        fill = DARK if site in lay.game.shaded else None
        yield box(x - half, y - half, lay.pitch, lay.pitch, Ink(BLACK, 0.25, fill))
    for site, centre in lay.at.items():
        yield Circle(centre, 0.07 * lay.pitch, Ink(PALE, 0.2, WHITE), site)
    yield from coordinates(lay) if lay.upright else each_named(lay)


def each_named(lay: Lay) -> Iterator[Shape]:
    """The name of each square within it."""
    size = 0.12 * lay.pitch
    for site, (x, y) in lay.at.items():
        yield Words((x - 0.45 * lay.pitch, y + 0.45 * lay.pitch), site, size)


def coordinates(lay: Lay) -> Iterator[Shape]:
    """Files and ranks on all four sides, for either player."""
    xs, ys = zip(*lay.at.values(), strict=True)
    room = min(min(xs), min(ys)) > MARGIN + lay.pitch
    size = min(0.12 * lay.pitch, 6.0) if room else 3.2
    reach = lay.pitch / 2 + size * 0.75
    for site, (x, y) in lay.at.items():
        file, rank = site.rstrip("0123456789"), site.lstrip("abcdefghijklmnopqrstuvwxyz")
        if y == max(ys):
            yield centred((x, y + reach), file, size)
            yield centred((x, min(ys) - reach), file, size, turned=True)
        if x == min(xs):
            yield centred((x - reach, y), rank, size)
            yield centred((max(xs) + reach, y), rank, size, turned=True)


def centred(at: Point, text: str, size: float, *, turned: bool = False, grey: float = BLACK) -> Words:
    """Words with their middle at a point."""
    drop = 0.36 * size * (-1 if turned else 1)
    return Words((at[0], at[1] + drop), text, size, "middle", turned=turned, grey=grey)


# A game of points and lines -------------------------------------------------------------------


def web(lay: Lay) -> Iterator[Shape]:
    """The lines as threads, those that close upon themselves stronger and hanging, and a ring at each point."""
    for thread in threads(lay.game):
        closed = thread[0] == thread[-1]
        points = [lay.at[site] for site in (thread[:-1] if closed else thread)]
        yield slack(points, ROPE, SAG) if closed else line(points, THREAD)
    for site, (x, y) in lay.at.items():
        yield Circle((x, y), 0.13 * lay.pitch, Ink(BLACK, 0.6, WHITE), site)
        yield centred((x + 0.3 * lay.pitch, y - 0.125 * lay.pitch), site, 0.085 * lay.pitch, grey=0.35)


def threads(game: Game[Position]) -> Iterator[list[Site]]:
    """The links, joined where one goes on in another; a thread that closes ends where it began."""
    left = dict.fromkeys(game.links)
    while left:
        thread = list(next(iter(left)))
        for _ in range(2):
            while thread[0] != thread[-1] and (onward := ahead(game, thread[-2], thread[-1])):
                thread.append(onward)
            thread.reverse()
        for one, other in pairwise(thread):
            left.pop((one, other), None)
            left.pop((other, one), None)
        yield thread


def ahead(game: Game[Position], before: Site, here: Site) -> Site | None:
    """Where a line goes on beyond `here`: the link that bends least, if that is less than 60 degrees."""
    beside = [site for link in game.links if here in link for site in link if site not in (here, before)]
    bends = {site: bend(game.places, before, here, site) for site in beside}
    straightest = min(bends, key=lambda site: bends[site], default=None)
    return straightest if straightest and bends[straightest] < 60 else None


def bend(places: Mapping[Site, Point], before: Site, here: Site, after: Site) -> float:
    """How much the way through three sites bends, in degrees, as the game draws itself."""
    (ax, ay), (bx, by), (cx, cy) = places[before], places[here], places[after]
    turned = degrees(atan2(cy - by, cx - bx) - atan2(by - ay, bx - ax)) % 360
    return min(turned, 360 - turned)


# A game of pits -------------------------------------------------------------------------------


def pits(lay: Lay) -> Iterator[Shape]:
    """The pits with their names and the way of the first seed, the path of the others, and the stores."""
    steps, first = sowing(lay.game)
    for one, other in steps:
        yield line([lay.at[one], lay.at[other]], Ink(PALE, 0.3))
    centre = sum(y for _, y in lay.at.values()) / len(lay.at)
    for site, (x, y) in lay.at.items():
        far = y < centre
        yield Circle((x, y), 0.4 * lay.pitch, Ink(BLACK, 0.7, WHITE), site)
        outward = -0.52 if far else 0.52
        yield centred((x, y + outward * lay.pitch), site, 0.12 * lay.pitch, turned=far)
    for site, onward in first.items():
        yield from arrow(lay, lay.at[site], lay.at[onward])
    yield from stores(lay)


def sowing(game: Game[Position]) -> tuple[list[tuple[Site, Site]], dict[Site, Site]]:
    """The steps from pit to pit that seeds take in each player's first turns, and where each pit's first seed goes."""
    turns = [turn for opening in game.turns(game.start()) for turn in (opening, *game.turns(opening.after))]
    steps: dict[tuple[Site, Site], None] = {}
    first: dict[Site, Site] = {}
    for turn in turns:
        first.setdefault(turn.path[0], turn.path[1])
        for before, step in pairwise(turn.steps):
            if step.level and step.site != before.site:
                steps[min(before.site, step.site), max(before.site, step.site)] = None
    return list(steps), first


def arrow(lay: Lay, start: Point, end: Point) -> Iterator[Shape]:
    """From the rim of a pit a little way toward the next."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    rim, tip, head = 0.4 * lay.pitch, 0.72 * lay.pitch, 0.14 * lay.pitch

    def at(along: float, aside: float = 0.0) -> Point:
        return start[0] + along * x - aside * y, start[1] + along * y + aside * x

    yield line([at(rim), at(tip - head)], ROPE)
    yield line([at(tip), at(tip - head, head / 2.4), at(tip - head, -head / 2.4)], Ink(None, 0, BLACK), closed=True)


def stores(lay: Lay) -> Iterator[Shape]:
    """Each player's store at the right hand, where the board leaves room for it."""
    xs, ys = zip(*lay.at.values(), strict=True)
    high = max(ys) - min(ys) + 0.8 * lay.pitch
    for side, x in ((0, max(xs) + lay.pitch), (1, min(xs) - lay.pitch)):
        if MARGIN < x < MARGIN + lay.size[0] * lay.pitch:
            left, top, wide = x - 0.38 * lay.pitch, min(ys) - 0.4 * lay.pitch, 0.76 * lay.pitch
            yield box(left, top, wide, high, Ink(BLACK, 0.7, WHITE), corner=wide / 2)
            yield centred((x, top + high / 2), lay.game.player_name(side), 0.12 * lay.pitch, turned=side == 1)
