"""Which sites' sensors can be believed, by their own history. Pure: frames and times in, frames out.

1. A *twitch* is a level that comes and goes within `FLICKER` while nothing else does so for `ALONE` before and
   after. Hands do not twitch, and a bump shakes one site alone now and then; `TWITCHES` at one site within `WINDOW`
   are a loose contact: the site is masked.
2. A site is *doubted*, and masked too, when players insist on a turn that all the others bear out
   (`firmware_bridge.offer`).
3. A masked site reads None. It is believed again once it has shown what the position says, whenever the board was
   at rest, for `LONG`, and through a turn that changed what stands there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from firmware_bridge.evidence import FLICKER
from hardware.device import Levels

ALONE = 0.1
"""Seconds before and after a twitch in which no other site twitches."""
TWITCHES = 5
"""So many within `WINDOW` are a loose contact."""
WINDOW = 60.0
"""Seconds."""
LONG = 120.0
"""Seconds for which a masked site must tell the truth."""


class Twitch(NamedTuple):
    """The level of `site` was back at `at` (seconds)."""

    site: int
    at: float


@dataclass(slots=True)
class Trial:
    """How a masked site has done: since when it tells the truth, in seconds; what it showed first, and ever since."""

    since: float
    first: int | None = None
    followed: bool = False


class Confidence:
    """The history of each site's sensor; fed with settled frames."""

    def __init__(self) -> None:
        self.masked: dict[int, Trial] = {}
        """The sites that are not believed."""
        self._raw: Levels = ()
        self.shown: Levels = ()
        """What is believed of the frame."""
        self._since: dict[int, tuple[float, int | None]] = {}
        self._latest: list[Twitch] = []
        self._twitches: dict[int, list[float]] = {}

    def feed(self, frame: Levels, now: float) -> Levels:
        """`frame` at `now` (seconds) without what is not believed; the same object while nothing changes."""
        if frame is not self._raw:
            if len(frame) == len(self._raw):
                self._note(frame, now)
            self._raw = frame
            self._show()
        return self.shown

    @property
    def loose(self) -> tuple[int, ...]:
        """The sites that have twitched too often, and are not masked yet."""
        return tuple(site for site, times in self._twitches.items() if len(times) >= TWITCHES)

    def played(self, path: Collection[int]) -> None:
        """A turn counts that had to do with the sites of `path`: what twitched elsewhere meanwhile was no hand."""
        for site, at in self._latest:
            if site not in path and site not in self.masked:
                self._twitches[site] = [*(time for time in self._twitches.get(site, ()) if at - time < WINDOW), at]
        self._latest.clear()

    def mask(self, sites: Iterable[int], now: float) -> Levels:
        """Do not believe `sites` from `now` on; returns the frame without them."""
        for site in sites:
            self.masked[site] = Trial(now)
            self._twitches.pop(site, None)
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

    def _note(self, frame: Levels, now: float) -> None:
        """Look for twitches that come one at a time."""
        changed = [site for site, (new, old) in enumerate(zip(frame, self._raw, strict=True)) if new != old]
        for site in changed:
            begun, before = self._since.get(site, (-WINDOW, None))
            if before == frame[site] and now - begun < FLICKER:
                self._twitched(site, now)
            self._since[site] = now, self._raw[site]

    def _twitched(self, site: int, now: float) -> None:
        """A bump shakes several at once; such twitches are nothing."""
        if site in self.masked:
            self.masked[site].since = now
        others = [twitch for twitch in self._latest if twitch.site != site and now - twitch.at < ALONE]
        if others:
            self._latest = [twitch for twitch in self._latest if twitch not in others]
        else:
            self._latest.append(Twitch(site, now))
