"""The record of a game: one append-only text file, a line an event, safe on disk before the lights say so.

    tablelight 1
    game NAME size=8 setup=rows
    sense presence
    12.340 turn c3-c4 ~5f3a
    19.020 note astray NAME.majority player=NAME.white own=1 ... ~77b0
    31.500 undo 1 ~c0de

``turn``, ``amend``, ``undo``, ``resign`` and ``agree`` make the game. A ``note`` tells what else happened, by message
id. The check at the end of a line tells a damaged one; a line without a check is read too.

Reading gives the game as far as it was played. A torn last line is left out. Damage anywhere else is refused with the
line's number, and the file is left as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from threading import Thread

from firmware_bridge.events import Event
from firmware_bridge.records import append_log
from firmware_bridge.records.append_log import AppendLog
from firmware_bridge.records.lines import FIRST, FORMAT, Line, LineError, number, read_lines, write_line
from firmware_bridge.score import ScoreSheet
from games.rules import IllegalTurn, OptionError, PositionError, Reason, clip, load
from hardware.device import Sense

HEADING = ("tablelight", "game", "sense", "house-rule", "turned", "levels", "position")
"""The words of the lines that a record begins with."""
WORDS = ("turn", "amend", "undo", "resign", "agree", "note")
"""The words of the lines after the heading."""
SKILLS = tuple("012345678")
"""How well a side plays: 0 is a person."""
LARGEST = 4_000_000
"""Bytes of a record that is read at all; guessed. A game of a thousand turns is about 60,000."""
LONGEST_VALUE = 200
"""Characters of a value in a note; guessed. What a device or a file says of itself may be of any length."""
RETRY = 1.0
"""Seconds before the next try while the disk refuses; guessed."""


# Reading ------------------------------------------------------------------------------------------


class RecordError(Exception):
    """A record that cannot be used; says which file and line, and why. The file is left as it is."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a record holds: the game as far as it was played, and what to cut off before going on."""

    sheet: ScoreSheet
    sense: Sense
    ended: float
    """The time of the last line, in seconds since the game began."""
    check: int
    """The check of the last line."""
    whole: int
    """The length of the file in bytes up to its last whole line."""
    length: int
    """The length of the file in bytes when it was read."""

    @property
    def torn(self) -> bool:
        """Whether its last line was cut short."""
        return self.whole < self.length


def read_record(path: Path) -> Saved:
    """Read a record; a torn last line is left out, damage anywhere else is a RecordError."""
    data = read_bounded(path, "record")
    whole = data.rfind(b"\n") + 1
    try:
        lines = list(read_lines(data[:whole].decode()))
        check = lines[-1].check if lines else FIRST
        sheet, sense = read_heading(lines)
        for line in lines:
            repeat(sheet, line)
    except UnicodeDecodeError as error:
        damaged = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{path}: line {damaged}: not text; the file is damaged and was left as it is") from None
    except LineError as error:
        raise RecordError(f"{path}: {error}; the file was left as it is") from None
    ended = max((line.at for line in lines if line.at is not None), default=0.0)
    return Saved(sheet, sense, ended, check, whole, len(data))


def read_bounded(path: Path, what: str, largest: int = LARGEST) -> bytes:
    """The whole of a file that should be a `what`, of at most `largest` bytes; RecordError."""
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:  # a path may hold what no path can
        raise RecordError(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    if len(data) > largest:
        raise RecordError(f"{path}: larger than {largest} bytes, which no {what} is")
    return data


def read_heading(lines: list[Line]) -> tuple[ScoreSheet, Sense]:
    """Take the heading off `lines`: the format, the game with its options, the sense, the house rule, the seats,
    who plays, the start."""
    heading: dict[str, Line] = {}
    while lines and lines[0].word in HEADING:
        line = lines.pop(0)
        heading[line.word] = line
    if "tablelight" not in heading or heading["tablelight"].rest != (str(FORMAT),):
        raise LineError(f"line 1: a record of this format begins with 'tablelight {FORMAT}'")
    if "game" not in heading:
        raise LineError("line 2: 'game' and the name of a game are missing")
    told = {word: " ".join(line.rest) for word, line in heading.items()}
    sense = choice(heading, "sense", [sense.value for sense in Sense])
    house_rule = choice(heading, "house-rule", ["on", "off"])
    turned = choice(heading, "turned", ["no", "yes"])
    levels = engine_levels(heading)
    word = "game"
    try:
        name, *options = told["game"].split(" ")
        game = load(name, **dict(map(option, options)))
        word = "position"
        start = game.position(told["position"]) if "position" in told else None
    except (OptionError, PositionError) as error:
        raise LineError(f"line {heading[word].number}: {error}") from None
    sheet = ScoreSheet(game, start, house_rule=house_rule == "on", turned=turned == "yes", levels=levels)
    return sheet, Sense(sense)


def choice(heading: dict[str, Line], word: str, allowed: Sequence[str]) -> str:
    """What the heading says after `word`, the first of `allowed` if it says nothing."""
    if word not in heading:
        return allowed[0]
    told = " ".join(heading[word].rest)
    if told not in allowed:
        raise LineError(f"line {heading[word].number}: {clip(told)!r} is not possible; one of {', '.join(allowed)}")
    return told


def engine_levels(heading: dict[str, Line]) -> tuple[int, int]:
    """Who plays either side, as the heading says: a person (0) or the engine at a level; people if it says nothing."""
    told = heading["levels"].rest if "levels" in heading else ("0", "0")
    if len(told) != 2 or any(word not in SKILLS for word in told):
        line, clipped = heading["levels"].number, clip(" ".join(told))
        raise LineError(
            f"line {line}: {clipped!r} is not possible; two levels, one a side, each from 0 to {SKILLS[-1]}"
        )
    return int(told[0]), int(told[1])


def option(text: str) -> tuple[str, int | str]:
    """``size=8`` as an option and its value."""
    name, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"{clip(text)!r}: an option reads name=value")
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 9 else value


