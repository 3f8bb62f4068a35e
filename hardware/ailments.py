"""What sensors suffer from: an ailment a kind, each changing the levels of some channels on their way.

An ailment sees the levels as they come, channel by channel, and the time. Some hold for good; some work at the
change of a level, some by the clock: these put a `Lie` in place of a level, until a time or the next change.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import NamedTuple

from hardware.device import Sense

Shown = list[int | None]


class Ground(NamedTuple):
    """The channels that an ailment has to do with, and what else it must know.

    `beside`: for each channel of the scanner those next to it. `rate` and `time` (seconds) are the fault's.
    """

    channels: tuple[int, ...]
    beside: Sequence[Sequence[int]]
    sense: Sense
    rate: float
    time: float


class Lie(NamedTuple):
    """A level shown in place of the true one, until a time."""

    level: int
    until: float


class Ailment:
    """Nothing ails yet. `see` changes `levels`, in place, and says when it must be asked again at the latest."""

    def __init__(self, ground: Ground, choose: Random) -> None:
        self.ground = ground
        self.channels = ground.channels
        self.choose = choose

    def see(self, levels: Shown, now: float) -> float:
        """Let the levels at `now` (seconds) suffer."""
        return inf

    def recover(self) -> None:
        """Be well for a while: what changes meanwhile is not known afterwards."""


class Held(Ailment):
    """The channels always show one level."""

    def level(self) -> int:
        """The level that all of them show."""
        return 0

    def __init__(self, ground: Ground, choose: Random) -> None:
        super().__init__(ground, choose)
        self._held = self.level()

    def see(self, levels: Shown, now: float) -> float:
        for channel in self.channels:
            levels[channel] = self._held
        return inf


class StuckOff(Held):
    """Nothing is ever seen there: a broken switch, a magnet too weak."""


class StuckOn(Held):
    """Something always stands there: a contact welded shut."""

    def level(self) -> int:
        return self.choose.randint(1, {Sense.PRESENCE: 1, Sense.COLOUR: 2, Sense.COUNT: 6}[self.ground.sense])


class Mute(Ailment):
    """The channels cannot tell, and say so."""

    def see(self, levels: Shown, now: float) -> float:
        for channel in self.channels:
            levels[channel] = None
        return inf


class Slow(Ailment):
    """The channels are looked at every `time` seconds only: what changes back in between is missed."""

    def __init__(self, ground: Ground, choose: Random) -> None:
        super().__init__(ground, choose)
        self._looked: Shown = []
        self._due = -inf

    def see(self, levels: Shown, now: float) -> float:
        if now >= self._due:
            self._looked, self._due = levels[:], now + self.ground.time
        for channel in self.channels:
            levels[channel] = self._looked[channel]
        return self._due


class Lying(Ailment):
    """An ailment that shows lies for a while, begun by a change of level (`news`) or by the clock (`wake`)."""

    def __init__(self, ground: Ground, choose: Random) -> None:
        super().__init__(ground, choose)
        self._before: Shown = []
        self._lies: dict[int, Lie] = {}
        self._wakes = inf

    def news(self, channel: int, old: int, new: int, now: float) -> None:
        """`channel`, any of the scanner's, has changed."""

    def wake(self, levels: Shown, now: float) -> None:
        """The time has come that was set."""

    def lie(self, channel: int, level: int, until: float) -> None:
        """Show `level` there from now on."""
        self._lies[channel] = Lie(level, until)

    def see(self, levels: Shown, now: float) -> float:
        if self._before != levels:
            self._compare(levels, now)
        if now >= self._wakes:
            self.wake(levels, now)
        self._lies = {channel: lie for channel, lie in self._lies.items() if now < lie.until}
        for channel, lie in self._lies.items():
            levels[channel] = lie.level
        return min(self._wakes, *(lie.until for lie in self._lies.values()), inf)

    def recover(self) -> None:
        self._before = []
        self._lies.clear()

    def _compare(self, levels: Shown, now: float) -> None:
        """Tell what is new since the last scan."""
        before, self._before = self._before or levels, levels[:]
        for channel, (old, new) in enumerate(zip(before, levels, strict=True)):
            if old is not None and new is not None and old != new:
                self.news(channel, old, new, now)

    def happens(self) -> bool:
        """Whether chance, by the fault's rate, has it happen now."""
        return self.choose.random() < self.ground.rate


