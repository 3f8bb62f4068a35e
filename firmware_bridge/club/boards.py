"""All boards at a broker, as they are seen on the wall: what is published goes in, what is to be seen comes out. Pure.

1. *Delay.* A message is looked at so many seconds after it has come, and not before: whoever asks what is to be seen is
   told what was known then, for nothing else is known here yet.
2. *An evening's games* are believed by their signatures (`evening`). Another game is shown while one of its tables says
   that it is there; nobody vouches for it, and it counts for nothing.
3. *Clocks* run here from what the seat to move has told last, and when. They stand for a table that has gone, and for
   all while nothing is heard of the broker; and where a broker has kept what was told, for nobody knows how long, until
   it is told again (`courier.RETOLD`).
4. *Bounds.* So many games, tables and bytes are kept, and so much is worked out at a time. Of what comes too fast the
   newest is kept, for each state is whole.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import DecodeError, Struct, ValidationError, json

from firmware_bridge.clocks import Clock
from firmware_bridge.club.evening import Board, Game, Results, Thinking, What, clock_of
from firmware_bridge.link.pairing import ANYBODY, ROOT, Sealed
from firmware_bridge.link.states import LARGEST, VERSION, State, Terms
from games.rules import OptionError

STATUSES = f"{ROOT}/{VERSION}/table/+/status/+"
GAMES = (f"{ROOT}/{VERSION}/game/+/greeting/+/+", f"{ROOT}/{VERSION}/game/+/seat/+/+")
"""What is listened to: which tables are there has to be known before their games are."""
TOPIC = re.compile(
    rf"{ROOT}/{VERSION}/(?:game/(?P<game>[0-9a-f-]{{36}})/(?P<what>greeting|seat)/(?P<seat>[01])"
    r"|table/(?P<table>[0-9a-f]{1,64})/status)/(?P<user>[^/]{1,120})"
)
SILENCE = "silence"
"""What stands for a topic where nothing is heard any more."""
MOST_GAMES, MOST_TABLES = 32, 128
"""Games beside those of the evening, and tables that are there, at most; guessed: a hall."""
MOST_WAITING, MOST_BYTES, MOST_OF_TOPIC = 200, 1 << 25, 1 << 20
"""Messages of a topic that wait for their time, bytes of all and bytes of one topic at most; guessed: above that the
newest one takes the place of the one before."""
MOST_TOPICS = 2000
"""Topics of games that are none of the evening's, and of tables, on which messages wait at most; guessed."""
AT_A_TIME, TURNS_AT_A_TIME = 100, 400
"""Messages that are looked at, and turns that are followed, at a time at most: guessed, a tenth of a second."""
LONGEST_LOG = 1000
"""Entries of a game that nobody vouches for, at most; guessed: longer ones are not shown."""


class Here(Struct, frozen=True):
    """Of a status, whether the table is there."""

    here: bool


class Message:
    """A message that waits: what it is, when it came (seconds), and whether it was an old one then."""

    __slots__ = ("at", "old", "payload", "topic")

    def __init__(self, at: float, topic: str, payload: bytes, *, old: bool) -> None:
        self.at, self.topic, self.payload, self.old = at, topic, payload, old


