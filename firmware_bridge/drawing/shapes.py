"""Drawings: circles, paths and labels, with no idea what they show; as SVG, and written to files whole or not at all.

x runs to the right and y down, from the top left corner; in millimetres and greys for paper. An SVG has attributes
alone, no style sheet and no script, so that it may be put into any page. pdf.py writes a drawing as PDF, raster.py
as pixels.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist, hypot
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hardware import files
from hardware.settings import SettingsError

Point = tuple[float, float]
Shade = float | str
"""A grey, 0 black to 1 white, or a colour: ``#8fa3b0``."""
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
"""The width of each character of Helvetica, in sizes of the type, from its font metrics."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Of a line and of what it encloses, None for nothing; `width` and `dash` as long as all that is drawn."""

    line: Shade | None = BLACK
    width: float = 0.3
    fill: Shade | None = None
    dash: float = 0.0
    kind: str = ""
    """What it is, so that the style sheet of a page may ink it otherwise: the name of a class in an SVG."""
    strength: float = 1.0
    """0 nothing is seen of it, 1 nothing of what lies beneath; for screens, paper takes it for 1."""


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
class Label:
    """A line of text, `at` on its base line; `turned` by half a turn for who sits on the other side."""

    at: Point
    text: str
    size: float
    anchor: Anchor = "start"
    bold: bool = False
    turned: bool = False
    shade: Shade = BLACK
    kind: str = ""
    """As an ink's."""

    @property
    def wide(self) -> float:
        """Its width."""
        return measure(self.text, self.size)

    @property
    def before(self) -> float:
        """How much of its width lies before the point where it stands."""
        return self.wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]

    @property
    def room(self) -> tuple[Point, Point]:
        """The corners of the box that it takes, with what hangs below the base line."""
        (x, y), direction = self.at, -1 if self.turned else 1
        left, right = sorted((x - direction * self.before, x + direction * (self.wide - self.before)))
        top, bottom = sorted((y - direction * self.size, y + direction * self.size / 4))
        return (left, top), (right, bottom)


Inked = Circle | Path
Shape = Inked | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, the later ones upon the earlier, on a sheet of `width` by `height`."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    unit: Literal["mm", "px", ""] = "mm"
    """What one is; empty for a drawing that is as large as what it is put into."""
    paper: Shade | None = WHITE
    """What it is drawn on."""
    origin: Point = (0.0, 0.0)
    """Its top left corner; (0, 0) on paper."""


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
    """The width of `text` in Helvetica of that size."""
    return size * sum(ADVANCE.get(character, 0.556) for character in text)


def wrap(text: str, size: float, width: float) -> list[str]:
    """`text` in lines not wider than `width`, where its words allow that."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and measure(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def bounds(shape: Shape) -> tuple[Point, Point]:
    """The corners of a box that holds the shape; of a path without the width of its line."""
    if isinstance(shape, Circle):
        (x, y), far = shape.centre, shape.radius
        return (x - far, y - far), (x + far, y + far)
    if isinstance(shape, Label):
        return shape.room
    xs, ys = zip(shape.start, *(point for part in shape.parts for point in part), strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def rgb(colour: Shade) -> tuple[float, float, float]:
    """Red, green and blue, 0 to 1."""
    if isinstance(colour, str):
        red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
        return red, green, blue
    return colour, colour, colour


# SVG ------------------------------------------------------------------------------------------


def svg(drawing: Drawing) -> bytes:
    """The drawing as a file."""
    root = element(drawing)
    indent(root)
    return tostring(root) + b"\n"


def element(drawing: Drawing) -> Element:
    """The drawing as an element."""
    root = empty(drawing)
    for run in runs(drawing.shapes):
        if isinstance(run, list) and len(run) > 1:
            SubElement(root, "path", {"d": "".join(map(outline, run)), **styled(run[0].ink)})
        else:
            add_shape(root, run[0] if isinstance(run, list) else run)
    return root


def runs(shapes: Iterable[Shape]) -> Iterator[list[Inked] | Label]:
    """The shapes, by runs of the same opaque ink that look the same as one element: 64 squares are a fifth as long so.

    What a run fills lies apart, for the later ones would hide lines of those before.
    """
    run: list[Inked] = []
    boxes: list[tuple[Point, Point]] = []
    for shape in shapes:
        place = bounds(shape)
        lies_on = not isinstance(shape, Label) and shape.ink.fill and not all(apart(place, box) for box in boxes)
        if run and (isinstance(shape, Label) or lies_on or not alike(run[0], shape)):
            yield run
            run, boxes = [], []
        if isinstance(shape, Label):
            yield shape
        else:
            run.append(shape)
            boxes.append(place)
    if run:
        yield run


def alike(one: Inked, other: Inked) -> bool:
    """Whether two shapes may be one element as far as ink and names go."""
    named = any(isinstance(each, Circle) and each.name for each in (one, other))
    return one.ink == other.ink and one.ink.strength == 1 and not one.ink.dash and not named


def apart(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two boxes, each by its corners, have at most an edge in common."""
    ((left, top), (right, bottom)), ((far_left, far_top), (far_right, far_bottom)) = one, other
    return right <= far_left or far_right <= left or bottom <= far_top or far_bottom <= top


