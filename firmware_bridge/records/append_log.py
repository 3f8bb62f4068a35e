"""An append-only file: created whole, locked, and on disk up to the last addition. OSError tells what failed.

All system calls by which a record changes the disk are in this module, so that tests can let each one fail, or end the
program at it.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

TICK = 2
"""Seconds by which dates of files differ for certain: FAT, the coarsest file system, counts in steps of two."""


class AppendLog:
    """An open file, locked for this process; `size` is its length in bytes when it was opened.

    If the file is removed meanwhile, it is put back with all that it held. Its date is later than that of every other
    file of its kind in the folder, even after the clock has gone back: a Pi without a clock may start with an old time.
    """

    def __init__(self, path: Path, file: int, size: int, after: float) -> None:
        self.path = path
        self.size = size
        self._file = file
        self._after = after

    def add(self, data: bytes, end: int) -> None:
        """Put `data` on disk, whole, after `end` bytes; what lies beyond was never reported as safe.

        After an OSError or an interruption at any point the same data may be added again; the file holds them once.
        """
        self._check(end)
        try:
            if os.write(self._file, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            date(self._file, self._after)
            os.fdatasync(self._file)
        except OSError:
            with suppress(OSError):  # otherwise the next try truncates it
                os.ftruncate(self._file, end)
            raise

    def _check(self, end: int) -> None:
        """Check that the file is still in its place, and cut it to `end` bytes."""
        mine = os.fstat(self._file)
        if mine.st_size < end:
            raise OSError(errno.EIO, "another program has cut it short; put it back")
        if mine.st_size > end:
            os.ftruncate(self._file, end)
        try:
            if not os.path.samestat(mine, os.stat(self.path)):
                raise OSError(errno.EEXIST, "another file has taken its place; take that away")
        except (FileNotFoundError, NotADirectoryError):
            self._put_back(end)

    def _put_back(self, end: int) -> None:
        file = create(self.path, os.pread(self._file, end, 0), self._after)
        self.close()
        self._file = file

    def close(self) -> None:
        """Release the file."""
        os.close(self._file)


def begin(path: Path, data: bytes, after: float) -> AppendLog:
    """Create a file that holds `data`, on disk whole or not at all; OSError, also if `path` exists.

    Its dates are later than `after`, that of the newest other file of its kind.
    """
    return AppendLog(path, create(path, data, after), len(data), after)


def go_on(path: Path, length: int, whole: int, after: float) -> AppendLog:
    """Open a file that was `length` bytes long when it was read, and keep its first `whole` bytes; `after` as above.

    BlockingIOError if another program has it; OSError also if it was written to since it was read.
    """
    file = os.open(path, os.O_RDWR | os.O_APPEND)
    try:
        lock(file)
        if os.fstat(file).st_size != length:
            raise OSError(errno.ESTALE, "another program has written to it meanwhile")
        if whole < length:
            os.ftruncate(file, whole)
    except BaseException:
        os.close(file)
        raise
    return AppendLog(path, file, whole, after)


def create(path: Path, data: bytes, after: float) -> int:
    """Create a file, written and locked under another name before it appears as `path`; its name is on disk as well.

    Its owner alone may read it, for it tells who played when.
    """
    make_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)  # never written over: a killed process may have put this very file in place
    file = os.open(draft, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        lock(file)
        if os.write(file, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        date(file, after)
        os.fsync(file)
        put_in_place(draft, path)
    except BaseException:
        os.close(file)
        raise
    finally:
        draft.unlink(missing_ok=True)
    return file


def put_in_place(draft: Path, path: Path) -> None:
    """Give the file `draft` the name `path`, and have that on disk; OSError if `path` exists."""
    os.link(draft, path)
    try:
        sync(path.parent)
    except BaseException:
        path.unlink()
        raise


def make_folder(folder: Path) -> None:
    """Create a folder and its parents for their owner alone, their names on disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(0o700, exist_ok=True)
        sync(folder.parent)


def sync(folder: Path) -> None:
    """Have the names in a folder on disk, where the file system can be told to."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(file)


def lock(file: int) -> None:
    """Lock the file until it is closed or this process ends; BlockingIOError if another has it."""
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def latest(path: Path) -> float:
    """The latest date of the other files of this kind in the folder of `path`; 0 if there is none."""
    kin = path.parent.glob(f"*{path.suffix}") if path.suffix else ()
    return max((dated(other) for other in kin if other != path), default=0.0)


def dated(path: Path) -> float:
    """The modification time of a file; 0 if it cannot be read, as when the file has just been removed."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def date(file: int, after: float) -> None:
    """Give the file, just written to, a date later than `after`."""
    if os.fstat(file).st_mtime <= after:
        os.utime(file, (after + TICK, after + TICK))
