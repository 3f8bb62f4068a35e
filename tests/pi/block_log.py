"""What a disk was written, in order, as QEMU's driver blklogwrites keeps it; and what a power cut leaves of it.

The format is that of Linux's dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst): a superblock, then
for each write or flush a block that says what it is, with the data behind it. QEMU counts in blocks of `BLOCK` bytes
throughout. An entry is in the log before the machine hears that its write is done. So whatever the machine has seen
done, and written a mark of, stands in the log before the mark.

A disk owes nothing but what was written before its last flush. Of all later writes a cut leaves any, in parts, too: a
block of 512 bytes is the least that a disk writes whole. A write that was sent to the disk while a flush was under way
may stand in the log before that flush and counts as kept, which no real disk promises. A card that damages blocks
other than those that are written to is not imitated.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import BinaryIO, NamedTuple

MAGIC, VERSION = 0x6A736677736872, 1
SUPER, ENTRY = struct.Struct("<QQQI"), struct.Struct("<QQQQ")
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
BLOCK = 512
WAYS = ("none", "first", "some", "torn")
"""What may be left of the writes since the last flush: none, the first of them, any of them, any blocks of them."""


class LogError(Exception):
    """A log that cannot be used; says why."""


class Entry(NamedTuple):
    """A write or flush: where its data go, in bytes from the beginning of the disk; FLUSH, FUA, DISCARD and MARK."""

    at: int
    size: int
    flags: int
    data: bytes


class Write(NamedTuple):
    """Data, and where on the disk they go, in bytes from its beginning."""

    at: int
    data: bytes


def read_log(path: Path) -> Iterator[Entry]:
    """The entries of a log, in order; LogError. What lies behind a cut-off entry was never promised to anybody."""
    with path.open("rb") as file:
        head = file.read(BLOCK)
        if len(head) < BLOCK:
            raise LogError(f"{path}: too short for a log of writes")
        magic, version, _, size = SUPER.unpack_from(head)
        if (magic, version, size) != (MAGIC, VERSION, BLOCK):
            raise LogError(f"{path}: no log of writes in blocks of {BLOCK} bytes")
        while entry := read_entry(file):
            yield entry


def read_entry(file: BinaryIO) -> Entry | None:
    """The next entry; None at the end. The count in the superblock may lag behind, so that is not asked."""
    head = file.read(BLOCK)
    if len(head) < BLOCK:
        return None
    block, blocks, flags, size = ENTRY.unpack_from(head)
    if not any((block, blocks, flags, size)):
        return None  # nothing was written there yet
    wanted = 0 if flags & (DISCARD | MARK) else blocks * BLOCK
    data = file.read(wanted)
    return Entry(block * BLOCK, blocks * BLOCK, flags, data) if len(data) == wanted else None


class Disk:
    """A disk that is written to: what it owes, and what it was given since the last flush."""

    def __init__(self, image: bytes) -> None:
        self.kept = bytearray(image)
        self.owed: list[Write] = []

    def take(self, entry: Entry) -> None:
        """The next entry of its log."""
        if entry.flags & FLUSH:
            for write in self.owed:
                put(self.kept, write)
            self.owed.clear()
        if entry.flags & MARK or not entry.size:
            return
        data = bytes(entry.size) if entry.flags & DISCARD else entry.data
        write = Write(entry.at, data)
        if entry.flags & FUA:
            put(self.kept, write)
            self.owed = [overwritten(older, write) for older in self.owed]
        else:
            self.owed.append(write)

    def cut(self, way: str, choose: Random) -> bytearray:
        """What is on it when the power comes back, in one of the `WAYS`."""
        image = bytearray(self.kept)
        for write in self._left(way, choose):
            put(image, write)
        return image

    def _left(self, way: str, choose: Random) -> list[Write]:
        if way == "none":
            return []
        if way == "first":
            return self.owed[: choose.randint(0, len(self.owed))]
        writes = self.owed if way == "some" else [part for write in self.owed for part in blocks_of(write)]
        share = choose.random()
        return [write for write in writes if choose.random() < share]


def put(image: bytearray, write: Write) -> None:
    """Write it; LogError if it goes beyond the disk."""
    if write.at + len(write.data) > len(image):
        raise LogError(f"{len(write.data)} bytes were written at {write.at} of a disk of {len(image)} bytes")
    image[write.at : write.at + len(write.data)] = write.data


def overwritten(older: Write, newer: Write) -> Write:
    """The older one with the data of the newer one where both lie, so that it matters no more which comes last."""
    first, end = max(older.at, newer.at), min(older.at + len(older.data), newer.at + len(newer.data))
    if first >= end:
        return older
    over = newer.data[first - newer.at : end - newer.at]
    return Write(older.at, older.data[: first - older.at] + over + older.data[end - older.at :])


def blocks_of(write: Write) -> list[Write]:
    """A write block by block."""
    return [Write(write.at + start, write.data[start : start + BLOCK]) for start in range(0, len(write.data), BLOCK)]
