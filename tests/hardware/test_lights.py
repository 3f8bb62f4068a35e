"""What is particular to each driver of lights: bits and their times, bytes, marks on a terminal, settings, bounds."""

from __future__ import annotations

import io
import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path
from select import select
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from hardware import spi
from hardware.backends import find, names
from hardware.device import Colour, DeviceError
from hardware.lights.leds0 import Leds0
from hardware.lights.terminal import TerminalStrip, mark
from hardware.settings import SettingsError, convert
from hardware.strip import LONGEST, Order
from tests.hardware.light_rigs import PIXELS, leds0
from tests.hardware.pretend_pi import RESET, decode, pulses

RED, GREEN, BLUE, WHITE, DARK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)
BYTE = st.integers(0, 255)
PICTURES = st.lists(st.tuples(BYTE, BYTE, BYTE), min_size=1, max_size=70)
ORDERS: list[Order] = ["GRB", "GBR", "RGB", "RBG", "BRG", "BGR"]
STEADY = how(derandomize=True)


def real(name: str) -> Any:
    """The module of a driver that needs a library; the test is skipped where it is not installed."""
    pytest.importorskip({"ws2812_spi": "spidev", "ws281x": "rpi_ws281x"}[name])
    return __import__(f"hardware.lights.{name}", fromlist=["LIGHTS"])


# Bits for WS2812 ---------------------------------------------------------------------------------


@STEADY
@given(PICTURES, st.sampled_from(ORDERS), st.integers(2_200_000, 2_900_000))
def test_every_picture_survives_the_wire_with_every_bit_in_time(picture: list[Colour], order: Order, rate: int) -> None:
    driver = real("ws2812_spi")
    data = driver.encode(picture, order, rate)
    lit, silence = decode(data, rate, order)
    assert lit == picture
    assert silence >= RESET
    assert len(data) == driver.encoded_size(len(picture), rate)


def test_green_goes_first_in_three_bits_a_bit() -> None:
    data = real("ws2812_spi").encode([(0x00, 0x80, 0xFF)])
    assert f"{int.from_bytes(data[104:113], 'big'):072b}" == "110" + 15 * "100" + 8 * "110"
    assert data[:104] == data[113:] == bytes(104)


@pytest.mark.parametrize("before", ["1", "1" * 9, "0001", "110"], ids=["rising", "idle high", "late", "cut off"])
def test_a_line_that_is_high_before_a_transfer_spoils_no_picture(before: str) -> None:
    driver = real("ws2812_spi")
    assert decode(driver.encode([RED, GREEN]), driver.RATE, before=before)[0] == [RED, GREEN]


SHEETS = {
    "WS2812B": {"0": ((250, 550), (700, 1000)), "1": ((650, 950), (300, 600))},
    "WS2812B-V5": {"0": ((220, 380), (580, 1000)), "1": ((580, 1000), (220, 420))},
}
"""Nanoseconds that the line is high and then low for a bit, by the data sheets."""
CLOCKS = {"Pi 3": 250, "Zero 2 W, not fixed": 400, "Pi 4": 500, "Pi 5": 200}
"""MHz of the clock that the bus divides by an even number, no faster than it was asked to be."""


@pytest.mark.parametrize("pi", CLOCKS)
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_bit_lasts_as_long_as_the_data_sheets_say_on_every_pi(sheet: str, pi: str) -> None:
    driver = real("ws2812_spi")
    divisor = -(-CLOCKS[pi] * 1_000_000 // driver.RATE)
    told = pulses(driver.encode([(0x55, 0xAA, 0x55)]), CLOCKS[pi] * 1e6 / (divisor + divisor % 2))
    for bit, (high, low) in zip("10" * 4 + "01" * 8, told[:-1], strict=False):
        (shortest, longest), (rest, longest_rest) = SHEETS[sheet][bit]
        assert shortest <= 1000 * high <= longest
        assert rest <= 1000 * low <= longest_rest


@pytest.mark.parametrize("colour", [(256, 0, 0), (0, -1, 0)])
def test_a_channel_that_is_no_byte_is_refused(colour: Colour) -> None:
    with pytest.raises(ValueError, match="256"):
        real("ws2812_spi").encode([colour])


def test_432_lights_fill_the_usual_transfer() -> None:
    assert real("ws2812_spi").encoded_size(432) <= spi.BUFFER < real("ws2812_spi").encoded_size(433)
    assert real("ws2812_spi").encoded_size(1) >= 96


def test_the_library_sends_twelve_bytes_a_light() -> None:
    assert real("ws281x").transfer_size(339) == 4088
    assert real("ws281x").transfer_size(340) == 4104


# Settings and bounds -----------------------------------------------------------------------------


def test_every_driver_is_found_and_opens_with_the_defaults_of_its_settings() -> None:
    assert set(names("lights")) >= {"leds0", "terminal", "ws2812_spi", "ws281x"}
    for name in ("leds0", "terminal"):
        assert convert({}, find("lights", name).Settings) == find("lights", name).Settings()


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        ("ws281x", {"dma": 5}, "lights: dma = 5 is the channel of the SD card"),
        ("ws281x", {"dma": 15}, "lights.dma: expected `int` <= 14"),
        ("ws281x", {"via": "i2s"}, "lights.via: .*allowed: spi, pwm, pcm"),
        ("ws2812_spi", {"order": "RGBW"}, "lights.order: .*allowed: GRB, "),
        ("ws2812_spi", {"rate": 800_000}, "lights.rate: expected `int` >= 2200000"),
        ("ws2812_spi", {"pin": 10}, "lights.pin: there is no such key; the keys here are bus, device, order, rate"),
    ],
)
def test_settings_out_of_bounds_are_refused(name: str, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        convert(values, real(name).LIGHTS.Settings, "lights")


def test_without_the_library_ws281x_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rpi_ws281x", None)
    monkeypatch.delitem(sys.modules, "hardware.lights.ws281x", raising=False)
    with pytest.raises(DeviceError, match=r"apt install gcc python3-dev, then pip install 'tablelight\[ws281x\]'$"):
        find("lights", "ws281x")


@pytest.mark.parametrize("pixels", [-1, 0, LONGEST + 1])
def test_a_strip_has_1_to_512_lights(pixels: int) -> None:
    stream = io.StringIO()
    with pytest.raises(DeviceError, match=f"1 to 512 lights, not {pixels}"):
        TerminalStrip(TerminalStrip.Settings(), pixels, stream)
    assert stream.getvalue() == ""


def test_a_bus_that_is_not_there_is_named_with_what_to_do() -> None:
    driver = real("ws2812_spi").LIGHTS
    with pytest.raises(DeviceError, match=r"^there is no /dev/spidev9.3: switch SPI on with dtparam=spi=on"):
        driver(driver.Settings(bus=9, device=3), 8)


# The kernel's driver -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "data"),
    [("GRB", [1, 2, 3, 0]), ("RGB", [2, 1, 3, 0]), ("BRG", [1, 3, 2, 0]), ("GBR", [3, 2, 1, 0])],
)
def test_the_kernel_gets_its_second_byte_for_the_first_channel_on_the_wire(
    tmp_path: Path, order: Order, data: list[int]
) -> None:
    device = tmp_path / "leds0"
    device.touch()
    lights = Leds0(Leds0.Settings(device=str(device), order=order), 1)
    lights.show([(1, 2, 3)])
    assert list(device.read_bytes()) == data
    wire = [data[1], data[0], data[2]]
    assert [dict(zip(order, wire, strict=True))[channel] for channel in "RGB"] == [1, 2, 3]
    lights.close()


