"""Files that people name: read with bounds, and replaced whole or not at all. An OSError says what is wrong with one.

Only ordinary files are read, for a pipe would never end and a device may do anything when it is opened. Only ordinary
files are ever replaced. Pipes, terminals and other devices without blocks, standard output among them, are written to.
A link stays, and what it leads to is read, replaced or written to. Folders, disks and sockets are refused.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a disk"),
    (stat.S_ISSOCK, "a socket"),
)
"""What a file may be that is no ordinary one, in words."""
OPEN = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""How a file is opened of which it is not known what it is: without a wait, and never as our terminal."""


def read(path: Path, largest: int) -> bytes:
    """What an ordinary file holds, but no more than one byte more than the `largest` that is wanted; OSError."""
    _check_ordinary(_status(path))
    with open(os.open(path, os.O_RDONLY | OPEN), "rb") as file:
        _check_ordinary(os.fstat(file.fileno()))  # it may have been replaced meanwhile
        return file.read(largest + 1)


def write(path: Path, data: bytes) -> None:
    """Put `data` in the place of the ordinary file at `path`, or write it to the pipe or device there; OSError."""
    stream = open_stream(path)
    if stream is None:
        with replacing(path) as draft:
            draft.write_bytes(data)
        return
    with open(stream, "wb") as file:
        os.set_blocking(stream, True)
        file.write(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A draft that takes the place of the ordinary file at `path`, or of none, once it is written; OSError.

    It has the owner and the rights of the file that it replaces. If the block fails what was there stays as it was.
    """
    status = _status(path)
    _check_ordinary(status)
    place = Path(os.path.realpath(path))
    draft = place.with_name(f".{place.name}.{token_hex(4)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    try:
        if status:
            with suppress(PermissionError):  # only root may give files away
                os.chown(draft, status.st_uid, status.st_gid)
            draft.chmod(stat.S_IMODE(status.st_mode))
        yield draft
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def open_stream(path: Path) -> int | None:
    """The pipe or device at `path`, opened so that writing to it does not wait; None if a file is or may be there.

    OSError. Standard output and standard error are known under any name; they may be files that we write already.
    """
    status = _status(path)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or no stream of the system's
            if status and os.path.samestat(status, os.fstat(stream.fileno())):
                stream.flush()
                return os.dup(stream.fileno())
    if not status or stat.S_ISREG(status.st_mode):
        return None
    if not stat.S_ISFIFO(status.st_mode) and not stat.S_ISCHR(status.st_mode):
        _check_ordinary(status)
    try:
        return os.open(path, os.O_WRONLY | OPEN)
    except OSError as error:
        if error.errno == errno.ENXIO and stat.S_ISFIFO(status.st_mode):
            raise OSError(errno.ENXIO, "a pipe from which nobody reads") from None
        raise


def _status(path: Path) -> os.stat_result | None:
    """What is at `path`, links followed; None if nothing is. OSError."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise OSError(errno.EINVAL, f"no file has such a name: {error}") from None


def _check_ordinary(status: os.stat_result | None) -> None:
    """Refuse what is there and no ordinary file; OSError."""
    if status and not stat.S_ISREG(status.st_mode):
        kind = next((told for is_one, told in KINDS if is_one(status.st_mode)), "something else")
        raise OSError(errno.EINVAL, f"{kind}, where an ordinary file is needed")
