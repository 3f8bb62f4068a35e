"""Drawings in millimetres and shades of grey, for paper: circles, paths and words, with no idea what they show.

x runs to the right and y down, from the top left corner. `svg` writes a drawing as SVG; pdf.py writes it as PDF.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist, hypot
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

BLACK, GREY, WHITE = 0.0, 0.5, 1.0
ROUND = 0.5523
"""How far, in radii, the control points of a curve lie from its ends to make a quarter of a circle."""

WIDTHS = """\
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584
584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278
278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500
500 334 260 334 584"""
ADVANCE = {chr(32 + place): int(width) / 1000 for place, width in enumerate(WIDTHS.split())}
"""The width of each character of Helvetica, in sizes of the type."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Greys of the line and of what it encloses, 0 black to 1 white, None for nothing; `width` and `dash` in mm."""

    line: float | None = BLACK
    width: float = 0.3
    fill: float | None = None
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; `name` is its id in an SVG."""

    centre: Point
    radius: float
    ink: Ink
    name: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """From `start` on: a line to each part of one point, a curve along each of three, the last of which is its end."""

    start: Point
    parts: tuple[tuple[Point, ...], ...]
    ink: Ink
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text, `at` on its base line; `turned` by half a turn for who sits on the other side."""

    at: Point
    text: str
    size: float
    anchor: Anchor = "start"
    bold: bool = False
    turned: bool = False
    grey: float = BLACK

    @property
    def wide(self) -> float:
        """Its width, in mm."""
        return measure(self.text, self.size)


Shape = Circle | Path | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, the later ones upon the earlier, on a sheet of `width` by `height` mm."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]


def line(points: Sequence[Point], ink: Ink, *, closed: bool = False) -> Path:
    """Straight from point to point."""
    return Path(points[0], tuple((point,) for point in points[1:]), ink, closed)


def box(left: float, top: float, width: float, height: float, ink: Ink, corner: float = 0.0) -> Path:
    """A rectangle, with corners of that radius."""
    right, bottom = left + width, top + height
    if not corner:
        return line([(left, top), (right, top), (right, bottom), (left, bottom)], ink, closed=True)
    bend = corner * (1 - ROUND)
    parts = (
        ((right - corner, top),),
        ((right - bend, top), (right, top + bend), (right, top + corner)),
        ((right, bottom - corner),),
        ((right, bottom - bend), (right - bend, bottom), (right - corner, bottom)),
        ((left + corner, bottom),),
        ((left + bend, bottom), (left, bottom - bend), (left, bottom - corner)),
        ((left, top + corner),),
        ((left, top + bend), (left + bend, top), (left + corner, top)),
    )
    return Path((left + corner, top), parts, ink, closed=True)


def slack(points: Sequence[Point], ink: Ink, sag: float) -> Path:
    """A loop through all points that hangs from each to the next toward their middle, by `sag` of the distance."""
    middle = [sum(axis) / len(points) for axis in zip(*points, strict=True)]
    parts = []
    for here, there in pairwise([*points, points[0]]):
        inward = [centre - (a + b) / 2 for centre, a, b in zip(middle, here, there, strict=True)]
        share = 4 / 3 * sag * dist(here, there) / (hypot(*inward) or 1)
        x, y = inward[0] * share, inward[1] * share
        one, other = between(here, there, 1 / 3), between(here, there, 2 / 3)
        parts.append(((one[0] + x, one[1] + y), (other[0] + x, other[1] + y), there))
    return Path(points[0], tuple(parts), ink, closed=True)


def between(here: Point, there: Point, share: float) -> Point:
    """The point at that share of the way."""
    return here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share


def measure(text: str, size: float) -> float:
    """The width of `text` in Helvetica of that size, in mm."""
    return size * sum(ADVANCE.get(character, 0.556) for character in text)


def wrap(text: str, size: float, width: float) -> list[str]:
    """`text` in lines not wider than `width` mm, where its words allow that."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and measure(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


# SVG ------------------------------------------------------------------------------------------


def svg(drawing: Drawing) -> bytes:
    """The drawing as an SVG in mm."""
    wide, high = number(drawing.width), number(drawing.height)
    root = Element("svg", xmlns="http://www.w3.org/2000/svg", width=f"{wide}mm", height=f"{high}mm")
    root.set("viewBox", f"0 0 {wide} {high}")
    root.set("font-family", "Helvetica, Arial, sans-serif")
    SubElement(root, "title").text = drawing.title
    SubElement(root, "rect", width=wide, height=high, fill="#ffffff")
    for shape in drawing.shapes:
        add_shape(root, shape)
    indent(root)
    return tostring(root) + b"\n"


def add_shape(root: Element, shape: Shape) -> None:
    """One shape as its element."""
    if isinstance(shape, Words):
        add_words(root, shape)
    elif isinstance(shape, Path):
        SubElement(root, "path", {"d": outline(shape), **styled(shape.ink)})
    else:
        x, y = map(number, shape.centre)
        named = {"id": shape.name} if shape.name else {}
        SubElement(root, "circle", {**named, "cx": x, "cy": y, "r": number(shape.radius), **styled(shape.ink)})


def add_words(root: Element, words: Words) -> None:
    """Text, of half a turn where it is for who sits on the other side."""
    x, y = map(number, words.at)
    element = SubElement(root, "text", x=x, y=y, fill=shade(words.grey))
    element.set("font-size", number(words.size))
    element.set("text-anchor", words.anchor)
    if words.bold:
        element.set("font-weight", "bold")
    if words.turned:
        element.set("transform", f"rotate(180 {x} {y})")
    element.text = words.text


def outline(path: Path) -> str:
    """The path in SVG's letters."""
    parts = (("L " if len(part) == 1 else "C ") + points(part) for part in path.parts)
    return " ".join([f"M {points([path.start])}", *parts, *(["Z"] if path.closed else [])])


def points(run: Iterable[Point]) -> str:
    """Points as SVG writes them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in run)


def styled(ink: Ink) -> dict[str, str]:
    """The attributes of a line and a filling."""
    style = {"fill": shade(ink.fill), "stroke": shade(ink.line)}
    if ink.line is not None:
        style |= {"stroke-width": number(ink.width), "stroke-linejoin": "round", "stroke-linecap": "round"}
    if ink.dash:
        style["stroke-dasharray"] = number(ink.dash)
    return style


def shade(grey: float | None) -> str:
    """A grey as SVG names colours."""
    return "none" if grey is None else f"#{round(grey * 255):02x}" + f"{round(grey * 255):02x}" * 2


def number(value: float) -> str:
    """A number to a thousandth, as short as it goes."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
