"""What is kept on disk: records of games, and traces of every scan."""

from firmware_bridge.records.append_log import dated
from firmware_bridge.records.lines import Line, LineError, read_line, read_lines, seconds
from firmware_bridge.records.record import (
    SKILLS,
    Record,
    RecordError,
    Saved,
    option,
    player,
    players,
    read_bounded,
    read_heading,
    read_record,
    repeat,
    words_of,
)
from firmware_bridge.records.trace import SECOND, Kept, Trace, count, known, level, read_trace, time_of

__all__ = [
    "SECOND",
    "SKILLS",
    "Kept",
    "Line",
    "LineError",
    "Record",
    "RecordError",
    "Saved",
    "Trace",
    "count",
    "dated",
    "known",
    "level",
    "option",
    "player",
    "players",
    "read_bounded",
    "read_heading",
    "read_line",
    "read_lines",
    "read_record",
    "read_trace",
    "repeat",
    "seconds",
    "time_of",
    "words_of",
]
