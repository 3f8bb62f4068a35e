"""How fast the firmware is, on the emulated chip and the line alone; the figures of docs/mcu.md."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import pytest

from tests.firmware.chip import PIXELS, Chip
from tests.firmware.frames import ASK, EVENT, VERSION

Timing = Callable[[Chip], float]


def ping(chip: Chip) -> float:
    """Median milliseconds from the first bit of ASK to the last of HELLO."""
    times = []
    for turn in range(40):
        chip.run(1 + turn * 0.027)
        begun = chip.now
        answer = chip.promptly(ASK, VERSION)
        assert answer is not None
        times.append((answer.at - begun) / 1000)
    return median(times)


def contact(chip: Chip) -> float:
    """Median milliseconds from a contact that closes without bouncing to the last bit of its event."""
    times = []
    for channel in range(64):
        chip.run(10 + channel * 0.031)
        begun = chip.now
        chip.put(channel, 1)
        (event,) = (frame for frame in chip.run(12) if frame.kind == EVENT)
        times.append((event.at - begun) / 1000)
    return median(times)


def picture(chip: Chip) -> float:
    """Milliseconds to paint 64 lights and show them, all sent at once."""
    begun = chip.now
    shown = chip.show(bytes(range(192)), promptly=True)
    assert shown is not None
    return (shown.at - begun) / 1000


@pytest.mark.parametrize(("timing", "most"), [(ping, 0.5), (contact, 5.9), (picture, 5.3)])
def test_ping_contact_and_picture_keep_their_times_at_a_million_baud(chip: Chip, timing: Timing, most: float) -> None:
    assert timing(chip) < most


@pytest.mark.long
@pytest.mark.parametrize(("timing", "most"), [(ping, 2.7), (contact, 6.9), (picture, 25)])
def test_ping_contact_and_picture_keep_their_times_at_115200_baud(slow: Chip, timing: Timing, most: float) -> None:
    assert timing(slow) < most


def test_a_frame_is_understood_while_all_contacts_chatter(chip: Chip) -> None:
    for channel in range(64):
        chip.put(channel, 1, 3000)
    answer = chip.promptly(ASK, VERSION)
    assert answer is not None
    assert len(chip.pictures()[0].colours) == 3 * PIXELS
