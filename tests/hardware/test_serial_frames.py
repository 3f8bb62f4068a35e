"""Frames and bytes: any bytes in any pieces, the same frames out, and never an error."""

from __future__ import annotations

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.serial import frames
from hardware.serial.frames import (
    BODY,
    LONGEST,
    Beat,
    Done,
    Event,
    Frame,
    FrameDecoder,
    Hello,
    Readings,
    Refused,
    Snapshot,
)

BYTE = st.integers(0, 255)
FRAMES = st.builds(Frame, BYTE, BYTE, st.binary(max_size=BODY))
NOISE = st.lists(st.one_of(FRAMES.map(frames.pack), st.binary(max_size=200), st.just(b"\0"))).map(b"".join)


def divided(data: bytes, cuts: list[int]) -> list[Frame]:
    """The frames in `data`, fed in pieces."""
    ends = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    cutter = FrameDecoder()
    return [frame for start, end in pairwise(ends) for frame in cutter.feed(data[start:end])]


# The bytes of a frame -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "hexed"),
    [
        (Frame(frames.ASK, 0, b"\x01"), "02 01 04 01 eb 8d 00"),
        (Frame(frames.LOOK, 7, b""), "05 02 07 0b 8a 00"),
    ],
)
def test_frames_as_they_go_over_the_line(frame: Frame, hexed: str) -> None:
    assert frames.pack(frame).hex(" ") == hexed
    assert frames.unpack(bytes.fromhex(hexed)[:-1]) == frame


def test_the_crc_is_the_one_of_the_protocol() -> None:
    assert frames.crc(b"123456789") == 0x29B1


@given(FRAMES)
def test_a_frame_comes_back_as_it_was(frame: Frame) -> None:
    data = frames.pack(frame)
    assert data.index(0) == len(data) - 1 < LONGEST
    assert FrameDecoder().feed(data) == [frame]


def test_a_body_that_is_too_long_is_our_own_mistake() -> None:
    assert len(frames.pack(Frame(1, 2, b"\1" * BODY))) <= LONGEST
    with pytest.raises(ValueError, match="60 bytes at most, not 61"):
        frames.pack(Frame(1, 2, b"\1" * (BODY + 1)))


@given(FRAMES, st.data())
def test_a_frame_with_one_or_two_wrong_bits_is_dropped(frame: Frame, data: st.DataObject) -> None:
    packed = bytearray(frames.pack(frame)[:-1])
    bits = st.integers(0, 8 * len(packed) - 1)
    for bit in data.draw(st.lists(bits, min_size=1, max_size=2, unique=True)):
        packed[bit // 8] ^= 1 << bit % 8
    assert frame not in FrameDecoder().feed(bytes(packed) + b"\0")


# A line --------------------------------------------------------------------------------------


@given(NOISE, st.lists(st.integers(0, 1000)))
def test_however_the_bytes_are_divided_the_frames_are_the_same(data: bytes, cuts: list[int]) -> None:
    whole = divided(data, [])
    assert divided(data, cuts) == whole
    assert divided(data, list(range(len(data)))) == whole


@given(st.binary(max_size=300), st.lists(FRAMES))
def test_after_any_noise_and_a_zero_all_frames_arrive(noise: bytes, sent: list[Frame]) -> None:
    cutter = FrameDecoder()
    cutter.feed(noise + b"\0")
    assert [frame for each in sent for frame in cutter.feed(frames.pack(each))] == sent


@given(st.lists(st.tuples(st.integers(1, 5000), st.booleans()), max_size=5))
def test_what_is_kept_is_never_more_than_a_frame(pieces: list[tuple[int, bool]]) -> None:
    cutter = FrameDecoder()
    for size, ended in pieces:
        cutter.feed(b"\1" * size + b"\0" * ended)
        assert len(cutter._begun) <= LONGEST


def test_a_frame_that_is_too_long_is_dropped_with_all_of_its_bytes() -> None:
    inside = frames.pack(Frame(frames.LOOK, 1, b""))
    cutter = FrameDecoder()
    assert cutter.feed(b"\1" * LONGEST) == []
    assert cutter.feed(inside) == []  # still the same frame without an end
    assert cutter.feed(inside) == [Frame(frames.LOOK, 1, b"")]


@given(NOISE)
def test_no_frame_makes_the_reader_of_messages_fail(data: bytes) -> None:
    for frame in FrameDecoder().feed(data):
        frames.message(frame)


# Messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        (0x81, struct.pack("<BBBHHBI", 2, 8, 2, 12, 50, 4, 99), Hello(2, 8, 2, 12, 50, 4, 99)),
        (0x81, b"\x07and whatever else", Hello(7)),
        (0x82, struct.pack("<IHB", 70000, 3, 1) + b"\5\6", Snapshot(70000, 3, 1, b"\5\6")),
        (0x83, struct.pack("<HIBB", 65535, 1, 63, 1), Event(65535, 1, 63, 1)),
        (0x84, struct.pack("<IHH", 1, 2, 3), Beat(1, 2, 3)),
        (0x85, b"\xff", Done(255)),
        (0x86, b"\x01\x04", Refused(1, 4)),
        (
            0x87,
            struct.pack("<IB", 5, 2) + b"\xff\xff\xff\x00\x00\x80\x01\x02\x00",
            Readings(5, 2, (-1, -(1 << 23), 513)),
        ),
    ],
)
def test_each_kind_of_frame_is_read_as_its_message(kind: int, body: bytes, said: frames.Message) -> None:
    assert frames.message(Frame(kind, 0, body)) == said


@pytest.mark.parametrize("kind", range(0x81, 0x88))
def test_a_body_of_another_length_says_nothing(kind: int) -> None:
    assert frames.message(Frame(kind, 0, b"")) is None
    assert frames.message(Frame(kind, 0, b"\2")) in (None, Done(2))
    if kind != frames.SNAPSHOT:  # which is as long as it likes
        assert frames.message(Frame(kind, 0, b"\2" * 59)) is None


@pytest.mark.parametrize("kind", [0, 5, 0x80, 0x88, 255])
def test_kinds_that_no_board_has_say_nothing(kind: int) -> None:
    assert frames.message(Frame(kind, 0, bytes(8))) is None
