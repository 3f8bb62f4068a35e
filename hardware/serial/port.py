"""A serial port that never makes anybody wait, and the conversation over it, shared by all users of one board.

`Port` reads what has arrived and writes what fits. `SharedPort` keeps the conversation with the board going, for its
scanner and its lights.
"""

from __future__ import annotations

import errno
import os
import select
import termios
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import Annotated, Protocol

import serial
from msgspec import Meta

from hardware.device import DeviceError
from hardware.serial.conversation import GREETING, Check, Conversation

Path = Annotated[str, Meta(min_length=1, max_length=200)]
Baud = Annotated[int, Meta(ge=9600, le=2_000_000)]
PATH, BAUD = "/dev/tablelight", 1_000_000
"""The usual port and its speed (docs/sensors.md)."""
CHUNK = 4096
"""Bytes read at a time (guessed)."""
UNSENT = 512
"""Bytes that may wait to be written (guessed); what does not fit is lost, like on any line, and is sent again if it
matters."""
FRAMES = 100
"""Frames sent at a time, to a board that answers at once (guessed)."""
FAREWELL = 0.2
"""Seconds that a board has for the good-bye (guessed)."""
NAP = 0.01
"""Seconds after which it is seen whether something is due, though nothing has arrived (guessed)."""


class Port:
    """The port at `path`, which may be a link, open for this program alone. DeviceError with what to do about it."""

    def __init__(self, path: str, baud: int) -> None:
        try:
            self._serial = serial.Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            raise DeviceError(advice(path, baud, error)) from None
        with suppress(OSError, ValueError, NotImplementedError):  # few adapters have it: their bytes wait 16 ms else
            self._serial.set_low_latency_mode(True)
        self._file: int = self._serial.fileno()
        self._waiting = b""
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)

    def read(self) -> bytes:
        """What has arrived, none if nothing has; OSError when the port is gone."""
        # Not by the library, whose write without a time-out turns in circles while the line takes nothing.
        if self._waiting:
            self.write(b"")
        if not self._poll.poll(0):
            return b""
        data = os.read(self._file, CHUNK)
        if not data:  # ready, and nothing there: a device that was unplugged
            raise OSError(errno.ENODEV, "it was unplugged")
        return data

    def write(self, data: bytes) -> None:
        """Write as much as the line takes now, the rest with the next call; OSError when the port is gone."""
        self._waiting = (self._waiting + data)[:UNSENT]
        with suppress(BlockingIOError):
            self._waiting = self._waiting[os.write(self._file, self._waiting) :]

    def wait(self, seconds: float) -> None:
        """Wait until something arrives, `seconds` at most."""
        self._poll.poll(1000 * seconds)

    def close(self) -> None:
        """Let go of the port; a second call does nothing."""
        with suppress(OSError, termios.error):  # else the kernel waits until a stuck line has taken all
            self._serial.reset_output_buffer()
        with suppress(OSError, termios.error):
            self._serial.close()


def advice(path: str, baud: int, error: Exception) -> str:
    """One sentence on what to do about `error`, met when `path` was to be opened."""
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return f"there is no {path}: plug the board in, or set port to what ls /dev/serial/by-id shows"
    if number in (errno.EACCES, errno.EPERM):
        return f"{path} is not open to this user: add the user to the group dialout, and log in again"
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"{path} is in use by another program: end that one first"
    if isinstance(error, ValueError):
        return f"{path} cannot be set to {baud} baud: choose 115200, here and for the firmware"
    return f"{path} cannot be opened ({os.strerror(number) if number else error}): unplug the board and plug it in"


class Transport(Protocol):
    """A port that is open, as `Port` is."""

    def read(self) -> bytes:
        """What has arrived; OSError when it is gone."""

    def write(self, data: bytes) -> None:
        """Write without waiting; OSError when it is gone."""

    def wait(self, seconds: float) -> None:
        """Wait until something arrives, so long at most."""

    def close(self) -> None:
        """Let go of it."""


class SharedPort:
    """A board on its port. `pump` keeps the conversation going; it neither waits nor raises.

    `open_port` opens the port, or raises DeviceError.
    """

    def __init__(
        self, name: str, baud: int, open_port: Callable[[], Transport], clock: Callable[[], float] = monotonic
    ) -> None:
        self.name, self.baud = name, baud
        self.conversation = Conversation(name)
        self.users = 0
        self._open_port, self._clock = open_port, clock
        self._transport: Transport | None = None

    def pump(self) -> None:
        """Take in what has arrived and send what is due."""
        now = self._clock()
        if not self._transport and self.conversation.wants_port(now):
            self._open(now)
        for _ in range(FRAMES):
            if not self._transport or not self._exchange(self._transport, now):
                return

    def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Keep pumping until `done`, `seconds` at most, or until the board is lost; whether it is done."""
        end = self._clock() + seconds
        while True:
            self.pump()
            left = end - self._clock()
            if done() or not self._transport or left <= 0:
                return done()
            self._transport.wait(min(left, NAP))

    def wait(self, seconds: float) -> None:
        """Wait until something arrives, `seconds` at most; all of them while the board is lost."""
        if self._transport:
            self._transport.wait(seconds)
        else:
            sleep(seconds)

    def join(self, check: Check) -> None:
        """Use the board, which must pass `check`, from now on; waits up to 2.5 s for it. DeviceError."""
        fault = self.conversation.require(check)
        self.users += 1
        if not fault and not self.until(lambda: self.conversation.ready, GREETING + NAP):
            fault = (
                self.conversation.problem
                or f"the board on {self.name} does not tell what it sees: unplug it and plug it in"
            )
        if fault:
            self.leave(check)
            raise DeviceError(fault)

    def leave(self, check: Check) -> None:
        """Use it no more; the last one to leave closes the port."""
        self.conversation.release(check)
        self.users -= 1
        if not self.users:
            self._say_goodbye()
            for path in [path for path, port in _SHARED.items() if port is self]:
                del _SHARED[path]
            self._hang_up()

    def _say_goodbye(self) -> None:
        if (
            self.conversation.hello and self.conversation.shown
        ):  # one that has left its last picture unanswered will not hear this
            self.conversation.rest()
            self.until(lambda: self.conversation.rested, FAREWELL)

    def _open(self, now: float) -> None:
        try:
            self._transport = self._open_port()
        except DeviceError as error:
            self.conversation.failed(str(error), now)
        else:
            self.conversation.opened(now)

    def _exchange(self, transport: Transport, now: float) -> bool:
        """Whether anything went to or fro."""
        data = due = b""
        try:
            data = transport.read()
            if data:
                self.conversation.receive(data, now)
            due = self.conversation.due(now)
            if due:
                transport.write(due)
        except OSError:
            self.conversation.failed(f"the board on {self.name} is gone: plug it in again", now)
        if not self.conversation.open:
            self._hang_up()
        return bool(data or due)

    def _hang_up(self) -> None:
        transport, self._transport = self._transport, None
        if transport:
            transport.close()


_SHARED: dict[str, SharedPort] = {}
"""The ports in use, by their true paths."""


def shared_port(path: str, baud: int) -> SharedPort:
    """The port at `path`, one for all users of its board. DeviceError if it is in use at another speed."""
    port = _SHARED.setdefault(os.path.realpath(path), SharedPort(path, baud, lambda: Port(path, baud)))
    if port.users and port.baud != baud:
        raise DeviceError(f"{path} is in use with {port.baud} baud: give scanner and lights the same baud")
    return port


def share(port: SharedPort) -> None:
    """Let `shared_port` find this port under its name, until its last user has left."""
    _SHARED[os.path.realpath(port.name)] = port
