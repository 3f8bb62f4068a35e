"""Files that are no ordinary ones, each alone in its folder; afterwards it must still be there, and nothing else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest


@contextmanager
def null(folder: Path) -> Iterator[Path]:
    """A device that takes all, in a folder of our own, since what would replace it may succeed."""
    path = folder / "null"
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        path.write_bytes(b"")
    except PermissionError:
        pytest.skip("only root may make a device, and not everywhere")
    yield path
    assert stat.S_ISCHR(path.stat().st_mode), "the device was replaced"
    assert os.listdir(folder) == ["null"], "it was renamed, or a draft was left"


@contextmanager
def piped(folder: Path) -> Iterator[tuple[Path, list[bytes]]]:
    """A pipe, and what was read from it in the end."""
    path, heard = folder / "pipe", []
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reading, True)

    def listen() -> None:
        while data := os.read(reading, 65536):
            heard.append(data)

    listener = Thread(target=listen)
    held = os.open(path, os.O_WRONLY)  # so that the reader waits for a writer
    listener.start()
    try:
        yield path, heard
    finally:
        os.close(held)
        listener.join()
    os.close(reading)
    assert stat.S_ISFIFO(path.stat().st_mode), "the pipe was replaced"
    assert os.listdir(folder) == ["pipe"], "a draft was left"
