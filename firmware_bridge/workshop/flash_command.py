"""`tablelight flash`: the firmware built from the sources that come with the program, and put on a Nano or Uno.

The boot loader is spoken to by avrdude, at the rate of an Uno or newer Nano and then, where nobody answers, at that of
an older Nano. Whatever is in the way comes as one sentence.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

from firmware_bridge.i18n import print_lines
from firmware_bridge.workshop import RATES
from hardware.device import DeviceError

SOURCES = Path(__file__).parents[2] / "hardware" / "mcu"
BOARDS = {"matrix": "mcu", "pits": "mcu-pits"}
"""The board file for each firmware."""
CHIP, SIGNATURE = "atmega328p", "1e950f"
PATIENCE = 60
"""Seconds that avrdude has: ten attempts of 5 s, or a whole program at the slower rate in 12 (measured at a pretended
boot loader)."""
DEVICES = ("tablelight", "serial/by-id/*", "ttyUSB*", "ttyACM*")
"""Where boards are, under /dev."""
TOOLS = {"make": "make", "avr-gcc": "gcc-avr avr-libc binutils-avr", "avrdude": "avrdude"}
"""What is run, and the packages of Debian that have it."""


def flash(firmware: str, port: str, baud: int | None) -> int:
    """Build `firmware` and put it on the board at `port`, or at the only one there is; DeviceError."""
    missing = [packages for tool, packages in TOOLS.items() if not shutil.which(tool)]
    if missing:
        raise DeviceError(f"flashing needs tools that are missing: sudo apt install {' '.join(missing)}")
    port = port or only_port()
    look_at(port)
    with TemporaryDirectory(prefix="tablelight-") as folder:
        program = build(firmware, Path(folder))
        print_lines(f"Putting {firmware} on the board at {port}; leave it plugged in ...")
        put(program, port, [baud] if baud else RATES)
    print_lines(f"The board has the firmware {firmware}. Next: tablelight doctor --board {BOARDS[firmware]}")
    return 0


def only_port(devices: Path = Path("/dev")) -> str:
    """The port of the one board that is plugged in; DeviceError if there is none, or more than one."""
    found = {os.path.realpath(path): str(path) for each in reversed(DEVICES) for path in sorted(devices.glob(each))}
    if not found:
        raise DeviceError("no board is plugged in: connect the Nano or Uno by USB, or name its port with --port")
    if len(found) > 1:
        ports = ", ".join(sorted(found.values()))
        raise DeviceError(f"there is more than one board: name the one that is meant with --port ({ports})")
    return next(iter(found.values()))


def look_at(port: str) -> None:
    """DeviceError unless the port is there, open to this user, and no other program of ours has it."""
    try:
        file = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as error:
        raise DeviceError(advice(port, error)) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as pyserial does, which has the port at a running table
    except BlockingIOError:
        raise DeviceError(f"{port} is in use: end the program that has it (sudo systemctl stop tablelight)") from None
    finally:
        os.close(file)


def advice(port: str, error: OSError) -> str:
    """One sentence on what to do about `error` from the port."""
    if isinstance(error, FileNotFoundError):
        return f"there is no {port}: plug the board in, or name another port with --port (ls /dev/serial/by-id)"
    if isinstance(error, PermissionError):
        return f"{port} is not open to this user: sudo usermod -aG dialout $USER, then log in again"
    if error.errno in (errno.ENXIO, errno.ENODEV, errno.EIO):
        return f"{port} does not answer: unplug the board, plug it in again, and try once more"
    return f"{port} cannot be opened: {error.strerror or error}"


def build(firmware: str, folder: Path) -> Path:
    """The program for the chip, made in `folder`; DeviceError."""
    target = folder / f"{firmware}.hex"
    command = ["make", "--no-print-directory", "-C", str(SOURCES), f"OUT={folder}", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"LC_ALL": "C"})
    if done.returncode:
        fault = next((line for line in done.stderr.splitlines() if "error" in line), "make failed")
        raise DeviceError(f"the firmware cannot be built from {SOURCES}: {fault.strip()}")
    size = re.search(rf"^{firmware}: .*", done.stdout, re.MULTILINE)
    print_lines(f"Built {size[0] if size else firmware}.")
    return target


def put(program: Path, port: str, rates: Sequence[int]) -> None:
    """Let avrdude put it on the chip, at the first of these rates that its boot loader answers at; DeviceError."""
    said = ""
    for rate in rates:
        fault = run_avrdude(program, port, rate)
        if fault is None:
            return
        said = fault
        if "not in sync" not in said:
            break
    raise DeviceError(explained(said, port, rates))


def run_avrdude(program: Path, port: str, rate: int) -> str | None:
    """What avrdude says where it fails, None where it does not. It is stopped at its second attempt in vain."""
    command = ["avrdude", "-p", CHIP, "-c", "arduino", "-P", port, "-b", str(rate), "-D", "-U", f"flash:w:{program}:i"]
    said = []
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:
        assert running.stderr
        late = Timer(PATIENCE, running.kill)
        late.start()
        for line in running.stderr:
            said.append(line)
            if "attempt 2 of" in line:
                running.kill()
                break
        status = running.wait()
        late.cancel()
    return "".join(said) if status else None


def explained(said: str, port: str, rates: Sequence[int]) -> str:
    """One sentence on what avrdude said."""
    found = re.search(r"device signature = (?:0x)?([0-9a-f ]+?)(?: \(probably (\w+)\)|\)|\n)", said, re.IGNORECASE)
    signature = found[1].replace(" ", "").lower() if found else SIGNATURE
    if signature != SIGNATURE:
        name = f" ({found[2]})" if found and found[2] else ""
        return (
            f"the board at {port} has another chip, with the signature {signature}{name}: the firmware is for an "
            "ATmega328P, as a Nano or Uno has it"
        )
    if "not in sync" in said or "not responding" in said:
        tried = " and ".join(map(str, rates))
        return (
            f"nobody answers at {port} (tried at {tried} baud): press the board's reset button just before, or see "
            "that it is a Nano or Uno with a boot loader"
        )
    if "verification" in said.lower():
        return f"what was written to the board at {port} reads back otherwise: try once more, with another cable"
    last = [line.strip() for line in said.splitlines() if "error" in line.lower()]
    return f"avrdude cannot use the board at {port}: {last[-1] if last else 'it said nothing'}"
