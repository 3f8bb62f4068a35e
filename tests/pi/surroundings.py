"""What is around the virtual Pi: a micro-controller on a serial line, and a broker with another table in its network.

The micro-controller is the emulated chip of tests/firmware with the firmware of hardware/mcu, behind QEMU's serial
adapter for USB, which is an FTDI by its numbers; by a second line hands reach it from within the machine. The other
table is a process that plays at random with hands of its own (benchmarks/club.py), which begins as soon as the Pi has
joined by its words.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from tests.firmware.chip import build, missing

OUTSIDE = "10.0.2.2"
"""The computer outside, in QEMU's network."""
WORDS = re.compile(r"(?:[a-z]{5}-){5}[a-z]{5}")
PATIENCE = 30.0


class Surroundings:
    """All of it, running until the context ends; its files are in a folder. `turns` of `game` are played outside."""

    def __init__(self, folder: Path, game: str, turns: int) -> None:
        if fault := missing() or (MISSING if not MOSQUITTO else ""):
            raise SystemExit(f"{fault}; the short form does without: make test-pi SHORT=1")
        self._port, self._control = folder / "port", folder / "chip.ctl"
        self._log = folder / "told"
        with ExitStack() as running:
            self._start_chip(folder, running)
            broker = RunningBroker(folder)
            running.callback(broker.kill)
            words = _invite(folder, game, broker.address)
            address = f"mqtt://{OUTSIDE}:{broker.port}"
            self.told = {"broker": address, "words": words, "game": game, "turns": turns}
            """What the Pi has to know of the other table."""
            self._start_table(folder, turns, running)
            self._running = running.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def _start_chip(self, folder: Path, running: ExitStack) -> None:
        build(folder / "mcu")
        chip = (folder / "mcu/chip", folder / "mcu/matrix.elf", "--pty", self._port, "--control", self._control)
        running.callback(_kill, subprocess.Popen(chip))
        ends = time.monotonic() + PATIENCE
        while not (self._port.exists() and self._control.exists()):
            assert time.monotonic() < ends, "the emulated chip does not start"
            time.sleep(0.05)

    def _start_table(self, folder: Path, turns: int, running: ExitStack) -> None:
        playing = ("--table", folder / "tablelight/link", "--sense", "presence", "--turns", str(turns))
        with self._log.open("w") as told, (folder / "table.log").open("w") as log:
            command = (sys.executable, "-m", "benchmarks.club", *playing)
            running.callback(_kill, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=told, stderr=log))

    @property
    def devices(self) -> tuple[str, ...]:
        """The options of QEMU that give the machine a line to each of them."""
        return (
            "-netdev", "user,id=outside", "-device", "virtio-net-device,netdev=outside",
            "-device", "qemu-xhci", "-chardev", f"serial,id=chip,path={self._port}",
            "-device", "usb-serial,chardev=chip",
            "-device", "virtio-serial-device", "-chardev", f"socket,id=hands,path={self._control}",
            "-device", "virtserialport,chardev=hands,name=chip",
        )  # fmt: skip

    def turns(self) -> list[str]:
        """The turns of the game as the other table has them; none if it did not get so far."""
        told = [json.loads(line) for line in self._log.read_text().splitlines()]
        return next((each["turns"] for each in told if each["what"] == "over"), [])


def _invite(folder: Path, game: str, address: str) -> str:
    """Pair the table with whoever has the words, which are returned."""
    pairing = (sys.executable, "-m", "firmware_bridge", "link", "new", game, "--broker", address)
    told = subprocess.check_output(pairing, env={**os.environ, "XDG_STATE_HOME": str(folder)}, text=True)
    words = WORDS.search(told)
    assert words, told
    return words[0]


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
