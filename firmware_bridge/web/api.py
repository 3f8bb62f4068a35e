"""What programs read and ask at ``/api/v1``: plain HTTP and JSON, through the door and the queue of the page.

1. Reading is for all who may watch the page, asking for those who may change something there: by the token, sent as
   ``Authorization: Bearer``, or at a page that only this computer reaches.
2. What is asked are the requests of browsers, by the same rules: seats, agreement, the fair queue. A program is known
   by the header ``Tablelight-Guest``, as a browser by the key in its greeting; without one by its address.
3. A reader of events takes the place of a watcher. Nothing waits in line for one that reads slowly: it gets the newest
   state when it can take one. The daemon never knows of it.
4. Pages of other sites come no further than at the page: there is no CORS, a request is JSON by its type, which no form
   can send, and comes from the page's own origin or from no page at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from importlib.resources import files

from msgspec import DecodeError, ValidationError, json
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from firmware_bridge.i18n import words
from firmware_bridge.session import AnyRequest
from firmware_bridge.web.api_forms import Problem, Taken
from firmware_bridge.web.browser import LimitedConnection, Limits, asked, asked_for, preferred
from firmware_bridge.web.door import Access, Slots
from firmware_bridge.web.fair_queue import FairQueue
from firmware_bridge.web.files import SECURITY_HEADERS, TYPES, File, answer, file_answer
from firmware_bridge.web.forms import encode
from firmware_bridge.web.seating import AnySeatRequest, Seating
from firmware_bridge.web.snapshots import FOR_PLAYERS, Broken, SnapshotTexts
from games.rules import Reason, clip, say

ROOT = "/api/v1"
"""Where all this lies; the number counts up when a program of before would no longer understand."""
GUEST = "Tablelight-Guest"
"""The header with the key by which a program is known again."""
LONGEST_KEY = 64
"""Characters of such a key at most, as in a browser's greeting."""
THERE, MOST_THERE = 30.0, 100
"""Seconds for which a program counts as being there after a request, as long as what it has asked of the other player
stands; and how many such programs are remembered, those that asked last."""
KEEP_ALIVE = 15.0
"""Seconds without news after which a reader of events is sent an empty comment, as the standard advises."""

Asks = Callable[["Program", AnyRequest | AnySeatRequest], str]
_requests: json.Decoder[AnyRequest | AnySeatRequest] = json.Decoder(AnyRequest | AnySeatRequest)