class Waiting:
    """Messages until their time has come, `delay` seconds after they came."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.bytes = 0
        """What waits, in bytes."""
        self._order: deque[Message] = deque()
        self._topics: dict[str, deque[Message]] = {}

    @property
    def topics(self) -> int:
        """The topics on which messages wait."""
        return len(self._topics)

    def has(self, topic: str) -> bool:
        """Whether one waits on this topic."""
        return topic in self._topics

    def put(self, topic: str, payload: bytes, now: float, *, old: bool = False) -> None:
        """A message has come."""
        if len(payload) > LARGEST:
            return
        of_topic = self._topics.setdefault(topic, deque())
        held = sum(len(each.payload) for each in of_topic) if len(of_topic) > 3 else 0
        full = self.bytes + len(payload) > MOST_BYTES or held > MOST_OF_TOPIC or len(of_topic) >= MOST_WAITING
        if full:
            if not of_topic:
                del self._topics[topic]
                return
            self.bytes -= len(of_topic[-1].payload)
            of_topic.pop().payload = b""  # in its place in the order nothing is left
        message = Message(now, topic, payload, old=old)
        of_topic.append(message)
        self._order.append(message)
        self.bytes += len(payload)
        if len(self._order) > 2 * MOST_WAITING + 2 * sum(map(len, self._topics.values())):
            self._order = deque(each for each in self._order if each.payload)

    def ready(self, now: float) -> bool:
        """Whether the time of the oldest message has come."""
        while self._order and not self._order[0].payload:
            self._order.popleft()
        return bool(self._order) and self._order[0].at + self.delay <= now

    def due(self, now: float, most: int) -> Iterator[Message]:
        """The messages whose time has come, the oldest first, `most` of them at most."""
        while most and self.ready(now):
            message = self._order.popleft()
            most -= 1
            self.bytes -= len(message.payload)
            of_topic = self._topics[message.topic]
            of_topic.popleft()
            if not of_topic:
                del self._topics[message.topic]
            yield message


class Free:
    """A game that is none of the evening: shown as one of its tables tells it, and believed by nobody."""

    def __init__(self, terms: Terms) -> None:
        self.board = Board(terms)
        self.tables = ["", ""]
        self.users = ["", ""]
        self.thinking: list[Thinking | None] = [None, None]
        """What both tell of their clocks."""

    @property
    def clock(self) -> Clock | None:
        """The clocks, as far as both seats have told; None without."""
        return clock_of(self.board, self.thinking)

    def stop(self, seat: int, now: float) -> None:
        """Nothing more is heard of a seat, at `now` (seconds): its clock stands."""
        thinking = self.thinking[seat]
        self.thinking[seat] = thinking and thinking.stop(now)

    @property
    def names(self) -> tuple[str, str]:
        """Who plays, by the broker's users; empty where it has none."""
        first, second = ("" if user == ANYBODY else user for user in self.users)
        return first, second


