"""The emulated chip, driven in lock step: nothing happens unless time is told to pass."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from tests.firmware import frames
from tests.firmware.frames import Frame

HERE = Path(__file__).parent
MCU = HERE.parents[1] / "hardware" / "mcu"
CYCLES_A_US = 16
PIXELS = 66


def missing() -> str:
    """What the tests need and this machine has not, as a sentence; empty if there is all."""
    tools = all(shutil.which(tool) for tool in ("make", "gcc", "avr-gcc", "avr-objcopy", "avr-size"))
    if tools and Path("/usr/include/simavr/sim_avr.h").exists() and Path("/usr/include/libelf.h").exists():
        return ""
    return "avr-gcc or simavr is missing: apt-get install gcc-avr avr-libc binutils-avr simavr libsimavr-dev libelf-dev"


def build(into: Path, **options: object) -> None:
    """Build the firmware, with BAUD or PIXELS as told, and the chip that runs it."""
    words = [f"{name}={value}" for name, value in options.items()]
    for folder in (MCU, HERE / "chip"):
        made = subprocess.run(
            ["make", "-s", "-C", str(folder), f"OUT={into}", *words], capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stdout + made.stderr


class Picture(NamedTuple):
    """What the strip was told; times in microseconds, spans as least and most."""

    begin: float
    end: float
    bits: int
    zeros: tuple[float, float]
    ones: tuple[float, float]
    periods: tuple[float, float]
    gap: float
    colours: bytes


def _picture(text: str) -> Picture:
    *numbers, colours = text.split(",")
    begin, end, bits, *spans, gap = map(int, numbers)
    times = [span / CYCLES_A_US for span in spans]
    return Picture(
        begin / CYCLES_A_US,
        end / CYCLES_A_US,
        bits,
        (times[0], times[1]),
        (times[2], times[3]),
        (times[4], times[5]),
        gap / CYCLES_A_US,
        bytes.fromhex(colours),
    )


def _answers(frame: Frame, kind: int, number: int) -> bool:
    named = frame.kind in (frames.DONE, frames.REFUSED) and frame.body[0] == number
    return named or frame.kind == {frames.ASK: frames.HELLO, frames.LOOK: frames.SNAPSHOT}.get(kind)


class Chip:
    """An ATmega328P with `firmware` on it, just switched on. Use it in a with statement."""

    def __init__(self, program: Path, firmware: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [program, firmware, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._number = 0
        self._partial: list[tuple[int, int]] = []
        self.log: list[Frame] = []
        """All frames so far."""

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate(timeout=10)

    def tell(self, *words: object) -> str:
        """One command of README.md and its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(*words, file=self._process.stdin)
        answer = self._process.stdout.readline().rstrip("\n")
        assert not answer.startswith("error"), answer
        return answer

    def run(self, ms: float) -> list[Frame]:
        """Let `ms` milliseconds pass; the frames that came meanwhile, of which none may be damaged."""
        self.tell("run", round(ms * 1000))
        for part in self.tell("bytes").split():
            cycle, _, byte = part.partition(":")
            self._partial.append((int(cycle), int(byte, 16)))
        return self._whole()

    def _whole(self) -> list[Frame]:
        whole = []
        while (end := next((i for i, (_, byte) in enumerate(self._partial) if not byte), None)) is not None:
            data = bytes(byte for _, byte in self._partial[:end])
            if data:
                whole.append(frames.opened(data, self._partial[end][0] / CYCLES_A_US))
            del self._partial[: end + 1]
        self.log += whole
        return whole

    def reset(self, kind: str, flags: int = 0) -> None:
        """Pull it through a reset; what it was just saying is cut off."""
        self.run(0)
        self.tell("reset", kind, flags)
        self._partial.clear()

    @property
    def now(self) -> float:
        """Microseconds since it was switched on."""
        return float(self.tell("time"))

    def send(self, data: bytes) -> None:
        """Put bytes on the line."""
        if data:
            self.tell("send", data.hex())

    def frame(self, kind: int, body: bytes = b"") -> int:
        """Put a frame on the line; its number."""
        self._number = (self._number + 1) % 256
        self.send(frames.framed(bytes([kind, self._number]) + body))
        return self._number

    def ask(self, kind: int, body: bytes = b"", ms: float = 30) -> Frame | None:
        """Send a frame and let `ms` pass; the first answer to it, None if there is none."""
        number = self.frame(kind, body)
        return next((frame for frame in self.run(ms) if _answers(frame, kind, number)), None)

    def promptly(self, kind: int, body: bytes = b"") -> Frame | None:
        """Send a frame and let time pass until it is answered, at most 50 ms; seen within 20 us."""
        number = self.frame(kind, body)
        for _ in range(2500):
            for frame in self.run(0.02):
                if _answers(frame, kind, number):
                    return frame
        return None

    def snapshot(self) -> tuple[int, int, int, bytes]:
        """Ms, events, pressed and levels, as LOOK is answered."""
        answer = self.ask(frames.LOOK)
        assert answer is not None
        return answer.snapshot

    def put(self, channel: int, level: int, bounce_us: int = 0) -> None:
        """A piece comes or goes."""
        self.tell("close" if level else "open", channel // 8, channel % 8, bounce_us)

    def show(self, colours: bytes, promptly: bool = False) -> Frame | None:
        """Paint `colours`, three bytes a pixel, from the first pixel on, and show them, at once; the answer to SHOW."""
        for at in range(0, len(colours), 48):
            self.frame(frames.PAINT, (at // 3).to_bytes(2, "little") + colours[at : at + 48])
        whole = colours + bytes(3 * PIXELS - len(colours))
        ask = self.promptly if promptly else self.ask
        return ask(frames.SHOW, frames.crc(whole).to_bytes(2, "little"))

    def pictures(self) -> list[Picture]:
        """What the strip was told since the last time."""
        return [_picture(text) for text in self.tell("pictures").split()]


def events(frames_: Iterable[Frame]) -> list[tuple[int, int, int]]:
    """Count, channel and level of the events among `frames_`."""
    found = (frame.event for frame in frames_ if frame.kind == frames.EVENT)
    return [(count, channel, level) for count, _, channel, level in found]
