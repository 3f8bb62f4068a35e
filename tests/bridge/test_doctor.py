"""The doctor before real folder trees: which Pi, whose groups, which settings; and before sensors that misbehave."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.workshop.checkup import Told, is_named, look_at_file
from firmware_bridge.workshop.doctor import Finding, examine
from firmware_bridge.workshop.inspection import Watch, changes, live, shots
from firmware_bridge.workshop.machine import Machine, User
from firmware_bridge.workshop.pinout import check_pins, check_supply
from hardware.board import Board, read_board
from hardware.device import DeviceError, Levels, Trouble
from hardware.power import estimate

MODELS = {
    "zero2": ("Raspberry Pi Zero 2 W Rev 1.0", "902120", "02"),
    "pi3": ("Raspberry Pi 3 Model B Plus Rev 1.3", "a020d3", "3"),
    "pi4": ("Raspberry Pi 4 Model B Rev 1.4", "c03114", "4"),
    "pi400": ("Raspberry Pi 400 Rev 1.0", "c03130", "4"),
    "cm4": ("Raspberry Pi Compute Module 4 Rev 1.1", "b03141", "4"),
    "pi5": ("Raspberry Pi 5 Model B Rev 1.0", "c04170", "5"),
    "zero": ("Raspberry Pi Zero W Rev 1.1", "9000c1", "0"),
    "first": ("Raspberry Pi Model B Rev 2", "000e", "1"),
}
STRANGER = 54321
"""A user who owns none of the files."""
LIBRARIES = {"gpiozero": "2.0.1", "lgpio": "0.2.2.0", "spidev": "3.8"}
FILES = ("gpiochip0", "gpiomem", "spidev0.0", "spidev0.1")
CLOCKS = {"02": "core_freq=250", "3": "core_freq=250", "4": "core_freq=500\ncore_freq_min=500"}


def grow(
    root: Path, model: str = "pi4", *, config: str | None = None, files: Iterable[str] = FILES, old: bool = False
) -> Path:
    """A Pi as a folder tree, with the device files of a group named gpio; `old` has config.txt where it used to be."""
    name, revision, kind = MODELS[model]
    text = f"dtparam=spi=on\n{CLOCKS.get(kind, '')}\n" if config is None else config
    written = {
        "proc/device-tree/model": f"{name}\0",
        "proc/cpuinfo": f"Hardware\t: BCM2835\nRevision\t: {revision}\nModel\t\t: {name}\n",
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
        "proc/sys/kernel/osrelease": "6.6.51+rpt-rpi-v8\n",
        "etc/group": f"root:x:99999:\ngpio:x:{os.getegid()}:pi\n",
        "boot/config.txt" if old else "boot/firmware/config.txt": text,
    }
    for path, content in written.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    for device in files:
        (root / "dev" / device).parent.mkdir(parents=True, exist_ok=True)
        (root / "dev" / device).touch(mode=0o660)
        (root / "dev" / device).chmod(0o660)
    return root


def no_pins() -> str:
    """A computer on which gpiozero opens no pins."""
    raise DeviceError("the library lgpio is missing: install it with pip install 'tablelight[pi]'")


def machine(
    root: Path, *, member: bool = True, opens: bool = True, installed: Mapping[str, str] = LIBRARIES
) -> Machine:
    """The computer below `root`; its user is a `member` of the group gpio, or a stranger."""
    groups = frozenset({os.getegid()} if member else {4711})
    factory = (lambda: "LGPIOFactory") if opens else no_pins
    return Machine(root, User(STRANGER, groups), version=lambda name: installed.get(name, ""), pin_factory=factory)


def board(folder: Path, text: str) -> Board:
    """The board of a file."""
    path = folder / "board.toml"
    path.write_text(text)
    return read_board(path)


def wired(folder: Path, lights: str = 'kind = "ws2812_spi"', more: str = "") -> Board:
    """A board of 64 squares on a matrix, with these lights."""
    return board(folder, f'{more}\n[scanner]\nkind = "gpio_matrix"\n{MATRIX}\n[lights]\n{lights}\n')


MATRIX = "rows = [4, 17, 27, 22, 5, 6, 13, 19]\ncolumns = [23, 24, 25, 1, 12, 16, 20, 26]"


def graded(findings: Iterable[Finding], grade: str) -> list[str]:
    """The sentences of that grade."""
    return [finding.say for finding in findings if finding.grade == grade]


def found(findings: Iterable[Finding], about: str) -> Finding:
    """The only finding about that."""
    (finding,) = [finding for finding in findings if finding.about == about]
    return finding


# The computer -----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_each_pi_is_known_with_its_revision_and_system(model: str, tmp_path: Path) -> None:
    name, revision, kind = MODELS[model]
    pi = machine(grow(tmp_path, model))
    assert pi.pi == kind
    findings = list(examine(pi, None))
    assert found(findings, "computer") == Finding("ok", "computer", f"{name}, revision {revision}.")
    assert found(findings, "system").say == "Debian GNU/Linux 12 (bookworm), kernel 6.6.51+rpt-rpi-v8."


@pytest.mark.parametrize("model", ["zero2", "pi3", "pi4", "pi5"])
def test_a_pi_that_is_set_up_has_no_fault(model: str, tmp_path: Path) -> None:
    pi, table = machine(grow(tmp_path, model)), wired(tmp_path)
    findings = [*examine(pi, table), *check_pins(pi, table), *check_supply(table)]
    assert not graded(findings, "fault")
    assert [finding.about for finding in findings if finding.grade == "remark"] == ["supply"]


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
    assert say.endswith("not installed: rpi_ws281x, pyserial.")


# config.txt -------------------------------------------------------------------------------------


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
    assert machine(grow(tmp_path, "pi4", config=config)).setting("core_freq") == value


@pytest.mark.parametrize(
    ("config", "on"),
    [("dtparam=spi=on", True), ("dtparam=spi", True), ("dtparam=i2c_arm=on,spi=on", True), ("dtparam=spi=off", False),
     ("dtparam=spi=on\ndtparam=spi=off", False), ("dtparam=audio=on", False), ("", False)],
)  # fmt: skip
def test_parameters_are_read_as_the_firmware_reads_them(config: str, on: bool, tmp_path: Path) -> None:
    assert machine(grow(tmp_path, config=config)).param("spi") is on


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


def test_a_small_supply_is_remarked_on_and_one_for_nothing_is_a_fault(tmp_path: Path) -> None:
    full = round(estimate([(255, 255, 255)] * 64))
    for supply, grade in ((full, "ok"), (full - 1, "remark"), (200, "remark"), (184, "fault")):
        (finding,) = check_supply(wired(tmp_path, more=f"supply = {supply}"))
        assert (finding.grade, str(full) in finding.say) == (grade, True)


def test_a_board_file_that_cannot_be_read_is_a_fault_with_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("supply = -3\n")
    read, findings = look_at_file(str(path))
    assert read is None
    assert graded(findings, "fault")[0].startswith(f"{path}: supply")
    assert look_at_file(str(tmp_path / "none.toml"))[1][0].grade == "fault"


def test_a_board_counts_as_named_by_the_command_or_the_configuration() -> None:
    assert is_named("grid", "grid")
    assert is_named(None, "pits")
    assert not is_named(None, "grid")


def test_findings_are_told_one_a_line_and_faults_counted(capsys: pytest.CaptureFixture[str]) -> None:
    told = Told(aloud=True)
    told.add([Finding("ok", "spi", "SPI is on."), Finding("fault", "pins", "GPIO 4 is used twice.")])
    assert told.faults == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok      spi        SPI is on.",
        "fault   pins       GPIO 4 is used twice.",
    ]


# The sensors ------------------------------------------------------------------------------------


def watched(frames: Iterable[Levels], trouble: Trouble | None = None) -> list[Finding]:
    """What is found out about 4 channels whose frames are 10 ms apart and took a millisecond each."""
    watch = Watch(4)
    for number, frame in enumerate(frames):
        watch.feed(frame, number / 100, 0.001, trouble)
    return list(watch.findings({0: "a1", 1: "b1"}))


def test_quiet_sensors_are_well() -> None:
    scan, sensors = watched([(0, 0, 0, 0)] * 201)
    assert scan == Finding("ok", "scan", "100 scans a second, 1.00 ms each.")
    assert sensors == Finding("ok", "sensors", "4 channels, all of them open and quiet.")


def test_channels_that_stay_closed_flicker_or_tell_nothing_are_named() -> None:
    frames = [(1, int(number % 40 < 20), None, 0) for number in range(300)]
    findings = watched(frames)
    assert [finding.grade for finding in findings] == ["ok", "fault", "fault", "remark"]
    assert "Channel 2 told nothing" in findings[1].say
    assert "Channel 1 (b1) changed again and again" in findings[2].say
    assert "Channel 0 (a1) closed all the time" in findings[3].say


def test_one_piece_put_and_lifted_is_no_flicker() -> None:
    frames = [(0, int(50 < number < 150), 0, 0) for number in range(300)]
    assert not graded(watched(frames), "fault")


def test_sensors_that_tell_nothing_at_all_are_one_fault() -> None:
    (finding,) = watched([(None,) * 4] * 10)
    assert finding.grade == "fault"
    assert watched([])[0].grade == "fault"


def test_ghosts_are_named_with_their_points() -> None:
    findings = watched([(0, 0, 0, 0)] * 10, Trouble("ghosts", (0, 1)))
    assert graded(findings, "fault") == [
        "Channels 0 (a1) and 1 (b1) show ghosts: clear the board; if it stays, see the diodes there."
    ]


def test_a_slow_scan_is_remarked_on() -> None:
    watch = Watch(1)
    for number in range(10):
        watch.feed((0,), number / 10, 0.02)
    assert graded(watch.findings({}), "remark") == [
        "11 scans a second, 20.00 ms each; a hundred a second leave little time for the rest."
    ]


SMALL = '[points]\nfiles = 2\nranks = 2\n[scanner]\nkind = "gpio_matrix"\nrows = [4, 17]\ncolumns = [23, 24]\n'


def test_live_lines_show_the_board_as_it_lies(tmp_path: Path) -> None:
    table = board(tmp_path, 'masked = ["b2"]\n' + SMALL)
    lines = list(live(table, (0, 1, None, 2), ()))
    assert lines == ["  2  ?  -", "  1  .  #", "     a  b", "closed channels of no point: 3"]
    assert list(live(table, (0, 1, 0, 0), (500, 700, 510, 505)))[1].split() == ["1", ".500", "#700"]


def test_live_lines_of_named_points(tmp_path: Path) -> None:
    names = (
        '[points]\nnames = ["S1", "S2", "N1"]\n[scanner]\nkind = "gpio_matrix"\nrows = [4]\ncolumns = [23, 24, 25]\n'
    )
    assert next(live(board(tmp_path, names), (0, 1, 0), ())) == "S1: .  S2: #  N1: ."


def test_changes_are_lines_with_the_point(tmp_path: Path) -> None:
    table = board(tmp_path, 'masked = ["b2"]\n' + SMALL)
    assert list(changes(table, (0, 0, 1, 0), (0, 1, 1, 1))) == [
        "channel 1 (b1): . -> #",
        "channel 3 (no point): . -> #",
    ]


def test_the_test_pictures_show_corner_order_and_colours() -> None:
    points: Any = ["a1", "b1", "a2"]
    pictures = [shot.picture for shot in shots(points)]
    lit = [[place for place, colour in enumerate(picture) if any(colour)] for picture in pictures]
    assert lit[:6] == [[0], [0], [1], [2], [3], [4]]
    assert [set(picture) for picture in pictures[6:]] == [
        {(255, 0, 0)}, {(0, 255, 0)}, {(0, 0, 255)}, {(255, 255, 255)},
    ]  # fmt: skip
