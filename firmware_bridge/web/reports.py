"""What explains a game that is over: its positions as they are weighed, for the curve, and the whole report.

Both come from one process, one at a time; what it has found is kept while the page runs. A process that is hung or has
died is replaced.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from html import escape
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from msgspec import Struct
from websockets.http11 import Response

from firmware_bridge.analysis.moments import Moment, read
from firmware_bridge.i18n import Words, words
from firmware_bridge.web.files import TYPES, WAITING_PAGE, answer
from firmware_bridge.web.forms import ActForm, encode
from firmware_bridge.web.snapshots import act_forms
from firmware_bridge.worker import FAILED, MADE, Loss, Worker
from games.rules import Reason, say

RELOAD_AFTER = 3
"""Seconds after which a browser that waits for a report asks again; guessed."""
LONGEST_REPORT = 3600.0
"""Seconds after which a report that is not made is given up; a guess: a small computer takes ten minutes."""
TRIES = 3
"""Processes that are started for one report at most; a guess."""
LOOK_AFTER = 0.2
"""Seconds after which it is looked again whether a report is made; a guess."""
REPORTS_KEPT = 8
"""Reports that are kept; guessed: the games of a day."""
AHEAD = ((0.9, "winning"), (0.75, "clearly"), (0.6, "better"))
"""The expected score from which it is said so of a player; guessed: single searches are some 0.1 off, so no number is
told."""


# The positions that are weighed -------------------------------------------------------------------


class BetterForm(Struct, frozen=True):
    """A turn that was better than the one played; `much`: so much that the turn played decided something."""

    turn: str
    acts: Sequence[ActForm]
    much: bool


class MomentForm(Struct, frozen=True):
    """The position after `number` turns: the expected score `value` of the first player (0 lost, 1 won) for the curve.

    `word`: the same as a sentence. `proved`: worked out to the end. `better`: than the turn that was made there.
    `puzzle`: by far, and alone.
    """

    number: int
    value: float
    word: str
    proved: bool
    better: BetterForm | None
    puzzle: bool


class ReviewForm(Struct, frozen=True):
    """How far a game is explained: `done` positions of `every`, and a sentence that tells it with the time left.

    `moments`: those that are new to who asks, as they were found.
    """

    state: Literal["working", "made", "failed"]
    done: int
    every: int
    told: str
    moments: Sequence[MomentForm]


class Review:
    """The positions of one game that are weighed so far; `began`, in seconds, is when that was."""

    def __init__(self, began: float) -> None:
        self.began = began
        self.moments: list[Moment] = []
        self.every = 0
        """Positions; 0 while that is not known."""

    def take(self, moment: Moment) -> None:
        """Take one in; a process that replaces another finds the same ones again."""
        self.every = moment.of + 1
        if all(known.number != moment.number for known in self.moments):
            self.moments.append(moment)

    def told(self, now: float, words: Words) -> str:
        """How far it is at `now` (seconds), and how long it will take: it goes on as it went so far."""
        done = len(self.moments)
        if not done:
            return words.text("report.begun")
        left = (now - self.began) * (self.every - done) / done
        id = "soon" if left < 1 else "so-far"
        return words.say(Reason.of(f"report.{id}", done=done, every=self.every, left=round(left)))


def moment_form(moment: Moment, players: Sequence[str], words: Words) -> MomentForm:
    """A position for browsers; `players` are the message ids of their names."""
    better = moment.better
    form = BetterForm(better.turn, act_forms(better.acts), better.much) if better else None
    return MomentForm(
        moment.number, moment.value, words.say(standing(moment, players)), moment.proved, form, moment.puzzle
    )


def standing(moment: Moment, players: Sequence[str]) -> Reason:
    """Who stands better, in words."""
    side = int(moment.value < 0.5)
    worth = 1 - moment.value if side else moment.value
    if moment.proved:
        return Reason("report.draws") if worth == 0.5 else Reason.of("report.wins", player=players[side])
    how = next((name for least, name in AHEAD if worth >= least), "")
    return Reason.of(f"report.{how}", player=players[side]) if how else Reason("report.even")


# Reports ----------------------------------------------------------------------------------------


class ReportKey(NamedTuple):
    """What tells a report from others: the record, its length in bytes, and the language."""

    record: Path
    length: int
    language: str

    @property
    def game(self) -> tuple[Path, int]:
        """What tells the game from others, whatever the language."""
        return self.record, self.length


class ReportProcess(Worker):
    """A process that writes the report `wanted` to `output`, and what makes puzzles to the file `puzzles`."""

    def __init__(self, wanted: ReportKey, output: Path, puzzles: Path | None = None) -> None:
        kept = ("--puzzles", str(puzzles)) if puzzles else ()
        super().__init__("firmware_bridge.analysis", (str(wanted.record), "-o", str(output), *kept))
        self._language = wanted.language

    def environment(self) -> dict[str, str]:
        """The environment of the page, and the reader's language."""
        return super().environment() | {"LANGUAGE": self._language}


