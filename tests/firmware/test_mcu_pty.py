"""The emulated chip on a pseudo terminal, in real time, as the program meets it."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.firmware.chip import PIXELS
from tests.firmware.frames import ASK, DONE, EVENT, HELLO, PAINT, SHOW, VERSION, Frame, crc, framed, opened

PATIENCE = 5.0
"""Seconds after which a test gives up on what takes milliseconds."""


class Port:
    """A serial port with the chip on it, and the table around the chip."""

    def __init__(self, link: Path, control: Path) -> None:
        self._line = os.open(link, os.O_RDWR | os.O_NOCTTY)
        self._control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._control.connect(str(control))
        self._answers = self._control.makefile("r")
        self._partial = b""

    def close(self) -> None:
        """Let go of the port and the table."""
        os.close(self._line)
        self._answers.close()
        self._control.close()

    def table(self, *words: object) -> str:
        """One command of README.md and its answer."""
        self._control.sendall((" ".join(map(str, words)) + "\n").encode())
        return self._answers.readline().rstrip("\n")

    def send(self, kind: int, body: bytes = b"") -> None:
        """One frame, a zero before it."""
        os.write(self._line, b"\0" + framed(bytes([kind, 1]) + body))

    def wait_for(self, kind: int) -> Frame:
        """The next frame of that kind."""
        end = time.monotonic() + PATIENCE
        while select.select([self._line], [], [], max(0.0, end - time.monotonic()))[0]:
            self._partial += os.read(self._line, 4096)
            while b"\0" in self._partial:
                data, _, self._partial = self._partial.partition(b"\0")
                if data and (frame := opened(data, 0)).kind == kind:
                    return frame
        raise TimeoutError(f"no frame of kind {kind:02x}")


@contextmanager
def running(built: Path, folder: Path, *options: str) -> Iterator[tuple[Path, Path]]:
    """The link to the port and the control socket of a running chip that is reset when its port is opened."""
    link, control = folder / "table", folder / "control"
    process = subprocess.Popen(
        [built / "chip", built / "matrix.elf", "--pty", link, "--control", control, "--dtr", *options]
    )
    end = time.monotonic() + PATIENCE
    while not control.exists() and time.monotonic() < end:
        assert process.poll() is None
        select.select([], [], [], 0.005)
    yield link, control
    process.kill()
    process.wait()
    control.unlink()


@pytest.fixture
def table(built: Path, tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """A running chip."""
    with running(built, tmp_path) as ends:
        yield ends


def test_hello_event_and_picture_over_a_real_port(table: tuple[Path, Path]) -> None:
    port = Port(*table)
    assert port.wait_for(HELLO).hello[:5] == (2, 2, 0, 64, PIXELS)
    assert port.table("close", 2, 3, 1500) == "ok"
    assert port.wait_for(EVENT).event[2:] == (19, 1)
    port.send(PAINT, b"\0\0\x11\x22\x33")
    colours = b"\x11\x22\x33" + bytes(3 * PIXELS - 3)
    port.send(SHOW, crc(colours).to_bytes(2, "little"))
    assert port.wait_for(DONE).body == b"\1"
    assert port.table("picture") == colours.hex()
    assert port.table("faults") == "0"
    assert port.table("send", "00").startswith("error")
    port.close()


def test_opening_the_port_anew_resets_the_board(table: tuple[Path, Path]) -> None:
    first = Port(*table)
    first.wait_for(HELLO)
    first.close()
    second = Port(*table)
    assert second.wait_for(HELLO).hello[1] == 2
    second.send(ASK, VERSION)
    second.wait_for(HELLO)
    second.close()
