"""Feeds bytes that a fuzzer invents to the program's end of the line to a micro-controller.

    pip install atheris
    python -m benchmarks.fuzz_frames -max_total_time=300 -max_len=1024

However the bytes are divided the frames must be the same, and nothing may raise. The fuzzer seldom finds a right crc
by itself, so half of what it invents is packed into frames first.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["hardware"]):
    from hardware import frames
    from hardware.frames import Cutter, Frame
    from hardware.link import Link

HELLO = frames.pack(Frame(frames.HELLO, 0, bytes((frames.VERSION, 1, 0, 8, 0, 9, 0, 4, 0, 0, 0, 0))))


def try_out(data: bytes) -> None:
    """One run."""
    given = atheris.FuzzedDataProvider(data)
    sent = b"".join(invented(given))
    assert cut(given, sent) == Cutter().feed(sent)
    link = Link("/dev/fuzzed")
    link.show(bytes(27))
    link.opened(0.0)
    converse(link, given, HELLO + sent)


def invented(given: atheris.FuzzedDataProvider) -> list[bytes]:
    """Frames and noise."""
    parts = []
    while given.remaining_bytes() > 8 and len(parts) < 20:
        body = given.ConsumeBytes(given.ConsumeIntInRange(0, frames.BODY))
        kind = given.ConsumeIntInRange(0x80, 0x88)
        parts.append(frames.pack(Frame(kind, kind, body)) if given.ConsumeBool() else body)
    return parts


def cut(given: atheris.FuzzedDataProvider, sent: bytes) -> list[Frame]:
    """The frames in `sent`, fed in pieces."""
    cutter, found = Cutter(), []
    while sent:
        size = given.ConsumeIntInRange(1, 40)
        found += cutter.feed(sent[:size])
        sent = sent[size:]
    return found


def converse(link: Link, given: atheris.FuzzedDataProvider, sent: bytes) -> None:
    """Let the link hear `sent`, and say what is due, in a time that is invented as well."""
    now = 0.0
    while sent:
        link.receive(sent[:50], now)
        sent = sent[50:]
        now += given.ConsumeIntInRange(0, 300) / 100
        assert len(link.due(now)) <= frames.LONGEST + 1
        assert not link.levels or (link.hello and len(link.levels) == link.hello.channels)
        if link.wants_port(now):
            link.opened(now)


if __name__ == "__main__":
    atheris.Setup(sys.argv, try_out)
    atheris.Fuzz()
