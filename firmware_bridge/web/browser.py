"""One browser: how much it may ask, and what it is told.

A request of the browser goes to the daemon. The browser is sent what has changed since it was sent anything last.
Nothing waits in line for a browser that reads slowly: it gets the newest state when it can take one. Limits on every
connection keep one browser from being noticed by the others.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import parse_qs, urlsplit

from msgspec import DecodeError, Meta, Struct, ValidationError, json
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request

from firmware_bridge.i18n import ENGLISH, LANGUAGES, Words, wanted, words
from firmware_bridge.session import AnyRequest
from firmware_bridge.web.door import Access, Slots, address
from firmware_bridge.web.fair_queue import TokenBucket
from firmware_bridge.web.forms import Form, SeatsForm, encode
from firmware_bridge.web.opened import Bring
from firmware_bridge.web.seating import AnySeatRequest, Seating
from firmware_bridge.web.snapshots import FOR_PLAYERS, TEXTS_CHANGED, SnapshotTexts, page_form, refused_form
from games.rules import Reason, say

FIELDS = 20
"""Fields behind the ``?`` of a URL at most; guessed: games have few options."""

# How much one browser may ask -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for browsers, in seconds and bytes; all are guessed."""

    browsers: int = 100
    """The browsers that are served at once."""
    kept: int = 20
    """Those of them that are kept for whoever may change something."""
    each: int = 20
    """Those of an address that may not."""
    strangers: int = 140
    """The connections that have not greeted, with those that only fetch a file."""
    silence: float = 10.0
    """Seconds after which a connection is closed that has not asked for anything, or has not greeted."""
    message: int = 4096
    """Bytes of a message."""
    fragments: int = 8
    """The fragments that a message may come in."""
    rate: float = 50.0
    """Requests a second in the long run."""
    burst: float = 100.0
    """Requests at once."""
    flood: float = 200.0
    """Requests beyond the burst, after which their sender is expelled."""
    greeting: float = 10.0
    """The requests that a greeting counts for, since everything is sent anew."""
    send_timeout: float = 20.0
    """Seconds for which a browser may leave unread what it was sent."""
    close_timeout: float = 0.5
    """Seconds that it may take to leave when it is expelled."""
    answered: float = 8.0
    """Seconds in which a program's request is to be done: more than the queue lets one wait, less than `silence`."""
    own: int = 4
    """The refusals and other answers that are kept for a browser; of all else it gets the newest only."""


