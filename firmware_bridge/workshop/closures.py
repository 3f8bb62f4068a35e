"""Which channels are closed, as a hand closes them: levels that hold, of channels that can be relied on."""

from __future__ import annotations

from firmware_bridge.reading.debounce import Debounce
from firmware_bridge.workshop.calibration import Calibration
from firmware_bridge.workshop.unrest import Unrest
from hardware.device import Levels

HOLD = 0.1
"""Seconds that a level must hold: longer than a bounce, shorter than a hand takes."""
JUMP = 1.0
"""Seconds between two frames beyond which the time is not counted: the machine slept."""
NONE: frozenset[int] = frozenset()


class Closures:
    """Fed with raw frames; `clock` counts the seconds in which the sensors told anything."""

    def __init__(self, channels: int, calibration: Calibration | None = None) -> None:
        self.clock = self.changed = self.stirred = 0.0
        """The time now, of the last change of `closed`, and of the last change of any raw level."""
        self.closed = self.stuck = self.flickering = NONE
        """Channels that are closed; those are left out of it that are stuck, or flicker."""
        self.blind = False
        self.readings: Levels = ()
        self._calibration = calibration
        self._measured = False
        self._unrest = Unrest(channels, changes=5, window=10.0)
        self._debounce = Debounce(HOLD)
        self._raw: Levels = ()
        self._settled: Levels = ()
        self._now: float | None = None

    def feed(self, frame: Levels, now: float, readings: Levels = ()) -> None:
        """Note the raw levels at `now` (seconds), and the readings of an analogue scanner."""
        passed = 0.0 if self._now is None else now - self._now
        self._now, self.readings = now, readings
        if self._measured and self._calibration:
            frame = self._calibration.levels(readings)
        if frame != self._raw:
            self._raw = frame
            self.blind = all(level is None for level in frame)
        if not self.blind:
            self.clock += passed if 0 <= passed <= JUMP else 0.0
            self._see(self._raw)

    def quiet(self, seconds: float) -> bool:
        """Whether not even a bounce was seen for that long."""
        return self.clock - max(self.changed, self.stirred) >= seconds

    def hold_stuck(self) -> None:
        """Leave aside whatever is closed now; a channel that opens later is used again."""
        self.stuck |= self.closed
        self._update()

    def expect_hands(self) -> None:
        """From now on pieces are put and lifted: only what no hand can do counts as flickering."""
        self._unrest = Unrest(len(self._settled), changes=10, window=4.0)

    def rest(self) -> None:
        """Take the readings for those of the empty board."""
        if self._calibration and self.readings:
            self._calibration.rest(self.readings)

    def measured(self) -> None:
        """From now on a level is what the readings say, by the empty board as it was measured."""
        if self._calibration:
            self.flickering = self._calibration.measure()  # what it did by other settings says nothing
            self.stuck, self._measured = NONE, True

    def _see(self, frame: Levels) -> None:
        """Note what has changed by `frame`."""
        if self._unrest.feed(frame, self.clock) - self.stuck - self.flickering:
            self.stirred = self.clock
        settled = self._debounce.feed(frame, self.clock)
        if settled is not self._settled or not self._unrest.flickering <= self.flickering:
            self._settled = settled
            self.flickering |= self._unrest.flickering
            self.stuck = frozenset(channel for channel in self.stuck if settled[channel] != 0)
            self._update()

    def _update(self) -> None:
        closed = frozenset(channel for channel, level in enumerate(self._settled) if level)
        closed -= self.stuck | self.flickering
        if closed != self.closed:
            self.closed, self.changed = closed, self.clock
