"""Sensors, lights and buttons of a micro-controller board behind one port, with whatever can happen to it."""

from __future__ import annotations

import errno
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import serial

from hardware.bench import open_bench
from hardware.board import find_board, read_board
from hardware.device import DeviceError
from hardware.serial import port
from hardware.serial.conversation import BACK_OFF
from hardware.serial.port import BAUD, SharedPort, share, shared_port
from hardware.settings import SettingsError, convert
from tests.hardware.mcu_ends import DARK, LIGHTS, PATH, RED, SCANNER, lights, pass_by, scanner, scans
from tests.hardware.pretend_board import Clock, Makeup, Memory, PretendBoard, PseudoTerminal, attended, plugged_in

# Opening -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("line")
def test_a_board_without_a_boot_loader_is_there_at_once(clock: Clock) -> None:
    each = scanner()
    assert clock() == 0
    each.close()


@pytest.mark.parametrize("boots", [0.5, 1.0, 2.0])
def test_a_nano_is_waited_for_until_its_boot_loader_is_done(
    boots: float, board: PretendBoard, clock: Clock, line: SharedPort
) -> None:
    board.boots = boots
    each = scanner()
    assert boots <= clock() < boots + 0.1
    assert set(each.scan()) == {0}
    assert line.conversation.losses == 0
    each.close()


@pytest.mark.parametrize(
    ("makeup", "sentence"),
    [
        (Makeup(version=1), "speaks another version of the protocol and this program version 2: put the"),
        (Makeup("colour"), 'senses colour and the settings say presence: set sense = "colour" for the scanner'),
        (Makeup(channels=32), "has 32 channels and the settings say 64: set channels = 32 for the scanner"),
    ],
)
def test_another_board_than_the_settings_say_is_refused_with_one_sentence(
    makeup: Makeup, sentence: str, levels: list[int], clock: Clock
) -> None:
    plugged_in(PretendBoard(levels, clock, makeup))
    with pytest.raises(DeviceError, match=sentence) as refused:
        scanner()
    assert str(refused.value).startswith(f"the board on {PATH} ")
    assert "\n" not in str(refused.value)


def test_a_strip_that_is_too_short_is_refused_and_the_scanner_goes_on(levels: list[int], clock: Clock) -> None:
    plugged_in(PretendBoard(levels, clock, Makeup(pixels=50)))
    each = scanner()
    with pytest.raises(DeviceError, match="has 50 lights and the board file uses 66: use fewer, or build the firmware"):
        lights()
    levels[3] = 1
    assert pass_by(each, clock, 3)[3] == 1
    each.close()


def test_nothing_that_answers_is_told_after_two_and_a_half_seconds(
    board: PretendBoard, clock: Clock, line: SharedPort
) -> None:
    board.mute = True
    with pytest.raises(DeviceError, match="nothing on /dev/pretend answers as a board of this table: see that it has"):
        scanner()
    assert 2.4 < clock() < 2.6
    assert line.users == 0


def test_a_port_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "tty"
    with pytest.raises(DeviceError, match=f"there is no {path}: plug the board in, or set port to what ls /dev/serial"):
        SCANNER(SCANNER.Settings(port=str(path)))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(errno.EACCES, ""), "p is not open to this user: add the user to the group dialout"),
        (OSError(errno.EAGAIN, ""), "p is in use by another program: end that one first"),
        (OSError(errno.EBUSY, ""), "p is in use by another program: end that one first"),
        (ValueError("no such speed"), "p cannot be set to 77 baud: choose 115200, here and for the firmware"),
        (OSError(errno.EIO, ""), r"p cannot be opened \(Input/output error\): unplug the board and plug it in"),
        (serial.SerialException("odd"), r"p cannot be opened \(odd\): unplug"),
    ],
)
def test_why_a_port_cannot_be_opened_is_said_in_one_sentence(error: Exception, sentence: str) -> None:
    with pytest.raises(DeviceError, match=f"^{sentence}"):
        raise DeviceError(port.advice("p", 77, error))


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"sense": "weight"}, "scanner.sense: invalid enum value 'weight'"),
        ({"channels": 241}, "scanner.channels: expected `int` <= 240"),
        ({"sense": "colour", "channels": 213}, "a board tells 212 channels by colour at most, not 213"),
        ({"seed": [5]}, 'empty and seed are for scales: set sense = "count", or leave them out'),
        ({"sense": "count", "channels": 2}, "seed must say what one seed adds to a reading"),
        ({"sense": "count", "channels": 2, "seed": [0]}, "seed must say what one seed adds to a reading"),
        ({"sense": "count", "channels": 2, "seed": [1, 2, 3]}, "one number for all, or one a channel"),
        ({"sense": "count", "channels": 2, "seed": [9], "empty": [1]}, "empty has 1 readings for 2 channels"),
        ({"port": ""}, "scanner.port: expected `str` of length >= 1"),
        ({"baud": 300}, "scanner.baud: expected `int` >= 9600"),
    ],
)
def test_impossible_settings_are_refused(keys: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError) as refused:
        convert(keys, SCANNER.Settings, "scanner")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(("sense", "most"), [("presence", 240), ("colour", 212)])
