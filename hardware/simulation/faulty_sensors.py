"""A scanner whose sensors fail: another scanner, with faults that come and go.

Each `Fault` says what ails which channels and when; several may ail at once. The same seed makes the same trouble.
`FaultyScanner.ill` and `FaultyScanner.lied` are the truth, for those who want to know whether it was found out.

What sensors suffer from: an ailment a kind, each changing the levels of some channels on their way.

An ailment sees the levels as they come, channel by channel, and the time. Some hold for good; some work at the
change of a level, some by the clock: these put a `Lie` in place of a level, until a time or the next change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import NamedTuple

from hardware.device import Levels, Scanner, Sense, Trouble

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


class FaultModel:
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


class Held(FaultModel):
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


class Mute(FaultModel):
    """The channels cannot tell, and say so."""

    def see(self, levels: Shown, now: float) -> float:
        for channel in self.channels:
            levels[channel] = None
        return inf


class Slow(FaultModel):
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


class Lying(FaultModel):
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


FAULT_MODELS: dict[str, type[FaultModel]] = {
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


Places = Sequence[tuple[float, float]]

ONLY = {"misread": Sense.COLOUR, "miscount": Sense.COUNT, "drift": Sense.COUNT}
"""The sensors that alone have a kind of fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What ails a scanner: a `kind` of `FAULT_MODELS`, with its `rate` and `time` in seconds.

    `channels` are sick; if there are none, `count` of them by chance, of one row if `row`, and all if `count` is 0.
    It begins at `since` and ends at `until` (seconds); if `every` is not 0, it comes each `every` and lasts `lasts`.
    """

    kind: str
    rate: float = 1.0
    time: float = 0.1
    channels: tuple[int, ...] = ()
    count: int = 1
    row: bool = False
    since: float = 0.0
    until: float = inf
    every: float = 0.0
    lasts: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in FAULT_MODELS:
            raise ValueError(f"no sensor suffers from {self.kind!r}; there are {', '.join(sorted(FAULT_MODELS))}")
        if not (self.rate > 0 and self.time >= 0 and 0 <= self.lasts <= self.every and self.since <= self.until):
            raise ValueError("a fault has a rate above 0, a time of 0 or more, and does not last longer than it takes")

    def suits(self, sense: Sense) -> bool:
        """Whether it can ail sensors of that kind."""
        return ONLY.get(self.kind, sense) is sense

    def active(self, now: float) -> bool:
        """Whether it ails at `now`."""
        return self.since <= now < self.until and (not self.every or (now - self.since) % self.every < self.lasts)

    def turns(self, now: float) -> float:
        """When it next begins or ends; inf if never."""
        if now < self.since or now >= self.until:
            return self.since if now < self.since else inf
        if not self.every:
            return self.until
        past = (now - self.since) % self.every
        return min(self.until, now - past + (self.lasts if past < self.lasts else self.every))


class FaultyScanner:
    """`scanner` with its `faults`, at the `time` (seconds) that is asked for with each scan.

    `places`: where the channels lie, for faults that have to do with neighbours and rows; a single row if left out.
    `ValueError` if such sensors cannot have such a fault.
    What the scanner itself cannot tell stays untold.
    """

    def __init__(
        self,
        scanner: Scanner,
        faults: Sequence[Fault],
        time: Callable[[], float],
        seed: int = 0,
        places: Places | None = None,
    ) -> None:
        self._scanner = scanner
        self.sense: Sense = scanner.sense
        self.channels = scanner.channels
        self.settled = scanner.settled
        self._time = time
        self._places = places or [(channel, 0.0) for channel in range(self.channels)]
        self._beside = [self._neighbours(channel) for channel in range(self.channels)]
        self._ailing = [self._fall_ill(fault, Random(f"{seed} {place}")) for place, fault in enumerate(faults)]
        self._due = -inf
        self._true: Levels = ()
        self._given: Levels = ()
        self.lied: set[int] = set()
        """The channels that have shown something else than what is there."""

    def ill(self, now: float) -> dict[int, tuple[str, ...]]:
        """The channels that are sick at `now`, each with what ails it."""
        found: dict[int, tuple[str, ...]] = {}
        for fault, ailment in self._ailing:
            for channel in ailment.channels if fault.active(now) else ():
                found[channel] = (*found.get(channel, ()), fault.kind)
        return found

    @property
    def trouble(self) -> Trouble | None:
        """What the scanner itself has found."""
        return self._scanner.trouble

    def scan(self) -> Levels:
        """What the sick sensors show now; the same object as before when nothing has changed."""
        now, true = self._time(), self._scanner.scan()
        if true is not self._true or now >= self._due:
            self._true = true
            shown = self._suffer(list(true), now)
            given = tuple(None if level is None else seen for level, seen in zip(true, shown, strict=True))
            if given != self._given:
                self._given = given
                self.lied |= {channel for channel, seen in enumerate(given) if seen != true[channel]}
        return self._given

    def close(self) -> None:
        """Release the scanner; a second call does nothing."""
        self._scanner.close()

    def _suffer(self, shown: Shown, now: float) -> Shown:
        """Each fault in turn works on what the one before it has left."""
        self._due = inf
        for fault, ailment in self._ailing:
            self._due = min(self._due, fault.turns(now))
            if fault.active(now):
                self._due = min(self._due, ailment.see(shown, now))
            else:
                ailment.recover()
        return shown

    def _fall_ill(self, fault: Fault, choose: Random) -> tuple[Fault, FaultModel]:
        """The ailment of a fault, on its channels."""
        if not fault.suits(self.sense):
            raise ValueError(f"{fault.kind} ails sensors of {ONLY[fault.kind].value}; these sense {self.sense.value}")
        ground = Ground(self._sick(fault, choose), self._beside, self.sense, fault.rate, fault.time)
        return fault, FAULT_MODELS[fault.kind](ground, choose)

    def _sick(self, fault: Fault, choose: Random) -> tuple[int, ...]:
        """The channels that `fault` is about."""
        everywhere = range(self.channels)
        if fault.channels or not fault.count:
            return fault.channels or tuple(everywhere)
        sick = sorted(choose.sample(everywhere, min(fault.count, self.channels)))
        rows = {self._places[channel][1] for channel in sick}
        return (
            tuple(channel for channel in everywhere if self._places[channel][1] in rows) if fault.row else tuple(sick)
        )

    def _neighbours(self, channel: int) -> list[int]:
        """The channels at most one place away, not slantwise."""
        x, y = self._places[channel]
        near = ((other, abs(a - x) + abs(b - y)) for other, (a, b) in enumerate(self._places))
        return [other for other, apart in near if 0 < apart <= 1]


BEGINS = 2.0
"""Seconds after which the faults below begin: the board has been set up by then."""


FAULTS = {
    "none": (),
    "bounce": (Fault("bounce", time=0.005, count=0),),
    "slow": (Fault("slow", time=0.1, count=0),),
    "stuck on": (Fault("stuck on", since=BEGINS),),
    "stuck off": (Fault("stuck off", since=BEGINS),),
    "flicker": (Fault("flicker", rate=0.5, time=0.08, since=BEGINS),),
    "crosstalk": (Fault("crosstalk", rate=0.5, time=0.1, since=BEGINS),),
    "weak": (Fault("weak", time=0.5, since=BEGINS),),
    "misread": (Fault("misread", rate=0.3, time=0.0, since=BEGINS),),
    "misread for a moment": (Fault("misread", rate=0.5, time=0.3, count=0, since=BEGINS),),
    "miscount": (Fault("miscount", rate=0.2, since=BEGINS),),
    "drift": (Fault("drift", time=30.0, since=BEGINS),),
    "dead row": (Fault("stuck off", row=True, since=BEGINS),),
    "mute": (Fault("mute", since=BEGINS),),
    "loose": (Fault("stuck off", since=BEGINS, every=20.0, lasts=3.0),),
}
"""Sick sensors by name: one kind of fault each."""


def suits(name: str, sense: Sense) -> bool:
    """Whether the faults of this name can ail sensors of that kind."""
    return all(fault.suits(sense) for fault in FAULTS[name])
