"""One browser: what it asks goes to the daemon, and it is told what has changed since it was told last.

Nothing waits in line for a browser that reads slowly: whenever it can take something, it gets the newest.

Who may look, and who may change anything.

What one browser may ask of the server, so that the others never notice.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import DecodeError, Struct, ValidationError, json
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request

from firmware_bridge.i18n import ENGLISH, LANGUAGES, wanted, words
from firmware_bridge.session import AnyRequest, pack
from firmware_bridge.web.snapshots import TOLD_BY, News, encode, page_form, refused_form
from games.rules import Reason, say


def loopback(host: str) -> bool:
    """Whether `host`, a name or an address, is this computer to itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Access:
    """A page that only this computer can reach needs no token; anywhere else, looking is free and changing is not."""

    private: bool
    """Whether only this computer can reach it."""
    token: str = ""
    """What allows changes where the page is not private; empty: nothing does."""

    def may(self, token: str) -> bool:
        """Whether whoever shows `token` may change anything."""
        return self.private or (bool(self.token) and hmac.compare_digest(token.encode(), self.token.encode()))

    def known(self, headers: Headers) -> bool:
        """Whether a request is meant for this computer.

        A private page is asked for by a name of this computer alone: a name of another site that has been made to
        lead here is that site's try to look in.
        """
        host = _only(headers.get_all("Host"))
        return bool(host) and (not self.private or loopback(_name(host)))

    @staticmethod
    def own(headers: Headers) -> bool:
        """Whether it is the page itself that wants a conversation, and not a page of another site."""
        origin = urlsplit(_only(headers.get_all("Origin")))
        same = origin.netloc.lower() == _only(headers.get_all("Host")).lower()
        return origin.scheme in ("http", "https") and same


def _only(values: Sequence[str]) -> str:
    """The value of a header that must be there once."""
    return values[0] if len(values) == 1 else ""


def _name(host: str) -> str:
    """``[::1]:8000``, ``127.0.0.1:8000``, ``localhost`` without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many, how much and how often; times in seconds, sizes in bytes."""

    browsers: int = 100
    message: int = 4096
    pieces: int = 8
    """The parts that a message may come in."""
    rate: float = 50.0
    """Requests a second in the long run."""
    burst: float = 100.0
    flood: float = 200.0
    """Requests beyond that, after which whoever sends them is shown out."""
    hello: float = 10.0
    """The requests that a greeting counts for, since everything is sent anew."""
    stalled: float = 20.0
    """How long a browser may leave unread what it was sent."""
    leave: float = 0.5
    """How long it may take to leave when it is shown out."""
    waiting: int = 4
    """Refusals kept for a browser; of all else it gets the newest only."""


class Allowance:
    """So much at once, and so much a second. What is taken beyond that is owed."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left, self._last = rate, burst, burst, 0.0

    def take(self, amount: float, now: float) -> float:
        """Take `amount` at `now` (seconds): what is left, negative if it was too much."""
        self._left = min(self._burst, self._left + (now - self._last) * self._rate) - amount
        self._last = now
        return self._left


class Line(ServerConnection):
    """A connection that is cut when it sends without end, or lets answers pile up.

    The library bounds each message, but not how many pings it answers or how many empty parts a message may have.
    """

    BYTES_A_SECOND = 32_000.0
    BYTES_AT_ONCE = 256_000.0
    UNREAD = 1_000_000
    CONNECTIONS = 140
    """All that are open at once, those among them that only fetch a file."""

    def connection_made(self, transport: object) -> None:
        """Somebody has connected."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._allowance = Allowance(self.BYTES_A_SECOND, self.BYTES_AT_ONCE)
        if len(self.server.handler_tasks) > self.CONNECTIONS:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        over = self._allowance.take(len(data), self.loop.time()) < 0
        if over or self.transport.get_write_buffer_size() > self.UNREAD:
            self.transport.abort()
        else:
            super().data_received(data)


class Hello(Struct, frozen=True):
    """Who reads, in which language (empty: as the browser asks), and what allows changes."""

    language: str = ""
    token: str = ""


class Greeting(Struct, frozen=True):
    """The first that a browser says, and again whenever one of these changes."""

    hello: Hello


class Outcast(Exception):
    """Why a browser is shown out: the WebSocket's code, and the id of the sentence that it is told."""

    def __init__(self, code: int, id: str) -> None:
        super().__init__(id)
        self.code, self.id = code, id


_requests = json.Decoder(AnyRequest)
_greetings = json.Decoder(Greeting)


