"""The answers to plain requests: the files of the page, the record of a game, and the report that explains it.

The files are read once. A report is made by a process of its own, one at a time, and is kept while the page runs. A
process that is hung or has died is replaced.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from html import escape
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from websockets.datastructures import Headers
from websockets.http11 import Response

from firmware_bridge.analysis import FAILED
from firmware_bridge.i18n import Words, words
from firmware_bridge.worker import Loss, Worker
from games.rules import say

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
"""The types of the files that are served, by the ends of their names; no others are."""
PLAIN = "text/plain; charset=utf-8"
LONGEST_RECORD = 4_000_000
"""Bytes of a record that are sent, guessed: more than any game has; the rest is left out."""
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Connection": "close",
}
"""The headers of every answer."""
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
WAITING_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} &ndash; Tablelight</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/tokens.css">
<link rel="stylesheet" href="/static/style.css">
</head>
<body data-game="">
<main><div class="head"><h1>{title}</h1><p>{waiting}</p><p><a class="button" href="/">{back}</a></p></div></main>
</body>
</html>
"""
"""The page that is shown while a report is being made."""
STATUS_PAGE = WAITING_PAGE.replace("<p>{waiting}</p>", "<dl>{rows}</dl>")
"""The page that tells how the table is."""


# Files and records ------------------------------------------------------------------------------


class File(NamedTuple):
    """A file as it is served."""

    type: str
    body: bytes
    tag: str


def read_files() -> dict[str, File]:
    """Path -> file: the page at ``/``, that of a screen beside the board at ``/beside``, the rest below ``/static/``.

    The service worker is at ``/worker.js``, for it may answer only for what lies below it.
    """
    served = {f"/static/{path}": file for path, file in _within(files("firmware_bridge.web") / "static", "")}
    named = {"/": "index.html", "/beside": "beside.html", "/worker.js": "worker.js"}
    return served | {path: served[f"/static/{file}"] for path, file in named.items()}


def _within(folder: Traversable, before: str) -> Iterator[tuple[str, File]]:
    for entry in folder.iterdir():
        type = TYPES.get(entry.name.rpartition(".")[2])
        if entry.is_dir():
            yield from _within(entry, f"{before}{entry.name}/")
        elif type:
            body = entry.read_bytes()
            yield before + entry.name, File(type, body, f'"{sha256(body).hexdigest()[:20]}"')


def answer(status: HTTPStatus, body: bytes = b"", type: str = PLAIN, **headers: str) -> Response:
    """A whole answer; `headers` are named with underscores, and take the place of those that go with every answer."""
    told = (
        SECURITY_HEADERS | {"Content-Type": type} | {name.replace("_", "-"): value for name, value in headers.items()}
    )
    if status is not HTTPStatus.NOT_MODIFIED:
        told["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, Headers(told), body)


def file_answer(file: File, known: str) -> Response:
    """`file`, unless the browser still has it, as the tags in `known` (its If-None-Match) say."""
    if file.tag in known:
        return answer(HTTPStatus.NOT_MODIFIED, type=file.type, ETag=file.tag)
    return answer(HTTPStatus.OK, file.body, file.type, ETag=file.tag)


def record_answer(path: Path) -> Response:
    """The record of a game as a download; OSError."""
    with path.open("rb") as record:
        body = record.read(LONGEST_RECORD)
    name = re.sub(r"[^A-Za-z0-9._-]", "_", path.name)
    return answer(HTTPStatus.OK, body, Content_Disposition=f'attachment; filename="{name}"')


# Reports ----------------------------------------------------------------------------------------


class ReportKey(NamedTuple):
    """What tells a report from others: the record, its length in bytes, and the language."""

    record: Path
    length: int
    language: str


class ReportProcess(Worker):
    """A process that writes the report `wanted` to `output`."""

    def __init__(self, wanted: ReportKey, output: Path) -> None:
        super().__init__("firmware_bridge.analysis", (str(wanted.record), "-o", str(output)))
        self._language = wanted.language

    def environment(self) -> dict[str, str]:
        """The environment of the page, and the reader's language."""
        return super().environment() | {"LANGUAGE": self._language}


class Reports:
    """The reports of the games that were played here. `lost` is told when a process that makes one was lost.

    `clock` is in seconds.
    """

    def __init__(self, lost: Callable[[Loss], None], clock: Callable[[], float] = time.monotonic) -> None:
        self.process: ReportProcess | None = None
        """What makes a report just now."""
        self._lost, self._clock = lost, clock
        self._made: dict[ReportKey, bytes] = {}
        self._making: asyncio.Task[None] | None = None
        self._failed: set[ReportKey] = set()
        """Those of which none was made when it was tried last."""

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
        if not self._making or self._making.done():
            self._making = asyncio.ensure_future(self._make(wanted))
        return answer(HTTPStatus.ACCEPTED, waiting_page(words), TYPES["html"], Refresh=str(RELOAD_AFTER))

    async def _make(self, wanted: ReportKey) -> None:
        with TemporaryDirectory(prefix="tablelight-") as folder:
            report = Path(folder) / "report.html"
            try:
                await self._run(wanted, report)
                self._made[wanted] = with_back_link(report.read_bytes(), words(wanted.language))
            except OSError:  # TimeoutError is one: nobody is left to wait for a report that will never come
                self._failed.add(wanted)
            for old in list(self._made)[:-REPORTS_KEPT]:
                del self._made[old]

    async def _run(self, wanted: ReportKey, report: Path) -> None:
        """Have a process write `report`; OSError if it cannot, was lost `TRIES` times or takes too long."""
        process = self.process = ReportProcess(wanted, report)
        try:
            async with asyncio.timeout(LONGEST_REPORT):
                while not (told := process.receive() if process.alive(self._clock()) else b""):
                    lasting = process.lost and process.starts >= TRIES
                    if loss := process.news():
                        self._lost(loss)
                    if lasting:
                        raise ProcessLookupError
                    await asyncio.sleep(LOOK_AFTER)
        finally:
            self.process = None
            process.close()
        if told == FAILED:
            raise FileNotFoundError

    async def close(self) -> None:
        """Stop making a report."""
        if self._making:
            self._making.cancel()
            with suppress(asyncio.CancelledError):
                await self._making


def waiting_page(words: Words, what: str = "waiting") -> bytes:
    """The page that waits for a report, or says that it has ``failed``."""
    texts = {"title": "title", "waiting": what, "back": "back"}
    told = {name: escape(words.text(f"report.{text}")) for name, text in texts.items()}
    return WAITING_PAGE.format(language=words.language, **told).encode()


def status_page(words: Words, rows: Iterable[tuple[str, str]]) -> bytes:
    """The page that tells how the table is, in these rows."""
    told = "".join(f"<dt>{escape(about)}</dt><dd>{escape(what)}</dd>" for about, what in rows)
    title, back = escape(words.text("status.title")), escape(words.text("report.back"))
    return STATUS_PAGE.format(language=words.language, title=title, rows=told, back=back).encode()


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
    back="Back to the table",
)
