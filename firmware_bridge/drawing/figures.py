"""Figures that go with the rules in short: examples of turns, each with the board before it and after it.

The examples are turns of the game itself, found by playing it. What a turn shows is told by its steps: a row that
shifts, a stone that takes another's place, a chain that captures, seeds that are sown. Nothing here asks which game it
is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import dist
from random import Random
from xml.etree.ElementTree import tostring

from firmware_bridge.drawing.board import BODY, PITCH, RIM, Shown, arrange, arrow, cross, picture
from firmware_bridge.drawing.ground import PIT, Box, Lay, threads
from firmware_bridge.drawing.shapes import Drawing, Point, Shape, between, bounds, element, inset, line
from firmware_bridge.layout import full_sense
from firmware_bridge.lighting import BLACK, PALETTES
from firmware_bridge.reading import SensorView, Signature
from games.rules import Game, Position, Site, say

GAMES, TURNS = 4, 24
"""How many games are played to find the turns, and how many turns of each (guessed)."""
ENOUGH = 2
"""Figures that are enough for a game, if the most important one is among them (guessed)."""
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


Kind = Callable[[Game[Position], Position, Signature], frozenset[Site] | None]
"""The sites that count for a turn that is a good example, or None."""


def examples(game: Game[Position]) -> dict[str, Example]:
    """The first good example of each kind of turn, in the order of `KINDS`."""
    kinds = KINDS["seeds" if game.pieces == "seeds" else "links" if game.links else "squares"]
    found: dict[str, Example] = {}
    for number in range(GAMES):
        for position, signature in played(game, number):
            for name in kinds.keys() - found.keys():
                if (counts := kinds[name](game, position, signature)) is not None:
                    found[name] = Example(game, position, signature, counts)
            if len(found) == len(kinds):
                break
        if len(found) >= ENOUGH and next(iter(kinds)) in found:
            break
    return {name: found[name] for name in kinds if name in found}


def played(game: Game[Position], number: int) -> Iterator[tuple[Position, Signature]]:
    """The turns of the positions of a game, on squares those refused too; in the first one, 0, the players begin at
    opposite ends."""
    sensors = SensorView(game, full_sense(game))
    position, chance = game.start(), Random(number)
    for _ in range(TURNS):
        turns = game.turns(position)
        if not turns:
            break
        tried = () if game.links or game.pieces == "seeds" else game.tries(position)
        yield from ((position, sensors.signature(position, turn)) for turn in (*turns, *tried) if turn.steps)
        position = (chance.choice(turns) if number else turns[-position.side]).after


# What is a good example -----------------------------------------------------------------------


def pushed(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """A row of three that is pushed, one of its stones the opponent's: the mover's own."""
    marked = own(game, position, signature)
    return marked if len(signature.inner) == len(marked) == 2 and not signature.turn.reason else None


def too_few(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """A row that may not be pushed, for too few of its stones are the mover's own."""
    reason = signature.turn.reason
    counts = reason is not None and "own" in dict(reason.values)
    marked = own(game, position, signature)
    return marked if len(signature.inner) == 2 and len(marked) == 1 and counts else None


def own(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site]:
    """The sites of the turn on which the mover has stones."""
    return frozenset(game.sites[site] for site in signature.path if position.board[site] == position.side + 1)


def counted(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """A stone that moves two squares and leaves another behind: the stones like it around it."""
    if (
        signature.turn.reason
        or len(signature.path) != 2
        or signature.origin is None
        or not signature.result[signature.origin]
    ):
        return None
    places = list(game.places.values())
    if dist(*(places[site] for site in signature.path)) != 2:
        return None
    like = (site for site, level in enumerate(position.board) if level == position.board[signature.origin])
    return frozenset(game.sites[site] for site in like if 0 < dist(places[site], places[signature.origin]) < 1.5)


def filled_line(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """A line that is filled and captures a stone: the line."""
    return chain(game, signature, 1, closed=False)


def circle(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """Stones in a row on a circle that capture two: the row."""
    return chain(game, signature, 2, closed=True)


def chain(game: Game[Position], signature: Signature, captured: int, *, closed: bool) -> frozenset[Site] | None:
    """The longest row of stones, like the one that comes to stand, on a line with the site where it does."""
    landing = next((game.sites[site] for site, level in signature.result.items() if level), None)
    if landing is None or signature.turn.reason or len(signature.captures) != captured:
        return None
    level = dict(zip(game.sites, signature.turn.after.board, strict=True))
    found: frozenset[Site] = frozenset()
    for thread in threads(game):
        if (thread[0] == thread[-1]) == closed and landing in thread:
            run = row(thread, landing, lambda site: level[site] == level[landing])
            found = max(found, run, key=len)
    return found if len(found) >= 3 else None


def row(thread: list[Site], start: Site, like: Callable[[Site], bool]) -> frozenset[Site]:
    """The unbroken row of sites that are alike around `start`."""
    closed = thread[0] == thread[-1]
    sites = thread[:-1] if closed else thread
    found = {start}
    for step in (1, -1):
        place = sites.index(start) + step
        while (closed or 0 <= place < len(sites)) and sites[place % len(sites)] not in found:
            if not like(sites[place % len(sites)]):
                break
            found.add(sites[place % len(sites)])
            place += step
    return frozenset(found)


def slid(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """A stone that slides to the next point."""
    plain = (
        len(signature.path) == 2
        and signature.origin is not None
        and not signature.captures
        and not signature.turn.reason
    )
    return frozenset() if plain else None


def sown(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """Seeds of one pit that capture with the last of them."""
    good = (
        len(signature.lifts) == 2
        and len(signature.captures) == 1
        and 3 <= len(signature.path) <= 7
        and not signature.turn.reason
    )
    return frozenset() if good else None


def sown_on(game: Game[Position], position: Position, signature: Signature) -> frozenset[Site] | None:
    """Seeds that are sown, and the pit of the last of them sown on."""
    good = (
        len(signature.lifts) == 2 and not signature.captures and len(signature.path) <= 9 and not signature.turn.reason
    )
    return frozenset() if good else None


KINDS: dict[str, dict[str, Kind]] = {
    "squares": {"push": pushed, "too-few": too_few, "count": counted},
    "links": {"line": filled_line, "circle": circle, "slide": slid},
    "seeds": {"sow": sown_on, "take": sown},
}
"""What is shown of games on squares, on lines, and with seeds."""


# The figures ----------------------------------------------------------------------------------


def figures(game: Game[Position]) -> tuple[tuple[str, str], ...]:
    """Figures of the game's turns, each with the message id of its caption; one to three."""
    return tuple((f"figure.{name}", drawn(example)) for name, example in examples(game).items())


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
    return Shown(position.board, game.beside(position) or (0, 0), [*lights, BLACK, BLACK] if lit else [])


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
