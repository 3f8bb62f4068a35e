"""Boots the virtual Pi that build.sh has made, and tells what the evening in it says, as it happens.

    sudo make test-pi            # the whole evening, and ten power cuts of it
    sudo make test-pi SHORT=1    # one game that is cut off, and ten power cuts
    sudo make test-cuts          # 200 power cuts (cuts.py); goes on where it was stopped
    sudo make test-cuts UNSAFE=1 # of a program that waits for no disk: turns must be lost, or the cuts show nothing

The log, the console and what was measured are then in ``build/pi/results``, those of the cuts in ``build/pi/cuts``. The
exit status is 0 if all of it was seen and the computer has switched itself off in the end.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

from tests.pi.cuts import Evening, try_all, write_cut
from tests.pi.marks import DISK, FILE_SYSTEM
from tests.pi.surroundings import Surroundings

HERE = Path(__file__).parent
SOURCE = HERE.parents[1]
BUILD = SOURCE / "build/pi"
RESULTS = BUILD / "results"
LONGEST = {"whole": 3000, "short": 1200, "cuts": 3000, "unsynced": 3000, "resumed": 1200}
"""Seconds until a form is given up: more than twice what it takes on two cores of a server, a guess."""
CUTS, CUTS_OF_AN_EVENING, BOOTS = 200, 10, 2
"""Power cuts; those of an evening; starts of the machine from one."""
PATIENCE = 6
"""How many times as long as in a container everything may take in here."""
LINKED = ("yin-yang", 20)
"""What is played with the table outside, and how many turns."""
QUIET = 15.0
"""Seconds without a word after which the last line of the console is shown."""
LAST = "power button held"
NEEDED = ("tests/systemd/players.py", "tests/hardware/pretend_pi.py", "tests/pi/wired.py", "tests/pi/loop.py",
          "tests/pi/marks.py", "tests/pi/evening.py", "tests/pi/inside.sh", "systemd/page.conf")  # fmt: skip
"""What the Pi is handed of this tree; the program it has from its image."""
SLOW = "systemd.default_timeout_start_sec=600 systemd.mask=serial-getty@ttyAMA0.service"
"""A unit may take long to start: where much else runs, the emulation is several times as slow again."""
KERNEL = f"console=ttyAMA0 panic=-1 systemd.wants=pi-test.service {SLOW}"
FASTER = "nokaslr kpti=off mitigations=off"
"""Page tables of the kernel's own, which come with a random place for it and no Cortex-A53 needs, are slow in QEMU."""


def make_state(image: Path) -> None:
    """An empty disk for the state, with room for marks behind its file system."""
    with image.open("wb") as file:
        file.truncate(DISK)
    subprocess.run(["mkfs.ext4", "-q", "-L", "state", str(image), f"{FILE_SYSTEM >> 10}k"], check=True)
    private = ["debugfs", "-w", "-R", "set_inode_field <2> mode 040700", str(image)]  # systemd wants it so
    subprocess.run(private, check=True, capture_output=True)


def command(exchange: Path, console: Path, folder: Path, around: Sequence[str] = ()) -> list[str]:
    """What starts the machine. Nothing that it writes to its root is kept; of the state each write is in the log.

    The disk that is named last is the first of the machine. `around`: options for what is around it.
    """
    log = folder / "log.writes"
    log.write_bytes(b"")
    return [
        "qemu-system-aarch64", "-M", "virt", *shlex.split((HERE / "machine").read_text()), "-no-reboot",
        "-kernel", str(BUILD / "vmlinuz"), "-initrd", str(BUILD / "initramfs"), "-dtb", str(BUILD / "pi.dtb"),
        "-append", f"{KERNEL} {FASTER}", "-serial", f"file:{console}",
        "-blockdev", f"driver=file,node-name=log,filename={log}",
        "-blockdev", f"driver=file,node-name=disk,filename={folder / 'state'}",
        "-blockdev", "driver=blklogwrites,node-name=state,file=disk,log=log",
        "-device", "virtio-blk-device,drive=state,discard=off,write-zeroes=off",
        "-drive", f"file={BUILD / 'root.ext4'},format=raw,if=none,id=root,snapshot=on",
        "-device", "virtio-blk-device,drive=root",
        "-fsdev", f"local,id=exchange,path={exchange},security_model=none",
        "-device", "virtio-9p-device,fsdev=exchange,mount_tag=exchange", "-device", "virtio-rng-device", *around,
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


def put_newer(folder: Path) -> None:
    """A newer version of the program in a folder, which differs in nothing but a line, and wheels of what it needs."""
    parts = re.search(r'^PARTS="(.*)"', (SOURCE / "systemd/install.sh").read_text(), re.MULTILINE)
    assert parts, "install.sh does not say what it installs"
    for part in (*parts[1].split(), "systemd"):
        source, to = SOURCE / part, folder / "newer" / part
        if source.is_dir():
            shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to)
    with (folder / "newer/firmware_bridge/__init__.py").open("a") as file:
        file.write("# newer\n")
    shutil.copytree(BUILD / "wheels", folder / "wheels")


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


