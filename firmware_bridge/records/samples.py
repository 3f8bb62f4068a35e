"""Reading a trace: the game as it stood, how the table judged, and line by line what came in and what came out.

A torn last line is left out; anything else that cannot be read is refused with the line's number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from firmware_bridge.reading.debounce import Debounce
from firmware_bridge.reading.patience import Patience
from firmware_bridge.records.lines import Line, LineError, number, read_lines, seconds
from firmware_bridge.records.saved import RecordError, read_bounded, read_heading, repeat
from firmware_bridge.records.trace import FORMAT, SECOND
from firmware_bridge.score import Sheet
from games.rules import clip
from hardware.device import Sense

LARGEST = 8_000_000
"""Bytes of a trace that is read at all; a part has 2,000,000."""
MOST_SCANS = 20_000
"""Scans that a quiet line stands for at most."""
LONGEST = 3600.0
"""Seconds of patience at most."""
WAITS = tuple(field.name for field in fields(Patience))


@dataclass(frozen=True, slots=True)
class Kept:
    """A trace that has been read: the game as it stood, how the table judged, and the lines that follow."""

    sheet: Sheet
    sense: Sense
    patience: Patience
    debounce: float
    setting: bool
    lines: list[Line]
    torn: int = 0
    """The number of a last line that was cut short and is left out, or 0."""


def read_trace(path: Path) -> Kept:
    """Read a trace; RecordError says which file and line cannot be read, and why."""
    data = read_bounded(path, "trace", LARGEST)
    whole = data.rfind(b"\n") + 1
    torn = data.count(b"\n") + 1 if whole < len(data) else 0
    try:
        return kept(list(read_lines(data[:whole].decode())), torn)
    except UnicodeDecodeError as error:
        damaged = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{path}: line {damaged}: not text; a trace is") from None
    except LineError as error:
        raise RecordError(f"{path}: {error}") from None


def kept(lines: list[Line], torn: int = 0) -> Kept:
    """Take the heading and the turns made so far off `lines`; LineError."""
    sheet, sense = read_heading(lines)
    if not lines or lines[0].words[:2] != ("trace", str(FORMAT)):
        where = f"line {lines[0].number}: " if lines else ""
        raise LineError(f"{where}'trace {FORMAT}' is missing after the heading: this is no trace")
    about = lines.pop(0)
    judged = dict(word.partition("=")[::2] for word in about.rest[1:])
    spans = {name: span(judged[name], about) for name in ("debounce", *WAITS) if name in judged}
    hold = spans.pop("debounce", Debounce().hold)
    while lines and lines[0].word == "turn":
        repeat(sheet, lines.pop(0))
    return Kept(sheet, sense, Patience(**spans), hold, judged.get("setting") == "yes", lines, torn)


def span(text: str, line: Line) -> float:
    """A time that the table waits; LineError."""
    value = seconds(text)
    if value is None or value > LONGEST:
        raise LineError(f"line {line.number}: {clip(text)!r} is not a number of seconds up to {LONGEST:.0f}")
    return value


def time_of(line: Line) -> int:
    """The time before a line, in microseconds since the line before."""
    return round((line.at or 0.0) * SECOND)


def count(line: Line) -> int:
    """How many scans a quiet line stands for; LineError."""
    text = " ".join(line.rest)
    scans = number(text, MOST_SCANS)
    if not scans:
        raise LineError(f"line {line.number}: {clip(text)!r} is not a number of scans up to {MOST_SCANS}")
    return scans


def known(site: str, sites: Mapping[str, object], line: Line) -> str:
    """`site`, if the game has it; LineError."""
    if site not in sites:
        raise LineError(f"line {line.number}: there is no site {clip(site)!r} in this game")
    return site


def level(text: str, most: int, line: Line) -> int | None:
    """What a sensor shows; LineError."""
    if text == "?":
        return None
    told = number(text, most)
    if told is None:
        raise LineError(f"line {line.number}: {clip(text)!r} is no level: ? or a number up to {most}")
    return told
