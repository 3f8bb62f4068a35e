"""Where the time of each scan goes: a clock is read after each part, and nothing is allocated that stays.

The scan loop writes and another thread may read at any time: a figure may then be one scan old, or one scan's parts be
mixed with another's, which harms nobody.
"""

from __future__ import annotations

from collections.abc import Callable

PARTS = ("late", "session", "sensors", "reading", "engine", "record", "scene", "page")
"""What a scan is made of. ``late``: it began after it was due, since the computer was busy with other programs.

``session``: buttons, menus, the beginning of a game, and whatever is left, such as the collection of garbage.
"""
LATE, SESSION, SENSORS, READING, ENGINE, RECORD, SCENE, PAGE = range(len(PARTS))
NOTHING = (0.0,) * len(PARTS)
SLOT, SLOTS = 10.0, 7
"""Seconds that are kept together, and how many such: the last minute at least."""


class Slot:
    """Ten seconds of scans: how many there were, and the parts of the worst one, in seconds."""

    __slots__ = ("laps", "number", "scans", "worst")

    def __init__(self) -> None:
        self.number, self.scans, self.worst = -1, 0, -1.0
        self.laps = list(NOTHING)


class Stopwatch:
    """Times the parts of scans by `clock` (seconds)."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._laps = list(NOTHING)
        self._slots = [Slot() for _ in range(SLOTS)]
        self.begun = self._due = self._last = clock()
        """When the stopwatch was made."""

    def begin(self, due: float) -> float:
        """A scan begins that was due at `due` (seconds); the time it is."""
        now = self._clock()
        self._laps[:] = NOTHING
        self._laps[LATE] = late = max(0.0, now - due)
        self._due, self._last = now - late, now
        return now

    def lap(self, part: int) -> None:
        """The time since the last lap went to this part, an index of `PARTS`."""
        now = self._clock()
        self._laps[part] += now - self._last
        self._last = now

    def end(self) -> float:
        """The scan has ended with the last lap; when that was (seconds)."""
        ended = self._last
        slot = self._slot(ended)
        slot.scans += 1
        if ended - self._due > slot.worst:
            slot.worst = ended - self._due
            slot.laps[:] = self._laps
        return ended

    def _slot(self, now: float) -> Slot:
        number = int(now / SLOT)
        slot = self._slots[number % SLOTS]
        if slot.number != number:
            slot.number, slot.scans, slot.worst = number, 0, -1.0
        return slot

    # What another thread may ask ----------------------------------------------------------------

    def now(self) -> float:
        """The time (seconds)."""
        return self._clock()

    def silent(self, now: float) -> float:
        """Seconds since the last lap of a scan."""
        return max(0.0, now - self._last)

    def rate(self, now: float) -> float:
        """Scans a second, in the last minute or since the beginning."""
        since = max(self.begun, (int(now / SLOT) - SLOTS + 1) * SLOT)
        return sum(slot.scans for slot in self._recent(now)) / max(now - since, 1e-3)

    def worst(self, now: float) -> dict[str, float]:
        """The parts of the worst scan of the last minute, in seconds; none if there was no scan."""
        recent = [slot for slot in self._recent(now) if slot.scans]
        return dict(zip(PARTS, max(recent, key=lambda slot: slot.worst).laps, strict=True)) if recent else {}

    def _recent(self, now: float) -> list[Slot]:
        return [slot for slot in self._slots if slot.number > int(now / SLOT) - SLOTS]


UNTIMED = Stopwatch(lambda: 0.0)
"""For a daemon whose scans nobody times."""