def repeat(sheet: ScoreSheet, line: Line) -> None:
    """Let what `line` tells happen on `sheet`."""
    if line.word not in WORDS:
        raise LineError(f"line {line.number}: {clip(line.word)!r} is not one of {', '.join(WORDS)}")
    try:
        _repeat(sheet, line.word, " ".join(line.rest))
    except (IllegalTurn, LineError) as error:
        raise LineError(f"line {line.number}: {clip(' '.join(line.words))!r}: {error}") from None


def _repeat(sheet: ScoreSheet, word: str, value: str) -> None:
    if word == "turn":
        sheet.read(value)
    elif word == "amend":
        if not sheet.undo():
            raise LineError("there is no turn to change")
        sheet.read(value)
    elif word == "undo":
        take_back(sheet, value)
    elif word in ("resign", "agree") and sheet.outcome:
        raise IllegalTurn(Reason("table.over"))
    elif word == "resign":
        sheet.resign(player(sheet, value))
    elif word == "agree":
        sheet.agree()


def player(sheet: ScoreSheet, name: str) -> int:
    """The side of the player of this short name."""
    if name not in sheet.short_names:
        raise LineError(f"{clip(name)!r} does not play here; {' and '.join(sheet.short_names)} do")
    return sheet.short_names.index(name)


def take_back(sheet: ScoreSheet, count: str) -> None:
    """Drop as many turns as the word `count` says; 0 takes only a resignation or an agreed draw back."""
    if count == "0" and sheet.called_off:
        sheet.go_on()
        return
    turns = number(count, sheet.length)
    if not turns:
        raise LineError(f"{sheet.length} turns can be taken back here")
    sheet.back_to(sheet.length - turns)


# Writing ------------------------------------------------------------------------------------------


class Record:
    """An open record of a game that begins, or goes on, at `now` (seconds).

    With `background` a thread of its own writes, so that a slow card never holds up a scan.
    """

    def __init__(
        self,
        path: Path,
        sheet: ScoreSheet,
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
        self._log = self._open(sense, saved)
        self._end = self._log.size
        """Where the next lines go, in bytes from the beginning of the file."""
        self._waiting: deque[tuple[bytes, int]] = deque()
        """Lines, and where they go."""
        self._wake, self._closing = Flag(), Flag()
        self._thread = Thread(target=self._work, daemon=True) if background else None
        if self._thread:
            self._thread.start()

    def _open(self, sense: Sense, saved: Saved | None) -> AppendLog:
        """The file, made or found, and ours alone."""
        try:
            if saved:
                return append_log.go_on(self.path, saved.length, saved.whole)
            lines = [self._checked(words) for words in heading(self._sheet, sense)]
            lines += [self._checked(words, self._at) for words in played_lines(self._sheet)]
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
        data = "".join(self._checked(event_words(event, self._sheet), at) for event in events).encode()
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
        """The thread: flush when there is something to, and try again every `RETRY` seconds while the disk refuses."""
        while not self._closing.is_set():
            self._wake.wait()
            self._wake.clear()
            while not self._flush() and not self._closing.wait(RETRY):
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
            self._log.add(data, end)
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
        self._log.close()


def heading(sheet: ScoreSheet, sense: Sense) -> list[Sequence[str | int]]:
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


def played_lines(sheet: ScoreSheet) -> list[Sequence[str | int]]:
    """What has been played already, as words: a game that goes on in another record is in that from the first."""
    lines: list[Sequence[str | int]] = [("turn", entry.turn.text) for entry in sheet.played_turns]
    if sheet.called_off and sheet.outcome:
        winner = sheet.outcome.winner
        lines.append(("agree",) if winner is None else ("resign", sheet.short_names[1 - winner]))
    return lines


def event_words(event: Event, sheet: ScoreSheet) -> Sequence[str | int]:
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
