"""Which lessons and puzzles have been solved at this table, kept in one small file; nobody has an account."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from msgspec import DecodeError, ValidationError, json

from games.rules import Game
from hardware import files

_read = json.Decoder(dict[str, set[str]])
LARGEST = 1 << 16
"""Bytes that are read at most; a file of this program has some ten thousand."""


class Progress:
    """What was solved, by games: the names of lessons, the positions of puzzles. In the file `path`, or this evening's.

    A file that cannot be read or written loses nothing but what it should remember: all may be done again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._solved: dict[str, set[str]] = {}
        self._writing: Thread | None = None
        if path:
            with suppress(OSError, DecodeError, ValidationError), path.open("rb") as file:
                self._solved = _read.decode(file.read(LARGEST))

    def solved(self, game: Game[Any]) -> tuple[int, ...]:
        """The numbers of the lessons of `game` that were solved, from 1 on."""
        known = self._solved.get(game.name, set())
        return tuple(number for number, lesson in enumerate(game.lessons, start=1) if lesson.name in known)

    def next_lesson(self, game: Game[Any]) -> int:
        """The number of the first lesson that was not solved, or 1 if all were; `game` has some."""
        done = self.solved(game)
        return next((number for number in range(1, len(game.lessons) + 1) if number not in done), 1)

    def next_puzzle(self, game: Game[Any] | type[Game[Any]], after: int = 0) -> int:
        """The number of the first puzzle behind number `after` that was not solved, from the first one on at the end.

        If all were, simply the next one; `game` has some.
        """
        known, count = self._solved.get(game.name, set()), len(game.puzzles)
        numbers = [(after + place) % count + 1 for place in range(count)]
        return next((number for number in numbers if game.puzzles[number - 1].position not in known), numbers[0])

    def note(self, game: Game[Any], name: str) -> None:
        """What bears this `name` was solved; a thread writes it, for a scan must not wait for a disk."""
        known = self._solved.setdefault(game.name, set())
        if name in known:
            return
        known.add(name)
        if self._path:
            kept: dict[str, Sequence[str]] = {game: sorted(names) for game, names in self._solved.items()}
            before = self._writing
            self._writing = Thread(target=_write, args=(self._path, json.encode(kept), before), name="progress")
            self._writing.start()

    @property
    def known(self) -> dict[str, tuple[str, ...]]:
        """What was solved, by games."""
        return {game: tuple(sorted(names)) for game, names in self._solved.items()}

    def close(self) -> None:
        """Wait until all is on disk."""
        if self._writing:
            self._writing.join()


def _write(path: Path, data: bytes, before: Thread | None) -> None:
    """Write `data` once what was to be written `before` is."""
    if before:
        before.join()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, data)
