"""The game at the table: turns accepted and taken back, buttons, and what the referee says."""

from firmware_bridge.table.referee import blind_event
from firmware_bridge.table.table import Table

__all__ = ["Table", "blind_event"]
