"""The index of past games: what each record in a folder holds, in a SQLite file, to be searched and counted.

The records are the truth. The index is made from them, and again where it is missing, damaged or of another version;
only records that have changed are read. Deleting it loses nothing. It lies in a folder of its own beside the records,
since the date of their folder says whether the note about the newest holds (`records.shelf`); where nothing can be
written it is kept in memory. Reading a record plays its game, so none of this is for the loop of a table.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from msgspec import json

from firmware_bridge.records import SUFFIX, RecordError, Saved, begun_at, read_record
from firmware_bridge.score import points
from games.rules import OptionError, Reason, clip, names

VERSION = 1
"""The version of the index; one of another version is made anew."""
PLACE = Path("index") / "games.sqlite"
"""Where the index lies, from the folder of records."""
RESULTS = ("won", "lost", "drawn", "open")
"""The results that can be asked for: won or lost by the player named, or by anybody; drawn; not finished."""
PART = re.compile(r"(?:-part-(\d+))?$")
TOGETHER = 50
"""Records after which what was read is kept, so that a start that is cut short was not for nothing; guessed."""
READING = 0.1
"""Seconds for which whoever only reads waits for one who writes; guessed: the page is not to wait."""
MOST_SHOWN = 500
"""Games that an answer has at most; guessed."""


@dataclass(frozen=True, slots=True)
class Game:
    """A past game: its record, when it was played, what, by whom, and the result.

    `name`, `size` (bytes) and `changed` (nanoseconds) are those of the record. The game `began` at a time like
    ``2026-11-25 20:15`` and `lasted` so many seconds.
    `first` and `second` are names, empty for those who told none; `level_first`, `level_second` the engine's, 0 for
    people. `winner` is 0, 1, or None where nobody has won; `over` whether it was finished. `reason`: the outcome as
    JSON. `fault`: why the record cannot be read, else empty.
    """

    name: str
    size: int
    changed: int
    began: str
    lasted: float = 0.0
    game: str = ""
    options: str = ""
    first: str = ""
    second: str = ""
    level_first: int = 0
    level_second: int = 0
    clock: str = ""
    turns: int = 0
    over: int = 0
    winner: int | None = None
    reason: str = ""
    fault: str = ""

    @property
    def outcome(self) -> Reason | None:
        """How it ended, as a sentence; None if it did not."""
        return json.decode(self.reason, type=Reason) if self.reason else None

    @property
    def result(self) -> str:
        """The result as tournaments write it; a star for a game that is not finished."""
        return points(self.winner) if self.over else "*"


COLUMNS = tuple(field.name for field in fields(Game))


class Wanted(NamedTuple):
    """Which games are wanted: of a player (a part of the name), a game, a result; begun on days since and until."""

    player: str = ""
    game: str = ""
    result: str = ""
    since: str = ""
    until: str = ""


class Score(NamedTuple):
    """How somebody has done in games that are over."""

    who: str
    game: str
    played: int
    won: int
    drawn: int
    lost: int


class Tally(NamedTuple):
    """What is known of all the games of one kind: how many are over, and how many turns they had on average."""

    game: str
    played: int
    first_won: int
    drawn: int
    second_won: int
    turns: float


def wanted(player: str = "", game: str = "", result: str = "", since: str = "", until: str = "") -> Wanted:
    """Which games are wanted, as somebody has typed it; OptionError."""
    if game and game not in names(installed=True):
        raise OptionError(f"{clip(game)!r} is not a game here; one of {', '.join(names(installed=True))}")
    if result and result not in RESULTS:
        raise OptionError(f"{clip(result)!r} is no result; one of {', '.join(RESULTS)}")
    for told in filter(None, (since, until)):
        try:
            date.fromisoformat(told)
        except ValueError:
            raise OptionError(f"{clip(told)!r} is no day; it reads YEAR-MONTH-DAY, such as 2026-11-25") from None
    return Wanted(player.strip()[:100], game, result, since, until)


# The index ------------------------------------------------------------------------------------------


class Index:
    """The index of the records in `folder`; without `writing` it is only read, as it is.

    `patience`: how long another program is waited for that writes to it, in seconds.
    """

    def __init__(self, folder: Path, *, writing: bool = True, patience: float = 10.0) -> None:
        self.folder = folder
        self._patience = patience
        self._file = folder / PLACE
        self._base = self._open(writing=writing)

    def _open(self, *, writing: bool) -> sqlite3.Connection:
        if not writing:
            with suppress(sqlite3.Error):
                base = sqlite3.connect(f"{self._file.absolute().as_uri()}?mode=ro", uri=True, timeout=READING)
                if version(base) == VERSION:
                    return taught(base)
                base.close()
        elif self.folder.is_dir():
            for _ in range(2):  # the second time without what could not be used
                with suppress(OSError, sqlite3.Error):
                    self._file.parent.mkdir(0o700, exist_ok=True)
                    return prepared(sqlite3.connect(self._file, timeout=self._patience))
                with suppress(OSError):
                    self._file.unlink(missing_ok=True)
        return prepared(sqlite3.connect(":memory:"))

    def close(self) -> None:
        """Release the file."""
        self._base.close()

    def update(self, step: Callable[[int, int], None] = lambda done, every: None) -> int:
        """Read the records that have changed, and forget those that are gone: how many were read.

        `step` is told how many of them are done.
        """
        try:
            return self._update(step)
        except sqlite3.Error:  # a full disk, a damaged file, another program that does the same
            self._base.close()
            self._base = prepared(sqlite3.connect(":memory:"))
            return self._update(step)

    def _update(self, step: Callable[[int, int], None]) -> int:
        found = {path.name: path for path in records(self.folder)}
        known = {row[0]: row[1:] for row in self._base.execute("SELECT name, size, changed FROM games")}
        self._base.executemany("DELETE FROM games WHERE name = ?", [(name,) for name in known.keys() - found.keys()])
        new = [path for name, path in found.items() if stamp(path) not in (None, known.get(name))]
        marks = ", ".join("?" * len(COLUMNS))
        for done, path in enumerate(new, start=1):
            if game := looked_at(path):
                self._base.execute(f"INSERT OR REPLACE INTO games VALUES ({marks})", astuple(game))
            if done % TOGETHER == 0:
                self._base.commit()
            step(done, len(new))
        self._base.commit()
        return len(new)

    # What is asked of it ----------------------------------------------------------------------------

    def find(self, what: Wanted, most: int = MOST_SHOWN) -> list[Game]:
        """The games that are wanted, the newest first, `most` at most."""
        where, values = conditions(what)
        rows = self._base.execute(
            f"SELECT * FROM games WHERE {where} ORDER BY began DESC, name DESC LIMIT ?", (*values, most)
        )
        return [Game(*row) for row in rows]

    def count(self, what: Wanted) -> int:
        """How many games are wanted."""
        where, values = conditions(what)
        found: int = self._base.execute(f"SELECT COUNT(*) FROM games WHERE {where}", values).fetchone()[0]
        return found

    def at(self, name: str) -> Game | None:
        """The game whose record has this name."""
        row = self._base.execute("SELECT * FROM games WHERE name = ?", (name,)).fetchone()
        return Game(*row) if row else None

    def scores(self, what: Wanted) -> list[Score]:
        """How the people have done who told their names, game by game, in the games wanted that are over."""
        where, values = conditions(what)
        sides = " UNION ALL ".join(
            f"SELECT {side} AS who, game, winner IS {number} AS won, winner IS {1 - number} AS lost "
            f"FROM games WHERE {where} AND over AND {side} != ''"
            for number, side in enumerate(("first", "second"))
        )
        rows = self._base.execute(
            "SELECT MIN(who), game, COUNT(*), SUM(won), SUM(NOT won AND NOT lost), SUM(lost) "
            f"FROM ({sides}) GROUP BY FOLD(who), game ORDER BY FOLD(who), game",
            (*values, *values),
        )
        part = what.player.casefold()
        return [Score(*row) for row in rows if part in row[0].casefold()]

    def tallies(self, what: Wanted) -> list[Tally]:
        """What is known of all the games wanted that are over, kind by kind."""
        where, values = conditions(what)
        rows = self._base.execute(
            "SELECT game, COUNT(*), SUM(winner IS 0), SUM(winner IS NULL), SUM(winner IS 1), AVG(turns) "
            f"FROM games WHERE {where} AND over GROUP BY game ORDER BY game",
            values,
        )
        return [Tally(*row) for row in rows]


def version(base: sqlite3.Connection) -> int:
    """The version of an index; sqlite3.Error."""
    told: int = base.execute("PRAGMA user_version").fetchone()[0]
    return told


def taught(base: sqlite3.Connection) -> sqlite3.Connection:
    """The index, which takes letters of all languages for one, big or small; SQLite knows that of the English ones."""
    base.create_function("FOLD", 1, str.casefold, deterministic=True)
    return base


def prepared(base: sqlite3.Connection) -> sqlite3.Connection:
    """The index, empty if it is of another version; sqlite3.Error."""
    if version(base) != VERSION:
        base.execute("DROP TABLE IF EXISTS games")
        base.execute(f"CREATE TABLE games ({', '.join(COLUMNS)}, PRIMARY KEY (name))")
        base.execute(f"PRAGMA user_version = {VERSION}")
        base.commit()
    return taught(base)


def named(side: str) -> str:
    """The condition of SQL that the name in this column has a part."""
    return f"INSTR(FOLD({side}), FOLD(?))"


def conditions(what: Wanted) -> tuple[str, list[str]]:
    """What is wanted as a condition of SQL, with its values. A game without a turn, which was only set up, is none."""
    parts, values = ["(turns OR over OR fault != '')"], list[str]()
    if what.player:
        parts.append(f"({named('first')} OR {named('second')})")
        values += [what.player, what.player]
    if what.game:
        parts.append("game = ?")
        values.append(what.game)
    if what.result in ("won", "lost") and what.player:
        ours, theirs = ("0", "1") if what.result == "won" else ("1", "0")
        parts.append(f"((winner = {ours} AND {named('first')}) OR (winner = {theirs} AND {named('second')}))")
        values += [what.player, what.player]
    elif what.result:
        told = {"drawn": "over AND winner IS NULL", "open": "NOT over AND fault = ''"}
        parts.append(told.get(what.result, "winner IS NOT NULL"))
    if what.since:
        parts.append("began >= ?")
        values.append(what.since)
    if what.until:
        parts.append("SUBSTR(began, 1, 10) <= ?")
        values.append(what.until)
    return " AND ".join(parts), values


# The records ----------------------------------------------------------------------------------------


def records(folder: Path) -> Iterator[Path]:
    """The records in `folder`; of a game that went on in another file the last one."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    except OSError:
        return
    last: dict[str, tuple[int, Path]] = {}
    for path in paths:
        found = PART.search(path.stem)
        stem, part = PART.sub("", path.stem), int(found[1]) if found and found[1] else 1
        last[stem] = max(last.get(stem, (part, path)), (part, path))
    yield from (path for _, path in last.values())


