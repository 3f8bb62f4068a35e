"""The process of the line, with a real broker."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker, free_port
from firmware_bridge.link.courier import Message
from firmware_bridge.link.line import Line, find, greet
from firmware_bridge.link.news import AGREED, LARGEST, Agreed, Play, pack, unpack
from firmware_bridge.link.pairing import (
    Broker,
    LinkError,
    Pairing,
    broker_of,
    new_pairing,
    read_pairing,
    told,
    write_pairing,
)
from firmware_bridge.link.states import LARGEST as LARGEST_STATE
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


def test_a_broker_that_refuses_or_forbids_is_told_of_and_the_game_goes_on_once_it_lets_the_table_in(
    tmp_path: Path,
) -> None:
    access = tmp_path / "access"
    access.write_text("topic readwrite tablelight/#\n")
    own = ("user root",) if os.geteuid() == 0 else ()  # it would become a user who may not read what is here
    broker = RunningBroker(tmp_path, "allow_anonymous true", f"acl_file {access}", *own)
    settings = tmp_path / "mosquitto.conf"
    open_to_all = settings.read_text()
    first, second = pair(tmp_path, broker)
    try:
        wait(lambda: first.agreed.here and second.agreed.here, first, second)
        for refuses, fault in (
            (open_to_all.replace("allow_anonymous true", "allow_anonymous false"), "table.link-refused"),
            (open_to_all.replace(str(access), str(tmp_path / "nothing")), "table.link-denied"),
        ):
            (tmp_path / "nothing").write_text("topic read tablelight/#\n")
            broker.kill()
            settings.write_text(refuses)
            broker.start()
            wait(lambda fault=fault: bool(first.agreed.fault) and first.agreed.fault[0] == fault, first, second)  # type: ignore[misc]
            assert first.worker.spoke
        made = len(first.agreed.turns)
        first.play()
        broker.kill()
        settings.write_text(open_to_all)
        broker.start()
        wait(lambda: len(second.agreed.turns) == made + 1 and first.agreed.reached, first, second)
        assert first.agreed.fault is None
    finally:
        first.worker.close()
        second.worker.close()
        broker.kill()


def test_what_is_too_large_or_comes_in_floods_holds_no_table_up(tmp_path: Path, broker: RunningBroker) -> None:
    first, second = pair(tmp_path, broker)
    pairing = read_pairing(tmp_path / "second" / "pairing.json")
    stranger = Line(broker_of(broker.address)[0], "stranger", lambda *_: None)
    stranger.open()
    try:
        wait(lambda: first.agreed.here and second.agreed.here, first, second)
        topic = pairing.states(0)  # second listens there
        stranger.say([Message(topic, b"x" * size) for size in (LARGEST_STATE, LARGEST_STATE + 1, 1 << 20, 1 << 22)])
        for _ in range(400):
            stranger.say([Message(topic, b'{"seal": "%s", "said": {}}' % (b"0" * 64))])
            stranger.wait(0.0)
        until = time.monotonic() + PATIENCE
        while not stranger.said:
            assert time.monotonic() < until
            stranger.wait(0.05)
        first.play()
        wait(lambda: len(second.agreed.turns) == 1 and first.agreed.reached, first, second)
        assert second.agreed.fault is None or second.agreed.fault[0] == "table.link-strangers"
        assert second.worker.starts == 1  # it was not lost
    finally:
        stranger.close()
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


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is missing")
def test_two_tables_play_through_the_broker_that_one_command_makes(tmp_path: Path) -> None:
    """With TLS, passwords, and an access list that lets each write its own topics alone."""
    running = RunningBroker.of_club(tmp_path, "anna", "ben")
    anna, ben = (
        broker_of(running.address, str(tmp_path / "broker.crt"), user, str(tmp_path / f"{user}.password"))[0]
        for user in ("anna", "ben")
    )
    pairing = new_pairing(anna, SECRET, 0, TERMS)
    greet(pairing)
    first, second = Table(tmp_path / "first", pairing), Table(tmp_path / "second", find(ben, SECRET))
    try:
        wait(lambda: first.agreed.here and second.agreed.here, first, second)
        for number, table in enumerate((first, second), start=1):
            table.play()
            wait(lambda number=number: len(first.agreed.turns) == len(second.agreed.turns) == number, first, second)  # type: ignore[misc]
        assert first.agreed.fault is second.agreed.fault is None
    finally:
        first.worker.close()
        second.worker.close()
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
