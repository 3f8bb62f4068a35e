"""Two tables that play one game together: what they agree upon, and the line between them, in a process of its own."""

from firmware_bridge.link.agreement import Agreement, Saved
from firmware_bridge.link.states import Ask, State, Terms

__all__ = ["Agreement", "Ask", "Saved", "State", "Terms"]
