"""Computers as folder trees, for the doctor to look at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from firmware_bridge.workshop.doctor import Finding
from firmware_bridge.workshop.machine import Machine, User
from hardware.board import Board, read_board
from hardware.device import DeviceError

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
