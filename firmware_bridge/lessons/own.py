"""Puzzles from one's own games: turns that threw much away where one turn was far better.

Who explains a game keeps them, in one small file beside the records; the newest first, `MOST` at the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from msgspec import DecodeError, Meta, Struct, ValidationError, json

from hardware import files

MOST = 60
"""Puzzles that are kept; guessed: those of some thirty games."""
LARGEST = 1 << 17
"""Bytes that are read at most; a puzzle has some three hundred."""
Name = Annotated[str, Meta(max_length=40)]


class OwnPuzzle(Struct, frozen=True):
    """A position of a `game` with `options`, and the turn that was `better` there; `turn` is the number of that played.

    `goal`: whether the better turn is proved to win. `day` of the game (2026-11-25), `record`: its file's name.
    """

    game: Name
    options: Annotated[dict[Name, int | Name], Meta(max_length=8)]
    position: Annotated[str, Meta(max_length=400)]
    goal: Literal["win", "better"]
    better: Name
    day: Annotated[str, Meta(max_length=10)]
    turn: Annotated[int, Meta(ge=1, le=100_000)]
    record: Annotated[str, Meta(max_length=255)] = ""


_read = json.Decoder(list[OwnPuzzle])


def path_of(records: Path) -> Path:
    """Where they are kept, for the folder of `records`: in one beside them, for theirs has a date."""
    return records / "puzzles" / "own.json"


def read_own(path: Path) -> list[OwnPuzzle]:
    """Those that are kept at `path`, the newest first; none if there are none, or they cannot be read."""
    with suppress(OSError, DecodeError, ValidationError):
        return _read.decode(files.read(path, LARGEST))
    return []


def keep(path: Path, record: str, found: Sequence[OwnPuzzle]) -> None:
    """Keep what was `found` in a game, in the place of what was found there before; OSError."""
    others = [each for each in read_own(path) if each.record != record]
    kept = [*found, *others][:MOST]
    if kept or path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, json.encode(kept))
