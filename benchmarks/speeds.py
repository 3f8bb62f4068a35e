"""What `benchmarks.engine` measures, each in a second of processor time: ours and others'.

Run by itself it measures what each line of the input names.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

SECONDS = 0.3
"""Of processor time for each figure in each round."""
MIDDLE = {"zong-heng": 10, "yin-yang": 12, "zhizhu": 24, "zig-zag": 10}
"""Plies of a random game to a middle position; ZhiZhu's stones slide by then."""
CHESS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "middle": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
}


def rate(do: Callable[[], float]) -> float:
    """How much is done in a second of processor time; `do` says how much it did."""
    done, begun = 0.0, time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        done += do()
    return done / spent


@cache
def ours(name: str, where: str = "start") -> tuple[Any, int]:
    """A game in its fast form, and the state at the start or after some random turns."""
    from games.fast import load_fast
    from games.rules import load

    game, random = load(name), Random(1)
    fast = load_fast(game)
    state = fast.state(game.start())
    for _ in range(MIDDLE[name] if where == "middle" else 0):
        state = fast.after(state, random.choice(fast.moves(state)))
    return fast, state


def perft(name: str, where: str) -> float:
    """Turns made a second, to a depth of two or three plies."""
    fast, state = ours(name, where)

    def made(state: int, depth: int) -> int:
        after = [fast.after(state, move) for move in fast.moves(state)]
        return len(after) + (sum(made(state, depth - 1) for state in after) if depth > 1 else 0)

    return rate(lambda: made(state, 2 if name in ("zong-heng", "zhizhu") else 4))


def chess(where: str) -> float:
    """Moves made and taken back a second by python-chess."""
    import chess

    board = chess.Board(CHESS[where])

    def made(depth: int) -> int:
        count = 0
        for move in board.legal_moves:
            board.push(move)
            count += 1 + (made(depth - 1) if depth > 1 else 0)
            board.pop()
        return count

    return rate(lambda: made(2))


@cache
def length(name: str) -> float:
    """The mean plies of a random game of ours."""
    fast, start = ours(name)
    random, plies = Random(2), 0
    for _ in range(100):
        state = start
        while moves := fast.moves(state):
            state, plies = fast.after(state, random.choice(moves)), plies + 1
    return plies / 100


def random_games(name: str, *, plies: bool) -> float:
    """Random games or plies a second; a name with no file of ours is one of OpenSpiel's."""
    random = Random(3)
    if name not in MIDDLE:
        return rate(lambda: theirs(name, random, plies))
    fast, start = ours(name)
    worth = length(name) if plies else 1.0

    def play() -> float:
        fast.playout(start, random)
        return worth

    return rate(play)


def theirs(name: str, random: Random, plies: bool) -> float:
    """A random game of OpenSpiel's: its plies, or 1."""
    state, count = spiel(name).new_initial_state(), 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(random.random() * len(actions))])
        count += 1
    return count if plies else 1


@cache
def spiel(name: str) -> Any:
    """A game of OpenSpiel's."""
    pyspiel = import_module("pyspiel")  # it tells no types
    return pyspiel.load_game(name)


def mcts(name: str) -> float:
    """Simulations a second of OpenSpiel's tree search, a random game each, from the start."""
    pyspiel = import_module("pyspiel")
    game, count = spiel(name), 1000
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, count, 1000, True, 1, False)

    def think() -> int:
        bot.step(game.new_initial_state())
        return count

    return rate(think)


def search(name: str) -> float:
    """Nodes a second of our search, from a middle position that is not proved so soon, or from the start."""
    from firmware_bridge.engine import engine, kind
    from games.fast import load_fast
    from games.rules import load

    game = load(name)
    by_games = kind(load_fast(game)) == "uct"
    fast, state = ours(name, "start" if by_games else "middle")
    searches, position = engine(game, seed=1), game.position(str(fast.position(state)))

    def think() -> int:
        *_, found = searches.find(position, nodes=1000 if by_games else 3000)
        return found.nodes

    return rate(think)


KINDS: dict[str, Callable[..., float]] = {
    "perft": perft,
    "chess": chess,
    "games": lambda name: random_games(name, plies=False),
    "plies": lambda name: random_games(name, plies=True),
    "mcts": mcts,
    "search": search,
}


def serve() -> None:
    """Measure what each line of the input names."""
    import firmware_bridge.engine  # noqa: F401  (takes the compiled modules, if it may)

    for line in sys.stdin:
        kind, *rest = line.split()
        print(KINDS[kind](*rest), flush=True)


if __name__ == "__main__":
    serve()
