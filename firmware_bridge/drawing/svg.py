"""Drawings as SVG: attributes alone, no style sheet and no script, so that one may be put into any page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from firmware_bridge.drawing.shapes import Drawing, Ink, Path, Point, Shade, Shape, Words


def svg(drawing: Drawing) -> bytes:
    """The drawing as a file."""
    root = element(drawing)
    indent(root)
    return tostring(root) + b"\n"


def element(drawing: Drawing) -> Element:
    """The drawing as an element."""
    root = empty(drawing)
    for shape in drawing.shapes:
        add_shape(root, shape)
    return root


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
