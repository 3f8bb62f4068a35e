"""The folder of records: which is the newest, and how many are kept.

The file ``.newest`` names the record that was begun or gone on with last, the number of records, and the date of the
folder as it was then. It holds as long as the folder has that date, which changes with every record that is made or
removed; else, and where it is damaged, all records are looked at. So a start reads one small file, however many games
there are, and a power cut can make it slower but not wrong.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.records.append_log import dated
from hardware import files

SUFFIX = ".table"
NOTE = ".newest"
BEGUN = re.compile(r"-(\d{8}-\d{6})(?:-|\.|$)")
"""What the name of a record tells of when its game began."""
LONGEST_NOTE = 1000
"""Bytes of the note at most: a name has 255."""
MOST = 2000
"""Records that are kept unless told otherwise; guessed. At a game a day that is five years, in some 20 MB."""
EMPTY = 1000
"""Bytes below which a record is looked at for turns before it is removed; the heading alone has some 100."""
TURN = b"turn "


def begun_at(name: str) -> datetime | None:
    """When a game began, as the name of its record says; None if it does not."""
    with suppress(ValueError):
        if found := BEGUN.search(name):
            return datetime.strptime(found[1], "%Y%m%d-%H%M%S")
    return None


def day_of(name: str) -> str:
    """The day of a game, YEAR-MONTH-DAY, as the name of its record says; empty if it does not."""
    at = begun_at(name)
    return at.strftime("%Y-%m-%d") if at else ""


class Noted(NamedTuple):
    """What the note says: the newest record, and how many there are of them."""

    newest: Path
    records: int


class Shelf:
    """The records in `folder`, of which the newest `most` are kept."""

    def __init__(self, folder: Path, most: int = MOST) -> None:
        self.folder, self.most = folder, most
        self._count: int | None = None

    def holds(self, path: Path) -> bool:
        """Whether a record at `path` is one of these."""
        return path.suffix == SUFFIX and os.path.abspath(path.parent) == os.path.abspath(self.folder)

    def records(self) -> list[Path]:
        """All records, the newest last."""
        dates = {path: dated(path) for path in self._listed()}
        return sorted(dates, key=dates.__getitem__)

    def newest(self) -> Path | None:
        """The record that was begun or written to last; None if there is none."""
        noted = self._noted()
        if noted:
            self._count = noted.records
            return noted.newest
        found = self.records()
        self._count = len(found)
        return found[-1] if found else None

    def latest(self) -> float:
        """The date of the newest record, 0 if there is none; to be asked before another one is begun."""
        newest = self.newest()
        return dated(newest) if newest else 0.0

    def add(self, path: Path, *, new: bool) -> int:
        """The record at `path` is the newest from now on; how many others were removed, since there were too many.

        `new`: it was made since `latest` was asked. OSError; nothing in play is ever removed.
        """
        count = (self._count or 0) + new
        removed = 0
        if count > self.most:
            removed, count = self._clear(path)
        self._count = count
        self._write_note(Noted(path, count))
        return removed

    # The note -------------------------------------------------------------------------------------

    def _noted(self) -> Noted | None:
        """What the note says, if it holds."""
        try:
            count, date, name = files.read(self.folder / NOTE, LONGEST_NOTE).decode().rstrip("\n").split(" ", 2)
            newest = self.folder / name
            holds = int(date) == self.folder.stat().st_mtime_ns and self.holds(newest) and newest.is_file()
            return Noted(newest, int(count)) if holds else None
        except (OSError, ValueError):
            return None

    def _write_note(self, noted: Noted) -> None:
        """Write the note in its place, for a file that is renamed would change the date of the folder; OSError."""
        note = os.open(self.folder / NOTE, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with open(note, "wb") as file:
            file.truncate()
            file.write(f"{noted.records} {self.folder.stat().st_mtime_ns} {noted.newest.name}\n".encode())

    # Too many -------------------------------------------------------------------------------------

    def _listed(self) -> Iterator[Path]:
        """The records, which are ordinary files; none if there is no folder."""
        try:
            with os.scandir(self.folder) as entries:
                yield from (
                    Path(entry.path)
                    for entry in entries
                    if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False)
                )
        except OSError:
            return

    def _clear(self, newest: Path) -> tuple[int, int]:
        """Remove what is too many: how many records were removed, and how many are left.

        First those of games in which no turn was made, so that there is room for some more; then the oldest of the
        others. Neither `newest` nor one that is being written.
        """
        dates = {path: dated(path) for path in self._listed() if path.name != newest.name}
        before = left = len(dates) + 1
        played = {path: has_turns(path) for path in dates}
        for path in sorted(dates, key=lambda path: (played[path], dates[path])):
            if left <= (self.most if played[path] else self.most - self.most // 20):
                break
            left -= remove(path)
        return before - left, left


def has_turns(path: Path) -> bool:
    """Whether a turn was made in the game of the record at `path`, so far as one can tell."""
    try:
        return path.stat().st_size > EMPTY or TURN in files.read(path, EMPTY)
    except OSError:
        return True


def remove(path: Path) -> bool:
    """Remove a record, unless a program is writing to it; whether it is gone."""
    with suppress(OSError):
        file = os.open(path, os.O_RDWR | files.OPEN)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
            return True
        finally:
            os.close(file)
    return False
