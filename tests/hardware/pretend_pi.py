"""A Raspberry Pi that is a folder: the real libraries run on it where those of shim/ are preloaded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from hardware.device import Colour
from hardware.strip import Order

SHIM = Path(__file__).parent / "shim"
ROOT = Path(__file__).parents[2]
FOLDER = "TABLELIGHT_PI"
"""The environment variable that names the folder."""
US = 1e6
ZERO, ZERO_REST = (0.2, 0.5), (0.65, 1.0)
ONE, ONE_REST = (0.55, 1.0), (0.2, 0.6)
"""Microseconds that the line is high and then low for a bit, as lights take it."""
RESET = 280
"""Microseconds of silence after which lights begin anew."""


class Transfer(NamedTuple):
    """What went out at once: by which device, at how many bits a second."""

    device: str
    rate: int
    data: bytes


class PretendPi:
    """The folder: what is in it is what the Pi has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._failing, self._wire = folder / "fail", folder / "wire"
        self._across = 0

    def be(self, model: str = "Raspberry Pi 3 Model B Rev 1.2", revision: int = 0xA02082) -> PretendPi:
        """Become a new Pi of that model with SPI switched on."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "proc/device-tree/system").mkdir(parents=True)
        (self.folder / "dev").mkdir()
        for device in ("spidev0.0", "spidev0.1", "i2c-1", "gpiomem", "mem", "vcio"):
            (self.folder / "dev" / device).touch()
        (self.folder / "dev/leds0").write_text("8\n")
        (self.folder / "dev/gpiochip0").touch()
        (self.folder / "pressed").write_bytes(bytes(54))
        (self.folder / "proc/cpuinfo").write_text(f"processor\t: 0\nRevision\t: {revision:06x}\n")
        (self.folder / "proc/device-tree/model").write_text(f"{model}\0")
        (self.folder / "proc/device-tree/system/linux,revision").write_bytes(revision.to_bytes(4, "big"))
        return self

    def take_away(self, path: str) -> None:
        """There is no such device any more."""
        (self.folder / path.lstrip("/")).unlink()

    def forbid(self, path: str) -> None:
        """Nobody may open that device."""
        (self.folder / path.lstrip("/")).chmod(0)

    def set_buffer(self, size: int) -> None:
        """The kernel takes that many bytes in one SPI transfer."""
        place = self.folder / "sys/module/spidev/parameters"
        place.mkdir(parents=True, exist_ok=True)
        (place / "bufsiz").write_text(f"{size}\n")

    def fail(self) -> None:
        """No transfer succeeds from now on."""
        self._failing.touch()

    def heal(self) -> None:
        """Transfers succeed again."""
        self._failing.unlink(missing_ok=True)

    def forget(self) -> None:
        """Forget what went out."""
        self._wire.unlink(missing_ok=True)

    def wire(self, rows: Sequence[int], columns: Sequence[int], *, diodes: bool = False) -> None:
        """Connect a matrix of open switches to these GPIOs; it is there when lines are claimed next."""
        self._across = len(columns)
        lines = [f"rows {' '.join(map(str, rows))}", f"columns {' '.join(map(str, columns))}"]
        (self.folder / "dev/gpiochip0").write_text("\n".join([*lines, *["diodes"] * diodes, ""]))
        (self.folder / "switches").write_bytes(bytes(1024))

    def wire_register(self, load: int, clock: int, data: int) -> None:
        """Connect a chain of 74HC165 to these GPIOs; what stands at its inputs is `set_register`."""
        (self.folder / "dev/gpiochip0").write_text(f"register {load} {clock} {data}\n")

    def plug_chip(self, address: int, registers: bytes) -> None:
        """A chip with these registers answers at that address of /dev/i2c-1."""
        (self.folder / "i2c").mkdir(exist_ok=True)
        (self.folder / "i2c" / f"{address:02x}").write_bytes(registers)

    def registers(self, address: int) -> bytes:
        """What the registers of a chip hold."""
        return (self.folder / "i2c" / f"{address:02x}").read_bytes()

    def set_register(self, data: bytes) -> None:
        """What SPI and the register read, from the first bit on."""
        (self.folder / "miso").write_bytes(data)

    def switch(self, row: int, column: int, *, closed: bool = True) -> None:
        """Close or open the switch where these lines of the matrix cross, counted from 0."""
        self._set("switches", row * self._across + column, closed)

    def press(self, gpio: int, *, pressed: bool = True) -> None:
        """Press or release a button between this GPIO and ground."""
        self._set("pressed", gpio, pressed)

    def shorts(self) -> list[int]:
        """The GPIOs that were driven high while something pulled them low."""
        log = self.folder / "shorts"
        return [int(line) for line in log.read_text().split()] if log.exists() else []

    def _set(self, name: str, place: int, value: bool) -> None:
        # In place: the file is mapped by who reads it.
        with (self.folder / name).open("r+b") as file:
            file.seek(place)
            file.write(bytes([value]))

    def transfers(self) -> list[Transfer]:
        """What went out, oldest first."""
        lines = self._wire.read_text().splitlines() if self._wire.exists() else []
        return [Transfer(device, int(rate), bytes.fromhex(data)) for device, rate, data in map(str.split, lines)]

    def lit(self, order: Order = "GRB") -> list[Colour]:
        """What a strip shows that heard everything; nothing if it heard nothing."""
        heard = self.transfers()
        if heard and heard[-1].device == "leds0":
            return [(red, green, blue) for red, green, blue, _ in zip(*[iter(heard[-1].data)] * 4, strict=True)]
        return decode(heard[-1].data, heard[-1].rate, order)[0] if heard else []


def decode(data: bytes, rate: int, order: Order = "GRB", *, before: str = "") -> tuple[list[Colour], float]:
    """The colours that lights take from the line, and for how many microseconds it is silent then; checks every bit.

    `before` is what the line did right before, a digit a bit: what began then counts unless a silence ends it.
    """
    told = pulses(data, rate, before)
    begins = max((at + 1 for at, (_, low) in enumerate(told[:-1]) if low >= RESET), default=0)
    bits = "".join(_bit(high, low, last=at == len(told) - 1) for at, (high, low) in enumerate(told) if at >= begins)
    values = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    assert len(bits) % 24 == 0, f"{len(bits)} bits are no whole lights"
    lights = [dict(zip(order, values[at : at + 3], strict=True)) for at in range(0, len(values), 3)]
    return [(light["R"], light["G"], light["B"]) for light in lights], told[-1][1]


def pulses(data: bytes, rate: float, before: str = "") -> list[tuple[float, float]]:
    """For how many microseconds the line is high and then low, each time that it rises."""
    line = before + "".join(f"{byte:08b}" for byte in data)
    return [(len(high) * US / rate, len(low) * US / rate) for high, low in re.findall("(1+)(0+)", line)]


def _bit(high: float, low: float, last: bool) -> str:
    for bit, (shortest, longest), (rest, longest_rest) in (("0", ZERO, ZERO_REST), ("1", ONE, ONE_REST)):
        if shortest <= high <= longest and rest <= low and (last or low <= longest_rest):
            return bit
    raise AssertionError(f"high for {high:.2f} us and then low for {low:.2f} us is no bit")


def missing() -> str:
    """What keeps the pretended Pi from running here, if anything."""
    if not sys.platform.startswith("linux"):
        return "libraries are preloaded on Linux only"
    return "" if shutil.which("gcc") else "there is no gcc to compile shim/pi.c"


def compiled(source: str, folder: Path) -> Path:
    """The library to preload, made of shim/`source`, in `folder`."""
    library = folder / source.replace(".c", ".so")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", str(library), str(SHIM / source), "-ldl"], check=True)
    return library


def run_tests(libraries: Sequence[Path], folder: Path, *arguments: str) -> list[str]:
    """Run these tests on a pretended Pi in `folder`; the names of those that passed. All must have."""
    report = folder.with_suffix(".xml")
    environment = os.environ | {
        "LD_PRELOAD": ":".join(map(str, libraries)),
        FOLDER: str(folder),
        "LG_WD": str(folder.parent),
        "PYTEST_ADDOPTS": "",
    }
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", f"--junitxml={report}"]
    command += arguments
    child = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert child.returncode == 0, f"{child.stdout[-4000:]}{child.stderr[-2000:]}"
    cases = list(ElementTree.parse(report).iter("testcase"))
    assert not [case.get("name") for case in cases if len(case)], "skipped or failed"
    return [case.get("name", "") for case in cases]
