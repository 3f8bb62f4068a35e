"""The record of a game: one append-only text file, a line an event; a turn is safe on disk before the lights say so.

    tablelight 1
    game NAME size=8 setup=rows
    sense presence
    12.340 turn c3-c4 ~5f3a
    19.020 note astray NAME.majority player=NAME.white own=1 ... ~77b0
    31.500 undo 1 ~c0de

``turn``, ``amend``, ``undo``, ``resign``, ``flag`` (a player's time is up) and ``agree`` make the game. Where ``clock``
in the heading tells how time is given, a ``time`` follows what changes the turn: what both have left, in seconds, their
periods behind a ``/``, and what was used of the turn in hand. A ``note`` tells what else happened, by message
id; the lights promise nothing by it, and do not wait for it. The check at the end of a line tells a damaged one; a line
without a check is read too.

Reading gives the game as far as it was played. A torn last line is left out. Damage anywhere else is refused with the
line's number, and the file is left as it is. Turns that were taken back are not played again if the program itself has
written the lines, which their checks tell: so the time goes with the length of the game, not with what was tried.

A record that has become too long is left as it is, and the game goes on in another beside it, ``NAME-part-2.table``,
which begins with all turns that stand; in a game of very many turns with the last of them, from a position.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import NamedTuple

from firmware_bridge.clocks import Clock, Control, Left, clocks
from firmware_bridge.events import Event
from firmware_bridge.records import append_log
from firmware_bridge.records.append_log import AppendLog, dated
from firmware_bridge.records.lines import FIRST, FORMAT, Line, LineError, number, read_lines, seconds, write_line
from firmware_bridge.records.shelf import Shelf
from firmware_bridge.score import NAMELESS, PASS, TIMED_OUT, ScoreSheet, people
from games.rules import IllegalTurn, OptionError, PositionError, Reason, clip, load, say
from hardware import files
from hardware.device import Sense

HEADING = ("tablelight", "game", "sense", "house-rule", "turned", "levels", "names", "clock", "position")
"""The words of the lines that a record begins with."""
WORDS = ("turn", "amend", "undo", "resign", "flag", "agree", "time", "note")
"""The words of the lines after the heading."""
TURNS = ("turn", "amend")
"""Those of them that make a turn."""
TIMED = (*TURNS, "undo")
"""Those of them that a ``time`` follows, in a game with clocks."""
SKILLS = tuple("012345678")
"""How well a side plays: 0 is a person."""
LARGEST = 4_000_000
"""Bytes of a record that is read at all; guessed. Earlier versions of the program wrote without end."""
MOST_PLAYED = 10_000
"""Turns that are played to read a record at most; guessed. The program writes fewer (`Bounds`)."""
LONGEST_VALUE = 200
"""Characters of a value in a note; guessed. What a device or a file says of itself may be of any length."""
PART = re.compile(r"-part-\d+$")
"""What tells the records of one game apart."""
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
    made: int
    """The lines of turns in it, those that were taken back included."""

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
        replay = Replay(sheet)
        for line in lines:
            replay.take(line)
        replay.play()
    except UnicodeDecodeError as error:
        damaged = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{path}: line {damaged}: not text; the file is damaged and was left as it is") from None
    except LineError as error:
        raise RecordError(f"{path}: {error}; the file was left as it is") from None
    ended = max((line.at for line in lines if line.at is not None), default=0.0)
    return Saved(sheet, sense, ended, check, whole, len(data), sum(line.word in TURNS for line in lines))


def read_bounded(path: Path, what: str, largest: int = LARGEST) -> bytes:
    """The whole of a file that should be a `what`, of at most `largest` bytes; RecordError."""
    try:
        data = files.read(path, largest)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    if len(data) > largest:
        raise RecordError(f"{path}: larger than {largest} bytes, which no {what} is")
    return data


def read_heading(lines: list[Line]) -> tuple[ScoreSheet, Sense]:
    """Take the heading off `lines`: the format, the game with its options, the sense, the house rule, the seats,
    who plays and what they are called, the clocks, the start."""
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
        word = "names"
        names = people(heading["names"].rest) if "names" in heading else NAMELESS
        word = "clock"
        clock = clocks(told.get("clock", ""))
    except (OptionError, PositionError) as error:
        raise LineError(f"line {heading[word].number}: {error}") from None
    sheet = ScoreSheet(
        game, start, house_rule=house_rule == "on", turned=turned == "yes", levels=levels, clock=clock, names=names
    )
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


class Replay:
    """Lets what lines tell happen on `sheet`, but for turns that are taken back before anything hangs on them.

    Only where the program has written the lines: it writes the forced passes down too, so that one line is one turn.
    """

    def __init__(self, sheet: ScoreSheet) -> None:
        self._sheet = sheet
        self._open: list[tuple[Line, Line | None]] = []
        """Turns that are still to be played, each with the clocks after it."""
        self._played = 0

    def take(self, line: Line) -> None:
        """Take the next line; LineError."""
        if not (line.checked and self._defer(line)):
            self.play()
            self._play(line)

    def play(self) -> None:
        """Play the turns that stand; LineError."""
        for line, time in self._open:
            self._play(line)
            if time:
                self._play(time)
        self._open.clear()

    def _defer(self, line: Line) -> bool:
        """Whether nothing need be played for `line` yet."""
        if line.word == "turn":
            self._open.append((line, None))
        elif line.word == "undo" and (turns := number(" ".join(line.rest), len(self._open))):
            del self._open[-turns:]
        elif line.word == "amend" and self._open and self._open[-1][0].rest != (PASS,) and not any(self._sheet.levels):
            self._open[-1] = replace(line, words=("turn", *line.rest)), None
        elif line.word == "time" and self._open:
            self._open[-1] = self._open[-1][0], line
        else:
            return line.word == "note"
        return True

    def _play(self, line: Line) -> None:
        self._played += line.word in TURNS
        if self._played > MOST_PLAYED:
            raise LineError(f"line {line.number}: more than {MOST_PLAYED} turns, which no game has")
        repeat(self._sheet, line)


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
    elif word == "time":
        sheet.clock = times(sheet, value.split(" "))
    elif word in ("resign", "flag", "agree") and sheet.outcome:
        raise IllegalTurn(Reason("table.over"))
    elif word == "flag":
        sheet.flag(player(sheet, value))
    elif word == "resign":
        sheet.resign(player(sheet, value))
    elif word == "agree":
        sheet.agree()


def player(sheet: ScoreSheet, name: str) -> int:
    """The side of the player of this short name."""
    if name not in sheet.short_names:
        raise LineError(f"{clip(name)!r} does not play here; {' and '.join(sheet.short_names)} do")
    return sheet.short_names.index(name)


def times(sheet: ScoreSheet, told: Sequence[str]) -> Clock | None:
    """The clocks as a ``time`` tells them: what both have left, and perhaps what was used of the turn in hand."""
    if not sheet.clock:
        return None  # they were given up, or what was said of them is missing
    *left, used = told if len(told) == 3 else (*told, "0")
    spent = seconds(used)
    if len(left) != 2 or spent is None:
        raise LineError("it tells what both players have left, in seconds, and what was used of the turn")
    first, second = (left_of(word, sheet.clock.control) for word in left)
    return replace(sheet.clock, left=(first, second), used=spent, since=None, begun=False)


def left_of(word: str, control: Control) -> Left:
    """``598.2``, or ``0/3`` with periods, as what a player has left."""
    main, _, periods = word.partition("/")
    told, count = seconds(main), number(periods or "0", control.periods)
    if told is None or count is None:
        raise LineError(f"{clip(word)!r} is not what a player can have left")
    return Left(told, count)


def time_words(clock: Clock) -> Sequence[str | int]:
    """What the record says of the clocks."""
    left = (f"{each.main:.3f}" + (f"/{each.periods}" if clock.control.periods else "") for each in clock.left)
    return ("time", *left, f"{clock.used:.3f}")


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


class Lines(NamedTuple):
    """Lines that wait for the disk, and where they go, in bytes from the beginning; or the whole of a `new` file."""

    data: bytes
    end: int
    new: bool = False


class Bounds(NamedTuple):
    """How long a record may become before the game goes on in another; guessed.

    A whole evening has some hundred turns. Reading such a record takes a computer of four watts some ten seconds.
    """

    size: int = 250_000
    """Bytes beyond what it begins with."""
    made: int = 2_000
    """Lines of turns, those that were taken back included."""
    kept: int = 500
    """Turns that the other record begins with at most."""
    spare: int = 50
    """Turns that a record has at least which begins with a position, so that a few may be taken back."""


BOUNDS = Bounds()


class Record:
    """An open record of a game that begins, or goes on, at `now` (seconds).

    With `background` a thread of its own writes, so that a slow card never holds up a scan. `shelf` is the folder of
    records, which is told of this one if it lies there. With `after`, the thread that closes the record before, that
    thread also makes the file, once the other one has ended; until then nothing is safe.
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
        shelf: Shelf | None = None,
        bounds: Bounds = BOUNDS,
        after: Thread | None = None,
    ) -> None:
        self.path = path
        """The file that is written to now."""
        self.problem = ""
        """Why the last lines could not be written, or empty."""
        self.refused = ""
        """Why the file could not be made, after the time at which that is a RecordError; then there is no record."""
        self._sheet = sheet
        self._at = saved.ended if saved else 0.0
        self._begun = now - self._at
        self._check = saved.check if saved else FIRST
        self._sense, self._bounds = sense, bounds
        self._timed = time_words(sheet.clock) if sheet.clock and saved else ()
        """How the clocks stand by what was written last."""
        self._first = 0
        """The turn of the game that the file begins with."""
        self._made = saved.made if saved else sheet.length
        self._shelf = shelf if shelf and shelf.holds(path) else None
        self._news: deque[Event] = deque()
        self._is_new = saved is None
        data = b"" if saved else self._beginning()
        self._log = None if after else self._open(data, saved)
        self._end = saved.whole if saved else len(data)
        """Where the next lines go, in bytes from the beginning of the file."""
        self._full = (0 if saved else self._end) + bounds.size
        """Where this file ends at the earliest, so that what it begins with never fills it."""
        self._waiting: deque[Lines] = deque()
        self._given = self._kept = self._promised = 0
        """How many times lines were given to the disk, how many of them it has, and the last that make the game."""
        self._wake, self._closing = Flag(), Flag()
        making = partial(self._make, after, data, saved) if after else None
        self._thread = Thread(target=self._work, args=(making,), daemon=True) if background else None
        if self._thread:
            self._thread.start()
        else:
            self._tell_shelf(new=self._is_new)

    def _make(self, after: Thread, data: bytes, saved: Saved | None) -> bool:
        """Make the file, or find it, once the thread `after` has ended; whether that could be done."""
        after.join()
        try:
            self._log = self._open(data, saved)
        except RecordError as error:
            self.refused = str(error)
        return self._log is not None

    def _open(self, data: bytes, saved: Saved | None = None) -> AppendLog:
        """The file, made with `data` in it or found, and ours alone; RecordError."""
        try:
            after = self._shelf.latest() if self._shelf else append_log.latest(self.path)
            if saved:
                return append_log.go_on(self.path, saved.length, saved.whole, after)
            return append_log.begin(self.path, data, after)
        except BlockingIOError:
            raise RecordError(f"{self.path}: another tablelight is writing to it; stop that one first") from None
        except OSError as error:
            instead = "copy it to another place and resume the copy" if saved else "choose another place with --record"
            raise RecordError(f"{self.path}: {error.strerror or error}; {instead}") from None

    def _beginning(self) -> bytes:
        """The heading, and the turns that stand from the first that is kept in this file."""
        lines = [self._checked(words) for words in heading(self._sheet, self._sense, self._first)]
        lines += [self._checked(words, self._at) for words in played_lines(self._sheet, self._first)]
        return "".join(lines).encode()

    def _tell_shelf(self, *, new: bool) -> None:
        """Tell the folder that this is the newest record, and the players if others had to go for it."""
        if self._shelf:
            with suppress(OSError):  # the next start looks at all records, and the next record tries again
                removed = self._shelf.add(self.path, new=new)
                if removed:
                    self._news.append(Event.of("removed", count=removed, most=self._shelf.most))

    def news(self) -> list[Event]:
        """What the players are to be told of records; told once."""
        return [self._news.popleft() for _ in range(len(self._news))]

    @property
    def saved(self) -> Saved | None:
        """What the file holds once it is closed, so that the game may go on in it; None where it began in another."""
        if self._first:
            return None
        return Saved(self._sheet, self._sense, self._at, self._check, self._end, self._end, self._made)

    @property
    def safe(self) -> bool:
        """Whether all that makes the game has reached the disk; notes may still wait."""
        if not self._thread:
            self._flush()
        return self._log is not None and self._kept >= self._promised

    def write(self, events: Sequence[Event], now: float) -> None:
        """Write a line for each event at `now` (seconds), and how the clocks stand; with no event that alone."""
        at = self._at = max(self._at, now - self._begun)  # no clock makes a time run backwards
        lines = [event_words(event, self._sheet) for event in events]
        self._made += sum(words[0] in TURNS for words in lines)
        if self._sheet.clock and (not lines or any(words[0] in TIMED for words in lines)):
            timed = time_words(self._sheet.clock)
            if not lines and timed == self._timed:
                return
            self._timed = timed
            lines.append(timed)
        if self._is_full(lines):
            length = self._sheet.length
            self._first = length - self._bounds.kept if length > self._bounds.kept else 0
            self._made, self._end, self._check = length - self._first, 0, FIRST
            notes = [words for words in lines if words[0] == "note"]
            data = self._beginning()
            self._full = len(data) + self._bounds.size
            data += self._written(notes, at)
            self._waiting.append(Lines(data, 0, new=True))
        else:
            data = self._written(lines, at)
            self._waiting.append(Lines(data, self._end))
        self._end += len(data)
        self._given += 1
        if any(words[0] not in ("note", "time") for words in lines):
            self._promised = self._given
        if self._thread:
            self._wake.set()
        else:
            self._flush()

    def _is_full(self, lines: Sequence[Sequence[str | int]]) -> bool:
        """Whether these lines, whose turns are on the sheet already, are for another file.

        So they are, too, where they take back what was before the beginning of this one.
        """
        if self._end >= self._full or self._made > self._bounds.made:
            return True
        back = any(words[0] in ("undo", "amend") for words in lines)
        return bool(self._first) and back and self._sheet.length - self._first < self._bounds.spare

    def _written(self, lines: Sequence[Sequence[str | int]], at: float) -> bytes:
        return "".join(self._checked(words, at) for words in lines).encode()

    def _checked(self, words: Sequence[str | int], at: float | None = None) -> str:
        text, self._check = write_line(words, at, self._check)
        return text

    def _work(self, making: Callable[[], bool] | None) -> None:
        """The thread: flush when there is something to, and try again every `RETRY` seconds while the disk refuses."""
        if making and not making():
            return
        self._tell_shelf(new=self._is_new)
        while not self._closing.is_set():
            self._wake.wait()
            self._wake.clear()
            while not self._flush() and not self._closing.wait(RETRY):
                pass

    def _flush(self) -> bool:
        """Put what waits on the disk, in order and each whole or not at all; whether nothing waits any more."""
        while self._waiting:
            if not self._put(self._waiting[0]):
                return False
            self._waiting.popleft()
            self._kept += 1
        return True

    def _put(self, lines: Lines) -> bool:
        try:
            if lines.new:
                self._begin_part(lines.data)
            elif self._log:
                self._log.add(lines.data, lines.end)
        except OSError as error:
            self.problem = f"{self.path}: {error.strerror or error}"
            return False
        self.problem = ""
        return True

    def _begin_part(self, data: bytes) -> None:
        """Go on in another file, beside this one, which stays; OSError."""
        stem = PART.sub("", self.path.stem)
        for part in count(2):
            path = self.path.with_name(f"{stem}-part-{part}{self.path.suffix}")
            if path.exists():
                continue
            after = self._shelf.latest() if self._shelf else dated(self.path)
            log = append_log.begin(path, data, after)
            break
        if self._log:
            self._log.close()
        self._log, self.path = log, path
        self._news.append(Event.of("continued", path=str(path)))
        self._tell_shelf(new=True)

    def close(self) -> None:
        """Write what is waiting, if the disk lets it, and release the file."""
        self._closing.set()
        self._wake.set()
        if self._thread:
            self._thread.join()
            self._thread = None
        if not self._log:
            return
        self._flush()
        self._log.close()
        if self._shelf:  # another program may have begun a record meanwhile, which is not the newest any more
            self._shelf.latest()
            self._tell_shelf(new=False)


