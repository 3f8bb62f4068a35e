"""Who may come in: slots by address, and pauses for those who try tokens."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from firmware_bridge.web.door import Penalties, Slots


@dataclass(eq=False)
class Caller:
    """A connection from an address."""

    address: str
    cut_off: bool = False

    def cut(self) -> None:
        self.cut_off = True


def come(slots: Slots, address: str, count: int = 1) -> list[Caller]:
    """So many connections from there."""
    callers = [Caller(address) for _ in range(count)]
    for caller in callers:
        slots.come(caller)
    return callers


def test_one_stranger_too_many_drives_out_the_oldest_of_the_greediest_address() -> None:
    slots = Slots(strangers=4, browsers=9, kept=0, each=9)
    first, greedy, last = come(slots, "a"), come(slots, "b", 3), come(slots, "c")
    assert [caller.cut_off for caller in (*first, *greedy, *last)] == [False, True, False, False, False]


def test_who_has_greeted_is_no_stranger_any_more() -> None:
    slots = Slots(strangers=1, browsers=9, kept=0, each=9)
    (one,) = come(slots, "a")
    assert slots.greet(one, trusted=False)
    come(slots, "a")
    assert not one.cut_off


def test_watchers_of_one_address_have_a_part_and_those_who_may_change_have_the_rest() -> None:
    slots = Slots(strangers=99, browsers=6, kept=2, each=3)
    assert [slots.greet(one, trusted=False) for one in come(slots, "a", 4)] == [True, True, True, False]
    assert [slots.greet(one, trusted=False) for one in come(slots, "b", 2)] == [True, False]
    assert not slots.full
    assert [slots.greet(one, trusted=True) for one in come(slots, "a", 3)] == [True, True, False]
    assert slots.full


def test_a_watcher_that_greets_again_keeps_its_place_and_one_that_goes_leaves_it() -> None:
    slots = Slots(strangers=99, browsers=2, kept=1, each=1)
    one, other = come(slots, "a", 2)
    assert [slots.greet(one, trusted=False) for _ in range(2)] == [True, True]
    assert not slots.greet(other, trusted=False)
    slots.go(one)
    assert slots.greet(other, trusted=False)


def test_wrong_tokens_pause_an_address_ever_longer_and_no_other() -> None:
    penalties, now, pauses = Penalties(), 0.0, []
    for _ in range(Penalties.FREE + 9):
        penalties.fail("a", now)
        begun = now
        while penalties.pauses("a", now):
            assert not penalties.pauses("b", now)
            now += 0.5
        pauses.append(now - begun)
    assert pauses == [0.0] * Penalties.FREE + [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]


def test_wrong_tokens_are_forgotten_after_a_while() -> None:
    penalties = Penalties()
    for _ in range(Penalties.FREE + 3):
        penalties.fail("a", 0.0)
    penalties.fail("a", Penalties.FORGOTTEN + 1.0)
    assert not penalties.pauses("a", Penalties.FORGOTTEN + 1.0)


def test_no_more_addresses_are_remembered_than_there_is_room_for() -> None:
    penalties = Penalties()
    for _ in range(Penalties.FREE + 1):
        for number in range(Penalties.MOST + 1):
            penalties.fail(str(number), 0.0)
    assert sum(penalties.pauses(str(number), 0.0) for number in range(Penalties.MOST + 1)) <= Penalties.MOST


@pytest.mark.parametrize("times", [Penalties.FREE + 50, Penalties.FREE + 5000])
def test_a_pause_ends_however_often_tokens_were_tried(times: int) -> None:
    penalties = Penalties()
    for _ in range(times):
        penalties.fail("a", 0.0)
    assert penalties.pauses("a", Penalties.LONGEST - 0.1)
    assert not penalties.pauses("a", Penalties.LONGEST)
