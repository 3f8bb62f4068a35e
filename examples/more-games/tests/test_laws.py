"""What every game promises, whatever its rules: the laws of `games.conformance`, in every folder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from time import perf_counter

import pytest
from asking import FOLDERS, game, sample

from games.conformance import LAWS, Law

SLOWEST = 0.02
"""Seconds that all tries of a position may take, on average over the sample, on a slow computer."""
EVERY_GAME = pytest.mark.parametrize("name", FOLDERS)


@EVERY_GAME
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_game_keeps_the_law(name: str, law: Law) -> None:
    assert next(law(sample(name)), "") == ""


def test_every_folder_is_offered_by_its_name() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    offered = project["project"]["entry-points"]["tablelight.games"]
    assert offered == {game(name).name: f"more_games.{name}:GAME" for name in FOLDERS}


@EVERY_GAME
def test_a_game_has_the_name_of_its_folder(name: str) -> None:
    assert game(name).name.replace("-", "_") == name


@EVERY_GAME
def test_the_illegal_turns_of_a_position_are_found_quickly(name: str) -> None:
    began = perf_counter()
    for position, _, _ in sample(name).plies:
        game(name).refused(position)
    assert (perf_counter() - began) / len(sample(name).plies) < SLOWEST
