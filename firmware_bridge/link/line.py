"""The line to the broker: MQTT 5 by paho-mqtt, which ``pip install 'tablelight[club]'`` brings.

One thread waits for the broker and for the daemon at once. The line is made anew after a growing pause, as long as the
program runs. What is said and listened to is a `Speaker`'s: the courier of a linked game, or who tells a house of the
table. No message is let in that is larger than what the speaker takes.
"""

from __future__ import annotations

import select
import socket
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Protocol

import paho.mqtt.client as mqtt
from msgspec import json
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from firmware_bridge.link.courier import Message
from firmware_bridge.link.news import LARGEST as LARGEST_PACKET
from firmware_bridge.link.news import Said, said
from firmware_bridge.link.pairing import (
    Broker,
    Greeting,
    Pairing,
    game_topic,
    listened,
    new_pairing,
    read_greeting,
    seal,
    wrong,
)
from firmware_bridge.link.states import LARGEST, VERSION, Seat, Terms
from firmware_bridge.worker import Pulse
from games.rules import OptionError
from hardware import files

KEEP_ALIVE = 10
"""Seconds after which broker and table look whether the other is still there; a guess."""
CONNECTS = 5.0
"""Seconds that the broker has to answer; a guess at a slow network."""
ANSWERS = 10.0
"""The same while somebody waits for it at a command; a guess."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 5.0
"""Seconds before the line is made anew, at first and at most: the pause doubles each time. Guesses."""
TICK = 0.5
"""Seconds for which the line waits at most before it looks at what is due."""
AT_ONCE = 20
"""Messages that the broker may send before the first is acknowledged; guessed: there are three topics."""
LONGEST_PASSWORD = 1000
"""Bytes of a password file at most."""


class Lost(Exception):
    """The broker cannot be reached, or refuses; `fault` is why, as it is told."""

    def __init__(self, fault: Said) -> None:
        super().__init__(fault[0])
        self.fault = fault


class Line:
    """A connection to `broker` as the client `name`, with the last `will` of its table.

    `hear` gets each message, of `largest` bytes at most; meanwhile `old` tells whether the broker has kept it.
    """

    def __init__(
        self,
        broker: Broker,
        name: str,
        hear: Callable[[str, bytes], None],
        will: Message | None = None,
        largest: int = LARGEST,
    ) -> None:
        self._broker, self._hear, self._largest = broker, hear, largest
        self._refused, self._why = "", "it has hung up"
        self._acknowledged = False
        self._denied = ""
        self._last: mqtt.MQTTMessageInfo | None = None
        self.old = False
        """Whether the broker has kept what is heard from before: how long it has nobody knows."""
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_subscribe = self._on_answer
        client.on_publish = self._on_answer
        client.on_message = self._on_message
        client.connect_timeout = CONNECTS
        if will:
            client.will_set(will.topic, will.payload, qos=1, retain=True)
        self._client = client

    def _on_message(self, _: object, __: object, message: mqtt.MQTTMessage) -> None:
        self.old = message.retain
        self._hear(message.topic, bytes(message.payload))

    def _on_connect(self, *told: object) -> None:
        code = told[3]
        assert isinstance(code, ReasonCode)
        self._refused = str(code) if code.is_failure else ""
        self._acknowledged = True

    def _on_disconnect(self, *told: object) -> None:
        code = told[3]
        if isinstance(code, ReasonCode):
            self._why = str(code)

    def _on_answer(self, *told: object) -> None:
        """What the broker says to a topic that is to be listened to, or written to."""
        codes = told[3] if isinstance(told[3], list) else [told[3]]
        for code in codes:
            if isinstance(code, ReasonCode) and code.is_failure:
                self._denied = str(code)

    def open(self) -> None:
        """Connect; Lost."""
        broker, client = self._broker, self._client
        asks = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        asks.MaximumPacketSize, asks.ReceiveMaximum = self._largest, AT_ONCE
        try:
            if broker.user:
                client.username_pw_set(broker.user, _password(broker))
            if broker.safe:
                client.tls_set(broker.ca or None)
            client.connect(broker.host, broker.port, KEEP_ALIVE, clean_start=True, properties=asks)
            self._await_answer()
        except ssl.SSLError as error:
            raise Lost(said("link-unsafe", broker=broker.url, fault=error.reason or str(error))) from None
        except (OSError, ValueError) as error:
            raise Lost(self._unreached(getattr(error, "strerror", None) or str(error))) from None

    def _await_answer(self) -> None:
        """Wait until the broker takes us; Lost."""
        until = monotonic() + CONNECTS
        while not self._acknowledged:
            self.wait(0.2)
            if monotonic() > until:
                self.close()
                raise Lost(self._unreached("no answer"))
        if self._refused:
            raise self._gone()

    def _gone(self) -> Lost:
        """Why there is no connection."""
        if self._refused:
            return Lost(said("link-refused", broker=self._broker.url, fault=self._refused))
        return Lost(self._unreached(self._why))

    def _unreached(self, fault: str) -> Said:
        return said("link-unreached", broker=self._broker.url, fault=fault)

    def fileno(self) -> int:
        """The number of the socket, for who waits for several lines; -1 once the connection is gone."""
        ours = self._client.socket()
        return ours.fileno() if ours else -1

    def wait(self, seconds: float, also: Sequence[socket.socket] = ()) -> list[socket.socket]:
        """Wait for news of the broker, take them in, and see to what is due; those of `also` that have something.

        Lost once the connection is gone.
        """
        client = self._client
        ours = client.socket()
        if ours is None:
            raise self._gone()
        pending = getattr(ours, "pending", lambda: 0)()
        writes = [ours] if client.want_write() else []
        ready, writable, _ = select.select([ours, *also], writes, [], 0 if pending else seconds)
        if ours in ready or pending:
            client.loop_read()
        if writable:
            client.loop_write()
        client.loop_misc()
        if self._denied:
            raise Lost(said("link-denied", broker=self._broker.url, fault=self._denied))
        if client.socket() is None:
            raise self._gone()
        return [each for each in also if each in ready]

    def listen(self, topics: tuple[str, ...], *, kept: bool = True) -> None:
        """Listen to `topics`; what the broker has `kept` of them comes at once, if that is wanted."""
        how = SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE if kept else SubscribeOptions.RETAIN_DO_NOT_SEND
        self._client.subscribe([(topic, SubscribeOptions(qos=1, retainHandling=how)) for topic in topics])

    def say(self, messages: list[Message]) -> None:
        """Publish these."""
        for message in messages:
            self._last = self._client.publish(message.topic, message.payload, qos=1, retain=message.kept)

    @property
    def denied(self) -> str:
        """Why the broker has refused a topic; empty if it has not."""
        return self._denied

    @property
    def said(self) -> bool:
        """Whether the broker has acknowledged what was said last."""
        return self._last is not None and self._last.is_published() and not self._denied

    def close(self, last: Message | None = None) -> None:
        """Hang up; the `last` word is said before."""
        with suppress(OSError, ValueError, Lost):
            if last:
                self.say([last])
                self.wait(0.2)
            self._client.disconnect()
            self.wait(0.1)


def _password(broker: Broker) -> str | None:
    """The first line of the password file; OSError."""
    if not broker.password_file:
        return None
    held = files.read(Path(broker.password_file).expanduser(), LONGEST_PASSWORD)
    return held.decode("utf-8", "replace").partition("\n")[0]


# The process ----------------------------------------------------------------------------------------


class Speaker(Protocol):
    """Who says something to a broker, and hears what it has; `now` is in seconds."""

    over: bool
    """Whether there is nothing more to do at the broker."""
    kept: bool
    """Whether what the broker has kept is to be heard, too."""
    largest: int
    """Bytes of a message that may come."""

    @property
    def broker(self) -> Broker:
        """The broker."""

    @property
    def client(self) -> str:
        """The name of the client, which no other has at that broker."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that are listened to."""

    @property
    def watched(self) -> Sequence[socket.socket]:
        """Sockets beside the daemon's and the broker's, on which there may be something to be looked at in `due`."""

    @property
    def told(self) -> bytes:
        """What the daemon is to know; it is sent when it has changed."""

    def status(self, *, here: bool) -> Message:
        """That this table is there, or is not: the broker is given this as its will."""

    def connected(self, now: float) -> list[Message]:
        """The line to the broker is there: what is to be said first."""

    def lost(self, fault: Said) -> None:
        """The line to the broker is gone."""

    def hear(self, topic: str, payload: bytes, now: float) -> list[Message]:
        """Take in a message; what is to be said to it before the daemon is told. What takes time is for `due`."""

    def due(self, now: float) -> list[Message]:
        """What is to be said now; called often."""

    def asked(self, packet: bytes, now: float) -> list[Message]:
        """Do what the daemon asks; what is to be said."""