class Boards:
    """What is to be seen: the games of an evening, if there is one, and others. `delay` in seconds.

    `only`: the name of the player whose games alone are shown; empty for all.
    """

    def __init__(self, results: Results | None = None, delay: float = 0.0, only: str = "") -> None:
        self.results, self.only = results, only
        self.version = 0
        """How often what is to be seen has changed."""
        self.free: dict[str, Free] = {}
        self.waiting = Waiting(delay)
        self._here: dict[str, bool] = {}
        self._more = False

    # What comes -------------------------------------------------------------------------------------

    def put(self, topic: str, payload: bytes, now: float, *, old: bool = False) -> None:
        """A message has come at `now` (seconds); `old`: the broker has kept it from before."""
        found = TOPIC.fullmatch(topic)
        if not found or not payload:
            return
        game = self._evening_game(found["game"])
        if game:
            if found["user"] != game.user(int(found["seat"])):
                return
        elif self.waiting.topics >= MOST_TOPICS and not self.waiting.has(topic):
            return
        self.waiting.put(topic, payload, now, old=old)

    def lose(self, now: float) -> None:
        """The broker is gone at `now` (seconds), and nothing is heard."""
        self.waiting.put(SILENCE, b"-", now)

    def _evening_game(self, id: str | None) -> Game | None:
        """The game of the evening that this names."""
        return self.results.games.get(id) if self.results and id else None

    def see(self, now: float) -> bool:
        """Look at what is due at `now`; whether anything has changed. To be called again soon."""
        before = self.version
        for message in self.waiting.due(now, AT_A_TIME):
            self._hear(message)
        if self.results and self.results.work(TURNS_AT_A_TIME):
            self.version += 1
        left = TURNS_AT_A_TIME
        for game in self.free.values():
            if not game.board.whole:
                done = game.board.work(left)
                left -= done
                self.version += 1
        return self.version != before

    def _hear(self, message: Message) -> None:
        payload, at = message.payload, message.at
        if message.topic == SILENCE:
            self._stop(at)
            return
        found = TOPIC.fullmatch(message.topic)
        assert found
        if found["table"]:
            self._status(found["table"], payload, at)
            return
        game = self._evening_game(found["game"])
        seat, published = int(found["seat"]), None if message.old else at
        if game:
            game.hear(cast("What", found["what"]), seat, found["user"], payload, published)
            if self.away(game.tables[seat]):
                game.stop(seat, at)
            self.version += 1
        elif found["what"] == "seat":
            self._free(found["game"], seat, found["user"], payload, published)

    def _stop(self, at: float, table: str | None = None) -> None:
        """Let the clocks of a table stand from `at` (seconds) on, or all."""
        games: list[Game | Free] = [*(self.results.games.values() if self.results else ()), *self.free.values()]
        for game in games:
            for seat in (0, 1):
                if table in (None, game.tables[seat]):
                    game.stop(seat, at)
        self.version += 1

    def _status(self, table: str, payload: bytes, at: float) -> None:
        """A table is there, or has gone at `at` (seconds)."""
        status = told(payload, Here)
        if not isinstance(status, Here) or (len(self._here) >= MOST_TABLES and table not in self._here):
            return
        if self._here.get(table) != status.here:
            self.version += 1
        if not status.here:
            self._stop(at, table)
        if status.here or (self.results and any(table in game.tables for game in self.results.games.values())):
            self._here[table] = status.here
        else:
            self._here.pop(table, None)
            for id, game in [*self.free.items()]:
                if not any(each in self._here for each in game.tables):
                    del self.free[id]

    def _free(self, id: str, seat: int, user: str, payload: bytes, at: float | None) -> None:
        """A seat of a game that is none of the evening has told its state."""
        state = told(payload, State)
        if not isinstance(state, State) or (state.seat, state.v) != (seat, VERSION) or len(state.log) > LONGEST_LOG:
            return
        if not self._here.get(state.table):
            return
        game = self.free.get(id)
        if not game or game.board.terms != state.terms:
            if not game and len(self.free) >= MOST_GAMES:
                return
            try:
                game = self.free[id] = Free(state.terms)
            except OptionError:
                return
        game.tables[seat], game.users[seat], game.thinking[seat] = state.table, user, Thinking.of(state, at)
        if len(state.log) >= len(game.board.log) or game.board.log[: len(state.log)] != state.log:
            game.board.follow(state.log)
        self.version += 1

    # What is seen -----------------------------------------------------------------------------------

    @property
    def evening_games(self) -> list[tuple[int, Game]]:
        """The games of the evening that are shown, with the number of their round, from 1 on: those that go on, and
        all of the round in hand that have begun."""
        if not self.results:
            return []
        current = self.results.current
        return [
            (number + 1, game)
            for number, games in enumerate(self.results.rounds)
            for game in games
            if game.begun and (number == current or not game.score) and self._wanted(game.names)
        ]

    @property
    def free_games(self) -> list[Free]:
        """The other games that are shown."""
        return [game for game in self.free.values() if game.board.log and self._wanted(game.names)]

    def _wanted(self, names: Iterable[str]) -> bool:
        return not self.only or self.only.lower() in (name.lower() for name in names)

    def away(self, table: str) -> bool:
        """Whether that table has gone, or has never been there."""
        return not self._here.get(table, False)


def told(payload: bytes, kind: type[Here | State]) -> Here | State | None:
    """What a message says, whoever has sealed it; None if it is no `kind`."""
    try:
        return json.decode(json.decode(payload, type=Sealed).said, type=kind)
    except (DecodeError, ValidationError, RecursionError):
        return None
