"""A board that is unplugged and plugged in again, a thousand times: the firmware over a real port, in real time."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hardware.backends import find
from hardware.serial.port import BAUD, Port, SharedPort, share
from tests.firmware.chip import PIXELS
from tests.firmware.test_mcu_evening import Controlled
from tests.firmware.test_mcu_pty import PATIENCE, running
from tests.hardware.pretend_board import Clock

LOSSES = 1000
PAUSE = 6.0
"""Seconds after which the program has tried the port again for certain; they are skipped."""
SCANNER, LIGHTS = find("scanners", "serial_mcu"), find("lights", "serial_mcu")


class Cable:
    """The program's end of a line whose other end comes and goes."""

    def __init__(self, path: Path) -> None:
        self.clock = Clock()
        self.clock.follow = time.monotonic
        self.line = SharedPort(str(path), BAUD, lambda: Port(str(path), BAUD), self.clock)
        share(self.line)
        self.scanner: Any = SCANNER(SCANNER.Settings(port=str(path)))
        self.strip: Any = LIGHTS(LIGHTS.Settings(port=str(path)), PIXELS)

    def sees(self, levels: list[int]) -> bool:
        """Whether the program comes to see just that."""
        return self.line.until(lambda: self.scanner.scan() == tuple(levels), PATIENCE)

    def shows(self, colours: bytes) -> bool:
        """Whether the board comes to say that it shows these, three bytes a pixel."""
        self.strip.show([(colours[at], colours[at + 1], colours[at + 2]) for at in range(0, len(colours), 3)])
        return self.line.until(lambda: self.line.conversation.shown, PATIENCE)

    def lost(self) -> bool:
        """Whether the program finds the board gone."""
        self.line.until(lambda: not self.line.conversation.open, PATIENCE)
        return set(self.scanner.scan()) == {None}

    def close(self) -> None:
        """End the program."""
        self.strip.close()
        self.scanner.close()


def handles() -> int:
    """Files that this process has open."""
    return len(os.listdir("/proc/self/fd"))


def plugged_in(cable: Cable | None, standing: list[int], random: Random, built: Path, folder: Path) -> Cable:
    """Plug a chip in, let it tell what stands, change that, show a picture, and unplug it."""
    with running(built, folder) as (link, control), closing(Controlled(control)) as chip:
        for channel, level in enumerate(standing):
            chip.put(channel, level)
        if cable:
            cable.clock.skip(PAUSE)
        else:
            cable = Cable(link)
        assert cable.sees(standing)
        channel = random.randrange(64)
        standing[channel] ^= 1
        chip.put(channel, standing[channel], 500)
        assert cable.sees(standing)
        colours = random.randbytes(3 * PIXELS)
        assert cable.shows(colours)
        assert chip.tell("picture") == colours.hex()
    assert cable.lost()
    return cable


@pytest.mark.long
def test_a_thousand_losses_of_the_board_lose_nothing_and_leak_no_handle(built: Path, tmp_path: Path) -> None:
    random, standing = Random(11), [0] * 64
    cable = plugged_in(None, standing, random, built, tmp_path)
    before = handles()
    for _ in range(LOSSES - 1):
        standing[random.randrange(64)] ^= 1  # while it is away
        plugged_in(cable, standing, random, built, tmp_path)
    assert handles() == before
    assert cable.line.conversation.losses == LOSSES
    cable.close()