class LimitedConnection(ServerConnection):
    """A connection that is cut when it sends without end, lets answers pile up, or asks nothing for `silence` seconds.

    The library limits the length of each message, but neither the number of pings nor that of empty fragments. It takes
    no request with a body: that of a POST is kept aside in `body`. The limits are guessed.
    """

    BYTES_A_SECOND = 32_000.0
    """Bytes a second that it may send in the long run."""
    BYTES_AT_ONCE = 256_000.0
    """Bytes that it may send at once."""
    UNREAD = 1_000_000
    """Bytes that it may leave unread."""
    LONGEST_HEAD = 16_384
    """Bytes of the lines before a body."""
    CHUNKED = re.compile(rb"(?i)\r\nTransfer-Encoding:[^\r\n]*")
    LENGTH = re.compile(rb"(?i)\r\nContent-Length:[ \t]*([0-9]{1,9})[ \t]*(?=\r\n)")

    def __init__(self, *given: Any, slots: Slots, silence: float, longest: int, **named: Any) -> None:
        super().__init__(*given, **named)
        self.slots = slots
        """Who is there."""
        self.address = ""
        """Where the guest is."""
        self.body: bytes | None = b""
        """The body of the request; None where it would have more than `longest` bytes."""
        self._silence, self._longest = silence, longest
        self._begun = bytearray()
        self._heading = True
        """Whether the head of the request is not whole yet."""
        self._posted = False
        """Whether a request with a body was taken in: what comes after it is nothing that the library knows."""
        self._stays = False

    async def handshake(self, *given: Any, **named: Any) -> None:
        """Answer the request, in time; TimeoutError."""
        async with asyncio.timeout(self._silence) as self._patience:
            await super().handshake(*given, **named)

    def stay(self) -> None:
        """The answer to the request may take as long as it likes, and the guest sends nothing more."""
        self._stays = True
        self._patience.reschedule(None)

    def connection_made(self, transport: object) -> None:
        """Limit a new connection."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._bucket = TokenBucket(self.BYTES_A_SECOND, self.BYTES_AT_ONCE)
        self.address = address(self)
        self.slots.come(self)

    def connection_lost(self, error: Exception | None) -> None:
        """Make room for another."""
        self.slots.go(self)
        super().connection_lost(error)

    def cut(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take in data, or cut the connection if it is too much."""
        over = self._bucket.take(len(data), self.loop.time()) < 0
        if over or self._stays or self.transport.get_write_buffer_size() > self.UNREAD:
            self.transport.abort()
        elif not self._posted and (seen := self._without_body(data) if self._heading else data):
            super().data_received(seen)

    def _without_body(self, data: bytes) -> bytes:
        """What the library is to see of a request once it is whole: all of it but the body of a POST."""
        self._begun += data
        head, blank, rest = bytes(self._begun).partition(b"\r\n\r\n")
        posts = head.startswith(b"POST "[: len(head)])
        if posts and not blank and len(head) < self.LONGEST_HEAD:
            return b""
        if not posts or not blank:
            self._heading = False
            return bytes(self._begun)
        lengths = self.LENGTH.findall(head + b"\r\n")
        if self.CHUNKED.search(head) or len(lengths) != 1:
            self._posted, self.body = True, None
            return self.LENGTH.sub(b"", self.CHUNKED.sub(b"", head) + b"\r\n") + b"\r\n"
        length = int(lengths[0])
        if len(rest) < length <= self._longest:
            return b""
        self._posted = True
        self.body = rest[:length] if length <= self._longest else None
        return self.LENGTH.sub(b"\r\nContent-Length: 0", head + b"\r\n") + b"\r\n"


# The conversation -------------------------------------------------------------------------------


class Hello(Struct, frozen=True):
    """The language of the reader (empty: as the browser asks), the token that allows changes, and a key of its own."""

    language: str = ""
    token: str = ""
    guest: Annotated[str, Meta(max_length=64)] = ""
    """The key by which this browser is known again, which it has made up; empty: it is known while the line stands."""


class Greeting(Struct, frozen=True):
    """The first message of a browser, sent again whenever one of these changes."""

    hello: Hello


class Expelled(Exception):
    """Why a browser is expelled: the WebSocket's close code, and the id of the sentence that it is told."""

    def __init__(self, code: int, id: str) -> None:
        super().__init__(id)
        self.code, self.id = code, id


_requests: json.Decoder[AnyRequest | AnySeatRequest | Bring] = json.Decoder(AnyRequest | AnySeatRequest | Bring)
_greetings = json.Decoder(Greeting)


Ask = Callable[["Browser", AnyRequest | AnySeatRequest | Bring], str]


