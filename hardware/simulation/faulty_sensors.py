"""A scanner whose sensors fail: another scanner, with faults that come and go.

Each `Fault` says which channels fail in which way and when; several faults may affect a channel at once. The same seed
gives the same faults. A fault of each kind has a `FaultModel`, which sees the levels as they come, channel by channel,
and the time, and changes some of them. Some models hold for good. A `TransientFault` begins at a change of level or by
the clock; it puts a `FalseLevel` in place of a level, until a time or the next change.

`FaultyScanner.faults_at` and `FaultyScanner.misreported` are the truth, for those who check whether it was found out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import NamedTuple

from hardware.device import Levels, Scanner, Sense, Trouble

Shown = list[int | None]
"""Levels on their way from a scanner to whoever reads it."""
Places = Sequence[tuple[float, float]]
"""Where the channels lie, x and y."""

ONSET = 2.0
"""Seconds after which the faults of `FAULTS` begin (guessed): the board has been set up by then."""
SENSE_OF = {"misread": Sense.COLOUR, "miscount": Sense.COUNT, "drift": Sense.COUNT}
"""The sensors that alone have a kind of fault."""


class FaultContext(NamedTuple):
    """The channels that a fault affects, and what else its model must know.

    `neighbours`: for each channel of the scanner those next to it. `rate` and `time` (seconds) are the fault's.
    """

    channels: tuple[int, ...]
    neighbours: Sequence[Sequence[int]]
    sense: Sense
    rate: float
    time: float


class FalseLevel(NamedTuple):
    """A level shown in place of the true one, until a time."""

    level: int
    until: float


class FaultModel:
    """A fault without effect. `apply` changes levels in place; it returns when it must be called again at latest."""

    def __init__(self, context: FaultContext, choose: Random) -> None:
        self.context = context
        self.channels = context.channels
        self.choose = choose

    def apply(self, levels: Shown, now: float) -> float:
        """Change the levels at `now` (seconds) as the fault does."""
        return inf

    def reset(self) -> None:
        """The fault is not active: what changes meanwhile is not known afterwards."""


class ConstantLevel(FaultModel):
    """The channels always show one level."""

    def level(self) -> int:
        """The level that all of them show."""
        return 0

    def __init__(self, context: FaultContext, choose: Random) -> None:
        super().__init__(context, choose)
        self._held = self.level()

    def apply(self, levels: Shown, now: float) -> float:
        for channel in self.channels:
            levels[channel] = self._held
        return inf


class StuckOff(ConstantLevel):
    """Nothing is ever seen there: a broken switch, a magnet too weak."""


class StuckOn(ConstantLevel):
    """Something always stands there: a contact welded shut."""

    def level(self) -> int:
        return self.choose.randint(1, {Sense.PRESENCE: 1, Sense.COLOUR: 2, Sense.COUNT: 6}[self.context.sense])


class Mute(FaultModel):
    """The channels cannot tell, and say so."""

    def apply(self, levels: Shown, now: float) -> float:
        for channel in self.channels:
            levels[channel] = None
        return inf


class Slow(FaultModel):
    """The channels are looked at every `time` seconds only: what changes back in between is missed."""

    def __init__(self, context: FaultContext, choose: Random) -> None:
        super().__init__(context, choose)
        self._looked: Shown = []
        self._due = -inf

    def apply(self, levels: Shown, now: float) -> float:
        if now >= self._due:
            self._looked, self._due = levels[:], now + self.context.time
        for channel in self.channels:
            levels[channel] = self._looked[channel]
        return self._due


class TransientFault(FaultModel):
    """A fault that shows false levels for a while, begun by a change (`level_changed`) or by the clock (`timer`)."""

    def __init__(self, context: FaultContext, choose: Random) -> None:
        super().__init__(context, choose)
        self._before: Shown = []
        self._false: dict[int, FalseLevel] = {}
        self._due = inf

    def level_changed(self, channel: int, old: int, new: int, now: float) -> None:
        """`channel`, any of the scanner's, has changed."""

    def timer(self, levels: Shown, now: float) -> None:
        """The time has come that was set."""

    def show_falsely(self, channel: int, level: int, until: float) -> None:
        """Show `level` there from now on."""
        self._false[channel] = FalseLevel(level, until)

    def apply(self, levels: Shown, now: float) -> float:
        if self._before != levels:
            self._compare(levels, now)
        if now >= self._due:
            self.timer(levels, now)
        self._false = {channel: false for channel, false in self._false.items() if now < false.until}
        for channel, false in self._false.items():
            levels[channel] = false.level
        return min(self._due, *(false.until for false in self._false.values()), inf)

    def reset(self) -> None:
        self._before = []
        self._false.clear()

    def _compare(self, levels: Shown, now: float) -> None:
        """Tell what is new since the last scan."""
        before, self._before = self._before or levels, levels[:]
        for channel, (old, new) in enumerate(zip(before, levels, strict=True)):
            if old is not None and new is not None and old != new:
                self.level_changed(channel, old, new, now)

    def occurs(self) -> bool:
        """Whether chance, by the fault's rate, has it happen now."""
        return self.choose.random() < self.context.rate


