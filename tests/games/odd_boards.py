"""Games on boards that none of the built-in ones has: hexagons, a rectangle, a ring, a cross."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import cos, dist, pi, sin, sqrt
from typing import Literal

from games.acts import sow
from games.rules import Game, Outcome, Reason, Turn
from tests.games.small_games import Board

Places = Mapping[str, tuple[float, float]]


class Odd(Game[Board]):
    """A game at these places, joined by these links; a turn sows two seeds of a pit into the next two."""

    name = "odd"
    title = "Odd"
    summary = "A game for tests."
    players = ("rules.dark", "rules.light")

    def __init__(
        self, places: Places, pieces: Literal["stones", "seeds"] = "stones", links: Iterable[tuple[str, str]] = ()
    ) -> None:
        self.sites, self.places, self.links = tuple(places), places, tuple(links)
        self.pieces = pieces  # type: ignore[misc]

    def start(self) -> Board:
        return Board(bytes([2 if self.pieces == "seeds" else 0]) * len(self.sites), 0, 1)

    def position(self, text: str) -> Board:
        raise NotImplementedError

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self._sowings(position)) if self.pieces == "seeds" else ()

    def _sowings(self, position: Board) -> Iterator[Turn[Board]]:
        pits = len(self.sites)
        for pit, count in enumerate(position.cells):
            if count == 2:
                cells = bytearray(position.cells)
                cells[pit] = 0
                way = [(pit + 1) % pits, (pit + 2) % pits]
                for onward in way:
                    cells[onward] += 1
                acts = (sow(tuple(self.sites[at] for at in (pit, *way)), tuple(cells[at] for at in way)),)
                yield Turn(self.sites[pit], Board(bytes(cells), 1 - position.side, 1), acts)

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        yield from ()

    def outcome(self, position: Board) -> Outcome | None:
        return None if self.turns(position) else Outcome(None, Reason("rules.repetition"))


def hexagons(size: int) -> dict[str, tuple[float, float]]:
    """A rhombus of hexagons."""
    return {f"{'abcdefgh'[x]}{y + 1}": (x + y / 2, y * sqrt(3) / 2) for y in range(size) for x in range(size)}


def neighbours(places: Places) -> list[tuple[str, str]]:
    """Links between all sites a pitch apart."""
    return [(a, b) for a in places for b in places if a < b and dist(places[a], places[b]) < 1.01]


THREE_BY_FIVE = {f"{'abc'[x]}{y + 1}": (float(x), float(y)) for y in range(5) for x in range(3)}
RING = {f"p{n}": (2 * sin(n * pi / 6), 2 * cos(n * pi / 6)) for n in range(12)}
CROSS = {f"{'abc'[x]}{y + 1}": (float(x), float(y)) for x, y in ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2))}
LOOP = {"t": (-1.5, 3.0), **RING}
"""A ring with a tail that runs into it."""
BOARDS = {
    "hexagons": Odd(hexagons(4)),
    "hexagons with lines": Odd(hexagons(4), links=neighbours(hexagons(4))),
    "3x5": Odd(THREE_BY_FIVE),
    "cross": Odd(CROSS),
    "ring of pits": Odd(RING, "seeds"),
    "ring with a tail": Odd(LOOP, links=[("t", "p0"), *((f"p{n}", f"p{(n + 1) % 12}") for n in range(12))]),
    "a point without lines": Odd({"o": (0.0, 0.0), "p": (2.0, 0.0), "q": (2.0, 1.0)}, links=[("p", "q")]),
}