class Browser:
    """A browser on the connection `line`.

    `ask` takes a request of it, and returns the end of the id of the sentence why it is refused, or nothing.
    """

    def __init__(
        self, line: LimitedConnection, texts: SnapshotTexts, access: Access, seating: Seating, ask: Ask, limits: Limits
    ) -> None:
        self.line = line
        """The connection."""
        self.address = line.address
        """Where the browser is."""
        self.guest = ""
        """The key of its reader, once it has greeted."""
        self._texts, self._access, self._seating, self._ask, self._limits = texts, access, seating, ask, limits
        self._bucket = TokenBucket(limits.rate, limits.burst)
        self._words = self._preferred = words(preferred(line.request))
        self._may_change = access.may_change("")
        self._greeted = self._introduced = False
        self._own: deque[Form] = deque(maxlen=limits.own)
        """What this browser alone is told."""
        self._seen: dict[str, int] = {}
        self._seats: SeatsForm | None = None
        """How it stands at the seats, as this browser was told."""
        self._heard = 0
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """Have the browser told what has changed."""
        self._changed.set()

    async def stay(self) -> None:
        """Serve the browser until it leaves or is expelled; Broken."""
        telling = asyncio.ensure_future(self._tell())
        telling.add_done_callback(lambda _: self.line.transport.abort())
        try:
            with suppress(ConnectionClosed):
                await self._listen()
        finally:
            if self.guest:
                self._seating.go(self.guest, asyncio.get_running_loop().time())
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling

    async def _listen(self) -> None:
        try:
            await self._hear_all()
        except Expelled as why:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.close_timeout):
                    await self.line.send(encode(refused_form(self._words, Reason(why.id))), text=True)
                    await self.line.close(why.code)

    async def _hear_all(self) -> None:
        """Do what the browser asks, for ever; Expelled."""
        try:
            async with asyncio.timeout(self._limits.silence):
                while not self._greeted:
                    self._hear(await self._message())
        except TimeoutError:
            raise Expelled(1008, "refused.silent") from None
        while True:
            self._hear(await self._message())

    # What it sends ------------------------------------------------------------------------------

    async def _message(self) -> bytes:
        pieces: list[bytes] = []
        async for piece in self.line.recv_streaming(decode=False):
            pieces.append(piece)
            if len(pieces) > self._limits.fragments:
                raise Expelled(1008, "refused.too-fast")
        return b"".join(pieces)

    def _hear(self, message: bytes) -> None:
        left = self._bucket.take(1.0, asyncio.get_running_loop().time())
        if left < -self._limits.flood:
            raise Expelled(1008, "refused.too-fast")
        why = "too-fast" if left < 0 else self._taken(message)
        if why:
            self.refuse(why)

    def refuse(self, why: str) -> None:
        """Tell the browser why something is not done: `why` is the end of the id of a sentence."""
        self.tell(refused_form(self._words, Reason(f"refused.{why}")))

    def done(self) -> None:
        """What it asked has been done: what has changed by that it is told like all others."""

    def tell(self, form: Form) -> None:
        """Tell this browser alone."""
        self._own.append(form)
        self.wake()

    @property
    def words(self) -> Words:
        """The sentences in the reader's language."""
        return self._words

    def _taken(self, message: bytes) -> str:
        """Do what `message` asks; empty, or the end of the id of the sentence that tells why not."""
        try:
            request = _requests.decode(message)
        except ValidationError:
            return self._greet(message)
        except RecursionError:
            return "nonsense"
        except (DecodeError, UnicodeDecodeError):
            raise Expelled(1007, "refused.garbage") from None
        if not self._may_change:
            return "no-token"
        try:
            return self._ask(self, request)
        except OverflowError:  # a number that no packet can hold
            return "nonsense"

    def _greet(self, message: bytes) -> str:
        try:
            hello = _greetings.decode(message).hello
        except (ValueError, RecursionError):
            return "nonsense"
        if self._greeted:
            self._bucket.take(self._limits.greeting, asyncio.get_running_loop().time())
        self._words = words(hello.language) if hello.language in LANGUAGES else self._preferred
        why = self._show_token(hello.token)
        if not self.line.slots.greet(self.line, trusted=self._may_change):
            raise Expelled(1013, "refused.full")
        self._know(hello.guest)
        self._greeted, self._introduced = True, False
        self._seen, self._seats, self._heard = {}, None, 0
        self.wake()
        return why

    def _know(self, key: str) -> None:
        """Know the reader by a key, or by this connection."""
        now, before, self.guest = asyncio.get_running_loop().time(), self.guest, key or f"line {id(self):x}"
        if before == self.guest:
            return
        if before:
            self._seating.go(before, now)
        self._seating.come(self.guest, now)

    def _show_token(self, token: str) -> str:
        """Look at a token: empty, or the end of the id of the sentence why that was not done."""
        now, penalties = asyncio.get_running_loop().time(), self._access.penalties
        self._may_change = self._access.may_change("")
        if self._may_change or not token:
            return ""
        if penalties.pauses(self.address, now):
            return "too-many-tokens"
        self._may_change = self._access.may_change(token)
        if not self._may_change:
            penalties.fail(self.address, now)
        return ""

    # What it is sent ----------------------------------------------------------------------------

    async def _tell(self) -> None:
        """Send all that is new, for ever; a browser that does not read is cut off."""
        with suppress(ConnectionClosed, TimeoutError):
            while True:
                await self._changed.wait()
                self._changed.clear()
                for text in self._due():
                    async with asyncio.timeout(self._limits.send_timeout):
                        await self.line.send(text, text=True)

    def _due(self) -> Iterator[bytes]:
        """The texts that are new to the browser, each made when the one before has been sent."""
        while self._own:
            yield encode(self._own.popleft())
        if self._greeted and not self._introduced:
            self._introduced = True
            access, may = self._access, self._may_change
            badge = "" if access.private else access.badge
            form = page_form(
                self._words, may=may, invitation=access.invitation(), open_past=access.open_past, badge=badge
            )
            yield encode(form)
        for kind in TEXTS_CHANGED if self._greeted else ():
            if kind in FOR_PLAYERS and not self._may_change:
                continue
            if self._seen.get(kind) != self._texts.versions[kind]:
                self._seen[kind] = self._texts.versions[kind]
                text = self._texts.text(kind, self._words.language, asyncio.get_running_loop().time())
                if text:
                    yield text
        if self._greeted and self._seen.get("seats") != self._seating.version:
            self._seen["seats"] = self._seating.version
            seats = self._seating.form(self.guest, asyncio.get_running_loop().time(), self._words)
            if seats != self._seats:  # a hand that reaches in changes it for the others alone
                self._seats = seats
                yield encode(seats)
        if self._greeted and self._heard < self._texts.spoken:
            after, self._heard = self._heard, self._texts.spoken
            yield self._texts.sentences(self._words.language, after)


