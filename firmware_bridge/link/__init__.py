"""Two tables that play one game together: what they agree upon, whatever becomes of the line between them."""

from firmware_bridge.link.agreement import Agreement, Saved
from firmware_bridge.link.states import Ask, State, Terms

__all__ = ["Agreement", "Ask", "Saved", "State", "Terms"]