@pytest.mark.parametrize(
    ("device", "sentence"),
    [
        ("/dev/no/leds", "^there is no /dev/no/leds: set dtoverlay=ws2812-pio,gpio=18,num_leds=60 in .*ws2812_spi"),
        ("/dev/full", "^/dev/full has fewer than 60 lights: set .*num_leds=60 "),
        ("/", "^/ takes no picture .Is a directory.: look for ws2812-pio-rp1 in dmesg$"),
    ],
)
def test_leds0_that_cannot_be_used_says_what_to_do(device: str, sentence: str) -> None:
    with pytest.raises(DeviceError, match=sentence):
        Leds0(Leds0.Settings(device=device), 60)


def test_a_device_that_failed_is_opened_anew(tmp_path: Path) -> None:
    on = leds0(tmp_path)
    on.fail()
    with pytest.raises(DeviceError):
        on.lights.show([RED] * PIXELS)
    on.heal()
    (tmp_path / "driven").rename(tmp_path / "unplugged")
    (tmp_path / "driven").touch()
    on.lights.show([RED] * PIXELS)
    assert on.lit() == [RED] * PIXELS
    on.lights.close()


# The terminal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("colour", "text"),
    [(DARK, ".."), (RED, "R9"), (GREEN, "G9"), (BLUE, "B9"), (WHITE, "W9"), ((1, 1, 1), "W1"), ((255, 200, 0), "Y9")],
)
def test_a_light_without_colour_is_a_hue_and_a_strength(colour: Colour, text: str) -> None:
    assert mark(colour) == text


def test_a_pipe_gets_a_block_of_lines_for_each_new_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    lights = TerminalStrip(TerminalStrip.Settings(columns=2), 3, stream)
    lights.show([RED, DARK, (0, 0, 128)])
    lights.show([RED, DARK, (0, 0, 128)])
    lights.close()
    dark = ".. ..\n..\n\n"
    assert stream.getvalue() == f"{dark}R9 ..\nB5\n\n{dark}"


def test_colours_end_with_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = io.StringIO()
    TerminalStrip(TerminalStrip.Settings(columns=2), 2, stream).show([(1, 2, 3), RED])
    assert stream.getvalue().splitlines()[-2] == "\x1b[48;2;1;2;3m  \x1b[48;2;255;0;0m  \x1b[0m"


def drawn_on_a_terminal(does: Callable[[TerminalStrip], None]) -> str:
    """What a terminal is sent after a strip of three lights in two columns was opened on it."""
    ours, theirs = pty.openpty()
    with open(theirs, "w") as stream:
        lights = TerminalStrip(TerminalStrip.Settings(columns=2), 3, stream)
        received(ours)
        does(lights)
        sent = received(ours)
    os.close(ours)
    return sent


def received(terminal: int) -> str:
    """What has come to the other end; something must."""
    ready, _, _ = select([terminal], [], [], 5)
    assert ready, "nothing was drawn"
    return os.read(terminal, 4096).decode().replace("\r\n", "\n")


def test_on_a_terminal_a_picture_is_drawn_over_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert drawn_on_a_terminal(lambda lights: lights.show([RED, RED, RED])) == "\x1b[2A\x1b[JR9 R9\nR9\n"


def test_closing_takes_the_drawing_off_the_terminal() -> None:
    assert drawn_on_a_terminal(TerminalStrip.close) == "\x1b[2A\x1b[J"


def test_a_strip_is_drawn_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    lights = find("lights", "terminal")(TerminalStrip.Settings(), 8)
    lights.show([RED] * 8)
    assert capsys.readouterr().out.count("255;0;0m") == 8
