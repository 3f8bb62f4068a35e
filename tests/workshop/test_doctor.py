"""The doctor before real folder trees: which Pi, whose groups, which settings; and before sensors that misbehave."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.workshop.doctor import Finding, check_pins, check_supply, examine
from firmware_bridge.workshop.doctor_command import Report, examine_file, is_named
from firmware_bridge.workshop.machine import Machine, User
from hardware.board import USUAL
from hardware.power import estimate
from tests.workshop.computers import FILES, MODELS, board, found, graded, grow, machine, wired

# The computer -----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_each_pi_is_known_with_its_revision_and_system(model: str, tmp_path: Path) -> None:
    name, revision, kind = MODELS[model]
    pi = machine(grow(tmp_path, model))
    assert pi.pi == kind
    findings = list(examine(pi, None))
    assert found(findings, "computer") == Finding("ok", "computer", f"{name}, revision {revision}.")
    assert found(findings, "system").say == "Debian GNU/Linux 12 (bookworm), kernel 6.6.51+rpt-rpi-v8."


@pytest.mark.parametrize("model", ["zero2", "first"])
def test_under_a_kernel_that_is_not_of_the_pis_own_its_revision_is_known(model: str, tmp_path: Path) -> None:
    name, revision, _ = MODELS[model]
    pi = machine(grow(tmp_path, model))
    (tmp_path / "proc/cpuinfo").write_text("processor\t: 0\nCPU part\t: 0xd03\n")
    (tmp_path / "proc/device-tree/system").mkdir()
    (tmp_path / "proc/device-tree/system/linux,revision").write_bytes(int(revision, 16).to_bytes(4, "big"))
    assert found(examine(pi, None), "computer") == Finding("ok", "computer", f"{name}, revision {revision}.")


@pytest.mark.parametrize("model", ["zero2", "pi3", "pi4", "pi5"])
def test_a_pi_that_is_set_up_has_no_fault(model: str, tmp_path: Path) -> None:
    pi, table = machine(grow(tmp_path, model)), wired(tmp_path)
    findings = [*examine(pi, table), *check_pins(pi, table), *check_supply(pi, table)]
    assert not graded(findings, "fault")
    power = ["power"] if model in ("pi4", "pi5") else []
    assert [finding.about for finding in findings if finding.grade == "remark"] == ["supply", *power]


def test_no_pi_is_a_remark_until_a_board_asks_for_its_pins(tmp_path: Path) -> None:
    pc = machine(tmp_path, opens=False)
    assert not graded(examine(pc, None), "fault")
    assert found(examine(pc, None), "computer").grade == "remark"
    findings = list(examine(pc, wired(tmp_path)))
    assert found(findings, "computer").grade == found(findings, "gpio").grade == "fault"


def test_pins_that_do_not_open_are_a_fault_only_for_a_board_that_has_some(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path), opens=False)
    assert found(examine(pi, None), "gpio").grade == "remark"
    assert found(examine(pi, wired(tmp_path)), "gpio").grade == "fault"
    assert "pip install" in found(examine(pi, None), "gpio").say


def test_a_slower_pin_factory_is_remarked_on(tmp_path: Path) -> None:
    pi = Machine(grow(tmp_path), pin_factory=lambda: "NativeFactory")
    assert found(examine(pi, None), "gpio").grade == "remark"


def test_a_user_in_no_group_is_told_which_one_to_join(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path), member=False)
    faults = graded(examine(pi, wired(tmp_path)), "fault")
    assert len(faults) == 2
    assert all("sudo usermod -aG gpio $USER, then log in again" in fault for fault in faults)
    (others,) = graded((f for f in examine(pi, wired(tmp_path)) if f.about == "groups"), "remark")
    assert "/dev/gpiomem, /dev/spidev0.1; sudo" in others  # what the board needs was said already
    (remark,) = graded(examine(pi, None), "remark")
    assert "/dev/gpiochip0, /dev/gpiomem, /dev/spidev0.0, /dev/spidev0.1" in remark


def test_a_scanner_on_spi_needs_its_own_chip_select(tmp_path: Path) -> None:
    table = board(tmp_path, '[scanner]\nkind = "shift_register"\n[lights]\nkind = "terminal"\n')
    pi = machine(grow(tmp_path, files=["gpiochip0", "spidev0.0"]))
    (fault,) = graded(examine(pi, table), "fault")
    assert fault.startswith("There is no /dev/spidev0.1 for the scanner (shift_register)")


def test_an_older_kernel_on_a_pi_5_has_the_pins_on_another_chip(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, "pi5", files=["gpiochip4", "spidev0.0"]))
    assert not graded(examine(pi, wired(tmp_path)), "fault")


def test_serial_ports_are_looked_at_as_well(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, files=[*FILES, "ttyUSB0", "ttyACM0"]), member=False)
    (remark,) = graded(examine(pi, None), "remark")
    assert "/dev/ttyUSB0, /dev/ttyACM0" in remark


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o620, 0o606])
def test_a_file_that_its_group_may_not_read_and_write_needs_a_rule(mode: int, tmp_path: Path) -> None:
    root = grow(tmp_path)
    (root / "dev/spidev0.0").chmod(mode)
    (fault,) = graded(examine(machine(root), wired(tmp_path)), "fault")
    assert "/dev/spidev0.0" in fault
    assert "udev rule" in fault


def test_what_only_root_may_open_is_said_to_be_so(tmp_path: Path) -> None:
    root = grow(tmp_path, files=[*FILES, "mem", "vcio"])
    (root / "etc/group").write_text(f"root:x:{os.getegid()}:\n")
    faults = graded(examine(machine(root, member=False), wired(tmp_path, 'kind = "ws281x"\nvia = "pwm"')), "fault")
    assert sum("only root may open it" in fault for fault in faults) == 3  # mem, vcio, gpiochip0


def test_root_may_open_everything(tmp_path: Path) -> None:
    pi = Machine(grow(tmp_path), User(0, frozenset({0})), pin_factory=lambda: "LGPIOFactory")
    assert not graded(examine(pi, wired(tmp_path)), "fault")


def test_libraries_are_listed_with_their_versions(tmp_path: Path) -> None:
    say = found(examine(machine(grow(tmp_path)), None), "libraries").say
    assert "gpiozero 2.0.1" in say
    assert say.endswith("not installed: smbus2, rpi_ws281x, pyserial.")


# The board file ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "config", "pin", "other"),
    [
        ("8, 17", "dtparam=spi=on", 8, "SPI"),
        ("2, 17", "dtparam=i2c_arm=on", 2, "I2C"),
        ("14, 17", "enable_uart=1", 14, "the serial port"),
        ("4, 17", "dtoverlay=w1-gpio", 4, "dtoverlay=w1-gpio"),
        ("21, 17", "dtoverlay=w1-gpio,gpiopin=21", 21, "dtoverlay=w1-gpio"),
        ("18, 17", "dtoverlay=ws2812-pio,gpio=18,num_leds=4", 18, "dtoverlay=ws2812-pio"),
    ],
)
def test_a_pin_that_the_firmware_gives_away_is_named(
    rows: str, config: str, pin: int, other: str, tmp_path: Path
) -> None:
    text = f'rows = [{rows}]\ncolumns = [23, 24]\n[points]\nfiles = 2\nranks = 2\n[lights]\nkind = "terminal"\n'
    table = board(tmp_path, f'[scanner]\nkind = "gpio_matrix"\n{text}')
    (finding,) = check_pins(machine(grow(tmp_path, config=config)), table)
    assert finding.grade == "fault"
    assert finding.say.startswith(f"GPIO {pin} is used by the scanner (gpio_matrix) and by {other}")
    (tmp_path / "other").mkdir()
    assert not graded(check_pins(machine(grow(tmp_path / "other", config="")), table), "fault")


def test_a_buzzer_on_the_serial_port_is_named_and_needs_pins(tmp_path: Path) -> None:
    table = board(tmp_path, 'buzzer = 14\n[scanner]\nkind = "serial_mcu"\n[lights]\nkind = "terminal"\n')
    (finding,) = check_pins(machine(grow(tmp_path, config="enable_uart=1")), table)
    assert finding.say.startswith("GPIO 14 is used by the buzzer and by the serial port")
    assert found(examine(machine(tmp_path, opens=False), table), "gpio").grade == "fault"


def test_a_strip_and_registers_may_share_the_spi_bus(tmp_path: Path) -> None:
    table = board(tmp_path, '[scanner]\nkind = "shift_register"\n[lights]\nkind = "ws2812_spi"\n')
    findings = list(check_pins(machine(grow(tmp_path)), table))
    assert not graded(findings, "fault")
    assert "The scanner (shift_register): GPIO 25, 7, 8, 9, 10, 11" in findings[0].say


EXPANDERS = '[scanner]\nkind = "mcp23017"\n[lights]\nkind = "terminal"\n'


def test_expanders_want_a_bus_and_no_pins(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, config="dtparam=i2c_arm=on,i2c_arm_baudrate=400000", files=("i2c-1",)), opens=False)
    table = board(tmp_path, EXPANDERS)
    findings = [*examine(pi, table), *check_pins(pi, table)]
    assert not graded(findings, "fault")
    assert found(findings, "device").say == "/dev/i2c-1 is open to this user for the scanner (mcp23017)."
    assert found(findings, "i2c") == Finding("ok", "i2c", "/dev/i2c-1 runs at 400000 Hz.")


def test_a_bus_that_is_off_is_a_fault_and_a_slow_one_a_remark(tmp_path: Path) -> None:
    pi, table = machine(grow(tmp_path, config="", files=FILES)), board(tmp_path, EXPANDERS)
    findings = list(examine(pi, table))
    assert graded(findings, "fault") == [
        "There is no /dev/i2c-1 for the scanner (mcp23017): switch I2C on with sudo raspi-config nonint do_i2c 0 and "
        "restart."
    ]
    assert "dtparam=i2c_arm_baudrate=400000" in found(findings, "i2c").say


def test_buttons_beside_expanders_want_pins(tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, config="", files=("i2c-1",)))
    table = board(tmp_path, EXPANDERS + "[buttons]\ndone = 18\n")
    assert graded(examine(pi, table), "fault") == [
        "There is no /dev/gpiochip0 for the buttons: it takes a Raspberry Pi with its own system."
    ]


def test_a_small_supply_is_remarked_on_and_one_for_nothing_is_a_fault(tmp_path: Path) -> None:
    full = round(estimate([(255, 255, 255)] * 64))
    for supply, grade in ((full, "ok"), (full - 1, "remark"), (200, "remark"), (184, "fault")):
        (finding,) = check_supply(machine(grow(tmp_path, "zero2")), wired(tmp_path, more=f"supply = {supply}"))
        assert (finding.grade, str(full) in finding.say) == (grade, True)


@pytest.mark.parametrize(("model", "wants"), [("pi4", "3000 mA"), ("cm4", "3000 mA"), ("pi5", "5000 mA")])
def test_a_pi_that_draws_much_is_told_to_have_a_supply_of_its_own(model: str, wants: str, tmp_path: Path) -> None:
    pi = machine(grow(tmp_path, model))
    power = found(check_supply(pi, wired(tmp_path)), "power")
    assert power.grade == "remark"
    assert wants in power.say
    assert "its own plug" in power.say
    far = board(tmp_path, '[scanner]\nkind = "serial_mcu"\n[lights]\nkind = "serial_mcu"\n')
    assert [each.about for each in check_supply(pi, far)] == ["supply"]


def test_a_board_file_that_cannot_be_read_is_a_fault_with_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("supply = -3\n")
    read, findings = examine_file(str(path))
    assert read is None
    assert graded(findings, "fault")[0].startswith(f"{path}: supply")
    assert examine_file(str(tmp_path / "none.toml"))[1][0].grade == "fault"


def test_a_board_counts_as_named_by_the_command_or_the_configuration() -> None:
    assert is_named(USUAL, USUAL)
    assert is_named(None, "pits")
    assert not is_named(None, USUAL)


def test_findings_are_told_one_a_line_and_faults_counted(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(aloud=True)
    report.add([Finding("ok", "spi", "SPI is on."), Finding("fault", "pins", "GPIO 4 is used twice.")])
    assert report.faults == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok      spi        SPI is on.",
        "fault   pins       GPIO 4 is used twice.",
    ]
