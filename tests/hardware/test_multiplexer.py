"""Switches behind 74HC4067 multiplexers, by their driver."""

from __future__ import annotations

from typing import Any

import gpiozero
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import fakegpio
from hardware.device import DeviceError
from hardware.scanners.multiplexer import Multiplexer
from hardware.settings import SettingsError, convert

TWO = Multiplexer.Settings(inputs=(5, 6), settle=0)


@given(levels=st.lists(st.integers(0, 1), min_size=32, max_size=32))
def test_every_position_is_read_as_it_is(levels: list[int]) -> None:
    with fakegpio.open_fake("multiplexer", TWO, levels):
        scanner = Multiplexer(TWO)
        assert scanner.scan() == tuple(levels)
        assert scanner.trouble is None
        scanner.close()


def test_a_scan_selects_sixteen_positions_and_reads_all_inputs_at_each() -> None:
    with fakegpio.open_fake("multiplexer", TWO, [0] * 32) as board:
        scanner = Multiplexer(TWO)
        scanner.scan()
        board.trace = trace = []
        scanner.scan()
        assert [pin for pin, verb, _ in trace if verb == "read"] == [5, 6] * 16
        scanner.close()


def test_a_switch_that_is_stuck_is_its_channel_alone() -> None:
    with fakegpio.open_fake("multiplexer", TWO, [0] * 32) as board:
        scanner = Multiplexer(TWO)
        board.switches.stuck[17] = True
        assert [at for at, level in enumerate(scanner.scan()) if level] == [17]
        scanner.close()


@pytest.mark.parametrize("pin", [22, 6])
def test_a_pin_that_a_button_has_is_refused_and_nothing_kept(pin: int) -> None:
    with fakegpio.open_fake("multiplexer", TWO, [0] * 32):
        with gpiozero.Button(pin), pytest.raises(DeviceError, match=f"multiplexers: pin GPIO{pin} is already in use"):
            Multiplexer(TWO)
        Multiplexer(TWO).close()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"select": [1, 2, 3]}, "select.*length >= 4"),
        ({"inputs": []}, "inputs"),
        ({"inputs": [22]}, "pin 22 is used twice"),
        ({"inputs": [5, 5]}, "pin 5 is used twice"),
        ({"settle": 1001}, "settle"),
        ({"device": 0}, "device: there is no such key; the keys here are select, inputs, sense, settle"),
    ],
)
def test_impossible_settings_are_refused_with_a_sentence(data: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        convert(data, Multiplexer.Settings, "scanner")
