"""Alpha-beta: what both sides can force, one ply deeper each time, for games whose positions can be weighed.

Depth 1, 2, ... each gives an answer; the next begins with the best moves of the last (`tree` has the rest). An answer
is *proved* when its weight is that of a game that is decided, when every line was followed to the end, or when the
table of endings has the position. The window at the root is that of the best few moves, so that those have true values.

One alpha-beta search of a tree: the weight of a position at a depth, and what is remembered on the way.

1. **Windows.** The first move is searched with the whole window, the others are only asked whether they are better.
2. **Order.** The move remembered for the position, captures, then moves that have often refuted others.
3. **Repetition.** A position on the way from the root, met again, counts as the house rule would have it, for whoever
   can force it twice can force it three times. One that has stood twice before the search ends the game.
4. **Memory.** Two generations of remembered positions: when the young one is full it becomes the old one.
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
from games.fast.weighed import DECIDED, WON, Weighed
from games.rules import Position

SOLVED = 1000
"""The depth at which a position is remembered that was followed to the end."""
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
NOTHING = (-1, EXACT, 0, -1)
"""What is remembered of a position never seen."""
INFINITE = 4 * WON
Child = tuple[int, int]
"""A move and the state after it."""


class Tree:
    """One search from one root: what is remembered, and when to stop."""

    def __init__(self, game: Weighed, root: int, endings: Endings | None, stood: frozenset[int], most: int) -> None:
        self.game = game
        self.known = endings.known(root, stood) if endings else None
        self.ahead = endings.ahead(root, stood) if endings else None
        self.horizon = self._estimate if endings else game.weigh
        self.stood = stood
        """The states that have stood twice: the next time the game ends there."""
        self.most = most
        self.nodes = 0
        self.loose = 0
        """How many weights so far were estimates: at the horizon, or because a position came again."""
        self.path = {root}
        self.young: dict[int, tuple[int, int, int, int]] = {}
        """State -> depth, bound, weight, best move."""
        self.old: dict[int, tuple[int, int, int, int]] = {}
        self.refuted: dict[int, int] = {}
        self.ask: Callable[[], int] = lambda: POLL
        self.left = POLL

    def weight(self, state: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """What `state` is worth for its side to move, if that lies between alpha and beta; else a bound."""
        self.nodes += 1
        self.left -= 1
        if not self.left:
            self.left = self.ask()
        if state in self.path or state in self.stood:
            return self._again(state, ply)
        known = self.known(state) if self.known else None
        if known is not None:
            return from_root(known, ply)
        if depth <= 0:
            self.loose += 1
            return from_root(self.horizon(state), ply)
        return self._deeper(state, depth, alpha, beta, ply)

    def _deeper(self, state: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The weight as it is remembered, if that was searched as deep; else by searching."""
        depth_then, bound, weight, best = self.young.get(state) or self.old.get(state) or NOTHING
        if depth_then >= depth:
            weight = from_root(weight, ply)
            if bound == EXACT or (weight >= beta if bound == AT_LEAST else weight <= alpha):
                self.loose += depth_then < SOLVED
                return weight
        return self._inside(state, depth, alpha, beta, ply, best)

    def _estimate(self, state: int) -> int:
        """The weight at the horizon: by the endings where they say it, for then the value is right at once."""
        known = self.ahead(state) if self.ahead else None
        return self.game.weigh(state) if known is None else known

    def _again(self, state: int, ply: int) -> int:
        """The weight of a position that has stood twice before the search, or on the way here."""
        self.loose += state not in self.stood
        return from_root(self.game.repeated(state), ply)

    def _inside(self, state: int, depth: int, alpha: int, beta: int, ply: int, best: int) -> int:
        captures, others = self.game.children(state)
        if not captures and not others:
            return from_root(self.game.weigh(state), ply)
        loose = self.loose
        self.path.add(state)
        try:
            weight, best = self._best(self.ordered(captures, others, best), depth, alpha, beta, ply)
        finally:
            self.path.discard(state)
        bound = AT_LEAST if weight >= beta else AT_MOST if weight <= alpha else EXACT
        self._remember(state, SOLVED if loose == self.loose else depth, bound, from_here(weight, ply), best)
        return weight

    def _best(self, children: list[Child], depth: int, alpha: int, beta: int, ply: int) -> tuple[int, int]:
        """The weight of the best of these, and its move; no further than one that is beyond beta."""
        best, top = children[0][0], -INFINITE
        for move, after in children:
            floor = max(alpha, top)
            weight = self.asked(after, depth - 1, floor, beta, ply + 1) if top > -INFINITE else None
            if weight is None:
                weight = -self.weight(after, depth - 1, -beta, -floor, ply + 1)
            if weight > top:
                best, top = move, weight
                if top >= beta:
                    self.refuted[move & self.game.kind] = self.refuted.get(move & self.game.kind, 0) + depth * depth
                    break
        return top, best

    def asked(self, after: int, depth: int, floor: int, beta: int, ply: int) -> int | None:
        """The bound of a child that is not better than `floor`, or not worse than beta; None if it lies between."""
        weight = -self.weight(after, depth, -floor - 1, -floor, ply)
        return None if floor < weight < beta else weight

    def ordered(self, captures: list[Child], others: list[Child], best: int) -> list[Child]:
        """The children in the order in which they are searched."""
        kind, refuted = self.game.kind, self.refuted
        others.sort(key=lambda child: -refuted.get(child[0] & kind, 0))
        children = captures + others
        if best >= 0:
            children.sort(key=lambda child: child[0] != best)
        return children

    def _remember(self, state: int, depth: int, bound: int, weight: int, best: int) -> None:
        if len(self.young) >= self.most:
            self.old, self.young = self.young, {}
        self.young[state] = depth, bound, weight, best

    def line(self, state: int, most: int) -> list[int]:
        """The best moves from `state` on, as far as they are remembered or the endings know the way."""
        found: list[int] = []
        seen = set(self.stood)
        while len(found) < most and state not in seen:
            seen.add(state)
            best = (self.young.get(state) or self.old.get(state) or NOTHING)[3]
            captures, others = self.game.children(state)
            best = self._onward(state, captures + others) if best < 0 else best
            after = dict(captures + others).get(best)
            if after is None:
                break
            found.append(best)
            state = after
        return found

    def _onward(self, state: int, children: list[Child]) -> int:
        """The move nearest to the end, if the endings tell how near that is; -1 if they do not."""
        weight = self.known(state) if self.known else None
        best, move = max(((-self.horizon(after), move) for move, after in children), default=(0, -1))
        return move if weight is not None and abs(best) > abs(weight) else -1


def from_root(weight: int, ply: int) -> int:
    """A weight at `ply` as the root sees it: of two wins the earlier one is better."""
    return weight - ply if weight > DECIDED else weight + ply if weight < -DECIDED else weight


def from_here(weight: int, ply: int) -> int:
    """The opposite of `from_root`."""
    return weight + ply if weight > DECIDED else weight - ply if weight < -DECIDED else weight


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
