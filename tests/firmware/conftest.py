"""Builds the firmware once, and gives each test a chip of its own that has just been switched on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware.chip import Chip, build, missing


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the firmware and the program that runs it."""
    if missing():
        pytest.skip(missing())
    folder = tmp_path_factory.mktemp("mcu")
    build(folder)
    return folder


@pytest.fixture
def power_on(built: Path) -> Callable[..., Chip]:
    """Switches a chip on that has said nothing yet."""
    return lambda *options, firmware="matrix": Chip(built / "chip", built / f"{firmware}.elf", *options)


@pytest.fixture(scope="session")
def built_slow(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for 115,200 baud."""
    folder = tmp_path_factory.mktemp("slow")
    build(folder, BAUD=115200)
    return folder


@pytest.fixture
def slow(built_slow: Path) -> Iterator[Chip]:
    """A chip with a matrix on a line of 115,200 baud that has said hello."""
    with Chip(built_slow / "chip", built_slow / "matrix.elf", "--baud", "115200") as chip:
        chip.run(30)
        yield chip


@pytest.fixture
def chip(power_on: Callable[..., Chip]) -> Iterator[Chip]:
    """A chip with a matrix that has said hello."""
    with power_on() as chip:
        chip.run(20)
        yield chip


@pytest.fixture
def pits(power_on: Callable[..., Chip]) -> Iterator[Chip]:
    """A chip with scales that has said hello."""
    with power_on("--pits", firmware="pits") as chip:
        chip.run(20)
        yield chip
