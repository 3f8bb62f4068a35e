"""One fair queue for the requests of all guests, and what it lets through to the daemon."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from firmware_bridge.web.fair_queue import FairQueue, Pace

SCAN = 0.01
"""Seconds after which the daemon tells what a request has cost."""


@dataclass(eq=False)
class Asker:
    """A guest that remembers what was refused."""

    name: str
    address: str
    refused: list[str] = field(default_factory=list)
    served: int = 0

    def refuse(self, why: str) -> None:
        self.refused.append(why)

    def done(self) -> None:
        self.served += 1


class Line:
    """A queue, and a daemon that does one request a scan; `served` has the time and the words of each."""

    def __init__(self, pace: Pace | None = None, cost: float = 0.001) -> None:
        self.queue = FairQueue(self._take, pace)
        self.cost, self.now = cost, 0.0
        self.served: list[tuple[float, str]] = []
        self.room = self.answers = True
        self._doing = False

    def _take(self, request: bytes) -> bool:
        if self.room:
            assert not self._doing, "one at a time"
            self.served.append((round(self.now, 2), request.decode()))
            self._doing = True
        return self.room

    def guest(self, name: str, address: str) -> Asker:
        """A guest that comes now."""
        guest = Asker(name, address)
        self.queue.join(guest)
        return guest

    def put(self, guest: Asker, what: str = "", *, begins: bool = False) -> str:
        """A request of `guest`."""
        return self.queue.put(guest, (what or guest.name).encode(), self.now, begins=begins)

    def scan(self, count: int = 1) -> None:
        """Let so many scans pass."""
        for _ in range(count):
            self.queue.serve(self.now)
            self.now += SCAN
            if self._doing and self.answers:
                self._doing = False
                self.queue.charge(self.cost, self.now)

    def words(self) -> list[str]:
        """What was served."""
        return [what for _, what in self.served]


def test_one_request_after_the_other_goes_to_the_daemon_in_the_order_of_its_guest() -> None:
    line = Line()
    one = line.guest("one", "a")
    for what in "abc":
        assert line.put(one, what) == ""
    line.scan()
    assert line.words() == ["a"]
    line.scan(5)
    assert line.words() == ["a", "b", "c"]
    assert not line.queue


def test_who_asks_much_waits_for_who_asks_little() -> None:
    line = Line()
    greedy, modest = line.guest("greedy", "a"), line.guest("modest", "b")
    for _ in range(20):
        line.put(greedy)
    line.scan(5)
    line.put(modest)
    line.scan()
    assert line.words()[-1] == "modest"


def test_requests_count_by_what_they_cost_and_not_by_their_number() -> None:
    line = Line(Pace(share=1.0))
    dear, cheap = line.guest("dear", "a"), line.guest("cheap", "b")
    for _ in range(90):
        for guest in (dear, cheap):
            line.put(guest)
        line.cost = 0.004 if line.words()[-1:] == ["dear"] else 0.001
        line.queue.serve(line.now)
        line.cost = 0.004 if line.words()[-1] == "dear" else 0.001
        line.scan()
    counted = Counter(line.words())
    assert counted["cheap"] == pytest.approx(4 * counted["dear"], abs=4)


def test_many_guests_of_one_address_get_no_more_than_one_of_another() -> None:
    line = Line(Pace(share=1.0))
    many, lone = [line.guest("many", "a") for _ in range(9)], line.guest("lone", "b")
    for guest in [*many, lone]:
        for _ in range(20):
            line.put(guest)
    line.scan(20)
    assert Counter(line.words()) == {"many": 10, "lone": 10}


def test_the_guests_of_one_address_share_its_part() -> None:
    line = Line(Pace(share=1.0))
    one, other = line.guest("one", "a"), line.guest("other", "a")
    for _ in range(20):
        line.put(one)
    line.scan(10)
    line.put(other)
    line.put(other)
    line.scan(4)
    assert line.words()[-4:].count("other") == 2


@pytest.mark.parametrize("address", ["a", "b"])
def test_coming_again_gains_nothing(address: str) -> None:
    line = Line(Pace(share=1.0))
    steady = line.guest("steady", "b")
    for number in range(40):
        coming = line.guest("coming", address)
        line.put(coming)
        if number % 2 == 0:
            line.put(steady)
        line.scan()
        line.queue.leave(coming)
    assert line.words().count("steady") == 20


def test_having_kept_away_gains_nothing() -> None:
    line = Line(Pace(share=1.0))
    early, late = line.guest("early", "a"), line.guest("late", "b")
    for _ in range(30):
        line.put(early)
        line.scan()
    for _ in range(10):
        line.put(early)
        line.put(late)
    line.scan(10)
    assert abs(line.words()[-10:].count("late") - 5) <= 1


def test_all_guests_together_take_no_more_than_their_share() -> None:
    line = Line(Pace(share=0.1, burst=0.05, patience=100.0), cost=0.02)
    guests = [line.guest("guest", str(number)) for number in range(10)]
    for guest in guests:
        for _ in range(30):
            line.put(guest)
    line.scan(1000)  # ten seconds: 1.05 of them are theirs, and what the last one takes beyond that
    assert 52 <= len(line.served) <= 54


def test_other_games_and_sensors_are_a_second_apart_whoever_asks() -> None:
    line = Line()
    one, other = line.guest("one", "a"), line.guest("other", "a")
    line.put(one, begins=True)
    line.scan()
    line.put(one, begins=True)
    line.put(other, begins=True)
    line.scan(250)
    assert line.served == [(0.0, "one"), (1.0, "other"), (2.0, "one")]


def test_a_second_new_game_that_waits_is_refused_and_other_requests_of_others_pass() -> None:
    line = Line()
    hasty, other = line.guest("hasty", "a"), line.guest("other", "a")
    assert [line.put(hasty, begins=True) for _ in range(3)] == ["", "too-soon", "too-soon"]
    line.scan()
    assert [line.put(hasty, begins=True) for _ in range(2)] == ["", "too-soon"]
    line.put(other)
    line.scan(2)
    assert line.words() == ["hasty", "other"]


def test_an_attack_by_new_games_leaves_others_served_at_once() -> None:
    line = Line(cost=0.008)
    hostile, other = line.guest("hostile", "a"), line.guest("other", "a")
    asked: list[float] = []
    for scan in range(1000):
        if scan % 2:
            line.put(hostile, begins=True)
        if scan % 50 == 0:
            asked.append(line.now)
            line.put(other)
        line.scan()
    others = [at for at, what in line.served if what == "other"]
    assert len(others) == len(asked) == 20
    assert max(at - due for at, due in zip(others, asked, strict=True)) <= 3 * SCAN
    assert line.words().count("hostile") == 10


def test_more_than_may_wait_of_one_guest_is_refused() -> None:
    line = Line(Pace(waiting=3))
    guest = line.guest("guest", "a")
    assert [line.put(guest) for _ in range(5)] == ["", "", "", "too-fast", "too-fast"]
    line.scan(10)
    assert len(line.served) == 3
    assert line.put(guest) == ""


def test_what_has_waited_too_long_is_refused_and_not_done() -> None:
    line = Line(Pace(share=0.01, burst=0.01, patience=0.5), cost=0.01)
    guest = line.guest("guest", "a")
    for _ in range(3):
        line.put(guest)
    line.scan(300)
    assert (len(line.served), guest.refused, bool(line.queue)) == (2, ["too-fast"], False)


def test_a_scan_that_was_slow_for_another_reason_keeps_guests_waiting_for_a_second_at_most() -> None:
    line = Line(cost=0.6)
    guest = line.guest("guest", "a")
    for _ in range(3):
        line.put(guest)
    line.scan(150)
    assert [at for at, _ in line.served] == [0.0, 0.01, pytest.approx(1.0, abs=0.03)]


def test_a_new_game_that_has_waited_too_long_is_refused_with_its_own_reason() -> None:
    line = Line()
    guests = [line.guest("guest", str(number)) for number in range(6)]
    for guest in guests:
        line.put(guest, begins=True)
    line.scan(500)
    assert [guest.refused for guest in guests] == [[], [], [], [], ["too-soon"], ["too-soon"]]


@pytest.mark.parametrize("room", [True, False], ids=["nothing is answered", "nothing is taken"])
def test_a_daemon_that_does_not_answer_is_told_of(room: bool) -> None:
    line = Line()
    guest = line.guest("guest", "a")
    line.answers, line.room = False, room
    line.put(guest)
    line.put(guest)
    line.scan(400)
    assert guest.refused == ["no-answer"] * (1 if room else 2)
    line.answers = line.room = True
    line.scan(1)
    line.put(guest)
    line.scan(2)
    assert line.words()[-1] == "guest"


def test_nothing_is_done_for_who_has_left() -> None:
    line = Line()
    gone, there = line.guest("gone", "a"), line.guest("there", "b")
    line.put(gone)
    line.put(gone)
    line.put(there)
    line.queue.serve(line.now)
    line.queue.leave(gone)
    line.scan(5)
    assert sorted(line.words()) == ["gone", "there"]


def test_a_cost_that_nobody_has_caused_changes_nothing() -> None:
    line = Line(Pace(burst=0.01))
    guest = line.guest("guest", "a")
    line.queue.charge(100.0, 0.0)
    line.put(guest)
    line.scan()
    assert line.words() == ["guest"]


def test_a_guest_is_told_when_its_request_is_done() -> None:
    line = Line()
    guest, other = line.guest("guest", "home"), line.guest("other", "home")
    assert not line.queue.has(guest)
    line.put(guest)
    assert line.queue.has(guest)
    line.answers = False
    line.scan()
    assert line.queue.has(guest), "the daemon has it"
    line.answers = True
    line.scan()
    assert not line.queue.has(guest)
    assert (guest.served, other.served) == (1, 0)
