"""The chain of shift registers on pins, by its driver, over SPI and over three lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import gpiozero
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import fakegpio
from hardware.device import DeviceError, Trouble
from hardware.fakegpio import FakeBoard
from hardware.scanners.shift_register import ShiftRegister
from hardware.settings import SettingsError, convert

WAYS = ("spi", "lines")


class Table(NamedTuple):
    scanner: ShiftRegister
    board: FakeBoard
    levels: list[int]
    now: list[float]


@contextmanager
def opened(**settings: Any) -> Iterator[Table]:
    """A chain of eight registers unless `settings` say else."""
    chosen = ShiftRegister.Settings(**settings)
    levels, now = [0] * (chosen.registers * 8 // (2 if chosen.sense == "colour" else 1)), [0.0]
    with fakegpio.open_fake("shift_register", chosen, levels, clock=lambda: now[0]) as board:
        scanner = ShiftRegister(chosen)
        yield Table(scanner, board, levels, now)
        board.cut = False
        scanner.close()


@pytest.mark.parametrize("over", WAYS)
@pytest.mark.parametrize("active_low", [True, False])
@given(levels=st.lists(st.integers(0, 1), min_size=24, max_size=24))
def test_every_position_is_read_as_it_is(over: str, active_low: bool, levels: list[int]) -> None:
    with opened(over=over, registers=3, active_low=active_low) as table:
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(levels)
        assert table.scanner.trouble is None


@pytest.mark.parametrize("over", WAYS)
@given(levels=st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_every_position_is_read_in_colour(over: str, levels: list[int]) -> None:
    with opened(over=over, registers=2, sense="colour") as table:
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(levels)


@pytest.mark.parametrize("over", WAYS)
def test_a_long_chain_is_read_to_its_end(over: str) -> None:
    with opened(over=over, registers=32) as table:
        table.levels[255] = 1
        assert table.scanner.scan() == (*(0,) * 255, 1)


@pytest.mark.parametrize("over", WAYS)
def test_both_switches_of_a_site_closed_is_no_piece(over: str) -> None:
    with opened(over=over, registers=1, sense="colour") as table:
        table.board.switches.stuck.update({2: True, 3: True})
        assert table.scanner.scan() == (0, None, 0, 0)


@pytest.mark.parametrize("over", WAYS)
def test_rectangles_of_pieces_are_nothing_special(over: str) -> None:
    with opened(over=over) as table:
        table.levels[:] = [1] * 64
        assert table.scanner.scan() == (1,) * 64
        assert table.scanner.trouble is None


def test_over_three_lines_a_scan_costs_three_operations_an_input_three_for_the_bit_behind_them_and_two() -> None:
    with opened(over="lines") as table:
        table.scanner.scan()
        table.board.trace = []
        table.scanner.scan()
        assert len(table.board.trace) == 3 * 64 + 3 + 2


def test_over_spi_a_scan_costs_two_operations_and_two_transfers() -> None:
    with opened(over="spi") as table:
        table.board.trace = trace = []
        table.scanner.scan()
        select, load = 7, 25
        assert [value for pin, _, value in trace if pin == load] == [False, True]
        assert [value for pin, _, value in trace if pin == select] == [False, True, False, True]


@given(levels=st.lists(st.integers(0, 1), min_size=16, max_size=16))
def test_a_clock_that_a_strip_left_low_and_that_rises_after_the_select_shifts_no_bit_away(levels: list[int]) -> None:
    with opened(registers=2) as table:
        table.levels[:] = levels
        for _ in range(2):
            table.board.circuit.left_low = True
            assert table.scanner.scan() == tuple(levels)
            assert not table.board.circuit.left_low


# Whether it answers -----------------------------------------------------------------------------


def wires(over: str) -> tuple[int, int]:
    """The pins of clock and data."""
    return (11, 9) if over == "spi" else (23, 24)


@pytest.mark.parametrize("over", WAYS)
@pytest.mark.parametrize("active_low", [True, False])
@pytest.mark.parametrize("wire", [0, 1])
@pytest.mark.parametrize("standing", [0, 1])
def test_a_clock_or_data_wire_that_has_come_off_is_told_whatever_stands(
    over: str, active_low: bool, wire: int, standing: int
) -> None:
    with opened(over=over, registers=3, active_low=active_low, looped=True) as table:
        table.levels[:] = [standing] * 24
        assert table.scanner.scan() == (standing,) * 24
        table.board.circuit.off = {wires(over)[wire]}
        assert {table.scanner.scan() for _ in range(10)} == {(None,) * 24}
        assert table.scanner.trouble == Trouble("silent", tuple(range(24)))
        table.board.circuit.off = set()
        assert table.scanner.scan() == (standing,) * 24
        assert table.scanner.trouble is None


@pytest.mark.parametrize("over", WAYS)
@pytest.mark.parametrize("standing", [0, 1])
def test_the_registers_behind_a_broken_wire_are_named(over: str, standing: int) -> None:
    with opened(over=over, registers=8, looped=True) as table:
        table.levels[:] = [standing] * 64
        table.levels[39] = 1 - standing  # at H of the last that is heard
        table.levels[32] = 0
        table.board.circuit.torn = 4
        assert table.scanner.scan() == (None,) * 64
        assert table.scanner.trouble == Trouble("silent", tuple(range(40, 64)))


def test_in_colour_silent_registers_are_named_by_their_sites() -> None:
    with opened(registers=2, sense="colour", looped=True) as table:
        table.board.circuit.torn = 0
        table.levels[:] = [0, 0, 0, 0, 1, 1, 1, 1]
        assert table.scanner.scan() == (None,) * 8
        assert table.scanner.trouble == Trouble("silent", (4, 5, 6, 7))


def test_a_disturbance_that_is_gone_when_it_is_read_again_is_nothing() -> None:
    with opened(registers=2, looped=True) as table:
        data, heard = 9, []

        class Once:
            """Comes off for the first bits that are read."""

            def __contains__(self, pin: int) -> bool:
                heard.append(pin)
                return pin == data and heard.count(data) <= 20

        table.board.circuit.off = Once()
        assert table.scanner.scan() == (0,) * 16
        assert heard.count(data) > 20


@pytest.mark.parametrize("over", WAYS)
def test_without_the_loop_pieces_and_a_dead_line_look_the_same(over: str) -> None:
    with opened(over=over, registers=2, looped=False) as table:
        table.levels[3] = 1
        assert table.scanner.scan() == tuple(table.levels)
        table.board.circuit.off = {wires(over)[1]}
        assert table.scanner.scan() == (1,) * 16
        assert table.scanner.trouble is None


@pytest.mark.parametrize("over", WAYS)
def test_a_chain_that_hears_itself_is_found_out_and_checked_from_then_on(over: str) -> None:
    with opened(over=over, registers=2) as table:
        for level in (0, 1, 0):
            table.levels[15] = level  # H of the last register
            assert table.scanner.scan() == tuple(table.levels)
        table.board.circuit.off = {wires(over)[1]}
        assert table.scanner.scan() == (None,) * 16
        assert table.scanner.trouble == Trouble("silent", tuple(range(16)))


@pytest.mark.parametrize("over", WAYS)
@pytest.mark.parametrize("active_low", [True, False])
@given(positions=st.lists(st.lists(st.integers(0, 1), min_size=16, max_size=16), max_size=8))
def test_a_chain_that_ends_at_ground_is_read_all_the_same(
    over: str, active_low: bool, positions: list[list[int]]
) -> None:
    with opened(over=over, registers=2, active_low=active_low) as table:
        table.board.circuit.looped = False
        for levels in positions:
            table.levels[:] = levels
            assert table.scanner.scan() == tuple(levels)
            assert table.scanner.trouble is None


def test_a_chain_that_ends_at_ground_is_read_once_a_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(registers=2) as table:
        table.board.circuit.looped = False
        table.levels[11] = 1
        read, shifted = [], table.scanner._shifted
        monkeypatch.setattr(table.scanner, "_shifted", lambda: read.append(1) or shifted())
        for _ in range(5):
            assert table.scanner.scan() == tuple(table.levels)
        assert len(read) == 5


def test_a_chain_that_is_said_to_hear_itself_and_does_not_is_told_once_a_piece_stands_at_the_last_register() -> None:
    with opened(registers=2, looped=True) as table:
        table.board.circuit.looped = False
        table.levels[3] = 1
        assert table.scanner.scan() == tuple(table.levels)
        table.levels[11] = 1
        assert table.scanner.scan() == (None,) * 16
        assert table.scanner.trouble == Trouble("silent", tuple(range(16)))


@pytest.mark.parametrize("over", WAYS)
def test_a_stuck_input_always_reads_closed_and_a_cold_joint_comes_and_goes(over: str) -> None:
    with opened(over=over) as table:
        table.board.switches.stuck[5] = True
        table.board.switches.cold.add(9)
        table.levels[9] = 1
        seen = set()
        for scan in range(200):
            table.now[0] = scan / 100
            levels = table.scanner.scan()
            seen.add(levels[9])
            assert levels[5] == 1
        assert seen == {0, 1}


@pytest.mark.parametrize("over", WAYS)
def test_lines_that_are_closed_under_it_are_opened_anew_within_a_hundred_scans(over: str) -> None:
    with opened(over=over, registers=1) as table:
        table.levels[1] = 1
        table.scanner._source.close()
        seen = [table.scanner.scan() for _ in range(101)]
        assert set(seen[:-1]) == {(None,) * 8}
        assert seen[-1] == (0, 1, *(0,) * 6)


@pytest.mark.parametrize("over", WAYS)
def test_a_closed_chain_leaves_its_pins_to_others(over: str) -> None:
    with opened(over=over) as table:
        table.scanner.close()
        with gpiozero.Button(25), gpiozero.Button(23), gpiozero.Button(24), gpiozero.Button(11):
            assert set(table.scanner.scan()) == {None}


@pytest.mark.parametrize(("over", "pin"), [("spi", 25), ("spi", 11), ("lines", 23), ("lines", 24)])
def test_a_pin_that_a_button_has_is_refused_and_nothing_kept(over: str, pin: int) -> None:
    settings = convert({"over": over}, ShiftRegister.Settings)
    with fakegpio.open_fake("shift_register", settings, [0] * 64):
        with gpiozero.Button(pin), pytest.raises(DeviceError, match=f"GPIO{pin} is already in use.*give each pin one"):
            ShiftRegister(settings)
        ShiftRegister(settings).close()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"over": "lines", "load": 23}, "pin 23 is used twice"),
        ({"over": "lines", "data": 25}, "pin 25 is used twice"),
        ({"load": 9}, "pin 9 is used twice"),
        ({"registers": 0}, "registers"),
        ({"registers": 33}, "registers"),
        ({"device": 2}, "device"),
        ({"rate": 1}, "rate"),
        ({"over": "i2c"}, "over.*allowed: spi, lines"),
        ({"port": 1}, "port"),
    ],
)
def test_impossible_settings_are_refused_with_a_sentence(data: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        convert(data, ShiftRegister.Settings, "scanner")


def test_over_lines_the_pins_of_spi_are_free_to_use() -> None:
    with opened(over="lines", load=9, clock=10, data=11, registers=1) as table:
        table.levels[3] = 1
        assert table.scanner.scan() == (0, 0, 0, 1, 0, 0, 0, 0)
