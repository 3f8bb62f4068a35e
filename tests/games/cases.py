"""Every game with every value of its options: what the conformance tests run over."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

from games import conformance
from games.conformance import Ply
from games.rules import Game, game_class, load, names


class Case(NamedTuple):
    """A game and its options, as pairs of name and value."""

    name: str
    options: tuple[tuple[str, int | str], ...] = ()

    def __str__(self) -> str:
        return ",".join([self.name, *(f"{option}={value}" for option, value in self.options)])


CASES = [
    *(Case(name, tuple(chosen.items())) for name in names() for chosen in conformance.option_sets(game_class(name))),
    Case("zong-heng", (("size", 6), ("setup", "diagonals"))),
]


@cache
def loaded(case: Case) -> Game[Any]:
    return load(case.name, **dict(case.options))


@cache
def conforming(case: Case) -> conformance.Sample:
    return conformance.sampled(loaded(case), Random(0), Random(1))


def sample(case: Case) -> tuple[Ply, ...]:
    """Some plies of two random games, spread over the whole game, the last ones included."""
    return conforming(case).plies
