"""The values of a game as a curve: drawn, and in the letters of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_bridge.analysis.evaluation import Analysis
from firmware_bridge.drawing.ground import centred
from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Label, Point, Shape, line

WIDE, HIGH = 600.0, 290.0
LEFT, TOP, RIGHT, BOTTOM = 44.0, 32.0, 14.0, 50.0
"""What is left around the curve: room for the scale and for the numbers of turns."""
TYPE = 17.0
GRID = Ink("#8a7f70", 1.0, kind="curve-grid")
EVEN = Ink("#8a7f70", 1.0, dash=4.0, kind="curve-grid")
CURVE = Ink("#1d5a49", 2.6, kind="curve-line")
SURE = Ink("#1d5a49", 1.0, "#1d5a49", kind="curve-proved")
MARK = Ink("#8a4b00", 2.6, "#fffdf8", kind="curve-mark")
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Turns between two numbers of the scale."""
ROWS = 9
"""Lines of a curve in a terminal."""


def drawn(made: Analysis, title: str) -> Drawing:
    """The curve; proved values are dots, the turns that are explained rings with their numbers."""
    return Drawing(title, WIDE, HIGH, tuple(shapes(made)), unit="", paper=None)


def shapes(made: Analysis) -> Iterator[Shape]:
    """All that is drawn, the later upon the earlier."""
    values = [standing.value for standing in made.standings]
    points = [place(number, value, len(values)) for number, value in enumerate(values)]
    yield from scale(len(values))
    if len(points) > 1:
        yield line(points, CURVE)
    size = min(4.0, max(1.8, 0.3 * (WIDE - LEFT - RIGHT) / len(points)))
    sure = (point for point, standing in zip(points, made.standings, strict=True) if standing.proved)
    yield from (Circle(point, size, SURE) for point in sure)
    for number in made.explained:
        yield from marked(points[number], number, made.turns[number - 1].side)


def place(number: int, value: float, count: int) -> Point:
    """Where a value is drawn."""
    across = (WIDE - LEFT - RIGHT) * number / max(1, count - 1)
    return round(LEFT + across, 1), round(TOP + (HIGH - TOP - BOTTOM) * (1 - value), 1)


def marked(at: Point, number: int, side: int) -> Iterator[Shape]:
    """A ring, and its number beyond it: the curve falls by a loss of player 0 and rises by one of player 1."""
    x, y = at
    yield Circle(at, 6.0, MARK)
    words = centred((min(x, WIDE - 12.0), y - 18.0 if side else y + 18.0), str(number), TYPE)
    yield Label(words.at, str(number), TYPE, "middle", bold=True, shade="#8a4b00", kind="curve-number")


def scale(count: int) -> Iterator[Shape]:
    """Lines at a loss, a draw and a win, and numbers of turns."""
    for value, ink in ((0.0, GRID), (0.5, EVEN), (1.0, GRID)):
        left, right = place(0, value, count), (WIDE - RIGHT, place(0, value, count)[1])
        yield line([left, right], ink)
        yield Label((LEFT - 8.0, left[1] + 0.36 * TYPE), f"{100 * value:.0f}", TYPE, "end", kind="curve-word")
    step = next(step for step in STEPS if count <= 12 * step or step == STEPS[-1])
    for number in range(0, count, step):
        x, _ = place(number, 0.0, count)
        yield Label((x, HIGH - 8.0), str(number), TYPE, "middle", kind="curve-word")


# A terminal -----------------------------------------------------------------------------------


def lettered(made: Analysis, columns: int) -> Iterator[str]:
    """The curve in so many columns: ``*`` a value, ``#`` one that is proved, and ``^`` under those explained."""
    count = len(made.standings)
    room = max(10, columns - 5)
    shown = sorted({round(number * (count - 1) / max(1, min(count, room) - 1)) for number in range(min(count, room))})
    values = [made.standings[number].value for number in shown]
    letters = ["#" if made.standings[number].proved else "*" for number in shown]
    for row in range(ROWS):
        label = {0: "100", ROWS // 2: " 50", ROWS - 1: "  0"}.get(row, "   ")
        marks = (letter if level(value) == row else " " for value, letter in zip(values, letters, strict=True))
        yield f"{label} |{''.join(marks)}".rstrip()
    lost = {nearest(shown, number) for number in made.explained}
    yield ("     " + "".join("^" if place in lost else " " for place in range(len(shown)))).rstrip()


def level(value: float) -> int:
    """The row of a value, 0 the uppermost."""
    return round((1 - value) * (ROWS - 1))


def nearest(shown: Sequence[int], number: int) -> int:
    """The column that stands for a turn."""
    return min(range(len(shown)), key=lambda place: abs(shown[place] - number))
