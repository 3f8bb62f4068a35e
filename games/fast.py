"""What a game may promise so that it is searched well: its rules a second time, made for speed.

A file ``fast.py`` in the game's folder that ends in ``FAST = <what makes it from the game>``. The readable rules
stay the only truth: tests play random games through both and compare every turn. `Plain` is the form of a game that
has no such file: its readable rules.

    fast = load_fast(game)
    state = fast.state(game.start())
    for move in fast.moves(state):          # empty exactly when the game is over
        fast.text(state, move), fast.after(state, move)

What a form has besides says how it is searched: `Weighed` positions by what both sides can force, all others by random
games; those of a `Bounded` game are played out to the very end where that is near. A file ``levels.py`` beside it may
say ``LEVELS = <eight of Level>``: how far an opponent of each level looks.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from games.rules import Game, Position, Turn

if TYPE_CHECKING:  # it is one of those that may be compiled, which this module goes before
    from games.core import Core


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

    States and moves are whatever can be hashed; integers are quick. Those of a `Weighed` game are integers. A third
    standing of a position is no part of a state: a search looks after that itself, by the history it is given.
    """

    def state(self, position: Any) -> Any:
        """The state of a position of this game."""
        ...

    def position(self, state: Any) -> Position:
        """The position of a state; its text is the same as before."""
        ...

    def side(self, state: Any) -> int:
        """Who is to move, 0 or 1."""
        ...

    def moves(self, state: Any) -> list[Any]:
        """Every legal move, each a different value; empty exactly when the game is over."""
        ...

    def after(self, state: Any, move: Any) -> Any:
        """The state after a legal move."""
        ...

    def text(self, state: Any, move: Any) -> str:
        """The text of the turn that `move` is."""
        ...

    def result(self, state: Any) -> float:
        """Of a finished game: 1.0 if player 0 has won, 0.0 if player 1, 0.5 if it is drawn."""
        ...

    def playout(self, state: Any, random: Chance) -> float:
        """A random game from here to its end: its result; 0.5 where it is given up because it goes on too long."""
        ...


class Bounded(Fast, Protocol):
    """A fast game in which the number of turns left is bounded, so that no position ever comes again."""

    exact: int
    """The turns left from which exact play is worth trying."""

    def left(self, state: Any) -> int:
        """The most turns that can still come, passes not counted."""
        ...

    def core(self) -> Core | None:
        """The rules on words, for one search; None where there is none, so that nothing is played out exactly."""
        ...


WON: Final = 1_000_000
"""The weight of a game that is won; a win by a margin weighs more."""
DECIDED = WON // 2
"""Weights beyond this, either way, are wins and losses that nothing can change."""


class Weighed(Fast, Protocol):
    """A fast game whose positions can be weighed; weights are those of the side to move."""

    spread: float
    """The weight at which the heavier side scores 0.73 of a point, by experience."""

    def core(self) -> Core:
        """The rules on words, for one search."""
        ...

    def weigh(self, state: int) -> int:
        """What the position is worth; of a finished game the result, at least `WON` if it is won."""
        ...

    def repeated(self, state: int) -> int:
        """What it is worth if the house rule on repetition ends the game here; never beyond `DECIDED` by that alone."""
        ...


class Level(NamedTuple):
    """How far a level of play looks and how softly it chooses."""

    nodes: int
    """Positions or random games looked at for a turn, by the measure of the game's search."""
    softness: float = 0.0
    """The expected score (0..1) that is given away about as often as not; 0: the best turn is taken always."""
    depth: int | None = None
    """Answers of the search at most; for one that goes by plies, the plies it looks ahead. None for no limit."""


class Scale(NamedTuple):
    """How a search's values and results of games go together."""

    slope: float = 1.0
    """The power of the odds, above 0; below 1 where the search is too sure of itself."""
    favour: float = 1.0
    """How many times too good the odds of the side to move are, above 0."""

    def score(self, value: float) -> float:
        """What the side to move is to expect (0 to 1), for a value of the search of a position that is not proved."""
        own: float = value**self.slope
        other: float = self.favour * (1 - value) ** self.slope
        return own / (own + other)


# Any game --------------------------------------------------------------------------------------

LONGEST = 200
"""Plies after which a random game by the readable rules is given up as drawn; guessed: most games end before."""


class Plain:
    """The readable rules in the form of a fast game: a state is a position, a move is a turn."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.looked = 0
        """How many positions' turns were listed in random games: what these cost."""

    def state(self, position: Position) -> Position:
        """The position."""
        return position

    def position(self, state: Position) -> Position:
        """The position."""
        return state

    def side(self, state: Position) -> int:
        """Who is to move, 0 or 1."""
        return state.side

    def moves(self, state: Position) -> list[Turn[Position]]:
        """Every legal turn; empty when the game is over."""
        return list(self._game.turns(state))

    def after(self, state: Position, move: Turn[Position]) -> Position:
        """The position after a turn."""
        return move.after

    def text(self, state: Position, move: Turn[Position]) -> str:
        """The text of a turn."""
        return move.text

    def result(self, state: Position) -> float:
        """Of a finished game: 1.0 if player 0 has won, 0.0 if player 1, 0.5 if it is drawn."""
        outcome = self._game.outcome(state)
        return _score(outcome.winner if outcome else None)

    def repeated(self, state: Position) -> float:
        """The result if the house rule on repetition ends the game here."""
        return _score(self._game.repeated(state).winner)

    def playout(self, state: Position, random: Chance) -> float:
        """The result of a random game from here; 0.5 where it is given up after `LONGEST` plies."""
        for _ in range(LONGEST):
            self.looked += 1
            turns = self._game.turns(state)
            if not turns:
                return self.result(state)
            state = turns[int(random.random() * len(turns))].after
        return 0.5


def _score(winner: int | None) -> float:
    return 0.5 if winner is None else 1.0 - winner


# What lies in the folder of a game -------------------------------------------------------------


def load_fast(game: Game[Any]) -> Fast:
    """The fast form of `game` with its options, or its readable rules."""
    module = beside(game, "fast")
    made: Callable[[Game[Any]], Fast] = module.FAST if module else Plain
    return made(game)


def folder(game: Game[Any]) -> str:
    """The package in which the game's class is, by its full name; empty for a class in a module of its own."""
    return import_module(type(game).__module__).__package__ or ""


def beside(game: Game[Any], name: str) -> ModuleType | None:
    """The module of this name in the folder of the game's class; None if there is none."""
    package = folder(game)
    if not package:
        return None
    try:
        return import_module(f"{package}.{name}")
    except ModuleNotFoundError as missing:
        if missing.name != f"{package}.{name}":
            raise
        return None
