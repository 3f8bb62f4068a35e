"""The process of the line, with a real broker."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker, free_port
from firmware_bridge.link.line import find, greet
from firmware_bridge.link.news import AGREED, LARGEST, Agreed, Play, pack, unpack
from firmware_bridge.link.pairing import Broker, LinkError, Pairing, broker_of, new_pairing, told, write_pairing
from firmware_bridge.link.states import Terms
from firmware_bridge.worker import Worker
from games.rules import load

pytestmark = pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
TERMS = Terms("zhizhu", dict(load("zhizhu").chosen))
SECRET = bytes(range(10))
PATIENCE = 30.0


class Table:
    """What a daemon does of it: it has a worker, and hears how the game stands."""

    def __init__(self, folder: Path, pairing: Pairing) -> None:
        path = folder / "pairing.json"
        write_pairing(path, pairing)
        self.worker = Worker("firmware_bridge.link", ("--pairing", str(path)), LARGEST)
        self.agreed = Agreed()

    def look(self) -> None:
        if self.worker.alive(time.monotonic()):
            while data := self.worker.receive():
                self.agreed = unpack(AGREED, data) or self.agreed

    def play(self) -> None:
        """The first turn there is, as often as it takes."""
        sheet = TERMS.sheet()
        for text in self.agreed.turns:
            sheet.read(text)
        self.worker.send(pack(Play(self.agreed.entries, sheet.turns[0].text, 1.0)))


def wait(due: Callable[[], bool], *tables: Table) -> None:
    until = time.monotonic() + PATIENCE
    while not due():
        assert time.monotonic() < until, [table.agreed for table in tables]
        for table in tables:
            table.look()
        time.sleep(0.01)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = RunningBroker(tmp_path)
    yield running
    running.kill()


def pair(folder: Path, broker: RunningBroker) -> tuple[Table, Table]:
    where = broker_of(broker.address)[0]
    first = new_pairing(where, SECRET, 0, TERMS)
    greet(first)
    return Table(folder / "first", first), Table(folder / "second", find(where, SECRET))


def test_two_tables_meet_and_play_through_a_broker_that_is_killed(tmp_path: Path, broker: RunningBroker) -> None:
    first, second = pair(tmp_path, broker)
    try:
        wait(lambda: first.agreed.here and second.agreed.here, first, second)
        first.play()
        wait(lambda: len(second.agreed.turns) == 1, first, second)
        broker.kill()
        wait(lambda: not first.agreed.here and not second.agreed.here, first, second)
        assert second.agreed.fault
        assert second.agreed.fault[0] == "table.link-unreached"
        second.play()
        wait(lambda: len(second.agreed.turns) == 2, second)
        broker.start()
        wait(lambda: len(first.agreed.turns) == 2 and second.agreed.reached, first, second)
        assert first.agreed.turns == second.agreed.turns
        assert second.agreed.fault is None
        first.worker.give_up()  # killed at any moment: its outbox has all
        wait(lambda: not second.agreed.here, first, second)
        wait(lambda: first.agreed.here and second.agreed.here and len(first.agreed.turns) == 2, first, second)
    finally:
        first.worker.close()
        second.worker.close()


def test_a_third_table_cannot_join_nor_one_with_other_words(tmp_path: Path, broker: RunningBroker) -> None:
    first, second = pair(tmp_path, broker)
    where = broker_of(broker.address)[0]
    try:
        wait(lambda: first.agreed.here and second.agreed.here, first, second)
        with pytest.raises(LinkError, match="Another table has joined"):
            find(where, SECRET)
        with pytest.raises(LinkError, match="Nobody has paired"):
            find(where, bytes(10))
    finally:
        first.worker.close()
        second.worker.close()


def test_a_game_that_is_not_at_this_table_is_refused(broker: RunningBroker) -> None:
    where = broker_of(broker.address)[0]
    greet(new_pairing(where, SECRET, 0, Terms("zhizhu", {"size": 77})))
    with pytest.raises(LinkError, match="size"):
        find(where, SECRET)
    greet(new_pairing(where, bytes(10), 0, Terms("no-such-game")))
    with pytest.raises(LinkError, match="no-such-game"):
        find(where, bytes(10))


def test_a_broker_that_is_not_there_is_named() -> None:
    port = free_port()
    with pytest.raises(LinkError, match=f"mqtt://127.0.0.1:{port}"):
        greet(new_pairing(Broker("127.0.0.1", port), SECRET, 0, TERMS))


def test_a_broker_that_refuses_is_named(tmp_path: Path) -> None:
    running = RunningBroker(tmp_path, "allow_anonymous false")
    try:
        with pytest.raises(LinkError, match="Not authorized"):
            greet(new_pairing(broker_of(running.address)[0], SECRET, 0, TERMS))
    finally:
        running.kill()


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is missing")
def test_the_broker_of_a_club_lets_in_who_has_a_password_and_is_known_by_its_certificate(tmp_path: Path) -> None:
    running = RunningBroker.of_club(tmp_path, "anna", "ben")
    certificate, password = str(tmp_path / "broker.crt"), str(tmp_path / "anna.password")
    anna = broker_of(running.address, certificate, "anna", password)[0]
    try:
        greet(new_pairing(anna, SECRET, 0, TERMS))
        assert find(anna, SECRET).seat == 1
        for changes in ({"user": "ben"}, {"user": "carl"}, {"password_file": ""}, {"user": "", "password_file": ""}):
            with pytest.raises(LinkError, match="Not authorized"):
                greet(new_pairing(replace(anna, **changes), SECRET, 0, TERMS))
        for changes in ({"ca": ""}, {"safe": False}, {"host": "127.0.0.2"}, {"ca": str(tmp_path / "none")}):
            with pytest.raises(LinkError, match="cannot be used"):
                greet(new_pairing(replace(anna, **changes), SECRET, 0, TERMS))
    finally:
        running.kill()


def test_what_speaks_no_mqtt_is_no_broker(tmp_path: Path) -> None:
    running = RunningBroker(tmp_path)
    try:
        with pytest.raises(LinkError, match="cannot be used"):
            greet(new_pairing(broker_of(f"mqtts://{running.address}")[0], SECRET, 0, TERMS))
    finally:
        running.kill()


def test_words_are_told_as_they_are_heard() -> None:
    assert new_pairing(Broker("x"), SECRET, 0, TERMS).words == told(SECRET)
