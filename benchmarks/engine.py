"""How fast the engine is beside others, plain and compiled: one run on one machine, in turns, in processor time.

    make bench-engine

Each figure is a median of rounds; in each round everything is measured once, one after another, and ratios are taken
within a round, so that what else the machine does falls on all alike. The others are python-chess, which makes and
takes back moves as we do, and OpenSpiel's games and tree search, which are C++. In its nine_mens_morris a capture is
a ply of its own, so there whole games are counted. Figures for a Pi are scaled, not measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from typing import Any

from tqdm import tqdm

ROUNDS = 5
SECONDS = 0.3
"""Of processor time for each figure in each round."""
SLOWER = {"Pi 4": 4.5, "Zero 2 W": 13.5}
"""How many times slower a Pi is than one core here, by what others have measured."""
MIDDLE = {"zong-heng": 10, "yin-yang": 12, "zhizhu": 24, "zig-zag": 10}
"""Plies of a random game to a middle position; ZhiZhu's stones slide by then."""
CHESS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "middle": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
}


@dataclass(frozen=True)
class Row:
    """What is measured of us and of another, and what share of its speed is the aim."""

    kind: str
    ours: str
    theirs: str
    aim: float


ROWS = [
    *(
        Row("made turns", f"perft {game} {where}", f"chess {where}", 20 if game == "zong-heng" else 5)
        for game in MIDDLE
        for where in CHESS
    ),
    Row("random games", "games zhizhu", "games nine_mens_morris", 0.5),
    Row("random plies", "plies zig-zag", "plies mancala", 0.5),
    Row("random plies", "plies zong-heng", "plies breakthrough", 0.5),
    Row("random plies", "plies yin-yang", "plies othello", 0.5),
    Row("simulations", "search zong-heng", "mcts breakthrough", 0.5),
    Row("simulations", "search yin-yang", "mcts othello", 0.5),
]
SEARCHES = [f"search {game}" for game in MIDDLE]


# What is measured -----------------------------------------------------------------------------


def rate(do: Callable[[], float]) -> float:
    """How much is done in a second of processor time; `do` says how much it did."""
    done, begun = 0.0, time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        done += do()
    return done / spent


@cache
def ours(name: str, where: str = "start") -> tuple[Any, int]:
    """A game in its fast form, and the state at the start or after some random turns."""
    from games.fast.contract import load_fast
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
    from firmware_bridge.engine import KINDS, engine
    from games.rules import load

    game, by_games = load(name), KINDS[name] == "uct"
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


# Who measures ---------------------------------------------------------------------------------


class Measuring:
    """A process that measures what it is told, plain or compiled; a process has its modules once and for all."""

    def __init__(self, compiled: bool) -> None:
        told = {"TABLELIGHT_COMPILED": "yes" if compiled else "no"}
        command = [sys.executable, "-m", "benchmarks.engine", "serve"]
        self._process = subprocess.Popen(
            command, env=os.environ | told, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def measure(self, what: str) -> float:
        """What is done in a second."""
        assert self._process.stdin
        assert self._process.stdout
        print(what, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def serve() -> None:
    """Measure what each line of the input names."""
    import firmware_bridge.engine  # noqa: F401  (takes the compiled modules, if it may)

    for line in sys.stdin:
        kind, *rest = line.split()
        print(KINDS[kind](*rest), flush=True)


Figures = dict[tuple[str, str], list[float]]
"""Who and what -> a figure a round."""


def measured(rows: list[Row], compiled: bool) -> Figures:
    """All figures of all rounds."""
    who = {"plain": Measuring(False), "peer": Measuring(False)} | ({"compiled": Measuring(True)} if compiled else {})
    wanted = dict.fromkeys(asked(rows, [name for name in who if name != "peer"]))
    for name, what in wanted:  # what fills itself is filled
        who[name].measure(what)
    figures: Figures = {key: [] for key in wanted}
    for name, what in tqdm(list(wanted) * ROUNDS, desc="Measuring", unit="figure", leave=False):
        figures[name, what].append(who[name].measure(what))
    for each in who.values():
        each.close()
    return figures


def asked(rows: list[Row], modes: list[str]) -> Iterator[tuple[str, str]]:
    """Who measures what, those next to each other that are compared."""
    for row in rows:
        yield "peer", row.theirs
        yield from ((mode, row.ours) for mode in modes)
    yield from ((mode, what) for what in SEARCHES for mode in modes)


# Tables ---------------------------------------------------------------------------------------


def ratio(ours: list[float], theirs: list[float]) -> tuple[float, str]:
    """The median of the ratios of each round, and how it reads with their range."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return median(ratios), f"{median(ratios):6.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def beside(rows: list[Row], figures: Figures, mode: str) -> None:
    """Print how fast we are in one mode beside the others."""
    print(f"\n{mode + ', in a second':28} {'ours':>11}  {'theirs':24} {'':>11}  {'ours to theirs':26} {'aim':>5}")
    for row in rows:
        one, other = figures[mode, row.ours], figures["peer", row.theirs]
        found, told = ratio(one, other)
        name = f"{row.kind} {row.ours.split(maxsplit=1)[1]}"
        short = "" if found >= row.aim else "  NOT reached"
        print(f"{name:28} {median(one):11,.0f}  {row.theirs:24} {median(other):11,.0f}  {told:26} {row.aim:5}{short}")


def scaled(figures: Figures, modes: list[str]) -> None:
    """Print the nodes of each search, here and on smaller computers."""
    print(f"\n{'nodes a second':28} {'here':>11} " + "".join(f"{'about, ' + name:>18}" for name in SLOWER))
    for what in SEARCHES:
        for mode in modes:
            here = median(figures[mode, what])
            there = "".join(f"{here / slower:18,.0f}" for slower in SLOWER.values())
            print(f"{what.removeprefix('search ') + ', ' + mode:28} {here:11,.0f} {there}")
        if len(modes) > 1:
            print(f"{'':28} {'compiled':>11} {ratio(figures['compiled', what], figures['plain', what])[1]} times")


def can_compile() -> bool:
    """Whether there are compiled modules to measure; says why not."""
    from firmware_bridge.compiling import build
    from hardware.settings import SettingsError

    try:
        build()
    except SettingsError as error:
        print(f"Only plain: {error}", file=sys.stderr)
        return False
    return True


def main() -> None:
    """Print all figures."""
    rows = ROWS
    if not find_spec("chess") or not find_spec("pyspiel"):
        print(
            "Nobody to compare with: pip install 'tablelight[peers]' brings python-chess and OpenSpiel.",
            file=sys.stderr,
        )
        rows = []
    compiled = can_compile()
    modes = ["plain", "compiled"] if compiled else ["plain"]
    figures = measured(rows, compiled)
    for mode in modes if rows else []:
        beside(rows, figures, mode)
    scaled(figures, modes)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
