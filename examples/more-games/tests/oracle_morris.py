"""Nine Men's Morris a second time, from its rules alone: points as (across, up) from the middle, -3 to 3."""

from __future__ import annotations

from itertools import product

Web = dict[tuple[int, int], str]
RANGE = (-3, -2, -1, 0, 1, 2, 3)
POINTS = [(x, y) for y, x in product(RANGE[::-1], RANGE) if (abs(x) == abs(y) or 0 in (x, y)) and (x or y)]
"""From the top row down, each from the left."""
MILLS = {
    frozenset(point for point in POINTS if point[axis] == at and (at or point[1 - axis] * sign > 0))
    for axis, at, sign in product((0, 1), RANGE, (1, -1))
}
"""Three in a row each: those through the middle are two."""


def morris(text: str) -> dict[str, str]:
    rows, side, hands = text.split()
    web = dict(zip(POINTS, rows.replace("/", ""), strict=True))
    other = {"x": "o", "o": "x"}[side]
    left = dict(zip("xo", map(int, hands.split(",")), strict=True))
    if any(left[mark] + count(web, mark) <= 2 for mark in "xo"):
        return {}
    turns = {}
    for move, to, after in moved(web, side, left[side]):
        rest = left | {side: max(0, left[side] - 1)}
        for taken in [None] if not milled(after, to) else victims(after, other):
            final = after if taken is None else after | {taken: "."}
            board = write(final)
            turns[move + ("" if taken is None else f"x{name(taken)}")] = f"{board} {other} {rest['x']},{rest['o']}"
    return turns


def moved(web: Web, side: str, hand: int) -> list[tuple[str, tuple[int, int], Web]]:
    empty = [point for point in POINTS if web[point] == "."]
    if hand:
        return [(name(point), point, web | {point: side}) for point in empty]
    own = [point for point in POINTS if web[point] == side]
    return [
        (f"{name(start)}-{name(end)}", end, web | {start: ".", end: side})
        for start, end in product(own, empty)
        if len(own) == 3 or joined(start, end)
    ]


def joined(start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Two points of a line, with no third one of it between them."""
    for line in MILLS:
        if {start, end} <= line:
            ends = min(line), max(line)
            return {start, end} != set(ends)
    return False


def milled(web: Web, point: tuple[int, int]) -> bool:
    return any({web[at] for at in line} == {web[point]} for line in MILLS if point in line)


def victims(web: Web, mark: str) -> list[tuple[int, int]]:
    men = [point for point in POINTS if web[point] == mark]
    free = [point for point in men if not milled(web, point)]
    return free if free else men


def count(web: Web, mark: str) -> int:
    return list(web.values()).count(mark)


def name(point: tuple[int, int]) -> str:
    return "abcdefg"[point[0] + 3] + str(point[1] + 4)


def write(web: Web) -> str:
    marks = "".join(web[point] for point in POINTS)
    return "/".join(marks[start : start + 3] for start in range(0, 24, 3))
