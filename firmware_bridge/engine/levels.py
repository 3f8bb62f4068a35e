"""Eight levels of play, from a child's to the engine's best at a table.

found = chosen(game, 3, position)
found.turn          # the turn that a player of level 3 makes

A level errs as people do: it does not look far, and among turns that seem alike it does not always take the best. It
never misses a win in one turn, and never lets the other side win at once where that can be helped. It counts nodes and
not seconds, and uses no table of endings, so the same arguments have the same answer on every computer.

A game says its levels in ``levels.py`` of its folder (`games.fast.Level`); `GUESSED` are those of all others. A search
that a game brings is trusted with what it chooses: nothing is done about wins in one turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import exp
from random import Random
from typing import Any, cast

from firmware_bridge.engine import Found, Search, kind, never, own
from firmware_bridge.engine.alphabeta import CONTEMPT, AlphaBeta
from firmware_bridge.engine.uct import Uct
from games.fast import Fast, Level, Weighed, beside, load_fast
from games.rules import Game, OptionError, Position

LEVELS = 8
"""The best level; the first is 1."""
OTHERS = 5
"""The turns besides the best among which a soft choice is made; guessed."""


GUESSED = (
    Level(100, 1.0),
    Level(300, 0.1),
    Level(600, 0.03),
    Level(1200),
    Level(2500),
    Level(5000),
    Level(10_000),
    Level(20_000),
)
"""The levels of a game that says none: positions looked at, and softness. No match was played about them."""


def levels(game: Game[Any]) -> tuple[Level, ...]:
    """The levels of `game`, from level 1 on; OptionError if these are not as many as there are."""
    module = beside(game, "levels")
    said: tuple[Level, ...] = module.LEVELS if module else GUESSED
    if len(said) != LEVELS:
        raise OptionError(f"{game.name} has {len(said)} levels in its levels.py, and must have {LEVELS}")
    return said


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
    level.
    """
    if not 1 <= level <= LEVELS:
        raise ValueError(f"there is no level {level}: the levels are 1 to {LEVELS}")
    strength = levels(game)[level - 1]
    brought = own(game, seed)
    search = brought or _search(_fast(game), strength, seed)
    *_, found = islice(search.find(position, nodes=strength.nodes, history=history, stop=stop), strength.depth)
    drawn = _drawn(found, strength.softness, Random(f"{seed} {position}"))
    return _changed(found, *next(drawn)) if brought else _picked(_fast(game), position, found, drawn)


def _picked(fast: Fast, position: Position, found: Found, drawn: Iterator[tuple[str, float]]) -> Found:
    """The found turn replaced by a win at once, or else by the first of `drawn` that does not give the game away."""
    state = fast.state(position)
    if not found.proved and (won := _won_at_once(fast, state)):
        return _changed(found, won, 1.0)
    for turn, value in drawn:
        if not _gives_away(fast, state, turn):
            return _changed(found, turn, value)
    return _changed(found, _held(fast, state) or found.turn, found.value)


@lru_cache(maxsize=4)
def _fast(game: Game[Any]) -> Fast:
    """The fast form, kept from turn to turn with the tables that it fills."""
    return load_fast(game)


def _search(fast: Fast, level: Level, seed: int) -> Search:
    if kind(fast) == "uct":
        return Uct(fast, seed)
    return AlphaBeta(cast(Weighed, fast), seed, others=OTHERS if level.softness else 0, contempt=CONTEMPT)


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


def _won_at_once(fast: Fast, state: Any) -> str | None:
    """A turn that ends the game won; None without one."""
    won = 1.0 - fast.side(state)
    for move in fast.moves(state):
        after = fast.after(state, move)
        if not fast.moves(after) and fast.result(after) == won:
            return fast.text(state, move)
    return None


def _gives_away(fast: Fast, state: Any, turn: str) -> bool:
    """Whether `turn` loses the game, or lets the other side win it with the next one."""
    after = next(fast.after(state, move) for move in fast.moves(state) if fast.text(state, move) == turn)
    lost = not fast.moves(after) and fast.result(after) == fast.side(state)
    return lost or _won_at_once(fast, after) is not None


def _held(fast: Fast, state: Any) -> str | None:
    """Any turn after which the other side does not win at once; None without one."""
    texts = (fast.text(state, move) for move in fast.moves(state))
    return next((text for text in texts if not _gives_away(fast, state, text)), None)