class Post:
    """The process between the broker and the `daemon`, who has the other end of a socket pair."""

    def __init__(self, speaker: Speaker, daemon: socket.socket) -> None:
        self._speaker, self._daemon = speaker, daemon
        self._pulse = Pulse(daemon)
        self._line: Line | None = None
        self._key = self._told = b""
        """With what the will was sealed; what the daemon was told last."""
        self._topics: tuple[str, ...] = ()
        self._heard: deque[tuple[str, bytes]] = deque()
        self._pause, self._due = SHORTEST_PAUSE, -inf

    def run(self) -> None:
        """Carry messages until the daemon ends."""
        going = True
        while going:
            self._pulse()
            self._tell()
            try:
                going = self._turn()
            except Lost as lost:
                self._speaker.lost(lost.fault)
                self._line, self._due = None, monotonic() + self._pause
                self._pause = min(2 * self._pause, LONGEST_PAUSE)
        if self._line:
            self._line.close(self._speaker.status(here=False))

    def _turn(self) -> bool:
        """Wait for something to happen, and do what follows; whether the daemon is still there. Lost."""
        if not self._line and not self._speaker.over and monotonic() >= self._due:
            self._connect()
        waits = [self._daemon, *self._speaker.watched]
        ready = self._line.wait(TICK, waits) if self._line else select.select(waits, [], [], TICK)[0]
        while self._heard:
            self._say(self._speaker.hear(*self._heard.popleft(), monotonic()))
        self._tell()
        self._say(self._speaker.due(monotonic()))
        renewed = self._topics != self._speaker.topics  # paired just now: the will wants another seal
        if self._line and (renewed or self._speaker.over):
            self._line.close()
            self._line = None
        return self._daemon not in ready or self._obey()

    def _connect(self) -> None:
        speaker, now = self._speaker, monotonic()
        line = Line(
            speaker.broker, speaker.client, lambda *heard: self._heard.append(heard), speaker.status(here=False),
            speaker.largest,
        )  # fmt: skip
        line.open()
        self._line, self._pause, self._topics = line, SHORTEST_PAUSE, speaker.topics
        line.listen(self._topics, kept=speaker.kept)
        self._say(speaker.connected(now))

    def _say(self, messages: list[Message]) -> None:
        if self._line:
            self._line.say(messages)

    def _obey(self) -> bool:
        """Do what the daemon asks; False once it has ended."""
        try:
            data = self._daemon.recv(LARGEST_PACKET)
        except ConnectionResetError:  # it has ended and left beats unread
            return False
        if data:
            self._say(self._speaker.asked(data, monotonic()))
        return bool(data)

    def _tell(self) -> None:
        """Tell the daemon what it is to know, if that is new."""
        told = self._speaker.told
        if told != self._told:
            with suppress(OSError):  # it has ended, or has no room: the next time
                self._daemon.send(told, socket.MSG_DONTWAIT)
                self._told = told


