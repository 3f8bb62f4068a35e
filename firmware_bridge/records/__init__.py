"""What is kept on disk: records of games, and traces of every scan."""

from firmware_bridge.records.append_log import dated
from firmware_bridge.records.lines import Line, LineError, read_line, read_lines, seconds
from firmware_bridge.records.record import (
    SKILLS,
    Record,
    RecordError,
    Saved,
    engine_levels,
    event_words,
    option,
    player,
    read_bounded,
    read_heading,
    read_record,
    repeat,
)
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
    "SECOND",
    "SKILLS",
    "Line",
    "LineError",
    "Record",
    "RecordError",
    "Saved",
    "SavedTrace",
    "Trace",
    "dated",
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
    "repeat",
    "seconds",
    "sensor_level",
]
