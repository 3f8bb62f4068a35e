"""The serial port itself: for one program alone, never waiting, leaking nothing."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from hardware.device import DeviceError
from hardware.serial import port
from hardware.serial.port import SharedPort
from tests.hardware.mcu_ends import PATH, pass_by, scanner, scans
from tests.hardware.pretend_board import Clock, PretendBoard, PseudoTerminal, attended


def test_a_port_is_open_for_one_program_alone(terminal: PseudoTerminal) -> None:
    first = port.Port(terminal.path, 115_200)
    with pytest.raises(DeviceError, match="is in use by another program: end that one first"):
        port.Port(terminal.path, 115_200)
    first.close()
    port.Port(terminal.path, 115_200).close()


def test_a_port_that_takes_nothing_makes_nobody_wait_and_keeps_little(terminal: PseudoTerminal) -> None:
    each = port.Port(terminal.path, 115_200)
    for _ in range(1000):
        each.write(b"x" * 100)
        assert len(each._waiting) <= port.UNSENT
    assert each.read() == b""
    each.close()


def test_a_port_whose_other_end_is_gone_says_so_however_it_is_used(terminal: PseudoTerminal) -> None:
    each = port.Port(terminal.path, 115_200)
    assert each.read() == b""
    terminal.unplug()
    each.wait(1.0)  # which is over at once
    with pytest.raises(OSError, match="Input/output error|unplugged"):
        each.read()
    with pytest.raises(OSError, match="Input/output error"):
        each.write(b"x")
    each.close()
    each.close()


def handles() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_a_thousand_losses_leak_no_handle(terminal: PseudoTerminal, clock: Clock) -> None:
    line = attended(terminal, clock, PATH)
    each = scanner()
    before = handles()
    for _ in range(1000):
        terminal.unplug()
        assert each.scan()[0] is None
        terminal.plug()
        clock.skip(6)
        assert each.scan()[0] == 0
    assert handles() == before
    assert line.conversation.losses == 1000
    each.close()
    assert handles() == before - 5  # the port, and what the library needs to break off a wait


def test_a_port_that_cannot_be_opened_leaks_no_handle(terminal: PseudoTerminal) -> None:
    first = port.Port(terminal.path, 115_200)
    before = handles()
    for _ in range(100):
        with pytest.raises(DeviceError):
            port.Port(terminal.path, 115_200)
    assert handles() == before
    first.close()


def test_a_flood_of_noise_is_read_to_its_end(
    line: SharedPort, board: PretendBoard, clock: Clock, levels: list[int]
) -> None:
    each = scanner()
    levels[1] = 1
    for _ in islice(scans(each, clock, 1), 50):
        board.garbage(1000)
    assert pass_by(each, clock, 0.2)[1] == 1
    assert line.conversation.losses == 0
    each.close()
