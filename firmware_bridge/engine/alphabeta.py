"""Alpha-beta by iterative deepening, for games whose positions can be weighed.

`AlphaBeta` searches depth 1, 2, ... and answers after each; the next depth begins with the best moves of the last. The
window at the root is that of the best few moves, so that those have true values. An answer is *proved* when its weight
is that of a decided game, when every line was followed to the end, or when the table of endings has the position.

`Tree` is one search from one root: the weight of a position at a depth, and what is remembered on the way.

1. **Windows.** The first move is searched with the whole window; the others are only tested for being better.
2. **Order.** The move remembered for the position, then captures, then moves that have often refuted others.
3. **Repetition.** A position that comes again on the way from the root is weighed by the house rule on repetition:
   whoever can force it twice can force it three times. One that had stood twice before the search ends the game.
4. **Memory.** Two generations of remembered positions: when the young one is full it becomes the old one.
"""

from __future__ import annotations

import time
from bisect import insort_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from math import tanh
from random import Random
from typing import Any

from firmware_bridge.engine import POLL, Found, Stopped, never
from firmware_bridge.engine.endgame import stored
from games.endings import Ask, Endings
from games.fast import DECIDED, WON, Weighed
from games.rules import Game, Position

DEEPEST = 99
"""Plies: the search ends before this depth; guessed, more than it reaches in practice."""
SOLVED = 1000
"""The depth at which a position is remembered that was followed to the end: beyond any other."""
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
"""What a remembered weight is: the true one, or a bound of it."""
NOTHING = (-1, EXACT, 0, -1)
"""What is remembered of a position never seen: depth, bound, weight, best move."""
INFINITE = 4 * WON
"""Beyond any weight."""
Child = tuple[int, int]
"""A move and the state after it."""
Ranked = list[tuple[int, Child]]
"""Moves of the root with their weights, the best first."""


# One search -----------------------------------------------------------------------------------