class Bounce(Lying):
    """After each change the contact goes to and fro for up to `time`."""

    def __init__(self, ground: Ground, choose: Random) -> None:
        super().__init__(ground, choose)
        self._ends: dict[int, tuple[float, int, int]] = {}

    def news(self, channel: int, old: int, new: int, now: float) -> None:
        if channel in self.channels:
            self._ends[channel] = now + self.choose.uniform(0, self.ground.time), old, new
            self._wakes = now

    def wake(self, levels: Shown, now: float) -> None:
        self._ends = {channel: bouncing for channel, bouncing in self._ends.items() if now < bouncing[0]}
        for channel, (end, *between) in self._ends.items():
            self.lie(channel, self.choose.choice(between), end)
        self._wakes = now if self._ends else inf


class Weak(Lying):
    """A weak magnet, or a lazy switch: a piece is still seen for up to `time` after it has gone."""

    def news(self, channel: int, old: int, new: int, now: float) -> None:
        self._lies.pop(channel, None)
        if channel in self.channels and not new and self.happens():
            self.lie(channel, old, now + self.choose.uniform(0.5, 1) * self.ground.time)


class Crosstalk(Lying):
    """What changes beside a channel is seen there as well for up to `time`, at the fault's rate."""

    def news(self, channel: int, old: int, new: int, now: float) -> None:
        for sick in self.channels:
            if channel in self.ground.beside[sick] and self.happens():
                self.lie(sick, new, now + self.choose.uniform(0.5, 1) * self.ground.time)
        self._lies.pop(channel, None)


class Misread(Lying):
    """A stone is taken for one of the other colour as long as it stands, or for `time` if that is not 0."""

    def news(self, channel: int, old: int, new: int, now: float) -> None:
        self._lies.pop(channel, None)
        if channel in self.channels and new and self.happens():
            self.lie(channel, 3 - new, now + self.ground.time if self.ground.time else inf)


class Miscount(Lying):
    """Seeds are counted one too many or one too few, until the next change."""

    def news(self, channel: int, old: int, new: int, now: float) -> None:
        self._lies.pop(channel, None)
        if channel in self.channels and self.happens():
            self.lie(channel, max(0, new + self.choose.choice((-1, 1))), inf)


class Drift(Lying):
    """The count wanders off, by one every `time`, to three too many and back."""

    def see(self, levels: Shown, now: float) -> float:
        steps = int(now / self.ground.time)
        for channel in self.channels:
            level = levels[channel]
            levels[channel] = None if level is None else level + 3 - abs(steps % 6 - 3)
        return (steps + 1) * self.ground.time


class Flicker(Lying):
    """`rate` times a second the contact is lost, or made, for up to `time`."""

    def __init__(self, ground: Ground, choose: Random) -> None:
        super().__init__(ground, choose)
        self._wakes = -inf

    def wake(self, levels: Shown, now: float) -> None:
        if self._wakes > -inf:
            channel = self.choose.choice(self.channels)
            self.lie(channel, 0 if levels[channel] else 1, now + self.choose.uniform(0.2, 1) * self.ground.time)
        self._wakes = now + self.choose.expovariate(self.ground.rate)


AILMENTS: dict[str, type[Ailment]] = {
    "bounce": Bounce,
    "crosstalk": Crosstalk,
    "drift": Drift,
    "flicker": Flicker,
    "miscount": Miscount,
    "misread": Misread,
    "mute": Mute,
    "slow": Slow,
    "stuck off": StuckOff,
    "stuck on": StuckOn,
    "weak": Weak,
}
"""Every kind of ailment by name."""
