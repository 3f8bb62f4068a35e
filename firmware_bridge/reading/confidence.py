"""Which sites' sensors are believed. Pure: frames and times in, frames out.

A site is masked, and reads None, when its contact is loose (`reading.sensor_health`) or when players insist on a
turn that all the others bear out (`reading.disambiguation`). It is believed again once it has shown what the position
says, whenever the board was at rest, for `LONG`, and through a turn that changed what stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from hardware.device import Levels

LONG = 120.0
"""Seconds for which a masked site must tell the truth."""


@dataclass(slots=True)
class Trial:
    """How a masked site has done: since when it tells the truth, in seconds; what it showed first, and ever since."""

    since: float
    first: int | None = None
    followed: bool = False


class Confidence:
    """What is believed of the settled frames it is fed with."""

    def __init__(self) -> None:
        self.masked: dict[int, Trial] = {}
        """The sites that are not believed."""
        self._raw: Levels = ()
        self.shown: Levels = ()
        """What is believed of the frame."""

    def feed(self, frame: Levels) -> Levels:
        """`frame` without what is not believed; the same object while nothing changes."""
        if frame is not self._raw:
            self._raw = frame
            self._show()
        return self.shown

    def failed(self, sites: Set[int], now: float) -> None:
        """`sites` came and went where nothing was done: masked ones have told no truth until `now` (seconds)."""
        for site in self.masked.keys() & sites:
            self.masked[site].since = now

    def mask(self, sites: Iterable[int], now: float) -> Levels:
        """Do not believe `sites` from `now` on; returns the frame without them."""
        for site in sites:
            self.masked[site] = Trial(now)
        self._show()
        return self.shown

    def rested(self, rest: Levels, now: float) -> tuple[int, ...]:
        """The board is at rest, as far as it is believed: the masked sites that are believed again, if any."""
        good = [site for site, trial in self.masked.items() if self._proven(trial, self._raw[site], rest[site], now)]
        for site in good:
            del self.masked[site]
        if good:
            self._show()
        return tuple(good)

    def _proven(self, trial: Trial, level: int | None, due: int | None, now: float) -> bool:
        """Whether a masked site that shows `level`, where `due` stands, has done well for long."""
        if level != due:
            trial.since, trial.first, trial.followed = now, None, False
            return False
        if trial.first is None:
            trial.first = level
        trial.followed = trial.followed or level != trial.first
        return trial.followed and now - trial.since >= LONG

    def _show(self) -> None:
        """What is believed of the frame; the same object if that is the same."""
        if not self.masked:
            self.shown = self._raw
            return
        shown = tuple(None if site in self.masked else level for site, level in enumerate(self._raw))
        self.shown = self.shown if shown == self.shown else shown