def run(machine: list[str], exchange: Path, folder: Path, form: str) -> str:
    """Run the machine until it switches itself off, showing and keeping what it tells; what is wrong, or empty."""
    print("Booting the virtual Pi; its first words come after a minute ...", flush=True)
    told = exchange / "log"
    process = subprocess.Popen(machine, stdin=subprocess.DEVNULL)
    try:
        with (folder / "log").open("w") as log:
            for line in follow(process, told, folder / "console", LONGEST[form]):
                print(line, flush=True)
                log.write(line + "\n")
    except TimeoutError as error:
        return str(error)
    finally:
        process.kill()
        process.wait()
    if process.returncode:
        return f"QEMU has failed ({process.returncode})"
    said = told.read_text(errors="replace").splitlines() if told.exists() else []
    return "" if said and said[-1].endswith(LAST) else "the Pi went off before its evening did"


def boot(form: str, folder: Path, state: Path | None = None) -> dict[str, Any]:
    """One evening, of which all is left in a folder: the result, whose fault is empty if all of it was seen.

    The machine has an empty disk for its state, or a copy of `state`.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if state:
        shutil.copy(state, folder / "state")
    else:
        make_state(folder / "state")
    shutil.copy(folder / "state", folder / "state.begun")
    exchange, console = make_exchange(folder / "exchange", form), folder / "console"
    begun = time.monotonic()
    native = native_loop()
    with Surroundings(folder, *LINKED) if form == "whole" else nullcontext() as around:
        if around:
            (exchange / "link.json").write_text(json.dumps(around.told))
            put_newer(exchange)
        fault = run(command(exchange, console, folder, around.devices if around else ()), exchange, folder, form)
    if not fault and around and (there := around.turns()) != json.loads((exchange / "linked.json").read_text()):
        fault = f"the table outside has other turns: {there}"
    figures = exchange / "figures.json"
    result = json.loads(figures.read_text()) if figures.exists() else {}
    took = time.monotonic() - begun
    result |= {"form": form, "fault": fault, "took_s": round(took), "native_loop_s": round(native, 4)}
    result |= {"computer": platform.processor() or platform.machine()}
    if "loop_s" in result:
        result["slower_than_this_computer"] = round(result["loop_s"] / native, 1)
    return result


def tell(result: dict[str, Any], folder: Path, fault: str, seen: str) -> int:
    """Keep and show a result; the exit status."""
    (folder / "result.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))
    if fault:
        print(f"FAILED: {fault}; {folder} has log, console and more.")
        return 1
    print(f"{seen}; {folder} has log, console and figures.")
    return 0


def evening(form: str) -> int:
    """An evening, and some power cuts of it; the exit status."""
    result = boot(form, RESULTS)
    fault = result["fault"]
    if not fault:
        result["power"] = power = try_all(Evening(RESULTS), RESULTS, CUTS_OF_AN_EVENING)
        fault = broken(power)
    return tell(result, RESULTS, fault, f"All of it was seen, in {result['took_s']} s and {CUTS_OF_AN_EVENING} cuts")


def broken(power: dict[str, Any]) -> str:
    """What power cuts have broken, or empty."""
    if power["faults"]:
        return f"{power['lost']} accepted turns are lost in power cuts; first {power['faults'][0]}"
    return ""


def cuts(count: int, *, unsafe: bool) -> int:
    """Power cuts, as many as are wanted, of an evening that is played once; the exit status."""
    folder, form = (BUILD / "cuts-unsafe", "unsynced") if unsafe else (BUILD / "cuts", "cuts")
    key = made_of()
    if not (folder / "key").exists() or (folder / "key").read_text() != key:
        played = boot(form, folder)
        if played["fault"]:
            return tell(played, folder, played["fault"], "")
        (folder / "played.json").write_text(json.dumps(played, indent=2) + "\n")
        (folder / "key").write_text(key)
    logged = Evening(folder)
    power = try_all(logged, folder, count)
    if unsafe:
        fault = "" if power["lost"] else "no turn is lost where nobody waits for the disk, so these cuts show nothing"
        return tell(power, folder, fault, f"{power['lost']} turns are lost where nobody waits for the disk, as must be")
    fault = broken(power) or started_again(logged, folder)
    return tell(power, folder, fault, f"{count} cuts: no accepted turn is lost, and all games go on")


def made_of() -> str:
    """What an evening hangs on; where that is the same it need not be played again."""
    keys = [BUILD / f"{part}.key" for part in ("root.ext4", "initramfs", "kernel", "pi.dtb")]
    parts = [*keys, HERE / "run.py", *(SOURCE / name for name in NEEDED)]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()


def started_again(logged: Evening, folder: Path) -> str:
    """Start the machine from disks on which a cut has left a game that is not over; what is wrong, or empty."""
    image = folder / "state.cut"
    for seed in islice(resumable(logged), BOOTS):
        print(f"Starting the machine from cut {seed} ...", flush=True)
        write_cut(logged, seed, image)
        if fault := boot("resumed", folder / f"started-{seed}", image)["fault"]:
            return f"started from cut {seed}: {fault}"
    image.unlink()
    return ""


def resumable(logged: Evening) -> Iterator[int]:
    """Cuts of a game of some turns that is not over."""
    for seed in range(CUTS):
        told = logged.cut(seed).told.turns
        if any(1 < len(turns) < len(logged.played[name]) for name, turns in told.items()):
            yield seed


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started is left behind
    match sys.argv[1:]:
        case ["cuts" | "unsafe" as kind, *count]:
            sys.exit(cuts(int(count[0]) if count else CUTS, unsafe=kind == "unsafe"))
        case [form]:
            sys.exit(evening(form))
