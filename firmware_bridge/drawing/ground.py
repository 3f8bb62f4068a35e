"""The ground that a game is played on: checkered squares, a web of lines, or pits with stores.

Where its sites lie and how it is inked is told by a `Lay`: for paper by workshop/overlay.py, for screens by board.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import atan2, cos, degrees, dist, sin, tau

from firmware_bridge.drawing.shapes import BLACK, Circle, Ink, Label, Point, Shade, Shape, box, line, slack
from games.rules import Game, Position, Site

SAG = 0.07
"""How far a ring hangs between two points, so that nobody takes a side of it for a straight line."""
MARK, POINT, PIT = 0.07, 0.13, 0.4
"""Radii, in pitches; of a pit where the next is a pitch away."""
BEND = 59.0
"""Degrees by which a line may bend at a site; the sides of a hexagon bend more."""
NEAR = 1e-3
"""Pitches by which sites may miss a square, for drawings are rounded."""
NAME = re.compile("([A-Za-z]+)([0-9]+)")
"""Of a square: its file and its rank."""
Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True, slots=True)
class Look:
    """The inks of a ground."""

    square: Ink
    dark: Ink
    mark: Ink | None
    """The ring in the middle of a square; None for none."""
    rope: Ink
    """A line that closes upon itself."""
    thread: Ink
    point: Ink
    pit: Ink
    path: Ink
    """The way of the seeds."""
    arrow: Ink
    """Where the first seed of a pit goes."""
    store: Ink
    word: Shade
    site: Shade
    """Of the name of a point on a line."""
    paper: bool
    """Whether it is read from both sides of the table, each site and store by its name."""


@dataclass(frozen=True, slots=True)
class Lay:
    """A game as it lies before the eye: the middle of each site, a pitch apart."""

    game: Game[Position]
    at: Mapping[Site, Point]
    pitch: float
    look: Look
    type: float
    """The size of coordinates."""
    stores: Mapping[int, Box] = field(default_factory=dict)
    """Where a player's pieces beside the board lie."""
    upright: bool = True
    """Whether the game lies square upon square, so that files and ranks can be named at the edge."""


def ground(lay: Lay) -> Iterator[Shape]:
    """The sites of the game and what joins them."""
    if lay.game.pieces == "seeds":
        yield from pits(lay)
    else:
        yield from web(lay) if lay.game.links else squares(lay)
    yield from stores(lay)


def squares(lay: Lay) -> Iterator[Shape]:
    """Squares, the dark ones shaded, and on paper a small ring in the middle of each for the light."""
    half, look, square = room(lay) / 2, lay.look, in_squares(lay.at, lay.pitch)
    shaded = lay.game.shaded
    for site, (x, y) in sorted(lay.at.items(), key=lambda placed: placed[0] in shaded):  # each ink in one run
        ink = look.dark if site in shaded else look.square
        yield box(x - half, y - half, 2 * half, 2 * half, ink) if square else Circle((x, y), half, ink)
    if look.mark:
        for site, centre in lay.at.items():
            yield Circle(centre, MARK * lay.pitch, look.mark, name(lay, site))
    yield from coordinates(lay) if lay.upright and in_files(lay) else each_named(lay)


def in_squares(at: Mapping[Site, Point], pitch: float) -> bool:
    """Whether sites lie a whole number of pitches apart, as squares do."""
    x, y = next(iter(at.values()))
    return all(abs(off / pitch - round(off / pitch)) < NEAR for sx, sy in at.values() for off in (sx - x, sy - y))


def room(lay: Lay) -> float:
    """How far the nearest two sites are apart, a pitch at most."""
    return min(lay.pitch, *(dist(one, other) for one, other in combinations(lay.at.values(), 2)))


