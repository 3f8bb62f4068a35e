"""Drawings on pages of PDF: whole, or cut into pages of a paper size that overlap.

It needs the library pydyf and is loaded only when a PDF is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from math import ceil, prod

import pydyf

from firmware_bridge.drawing.shapes import GREY, ROUND, Circle, Drawing, Ink, Label, Path, Point, Shape, line, rgb

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "A2": (420.0, 594.0), "letter": (215.9, 279.4)}
"""Width and height in mm, upright."""
EDGE = 5.0
"""mm along the edge of a paper that printers leave blank."""
NOTE = 4.0
"""mm at the foot of a page for the line that tells where it belongs."""
OVERLAP = 10.0
"""mm that two neighbouring pages both show; they are joined in its middle."""
POINTS = 72 / 25.4
"""PDF's unit in a mm."""
CUT = Ink(GREY, 0.15, dash=2)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of `size`; the part of the drawing from `origin` on, `window` large, stands at `corner`. All in mm."""

    size: tuple[float, float]
    corner: Point
    origin: Point
    window: tuple[float, float]
    notes: tuple[Shape, ...] = ()
    """What is drawn on the page itself: where to cut, and what to lay it on."""


def paginate(drawing: Drawing, paper: str = "none") -> list[Page]:
    """The pages, row by row from the top left one; one as large as the drawing for `none`."""
    whole = drawing.width, drawing.height
    if paper == "none":
        return [Page(whole, (0, 0), (0, 0), whole)]
    upright = PAPERS[paper]
    size = min((upright, upright[::-1]), key=lambda paper_size: prod(counts(whole, paper_size)))
    return list(pages(whole, size))


def counts(whole: tuple[float, float], size: tuple[float, float]) -> tuple[int, int]:
    """How many pages of that size side by side, and how many below each other."""
    room = size[0] - 2 * EDGE, size[1] - 2 * EDGE - NOTE
    across, down = (
        max(1, ceil(round((length - OVERLAP) / (most - OVERLAP), 6))) for length, most in zip(whole, room, strict=True)
    )
    return across, down


def pages(whole: tuple[float, float], size: tuple[float, float]) -> Iterator[Page]:
    """The drawing in equal parts, each in the middle of its page."""
    across, down = counts(whole, size)
    wide, high = (whole[0] + (across - 1) * OVERLAP) / across, (whole[1] + (down - 1) * OVERLAP) / down
    corner = (size[0] - wide) / 2, (size[1] - NOTE - high) / 2
    for row in range(down):
        for column in range(across):
            origin = column * (wide - OVERLAP), row * (high - OVERLAP)
            notes = joins(size, corner, (wide, high), (column, row), (across, down))
            yield Page(size, corner, origin, (wide, high), tuple(notes))


def joins(
    size: tuple[float, float], corner: Point, window: tuple[float, float], place: tuple[int, int], of: tuple[int, int]
) -> Iterator[Shape]:
    """A dashed line where the page meets its neighbours, and what to do there."""
    half, (column, row) = OVERLAP / 2, place
    left, top, right, bottom = corner[0], corner[1], corner[0] + window[0], corner[1] + window[1]
    for x in [left + half] * (column > 0) + [right - half] * (column < of[0] - 1):
        yield line([(x, top - 2), (x, bottom + 2)], CUT)
    for y in [top + half] * (row > 0) + [bottom - half] * (row < of[1] - 1):
        yield line([(left - 2, y), (right + 2, y)], CUT)
    if of != (1, 1):
        yield Label((size[0] / 2, size[1] - EDGE - 0.8), what_to_do(place, of), 2.6, "middle")


def what_to_do(place: tuple[int, int], of: tuple[int, int]) -> str:
    """How the page is joined to those before it."""
    (column, row), across = place, of[0]
    page = row * across + column + 1
    sides = [f"left and lay it on page {page - 1}"] * (column > 0) + [f"top and lay it on page {page - across}"] * (
        row > 0
    )
    cut = f": cut along the dashed line at the {', and at the '.join(sides)}" if sides else ""
    return f"page {page} of {across * of[1]}{cut}"


# PDF ------------------------------------------------------------------------------------------


def pdf(drawing: Drawing, pages: list[Page]) -> bytes:
    """The drawing on these pages."""
    document = pydyf.PDF()
    document.info["Title"] = pydyf.String(drawing.title)
    fonts = pydyf.Dictionary({"Plain": font(document, "Helvetica"), "Bold": font(document, "Helvetica-Bold")})
    for page in pages:
        add_page(document, drawing, page, fonts)
    output = BytesIO()
    document.write(output)
    return output.getvalue()


def add_page(document: pydyf.PDF, drawing: Drawing, page: Page, fonts: pydyf.Dictionary) -> None:
    """One page with what it shows."""
    stream = pydyf.Stream(compress=True)
    draw_page(stream, drawing, page)
    document.add_object(stream)
    entry = {
        "Type": "/Page",
        "Parent": document.pages.reference,
        "MediaBox": pydyf.Array([0, 0, page.size[0] * POINTS, page.size[1] * POINTS]),
        "Contents": stream.reference,
        "Resources": pydyf.Dictionary({"Font": fonts}),
    }
    document.add_page(pydyf.Dictionary(entry))


def font(document: pydyf.PDF, name: str) -> bytes:
    """One of the typefaces that every reader of PDF has."""
    face = {"Type": "/Font", "Subtype": "/Type1", "BaseFont": f"/{name}", "Encoding": "/WinAnsiEncoding"}
    entry = pydyf.Dictionary(face)
    document.add_object(entry)
    reference: bytes = entry.reference
    return reference


def draw_page(stream: pydyf.Stream, drawing: Drawing, page: Page) -> None:
    """The window on the drawing, clipped, and the notes."""
    stream.set_matrix(POINTS, 0, 0, -POINTS, 0, page.size[1] * POINTS)
    stream.set_line_cap(1)
    stream.set_line_join(1)
    stream.push_state()
    stream.rectangle(*page.corner, *page.window)
    stream.clip()
    stream.end()
    stream.set_matrix(1, 0, 0, 1, page.corner[0] - page.origin[0], page.corner[1] - page.origin[1])
    for shape in drawing.shapes:
        draw_shape(stream, shape)
    stream.pop_state()
    for shape in page.notes:
        draw_shape(stream, shape)


def draw_shape(stream: pydyf.Stream, shape: Shape) -> None:
    """One shape in PDF's words."""
    if isinstance(shape, Label):
        draw_words(stream, shape)
        return
    path = shape if isinstance(shape, Path) else around(shape)
    dip(stream, path.ink)
    stream.move_to(*path.start)
    for part in path.parts:
        draw = stream.line_to if len(part) == 1 else stream.curve_to
        draw(*(axis for point in part for axis in point))
    if path.closed:
        stream.close()
    finish(stream, path.ink)


