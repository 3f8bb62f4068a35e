"""The real spidev and rpi_ws281x, bit by bit; runs only on a pretended Pi, where test_real_strips.py starts it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import spidev
from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st

from hardware.backends import find
from hardware.device import Colour, DeviceError
from hardware.strip import Order
from tests.hardware.light_rigs import REAL, on_pi
from tests.hardware.pretend_pi import FOLDER, PretendPi, decode

RED = (255, 0, 0)
BYTE = st.integers(0, 255)
STEADY = how(derandomize=True, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
SPI, MEM, VCIO = "/dev/spidev0.0", "/dev/mem", "/dev/vcio"
WS281X = {"spi": {}, "pwm": {"via": "pwm"}, "pcm": {"via": "pcm"}}


@pytest.fixture
def pi() -> PretendPi:
    return PretendPi(Path(os.environ[FOLDER])).be()


def opened(name: str, pixels: int = 8, **values: Any) -> Any:
    """The driver of that name."""
    driver = find("lights", name)
    return driver(driver.Settings(**values), pixels)


@pytest.mark.parametrize("name", REAL)
def test_the_library_puts_out_exactly_the_picture(name: str, tmp_path: Path) -> None:
    rig = REAL[name](tmp_path)

    @STEADY
    @given(st.lists(st.tuples(BYTE, BYTE, BYTE), min_size=8, max_size=8))
    def shows(picture: list[Colour]) -> None:
        rig.lights.show(picture)
        assert rig.lit() == picture

    shows()
    rig.lights.close()


@pytest.mark.parametrize("order", ["GRB", "GBR", "RGB", "RBG", "BRG", "BGR"])
@pytest.mark.parametrize(("name", "values"), [("ws2812_spi", {}), *(("ws281x", values) for values in WS281X.values())])
def test_channels_go_out_in_the_order_that_the_lights_take_them(
    pi: PretendPi, name: str, values: dict[str, Any], order: Order
) -> None:
    lights = opened(name, 2, order=order, **values)
    lights.show([(1, 2, 3), (200, 100, 50)])
    assert pi.lit(order) == [(1, 2, 3), (200, 100, 50)]
    lights.close()


@pytest.mark.parametrize("pixels", [1, 64, 432])
@pytest.mark.parametrize("rate", [2_200_000, 2_750_000, 2_900_000])
def test_a_picture_over_spi_is_one_transfer_with_silence_at_both_ends(pi: PretendPi, pixels: int, rate: int) -> None:
    pi.set_buffer(8192)
    lights = opened("ws2812_spi", pixels, rate=rate)
    pi.forget()
    lights.show([RED] * pixels)
    (transfer,) = pi.transfers()
    assert (transfer.device, transfer.rate) == ("spidev0.0", rate)
    lit, silence = decode(transfer.data, transfer.rate)
    assert lit == [RED] * pixels
    assert silence >= 300
    lights.close()


@pytest.mark.parametrize("values", WS281X.values(), ids=list(WS281X))
def test_a_strip_of_512_lights_is_told_whole(pi: PretendPi, values: dict[str, Any]) -> None:
    pi.set_buffer(8192)
    picture = [(pixel % 256, pixel // 2, 255 - pixel % 256) for pixel in range(512)]
    for lights in (opened("ws281x", 512, **values), opened("ws2812_spi", 512)):
        lights.show(picture)
        assert pi.lit() == picture
        lights.close()


@pytest.mark.parametrize(("name", "most"), [("ws2812_spi", 432), ("ws281x", 339)])
def test_more_lights_than_one_transfer_takes_are_refused_with_the_size_to_set(
    pi: PretendPi, name: str, most: int
) -> None:
    opened(name, most).close()
    with pytest.raises(DeviceError, match=r"spidev.bufsiz=8192 .*cmdline.txt"):
        opened(name, most + 1)
    pi.set_buffer(8192)
    opened(name, most + 1).close()


@pytest.mark.parametrize("name", ["ws2812_spi", "ws281x"])
def test_more_than_512_lights_are_refused(pi: PretendPi, name: str) -> None:
    pi.set_buffer(65536)
    with pytest.raises(DeviceError, match="1 to 512 lights, not 513"):
        opened(name, 513)
    assert pi.transfers() == []


@pytest.mark.parametrize(
    ("model", "revision"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", 0x902120),
        ("Raspberry Pi 4 Model B Rev 1.1", 0xC03111),
        ("Raspberry Pi Model B Plus Rev 1.2", 0x000010),
    ],
)
@pytest.mark.parametrize("values", WS281X.values(), ids=list(WS281X))
def test_older_and_newer_pis_keep_the_times_of_a_bit(
    pi: PretendPi, model: str, revision: int, values: dict[str, Any]
) -> None:
    pi.be(model, revision)
    lights = opened("ws281x", **values)
    lights.show([RED] * 8)
    assert pi.lit() == [RED] * 8
    lights.close()


def test_spi_lights_work_on_a_pi_5(pi: PretendPi) -> None:
    pi.be("Raspberry Pi 5 Model B Rev 1.0", 0xC04170)
    for path in ("/dev/gpiomem", MEM, VCIO):
        pi.take_away(path)
    lights = opened("ws2812_spi")
    lights.show([RED] * 8)
    assert pi.lit() == [RED] * 8
    lights.close()


@pytest.mark.parametrize("via", WS281X)
@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", "do not work on this Raspberry Pi 5 .*ws2812_spi or leds0"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "do not work on this Raspberry Pi Compute Module 5"),
        ("Raspberry Pi 500 Rev 1.0", "do not work on this Raspberry Pi 500"),
        ("Orange Pi 3", "this computer is none"),
        ("Raspberry Pi 3 Model Z Rev 9.9", "Hardware revision is not supported.*ws2812_spi"),
    ],
)
def test_the_library_is_refused_where_it_would_crash(pi: PretendPi, model: str, sentence: str, via: str) -> None:
    pi.be(model, 0xC04170)
    with pytest.raises(DeviceError, match=sentence):
        opened("ws281x", via=via)


@pytest.mark.parametrize("via", WS281X)
def test_a_machine_that_tells_no_model_is_no_pi(pi: PretendPi, via: str) -> None:
    pi.take_away("/proc/device-tree/model")
    with pytest.raises(DeviceError, match="this computer is none"):
        opened("ws281x", via=via)


@pytest.mark.parametrize(
    ("name", "values", "path", "gone", "closed"),
    [
        ("ws2812_spi", {}, SPI, "dtparam=spi=on", "groups spi and gpio"),
        ("ws281x", {}, SPI, "dtparam=spi=on", "groups spi and gpio"),
        ("ws281x", {}, "/dev/gpiomem", "choose ws2812_spi", "groups spi and gpio"),
        ("ws281x", {"via": "pwm"}, MEM, "choose ws2812_spi", "for root only.*GPIO 10"),
        ("ws281x", {"via": "pcm"}, VCIO, "choose ws2812_spi", "for root only.*GPIO 10"),
        ("leds0", {}, "/dev/leds0", "dtoverlay=ws2812-pio,gpio=18,num_leds=8", "udev rule SUBSYSTEM=.*group gpio"),
    ],
)
def test_a_device_that_is_not_there_or_not_allowed_is_named_with_what_to_do(
    pi: PretendPi, name: str, values: dict[str, Any], path: str, gone: str, closed: str
) -> None:
    pi.forbid(path)
    with pytest.raises(DeviceError, match=f"^{path}[^\n]*{closed}[^\n]*$"):
        opened(name, **values)
    pi.take_away(path)
    with pytest.raises(DeviceError, match=f"^[^\n]*{path}[^\n]*{gone}[^\n]*$"):
        opened(name, **values)
    pi.be()
    opened(name, **values).close()


@pytest.mark.parametrize("name", REAL)
def test_lights_opened_again_and_again_leave_nothing_open(name: str, tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        on = REAL[name](tmp_path)
        on.fail()
        with pytest.raises(DeviceError):
            on.lights.show([RED] * 8)
        on.heal()
        on.lights.show([RED] * 8)
        on.lights.close()
    assert len(os.listdir("/proc/self/fd")) <= before + 1  # the pretended memory stays


@pytest.mark.parametrize("brightness", [0, 40])
def test_the_kernel_is_told_its_brightness_before_the_first_picture(pi: PretendPi, brightness: int) -> None:
    opened("leds0", brightness=brightness).close()
    assert [transfer.data for transfer in pi.transfers()] == [bytes([brightness]), bytes(32)]


def test_the_kernel_must_have_as_many_lights(pi: PretendPi) -> None:
    with pytest.raises(DeviceError, match=r"^/dev/leds0 has fewer than 9 lights: set .*num_leds=9 in"):
        opened("leds0", 9)


def test_what_a_chain_of_shift_registers_holds_can_be_read(pi: PretendPi) -> None:
    (pi.folder / "miso").write_bytes(bytes([1, 2, 3]))
    bus = spidev.SpiDev()
    bus.open(0, 0)
    assert bus.xfer2([0, 0]) == [1, 2]
    assert bus.readbytes(5) == [1, 2, 3, 0, 0]
    pi.fail()
    with pytest.raises(OSError, match="Input/output"):
        bus.readbytes(1)
    bus.close()


def test_another_bus_is_another_device(pi: PretendPi) -> None:
    rig = on_pi("ws2812_spi", device=1)(pi.folder)
    assert {transfer.device for transfer in pi.transfers()} == {"spidev0.1"}
    rig.lights.close()