class Browser:
    """A browser on `line`. `ask` takes a packed request and says whether the daemon will get it."""

    def __init__(
        self, line: ServerConnection, news: News, access: Access, ask: Callable[[bytes], bool], limits: Limits
    ) -> None:
        self.line = line
        self._news, self._access, self._ask, self._limits = news, access, ask, limits
        self._allowance = Allowance(limits.rate, limits.burst)
        self._words = self._preferred = words(preferred(line.request))
        self._may = access.may("")
        self._greeted = self._introduced = False
        self._refusals: deque[Reason] = deque(maxlen=limits.waiting)
        self._seen: dict[str, int] = {}
        self._heard = 0
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """There is news."""
        self._changed.set()

    async def stay(self) -> None:
        """Until the browser leaves, or is shown out; Broken."""
        telling = asyncio.ensure_future(self._tell())
        telling.add_done_callback(lambda _: self.line.transport.abort())
        try:
            with suppress(ConnectionClosed):
                await self._listen()
        finally:
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling

    async def _listen(self) -> None:
        try:
            while True:
                self._hear(await self._message())
        except Outcast as why:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.leave):
                    await self.line.send(encode(refused_form(self._words, Reason(why.id))), text=True)
                    await self.line.close(why.code)

    # What it says ---------------------------------------------------------------------------------

    async def _message(self) -> bytes:
        pieces: list[bytes] = []
        async for piece in self.line.recv_streaming(decode=False):
            pieces.append(piece)
            if len(pieces) > self._limits.pieces:
                raise Outcast(1008, "refused.too-fast")
        return b"".join(pieces)

    def _hear(self, message: bytes) -> None:
        left = self._allowance.take(1.0, asyncio.get_running_loop().time())
        if left < -self._limits.flood:
            raise Outcast(1008, "refused.too-fast")
        why = "too-fast" if left < 0 else self._taken(message)
        if why:
            self._refusals.append(Reason(f"refused.{why}"))
            self.wake()

    def _taken(self, message: bytes) -> str:
        """Do what `message` says; why not, if it cannot be done."""
        try:
            request = _requests.decode(message)
        except ValidationError:
            return self._greet(message)
        except RecursionError:
            return "nonsense"
        except (DecodeError, UnicodeDecodeError):
            raise Outcast(1007, "refused.garbage") from None
        if not self._may:
            return "no-token"
        try:
            return "" if self._ask(pack(request)) else "no-answer"
        except OverflowError:  # a number that no packet can hold
            return "nonsense"

    def _greet(self, message: bytes) -> str:
        try:
            hello = _greetings.decode(message).hello
        except (ValueError, RecursionError):
            return "nonsense"
        if self._greeted:
            self._allowance.take(self._limits.hello, asyncio.get_running_loop().time())
        self._words = words(hello.language) if hello.language in LANGUAGES else self._preferred
        self._may = self._access.may(hello.token)
        self._greeted, self._introduced = True, False
        self._seen, self._heard = {}, 0
        self.wake()
        return ""

    # What it is told ------------------------------------------------------------------------------

    async def _tell(self) -> None:
        """Send whatever is new, for ever; a browser that does not read is cut off."""
        with suppress(ConnectionClosed, TimeoutError):
            while True:
                await self._changed.wait()
                self._changed.clear()
                for text in self._due():
                    async with asyncio.timeout(self._limits.stalled):
                        await self.line.send(text, text=True)

    def _due(self) -> Iterator[bytes]:
        """One text after the other, each made when the one before has gone."""
        while self._refusals:
            yield encode(refused_form(self._words, self._refusals.popleft()))
        if self._greeted and not self._introduced:
            self._introduced = True
            yield encode(page_form(self._words, may=self._may))
        for kind in TOLD_BY if self._greeted else ():
            if self._seen.get(kind) != self._news.versions[kind]:
                self._seen[kind] = self._news.versions[kind]
                text = self._news.text(kind, self._words.language, asyncio.get_running_loop().time())
                if text:
                    yield text
        if self._greeted and self._heard < self._news.spoken:
            after, self._heard = self._heard, self._news.spoken
            yield self._news.sentences(self._words.language, after)


def preferred(request: Request | None) -> str:
    """The language that whoever sent `request` reads."""
    return wanted(",".join(request.headers.get_all("Accept-Language"))) if request else ENGLISH


say(
    "refused",
    too_fast="These are more requests than the table takes in; wait a moment and try again.",
    no_token="Only those may change the game who have the whole address of the page, with what stands behind the #; "
    "it is shown where the program was started.",
    nonsense="The table does not know such a request; reload the page.",
    no_answer="The table does not answer just now; try again.",
    garbage="This was no request at all; reload the page.",
    full="As many browsers as the table can serve are watching already; close one and reload.",
    strange_host="This page belongs to the computer that it runs on; open it there as http://localhost and its port.",
    strange_origin="Another site's page wants to speak to the table, and may not; open the table's own page.",
    nothing_here="There is nothing here; the page of the table is at /.",
    no_record="This game has no record, or it is no longer where it was kept.",
    not_over="A game is explained when it is over, and has a record.",
    only_get="This can only be fetched.",
)
