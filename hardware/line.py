"""A port and the conversation over it, shared by the sensors and the lights of one board."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import monotonic, sleep
from typing import Annotated, Protocol

from msgspec import Meta

from hardware.device import DeviceError
from hardware.link import GREETING, Check, Link
from hardware.port import Port

Path = Annotated[str, Meta(min_length=1, max_length=200)]
Baud = Annotated[int, Meta(ge=9600, le=2_000_000)]
PATH, BAUD = "/dev/tablelight", 1_000_000

MOST = 100
"""Frames sent at a time, to a board that answers at once."""
FAREWELL = 0.2
"""Seconds that a board has for the good-bye."""
NAP = 0.01
"""Seconds after which it is seen whether something is due, though nothing has arrived."""


class Wire(Protocol):
    """A port that is open: see `hardware.port.Port`."""

    def read(self) -> bytes:
        """What has arrived; OSError when it is gone."""

    def write(self, data: bytes) -> None:
        """Write without waiting; OSError when it is gone."""

    def wait(self, seconds: float) -> None:
        """Wait until something arrives, so long at most."""

    def close(self) -> None:
        """Let go of it."""


class Line:
    """A board on its port. `pump` keeps the conversation going; it neither waits nor raises.

    `open_port` opens the port, or raises DeviceError.
    """

    def __init__(
        self, name: str, baud: int, open_port: Callable[[], Wire], clock: Callable[[], float] = monotonic
    ) -> None:
        self.name, self.baud = name, baud
        self.link = Link(name)
        self.users = 0
        self._open_port, self._clock = open_port, clock
        self._wire: Wire | None = None

    def pump(self) -> None:
        """Take in what has arrived and send what is due."""
        now = self._clock()
        if not self._wire and self.link.wants_port(now):
            self._open(now)
        for _ in range(MOST):
            if not self._wire or not self._exchanged(self._wire, now):
                return

    def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Keep pumping until `done`, `seconds` at most, or until the board is lost; whether it is done."""
        end = self._clock() + seconds
        while True:
            self.pump()
            left = end - self._clock()
            if done() or not self._wire or left <= 0:
                return done()
            self._wire.wait(min(left, NAP))

    def wait(self, seconds: float) -> None:
        """Wait until something arrives, `seconds` at most; all of them while the board is lost."""
        if self._wire:
            self._wire.wait(seconds)
        else:
            sleep(seconds)

    def join(self, check: Check) -> None:
        """Use the board, which must pass `check`, from now on; waits up to 2.5 s for it. DeviceError."""
        self.link.checks.append(check)
        self.users += 1
        hello = self.link.hello
        fault = self.link.fault(hello) if hello else ""
        if not fault and not self.until(lambda: self.link.ready, GREETING + NAP):
            fault = (
                self.link.problem or f"the board on {self.name} does not tell what it sees: unplug it and plug it in"
            )
        if fault:
            self.leave(check)
            raise DeviceError(fault)

    def leave(self, check: Check) -> None:
        """Use it no more; the last one to leave closes the port."""
        self.link.checks.remove(check)
        self.users -= 1
        if not self.users:
            self._say_goodbye()
            for path in [path for path, line in _LINES.items() if line is self]:
                del _LINES[path]
            self._hang_up()

    def _say_goodbye(self) -> None:
        if self.link.hello and self.link.shown:  # one that has left its last picture unanswered will not hear this
            self.link.part()
            self.until(lambda: self.link.parted, FAREWELL)

    def _open(self, now: float) -> None:
        try:
            self._wire = self._open_port()
        except DeviceError as error:
            self.link.failed(str(error), now)
        else:
            self.link.opened(now)

    def _exchanged(self, wire: Wire, now: float) -> bool:
        """Whether anything went to or fro."""
        data = due = b""
        try:
            data = wire.read()
            if data:
                self.link.receive(data, now)
            due = self.link.due(now)
            if due:
                wire.write(due)
        except OSError:
            self.link.failed(f"the board on {self.name} is gone: plug it in again", now)
        if not self.link.open:
            self._hang_up()
        return bool(data or due)

    def _hang_up(self) -> None:
        wire, self._wire = self._wire, None
        if wire:
            wire.close()


_LINES: dict[str, Line] = {}
"""The lines in use, by the true paths of their ports."""


def line_at(path: str, baud: int) -> Line:
    """The line to the board at `path`, which whoever has it joins. DeviceError if it is in use at another speed."""
    line = _LINES.setdefault(os.path.realpath(path), Line(path, baud, lambda: Port(path, baud)))
    if line.users and line.baud != baud:
        raise DeviceError(f"{path} is in use with {line.baud} baud: give scanner and lights the same baud")
    return line


def lay(line: Line) -> None:
    """Have `line_at` find this line under its name, until its last user has left."""
    _LINES[os.path.realpath(line.name)] = line
