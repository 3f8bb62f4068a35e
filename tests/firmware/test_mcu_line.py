"""The firmware on the emulated chip: what it makes of frames, whole, broken and lost."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.firmware.chip import PIXELS, Chip, events
from tests.firmware.frames import (
    ASK,
    BEAT,
    BOARD_BEAT,
    DONE,
    EVENT,
    HELLO,
    LOOK,
    PAINT,
    REFUSED,
    REST,
    SHOW,
    SNAPSHOT,
    VERSION,
    Frame,
    crc,
    framed,
)

UNKNOWN_KIND, WRONG_LENGTH, BEYOND_STRIP, ANOTHER_PICTURE, OTHER_VERSION = range(1, 6)
BLACK = crc(bytes(3 * PIXELS)).to_bytes(2, "little")


def refusal(frame: Frame | None) -> int:
    """Why `frame` refuses; 0 where it does not."""
    assert frame is not None
    return frame.body[1] if frame.kind == REFUSED else 0


def answers(frames: list[Frame]) -> list[Frame]:
    """`frames` without heartbeats."""
    return [frame for frame in frames if frame.kind != BOARD_BEAT]


def answers_again(chip: Chip) -> bool:
    """True where the next frame is answered; a zero first, as what came before may have none."""
    chip.send(b"\0")
    answer = chip.ask(ASK, VERSION)
    return answer is not None and answer.kind == HELLO


def test_garbage_is_not_answered_and_harms_nothing(chip: Chip) -> None:
    random = Random(4)
    for _ in range(60):
        chip.send(random.randbytes(random.randint(1, 300)))
        chip.send(b"\0")
        assert answers(chip.run(30)) == []
    assert answers_again(chip)


def test_half_a_frame_costs_itself_alone(chip: Chip) -> None:
    whole = framed(bytes([PAINT, 7, 0, 0]) + bytes(range(1, 49)))
    for length in range(len(whole) - 1):
        chip.send(whole[:length] + b"\0")
        assert answers(chip.run(3)) == []
    assert answers_again(chip)


def test_half_a_frame_without_its_zero_takes_the_next_with_it(chip: Chip) -> None:
    chip.send(framed(bytes([LOOK, 1]))[:4])
    assert chip.ask(LOOK) is None
    assert chip.ask(LOOK) is not None


def test_a_flipped_bit_is_never_taken_for_a_frame(chip: Chip) -> None:
    whole = framed(bytes([ASK, 9, 1]))
    for bit in range(8 * len(whole) - 8):
        broken = bytearray(whole)
        broken[bit // 8] ^= 1 << bit % 8
        chip.send(bytes(broken) + b"\0")
        assert answers(chip.run(2)) == []
    assert answers_again(chip)


def test_a_crc_cannot_see_a_zero_added_at_the_end_but_the_length_can(chip: Chip) -> None:
    chip.send(framed(bytes([ASK, 9, 1]))[:-1] + b"\1\0")
    assert [refusal(frame) for frame in answers(chip.run(2))] == [WRONG_LENGTH]


def test_frames_of_impossible_length_are_not_answered(chip: Chip) -> None:
    """No payload has 0 or 1 bytes, and one of 67 makes a frame of 71: not answered, though the crc is right."""
    for length in (0, 1, *range(67, 252)):
        chip.send(framed((bytes([LOOK, 3]) + b"\7" * 250)[:length]))
        assert answers(chip.run(4)) == []
    assert answers_again(chip)


def test_bytes_without_an_end_are_not_answered(chip: Chip) -> None:
    chip.send(b"\x03" * 3000)
    assert answers(chip.run(40)) == []
    assert answers_again(chip)


@pytest.mark.parametrize(("kind", "right"), [(ASK, 1), (LOOK, 0), (SHOW, 2), (BEAT, 0), (REST, 0)])
def test_a_body_of_the_wrong_length_is_refused(chip: Chip, kind: int, right: int) -> None:
    for length in range(61):
        if length != right:
            assert refusal(chip.ask(kind, b"\1" * length, ms=3)) == WRONG_LENGTH
    assert answers_again(chip)


def test_painting_takes_one_to_sixteen_whole_colours(chip: Chip) -> None:
    for length in range(61):
        answer = chip.ask(PAINT, bytes(length), ms=3)
        assert (answer is None) == (length in range(5, 51, 3)), length
        assert answer is None or refusal(answer) == WRONG_LENGTH


def test_unknown_kinds_and_another_version_are_refused(chip: Chip) -> None:
    for kind in (0, *range(7, 256)):
        assert refusal(chip.ask(kind, b"\1", ms=2)) == UNKNOWN_KIND
    assert refusal(chip.ask(ASK, b"\1")) == OTHER_VERSION


def test_painting_beyond_the_strip_is_refused(chip: Chip) -> None:
    for first, colours in ((PIXELS, 1), (PIXELS - 1, 2), (PIXELS - 15, 16), (0xFFFF, 1), (0x8000, 16)):
        body = first.to_bytes(2, "little") + bytes(3 * colours)
        assert refusal(chip.ask(PAINT, body)) == BEYOND_STRIP
    assert chip.ask(PAINT, (PIXELS - 16).to_bytes(2, "little") + bytes(48)) is None


def test_an_empty_frame_means_nothing(chip: Chip) -> None:
    chip.send(bytes(50))
    assert answers(chip.run(5)) == []
    number = chip.frame(SHOW, b"\0\0")
    assert [frame.body[0] for frame in answers(chip.run(5))] == [number]


def test_a_question_right_after_a_beat_is_answered(chip: Chip) -> None:
    """At whatever moment of the scan they come."""
    for delay in range(100):
        chip.run(2 + delay * 0.01)
        chip.frame(BEAT)
        assert chip.ask(LOOK, ms=3) is not None


def test_a_frame_may_be_repeated(chip: Chip) -> None:
    colours = b"\1\2\3" + bytes(3 * PIXELS - 3)
    for again in (bytes([PAINT, 199, 0, 0]) + colours[:3], bytes([SHOW, 200]) + crc(colours).to_bytes(2, "little")):
        chip.send(framed(again))
        first = answers(chip.run(5))
        chip.send(framed(again))
        said = [(frame.kind, frame.body) for frame in first + answers(chip.run(5))]
        assert said == ([(DONE, b"\xc8")] * 2 if again[0] == SHOW else [])


@pytest.mark.parametrize("delay", range(0, 2400, 150))
def test_what_comes_while_the_lights_are_told_is_lost_and_no_more(chip: Chip, delay: int) -> None:
    """The chip holds two bytes; a frame that meets a picture is broken, and the next one is fine."""
    shown = chip.frame(SHOW, BLACK)
    frames = chip.run(0.4 + delay / 1000)
    chip.frame(PAINT, b"\0\0" + bytes(range(1, 49)))
    chip.frame(LOOK)
    frames += chip.run(10)
    assert (DONE, bytes([shown])) in [(frame.kind, frame.body) for frame in frames]
    assert answers_again(chip)


def test_frames_hard_on_the_heels_of_a_picture_do_not_hang_it(chip: Chip) -> None:
    for _ in range(30):
        for _ in range(5):
            chip.frame(SHOW, BLACK)
            chip.frame(PAINT, bytes(50))
            chip.frame(ASK, VERSION)
        assert any(frame.kind == DONE for frame in chip.run(40))
    assert answers_again(chip)


def test_all_squares_at_once_are_told_on_a_slow_line(slow: Chip) -> None:
    """64 events do not fit into the line's buffer: a snapshot comes in place of those that were not told."""
    assert [frame.kind for frame in slow.log] == [HELLO]
    for channel in range(64):
        slow.put(channel, 1)
    frames = slow.run(200)
    snapshots = [frame.snapshot for frame in frames if frame.kind == SNAPSHOT]
    assert [snapshot[1:] for snapshot in snapshots] == [(64, 0, b"\xff" * 8)]
    told = [count for count, _, _ in events(frames)]
    assert told == list(range(1, len(told) + 1))
    assert len(told) < 64


