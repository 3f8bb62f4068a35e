"""Push buttons on pins that are simulated, by themselves and with the board that they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest

from hardware.bench import open_bench, open_fake_bench, open_keys
from hardware.board import Board, Buttons, find_board, read_board
from hardware.buttons import GpioButtons
from hardware.device import DeviceError, Sense
from hardware.fakegpio import FakeBoard, open_fake
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.simulation.table import SimulatedTable

PINS = {"done": 18, "undo": 21, "hint": 2, "power": 3}


@pytest.fixture
def wiring() -> Iterator[FakeBoard]:
    """Pins with a button each, and a small matrix."""
    with open_fake("gpio_matrix", GpioMatrix.Settings(rows=(4,), columns=(5,)), [0]) as board:
        yield board


def test_buttons_are_down_while_they_are_pressed(wiring: FakeBoard) -> None:
    keys = GpioButtons(Buttons(**PINS))
    assert keys.down() == frozenset()
    wiring.press(18)
    wiring.press(3)
    assert keys.down() == {"done", "power"}
    wiring.release(18)
    assert keys.down() == {"power"}
    wiring.release(3)
    assert keys.down() == frozenset()


def test_a_button_that_is_held_from_the_start_is_down(wiring: FakeBoard) -> None:
    wiring.press(21)
    assert GpioButtons(Buttons(**PINS)).down() == {"undo"}


def test_closed_buttons_leave_their_pins_and_are_never_down(wiring: FakeBoard) -> None:
    keys = GpioButtons(Buttons(done=18))
    wiring.press(18)
    keys.close()
    keys.close()
    assert keys.down() == frozenset()
    again = GpioButtons(Buttons(undo=18))
    assert again.down() == {"undo"}
    again.close()


def test_a_pin_that_is_taken_is_named_and_the_others_are_left(wiring: FakeBoard) -> None:
    other = gpiozero.Button(21)
    with pytest.raises(DeviceError, match=r"the button undo on GPIO 21 cannot be used: .*tablelight doctor"):
        GpioButtons(Buttons(done=18, undo=21))
    GpioButtons(Buttons(done=18)).close()  # it was released
    other.close()
    GpioButtons(Buttons(undo=21)).close()


def test_a_board_without_buttons_needs_none(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text("")
    keys = open_keys(read_board(path))
    assert keys.down() == frozenset()
    keys.close()


def grid() -> Board:
    return read_board(find_board("grid"))


def test_a_bench_over_simulated_wiring_has_the_boards_own_buttons() -> None:
    before = gpiozero.Device.pin_factory
    bench, table = open_fake_bench(grid(), lambda: 0.0)
    table.wiring.press(3)
    assert bench.keys.down() == {"power"}
    table.lay([("c3", 2)])
    assert bench.scanner.scan()[grid().channels["c3"]] == 1
    bench.close()
    bench.close()
    assert gpiozero.Device.pin_factory is before


def test_a_bench_whose_cable_is_off_is_closed_all_the_same() -> None:
    before = gpiozero.Device.pin_factory
    bench, table = open_fake_bench(grid(), lambda: 0.0)
    table.sighted = False
    assert set(bench.scanner.scan()) == {None}
    bench.close()
    assert gpiozero.Device.pin_factory is before


def test_when_the_lights_cannot_be_opened_nothing_is_left_open() -> None:
    """There is no SPI here; the pins of scanner and buttons must be free again afterwards."""
    board = read_board(find_board("grid"))
    with open_fake("gpio_matrix", board.scanner.settings, [0] * 64) as wiring:
        for _ in range(2):
            with pytest.raises(DeviceError, match="spidev"):
                open_bench(board)
        other = gpiozero.Button(21)
        lit = SimulatedTable(tuple(board.places), Sense.PRESENCE)
        with pytest.raises(DeviceError, match="the button undo on GPIO 21"):
            open_bench(board, lit)
        other.close()
        bench = open_bench(board, lit)
        wiring.press(18)
        assert bench.keys.down() == {"done"}
        bench.close()
        assert lit.closed


def test_a_board_with_a_point_that_has_no_light_can_be_simulated(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text("[pixels]\nat = {a1 = []}")
    bench, table = open_fake_bench(read_board(path), lambda: 0.0)
    try:
        assert table.light("a1") == (0, 0, 0)
    finally:
        bench.close()


def test_a_board_without_lights_can_be_simulated(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text('[points]\nnames = ["x"]\n[pixels]\nat = {x = []}')
    bench, _ = open_fake_bench(read_board(path), lambda: 0.0)
    bench.close()
