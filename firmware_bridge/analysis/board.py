"""The board before a turning point with the better turn on it: lights as a table has them, and arrows and crosses."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.analysis.form import TurningPoint
from firmware_bridge.drawing.examples import Example
from firmware_bridge.drawing.figures import seen, ways
from firmware_bridge.drawing.marks import cross
from firmware_bridge.drawing.pieces import picture
from firmware_bridge.drawing.screen import lay_down
from firmware_bridge.drawing.shapes import Drawing
from firmware_bridge.layout import fullest
from firmware_bridge.reading.signature import Sight
from firmware_bridge.score import Sheet
from games.rules import Position, Turn


def better_turn(sheet: Sheet, point: TurningPoint) -> Drawing:
    """The board, as large as what it is put into."""
    game, position = sheet.game, sheet.moments[point.number - 1].position
    sight = Sight(game, fullest(game))
    example = Example(game, position, sight.way(position, turn_of(sheet, position, point.better)))
    at = lay_down(game)[0].at
    drawn = picture(game, seen(example, position, lit(example)))
    marks = [*ways(example, at), *(mark for site in example.taken for mark in cross(at[site]))]
    return replace(drawn, shapes=(*drawn.shapes, *marks), unit="", paper=None)


def turn_of(sheet: Sheet, position: Position, text: str) -> Turn[Position]:
    """The turn of this text."""
    return next(turn for turn in sheet.game.turns(position) if turn.text == text)


def lit(example: Example) -> dict[str, str]:
    """Site -> cue: where the turn begins, where it leads, what is new and what is taken."""
    path = example.path
    cues = dict.fromkeys(path[:1], "movable") | dict.fromkeys(path[-1:], "target")
    return cues | dict.fromkeys(example.new, "place-here") | dict.fromkeys(example.taken, "capture")