def heading(sheet: ScoreSheet, sense: Sense, first: int = 0) -> list[Sequence[str | int]]:
    """The first lines of a record that begins with the turn of this number, from 0, as words."""
    game = sheet.game
    start = sheet.played_turns[first].position if first else sheet.start
    options = [f"{name}={value}" for name, value in game.chosen.items()]
    lines: list[Sequence[str | int]] = [("tablelight", FORMAT), ("game", game.name, *options), ("sense", sense.value)]
    if start != game.start():
        lines.append(("position", *str(start).split(" ")))
    if not sheet.house_rule:
        lines.append(("house-rule", "off"))
    if sheet.turned:
        lines.append(("turned", "yes"))
    if any(sheet.levels):
        lines.append(("levels", *sheet.levels))
    if any(sheet.names):
        lines.append(("names", *sheet.names))
    if sheet.clock:
        lines.append(("clock", str(sheet.clock.control)))
    return lines


def played_lines(sheet: ScoreSheet, first: int = 0) -> list[Sequence[str | int]]:
    """What has been played already, as words, from the turn of this number on."""
    lines: list[Sequence[str | int]] = [("turn", entry.turn.text) for entry in sheet.played_turns[first:]]
    if sheet.clock and (sheet.length > first or sheet.clock.used):
        lines.append(time_words(sheet.clock))
    if sheet.called_off and sheet.outcome:
        winner, lost = sheet.outcome.winner, "flag" if sheet.outcome.reason.id == TIMED_OUT else "resign"
        lines.append(("agree",) if winner is None else (lost, sheet.short_names[1 - winner]))
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
    if event.say.id in ("table.resigned", TIMED_OUT):
        word = "flag" if event.say.id == TIMED_OUT else "resign"
        return (word, sheet.short_names[sheet.game.players.index(str(values["other"]))])
    if event.say.id == "table.agreed":
        return ("agree",)
    told = (f"{name}={clip(str(value), LONGEST_VALUE)}" for name, value in values.items())
    return ("note", event.name, event.say.id, *told)


say(
    "table",
    unrecorded="This game is played without a record ({fault}).",
    continued="The record has become long; the game goes on in {path}.",
    removed="No more than {most} records are kept. Records removed: {count}, those without a turn first, then the "
    "oldest.",
)
