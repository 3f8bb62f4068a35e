"""An analysis as one HTML file that needs nothing else: no script, nothing fetched; for screens and for paper.

The colours are those of the page. A turning point has the board before it, with the better turn in the lights of a
table and with arrows and crosses.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from xml.etree.ElementTree import Element, SubElement, tostring

from firmware_bridge.analysis import curve
from firmware_bridge.analysis.evaluation import Analysis, TurningPoint
from firmware_bridge.analysis.wording import (
    Chapter,
    chapters,
    columns,
    heading,
    legend,
    measure,
    point_title,
    point_told,
    reading,
    rows,
    story,
)
from firmware_bridge.drawing.board import arrange, cross, picture
from firmware_bridge.drawing.figures import Example, motion, seen
from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Point, Shape, element, line
from firmware_bridge.i18n import Words
from firmware_bridge.layout import full_sense
from firmware_bridge.score import ScoreSheet
from firmware_bridge.verdict import SensorView
from games.rules import Position, Reason, Site, Turn, say

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f4efe6; --card: #fffdf8; --ink: #272119; --soft: #5f5546; --line: #d9cfbd;
  --first: #1d5a49; --mark: #8a4b00; --bed: #fff1d6; --link: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #191613; --card: #24201b; --ink: #efe8dc; --soft: #b9ae9c; --line: #423a30;
    --first: #7fd1b5; --mark: #ffc870; --bed: #3a2c14; --link: #8ab4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: 0 0 .6rem; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
figure { margin: 0; }
figcaption, #told { color: var(--soft); font-size: .9rem; text-align: start; padding: .4rem 0; }
svg { display: block; width: 100%; height: auto; }
.curve svg { max-width: 44rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.board svg { max-width: 26rem; }
article {
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem;
}
@media (min-width: 46rem) {
  article { display: grid; grid-template-columns: 1fr 24rem; column-gap: 1.25rem; }
  article h3 { grid-column: 1 / -1; }
}
span { white-space: nowrap; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; background: var(--card); font-variant-numeric: tabular-nums; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: start; font-weight: 400; }
thead th { font-weight: 600; }
tbody th, td:not(:last-child) { white-space: nowrap; }
th.number, td.number { text-align: end; }
@media (max-width: 30rem) {
  main { padding: .75rem; }
  table { font-size: .85rem; }
  th, td { padding: .2rem .3rem; }
}
.lost th, .lost td { background: var(--bed); font-weight: 600; }
.curve-grid { stroke: var(--soft); }
.curve-line { stroke: var(--first); }
.curve-proved { stroke: var(--first); fill: var(--first); }
.curve-mark { stroke: var(--mark); fill: var(--card); }
.curve-word { fill: var(--ink); }
.curve-number { fill: var(--mark); }
@media print {
  :root {
    --page: #fff; --card: #fff; --ink: #000; --soft: #333; --line: #999;
    --first: #1d5a49; --mark: #8a4b00; --bed: #eee; --link: #000;
  }
  article, tr, figure { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .wide { overflow: visible; }
  .board svg { max-width: 10cm; }
}
"""
DIGEST = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{DIGEST}'"
"""What a browser may load for the report: its own style sheet and nothing else."""
TURN = re.compile("([A-Za-z0-9]+-[A-Za-z0-9]+)")
"""A turn with a dash in it, at which a browser would break the line."""
MADE_RIM, MADE = Ink("#1d140e", 9.0, kind="board-made-edge"), Ink("#ffffff", 4.0, dash=14.0, kind="board-made")
"""The turn that was made, beside the better one."""
AROUND = 30.0
"""Radius of a ring around a piece that was laid, in hundredths of a pitch."""
NUMBERS = frozenset({0, 3, 4})
"""The columns of the table of turns that hold numbers, from 0."""


def report(sheet: ScoreSheet, made: Analysis, words: Words) -> str:
    """The text of the file."""
    page = Element("html", lang=words.language)
    title = words.say(Reason.of("analysis.title", game=sheet.game.title))
    head(page, title)
    main = SubElement(SubElement(page, "body"), "main")
    add(main, "h1", title)
    add(main, "p", f"{heading(sheet, words)}. {' '.join(story(sheet, made, words))}")
    main.append(overview(sheet, made, words))
    main.extend([singled_out(sheet, made, chapter, words) for chapter in chapters(sheet, made, words)])
    main.append(turns(sheet, made, words))
    return "<!DOCTYPE html>\n" + tostring(page, encoding="unicode", method="html") + "\n"


