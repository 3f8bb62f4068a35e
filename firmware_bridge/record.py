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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread

from firmware_bridge.lines import FORMAT, Line, LineError, read_lines, write_line
from firmware_bridge.referee import Event
from firmware_bridge.sheet import Sheet
from games.rules import IllegalTurn, OptionError, PositionError, clip, load
from hardware.device import Sense

WORDS = ("turn", "amend", "undo", "resign", "agree", "note")
LARGEST = 4_000_000
"""Bytes; a game of a thousand turns is about 60,000."""


class RecordError(Exception):
    """A record that cannot be used; says which file and line, and why. The file is left as it is."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a record holds: the game as far as it was played, and what to cut off before going on."""

    sheet: Sheet
    sense: Sense
    ended: float
    """The time of the last line, in seconds since the game began."""
    whole: int
    """The length of the file in bytes up to its last whole line."""
    torn: bool


# Reading --------------------------------------------------------------------------------------


def read_record(path: Path) -> Saved:
    """Read a record; a torn last line is left out, damage anywhere else is a RecordError."""
    try:
        data = path.read_bytes()[: LARGEST + 1]
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise RecordError(f"{path}: larger than {LARGEST} bytes, which no record is")
    whole = data.rfind(b"\n") + 1
    try:
        lines = list(read_lines(data[:whole].decode()))
        sheet, sense = read_heading(lines)
        for line in lines:
            repeat(sheet, line)
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{path}: line {number}: not text; the file is damaged and was left as it is") from None
    except LineError as error:
        raise RecordError(f"{path}: {error}; the file was left as it is") from None
    ended = max((line.at for line in lines if line.at is not None), default=0.0)
    return Saved(sheet, sense, ended, whole, torn=whole < len(data))


def read_heading(lines: list[Line]) -> tuple[Sheet, Sense]:
    """Take the heading off `lines`: the format, the game with its options, the sense, the house rule, the start."""
    heading: dict[str, Line] = {}
    while lines and lines[0].word in ("tablelight", "game", "sense", "house-rule", "position"):
        line = lines.pop(0)
        heading[line.word] = line
    if "tablelight" not in heading or heading["tablelight"].rest != (str(FORMAT),):
        raise LineError(f"line 1: a record of this format begins with 'tablelight {FORMAT}'")
    if "game" not in heading:
        raise LineError("line 2: 'game' and the name of a game are missing")
    sense = " ".join(heading["sense"].rest) if "sense" in heading else "presence"
    try:
        return open_sheet(heading), Sense(sense)
    except (OptionError, PositionError) as error:
        raise LineError(f"line {heading['game'].number}: {error}") from None
    except ValueError:
        allowed = ", ".join(sense.value for sense in Sense)
        raise LineError(f"line {heading['sense'].number}: {clip(sense)!r} is no sense; one of {allowed}") from None


def open_sheet(heading: dict[str, Line]) -> Sheet:
    """An empty score sheet for the game of a heading."""
    name, *options = heading["game"].rest or ("",)
    game = load(name, **dict(map(option, options)))
    start = game.position(" ".join(heading["position"].rest)) if "position" in heading else None
    off = "house-rule" in heading and heading["house-rule"].rest == ("off",)
    return Sheet(game, start, house_rule=not off)


def option(text: str) -> tuple[str, int | str]:
    """``size=8`` as an option and its value."""
    name, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"{clip(text)!r}: an option reads name=value")
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 9 else value


def repeat(sheet: Sheet, line: Line) -> None:
    """Let what `line` tells happen on `sheet`."""
    if line.word not in WORDS:
        raise LineError(f"line {line.number}: {clip(line.word)!r} is not one of {', '.join(WORDS)}")
    try:
        _repeat(sheet, line.word, " ".join(line.rest))
    except (IllegalTurn, LineError) as error:
        raise LineError(f"line {line.number}: {clip(' '.join(line.words))!r}: {error}") from None


def _repeat(sheet: Sheet, word: str, value: str) -> None:
    forced = sheet.moments and sheet.moments[-1].turn.text == "pass"
    if word == "turn" and not (value == "pass" and forced):
        sheet.read(value)
    elif word == "amend":
        sheet.undo()
        sheet.read(value)
    elif word == "undo":
        take_back(sheet, value)
    elif word == "resign":
        sheet.resign(int(value == sheet.short_names[1]))
    elif word == "agree":
        sheet.agree()


def take_back(sheet: Sheet, count: str) -> None:
    """Drop as many turns as the word `count` says; 0 takes only a resignation or an agreed draw back."""
    if count == "0" and sheet.called_off:
        sheet.go_on()
        return
    if not (count.isascii() and count.isdigit() and 0 < int(count[:9]) <= sheet.length):
        raise LineError(f"{sheet.length} turns can be taken back here")
    sheet.back_to(sheet.length - int(count))


# Writing --------------------------------------------------------------------------------------


def heading(sheet: Sheet, sense: Sense) -> str:
    """The first lines of a record."""
    game = sheet.game
    options = [f"{name}={value}" for name, value in game.chosen.items()]
    lines: list[Sequence[str | int]] = [("tablelight", FORMAT), ("game", game.name, *options), ("sense", sense.value)]
    if sheet.start != game.start():
        lines.append(("position", *str(sheet.start).split(" ")))
    if not sheet.house_rule:
        lines.append(("house-rule", "off"))
    return "".join(map(write_line, lines))


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
        self._sheet = sheet
        self._begun = now - (saved.ended if saved else 0.0)
        try:
            if not saved:
                create(path, heading(sheet, sense))
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if saved and saved.torn:
                os.truncate(self._file, saved.whole)
        except BlockingIOError:
            raise RecordError(f"{path}: another tablelight is writing to it; stop that one first") from None
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror or error}; choose another place with --record") from None
        self._waiting = 0
        self._written = 0
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._closing = Flag()
        self._thread = Thread(target=self._work, daemon=True) if background else None
        if self._thread:
            self._thread.start()

    @property
    def safe(self) -> bool:
        """Whether all that was written so far has reached the disk."""
        return self._written == self._waiting

    def write(self, events: Sequence[Event], now: float) -> None:
        """Write a line for each event at `now` (seconds)."""
        at = now - self._begun
        text = "".join(write_line(words_of(event, self._sheet), at) for event in events)
        self._waiting += 1
        if self._thread:
            self._lines.put(text)
        else:
            self._put(text)

    def _work(self) -> None:
        while (text := self._lines.get()) is not None:
            self._put(text)

    def _put(self, text: str) -> None:
        """Write `text` whole and flush it; try again each second while the disk refuses."""
        while not self._flushed(text.encode()) and not self._closing.wait(1.0 if self._thread else 0.0):
            if not self._thread:
                return
        self._written += not self.problem

    def _flushed(self, data: bytes) -> bool:
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
        if self._thread:
            self._lines.put(None)
            self._thread.join()
            self._thread = None
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
