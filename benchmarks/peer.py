"""OpenSpiel's search by random games, in Python, playing our games: a thin dress over the fast forms.

`open_spiel.python.algorithms.mcts.MCTSBot` with random games as its evaluator, one a simulation, and the constant of
its own example (2). It counts simulations, not seconds: how many fit is learnt from its last turn.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

import numpy
import pyspiel
from open_spiel.python.algorithms import mcts

from games.fast import Fast
from games.rules import Position

DOUBT = 2.0
"""The constant of UCB1, for results from -1 to 1."""
FIRST, LEAST = 30, 8
"""Simulations of the trial, and of any turn."""
LONGEST = 1000
"""Plies after which a random game is given up as drawn."""


class State:
    """A position as OpenSpiel's search in Python asks for it; an action is a place among the moves."""

    def __init__(self, fast: Fast, state: int) -> None:
        self._fast, self._state = fast, state
        self._moves = fast.moves(state)

    def clone(self) -> State:
        """Another one, to be changed."""
        copy = State.__new__(State)
        copy._fast, copy._state, copy._moves = self._fast, self._state, self._moves
        return copy

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self._moves

    def is_chance_node(self) -> bool:
        """Never: these games have no dice."""
        return False

    def current_player(self) -> int:
        """Who is to move, 0 or 1."""
        return self._fast.side(self._state)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The places of the moves."""
        return list(range(len(self._moves)))

    def apply_action(self, action: int) -> None:
        """Make a move."""
        self._state = self._fast.after(self._state, self._moves[action])
        self._moves = self._fast.moves(self._state)

    def returns(self) -> list[float]:
        """The result for each player, -1 to 1; 0 for a game that goes on."""
        result = 0.0 if self._moves else 2 * self._fast.result(self._state) - 1
        return [result, -result]


class Kind:
    """What the search asks of a game before it begins."""

    reward_model = pyspiel.GameType.RewardModel.TERMINAL
    dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL

    def get_type(self) -> Kind:
        """This."""
        return self

    def max_utility(self) -> float:
        """What a win is worth."""
        return 1.0


class Peer:
    """Plays one game with about so many seconds a turn, of its processor's time."""

    def __init__(self, fast: Fast, seconds: float) -> None:
        self._fast, self._seconds = fast, seconds
        self._game = -1
        self._simulations = self._first = 0
        self.spent: list[float] = []
        """The seconds of each turn so far."""

    def turn(self, position: Position, game: int) -> str:
        """Its turn in the game of that number."""
        state, seed = self._fast.state(position), Random(f"{game} {position}").getrandbits(32)
        if game != self._game:
            self._begin(state, game)
        action = self._search(state, seed)
        fitting = int(self._simulations * self._seconds / self.spent[-1])
        self._simulations = max(LEAST, min(fitting, 2 * self._simulations))
        return self._fast.text(state, self._fast.moves(state)[action])

    def _begin(self, state: int, game: int) -> None:
        """A new game begins with as many simulations as fitted then; the first one with a trial that does not count."""
        if not self._first:
            self._simulations = FIRST
            self._search(state, 0)
            self._first = max(LEAST, int(FIRST * self._seconds / self.spent.pop()))
        self._game, self._simulations = game, self._first

    def _search(self, state: int, seed: int) -> int:
        began, luck = time.process_time(), numpy.random.RandomState(seed)
        games = mcts.RandomRolloutEvaluator(1, luck, LONGEST)
        bot: Any = mcts.MCTSBot(Kind(), DOUBT, self._simulations, games, random_state=luck)
        action = int(bot.step(State(self._fast, state)))
        self.spent.append(time.process_time() - began)
        return action
