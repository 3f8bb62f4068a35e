"""What a game in its fast form adds to be searched by weighing positions."""

from __future__ import annotations

from typing import Protocol

from games.fast.contract import Fast

WON = 1_000_000
"""The weight of a game that is won; a win by a margin weighs more."""
DECIDED = WON // 2
"""Weights beyond this, either way, are wins and losses that nothing can change."""


class Weighed(Fast, Protocol):
    """A fast game whose positions can be weighed; weights are those of the side to move."""

    spread: float
    """The weight at which the heavier side scores 0.73 of a point, by experience."""
    kind: int
    """The bits of a move that tell what it does on the board, so that like moves of different positions are alike."""

    def children(self, state: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The captures and the other moves, each with the state after it; both empty when the game is over."""
        ...

    def weigh(self, state: int) -> int:
        """What the position is worth; of a finished game the result, at least `WON` if it is won."""
        ...

    def repeated(self, state: int) -> int:
        """What it is worth if the house rule on repetition ends the game here; never beyond `DECIDED` by that alone."""
        ...
