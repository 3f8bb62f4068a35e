"""A file that only grows: made whole, locked, and on disk as far as it was added to. OSError tells what was not.

All system calls by which a record changes anything are in here, so that each can be made to fail, or to be the last.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

TICK = 2
"""Seconds by which dates of files differ for certain: the coarsest file systems count in twos."""


class AppendLog:
    """An open file of ours alone, `size` bytes long when it was opened.

    Taken away in the midst, it is put back with all that it held. It is never dated before another of its kind in
    its folder, even when the clock has gone back: a small computer may begin each day with an old one.
    """

    def __init__(self, path: Path, file: int, size: int, after: float) -> None:
        self.path = path
        self.size = size
        self._file = file
        self._after = after

    def add(self, data: bytes, end: int) -> None:
        """Put `data` on disk, whole, after `end` bytes; what lies beyond was never reported as safe.

        After an OSError, or an interruption however late, the same may be added again: it is there once.
        """
        self._look_after(end)
        try:
            if os.write(self._file, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            date(self._file, self._after)
            os.fdatasync(self._file)
        except OSError:
            with suppress(OSError):  # else before the next try
                os.ftruncate(self._file, end)
            raise

    def _look_after(self, end: int) -> None:
        """See that the file still lies in its place, and ends after `end` bytes."""
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


def begin(path: Path, data: bytes) -> AppendLog:
    """A new file that holds `data`, on disk whole or not at all; OSError, also if there is one by that name."""
    after = latest(path)
    return AppendLog(path, create(path, data, after), len(data), after)


def go_on(path: Path, length: int, whole: int) -> AppendLog:
    """Go on with a file that was read when it was `length` bytes long, of which the first `whole` are kept.

    BlockingIOError if another program has it; OSError also if it was written to since it was read.
    """
    after = latest(path)
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
    """Make a file: written and locked under another name before anybody can find it, and its name on disk as well."""
    make_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)  # never written over: it may be the very file that its dead maker has put in place
    file = os.open(draft, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o666)
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
    """Give the file `draft` the name `path`, for good; it has none of its own yet."""
    os.link(draft, path)
    try:
        sync(path.parent)
    except BaseException:
        path.unlink()
        raise


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, their names on disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def sync(folder: Path) -> None:
    """Have the names in a folder on disk; where the file system cannot be told to, nothing more can be done."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(file)


def lock(file: int) -> None:
    """Have the file alone, until it is closed or this process ends, however it ends; BlockingIOError."""
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def latest(path: Path) -> float:
    """The latest date of the other files of this kind in the folder of `path`; 0 if there is none."""
    kin = path.parent.glob(f"*{path.suffix}") if path.suffix else ()
    return max((dated(other) for other in kin if other != path), default=0.0)


def dated(path: Path) -> float:
    """When the file was written to, by its date; 0 if it cannot be told, as of one that has just been taken away."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def date(file: int, after: float) -> None:
    """Have the file, just written to, dated later than `after`."""
    if os.fstat(file).st_mtime <= after:
        os.utime(file, (after + TICK, after + TICK))
