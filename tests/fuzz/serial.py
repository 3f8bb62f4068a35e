"""The program's end of the line to a micro-controller.

However the bytes are divided the frames must be the same. A right crc is seldom found by chance, so some of what is
invented is packed into frames first: a part of the input is a kind, a length, and so many bytes; a kind from 0x80 on
makes a frame of them, any other sends them as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

from hardware.serial import frames
from hardware.serial.conversation import Conversation
from hardware.serial.frames import Frame, FrameDecoder
from tests.fuzz.target import Target

HELLO = bytes((frames.VERSION, 1, 0, 8, 0, 9, 0, 4, 0, 0, 0, 0))


def part(kind: int, body: bytes) -> bytes:
    """A part of the input."""
    return bytes((kind, len(body))) + body


def parts(data: bytes) -> Iterator[bytes]:
    """What goes over the line."""
    while len(data) > 1:
        kind, body = data[0], data[2 : 2 + data[1] % (frames.BODY + 1)]
        yield frames.pack(Frame(kind, len(body), body)) if kind >= 0x80 else body
        data = data[2 + data[1] % (frames.BODY + 1) :]


def cut(data: bytes) -> None:
    """The frames are the same, however they are divided."""
    sent, cutter, found = b"".join(parts(data)), FrameDecoder(), []
    whole = FrameDecoder().feed(sent)
    for size in cycle(data[:40] or b"\1"):
        if not sent:
            break
        found += cutter.feed(sent[: 1 + size % 80])
        sent = sent[1 + size % 80 :]
    assert found == whole
    for frame in found:
        frames.message(frame)


def converse(data: bytes) -> None:
    """The link hears it all, and says what is due, in a time that is invented as well."""
    link, now = Conversation("/dev/fuzzed"), 0.0
    link.show(bytes(27))
    link.opened(now)
    for piece, pause in zip(islice(parts(data), 200), cycle(data[::-1]), strict=False):
        link.receive(piece, now)
        now += pause / 100
        assert len(link.due(now)) <= 9 * (frames.LONGEST + 1)
        assert not link.levels or (link.hello and len(link.levels) == link.hello.channels)
        assert not link.problem or link.problem.isprintable()
        if link.wants_port(now):
            link.opened(now)


TALK = (
    part(frames.HELLO, HELLO)
    + part(frames.SNAPSHOT, bytes((1, 0, 0, 0, 0, 0, 0, 1)))
    + part(frames.EVENT, bytes((1, 0, 9, 0, 0, 0, 3, 1)))
    + part(frames.BOARD_BEAT, bytes(8))
    + part(frames.DONE, b"\1")
    + part(frames.REFUSED, b"\2\4"),
    part(frames.HELLO, bytes((frames.VERSION, 1, 2, 12, 0, 9, 0, 4, 0, 0, 0, 0))) + part(frames.READINGS, bytes(11)),
    part(frames.HELLO, b"\x09") + part(3, b"\0\0\0") + part(frames.HELLO, HELLO[:5]),
)
SERIAL = (Target("frames", cut, (), TALK, (b"\0", b"\xff")), Target("link", converse, (), TALK, (HELLO, b"\x82\x08")))
