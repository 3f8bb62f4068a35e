"""Scanners whose sensors are switches: from closed contacts to levels, and what to do when they cannot be read.

Presence needs one contact a site. Colour needs two: 2k closes under a dark piece, 2k + 1 under a light one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress

from hardware.device import DeviceError, Levels, Sense, Trouble

UNKNOWN = -1
REOPEN = 100
"""Scans that fail one after the other before the lines are opened anew: a second, at the usual rate."""
CHECKS = 3
"""Scans, from a change on, in which the wiring is examined: a contact that bounces may hide a fault from the first."""


def width(sense: Sense) -> int:
    """Contacts that a site has."""
    return 2 if sense is Sense.COLOUR else 1


def levels(contacts: int, channels: int, sense: Sense) -> Levels:
    """What `contacts` (bit k is set where contact k is closed) show on each channel.

    Both contacts of a site closed is no piece that there is, so the level is None.
    """
    if sense is Sense.COLOUR:
        return tuple((0, 1, 2, None)[contacts >> 2 * channel & 3] for channel in range(channels))
    return tuple(contacts >> channel & 1 for channel in range(channels))


class Silent(OSError):
    """A board that does not answer for some `channels`, though its lines can be read."""

    def __init__(self, channels: Iterable[int]) -> None:
        super().__init__("the sensors do not answer")
        self.channels = tuple(channels)


def repeated(pins: tuple[int, ...]) -> list[int]:
    """The pins that stand in `pins` more than once."""
    return sorted({pin for pin in pins if pins.count(pin) > 1})


class ContactScanner(ABC):
    """Keeps the contract of a `Scanner`; a driver says how its lines are claimed, read and released."""

    trouble: Trouble | None = None
    settled = False

    def __init__(self, sense: Sense, contacts: int) -> None:
        self.sense = sense
        self.channels = contacts // width(sense)
        self._blind: Levels = (None,) * self.channels
        self._levels: Levels = self._blind
        self._contacts = UNKNOWN
        self._checks = 0
        self._failed = 0
        self._closed = False
        self._claim()

    @abstractmethod
    def _claim(self) -> None:
        """Open the lines; DeviceError."""

    @abstractmethod
    def _read(self) -> int:
        """The closed contacts, a bit each; OSError, which is `Silent` where the driver knows that nobody answers."""

    @abstractmethod
    def _release(self) -> None:
        """Close the lines; a second call does nothing."""

    def _examine(self, contacts: int) -> Trouble | None:
        """What is wrong with the wiring, as far as these contacts let it matter; OSError."""
        return None

    def scan(self) -> Levels:
        """A level a channel; None for all while the lines fail, or while the wiring makes them ambiguous."""
        try:
            contacts = self._read()
            if contacts != self._contacts or self._checks:
                self._take(contacts)
        except OSError as error:
            return self._lost(error)
        return self._blind if self.trouble else self._levels

    def _take(self, contacts: int) -> None:
        changed = contacts != self._contacts
        self._checks = CHECKS - 1 if changed else self._checks - 1
        self.trouble = self._examine(contacts)
        if changed:
            self._levels = levels(contacts, self.channels, self.sense)
        self._contacts = contacts
        self._failed = 0

    def _lost(self, error: OSError) -> Levels:
        self._contacts, self._checks = UNKNOWN, 0
        self.trouble = Trouble("silent", error.channels) if isinstance(error, Silent) else None
        self._failed += 1
        if self._failed % REOPEN == 0 and not self._closed:
            self._release()
            with suppress(DeviceError):  # the next scans will tell
                self._claim()
        return self._blind

    def close(self) -> None:
        """Release the lines; every later scan is all None."""
        if not self._closed:
            self._closed = True
            self._release()
