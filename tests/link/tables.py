"""Two simulated tables that play with each other in a time of their own, over a line that a test may cut."""

from __future__ import annotations

from collections import deque
from functools import partial
from pathlib import Path
from random import Random

from firmware_bridge.config import Config, RecordConfig
from firmware_bridge.events import Event
from firmware_bridge.link import Partner
from firmware_bridge.link.courier import Courier, Message
from firmware_bridge.link.news import REQUESTS, pack, unpack
from firmware_bridge.link.pairing import Broker, new_pairing, write_pairing
from firmware_bridge.link.states import Terms
from firmware_bridge.session import Make
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.worker import Loss, Worker
from games.rules import Game, Outcome, Position, load
from hardware.device import Sense

STEP = 0.01


class NearLine(Worker):
    """What the process of the line is to a daemon, in the same process: a courier, and a broker in memory."""

    def __init__(self, club: Club, courier: Courier, path: Path) -> None:
        del path  # the courier has it
        super().__init__("firmware_bridge.link")
        self.starts = 1
        self.courier = courier
        self._club = club
        self._told = b""
        self._asked: deque[tuple[float, bytes]] = deque()
        """What the daemon has sent, and when it comes."""
        self._telling: deque[tuple[float, bytes]] = deque()

    def alive(self, now: float) -> bool:
        while self._asked and self._asked[0][0] <= now:
            self._obey(self._asked.popleft()[1])
        self._club.publish(self.courier, self.courier.due(now))
        return True

    def send(self, data: bytes) -> bool:
        if self._club.lag:
            self._asked.append((self._club.now + self._club.lag, data))
        else:
            self._obey(data)
        return True

    def _obey(self, data: bytes) -> None:
        request = unpack(REQUESTS, data)
        assert request
        self._club.publish(self.courier, self.courier.obey(request, self._club.now))
        self._tell()

    def _tell(self) -> None:
        told = pack(self.courier.agreed)
        if told != self._told:
            self._telling.append((self._club.now + self._club.lag, told))
            self._told = told

    def receive(self) -> bytes:
        self._tell()
        return self._telling.popleft()[1] if self._telling and self._telling[0][0] <= self._club.now else b""

    def news(self) -> Loss | None:
        return None


def record_path(folder: Path, game: Game[Position]) -> Path:
    return folder / f"{game.name}.table"


class Club:
    """Two tables, each with its own sensors, and the broker between them; `now` in seconds.

    `lag`: the seconds that a packet takes between a daemon and its process, either way.
    """

    def __init__(
        self, folder: Path, game: str, senses: tuple[Sense, Sense], clock: str = "", house_rule: bool = True,
        *, traced: bool = False, lag: float = 0.0,
    ) -> None:  # fmt: skip
        self.terms = Terms(game, dict(load(game).chosen), house_rule, clock)
        self.now, self.lag = 0.0, lag
        self.up = True
        self.kept: dict[str, bytes] = {}
        self.published = 0
        """Messages that have come to the broker."""
        self.events: tuple[list[Event], list[Event]] = ([], [])
        """What was said at each table."""
        first = new_pairing(Broker("nowhere"), bytes(10), 0, self.terms)
        second = new_pairing(Broker("nowhere"), bytes(10), 1, self.terms, first.greeting)
        self.couriers: list[Courier] = []
        self.hosts: list[SimulatedHost] = []
        for number, pairing in enumerate((first, second)):
            path = folder / str(number) / "pairing.json"
            write_pairing(path, pairing)
            self.couriers.append(Courier(pairing, path, "1"))
            place = partial(record_path, path.parent)
            partner = Partner(path, 0, partial(NearLine, self, self.couriers[number]))
            sheet = self.terms.sheet(1 - number)
            kept = RecordConfig(trace=str(path.parent / "game.trace") if traced else "")
            host = SimulatedHost(
                Config(record=kept), sheet, senses[number], place, background=False, seed=1, partner=partner
            )  # fmt: skip
            self.hosts.append(host)
        self._under_way: deque[tuple[Courier, Message]] = deque()
        self.connect()

    # The line -----------------------------------------------------------------------------------

    def publish(self, sender: Courier, messages: list[Message]) -> None:
        if self.up:
            self._under_way.extend((sender, message) for message in messages)

    def connect(self) -> None:
        self.up = True
        for courier in self.couriers:
            self.publish(courier, courier.connected(self.now))
        self.carry()
        for courier in self.couriers:
            for topic, payload in [*self.kept.items()]:
                if courier.listens(topic):
                    self.publish(courier, courier.hear(topic, payload, self.now))

    def cut(self) -> None:
        self.up = False
        self._under_way.clear()
        for courier in self.couriers:
            courier.lost(("table.link-unreached", (("broker", "nowhere"), ("fault", "cut"))))

    def carry(self) -> None:
        while self._under_way:
            _, (topic, payload, *_) = self._under_way.popleft()
            self.kept[topic] = payload
            self.published += 1
            for courier in self.couriers:
                if courier.listens(topic):
                    self.publish(courier, courier.hear(topic, payload, self.now))

    # The tables ---------------------------------------------------------------------------------

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.step()

    def step(self) -> None:
        self.now += STEP
        for host, events in zip(self.hosts, self.events, strict=True):
            events += host.step(self.now)
        self.carry()

    def texts(self, number: int) -> list[str]:
        """The turns on the sheet of a table."""
        return [entry.turn.text for entry in self.hosts[number].daemon.table.sheet.played_turns]

    def outcome(self, number: int) -> Outcome | None:
        return self.hosts[number].daemon.table.sheet.outcome

    @property
    def mover(self) -> int:
        return self.hosts[0].daemon.table.sheet.position.side

    def agree(self, seconds: float = 30.0) -> None:
        """Let time pass until both tables have the same turns, and neither waits for a hand."""
        until = self.now + seconds
        while self.texts(0) != self.texts(1) or any(self.busy(host) for host in self.hosts):
            assert self.now < until, (self.texts(0), self.texts(1), self.couriers[0].agreed, self.couriers[1].agreed)
            self.step()

    def busy(self, host: SimulatedHost) -> bool:
        table = host.daemon.table
        return host.simulation.busy or table.setting or table.planned is not None or bool(table.at_work)

    def make(self, luck: Random) -> None:
        """The player to move makes some turn with hands, and the other table follows."""
        host = self.hosts[self.mover]
        turn = luck.choice(host.daemon.table.sheet.turns)
        length = host.daemon.table.sheet.length
        said = host.obey(Make(turn.text), self.now)
        assert not said, said
        until = self.now + 60
        while host.daemon.table.sheet.length == length or self.busy(host):
            assert self.now < until, (turn.text, host.daemon.table.verdict, [str(e.say) for e in self.events[0][-3:]])
            self.step()

    def names(self, number: int) -> list[str]:
        """The names of what was said at a table."""
        return [event.name for event in self.events[number]]

    def close(self) -> None:
        while self.hosts:
            self.hosts.pop().close()
