"""From raw levels to a settled frame: a site's new level counts once it has held for a while."""

from __future__ import annotations

from math import inf

from hardware.device import Levels


class Debounce:
    """Holds back each site's change until it has lasted `hold` seconds.

    Levels are read, not edges: a lost change heals with the next scan. While nothing changes the same
    frame object is returned, so that whoever comes next can tell at a glance. A piece that was gone for less than
    `hold` is `glimpsed`: very quick hands leave no more behind.
    """

    def __init__(self, hold: float = 0.005) -> None:
        self.hold = hold
        self._raw: Levels = ()
        self._since: dict[int, float] = {}
        self._settled: Levels = ()
        self.glimpsed: tuple[int, ...] = ()
        """The sites that held a piece, and were seen empty too shortly to count, until the last scan."""

    def feed(self, frame: Levels, now: float) -> Levels:
        """The settled frame at `now` (seconds), given what the sensors show."""
        self.glimpsed = ()
        if frame is self._raw and not self._since:
            return self._settled
        if len(frame) != len(self._settled):
            self._settled = self._raw = frame
            self._since.clear()
            return frame
        self._note(frame, now)
        ripe = [site for site, since in self._since.items() if now >= since + self.hold]
        if ripe:
            self._settle(ripe)
        return self._settled

    @property
    def due(self) -> float:
        """When the next level will have held for long enough, in seconds; inf while none waits."""
        return min(self._since.values()) + self.hold if self._since else inf

    def _note(self, frame: Levels, now: float) -> None:
        """Begin a site's wait when it changes, end it when it is back."""
        if frame is not self._raw:
            for site, (level, before, settled) in enumerate(zip(frame, self._raw, self._settled, strict=True)):
                if level == settled:
                    if self._since.pop(site, None) is not None and level and before == 0:
                        self.glimpsed += (site,)
                elif level != before or site not in self._since:
                    self._since[site] = now
            self._raw = frame

    def _settle(self, ripe: list[int]) -> None:
        levels = list(self._settled)
        for site in ripe:
            levels[site] = self._raw[site]
            del self._since[site]
        self._settled = tuple(levels)
