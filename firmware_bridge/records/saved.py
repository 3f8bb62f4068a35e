"""Reading a record back: the game as far as it was played.

A torn last line is left out. Damage anywhere else is refused with the line's number, and the file is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.records.lines import FIRST, FORMAT, Line, LineError, number, read_lines
from firmware_bridge.score import Sheet
from games.rules import IllegalTurn, OptionError, PositionError, Reason, clip, load
from hardware.device import Sense

WORDS = ("turn", "amend", "undo", "resign", "agree", "note")
SKILLS = tuple("012345678")
"""How well a side plays: 0 is a person."""
HEADING = ("tablelight", "game", "sense", "house-rule", "turned", "levels", "position")
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


def read_heading(lines: list[Line]) -> tuple[Sheet, Sense]:
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
    levels = players(heading)
    word = "game"
    try:
        name, *options = told["game"].split(" ")
        game = load(name, **dict(map(option, options)))
        word = "position"
        start = game.position(told["position"]) if "position" in told else None
    except (OptionError, PositionError) as error:
        raise LineError(f"line {heading[word].number}: {error}") from None
    sheet = Sheet(game, start, house_rule=house_rule == "on", turned=turned == "yes", levels=levels)
    return sheet, Sense(sense)


def choice(heading: dict[str, Line], word: str, allowed: Sequence[str]) -> str:
    """What the heading says after `word`, the first of `allowed` if it says nothing."""
    if word not in heading:
        return allowed[0]
    told = " ".join(heading[word].rest)
    if told not in allowed:
        raise LineError(f"line {heading[word].number}: {clip(told)!r} is not possible; one of {', '.join(allowed)}")
    return told


def players(heading: dict[str, Line]) -> tuple[int, int]:
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


def player(sheet: Sheet, name: str) -> int:
    """The side of the player of this short name."""
    if name not in sheet.short_names:
        raise LineError(f"{clip(name)!r} does not play here; {' and '.join(sheet.short_names)} do")
    return sheet.short_names.index(name)


def take_back(sheet: Sheet, count: str) -> None:
    """Drop as many turns as the word `count` says; 0 takes only a resignation or an agreed draw back."""
    if count == "0" and sheet.called_off:
        sheet.go_on()
        return
    turns = number(count, sheet.length)
    if not turns:
        raise LineError(f"{sheet.length} turns can be taken back here")
    sheet.back_to(sheet.length - turns)
