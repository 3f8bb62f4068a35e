"""Random games with fixed seeds, for what must hold in every position that play can reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from games import conformance
from games.conformance import Ply
from games.rules import Game


def walk(game: Game[Any], seed: int, most: int = 300) -> Iterator[Ply]:
    """A random game to its end, or its first `most` plies: two of the games can go on for ever."""
    return conformance.walk(game, Random(seed), most)


def walks(game: Game[Any], seeds: Iterable[int], most: int = 300) -> Iterator[Ply]:
    """The plies of several random games, one game after another."""
    for seed in seeds:
        yield from walk(game, seed, most)
