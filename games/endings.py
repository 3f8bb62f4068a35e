"""What a game may promise so that its last turns are played without a fault: a table of its endings.

A file ``endgame.py`` in the game's folder has what `Kind` names, and two sentences, ``<game>.endings-so-far`` with
``{done}``, ``{count}`` and ``{left}``, and ``<game>.endings-done`` with ``{file}``, ``{count}`` and ``{size}``. A file
``<game>.endings`` in the same folder may hold a table worked out already. Files are read and written by the engine
alone; here a table is bytes. Only a search by what both sides can force (`games.fast.Weighed`) looks endings up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

Ask = Callable[[int], int | None]
"""State -> its weight for its side to move; None where the table does not say."""


class Endings(Protocol):
    """The endings of one game, for searching. `stood` are the states that have stood twice before the search."""

    reach: int
    """The largest number of seeds in the pits, or of stones of each player."""

    def weight(self, state: int) -> int | None:
        """The exact weight of `state` for its side to move; None where the table does not say."""
        ...

    def known(self, root: int, stood: Collection[int]) -> Ask:
        """The weights that are looked up inside the search from `root`, in place of searching on."""
        ...

    def ahead(self, root: int, stood: Collection[int]) -> Ask:
        """The weights that are looked up at its horizon, in place of guessing."""
        ...

    def exact(self, root: int, stood: Collection[int]) -> Ask | None:
        """The exact weights of states after the turns of `root`, if `known` hides them; None if it does not.

        The turns of `root` are then ranked by these weights, and by the search among equals.
        """
        ...

    def packed(self) -> bytes:
        """The table, to be saved; `Kind.unpacked` reads it back."""
        ...


class Kind(Protocol):
    """The module ``endgame.py`` of a game."""

    LEAST: int
    """The smallest reach there can be."""
    LARGEST: int
    """The largest."""

    def most(self) -> int:
        """The bytes that a table takes at most, packed."""
        ...

    def unpacked(self, reach: int, data: bytes) -> Endings:
        """The table of this reach, 0 to 255, from its bytes; ValueError if it cannot be right."""
        ...

    def build(self, reach: int, progress: Callable[[int, int], None]) -> Endings:
        """Work out the endings up to `reach`; `progress` is told how many endings are done, and of how many."""
        ...

    def reached(self, done: int, reach: int) -> int:
        """The seeds or stones up to which all is worked out when `progress` has been told of `done`."""
        ...
