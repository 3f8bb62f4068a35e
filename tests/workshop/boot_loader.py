"""The boot loader of an Uno on a pseudo terminal: enough of STK500 for the real avrdude to put a program on it."""

from __future__ import annotations

import os
import pty
import select
import threading
import tty

OK, IN_SYNC, END = b"\x10", b"\x14", b"\x20"
ATMEGA328P, ATTINY85 = b"\x1e\x95\x0f", b"\x1e\x93\x0b"
LENGTHS = {0x30: 0, 0x41: 1, 0x42: 20, 0x45: 5, 0x50: 0, 0x51: 0, 0x55: 2, 0x56: 4, 0x75: 0}
"""Bytes that follow each command, but for those that read and write a page."""
SYNC, PARAMETER, ADDRESS, UNIVERSAL, WRITE, READ, SIGNATURE = 0x30, 0x41, 0x55, 0x56, 0x64, 0x74, 0x75


class BootLoader:
    """A chip with this `signature`; `path` is its port, `flash` what it holds. A mute one never answers."""

    def __init__(self, signature: bytes = ATMEGA328P, *, mute: bool = False) -> None:
        self.flash = bytearray(b"\xff" * 32768)
        self._signature, self._mute, self._at = signature, mute, 0
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        self.path = os.ttyname(self._theirs)
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Pull the plug."""
        os.close(self._stopped)
        self._thread.join(5)
        for file in (self._ours, self._theirs, self._stop):
            os.close(file)

    def _byte(self) -> int | None:
        ready, _, _ = select.select([self._ours, self._stop], [], [])
        return None if self._stop in ready else os.read(self._ours, 1)[0]

    def _serve(self) -> None:
        while (command := self._byte()) is not None:
            told = bytes(self._byte() or 0 for _ in range(LENGTHS.get(command, 3)))
            data = b""
            if command == WRITE:
                data = bytes(self._byte() or 0 for _ in range(told[0] << 8 | told[1]))
            if self._mute or bytes([self._byte() or 0]) != END:
                continue
            os.write(self._ours, IN_SYNC + self._answer(command, told, data) + OK)

    def _answer(self, command: int, told: bytes, data: bytes) -> bytes:
        if command == ADDRESS:
            self._at = 2 * (told[0] | told[1] << 8)
        if command == WRITE:
            self.flash[self._at : self._at + len(data)] = data
        if command == READ:
            return bytes(self.flash[self._at : self._at + (told[0] << 8 | told[1])])
        return {PARAMETER: b"\x03", UNIVERSAL: b"\0", SIGNATURE: self._signature}.get(command, b"")
