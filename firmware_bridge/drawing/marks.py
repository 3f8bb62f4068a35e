"""Marks of a hand upon a board: an arrow, a cross. White with a dark edge, so that they are seen on any piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist

from firmware_bridge.drawing.shapes import Ink, Point, Shape, line

LINE, EDGE = 7.0, 12.0
"""How wide a mark is, and with its edge."""
HEAD, ARM = 32.0, 24.0
"""The length of an arrow's head, and of an arm of a cross."""
BODY = Ink("#ffffff", LINE, kind="board-mark")
RIM = Ink("#1d140e", EDGE, kind="board-mark-edge")


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
