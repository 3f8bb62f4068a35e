"""Examples for the rules in short: turns of the game itself, found by playing it.

What a turn shows is told by its steps: a row that shifts, a stone that takes another's place, a chain that captures,
seeds that are sown. Nothing here asks which game it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import dist
from random import Random

from firmware_bridge.drawing.ground import threads
from firmware_bridge.layout import fullest
from firmware_bridge.reading.signature import Sight, Way
from games.rules import Game, Position, Site

GAMES, TURNS = 4, 24
"""How many games are played to find the turns, and how far."""
ENOUGH = 2
"""Figures that are enough for a game, if the most important one is among them."""


@dataclass(frozen=True, slots=True)
class Example:
    """A turn in its position; `counted` are the sites whose pieces allow it."""

    game: Game[Position]
    position: Position
    way: Way
    counted: frozenset[Site] = field(default_factory=frozenset)

    @property
    def path(self) -> list[Site]:
        """Where the pieces go, from the first site to the last; empty for a piece that is laid down."""
        if self.way.origin is None:
            return []
        way = self.way
        sites = [site for site, level in way.steps if level or site == way.origin] if way.sown else list(way.travel)
        return [self.game.sites[site] for site in sites]

    @property
    def taken(self) -> list[Site]:
        """The sites of captured pieces."""
        return [self.game.sites[site] for site in sorted(self.way.captures)]

    @property
    def new(self) -> list[Site]:
        """Where a piece is laid down."""
        board, way = self.position.board, self.way
        fresh = [way.begins] if way.begins is not None and way.result[way.begins] and not way.sown else []
        return [self.game.sites[site] for site in fresh if board[site] == 0 or way.origin is not None]


Kind = Callable[[Game[Position], Position, Way], frozenset[Site] | None]
"""The sites that count for a turn that is a good example, or None."""


def examples(game: Game[Position]) -> dict[str, Example]:
    """The first good example of each kind of turn, in the order of `KINDS`."""
    kinds = KINDS["seeds" if game.pieces == "seeds" else "links" if game.links else "squares"]
    found: dict[str, Example] = {}
    for number in range(GAMES):
        for position, way in played(game, number):
            for name in kinds.keys() - found.keys():
                if (counts := kinds[name](game, position, way)) is not None:
                    found[name] = Example(game, position, way, counts)
            if len(found) == len(kinds):
                break
        if len(found) >= ENOUGH and next(iter(kinds)) in found:
            break
    return {name: found[name] for name in kinds if name in found}


def played(game: Game[Position], number: int) -> Iterator[tuple[Position, Way]]:
    """The turns of the positions of a game, on squares those refused too; in the first one, 0, the players begin at
    opposite ends."""
    sight = Sight(game, fullest(game))
    position, chance = game.start(), Random(number)
    for _ in range(TURNS):
        turns = game.turns(position)
        if not turns:
            break
        tried = () if game.links or game.pieces == "seeds" else game.tries(position)
        yield from ((position, sight.way(position, turn)) for turn in (*turns, *tried) if turn.steps)
        position = (chance.choice(turns) if number else turns[-position.side]).after


# What is a good example -----------------------------------------------------------------------


def pushed(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """A row of three that is pushed, one of its stones the opponent's: the mover's own."""
    marked = own(game, position, way)
    return marked if len(way.inner) == len(marked) == 2 and not way.turn.reason else None


def too_few(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """A row that may not be pushed, for too few of its stones are the mover's own."""
    reason = way.turn.reason
    counts = reason is not None and "own" in dict(reason.values)
    marked = own(game, position, way)
    return marked if len(way.inner) == 2 and len(marked) == 1 and counts else None


def own(game: Game[Position], position: Position, way: Way) -> frozenset[Site]:
    """The sites of the turn on which the mover has stones."""
    return frozenset(game.sites[site] for site in way.path if position.board[site] == position.side + 1)


def counted(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """A stone that moves two squares and leaves another behind: the stones like it around it."""
    if way.turn.reason or len(way.path) != 2 or way.origin is None or not way.result[way.origin]:
        return None
    places = list(game.places.values())
    if dist(*(places[site] for site in way.path)) != 2:
        return None
    like = (site for site, level in enumerate(position.board) if level == position.board[way.origin])
    return frozenset(game.sites[site] for site in like if 0 < dist(places[site], places[way.origin]) < 1.5)


def line(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """A line that is filled and captures a stone: the line."""
    return chain(game, way, 1, closed=False)


def circle(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """Stones in a row on a circle that capture two: the row."""
    return chain(game, way, 2, closed=True)


def chain(game: Game[Position], way: Way, captured: int, *, closed: bool) -> frozenset[Site] | None:
    """The longest row of stones, like the one that comes to stand, on a line with the site where it does."""
    landing = next((game.sites[site] for site, level in way.result.items() if level), None)
    if landing is None or way.turn.reason or len(way.captures) != captured:
        return None
    level = dict(zip(game.sites, way.turn.after.board, strict=True))
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
    for way in (1, -1):
        place = sites.index(start) + way
        while (closed or 0 <= place < len(sites)) and sites[place % len(sites)] not in found:
            if not like(sites[place % len(sites)]):
                break
            found.add(sites[place % len(sites)])
            place += way
    return frozenset(found)


def slid(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """A stone that slides to the next point."""
    plain = len(way.path) == 2 and way.origin is not None and not way.captures and not way.turn.reason
    return frozenset() if plain else None


def sown(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """Seeds of one pit that capture with the last of them."""
    good = len(way.lifts) == 2 and len(way.captures) == 1 and 3 <= len(way.path) <= 7 and not way.turn.reason
    return frozenset() if good else None


def sown_on(game: Game[Position], position: Position, way: Way) -> frozenset[Site] | None:
    """Seeds that are sown, and the pit of the last of them sown on."""
    good = len(way.lifts) == 2 and not way.captures and len(way.path) <= 9 and not way.turn.reason
    return frozenset() if good else None


KINDS: dict[str, dict[str, Kind]] = {
    "squares": {"push": pushed, "too-few": too_few, "count": counted},
    "links": {"line": line, "circle": circle, "slide": slid},
    "seeds": {"sow": sown_on, "take": sown},
}
"""What is shown of games on squares, on lines, and with seeds."""
