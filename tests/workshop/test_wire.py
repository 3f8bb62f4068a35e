"""An unknown wiring is found out by a player who looks at nothing but the lights."""

from __future__ import annotations

import random
from typing import Any

import pytest

from firmware_bridge.workshop.wiring import Wiring
from hardware.device import Sense
from hardware.simulation.table import SimulatedTable
from tests.workshop.wire_player import HZ, SQUARES, Faulty, Player, at, found, run, shuffled, turned


def seeds(few: int, many: int) -> Any:
    """A test is made with a few of so many seeds, and with the others in the sweep."""
    others = (pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many))
    return pytest.mark.parametrize("seed", [*range(few), *others])


# Whole boards -----------------------------------------------------------------------------------


@seeds(20, 100)
def test_any_wiring_with_three_dead_points_is_found_exactly(seed: int) -> None:
    wiring = shuffled(seed)
    result = found(wiring, seed=seed)
    assert result.channels == wiring
    assert set(result.dead) == set(SQUARES) - set(wiring) == set(result.masked(SQUARES))
    assert len(result.dead) == 3


HABITS: dict[str, dict[str, Any]] = {
    "hasty": {"reach": 0.1, "carry": 0.08},
    "slow": {"reach": 4.0, "carry": 4.0},
    "slower than the patience": {"reach": 5.0, "carry": 12.0},
    "a new piece each time": {"fresh": True},
    "slides over other points": {"slides": True},
    "puts it again": {"again": True},
}


@pytest.mark.parametrize("habits", HABITS.values(), ids=HABITS.keys())
@pytest.mark.parametrize("seed", range(3))
def test_any_player_finds_the_whole_wiring(habits: dict[str, Any], seed: int) -> None:
    wiring = shuffled(1000 + seed)
    result = found(wiring, seed=seed, **habits)
    assert result.channels == wiring
    assert set(result.dead) == set(SQUARES) - set(wiring)


@pytest.mark.parametrize("seed", range(16))
def test_a_board_built_turned_mirrored_or_with_swapped_columns_is_found(seed: int) -> None:
    result = found(turned(seed), channels=64)
    assert result.channels == turned(seed)
    assert not list(result.notes())


def test_named_points_are_found_as_well() -> None:
    pits = ["S1", "S2", "S3", "N1", "N2", "N3"]
    wiring = dict(zip(pits, (15, 3, 0, 7, 8, 1), strict=True))
    assert found(wiring, channels=16, sites=pits).channels == wiring


def test_a_row_with_a_broken_wire_is_dead_and_the_rest_is_found() -> None:
    wiring = {point: number for number, point in enumerate(SQUARES) if point[1] != "3"}
    result = found(wiring, channels=64)
    assert result.channels == wiring
    assert result.dead == tuple(point for point in SQUARES if point[1] == "3")


# Faults -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fresh", [False, True])
@seeds(2, 5)
def test_stuck_and_flickering_channels_are_named_and_their_points_masked(seed: int, fresh: bool) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80, seed)
    stuck, loose, *_ = random.Random(seed).sample(sorted(wiring.values()), 3)
    sensors.stuck, sensors.flickering = {stuck}, {loose}
    result = run(Wiring(SQUARES, 80), sensors, Player(table, fresh=fresh))
    assert (result.stuck, result.flickering) == ((stuck,), (loose,))
    assert result.channels == {point: c for point, c in wiring.items() if c not in (stuck, loose)}
    assert set(result.dead) == set(SQUARES) - set(result.channels)


