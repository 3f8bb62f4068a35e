"""Games that are looked back at beside the one in play: past ones, and those that a browser has brought.

A text that is brought comes over the browser's own line, in parts, and is checked by the rules; the table hears nothing
of it. Its game lies in a folder that ends with the page, under a key that nobody can guess, for whoever has that.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from firmware_bridge.clocks import control_text
from firmware_bridge.exchange import LARGEST, Carried, Unreadable, read_game, record_text
from firmware_bridge.i18n import Words
from firmware_bridge.records import SUFFIX, day_of
from firmware_bridge.session import Now, Table, story_snapshot
from firmware_bridge.web.forms import NowForm, StoryForm, TableForm
from firmware_bridge.web.snapshots import now_form, story_form, table_form
from games.rules import Game, Position, Reason, say
from hardware import files

KEPT = 8
"""Games that were brought and are kept at most, the last ones; a guess."""
LARGEST_RECORD = 1_000_000
"""Bytes of a past game that is opened at most; guessed. The program writes a third of that."""
PART = 3500
"""Characters of a part of a text at most: with its frame it is to be one message, see `Limits`."""


class Bring(Struct, frozen=True, tag_field="do", tag="bring"):
    """A part of the text of a game that is to be looked back at: the first has the `number` 0, of so many.

    `name`: of the file, which may tell the day; empty for none.
    """

    number: Annotated[int, Meta(ge=0, lt=400)]
    of: Annotated[int, Meta(ge=1, le=400)]
    text: Annotated[str, Meta(max_length=PART)]
    name: Annotated[str, Meta(max_length=200)] = ""


class OpenedForm(Struct, frozen=True):
    """A game that is looked back at, as if it lay on the table: with the board at its end, and no lights.

    `told`: who played it, and when. `comments`: by how many turns were made before.
    """

    table: TableForm
    story: StoryForm
    now: NowForm
    told: str
    comments: Mapping[str, str]


class Meant(NamedTuple):
    """Which game is spoken of: its record, its rules, whether it is over, and what the people are called."""

    record: Path
    game: Game[Position]
    over: bool
    people: tuple[str, str]


class Texts:
    """The texts that browsers are bringing, as far as they have come."""

    def __init__(self) -> None:
        self._parts: dict[object, tuple[int, str]] = {}
        """How many parts have come, and what they say: of what is too long no more than one part beyond the bound."""

    def take(self, browser: object, part: Bring) -> bytes | None:
        """Take in a part; the whole text with the last one, else None. Where one is missing the text is empty."""
        come, text = self._parts.pop(browser, (0, "")) if part.number else (0, "")
        if part.number != come:
            return b"" if part.number + 1 >= part.of else None
        text += part.text if len(text) <= LARGEST else ""
        if part.number + 1 >= part.of:
            return text.encode(errors="replace")
        self._parts[browser] = come + 1, text
        return None

    def forget(self, browser: object) -> None:
        """The browser has gone."""
        self._parts.pop(browser, None)


class Brought:
    """The games that were brought, the last `KEPT` of them."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._games: dict[str, Meant] = {}

    def bring(self, data: bytes, name: str) -> tuple[str, int]:
        """Keep the game of a text: the key by which it is found, and the variations left out. Unreadable, OSError."""
        game = read_game(data)
        if not self._folder:
            self._folder = TemporaryDirectory(prefix="tablelight-")
        key, sheet = secrets.token_urlsafe(12), game.sheet
        day = (game.day or day_of(name)).replace("-", "")
        place = Path(self._folder.name) / key
        place.mkdir(0o700)
        record = place / f"{sheet.game.name}{f'-{day}-000000' if day else ''}{SUFFIX}"
        record.write_text(record_text(game))
        self._games[key] = Meant(record, sheet.game, sheet.outcome is not None, sheet.names)
        for old in list(self._games)[:-KEPT]:
            self._games.pop(old).record.unlink(missing_ok=True)
        return key, game.left_out

    def find(self, key: str) -> Meant | None:
        """The game under this key."""
        return self._games.get(key)

    def close(self) -> None:
        """Forget all of them."""
        if self._folder:
            self._folder.cleanup()


def carried(record: Path) -> Carried:
    """The game of a record; Unreadable, OSError."""
    status = record.stat()
    return _carried(record, status.st_size, status.st_mtime_ns)


@lru_cache(KEPT)
def _carried(record: Path, size: int, changed: int) -> Carried:
    game = read_game(files.read(record, LARGEST_RECORD), LARGEST_RECORD)
    return Carried(game.sheet, game.comments, game.day or day_of(record.name), game.sense)


def opened_form(game: Carried, table: Table, words: Words) -> OpenedForm:
    """A game as browsers look back at it; how its lights would look is told by the `table` in hand."""
    sheet = game.sheet
    spoken = words.calling(sheet.game.players, sheet.names)
    shown = replace(
        table, game=sheet.game.name, options=dict(sheet.game.chosen), hands=False, record="opened", levels=sheet.levels,
        carried=False, taught=None, offered=False, places=(), clock=control_text(sheet.clock), left=False,
        people=sheet.names,
    )  # fmt: skip
    story, position = story_snapshot(sheet), sheet.position
    marks = dict(sheet.game.marks(position))
    now = Now(position.board, {}, None, "over" if sheet.outcome else "rest", 0.0, marks=marks)
    board = now_form(now, story, sheet.game, spoken)
    return OpenedForm(
        table_form(shown, words, ()), story_form(story, sheet.game, spoken),
        NowForm(
            board.levels, board.cues, None, board.state, None, board.status, "", board.marks, None, "", False, (), {},
            "", 0.0,
        ),
        told(game, words), {str(number): text for number, text in game.comments.items()},
    )  # fmt: skip


def told(game: Carried, words: Words) -> str:
    """Who played a game, and when."""
    sheet = game.sheet
    sides = (name or words.text(side) for name, side in zip(sheet.names, sheet.game.players, strict=True))
    players = " : ".join(
        words.say(Reason.of("opened.engine", side=side, level=level)) if level else side
        for side, level in zip(sides, sheet.levels, strict=True)
    )
    return ", ".join(filter(None, (players, game.day)))


def position_after(game: Carried, number: int) -> Position:
    """The position after so many turns, or at the end of a game that has fewer."""
    entries = game.sheet.played_turns
    return entries[number].position if number < len(entries) else game.sheet.position


def why(fault: Unreadable, words: Words) -> str:
    """Why a text is not taken, in the reader's language."""
    return " ".join(map(words.say, fault.reasons))


say(
    "opened",
    engine="{side} (computer, level {level})",
    fails="The rules of this game fail with what was brought ({fault}): look whether the text is whole, and tell who "
    "keeps the game.",
    no_room="The game cannot be kept here ({fault}): make room on the table's card, and try again.",
)
