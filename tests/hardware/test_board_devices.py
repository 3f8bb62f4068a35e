"""A device through its board: the right channels and pixels, and a budget for the strip as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.board import PointLights, PointSensors
from hardware.device import Colour, DeviceError, Levels, Sense, Trouble
from hardware.power import estimate

BLACK = (0, 0, 0)
WHITE = (255, 255, 255)


class Bank:
    """A scanner whose levels a test sets; the same object comes back until they are set again."""

    def __init__(self, channels: int, sense: Sense = Sense.PRESENCE) -> None:
        self.sense, self.channels = sense, channels
        self.levels: Levels = (0,) * channels
        self.trouble: Trouble | None = None
        self.settled = False
        self.closed = False

    def scan(self) -> Levels:
        return self.levels

    def close(self) -> None:
        self.closed = True


class Wall:
    """Lights that keep all pictures, and fail while they are `broken`."""

    def __init__(self, pixels: int, refresh: float | None = None) -> None:
        self.pixels, self.refresh = pixels, refresh
        self.shown: list[list[Colour]] = []
        self.broken = self.closed = False

    def show(self, picture: Sequence[Colour]) -> None:
        if self.broken:
            raise DeviceError("the wall is broken")
        assert len(picture) == self.pixels
        self.shown.append(list(picture))

    def close(self) -> None:
        self.closed = True


# PointSensors --------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.data())
def test_each_point_shows_its_own_channel_under_any_wiring(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.text("abcdef", min_size=1, max_size=3), min_size=1, max_size=20, unique=True))
    wires = data.draw(st.permutations(range(len(names) + 4)))
    masked = data.draw(st.sets(st.sampled_from(names)))
    channels = {name: wire for name, wire in zip(names, wires, strict=False) if name not in masked}
    points = data.draw(st.lists(st.sampled_from(names), unique=True, min_size=1, max_size=20))
    bank = Bank(len(wires), Sense.COUNT)
    sensors = PointSensors(bank, channels, points)
    for _ in range(3):
        bank.levels = tuple(
            data.draw(st.lists(st.none() | st.integers(0, 9), min_size=len(wires), max_size=len(wires)))
        )
        assert sensors.scan() == tuple(bank.levels[channels[p]] if p in channels else None for p in points)
    assert (sensors.sense, sensors.channels) == (Sense.COUNT, len(points))


@pytest.mark.parametrize(
    "points",
    [
        (),
        ("a",),
        ("a", "b"),
    ],
)
def test_a_frame_is_a_tuple_however_few_points_there_are(points: tuple[str, ...]) -> None:
    assert PointSensors(Bank(2), {"a": 0, "b": 1}, points).scan() == (0,) * len(points)


def test_the_same_frame_comes_back_while_nothing_changes() -> None:
    bank = Bank(3, Sense.COLOUR)
    sensors = PointSensors(bank, {"a": 2, "b": 0}, ("a", "b"), Sense.PRESENCE)
    first = sensors.scan()
    assert sensors.scan() is first
    bank.levels = (1, 0, 2)
    second = sensors.scan()
    assert second == (1, 1)
    assert sensors.scan() is second


def test_presence_is_made_of_colours_and_counts_and_what_cannot_be_told_stays_so() -> None:
    for sense in (Sense.COLOUR, Sense.COUNT):
        bank = Bank(4, sense)
        bank.levels = (0, 1, 2, None)
        sensors = PointSensors(bank, dict(zip("abcd", range(4), strict=True)), "abcd", Sense.PRESENCE)
        assert (sensors.sense, sensors.scan()) == (Sense.PRESENCE, (0, 1, 1, None))
        assert PointSensors(bank, {"a": 2}, "a").scan() == (2,)


def test_a_board_with_all_points_masked_tells_nothing_for_ever() -> None:
    sensors = PointSensors(Bank(4), {}, ("a", "b"))
    assert sensors.scan() == (None, None)


def test_a_scanner_without_channels_tells_nothing_of_each_point() -> None:
    assert PointSensors(Bank(0), {}, ("a", "b")).scan() == (None, None)


def test_trouble_is_told_by_the_names_of_the_points() -> None:
    bank = Bank(9)
    sensors = PointSensors(bank, {"c4": 8, "d4": 3}, ("d4",))
    assert sensors.trouble is None
    bank.trouble = Trouble("ghosts", (3, 5, 8))
    assert sensors.trouble == Trouble("ghosts", (3, 5, 8), ("d4", "channel 5", "c4"))


def test_closing_sensors_leaves_the_scanner_open() -> None:
    bank = Bank(1)
    sensors = PointSensors(bank, {"a": 0}, "a")
    sensors.close()
    sensors.close()
    assert not bank.closed
    assert sensors.scan() == (0,)


# PointLights ----------------------------------------------------------------------------------------


def test_a_site_has_its_pixels_and_the_last_two_are_the_lamps() -> None:
    wall = Wall(8)
    strip = PointLights(wall, [(5, 1), (), (0,), (7,), (6,)], 60000)
    assert strip.pixels == 5
    strip.show([(1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0)])
    assert [red for red, _, _ in wall.shown[-1]] == [3, 1, 0, 0, 0, 1, 5, 4]


@given(st.data())
def test_the_budget_holds_for_the_strip_as_a_whole(data: st.DataObject) -> None:
    sites = data.draw(st.integers(1, 10))
    each = data.draw(st.integers(1, 8))
    wall = Wall(sites * each + 30)
    supply = data.draw(st.integers(120 + wall.pixels, 6000))
    strip = PointLights(wall, [tuple(range(site * each, site * each + each)) for site in range(sites)], supply)
    channel = st.integers(0, 255)
    picture = data.draw(st.lists(st.tuples(channel, channel, channel), min_size=sites, max_size=sites))
    strip.show(picture)
    assert estimate(wall.shown[-1]) <= supply
    whole = [*chain.from_iterable([colour] * each for colour in picture), *[BLACK] * 30]
    if estimate(whole) <= supply:
        assert wall.shown[-1] == whole
    strip.show([WHITE] * sites)
    assert estimate(wall.shown[-1]) <= supply


@pytest.mark.parametrize("supply", [0, 100, 120, 127, 128])
def test_a_supply_that_only_carries_darkness_gets_darkness(supply: int) -> None:
    wall = Wall(8)
    PointLights(wall, [(0,), (1,)], supply).show([WHITE, WHITE])
    assert wall.shown == [[BLACK] * 8]


@pytest.mark.parametrize("length", [0, 1, 3, 4])
def test_a_picture_of_another_length_is_refused(length: int) -> None:
    wall = Wall(4)
    strip = PointLights(wall, [(0,), (1,)], 1000)
    with pytest.raises(ValueError, match=f"has 2 pixels, not {length}"):
        strip.show([WHITE] * length)
    assert wall.shown == []


@pytest.mark.parametrize("refresh", [None, 1.0])
def test_a_strip_forgets_as_its_lights_do(refresh: float | None) -> None:
    strip = PointLights(Wall(8, refresh), [(0,), (1,)], 1000)
    assert strip.refresh == refresh


def test_closing_a_strip_goes_dark_and_leaves_the_lights_open() -> None:
    wall = Wall(3)
    strip = PointLights(wall, [(0,), (2,)], 1000)
    strip.show([WHITE, WHITE])
    strip.close()
    assert wall.shown[-1] == [BLACK] * 3
    assert not wall.closed
    strip.show([BLACK, (9, 9, 9)])
    assert wall.shown[-1] == [BLACK, BLACK, (9, 9, 9)]


def test_lights_that_fail_are_told_of() -> None:
    wall = Wall(2)
    strip = PointLights(wall, [(0,)], 1000)
    wall.broken = True
    with pytest.raises(DeviceError, match="the wall is broken"):
        strip.show([WHITE])
