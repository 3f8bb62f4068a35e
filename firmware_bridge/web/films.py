"""Games as moving pictures: one at a time is drawn by a process of its own; the last are kept while the page runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from msgspec import Struct
from websockets.http11 import Response

from firmware_bridge.i18n import Words
from firmware_bridge.web.files import TYPES, answer, download
from firmware_bridge.web.forms import encode
from firmware_bridge.web.reports import finish
from firmware_bridge.worker import Loss, Worker
from games.rules import Reason, say

KEPT = 4
"""Pictures that are kept; a guess."""
MOST_TURNS = 200
"""Turns of a game that is drawn here at most: a frame takes a quarter of a megabyte while the picture is made."""
LARGEST = 8_000_000
"""Bytes of a picture at most; a guess: one of 200 turns has some two millions."""

Key = tuple[Path, int]
"""A record and its length in bytes: what tells a game from itself with other turns."""


class FilmForm(Struct, frozen=True):
    """How far the moving picture of a game is: `done` turns of `every`, and a sentence that tells it."""

    state: Literal["working", "made", "failed"]
    done: int
    every: int
    told: str


class FilmProcess(Worker):
    """A process that draws the game of `record` into `output`."""

    def __init__(self, record: Path, output: Path) -> None:
        super().__init__("firmware_bridge.drawing", (str(record), "-o", str(output)))


class Films:
    """The moving pictures of games. `lost` is told when a process that draws one was lost; `clock` is in seconds."""

    def __init__(self, lost: Callable[[Loss], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._lost, self._clock = lost, clock
        self._made: dict[Key, bytes] = {}
        self._failed: set[Key] = set()
        self._making: asyncio.Task[None] | None = None
        self._wanted: Key | None = None
        """What is drawn just now."""
        self._so_far = (0, 0)

    def answer(self, record: Path, turns: int, words: Words) -> Response:
        """How far the picture of a game of so many turns is; the first request begins it. OSError."""
        key = record, record.stat().st_size
        form = self._refused(turns, words)
        if not form and key in self._made:
            form = FilmForm("made", turns, turns, "")
        elif not form and key in self._failed:
            self._failed.remove(key)
            form = FilmForm("failed", 0, turns, words.text("film.failed"))
        elif not form:
            self._begin(key)
            done, every = self._so_far if self._wanted == key else (0, 0)
            id = "so-far" if every else "begun" if self._wanted == key else "waiting"
            form = FilmForm("working", done, every, words.say(Reason.of(f"film.{id}", done=done, every=every)))
        return answer(HTTPStatus.OK, encode(form), TYPES["json"])

    @staticmethod
    def _refused(turns: int, words: Words) -> FilmForm | None:
        """Why none can be drawn, if so."""
        if not find_spec("PIL"):
            return FilmForm("failed", 0, turns, words.text("film.no-library"))
        if turns > MOST_TURNS:
            return FilmForm("failed", 0, turns, words.say(Reason.of("film.long", most=MOST_TURNS)))
        return None

    def picture(self, record: Path) -> Response | None:
        """The picture as a download; None while there is none. OSError."""
        made = self._made.get((record, record.stat().st_size))
        return download(made, f"{record.stem}.gif", TYPES["gif"]) if made else None

    def _begin(self, key: Key) -> None:
        if not self._making or self._making.done():
            self._wanted, self._so_far = key, (0, 0)
            self._making = asyncio.ensure_future(self._make(key))

    async def _make(self, key: Key) -> None:
        with TemporaryDirectory(prefix="tablelight-") as folder:
            film = Path(folder) / "game.gif"
            try:
                await finish(FilmProcess(key[0], film), self._take, self._lost, self._clock)
                if film.stat().st_size > LARGEST:
                    raise OSError
                self._made[key] = film.read_bytes()
            except OSError:
                self._failed.add(key)
            for old in list(self._made)[:-KEPT]:
                del self._made[old]
        self._wanted = None

    def _take(self, told: bytes) -> None:
        done, _, every = told.partition(b"/")
        self._so_far = int(done), int(every)

    async def close(self) -> None:
        """Stop drawing."""
        if self._making:
            self._making.cancel()
            with suppress(asyncio.CancelledError):
                await self._making


say(
    "film",
    begun="The moving picture is begun.",
    waiting="Another moving picture is drawn first.",
    so_far="Turns drawn: {done} of {every}.",
    failed="The moving picture could not be drawn; ask for it once more.",
    no_library="Moving pictures need the library Pillow at the table: pip install 'tablelight[picture]' brings it.",
    long="A moving picture has {most} turns at most here; tablelight picture draws longer ones.",
)
