"""Every game with every value of its options, and random games of each: what the conformance tests run over."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from games.rules import Game, load, names
from tests.games.walks import Ply, walk


class Case(NamedTuple):
    """A game and its options, as pairs of name and value."""

    name: str
    options: tuple[tuple[str, int | str], ...] = ()

    def __str__(self) -> str:
        return ",".join([self.name, *(f"{option}={value}" for option, value in self.options)])


def option_sets() -> Iterator[Case]:
    """Each game as it is, and with each other value of one option."""
    for name in names():
        yield Case(name)
        for option, values in load(name).options.items():
            yield from (Case(name, ((option, value),)) for value in values[1:])


CASES = [*option_sets(), Case("zong-heng", (("size", 6), ("setup", "diagonals")))]


@cache
def loaded(case: Case) -> Game[Any]:
    return load(case.name, **dict(case.options))


@cache
def sample(case: Case, games: int = 2, most: int = 12) -> tuple[Ply, ...]:
    """Up to `most` plies of each of some random games, spread over the whole game, the last ones included."""
    plies: list[Ply] = []
    for seed in range(games):
        whole = list(walk(loaded(case), seed))
        plies += [*whole[: -2 : len(whole) // most + 1], *whole[-2:]]
    return tuple(plies)
