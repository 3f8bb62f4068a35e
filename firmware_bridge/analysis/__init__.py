"""What decided a recorded game: the value after each turn, the turns that lost most, and what was better."""

from collections.abc import Callable

Step = Callable[[int, int], None]
"""Told how many positions are done, and of how many."""
