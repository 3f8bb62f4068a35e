"""Building the firmware: its options, and what it says where they do not fit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.firmware.chip import MCU, Chip, build
from tests.firmware.frames import ASK, DONE, SHOW, VERSION, crc


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """Run make on the firmware."""
    return subprocess.run(["make", "-C", str(MCU), *words], capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("built")
def test_it_says_how_large_it_is_and_makes_what_is_flashed(tmp_path: Path) -> None:
    made = make(f"OUT={tmp_path}")
    assert "matrix: flash " in made.stdout
    assert "pits: flash " in made.stdout
    assert (tmp_path / "matrix.hex").read_text().startswith(":")
    assert (tmp_path / "pits.hex").exists()


@pytest.mark.usefixtures("built")
@pytest.mark.long
def test_a_long_strip_works_and_one_too_long_is_not_built(tmp_path: Path) -> None:
    build(tmp_path, PIXELS=380)
    with Chip(tmp_path / "chip", tmp_path / "matrix.elf") as chip:
        chip.run(60)
        hello = chip.ask(ASK, VERSION)
        assert hello is not None
        assert hello.hello[4] == 380
        shown = chip.ask(SHOW, crc(bytes(1140)).to_bytes(2, "little"))
        assert shown is not None
        assert shown.kind == DONE
        chip.run(5000)
        brightest = max(picture.colours for picture in chip.pictures())
        assert sum(brightest) * 55 / 765 < 400, "mA, however many lights breathe"
    refused = make(f"OUT={tmp_path}", "PIXELS=500")
    assert refused.returncode != 0
    assert "too large, take fewer PIXELS" in refused.stdout
    assert not (tmp_path / "matrix.elf").exists()


def test_flashing_asks_for_the_port(built: Path) -> None:
    made = make(f"OUT={built}", "flash")
    assert made.returncode != 0
    assert "make flash PORT=" in made.stdout


@pytest.mark.parametrize(("programmer", "erases"), [("arduino", False), ("usbasp", True)])
def test_only_a_boot_loader_is_told_not_to_erase(built: Path, programmer: str, erases: bool) -> None:
    made = make(f"OUT={built}", "-n", "flash", "PORT=there", f"PROGRAMMER={programmer}", "FIRMWARE=pits")
    assert f"-c {programmer} -P there" in made.stdout
    assert f"-U flash:w:{built}/pits.hex:i" in made.stdout
    assert (" -D " in made.stdout) != erases
