"""The table's page as its programs know it (`docs/api.md`): a stream of all that changes, and requests."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from secrets import token_hex
from typing import Any

from msgspec import json

ANSWERS = 5.0
"""Seconds that the page has to answer: longer than a request may wait there."""
SILENT = 40.0
"""Seconds without a word after which a stream counts as lost: the page says something every 15."""
LARGEST = 1 << 20
"""Bytes of an event at most; a guess: the longest table has a tenth."""
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a page that listens at all addresses is reached from its own computer."""


class Gone(Exception):
    """The stream has ended, or does not speak as the page does."""


class Page:
    """The page at `address` (HOST:PORT), whose `token` allows changes; it answers in `language`."""

    def __init__(self, address: str, token: str, language: str) -> None:
        host, _, port = address.rpartition(":")
        host = host.strip("[]")
        self._at = ANYWHERE.get(host, host), int(port)
        self._host = f"[{self._at[0]}]:{port}" if ":" in self._at[0] else f"{self._at[0]}:{port}"
        self._language = language
        self._headers = {"Tablelight-Guest": f"home {token_hex(8)}"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self.line: socket.socket | None = None
        """The stream, while it is open."""
        self._held = b""
        self._began = False
        self._heard = 0.0

    def open(self, now: float) -> None:
        """Open the stream at `now` (seconds); OSError."""
        self.line = socket.create_connection(self._at, ANSWERS)
        head = {"Host": self._host, "Accept": "text/event-stream", **self._headers}
        lines = [f"GET /api/v1/events?language={self._language} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items())]
        self.line.sendall("\r\n".join([*lines, "", ""]).encode())
        self.line.setblocking(False)
        self._held, self._began, self._heard = b"", False, now

    def read(self, now: float) -> Iterator[tuple[str, bytes]]:
        """What has come by `now` (seconds): the name and the data of each event; Gone."""
        while data := self._received():
            self._held, self._heard = self._held + data, now
            yield from self._events()
        if now - self._heard > SILENT:
            raise Gone

    def _received(self) -> bytes:
        """What there is at once; Gone where there will be nothing more."""
        assert self.line
        try:
            data = self.line.recv(1 << 16)
        except BlockingIOError:
            return b""
        except OSError:
            raise Gone from None
        if not data or len(self._held) > LARGEST:
            raise Gone
        return data

    def _events(self) -> Iterator[tuple[str, bytes]]:
        if not self._began:
            head, ends, rest = self._held.partition(b"\r\n\r\n")
            if not ends:
                return
            if not head.startswith(b"HTTP/1.1 200 "):
                raise Gone
            self._began, self._held = True, rest
        *whole, self._held = self._held.split(b"\n\n")
        for block in whole:
            fields = dict(line.partition(b": ")[::2] for line in block.split(b"\n"))
            if b"event" in fields:
                yield fields[b"event"].decode(), fields.get(b"data", b"")

    def ask(self, request: dict[str, Any]) -> bool:
        """Ask something, and wait for the answer; whether it was taken."""
        asking = HTTPConnection(*self._at, timeout=ANSWERS)
        with closing(asking):
            try:
                headers = {"Host": self._host, "Content-Type": "application/json", **self._headers}
                asking.request("POST", "/api/v1/requests", json.encode(request), headers)
                return asking.getresponse().status in (HTTPStatus.OK, HTTPStatus.ACCEPTED)
            except (OSError, HTTPException):
                return False

    def close(self) -> None:
        """Close the stream."""
        if self.line:
            self.line.close()
        self.line = None
