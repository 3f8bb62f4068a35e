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
from pathlib import Path

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from tests.firmware.chip import build, missing

OUTSIDE = "10.0.2.2"
"""The computer outside, in QEMU's network."""
GAME, TURNS = "yin-yang", 20
"""What is played with the other table, and how far: as tests/pi/evening.py does."""
WORDS = re.compile(r"(?:[a-z]{5}-){5}[a-z]{5}")
PATIENCE = 30.0


class Surroundings:
    """All of it, running, with its files in a folder."""

    def __init__(self, folder: Path) -> None:
        if fault := missing() or (MISSING if not MOSQUITTO else ""):
            raise SystemExit(f"{fault}; the short form does without: make test-pi SHORT=1")
        self._port, self._control = folder / "port", folder / "chip.ctl"
        self._told = folder / "told"
        build(folder / "mcu")
        chip = (folder / "mcu/chip", folder / "mcu/matrix.elf", "--pty", self._port, "--control", self._control)
        self._processes = [subprocess.Popen(chip)]
        self._broker = RunningBroker(folder)
        environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
        pairing = ("-m", "firmware_bridge", "link", "new", GAME, "--broker", self._broker.address)
        words = WORDS.search(subprocess.check_output((sys.executable, *pairing), env=environment, text=True))
        assert words
        self.address = f"mqtt://{OUTSIDE}:{self._broker.port}#{words[0]}"
        """The broker and the six words, for within."""
        playing = ("--table", folder / "tablelight/link", "--sense", "presence", "--turns", str(TURNS))
        with self._told.open("w") as told, (folder / "table.log").open("w") as log:
            self._table = subprocess.Popen(
                (sys.executable, "-m", "benchmarks.club", *playing), stdin=subprocess.PIPE, stdout=told, stderr=log
            )
        self._processes.append(self._table)
        ends = time.monotonic() + PATIENCE
        while not (self._port.exists() and self._control.exists()):
            assert time.monotonic() < ends, "the emulated chip does not start"
            time.sleep(0.05)

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

    def end(self) -> list[str]:
        """End all of it; the turns of the game as the other table has them, none if it did not get so far."""
        for process in self._processes:
            process.kill()
            process.wait()
        self._broker.kill()
        told = [json.loads(line) for line in self._told.read_text().splitlines()]
        return next((each["turns"] for each in told if each["what"] == "over"), [])
