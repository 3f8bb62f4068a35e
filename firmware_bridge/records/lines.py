"""The line format of records, traces, scenarios and typed input.

A line is a row of words, quoted as in a shell where a word holds blanks. A time in seconds may come before the words,
and a check after them: the CRC of all lines up to this one. ``#`` begins a comment.

    12.340 turn c3-c4 ~5f3a
"""

from __future__ import annotations

import shlex
from binascii import crc_hqx
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.rules import clip

FORMAT = 1
"""The version of the record format; later versions read every earlier one."""
LONGEST = 2000
"""Characters of a line; guessed. The longest that a record writes is a note of a few values."""
FIRST = 0xFFFF
"""The check before the first line."""


class LineError(ValueError):
    """A line that cannot be read or done; says which and why."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1, the time in seconds before it (None if none is given), and its words."""

    number: int
    at: float | None
    words: tuple[str, ...]
    check: int = FIRST
    """The check of this line and all before it."""
    checked: bool = False
    """Whether the line bears its check, as those do that the program has written."""

    @property
    def word(self) -> str:
        """What the line is about."""
        return self.words[0]

    @property
    def rest(self) -> tuple[str, ...]:
        """The words after the first."""
        return self.words[1:]


def write_line(words: Sequence[str | int], at: float | None = None, before: int = FIRST) -> tuple[str, int]:
    """A line with its check, ending in a newline, and that check; `before` is the check of the line before."""
    text = shlex.join(map(str, words))
    return checked(text if at is None else f"{at:.3f} {text}", before)


def checked(stamped: str, before: int = FIRST) -> tuple[str, int]:
    """The text of a line with its check, ending in a newline, and that check."""
    check = crc_hqx(stamped.encode(), before)
    return f"{stamped} ~{check:04x}\n", check


def write_lines(lines: Iterable[Sequence[str | int]]) -> str:
    """Lines without a time, each with its check."""
    told, check = "", FIRST
    for words in lines:
        line, check = write_line(words, before=check)
        told += line
    return told


def read_lines(text: str) -> Iterator[Line]:
    """The lines of `text`, comments and empty ones left out; LineError names the line that cannot be read."""
    check = FIRST
    for number, raw in enumerate(text.split("\n"), start=1):
        line = read_line(raw, number, check)
        if line:
            check = line.check
            yield line


def read_line(raw: str, number: int = 1, before: int = FIRST) -> Line | None:
    """One line, `before` being the check of the one before; None for a comment or an empty one."""
    if len(raw) > LONGEST or not raw.isprintable():
        raise LineError(f"line {number}: {clip(raw)!r} is not a line of text of at most {LONGEST} characters")
    stamped, mark, told = raw.rpartition(" ~")
    stamped = stamped if mark else raw
    check = crc_hqx(stamped.encode(), before)
    if mark and f"{check:04x}" != told:
        raise LineError(
            f"line {number}: {clip(raw)!r} is damaged, or a line before it is missing: its check does not fit"
        )
    try:
        words = shlex.split(stamped, comments=True)
    except ValueError as error:
        raise LineError(f"line {number}: {clip(raw)!r} cannot be read: {str(error).lower()}") from None
    at = seconds(words[0]) if words else None
    words = words if at is None else words[1:]
    return Line(number, at, tuple(words), check, bool(mark)) if words else None


def seconds(word: str) -> float | None:
    """`word` as a time in seconds, or None if it is something else."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None


def number(text: str, most: int) -> int | None:
    """`text` as a number from 0 to `most`, or None if it is none."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else most + 1
    return value if value <= most else None
