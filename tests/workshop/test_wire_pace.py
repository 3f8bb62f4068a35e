"""When the light moves on to the next point while an unknown wiring is found out."""

from __future__ import annotations

import pytest

from firmware_bridge.workshop.wiring import Closures, Wiring
from hardware.device import Sense
from hardware.simulation.table import SimulatedTable
from tests.workshop.wire_player import HZ, SQUARES, Faulty, Player, run, turned


class Asked:
    """A course over three points, fed by hand: `closed` are the channels that are closed from now on."""

    def __init__(self) -> None:
        self.course = Wiring(["a1", "b1", "c1"], 4)
        self.now = 0.0
        self.wait(2.5)

    def wait(self, seconds: float, *closed: int) -> str:
        """Let time pass; returns the point that is asked for then."""
        until = self.now + seconds
        while self.now < until:
            self.now += 1 / HZ
            self.course.feed(tuple(int(channel in closed) for channel in range(4)), self.now)
        return self.course.ask.put


def test_the_light_moves_on_half_a_second_after_the_piece_was_put() -> None:
    asked = Asked()
    assert asked.wait(0.0) == "a1"
    assert asked.wait(0.3, 0) == "a1"
    assert asked.wait(0.2, 0) == "b1"


def test_a_level_counts_as_closed_only_when_it_holds() -> None:
    closures, now = Closures(4), 0.0

    def feed(seconds: float, *closed: int) -> list[frozenset[int]]:
        nonlocal now
        seen, until = [], now + seconds
        while now < until:
            now += 1 / HZ
            closures.feed(tuple(int(channel in closed) for channel in range(4)), now)
            seen.append(closures.closed)
        return seen

    feed(0.5)
    closures.expect_hands()
    for _ in range(4):
        assert not any(feed(0.08, 3) + feed(0.3))
    assert feed(0.2, 3)[-1] == {3}


def test_a_level_that_does_not_hold_is_no_answer() -> None:
    asked = Asked()
    for _ in range(5):
        asked.wait(0.08, 3)
        asked.wait(0.3)
    asked.wait(0.5, 0)
    assert asked.course.found().channels == {"a1": 0}


def test_nothing_after_the_piece_was_lifted_takes_half_the_patience_of_nothing_at_all() -> None:
    asked = Asked()
    asked.wait(0.5, 0)
    assert asked.wait(9.8) == "b1"
    assert asked.wait(0.5) == "c1"
    asked = Asked()
    asked.wait(0.5, 0)
    assert asked.wait(19.5, 0) == "b1"
    assert asked.wait(0.6, 0) == "c1"


def test_a_channel_of_another_point_is_an_answer_only_after_a_while() -> None:
    asked = Asked()
    asked.wait(0.5, 0)
    asked.wait(0.5)
    assert asked.wait(1.9, 0) == "b1"  # the piece may have been put back
    assert asked.wait(0.3, 0) == "c1"


def test_a_jump_of_the_clock_is_no_patience() -> None:
    asked = Asked()
    asked.wait(0.5, 0)
    asked.now += 3600
    assert asked.wait(5, 0) == "b1"
    asked.now -= 7200
    assert asked.wait(5, 0) == "b1"


def test_a_course_left_alone_waits_at_a_point_that_works() -> None:
    wiring = turned(0)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked = Wiring(SQUARES, 64)
    with pytest.raises(AssertionError, match="which works"):
        run(asked, Faulty(table, 64), Player(table), most=900, each=lambda now: now > 20)
    assert len(asked.found().dead) == 3


@pytest.mark.parametrize("period", [10, 25, 40])
def test_a_blink_of_a_frame_now_and_then_is_named(period: int) -> None:
    asked = Wiring(["a1", "b1"], 3)
    for tick in range(20 * HZ):
        asked.feed((0, 0, int(tick % period == 5)), tick / HZ)
    assert asked.found().flickering == (2,)
    assert asked.ask.put == "a1"
