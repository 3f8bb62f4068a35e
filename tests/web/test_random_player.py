"""The example of a program that plays, at tables of the program as people start it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.running import Program

PLAYER = Path(__file__).parents[2] / "examples" / "random_player" / "random_player.py"


def player(*words: str) -> tuple[int, str]:
    """It as people start it: the exit status and what it says."""
    done = subprocess.run([sys.executable, PLAYER, *words], capture_output=True, text=True, timeout=300)
    assert not done.stderr
    return done.returncode, done.stdout


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path, "zong-heng")
    yield program
    program.end()


GAMES = {"yin-yang": (0, 4), "zhizhu": (23, 21), "zig-zag": (54, 44), "zong-heng": (1, 33)}
"""A seed of each game with which it is soon over, and the turns it takes then."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "yin-yang" else pytest.mark.long) for game in GAMES]
)
def test_a_program_plays_a_whole_game(program: Program, game: str) -> None:
    seed, turns = GAMES[game]
    status, said = player("--url", program.origin, "--game", game, "--seed", str(seed))
    assert (status, f"Turns: {turns}." in said) == (0, True), said
    program.end()
    kept = program.kept(program.latest())
    assert (kept.game.name, kept.length, bool(kept.outcome)) == (game, turns, True)


def test_it_says_why_where_it_cannot_play(program: Program) -> None:
    status, said = player("--url", program.origin, "--game", "g" * 41)
    assert status == 1
    assert "length <= 40" in said
    program.end()
    status, said = player("--url", program.origin)
    assert (status, "tablelight play --page" in said) == (1, True)