# Pairing, while somebody waits ----------------------------------------------------------------------


def greet(pairing: Pairing) -> None:
    """Let the broker keep the greeting of this table, so that the other one finds it; LinkError."""
    topic = pairing.greets(pairing.seat)
    line = _opened(pairing.broker, lambda *_: None)
    line.say([Message(topic, seal(pairing.word_key, topic, json.encode(pairing.greeting)))])
    _wait(line, lambda: line.said, ANSWERS)
    heard = line.said
    line.close()
    if not heard:
        raise wrong("untold", broker=pairing.broker.url)


def find(broker: Broker, secret: bytes) -> Pairing:
    """The pairing that six words lead to, at the seat that is free; LinkError."""
    asking = new_pairing(broker, secret, 0, Terms(""))
    found: dict[int, Greeting] = {}
    seats: tuple[Seat, Seat] = (0, 1)
    topics = {seat: game_topic(asking.game, "greeting", seat, "+") for seat in seats}

    def hear(topic: str, payload: bytes) -> None:
        greeting = read_greeting(asking.word_key, topic, payload)
        if greeting and listened(topics[greeting.seat], topic):
            found[greeting.seat] = greeting

    fetch(broker, tuple(topics.values()), hear, lambda: len(found) == 2, 1.0)
    if not found:
        raise wrong("nobody")
    if len(found) == 2 or any(greeting.partner for greeting in found.values()):
        raise wrong("joined")
    (other,) = found.values()
    if other.v != VERSION:
        raise wrong("version", version=other.v, own=VERSION)
    try:
        other.terms.sheet()
    except OptionError as error:
        raise wrong("no-game", fault=str(error)) from None
    return new_pairing(broker, secret, 1 if other.seat == 0 else 0, other.terms, other)


def fetch(broker: Broker, topics: tuple[str, ...], hear: Callable[[str, bytes], None], over: Callable[[], bool],
          seconds: float) -> None:  # fmt: skip
    """Hear what the broker keeps on `topics`, until it is `over` or so many `seconds` have passed; LinkError."""
    line = _opened(broker, hear)
    line.listen(topics)
    _wait(line, over, seconds)
    line.close()
    if line.denied:
        raise wrong("unusable", broker=broker.url, fault=line.denied)


def _opened(broker: Broker, hear: Callable[[str, bytes], None]) -> Line:
    line = Line(broker, f"tablelight-{token_hex(6)}", hear)
    try:
        line.open()
    except Lost as lost:
        why = dict(lost.fault[1])["fault"]
        raise wrong("unusable", broker=broker.url, fault=why) from None
    return line


def _wait(line: Line, over: Callable[[], bool], seconds: float) -> None:
    """Take in what comes for `seconds`, until it is `over`."""
    until = monotonic() + seconds
    with suppress(Lost):
        while not over() and monotonic() < until:
            line.wait(0.05)
