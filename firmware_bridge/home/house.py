"""Who tells a house of the table at its broker, and asks the page what the house asks.

It is a program like any other at the page: so what a house asks goes through the same door, stands in the same queue,
and obeys the same seats; and the scan loop knows nothing of it. One thing is asked at a time; of what comes meanwhile
the last is kept of each kind. However often a button is pressed at once, it is pressed once.
"""

from __future__ import annotations

import socket
from math import inf

from msgspec import DecodeError, Struct, json, msgpack

from firmware_bridge.home.entities import EVENTS, HomeEvent, HomeState, Shown, Topics, discovery, home_state
from firmware_bridge.home.page import Gone, Page
from firmware_bridge.i18n import Words
from firmware_bridge.link.courier import Message
from firmware_bridge.link.news import Said
from firmware_bridge.link.pairing import Broker

AGAIN = 1.0
"""Seconds after which a page that is not there is looked for again; a guess."""
QUIET = 5.0
"""Seconds without a press after which the button counts again; a guess at what no hand does on purpose."""
LARGEST = 1024
"""Bytes of a message that the broker may send; anything that can be asked has a few."""


class Where(Struct, frozen=True, array_like=True):
    """What the daemon tells: the address of the page (HOST:PORT), and the token that allows changes."""

    address: str
    token: str = ""


class Sentence(Struct, frozen=True):
    """What the table has said, as the page tells it."""

    name: str
    id: str
    text: str


class House:
    """The table of this `name` at a `broker`, in the language of `words`; `link.line.Speaker` tells what calls it."""

    kept, largest, over = False, LARGEST, False

    def __init__(self, name: str, broker: Broker, words: Words) -> None:
        self.broker = broker
        self._topics, self._words = Topics(name), words
        self._page: Page | None = None
        self._next = -inf
        """When the page is looked for again, in seconds."""
        self._shown: Shown | None = None
        self._state: HomeState | None = None
        """How the table stands; None while the page does not tell."""
        self._wanted: dict[str, bytes] = {}
        """What is asked on each topic, the last of each."""
        self._pressed = -inf
        self._fault: Said | None = None

    # What the line asks for ---------------------------------------------------------------------

    @property
    def client(self) -> str:
        """The name of the client."""
        return f"tablelight-home-{self._topics.name}"

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics on which something is asked."""
        return self._topics.asked

    @property
    def watched(self) -> tuple[socket.socket, ...]:
        """The stream of the page."""
        return (self._page.line,) if self._page and self._page.line else ()

    @property
    def told(self) -> bytes:
        """Why the broker cannot be used, if so."""
        return msgpack.encode(self._fault)

    def status(self, *, here: bool) -> Message:
        """Whether the table can be reached."""
        return self._topics.available(here=here)

    def connected(self, now: float) -> list[Message]:
        """What there is to be seen, and how it stands."""
        del now
        self._fault = None
        stands = [self._topics.stands(self._state)] if self._state else []
        return [*discovery(self._topics, self._words), *stands, self.status(here=self._state is not None)]

    def lost(self, fault: Said) -> None:
        """The broker is gone; what was asked is old by the time that it is back."""
        self._fault = fault[0].replace("link-", "home-"), fault[1]
        self._wanted.clear()

    def asked(self, packet: bytes, now: float) -> list[Message]:
        """The daemon tells where the page is."""
        try:
            where = msgpack.decode(packet, type=Where)
        except DecodeError:
            return []
        messages = self._leave(now) if self._page else []
        self._page, self._next = Page(where.address, where.token, self._words.language), now
        return messages

    # What is asked ------------------------------------------------------------------------------

    def hear(self, topic: str, payload: bytes, now: float) -> list[Message]:
        """Something is asked; it is done as soon as the page takes it."""
        if not self._shown or not self._topics.request(topic, payload, self._shown):
            return []
        if topic == self._topics.new:
            before, self._pressed = self._pressed, now
            if now - before < QUIET:
                return []
        self._wanted[topic] = payload
        return []

    def due(self, now: float) -> list[Message]:
        """What has changed at the table; and the next thing that is asked is done."""
        messages = self._listen(now)
        if self._wanted and self._page and self._shown:
            topic = next(iter(self._wanted))
            request = self._topics.request(topic, self._wanted.pop(topic), self._shown)
            if request:
                self._page.ask(request)
        return messages

    # What the page tells ------------------------------------------------------------------------

    def _listen(self, now: float) -> list[Message]:
        page = self._page
        if not page or (not page.line and now < self._next):
            return []
        messages: list[Message] = []
        try:
            if not page.line:
                page.open(now)
            for name, data in page.read(now):
                messages += self._take(name, data)
        except (OSError, Gone):
            messages += self._leave(now)
        return messages

    def _leave(self, now: float) -> list[Message]:
        """The page is gone: nobody knows how the table stands."""
        assert self._page
        self._page.close()
        self._next = now + AGAIN
        known, self._state, self._shown = self._state is not None, None, None
        self._wanted.clear()
        return [self.status(here=False)] if known else []

    def _take(self, name: str, data: bytes) -> list[Message]:
        """An event of the page; what is to be said of it."""
        try:
            if name == "table":
                self._shown = json.decode(data, type=Shown)
                return self._changed(home_state(self._shown, self._words))
            if name == "said":
                said = json.decode(data, type=Sentence)
                return [self._topics.happened(HomeEvent(said.name, said.id, said.text))] if said.name in EVENTS else []
        except DecodeError:  # of another version: what can be read is told
            pass
        return []

    def _changed(self, state: HomeState) -> list[Message]:
        before, self._state = self._state, state
        messages = [self._topics.stands(state)] if state != before else []
        return messages if before else [*messages, self.status(here=True)]