class Bounce(TransientFault):
    """After each change the contact goes to and fro for up to `time`."""

    def __init__(self, context: FaultContext, choose: Random) -> None:
        super().__init__(context, choose)
        self._ends: dict[int, tuple[float, int, int]] = {}

    def level_changed(self, channel: int, old: int, new: int, now: float) -> None:
        if channel in self.channels:
            self._ends[channel] = now + self.choose.uniform(0, self.context.time), old, new
            self._due = now

    def timer(self, levels: Shown, now: float) -> None:
        self._ends = {channel: bouncing for channel, bouncing in self._ends.items() if now < bouncing[0]}
        for channel, (end, *between) in self._ends.items():
            self.show_falsely(channel, self.choose.choice(between), end)
        self._due = now if self._ends else inf


class Weak(TransientFault):
    """A weak magnet, or a lazy switch: a piece is still seen for up to `time` after it has gone."""

    def level_changed(self, channel: int, old: int, new: int, now: float) -> None:
        self._false.pop(channel, None)
        if channel in self.channels and not new and self.occurs():
            self.show_falsely(channel, old, now + self.choose.uniform(0.5, 1) * self.context.time)


class Crosstalk(TransientFault):
    """What changes beside a channel is seen there as well for up to `time`, at the fault's rate."""

    def level_changed(self, channel: int, old: int, new: int, now: float) -> None:
        for affected in self.channels:
            if channel in self.context.neighbours[affected] and self.occurs():
                self.show_falsely(affected, new, now + self.choose.uniform(0.5, 1) * self.context.time)
        self._false.pop(channel, None)


class Misread(TransientFault):
    """A stone is taken for one of the other colour as long as it stands, or for `time` if that is not 0."""

    def level_changed(self, channel: int, old: int, new: int, now: float) -> None:
        self._false.pop(channel, None)
        if channel in self.channels and new and self.occurs():
            self.show_falsely(channel, 3 - new, now + self.context.time if self.context.time else inf)


class Miscount(TransientFault):
    """Seeds are counted one too many or one too few, until the next change."""

    def level_changed(self, channel: int, old: int, new: int, now: float) -> None:
        self._false.pop(channel, None)
        if channel in self.channels and self.occurs():
            self.show_falsely(channel, max(0, new + self.choose.choice((-1, 1))), inf)


class Drift(TransientFault):
    """The count wanders off, by one every `time`, to three too many and back."""

    def apply(self, levels: Shown, now: float) -> float:
        steps = int(now / self.context.time)
        for channel in self.channels:
            level = levels[channel]
            levels[channel] = None if level is None else level + 3 - abs(steps % 6 - 3)
        return (steps + 1) * self.context.time


