"""Tables that play the games of an evening, as what they publish: real couriers, with a broker in memory or not."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from msgspec.structs import replace

from firmware_bridge.club.evening import Evening, Meeting, Results, plan
from firmware_bridge.link.courier import Courier, Message
from firmware_bridge.link.line import Line
from firmware_bridge.link.news import Answer, Flag, Play, Tick, Want
from firmware_bridge.link.pairing import Broker, Greeting, Pairing, new_pairing
from firmware_bridge.link.states import Terms
from games.rules import load
from tests.link.tables import taken_in

PATIENCE = 30.0
"""Seconds after which a test gives up."""
Publish = Callable[[str, Message], None]
"""What takes a message of a table, by the name of the player."""


def terms(game: str = "zhizhu", clock: str = "", **options: int | str) -> Terms:
    return Terms(game, dict(load(game, **options).chosen), clock=clock)


def evening(*names: str, game: str = "zhizhu", clock: str = "", broker: Broker | None = None) -> Evening:
    return plan(names or ("Anna", "Ben", "Carl", "Dora"), terms(game, clock), broker or Broker("nowhere"))


class Tables:
    """The two tables of a game; what they say goes to `publish` as well as to the other one."""

    def __init__(
        self, evening: Evening, meeting: Meeting, folder: Path, publish: Publish, played: Terms | None = None
    ) -> None:
        self.names = [evening.names[place] for place in meeting.pair]
        self.kept: dict[str, bytes] = {}
        self._publish = publish
        secret, chosen = bytes.fromhex(meeting.secret), played or evening.terms
        first = new_pairing(self._broker(evening, 0), secret, 0, chosen)
        second = new_pairing(self._broker(evening, 1), secret, 1, chosen, first.greeting)
        self.couriers = [self._courier(folder, meeting, pairing) for pairing in (first, second)]
        for _ in range(2):
            for courier in self.couriers:
                self._say(courier, courier.connected(0.0))
                for topic, payload in [*self.kept.items()]:
                    if courier.listens(topic):
                        self._say(courier, taken_in(courier, topic, payload))

    def _broker(self, evening: Evening, seat: int) -> Broker:
        return replace(evening.broker, user=self.names[seat].lower() if evening.broker.user else "")

    @staticmethod
    def _courier(folder: Path, meeting: Meeting, pairing: Pairing) -> Courier:
        path = folder / meeting.secret / str(pairing.seat) / "pairing.json"
        return Courier(pairing, path, "1")

    def _say(self, courier: Courier, messages: Sequence[Message]) -> None:
        for message in messages:
            self.kept[message.topic] = message.payload
            self._publish(self.names[courier.pairing.seat], message)
            other = self.couriers[1 - courier.pairing.seat] if hasattr(self, "couriers") else None
            if other and other.listens(message.topic):
                self._say(other, taken_in(other, message.topic, message.payload))

    # What players do --------------------------------------------------------------------------------

    @property
    def mover(self) -> Courier:
        return self.couriers[self.couriers[0].agreement.standing.mover]

    @property
    def over(self) -> bool:
        return self.mover.agreed.ended is not None or bool(self.mover.agreement.standing.sheet.outcome)

    def make(self, luck: Random, spent: float = 2.0) -> None:
        """The player to move makes a turn."""
        mover = self.mover
        turn = luck.choice(mover.agreement.standing.sheet.turns)
        self._say(mover, mover.obey(Play(mover.agreed.entries, turn.text, spent), 0.0))

    def play(self, luck: Random) -> None:
        """Play until it is over."""
        while not self.over:
            self.make(luck)

    def resign(self, seat: int) -> None:
        courier = self.couriers[seat]
        self._say(courier, courier.obey(Want(courier.agreed.entries, "resign"), 0.0))

    def ask(self, seat: int, what: str, keep: int = 0) -> None:
        """A seat asks for something, and the other one grants it."""
        courier, other = self.couriers[seat], self.couriers[1 - seat]
        self._say(courier, courier.obey(Want(courier.agreed.entries, what, keep), 0.0))  # type: ignore[arg-type]
        asked = other.agreed.asked
        if asked:
            self._say(other, other.obey(Answer(other.agreed.entries, asked.number, grant=True), 0.0))

    def think(self, used: float = 0.0, *, runs: bool = True, now: float = 0.0) -> None:
        """The clock of the player to move runs at the own table, or stands."""
        mover = self.mover
        self._say(mover, mover.obey(Tick(mover.agreed.entries, used, runs), now))

    def pass_time(self, now: float) -> None:
        """It is so late by the tables' own clocks."""
        for courier in self.couriers:
            self._say(courier, courier.due(now))

    def flag(self) -> None:
        """The time of the player to move is up."""
        mover = self.mover
        self._say(mover, mover.obey(Flag(mover.agreed.entries), 0.0))

    def come(self, seat: int, now: float) -> None:
        """A table is back at the broker, at `now` of its own clock."""
        self._say(self.couriers[seat], self.couriers[seat].connected(now))

    def leave(self, seat: int) -> None:
        """A table goes, as the broker tells it."""
        self._say(self.couriers[seat], [self.couriers[seat].status(here=False)])

    @property
    def greetings(self) -> list[Greeting]:
        return [courier.pairing.greeting for courier in self.couriers]


def nobody(name: str, message: Message) -> None:
    """Nobody listens."""


def heard(results: Results, kept: dict[str, bytes]) -> None:
    """The results take in all that a broker keeps."""
    for topic, payload in kept.items():
        parts = topic.split("/")
        if parts[2] == "game" and parts[4] in ("greeting", "seat") and parts[3] in results.games:
            results.games[parts[3]].hear(parts[4], int(parts[5]), parts[6], payload)  # type: ignore[arg-type]
    while results.work(1000):
        pass


class Lines:
    """What tables say goes to a real broker, each by its own line."""

    def __init__(self, planned: Evening) -> None:
        self._broker = planned.broker
        self._lines: dict[str, Line] = {}

    def publish(self, name: str, message: Message) -> None:
        user = name.lower()
        if user not in self._lines:
            password = self._broker.password_file.replace("wall.", f"{user}.")
            broker = replace(self._broker, user=user if self._broker.user else "", password_file=password)
            self._lines[user] = Line(broker, f"test-{user}", lambda *_: None)
            self._lines[user].open()
        line = self._lines[user]
        line.say([message])
        until = time.monotonic() + PATIENCE
        while not line.said:
            assert time.monotonic() < until
            line.wait(0.05)

    def close(self) -> None:
        while self._lines:
            self._lines.popitem()[1].close()
