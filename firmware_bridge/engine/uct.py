"""UCT: random games from where they promise most, for games that are better played out than weighed.

`Uct` searches, `Tree` is one search from one root.

1. **Walk.** From the root always to the child with the best sum of value and doubt (UCB1), until a position that has
   had too few visits to have children. A random game is played from there; every position on the way counts its result.
2. **Positions, not turns.** Turns with the same result are one child, and a position reached by several lines is one
   node: a push has many twins, and what was learnt on one line serves the others. A child is made when it is walked to.
3. **Proof.** The result of a finished game is sure. A node is proved once a child is a sure win, or all children are
   sure. A walk ends at a proved node, and the search when the root is proved.
4. **The end.** Near the end of a `Bounded` game a part of the time goes to proving the root's children by exact play
   (`exact`), where it has a form without objects.
5. **Memory.** When as many nodes exist as are allowed, no more are added; the walks go on.
6. **Repetition.** In any other game a position may come again. A walk that comes to one it has passed ends there, with
   the result by the house rule on repetition: whoever can force it twice can force it three times. A position that had
   stood twice before the search ends the game.

"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from math import inf, log, sqrt
from random import Random
from typing import Any, cast

from firmware_bridge.engine import Found, Stopped, never
from firmware_bridge.engine.exact import Exact
from games.fast import Bounded, Fast, Plain
from games.rules import Game, Position

DOUBT = 0.6
"""The weight of doubt against value, the constant of UCB1; guessed."""
RIPE = 3
"""Visits from which a node has children; guessed."""
REMEMBERED = 120_000
"""Nodes: about 60 MB."""
PLAIN_REMEMBERED = 12_000
"""The same for a game without a fast form, whose nodes hold positions and turns; guessed to take about as much."""
OTHERS = 4
"""The best few other turns in an answer."""
LONGEST = 6
"""Turns of an expected line."""
OPENING, WARM, ENDING = 0.1, 200, 0.6
"""Near the end: the part of the budget or the nodes after which the proof is begun, and the part at which it is given
up; guessed."""
FIRST = 16
"""Random games before the first answer; another one comes whenever a quarter more was looked at. Guessed."""
Clock = Callable[[], float]
"""Seconds since any moment."""


# Random games ---------------------------------------------------------------------------------


class Node:
    """A position, and how the random games through it ended; `side` is to move."""

    __slots__ = ("children", "doubt", "hope", "moves", "proved", "side", "state", "total", "value", "visits")

    def __init__(self, state: Any, side: int, value: float) -> None:
        self.state: Any = state
        self.side = side
        self.value = value
        """The mean result for player 0; before the first game that of its parent."""
        self.hope = value
        """Its value at the time when it got children: what each child counts as until it is made."""
        self.doubt = 1.0
        """One divided by the square root of its visits; 0 if it is proved."""
        self.visits = 0
        self.total = 0.0
        self.proved = False
        self.children: list[Node] = []
        self.moves: list[Any] = []
        """The moves that may lead to children not made yet, the next one last."""

    def count(self, result: float) -> None:
        """Count one more game with this result."""
        self.visits += 1
        if not self.proved:
            self.total += result
            self.value = self.total / self.visits
            self.doubt = 1 / sqrt(self.visits)

    def prove(self, value: float) -> None:
        """Set the value, which is sure."""
        self.value, self.doubt, self.proved = value, 0.0, True

    def error(self) -> float:
        """The standard error of the mean result; 0 if it is proved.

        A game of each result is added (the rule of succession): a few that all end alike are no proof.
        """
        if self.proved:
            return 0.0
        games = self.visits + 2
        mean = (self.total + 1) / games
        return sqrt(mean * (1 - mean) / games)

    def settle(self) -> None:
        """Prove the node if a child is a sure win, or all children are sure."""
        if any(child.proved and child.value == 1 - self.side for child in self.children):
            self.prove(1.0 - self.side)
        elif not self.moves and all(child.proved for child in self.children):
            values = [child.value for child in self.children]
            self.prove(min(values) if self.side else max(values))

    def choose(self, doubt: float, more: bool) -> Node | None:
        """The child to walk to; None for one that is not made yet, if `more` may be made."""
        doubt *= sqrt(log(self.visits + 1))
        sign = -1.0 if self.side else 1.0
        best, chosen = -inf, None
        for child in self.children:
            score = doubt * child.doubt + sign * child.value
            if score > best:
                best, chosen = score, child
        return None if more and self.moves and doubt + sign * self.hope >= best else chosen

    def worth(self, child: Node) -> float:
        """The value of a child as the expected score of the side to move here."""
        return 1 - child.value if self.side else child.value

    def ranked(self) -> list[Node]:
        """The children, the best first: sure wins, the most visited, sure losses; by value if this node is proved."""

        def rank(child: Node) -> tuple[float, int, float]:
            worth = self.worth(child)
            sure = self.proved or (child.proved and worth != 0.5)
            return worth if sure else 0.5, child.visits, worth

        return sorted(self.children, key=rank, reverse=True)


class Budget:
    """The limits of a search: seconds and nodes, None for no limit, and `stop()`."""

    def __init__(self, seconds: float | None, nodes: int | None, stop: Callable[[], bool], clock: Clock) -> None:
        self._seconds, self._nodes, self._stop, self._clock = seconds, nodes, stop, clock
        self._began = clock()

    def spent(self, nodes: int) -> float:
        """The part that is used up after so many nodes, from 0; from 1 on the search ends."""
        if self._stop():
            return 1.0
        by_nodes = nodes / self._nodes if self._nodes else 0.0 if self._nodes is None else 1.0
        if self._seconds is None:
            return by_nodes
        return max(by_nodes, (self._clock() - self._began) / self._seconds if self._seconds > 0 else 1.0)


class Tree:
    """One search from `state`, with `most` nodes at most.

    `among` are the texts to choose from, if not all; `stood` the states that had stood twice before.
    """

    def __init__(
        self,
        fast: Fast,
        state: Any,
        random: Random,
        doubt: float,
        most: int,
        among: Collection[str] = (),
        stood: Collection[Any] = (),
    ) -> None:
        self._fast, self._random, self._doubt, self._most, self._stood = fast, random, doubt, most, stood
        self._bounded: Bounded | None = cast(Bounded, fast) if hasattr(fast, "left") else None
        self._exact: Exact | None = None
        self._plain: Plain | None = fast if isinstance(fast, Plain) else None
        self._looked = self._plain.looked if self._plain else 0
        self._nodes: dict[Any, Node] = {}
        self._games = 0
        self.root = Node(state, fast.side(state), 0.5)
        self._grow(self.root)
        if among:
            self.root.moves = [move for move in self.root.moves if fast.text(state, move) in among]
        while self._made(self.root):  # all children, for each is a possible answer
            pass

    @property
    def nodes(self) -> int:
        """Random games, and positions looked at by exact play; by the readable rules, positions in random games too."""
        looked = self._exact.nodes if self._exact else 0
        return self._games + looked + (self._plain.looked - self._looked if self._plain else 0)

    def walk(self) -> None:
        """Play one random game from where it promises most."""
        more = len(self._nodes) < self._most
        path = [node := self.root]
        self._games += 1
        while (node.children or (more and node.moves)) and not node.proved:
            node = self._next(node, more)
            if not self._bounded and node in path:
                self._count(path, self._repeated(node.state))
                return
            path.append(node)
        if more and node.visits >= RIPE and not node.proved:
            self._grow(node)
            if not node.proved:
                path.append(node := self._next(node, more))
        result = node.value if node.proved else self._fast.playout(node.state, self._random)
        self._count(path, result)

    def _repeated(self, state: Any) -> float:
        """The result by the house rule on repetition; drawn where the fast form does not say."""
        return self._plain.repeated(state) if self._plain else 0.5

    @staticmethod
    def _count(path: list[Node], result: float) -> None:
        proved = False
        for node in reversed(path):
            if proved and not node.proved:
                node.settle()
            proved = node.proved
            if proved:
                result = node.value
            node.count(result)

    def _grow(self, node: Node) -> None:
        """Let `node` have children, which are made as they are walked to; prove it if the game is over."""
        node.hope = node.value
        node.moves = self._fast.moves(node.state)[::-1]
        if not node.moves:
            node.prove(self._fast.result(node.state))

    def _next(self, node: Node, more: bool) -> Node:
        """The child to walk to."""
        child = node.choose(self._doubt, more)
        while child is None:
            child = self._made(node) or node.choose(self._doubt, more)
        return child

    def _made(self, node: Node) -> Node | None:
        """Make one more child; None if the moves that are left only lead to children that exist."""
        fast, nodes = self._fast, self._nodes
        while node.moves:
            state = fast.after(node.state, node.moves.pop())
            child = nodes.get(state)
            if child is None:
                child = nodes[state] = Node(state, fast.side(state), node.hope)
                if state in self._stood:
                    child.prove(self._repeated(state))
            elif child in node.children:
                continue
            node.children.append(child)
            return child
        return None

    def near(self) -> bool:
        """Whether exact play from the root is worth trying."""
        return self._bounded is not None and self._bounded.left(self.root.state) <= self._bounded.exact

    def prove(self, stop: Callable[[], bool]) -> None:
        """Prove the root by exact play, its best children first, unless `stop()` ends it before."""
        bounded = self._bounded
        core = bounded.core() if bounded and hasattr(bounded, "core") else None  # a form of others may have none
        if core is None:
            return
        exact = self._exact = Exact(core)
        with suppress(Stopped):
            for child in self.root.ranked():
                value = exact.value(child.state, stop)
                child.prove(1 - value if child.side else value)
                self.root.settle()
                if self.root.proved:
                    return

    def found(self) -> Found:
        """The best turn so far."""
        root = self.root
        best = root.ranked()[: 1 + OTHERS]
        (turn, value), *others = ((self._text(root, child), root.worth(child)) for child in best)
        errors = tuple(child.error() for child in best)
        return Found(turn, value, self._line(), self.nodes, root.proved, tuple(others), errors)

    def _line(self) -> tuple[str, ...]:
        node = self.root
        texts: list[str] = []
        while node.children and len(texts) < LONGEST:
            best = node.ranked()[0]
            texts.append(self._text(node, best))
            node = best
        return tuple(texts)

    def _text(self, node: Node, child: Node) -> str:
        """The first of the turns that lead to `child`."""
        fast = self._fast
        move = next(move for move in fast.moves(node.state) if fast.after(node.state, move) == child.state)
        return fast.text(node.state, move)


class Uct:
    """Searches one game; each question has a new tree, so that the same question has the same answer."""

    def __init__(
        self, fast: Fast, seed: int = 0, doubt: float = DOUBT, most: int = REMEMBERED, clock: Clock = time.monotonic
    ) -> None:
        self._fast, self._seed, self._doubt, self._most, self._clock = fast, seed, doubt, most, clock

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
        """Better and better answers, at least one; see `Search.find`. `nodes` counts games and positions."""
        budget = Budget(seconds, nodes, stop, self._clock)
        root, stood = self._fast.state(position), Counter(map(self._fast.state, history))
        twice = {state for state, times in stood.items() if times >= 2}
        tree = Tree(self._fast, root, Random(self._seed), self._doubt, self._most, among, twice)
        if not tree.root.children:
            raise ValueError(f"{position}: the game is over, so there is no turn to find")
        return self._answers(tree, budget)

    @staticmethod
    def _answers(tree: Tree, budget: Budget) -> Iterator[Found]:
        def spent() -> float:
            return budget.spent(tree.nodes)

        again, tried = FIRST, not tree.near()
        tree.walk()
        while not tree.root.proved and (part := spent()) < 1:
            if not tried and (part >= OPENING or tree.nodes >= WARM):
                tree.prove(lambda: spent() >= ENDING)
                tried = True
            else:
                tree.walk()
            if tree.nodes >= again and not tree.root.proved:
                yield tree.found()
                again = tree.nodes + tree.nodes // 4
        yield tree.found()


def prepared(game: Game[Any], fast: Fast, seed: int = 0, playing: bool = False) -> Uct:
    """The search of `game`, the same for an opponent; it remembers less where a position is no number."""
    return Uct(fast, seed, most=PLAIN_REMEMBERED if isinstance(fast, Plain) else REMEMBERED)


SEARCH = prepared
