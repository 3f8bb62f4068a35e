"""What goes over the line to a micro-controller: frames from bytes, bytes from frames; docs/wire.md has the protocol.

Nothing here opens or waits: bytes come in as they come, in whatever pieces, and whole frames go out. What is no frame
is dropped without a word. COBS is written out: frames are so short that it is a matter of splitting at the zeros. A
library that is compiled would save 1 or 2 us of the 5 that a frame costs, and has to be compiled on a Pi.
"""

from __future__ import annotations

import struct
from binascii import crc_hqx
from collections.abc import Callable
from typing import NamedTuple

VERSION = 2
LONGEST = 70
"""Bytes of a frame, with the zero that ends it."""
BODY = 60
"""Bytes that a body may have."""
COLOURS = SCALES = 16
"""Colours in a PAINT and readings in READINGS, at most."""

NO_READING = -(1 << 23)
"""What READINGS tell of a scale that has none."""

ASK, LOOK, PAINT, SHOW, BEAT, REST = range(1, 7)
HELLO, SNAPSHOT, EVENT, BOARD_BEAT, DONE, REFUSED, READINGS = range(0x81, 0x88)

BUTTONS = ("done", "undo", "hint", "power")
FIRST_BUTTON, LAST_BUTTON = 0xF0, 0xF7
"""The channels by which an EVENT means a button."""
ANOTHER_PICTURE, ANOTHER_VERSION = 4, 5
"""Why a SHOW is refused when the board holds something else than the program thinks, and why an ASK is."""


class Frame(NamedTuple):
    """A frame as it is sent: its kind, the sender's number for it (both a byte), and up to 60 bytes."""

    kind: int
    number: int
    body: bytes


# What the board says --------------------------------------------------------------------------


class Hello(NamedTuple):
    """What the board is; of another version only that is known, and the rest is 0."""

    version: int
    reset: int = 0
    sense: int = 0
    channels: int = 0
    pixels: int = 0
    buttons: int = 0
    ms: int = 0


class Snapshot(NamedTuple):
    """What stands on the table; `pressed` and `levels` are packed as on the line."""

    ms: int
    events: int
    pressed: int
    levels: bytes


class Event(NamedTuple):
    """A settled change, the `events`-th since the reset."""

    events: int
    ms: int
    channel: int
    level: int


class Beat(NamedTuple):
    """The board lives; `crc` is over what a snapshot would say now."""

    ms: int
    events: int
    crc: int


class Done(NamedTuple):
    """The frame of that number has been done."""

    number: int


class Refused(NamedTuple):
    """The frame of that number cannot be done."""

    number: int
    why: int


class Readings(NamedTuple):
    """What the scales from the channel `first` on show, in counts of 24 bits with a sign."""

    ms: int
    first: int
    values: tuple[int, ...]


Message = Hello | Snapshot | Event | Beat | Done | Refused | Readings


def message(frame: Frame) -> Message | None:
    """What a frame of the board says; None for a kind that there is not, or a body that does not fit its kind."""
    read = _READ.get(frame.kind)
    try:
        return read(frame.body) if read else None
    except struct.error:
        return None


def _hello(body: bytes) -> Hello | None:
    if body and body[0] != VERSION:
        return Hello(body[0])
    return Hello._make(struct.unpack("<BBBHHBI", body))


def _snapshot(body: bytes) -> Snapshot:
    ms, events, pressed = struct.unpack_from("<IHB", body)
    return Snapshot(ms, events, pressed, body[7:])


def _readings(body: bytes) -> Readings | None:
    ms, first = struct.unpack_from("<IB", body)
    values = [int.from_bytes(body[at : at + 3], "little", signed=True) for at in range(5, len(body), 3)]
    return Readings(ms, first, tuple(values)) if 0 < len(values) <= SCALES and len(body) % 3 == 2 else None


_READ: dict[int, Callable[[bytes], Message | None]] = {
    HELLO: _hello,
    SNAPSHOT: _snapshot,
    EVENT: lambda body: Event._make(struct.unpack("<HIBB", body)),
    BOARD_BEAT: lambda body: Beat._make(struct.unpack("<IHH", body)),
    DONE: lambda body: Done._make(struct.unpack("<B", body)),
    REFUSED: lambda body: Refused._make(struct.unpack("<BB", body)),
    READINGS: _readings,
}


# Frames and bytes -----------------------------------------------------------------------------


def crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return crc_hqx(data, 0xFFFF)


def pack(frame: Frame) -> bytes:
    """The frame as it goes over the line, with the zero that ends it. ValueError if its body is too long."""
    if len(frame.body) > BODY:
        raise ValueError(f"a frame has a body of {BODY} bytes at most, not {len(frame.body)}")
    payload = bytes((frame.kind, frame.number)) + frame.body
    payload += crc(payload).to_bytes(2, "big")
    return b"".join(bytes((len(part) + 1,)) + part for part in payload.split(b"\0")) + b"\0"


def unpack(data: bytes) -> Frame | None:
    """The frame in the bytes between two zeros; None where they are none."""
    payload = _unstuffed(data)
    if not 4 <= len(payload) <= BODY + 4 or crc(payload):
        return None
    return Frame(payload[0], payload[1], payload[2:-2])


def _unstuffed(data: bytes) -> bytes:
    """The bytes before COBS; none where it is no COBS. Each block begins with the distance to the next one."""
    parts = []
    at = 0
    while at < len(data):
        end = at + data[at]
        if end > len(data):
            return b""
        parts.append(data[at + 1 : end])
        at = end
    return b"\0".join(parts)


class FrameDecoder:
    """Cuts what arrives into frames; keeps less than one frame, whatever comes."""

    def __init__(self) -> None:
        self._begun = b""

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that are whole with `data`; the same however the bytes were divided."""
        *whole, rest = (self._begun + data).split(b"\0")
        self._begun = rest[:LONGEST]  # what is too long already stays too long
        return [frame for part in whole if (frame := unpack(part))]

    def forget(self) -> None:
        """Forget what has begun: the line is another one."""
        self._begun = b""
