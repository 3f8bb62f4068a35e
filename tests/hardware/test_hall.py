"""Hall sensors behind multiplexers, by their driver, on simulated pins: readings, calibration, noise and failures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple

import gpiozero
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import fakegpio
from hardware.device import DeviceError, Levels, Trouble
from hardware.fakegpio import FakeBoard
from hardware.scanners.hall import Hall
from hardware.settings import SettingsError, convert
from hardware.simulation.circuits import HallSensors

SELECT, CHIP = (22, 23, 24, 25), 7
ROUND = 4
"""Scans in which the default settings go over all sensors."""
THRESHOLD, HYSTERESIS = 80, 40


class Table(NamedTuple):
    scanner: Hall
    board: FakeBoard
    levels: list[int]

    @property
    def halls(self) -> HallSensors:
        return self.board.halls

    def scanned(self, scans: int = ROUND) -> Levels:
        """The last of so many scans."""
        return [self.scanner.scan() for _ in range(scans)][-1]

    def operations(self) -> list[str]:
        """What one scan does: each selection of a position and each conversion."""
        self.board.trace = trace = []
        self.scanner.scan()
        self.board.trace = None
        done: list[str] = []
        for pin, _, value in trace:
            if pin in SELECT and done[-1:] != ["select"]:
                done.append("select")
            elif pin == CHIP and value is False:
                done.append("convert")
        return done


@contextmanager
def opened(**chosen: Any) -> Iterator[Table]:
    """One multiplexer, all of it read in each scan, unless `chosen` say else."""
    told = Hall.Settings(**{"inputs": 1, "at_once": 16, "settle": 0, **chosen})
    levels = [0] * told.channels
    with fakegpio.open_fake("hall", told, levels) as board:
        scanner = Hall(told)
        yield Table(scanner, board, levels)
        board.cut = board.circuit.mute = False
        scanner.close()


# Reading --------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(levels=st.lists(st.integers(0, 2), min_size=32, max_size=32), dark=st.sampled_from(["rise", "fall"]))
def test_every_position_is_read_in_colour(levels: list[int], dark: str) -> None:
    with opened(inputs=2, dark=dark) as table:
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(levels)
        assert table.scanner.trouble is None


@settings(max_examples=25)
@given(levels=st.lists(st.integers(0, 2), min_size=16, max_size=16))
def test_by_presence_a_magnet_may_lie_either_way(levels: list[int]) -> None:
    with opened(sense="presence") as table:
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(min(level, 1) for level in levels)


def test_where_dark_is_set_the_wrong_way_round_the_colours_are() -> None:
    rising, falling = (Hall.Settings(inputs=1, dark=dark) for dark in ("rise", "fall"))
    with fakegpio.open_fake("hall", rising, [1, 2] * 8):
        scanner = Hall(falling)
        assert scanner.scan() == (2, 1) * 8
        scanner.close()


def test_a_channel_is_sixteen_times_its_input_and_its_position() -> None:
    with opened(inputs=8) as table:
        table.halls.noise = 0
        table.halls.dead = {
            16 * number + position: 64 * number + position for number in range(8) for position in range(16)
        }
        assert table.scanner.readings() == tuple(
            64 * number + position for number in range(8) for position in range(16)
        )


def test_readings_are_those_of_now_whatever_a_scan_reads() -> None:
    with opened(inputs=4, at_once=4) as table:
        table.halls.noise = 0
        empty = table.scanner.readings()
        assert empty == tuple(map(table.halls.empty, range(64)))
        table.levels[:] = [1] * 64
        assert table.scanner.readings() == tuple(reading + 200 for reading in empty)


def test_strong_magnets_drive_a_reading_to_its_end() -> None:
    with opened() as table:
        table.halls.swing = 900
        table.levels[:3] = [1, 2, 0]
        assert table.scanner.readings()[:2] == (1023, 0)
        assert table.scanner.scan()[:3] == (1, 2, 0)


def test_the_same_seed_gives_the_same_readings() -> None:
    told = Hall.Settings()
    boards = [HallSensors([0] * 64, told.channels, seed) for seed in (1, 1, 2)]
    first, again, other = [[halls.reading(channel) for channel in range(64)] for halls in boards]
    assert first == again != other


# Calibration ----------------------------------------------------------------------------------


def test_sensors_that_rest_far_apart_are_misread_until_they_are_calibrated() -> None:
    levels = [0, 1, 2, 0] * 4
    with opened() as table:
        table.halls.spread = 150
        table.levels[:] = [0] * 16
        empty = table.scanner.readings()
        assert table.scanner.scan() != (0,) * 16
    with opened(empty=empty) as table:
        table.halls.spread = 150
        assert table.scanner.scan() == (0,) * 16
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(levels)


def test_weak_magnets_are_seen_with_a_threshold_of_their_own() -> None:
    for threshold, hysteresis, seen in ((THRESHOLD, HYSTERESIS, 0), (20, 10, 2)):
        with opened(empty=[512] * 16, threshold=threshold, hysteresis=hysteresis) as table:
            table.halls.swing, table.halls.spread = 40, 0
            table.levels[6] = 2
            assert table.scanner.scan()[6] == seen


def test_a_weak_magnet_and_a_dead_sensor_are_unseen_and_harm_no_other() -> None:
    with opened() as table:
        table.halls.weak[3] = 30
        table.halls.dead[4] = 512
        table.levels[:] = [1] * 16
        assert [channel for channel, level in enumerate(table.scanner.scan()) if not level] == [3, 4]


# Hysteresis -------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.lists(st.integers(512 - 2 * THRESHOLD, 512 + 2 * THRESHOLD), min_size=1, max_size=12))
def test_between_the_two_bars_a_channel_stays_as_it_was(readings: list[int]) -> None:
    with opened() as table:
        before = 0
        for reading in readings:
            table.halls.dead[9] = reading
            level = table.scanner.scan()[9]
            side = 1 if reading > 512 else 2
            if abs(reading - 512) >= THRESHOLD:
                assert level == side
            elif abs(reading - 512) < THRESHOLD - HYSTERESIS:
                assert level == 0
            else:
                assert level == (before if before == side else 0)
            before = level


@pytest.mark.parametrize(
    ("reading", "level"),
    [(591, 0), (592, 1), (552, 1), (551, 0), (433, 0), (432, 2), (472, 2), (473, 0)],
)
def test_the_bars_are_threshold_and_threshold_less_hysteresis(reading: int, level: int) -> None:
    with opened() as table:
        if reading in (552, 551, 472, 473):
            table.halls.dead[0] = 600 if reading > 512 else 424
            table.scanner.scan()
        table.halls.dead[0] = reading
        assert table.scanner.scan()[0] == level


def changes(table: Table, scans: int) -> int:
    """How often a level changes in so many scans, in the channel where it changes most."""
    seen = zip(*[table.scanner.scan() for _ in range(scans)], strict=True)
    return max(sum(a != b for a, b in pairwise(levels)) for levels in seen)


@settings(max_examples=30)
@given(swing=st.integers(0, 200), noise=st.integers(0, HYSTERESIS // 2))
def test_noise_up_to_half_of_the_hysteresis_never_flickers_wherever_the_reading_is(swing: int, noise: int) -> None:
    with opened() as table:
        table.halls.noise, table.halls.swing = noise, swing
        table.levels[:] = [1, 2] * 8
        assert changes(table, 12) <= 1  # a piece at the very bar may be found late, but then it stays


def test_noise_beyond_the_hysteresis_flickers() -> None:
    with opened() as table:
        table.halls.noise, table.halls.swing = 40, 60
        table.levels[:] = [1, 2] * 8
        assert changes(table, 30) > 1


def test_what_is_seen_in_a_single_conversion_does_not_count() -> None:
    with opened() as table:
        table.scanner.scan()
        struck: list[int] = []

        def disturbed(channel: int) -> int:
            struck.append(channel)
            return int(channel == 5 and struck.count(5) == 1)

        table.halls.level = disturbed
        assert table.scanner.scan() == (0,) * 16
        assert struck.count(5) == 2


# Cost, and the parts of a scan --------------------------------------------------------------------


@pytest.mark.parametrize(("inputs", "at_once"), [(4, 4), (4, 16), (8, 4), (1, 8)])
def test_a_scan_selects_so_many_positions_and_converts_each_input_there(inputs: int, at_once: int) -> None:
    with opened(inputs=inputs, at_once=at_once) as table:
        table.scanner.scan()
        assert table.operations() == ["select", *["convert"] * inputs] * at_once


def test_where_something_has_changed_it_is_looked_at_once_more() -> None:
    with opened(inputs=4, at_once=4) as table:
        table.scanned(1)
        table.levels[0] = 1
        counts = [table.operations().count("convert") for _ in range(2 * ROUND)]
        assert sorted(counts) == [*[16] * (2 * ROUND - 1), 20]


def test_a_piece_is_seen_within_a_round_of_scans_and_none_before_its_turn() -> None:
    with opened(at_once=4) as table:
        table.scanned(1)
        table.levels[:] = [1] * 16
        assert [table.scanner.scan().count(1) for _ in range(ROUND)] == [4, 8, 12, 16]


def test_the_first_scan_and_the_first_after_a_failure_read_all() -> None:
    with opened(at_once=4) as table:
        table.levels[:] = [1] * 16
        assert table.scanner.scan() == (1,) * 16
        table.board.cut = True
        table.scanner.scan()
        table.board.cut = False
        table.levels[:] = [2] * 16
        assert table.scanner.scan() == (2,) * 16


def test_each_position_is_given_time_to_settle() -> None:
    with opened(settle=1000) as table:
        begin = perf_counter()
        table.scanner.scan()
        assert perf_counter() - begin > 16 * 0.001


# Failures -----------------------------------------------------------------------------------------


def test_a_converter_that_does_not_answer_tells_nothing_until_it_does() -> None:
    with opened() as table:
        table.levels[2] = 2
        assert table.scanner.scan()[2] == 2
        table.board.circuit.mute = True
        assert table.scanner.scan() == table.scanner.readings() == (None,) * 16
        assert table.scanner.trouble == Trouble("silent", tuple(range(16)))
        table.board.circuit.mute = False
        assert table.scanner.scan() == (0, 0, 2, *(0,) * 13)
        assert table.scanner.trouble is None
        assert None not in table.scanner.readings()


def test_a_bus_that_is_closed_under_it_is_opened_anew_within_a_hundred_scans() -> None:
    with opened() as table:
        table.levels[1] = 1
        table.scanner._converter.close()
        seen = [table.scanner.scan() for _ in range(101)]
        assert set(seen[:-1]) == {(None,) * 16}
        assert seen[-1] == (0, 1, *(0,) * 14)


def test_readings_that_fail_count_as_failures_too() -> None:
    with opened() as table:
        table.scanner._select.close()
        assert {table.scanner.readings() for _ in range(100)} == {(None,) * 16}
        assert None not in table.scanner.readings()


def test_a_closed_scanner_leaves_its_pins_to_others_and_tells_nothing() -> None:
    with opened() as table:
        table.scanner.close()
        with gpiozero.Button(22), gpiozero.Button(11):
            assert table.scanner.scan() == table.scanner.readings() == (None,) * 16


@pytest.mark.parametrize("pin", [22, 25, 7, 11])
def test_a_pin_that_a_button_has_is_refused_and_nothing_kept(pin: int) -> None:
    told = Hall.Settings()
    with fakegpio.open_fake("hall", told, [0] * 64):
        with gpiozero.Button(pin), pytest.raises(DeviceError, match=f"GPIO{pin} is already in use.*give each pin one"):
            Hall(told)
        Hall(told).close()


# Settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"empty": [512] * 63}, "empty has 63 readings and there are 64 channels: give one a channel, or none"),
        ({"empty": [512] * 64, "inputs": 8}, "empty has 64 readings and there are 128 channels"),
        ({"empty": [1024] * 64}, "empty"),
        ({"hysteresis": 80}, "hysteresis 80 must be below threshold 80, or a piece would never count as gone"),
        ({"threshold": 30}, "hysteresis 40 must be below threshold 30"),
        ({"hysteresis": 0}, "hysteresis"),
        ({"threshold": 512}, "threshold"),
        ({"select": [22, 23, 24, 22]}, "pin 22 is used twice"),
        ({"select": [22, 23, 24, 9]}, "pin 9 is used twice: four select lines and SPI"),
        ({"select": [22, 23, 24]}, "select"),
        ({"inputs": 0}, "inputs"),
        ({"inputs": 9}, "inputs"),
        ({"device": 2}, "device"),
        ({"rate": 4_000_000}, "rate"),
        ({"settle": -1}, "settle"),
        ({"dark": "north"}, "dark.*allowed: rise, fall"),
        ({"sense": "count"}, "sense.*allowed: presence, colour"),
        ({"at_once": 5}, "at_once.*allowed: 4, 8, 16"),
        ({"channels": 64}, "channels"),
    ],
)
def test_impossible_settings_are_refused_with_a_sentence(data: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=f"^scanner.*{words}"):
        convert(data, Hall.Settings, "scanner")


def test_the_default_pins_leave_those_of_strips_and_buttons_alone() -> None:
    told = Hall.Settings()
    assert len(set(told.pins)) == len(told.pins) == 9
    assert not set(told.pins) & {0, 1, 2, 3, 14, 15, 18, 21}


def test_four_multiplexers_are_sixty_four_channels_and_eight_twice_as_many() -> None:
    assert Hall.Settings().channels == 64
    assert Hall.Settings(inputs=8).channels == 128
