"""What a micro-controller board has told of its table: snapshots, and events while they are counted right."""

from __future__ import annotations

from hardware.device import Levels
from hardware.frames import (
    BUTTONS,
    FIRST_BUTTON,
    LAST_BUTTON,
    NO_READING,
    Beat,
    Event,
    Hello,
    Readings,
    Snapshot,
    crc,
)

PRESENCE, COLOUR, SCALES = range(3)
"""The senses of a HELLO."""
COUNTED = 0x10000


class Sensed:
    """The levels, buttons and readings of one board since its last HELLO; unknown until a snapshot has come."""

    def __init__(self, hello: Hello) -> None:
        self.levels: Levels = ()
        """A level a channel; empty while they are unknown, and for scales. The same object until one changes."""
        self.pressed: frozenset[str] = frozenset()
        """The buttons that are down."""
        self.readings: Levels = (None,) * hello.channels if hello.sense == SCALES else ()
        """What each scale shows, in its own counts; None for one that has no reading, or none yet."""
        self.known = False
        """Whether there has been a snapshot."""
        self._channels = hello.channels
        self._bits = (1, 2, 0)[hello.sense]
        self._packed = bytearray(-(-self._bits * hello.channels // 8))
        self._down = 0
        self._events = 0

    def snapshot(self, told: Snapshot) -> bool:
        """Take all of it for the truth; False for one that is of another board."""
        if len(told.levels) != len(self._packed):
            return False
        self._events, self.known = told.events, True
        self._press(told.pressed)
        if told.levels != self._packed or not self.levels:
            self._packed = bytearray(told.levels)
            self.levels = self._unpacked()
        return True

    def event(self, told: Event) -> bool:
        """Take over a change; False where it does not follow the last one, and a snapshot has to tell."""
        if not self.known or told.events != (self._events + 1) % COUNTED:
            return False
        if FIRST_BUTTON <= told.channel <= LAST_BUTTON:
            bit = 1 << told.channel - FIRST_BUTTON
            self._press(self._down | bit if told.level else self._down & ~bit)
        elif told.channel >= self._channels or told.level >> self._bits:
            return False
        else:
            self._change(told.channel, told.level)
        self._events = told.events
        return True

    def beat(self, told: Beat) -> bool:
        """Whether the board sees the same."""
        return self.known and told.events == self._events and told.crc == crc(bytes((self._down,)) + self._packed)

    def read(self, told: Readings) -> None:
        """Take over what scales show."""
        after = list(self.readings)
        values = [None if value == NO_READING else value for value in told.values]
        after[told.first : told.first + len(values)] = values
        if len(after) == len(self.readings):
            self.readings = tuple(after)

    def _press(self, down: int) -> None:
        if down != self._down:
            self._down = down
            self.pressed = frozenset(name for bit, name in enumerate(BUTTONS) if down >> bit & 1)

    def _change(self, channel: int, level: int) -> None:
        byte, shift = divmod(channel * self._bits, 8)
        mask = (1 << self._bits) - 1
        self._packed[byte] = self._packed[byte] & ~(mask << shift) | level << shift
        levels = list(self.levels)
        levels[channel] = level if level < 3 else None
        self.levels = tuple(levels)

    def _unpacked(self) -> Levels:
        bits, mask = int.from_bytes(self._packed, "little"), (1 << self._bits) - 1
        levels = (bits >> channel * self._bits & mask for channel in range(self._channels)) if self._bits else ()
        return tuple(level if level < 3 else None for level in levels)
