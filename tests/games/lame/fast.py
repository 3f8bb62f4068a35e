"""A fast form that forgets one turn after each first one."""

from __future__ import annotations

from typing import Any

from games.fast import Plain
from games.rules import Position, Turn


class Lame(Plain):
    """The readable rules, without the last turn of the second player."""

    def moves(self, state: Position) -> list[Turn[Any]]:
        """Every legal turn but one."""
        turns = super().moves(state)
        return turns[:-1] if state.side else turns


FAST = Lame
