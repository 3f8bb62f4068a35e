"""The game at the table: turns accepted and taken back, buttons, and what the referee says."""

from firmware_bridge.table.referee import blind_event
from firmware_bridge.table.table import DONE_REFERS_BACK, Table
from firmware_bridge.table.timekeeper import Timekeeper

__all__ = ["DONE_REFERS_BACK", "Table", "Timekeeper", "blind_event"]
