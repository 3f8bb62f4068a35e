"""A game of each kind from start to end, as it was once recorded: every position, every legal turn, the outcome.

A recording changes only when the rules do. ``python tests/games/test_golden.py`` plays the games again and writes
them; read what changed before you commit it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "games"
if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from games.rules import Game, Turn, load, names  # noqa: E402

Chooser = Callable[[tuple[Turn[Any], ...]], Turn[Any]]

SEEDS = {"yin-yang": 285, "zhizhu": 522, "zig-zag": 2958, "zong-heng": 3881}
"""Random games in which rare things happen; `test_the_recordings_contain_what_is_rare` lists them."""


def transcript(game: Game[Any], choose: Chooser) -> Iterator[str]:
    """The lines of a recording of the game in which `choose` picks every turn."""
    position = game.start()
    while turns := game.turns(position):
        chosen = choose(turns)
        yield from (f"position {position}", f"side {position.side}")
        yield from (f"turns {' '.join(sorted(turn.text for turn in turns))}", f"plays {chosen.text}", "")
        position = chosen.after
    outcome = game.outcome(position)
    assert outcome is not None
    yield from (f"position {position}", f"side {position.side}", f"winner {outcome.winner}", f"says {outcome}")


def recording(name: str) -> Path:
    """The file of the recording, in the folder of the game."""
    return FOLDER / name.replace("-", "_") / "golden.txt"


def recorded(name: str) -> list[str]:
    return recording(name).read_text().splitlines()


def replay(lines: list[str]) -> Chooser:
    """Chooses the turns that a recording says were played."""
    played = iter([line.removeprefix("plays ") for line in lines if line.startswith("plays ")])

    def choose(turns: tuple[Turn[Any], ...]) -> Turn[Any]:
        text = next(played)
        (chosen,) = (turn for turn in turns if turn.text == text)
        return chosen

    return choose


@pytest.mark.parametrize("name", names())
def test_the_recorded_game_is_played_as_it_was_recorded(name: str) -> None:
    lines = recorded(name)
    assert list(transcript(load(name), replay(lines))) == lines


def test_every_game_has_a_recording_and_every_recording_a_game() -> None:
    assert sorted(FOLDER.rglob("golden.txt")) == sorted(map(recording, names()))


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("zong-heng", r"turns pass"),
        ("zong-heng", r"says .*largest first, \d+, \d+ beats"),
        ("zhizhu", r"plays [abc]\d(x[abc]\d)+"),
        ("zhizhu", r"plays [abc]\d-[abc]\d(x[abc]\d)+"),
        ("zhizhu", r"plays [^x]+(x[abc]\d){2}"),
        ("zhizhu", r"plays [^x]+(x[abc]\d){3}"),
        ("zhizhu", r"position .*[abc]\d-[abc]\d.*"),
        ("zig-zag", r"turns pass"),
        ("zig-zag", r"position .* [SN] [SN][34] [SN-]"),
    ],
)
def test_the_recordings_contain_what_is_rare(name: str, pattern: str) -> None:
    assert any(re.match(pattern, line) for line in recorded(name))


def record() -> None:
    """Play the games again and write their recordings."""
    for name in names():
        lines = transcript(load(name), Random(SEEDS[name]).choice)
        recording(name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    record()
