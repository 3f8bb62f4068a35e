"""Draws docs/turn.svg, a moving picture of one turn at the simulated table: a row that is pushed, and every light.

The table plays the turn for real, scan by scan. Its lights are looked at 25 times a second; stones slide as the
simulated hand moves them. The picture moves by SMIL alone, without a script, and begins again at its end.

    make picture
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.drawing.board import (
    CAPTION,
    INK,
    LIT,
    Shown,
    arrange,
    empty_board,
    glow,
    lamps,
    pieces_and_lights,
    radius,
    stone,
)
from firmware_bridge.drawing.ground import Lay
from firmware_bridge.drawing.shapes import Drawing, Label, Point, add_shape, empty, number
from firmware_bridge.lighting import PALETTES, paint
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import load
from hardware.device import Colour, Sense
from hardware.simulation.hands import Style, Touch, finger

BEFORE = ("a1-a2", "d2-d3")
ROW = ("c3", "d3", "e3", "f3")
"""The row that is pushed and the site that it comes to, with the stone where the turn begins first."""
LIFTED, BACK, PUSHED, PLACED, END = 2.6, 5.2, 6.2, 9.0, 13.0
"""When the stone is lifted and put back, the row pushed and the new stone placed, and when it begins anew; seconds."""
SLIDE = 0.6
"""Seconds that the row takes to slide."""
CAPTIONS = (
    (0.0, "Green: these stones may move."),
    (LIFTED, "c3 is lifted. Blue: where it or its row may go."),
    (BACK, "Put back: nothing was played."),
    (PUSHED, "Its row is pushed, and the lights run with it."),
    (PUSHED + SLIDE + 0.3, "A new stone goes where the row began."),
    (PLACED + 0.2, "Accepted. It is the other player's turn."),
)
LOOKS = 25
"""Times a second that the lights are looked at."""
CLOSE = 0.012
"""How far a strength, 0 to 1, may be from the straight line between two that are kept."""
UP, LARGER = 0.42, 1.16
"""How far a lifted stone is drawn above its site, in pitches, and how much larger."""
QUICK = 0.25
"""Seconds in which a stone is lifted, set down, or comes from the hand."""


class Stone(NamedTuple):
    """A stone on its way: at each time (seconds) its place, its size (1 as it lies) and whether it is seen, 0 or 1."""

    level: int
    moments: list[tuple[float, Point, float, float]]


# The turn -----------------------------------------------------------------------------------------


def begun() -> Simulation:
    """The table before the turn, its last one told long ago."""
    sheet = ScoreSheet(load("zong-heng", size=6))
    for turn in BEFORE:
        sheet.read(turn)
    simulation = open_simulation(sheet, Sense.COLOUR)
    simulation.run(4.0)
    return simulation


def acts(simulation: Simulation) -> Iterator[tuple[float, Touch]]:
    """What the hand does, each with its time from the beginning of the picture."""
    levels = [simulation.board.level(site) for site in ROW[:-1]]
    origin, own = ROW[0], levels[0]
    yield LIFTED, Touch(0.0, ((origin, 0),))
    yield BACK, Touch(0.0, ((origin, own),))
    due = PUSHED
    for act in finger(ROW, list(zip(ROW[1:], levels, strict=True)), Style(gap=SLIDE, pace=0.0)):
        due += act.wait
        yield due, act
    yield PLACED, Touch(0.0, ((origin, own),))


def played(simulation: Simulation, doing: Sequence[tuple[float, Touch]]) -> list[list[Colour]]:
    """Let the hand do all that, and the table answer: its lights at each look."""
    start, left, looks = simulation.now, list(doing), []
    for scan in range(round(END * SCAN_HZ)):
        now = scan / SCAN_HZ
        while left and left[0][0] <= now:
            simulation.board.lay(left.pop(0)[1].changes)
        simulation.step(start + now)
        if scan % (SCAN_HZ // LOOKS) == 0:
            scene, sites = simulation.daemon.scene, simulation.table.game.sites
            looks.append(paint(scene, sites, PALETTES["default"], start + now, 1.0))
    made = simulation.table.sheet.played_turns[-1].turn.text
    assert made == f"{ROW[0]}-{ROW[-1]}", made
    return looks


# Stones -------------------------------------------------------------------------------------------


def moving(lay: Lay, levels: Sequence[int]) -> Iterator[Stone]:
    """The stones of the row, lifted, put back and pushed on, and the new one."""
    for place, (site, level) in enumerate(zip(ROW[:-1], levels, strict=True)):
        here, there = lay.at[site], lay.at[ROW[place + 1]]
        moments = [(0.0, here, 1.0, 1.0)]
        if place == 0:
            high = here[0], here[1] - UP * lay.pitch
            moments += [(LIFTED - QUICK / 2, here, 1.0, 1.0), (LIFTED + QUICK / 2, high, LARGER, 1.0)]
            moments += [(BACK - QUICK / 2, high, LARGER, 1.0), (BACK + QUICK / 2, here, 1.0, 1.0)]
        yield Stone(level, [*moments, (PUSHED, here, 1.0, 1.0), (PUSHED + SLIDE, there, 1.0, 1.0)])
    here = lay.at[ROW[0]]
    high = here[0], here[1] - UP * lay.pitch
    begins = PLACED - 3 * QUICK
    yield Stone(
        levels[0],
        [
            (0.0, high, LARGER, 0.0),
            (begins, high, LARGER, 0.0),
            (begins + QUICK, high, LARGER, 1.0),
            (PLACED - QUICK, high, LARGER, 1.0),
            (PLACED, here, 1.0, 1.0),
        ],
    )


def add_stone(root: Element, each: Stone, size: float) -> None:
    """A stone that moves."""
    if each.moments[0][3] == 0:
        root = SubElement(root, "g", opacity="0")
        animate(root, "opacity", [(at, number(seen)) for at, _, _, seen in each.moments])
    moved = SubElement(root, "g", transform=f"translate({points(each.moments[0][1])})")
    transform(moved, "translate", [(at, points(place)) for at, place, _, _ in each.moments])
    if any(larger != 1 for _, _, larger, _ in each.moments):
        moved = SubElement(moved, "g")
        transform(moved, "scale", [(at, number(larger)) for at, _, larger, _ in each.moments])
    for shape in stone((0.0, 0.0), each.level, size):
        add_shape(moved, shape)


def points(point: Point) -> str:
    """A place as SVG writes it."""
    return f"{number(point[0])} {number(point[1])}"


# Lights -------------------------------------------------------------------------------------------


def add_light(root: Element, at: Point, looks: Sequence[Colour], size: float) -> None:
    """A light that changes: for each of its hues a glow, as strong as the light has that hue.

    The dark around it is there as soon as it is lit at all.
    """
    hues: defaultdict[Colour, list[float]] = defaultdict(lambda: [0.0] * len(looks))
    for look, light in enumerate(looks):
        if any(light):
            hues[hue(light)][look] = sqrt(max(light) / 255)
    if not hues:
        return
    well, *_ = glow(at, (255, 255, 255), size)
    dark = SubElement(root, "g")
    add_shape(dark, well)
    vary(dark, [float(any(light)) for light in looks], steps=True)
    for colour, strengths in hues.items():
        lit = SubElement(root, "g")
        for shape in list(glow(at, colour, size))[1:]:
            add_shape(lit, shape)
        vary(lit, strengths)


def hue(light: Colour) -> Colour:
    """The light at full strength; dim ones are rounded, so that one hue stays one."""
    red, green, blue = (round(part * 15 / max(light)) * 17 for part in light)
    return red, green, blue


def vary(root: Element, strengths: Sequence[float], *, steps: bool = False) -> None:
    """Let what `root` holds be as strong as that at each look."""
    if len(set(strengths)) == 1:
        root.set("opacity", number(strengths[0]))
        return
    kept = list(changes(strengths) if steps else corners(strengths))
    root.set("opacity", number(strengths[0]))
    animate(root, "opacity", [(look / LOOKS, number(strengths[look])) for look in kept], steps=steps)


def changes(values: Sequence[float]) -> Iterator[int]:
    """The places where a value differs from the one before."""
    yield 0
    yield from (place for place, (one, other) in enumerate(pairwise(values), start=1) if one != other)


def corners(values: Sequence[float]) -> list[int]:
    """The fewest places, found greedily, between which straight lines come close to all values."""
    kept, last = [0], len(values) - 1
    while kept[-1] < last:
        begin, end = kept[-1], kept[-1] + 1
        while end < last and straight(values, begin, end + 1):
            end += 1
        kept.append(end)
    return kept


def straight(values: Sequence[float], begin: int, end: int) -> bool:
    """Whether the line between two places comes close to all values between them."""
    rise = (values[end] - values[begin]) / (end - begin)
    return all(abs(values[begin] + rise * (at - begin) - values[at]) <= CLOSE for at in range(begin + 1, end))


# SMIL ---------------------------------------------------------------------------------------------


def animate(root: Element, what: str, moments: Iterable[tuple[float, str]], *, steps: bool = False) -> None:
    """Change an attribute of `root`, smoothly or in steps."""
    SubElement(root, "animate", timed(moments, steps), attributeName=what)


def transform(root: Element, what: str, moments: Iterable[tuple[float, str]]) -> None:
    """Change the place or the size of what `root` holds."""
    SubElement(root, "animateTransform", timed(moments, False), attributeName="transform", type=what)


def timed(moments: Iterable[tuple[float, str]], steps: bool) -> dict[str, str]:
    """The attributes of a change without end, from values with their seconds; the last one stays until the end."""
    known = sorted(moments, key=lambda moment: moment[0])
    if not steps:
        known.append((END, known[-1][1]))
    times = ";".join(f"{min(at / END, 1):.4f}".rstrip("0").rstrip(".") for at, _ in known)
    mode = "discrete" if steps else "linear"
    values = ";".join(value for _, value in known)
    return {
        "dur": f"{number(END)}s",
        "repeatCount": "indefinite",
        "calcMode": mode,
        "keyTimes": times,
        "values": values,
    }


# The picture --------------------------------------------------------------------------------------


def picture(simulation: Simulation) -> Element:
    """The whole turn."""
    game = simulation.table.game
    lay, size = arrange(game)
    levels = [simulation.board.level(site) for site in game.sites]
    row = [levels[game.sites.index(site)] for site in ROW[:-1]]
    resting = [0 if site in ROW else level for site, level in zip(game.sites, levels, strict=True)]
    looks = played(simulation, list(acts(simulation)))
    ground = empty_board(game, 1)
    root = empty(ground)
    for shape in ground.shapes:
        add_shape(root, shape)
    for place, at in enumerate(lay.at.values()):
        add_light(root, at, [look[place] for look in looks], LIT * radius(lay))
    for state in sorted({(look[-2], look[-1]) for look in looks}):
        whose = SubElement(root, "g")
        for shape in lamps(lay, size, state):
            add_shape(whose, shape)
        vary(whose, [float((look[-2], look[-1]) == state) for look in looks], steps=True)
    for shape in pieces_and_lights(lay, size, Shown(resting, (0, 0), ())):
        add_shape(root, shape)
    for each in moving(lay, row):
        add_stone(root, each, radius(lay))
    add_captions(root, ground, size)
    return root


def add_captions(root: Element, ground: Drawing, size: tuple[float, float]) -> None:
    """What happens, in words under the board, each line for as long as it holds."""
    middle, base = ground.origin[0] + ground.width / 2, size[1] + 1.4 * CAPTION
    for begins, text in CAPTIONS:
        ends = min((other for other, _ in CAPTIONS if other > begins), default=END)
        said = SubElement(root, "g", opacity="0" if begins else "1")
        add_shape(said, Label((middle, base), text, CAPTION, "middle", shade=INK, kind="board-caption"))
        known = [(0.0, "0"), (begins, "1"), (ends, "0")] if begins else [(0.0, "1"), (ends, "0")]
        animate(said, "opacity", [moment for moment in known if moment[0] < END], steps=True)


def main() -> None:
    """Write the picture."""
    root = picture(begun())
    indent(root)
    path = Path(__file__).with_name("turn.svg")
    path.write_bytes(tostring(root) + b"\n")
    print(f"{path} is drawn")


if __name__ == "__main__":
    main()