class Flicker(TransientFault):
    """`rate` times a second the contact is lost, or made, for up to `time`."""

    def __init__(self, context: FaultContext, choose: Random) -> None:
        super().__init__(context, choose)
        self._due = -inf

    def timer(self, levels: Shown, now: float) -> None:
        if self._due > -inf:
            channel = self.choose.choice(self.channels)
            self.show_falsely(
                channel, 0 if levels[channel] else 1, now + self.choose.uniform(0.2, 1) * self.context.time
            )
        self._due = now + self.choose.expovariate(self.context.rate)


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
"""The model of every kind of fault by name."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a scanner: a `kind` of `FAULT_MODELS`, with its `rate` and `time` in seconds.

    It affects `channels`; if there are none, `count` of them by chance, of one row if `row`, and all if `count` is 0.
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
        """Whether sensors of that kind can have it."""
        return SENSE_OF.get(self.kind, sense) is sense

    def active(self, now: float) -> bool:
        """Whether it has an effect at `now`."""
        return self.since <= now < self.until and (not self.every or (now - self.since) % self.every < self.lasts)

    def next_change(self, now: float) -> float:
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
        self._neighbours_of = [self._neighbours(channel) for channel in range(self.channels)]
        self._models = [self._model(fault, Random(f"{seed} {place}")) for place, fault in enumerate(faults)]
        self._due = -inf
        self._true: Levels = ()
        self._given: Levels = ()
        self.misreported: set[int] = set()
        """The channels that have shown something else than what is there, so far."""

    def faults_at(self, now: float) -> dict[int, tuple[str, ...]]:
        """The channels that are affected at `now`, each with the kinds of its faults."""
        found: dict[int, tuple[str, ...]] = {}
        for fault, model in self._models:
            for channel in model.channels if fault.active(now) else ():
                found[channel] = (*found.get(channel, ()), fault.kind)
        return found

    @property
    def trouble(self) -> Trouble | None:
        """What the scanner itself has found."""
        return self._scanner.trouble

    def scan(self) -> Levels:
        """What the faulty sensors show now; the same object as before when nothing has changed."""
        now, true = self._time(), self._scanner.scan()
        if true is not self._true or now >= self._due:
            self._true = true
            shown = self._apply(list(true), now)
            given = tuple(None if level is None else seen for level, seen in zip(true, shown, strict=True))
            if given != self._given:
                self._given = given
                self.misreported |= {channel for channel, seen in enumerate(given) if seen != true[channel]}
        return self._given

    def close(self) -> None:
        """Release the scanner; a second call does nothing."""
        self._scanner.close()

    def _apply(self, shown: Shown, now: float) -> Shown:
        """Each fault in turn works on what the one before it has left."""
        self._due = inf
        for fault, model in self._models:
            self._due = min(self._due, fault.next_change(now))
            if fault.active(now):
                self._due = min(self._due, model.apply(shown, now))
            else:
                model.reset()
        return shown

    def _model(self, fault: Fault, choose: Random) -> tuple[Fault, FaultModel]:
        """The model of a fault, on its channels."""
        if not fault.suits(self.sense):
            raise ValueError(
                f"{fault.kind} ails sensors of {SENSE_OF[fault.kind].value}; these sense {self.sense.value}"
            )
        context = FaultContext(self._affected(fault, choose), self._neighbours_of, self.sense, fault.rate, fault.time)
        return fault, FAULT_MODELS[fault.kind](context, choose)

    def _affected(self, fault: Fault, choose: Random) -> tuple[int, ...]:
        """The channels that `fault` affects."""
        everywhere = range(self.channels)
        if fault.channels or not fault.count:
            return fault.channels or tuple(everywhere)
        affected = sorted(choose.sample(everywhere, min(fault.count, self.channels)))
        rows = {self._places[channel][1] for channel in affected}
        return (
            tuple(channel for channel in everywhere if self._places[channel][1] in rows)
            if fault.row
            else tuple(affected)
        )

    def _neighbours(self, channel: int) -> list[int]:
        """The channels at most one place away, not slantwise."""
        x, y = self._places[channel]
        near = ((other, abs(a - x) + abs(b - y)) for other, (a, b) in enumerate(self._places))
        return [other for other, apart in near if 0 < apart <= 1]


FAULTS = {
    "none": (),
    "bounce": (Fault("bounce", time=0.005, count=0),),
    "slow": (Fault("slow", time=0.1, count=0),),
    "stuck on": (Fault("stuck on", since=ONSET),),
    "stuck off": (Fault("stuck off", since=ONSET),),
    "flicker": (Fault("flicker", rate=0.5, time=0.08, since=ONSET),),
    "crosstalk": (Fault("crosstalk", rate=0.5, time=0.1, since=ONSET),),
    "weak": (Fault("weak", time=0.5, since=ONSET),),
    "misread": (Fault("misread", rate=0.3, time=0.0, since=ONSET),),
    "misread for a moment": (Fault("misread", rate=0.5, time=0.3, count=0, since=ONSET),),
    "miscount": (Fault("miscount", rate=0.2, since=ONSET),),
    "drift": (Fault("drift", time=30.0, since=ONSET),),
    "dead row": (Fault("stuck off", row=True, since=ONSET),),
    "mute": (Fault("mute", since=ONSET),),
    "loose": (Fault("stuck off", since=ONSET, every=20.0, lasts=3.0),),
}
"""Faulty sensors by name: one kind of fault each."""


def suits(name: str, sense: Sense) -> bool:
    """Whether sensors of that kind can have the faults of this name."""
    return all(fault.suits(sense) for fault in FAULTS[name])