def preferred(request: Request | None) -> str:
    """The language that `request` prefers; English if there is none."""
    return wanted(",".join(request.headers.get_all("Accept-Language"))) if request else ENGLISH


def asked_for(request: Request) -> str:
    """The language in the URL, ``?language=fr``, which was chosen on the page; empty if there is none."""
    told = asked(request).get("language", "")
    return told if told in LANGUAGES else ""


def asked(request: Request) -> dict[str, str]:
    """What stands behind the ``?`` of the URL, of what is told twice the last; nothing if that is no list of fields."""
    try:
        query = parse_qs(urlsplit(request.path).query, max_num_fields=FIELDS)
    except ValueError:
        return {}
    return {name: values[-1] for name, values in query.items()}


say(
    "refused",
    no_token="Only those may change the game who have the whole address of the page, with what stands behind the #; "
    "it is shown where the program was started.",
    nonsense="The table does not know such a request; reload the page.",
    garbage="This was no request at all; reload the page.",
    silent="This browser has not said what it wants; reload the page.",
    too_many_tokens="Wrong tokens came too often; wait a minute, and open the whole address that is shown where the "
    "program was started.",
    full="As many browsers as the table can serve are watching already; close one and reload.",
    nothing_here="There is nothing here; the page of the table is at /.",
    no_badge="This is for those who may play: open the whole address of the page in this browser, with what stands "
    "behind the #; it is shown where the program was started.",
    no_film="There is no moving picture of this game yet: ask for it on the page.",
    no_record="This game has no record, or it is no longer where it was kept.",
    not_over="A game is explained when it is over, and has a record.",
    only_get="This can only be fetched.",
)
