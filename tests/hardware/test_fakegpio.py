"""The simulated boards, by hand: what their wires do, whoever drives them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero import Device

from hardware import fakegpio
from hardware.device import DeviceError, Sense
from hardware.gpio import why_no_gpio
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.scanners.hall import Hall
from hardware.scanners.shift_register import ShiftRegister
from hardware.simulation.circuits import Chain, Converter, HallSensors, Matrix, Switches, bits

ROOT = Path(__file__).parents[2]
LOAD, CLOCK, DATA, INHIBIT = 1, 2, 3, 4


def switches(levels: list[int], **more: Any) -> Switches:
    sense, clock = more.get("sense", Sense.PRESENCE), more.get("clock", lambda: 0.0)
    return Switches(levels, len(levels), sense, clock, seed=more.get("seed", 0))


def low(matrix: Matrix) -> set[int]:
    """The pins that are low."""
    return {pin for pin in matrix.pins if matrix.level(pin) is False}


# The matrix: rows 1 2, columns 11 12, contacts 1-11, 1-12, 2-11, 2-12 ---------------------------


def matrix(levels: list[int], bare: list[int]) -> Matrix:
    return Matrix([1, 2], [11, 12], switches(levels), bare, float)


def test_nothing_is_low_while_no_row_is_driven() -> None:
    assert low(matrix([1, 1, 1, 1], [0, 1, 2, 3])) == set()


def test_a_row_pulls_its_own_columns_low() -> None:
    board = matrix([1, 0, 0, 1], [])
    board.drive(1, False)
    assert low(board) == {1, 11}
    board.drive(1, None)
    board.drive(2, False)
    assert low(board) == {2, 12}


def test_current_finds_the_way_back_through_switches_without_diodes() -> None:
    board = matrix([1, 0, 1, 1], [0, 1, 2, 3])
    board.drive(1, False)
    assert low(board) == {1, 2, 11, 12}


@pytest.mark.parametrize("bare", [[], [0], [0, 1, 3]])
def test_a_diode_at_the_corner_in_between_stops_it(bare: list[int]) -> None:
    board = matrix([1, 0, 1, 1], bare)
    board.drive(1, False)
    assert low(board) == {1, 11}


def test_one_switch_without_a_diode_is_enough_for_a_ghost() -> None:
    board = matrix([1, 0, 1, 1], [2])
    board.drive(1, False)
    assert low(board) == {1, 2, 11, 12}


def test_a_way_may_lead_through_many_rows() -> None:
    rows, columns = [1, 2, 3, 4], [11, 12, 13, 14]
    stairs = [int(column in (row, row - 1)) for row in range(4) for column in range(4)]
    board = Matrix(rows, columns, switches(stairs), range(16), float)
    board.drive(4, False)
    assert low(board) == {*rows, *columns}


def test_a_row_driven_high_pulls_nothing_low() -> None:
    board = matrix([1, 1, 1, 1], [])
    board.drive(1, True)
    assert low(board) == set()


def test_a_wire_that_touches_ground_is_low_whatever_is_driven_and_pulls_what_current_reaches_through_diodes() -> None:
    board = matrix([1, 0, 1, 0], [])
    board.grounded = {12}
    board.drive(1, None)
    assert low(board) == {12}
    board.grounded = {2}
    board.drive(1, None)
    assert low(board) == {2, 11}
    board.grounded = set()
    board.drive(1, None)
    assert low(board) == set()


# The chain --------------------------------------------------------------------------------------


def chain(levels: list[int], inhibit: int | None = None) -> Chain:
    return wired(levels, inhibit=inhibit)


def wired(levels: list[int], **more: Any) -> Chain:
    """A chain whose clock rests low."""
    registers = Chain(switches(levels), len(levels), active_low=False, load=LOAD, clock=CLOCK, data=DATA, **more)
    registers.drive(CLOCK, False)
    return registers


def latch(chain: Chain) -> None:
    chain.drive(LOAD, False)
    chain.drive(LOAD, True)


def shifted(chain: Chain, count: int) -> list[int]:
    """The next bits out."""
    out = []
    for _ in range(count):
        out.append(int(bool(chain.level(DATA))))
        chain.drive(CLOCK, True)
        chain.drive(CLOCK, False)
    return out


def test_the_first_bit_out_is_h_of_the_nearest_register() -> None:
    abcdefgh, next_one = [1, 1, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1, 1, 1]
    registers = chain(abcdefgh + next_one)
    latch(registers)
    assert shifted(registers, 16) == abcdefgh[::-1] + next_one[::-1]


def test_behind_the_last_register_comes_what_was_in_it_inverted_or_else_ground() -> None:
    abcdefgh = [1, 1, 0, 0, 0, 0, 1, 0]
    for looped, behind in ((True, [1, 0, 1, 1, 1, 1, 0, 0]), (False, [0] * 8)):
        registers = wired([1] * 8 + abcdefgh, looped=looped)
        latch(registers)
        assert shifted(registers, 24) == [1] * 8 + abcdefgh[::-1] + behind


def test_behind_a_serial_input_that_has_come_off_all_is_low() -> None:
    registers = chain([1] * 24)
    registers.torn = 0
    latch(registers)
    assert shifted(registers, 32) == [1] * 8 + [0] * 24


def test_a_data_wire_that_has_come_off_reads_low_and_a_clock_that_has_shifts_nothing() -> None:
    registers = chain([1] * 16)
    latch(registers)
    registers.off = {CLOCK}
    assert shifted(registers, 20) == [1] * 20
    registers.off = {DATA}
    assert shifted(registers, 20) == [0] * 20


def test_what_is_latched_does_not_follow_the_switches() -> None:
    levels = [1] * 8
    registers = chain(levels)
    latch(registers)
    levels[:] = [0] * 8
    assert shifted(registers, 8) == [1] * 8


def test_while_load_is_low_the_output_follows_h_and_no_clock_counts() -> None:
    levels = [0] * 7 + [1]
    registers = chain(levels)
    registers.drive(LOAD, False)
    registers.drive(CLOCK, True)
    assert registers.level(DATA) is True
    levels[7] = 0
    assert registers.level(DATA) is False


def test_only_the_rising_edge_shifts() -> None:
    registers = chain([0] * 7 + [1])
    latch(registers)
    registers.drive(CLOCK, False)
    assert registers.level(DATA) is True
    registers.drive(CLOCK, True)
    assert registers.level(DATA) is False


def test_a_clock_edge_before_the_select_is_lost_on_an_inhibited_chain_only() -> None:
    for inhibit, first in ((INHIBIT, True), (None, False)):
        registers = chain([0] * 7 + [1], inhibit)
        latch(registers)
        registers.drive(CLOCK, True)  # the bus comes to rest high, after a device that rests it low
        if inhibit is not None:
            registers.drive(INHIBIT, False)
        assert registers.level(DATA) is first


# Contacts ---------------------------------------------------------------------------------------


def test_a_site_in_colour_has_a_contact_for_dark_and_one_for_light() -> None:
    assert bits(switches([0, 1, 2], sense=Sense.COLOUR).closed()) == [2, 5]


def test_levels_may_be_asked_for_by_call() -> None:
    contacts = Switches(lambda channel: channel % 2, 4, Sense.PRESENCE, lambda: 0.0, 0)
    assert bits(contacts.closed()) == [1, 3]


def test_faults_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    def story(seed: int) -> list[int]:
        now = [0.0]
        levels = [0] * 8
        contacts = switches(levels, clock=lambda: now[0], seed=seed)
        contacts.bounce, contacts.cold = 0.01, {0, 1}
        contacts.closed()
        levels[:] = [1] * 8
        told = []
        for step in range(100):
            now[0] = step / 2000
            told.append(contacts.closed())
        return told

    assert story(1) == story(1) != story(2)


def test_a_stuck_contact_minds_no_piece() -> None:
    levels = [0, 1, 0]
    contacts = switches(levels)
    contacts.stuck.update({0: True, 1: False})
    assert bits(contacts.closed()) == [0]


# The converter: select lines 1 to 4, then chip select, clock, data in, data out ---------------------

CHIP, TICK, TO_CHIP, FROM_CHIP = 5, 6, 7, 8
SINGLE = 1


def converter(level: int, *, inputs: int = 8) -> Converter:
    """Channel 16 x 5 + 9 reads `level`, all others 512."""
    halls = HallSensors([0] * 128, 128, seed=0)
    halls.noise = halls.spread = 0
    halls.dead[16 * 5 + 9] = level
    pins = {"chip": CHIP, "clock": TICK, "data_in": TO_CHIP, "data_out": FROM_CHIP}
    wired = Converter(halls, (1, 2, 3, 4), inputs, **pins)
    for pin, high in zip((1, 2, 3, 4), (True, False, False, True), strict=True):  # position 9
        wired.drive(pin, high)
    return wired


def heard(wired: Converter, sent: list[int]) -> list[int]:
    """What the chip tells while it is sent these bits; the first clock rises as the first bit is there."""
    wired.drive(TICK, False)
    wired.drive(CHIP, False)
    told = []
    for bit in sent:
        wired.drive(TO_CHIP, bool(bit))
        wired.drive(TICK, True)
        told.append(int(bool(wired.level(FROM_CHIP))))
        wired.drive(TICK, False)
    wired.drive(CHIP, True)
    return told


def number(told: list[int]) -> int:
    return int("".join(map(str, told)), 2)


def test_after_start_bit_and_input_come_a_zero_and_ten_bits_from_the_topmost_down() -> None:
    told = heard(converter(0b1010001110), [1, SINGLE, 1, 0, 1, 0, *[0] * 11])
    assert told[:6] == [1] * 6  # it tells nothing yet, and its line is pulled up
    assert told[6:] == [0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0]


@pytest.mark.parametrize("zeros", [1, 7])
def test_zeros_before_the_start_bit_only_shift_the_answer(zeros: int) -> None:
    told = heard(converter(700), [*[0] * zeros, 1, SINGLE, 1, 0, 1, 0, *[0] * 11])
    assert number(told[7 + zeros :]) == 700


def test_clocks_beyond_tell_the_bits_upwards_and_then_zeros() -> None:
    told = heard(converter(0b1000000110), [1, SINGLE, 1, 0, 1, 0, *[0] * 24])
    assert told[17:] == [1, 1, 0, 0, 0, 0, 0, 0, 1, *[0] * 4]


def test_a_new_command_is_heard_only_after_the_select_has_risen() -> None:
    command = [1, SINGLE, 1, 0, 1, 0, *[0] * 11]
    wired = converter(700)
    assert number(heard(wired, [*command, *command])[24:]) != 700
    assert number(heard(wired, command)[7:]) == 700


@pytest.mark.parametrize(("first", "told"), [(True, 512), (False, 700)])
def test_the_select_lines_choose_the_sensor(first: bool, told: int) -> None:
    wired = converter(700)
    if first:
        wired.drive(4, False)  # position 1
    assert number(heard(wired, [1, SINGLE, 1, 0, 1, 0, *[0] * 11])[7:]) == told


def test_an_input_without_a_multiplexer_is_grounded() -> None:
    assert number(heard(converter(700, inputs=4), [1, SINGLE, 1, 0, 1, 0, *[0] * 11])[6:]) == 0


@pytest.mark.parametrize("sent", [[1, 0, 1, 0, 1, 0, *[0] * 11], [0] * 17], ids=["a difference", "no start bit"])
def test_what_is_no_command_for_a_single_input_gets_no_answer(sent: list[int]) -> None:
    assert heard(converter(0), sent) == [1] * 17


def test_a_chip_that_is_not_selected_hears_nothing() -> None:
    wired = converter(0)
    wired.drive(CHIP, None)  # its select is let go, and pulled up
    for _ in range(17):
        wired.drive(TO_CHIP, True)
        wired.drive(TICK, True)
        wired.drive(TICK, False)
    assert wired.level(FROM_CHIP) is True


def test_a_board_has_one_kind_of_sensors() -> None:
    with fakegpio.open_fake("hall", Hall.Settings(), [0] * 64) as board, pytest.raises(TypeError, match="`halls`"):
        board.switches.closed()
    settings = GpioMatrix.Settings()
    with fakegpio.open_fake("gpio_matrix", settings, [0] * 64) as board, pytest.raises(TypeError, match="`switches`"):
        board.halls.empty(0)


# The board and gpiozero -------------------------------------------------------------------------


def test_a_button_is_pressed_and_let_go() -> None:
    with fakegpio.open_fake("gpio_matrix", GpioMatrix.Settings(), [0] * 64) as board, gpiozero.Button(3) as button:
        heard = []
        button.when_pressed = lambda: heard.append("pressed")
        button.when_released = lambda: heard.append("released")
        board.press(3)
        assert button.is_pressed
        board.release(3)
        assert not button.is_pressed
        assert heard == ["pressed", "released"]


def test_a_button_held_while_it_is_opened_is_pressed() -> None:
    with fakegpio.open_fake("gpio_matrix", GpioMatrix.Settings(), [0] * 64) as board:
        board.press(2)
        with gpiozero.Button(2) as button:
            assert button.is_pressed


def test_buttons_work_while_the_board_is_cut_off() -> None:
    with fakegpio.open_fake("gpio_matrix", GpioMatrix.Settings(), [0] * 64) as board, gpiozero.Button(3) as button:
        board.cut = True
        board.press(3)
        assert button.is_pressed


def test_closing_the_board_gives_gpiozero_back_what_it_had() -> None:
    before = Device.pin_factory
    board = fakegpio.open_fake("gpio_matrix", GpioMatrix.Settings(), [0] * 64)
    assert Device.pin_factory is board.factory
    board.close()
    board.close()
    assert Device.pin_factory is before


def test_no_list_of_states_grows() -> None:
    settings = GpioMatrix.Settings(settle=0)
    with fakegpio.open_fake("gpio_matrix", settings, [1] * 64) as board:
        scanner = GpioMatrix(settings)
        for _ in range(50):
            scanner.scan()
        assert max(len(board.factory.pin(pin).states) for pin in settings.rows + settings.columns) == 1
        scanner.close()


@pytest.mark.parametrize("kind", ["mcu", "shift_register"])
def test_a_kind_that_it_cannot_wire_is_refused(kind: str) -> None:
    before = Device.pin_factory
    with pytest.raises(DeviceError, match=f"gpio_matrix, .*shift_register, hall, .*{kind}"):
        fakegpio.open_fake(kind, GpioMatrix.Settings(), [0] * 64)
    assert Device.pin_factory is before


def test_it_wires_the_pins_that_the_settings_name() -> None:
    settings = ShiftRegister.Settings(over="lines", registers=1, load=5, clock=6, data=12)
    with fakegpio.open_fake("shift_register", settings, [1] * 8) as board:
        assert board.circuit.pins == (5, 6, 12)


# No GPIO ----------------------------------------------------------------------------------------


def test_without_a_chip_there_is_no_gpio_here(tmp_path: Path) -> None:
    assert "needs a Raspberry Pi" in why_no_gpio("it fell back", tmp_path)


def test_a_chip_that_may_not_be_opened_is_a_matter_of_groups(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").symlink_to(tmp_path / "nowhere")
    assert "group gpio" in why_no_gpio("it fell back", tmp_path)


def test_any_other_reason_is_told_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    assert why_no_gpio("the moon is full", tmp_path) == "the GPIO cannot be opened: the moon is full"


@pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="there is a GPIO here")
def test_where_there_is_no_gpio_one_sentence_says_so_and_the_directory_stays_the_same() -> None:
    program = """
import os
from hardware.device import DeviceError
from hardware.scanners.gpio_matrix import SCANNER
try:
    SCANNER(SCANNER.Settings())
except DeviceError as error:
    print(os.getcwd(), os.environ.get("LG_WD"), error)
"""
    environment = {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    child = subprocess.run(command, cwd="/proc", env=environment, capture_output=True, text=True, check=True)
    assert child.stderr == ""
    assert child.stdout.startswith("/proc None there is no GPIO here")
