"""A controller of lights that takes DDP from a real UDP socket, and decodes it by the definition of its header.

http://www.3waylabs.com/ddp/. Byte 0 has the version (bits 7 and 6), timecode (4), storage (3), reply (2), query (1) and
push (0); byte 1 a sequence of 4 bits; byte 2 the type of the data (bits 5-3: 1 is RGB; bits 2-0: 3 is 8 bits a
channel); byte 3 the destination (1 is the display). Then come the offset (4 bytes) and the length (2 bytes), the
highest byte first, and so many bytes of data, 1440 at most.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from weakref import finalize

from hardware.device import Colour

HEADER = 10


class Controller:
    """Lights at a UDP port of this computer, that show a picture once its last part has come."""

    def __init__(self) -> None:
        self._line = self._bound(0)
        self.port = int(self._line.getsockname()[1])
        self.datagrams: list[bytes] = []
        """All that was taken since it was wiped."""
        self._channels: dict[int, int] = {}
        self._shown: list[Colour] = []

    def _bound(self, port: int) -> socket.socket:
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        line.bind(("127.0.0.1", port))
        finalize(self, line.close)
        return line

    def open(self) -> None:
        """Be there again, at the same port."""
        if self._line.fileno() < 0:
            self._line = self._bound(self.port)

    def close(self) -> None:
        """Be there no more: the kernel refuses what comes to the port."""
        self._take()
        self._line.close()

    def lit(self) -> list[Colour]:
        """The picture that is shown; nothing where none has come since it was wiped."""
        self._take()
        return self._shown

    def wipe(self) -> None:
        """Forget what has come."""
        self._take()
        self.datagrams, self._shown = [], []

    def _take(self) -> None:
        if self._line.fileno() < 0:
            return
        with suppress(BlockingIOError):
            while True:
                self._decode(self._line.recv(1 << 16))

    def _decode(self, data: bytes) -> None:
        self.datagrams.append(data)
        flags, sequence, kind, destination = data[:4]
        offset, length = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:10], "big")
        assert flags & 0xC0 == 0x40, "not version 1"
        assert not flags & 0x3E, "neither timecode nor storage, reply or query is meant"
        assert sequence == 0, "sequences are not used"
        assert (kind >> 3 & 7, kind & 7, destination) == (1, 3, 1), "not RGB of 8 bits for the display"
        assert len(data) - HEADER == length <= 1440, "another length than the header tells"
        self._channels.update(enumerate(data[HEADER:], offset))
        if flags & 1:
            told = bytes(self._channels[at] for at in range(len(self._channels)))
            self._shown = [(told[at], told[at + 1], told[at + 2]) for at in range(0, len(told), 3)]