class Tree:
    """One search from the state `root`; a generation of its memory holds `most` positions.

    `stood` are the states that had stood twice before the search: the next time the game ends there.
    """

    def __init__(self, game: Weighed, root: int, endings: Endings | None, stood: frozenset[int], most: int) -> None:
        self._game = game
        self._known = endings.known(root, stood) if endings else None
        self._ahead = endings.ahead(root, stood) if endings else None
        self._horizon = self._estimate if endings else game.weigh
        self.stood = stood
        self._most = most
        self.nodes = 0
        self.loose = 0
        """How many weights so far were no certain ones: at the horizon, or because a position came again."""
        self._path = {root}
        self.young: dict[int, tuple[int, int, int, int]] = {}
        """State -> depth, bound, weight, best move."""
        self.old: dict[int, tuple[int, int, int, int]] = {}
        self._refuted: dict[int, int] = {}
        self.ask: Callable[[], int] = lambda: POLL
        """Called when `left` is used up: the positions until the next call; raises `Stopped` to end the search."""
        self.left = POLL

    def weight(self, state: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The weight of `state` for its side to move, if it lies between alpha and beta; else a bound of it."""
        self.nodes += 1
        self.left -= 1
        if not self.left:
            self.left = self.ask()
        if state in self._path or state in self.stood:
            return self._again(state, ply)
        known = self._known(state) if self._known else None
        if known is not None:
            return _from_root(known, ply)
        if depth <= 0:
            self.loose += 1
            return _from_root(self._horizon(state), ply)
        return self._deeper(state, depth, alpha, beta, ply)

    def _deeper(self, state: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The remembered weight, if it was searched as deep and answers the window; else by searching."""
        depth_then, bound, weight, best = self.young.get(state) or self.old.get(state) or NOTHING
        if depth_then >= depth:
            weight = _from_root(weight, ply)
            if bound == EXACT or (weight >= beta if bound == AT_LEAST else weight <= alpha):
                self.loose += depth_then < SOLVED
                return weight
        return self._inside(state, depth, alpha, beta, ply, best)

    def _estimate(self, state: int) -> int:
        """The weight at the horizon: that of the endings where they have the position."""
        known = self._ahead(state) if self._ahead else None
        return self._game.weigh(state) if known is None else known

    def _again(self, state: int, ply: int) -> int:
        """The weight of a position that has stood twice before the search, or on the way here."""
        self.loose += state not in self.stood
        return _from_root(self._game.repeated(state), ply)

    def _inside(self, state: int, depth: int, alpha: int, beta: int, ply: int, best: int) -> int:
        captures, others = self._game.children(state)
        if not captures and not others:
            return _from_root(self._game.weigh(state), ply)
        loose = self.loose
        self._path.add(state)
        try:
            weight, best = self._best(self._ordered(captures, others, best), depth, alpha, beta, ply)
        finally:
            self._path.discard(state)
        bound = AT_LEAST if weight >= beta else AT_MOST if weight <= alpha else EXACT
        self._remember(state, SOLVED if loose == self.loose else depth, bound, _from_here(weight, ply), best)
        return weight

    def _best(self, children: list[Child], depth: int, alpha: int, beta: int, ply: int) -> tuple[int, int]:
        """The weight of the best child, and its move; the first child at beta or beyond ends the search."""
        best, top = children[0][0], -INFINITE
        for move, after in children:
            floor = max(alpha, top)
            weight = self.asked(after, depth - 1, floor, beta, ply + 1) if top > -INFINITE else None
            if weight is None:
                weight = -self.weight(after, depth - 1, -beta, -floor, ply + 1)
            if weight > top:
                best, top = move, weight
                if top >= beta:
                    self._refuted[move & self._game.kind] = self._refuted.get(move & self._game.kind, 0) + depth * depth
                    break
        return top, best

    def asked(self, after: int, depth: int, floor: int, beta: int, ply: int) -> int | None:
        """A bound of a child's weight, if the weight is at most `floor` or at least beta; None if it lies between."""
        weight = -self.weight(after, depth, -floor - 1, -floor, ply)
        return None if floor < weight < beta else weight

    def _ordered(self, captures: list[Child], others: list[Child], best: int) -> list[Child]:
        """The children in the order in which they are searched."""
        kind, refuted = self._game.kind, self._refuted
        others.sort(key=lambda child: -refuted.get(child[0] & kind, 0))
        children = captures + others
        if best >= 0:
            children.sort(key=lambda child: child[0] != best)
        return children

    def _remember(self, state: int, depth: int, bound: int, weight: int, best: int) -> None:
        if len(self.young) >= self._most:
            self.old, self.young = self.young, {}
        self.young[state] = depth, bound, weight, best

    def line(self, state: int, most: int) -> list[int]:
        """The best moves from `state` on, `most` at most, as far as they are remembered or the endings know them."""
        found: list[int] = []
        seen = set(self.stood)
        while len(found) < most and state not in seen:
            seen.add(state)
            best = (self.young.get(state) or self.old.get(state) or NOTHING)[3]
            captures, others = self._game.children(state)
            best = self._onward(state, captures + others) if best < 0 else best
            after = dict(captures + others).get(best)
            if after is None:
                break
            found.append(best)
            state = after
        return found

    def _onward(self, state: int, children: list[Child]) -> int:
        """The move that leads nearest to the end, if the endings have distances; -1 if they do not."""
        weight = self._known(state) if self._known else None
        best, move = max(((-self._horizon(after), move) for move, after in children), default=(0, -1))
        return move if weight is not None and abs(best) > abs(weight) else -1


def _from_root(weight: int, ply: int) -> int:
    """A weight at `ply` as it counts at the root: of two wins the earlier one weighs more."""
    return weight - ply if weight > DECIDED else weight + ply if weight < -DECIDED else weight


def _from_here(weight: int, ply: int) -> int:
    """The opposite of `_from_root`."""
    return weight + ply if weight > DECIDED else weight - ply if weight < -DECIDED else weight


# Deepening ------------------------------------------------------------------------------------


class AlphaBeta:
    """Searches one game; `seed` decides between moves of one weight, `clock` tells seconds.

    `endings` is the game's table of endings, if there is one. `others` is how many moves besides the best have true
    values. `most` is how many positions are remembered in each of the two generations: 100,000 take about 25 MB.
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
        self._fast = fast
        self._seed = seed
        self.endings = endings
        self._others = others
        self._most = most
        self._clock = clock

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
        """Better and better answers, at least one; see `Search.find`. `nodes` counts positions."""
        root = self._fast.state(position)
        if not self._fast.moves(root):
            raise ValueError("there is nothing to search: the game is over")
        stood = frozenset(state for state, times in Counter(map(self._fast.state, history)).items() if times >= 2)
        tree = Tree(self._fast, root, self.endings, stood, self._most)
        return self._deepen(tree, self._shuffled(root, among), root, self._limits(tree, seconds, nodes, stop))

    def _limits(
        self, tree: Tree, seconds: float | None, nodes: int | None, stop: Callable[[], bool]
    ) -> Callable[[], int]:
        """The tree's `ask` for these limits."""
        ends = None if seconds is None else self._clock() + seconds

        def ask() -> int:
            if stop() or (ends is not None and self._clock() >= ends) or (nodes is not None and tree.nodes >= nodes):
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
                # A loss is not sure while some turns have not been searched.
                if new and new[0][1] != ranked[0][1] and new[0][0] > -DECIDED:
                    yield self._found(tree, root, _merged(new, ranked), False)
                return
            ranked, solved = new, loose == tree.loose
            yield self._found(tree, root, ranked, solved)
            if solved or WON - depth <= abs(ranked[0][0]) <= WON:
                return
            tree.ask, tree.left = ask, 1

    def _shuffled(self, root: int, among: Collection[str]) -> Ranked:
        captures, others = self._fast.children(root)
        random = Random(self._seed)
        random.shuffle(captures)
        random.shuffle(others)
        children = captures + others
        return [(0, child) for child in children if not among or self._fast.text(root, child[0]) in among]

    def _rank(self, tree: Tree, children: list[Child], depth: int, ranked: Ranked) -> None:
        """Fill `ranked` with the moves of the root; the best few have their weights, the others an upper bound."""
        for child in children:
            floor = ranked[self._others][0] if len(ranked) > self._others else -INFINITE
            weight = tree.asked(child[1], depth - 1, floor, INFINITE, 1) if floor > -INFINITE else None
            if weight is None:
                weight = -tree.weight(child[1], depth - 1, -INFINITE, -floor, 1)
            insort_right(ranked, (weight, child), key=lambda move: -move[0])

    def _found(self, tree: Tree, root: int, ranked: Ranked, solved: bool) -> Found:
        exact = self.endings.exact(root, tree.stood) if self.endings else None
        if exact:
            ranked, solved = self._exact(exact, tree, ranked), True
        weights = [(self._fast.text(root, child[0]), weight) for weight, child in ranked[: self._others + 1]]
        (turn, value), *others = [(text, self._value(weight, solved)) for text, weight in weights]
        weight, (move, after) = ranked[0]
        line = self._texts(root, [move, *tree.line(after, DEEPEST)])
        return Found(turn, value, line, tree.nodes, solved or abs(weight) > DECIDED, tuple(others))

    def _exact(self, exact: Ask, tree: Tree, ranked: Ranked) -> Ranked:
        """The moves ranked by the table of endings; of equal ones the search's weight decides which comes first."""
        known = [(None if child[1] in tree.stood else exact(child[1]), weight) for weight, child in ranked]
        weights = [weight if after is None else -after for after, weight in known]
        moves = [(weight, child) for weight, (_, child) in zip(weights, ranked, strict=True)]
        return sorted(moves, key=lambda move: -move[0])

    def _texts(self, state: int, line: list[int]) -> tuple[str, ...]:
        found = []
        for move in line:
            found.append(self._fast.text(state, move))
            state = self._fast.after(state, move)
        return tuple(found)

    def _value(self, weight: int, solved: bool) -> float:
        """The expected score for a weight: certain, or by the game's `spread`."""
        if solved or abs(weight) > DECIDED:
            return 0.5 if not weight else float(weight > 0)
        return (1 + tanh(weight / self._fast.spread / 2)) / 2


def _merged(new: Ranked, old: Ranked) -> Ranked:
    """The moves of a depth that was broken off, and behind them the others in the order of the depth before."""
    searched = {child for _, child in new}
    return new + [(min(weight, new[-1][0]), child) for weight, child in old if child not in searched]


def prepared(game: Game[Any], fast: Weighed, seed: int = 0) -> AlphaBeta:
    """The search of `game` with the table of endings, if there is one."""
    return AlphaBeta(fast, seed, endings=stored(game))


SEARCH = prepared
