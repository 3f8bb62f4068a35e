"""Text in the columns of a terminal, where a Japanese character takes two and a line may break beside it."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

WIDEST = 116
"""Columns of a line at most, and where no terminal tells how many there are."""
WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60"
OPENING = "\u300c\u300e\uff08"
CLOSING = "\u3001\u3002\u300d\u300f\uff09\uff1a\uff1b\uff1f\uff01\u30fc"
PIECES = rf"[{OPENING}]*(?:[{WIDE}]|[^ \n{WIDE}]+)[{CLOSING}]*[ \n]*"
"""What stays on one line: a word, or a wide character with the brackets and stops that cling to it."""


def width(text: str) -> int:
    """The columns that `text` takes."""
    return sum(2 if east_asian_width(mark) in "WF" else 1 for mark in text)


def padded(text: str, columns: int) -> str:
    """`text` filled up with blanks to so many columns."""
    return text + " " * (columns - width(text))


def wrapped(text: str, columns: int = 0) -> list[str]:
    """`text` in lines of at most so many columns, a longer word alone on its line; 0: as the terminal has."""
    import shutil  # takes a while to load, and most commands have nothing to wrap

    most = columns or min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)
    lines = [""]
    for piece in re.findall(PIECES, text):
        if lines[-1] and width(lines[-1] + piece.rstrip()) > most:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]
