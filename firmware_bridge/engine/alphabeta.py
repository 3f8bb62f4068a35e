"""Alpha-beta: what both sides can force, one ply deeper each time, for games whose positions can be weighed.

Depth 1, 2, ... each gives an answer; the next begins with the best moves of the last (`tree` has the rest). An answer
is *proved* when its weight is that of a game that is decided, when every line was followed to the end, or when the
table of endings has the position. The window at the root is that of the best few moves, so that those have true values.
"""

from __future__ import annotations

import time
from bisect import insort_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from math import tanh
from random import Random

from firmware_bridge.engine import POLL, Found, Stopped, never
from firmware_bridge.engine.endgame import Ask, Endings, stored
from firmware_bridge.engine.tree import INFINITE, Child, Tree
from games.fast.weighed import DECIDED, WON, Weighed
from games.rules import Position

DEEPEST = 99
"""Plies."""
Ranked = list[tuple[int, Child]]
"""Moves of the root with their weights, the best first."""


class AlphaBeta:
    """Searches one game. `others` true values besides the best, `most` positions remembered in a generation.

    100,000 positions take about 25 MB, and there are two generations. `seed` decides between moves of one weight.
    `endings` is the table of the game's.
    """

    def __init__(
        self,
        fast: Weighed,
        seed: int = 0,
        *,
        endings: Endings | None = None,
        others: int = 2,
        most: int = 100_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.fast = fast
        self.seed = seed
        self.endings = endings
        self.others = others
        self.most = most
        self.clock = clock

    def find(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        history: Sequence[Position] = (),
        stop: Callable[[], bool] = never,
        among: Collection[str] = (),
    ) -> Iterator[Found]:
        """Ever better answers, at least one; see `Search.find`. `nodes` counts positions."""
        root = self.fast.state(position)
        if not self.fast.moves(root):
            raise ValueError("there is nothing to search: the game is over")
        stood = frozenset(state for state, times in Counter(map(self.fast.state, history)).items() if times >= 2)
        tree = Tree(self.fast, root, self.endings, stood, self.most)
        return self._deepen(tree, self._shuffled(root, among), root, self._limits(tree, seconds, nodes, stop))

    def _limits(
        self, tree: Tree, seconds: float | None, nodes: int | None, stop: Callable[[], bool]
    ) -> Callable[[], int]:
        """What to ask now and then: how many positions to look at until the next time, or `Stopped`."""
        ends = None if seconds is None else self.clock() + seconds

        def ask() -> int:
            if stop() or (ends is not None and self.clock() >= ends) or (nodes is not None and tree.nodes >= nodes):
                raise Stopped
            return POLL if nodes is None else min(POLL, nodes - tree.nodes)

        return ask

    def _deepen(self, tree: Tree, ranked: Ranked, root: int, ask: Callable[[], int]) -> Iterator[Found]:
        for depth in range(1, DEEPEST):
            loose = tree.loose
            new: Ranked = []
            try:
                self._rank(tree, [child for _, child in ranked], depth, new)
            except Stopped:
                # A loss is none while turns have not been looked at.
                if new and new[0][1] != ranked[0][1] and new[0][0] > -DECIDED:
                    yield self._found(tree, root, _merged(new, ranked), False)
                return
            ranked, solved = new, loose == tree.loose
            yield self._found(tree, root, ranked, solved)
            if solved or WON - depth <= abs(ranked[0][0]) <= WON:
                return
            tree.ask, tree.left = ask, 1

    def _shuffled(self, root: int, among: Collection[str]) -> Ranked:
        captures, others = self.fast.children(root)
        random = Random(self.seed)
        random.shuffle(captures)
        random.shuffle(others)
        children = captures + others
        return [(0, child) for child in children if not among or self.fast.text(root, child[0]) in among]

    def _rank(self, tree: Tree, children: list[Child], depth: int, ranked: Ranked) -> None:
        """Fill `ranked` with the moves of the root; all but the best few have no more than a bound."""
        for child in children:
            floor = ranked[self.others][0] if len(ranked) > self.others else -INFINITE
            weight = tree.asked(child[1], depth - 1, floor, INFINITE, 1) if floor > -INFINITE else None
            if weight is None:
                weight = -tree.weight(child[1], depth - 1, -INFINITE, -floor, 1)
            insort_right(ranked, (weight, child), key=lambda move: -move[0])

    def _found(self, tree: Tree, root: int, ranked: Ranked, solved: bool) -> Found:
        exact = self.endings.exact(root, tree.stood) if self.endings else None
        if exact:
            ranked, solved = self._exact(exact, tree, ranked), True
        weights = [(self.fast.text(root, child[0]), weight) for weight, child in ranked[: self.others + 1]]
        (turn, value), *others = [(text, self._value(weight, solved)) for text, weight in weights]
        weight, (move, after) = ranked[0]
        line = self._texts(root, [move, *tree.line(after, DEEPEST)])
        return Found(turn, value, line, tree.nodes, solved or abs(weight) > DECIDED, tuple(others))

    def _exact(self, exact: Ask, tree: Tree, ranked: Ranked) -> Ranked:
        """In an ending of the table that says what a turn is worth; the search says which of equals gets on."""
        known = [(None if child[1] in tree.stood else exact(child[1]), weight) for weight, child in ranked]
        weights = [weight if after is None else -after for after, weight in known]
        moves = [(weight, child) for weight, (_, child) in zip(weights, ranked, strict=True)]
        return sorted(moves, key=lambda move: -move[0])

    def _texts(self, state: int, line: list[int]) -> tuple[str, ...]:
        found = []
        for move in line:
            found.append(self.fast.text(state, move))
            state = self.fast.after(state, move)
        return tuple(found)

    def _value(self, weight: int, solved: bool) -> float:
        """The expected score for a weight: by experience, or certain."""
        if solved or abs(weight) > DECIDED:
            return 0.5 if not weight else float(weight > 0)
        return (1 + tanh(weight / self.fast.spread / 2)) / 2


def _merged(new: Ranked, old: Ranked) -> Ranked:
    """The moves of a depth that was broken off, and behind them the others as they stood a depth before."""
    searched = {child for _, child in new}
    return new + [(min(weight, new[-1][0]), child) for weight, child in old if child not in searched]


def prepared(fast: Weighed, seed: int = 0) -> AlphaBeta:
    """The search with all that is known beforehand: the endings, if they have been worked out."""
    return AlphaBeta(fast, seed, endings=stored(fast))


SEARCH = prepared
