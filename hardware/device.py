"""What a sensor board and a strip of lights promise; every driver and the simulated table keep to it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol, runtime_checkable

Colour = tuple[int, int, int]
"""Red, green and blue, 0-255 each."""

LAMPS = 2
"""The last pixels of every picture: the turn lamps of the first and the second player."""

Levels = tuple[int | None, ...]
"""A level a channel; None where the sensor cannot tell."""


class DeviceError(Exception):
    """A device that cannot be used; says in one sentence what to do."""


class Sense(Enum):
    """What a table's sensors can tell of a site."""

    PRESENCE = "presence"
    """0 empty, 1 something stands there."""
    COLOUR = "colour"
    """0 empty, 1 dark, 2 light."""
    COUNT = "count"
    """The number of seeds."""

    def of(self, level: int) -> int:
        """What a sensor of this kind shows where `level` stands."""
        return min(level, 1) if self is Sense.PRESENCE else level


class Trouble(NamedTuple):
    """What keeps a scanner from telling: its `kind`, and the channels in question.

    ``ghosts``: pieces stand on the corners of rectangles and the switches there have no diodes, so that one reads
    as another. ``grounded``: the channels share a wire that touches ground. ``silent``: the board does not answer for
    them, though its lines can be read.
    """

    kind: str
    channels: tuple[int, ...]
    names: tuple[str, ...] = ()
    """What the channels are called, where a board gives them names."""


class Scanner(Protocol):
    """Reads all channels, in turns where at once takes too long.

    After a failure it returns None for what it cannot tell; it does not raise.
    """

    sense: Sense
    channels: int
    settled: bool
    """Whether bouncing contacts have been dealt with already."""

    @property
    def trouble(self) -> Trouble | None:
        """What the last scan found wrong with the wiring, if anything."""

    def scan(self) -> Levels:
        """A level a channel, now. The same object as before when nothing has changed, where that is cheap."""

    def close(self) -> None:
        """Release the device; a second call does nothing."""


@runtime_checkable
class Waking(Protocol):
    """A scanner whose board speaks by itself when something changes."""

    def wait(self, seconds: float) -> None:
        """Until there is news, or for `seconds` at most."""


class Analogue(Scanner, Protocol):
    """A scanner whose sensors give more than a level, so that they can be calibrated.

    Its settings have `empty`, the reading of each channel with nothing on it; `threshold`, how far from it a reading
    tells of a piece; and `hysteresis`, how much nearer it must come again before the piece counts as gone.
    """

    def readings(self) -> Levels:
        """A reading a channel, 0-1023, now; None where it cannot tell."""


class Lights(Protocol):
    """Shows whole pictures, a colour a pixel; dark when opened.

    A device that cannot be opened raises `DeviceError`. So does `show` when the device fails later; the next `show`
    tries again, from the start if it must.
    """

    pixels: int
    refresh: float | None
    """Seconds after which the lights are to be shown their picture once more, for they forget it soon after; None for
    lights that hold it. It never changes. Drivers of other packages may leave it out."""

    def show(self, picture: Sequence[Colour]) -> None:
        """Show `picture`, of exactly `pixels` colours; ValueError for any other length."""

    def close(self) -> None:
        """Go dark and release the device; a second call does nothing."""


class Buzzer(Protocol):
    """Sounds in rhythms; silent when opened."""

    def sound(self, rhythm: Sequence[float], now: float) -> None:
        """Begin `rhythm`: an odd number of seconds, by turns of sound and of silence; DeviceError."""

    def step(self, now: float) -> None:
        """Do what is due at `now` (seconds); DeviceError if the device fails."""

    def close(self) -> None:
        """Fall silent and release the device; a second call does nothing."""


class Keys(Protocol):
    """Push buttons by name: ``done``, ``undo``, ``hint``, ``power``."""

    def down(self) -> frozenset[str]:
        """The names of the buttons that are pressed now."""

    def close(self) -> None:
        """Release the device; a second call does nothing."""
