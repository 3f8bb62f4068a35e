"""The firmware on the emulated chip: pictures as the strip's data line carries them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tests.firmware.chip import PIXELS, Chip, Picture, events
from tests.firmware.frames import BEAT, BOARD_BEAT, DONE, LOOK, PAINT, REFUSED, REST, SHOW, crc

LATCH_US = 280
"""The longest that any WS2812 wants its line to be low before the next picture."""


def within_the_data_sheet(picture: Picture) -> None:
    """Every pulse of the picture as lights want it."""
    for least, most, span in ((0.2, 0.5, picture.zeros), (0.55, 1.0, picture.ones), (0.65, 1.85, picture.periods)):
        assert span == (0, 0) or least <= span[0] <= span[1] <= most
    assert picture.gap >= LATCH_US
    assert picture.bits == 24 * PIXELS


def test_dark_before_the_first_hello(chip: Chip) -> None:
    (picture,) = chip.pictures()
    assert picture.colours == bytes(3 * PIXELS)
    assert picture.end < chip.log[0].at


def test_a_picture_arrives_as_painted(chip: Chip) -> None:
    random = Random(5)
    chip.pictures()
    for _ in range(10):
        colours = random.randbytes(3 * PIXELS)
        answer = chip.show(colours)
        assert answer is not None
        assert answer.kind == DONE
        (picture,) = chip.pictures()
        assert picture.colours == colours
        assert picture.end < answer.at
        within_the_data_sheet(picture)


@pytest.mark.parametrize("byte", [0x00, 0xFF, 0x55, 0xAA, 0x80, 0x01])
def test_every_pulse_whatever_the_colour(chip: Chip, byte: int) -> None:
    chip.show(bytes([byte]) * 3 * PIXELS)
    within_the_data_sheet(chip.pictures()[-1])


def test_painting_a_few_leaves_the_others(chip: Chip) -> None:
    colours = bytearray(Random(6).randbytes(3 * PIXELS))
    chip.show(bytes(colours))
    colours[30:36] = b"abcdef"
    assert chip.ask(PAINT, b"\x0a\0abcdef") is None
    chip.ask(SHOW, crc(bytes(colours)).to_bytes(2, "little"))
    assert chip.pictures()[-1].colours == bytes(colours)


@pytest.mark.parametrize(("size", "apart"), [(16, 16), (3, 3), (1, 4)])
def test_frames_of_painting_may_come_without_a_pause(chip: Chip, size: int, apart: int) -> None:
    """At whatever moment of the scan, and while contacts chatter."""
    random, colours = Random(8), bytearray(3 * PIXELS)
    for turn in range(30):
        chip.run(3 + turn * 0.13)
        for channel in range(64 if turn % 3 == 0 else 0):
            chip.put(channel, turn % 2, 3000)
        for first in range(0, PIXELS, apart):
            end = min(first + size, PIXELS)
            colours[3 * first : 3 * end] = random.randbytes(3 * (end - first))
            chip.frame(PAINT, first.to_bytes(2, "little") + colours[3 * first : 3 * end])
        answer = chip.ask(SHOW, crc(colours).to_bytes(2, "little"))
        assert answer is not None
        assert answer.kind == DONE
        assert chip.pictures()[-1].colours == colours


def test_a_picture_of_which_a_frame_is_lost_is_not_shown_until_it_is_whole(chip: Chip) -> None:
    colours = Random(9).randbytes(3 * PIXELS)
    chip.pictures()
    chip.send(b"\7\3")  # what is left of a frame, without its end: the first of the picture is lost with it
    answer = chip.show(colours)
    assert answer is not None
    assert (answer.kind, answer.body[1]) == (REFUSED, 4)
    assert chip.pictures() == []
    again = chip.show(colours)
    assert again is not None
    assert again.kind == DONE
    assert chip.pictures()[-1].colours == colours


def test_a_picture_with_another_crc_is_not_shown(chip: Chip) -> None:
    chip.pictures()
    chip.ask(PAINT, b"\0\0\1\2\3")
    answer = chip.ask(SHOW, crc(bytes(3 * PIXELS)).to_bytes(2, "little"))
    assert answer is not None
    assert (answer.kind, answer.body[1]) == (REFUSED, 4)
    assert chip.pictures() == []


def test_pictures_keep_their_distance_however_fast_they_are_asked_for(chip: Chip) -> None:
    black = crc(bytes(3 * PIXELS)).to_bytes(2, "little")
    chip.pictures()
    for _ in range(20):
        assert chip.promptly(SHOW, black) is not None
    shown = chip.pictures()
    assert len(shown) == 20
    assert all(picture.gap >= LATCH_US for picture in shown)


def test_the_clock_runs_on_and_no_change_is_missed_while_lights_are_told(chip: Chip) -> None:
    black = crc(bytes(3 * PIXELS)).to_bytes(2, "little")
    before = chip.snapshot()[0], chip.now
    for turn in range(300):
        if turn % 10 == 0:
            chip.put(9, turn // 10 % 2 == 0)
        chip.ask(SHOW, black, ms=4)
    after = chip.snapshot()[0], chip.now
    assert (after[0] - before[0]) * 1000 == pytest.approx(after[1] - before[1], abs=1500)
    assert [level for _, _, level in events(chip.log)] == [1, 0] * 15


def test_silence_makes_it_breathe_amber(chip: Chip) -> None:
    chip.frame(BEAT)
    chip.run(1)
    chip.pictures()
    chip.run(1490)
    assert chip.pictures() == []
    chip.run(3300)
    breath = chip.pictures()
    assert len(breath) > 60
    for picture in breath:
        within_the_data_sheet(picture)
        red, green, blue = picture.colours[:3]
        assert picture.colours == bytes([red, green, blue]) * PIXELS
        assert red > green > blue == 0
    swell = [picture.colours[0] for picture in breath]
    assert max(swell) > 40 > 10 > min(swell)
    assert all(abs(after - before) <= 2 for before, after in pairwise(swell))
    assert sum(max(picture.colours for picture in breath)) * 55 / 765 < 400, "mA"


def test_a_board_that_was_told_to_rest_stays_as_it_is_until_it_is_heard(chip: Chip) -> None:
    answer = chip.ask(REST)
    assert answer is not None
    assert answer.kind == DONE
    chip.pictures()
    chip.run(4000)
    assert chip.pictures() == []
    chip.frame(BEAT)
    chip.run(1700)
    assert chip.pictures() != []


def test_beats_keep_it_from_breathing(chip: Chip) -> None:
    chip.pictures()
    for _ in range(10):
        chip.frame(BEAT)
        chip.run(500)
    assert chip.pictures() == []


def test_noise_does_not_count_as_the_program(chip: Chip) -> None:
    chip.pictures()
    for _ in range(20):
        chip.send(b"\1\2\3\0")
        chip.run(100)
    assert chip.pictures() != []


def test_the_picture_comes_back_with_the_program(chip: Chip) -> None:
    colours = Random(7).randbytes(3 * PIXELS)
    chip.show(colours)
    chip.run(2030)
    assert chip.pictures()[-1].colours != colours
    assert chip.ask(LOOK) is not None
    assert chip.pictures()[-1].colours == colours


def test_a_picture_right_after_a_breath_keeps_its_distance(chip: Chip) -> None:
    chip.run(1600)
    for delay in range(8):
        chip.run(1700)
        next_breath = chip.pictures()[-1].end + 50_000
        chip.run((next_breath - chip.now + 20 + delay * 25) / 1000)
        chip.frame(BEAT)
        chip.run(5)
        breath, back = chip.pictures()[-2:]
        assert (breath.colours, back.colours)[1] == bytes(3 * PIXELS) != breath.colours
        assert back.gap >= LATCH_US


def test_it_beats_and_tells_while_it_breathes(chip: Chip) -> None:
    chip.run(2000)
    chip.put(20, 1, 1000)
    frames = chip.run(3000)
    assert [event[1:] for event in events(frames)] == [(20, 1)]
    assert len([frame for frame in frames if frame.kind == BOARD_BEAT]) == 6