def test_on_a_flooded_line_counts_have_no_gap_but_before_a_snapshot(slow: Chip) -> None:
    random = Random(10)
    standing = 0
    for _ in range(60):
        for channel in random.sample(range(64), 40):
            standing ^= 1 << channel
            slow.put(channel, standing >> channel & 1, random.randint(0, 20_000))
        slow.run(random.randint(6, 40))
        answer = slow.ask(SHOW, BLACK, ms=60)
        assert answer is not None, "questions are answered all the same"
    count = 0
    for frame in slow.log:
        if frame.kind == EVENT:
            assert frame.event[0] == count + 1
            count += 1
        elif frame.kind == SNAPSHOT:
            count = frame.snapshot[1]
    assert [frame.kind for frame in slow.log].count(SNAPSHOT) > 10
    assert slow.snapshot()[1:] == (count, 0, standing.to_bytes(8, "little"))


def test_a_picture_arrives_on_a_slow_line(slow: Chip) -> None:
    colours = bytes(range(3 * PIXELS))
    shown = slow.show(colours)
    assert shown is not None
    assert shown.kind == DONE
    assert slow.pictures()[-1].colours == colours


def test_the_wrong_speed_is_silence(built: Path) -> None:
    with Chip(built / "chip", built / "matrix.elf", "--baud", "115200") as chip:
        assert chip.run(1000) == []
        assert chip.ask(ASK, VERSION) is None
