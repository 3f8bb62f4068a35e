"""Scanners and buttons over the real lgpio; runs only on a pretended Pi, where test_real_scanners.py starts it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gpiozero
import lgpio
import pytest
from gpiozero import Device

from hardware.board import Buttons
from hardware.buttons import GpioButtons
from hardware.contacts import CHECKS
from hardware.device import DeviceError, Trouble
from hardware.pins import GroupLines
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.scanners.hall import Hall
from hardware.scanners.mcp23017 import Mcp23017
from hardware.scanners.multiplexer import Multiplexer
from hardware.scanners.shift_register import ShiftRegister
from tests.hardware.pretend_pi import FOLDER, PretendPi

MATRIX = GpioMatrix.Settings()
SIDE = 8
EMPTY, BLIND = (0,) * SIDE * SIDE, (None,) * SIDE * SIDE
BY_LINES = ShiftRegister.Settings(over="lines", registers=2)
BY_SPI = ShiftRegister.Settings(registers=2)
HALL = Hall.Settings()
SOME = bytes([0b11111110, 0b01111111, 0b10000000])
"""Sixteen inputs with pull-ups, channels 0 and 15 taken: H to A of the nearest register, then of the next, which comes
once more, inverted."""
TAKEN = (1, *(0,) * 14, 1)


@pytest.fixture
def pi() -> Iterator[PretendPi]:
    yield PretendPi(Path(os.environ[FOLDER])).be()
    if Device.pin_factory is not None:
        Device.pin_factory.close()
        Device.pin_factory = None


@pytest.fixture
def opened(pi: PretendPi) -> Iterator[Callable[..., Any]]:
    """Opens scanners, and closes them in the end."""
    scanners: list[Any] = []

    def opening(driver: Any, settings: Any) -> Any:
        scanners.append(driver(settings))
        return scanners[-1]

    yield opening
    pi.heal()
    for scanner in scanners:
        scanner.close()


def calls(scan: Callable[[], object]) -> list[str]:
    """The operations of lgpio that `scan` does."""
    done: list[str] = []

    def look(frame: object, event: str, function: Any) -> None:
        if event == "c_call" and getattr(function, "__self__", None) is sys.modules["_lgpio"]:
            done.append(function.__name__)

    sys.setprofile(look)
    try:
        scan()
    finally:
        sys.setprofile(None)
    return done


def with_one(channel: int) -> tuple[int, ...]:
    return tuple(int(at == channel) for at in range(SIDE * SIDE))


@pytest.mark.parametrize("diodes", [False, True])
def test_each_switch_of_the_matrix_is_its_channel(pi: PretendPi, opened: Callable[..., Any], diodes: bool) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=diodes)
    matrix = opened(GpioMatrix, MATRIX)
    assert isinstance(matrix._rows, GroupLines)
    assert matrix.scan() == EMPTY
    for channel in range(SIDE * SIDE):
        pi.switch(*divmod(channel, SIDE))
        assert matrix.scan() == with_one(channel)
        pi.switch(*divmod(channel, SIDE), closed=False)


def test_a_scan_of_the_matrix_costs_sixteen_operations(pi: PretendPi, opened: Callable[..., Any]) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=True)
    matrix = opened(GpioMatrix, MATRIX)
    for _ in range(CHECKS):
        matrix.scan()
    assert calls(matrix.scan) == ["_group_write", "_group_read"] * SIDE


def test_ghosts_are_found_through_the_group_of_rows(pi: PretendPi, opened: Callable[..., Any]) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=False)
    matrix = opened(GpioMatrix, MATRIX)
    for row, column in ((2, 3), (2, 6), (5, 3)):
        pi.switch(row, column)
    assert matrix.scan() == BLIND
    assert matrix.trouble == Trouble("ghosts", (19, 22, 43, 46))
    pi.switch(2, 3, closed=False)
    assert [at for at, level in enumerate(matrix.scan()) if level] == [22, 43]
    assert matrix.trouble is None
    assert pi.shorts() == []


def test_with_diodes_a_full_table_is_read_and_no_row_works_against_another(
    pi: PretendPi, opened: Callable[..., Any]
) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=True)
    matrix = opened(GpioMatrix, MATRIX)
    for channel in range(SIDE * SIDE):
        pi.switch(*divmod(channel, SIDE))
    assert matrix.scan() == (1,) * SIDE * SIDE
    assert pi.shorts() == []


@pytest.mark.parametrize("scans", [1, 350])
def test_lines_that_fail_are_blind_until_they_answer_again(
    pi: PretendPi, opened: Callable[..., Any], scans: int
) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=True)
    matrix = opened(GpioMatrix, MATRIX)
    pi.fail()
    assert {matrix.scan() for _ in range(scans)} == {BLIND}
    pi.heal()
    pi.switch(0, 1)
    assert [matrix.scan() for _ in range(100)][-1] == with_one(1)


def test_a_pin_that_a_button_has_is_refused_and_can_be_had_afterwards(
    pi: PretendPi, opened: Callable[..., Any]
) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=True)
    with gpiozero.InputDevice(17), pytest.raises(DeviceError, match="GPIO17 is already in use"):
        GpioMatrix(MATRIX)
    assert opened(GpioMatrix, MATRIX).scan() == EMPTY


def test_a_line_that_another_program_holds_is_refused_and_nothing_kept(
    pi: PretendPi, opened: Callable[..., Any]
) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=True)
    other = lgpio.gpiochip_open(0)
    lgpio.gpio_claim_input(other, 24)
    with pytest.raises(DeviceError, match="columns of the matrix.*24.*another program"):
        GpioMatrix(MATRIX)
    lgpio.gpiochip_close(other)
    assert opened(GpioMatrix, MATRIX).scan() == EMPTY


def test_a_closed_matrix_can_be_opened_again(pi: PretendPi, opened: Callable[..., Any]) -> None:
    pi.wire(MATRIX.rows, MATRIX.columns, diodes=True)
    matrix = opened(GpioMatrix, MATRIX)
    matrix.close()
    assert matrix.scan() == BLIND
    assert opened(GpioMatrix, MATRIX).scan() == EMPTY


def test_registers_are_read_over_spi(pi: PretendPi, opened: Callable[..., Any]) -> None:
    pi.set_register(SOME)
    registers = opened(ShiftRegister, BY_SPI)
    assert registers.scan() == TAKEN
    assert calls(registers.scan) == ["_group_write", "_spi_xfer", "_group_write", "_spi_xfer"]
    assert (pi.transfers()[-1].device, pi.transfers()[-1].data) == ("spidev0.1", bytes(3))
    assert pi.transfers()[-1].rate == BY_SPI.rate


def test_registers_are_read_over_three_lines(pi: PretendPi, opened: Callable[..., Any]) -> None:
    pi.wire_register(BY_LINES.load, BY_LINES.clock, BY_LINES.data)
    pi.set_register(SOME)
    registers = opened(ShiftRegister, BY_LINES)
    assert registers.scan() == TAKEN
    assert len(calls(registers.scan)) == 2 + 3 * (16 + 1)


@pytest.mark.parametrize("settings", [BY_SPI, BY_LINES], ids=["spi", "lines"])
def test_registers_that_fail_are_blind_until_they_answer_again(
    pi: PretendPi, opened: Callable[..., Any], settings: ShiftRegister.Settings
) -> None:
    pi.wire_register(BY_LINES.load, BY_LINES.clock, BY_LINES.data)
    pi.set_register(SOME)
    registers = opened(ShiftRegister, settings)
    pi.fail()
    assert registers.scan() == (None,) * 16
    pi.heal()
    assert registers.scan() == TAKEN


def chips(pi: PretendPi, *addresses: int, inputs: bytes = b"\xff\xff") -> None:
    """MCP23017s with these levels at their pins."""
    for address in addresses:
        pi.plug_chip(address, b"\xff\xff" + bytes(16) + inputs + bytes(2))


def test_expanders_are_set_up_and_read_over_i2c(pi: PretendPi, opened: Callable[..., Any]) -> None:
    chips(pi, 0x20, 0x21)
    expanders = opened(Mcp23017, Mcp23017.Settings(addresses=(0x20, 0x21)))
    assert expanders.scan() == (0,) * 28
    assert pi.registers(0x21)[0x0C:0x0E] == b"\xff\xff"
    assert (pi.folder / "i2c/options").read_text() == "0701 0\n0702 2\n"
    chips(pi, 0x21, inputs=bytes((0b11111110, 0b10111111)))
    seen = expanders.scan()
    assert [at for at, level in enumerate(seen) if level] == [14, 27]


def test_a_chip_that_is_pulled_out_is_blind_and_missed_at_the_next_start(
    pi: PretendPi, opened: Callable[..., Any]
) -> None:
    chips(pi, 0x20, 0x21)
    settings = Mcp23017.Settings(addresses=(0x20, 0x21))
    expanders = opened(Mcp23017, settings)
    (pi.folder / "i2c/21").unlink()
    assert expanders.scan() == (None,) * 28
    with pytest.raises(DeviceError, match="no chip answers at address 0x21"):
        Mcp23017(settings)
    chips(pi, 0x21)
    assert expanders.scan() == (0,) * 28
    expanders.close()
    assert expanders.scan() == (None,) * 28


@pytest.mark.parametrize(
    ("spoil", "words"), [(PretendPi.take_away, "switch I2C on"), (PretendPi.forbid, "usermod -aG i2c")]
)
def test_a_bus_that_cannot_be_opened_says_what_to_do(pi: PretendPi, spoil: Any, words: str) -> None:
    spoil(pi, "/dev/i2c-1")
    with pytest.raises(DeviceError, match=words):
        Mcp23017(Mcp23017.Settings())


def test_multiplexers_are_read_with_two_operations_a_position(pi: PretendPi, opened: Callable[..., Any]) -> None:
    multiplexers = opened(Multiplexer, Multiplexer.Settings())
    assert multiplexers.scan() == EMPTY
    assert calls(multiplexers.scan) == ["_group_write", "_group_read"] * 16
    pi.press(6)
    assert [at for at, level in enumerate(multiplexers.scan()) if level] == list(range(16, 32))


def answered(reading: int, *, null_bit: int = 0) -> bytes:
    """What a converter answers, behind a line that is pulled up."""
    return bytes((255, 0xF8 | null_bit << 2 | reading >> 8, reading & 255))


def test_hall_sensors_are_read_in_quarters_with_a_transfer_a_sensor(pi: PretendPi, opened: Callable[..., Any]) -> None:
    pi.set_register(answered(512))
    hall = opened(Hall, HALL)
    assert hall.scan() == EMPTY
    pi.forget()
    assert calls(hall.scan) == ["_group_write", *["_spi_xfer"] * 4] * 4
    assert [(sent.device, sent.rate, sent.data) for sent in pi.transfers()[:4]] == [
        ("spidev0.1", HALL.rate, bytes((1, 0x80 + 16 * number, 0))) for number in range(4)
    ]
    pi.set_register(answered(700))
    assert hall.readings() == (700,) * 64
    assert [hall.scan().count(1) for _ in range(4)] == [16, 32, 48, 64]


def test_a_converter_that_does_not_answer_or_fails_is_blind(pi: PretendPi, opened: Callable[..., Any]) -> None:
    pi.set_register(answered(1023, null_bit=1))
    hall = opened(Hall, HALL)
    assert hall.scan() == hall.readings() == BLIND
    pi.set_register(answered(300))
    assert hall.scan() == (2,) * 64
    pi.fail()
    assert hall.scan() == hall.readings() == BLIND
    pi.heal()
    assert hall.scan() == (2,) * 64


@pytest.mark.parametrize("spoil", [PretendPi.take_away, PretendPi.forbid])
def test_without_spi_the_registers_say_how_to_switch_it_on(pi: PretendPi, spoil: Any) -> None:
    spoil(pi, "/dev/spidev0.1")
    with pytest.raises(DeviceError, match=r"spidev0.1 cannot be used: switch SPI on"):
        ShiftRegister(BY_SPI)


def test_without_a_chip_there_is_no_gpio(pi: PretendPi) -> None:
    for device in ("gpiochip0", "gpiomem", "mem"):
        pi.take_away(f"/dev/{device}")
    with pytest.raises(DeviceError, match="there is no GPIO here"):
        GpioMatrix(MATRIX)


# Buttons ------------------------------------------------------------------------------------------


def test_buttons_are_read_on_a_chip_without_interrupts(pi: PretendPi) -> None:
    buttons = GpioButtons(Buttons(done=18, power=3))
    assert buttons.down() == frozenset()
    pi.press(3)
    assert buttons.down() == {"power"}
    pi.press(3, pressed=False)
    pi.press(18)
    assert buttons.down() == {"done"}
    buttons.close()


def test_a_button_that_another_program_holds_is_told_in_a_sentence(pi: PretendPi) -> None:
    other = lgpio.gpiochip_open(0)
    lgpio.gpio_claim_input(other, 18)
    with pytest.raises(DeviceError, match=r"the button done on GPIO 18 cannot be used: .*tablelight doctor"):
        GpioButtons(Buttons(done=18, power=3))
    lgpio.gpiochip_close(other)
    GpioButtons(Buttons(done=18, power=3)).close()


def test_buttons_that_can_no_longer_be_read_are_not_down(pi: PretendPi) -> None:
    buttons = GpioButtons(Buttons(done=18))
    pi.press(18)
    assert buttons.down() == {"done"}
    pi.fail()
    assert buttons.down() == frozenset()
    pi.heal()
    assert buttons.down() == {"done"}
    buttons.close()
