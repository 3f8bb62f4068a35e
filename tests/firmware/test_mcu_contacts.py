"""The firmware on the emulated chip: resets, contacts, buttons, heartbeat."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from tests.firmware.chip import Chip, events
from tests.firmware.frames import ASK, BEAT, BOARD_BEAT, EVENT, HELLO, VERSION, Frame, crc


def levels(channels: set[int]) -> bytes:
    """The levels of a snapshot with pieces on `channels`."""
    return sum(1 << channel for channel in channels).to_bytes(8, "little")


def hello(frames: list[Frame]) -> Frame:
    """The only hello among `frames`."""
    (only,) = [frame for frame in frames if frame.kind == HELLO]
    return only


@pytest.mark.parametrize(("kind", "flag"), [("power", 1), ("pin", 2), ("brownout", 4), ("watchdog", 8)])
def test_each_reset_is_told_with_its_cause(chip: Chip, kind: str, flag: int) -> None:
    chip.run(700)
    chip.reset(kind)
    first = hello(chip.run(20))
    assert first.hello[:6] == (2, flag, 0, 64, 66, 8)
    assert first.hello[6] < 20, "its clock begins anew"
    again = chip.ask(ASK, VERSION)
    assert again is not None
    assert again.hello[:6] == first.hello[:6]


@pytest.mark.parametrize("flags", [1, 8, 10])
def test_a_boot_loader_hands_the_cause_on(chip: Chip, flags: int) -> None:
    chip.reset("loader", flags)
    assert hello(chip.run(20)).hello[1] == flags


def test_a_main_program_that_hangs_is_bitten_by_the_watchdog(chip: Chip) -> None:
    chip.put(9, 1)
    chip.run(100)
    chip.tell("hang")
    assert chip.run(200) == []
    frames = chip.run(100)
    assert hello(frames).hello[1] == 8
    assert chip.snapshot()[1:] == (0, 0, levels({9}))


def test_what_stands_on_the_table_at_the_reset_is_no_change(power_on: Callable[..., Chip]) -> None:
    with power_on() as chip:
        for channel in (0, 31, 63):
            chip.put(channel, 1, 1500)
        frames = chip.run(100)
        assert [frame.kind for frame in frames] == [HELLO]
        assert chip.snapshot()[1:] == (0, 0, levels({0, 31, 63}))


def test_a_snapshot_is_what_stands_on_the_table(chip: Chip) -> None:
    random = Random(1)
    standing: set[int] = set()
    for _ in range(40):
        wanted = set(random.sample(range(64), random.randint(0, 64)))
        for channel in standing ^ wanted:
            chip.put(channel, channel in wanted)
        standing = wanted
        chip.run(25)
        assert chip.snapshot()[3] == levels(standing)
    assert chip.tell("faults") == "0"


def test_a_noisy_contact_gives_one_event_a_change(chip: Chip) -> None:
    random = Random(2)
    standing: set[int] = set()
    for turn in range(1, 201):
        channel = random.randrange(64)
        standing ^= {channel}
        chip.put(channel, channel in standing, random.randint(0, 2000))
        assert events(chip.run(20)) == [(turn, channel, int(channel in standing))]
    assert chip.snapshot()[1:] == (200, 0, levels(standing))


def test_a_touch_that_does_not_hold_for_five_looks_is_none(chip: Chip) -> None:
    for start in range(20):
        chip.run(20 + start / 20)
        chip.put(17, 1)
        chip.run(3.9)
        chip.put(17, 0)
    assert events(chip.run(20)) == []
    chip.put(17, 1)
    chip.run(6.1)
    assert [frame.kind for frame in chip.log].count(EVENT) == 1


def test_with_diodes_three_corners_are_three_pieces(chip: Chip) -> None:
    for channel in (0, 3, 16):
        chip.put(channel, 1)
    chip.run(20)
    assert chip.snapshot()[3] == levels({0, 3, 16})


def test_without_diodes_the_fourth_corner_looks_taken(chip: Chip) -> None:
    """The board says what it reads; that a rectangle may be a ghost is the program's business."""
    chip.tell("diodes", 0)
    for channel in (0, 3, 16):
        chip.put(channel, 1)
    chip.run(20)
    assert chip.snapshot()[3] == levels({0, 3, 16, 19})


def test_eight_buttons_are_told_beside_a_full_board(chip: Chip) -> None:
    for channel in range(64):
        chip.put(channel, 1)
    chip.run(100)
    seen = []
    for button in range(8):
        chip.tell("press", button, 1500)
        seen += [event[1:] for event in events(chip.run(20))]
        assert chip.snapshot()[2] == 1 << button
        chip.tell("release", button, 1500)
        seen += [event[1:] for event in events(chip.run(20))]
    assert seen == [(0xF0 + button, level) for button in range(8) for level in (1, 0)]
    assert chip.snapshot()[2:] == (0, b"\xff" * 8)


def test_all_squares_at_once_lose_no_change(chip: Chip) -> None:
    for channel in range(64):
        chip.put(channel, 1)
    frames = chip.run(60)
    told = events(frames)
    assert [count for count, _, _ in told] == list(range(1, 65))
    assert sorted(event[1:] for event in told) == [(channel, 1) for channel in range(64)]
    assert chip.snapshot()[1:] == (64, 0, b"\xff" * 8)


def test_the_heart_beats_twice_a_second_and_tells_its_state(chip: Chip) -> None:
    for channel in (5, 60):
        chip.put(channel, 1)
    chip.tell("press", 2)
    for _ in range(10):
        chip.frame(BEAT)
        chip.run(500)
    beats = [frame for frame in chip.log if frame.kind == BOARD_BEAT]
    assert len(beats) == 10
    for before, after in pairwise(beats):
        assert after.at - before.at == pytest.approx(500_000, abs=1000)
        assert after.beat[0] - before.beat[0] == 500
    assert {beat.beat[1:] for beat in beats} == {(3, crc(b"\4" + levels({5, 60})))}


def test_the_stack_has_room(chip: Chip) -> None:
    """The Makefile leaves it 160 bytes."""
    for channel in range(64):
        chip.put(channel, 1, 3000)
    chip.show(bytes(range(198)))
    chip.run(3000)
    assert 20 < int(chip.tell("stack")) < 120


def test_frames_are_numbered_without_gaps(chip: Chip) -> None:
    for channel in range(0, 64, 2):
        chip.put(channel, 1)
        chip.run(30)
    for _ in range(300):
        chip.ask(ASK, VERSION, ms=2)
    assert len(chip.log) > 256
    assert [frame.number for frame in chip.log] == [i % 256 for i in range(len(chip.log))]


def test_the_same_evening_twice_gives_the_same_log(power_on: Callable[..., Chip]) -> None:
    def simulation() -> list[Frame]:
        random = Random(3)
        with power_on() as chip:
            for _ in range(150):
                chip.put(random.randrange(64), random.randint(0, 1), random.randint(0, 3000))
                chip.run(random.randint(1, 30))
            return chip.log

    assert simulation() == simulation()
