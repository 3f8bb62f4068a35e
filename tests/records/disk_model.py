"""What a power cut may leave on a disk, worked out from the system calls that a program made.

Nothing is taken for safe but what POSIX says: the content of a file once that was synced, a name once its folder was.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise, product

from tests.records.system_calls import Call

SECTOR = 512
HARMLESS = {"read", "pread64", "stat", "fstat", "newfstatat", "getdents64", "flock", "fcntl", "lseek", "utimensat"}
"""Calls that change nothing that a record is read from."""


class File:
    """A file: what is on the disk for certain, and what it would be after each call that was made since."""

    def __init__(self, data: bytes = b"") -> None:
        self.safe = data
        self.later: list[bytes] = []

    @property
    def data(self) -> bytes:
        """What a program reads now."""
        return self.later[-1] if self.later else self.safe

    def sync(self) -> None:
        """All that was written is on the disk."""
        self.safe, self.later = self.data, []

    def orderly(self) -> Iterator[bytes]:
        """What may be there where a file never grows before its data are written: cut at any byte."""
        before = self.safe
        yield before
        for after in self.later:
            yield from (after[:length] for length in range(min(len(before), len(after)), len(after) + 1))
            before = after

    def disorderly(self) -> Iterator[bytes]:
        """What may be there where it grows at once, and any sector is written before any other."""
        for after in self.later:
            first = alike(self.safe, after)
            edges = [first, *range((first // SECTOR + 1) * SECTOR, len(after), SECTOR), len(after)]
            old = self.safe.ljust(len(after), b"\0")
            pieces = [(after[a:b], old[a:b]) for a, b in pairwise(edges)]
            yield from (after[:first] + b"".join(chosen) for chosen in product(*pieces))


def alike(one: bytes, other: bytes) -> int:
    """How many bytes they begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


class Disk:
    """Files and folders, as they are for certain and as a program sees them. `files` lie there from the beginning."""

    def __init__(self, files: dict[str, bytes], folders: set[str]) -> None:
        self.safe: dict[str, File | None] = {path: File(data) for path, data in files.items()}
        self.safe |= dict.fromkeys(folders)
        self.names = dict(self.safe)
        """Path -> file, or None for a folder."""
        self._open: dict[int, str | File] = {}
        """Those opened, folders by their path."""

    def do(self, call: Call) -> None:
        """A call was made; AssertionError if it is one of which this disk knows nothing."""
        if call.name in HARMLESS or call.result is None or call.result < 0:
            return
        doing = getattr(self, f"_{call.name}", None)
        assert doing, f"{call.name} is not known here: what does it change?"
        doing(call)

    def _openat(self, call: Call) -> None:
        path, flags = call.paths[0], call.arguments[2]
        assert call.result is not None
        if flags & os.O_DIRECTORY:
            self._open[call.result] = path
            return
        if path not in self.names and flags & os.O_CREAT:
            self.names[path] = File()
        file = self.names[path]
        assert file
        assert not flags & os.O_TRUNC
        self._open[call.result] = file

    def _write(self, call: Call) -> None:
        file = self._open.get(call.arguments[0])
        if isinstance(file, File):
            file.later.append(file.data + call.data[: call.result])

    def _ftruncate(self, call: Call) -> None:
        file = self._open[call.arguments[0]]
        assert isinstance(file, File)
        file.later.append(file.data[: call.arguments[1]])

    def _fsync(self, call: Call) -> None:
        synced = self._open[call.arguments[0]]
        if isinstance(synced, File):
            synced.sync()
            return
        of_it = {path for path in {*self.safe, *self.names} if os.path.dirname(path) == synced}
        self.safe = {path: file for path, file in self.safe.items() if path not in of_it}
        self.safe |= {path: file for path, file in self.names.items() if path in of_it}

    _fdatasync = _fsync

    def _link(self, call: Call) -> None:
        self.names[call.paths[1]] = self.names[call.paths[0]]

    def _unlink(self, call: Call) -> None:
        del self.names[call.paths[0]]

    def _mkdir(self, call: Call) -> None:
        self.names[call.paths[0]] = None

    def _close(self, call: Call) -> None:
        self._open.pop(call.arguments[0], None)

    # After a power cut ------------------------------------------------------------------------

    def left(self, path: str, *, orderly: bool) -> set[bytes | None]:
        """All that may lie at `path`; None for nothing."""
        found = {file for names in (self.safe, self.names) if (file := names.get(path))}
        images = {image for file in found for image in (file.orderly() if orderly else file.disorderly())}
        return {*images} if self._certain(path) else {*images, None}

    def _certain(self, path: str) -> bool:
        """Whether the name is on the disk, and those of all folders above it."""
        return path in self.safe and (os.path.dirname(path) in ("/", path) or self._certain(os.path.dirname(path)))
