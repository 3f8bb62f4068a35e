"""What the lines of a record mean: from words to a game, and back.

    tablelight 1
    game NAME size=8 setup=rows
    sense presence
    12.340 turn c3-c4 ~5f3a
    19.020 note astray NAME.majority player=NAME.white own=1 ... ~77b0
    31.500 undo 1 ~c0de

``turn``, ``amend``, ``undo``, ``resign``, ``flag`` (a player's time is up) and ``agree`` make the game. Where ``clock``
in the heading tells how time is given, a ``time`` follows what changes the turn: what both have left, in seconds, their
periods behind a ``/``, and what was used of the turn in hand. A ``note`` tells what else happened, by message id; the
lights promise nothing by it, and do not wait for it. ``note comment TEXT`` is what somebody has written about the
position, a line each.

Turns that were taken back are not played again if the program itself has written the lines, which their checks tell: so
the time goes with the length of the game, not with what was tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware_bridge.clocks import Clock, Control, Left, clocks
from firmware_bridge.events import Event
from firmware_bridge.records.lines import FORMAT, Line, LineError, number, seconds
from firmware_bridge.score import NAMELESS, PASS, TIMED_OUT, ScoreSheet, people
from games.rules import IllegalTurn, OptionError, PositionError, Reason, clip, load
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
COMMENT = "comment"
"""The word behind ``note`` of what somebody has written."""
LONGEST_COMMENT = 1000
"""Characters of a line of it at most, so that the whole line is one that is read."""
MOST_PLAYED = 10_000
"""Turns that are played to read a record at most; guessed. The program writes fewer (`Bounds`)."""
LONGEST_VALUE = 200
"""Characters of a value in a note; guessed. What a device or a file says of itself may be of any length."""


# Reading ------------------------------------------------------------------------------------------


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


def time_words(clock: Clock) -> Sequence[str | int]:
    """What the record says of the clocks."""
    left = (f"{each.main:.3f}" + (f"/{each.periods}" if clock.control.periods else "") for each in clock.left)
    return ("time", *left, f"{clock.used:.3f}")


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


def record_lines(
    sheet: ScoreSheet, sense: Sense, comments: Mapping[int, str] | None = None
) -> list[Sequence[str | int]]:
    """The whole record of a game, as words, with the `comments` by how many turns were made before."""
    told, lines = dict(comments or {}), heading(sheet, sense)
    for made, line in enumerate(played_lines(sheet)):
        lines += comment_lines(told.pop(made, ""))
        lines.append(line)
    return [*lines, *(line for text in told.values() for line in comment_lines(text))]


def comment_lines(text: str) -> list[Sequence[str | int]]:
    """What somebody has written about a position, as words; signs that no line can hold are left out."""
    told = ["".join(sign for sign in line if sign.isprintable()) for line in text.split("\n")] if text else []
    return [("note", COMMENT, line[:LONGEST_COMMENT]) for line in told]


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
