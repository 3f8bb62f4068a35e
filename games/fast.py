"""What a game promises that is to be searched: the same rules a second time, on integers.

A file ``fast.py`` in the game's folder that ends in ``FAST = <what makes it from the game>``. The readable rules
stay the only truth: tests play random games through both and compare every turn.

    fast = load_fast(game)
    state = fast.state(game.start())
    for move in fast.moves(state):          # empty exactly when the game is over
        fast.text(state, move), fast.after(state, move)
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from games.rules import Game, OptionError, Position


class Chance(Protocol):
    """Where a random game takes its chances from; `random.Random` is one."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""
        ...

    def getrandbits(self, bits: int, /) -> int:
        """That many random bits."""
        ...


class Fast(Protocol):
    """A game in the form in which it is searched. Equal states, equal positions.

    A third standing of a position is no part of a state: a search looks after that itself, by the history it is given.
    """

    def state(self, position: Any) -> int:
        """The state of a position of this game."""
        ...

    def position(self, state: int) -> Position:
        """The position of a state; its text is the same as before."""
        ...

    def side(self, state: int) -> int:
        """Who is to move, 0 or 1."""
        ...

    def moves(self, state: int) -> list[int]:
        """Every legal move, each a different number; empty exactly when the game is over."""
        ...

    def after(self, state: int, move: int) -> int:
        """The state after a legal move."""
        ...

    def text(self, state: int, move: int) -> str:
        """The text of the turn that `move` is."""
        ...

    def result(self, state: int) -> float:
        """Of a finished game: 1.0 if player 0 has won, 0.0 if player 1, 0.5 if it is drawn."""
        ...

    def playout(self, state: int, random: Chance) -> float:
        """A random game from here to its end: its result."""
        ...


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


def load_fast(game: Game[Any]) -> Fast:
    """The fast form of `game` with its options; `OptionError` if there is none."""
    made = fast_form(game)
    if made is None:
        raise OptionError(f"{game.name} has no fast form")
    return made(game)


def fast_form(game: Game[Any]) -> Callable[[Game[Any]], Fast] | None:
    """What makes the fast form of `game`; None if there is none. It is `FAST` of `fast.py` beside the game's class."""
    package = type(game).__module__.rpartition(".")[0]
    module = f"{package}.fast"
    try:
        made: Callable[[Game[Any]], Fast] = import_module(module).FAST
    except ModuleNotFoundError as missing:
        if missing.name not in (module, package):
            raise
        return None
    return made
