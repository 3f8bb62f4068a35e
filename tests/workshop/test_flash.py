"""`tablelight flash`, with the real compiler and the real avrdude, at a boot loader on a pseudo terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from firmware_bridge.workshop import flash_command
from firmware_bridge.workshop.flash_command import advice, build, explained, look_at, only_port, put
from hardware.device import DeviceError
from hardware.serial.port import Port
from tests.workshop.boot_loader import ATTINY85, BootLoader

TOOLS = ("make", "avr-gcc", "avrdude")
tools = pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason="avr-gcc or avrdude is not here")
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def nano() -> Iterator[BootLoader]:
    loader = BootLoader()
    yield loader
    loader.close()


@tools
def test_the_firmware_is_built_and_is_on_the_chip_afterwards(nano: BootLoader, tmp_path: Path, capsys: Capture) -> None:
    assert main(["flash", "pits", "--port", nano.path]) == 0
    out = capsys.readouterr().out
    assert "Built pits: flash" in out
    assert out.endswith("Next: tablelight doctor --board mcu-pits\n")
    rows = [bytes.fromhex(line[1:]) for line in build("pits", tmp_path).read_text().split()]
    told = [(row[1] << 8 | row[2], row[4:-1]) for row in rows if row[3] == 0]
    program = {first + place: byte for first, data in told for place, byte in enumerate(data)}
    assert len(program) > 3000
    assert {place: nano.flash[place] for place in program} == program


@tools
def test_another_chip_is_named_and_nothing_is_written_to_it(capsys: Capture) -> None:
    loader = BootLoader(ATTINY85)
    assert main(["flash", "--port", loader.path]) == 2
    says = f"the board at {loader.path} has another chip, with the signature 1e930b"
    assert says in capsys.readouterr().err
    assert set(loader.flash) == {0xFF}
    loader.close()


MUTE = """\
avrdude error: programmer is not responding
avrdude warning: attempt 1 of 10: not in sync: resp=0x00
"""
"""What avrdude 7.1 says where nobody answers."""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (MUTE, r"^nobody answers at /dev/ttyUSB0 \(tried at 115200 and 57600 baud\): press the board's reset"),
        ("avrdude: Device signature = 0x1e9307\n", "another chip, with the signature 1e9307: .*ATmega328P"),
        ("Device signature = 1E 95 14 (probably m328)\n", r"signature 1e9514 \(m328\)"),
        ("avrdude: verification error, first mismatch at byte 0x0000\n", "reads back otherwise: try once more"),
        ("avrdude error: butterfly\n", "cannot use the board at /dev/ttyUSB0: avrdude error: butterfly$"),
        ("", "cannot use the board at /dev/ttyUSB0: it said nothing$"),
    ],
)
def test_what_avrdude_says_is_told_in_a_sentence(said: str, words: str) -> None:
    with pytest.raises(DeviceError, match=words):
        raise DeviceError(explained(said, "/dev/ttyUSB0", (115_200, 57_600)))


def test_an_avrdude_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = tmp_path / "avrdude"
    hangs.write_text("#!/bin/sh\nexec /bin/cat /dev/zero >/dev/null\n")
    hangs.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(flash_command, "PATIENCE", 0.1)
    with pytest.raises(DeviceError, match="cannot use the board at /dev/ttyUSB0: it said nothing"):
        put(tmp_path / "matrix.hex", "/dev/ttyUSB0", (115_200,))


# The port ---------------------------------------------------------------------------------------


def test_the_only_board_is_taken_under_its_best_name(tmp_path: Path) -> None:
    (tmp_path / "ttyUSB0").touch()
    assert only_port(tmp_path) == str(tmp_path / "ttyUSB0")
    (tmp_path / "tablelight").symlink_to("ttyUSB0")
    assert only_port(tmp_path) == str(tmp_path / "tablelight")


def test_no_board_and_two_boards_are_told(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"^no board is plugged in: connect .*--port$"):
        only_port(tmp_path)
    for name in ("ttyUSB0", "ttyACM1"):
        (tmp_path / name).touch()
    with pytest.raises(DeviceError, match="more than one board: .*ttyACM1, .*ttyUSB0"):
        only_port(tmp_path)


@tools
def test_a_port_that_is_not_there_is_told_before_anything_is_built(capsys: Capture) -> None:
    assert main(["flash", "--port", "/dev/ttyUSB99"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "there is no /dev/ttyUSB99: plug the board in" in told.err


def test_a_port_that_a_running_table_has_is_left_to_it(nano: BootLoader) -> None:
    table = Port(nano.path, 115_200)
    with pytest.raises(DeviceError, match=r"is in use: end the program that has it \(sudo systemctl stop tablelight"):
        look_at(nano.path)
    table.close()
    look_at(nano.path)


def test_a_port_that_is_closed_to_the_user_is_a_matter_of_groups() -> None:
    assert "usermod -aG dialout" in advice("/dev/ttyUSB0", PermissionError(13, os.strerror(13)))


def test_missing_tools_are_named_with_their_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "make").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["flash"]) == 2
    assert capsys.readouterr().err == (
        "tablelight: flashing needs tools that are missing: sudo apt install gcc-avr avr-libc binutils-avr avrdude\n"
    )