def around(circle: Circle) -> Path:
    """A circle as four curves."""
    (x, y), radius, bend = circle.centre, circle.radius, circle.radius * ROUND
    parts = (
        ((x + radius, y + bend), (x + bend, y + radius), (x, y + radius)),
        ((x - bend, y + radius), (x - radius, y + bend), (x - radius, y)),
        ((x - radius, y - bend), (x - bend, y - radius), (x, y - radius)),
        ((x + bend, y - radius), (x + radius, y - bend), (x + radius, y)),
    )
    return Path((x + radius, y), parts, circle.ink, closed=True)


def dip(stream: pydyf.Stream, ink: Ink) -> None:
    """Take up the ink, before a path begins."""
    if ink.line is not None:
        stream.set_color_rgb(*rgb(ink.line), stroke=True)
        stream.set_line_width(ink.width)
        stream.set_dash([ink.dash] if ink.dash else [], 0)
    if ink.fill is not None:
        stream.set_color_rgb(*rgb(ink.fill))


def finish(stream: pydyf.Stream, ink: Ink) -> None:
    """End a path: its line, its filling, or both."""
    if ink.line is None:
        stream.fill()
    elif ink.fill is None:
        stream.stroke()
    else:
        stream.fill_and_stroke()


def draw_words(stream: pydyf.Stream, words: Label) -> None:
    """Text; PDF knows only its left end, and its y runs up."""
    (x, y), direction = words.at, -1 if words.turned else 1
    stream.set_color_rgb(*rgb(words.shade))
    stream.begin_text()
    stream.set_font_size("Bold" if words.bold else "Plain", words.size)
    stream.set_text_matrix(direction, 0, 0, -direction, x - direction * words.before, y)
    stream.show_text_string(words.text.encode("cp1252", "replace"))
    stream.end_text()
