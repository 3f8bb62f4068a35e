"""Alpha-beta by iterative deepening, for games whose positions can be weighed.

`AlphaBeta` searches depth 1, 2, ... and answers after each; the next depth begins with the best moves of the last. The
window at the root is that of the best few moves, so that those have true values. An answer is *proved* when its weight
is that of a decided game, when every line was followed to the end, or when the table of endings has the position.

`Tree` is one search from one root: the weight of a position at a depth, and what is remembered on the way. Positions
are the words of `games.core`, and it makes no object for one that is not remembered.

1. **Windows.** The first move is searched with the whole window; the others are only tested for being better.
2. **Order.** The move remembered for the position, then captures, the greatest first, then the two moves that refuted
   the last positions at this ply, then those that have often refuted others.
3. **Reductions.** Quiet moves late in this order are searched a ply or two less deep, and again if they are better
   than expected.
4. **Quiet ends.** At the horizon captures are followed on; the mover may also leave it at that.
5. **Repetition.** A position that comes again on the way from the root is weighed by the house rule on repetition:
   whoever can force it twice can force it three times. One that had stood twice before the search ends the game.
   With *contempt* such a draw counts as so much less for the side to move at the root: it plays on.
6. **Memory.** A table of a fixed size with two places for each position: one for what was searched deepest, one for the
   latest.
"""

from __future__ import annotations

import time
from bisect import insort_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from math import tanh
from random import Random
from typing import TYPE_CHECKING, Any, Final

from firmware_bridge.engine import POLL, Found, Stopped, never
from firmware_bridge.engine.endgame import stored
from games.core import KINDS, Core, Slot, Turns, spread
from games.endings import Ask, Endings
from games.fast import DECIDED, WON, Weighed
from games.rules import Game, Position

if TYPE_CHECKING:
    from mypy_extensions import i64

DEEPEST: Final = 99
"""Plies: the search ends before this depth; guessed, more than it reaches in practice."""
SOLVED: Final = 1000
"""The depth at which a position is remembered that was followed to the end: beyond any other."""
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
"""What a remembered weight is: the true one, or a bound of it."""
INFINITE: Final = 4 * WON
"""Beyond any weight."""
WIN: Final = DECIDED
"""`DECIDED`, known to the compiler."""
CONTEMPT: Final = 0.2
"""That of an opponent, as a share of the game's `spread`: some 0.05 of expected score; guessed."""
LEAST_REDUCED: Final = 3
"""The depth from which late moves are searched less deep; a guess."""
LATE: Final = 4
LATER: Final = 12
"""Moves before those that are searched one ply less deep, and two; guesses: no others were tried."""
FIRST: Final = 1 << 40
CAPTURE: Final = 1 << 36
KILLER: Final = 1 << 32
"""How moves are ordered: the remembered one, captures by what they gain, and those that refuted at this ply."""


class Remembered:
    """What is remembered of a position."""

    def __init__(self) -> None:
        self.a: i64 = 0
        self.b: i64 = 0
        self.depth: i64 = -1
        self.bound: i64 = EXACT
        self.weight: i64 = 0
        self.best_a: i64 = 0
        self.best_b: i64 = 0
        """The words after the best move."""


class Ply:
    """What belongs to a number of plies from the root."""

    def __init__(self) -> None:
        self.a: i64 = 0
        self.b: i64 = 0
        """The position on the way."""
        self.killer: i64 = -1
        self.second: i64 = -1
        """The kinds of the moves that refuted the last positions here."""
        self.turns = Turns()


# One search -----------------------------------------------------------------------------------


