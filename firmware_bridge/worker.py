"""A process of its own beside the daemon: started, told, asked, and started anew when it has died.

The daemon and the worker have a socket pair of whole packets between them, and nothing on the daemon's side waits.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import inf

SHORTEST, LONGEST = 1.0, 30.0
"""Seconds after which a dead worker is started anew: at first, and at most; each time twice as long."""
LIVED = 60.0
"""Seconds after which a worker that dies counts as one that had worked."""


class Worker:
    """The module `module` as a process, with these `arguments`; its end of the line has the number after ``--fd``.

    A packet that it sends has at most `largest` bytes.
    """

    def __init__(self, module: str, arguments: Sequence[str] = (), largest: int = 1 << 16) -> None:
        self.births = 0
        """How many times it was started."""
        self._command = (sys.executable, "-m", module, *arguments)
        self._largest = largest
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._begun, self._due, self._pause = -inf, -inf, SHORTEST

    def alive(self, now: float) -> bool:
        """Whether there is one at `now` (seconds); one is started where it is time for that."""
        if self._process and not self._line:
            self._bury(now)
        if not self._process and now >= self._due:
            self._start(now)
        return self._line is not None

    def surroundings(self) -> dict[str, str]:
        """The environment that it is started in: the daemon's."""
        return dict(os.environ)

    def _start(self, now: float) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                (*self._command, "--fd", str(number)),
                env=self.surroundings(), stdin=subprocess.DEVNULL, pass_fds=(number,), start_new_session=True,
            )  # fmt: skip
        self._line, self._begun = ours, now
        self.births += 1

    def _bury(self, now: float) -> None:
        """It is gone; one that dies young is not started anew at once."""
        self.close()
        self._pause = SHORTEST if now - self._begun > LIVED else min(2 * self._pause, LONGEST)
        self._due = now + self._pause

    def send(self, data: bytes) -> bool:
        """Tell it; whether it was taken."""
        try:
            return self._line is not None and self._line.send(data) > 0
        except BlockingIOError:
            return False
        except OSError:
            self._hang_up()
            return False

    def receive(self) -> bytes:
        """What it says, a packet at a time; empty if nothing."""
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
        """End it; it has nothing to lose."""
        self._hang_up()
        if self._process:
            self._process.kill()
            self._process.wait()
        self._process = None


def give_way(kinder: int) -> None:
    """In a worker: never interrupt the scan loop when there is news, and take little where there are too few cores.

    `kinder`: how much less it gets than the scan loop where both want the same core, as `os.nice` has it.
    """
    with suppress(OSError):  # a hardened service may not choose
        if hasattr(os, "SCHED_BATCH"):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        os.nice(kinder)
