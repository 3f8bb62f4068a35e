"""Reading the parts of position texts, with errors that say what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from games.rules import PositionError, clip


def fields(text: str, shape: str) -> list[str]:
    """The blank-separated parts of a position text, as many as `shape` names."""
    parts = text[:500].split(" ")
    if len(parts) != len(shape.split()) or len(text) > 500:
        raise PositionError(f"{clip(text, 60)!r}: a position reads {shape!r}, separated by single blanks")
    return parts


MARKS = ".xo"
"""An empty point, a dark stone, a light one."""


def stones(rows: Iterable[str], names: Iterable[str], length: int, marks: str = MARKS) -> bytes:
    """The levels of text rows of `marks`, each of `length` and named for the error."""
    cells, allowed = bytearray(), " ".join(marks)
    for name, row in zip_longest(names, rows):
        if name is None or row is None or len(row) != length:
            where, told = name or "after the last row", clip(row or "nothing")
            raise PositionError(f"{where}: {told!r} should be {length} of {allowed}")
        for file, mark in enumerate(row, start=1):
            if mark not in marks:
                raise PositionError(f"{name}, point {file}: {mark!r} is not one of {allowed}")
        cells += bytes(map(marks.index, row))
    return bytes(cells)


def one_of(part: str, what: str, allowed: str) -> int:
    """The place of `part` among the characters `allowed`; `what` names it for the error."""
    if len(part) != 1 or part not in allowed:
        raise PositionError(f"{what}: {clip(part)!r} is not one of {' '.join(allowed)}")
    return allowed.index(part)
