"""How a running table is: where the time of its scans goes, and what ails it."""

from firmware_bridge.health.status import Computer, Helper, Status, ailments, journal_line, metrics, read_computer, rows
from firmware_bridge.health.stopwatch import (
    ENGINE,
    PAGE,
    PARTS,
    READING,
    RECORD,
    SCENE,
    SENSORS,
    SESSION,
    UNTIMED,
    Stopwatch,
)

__all__ = [
    "ENGINE",
    "PAGE",
    "PARTS",
    "READING",
    "RECORD",
    "SCENE",
    "SENSORS",
    "SESSION",
    "UNTIMED",
    "Computer",
    "Helper",
    "Status",
    "Stopwatch",
    "ailments",
    "journal_line",
    "metrics",
    "read_computer",
    "rows",
]
