"""The search for a good turn: what it finds, and which kind of search suits a game.

for found in engine(game).find(position, seconds=2.0):
    found.turn, found.value          # ever better ones; the last is the answer

A game may bring a search of its own, in a file ``search.py`` of its folder: docs/engine.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from firmware_bridge.engine.compiled import use
from games.fast import Fast, beside, load_fast
from games.rules import Game, Position

NODES = {"uct": 2000, "alphabeta": 20_000}
"""Module of a search -> nodes for a position of a whole game that is analysed: half a second or less on the computer
this was written on for a game with a fast form, some five on a Zero 2 W."""
OWN_NODES = 20_000
"""The same for a search that a game brings; guessed."""


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
    errors: tuple[float, ...] = ()
    """How far off the values may be by chance, of `turn` and of each of the others: the standard error of the mean of
    its random games, 0 where the value is sure. Empty where the search plays none."""


POLL = 64
"""Positions from one check whether to stop to the next: under a millisecond on the computer this was written on, an
estimated ten on a Zero 2 W."""


class Stopped(Exception):
    """Raised within a search: its seconds or nodes are used up, or `stop()` has said so."""


def never() -> bool:
    """The `stop` of a search that nobody stops."""
    return False


class Search(Protocol):
    """A search of one game."""

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


def engine(game: Game[Any], seed: int = 0, *, playing: bool = False) -> Search:
    """The search that suits `game`: its own, or the one for its fast form, or for its rules.

    `playing`: for an opponent, of whom a turn is wanted and no value. It may look deeper, and plays on where an
    analysis would tell a draw.
    """
    return own(game, seed) or suited(game, load_fast(game), seed, playing)


def own(game: Game[Any], seed: int = 0) -> Search | None:
    """The search that `game` brings; None if it brings none, or none that works here."""
    module = beside(game, "search")
    made: Search | None = module.SEARCH(game, seed) if module else None
    return made


def kind(fast: Fast) -> str:
    """The module of the search for a game in this form: what can be weighed need not be played out."""
    return "alphabeta" if hasattr(fast, "weigh") else "uct"


def suited(game: Game[Any], fast: Fast, seed: int, playing: bool = False) -> Search:
    """The search for this form of `game`; `playing`: see `engine`."""
    made: Callable[[Game[Any], Fast, int, bool], Search] = import_module(f"{__name__}.{kind(fast)}").SEARCH
    return made(game, fast, seed, playing)


def thorough(game: Game[Any]) -> int:
    """The nodes for each position of a whole game that is analysed."""
    return OWN_NODES if own(game) else NODES[kind(load_fast(game))]


use()  # must come before any module that searches is imported
