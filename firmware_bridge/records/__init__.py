"""What is kept on disk: records of games, and traces of every scan."""

from firmware_bridge.records.lines import Line, LineError, read_line, read_lines, seconds, write_lines
from firmware_bridge.records.notation import (
    COMMENT,
    SKILLS,
    engine_levels,
    event_words,
    option,
    player,
    read_heading,
    record_lines,
    repeat,
)
from firmware_bridge.records.record import Bounds, Record, RecordError, Saved, read_bounded, read_record
from firmware_bridge.records.shelf import MOST, SUFFIX, Shelf, begun_at, day_of
from firmware_bridge.records.trace import (
    SECOND,
    SavedTrace,
    Trace,
    known_site,
    microseconds_of,
    quiet_scans,
    read_trace,
    sensor_level,
)

__all__ = [
    "COMMENT",
    "MOST",
    "SECOND",
    "SKILLS",
    "SUFFIX",
    "Bounds",
    "Line",
    "LineError",
    "Record",
    "RecordError",
    "Saved",
    "SavedTrace",
    "Shelf",
    "Trace",
    "begun_at",
    "day_of",
    "engine_levels",
    "event_words",
    "known_site",
    "microseconds_of",
    "option",
    "player",
    "quiet_scans",
    "read_bounded",
    "read_heading",
    "read_line",
    "read_lines",
    "read_record",
    "read_trace",
    "record_lines",
    "repeat",
    "seconds",
    "sensor_level",
    "write_lines",
]