def test_a_board_has_as_many_channels_as_a_snapshot_holds_of_its_sense(sense: str, most: int) -> None:
    assert convert({"sense": sense, "channels": most}, SCANNER.Settings, "scanner").channels == most


# One port for all ----------------------------------------------------------------------------


def test_scanner_and_lights_share_the_port_until_both_are_closed(
    line: SharedPort, board: PretendBoard, levels: list[int]
) -> None:
    each, strip = scanner(), lights()
    assert line.users == 2
    assert board.asked.count(1) == 1
    levels[9] = 1
    assert each.scan()[9] == 1
    strip.show([RED] * 66)
    strip.close()
    assert set(board.pictures[-1]) == {DARK}
    levels[9] = 0
    assert each.scan()[9] == 0
    each.close()
    assert line.users == 0
    assert set(each.scan()) == {None}
    assert shared_port(PATH, 115_200) is not line


def test_one_port_by_two_names_is_one_port(terminal: PseudoTerminal, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "board").symlink_to(terminal.path)
    line = attended(terminal, clock, terminal.path)
    each = SCANNER(SCANNER.Settings(port=str(tmp_path / "board")))
    strip = LIGHTS(LIGHTS.Settings(port=terminal.path), 66)
    assert line.users == 2
    strip.close()
    each.close()


def test_lights_with_another_speed_than_the_scanner_are_refused(line: SharedPort) -> None:
    each = scanner()
    with pytest.raises(DeviceError, match="/dev/pretend is in use with 1000000 baud: give scanner and lights the same"):
        lights(baud=115_200)
    assert line.users == 1
    each.close()


def test_a_strip_may_use_fewer_lights_than_the_board_has(line: SharedPort, board: PretendBoard) -> None:
    strip = lights(10)
    strip.show([RED] * 10)
    assert board.pictures[-1] == (RED,) * 10 + (DARK,) * 56
    strip.close()
    assert line.users == 0


def test_no_lights_are_no_strip_and_leave_the_line(line: SharedPort) -> None:
    with pytest.raises(DeviceError, match="a strip has 1 to 512 lights, not 0"):
        lights(0)
    assert line.users == 0


def test_a_board_file_with_a_board_has_its_sensors_lights_and_buttons(levels: list[int], clock: Clock) -> None:
    table = PretendBoard(levels, clock, Makeup())
    line = plugged_in(table, "/dev/tablelight")
    described = read_board(find_board("mcu"))
    bench = open_bench(described)
    table.pressed = 0b1001
    levels[described.channels["c3"]] = 1
    assert bench.scanner.scan()[described.channels["c3"]] == 1
    assert bench.keys.down() == {"done", "power"}
    bench.close()
    assert line.users == 0


def test_the_pits_have_scales() -> None:
    pits = read_board(find_board("mcu-pits"))
    assert pits.length == 50
    assert pits.scanner.settings.sense == "count"


def test_buttons_of_a_board_are_refused_where_they_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text('[buttons]\non = "board"')
    with pytest.raises(SettingsError, match="buttons.on: gpio_matrix has no buttons of its own; allowed: gpio"):
        read_board(path)
    path.write_text('[scanner]\nkind = "serial_mcu"\n[buttons]\non = "board"\ndone = 3')
    with pytest.raises(SettingsError, match="buttons on a board are numbered by its firmware: leave done"):
        read_board(path)


