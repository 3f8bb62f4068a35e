"""The tests' own reading of docs/wire.md, which shares nothing with the program's side."""

from __future__ import annotations

import struct
from binascii import crc_hqx
from typing import NamedTuple

VERSION = b"\2"
ASK, LOOK, PAINT, SHOW, BEAT, REST = range(1, 7)
HELLO, SNAPSHOT, EVENT, BOARD_BEAT, DONE, REFUSED, READINGS = range(0x81, 0x88)


class Frame(NamedTuple):
    """A frame from the board, and when its last bit came, in microseconds."""

    kind: int
    number: int
    body: bytes
    at: float

    @property
    def hello(self) -> tuple[int, int, int, int, int, int, int]:
        """Version, reset, sense, channels, pixels, buttons, ms."""
        assert self.kind == HELLO
        return struct.unpack("<BBBHHBI", self.body)

    @property
    def snapshot(self) -> tuple[int, int, int, bytes]:
        """Its ms, events, pressed and levels."""
        assert self.kind == SNAPSHOT
        return *struct.unpack("<IHB", self.body[:7]), self.body[7:]

    @property
    def event(self) -> tuple[int, int, int, int]:
        """Its events, ms, channel and level."""
        assert self.kind == EVENT
        return struct.unpack("<HIBB", self.body)

    @property
    def beat(self) -> tuple[int, int, int]:
        """Its ms, events and crc."""
        assert self.kind == BOARD_BEAT
        return struct.unpack("<IHH", self.body)

    @property
    def readings(self) -> list[int]:
        """What the scales show."""
        assert self.kind == READINGS
        values = self.body[5:]
        return [int.from_bytes(values[i : i + 3], "little", signed=True) for i in range(0, len(values), 3)]


def crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return crc_hqx(data, 0xFFFF)


def stuffed(data: bytes) -> bytes:
    """COBS of fewer than 254 bytes: each zero is replaced by the distance to the next."""
    return b"".join(bytes([len(group) + 1]) + group for group in data.split(b"\0"))


def unstuffed(data: bytes) -> bytes:
    """The opposite; ValueError where `data` is none of it."""
    groups = []
    while data:
        if len(data) < data[0]:
            raise ValueError("cut off")
        groups.append(data[1 : data[0]])
        data = data[data[0] :]
    return b"\0".join(groups)


def framed(payload: bytes) -> bytes:
    """A frame as it is on the line, its zero included."""
    return stuffed(payload + crc(payload).to_bytes(2, "big")) + b"\0"


def opened(data: bytes, at: float) -> Frame:
    """The frame that `data`, without its zero, holds; ValueError where it is damaged."""
    payload = unstuffed(data)
    if len(payload) < 4 or crc(payload):
        raise ValueError(f"a damaged frame: {data.hex()}")
    return Frame(payload[0], payload[1], payload[2:-2], at)
