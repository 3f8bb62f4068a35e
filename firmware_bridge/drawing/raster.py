"""Drawings as pixels, by Pillow: the same shapes as in an SVG, drawn larger and made smaller, so that edges are smooth.

Turned words and dashes are for paper alone: they are drawn straight and whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy

from PIL import Image, ImageDraw, ImageFont

from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Label, Path, Point, Shade, Shape, rgb

FINER = 3
"""How much larger it is drawn, each way."""
CURVE = 12
"""Straight pieces that a curve is drawn in."""
TYPE = 0.94
"""The size of Pillow's typeface that is as wide as Helvetica."""
Pixels = Image.Image


class Canvas:
    """An image in the making, `width` pixels wide when it is done."""

    def __init__(self, drawing: Drawing, width: int) -> None:
        self._scale = width * FINER / drawing.width
        self._origin = drawing.origin
        size = width * FINER, round(drawing.height * width / drawing.width) * FINER
        self._take(Image.new("RGB", size, tint(1.0 if drawing.paper is None else drawing.paper)))
        self.add(drawing.shapes)

    def _take(self, image: Pixels) -> None:
        self._image = image
        self._draw = ImageDraw.Draw(image, "RGBA")

    def frame(self, shapes: Iterable[Shape]) -> Pixels:
        """The image with these shapes upon it, which stays as it is."""
        frame = copy(self)
        frame._take(self._image.copy())
        frame.add(shapes)
        return frame.done()

    def add(self, shapes: Iterable[Shape]) -> None:
        """Draw these upon what is there."""
        for shape in shapes:
            if isinstance(shape, Label):
                self._write(shape)
            elif isinstance(shape, Circle):
                self._circle(shape)
            else:
                self._path(shape)

    def done(self) -> Pixels:
        """The image as large as it is to be."""
        return self._image.reduce(FINER)

    def _at(self, point: Point) -> Point:
        return (point[0] - self._origin[0]) * self._scale, (point[1] - self._origin[1]) * self._scale

    def _circle(self, circle: Circle) -> None:
        (x, y), ink = self._at(circle.centre), circle.ink
        width = line_width(ink, self._scale)
        if ink.fill is not None:
            self._disc(x, y, circle.radius * self._scale, fill=tint(ink.fill, ink.strength))
        if ink.line is not None:
            self._disc(x, y, circle.radius * self._scale + width / 2, outline=tint(ink.line, ink.strength), width=width)

    def _disc(self, x: float, y: float, radius: float, **inks: tuple[int, ...] | int) -> None:
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), **inks)  # type: ignore[arg-type]

    def _path(self, path: Path) -> None:
        points = [self._at(point) for point in flat(path)]
        if path.ink.fill is not None:
            self._draw.polygon(points, fill=tint(path.ink.fill, path.ink.strength))
        if path.ink.line is not None:
            ends = [*points, *points[:2]] if path.closed else points
            width = line_width(path.ink, self._scale)
            self._draw.line(ends, tint(path.ink.line, path.ink.strength), width, joint="curve")

    def _write(self, words: Label) -> None:
        size = words.size * self._scale * TYPE
        font = ImageFont.load_default(size)
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[words.anchor]
        self._draw.text(
            self._at(words.at),
            words.text,
            tint(words.shade),
            font,
            anchor,
            stroke_width=round(size / 50) if words.bold else 0,
        )


def line_width(ink: Ink, scale: float) -> int:
    """In pixels."""
    return max(1, round(ink.width * scale))


def tint(colour: Shade, strength: float = 1.0) -> tuple[int, int, int, int]:
    """As Pillow names colours."""
    red, green, blue = (round(part * 255) for part in rgb(colour))
    return red, green, blue, round(strength * 255)


def flat(path: Path) -> Iterator[Point]:
    """The path in straight pieces."""
    here = path.start
    yield here
    for part in path.parts:
        if len(part) == 1:
            yield part[0]
        else:
            yield from (curved((here, *part), step / CURVE) for step in range(1, CURVE + 1))
        here = part[-1]


def curved(points: tuple[Point, ...], share: float) -> Point:
    """The point at that share of a curve, which is told by its start, two points that it bends to, and its end."""
    rest = 1 - share
    weights = rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3
    x, y = (sum(weight * at for weight, at in zip(weights, axis, strict=True)) for axis in zip(*points, strict=True))
    return x, y


def sampled(images: Sequence[Pixels]) -> Pixels:
    """An image of the 256 colours that these, all of one size, are drawn in best."""
    width, height = images[0].size
    strip = Image.new("RGB", (width, height * len(images)))
    for place, each in enumerate(images):
        strip.paste(each, (0, height * place))
    return strip.quantize(256)


def inked(image: Pixels, colours: Pixels) -> Pixels:
    """The image in the colours of another."""
    return image.quantize(palette=colours, dither=Image.Dither.NONE)
