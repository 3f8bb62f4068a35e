"""The strip drawn on a terminal: a cell a light, for a real table that is watched over ssh.

In place where it is a terminal, else a block of lines a picture. With NO_COLOR set a light is a letter for its hue and
a digit for its strength: R9 is full red, W1 a glimmer of white, two dots are dark.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, TextIO

from msgspec import Meta

from hardware import settings
from hardware.device import Colour
from hardware.strip import Picture, Strip

_HUES = ".RGYBMCW"
"""A letter for each mixture of red (1), green (2) and blue (4)."""


def mark(colour: Colour) -> str:
    """`colour` in two characters: the hue of all channels at least half as strong as the strongest, and a strength."""
    strongest = max(colour)
    if not strongest:
        return ".."
    hue = sum(1 << place for place, channel in enumerate(colour) if 2 * channel >= strongest)
    return f"{_HUES[hue]}{1 + strongest * 8 // 255}"


def cell(colour: Colour) -> str:
    """`colour` as the background of two blanks, without the end of it."""
    return f"\x1b[48;2;{colour[0]};{colour[1]};{colour[2]}m  "


class TerminalStrip(Strip):
    """Draws on `stream`, standard output by default, lights from the left to the right and rows downwards."""

    class Settings(settings.Settings, frozen=True):
        """How the strip is laid out."""

        columns: Annotated[int, Meta(ge=1, le=40)] = 8

        @property
        def pins(self) -> tuple[int, ...]:
            """None."""
            return ()

    def __init__(self, settings: Settings, pixels: int, stream: TextIO | None = None) -> None:
        self._columns = settings.columns
        self._stream = stream or sys.stdout
        self._in_place = self._stream.isatty()
        self._colourless = bool(os.environ.get("NO_COLOR"))
        self._drawn = 0
        super().__init__(pixels)

    def _open(self) -> None:
        self._drawn = 0

    def _send(self, picture: Picture) -> None:
        rows = [picture[at : at + self._columns] for at in range(0, len(picture), self._columns)]
        self._write("".join(f"{self._line(row)}\n" for row in rows) + ("" if self._in_place else "\n"))
        self._drawn = len(rows)

    def _line(self, row: Picture) -> str:
        if self._colourless:
            return " ".join(map(mark, row))
        return "".join(map(cell, row)) + "\x1b[0m"

    def _write(self, text: str) -> None:
        """Write over what was drawn before."""
        up = f"\x1b[{self._drawn}A\x1b[J" if self._in_place and self._drawn else ""
        self._stream.write(up + text)
        self._stream.flush()

    def _release(self) -> None:
        if self._drawn and self._in_place:
            self._write("")
        self._drawn = 0

    def _advice(self, error: OSError) -> str:
        return f"the strip cannot be drawn ({error.strerror or error}): start again with a terminal as standard output"


LIGHTS = TerminalStrip