def in_files(lay: Lay) -> bool:
    """Whether sites are named by their file and rank, each file by letters and each rank by a number of its own."""
    named = [(NAME.fullmatch(site), at) for site, at in lay.at.items()]
    files = {(match[1], x) for match, (x, _) in named if match}
    ranks = {(match[2], y) for match, (_, y) in named if match}
    return all(match for match, _ in named) and all(
        len({*column}) == len(pairs) for pairs in (files, ranks) for column in zip(*pairs, strict=True)
    )


def name(lay: Lay, site: Site) -> str:
    """What the mark of a site is called in a drawing that stands alone; a page may hold several boards."""
    return site if lay.look.paper else ""


def each_named(lay: Lay) -> Iterator[Shape]:
    """The name of each square within it."""
    size = 0.12 * lay.pitch
    for site, (x, y) in lay.at.items():
        yield Label((x - 0.45 * lay.pitch, y + 0.45 * lay.pitch), site, size, shade=lay.look.word)


def coordinates(lay: Lay) -> Iterator[Shape]:
    """Files and ranks: below and at the left, on paper on all four sides, for either player."""
    xs, ys = zip(*lay.at.values(), strict=True)
    reach, word = lay.pitch / 2 + lay.type * 0.75, lay.look.word
    files = {x: site.rstrip("0123456789") for site, (x, _) in lay.at.items()}
    ranks = {y: site[len(files[x]) :] for site, (x, y) in lay.at.items()}
    for x, file in files.items():
        yield centred((x, max(ys) + reach), file, lay.type, shade=word)
        if lay.look.paper:
            yield centred((x, min(ys) - reach), file, lay.type, turned=True)
    for y, rank in ranks.items():
        yield centred((min(xs) - reach, y), rank, lay.type, shade=word)
        if lay.look.paper:
            yield centred((max(xs) + reach, y), rank, lay.type, turned=True)


def centred(at: Point, text: str, size: float, *, turned: bool = False, shade: Shade = BLACK) -> Label:
    """Words with their middle at a point."""
    drop = 0.36 * size * (-1 if turned else 1)
    kind = "" if isinstance(shade, float) else "board-word"
    return Label((at[0], at[1] + drop), text, size, "middle", turned=turned, shade=shade, kind=kind)


# A game of points and lines -------------------------------------------------------------------


def web(lay: Lay) -> Iterator[Shape]:
    """The lines as threads, those that close upon themselves stronger and hanging, and a ring at each point."""
    for thread in threads(lay.game):
        closed = thread[0] == thread[-1]
        points = [lay.at[site] for site in (thread[:-1] if closed else thread)]
        yield ring(points, lay.look.rope) if closed else line(points, lay.look.thread)
    for site, centre in lay.at.items():
        yield Circle(centre, POINT * lay.pitch, lay.look.point, name(lay, site))
    for site, (x, y) in lay.at.items():
        if lay.look.paper:
            yield centred((x + 0.3 * lay.pitch, y - 0.125 * lay.pitch), site, 0.085 * lay.pitch, shade=lay.look.site)
        else:
            yield centred(clear(lay, site, 0.58 * lay.pitch), site, 0.16 * lay.pitch, shade=lay.look.site)


def clear(lay: Lay, site: Site, far: float) -> Point:
    """A point `far` from a site where no line leaves it: in the widest gap between its links."""
    x, y = lay.at[site]
    ends = [lay.at[other] for link in lay.game.links if site in link for other in link if other != site]
    angles = sorted(atan2(there[1] - y, there[0] - x) for there in ends)
    gaps = [((after - angle) % tau or tau, angle) for angle, after in pairwise([*angles, *angles[:1]])]
    gaps = gaps or [(tau, 0.0)]  # no line at all
    widest = max(gap for gap, _ in gaps)
    middles = [angle + gap / 2 for gap, angle in gaps if gap > widest - 0.001]
    best = max(middles, key=lambda angle: (round(cos(angle), 3), -sin(angle)))
    return x + far * cos(best), y + far * sin(best)


