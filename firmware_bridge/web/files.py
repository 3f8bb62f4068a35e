"""The answers to plain requests: the files of the page, which are read once, the record of a game, how the table is."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from html import escape
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from websockets.datastructures import Headers
from websockets.http11 import Response

from firmware_bridge.i18n import Words

TYPES = {
    "css": "text/css; charset=utf-8",
    "gif": "image/gif",
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


@dataclass(frozen=True)
class File:
    """A file as it is served."""

    type: str
    body: bytes
    tag: str

    @classmethod
    def of(cls, type: str, body: bytes) -> File:
        """A file of these bytes, whose tag (an ETag without its quotes) they give."""
        return cls(type, body, sha256(body).hexdigest()[:20])

    @cached_property
    def packed(self) -> bytes:
        """It by gzip, worked out once, for the first browser that takes it so: a slow computer starts no later."""
        return gzip.compress(self.body, mtime=0)


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
            yield before + entry.name, File.of(type, entry.read_bytes())


def answer(status: HTTPStatus, body: bytes = b"", type: str = PLAIN, **headers: str) -> Response:
    """A whole answer; `headers` are named with underscores, and take the place of those that go with every answer."""
    told = (
        SECURITY_HEADERS | {"Content-Type": type} | {name.replace("_", "-"): value for name, value in headers.items()}
    )
    if status is not HTTPStatus.NOT_MODIFIED:
        told["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, Headers(told), body)


def file_answer(file: File, headers: Headers) -> Response:
    """`file`, by gzip where the browser takes it so, unless it has just that still (If-None-Match)."""
    packs = takes_gzip(",".join(headers.get_all("Accept-Encoding"))) and len(file.packed) < len(file.body)
    tag = f'"{file.tag}-gzip"' if packs else f'"{file.tag}"'
    told = {"ETag": tag, "Vary": "Accept-Encoding"} | ({"Content_Encoding": "gzip"} if packs else {})
    if tag in ",".join(headers.get_all("If-None-Match")):
        return answer(HTTPStatus.NOT_MODIFIED, b"", file.type, **told)
    return answer(HTTPStatus.OK, file.packed if packs else file.body, file.type, **told)


def takes_gzip(accepted: str) -> bool:
    """Whether a browser takes gzip, as its Accept-Encoding says (RFC 9110, 12.5.3): a weight of 0 refuses."""
    weights = {}
    for each in "".join(accepted.lower().split()).split(","):
        name, *told = each.split(";q=")
        weights[name] = told[0] if told else "1"
    return bool(weights.get("gzip", weights.get("*", "0")).strip("0."))


def record_answer(path: Path) -> Response:
    """The record of a game as a download; OSError."""
    with path.open("rb") as record:
        return download(record.read(LONGEST_RECORD), path.name)


def download(body: bytes, name: str, type: str = PLAIN) -> Response:
    """A file of this name that is kept, not shown."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    return answer(HTTPStatus.OK, body, type, Content_Disposition=f'attachment; filename="{plain}"')


# How the table is -----------------------------------------------------------------------------


def status_page(words: Words, rows: Iterable[tuple[str, str]]) -> bytes:
    """The page that tells how the table is, in these rows."""
    told = "".join(f"<dt>{escape(about)}</dt><dd>{escape(what)}</dd>" for about, what in rows)
    title, back = escape(words.text("status.title")), escape(words.text("report.back"))
    return STATUS_PAGE.format(language=words.language, title=title, rows=told, back=back).encode()
