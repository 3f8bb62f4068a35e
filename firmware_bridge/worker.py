"""Worker processes beside the daemon, restarted when they die.

A socket pair carries whole packets between the daemon and its worker. Nothing on the daemon's side waits.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path

SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before a dead worker is started anew, at first and at most: the pause doubles each time. Guesses."""
HEALTHY = 60.0
"""Seconds of life after which the death of a worker begins with the shortest pause again; a guess."""


class Worker:
    """A process that runs `module` with `arguments` and ``--fd``, the number of its end of the socket pair.

    A packet that it sends has at most `largest` bytes.
    """

    def __init__(self, module: str, arguments: Sequence[str] = (), largest: int = 1 << 16) -> None:
        self.starts = 0
        """How many times the process was started."""
        self._command = (*module_command(module), *arguments)
        self._largest = largest
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._begun, self._due, self._pause = -inf, -inf, SHORTEST_PAUSE

    def alive(self, now: float) -> bool:
        """Whether the process runs at `now` (seconds); it is started if that is due."""
        if self._process and not self._line:
            self._set_restart(now)
        if not self._process and now >= self._due:
            self._start(now)
        return self._line is not None

    def environment(self) -> dict[str, str]:
        """The environment variables of the process."""
        return same_modules()

    def _start(self, now: float) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                (*self._command, "--fd", str(number)),
                env=self.environment(), stdin=subprocess.DEVNULL, pass_fds=(number,), start_new_session=True,
            )  # fmt: skip
        self._line, self._begun = ours, now
        self.starts += 1

    def _set_restart(self, now: float) -> None:
        """Set when a dead process is started anew: later each time, if it keeps dying young."""
        self.close()
        long_lived = now - self._begun > HEALTHY
        self._pause = SHORTEST_PAUSE if long_lived else min(2 * self._pause, LONGEST_PAUSE)
        self._due = now + self._pause

    def send(self, data: bytes) -> bool:
        """Send a packet; whether it was taken. One that finds the line full is not."""
        try:
            return self._line is not None and self._line.send(data) > 0
        except BlockingIOError:
            return False
        except OSError:
            self._hang_up()
            return False

    def receive(self) -> bytes:
        """The next packet of the process; empty if there is none."""
        if not self._line:
            return b""
        try:
            data = self._line.recv(self._largest)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def _hang_up(self) -> None:
        if self._line:
            self._line.close()
        self._line = None

    def close(self) -> None:
        """Kill the process; it has nothing to lose."""
        self._hang_up()
        if self._process:
            self._process.kill()
            self._process.wait()
        self._process = None


def module_command(module: str) -> tuple[str, ...]:
    """The command that runs `module` of this program; ``-P``: not one of that name in the current directory."""
    return (sys.executable, "-P", "-m", module)


def same_modules() -> dict[str, str]:
    """The environment of this process, for one that is to find the same modules wherever it is started.

    What lies in the current directory is nothing of the program's: a `msgspec.py` there would be run, as root where the
    table is.
    """
    return {**os.environ, "PYTHONPATH": os.pathsep.join(module_folders()), "PYTHONSAFEPATH": "1"}


def module_folders() -> Iterator[str]:
    """The folders in which this process finds modules, without the current directory where only Python has put it.

    Python does so for ``-m`` and ``-c``, and for an empty part of PYTHONPATH, which is mostly a slip. The directory
    stays where the program itself lies in it, where PYTHONPATH names it, and where it is that of an installed package.
    """
    here, parts = os.path.realpath(os.getcwd()), os.environ.get("PYTHONPATH", "").split(os.pathsep)
    slip = len(parts) > 1 and "" in parts and here not in map(os.path.realpath, filter(None, parts))
    own = here == os.path.realpath(Path(__file__).parents[1])
    for number, folder in enumerate(sys.path):
        added = not folder or slip or (number == 0 and not sys.flags.safe_path)
        if own or not added or os.path.realpath(folder) != here:
            yield folder or here


def lower_priority(nice: int) -> None:
    """Called in a worker: give the scan loop the first claim on the processor.

    The worker never interrupts the scan loop when a packet comes. `nice` is what `os.nice` adds: how much less the
    worker gets where both want the same core.
    """
    with suppress(OSError):  # a hardened service may not choose
        if hasattr(os, "SCHED_BATCH"):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        os.nice(nice)