def ring(points: list[Point], ink: Ink) -> Shape:
    """A circle if there is one through all the points, else a loop that hangs from point to point."""
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    radii = [dist(middle, point) for point in points]
    if max(radii) - min(radii) < 0.001 * max(radii):
        return Circle(middle, max(radii), ink)
    return slack(points, ink, SAG)


def threads(game: Game[Position]) -> Iterator[list[Site]]:
    """The links, joined where one goes on in another; a thread that closes ends where it began."""
    left = dict.fromkeys(game.links)
    while left:
        thread = list(next(iter(left)))
        for _ in range(2):
            while thread[0] != thread[-1] and (onward := ahead(game, thread[-2], thread[-1])):
                if onward in thread[1:]:  # it runs into itself
                    break
                thread.append(onward)
            thread.reverse()
        for one, other in pairwise(thread):
            left.pop((one, other), None)
            left.pop((other, one), None)
        yield thread


def ahead(game: Game[Position], before: Site, here: Site) -> Site | None:
    """Where a line goes on beyond `here`: the link that bends least, if that is less than `BEND`."""
    beside = [site for link in game.links if here in link for site in link if site not in (here, before)]
    bends = {site: bend(game.places, before, here, site) for site in beside}
    straightest = min(bends, key=lambda site: bends[site], default=None)
    return straightest if straightest and bends[straightest] < BEND else None


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
        yield line([lay.at[one], lay.at[other]], lay.look.path)
    centre = sum(y for _, y in lay.at.values()) / len(lay.at)
    for site, at in lay.at.items():
        yield Circle(at, PIT * room(lay), lay.look.pit, name(lay, site))
    for site, (x, y) in lay.at.items():
        far = y < centre
        outward = 0.52 * lay.pitch if lay.look.paper else 0.5 * lay.pitch + 0.75 * lay.type
        at = x, y + (-outward if far else outward)
        yield centred(at, site, lay.type, turned=far and lay.look.paper, shade=lay.look.word)
    arrows = [arrow(lay.at[site], lay.at[onward], lay.look.arrow, lay.pitch) for site, onward in first.items()]
    for shafts_or_heads in zip(*arrows, strict=True):
        yield from shafts_or_heads


def sowing(game: Game[Position]) -> tuple[list[tuple[Site, Site]], dict[Site, Site]]:
    """The steps from pit to pit that seeds take in each player's first turns, and where each pit's first seed goes."""
    turns = [turn for opening in game.turns(game.start()) for turn in (opening, *game.turns(opening.after))]
    steps: dict[tuple[Site, Site], None] = {}
    first: dict[Site, Site] = {}
    for pits in (act.sites for turn in turns for act in turn.acts if act.kind == "sow"):
        first.setdefault(pits[0], pits[1])
        steps |= dict.fromkeys((min(pair), max(pair)) for pair in pairwise(pits))
    return list(steps), first


def arrow(start: Point, end: Point, ink: Ink, pitch: float) -> tuple[Shape, Shape]:
    """From the rim of a pit a little way toward the next: the shaft and the head."""
    length = dist(start, end)
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    rim, tip, head = PIT * pitch, min(0.72 * pitch, 0.44 * length), 0.14 * pitch

    def at(along: float, aside: float = 0.0) -> Point:
        return start[0] + along * x - aside * y, start[1] + along * y + aside * x

    point = Ink(None, 0, ink.line, kind=ink.kind, strength=ink.strength)
    corners = [at(tip), at(tip - head, head / 2.4), at(tip - head, -head / 2.4)]
    return line([at(rim), at(tip - head)], ink), line(corners, point, closed=True)


def stores(lay: Lay) -> Iterator[Shape]:
    """Where each player's pieces beside the board lie, on paper with the player's name."""
    for side, (left, top, wide, high) in lay.stores.items():
        yield box(left, top, wide, high, lay.look.store, corner=min(wide, high) / 2)
        if lay.look.paper:
            at = left + wide / 2, top + high / 2
            yield centred(at, lay.game.player_name(side), 0.12 * lay.pitch, turned=side == 1)
