"""`tablelight fit`: what is usual at a table, from its traces; a table to read, and the file that the table goes by.

Traces that are put together must be of one game, one kind of sensors and this version of the program. Where there is
anything else, or too little, a sentence says so and nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path

import tomlkit

from firmware_bridge import __version__
from firmware_bridge.drawing import shapes
from firmware_bridge.i18n import Progress, padded, print_lines, system_words, width
from firmware_bridge.reading import Debounce
from firmware_bridge.reading.constants import FORMAT, read
from firmware_bridge.records import (
    SECOND,
    Line,
    LineError,
    RecordError,
    SavedTrace,
    known_site,
    microseconds_of,
    read_trace,
    repeat,
    sensor_level,
)
from firmware_bridge.workshop.estimate import NEEDED, Evidence, Fitted, Made, Watched, estimate, observe
from games.rules import Reason, say
from hardware.device import Levels, Sense
from hardware.settings import SettingsError

ABOUT = "What is usual at this table, in place of what is usual elsewhere: [table] constants names this file."
SHOWS = ("scan", "right")
"""The lines of a trace that tell what sensors show."""


def fit_table(paths: Sequence[Path], output: Path | None) -> int:
    """Estimate the constants of the table that wrote the traces, and write them to `output`; the exit status.

    RecordError, SettingsError.
    """
    if output:
        check_output(output)
    files = list({path.resolve(): path for path in paths}.values())
    evidence, first = Evidence(), read_alike(files[0])
    with Progress(so_far, sys.stderr) as progress:
        for done, path in enumerate(files, start=1):
            try:
                for watched in games(read_alike(path, first)):
                    evidence.add(observe(watched))
            except LineError as error:
                raise RecordError(f"{path}: {error}") from None
            progress.step(done, len(files))
    if evidence.turns < NEEDED:
        raise RecordError(
            f"{', '.join(path.name for path in files)}: {NEEDED} turns are needed that nothing disturbed, and there "
            f"are {evidence.turns}; give more traces of this table, nothing was changed"
        )
    fitted = estimate(evidence)
    print_lines(*told(fitted).split("\n"))
    if output:
        write(output, first.sheet.game.name, first.sense, fitted, evidence.turns)
        print_lines(system_words().say(written(output, first, evidence.turns)))
    return 0


def so_far(done: int, every: int, left: str) -> Reason:
    """What is told while it works."""
    return Reason.of("fit.so-far", done=done, every=every, left=left)


def written(path: Path, kept: SavedTrace, turns: int) -> Reason:
    """What is told at the end."""
    return Reason.of("fit.written", file=str(path), game=kept.sheet.game.title, turns=turns)


# Traces -----------------------------------------------------------------------------------------


def read_alike(path: Path, first: SavedTrace | None = None) -> SavedTrace:
    """A trace of this version of the program that can be put together with the `first`; RecordError."""
    kept = read_trace(path)
    if kept.version != __version__:
        was = f"version {kept.version}" if kept.version else "another version"
        raise RecordError(f"{path}: written by {was} of the program, and this is {__version__}; play with a new trace")
    if first and about(kept) != about(first):
        raise RecordError(f"{path}: a trace of {about(kept)} among those of {about(first)}; fit each by itself")
    return kept


def about(kept: SavedTrace) -> str:
    """The game with its options, and what the sensors tell."""
    game = kept.sheet.game
    return " ".join([game.name, *(f"{name}={value}" for name, value in game.chosen.items()), "by", kept.sense.value])


def games(kept: SavedTrace) -> Iterator[Watched]:
    """What a trace has of its game: a part from each time on when the board shows the position; LineError."""
    listener = Listener(kept)
    for line in kept.lines:
        yield from listener.hear(line)
    yield from listener.over()


class Listener:
    """What was seen and made, line by line."""

    def __init__(self, kept: SavedTrace) -> None:
        game = kept.sheet.game
        self._sheet, self._sense, self._hold = kept.sheet, kept.sense, kept.debounce
        self._raw: dict[str, int | None] = dict.fromkeys(game.sites)
        self._most = sum(game.start().board) if game.pieces == "seeds" else 2
        self._levels: Levels = ()
        self._at = 0
        self._button = ""
        self._begin()

    def _begin(self) -> None:
        """Watch from here on, as soon as the board shows the position."""
        self._debounce = Debounce(self._hold)
        self._frames: list[tuple[float, Levels]] = []
        self._made: list[Made] = []
        self._start = self._sheet.length
        self._clean, self._taken_back = True, 0

    def over(self) -> Iterator[Watched]:
        """What was watched until here, if there is anything in it; what follows goes by itself."""
        if self._frames and self._made:
            yield Watched(self._sheet.game, self._sense, self._frames, self._made, self._taken_back)
        self._begin()

    def hear(self, line: Line) -> Iterator[Watched]:
        """One line more; what was watched until here, where what follows does not go on from it. LineError."""
        self._at += microseconds_of(line)
        if line.word == "said" and line.rest:
            yield from self._hear(Line(line.number, None, line.rest))
            return
        self._button = line.word
        if line.word == "right":
            yield from self.over()
        if line.word in SHOWS:
            for word in line.rest:
                site, _, text = word.partition("=")
                self._raw[known_site(site, self._raw, line)] = sensor_level(text, self._most, line)
            self._levels = tuple(self._raw.values())
        if self._levels and line.word in (*SHOWS, "quiet"):
            self._see()

    def _see(self) -> None:
        """The sensors are scanned."""
        now = self._at / SECOND
        frame = self._debounce.feed(self._levels, now)
        due = map(self._sense.of, self._sheet.position.board)
        if self._frames:
            if frame is not self._frames[-1][1]:
                self._frames.append((now, frame))
        elif all(level in (None, right) for level, right in zip(frame, due, strict=True)):
            self._start = self._sheet.length
            self._frames.append((now, frame))

    def _hear(self, said: Line) -> Iterator[Watched]:
        """What the table said: which turns there are by now."""
        if said.word == "note":
            self._clean = self._clean and said.rest[0] != "astray"
            return
        before = list(self._sheet.played_turns)
        repeat(self._sheet, said)
        after = self._sheet.played_turns
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))])
        if same < self._start and self._frames:
            yield from self.over()
        if not self._frames:
            return
        dropped = [made for made in self._made[same - self._start :] if made.turn.acts]
        self._made = self._made[: same - self._start]
        if dropped and said.word == "undo":
            self._taken_back += len(dropped) if self._button != "undo" else 0
            self._clean = False
        for played in after[same:]:
            clean = self._clean and not dropped
            self._made.append(Made(played.turn, played.position, self._at / SECOND, clean))
            self._clean = True


# What is told and written -----------------------------------------------------------------------


def told(fitted: Sequence[Fitted]) -> str:
    """A table: each constant as it is usual and here, and how many observations tell so."""
    rows = [[system_words().text(f"fit.{head}") for head in ("constant", "usual", "here", "observations")]]
    rows += [[each.name, f"{each.usual:g}", f"{each.value:g}", f"{each.observations}"] for each in fitted]
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([padded(row[0], wide[0]), *(right(cell, most) for cell, most in zip(row[1:], wide[1:], strict=True))])
        for row in rows
    )


def right(cell: str, columns: int) -> str:
    """`cell` at the right end of so many columns."""
    return " " * (columns - width(cell)) + cell


def check_output(path: Path) -> None:
    """Refuse a file that could not be written later, or holds something else; SettingsError."""
    if not path.parent.is_dir():
        raise SettingsError(f"{path}: there is no such folder; name another file with -o")
    if path.exists():
        try:
            read(path)
        except SettingsError as error:
            raise SettingsError(f"{error}; name another file with -o") from None


def write(path: Path, game: str, sense: Sense, fitted: Sequence[Fitted], turns: int) -> None:
    """Write the constants of one game, in place of those that were estimated before; all else in the file stays."""
    file = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    if not path.exists():
        file.add(tomlkit.comment(ABOUT))
        file["format"] = FORMAT
    others = {
        key: value
        for key, value in kept(file.unwrap(), game, sense).items()
        if key not in {each.name for each in fitted}
    }
    values = tomlkit.table()
    values.comment(f"{turns} turns, version {__version__}")
    values.update(others | {each.name: each.value for each in fitted if each.value != each.usual})
    if game not in file:
        file[game] = tomlkit.table(is_super_table=True)
    file[game][sense.value] = values
    shapes.write(path, tomlkit.dumps(file).encode())


def kept(file: Mapping[str, Mapping[str, Mapping[str, float]]], game: str, sense: Sense) -> Mapping[str, float]:
    """The constants that the file has of this game."""
    return file.get(game, {}).get(sense.value, {})


say(
    "fit",
    so_far="Traces: {done} of {every}, seconds left: about {left}",
    written="{file}: what is usual at this table in {game}. Turns: {turns}. The table goes by it once [table] "
    "constants of the configuration names this file.",
    constant="constant",
    usual="usual",
    here="here",
    observations="observations",
)
