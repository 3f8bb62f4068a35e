"""What is wrong with channels that nobody touches: those that never open, and those that change by themselves."""

from __future__ import annotations

from collections import deque
from math import inf

from hardware.device import Levels

BIN = 0.1
"""Seconds in which changes count as one: a switch bounces for a few milliseconds."""


class Unrest:
    """Fed with raw frames of `channels` levels, in order of time.

    A channel flickers once it has changed `changes` times, each in another tenth of a second, within `window` seconds.
    """

    def __init__(self, channels: int, *, changes: int, window: float = inf) -> None:
        self.closed = frozenset(range(channels))
        """Channels that were closed in every frame so far."""
        self.silent = frozenset(range(channels))
        """Channels of which no frame could tell anything."""
        self.flickering: frozenset[int] = frozenset()
        self._changes, self._window = changes, window
        self._bins: dict[int, deque[float]] = {}
        self._last: Levels = (None,) * channels
        self._seen: Levels | None = None

    def feed(self, frame: Levels, now: float) -> frozenset[int]:
        """Note `frame` at `now` (seconds); the channels that changed with it."""
        if frame is self._seen:
            return frozenset()
        self._seen = frame
        told = [(channel, level) for channel, level in enumerate(frame) if level is not None]
        self.silent -= {channel for channel, _ in told}
        self.closed -= {channel for channel, level in told if not level}
        changed = frozenset(c for c, level in told if self._last[c] not in (None, level))
        self._last = tuple(old if new is None else new for old, new in zip(self._last, frame, strict=True))
        for channel in changed:
            self._note(channel, now)
        return changed

    @property
    def stuck(self) -> frozenset[int]:
        """Channels that were closed all the time."""
        return self.closed - self.silent

    def _note(self, channel: int, now: float) -> None:
        bins = self._bins.setdefault(channel, deque(maxlen=self._changes))
        if not bins or now - bins[-1] >= BIN:
            bins.append(now)
        if len(bins) == self._changes and now - bins[0] <= self._window:
            self.flickering |= {channel}
