"""Starts a copy of the memory card in QEMU's Raspberry Pi 3B, and sees what its first start makes of it.

    sudo make test-card

First with a mistake in ``tablelight.txt`` and on a card twice as large as the image: the answer must lie beside it, the
state must have grown, what is right must be used, and the table must be started. Then, with the power cut and the
mistake put right, once more: that must be used. QEMU takes kernel and device tree from the boot partition itself, so
the Pi's firmware and ``config.txt`` are not tried. There is no SPI in its Raspberry Pi, so the table does not become
ready there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pi.run import BUILD, FASTER, SLOW, last_line

IMAGE, FOLDER = BUILD / "card.img", BUILD / "card-tried"
BOOT_AT, STATE_AT = 4 << 20, (4 + 92 + 800) << 20
"""Where two of its partitions begin, in bytes (card/make.sh)."""
LONGEST = 1800.0
"""Seconds until something must be seen; several times what it takes, a guess."""
TOLD = "systemd.journald.forward_to_console=1 maxcpus=2"
STARTED = "Starting tablelight.service"
PARTS = ("vmlinuz", "initramfs", "cmdline.txt", "bcm2837-rpi-3-b.dtb")
WRONG = '[computer]\nlanguage = "fr"\nname = "salon"\n[lights]\nbrightness = 999\n[page]\naddress = "0.0.0.0:8000"\n'
RIGHT = WRONG.replace("999", "99")


def run(*command: str) -> str:
    """What a command prints; it must succeed."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Card:
    """A copy of the image on a larger card, and what lies on it."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder, self.image = folder, folder / "card.img"
        run("cp", "--sparse=always", str(IMAGE), str(self.image))
        os.truncate(self.image, 2 * IMAGE.stat().st_size)
        self.boot = f"{self.image}@@{BOOT_AT}"
        for part in PARTS:
            run("mcopy", "-i", self.boot, f"::/{part}", str(folder / part))

    def write(self, text: str) -> None:
        """Edit its file."""
        (self.folder / "tablelight.txt").write_text(text)
        run("mcopy", "-o", "-i", self.boot, str(self.folder / "tablelight.txt"), "::/tablelight.txt")

    def answer(self) -> str:
        """What lies beside it; empty if nothing does."""
        done = subprocess.run(
            ["mtype", "-i", self.boot, "::/tablelight-answer.txt"], check=False, capture_output=True, text=True
        )
        return done.stdout

    def state(self, name: str) -> str:
        """A file of the state, mounted as the machine does, so that its journal is replayed; none of them runs."""
        with TemporaryDirectory() as folder:
            run("mount", "-o", f"loop,offset={STATE_AT}", str(self.image), folder)
            try:
                return Path(folder, name).read_text()
            finally:
                run("umount", folder)

    def state_size(self) -> int:
        """MiB of its partition, by the master boot record."""
        with self.image.open("rb") as file:
            return int.from_bytes(file.read(512)[446 + 2 * 16 + 12 :][:4], "little") >> 11


@contextmanager
def started(card: Card, name: str):
    """The machine with this card; the power is cut in the end."""
    console = card.folder / f"console-{name}"
    line = (
        (card.folder / "cmdline.txt")
        .read_text()
        .strip()
        .replace("quiet", f"console=ttyAMA0,115200 {TOLD} {SLOW} {FASTER}")
    )
    machine = subprocess.Popen([
        "qemu-system-aarch64", "-M", "raspi3b", "-display", "none", "-no-reboot",
        "-kernel", str(card.folder / "vmlinuz"), "-initrd", str(card.folder / "initramfs"),
        "-dtb", str(card.folder / "bcm2837-rpi-3-b.dtb"), "-append", line,
        "-serial", f"file:{console}", "-drive", f"file={card.image},format=raw,if=sd",
    ], stdin=subprocess.DEVNULL)  # fmt: skip
    try:
        yield Seen(console, machine)
    finally:
        machine.kill()
        machine.wait()


class Seen:
    """A machine that runs, and its console."""

    def __init__(self, console: Path, machine: subprocess.Popen[bytes]) -> None:
        self.console, self.machine = console, machine

    def until(self, what: str, true: Callable[[], object]) -> None:
        """Wait for it, and tell how long that took; SystemExit if it does not come."""
        begun = said = time.monotonic()
        while not true():
            now = time.monotonic()
            if self.machine.poll() is not None or now > begun + LONGEST:
                raise SystemExit(f"FAILED: {what}: not seen after {now - begun:.0f} s; {self.console} tells more.")
            if now - said > 15.0:
                said = now
                print(f"  ... {now - begun:.0f} s; console: {last_line(self.console)}", flush=True)
            time.sleep(1.0)
        print(f"{what}, after {time.monotonic() - begun:.0f} s", flush=True)

    def told(self, text: str) -> bool:
        """Whether the console has this."""
        return text in self.console.read_text(errors="replace")


def main() -> int:
    """The two starts; the exit status."""
    card = Card(FOLDER)
    before = card.state_size()
    card.write(WRONG)
    with started(card, "first") as seen:
        seen.until("the mistake is answered on the boot partition", lambda: "lights.brightness" in card.answer())
        seen.until("the table is started", lambda: seen.told(STARTED))
    print(card.answer())
    assert "http://salon.local:8000/#" in card.answer()
    assert card.state_size() > before + 1000, card.state_size()
    assert card.state("hostname") == "salon\n"
    assert "brightness" not in card.state("tablelight.toml")
    card.write(RIGHT)
    with started(card, "second") as seen:
        seen.until("the file put right is used", lambda: "All of tablelight.txt is used." in card.answer())
    assert "brightness = 99" in card.state("tablelight.toml")
    assert not card.state("mistakes")
    print("All of it was seen.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
