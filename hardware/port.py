"""A serial port that never makes anybody wait: what has arrived is read, what fits is written."""

from __future__ import annotations

import errno
import os
import select
import termios
from contextlib import suppress

import serial

from hardware.device import DeviceError

CHUNK = 4096
"""Bytes read at a time."""
MOST = 512
"""Bytes that may wait to be written; what does not fit is lost, like on any line, and is sent again if it matters."""


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
        self._waiting = (self._waiting + data)[:MOST]
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
