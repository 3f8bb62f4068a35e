"""The command: reads a record, weighs it, and writes a report or prints a table."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import json

from firmware_bridge.analysis import html_report, text_report
from firmware_bridge.analysis.evaluation import Analysis, Effort, EvaluatedTurn, Evaluation, Message, message
from firmware_bridge.analysis.evaluation import analyse as weigh
from firmware_bridge.analysis.moments import Moment, moment
from firmware_bridge.analysis.own_games import OwnGame
from firmware_bridge.drawing import shapes
from firmware_bridge.drawing.picture import position_after
from firmware_bridge.engine import compiled, never, thorough
from firmware_bridge.i18n import Progress, Words, print_lines, system_words
from firmware_bridge.lessons import keep
from firmware_bridge.records import Line, Saved, read_heading, read_lines, read_record, repeat
from firmware_bridge.score import ScoreSheet
from games.rules import SENTENCES, Game, Position, Reason, say
from hardware.settings import SettingsError

HELP = frozenset({"helped", "hint", "hint-alike", "hint-best", "hint-loses", "hint-one", "hint-wins"})
"""The events by which a record notes that the table told a player what to do."""
Writer = Callable[[ScoreSheet, Analysis, Words], bytes]


def analyse(wanted: argparse.Namespace) -> int:
    """Analyse a record and say what was written; RecordError, SettingsError, OptionError."""
    write = writer(wanted.output) if wanted.output else None
    saved = read_record(wanted.file)
    compiled.tell(saved.sheet.game)
    try:
        with Progress(so_far, sys.stderr) as progress:
            made = weigh(saved.sheet, effort(wanted, saved.sheet.game), helped(wanted.file, saved), progress.step)
        if write:
            shapes.write(wanted.output, write(saved.sheet, made, system_words()))
    except KeyboardInterrupt:
        print_lines(system_words().text("analysis.stopped"), file=sys.stderr)
        return 1
    if write:
        print_lines(system_words().say(written(wanted.output, saved.sheet, made)))
    else:
        print_lines(*text_report.told(saved.sheet, made, system_words()).split("\n"))
    return 0


def write_report(
    record: Path,
    output: Path,
    beat: Callable[[], bool] = never,
    tell: Callable[[Moment], None] = lambda _: None,
    puzzles: Path | None = None,
) -> None:
    """Write the report on the game of `record`; RecordError, SettingsError, OptionError, OSError.

    `beat` is called as the work goes on, and returns False; `tell` is told of each position once it is weighed. What
    makes a puzzle is kept in the file `puzzles`, if there is to be one.
    """
    write, saved = writer(output), read_record(record)
    game = saved.sheet.game
    thought = Effort(None, thorough(game), seed=0)
    own = OwnGame(saved.sheet, record, thought, beat)

    def weighed(number: int, known: Evaluation, turn: EvaluatedTurn | None) -> None:
        puzzle = puzzles is not None and own.take(number, turn)
        tell(moment(saved.sheet, number, known, turn, puzzle=puzzle))

    made = weigh(saved.sheet, thought, helped(record, saved), lambda _, __: None, beat, weighed)
    beat()
    if puzzles:
        with suppress(OSError):  # the report is what was asked for
            keep(puzzles, record.name, own.found)
    shapes.write(output, write(saved.sheet, made, system_words()))


def so_far(done: int, every: int, left: str) -> Reason:
    """What is told while it works."""
    return Reason.of("analysis.so-far", done=done, every=every, left=left)


def written(path: Path, sheet: ScoreSheet, made: Analysis) -> Reason:
    """What is told at the end."""
    turns, points = sheet.length, len(made.turning_points)
    return Reason.of("analysis.written", file=str(path), game=sheet.game.title, turns=turns, points=points)


def effort(wanted: argparse.Namespace, game: Game[Position]) -> Effort:
    """What suits the game's search, unless something else was asked for; by nodes, and so the same each time."""
    nodes = wanted.nodes if wanted.seconds or wanted.nodes else thorough(game)
    return Effort(wanted.seconds, nodes, wanted.seed)


def writer(path: Path) -> Writer:
    """What makes a file that ends like this; SettingsError."""
    suffix = path.suffix.lower()
    if suffix not in WRITERS:
        raise SettingsError(f"{path}: a report is HTML or JSON; name a file that ends in {' or '.join(WRITERS)}")
    if not path.parent.is_dir():
        raise SettingsError(f"{path}: there is no such folder; name another file with -o")
    return WRITERS[suffix]


def as_json(sheet: ScoreSheet, made: Analysis, words: Words) -> bytes:
    """The analysis as it is."""
    return json.format(json.encode(made)) + b"\n"


def as_html(sheet: ScoreSheet, made: Analysis, words: Words) -> bytes:
    """A report to read."""
    return html_report.report(sheet, made, words).encode()


WRITERS: dict[str, Writer] = {".html": as_html, ".json": as_json}


# Help -----------------------------------------------------------------------------------------


def helped(path: Path, saved: Saved) -> Mapping[int, Sequence[Message]]:
    """Number of a turn -> what the record at `path` says that the player was told before it.

    What was told in a position that was taken back, and came otherwise, is left out.
    """
    with path.open("rb") as file:
        lines = list(read_lines(file.read(saved.whole).decode()))
    sheet, _ = read_heading(lines)
    told: dict[int, list[Message]] = defaultdict(list)
    for line in lines:
        if line.word == "note" and line.rest and line.rest[0] in HELP and stood(saved.sheet, sheet.position, sheet):
            told[sheet.length + 1].append(said(line))
        repeat(sheet, line)
    return told


def stood(played: ScoreSheet, position: Position, sheet: ScoreSheet) -> bool:
    """Whether the game as it was played had that position after as many turns."""
    return sheet.length < played.length and position_after(played, sheet.length) == position


def said(line: Line) -> Message:
    """The sentence of a note."""
    _, id, *pairs = (*line.rest, "", "")[: max(2, len(line.rest))]
    reason = Reason(id, tuple((name, value) for name, _, value in (pair.partition("=") for pair in pairs)))
    try:
        return message(reason)
    except (KeyError, IndexError, ValueError):  # of another version, or typed by hand
        return Message(id, dict(reason.values), SENTENCES.get(id, ""))


say(
    "analysis",
    so_far="Positions: {done} of {every}, seconds left: about {left}",
    written="{file}: the analysis of {game}. Turns: {turns}. Turning points: {points}.",
    stopped="Stopped: nothing was written.",
)