def empty(drawing: Drawing) -> Element:
    """What it is drawn on: size, title and paper."""
    (left, top), wide, high = map(number, drawing.origin), number(drawing.width), number(drawing.height)
    root = Element("svg", xmlns="http://www.w3.org/2000/svg")
    if drawing.unit:
        unit = drawing.unit.removesuffix("px")
        root.attrib |= {"width": f"{wide}{unit}", "height": f"{high}{unit}"}
    root.attrib |= {"viewBox": f"{left} {top} {wide} {high}", "font-family": "Helvetica, Arial, sans-serif"}
    if drawing.title:
        SubElement(root, "title").text = drawing.title
    if drawing.paper is not None:
        corner = {"x": left, "y": top} if any(drawing.origin) else {}
        SubElement(root, "rect", corner, width=wide, height=high, fill=shade(drawing.paper))
    return root


def inset(drawing: Drawing, left: float, top: float, width: float) -> Element:
    """The drawing as a part of another, so wide, with its corner there."""
    inner = element(replace(drawing, title="", unit=""))
    size = {"width": width, "height": width * drawing.height / drawing.width}
    inner.attrib |= {key: number(value) for key, value in {"x": left, "y": top, **size}.items()}
    return inner


def add_shape(root: Element, shape: Shape) -> None:
    """One shape as its element."""
    if isinstance(shape, Label):
        add_words(root, shape)
    elif isinstance(shape, Path):
        SubElement(root, "path", {"d": outline(shape), **styled(shape.ink)})
    else:
        x, y = map(number, shape.centre)
        named = {"id": shape.name} if shape.name else {}
        ink = styled(shape.ink, ends=bool(shape.ink.dash))
        SubElement(root, "circle", {**named, "cx": x, "cy": y, "r": number(shape.radius), **ink})


def add_words(root: Element, words: Label) -> None:
    """Text, of half a turn where it is for who sits on the other side."""
    x, y = map(number, words.at)
    element = SubElement(root, "text", x=x, y=y, fill=shade(words.shade))
    element.set("font-size", number(words.size))
    element.set("text-anchor", words.anchor)
    if words.kind:
        element.set("class", words.kind)
    if words.bold:
        element.set("font-weight", "bold")
    if words.turned:
        element.set("transform", f"rotate(180 {x} {y})")
    element.text = words.text


def outline(shape: Inked) -> str:
    """The path in SVG's letters; of a circle two halves."""
    if isinstance(shape, Circle):
        (x, y), radius, across = shape.centre, number(shape.radius), number(2 * shape.radius)
        half = f"a{radius},{radius} 0 1,0"
        return f"M{points([(x - shape.radius, y)])}{half} {across},0{half} -{across},0Z"
    parts = (("L" if len(part) == 1 else "C") + points(part) for part in shape.parts)
    return "".join([f"M{points([shape.start])}", *parts, *(["Z"] if shape.closed else [])])


def points(run: Iterable[Point]) -> str:
    """Points as SVG writes them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in run)


def styled(ink: Ink, *, ends: bool = True) -> dict[str, str]:
    """The attributes of a line, which may have corners and `ends`, and of a filling."""
    style = {"fill": shade(ink.fill), "stroke": shade(ink.line)}
    if ink.line is not None:
        style |= {"stroke-width": number(ink.width)}
        style |= {"stroke-linejoin": "round", "stroke-linecap": "round"} if ends else {}
    if ink.dash:
        style["stroke-dasharray"] = number(ink.dash)
    if ink.kind:
        style["class"] = ink.kind
    if ink.strength < 1:
        style["opacity"] = number(ink.strength)
    return style


def shade(colour: Shade | None) -> str:
    """As SVG names colours."""
    if isinstance(colour, str):
        return colour
    return "none" if colour is None else "#" + f"{round(colour * 255):02x}" * 3


def number(value: float) -> str:
    """A number to a thousandth, as short as it goes."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


# Files ----------------------------------------------------------------------------------------


def write(path: pathlib.Path, data: bytes) -> None:
    """Write `data` to `path`, as `files.write` does; SettingsError, which leaves a file that was there."""
    try:
        files.write(path, data)
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}; name another file with -o") from None
