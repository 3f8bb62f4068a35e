"""What every game promises, held against chess: the laws of `games.conformance`, and some of its own."""

from __future__ import annotations

import tomllib
from pathlib import Path
from time import perf_counter

import pytest
from boards import CHESS, sample

from games.conformance import LAWS, Law
from games.rules import load, names

SLOWEST = 0.05
"""Seconds that all tries of a position may take, on average over the sample, on a slow computer."""


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_chess_keeps_the_law(law: Law) -> None:
    assert next(law(sample()), "") == ""


def test_the_program_finds_it_by_its_name() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["tablelight.games"] == {CHESS.name: "tablelight_chess:GAME"}
    assert "chess" in names(installed=True)
    assert isinstance(load("chess"), type(CHESS))


def test_a_refused_turn_begins_no_legal_one() -> None:
    for position, turns, _ in sample().plies:
        legal = {turn.text[:5] for turn in turns}
        assert not {turn.text for turn in CHESS.refused(position)} & legal, str(position)


def test_the_illegal_turns_of_a_position_are_found_quickly() -> None:
    plies = sample().plies
    began = perf_counter()
    for position, _, _ in plies:
        CHESS.refused(position)
    assert (perf_counter() - began) / len(plies) < SLOWEST