def head(page: Element, title: str) -> None:
    """Add the head of the page."""
    inside = SubElement(page, "head")
    SubElement(inside, "meta", charset="utf-8")
    SubElement(inside, "meta", {"http-equiv": "Content-Security-Policy", "content": POLICY})
    SubElement(inside, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(inside, "meta", name="color-scheme", content="light dark")
    add(inside, "title", title)
    add(inside, "style", STYLE)


def add(into: Element, name: str, text: str, **attributes: str) -> Element:
    """Add an element with text in it."""
    added = SubElement(into, name, attributes)
    added.text = text
    return added


def speak(into: Element, name: str, text: str) -> None:
    """Add an element with a sentence in it, in which no line breaks within a turn."""
    added = SubElement(into, name)
    added.text, *parts = TURN.split(text)
    for turn, rest in zip(parts[::2], parts[1::2], strict=True):
        add(added, "span", turn).tail = rest


def section(name: str, title: str) -> Element:
    """A part of the report with its heading."""
    part = Element("section", {"aria-labelledby": name})
    add(part, "h2", title, id=name)
    return part


def figure(drawing: Drawing, caption: str, kind: str) -> Element:
    """A drawing with what it shows."""
    made = Element("figure", {"class": kind})
    image = element(drawing)
    image.attrib |= {"role": "img", "aria-label": drawing.title}
    made.append(image)
    speak(made, "figcaption", caption)
    return made


# The parts ------------------------------------------------------------------------------------


def overview(sheet: ScoreSheet, made: Analysis, words: Words) -> Element:
    """The part with the curve."""
    part = section("curve", words.text("analysis.course"))
    told = words.say(Reason.of("analysis.curve", player=sheet.game.players[0]))
    marks = [*(["ring"] if made.explained else []), *(["dot"] if any(now.proved for now in made.standings) else [])]
    part.append(figure(curve.drawn(made, told), f"{told} {legend(made, marks, words)}".rstrip(), "curve"))
    for sentence in measure(made, words):
        add(part, "p", sentence)
    return part


def singled_out(sheet: ScoreSheet, made: Analysis, chapter: Chapter, words: Words) -> Element:
    """Turns that are explained, each with its board."""
    part = section(chapter.name, chapter.title)
    for sentence in chapter.sentences:
        add(part, "p", sentence)
    part.extend([turning_point(sheet, made, point, words) for point in chapter.points])
    return part


def turning_point(sheet: ScoreSheet, made: Analysis, point: TurningPoint, words: Words) -> Element:
    """What was played, what was better, and the board with the better turn."""
    article = Element("article", {"aria-labelledby": f"turn-{point.number}"})
    add(article, "h3", point_title(sheet, made, point, words), id=f"turn-{point.number}")
    text = SubElement(article, "div")
    for sentence in point_told(sheet, made, point, words):
        speak(text, "p", sentence)
    told = words.say(Reason.of("analysis.board", number=point.number, turn=point.better))
    drawing = replace(better_turn(sheet, point), title=told)
    article.append(figure(drawing, f"{told} {words.text('analysis.marks')}", "board"))
    return article


def turns(sheet: ScoreSheet, made: Analysis, words: Words) -> Element:
    """The table of all turns; those that are explained lead to what is said of them."""
    part = section("turns", words.text("analysis.all-turns"))
    add(part, "p", " ".join(reading(sheet, made, words)), id="told")
    wide = SubElement(part, "div", {"class": "wide", "tabindex": "0", "role": "region", "aria-labelledby": "told"})
    table = SubElement(wide, "table", {"aria-labelledby": "told"})
    top = SubElement(SubElement(table, "thead"), "tr")
    for place, name in enumerate(columns(sheet, words)):
        add(top, "th", name, scope="col", **numeric(place))
    body, lost = SubElement(table, "tbody"), made.explained
    for row in rows(sheet, made, words):
        body.append(table_row(row, int(row[0]) in lost))
    return part


def table_row(cells: list[str], lost: bool) -> Element:
    """A turn; its number leads to where more is said."""
    row = Element("tr", {"class": "lost"} if lost else {})
    for place, cell in enumerate(cells):
        if place == 0:
            number = SubElement(row, "th", {"scope": "row", **numeric(place)})
            add(number, "a", cell, href=f"#turn-{cell}") if lost else setattr(number, "text", cell)
        else:
            add(row, "td", cell, **numeric(place))
    return row


def numeric(place: int) -> dict[str, str]:
    """The class of a column of numbers."""
    return {"class": "number"} if place in NUMBERS else {}


# The board ------------------------------------------------------------------------------------


def better_turn(sheet: ScoreSheet, point: TurningPoint) -> Drawing:
    """The board before the turn with the better turn on it; it has no size of its own."""
    game, position = sheet.game, sheet.played_turns[point.number - 1].position
    sensors, played = SensorView(game, full_sense(game)), sheet.played_turns[point.number - 1].turn
    example = Example(game, position, sensors.signature(position, turn_of(sheet, position, point.better)))
    made = Example(game, position, sensors.signature(position, played))
    at = arrange(game)[0].at
    drawn = picture(game, seen(example, position, lit(example)))
    marks = [*dashed(made, at), *motion(example, at), *(mark for site in example.taken for mark in cross(at[site]))]
    return replace(drawn, shapes=(*drawn.shapes, *marks), unit="", paper=None)


def dashed(made: Example, at: Mapping[Site, Point]) -> Iterator[Shape]:
    """The turn that was made: where its pieces went, or where one was laid; of seeds the first way."""
    path = [at[site] for site in (made.path[:2] if made.signature.sown else made.path)]
    for ink in (MADE_RIM, MADE):
        if path:
            yield line(path, ink)
        else:
            yield from (Circle(at[site], AROUND, ink) for site in made.new)


def turn_of(sheet: ScoreSheet, position: Position, text: str) -> Turn[Position]:
    """The turn of this text."""
    return next(turn for turn in sheet.game.turns(position) if turn.text == text)


def lit(example: Example) -> dict[str, str]:
    """Site -> cue: where the turn begins, where it leads, what is new and what is taken."""
    path = example.path
    cues = dict.fromkeys(path[:1], "movable") | dict.fromkeys(path[-1:], "target")
    return cues | dict.fromkeys(example.new, "place-here") | dict.fromkeys(example.taken, "capture")


say(
    "analysis",
    title="{game}: analysis of a game",
    course="The course of the game",
    ring="A ring with a number is a turn that is explained below.",
    dot="A dot is a value that is proved.",
    board="The board before turn {number}, with the better turn {turn}.",
    marks="An arrow shows where pieces go, a light where a new one is laid down, a cross what is taken; the dashed "
    "line is the turn that was played.",
    all_turns="All turns",
    table="What {player} can expect after each turn, how much the turn lost, and which would have been better.",
)
