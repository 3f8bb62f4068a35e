"""An analysis in the terminal: the curve, the turning points, and a table of all turns."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

from firmware_bridge.analysis.curve import lettered
from firmware_bridge.analysis.evaluation import Analysis, TurningPoint
from firmware_bridge.analysis.wording import (
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
from firmware_bridge.i18n import WIDEST, Words, padded, width, wrapped
from firmware_bridge.score import ScoreSheet
from games.rules import Reason, say

RIGHT = frozenset({0, 3, 4})
"""The columns of numbers."""


def told(sheet: ScoreSheet, made: Analysis, words: Words) -> str:
    """The whole text."""
    return "\n".join(lines(sheet, made, words))


def lines(sheet: ScoreSheet, made: Analysis, words: Words) -> Iterator[str]:
    """Line by line."""
    yield heading(sheet, words)
    yield from wrapped(" ".join(story(sheet, made, words)))
    yield ""
    yield from wrapped(words.say(Reason.of("analysis.curve", player=sheet.game.players[0])))
    yield from lettered(made, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))
    yield from wrapped(legend(made, ["letters"], words))
    yield from wrapped(" ".join(measure(made, words)))
    yield from singled_out(sheet, made, words)
    yield ""
    yield from wrapped(" ".join(reading(sheet, made, words)))
    yield from table([columns(sheet, words), *rows(sheet, made, words)])


def singled_out(sheet: ScoreSheet, made: Analysis, words: Words) -> Iterator[str]:
    """The turning points, and the worst turns of persons."""
    for chapter in chapters(sheet, made, words):
        yield from ("", *wrapped(chapter.title))
        for text in chapter.sentences:
            yield from wrapped(text)
        for point in chapter.points:
            yield from ("", *explained(sheet, made, point, words))


def explained(sheet: ScoreSheet, made: Analysis, point: TurningPoint, words: Words) -> Iterator[str]:
    """A turn, and what is told of it."""
    yield from wrapped(point_title(sheet, made, point, words))
    yield from (f"  {line}" for text in point_told(sheet, made, point, words) for line in wrapped(text, WIDEST - 2))


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows in columns, numbers to the right."""
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            padded("", most - width(cell)) + cell if place in RIGHT else padded(cell, most)
            for place, (cell, most) in enumerate(zip(row, wide, strict=True))
        )
        yield "  ".join(cells).rstrip()


say(
    "analysis",
    curve="Expected score of {player} after each turn: 100 is won, 50 is even, 0 is lost.",
    letters="* expected   # proved   ^ a turn that is explained below",
)