class Program:
    """A program with the one request that it has sent; it is a guest of the queue while that waits."""

    def __init__(self, address: str, guest: str) -> None:
        self.address = address
        """Where it is."""
        self.guest = guest
        """The key by which it is known."""
        self.answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Empty once the request is done, or the end of the id of the sentence why it is not."""

    def refuse(self, why: str) -> None:
        """The request is not done."""
        if not self.answered.done():
            self.answered.set_result(why)

    def done(self) -> None:
        """The request is done."""
        self.refuse("")


class Api:
    """The answers to programs. `asks` does what one asks: empty, or the end of the id of the sentence why not.

    `breaks` is told of an error of the program itself.
    """

    def __init__(
        self, texts: SnapshotTexts, access: Callable[[], Access], slots: Slots, seating: Seating, queue: FairQueue,
        asks: Asks, breaks: Callable[[Broken], None], limits: Limits,
    ) -> None:  # fmt: skip
        self._access = access  # who may do what is known once it is known where the page is
        self._texts, self._slots, self._seating, self._queue, self._asks = texts, slots, seating, queue, asks
        self._breaks, self._limits = breaks, limits
        self._readers: dict[LimitedConnection, asyncio.Event] = {}
        self._there: dict[str, asyncio.TimerHandle] = {}

    def wake(self) -> None:
        """Have the readers of events told what has changed."""
        for changed in self._readers.values():
            changed.set()

    def close(self) -> None:
        """End all that read events."""
        for leaves in self._there.values():
            leaves.cancel()
        for line in self._readers:
            line.cut()

    def _come(self, guest: str) -> None:
        """A program has asked something, and is there for a while."""
        loop = asyncio.get_running_loop()
        if leaves := self._there.pop(guest, None):
            leaves.cancel()
        else:
            self._seating.come(guest, loop.time())
        self._there[guest] = loop.call_later(THERE, self._go, guest)
        if len(self._there) > MOST_THERE:
            self._go(next(iter(self._there)))

    def _go(self, guest: str) -> None:
        """It has asked nothing for long."""
        self._there.pop(guest).cancel()
        self._seating.go(guest, asyncio.get_running_loop().time())

    def answer(self, path: str, line: LimitedConnection, request: Request) -> Awaitable[Response] | Response:
        """The answer to a request below `ROOT`, which has passed the door of the page."""
        if path == "/requests":
            return self._unbroken(self._posted(line, request), request)
        if request.method != "GET":
            return problem(HTTPStatus.METHOD_NOT_ALLOWED, "only-get", request, Allow="GET")
        if strange := asked(request).keys() - {"language"}:
            return problem(HTTPStatus.BAD_REQUEST, "unread", request, fault=f"?{clip(min(strange))}=")
        if path == "/table":
            return self._unbroken(self._table(request), request)
        if path == "/link":
            return self._unbroken(self._link(line, request), request)
        if path == "/events":
            return self._unbroken(self._told(line, request), request)
        if path == "/schema":
            return file_answer(document(), request.headers)
        return problem(HTTPStatus.NOT_FOUND, "no-such-path", request)

    async def _unbroken(self, answering: Awaitable[Response], request: Request) -> Response:
        """An answer; where the program itself has an error, all end."""
        try:
            return await answering
        except Broken as fault:
            self._breaks(fault)
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, "no-answer", request)

    async def _table(self, request: Request) -> Response:
        text = self._texts.text("api", language(request), asyncio.get_running_loop().time())
        if not text:
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, "no-answer", request)
        return answer(HTTPStatus.OK, text, TYPES["json"])

    async def _link(self, line: LimitedConnection, request: Request) -> Response:
        """How far the way to another table is: words by which one joins are for those who may change something."""
        if why := self._may_change(line, request.headers):
            status = HTTPStatus.TOO_MANY_REQUESTS if why == "too-many-tokens" else HTTPStatus.UNAUTHORIZED
            return problem(status, why, request, WWW_Authenticate="Bearer")
        text = self._texts.text("link", language(request), asyncio.get_running_loop().time())
        return answer(HTTPStatus.OK, text, TYPES["json"])

    def _may_change(self, line: LimitedConnection, headers: Headers) -> str:
        """Look at the token of a request: empty, or the end of the id of the sentence why it may change nothing."""
        kind, _, token = ",".join(headers.get_all("Authorization")).strip().partition(" ")
        access, now = self._access(), asyncio.get_running_loop().time()
        if access.may_change(""):
            return ""
        if kind.lower() != "bearer" or not token:
            return "no-token"
        if access.penalties.pauses(line.address, now):
            return "too-many-tokens"
        if access.may_change(token.strip()):
            return ""
        access.penalties.fail(line.address, now)
        return "no-token"

    # What programs ask ----------------------------------------------------------------------------

    async def _posted(self, line: LimitedConnection, request: Request) -> Response:
        """Look whether a request may be taken in, and take it."""
        headers = request.headers
        if request.method != "POST":
            return problem(HTTPStatus.METHOD_NOT_ALLOWED, "only-post", request, Allow="POST")
        if not self._access().may_be_asked(headers):
            return problem(HTTPStatus.FORBIDDEN, "strange-origin", request)
        if ",".join(headers.get_all("Content-Type")).partition(";")[0].strip().lower() != TYPES["json"]:
            return problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "only-json", request)
        if why := self._may_change(line, headers):
            status = HTTPStatus.TOO_MANY_REQUESTS if why == "too-many-tokens" else HTTPStatus.UNAUTHORIZED
            return problem(status, why, request, WWW_Authenticate="Bearer")
        if "Content-Length" not in headers:
            return problem(HTTPStatus.LENGTH_REQUIRED, "no-length", request)
        if line.body is None:
            return problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-long", request)
        try:
            wanted = _requests.decode(line.body)
        except ValidationError as fault:
            return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "unread", request, fault=clip(str(fault), 200))
        except (DecodeError, UnicodeDecodeError, RecursionError) as fault:
            return problem(HTTPStatus.BAD_REQUEST, "unread", request, fault=clip(str(fault), 200))
        return await self._taken(Program(line.address, key(line, headers)), wanted, request)

    async def _taken(self, program: Program, wanted: AnyRequest | AnySeatRequest, request: Request) -> Response:
        """Have a request done, or asked of the other player."""
        after = self._texts.spoken
        self._come(program.guest)
        self._queue.join(program)
        try:
            why = self._asks(program, wanted)
            waits = not why and self._queue.has(program)
            if waits:
                async with asyncio.timeout(self._limits.answered):
                    why = await program.answered
        except OverflowError as fault:  # a number that no packet can hold
            return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "unread", request, fault=str(fault))
        except TimeoutError:
            return problem(HTTPStatus.GATEWAY_TIMEOUT, "no-answer", request)
        finally:
            self._queue.leave(program)
        if why:
            slow = why in ("too-fast", "too-soon", "no-answer")
            return problem(HTTPStatus.SERVICE_UNAVAILABLE if slow else HTTPStatus.CONFLICT, why, request)
        done = waits or program.answered.done() or isinstance(wanted, AnySeatRequest)
        said = self._texts.said(language(request), after).words
        status = HTTPStatus.OK if done else HTTPStatus.ACCEPTED
        return answer(status, encode(Taken("done" if done else "asked", said)), TYPES["json"])

    # What programs are told -----------------------------------------------------------------------

    async def _told(self, line: LimitedConnection, request: Request) -> Response:
        """Tell a program all that is new, as server-sent events, until it leaves."""
        trusted = not self._shown(line, request)
        if not self._slots.greet(line, trusted=trusted):
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, "full", request)
        line.stay()
        guest, loop = key(line, request.headers), asyncio.get_running_loop()
        self._readers[line] = asyncio.Event()
        self._seating.come(guest, loop.time())
        leaving = asyncio.ensure_future(line.wait_closed())
        kinds = ("api", *FOR_PLAYERS) if trusted or self._access().may_change("") else ("api",)
        telling = asyncio.ensure_future(self._tell(line, request, guest, kinds))
        try:
            await asyncio.wait((leaving, telling), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._seating.go(guest, loop.time())
            del self._readers[line]
            telling.cancel()
            leaving.cancel()
            line.cut()
        (fault,) = await asyncio.gather(telling, return_exceptions=True)
        if isinstance(fault, Broken):
            raise fault
        await line.wait_closed()
        return answer(HTTPStatus.OK)  # it is not sent: the line is closed

    def _shown(self, line: LimitedConnection, request: Request) -> str:
        """Look at a token if one is shown; see `_may_change`."""
        return self._may_change(line, request.headers) if "Authorization" in request.headers else "no-token"

    async def _tell(self, line: LimitedConnection, request: Request, guest: str, kinds: Sequence[str]) -> None:
        """Send all that is new, of texts `kinds`, for ever; TimeoutError for a reader that does not read, Broken."""
        changed, spoken, now = self._readers[line], language(request), asyncio.get_running_loop().time
        head = SECURITY_HEADERS | {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        await self._send(line, b"HTTP/1.1 200 OK\r\n" + Headers(head).serialize())
        seen, seated, heard = dict.fromkeys(kinds, -1), -1, heard_before(request, self._texts.spoken)
        while True:
            changed.clear()
            for kind in kinds:
                if seen[kind] != self._texts.versions[kind]:
                    seen[kind] = self._texts.versions[kind]
                    if text := self._texts.text(kind, spoken, now()):
                        await self._send(line, event("table" if kind == "api" else kind, text))
            if seated != self._seating.version:
                seated = self._seating.version
                await self._send(line, event("seats", encode(self._seating.form(guest, now(), words(spoken)))))
            if heard < self._texts.spoken:
                after, heard = heard, self._texts.spoken
                await self._send(line, b"".join(self._sentences(spoken, after)))
            with suppress(TimeoutError):
                async with asyncio.timeout(KEEP_ALIVE):
                    await changed.wait()
            if not changed.is_set():
                await self._send(line, b":\n\n")

    async def _send(self, line: LimitedConnection, text: bytes) -> None:
        """Send it, and wait until the reader has room for more; TimeoutError."""
        async with asyncio.timeout(self._limits.send_timeout):
            line.transport.write(text)
            await line.drain()

    def _sentences(self, spoken: str, after: int) -> Iterator[bytes]:
        for sentence in self._texts.said(spoken, after).words:
            yield event("said", encode(sentence), sentence.number)


def event(name: str, data: bytes, number: int | None = None) -> bytes:
    """An event of the stream (WHATWG, server-sent events); `data` is JSON in one line."""
    numbered = b"" if number is None else b"id: %d\n" % number
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), numbered, data)


def heard_before(request: Request, spoken: int) -> int:
    """The number of the last sentence that a reader has heard, of those `spoken`; it hears new ones unless it tells."""
    told = ",".join(request.headers.get_all("Last-Event-ID"))
    return min(int(told), spoken) if told.isascii() and told.isdigit() and len(told) < 16 else spoken


def key(line: LimitedConnection, headers: Headers) -> str:
    """The key by which a program is known: its own, or its address."""
    return ",".join(headers.get_all(GUEST))[:LONGEST_KEY] or f"program at {line.address}"


def language(request: Request) -> str:
    """The language in which a request is answered."""
    return asked_for(request) or preferred(request)


def problem(status: HTTPStatus, why: str, request: Request, *, fault: str = "", **headers: str) -> Response:
    """An answer that refuses `request` and says why: `why` is the end of the id of a sentence, `fault` its value."""
    id = f"refused.{why}"
    detail = words(language(request)).say(Reason.of(id, fault=fault) if fault else Reason(id))
    body = encode(Problem(status.value, status.phrase, detail, id))
    return answer(status, body, "application/problem+json", **headers)


@cache
def document() -> File:
    """The document that describes all this, read when the first one asks for it."""
    return File.of(TYPES["json"], (files("firmware_bridge.web") / "openapi.json").read_bytes())


say(
    "refused",
    only_post="Requests are sent by POST.",
    only_json="Send a request as JSON, with the header Content-Type: application/json.",
    no_length="Send a request with its length, in one header Content-Length, and not in chunks.",
    too_long="This request is longer than the table takes; no sound one is.",
    unread="The table cannot read this: {fault}. All that can be asked is described at /api/v1/schema.",
    no_such_path="There is nothing here; all that there is for programs is described at /api/v1/schema.",
)
