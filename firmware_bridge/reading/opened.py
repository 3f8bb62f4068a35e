"""The turn that was made last, while the same hand may yet change it, or put it back."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.reading.reconcile import Watch
from hardware.device import Levels

SAME_HAND = 0.6
"""Seconds: who lifts a piece sooner after it was put down has it still in the hand; nobody replies so fast."""


class Opened:
    """A turn that counts since `made` (seconds); `watch` sees it from the position before it.

    `length`: of the sheet before it. `lifted`: it counts for nothing else than what seems the next player's lift.
    """

    def __init__(self, watch: Watch, length: int, made: float, *, lifted: bool) -> None:
        self.watch, self.length, self.lifted = watch, length, lifted
        self._made = made
        self.same_hand = False
        """Whether the first piece lifted since was put down so shortly before that the hand still had it."""
        self.soon = False
        """Whether anything was touched so soon."""
        self.returned = False
        """Whether nothing was left of the turn, at one time."""

    def feed(self, frame: Levels, now: float, rest: Levels, *, first: bool) -> None:
        """What has changed at `now`; `rest` is what the sensors show of the turn made, `first` that it is as yet so."""
        if first:
            self.same_hand, self.soon = self._reached_back(frame, now), self.is_soon(now)
        self.watch.feed(frame, now)
        self.returned = self.returned or self.put_back(frame, rest)

    def is_soon(self, now: float) -> bool:
        """Whether the hand that made the turn has hardly left it at `now`."""
        return now - self._made < SAME_HAND

    def _reached_back(self, frame: Levels, now: float) -> bool:
        """Whether a piece goes off so soon after it was put down that it is the same hand."""
        before = zip(frame, self.watch.rest, self.watch.seen.frame, strict=True)
        gone = [site for site, (level, rest, shown) in enumerate(before) if not level and rest == 0 != shown]
        return any(now - self.watch.seen.since(site) < SAME_HAND for site in gone)

    def changes(self, rest: Levels) -> frozenset[int]:
        """The sites that the turn changed."""
        return frozenset(site for site, level in enumerate(self.watch.rest) if level != rest[site])

    def put_back(self, frame: Levels, rest: Levels) -> bool:
        """Whether nothing is left of what could be seen of the turn."""
        changed = self.changes(rest)
        return bool(changed) and all(frame[site] == self.watch.rest[site] for site in changed)

    def undone(self, frame: Levels, rest: Levels) -> bool:
        """Whether the board is as it was before the turn, and no capture made first looks like that: it takes one."""
        return frame == self.watch.rest and len(self.changes(rest)) > 1

    def takes_back(self, frame: Levels, rest: Levels, touched: Iterable[int]) -> bool:
        """Whether all that was `touched` since stands as it did before the turn."""
        return all(rest[site] != self.watch.rest[site] == frame[site] for site in touched)
