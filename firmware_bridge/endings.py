"""Works out the endings of Zig Zag for the engine and keeps them where it looks."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from firmware_bridge.columns import padded, width
from firmware_bridge.engine.endgame import EndgameError, build, place, read, size
from firmware_bridge.words import here
from games.rules import Reason, say
from hardware.settings import SettingsError


def work_out(seeds: int, *, again: bool = False) -> int:
    """Work out the endings up to so many seeds and write them; SettingsError.

    Those that are there and go as far stay, unless `again`.
    """
    path = place()
    ready(path, 0 if again else seeds)
    endings = build(seeds, Progress(seeds, sys.stderr).step)
    try:
        endings.write(path)
    except OSError as error:
        raise unwritten(path, error) from None
    done = Reason.of("endings.done", file=str(path), seeds=seeds, size=f"{path.stat().st_size:,}")
    print(here().say(done))
    return 0


def ready(path: Path, seeds: int) -> None:
    """Make the folder; SettingsError if nothing can be written to it, or `path` has that many seeds already."""
    there = kept(path)
    if seeds and there >= seeds:
        raise SettingsError(f"{path}: holds the endings up to {there} seeds already; --force works them out again")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(None, "nothing can be written to its folder")
    except OSError as error:
        raise unwritten(path, error) from None


def kept(path: Path) -> int:
    """The seeds of the endings at `path`; 0 if there are none that can be used."""
    try:
        return read(path).seeds
    except EndgameError:
        return 0


def unwritten(path: Path, error: OSError) -> SettingsError:
    """What is said when the endings cannot be written."""
    return SettingsError(f"{path}: {error.strerror or error}; XDG_STATE_HOME can name another folder")


class Progress:
    """Tells how far it is in one line of a terminal, which is cleared at the end; nothing to a file."""

    def __init__(self, seeds: int, out: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._seeds, self._out, self._now = seeds, out, now
        self._began = now()
        self._wide = 0

    def step(self, done: int, every: int) -> None:
        """So many endings are worked out, of `every` one."""
        if not self._out.isatty():
            return
        told = self.told(done, every) if done < every else ""
        self._out.write("\r" + padded(told, max(self._wide, width(told))) + ("" if told else "\r"))
        self._out.flush()
        self._wide = width(told)

    def told(self, done: int, every: int) -> str:
        """The seeds that are done, and the time that is left by the time it took."""
        seeds = next(count for count in range(self._seeds + 1) if size(count) >= done)
        left = (self._now() - self._began) * (every - done) / done
        return here().say(Reason.of("endings.so-far", done=seeds, seeds=self._seeds, left=f"{left:.0f}"))


say(
    "endings",
    so_far="Seeds: {done} of {seeds}, seconds left: about {left}",
    done="{file}: the endings of Zig Zag with up to {seeds} seeds in the pits, {size} bytes. The engine looks them up.",
)