def stamp(path: Path) -> tuple[int, int] | None:
    """The size and the date of change of a record, by which one is known that has changed; None if it is gone."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_size, about.st_mtime_ns


def looked_at(path: Path) -> Game | None:
    """What the record at `path` holds; None if it is gone."""
    stamped = stamp(path)
    if not stamped:
        return None
    size, changed = stamped
    try:
        saved = read_record(path)
    except RecordError as error:
        return Game(path.name, size, changed, begun(path, changed, 0.0), fault=str(error).removeprefix(f"{path}: "))
    return described(Game(path.name, size, changed, begun(path, changed, saved.ended)), saved)


def described(game: Game, saved: Saved) -> Game:
    """`game` with what its record has told."""
    sheet = saved.sheet
    outcome = sheet.outcome
    options = " ".join(f"{name}={value}" for name, value in sheet.game.chosen.items())
    return Game(
        game.name, game.size, game.changed, game.began, saved.ended, sheet.game.name, options, *sheet.names,
        *sheet.levels, str(sheet.clock.control) if sheet.clock else "", sheet.length, int(outcome is not None),
        outcome.winner if outcome else None, json.encode(outcome.reason).decode() if outcome else "",
    )  # fmt: skip


def begun(path: Path, changed: int, lasted: float) -> str:
    """When a game began: as the name of its record says, else so long before it was written to last."""
    at = begun_at(path.name) or datetime.fromtimestamp(changed / 1e9 - lasted)
    return at.strftime("%Y-%m-%d %H:%M")
