"""Two tables meet while somebody waits at a page: the daemon's side, its process, and a real broker."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import json
from msgspec.structs import replace

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from firmware_bridge.link import Meeting
from firmware_bridge.link.courier import Message
from firmware_bridge.link.line import Line, greet
from firmware_bridge.link.matchmaker import wanted_broker
from firmware_bridge.link.meeting import AnyTask, Club, GoingOn, Inviting, Joining, Stage, meeting_process
from firmware_bridge.link.pairing import Broker, broker_of, heard, new_pairing, pairing_path, read_pairing, seal, told
from firmware_bridge.link.states import Terms
from firmware_bridge.worker import Worker
from games.rules import load

pytestmark = pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
TERMS = Terms("zhizhu", dict(load("zhizhu").chosen))
SECRET = bytes(range(10))
PATIENCE = 30.0


class Table:
    """A table at which somebody waits; `said` are the names of its events and their sentences."""

    def __init__(self, folder: Path, address: str = "") -> None:
        self.path = pairing_path(folder)
        self.club = Club(address)
        self.workers: list[Worker] = []
        self.meeting = Meeting(self.path, self._open)
        self.said: list[tuple[str, str]] = []

    def _open(self, path: Path) -> Worker:
        self.workers.append(meeting_process(path))
        return self.workers[-1]

    def begin(self, task: AnyTask) -> Table:
        self.meeting.begin(task)
        return self

    def invite(self) -> Table:
        return self.begin(Inviting(club=self.club, terms=TERMS, seat=0))

    def join(self, words: str) -> Table:
        return self.begin(Joining(club=self.club, words=words))

    @property
    def stage(self) -> Stage:
        return self.meeting.stage or Stage(state="withdrawn")

    def look(self) -> None:
        before = self.meeting.stage
        for event in self.meeting.see(time.monotonic()):
            self.said.append((event.name, str(event.say)))
        if self.stage.state == "found" and self.meeting.stage is not before:
            self.meeting.agree()


Place = Callable[..., Table]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = RunningBroker(tmp_path)
    yield running
    running.kill()


@pytest.fixture
def place(tmp_path: Path, broker: RunningBroker) -> Iterator[Place]:
    """Makes tables that know the broker, or another one."""
    tables: list[Table] = []

    def make(address: str | None = None) -> Table:
        tables.append(Table(tmp_path / f"table-{len(tables)}", broker.address if address is None else address))
        return tables[-1]

    yield make
    for table in tables:
        table.meeting.close()


def wait(due: Callable[[], bool], *tables: Table) -> None:
    until = time.monotonic() + PATIENCE
    while not due():
        assert time.monotonic() < until, [(table.meeting.stage, table.said) for table in tables]
        for table in tables:
            table.look()
        time.sleep(0.005)


def fails(table: Table) -> str:
    """The one sentence with which it fails; nothing is kept."""
    wait(lambda: bool(table.said) and not table.meeting.busy, table)
    assert [name for name, _ in table.said] == ["link-failed"]
    assert table.stage.state == "failed"
    assert not table.path.exists()
    assert not table.meeting.kept
    return table.said[0][1]


def publish(broker: RunningBroker, topic: str, payload: bytes) -> None:
    """Have the broker keep a message."""
    line = Line(broker_of(broker.address)[0], "somebody", lambda *_: None)
    line.open()
    line.say([Message(topic, payload)])
    until = time.monotonic() + PATIENCE
    while not line.said and time.monotonic() < until:
        line.wait(0.05)
    line.close()


def test_one_invites_while_the_broker_is_killed_and_the_other_joins(place: Place, broker: RunningBroker) -> None:
    one, two = place().invite(), place("")
    wait(lambda: one.stage.state == "waiting", one)
    words, address = one.stage.words, one.stage.address
    assert address == f"mqtt://{broker.address}/#{words}"
    assert not one.path.exists()
    stranger = new_pairing(broker_of(broker.address)[0], bytes.fromhex("00" * 10), 1, TERMS)
    assert told(bytes(10)) != words
    greet(stranger)  # other words: nobody here hears it
    broker.kill()
    wait(lambda: one.stage.fault is not None, one)
    assert (one.stage.state, one.stage.fault and one.stage.fault[0]) == ("waiting", "table.link-unreached")
    broker.start()
    wait(lambda: one.stage.fault is None, one)
    two.join(address)
    wait(lambda: one.stage.state == two.stage.state == "met", one, two)
    assert (one.stage.seat, two.stage.seat, two.stage.terms) == (0, 1, TERMS)
    assert one.said == two.said == []
    first, second = read_pairing(one.path), read_pairing(two.path)
    assert first.partner == replace(second.greeting, partner=first.table)
    assert second.partner
    assert second.partner.table == first.table
    one.begin(GoingOn(club=one.club))
    wait(lambda: one.stage.state == "met", one)
    assert one.meeting.kept


def test_what_cannot_be_joined_is_one_sentence(place: Place, broker: RunningBroker) -> None:
    where = broker_of(broker.address)[0]
    newer = new_pairing(where, SECRET, 0, TERMS)
    publish(broker, newer.greets(0), seal(newer.word_key, newer.greets(0), json.encode(replace(newer.greeting, v=2))))
    assert "speaks version 2 of the link, this one 1" in fails(place().join(told(SECRET)))
    for terms, fault in ((Terms("zhizhu", {"size": 77}), "zhizhu"), (replace(TERMS, clock="soon"), "'soon'")):
        greet(new_pairing(where, bytes(10), 0, terms))
        sentence = fails(place().join(told(bytes(10))))
        assert "plays what there is not at this one" in sentence
        assert fault in sentence


@pytest.mark.parametrize(
    ("address", "words", "sentence"),
    [
        ("", told(SECRET), "No broker is named"),
        ("http://x", told(SECRET), "http://x is no address"),
        ("127.0.0.1:1", told(SECRET), "mqtt://127.0.0.1:1 cannot be used"),
        ("127.0.0.1:1", "lusab lusab", "There are 2 words: the other table shows 6."),
        ("127.0.0.1:1", "-".join(reversed(told(SECRET).split("-"))), "stand in another order"),
    ],
)
def test_words_and_brokers_that_are_of_no_use_are_named(place: Place, address: str, words: str, sentence: str) -> None:
    assert sentence in fails(place(address).join(words))


def test_a_table_with_other_terms_is_told_of_and_the_right_one_may_still_come(
    place: Place, broker: RunningBroker
) -> None:
    one = place().invite()
    wait(lambda: one.stage.state == "waiting", one)
    secret = heard(one.stage.words)
    other = new_pairing(broker_of(broker.address)[0], secret, 1, replace(TERMS, house_rule=False))
    greet(other)
    wait(lambda: one.stage.fault is not None, one)
    assert one.stage.fault
    assert one.stage.fault[0] == "table.link-terms"
    greet(new_pairing(broker_of(broker.address)[0], secret, 1, TERMS))
    wait(lambda: one.stage.state == "met", one)


def test_a_process_that_is_lost_is_told_of_and_leaves_nothing(place: Place) -> None:
    one = place().invite()
    wait(lambda: one.stage.state == "waiting", one)
    one.workers[0].give_up()
    assert "ended unexpectedly" in fails(one)


def test_a_program_that_ends_takes_its_invitation_back(place: Place) -> None:
    one, two = place().invite(), place()
    wait(lambda: one.stage.state == "waiting", one)
    words = one.stage.words
    one.meeting.close()
    assert "Nobody has paired with these words" in fails(two.join(words))


def test_an_attempt_that_has_not_begun_is_given_up_at_once(place: Place) -> None:
    one = place().invite()
    events = one.meeting.withdraw(0.0)
    assert [event.name for event in events] == ["link-withdrawn"]
    assert not one.meeting.busy
    assert one.meeting.stage is None


def test_a_broker_that_was_typed_is_not_shown_the_password_of_another(place: Place, broker: RunningBroker) -> None:
    club = Club("club.local", user="anna", password_file="/secret")
    task = Joining(club=club, words="")
    assert wanted_broker(task, "") == Broker("club.local", user="anna", password_file="/secret")
    assert wanted_broker(task, "mqtt://club.local:1883").user == "anna"
    assert wanted_broker(task, broker.address).user == ""
    assert wanted_broker(task, "mqtts://club.local").password_file == ""
