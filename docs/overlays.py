"""Draws docs/overlays.svg: the four sheets that are printed and laid on the table, side by side.

make picture
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, fromstring, indent, register_namespace, tostring

from firmware_bridge.drawing.shapes import svg
from firmware_bridge.workshop.overlay import overlay, read_plan
from games.rules import load, names
from hardware.board import find_board

WIDE, GAP = 400, 16
SVG = "http://www.w3.org/2000/svg"


def sheet(name: str, left: float, top: float, width: float) -> Element:
    """The sheet of a game, so wide, with its corner there."""
    root = fromstring(svg(overlay(load(name), read_plan(find_board("grid")))))
    _, _, wide, high = map(float, root.get("viewBox", "").split())
    for key, value in (("x", left), ("y", top), ("width", width), ("height", width * high / wide)):
        root.set(key, f"{value:.1f}")
    for marked in root.iterfind(".//*[@id]"):  # the same names on every sheet
        del marked.attrib["id"]
    return root


def main() -> None:
    """Write the picture."""
    register_namespace("", SVG)
    sheets = [
        sheet(name, GAP + (WIDE + GAP) * (place % 2), GAP + (WIDE * 1.13 + GAP) * (place // 2), WIDE)
        for place, name in enumerate(names())
    ]
    high = max(float(each.get("y", "")) + float(each.get("height", "")) for each in sheets) + GAP
    size = {"width": str(2 * WIDE + 3 * GAP), "height": f"{high:.0f}"}
    picture = Element(f"{{{SVG}}}svg", size)
    SubElement(picture, f"{{{SVG}}}rect", size, fill="#d8d8dc")
    picture.extend(sheets)
    indent(picture)
    path = Path(__file__).with_name("overlays.svg")
    path.write_bytes(tostring(picture) + b"\n")
    print(f"{path} is drawn")


if __name__ == "__main__":
    main()
