"""How far a long task is: one line of a terminal with a bar and the time that is left; nothing to a file.

Text in the columns of a terminal, where a Japanese character takes two and a line may break beside it.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from typing import Self, TextIO
from unicodedata import east_asian_width

from firmware_bridge.i18n.catalogue import system_words
from games.rules import Reason

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


BAR = 20
"""Columns of the bar."""


class Progress:
    """Tells by `told(done, every, left)`, the last in seconds; the line is cleared at the end.

    Around a block of code (``with``) it is cleared however that ends.
    """

    def __init__(
        self, told: Callable[[int, int, str], Reason], out: TextIO, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._told, self._out, self._now = told, out, now
        self._began = now()
        self._wide = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def step(self, done: int, every: int) -> None:
        """So many parts are done, 1 or more, of `every` one."""
        if self._out.isatty():
            self._show(self._line(done, every) if done < every else "")

    def clear(self) -> None:
        """Leave the line empty, as when all is done."""
        if self._wide:
            self._show("")

    def _line(self, done: int, every: int) -> str:
        """The bar, where there is room for it, and the sentence."""
        left = (self._now() - self._began) * (every - done) / done
        sentence = system_words().say(self._told(done, every, f"{left:.0f}"))
        full = BAR * done // every
        whole = f"[{'#' * full}{'.' * (BAR - full)}] {sentence}"
        return whole if width(whole) < shutil.get_terminal_size().columns else sentence

    def _show(self, line: str) -> None:
        self._out.write("\r" + padded(line, max(self._wide, width(line))) + ("" if line else "\r"))
        self._out.flush()
        self._wide = width(line)
