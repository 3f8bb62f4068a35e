"""What is printed: the one way to a terminal or the journal, for lines in which names and titles from files stand.

A control character of a file's name could set a terminal's title or colours, move its cursor, or have it send what was
never typed; a line break could make a sentence that nobody said.
"""

from __future__ import annotations

import sys
from typing import TextIO
from unicodedata import category

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""The categories of characters that are not shown but do something: controls, the direction of writing, line breaks."""


def plain_line(text: str) -> str:
    """`text` in one line of characters that are only shown; ``?`` stands for any other."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("?" if category(character) in HIDDEN else character for character in text)


def print_lines(*lines: str, file: TextIO | None = None) -> None:
    """Print each of `lines` as a line, at once, to standard output unless to another `file`."""
    print("\n".join(map(plain_line, lines)), file=file or sys.stdout, flush=True)
