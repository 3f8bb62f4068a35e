"""Worker processes beside the daemon: each gives a beat from its own work, and is replaced when it is hung or dies.

A socket pair carries whole packets between the daemon and its worker. Nothing on the daemon's side waits: a process is
started, and one that is lost is reaped, in a thread.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Literal

from games.rules import say

SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before a lost worker is started anew, at first and at most: the pause doubles each time. Guesses."""
HEALTHY = 60.0
"""Seconds of life after which the loss of a worker begins with the shortest pause again; a guess."""
BEAT = b"\0"
"""The packet by which a worker says that it goes on."""
BEAT_EVERY = 2.0
"""Seconds between two beats; a guess."""
SILENT = 20.0
"""Seconds without a packet after which a worker counts as hung; a guess at the slowest computer under load."""
STARTS = 60.0
"""The same until its first packet; a guess: a small computer may take half a minute to load the page."""

MADE, FAILED = b"made", b"failed"
"""What a process that makes a file says last: it is written, or cannot be."""

LOWEST = 19
"""What `os.nice` adds for the lowest priority there is."""

Loss = Literal["ended", "hung", "unstarted"]
"""What became of a process: it ended, it fell silent and was killed, or it could not be started at all."""


class Worker:
    """A process that runs `module` with `arguments` and ``--fd``, the number of its end of the socket pair.

    A packet that it sends has at most `largest` bytes; after `silent` seconds without one it counts as hung. Whoever
    has a worker calls `alive` and `receive` in each scan.
    """

    def __init__(
        self, module: str, arguments: Sequence[str] = (), largest: int = 1 << 16, silent: float = SILENT
    ) -> None:
        self.starts = 0
        """How many times the process was started."""
        self.spoke = False
        """Whether the process that runs has sent anything."""
        self.lost: Loss | None = None
        """What became of the last process; `news` tells it once."""
        self._command = (*module_command(module), *arguments)
        self._largest, self._silent = largest, silent
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._starting: Thread | None = None
        self._begun, self._due, self._pause = -inf, -inf, SHORTEST_PAUSE
        self._now, self._heard = -inf, -inf
        self._told = False

    def alive(self, now: float) -> bool:
        """Whether the process runs at `now` (seconds); it is started if that is due, and killed if it is hung."""
        self._now = now
        if self.starting:
            return False
        if self._starting:
            self._starting = None
            self._begun = self._heard = now
            if not self._line:
                self._lose("unstarted")
        if self._line and now - self._heard > (self._silent if self.spoke else max(STARTS, self._silent)):
            self._lose("hung")
        if not self._line and now >= self._due:
            self._starting = Thread(target=self._start, name="worker")
            self._starting.start()
        return self._line is not None and not self._starting

    @property
    def runs(self) -> bool:
        """Whether there is a process to be heard."""
        return self._line is not None

    def fileno(self) -> int:
        """What `select` waits on: the daemon's end of the line; -1 while no process runs."""
        return self._line.fileno() if self._line else -1

    @property
    def starting(self) -> bool:
        """Whether the process is just being started."""
        return self._starting is not None and self._starting.is_alive()

    @property
    def silent(self) -> float | None:
        """Seconds for which nothing was heard of the process; None while none runs."""
        return self._now - self._heard if self._line else None

    @property
    def pid(self) -> int | None:
        """The number of the process; None while none runs."""
        return self._process.pid if self._line and self._process else None

    def news(self) -> Loss | None:
        """What became of the last process, told once until a later one has lived for a while."""
        lost, self.lost = self.lost, None
        if lost is None or self._told:
            return None
        self._told = True
        return lost

    def environment(self) -> dict[str, str]:
        """The environment variables of the process."""
        return same_modules()

    def _start(self) -> None:
        """In a thread, for a fork takes too long for a scan: reap the last process, and start the next one."""
        self._reap()
        with suppress(OSError):  # no memory, no descriptor, no process: then there is no line
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                number = theirs.fileno()
                try:
                    self._process = subprocess.Popen(
                        (*self._command, "--fd", str(number)),
                        env=self.environment(), stdin=subprocess.DEVNULL, pass_fds=(number,), start_new_session=True,
                    )  # fmt: skip
                except OSError:
                    ours.close()
                    raise
            ours.setblocking(False)
            self.starts += 1
            self.spoke = False
            self._line = ours

    def _lose(self, loss: Loss) -> None:
        """The process is of no use: it is killed, and started anew; later each time, if it keeps dying young."""
        self._hang_up()
        if self._process:
            self._process.kill()
        if self._now - self._begun > HEALTHY:
            self._pause, self._told = SHORTEST_PAUSE, False
        else:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._due = self._now + self._pause
        self.lost = loss

    def give_up(self) -> None:
        """What the process works at takes too long: it is killed, and started anew."""
        if self._line:
            self._lose("hung")

    def send(self, data: bytes) -> bool:
        """Send a packet; whether it was taken. One that finds the line full, or the process ended, is not."""
        try:
            return self._line is not None and self._line.send(data) > 0
        except OSError:  # what an ended process has said last is still to be received
            return False

    def receive(self) -> bytes:
        """The next packet of the process; empty if there is none. Beats are taken in on the way."""
        data = BEAT
        while data == BEAT:
            if not self._line:
                return b""
            try:
                data = self._line.recv(self._largest)
            except BlockingIOError:
                return b""
            except ConnectionResetError:  # it has not read all that it was sent; what it said last comes after this
                continue
            except OSError:
                data = b""
            if not data:
                self._lose("ended")
                return b""
            self._heard, self.spoke = self._now, True
        return data

    def _hang_up(self) -> None:
        if self._line:
            self._line.close()
        self._line = None

    def _reap(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """Kill the process; it has nothing to lose."""
        if self._starting:
            self._starting.join()
            self._starting = None
        self._hang_up()
        self._reap()


def await_news(workers: Iterable[Worker], seconds: float) -> None:
    """Wait until a process of these has sent something, or ended, or for `seconds`."""
    select.select([worker for worker in workers if worker.runs], [], [], seconds)


class Pulse:
    """The beats of a worker, which calls this from its own work, as often as it likes, with its end of the `line`."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._due = -inf

    def __call__(self) -> None:
        """Say that the work goes on, if `BEAT_EVERY` seconds have passed since that was said last."""
        now = monotonic()
        if now >= self._due:
            self._due = now + BEAT_EVERY
            with suppress(OSError):  # the line is full of them: nobody listens by now
                self._line.send(BEAT, socket.MSG_DONTWAIT)


class Beat:
    """Tells `page`, who waits for a file, that the work goes on; where nobody listens there is nothing to work for."""

    def __init__(self, page: socket.socket) -> None:
        self._pulse = Pulse(page)
        self._page = page
        self._poll = select.poll()
        self._poll.register(page, 0)

    def __call__(self) -> bool:
        """False: the work goes on. SystemExit once the page has ended."""
        self._pulse()
        if self._poll.poll(0):
            raise SystemExit(1)
        return False

    def tell(self, packet: bytes) -> None:
        """Send the page what was found; SystemExit once it has ended."""
        try:
            self._page.send(packet)
        except OSError:
            raise SystemExit(1) from None


def make_file(number: int, make: Callable[[Beat], None], faults: tuple[type[Exception], ...]) -> int:
    """Called in a worker: `make` a file for who waits at the socket of this `number`; the exit status.

    `faults`: why it may not succeed. The lowest priority there is will do, for a file can wait.
    """
    begin_work(LOWEST)
    with socket.socket(fileno=number) as page:
        beat = Beat(page)
        beat()
        try:
            make(beat)
        except faults:
            page.send(FAILED)
            return 1
        page.send(MADE)
    return 0


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


def begin_work(nice: int) -> None:
    """Called first in a worker: it ends when who waits for it does, not by Ctrl-C; `nice` as for `lower_priority`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lower_priority(nice)


def lower_priority(nice: int) -> None:
    """Called in a worker: give the scan loop the first claim on the processor.

    The worker never interrupts the scan loop when a packet comes. `nice` is what `os.nice` adds: how much less the
    worker gets where both want the same core.
    """
    with suppress(OSError):  # a hardened service may not choose
        os.nice(nice)
    with suppress(OSError):
        if hasattr(os, "SCHED_BATCH"):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


say(
    "table",
    helper_ended="{program} has ended unexpectedly, and is started anew. The game is kept, and goes on.",
    helper_hung="{program} does not answer any more: it is ended, and started anew. The game is kept, and goes on.",
    helper_unstarted="{program} cannot be started: memory or something else has run out. It is tried again and again; "
    "the game is kept, and goes on.",
)
say(
    "program",
    page="The page",
    engine="The engine",
    speech="The speech",
    report="The report",
    film="The moving picture",
    home="The line to Home Assistant",
)
