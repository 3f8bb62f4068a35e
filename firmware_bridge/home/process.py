"""The daemon's side of what a house is told: a process that is told where the page is, and tells what is in its way."""

from __future__ import annotations

from msgspec import DecodeError, msgpack

from firmware_bridge.events import Event
from firmware_bridge.home.house import Where
from firmware_bridge.link.news import LARGEST, Said
from firmware_bridge.link.pairing import Broker
from firmware_bridge.worker import Worker
from games.rules import Reason

UNHEARD = 10.0
"""Seconds for which a broker may be away before that is said; a guess: one that starts anew is quicker."""
_faults: msgpack.Decoder[Said | None] = msgpack.Decoder(Said | None)


class Home:
    """Tells a house of the table: `worker` is the process that does."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._where, self._starts = Where(""), 0
        """What the process was told, and which one, by the worker's count."""
        self._fault: Said | None = None
        self._since: float | None = None
        """When the fault was told, in seconds; None while there is none."""
        self._told = ""
        """The sentence of the fault that the players were told."""

    def see(self, address: str, token: str, now: float) -> list[Event]:
        """Follow the process at `now` (seconds); `address` is that of the page, empty while it is not served."""
        events: list[Event] = []
        if self.worker.alive(now):
            self._tell(address, token)
            while data := self.worker.receive():
                self._hear(data, now)
        if loss := self.worker.news():
            events.append(Event.of(f"helper-{loss}", program="program.home"))
        return events + self._troubles(now)

    def _tell(self, address: str, token: str) -> None:
        """Tell the process where the page is, if it does not know yet."""
        where, starts = self._where, self.worker.starts
        if not address or (starts == self._starts and (where.address, where.token) == (address, token)):
            return
        where = Where(address, token)
        if self.worker.send(msgpack.encode(where)):
            self._where, self._starts = where, starts

    def _hear(self, data: bytes, now: float) -> None:
        try:
            self._fault = _faults.decode(data)
        except (DecodeError, RecursionError):
            return
        if not self._fault:
            self._since = None
        elif self._since is None:
            self._since = now

    def _troubles(self, now: float) -> list[Event]:
        """What is in the way, once it has been for a while; and that it is no more."""
        if not self._fault and self._told:
            self._told = ""
            return [Event.of("home-back")]
        lasts = self._fault and self._since is not None and now - self._since >= UNHEARD
        if not self._fault or not lasts or self._fault[0] == self._told:
            return []
        self._told = self._fault[0]
        return [Event("home-fault", Reason(*self._fault))]

    def close(self) -> None:
        """End the process: the broker says that the table is gone."""
        self.worker.close()


def open_home(name: str, broker: Broker) -> Home:
    """The process that tells of the table under this `name` at a `broker`."""
    given = {"ca": broker.ca, "user": broker.user, "password-file": broker.password_file}
    more = [f"--{key}={value}" for key, value in given.items() if value]
    return Home(Worker("firmware_bridge.home", ("--name", name, "--broker", broker.url, *more), LARGEST))
