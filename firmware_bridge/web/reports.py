"""A finished game explained: a process of its own makes the report, one at a time; kept while the page runs."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from html import escape
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from websockets.http11 import Response

from firmware_bridge.i18n.catalogue import Words, words
from firmware_bridge.web.files import TYPES, answer
from games.rules import say

say(
    "report",
    title="The game explained",
    waiting="The game is being looked at, turn by turn: a minute or two, on a small computer ten; the report comes by "
    "itself.",
    back="Back to the table",
)

AGAIN = 3
"""Seconds after which a browser asks again."""
KEPT = 8
WAITING = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} &ndash; Tablelight</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/style.css">
</head>
<body data-game="">
<main><div class="head"><h1>{title}</h1><p>{waiting}</p><p><a class="button" href="/">{back}</a></p></div></main>
</body>
</html>
"""
"""What is shown while a report is being made."""


class Wanted(NamedTuple):
    """A report: of which record, at which length in bytes, in which language."""

    record: Path
    length: int
    language: str


class Reports:
    """The reports of the games that were played here."""

    def __init__(self) -> None:
        self._made: dict[Wanted, bytes] = {}
        self._making: asyncio.Task[None] | None = None

    def answer(self, record: Path, words: Words) -> Response:
        """The report, or a page that waits while it is being made, which begins with the first wish; OSError."""
        wanted = Wanted(record, record.stat().st_size, words.language)
        if wanted in self._made:
            from firmware_bridge.analysis.page import POLICY  # what analyses is not loaded for every page

            body = self._made[wanted]
            return answer(HTTPStatus.OK, body, TYPES["html"], Content_Security_Policy=POLICY)
        if not self._making or self._making.done():
            self._making = asyncio.ensure_future(self._make(wanted))
        return answer(HTTPStatus.ACCEPTED, waiting(words), TYPES["html"], Refresh=str(AGAIN))

    async def _make(self, wanted: Wanted) -> None:
        with TemporaryDirectory(prefix="tablelight-") as folder:
            report = Path(folder) / "report.html"
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "firmware_bridge", "analyse", str(wanted.record),
                "-o", str(report), env=os.environ | {"LANGUAGE": wanted.language}, stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, preexec_fn=least,
            )  # fmt: skip
            try:
                await process.wait()
                self._keep(wanted, report)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()

    def _keep(self, wanted: Wanted, report: Path) -> None:
        with suppress(OSError):  # none was made; the next wish tries again
            self._made[wanted] = with_way_back(report.read_bytes(), words(wanted.language))
            for old in list(self._made)[:-KEPT]:
                del self._made[old]

    async def close(self) -> None:
        """Break off what is being made."""
        if self._making:
            self._making.cancel()
            with suppress(asyncio.CancelledError):
                await self._making


def waiting(words: Words) -> bytes:
    """The page for the time until the report is there."""
    told = {name: escape(words.text(f"report.{name}")) for name in ("title", "waiting", "back")}
    return WAITING.format(language=words.language, **told).encode()


def with_way_back(report: bytes, words: Words) -> bytes:
    """A report as it is read here: it leads back to the table."""
    link = f'<main><p><a href="/">{escape(words.text("report.back"))}</a></p>'
    return report.replace(b"<main>", link.encode(), 1)


def least() -> None:
    """In the new process: all others come first."""
    os.nice(19)
