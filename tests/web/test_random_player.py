"""The example of a program that plays, at tables of the program as people start it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Press
from games.rules import load
from hardware.simulation.hands import STYLES
from tests.browser.mirrored import Mirrored
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


def test_it_plays_at_a_real_table_where_a_hand_carries_its_turns_out() -> None:
    table = Mirrored(ScoreSheet(load("yin-yang")))
    words = ("--url", table.origin, "--side", "0", "--name", "Robin", "--seed", "3")
    process = subprocess.Popen([sys.executable, PLAYER, *words], stdout=subprocess.PIPE, text=True)
    daemon = table.table.session.daemon
    assert daemon
    sheet, luck = daemon.table.sheet, Random(3)
    dropped, until = False, time.monotonic() + 120
    try:
        while not sheet.outcome:
            assert time.monotonic() < until, [event.name for event in table.table.events]
            table.run(0.1)
            time.sleep(0.01)
            planned = daemon.table.planned
            if planned and not dropped:
                dropped = True
                (told, *_) = table.table.session.obey(Press("undo"), table.table.now)
                assert told.name == "dropped"
            elif planned or (sheet.position.side == 1 and daemon.table.at_rest):
                table.hands.play(planned or luck.choice(sheet.turns), STYLES["finger"])
                table.run(4.0)
        said = table.answered(lambda _: process.communicate(timeout=60)[0])
    finally:
        process.kill()
        table.close()
    assert "The table lights the turn" in said
    assert f"Turns: {sheet.length}." in said
