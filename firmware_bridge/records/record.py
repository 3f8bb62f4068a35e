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

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from threading import Event as Flag
from threading import Thread

from firmware_bridge.records import append_log
from firmware_bridge.records.append_log import Ledger
from firmware_bridge.records.lines import FIRST, FORMAT, write_line
from firmware_bridge.records.saved import RecordError, Saved
from firmware_bridge.score import Sheet
from firmware_bridge.table.referee import Event
from games.rules import clip
from hardware.device import Sense

LONGEST_VALUE = 200
"""Characters of a value in a note: what a device or a file says of itself may be anything."""


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


def so_far(sheet: Sheet) -> list[Sequence[str | int]]:
    """What has been played already, as words: a game that goes on in another record is in that from the first."""
    lines: list[Sequence[str | int]] = [("turn", moment.turn.text) for moment in sheet.moments]
    if sheet.called_off and sheet.outcome:
        winner = sheet.outcome.winner
        lines.append(("agree",) if winner is None else ("resign", sheet.short_names[1 - winner]))
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
    told = (f"{name}={clip(str(value), LONGEST_VALUE)}" for name, value in values.items())
    return ("note", event.name, event.say.id, *told)


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
        self._sheet = sheet
        self._at = saved.ended if saved else 0.0
        self._begun = now - self._at
        self._check = saved.check if saved else FIRST
        self._ledger = self._open(sense, saved)
        self._end = self._ledger.size
        """Where the next lines go, in bytes from the beginning of the file."""
        self._waiting: deque[tuple[bytes, int]] = deque()
        """Lines, and where they go."""
        self._wake, self._closing = Flag(), Flag()
        self._thread = Thread(target=self._work, daemon=True) if background else None
        if self._thread:
            self._thread.start()

    def _open(self, sense: Sense, saved: Saved | None) -> Ledger:
        """The file, made or found, and ours alone."""
        try:
            if saved:
                return append_log.go_on(self.path, saved.length, saved.whole)
            lines = [self._checked(words) for words in heading(self._sheet, sense)]
            lines += [self._checked(words, self._at) for words in so_far(self._sheet)]
            return append_log.begin(self.path, "".join(lines).encode())
        except BlockingIOError:
            raise RecordError(f"{self.path}: another tablelight is writing to it; stop that one first") from None
        except OSError as error:
            instead = "copy it to another place and resume the copy" if saved else "choose another place with --record"
            raise RecordError(f"{self.path}: {error.strerror or error}; {instead}") from None

    @property
    def safe(self) -> bool:
        """Whether all that was written so far has reached the disk."""
        if not self._thread:
            self._flush()
        return not self._waiting

    def write(self, events: Sequence[Event], now: float) -> None:
        """Write a line for each event at `now` (seconds)."""
        at = self._at = max(self._at, now - self._begun)  # no clock makes a time run backwards
        data = "".join(self._checked(words_of(event, self._sheet), at) for event in events).encode()
        self._waiting.append((data, self._end))
        self._end += len(data)
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
            if not self._put(*self._waiting[0]):
                return False
            self._waiting.popleft()
        return True

    def _put(self, data: bytes, end: int) -> bool:
        try:
            self._ledger.add(data, end)
        except OSError as error:
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
        self._ledger.close()
