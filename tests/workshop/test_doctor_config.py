"""The doctor before a Pi's config.txt: what the board's lights and sensors need set there."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.workshop.doctor import examine
from tests.workshop.computers import FILES, found, graded, grow, machine, wired


def test_spi_that_is_off_is_a_fault_for_a_strip_on_it(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, "pi5", config="", files=["gpiochip0"]))
    (fault,) = graded(examine(pi, wired(tmp_path)), "fault")
    assert fault.startswith("There is no /dev/spidev0.0 for the lights (ws2812_spi): switch SPI on with dtparam=spi=on")
    assert (
        found(examine(pi, None), "spi").say == "SPI is off; dtparam=spi=on in /boot/firmware/config.txt switches it on."
    )


def test_spi_that_is_on_only_in_the_file_takes_a_restart(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, files=["gpiochip0"], old=True))
    assert found(examine(pi, None), "spi").say.endswith("/boot/config.txt but not yet in the kernel: restart.")


@pytest.mark.parametrize(
    ("model", "wanted", "grade"),
    [("pi3", "core_freq=250", "fault"), ("pi4", "core_freq=500 and core_freq_min=500", "fault"),
     ("pi400", "core_freq=500 and core_freq_min=500", "fault"), ("zero2", "core_freq=250", "remark")],
)  # fmt: skip
@pytest.mark.parametrize("lights", ['kind = "ws2812_spi"', 'kind = "ws281x"'])
def test_a_clock_that_changes_is_to_be_fixed(model: str, wanted: str, grade: str, lights: str, tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, model, config="dtparam=spi=on"))
    finding = found(examine(pi, wired(tmp_path, lights)), "clock")
    assert finding.grade == grade
    assert f"set {wanted} in /boot/firmware/config.txt" in finding.say


def test_half_of_the_clock_settings_is_not_enough_on_a_pi_4(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, "pi4", config="dtparam=spi=on\ncore_freq=500"))
    assert "set core_freq_min=500 in" in found(examine(pi, wired(tmp_path)), "clock").say


@pytest.mark.parametrize(
    ("config", "value"),
    [
        ("core_freq=500", "500"),
        ("# core_freq=500", ""),
        ("core_freq=500 # for the strip", "500"),
        ("[pi4]\ncore_freq=500", "500"),
        ("[pi3]\ncore_freq=250", ""),
        ("[pi3]\ncore_freq=250\n[all]\ncore_freq=500", "500"),
        ("core_freq=250\ncore_freq=500", "500"),
        ("[none]\ncore_freq=250", ""),
        ("[pi400]\ncore_freq=250", ""),
    ],
)
def test_settings_hold_in_their_section_only(config: str, value: str, tmp_path: Path) -> None:
    assert machine(grow(tmp_path, "pi4", config=config)).boot.setting("core_freq") == value


@pytest.mark.parametrize(
    ("config", "on"),
    [("dtparam=spi=on", True), ("dtparam=spi", True), ("dtparam=i2c_arm=on,spi=on", True), ("dtparam=spi=off", False),
     ("dtparam=spi=on\ndtparam=spi=off", False), ("dtparam=audio=on", False), ("", False)],
)  # fmt: skip
def test_parameters_are_read_as_the_firmware_reads_them(config: str, on: bool, tmp_path: Path) -> None:
    assert machine(grow(tmp_path, config=config)).boot.param("spi") is on


def test_sound_is_in_the_way_of_a_strip_on_pwm(tmp_path: Path) -> None:
    files = [*FILES, "mem", "vcio"]
    table = wired(tmp_path, 'kind = "ws281x"\nvia = "pwm"')
    loud = machine(grow(tmp_path, config="dtparam=audio=on", files=files))
    assert found(examine(loud, table), "sound").grade == "fault"
    silent = machine(grow(tmp_path, config="dtparam=audio=off", files=files))
    assert not [finding for finding in examine(silent, table) if finding.about == "sound"]


@pytest.mark.parametrize(
    ("config", "grade", "says"),
    [
        ("", "fault", "set dtoverlay=ws2812-pio,gpio=18,num_leds=66 in"),
        ("dtoverlay=ws2812-pio,gpio=18,num_leds=64", "fault", "the board has 66 lights and the overlay 64"),
        ("dtoverlay=ws2812-pio,gpio=18,num_leds=66", "ok", "The kernel drives 66 lights."),
    ],
)
def test_the_kernels_strip_has_as_many_lights_as_the_board(config: str, grade: str, says: str, tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, "pi5", config=config, files=[*FILES, "leds0"]))
    table = wired(tmp_path, 'kind = "leds0"\n[pixels]\nstatus = [64, 65]')
    finding = found(examine(pi, table), "overlay")
    assert finding.grade == grade
    assert says in finding.say


def test_the_library_that_does_not_know_the_pi_5_is_a_fault_there(tmp_path: Path) -> None:
    table = wired(tmp_path, 'kind = "ws281x"')
    assert "ws2812_spi" in found(examine(machine(grow(tmp_path, "pi5")), table), "lights").say
    (tmp_path / "four").mkdir()
    assert not graded(examine(machine(grow(tmp_path / "four", "pi4")), table), "fault")
