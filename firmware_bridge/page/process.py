"""The page's server as the daemon has it: a process that is started, told, asked, and started anew when it has died."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from math import inf

from firmware_bridge.page.messages import LARGEST

SHORTEST, LONGEST = 1.0, 30.0
"""Seconds after which a dead server is started anew: at first, and at most; each time twice as long."""
LIVED = 60.0
"""Seconds after which a server that dies counts as one that had worked."""
TOKEN = "TABLELIGHT_TOKEN"
"""The environment variable by which the server learns what players must show; a command line could be read by all."""


class Server:
    """The server's process, which serves on `host` and `port`; with a `token` only who shows it may change anything."""

    def __init__(self, host: str, port: int, token: str = "") -> None:
        self.host, self.port, self.token = host, port, token
        self.births = 0
        """How many times it was started."""
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._begun, self._due, self._pause = -inf, -inf, SHORTEST

    def alive(self, now: float) -> bool:
        """Whether there is a server at `now` (seconds); one is started where it is time for that."""
        if self._process and not self._line:
            self._bury(now)
        if not self._process and now >= self._due:
            self._start(now)
        return self._line is not None

    def _start(self, now: float) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        with theirs:
            number = theirs.fileno()
            address = ("--host", self.host, "--port", str(self.port), "--fd", str(number))
            self._process = subprocess.Popen(
                (sys.executable, "-m", "firmware_bridge.page", *address),
                env=os.environ | {TOKEN: self.token},
                stdin=subprocess.DEVNULL, pass_fds=(number,), start_new_session=True,
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
            data = self._line.recv(LARGEST)
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
