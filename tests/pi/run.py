"""Boots the virtual Pi that build.sh has made, and tells what the evening in it says, as it happens.

    sudo make test-pi            # the whole evening
    sudo make test-pi SHORT=1    # one game that is cut off

The log, the console and what was measured are then in ``build/pi/results``. The exit status is 0 if all of it was seen
and the computer has switched itself off in the end.
"""

from __future__ import annotations

import json
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE.parents[1]
BUILD = SOURCE / "build/pi"
RESULTS = BUILD / "results"
LONGEST = {"whole": 3000, "short": 1200}
"""Seconds until a form is given up: more than twice what it takes on two cores of a server, a guess."""
PATIENCE = 6
"""How many times as long as in a container everything may take in here."""
QUIET = 15.0
"""Seconds without a word after which the last line of the console is shown."""
LAST = "power button held"
NEEDED = ("tests/systemd/players.py", "tests/hardware/pretend_pi.py", "tests/pi/wired.py", "tests/pi/loop.py",
          "tests/pi/evening.py", "tests/pi/inside.sh", "systemd/page.conf")  # fmt: skip
"""What the Pi is handed of this tree; the program it has from its image."""
KERNEL = (
    "console=ttyAMA0 panic=-1 systemd.mask=serial-getty@ttyAMA0.service systemd.wants=pi-test.service "
    "systemd.default_timeout_start_sec=600"
)
"""A unit may take long to start: where much else runs, the emulation is several times as slow again."""
FASTER = "nokaslr kpti=off mitigations=off"
"""Page tables of the kernel's own, which come with a random place for it and no Cortex-A53 needs, are slow in QEMU."""


def command(exchange: Path, console: Path) -> list[str]:
    """What starts the machine; nothing that it writes to its disk is kept."""
    return [
        "qemu-system-aarch64", "-M", "virt", *shlex.split((HERE / "machine").read_text()), "-no-reboot",
        "-kernel", str(BUILD / "vmlinuz"), "-initrd", str(BUILD / "initramfs"), "-dtb", str(BUILD / "pi.dtb"),
        "-append", f"{KERNEL} {FASTER}", "-serial", f"file:{console}",
        "-drive", f"file={BUILD / 'root.ext4'},format=raw,if=none,id=root,snapshot=on",
        "-device", "virtio-blk-device,drive=root",
        "-fsdev", f"local,id=exchange,path={exchange},security_model=none",
        "-device", "virtio-9p-device,fsdev=exchange,mount_tag=exchange", "-device", "virtio-rng-device",
    ]  # fmt: skip


def make_exchange(folder: Path, form: str) -> Path:
    """The folder that the machine and this program share."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in NEEDED:
        to = folder / (name if name.endswith((".py", ".sh")) else Path(name).name)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / name, to)
    (folder / "form").write_text(form)
    (folder / "patience").write_text(str(PATIENCE))
    return folder


def lines(path: Path, seen: int) -> tuple[list[str], int]:
    """The whole lines of a file that grows, behind those `seen` (in bytes); and how much is seen then."""
    text = path.read_bytes()[seen:] if path.exists() else b""
    whole = text[: text.rfind(b"\n") + 1]
    return whole.decode(errors="replace").splitlines(), seen + len(whole)


def last_line(console: Path) -> str:
    """What the console shows last, without its colours."""
    text = console.read_text(errors="replace")[-4000:] if console.exists() else ""
    shown = [line for line in re.sub(r"\x1b\[[\d;]*[A-Za-z]|[\x00-\x09]", "", text).splitlines() if line.strip()]
    return shown[-1].strip()[-100:] if shown else "nothing yet"


def follow(machine: subprocess.Popen[bytes], log: Path, console: Path, longest: float) -> Iterator[str]:
    """Lines of the log as they come; in long silences the console's last. Ends with the machine. TimeoutError."""
    begun = heard = time.monotonic()
    seen = 0
    running = True
    while running:
        running = machine.poll() is None
        new, seen = lines(log, seen)
        yield from new
        now = time.monotonic()
        if new:
            heard = now
        elif now - heard > QUIET:
            heard = now
            yield f"  ... {now - begun:.0f} s; console: {last_line(console)}"
        if now - begun > longest:
            raise TimeoutError(f"not done after {longest:.0f} seconds")
        time.sleep(0.5)


def native_loop() -> float:
    """Seconds that the evening's loop takes on this computer, in the Pi's version of Python where that is here."""
    python = shutil.which("python3.11") or sys.executable
    source = "import sys; sys.path.insert(0, sys.argv[1]); from tests.pi.loop import loop; print(loop())"
    return float(subprocess.run([python, "-c", source, str(SOURCE)], capture_output=True, check=True, text=True).stdout)


def boot(form: str) -> int:
    """One evening; the exit status."""
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    exchange, console = make_exchange(BUILD / "exchange", form), RESULTS / "console"
    begun = time.monotonic()
    native = native_loop()
    print("Booting the virtual Pi; its first words come after a minute ...", flush=True)
    with (RESULTS / "log").open("w") as log:
        machine = subprocess.Popen(command(exchange, console), stdin=subprocess.DEVNULL)
        fault = ""
        try:
            for line in follow(machine, exchange / "log", console, LONGEST[form]):
                print(line, flush=True)
                log.write(line + "\n")
        except TimeoutError as error:
            fault = str(error)
        finally:
            machine.kill()
            machine.wait()
    if not fault and machine.returncode:
        fault = f"QEMU has failed ({machine.returncode})"
    said = (exchange / "log").read_text(errors="replace").splitlines() if (exchange / "log").exists() else []
    if not fault and not (said and said[-1].endswith(LAST)):
        fault = "the Pi went off before its evening did"
    figures = exchange / "figures.json"
    result = json.loads(figures.read_text()) if figures.exists() else {}
    took = time.monotonic() - begun
    result |= {"form": form, "fault": fault, "took_s": round(took), "native_loop_s": round(native, 4)}
    result |= {"computer": platform.processor() or platform.machine()}
    if "loop_s" in result:
        result["slower_than_this_computer"] = round(result["loop_s"] / native, 1)
    (RESULTS / "result.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))
    if fault:
        print(f"FAILED after {took:.0f} s: {fault}; {RESULTS} has log and console.")
        return 1
    print(f"All of it was seen, in {took:.0f} s; {RESULTS} has log, console and figures.")
    return 0


if __name__ == "__main__":
    sys.exit(boot(sys.argv[1] if len(sys.argv) > 1 else "whole"))
