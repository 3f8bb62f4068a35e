"""A scanner whose sensors fail: another scanner, with faults that come and go.

Each `Fault` says what ails which channels and when; several may ail at once. The same seed makes the same trouble.
`Sick.ill` and `Sick.lied` are the truth, for those who want to know whether it was found out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from random import Random

from hardware.ailments import AILMENTS, Ailment, Ground, Shown
from hardware.device import Levels, Scanner, Sense, Trouble

Places = Sequence[tuple[float, float]]

ONLY = {"misread": Sense.COLOUR, "miscount": Sense.COUNT, "drift": Sense.COUNT}
"""The sensors that alone have a kind of fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What ails a scanner: a `kind` of `AILMENTS`, with its `rate` and `time` in seconds.

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
        if self.kind not in AILMENTS:
            raise ValueError(f"no sensor suffers from {self.kind!r}; there are {', '.join(sorted(AILMENTS))}")
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


class Sick:
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

    def _fall_ill(self, fault: Fault, choose: Random) -> tuple[Fault, Ailment]:
        """The ailment of a fault, on its channels."""
        if not fault.suits(self.sense):
            raise ValueError(f"{fault.kind} ails sensors of {ONLY[fault.kind].value}; these sense {self.sense.value}")
        ground = Ground(self._sick(fault, choose), self._beside, self.sense, fault.rate, fault.time)
        return fault, AILMENTS[fault.kind](ground, choose)

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
