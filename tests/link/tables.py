"""Two simulated tables that play with each other in a time of their own, over a line that a test may cut."""

from __future__ import annotations

from collections import deque
from functools import partial
from pathlib import Path
from random import Random

from firmware_bridge.config import Config, RecordConfig
from firmware_bridge.events import Event
from firmware_bridge.link import Partner
from firmware_bridge.link.courier import Courier, Message, kept_standing
from firmware_bridge.link.news import REQUESTS, pack, unpack
from firmware_bridge.link.pairing import Broker, new_pairing, read_pairing, write_pairing
from firmware_bridge.link.states import Standing, Terms
from firmware_bridge.session import Make
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.worker import Loss, Worker
from games.rules import Game, Outcome, Position, load
from hardware.device import Sense

STEP = 0.01


def taken_in(courier: Courier, topic: str, payload: bytes, now: float = 0.0) -> list[Message]:
    """What is said to a message, as the process of the line does: at once, and when the daemon has been told of it."""
    return [*courier.hear(topic, payload, now), *courier.due(now)]


class NearLine(Worker):
    """What the process of the line is to a daemon, in the same process: a courier, and a broker in memory."""

    def __init__(self, club: Club, number: int, path: Path) -> None:
        del path  # the courier has it
        super().__init__("firmware_bridge.link")
        self.starts = 1
        self._club, self._number = club, number
        self._begins = 0.0
        """When the process that runs has begun, or will."""
        self._told = b""
        self._asked: deque[tuple[float, bytes]] = deque()
        """What the daemon has sent, and when it comes."""
        self._telling: deque[tuple[float, bytes]] = deque()

    @property
    def courier(self) -> Courier:
        return self._club.couriers[self._number]

    def die(self, seconds: float = 1.0) -> None:
        """The process ends just now, with all that it has not taken in; after so many seconds another one begins."""
        self._asked.clear()
        self._telling.clear()
        self._told = b""
        self.starts += 1
        self._begins = self._club.now + seconds
        self._club.forget(self._number)

    def alive(self, now: float) -> bool:
        if now < self._begins:
            return False
        if self._begins:
            self._begins = 0.0
            self._club.begin(self._number)
        while self._asked and self._asked[0][0] <= now:
            self._obey(self._asked.popleft()[1])
        self._club.publish(self.courier, self.courier.due(now))
        return True

    def send(self, data: bytes) -> bool:
        if self._begins:
            return False
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
        self._under_way: deque[tuple[Courier, Message]] = deque()
        self.couriers: list[Courier] = []
        self.hosts: list[SimulatedHost] = []
        self._paths = [folder / str(number) / "pairing.json" for number in (0, 1)]
        self._senses, self._traced, self._lives = senses, traced, 1
        for number, pairing in enumerate((first, second)):
            write_pairing(self._paths[number], pairing)
            self.couriers.append(Courier(pairing, self._paths[number], "1"))
            self.hosts.append(self._host(number, Standing(self.terms, (), 1 - number)))
        self.connect()

    def _host(self, number: int, standing: Standing) -> SimulatedHost:
        """The program at a table, which goes on with what stands."""
        path = self._paths[number]
        place = partial(record_path, path.parent) if self._lives == 1 else None
        partner = Partner(path, standing.games, partial(NearLine, self, number))
        kept = RecordConfig(trace=str(path.parent / "game.trace") if self._traced else "")
        return SimulatedHost(
            Config(record=kept), standing.sheet, self._senses[number], place, background=False, seed=1, partner=partner,
            now=self.now,
        )  # fmt: skip

    # What dies ----------------------------------------------------------------------------------

    def partner(self, number: int) -> Partner:
        """The other table, as this one has it."""
        partner = self.hosts[number].daemon.partner
        assert partner
        return partner

    def line(self, number: int) -> NearLine:
        """What reaches the other table from this one."""
        partner = self.partner(number)
        assert isinstance(partner.worker, NearLine)
        return partner.worker

    def forget(self, number: int) -> None:
        """The process of the line knows no more than its disk; the broker says so."""
        self._lives += 1
        path = self._paths[number]
        before = self.couriers[number]
        if self.up:
            self._under_way.append((before, before.status(here=False)))
        self.couriers[number] = Courier(read_pairing(path), path, f"{self._lives:x}")

    def begin(self, number: int) -> None:
        """The process of the line begins, and reaches the broker if that is there."""
        if self.up:
            courier = self.couriers[number]
            self.publish(courier, courier.connected(self.now))
            self._hears_kept(courier)

    def _hears_kept(self, courier: Courier) -> None:
        for topic, payload in [*self.kept.items()]:
            if courier.listens(topic):
                self.publish(courier, taken_in(courier, topic, payload, self.now))

    def restart(self, number: int) -> None:
        """The program at a table ends, its line with it, and begins again with what the disk has."""
        self.hosts[number].close()
        self.forget(number)
        path = self._paths[number]
        self.hosts[number] = self._host(number, kept_standing(read_pairing(path), path))
        self.begin(number)

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
            self._hears_kept(courier)

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
                    self.publish(courier, taken_in(courier, topic, payload, self.now))

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
