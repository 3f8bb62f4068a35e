"""One alpha-beta search of a tree: the weight of a position at a depth, and what is remembered on the way.

1. **Windows.** The first move is searched with the whole window, the others are only asked whether they are better.
2. **Order.** The move remembered for the position, captures, then moves that have often refuted others.
3. **Repetition.** A position on the way from the root, met again, counts as the house rule would have it, for whoever
   can force it twice can force it three times. One that has stood twice before the search ends the game.
4. **Memory.** Two generations of remembered positions: when the young one is full it becomes the old one.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.engine import POLL
from firmware_bridge.engine.endgame import Endings
from games.fast.weighed import DECIDED, WON, Weighed

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
