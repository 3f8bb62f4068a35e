"""The rules agree with a second telling of them, turn by turn, over whole random games."""

from __future__ import annotations

import oracle
import pytest
from asking import FOLDERS, game, walk

TOLD_TWICE = [name for name in FOLDERS if hasattr(oracle, name)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", TOLD_TWICE)
def test_turns_are_those_of_the_oracle(name: str, seed: int) -> None:
    for position, turns, _ in walk(game(name), seed):
        told = getattr(oracle, name)(str(position))
        assert {turn.text: str(turn.after) for turn in turns} == told, str(position)