class Tree:
    """One search from the state `root`, which remembers `most` positions at most, or a few.

    `stood` are the states that had stood twice before the search: the next time the game ends there. `reduce`
    says whether late moves are searched less deep; `contempt` is a weight, 0 or more.
    """

    def __init__(
        self,
        core: Core,
        root: int,
        endings: Endings | None,
        stood: frozenset[int],
        most: int,
        reduce: bool = True,
        contempt: int = 0,
    ) -> None:
        self._core = core
        self._contempt: i64 = contempt
        self._known: Ask | None = endings.known(root, stood) if endings else None
        self._ahead: Ask | None = endings.ahead(root, stood) if endings else None
        self._reach: i64 = endings.reach if endings else -1
        self._reduce = reduce
        self._stood: list[Slot] = [_slot(core, state) for state in stood]
        size = 2
        while 2 * size <= most:
            size *= 2
        self._places: list[Remembered | None] = [None] * size
        self._last: i64 = size - 1
        self._plies: list[Ply] = [Ply()]
        self._refuted: list[Slot] = [Slot() for _ in range(2 * KINDS)]
        self._nodes: i64 = 0
        self._loose: i64 = 0
        self.ask: Callable[[], int] = lambda: POLL
        """Called when `left` is used up: the positions until the next call; raises `Stopped` to end the search."""
        self.left: i64 = POLL
        begun = self._plies[0]
        begun.a, begun.b = core.words(root)

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return int(self._nodes)

    @property
    def loose(self) -> int:
        """How many weights so far were no certain ones: at the horizon, or because a position came again."""
        return int(self._loose)

    @property
    def remembered(self) -> int:
        """How many positions are remembered."""
        return sum(each is not None for each in self._places)

    def weight(self, a: i64, b: i64, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The weight of a position for its side to move, if it lies between alpha and beta; else a bound of it."""
        self._nodes += 1
        self.left -= 1
        if not self.left:
            self.left = self.ask()
        core = self._core
        if self._again(a, b, ply):
            ended = core.repeated(a, b)
            if not ended:
                return self._contempt if ply & 1 else -self._contempt
            return _from_root(ended, ply)
        inside = self._reach >= 0 and core.left(a, b) <= self._reach
        if inside and self._known is not None:
            known = self._known(core.state(a, b))
            if known is not None:
                return _from_root(known, ply)
        if depth <= 0:
            return self._quiet(a, b, alpha, beta, ply, inside)
        found = self._remembered(a, b)
        best_a: i64 = -1
        best_b: i64 = -1
        if found is not None:
            if found.depth >= depth:
                weight = _from_root(found.weight, ply)
                bound = found.bound
                if bound == EXACT or (weight >= beta if bound == AT_LEAST else weight <= alpha):
                    if found.depth < SOLVED:
                        self._loose += 1
                    return weight
            best_a, best_b = found.best_a, found.best_b
        return self._inside(a, b, depth, alpha, beta, ply, best_a, best_b)

    def _again(self, a: i64, b: i64, ply: i64) -> bool:
        """Whether the position has stood twice before the search, or on the way here."""
        for each in self._stood:
            if each.a == a and each.b == b:
                return True
        back = ply - 2
        while back >= 0:
            before = self._plies[back]
            if before.a == a and before.b == b:
                self._loose += 1
                return True
            back -= 2
        return False

    def _ply(self, ply: i64) -> Ply:
        if ply >= len(self._plies):
            self._plies.append(Ply())
        return self._plies[ply]

    def _quiet(self, a: i64, b: i64, alpha: i64, beta: i64, ply: i64, inside: bool) -> i64:
        """The weight at the horizon: what it is worth as it stands, or after the captures that may follow."""
        self._loose += 1
        core = self._core
        best = core.weigh(a, b)
        if inside and self._ahead is not None:
            ahead = self._ahead(core.state(a, b))
            if ahead is not None:
                return _from_root(ahead, ply)
        if best > WIN or best < -WIN:
            return _from_root(best, ply)
        if best >= beta:
            return best
        turns = self._ply(ply).turns
        core.captures(a, b, turns)
        for number in range(turns.many):
            turns.slots[number].order = turns.slots[number].gain
        floor = best if best > alpha else alpha
        for number in range(turns.many):
            chosen = turns.foremost(number)
            self._nodes += 1
            self.left -= 1
            if not self.left:
                self.left = self.ask()
            inside = self._reach >= 0 and core.left(chosen.a, chosen.b) <= self._reach
            weight = -self._quiet(chosen.a, chosen.b, -beta, -floor, ply + 1, inside)
            if weight > best:
                best = weight
                if best >= beta:
                    return best
                if best > floor:
                    floor = best
        return best

    def _inside(self, a: i64, b: i64, depth: i64, alpha: i64, beta: i64, ply: i64, best_a: i64, best_b: i64) -> i64:
        here = self._ply(ply)
        here.a, here.b = a, b
        turns = here.turns
        self._core.fill(a, b, turns)
        if not turns.many:
            return _from_root(self._core.weigh(a, b), ply)
        side = KINDS * (ply & 1)
        for number in range(turns.many):
            slot = turns.slots[number]
            if slot.a == best_a and slot.b == best_b:
                slot.order = FIRST
            elif slot.gain:
                slot.order = CAPTURE + slot.gain
            elif slot.kind == here.killer or slot.kind == here.second:
                slot.order = KILLER
            else:
                slot.order = self._refuted[side + slot.kind].order
        loose = self._loose
        top: i64 = -INFINITE
        for number in range(turns.many):
            chosen = turns.foremost(number)
            next_a, next_b, kind, gain = chosen.a, chosen.b, chosen.kind, chosen.gain
            floor = top if top > alpha else alpha
            weight: i64 = INFINITE
            if number:
                less: i64 = 1
                if self._reduce and not gain and depth >= LEAST_REDUCED and number >= LATE and chosen.order < KILLER:
                    less = 3 if number >= LATER and depth > LEAST_REDUCED else 2
                weight = -self.weight(next_a, next_b, depth - less, -floor - 1, -floor, ply + 1)
                if less > 1 and weight > floor:
                    weight = -self.weight(next_a, next_b, depth - 1, -floor - 1, -floor, ply + 1)
            if not number or floor < weight < beta:
                weight = -self.weight(next_a, next_b, depth - 1, -beta, -floor, ply + 1)
            if weight > top:
                top = weight
                best_a, best_b = next_a, next_b
                if top >= beta:
                    if not gain:
                        self._refute(here, side + kind, kind, depth)
                    break
        bound: i64 = AT_LEAST if top >= beta else AT_MOST if top <= alpha else EXACT
        sure: i64 = SOLVED if loose == self._loose else depth
        self._remember(a, b, sure, bound, _from_here(top, ply), best_a, best_b)
        return top

    def _refute(self, here: Ply, place: i64, kind: i64, depth: i64) -> None:
        """Note that a quiet move of this kind has refuted a position."""
        if here.killer != kind:
            here.second = here.killer
            here.killer = kind
        noted = self._refuted[place]
        noted.order += depth * depth
        if noted.order >= KILLER:
            for each in self._refuted:
                each.order //= 2

    # Memory ----------------------------------------------------------------------------------

    def _place(self, a: i64, b: i64) -> i64:
        """The first of the two places of a position."""
        return spread(a, b) & self._last & ~1

    def _remembered(self, a: i64, b: i64) -> Remembered | None:
        place = self._place(a, b)
        first = self._places[place]
        if first is not None and first.a == a and first.b == b:
            return first
        second = self._places[place + 1]
        if second is not None and second.a == a and second.b == b:
            return second
        return None

    def _remember(self, a: i64, b: i64, depth: i64, bound: i64, weight: i64, best_a: i64, best_b: i64) -> None:
        place = self._place(a, b)
        first, second = self._places[place], self._places[place + 1]
        if first is None:
            first = self._places[place] = Remembered()
        elif not (first.a == a and first.b == b):
            if second is None:
                first = self._places[place + 1] = Remembered()
            elif (second.a == a and second.b == b) or depth < first.depth:
                first = second
        first.a, first.b, first.depth, first.bound, first.weight = a, b, depth, bound, weight
        first.best_a, first.best_b = best_a, best_b

    def best(self, state: int) -> int | None:
        """The state after the best move of a position that is remembered; None of another one."""
        a, b = self._core.words(state)
        found = self._remembered(a, b)
        return None if found is None else self._core.state(found.best_a, found.best_b)

    def after(self, state: int, depth: int, alpha: int, beta: int) -> int:
        """The weight of a position one ply from the root, as `weight`."""
        a, b = self._core.words(state)
        return int(self.weight(a, b, depth, alpha, beta, 1))


def _slot(core: Core, state: int) -> Slot:
    slot = Slot()
    slot.a, slot.b = core.words(state)
    return slot


def _from_root(weight: i64, ply: i64) -> i64:
    """A weight at `ply` as it counts at the root: of two wins the earlier one weighs more."""
    return weight - ply if weight > WIN else weight + ply if weight < -WIN else weight


def _from_here(weight: i64, ply: i64) -> i64:
    """The opposite of `_from_root`."""
    return weight + ply if weight > WIN else weight - ply if weight < -WIN else weight


# Deepening ------------------------------------------------------------------------------------

Move = tuple[str, int]
"""The text of a turn of the root, and the state after it."""
Ranked = list[tuple[int, Move]]
"""Turns of the root with their weights, the best first."""


class AlphaBeta:
    """Searches one game; `seed` decides between moves of one weight, `clock` tells seconds.

    `endings` is the game's table of endings, if there is one. `others` is how many moves besides the best have true
    values. `most` is how many positions are remembered: 131,072 take about 15 MB. `reduce`: see `Tree`. `contempt` is
    a share of the game's spread, 0 or more.
    """

    def __init__(
        self,
        fast: Weighed,
        seed: int = 0,
        *,
        endings: Endings | None = None,
        others: int = 2,
        most: int = 1 << 17,
        reduce: bool = True,
        contempt: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fast = fast
        self._seed = seed
        self.endings = endings
        self._others = others
        self._most = most
        self._reduce = reduce
        self._contempt = round(contempt * fast.spread)
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
        tree = Tree(self._fast.core(), root, self.endings, stood, self._most, self._reduce, self._contempt)
        ask = self._limits(tree, seconds, nodes, stop)
        return self._deepen(tree, self._shuffled(root, among), root, stood, ask)

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

    def _deepen(
        self, tree: Tree, ranked: Ranked, root: int, stood: Collection[int], ask: Callable[[], int]
    ) -> Iterator[Found]:
        for depth in range(1, DEEPEST):
            loose = tree.loose
            new: Ranked = []
            try:
                self._rank(tree, [move for _, move in ranked], depth, new)
            except Stopped:
                # A loss is not sure while some turns have not been searched.
                if new and new[0][1] != ranked[0][1] and new[0][0] > -DECIDED:
                    yield self._found(tree, root, stood, _merged(new, ranked), False)
                return
            ranked, solved = new, loose == tree.loose
            yield self._found(tree, root, stood, ranked, solved)
            best = ranked[0][0]
            if solved or best >= WON - depth or -WON <= best <= depth - WON:  # no sooner win, no later loss
                return
            tree.ask, tree.left = ask, 1

    def _shuffled(self, root: int, among: Collection[str]) -> Ranked:
        fast = self._fast
        moves = fast.moves(root)
        Random(self._seed).shuffle(moves)
        turns = [(fast.text(root, move), fast.after(root, move)) for move in moves]
        return [(0, turn) for turn in turns if not among or turn[0] in among]

    def _rank(self, tree: Tree, moves: list[Move], depth: int, ranked: Ranked) -> None:
        """Fill `ranked` with the moves of the root; the best few have their weights, the others an upper bound."""
        for move in moves:
            floor = ranked[self._others][0] if len(ranked) > self._others else -INFINITE
            weight = floor + 1
            if floor > -INFINITE:
                weight = -tree.after(move[1], depth - 1, -floor - 1, -floor)
            if weight > floor:
                weight = -tree.after(move[1], depth - 1, -INFINITE, -floor)
            insort_right(ranked, (weight, move), key=lambda ranked: -ranked[0])

    def _found(self, tree: Tree, root: int, stood: Collection[int], ranked: Ranked, solved: bool) -> Found:
        exact = self.endings.exact(root, stood) if self.endings else None
        if exact:
            ranked, solved = self._exact(exact, stood, ranked), True
        weights = [(text, weight) for weight, (text, _) in ranked[: self._others + 1]]
        (turn, value), *others = [(text, self._value(weight, solved)) for text, weight in weights]
        weight, (_, after) = ranked[0]
        line = (turn, *self._line(tree, after, stood))
        return Found(turn, value, line, tree.nodes, solved or abs(weight) > DECIDED, tuple(others))

    def _exact(self, exact: Ask, stood: Collection[int], ranked: Ranked) -> Ranked:
        """The moves ranked by the table of endings; of equal ones the search's weight decides which comes first."""
        known = [(None if move[1] in stood else exact(move[1]), weight) for weight, move in ranked]
        weights = [weight if after is None else -after for after, weight in known]
        moves = [(weight, move) for weight, (_, move) in zip(weights, ranked, strict=True)]
        return sorted(moves, key=lambda move: -move[0])

    def _line(self, tree: Tree, state: int, stood: Collection[int]) -> Iterator[str]:
        """The best turns from `state` on, as far as they are remembered or the endings know them."""
        fast, seen = self._fast, set(stood)
        while state not in seen:
            seen.add(state)
            turns = {fast.after(state, move): fast.text(state, move) for move in fast.moves(state)}
            best = tree.best(state) or self._onward(state, stood, turns)
            if best is None or best not in turns:
                return
            yield turns[best]
            state = best

    def _onward(self, state: int, stood: Collection[int], turns: Collection[int]) -> int | None:
        """The state after the turn that leads nearest to the end, if the endings have distances."""
        if not self.endings:
            return None
        weight, ahead = self.endings.known(state, stood)(state), self.endings.ahead(state, stood)
        told = [(ahead(after), after) for after in turns]
        worth = [(-(self._fast.weigh(after) if value is None else value), after) for value, after in told]
        best, after = max(worth, default=(0, -1))
        return after if weight is not None and abs(best) > abs(weight) else None

    def _value(self, weight: int, solved: bool) -> float:
        """The expected score for a weight: certain, or by the game's `spread`."""
        if solved or abs(weight) > DECIDED:
            return 0.5 if not weight else float(weight > 0)
        return (1 + tanh(weight / self._fast.spread / 2)) / 2


def _merged(new: Ranked, old: Ranked) -> Ranked:
    """The moves of a depth that was broken off, and behind them the others in the order of the depth before."""
    searched = {move for _, move in new}
    return new + [(min(weight, new[-1][0]), move) for weight, move in old if move not in searched]


def prepared(game: Game[Any], fast: Weighed, seed: int = 0, playing: bool = False) -> AlphaBeta:
    """The search of `game` with the table of endings, if there is one; `playing`: as an opponent, who plays to win."""
    if playing:
        return AlphaBeta(fast, seed, endings=stored(game), others=0, contempt=CONTEMPT)
    return AlphaBeta(fast, seed, endings=stored(game))


SEARCH = prepared
