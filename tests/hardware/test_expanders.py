"""Expanders on an I2C bus, by their drivers; chips that are missing, lose their supply or were left otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import backends, fakegpio, i2c
from hardware.board import read_board
from hardware.device import DeviceError
from hardware.fakegpio import FakeBoard
from hardware.settings import SettingsError, convert

KINDS = ("mcp23017", "pcf8575")
BLIND = (None,) * 32


class Table(NamedTuple):
    scanner: Any
    board: FakeBoard
    levels: list[int]


@contextmanager
def wired(kind: str, **settings: Any) -> Iterator[tuple[Any, FakeBoard, list[int]]]:
    """Two chips with sixteen inputs each unless `settings` say else; the driver's class is not called yet."""
    driver = backends.find("scanners", kind)
    more = {"inputs": 16} if kind == "mcp23017" else {}
    chosen = driver.Settings(**{"addresses": (0x21, 0x27), **more, **settings})
    levels = [0] * chosen.channels
    with fakegpio.open_fake(kind, chosen, levels) as board:
        yield lambda: driver(chosen), board, levels


@contextmanager
def opened(kind: str, **settings: Any) -> Iterator[Table]:
    """The same with its scanner."""
    with wired(kind, **settings) as (open_scanner, board, levels):
        scanner = open_scanner()
        yield Table(scanner, board, levels)
        scanner.close()


@pytest.mark.parametrize("kind", KINDS)
@given(levels=st.lists(st.integers(0, 1), min_size=32, max_size=32))
def test_every_position_is_read_as_it_is(kind: str, levels: list[int]) -> None:
    with opened(kind) as table:
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(levels)


@given(levels=st.lists(st.integers(0, 1), min_size=28, max_size=28))
def test_with_fourteen_inputs_the_last_of_each_port_is_left_out(levels: list[int]) -> None:
    with opened("mcp23017", inputs=14) as table:
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(levels)


@pytest.mark.parametrize("kind", KINDS)
def test_a_scan_is_one_exchange_with_all_chips(kind: str) -> None:
    with opened(kind) as table:
        table.board.circuit.asked.clear()
        table.scanner.scan()
        assert {*map(tuple, table.board.circuit.asked)} == {(0x21, 0x27)}
        assert len(table.board.circuit.asked) == 1


# What goes wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_chip_that_is_missing_is_named_by_its_address(kind: str) -> None:
    with wired(kind) as (open_scanner, board, _):
        board.circuit.lost.add(0x27)
        with pytest.raises(DeviceError, match=r"no chip answers at address 0x27 of /dev/i2c-1: see its supply.*A0, A1"):
            open_scanner()


@pytest.mark.parametrize("kind", KINDS)
def test_a_bus_that_hangs_is_told_and_so_it_is_when_it_begins_to_in_a_game(kind: str) -> None:
    with wired(kind) as (open_scanner, board, levels):
        board.circuit.hangs = True
        with pytest.raises(DeviceError, match=r"/dev/i2c-1 hangs: look for a wire.*SDA or SCL low"):
            open_scanner()
        board.circuit.hangs = False
        scanner = open_scanner()
        board.circuit.hangs = True
        assert scanner.scan() == BLIND
        board.circuit.hangs = False
        levels[30] = 1
        assert scanner.scan() == (*(0,) * 30, 1, 0)
        scanner.close()


@pytest.mark.parametrize("kind", KINDS)
def test_without_one_of_its_chips_a_table_is_blind(kind: str) -> None:
    with opened(kind) as table:
        table.levels[0] = 1
        table.board.circuit.lost.add(0x27)
        assert table.scanner.scan() == BLIND
        table.board.circuit.lost.clear()
        assert table.scanner.scan() == (1, *(0,) * 31)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("address", [0x21, 0x27])
def test_a_chip_that_lost_its_supply_for_a_moment_shows_no_pieces_that_are_not_there(kind: str, address: int) -> None:
    with opened(kind) as table:
        table.levels[5] = table.levels[20] = 1
        before = table.scanner.scan()
        table.board.circuit.chips[address].reset()
        assert table.scanner.scan() == before


def test_a_chip_that_cannot_be_set_up_is_blind_and_no_pieces() -> None:
    with opened("mcp23017") as table:
        chip = table.board.circuit.chips[0x21]
        chip.write = lambda data: type(chip).write(chip, data[:1])  # it takes the number of a register and no more
        chip.reset()
        assert table.scanner.scan() == BLIND


@pytest.mark.parametrize("control", [0x80, 0x20, 0xA0], ids=["other order", "no counting on", "both"])
def test_a_chip_is_set_up_however_another_program_has_left_it(control: int) -> None:
    with wired("mcp23017") as (open_scanner, board, levels):
        chip = board.circuit.chips[0x21]
        chip.write(bytes((0x00, 0x00, 0x00, 0xFF, 0xFF)))  # outputs, and turned round
        chip.write(bytes((0x0A, control)))
        scanner = open_scanner()
        levels[3] = 1
        assert scanner.scan() == (0, 0, 0, 1, *(0,) * 28)
        scanner.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_closed_scanner_is_blind_and_leaves_the_bus_to_others(kind: str) -> None:
    with opened(kind) as table:
        table.scanner.close()
        assert table.scanner.scan() == BLIND
        other = backends.find("scanners", kind)
        with pytest.raises(DeviceError, match="no chip answers"):
            other(other.Settings(addresses=(0x20,)))
    assert 1 not in i2c.simulated


def test_a_bus_that_failed_for_a_second_is_opened_anew_a_second_later_at_most() -> None:
    with opened("mcp23017") as table:
        table.board.cut = True
        assert {table.scanner.scan() for _ in range(100)} == {BLIND}
        table.board.cut = False
        table.levels[2] = 1
        assert [table.scanner.scan() for _ in range(101)][-1] == (0, 0, 1, *(0,) * 29)


def test_a_computer_without_the_bus_says_how_to_switch_it_on() -> None:
    driver = backends.find("scanners", "pcf8575")
    with pytest.raises(
        DeviceError, match="there is no /dev/i2c-22: switch I2C on with sudo raspi-config nonint do_i2c"
    ):
        driver(driver.Settings(bus=22))


# Settings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"addresses": [0x20, 0x21, 0x20]}, "address 0x20 is named twice"),
        ({"addresses": [0x28]}, "addresses.*<= 39"),
        ({"addresses": []}, "addresses.*length >= 1"),
        ({"bus": -1}, "bus"),
        ({"sense": "count"}, "sense.*allowed: presence, colour"),
        ({"rate": 100_000}, "rate: there is no such key; the keys here are bus, addresses, sense"),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_impossible_settings_are_refused_with_a_sentence(kind: str, data: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        convert(data, backends.find("scanners", kind).Settings, "scanner")


def test_a_chip_has_fourteen_inputs_or_sixteen() -> None:
    with pytest.raises(SettingsError, match="scanner.inputs.*allowed: 14, 16"):
        convert({"inputs": 15}, backends.find("scanners", "mcp23017").Settings, "scanner")


BUTTONS = "[buttons]\ndone = 18\nundo = 21\npower = 3\n"


def test_a_button_on_a_wire_of_the_bus_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "board.toml"
    path.write_text(f'[scanner]\nkind = "pcf8575"\n{BUTTONS}')
    with pytest.raises(SettingsError, match=r"buttons.power: GPIO 3 is taken by the scanner \(pcf8575\)"):
        read_board(path)
    path.write_text(f'[scanner]\nkind = "pcf8575"\nbus = 3\n{BUTTONS}')
    assert read_board(path).scanner.settings.pins == ()
