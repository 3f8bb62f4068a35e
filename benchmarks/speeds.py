"""What `benchmarks.engine` measures, each in a second of processor time: ours and others'.

Run by itself it measures what each line of the input names.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from random import Random
from typing import Any

SECONDS = 0.3
"""Of processor time for each figure in each round."""
BATCH = 50
"""Random games of ours from one look at the clock to the next."""
EVALUATED, SIMULATED = 400, 5
"""Random games that OpenSpiel's search plays from one position, and such positions: hardly anything but games."""
DEPTH = {"zong-heng": 3, "yin-yang": 3, "zhizhu": 3, "zig-zag": 5}
"""Plies to which lines are counted."""
PEERS = ("chess", "open_spiel")
"""The packages of the others."""
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

    game = load(name)
    fast = load_fast(game)
    start = fast.state(game.start())
    return fast, middle(fast, start, MIDDLE[name]) if where == "middle" else start


def middle(fast: Any, start: int, plies: int) -> int:
    """The state after so many random turns, in the first game that goes on so long."""
    for seed in count(1):
        random, state, left = Random(seed), start, plies
        while left and (moves := fast.moves(state)):
            state, left = fast.after(state, random.choice(moves)), left - 1
        if fast.moves(state):
            return state
    raise AssertionError("seeds do not end")


def perft(name: str, where: str) -> float:
    """Turns made a second, to a depth of two or three plies."""
    fast, state = ours(name, where)

    def made(state: int, depth: int) -> int:
        after = [fast.after(state, move) for move in fast.moves(state)]
        return len(after) + (sum(made(state, depth - 1) for state in after) if depth > 1 else 0)

    return rate(lambda: made(state, 2 if name in ("zong-heng", "zhizhu") else 4))


def lines(name: str, where: str) -> float:
    """Lines counted a second within compiled code, with a list of turns for each ply but the last."""
    from games.core import Perft

    fast, state = ours(name, where)
    perft = Perft(fast.core())
    return rate(lambda: perft.count(state, DEPTH[name]))


def has_core(name: str) -> bool:
    """Whether a game has its rules on words, so that its lines can be counted within compiled code."""
    fast = ours(name)[0]
    return getattr(fast, "core", lambda: None)() is not None


def chess_lines(where: str) -> float:
    """Lines counted a second by python-chess, those of the last ply without making them."""
    import chess

    board = chess.Board(CHESS[where])

    def found(depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        count = 0
        for move in board.legal_moves:
            board.push(move)
            count += found(depth - 1)
            board.pop()
        return count

    return rate(lambda: found(3))


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


def rollouts(name: str) -> float:
    """Plies of random games a second within compiled code, but for a call for each game of ours.

    OpenSpiel's are counted by their mean length, for its search does not tell how long they were.
    """
    if name not in MIDDLE:
        return mean_length(name) * games_inside(name)
    fast, start = ours(name)
    random, batch = Random(3), range(BATCH)

    def play() -> int:
        for _ in batch:
            fast.playout(start, random)
        return BATCH

    return length(name) * rate(play)


def games_inside(name: str) -> float:
    """Random games a second that OpenSpiel's tree search in C++ plays from the few positions it comes to."""
    pyspiel = import_module("pyspiel")
    game = spiel(name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(EVALUATED, 1), 2.0, SIMULATED, 1000, True, 1, False)

    def think() -> int:
        bot.step(game.new_initial_state())
        return EVALUATED * SIMULATED

    return rate(think)


@cache
def mean_length(name: str) -> float:
    """The mean plies of a random game of OpenSpiel's."""
    random = Random(2)
    return sum(theirs(name, random, plies=True) for _ in range(200)) / 200


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
    "lines": lines,
    "chess-lines": chess_lines,
    "rollouts": rollouts,
    "mcts": mcts,
    "search": search,
}


def versions() -> dict[str, str]:
    """The versions of the others' packages, of those that are installed."""
    found = {}
    for package in PEERS:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def serve() -> None:
    """Measure what each line of the input names."""
    import firmware_bridge.engine  # noqa: F401  (takes the compiled modules, if it may)

    for line in sys.stdin:
        kind, *rest = line.split()
        print(KINDS[kind](*rest), flush=True)


if __name__ == "__main__":
    serve()
