"""Draws docs/architecture.svg: the rooms of the program, and which of them knows which, from the imports themselves.

make architecture
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path
from statistics import mean

from firmware_bridge.drawing.shapes import Drawing, Ink, Label, Point, Shape, box, line, svg, wrap
from firmware_bridge.drawing.shapes import Path as Curve

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "hardware", "firmware_bridge")
BRIDGE = "firmware_bridge"
WHOLE = {"__init__", "__main__"}
"""What belongs to the whole bridge and to none of its rooms."""
PICTURE = Path(__file__).with_name("architecture.svg")

WIDE, HIGH, GAP, RISE, MARGIN = 212.0, 76.0, 22.0, 40.0, 24.0
"""A box, the room between two of a floor, that between two floors, and the edge of the picture: in its own units."""
TITLE, TEXT = 15.0, 10.5
FLOORS = {"games": "#efe3c8", "hardware": "#d3e3ea", BRIDGE: "#f6f5f2"}
"""What a box of each package is filled with."""
SLACK = 0.8
"""How much of a box a line of text takes, as Helvetica is measured: a reader may see it in a wider type."""
SWEEPS = 12
"""How often each floor is put in the order of the floors beside it; more changes nothing here."""


# What the code says ---------------------------------------------------------------------------


def modules() -> dict[str, Path]:
    """Every module of the program by its full name; a package is known by the name of its folder."""
    found = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {named(path): path for path in found}


def named(path: Path) -> str:
    """The full name of the module in `path`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def loaded(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What an import names, or a call of ``import_module``: the module, and what is taken of it, if anything."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, "") for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (("." if node.level else str(node.module), alias.name) for alias in node.names)
    elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
        yield from ((str(name.value), "") for name in node.args if isinstance(name, ast.Constant))


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """The modules of the program that each module imports, wherever in it, also for a type checker alone."""
    known = modules()
    found = {}
    for name, path in known.items():
        each = (pair for node in ast.walk(ast.parse(path.read_text())) for pair in loaded(node))
        targets = (f"{module}.{taken}" if is_module(module, taken) else module for module, taken in each)
        found[name] = frozenset(target for target in targets if target in known and target != name)
    return found


def room(module: str) -> str:
    """The room of a module: a package of the bridge, a single module at its top, or one of the other two packages."""
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] or "__init__" if package == BRIDGE else package


def is_module(package: str, name: str) -> bool:
    """Whether what is taken of a package under this name is a module of it, and nothing that it has named so itself."""
    return f"{package}.{name}" in modules() and name not in offered(package)


@cache
def offered(package: str) -> frozenset[str]:
    """What the ``__init__`` of a package takes from its modules for others."""
    tree = ast.parse(modules()[package].read_text())
    return frozenset(taken for node in tree.body for _, taken in loaded(node))


@cache
def rooms() -> Mapping[str, frozenset[str]]:
    """The rooms that each room knows."""
    found: dict[str, set[str]] = {}
    for module, targets in imports().items():
        found.setdefault(room(module), set()).update(room(target) for target in targets)
    return {name: frozenset(known - {name} - WHOLE) for name, known in found.items() if name not in WHOLE}


def purpose(name: str) -> str:
    """What a room is for: the first sentence of its docstring."""
    module = name if name in PACKAGES else f"{BRIDGE}.{name}"
    told = ast.get_docstring(ast.parse(modules()[module].read_text())) or ""
    return told.partition("\n\n")[0].partition(". ")[0].rstrip(".").replace("\n", " ")


# The picture ----------------------------------------------------------------------------------


