"""A program that speaks to the page's server by plain HTTP, and one that reads its events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple

from tests.web.page_server import PATIENCE

JSON = {"Content-Type": "application/json"}


class Answer(NamedTuple):
    """What was answered: the status, the headers and the JSON."""

    status: int
    headers: dict[str, str]
    told: Any


def call(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
    """Ask, and wait for the answer."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        line.request(method, f"/api/v1{path}", body, (JSON if body is not None else {}) | named)
        answer = line.getresponse()
        return Answer(answer.status, dict(answer.getheaders()), json.loads(answer.read()))
    finally:
        line.close()


def ask(port: int, form: Any, **headers: str) -> Answer:
    """Send a request; bytes as they are."""
    body = form if isinstance(form, bytes) else json.dumps(form).encode()
    return call(port, "POST", "/requests", body, **headers)


@contextmanager
def listening_to(port: int, *kinds: str, **headers: str) -> Iterator[Iterator[tuple[str, int | None, Any]]]:
    """The events of these kinds (*table* and *said* unless told), each as its name, its id and its data."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        line.request(
            "GET", "/api/v1/events", headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        answer = line.getresponse()
        assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream"), answer.read()
        with answer:
            yield (event for event in events(answer) if event[0] in (kinds or ("table", "said")))
    finally:
        line.close()


def events(stream: HTTPResponse) -> Iterator[tuple[str, int | None, Any]]:
    """The events of a stream; comments are left out."""
    fields: dict[str, str] = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif "data" in fields:
            yield fields["event"], int(fields["id"]) if "id" in fields else None, json.loads(fields["data"])
            fields = {}
        else:
            fields = {}
