"""The web that ZhiZhu is played on: three rings of eight points, eight lines, and the chains on them.

Points are numbered along the outer, the middle and the inner ring, clockwise from the top.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from games.rules import EMPTY

KEPT = 1024
"""Removals that are kept: turns of one position differ in them little; a guess."""
SITES = tuple(f"{ring}{line}" for ring in "abc" for line in range(1, 9))
POINTS = range(24)
LINES = tuple((point % 8, point % 8 + 8, point % 8 + 16) for point in POINTS)
"""For each point the line that it lies on."""
AROUND = tuple(
    tuple(tuple(point // 8 * 8 + (point + way * step) % 8 for step in range(1, 8)) for way in (1, -1))
    for point in POINTS
)
"""For each point the others of its ring, clockwise and counter-clockwise."""


def _beside(point: int) -> tuple[int, ...]:
    ring, line = divmod(point, 8)
    along = [8 * ring + (line + step) % 8 for step in (1, -1)]
    return (*along, *(8 * other + line for other in (ring - 1, ring + 1) if 0 <= other < 3))


BESIDE = tuple(_beside(point) for point in POINTS)
PLACES = {
    site: ((3 - point // 8) * sin(point % 8 * pi / 4), (3 - point // 8) * cos(point % 8 * pi / 4))
    for point, site in enumerate(SITES)
}
LINKS = tuple((SITES[point], SITES[other]) for point in POINTS for other in BESIDE[point] if point < other)


def standing(cells: bytes, level: int) -> list[int]:
    """The points that show `level`."""
    return [point for point in POINTS if cells[point] == level]


def on_line(cells: bytes, point: int) -> bool:
    """Whether stones like the one on `point` fill its line."""
    outer, middle, inner = LINES[point]
    return cells[outer] == cells[middle] == cells[inner]


def on_arc(cells: bytes, point: int) -> bool:
    """Whether the stone on `point` is one of five like it, or more, side by side on its ring."""
    run = 1
    for way in AROUND[point]:
        for other in way:
            if cells[other] != cells[point]:
                break
            run += 1
    return run >= 5


def in_chain(cells: bytes, point: int) -> bool:
    """Whether the stone on `point` stands in a full line or in five on a ring."""
    return on_line(cells, point) or on_arc(cells, point)


def owed(cells: bytes, point: int) -> int:
    """The stones to remove for the chains that contain the stone on `point`: a line 1, a ring 2, both 3."""
    return on_line(cells, point) + 2 * on_arc(cells, point)


@lru_cache(KEPT)
def removals(cells: bytes, level: int, count: int) -> tuple[tuple[int, ...], ...]:
    """Every set of `count` stones of `level` that may be removed one after another, free stones first."""
    choices = standing(cells, level)
    if not count or not choices:
        return ((),)
    free = [point for point in choices if not in_chain(cells, point)]
    found = set()
    for point in free or choices:
        rest = cells[:point] + bytes([EMPTY]) + cells[point + 1 :]
        found |= {tuple(sorted((point, *more))) for more in removals(rest, level, count - 1)}
    return tuple(sorted(found))