def floors(known: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """The floor of each room, 0 for those that know no other: one above the highest that it knows."""
    found: dict[str, int] = {}
    for name in TopologicalSorter(known).static_order():
        found[name] = 1 + max((found[other] for other in known[name]), default=-1)
    return found


def direct(known: Mapping[str, frozenset[str]]) -> set[tuple[str, str]]:
    """Who knows whom, without what follows from others: if a knows b and b knows c, nothing is drawn from a to c."""
    beyond: dict[str, frozenset[str]] = {}
    for name in TopologicalSorter(known).static_order():
        beyond[name] = known[name].union(*(beyond[other] for other in known[name]))
    return {(a, b) for a in known for b in known[a] if not any(b in beyond[c] for c in known[a])}


def ordered(floor: Mapping[str, int], arrows: set[tuple[str, str]]) -> tuple[list[list[str]], set[tuple[str, str]]]:
    """The rooms of each floor from left to right, so that few arrows cross, and the arrows from floor to floor.

    An arrow that passes a floor has a place there, a name that begins with a blank.
    """
    rows: list[list[str]] = [[] for _ in range(1 + max(floor.values()))]
    for name in sorted(floor):
        rows[floor[name]].append(name)
    steps = set()
    for a, b in sorted(arrows):
        stops = [a, *(f" {a}-{b}-{level}" for level in range(floor[a] - 1, floor[b], -1)), b]
        for level, stop in zip(range(floor[a] - 1, floor[b], -1), stops[1:-1], strict=True):
            rows[level].append(stop)
        steps |= {*pairwise(stops)}
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for level in range(len(rows) - 2, -1, -1) if down else range(1, len(rows)):
            beside = {name: place for place, name in enumerate(rows[level + 1 if down else level - 1])}
            ends = {(b, a) if down else (a, b) for a, b in steps}
            tied = {
                name: [beside[other] for own, other in ends if own == name and other in beside] for name in rows[level]
            }
            rows[level].sort(key={name: mean(places or [len(beside) / 2]) for name, places in tied.items()}.__getitem__)
    return rows, steps


def placed(rows: list[list[str]]) -> dict[str, Point]:
    """The upper left corner of each box, and of the room that is left for an arrow that passes."""
    wide = [sum(GAP + (0.0 if name.startswith(" ") else WIDE) for name in row) - GAP for row in rows]
    found = {}
    for level, row in enumerate(rows):
        left = MARGIN + (max(wide) - wide[level]) / 2
        for name in row:
            found[name] = (left, MARGIN + (len(rows) - 1 - level) * (HIGH + RISE))
            left += GAP + (0.0 if name.startswith(" ") else WIDE)
    return found


def drawing() -> Drawing:
    """The whole picture."""
    known = rooms()
    rows, steps = ordered(floors(known), direct(known))
    place = placed(rows)
    shapes: list[Shape] = []
    for a, b in sorted(steps):
        shapes += arrow(bottom(place[a], a), top(place[b], b), ends=not b.startswith(" "))
    shapes += [shape for name in known for shape in boxed(name, place[name])]
    wide = max(x for x, _ in place.values()) + WIDE + MARGIN
    high = max(y for _, y in place.values()) + HIGH + MARGIN
    return Drawing("The rooms of Tablelight, and which knows which", wide, high, tuple(shapes), "px", "#ffffff")


def bottom(corner: Point, name: str) -> Point:
    """Where arrows leave a box, or one that passes leaves its place."""
    return corner[0] + (0.0 if name.startswith(" ") else WIDE / 2), corner[1] + HIGH


def top(corner: Point, name: str) -> Point:
    """Where arrows reach it."""
    return corner[0] + (0.0 if name.startswith(" ") else WIDE / 2), corner[1]


def arrow(start: Point, end: Point, *, ends: bool) -> Iterator[Shape]:
    """From a room to one that it knows; one that only passes goes on straight through the floor."""
    ink = Ink("#7a8791", 1.3)
    bend = (end[1] - start[1]) * 0.55
    yield Curve(start, (((start[0], start[1] + bend), (end[0], end[1] - bend), end),), ink)
    if ends:
        yield line([(end[0] - 3.5, end[1] - 7), end, (end[0] + 3.5, end[1] - 7)], ink)
    else:
        yield line([end, (end[0], end[1] + HIGH)], ink)


def boxed(name: str, corner: Point) -> Iterator[Shape]:
    """A room: its name and what it is for."""
    x, y = corner
    yield box(x, y, WIDE, HIGH, Ink("#3c4850", 1.2, FLOORS.get(name, FLOORS[BRIDGE])), 6)
    yield Label((x + WIDE / 2, y + 18), name, TITLE, "middle", bold=True, shade="#1d2429")
    for number, told in enumerate(wrap(purpose(name), TEXT, WIDE * SLACK)):
        yield Label((x + WIDE / 2, y + 32 + 12 * number), told, TEXT, "middle", shade="#3c4850")


def main() -> None:
    """Write the picture."""
    PICTURE.write_bytes(svg(drawing()))
    print(f"{PICTURE} is drawn")


if __name__ == "__main__":
    main()
