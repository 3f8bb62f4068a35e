"""The search for a good turn: what it finds, and which kind of search suits which game.

for found in engine(game).find(position, seconds=2.0):
    found.turn, found.value          # ever better ones; the last is the answer
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from firmware_bridge.engine.compiled import use
from games.fast import Fast, load_fast
from games.rules import Game, Position

KINDS = {"zong-heng": "uct", "yin-yang": "uct", "zhizhu": "alphabeta", "zig-zag": "alphabeta"}
"""Game -> the module of its search: the one that won more games in the same time."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best turn so far, and how much is known of it."""

    turn: str
    value: float
    """The expected score of the side to move, 0 lost, 0.5 drawn, 1 won; exactly one of these if `proved`."""
    line: tuple[str, ...]
    """The turns that are expected from here, `turn` first."""
    nodes: int
    """How much was looked at, by the measure in which `Search.find` is limited."""
    proved: bool
    others: tuple[tuple[str, float], ...]
    """The best few other turns with their values, the best first."""


POLL = 64
"""Positions from one check whether to stop to the next: under a millisecond on the computer this was written on, an
estimated ten on a Zero 2 W."""


class Stopped(Exception):
    """Raised within a search: its seconds or nodes are used up, or `stop()` has said so."""


def never() -> bool:
    """The `stop` of a search that nobody stops."""
    return False


class Search(Protocol):
    """A kind of search over one game."""

    def __init__(self, fast: Fast, seed: int = 0) -> None: ...

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
        """Better and better answers, the last one the best; the same ones for the same seed and `nodes`.

        Ends at the first of `seconds`, `nodes`, `stop()` and a proof; without any of them, never. `history` are the
        positions that stood before `position`, for the house rule on repetition; `among` the texts of the turns to
        choose from, if not all. `ValueError` if the game is over.
        """
        ...


def engine(game: Game[Any], seed: int = 0) -> Search:
    """The search that suits `game`; `OptionError` if there is none."""
    fast = load_fast(game)
    made: Callable[[Fast, int], Search] = import_module(f"firmware_bridge.engine.{KINDS[game.name]}").SEARCH
    return made(fast, seed)


use()  # must come before any module that searches is imported
