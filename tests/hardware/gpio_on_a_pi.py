"""The real lgpio on wired lines; runs only on a pretended Pi, where test_real_gpio.py starts it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lgpio
import pytest

from tests.hardware.pretend_pi import FOLDER, PretendPi

ROWS, COLUMNS = [4, 17, 27, 22], [23, 24, 25]
UP, DRAIN = lgpio.SET_PULL_UP, lgpio.SET_OPEN_DRAIN


@pytest.fixture
def pi() -> PretendPi:
    return PretendPi(Path(os.environ[FOLDER])).be()


@pytest.fixture
def chips() -> Iterator[list[int]]:
    """The open chips; closed in the end."""
    opened: list[int] = []
    yield opened
    for chip in opened:
        lgpio.gpiochip_close(chip)


def lines(chips: list[int], flags: int = DRAIN | UP) -> int:
    """Open the chip with rows as outputs that are high and columns that are pulled up."""
    chips.append(lgpio.gpiochip_open(0))
    lgpio.group_claim_output(chips[-1], ROWS, [1] * len(ROWS), flags)
    lgpio.group_claim_input(chips[-1], COLUMNS, UP)
    return chips[-1]


def columns(chip: int, row: int) -> list[int]:
    """The columns that are low while `row` is driven low."""
    every = (1 << len(ROWS)) - 1
    lgpio.group_write(chip, ROWS[0], every ^ (1 << row), every)
    low = ~lgpio.group_read(chip, COLUMNS[0])[1]
    return [column for column in range(len(COLUMNS)) if low >> column & 1]


def scan(chip: int) -> list[list[int]]:
    """The columns of each row in turn."""
    return [columns(chip, row) for row in range(len(ROWS))]


@pytest.mark.parametrize("diodes", [False, True])
def test_each_switch_is_seen_in_its_row_and_column(pi: PretendPi, chips: list[int], diodes: bool) -> None:
    pi.wire(ROWS, COLUMNS, diodes=diodes)
    chip = lines(chips)
    assert scan(chip) == [[], [], [], []]
    for row in range(len(ROWS)):
        for column in range(len(COLUMNS)):
            pi.switch(row, column)
            assert scan(chip) == [[column] if at == row else [] for at in range(len(ROWS))]
            pi.switch(row, column, closed=False)


@pytest.mark.parametrize(("diodes", "seen"), [(False, [[0, 1], [0, 1], [], []]), (True, [[0, 1], [0], [], []])])
def test_three_corners_make_a_ghost_of_the_fourth_without_diodes(
    pi: PretendPi, chips: list[int], diodes: bool, seen: list[list[int]]
) -> None:
    pi.wire(ROWS, COLUMNS, diodes=diodes)
    for row, column in ((0, 0), (0, 1), (1, 0)):
        pi.switch(row, column)
    assert scan(lines(chips)) == seen
    assert pi.shorts() == []


@pytest.mark.parametrize(("diodes", "idle_rows_low"), [(False, 0b0010), (True, 0)])
def test_an_idle_row_tells_whether_current_came_through_a_column(
    pi: PretendPi, chips: list[int], diodes: bool, idle_rows_low: int
) -> None:
    pi.wire(ROWS, COLUMNS, diodes=diodes)
    pi.switch(0, 0)
    pi.switch(1, 0)
    chip = lines(chips)
    columns(chip, 0)
    assert ~lgpio.group_read(chip, ROWS[0])[1] & 0b1110 == idle_rows_low


@pytest.mark.parametrize("diodes", [False, True])
def test_rows_driven_high_against_a_low_one_are_reported(pi: PretendPi, chips: list[int], diodes: bool) -> None:
    pi.wire(ROWS, COLUMNS, diodes=diodes)
    pi.switch(0, 2)
    pi.switch(3, 2)
    columns(lines(chips, flags=0), 0)
    assert pi.shorts() == ([] if diodes else [ROWS[3]])


def test_a_button_pulls_its_line_to_ground(pi: PretendPi, chips: list[int]) -> None:
    chip = lgpio.gpiochip_open(0)
    chips.append(chip)
    lgpio.gpio_claim_input(chip, 5, UP)
    lgpio.gpio_claim_input(chip, 6, UP | lgpio.SET_ACTIVE_LOW)
    assert [lgpio.gpio_read(chip, line) for line in (5, 6)] == [1, 0]
    pi.press(5)
    pi.press(6)
    assert [lgpio.gpio_read(chip, line) for line in (5, 6)] == [0, 1]
    pi.press(5, pressed=False)
    assert lgpio.gpio_read(chip, 5) == 1


def test_a_line_that_nothing_holds_tells_nothing(pi: PretendPi, chips: list[int]) -> None:
    chip = lgpio.gpiochip_open(0)
    chips.append(chip)
    lgpio.gpio_claim_input(chip, 7, lgpio.SET_PULL_NONE)
    assert {lgpio.gpio_read(chip, 7) for _ in range(4)} == {0, 1}


def test_a_line_is_given_to_one_only_until_it_is_freed(pi: PretendPi, chips: list[int]) -> None:
    one, other = lgpio.gpiochip_open(0), lgpio.gpiochip_open(0)
    chips += [one, other]
    lgpio.group_claim_input(one, [5, 6], UP)
    with pytest.raises(lgpio.error, match="GPIO busy"):
        lgpio.gpio_claim_output(other, 6, 1)
    lgpio.group_free(one, 5)
    lgpio.gpio_claim_output(other, 6, 1)
    assert lgpio.gpio_read(other, 6) == 1


def test_lines_that_fail_work_again_when_healed(pi: PretendPi, chips: list[int]) -> None:
    pi.wire(ROWS, COLUMNS)
    pi.switch(2, 1)
    chip = lines(chips)
    pi.fail()
    with pytest.raises(lgpio.error):
        lgpio.group_read(chip, COLUMNS[0])
    pi.heal()
    assert scan(chip)[2] == [1]


@pytest.mark.parametrize("spoil", [PretendPi.take_away, PretendPi.forbid])
def test_a_chip_that_is_not_there_or_not_allowed_cannot_be_opened(pi: PretendPi, spoil: Any) -> None:
    spoil(pi, "/dev/gpiochip0")
    with pytest.raises(lgpio.error, match="can not open gpiochip"):
        lgpio.gpiochip_open(0)


def test_a_register_is_loaded_and_shifted_by_hand(pi: PretendPi, chips: list[int]) -> None:
    load, clock, data = 16, 11, 9
    pi.wire_register(load, clock, data)
    pi.set_register(bytes([0b10110001, 0b01000000]))
    chip = lgpio.gpiochip_open(0)
    chips.append(chip)
    lgpio.gpio_claim_output(chip, load, 1)
    lgpio.gpio_claim_output(chip, clock, 0)
    lgpio.gpio_claim_input(chip, data)
    lgpio.gpio_write(chip, load, 0)
    lgpio.gpio_write(chip, load, 1)
    bits = []
    for _ in range(18):
        bits.append(lgpio.gpio_read(chip, data))
        lgpio.gpio_write(chip, clock, 1)
        lgpio.gpio_write(chip, clock, 0)
    assert "".join(map(str, bits)) == "101100010100000000"
