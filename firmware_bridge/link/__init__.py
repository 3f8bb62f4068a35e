"""Two tables that play one game together: what they agree upon, and the line between them, in a process of its own."""

from firmware_bridge.link.meeting import Meeting
from firmware_bridge.link.partner import Partner

__all__ = ["Meeting", "Partner"]
