"""How far a long task is: one line of a terminal with a bar and the time that is left; nothing to a file."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import Self, TextIO

from firmware_bridge.i18n.catalogue import here
from firmware_bridge.i18n.columns import padded, width
from games.rules import Reason

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
        sentence = here().say(self._told(done, every, f"{left:.0f}"))
        full = BAR * done // every
        whole = f"[{'#' * full}{'.' * (BAR - full)}] {sentence}"
        return whole if width(whole) < shutil.get_terminal_size().columns else sentence

    def _show(self, line: str) -> None:
        self._out.write("\r" + padded(line, max(self._wide, width(line))) + ("" if line else "\r"))
        self._out.flush()
        self._wide = width(line)