# Losses --------------------------------------------------------------------------------------


def test_an_unplugged_board_is_blind_and_dark_words_are_said_until_it_is_back(
    line: SharedPort, board: PretendBoard, levels: list[int], clock: Clock
) -> None:
    each, strip = scanner(), lights()
    strip.show([RED] * 66)
    board.plugged = False
    assert set(pass_by(each, clock, 8)) == {None}
    with pytest.raises(DeviceError, match="^there is no board: plug it in$"):
        strip.show([DARK] * 66)
    levels[5] = 1
    board.plugged = True
    board.reset()
    assert pass_by(each, clock, 5.2)[5] == 1
    assert board.pictures[-1] == (DARK,) * 66
    assert line.conversation.losses == 1
    strip.show([RED] * 66)
    assert board.pictures[-1] == (RED,) * 66
    strip.close()
    each.close()


def test_the_port_of_a_board_that_is_gone_is_tried_less_and_less_often(board: PretendBoard, clock: Clock) -> None:
    tried: list[float] = []

    def opened() -> Memory:
        tried.append(clock())
        return Memory(board)

    share(SharedPort(PATH, BAUD, opened, clock))
    each = scanner()
    board.plugged = False
    list(scans(each, clock, 30))
    pauses = [later - earlier for earlier, later in pairwise(tried[1:])]
    assert pauses == pytest.approx([0.5, 1, 2, 4, 5, 5, 5, 5], abs=0.03)
    assert tried[1] - tried[0] == pytest.approx(BACK_OFF, abs=0.03)
    each.close()


def test_a_silent_board_is_lost_after_one_and_a_half_seconds_and_found_again(
    line: SharedPort, board: PretendBoard, levels: list[int], clock: Clock
) -> None:
    each = scanner()
    board.mute = True
    assert pass_by(each, clock, 0.3)[0] == 0
    assert pass_by(each, clock, 1.5)[0] is None
    board.mute = False
    levels[0] = 1
    assert pass_by(each, clock, 3)[0] == 1
    assert line.conversation.losses == 1
    each.close()


def test_a_reset_in_the_middle_costs_one_look_and_the_picture_comes_back(
    line: SharedPort, board: PretendBoard, levels: list[int], clock: Clock
) -> None:
    each, strip = scanner(), lights()
    levels[7] = 1
    strip.show([RED] * 66)
    pass_by(each, clock, 1)
    board.reset()
    assert board.pictures[-1] == (DARK,) * 66
    assert pass_by(each, clock, 0.2)[7] == 1
    assert board.pictures[-1] == (RED,) * 66
    assert (line.conversation.resets, line.conversation.losses) == (1, 0)
    strip.close()
    each.close()


def test_lights_that_breathed_while_the_program_stood_still_show_its_picture_again(
    line: SharedPort, board: PretendBoard, clock: Clock
) -> None:
    each, strip = scanner(), lights()
    strip.show([RED] * 66)
    clock.skip(1.6)
    board.step()
    assert board.pictures[-1] != (RED,) * 66
    pass_by(each, clock, 0.1)
    assert board.pictures[-1] == (RED,) * 66
    assert line.conversation.losses == 0
    strip.close()
    each.close()


def test_another_board_in_the_same_place_is_not_read(line: SharedPort, board: PretendBoard, clock: Clock) -> None:
    each = scanner()
    board.makeup = Makeup(channels=8)
    board.reset()
    assert set(pass_by(each, clock, 3)) == {None}
    assert "has 8 channels" in line.conversation.problem
    board.makeup = Makeup()
    board.reset()
    assert set(pass_by(each, clock, 6)) == {0}
    each.close()


def test_lights_of_a_board_that_is_gone_are_closed_without_waiting(
    line: SharedPort, board: PretendBoard, clock: Clock
) -> None:
    strip = lights()
    board.plugged = False
    strip.close()
    assert clock() < 0.02
    assert line.users == 0


def test_lights_that_do_not_answer_are_left_after_a_third_of_a_second(
    line: SharedPort, board: PretendBoard, clock: Clock
) -> None:
    strip = lights()
    strip.show([RED] * 66)
    board.mute = True
    strip.close()
    assert 0.25 < clock() < 0.4
    assert line.users == 0
