"""What the page is made of, read once; and answers to plain requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from websockets.datastructures import Headers
from websockets.http11 import Response

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
"""What is served, by the ends of names; nothing else is."""
PLAIN = "text/plain; charset=utf-8"
LONGEST_RECORD = 4_000_000
"""Bytes of a record that are given away; the rest is left out."""
GUARDED = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Connection": "close",
}
"""What goes with every answer."""


class File(NamedTuple):
    """A file as it is served."""

    type: str
    body: bytes
    tag: str


def read_files() -> dict[str, File]:
    """Path -> file: the page itself at ``/``, the rest below ``/static/``."""
    served = {f"/static/{path}": file for path, file in _within(files("firmware_bridge.web") / "static", "")}
    return served | {"/": served["/static/index.html"]}


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
    told = GUARDED | {"Content-Type": type} | {name.replace("_", "-"): value for name, value in headers.items()}
    if status is not HTTPStatus.NOT_MODIFIED:
        told["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, Headers(told), body)


def file_answer(file: File, known: str) -> Response:
    """`file`, unless the browser still has it, as the tags in `known` (its If-None-Match) say."""
    if file.tag in known:
        return answer(HTTPStatus.NOT_MODIFIED, type=file.type, ETag=file.tag)
    return answer(HTTPStatus.OK, file.body, file.type, ETag=file.tag)


def record_answer(path: Path) -> Response:
    """The record of a game, to be kept; OSError."""
    with path.open("rb") as record:
        body = record.read(LONGEST_RECORD)
    name = re.sub(r"[^A-Za-z0-9._-]", "_", path.name)
    return answer(HTTPStatus.OK, body, Content_Disposition=f'attachment; filename="{name}"')