class Reports:
    """The reports of the games that were played here. `lost` is told when a process that makes one was lost.

    `clock` is in seconds. `puzzles`: the file for those that the games make.
    """

    def __init__(
        self, lost: Callable[[Loss], None], clock: Callable[[], float] = time.monotonic, puzzles: Path | None = None
    ) -> None:
        self.process: ReportProcess | None = None
        """What makes a report just now."""
        self._lost, self._clock, self._puzzles = lost, clock, puzzles
        self._made: dict[ReportKey, bytes] = {}
        self._reviews: dict[tuple[Path, int], Review] = {}
        self._complete: set[tuple[Path, int]] = set()
        """The games of which every position is weighed."""
        self._making: asyncio.Task[None] | None = None
        self._failed: set[ReportKey] = set()
        """Those of which none was made when it was tried last."""

    def review(self, record: Path, players: Sequence[str], words: Words, known: int) -> Response:
        """How far the game is explained, and what was found beyond the first `known` positions; OSError.

        The first request begins it. `players` are the message ids of their names.
        """
        wanted = ReportKey(record, record.stat().st_size, words.language)
        made, failed = wanted.game in self._complete, wanted in self._failed
        if failed:
            self._failed.remove(wanted)
        elif not made:
            self._begin(wanted)
        found = self._reviews.get(wanted.game) or Review(self._clock())
        new = [moment_form(each, players, words) for each in found.moments[known:]]
        told = words.text("report.failed-here") if failed else "" if made else found.told(self._clock(), words)
        state: Literal["made", "failed", "working"] = "failed" if failed else "made" if made else "working"
        form = ReviewForm(state, len(found.moments), found.every, told, new)
        return answer(HTTPStatus.OK, encode(form), TYPES["json"])

    def answer(self, record: Path, words: Words) -> Response:
        """The report, or a page that waits while it is being made; the first request begins that. OSError."""
        wanted = ReportKey(record, record.stat().st_size, words.language)
        if wanted in self._made:
            from firmware_bridge.analysis.html_report import POLICY  # the analysis is not loaded for every page

            body = self._made[wanted]
            return answer(HTTPStatus.OK, body, TYPES["html"], Content_Security_Policy=POLICY)
        if wanted in self._failed:
            self._failed.remove(wanted)
            return answer(HTTPStatus.SERVICE_UNAVAILABLE, waiting_page(words, "failed"), TYPES["html"])
        self._begin(wanted)
        review = self._reviews.get(wanted.game)
        told = review.told(self._clock(), words) if review and wanted.game not in self._complete else ""
        return answer(HTTPStatus.ACCEPTED, waiting_page(words, told=told), TYPES["html"], Refresh=str(RELOAD_AFTER))

    def _begin(self, wanted: ReportKey) -> None:
        """Begin to make a report, unless one is being made."""
        if not self._making or self._making.done():
            self._making = asyncio.ensure_future(self._make(wanted))

    async def _make(self, wanted: ReportKey) -> None:
        with TemporaryDirectory(prefix="tablelight-") as folder:
            report = Path(folder) / "report.html"
            try:
                self._reviews.setdefault(wanted.game, Review(self._clock()))
                await self._run(wanted, report)
                self._complete.add(wanted.game)
                self._made[wanted] = with_back_link(report.read_bytes(), words(wanted.language))
            except OSError:  # TimeoutError is one: nobody is left to wait for a report that will never come
                self._failed.add(wanted)
            for old in list(self._made)[:-REPORTS_KEPT]:
                del self._made[old]
            for game in list(self._reviews)[:-REPORTS_KEPT]:
                del self._reviews[game]
                self._complete.discard(game)

    async def _run(self, wanted: ReportKey, report: Path) -> None:
        """Have a process write `report`; OSError if it cannot, was lost `TRIES` times or takes too long."""
        self.process = ReportProcess(wanted, report, self._puzzles)
        try:
            await finish(
                self.process, lambda told: self._reviews[wanted.game].take(read(told)), self._lost, self._clock
            )
        finally:
            self.process = None

    async def close(self) -> None:
        """Stop making a report."""
        if self._making:
            self._making.cancel()
            with suppress(asyncio.CancelledError):
                await self._making


async def finish(
    process: Worker, take: Callable[[bytes], None], lost: Callable[[Loss], None], clock: Callable[[], float]
) -> None:
    """Wait until `process` has written its file; `take` has what it tells on the way, `lost` hears once that it was.

    OSError if it cannot, was lost `TRIES` times or takes too long.
    """
    try:
        async with asyncio.timeout(LONGEST_REPORT):
            while (told := process.receive() if process.alive(clock()) else b"") not in (MADE, FAILED):
                if told:
                    take(told)
                    continue
                lasting = process.lost and process.starts >= TRIES
                if loss := process.news():
                    lost(loss)
                if lasting:
                    raise ProcessLookupError
                await asyncio.sleep(LOOK_AFTER)
    finally:
        process.close()
    if told == FAILED:
        raise FileNotFoundError


def waiting_page(words: Words, what: str = "waiting", *, told: str = "") -> bytes:
    """The page that waits for a report, which is so far as is `told`, or says that it has ``failed``."""
    title, waiting, back = (words.text(f"report.{text}") for text in ("title", what, "back"))
    shown = {"title": title, "waiting": f"{waiting} {told}".rstrip(), "back": back}
    return WAITING_PAGE.format(language=words.language, **{name: escape(text) for name, text in shown.items()}).encode()


def with_back_link(report: bytes, words: Words) -> bytes:
    """A report with a link back to the table."""
    link = f'<main><p><a href="/">{escape(words.text("report.back"))}</a></p>'
    return report.replace(b"<main>", link.encode(), 1)


say(
    "report",
    title="The game explained",
    waiting="The game is being looked at, turn by turn: a minute or two, on a small computer ten; the report comes by "
    "itself.",
    failed="The report could not be made: the computer may be short of memory or of space. Load this page again to try "
    "once more.",
    failed_here="The game could not be explained: the computer may be short of memory or of space. Ask once more.",
    begun="The computer is getting ready.",
    so_far="Positions weighed: {done} of {every}; seconds left, about: {left}.",
    soon="Positions weighed: {done} of {every}; it is ready in a moment.",
    even="Both stand about equal.",
    better="{player} stands better.",
    clearly="{player} stands clearly better.",
    winning="{player} is close to winning.",
    wins="Proved: {player} wins, if both play their best from here.",
    draws="Proved: a draw, if both play their best from here.",
    back="Back to the table",
)
