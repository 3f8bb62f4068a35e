"""How turns were read, counted; and the same in the words of a table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from benchmarks.results import Reading, Spread

SOON = 30
"""Turns within which a sick site is to be named."""


class Naming(NamedTuple):
    """The turns in which a site was named and in which it first lied, if ever; and how many there were."""

    named: int | None
    lied: int | None
    turns: int

    @property
    def soon(self) -> bool | None:
        """Whether it was named soon after it had lied; None if the game ended before that could be said."""
        if self.named is None:
            return None if self.turns - (self.lied or 0) < SOON else False
        return self.named - (self.lied or 0) <= SOON


class Tally:
    """How the turns were read, and the seconds from the last touch of a turn to its being counted."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        """``turns``, and of these ``right``, ``asked``, ``missed`` and ``wrong``."""
        self.waits: list[float] = []
        """For each turn that was right, and not asked about."""
        self.unique: list[float] = []
        """Those of them that counted with the very frame that shows their result."""
        self.naming: list[Naming] = []
        """Of the sites that lied, or were said to."""

    def note(self, verdict: str) -> None:
        """One more turn."""
        self.count["turns"] += 1
        self.count[verdict] += 1

    def add(self, other: Tally) -> None:
        """Take in another one."""
        self.count += other.count
        self.waits += other.waits
        self.unique += other.unique
        self.naming += other.naming


Tallies = defaultdict[str, Tally]
"""A tally for the table, and for each other way of reading."""


def shares(tally: Tally, *verdicts: str) -> str:
    """How many of the turns were read so, in %; what is wrong to two places."""
    part = {verdict: 100 * tally.count[verdict] / max(1, tally.count["turns"]) for verdict in verdicts}
    return " / ".join(f"{share:.{2 if verdict == 'wrong' else 1}f}" for verdict, share in part.items())


def wait(seconds: list[float]) -> Spread | None:
    """The spread of some waits; None of none."""
    if not seconds:
        return None
    ranked = sorted(seconds)
    middle, late = (round(1000 * ranked[int(share * (len(ranked) - 1))], 1) for share in (0.5, 0.99))
    return Spread(middle, late, round(1000 * ranked[-1], 1))


def waits(seconds: list[float]) -> str:
    """The median and the value below which 99 % lie, in ms."""
    found = wait(seconds)
    return f"{found.median_ms:.0f} / {found.p99_ms:.0f}" if found else "-"


def reading(tally: Tally) -> Reading:
    """The counts and waits of a tally."""
    count = tally.count
    return Reading(count["right"], count["asked"], count["missed"], count["wrong"], wait(tally.waits))


def naming(found: Iterable[Naming]) -> tuple[int, int, int]:
    """How many sites that lied were named soon, of how many; and how many that had not lied were named."""
    found = list(found)
    soon = [each.soon for each in found if each.lied is not None and each.soon is not None]
    return sum(soon), len(soon), sum(each.lied is None for each in found)


def named(tally: Tally) -> str:
    """The same in words."""
    soon, lied, sound = naming(tally.naming)
    return (f"{soon} of {lied}" if lied else "-") + (f" (and {sound} sound)" if sound else "")
