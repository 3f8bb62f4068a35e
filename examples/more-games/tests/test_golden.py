"""A game of each kind from start to end, as it was once recorded: every position, every legal turn, the outcome.

A recording changes only when the rules do. ``python tests/test_golden.py`` plays the games again and writes them;
read what changed before you commit it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

FOLDER = Path(__file__).parents[1] / "more_games"
if __name__ == "__main__":
    sys.path[:0] = [str(FOLDER.parent)]

import pytest  # noqa: E402
from asking import FOLDERS, game  # noqa: E402

from games.rules import Game, Turn  # noqa: E402

Chooser = Callable[[tuple[Turn[Any], ...]], Turn[Any]]


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


def replay(lines: list[str]) -> Chooser:
    """Chooses the turns that a recording says were played."""
    played = iter([line.removeprefix("plays ") for line in lines if line.startswith("plays ")])

    def choose(turns: tuple[Turn[Any], ...]) -> Turn[Any]:
        text = next(played)
        (chosen,) = (turn for turn in turns if turn.text == text)
        return chosen

    return choose


@pytest.mark.parametrize("name", FOLDERS)
def test_the_recorded_game_is_played_as_it_was_recorded(name: str) -> None:
    lines = (FOLDER / name / "golden.txt").read_text().splitlines()
    assert list(transcript(game(name), replay(lines))) == lines


if __name__ == "__main__":
    for each in sys.argv[1:] or FOLDERS:
        recorded = transcript(game(each), Random(17).choice)
        (FOLDER / each / "golden.txt").write_text("\n".join(recorded) + "\n")
