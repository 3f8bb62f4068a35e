"""Eight levels of play, from a child's to the engine's best at a table.

found = chosen(game, 3, position)
found.turn          # the turn that a player of level 3 makes

A level errs as people do: it does not look far, and among turns that seem alike it does not always take the best. It
never misses a win in one turn, and never lets the other side win at once where that can be helped. It counts nodes and
not seconds, and uses no table of endings, so the same arguments have the same answer on every computer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import exp
from random import Random
from typing import Any, NamedTuple, cast

from firmware_bridge.engine import KINDS, Found, Search, never
from firmware_bridge.engine.alphabeta import AlphaBeta
from firmware_bridge.engine.uct import Ending, Uct
from games.fast import Fast, Weighed, load_fast
from games.rules import Game, Position

LEVELS = 8
"""The best level; the first is 1."""
OTHERS = 5
"""The turns besides the best among which a soft choice is made; guessed."""


class Level(NamedTuple):
    """How far a level looks and how softly it chooses."""

    nodes: int
    """Random games, or positions, looked at for a turn."""
    softness: float = 0.0
    """The expected score (0..1) that is given away about as often as not; 0: the best turn is taken always."""
    depth: int | None = None
    """Plies looked ahead at most, where the search goes by plies; None for no limit."""


TABLE: dict[str, tuple[Level, ...]] = {
    "zong-heng": (
        Level(4, 1.0),
        Level(40, 0.13),
        Level(70, 0.03),
        Level(150),
        Level(330),
        Level(800),
        Level(2200),
        Level(7000),
    ),
    "yin-yang": (
        Level(3, 1.0),
        Level(25, 0.06),
        Level(75, 0.02),
        Level(180),
        Level(380),
        Level(780),
        Level(1600),
        Level(6600),
    ),
    "zhizhu": (
        Level(500, 0.8, 1),
        Level(2000, 0.18, 2),
        Level(2000, 0.09, 2),
        Level(2000, 0.028, 2),
        Level(2000, 0.0, 2),
        Level(6000, 0.0, 3),
        Level(10000, 0.0, 4),
        Level(25000),
    ),
    "zig-zag": (
        Level(500, 0.2, 1),
        Level(500, 0.15, 2),
        Level(500, 0.06, 2),
        Level(500, 0.025, 2),
        Level(500, 0.0, 3),
        Level(1000, 0.0, 4),
        Level(3000, 0.0, 6),
        Level(30000),
    ),
}
"""Game -> its levels from 1 on, set so that a level beats the one below; `benchmarks.strength` plays these matches."""


def chosen(
    game: Game[Any],
    level: int,
    position: Position,
    history: Sequence[Position] = (),
    seed: int = 0,
    stop: Callable[[], bool] = never,
) -> Found:
    """The turn that a player of `level`, 1 to 8, makes; the same for the same arguments, unless `stop()` comes first.

    `history` are the positions that stood before `position`. `ValueError` if the game is over or there is no such
    level, `OptionError` if the game cannot be searched.
    """
    if not 1 <= level <= LEVELS:
        raise ValueError(f"there is no level {level}: the levels are 1 to {LEVELS}")
    strength = TABLE[game.name][level - 1]
    searched = _search(game, strength, seed).find(position, nodes=strength.nodes, history=history, stop=stop)
    *_, found = islice(searched, strength.depth)
    return _picked(_fast(game), position, found, _drawn(found, strength.softness, Random(f"{seed} {position}")))


def _picked(fast: Fast, position: Position, found: Found, drawn: Iterator[tuple[str, float]]) -> Found:
    """The found turn replaced by a win at once, or else by the first of `drawn` that does not give the game away."""
    state = fast.state(position)
    if (won := _won_at_once(fast, state)) is not None and not found.proved:
        return _changed(found, fast.text(state, won), 1.0)
    for turn, value in drawn:
        if not _gives_away(fast, state, turn):
            return _changed(found, turn, value)
    return _changed(found, _held(fast, state) or found.turn, found.value)


@lru_cache(maxsize=4)
def _fast(game: Game[Any]) -> Fast:
    """The fast form, kept from turn to turn with the tables that it fills."""
    return load_fast(game)


def _search(game: Game[Any], level: Level, seed: int) -> Search:
    fast = _fast(game)
    if KINDS[game.name] == "uct":
        return Uct(cast(Ending, fast), seed)
    return AlphaBeta(cast(Weighed, fast), seed, others=OTHERS if level.softness else 0)


def _drawn(found: Found, softness: float, random: Random) -> Iterator[tuple[str, float]]:
    """The best turns in a random order, in which a better one is likely to come sooner."""
    turns = [(found.turn, found.value), *found.others]
    if not softness or found.proved:
        yield from turns
        return
    while turns:
        weights = [exp(min(0.0, value - found.value) / softness) for _, value in turns]
        yield turns.pop(random.choices(range(len(turns)), weights)[0])


def _changed(found: Found, turn: str, value: float) -> Found:
    """What was found, with `turn` in place of the best one."""
    if turn == found.turn:
        return found
    others = tuple(other for other in ((found.turn, found.value), *found.others) if other[0] != turn)
    return replace(found, turn=turn, value=value, line=(turn,), proved=False, others=others)


def _won_at_once(fast: Fast, state: int) -> int | None:
    """A move that ends the game won; None without one."""
    won = 1.0 - fast.side(state)
    for move in fast.moves(state):
        after = fast.after(state, move)
        if not fast.moves(after) and fast.result(after) == won:
            return move
    return None


def _gives_away(fast: Fast, state: int, turn: str) -> bool:
    """Whether `turn` loses the game, or lets the other side win it with the next one."""
    after = next(fast.after(state, move) for move in fast.moves(state) if fast.text(state, move) == turn)
    lost = not fast.moves(after) and fast.result(after) == fast.side(state)
    return lost or _won_at_once(fast, after) is not None


def _held(fast: Fast, state: int) -> str | None:
    """Any turn after which the other side does not win at once; None without one."""
    texts = (fast.text(state, move) for move in fast.moves(state))
    return next((text for text in texts if not _gives_away(fast, state, text)), None)
