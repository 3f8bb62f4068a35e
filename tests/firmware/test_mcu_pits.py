"""The firmware for scales on the emulated chip: twelve HX711, four buttons, the same lights and the same line."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.firmware.chip import PIXELS, Chip, events
from tests.firmware.frames import ASK, BEAT, BOARD_BEAT, DONE, READINGS, VERSION, crc

NO_READING = -0x800000


def readings(chip: Chip, ms: float) -> list[list[int]]:
    """All readings told within `ms`."""
    return [frame.readings for frame in chip.run(ms) if frame.kind == READINGS]


def test_it_says_what_it_is(pits: Chip) -> None:
    answer = pits.ask(ASK, VERSION)
    assert answer is not None
    assert answer.hello[:6] == (2, 1, 2, 12, 66, 4)
    assert pits.snapshot()[2:] == (0, b"")


def test_readings_follow_the_scales(pits: Chip) -> None:
    random = Random(8)
    for _ in range(10):
        values = [random.randint(-0x7FFFFF, 0x7FFFFF) for _ in range(12)]
        for scale, value in enumerate(values):
            pits.tell("scale", scale, value)
        assert readings(pits, 320)[-1] == values
    assert pits.tell("faults") == "0"


def test_readings_are_told_ten_times_a_second(pits: Chip) -> None:
    pits.run(1000)
    assert 9 <= len(readings(pits, 1000)) <= 11


def test_a_scale_that_is_missing_is_told_as_such_and_the_others_go_on(pits: Chip) -> None:
    for scale in range(12):
        pits.tell("scale", scale, 1000 + scale)
    pits.tell("scale", 4, "absent")
    pits.run(500)
    told = readings(pits, 1000)
    assert len(told) >= 6
    assert told[-1] == [NO_READING if scale == 4 else 1000 + scale for scale in range(12)]


def test_a_board_without_scales_tells_no_readings(pits: Chip) -> None:
    for scale in range(12):
        pits.tell("scale", scale, "absent")
    pits.run(300)
    assert readings(pits, 300)[-1] == [NO_READING] * 12


def test_scales_have_buttons_and_a_heartbeat(pits: Chip) -> None:
    pits.tell("press", 3, 1500)
    frames = pits.run(600)
    assert [event[1:] for event in events(frames)] == [(0xF3, 1)]
    beats = [frame.beat for frame in frames if frame.kind == BOARD_BEAT]
    assert [beat[1:] for beat in beats] == [(1, crc(b"\x08"))]


def test_scales_and_lights_do_not_disturb_each_other(pits: Chip) -> None:
    """A clock that stays high for 60 us would switch the scales off."""
    values = [scale * 70000 - 300000 for scale in range(12)]
    for scale, value in enumerate(values):
        pits.tell("scale", scale, value)
    colours = Random(9).randbytes(3 * PIXELS)
    seen = []
    for _ in range(110):
        answer = pits.show(colours)
        assert answer is not None
        assert answer.kind == DONE
        seen = [frame.readings for frame in pits.log if frame.kind == READINGS]
    assert len(seen) >= 30
    assert all(told == values for told in seen[2:])
    assert {picture.colours for picture in pits.pictures()[1:]} == {colours}
    assert pits.tell("faults") == "0"


def test_silence_makes_it_breathe_as_well(power_on: Callable[..., Chip]) -> None:
    with power_on("--pits", firmware="pits") as chip:
        chip.run(2500)
        assert len(chip.pictures()) > 10
        chip.frame(BEAT)
        chip.run(10)
        assert chip.pictures()[-1].colours == bytes(3 * PIXELS)
