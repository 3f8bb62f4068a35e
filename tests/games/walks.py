"""Random games with fixed seeds, for what must hold in every position that play can reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from games.rules import Game, Position, Turn


class Ply(NamedTuple):
    """A position of a random game, its legal turns, and the one played; None where the game ends."""

    position: Position
    turns: tuple[Turn[Any], ...]
    chosen: Turn[Any] | None


def walk(game: Game[Any], seed: int, most: int = 300) -> Iterator[Ply]:
    """A random game to its end, or its first `most` plies: two of the games can go on for ever.

    Which game a seed gives depends on the texts of the turns alone, not on their order.
    """
    random = Random(seed)
    position = game.start()
    for _ in range(most):
        turns = game.turns(position)
        chosen = random.choice(sorted(turns, key=str)) if turns else None
        yield Ply(position, turns, chosen)
        if chosen is None:
            return
        position = chosen.after


def walks(game: Game[Any], seeds: Iterable[int], most: int = 300) -> Iterator[Ply]:
    """The plies of several random games, one game after another."""
    for seed in seeds:
        yield from walk(game, seed, most)
