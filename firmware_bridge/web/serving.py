"""What every page of the program is served by: sockets with limits, the look at whence a request comes, refusals."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server as Sockets
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from firmware_bridge.i18n import words
from firmware_bridge.web.browser import LimitedConnection, Limits, preferred
from firmware_bridge.web.door import Access, Slots
from firmware_bridge.web.files import answer

UNREAD = 65_536
"""Bytes that the system may keep for a browser; guessed."""
CLOSE_TIMEOUT = 1.0
"""Seconds that browsers have to close their connections when the page ends; guessed."""
Meet = Callable[[ServerConnection], Awaitable[None]]
"""What stays with a browser that has opened a WebSocket."""
Fetch = Callable[[ServerConnection, Request], Awaitable[Response | None] | Response | None]
"""The answer to a plain request; None to a browser that may open a WebSocket."""


class Unserved(Exception):
    """Why the page cannot be served, as a sentence."""


async def open_sockets(meet: Meet, fetch: Fetch, host: str, port: int, slots: Slots, limits: Limits) -> Sockets:
    """Listen at `host` and `port`, and serve nobody yet; OSError."""
    connection: Any = partial(  # the library names a class, and calls it
        LimitedConnection, slots=slots, silence=limits.silence, longest=limits.message
    )
    sockets = await serve(
        meet, host, port, process_request=fetch,
        create_connection=connection, open_timeout=None,
        compression=None, max_size=limits.message, close_timeout=CLOSE_TIMEOUT,
        server_header=None, start_serving=False,
    )  # fmt: skip
    for opened in sockets.sockets:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    return sockets


async def close_sockets(sockets: Sockets) -> None:
    """Serve nobody any more."""
    sockets.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_TIMEOUT):
            await sockets.wait_closed()


def strange(access: Access, request: Request) -> str:
    """Why a request comes from where none may come from, as the end of the id of a sentence; empty if it may."""
    if not access.is_addressed(request.headers):
        return "strange-host" if access.private else "strange-name"
    return "" if access.is_from_here(request.headers) else "strange-origin"


def refusal(status: HTTPStatus, why: str, request: Request) -> Response:
    """An answer that refuses `request` and says why, in the reader's language."""
    sentence = words(preferred(request)).text(f"refused.{why}")
    return answer(status, f"{sentence}\n".encode())


def fault(error: OSError, host: str, port: int) -> str:
    """Why the page cannot be served there, and what to do."""
    why = f"{error.strerror or error}; --address 127.0.0.1:8000 is the usual place"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        why = f"{host} is no address of this computer; --address 127.0.0.1:{port} is one"
    elif error.errno == errno.EADDRINUSE:
        why = f"another program has this port; --address {host}:{port % 65535 + 1} takes another"
    elif error.errno == errno.EACCES:
        why = f"a port below 1024 is not for every program; --address {host}:8000 takes another"
    return f"The page cannot be served at {host}:{port}: {why}."
