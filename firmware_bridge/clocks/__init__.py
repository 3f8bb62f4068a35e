"""The clocks of both players: how time is given, and what is left of it."""

from firmware_bridge.clocks.clock import LONGEST, Clock, Control, Left, Pace, Shown, clocks, control, control_text

__all__ = ["LONGEST", "Clock", "Control", "Left", "Pace", "Shown", "clocks", "control", "control_text"]
