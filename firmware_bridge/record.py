"""The record of a game: one append-only text file, a line an event, safe on disk before the lights say so.

    tablelight 1
    game zong-heng size=8 setup=rows
    sense presence
    12.340 turn c3-c4 ~5f3a
    19.020 note astray zong-heng.majority player=zong-heng.white own=1 ... ~77b0
    31.500 undo 1 ~c0de

``turn``, ``amend``, ``undo``, ``resign`` and ``agree`` make the game; a ``note`` tells what else happened, by
message id. The check at the end of a line tells a damaged one; a line without it is read too.
"""

from __future__ import annotations

import fcntl
import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from threading import Event as Flag
from threading import Thread

from firmware_bridge.lines import FIRST, FORMAT, write_line
from firmware_bridge.referee import Event
from firmware_bridge.saved import RecordError, Saved
from firmware_bridge.sheet import Sheet
from hardware.device import Sense


def heading(sheet: Sheet, sense: Sense) -> list[Sequence[str | int]]:
    """The first lines of a record, as words."""
    game = sheet.game
    options = [f"{name}={value}" for name, value in game.chosen.items()]
    lines: list[Sequence[str | int]] = [("tablelight", FORMAT), ("game", game.name, *options), ("sense", sense.value)]
    if sheet.start != game.start():
        lines.append(("position", *str(sheet.start).split(" ")))
    if not sheet.house_rule:
        lines.append(("house-rule", "off"))
    if sheet.turned:
        lines.append(("turned", "yes"))
    if any(sheet.levels):
        lines.append(("levels", *sheet.levels))
    return lines


def words_of(event: Event, sheet: Sheet) -> Sequence[str | int]:
    """What the record says of `event`."""
    if event.turn and event.name in ("played", "passed"):
        return ("turn", event.turn.text)
    if event.turn and event.name == "amended":
        return ("amend", event.turn.text)
    values = dict(event.say.values)
    if event.name == "undone":
        return ("undo", values["count"])
    if event.say.id == "table.resigned":
        return ("resign", sheet.short_names[sheet.game.players.index(str(values["other"]))])
    if event.say.id == "table.agreed":
        return ("agree",)
    return ("note", event.name, event.say.id, *(f"{name}={value}" for name, value in values.items()))


class Record:
    """An open record of a game that begins, or goes on, at `now` (seconds).

    With `background` a thread of its own writes, so that a slow card never holds up a scan.
    """

    def __init__(
        self,
        path: Path,
        sheet: Sheet,
        sense: Sense,
        saved: Saved | None = None,
        *,
        now: float = 0.0,
        background: bool = False,
    ) -> None:
        self.path = path
        self.problem = ""
        """Why the last lines could not be written, or empty."""
        self._sheet, self._sense = sheet, sense
        self._begun = now - (saved.ended if saved else 0.0)
        self._check = saved.check if saved else FIRST
        self._waiting: deque[str] = deque()
        self._file = self._open(saved)
        self._wake, self._closing = Flag(), Flag()
        self._thread = Thread(target=self._work, daemon=True) if background else None
        if self._thread:
            self._thread.start()

    def _open(self, saved: Saved | None) -> int:
        """The file, made or found, and ours alone."""
        file = -1
        try:
            if not saved:
                create(self.path, "".join(self._checked(words) for words in heading(self._sheet, self._sense)))
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if saved and saved.torn:
                os.truncate(file, saved.whole)
            return file
        except OSError as error:
            if file >= 0:
                os.close(file)
            if isinstance(error, BlockingIOError):
                raise RecordError(f"{self.path}: another tablelight is writing to it; stop that one first") from None
            why = error.strerror or error
            raise RecordError(f"{self.path}: {why}; choose another place with --record") from None

    @property
    def safe(self) -> bool:
        """Whether all that was written so far has reached the disk."""
        if not self._thread:
            self._flush()
        return not self._waiting

    def write(self, events: Sequence[Event], now: float) -> None:
        """Write a line for each event at `now` (seconds)."""
        at = now - self._begun
        self._waiting.append("".join(self._checked(words_of(event, self._sheet), at) for event in events))
        if self._thread:
            self._wake.set()
        else:
            self._flush()

    def _checked(self, words: Sequence[str | int], at: float | None = None) -> str:
        text, self._check = write_line(words, at, self._check)
        return text

    def _work(self) -> None:
        """The thread: flush when there is something to, and try again each second while the disk refuses."""
        while not self._closing.is_set():
            self._wake.wait()
            self._wake.clear()
            while not self._flush() and not self._closing.wait(1.0):
                pass

    def _flush(self) -> bool:
        """Put what waits on the disk, in order and each whole or not at all; whether nothing waits any more."""
        while self._waiting:
            if not self._put(self._waiting[0].encode()):
                return False
            self._waiting.popleft()
        return True

    def _put(self, data: bytes) -> bool:
        end = os.fstat(self._file).st_size
        try:
            if os.write(self._file, data) < len(data):
                raise OSError("the disk is full")
            os.fdatasync(self._file)
        except OSError as error:
            os.truncate(self._file, end)
            self.problem = f"{self.path}: {error.strerror or error}"
            return False
        self.problem = ""
        return True

    def close(self) -> None:
        """Write what is waiting, if the disk lets it, and release the file."""
        self._closing.set()
        self._wake.set()
        if self._thread:
            self._thread.join()
            self._thread = None
        self._flush()
        os.close(self._file)


def create(path: Path, text: str) -> None:
    """Make a file with this text, whole or not at all; OSError, also if there is one by that name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    with draft.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    finally:
        draft.unlink()
