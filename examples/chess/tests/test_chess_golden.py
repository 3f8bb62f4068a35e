"""A game from start to end, as it was once recorded: every position, every legal turn, the outcome.

A recording changes only when the rules do. ``python examples/chess/tests/test_chess_golden.py`` plays the game again,
or another one, whose turns are given, and writes it; read what changed before you commit it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

RECORDING = Path(__file__).parents[1] / "tablelight_chess" / "golden.txt"
if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[3])]

from boards import CHESS, turn  # noqa: E402


def recorded() -> list[str]:
    """The lines of the recording."""
    return RECORDING.read_text().splitlines()


def played() -> list[str]:
    """The turns of the recorded game."""
    return [line.removeprefix("plays ") for line in recorded() if line.startswith("plays ")]


def transcript(texts: Iterable[str]) -> Iterator[str]:
    """The lines of a recording of the game with these turns."""
    position = CHESS.start()
    for text in texts:
        yield from (f"position {position}", f"side {position.side}")
        yield from (f"turns {' '.join(sorted(turn.text for turn in CHESS.turns(position)))}", f"plays {text}", "")
        position = turn(position, text).after
    outcome = CHESS.outcome(position)
    assert outcome is not None
    yield from (f"position {position}", f"side {position.side}", f"winner {outcome.winner}", f"says {outcome}")


def test_the_recorded_game_is_played_as_it_was_recorded() -> None:
    assert list(transcript(played())) == recorded()


def test_the_recording_contains_what_is_rare() -> None:
    position, kinds = CHESS.start(), set()
    for text in played():
        made = turn(position, text)
        kinds.add(" ".join(act.kind for act in made.acts))
        position = made.after
    castling, passing = "carry carry", "carry take"
    assert kinds == {"carry", "take carry", castling, passing, "carry flip", "take carry flip"}
    assert {"e8-g8", "e1-c1"} <= {*played()}
    assert {text[5:] for text in played()} == {"", "q", "n"}
    assert "checkmate" in recorded()[-1]


if __name__ == "__main__":
    RECORDING.write_text("\n".join(transcript(sys.argv[1:] or played())) + "\n")