@pytest.mark.parametrize("period", [5, 12, 25, 60])
def test_a_channel_that_closes_now_and_then_is_named(period: int) -> None:
    wiring, seen = {"a1": 0, "b1": 1, "a2": 2}, []
    asked = Wiring(list(wiring), 5)
    for tick in range(40 * HZ):
        asked.feed((0, 0, 0, 0, int(tick % period < period // 2)), tick / HZ)
        seen.append(asked.ask.put)
    assert asked.found().flickering == (4,)
    assert any(seen)


@pytest.mark.parametrize("fresh", [False, True])
@seeds(2, 5)
def test_a_point_that_closes_two_channels_keeps_one(seed: int, fresh: bool) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80)
    free = min(set(range(80)) - set(wiring.values()))
    one = random.Random(seed).choice(sorted(wiring.values()))
    sensors.also = {one: free}
    result = run(Wiring(SQUARES, 80), sensors, Player(table, fresh=fresh))
    assert result.doubled == {at(wiring, one): tuple(sorted((one, free)))}
    assert result.channels == wiring | {at(wiring, one): min(one, free)}


@seeds(2, 5)
def test_a_point_that_closes_another_ones_channel_too_keeps_its_own(seed: int) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80)
    one, other = random.Random(seed).sample(sorted(wiring.values()), 2)
    sensors.also = {one: other}
    result = run(Wiring(SQUARES, 80), sensors, Player(table))
    first, lost = at(wiring, one), at(wiring, other)
    assert result.doubled == {first: tuple(sorted((one, other)))}
    assert {other: {first, lost}} == {channel: set(points) for channel, points in result.shared.items()}
    assert result.channels == {point: channel for point, channel in wiring.items() if point != lost}


@pytest.mark.parametrize("fresh", [False, True])
@seeds(2, 5)
def test_two_points_on_one_channel_are_both_named_and_masked(seed: int, fresh: bool) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 81)
    one, other = random.Random(seed).sample(sorted(wiring.values()), 2)
    sensors.also = {one: 80, other: 80}
    scan = sensors.scan
    sensors.scan = lambda: tuple(0 if n in (one, other) else level for n, level in enumerate(scan()))  # type: ignore[method-assign]
    result = run(Wiring(SQUARES, 81), sensors, Player(table, fresh=fresh))
    both = {at(wiring, one), at(wiring, other)}
    assert {80: both} == {channel: set(points) for channel, points in result.shared.items()}
    assert result.channels == {point: c for point, c in wiring.items() if point not in both}


@pytest.mark.parametrize("fresh", [False, True])
def test_bouncing_switches_are_read_as_if_they_did_not(fresh: bool) -> None:
    wiring = shuffled(7)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80)
    sensors.bounce = 2
    result = run(Wiring(SQUARES, 80), sensors, Player(table, fresh=fresh, again=True))
    assert result.channels == wiring
    assert not result.flickering


def test_a_switch_that_begins_to_stick_is_named_with_its_point() -> None:
    wiring = {point: number for number, point in enumerate(SQUARES) if point != "h8"}
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked, sensors = Wiring(SQUARES, 64), Faulty(table, 64)

    def stick(_: float) -> None:
        if asked.ask.put == "c4":
            sensors.stuck = {wiring["b4"]}

    result = run(asked, sensors, Player(table), each=stick)
    assert result.unfit == {"b4": wiring["b4"]}
    assert "b4" not in result.channels
    assert result.dead == ("h8",)


# What hands do ----------------------------------------------------------------------------------


def test_pieces_on_the_board_are_to_be_taken_off_first() -> None:
    wiring = shuffled(3)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    table.lay([("a1", 1), ("c4", 1), ("h8", 1)])
    asked = Wiring(SQUARES, 80)
    for tick in range(50):
        asked.feed(table.scan() + (0,) * (80 - table.channels), tick / HZ)
    assert asked.ask.clear
    assert asked.ask.say.startswith("Take all pieces off the board: 3 channels are closed.")
    result = run(Wiring(SQUARES, 80), Faulty(table, 80), Player(table))
    assert result.channels == wiring
    assert not result.stuck


def test_a_piece_taken_for_a_stuck_channel_is_no_longer_once_it_is_lifted() -> None:
    frames = [(1, 0)] * 20 * HZ + [(0, 0)] * HZ
    asked = Wiring(["a1", "b1"], 2)
    stuck = [asked.feed(frame, tick / HZ) and asked.found().stuck for tick, frame in enumerate(frames)]
    assert stuck[15 * HZ] == (0,)
    assert stuck[-1] == ()


