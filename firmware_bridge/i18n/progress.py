"""Text in the columns of a terminal, and a line that tells how far a long task is.

A Japanese character takes two columns, and a line may break beside it. The progress line has a bar and the time that
is left; it goes to a terminal alone, never to a file.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self, TextIO

from firmware_bridge.i18n.catalogue import system_words
from firmware_bridge.i18n.printing import plain_line
from games.rules import Reason

WIDEST = 116
"""Columns of a line at most, and where no terminal tells how many there are; guessed: longer lines are hard to read."""
BAR = 20
"""Columns of the bar; guessed: a twentieth of the task shows, and there is room for the sentence."""
WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60"
"""The ranges of characters beside which a line may break: Unicode's blocks of Chinese, Japanese and Korean."""
OPENING = "\u300c\u300e\uff08"
"""Brackets that do not end a line of Japanese."""
CLOSING = "\u3001\u3002\u300d\u300f\uff09\uff1a\uff1b\uff1f\uff01\u30fc"
"""Brackets, stops and the sign of a long vowel, which do not begin a line of Japanese."""
PIECES = rf"[{OPENING}]*(?:[{WIDE}]|[^ \n{WIDE}]+)[{CLOSING}]*[ \n]*"
"""What stays on one line: a word, or a wide character with the brackets and stops that cling to it."""

APART = 2
"""Columns between two columns."""

# Columns ----------------------------------------------------------------------------------------
# wcwidth is loaded when it is needed: it takes a while, and most commands have nothing to lay out.


def width(text: str) -> int:
    """The columns that `text` takes."""
    from wcwidth import width

    return width(text)


def padded(text: str, columns: int) -> str:
    """`text` filled up with blanks to so many columns."""
    from wcwidth import ljust

    return ljust(text, columns)


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows in columns, each as wide as it must be."""
    told = list(rows)
    wide = [max(map(width, column)) + APART for column in zip(*told, strict=True)]
    for each in told:
        yield "".join(map(padded, each, wide)).rstrip()


def wrapped(text: str, columns: int = 0) -> list[str]:
    """`text` in lines of at most so many columns, a longer word alone on its line; 0: as the terminal has.

    wcwidth has a ``wrap`` too, but it lets a line begin with a Japanese full stop.
    """
    most = columns or min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)
    lines = [""]
    for piece in re.findall(PIECES, text):
        if lines[-1] and width(lines[-1] + piece.rstrip()) > most:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


# Progress ---------------------------------------------------------------------------------------


class Progress:
    """The progress line of one task. It is cleared at the end, and by ``with`` however the block ends.

    `told` makes the sentence from the parts that are done, all the parts, and the seconds that are left. `now` is the
    clock, in seconds.
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
        """Show that `done` parts (1 or more) of `every` are done."""
        if self._out.isatty():
            self._show(self._line(done, every) if done < every else "")

    def clear(self) -> None:
        """Clear the line."""
        if self._wide:
            self._show("")

    def _line(self, done: int, every: int) -> str:
        """The bar, where there is room for it, and the sentence."""
        left = (self._now() - self._began) * (every - done) / done
        sentence = plain_line(system_words().say(self._told(done, every, f"{left:.0f}")))
        full = BAR * done // every
        whole = f"[{'#' * full}{'.' * (BAR - full)}] {sentence}"
        return whole if width(whole) < shutil.get_terminal_size().columns else sentence

    def _show(self, line: str) -> None:
        self._out.write("\r" + padded(line, max(self._wide, width(line))) + ("" if line else "\r"))
        self._out.flush()
        self._wide = width(line)
