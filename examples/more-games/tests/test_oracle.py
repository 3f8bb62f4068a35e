"""The rules agree with a second telling of them, turn by turn, over whole random games.

The tellings are functions named like the games' folders, in `oracle` or in a file ``oracle_<game>.py`` beside it.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from asking import FOLDERS, game, walk

MODULES = [import_module(file.stem) for file in sorted(Path(__file__).parent.glob("oracle*.py"))]
TOLD = {name: getattr(module, name) for module in MODULES for name in FOLDERS if hasattr(module, name)}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", TOLD)
def test_turns_are_those_of_the_oracle(name: str, seed: int) -> None:
    for position, turns, _ in walk(game(name), seed):
        assert {turn.text: str(turn.after) for turn in turns} == TOLD[name](str(position)), str(position)


def test_each_telling_is_compared_once() -> None:
    files = [module.__name__.removeprefix("oracle_") for module in MODULES if module.__name__ != "oracle"]
    assert set(files) <= TOLD.keys()