def test_a_piece_on_a_wrong_point_is_put_right_when_both_points_are_asked_again() -> None:
    asked, tick = Wiring(["a1", "b1", "c1"], 3), 0
    wiring = {"a1": 0, "b1": 1, "c1": 2}
    puts: list[str] = []
    while not asked.result:
        ask = asked.ask
        if ask.put != (puts[-1] if puts else ""):
            puts.append(ask.put)
        point = "c1" if puts == ["a1"] else ask.put  # the first time the piece is put on c1
        asked.feed(tuple(int(wiring.get(point) == channel) for channel in range(3)), tick / HZ)
        tick += 1
    assert asked.result.channels == wiring
    assert not list(asked.result.notes())
    assert puts.count("a1") >= 2


def test_two_pieces_at_once_are_not_believed() -> None:
    asked, tick, puts = Wiring(["a1", "b1", "c1"], 4), 0, 0
    wiring = {"a1": 0, "b1": 1, "c1": 2}
    while not asked.result:
        closed = {wiring.get(asked.ask.put)}
        if asked.ask.put == "b1" and asked.done == 1 and puts < 3 * HZ:
            puts += 1
            closed.add(3)  # a sleeve
        asked.feed(tuple(int(channel in closed) for channel in range(4)), tick / HZ)
        tick += 1
    assert asked.result.channels == wiring
    assert not asked.result.doubled


@pytest.mark.parametrize("left_at", [1.0, 3.0, 20.0, 62.0])
def test_a_player_who_goes_away_finds_the_course_waiting(left_at: float) -> None:
    wiring = shuffled(5)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked, player = Wiring(SQUARES, 80), Player(table)
    table.lay([("c4", 1)])
    result = run(asked, Faulty(table, 80), player, each=lambda now: left_at <= now < 1800)  # half an hour
    assert result.channels == wiring


def test_sensors_that_fail_for_a_while_cost_nothing_but_time() -> None:
    wiring = shuffled(6)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked = Wiring(SQUARES, table.channels)
    said: set[str] = set()

    def fail(now: float) -> bool:
        table.sighted = not 30 <= now < 300
        said.add(asked.ask.say)
        return not table.sighted

    assert run(asked, Faulty(table, table.channels), Player(table), each=fail).channels == wiring
    assert any("sensors tell nothing" in say for say in said)


def test_a_scanner_that_never_sees_anything_is_to_be_looked_at() -> None:
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring={})
    asked = Wiring(SQUARES, 64)
    with pytest.raises(AssertionError, match="see that the sensors are connected"):
        run(asked, Faulty(table, 64), Player(table), most=600)
    assert asked.found().masked(SQUARES) == asked.found().left == tuple(SQUARES)


def test_only_the_points_asked_for_are_asked_and_known_channels_stay() -> None:
    wiring = turned(0)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    known = {point: channel for point, channel in wiring.items() if point not in ("c4", "e5")}
    asked = Wiring(["c4", "e5"], 64, known=known)
    assert run(asked, Faulty(table, 64), Player(table), most=20).channels == wiring


def test_a_known_channel_that_answers_for_another_point_is_asked_again_too() -> None:
    wiring = turned(0)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    known = {point: channel for point, channel in wiring.items() if point != "c4"} | {"d4": wiring["c4"]}
    result = run(Wiring(["c4"], 64, known=known), Faulty(table, 64), Player(table), most=60)
    assert result.channels == wiring


def test_the_time_left_shrinks_to_nothing() -> None:
    wiring = turned(1)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked = Wiring(SQUARES, 64)
    told: dict[int, float | None] = {}
    run(asked, Faulty(table, 64), Player(table), each=lambda _: bool(told.update({asked.done: asked.left()})))
    assert told[0] is None
    assert asked.left() == 0
    assert told[32] is not None
    assert 30 < told[32] < 60
