"""A table in memory with the contract of a real one: pieces on sites, sensed as presence, colour or count.

It is both scanner and lights, and it has the verbs of people at a table. What a hand cannot do (lift from an empty
site, put a stone where one stands) raises `HandError` with a sentence and changes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from hardware.device import Colour, Levels, Sense, Trouble

DIRECTIONS = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}


class HandError(Exception):
    """Something that a hand cannot do with the pieces as they lie; says what and where."""


class SimulatedTable:
    """Pieces on `sites`, one channel and one pixel a site in that order, then `spare` pixels."""

    def __init__(
        self,
        sites: Sequence[str],
        sense: Sense,
        places: Mapping[str, tuple[float, float]] | None = None,
        *,
        spare: int = 2,
        remember: int = 1000,
    ) -> None:
        self.sense = sense
        self.sites = tuple(sites)
        self.channels = len(self.sites)
        self.pixels = self.channels + spare
        self.pictures: deque[tuple[Colour, ...]] = deque([((0, 0, 0),) * self.pixels], maxlen=remember)
        """The pictures shown, oldest first; the last one is what the lights show now."""
        self.closed = False
        self.sighted = True
        self.trouble: Trouble | None = None
        self._places = dict(places or {})
        self._index = {site: index for index, site in enumerate(self.sites)}
        self._levels = [0] * self.channels
        self._fallen: dict[str, int] = {}
        self._seen: Levels = (0,) * self.channels

    # The device -------------------------------------------------------------------------------

    def scan(self) -> Levels:
        """What the sensors show now; all None while the table is not `sighted`."""
        return self._seen if self.sighted else (None,) * self.channels

    def show(self, picture: Sequence[Colour]) -> None:
        """Show and remember a whole picture."""
        if len(picture) != self.pixels:
            raise ValueError(f"a picture for this table has {self.pixels} pixels, not {len(picture)}")
        self.pictures.append(tuple(picture))

    def close(self) -> None:
        """Go dark."""
        if not self.closed:
            self.show([(0, 0, 0)] * self.pixels)
        self.closed = True

    # The pieces -------------------------------------------------------------------------------

    def level(self, site: str) -> int:
        """What truly stands on `site`: 0 empty, 1 dark, 2 light, or the number of seeds."""
        return self._levels[self._at(site)]

    def lay(self, levels: Iterable[tuple[str, int]]) -> None:
        """Make these sites hold these levels, at once; nothing changes if one of them is none."""
        for number, level in [(self._at(site), level) for site, level in levels]:
            self._levels[number] = level
        self._seen = tuple(map(self.sense.of, self._levels))

    def _at(self, site: str) -> int:
        if site not in self._index:
            raise HandError(f"there is no site {site[:20]!r}; the sites are {self.sites[0]} to {self.sites[-1]}")
        return self._index[site]

    # The verbs --------------------------------------------------------------------------------

    def lift(self, site: str) -> int:
        """Take what stands on `site` into the hand; returns its level."""
        level = self.level(site)
        if not level:
            raise HandError(f"there is nothing on {site} to lift")
        self.lay([(site, 0)])
        return level

    def put(self, site: str, level: int) -> None:
        """Put a stone, or that many seeds, on the empty `site`."""
        if self.level(site):
            raise HandError(f"{site} is taken: lift what stands there first")
        self.lay([(site, level)])

    def drop(self, site: str, seeds: int = 1) -> None:
        """Let seeds fall into `site`, to those that lie there."""
        self.lay([(site, self.level(site) + seeds)])

    def slide(self, origin: str, target: str) -> None:
        """Move what stands on `origin` to the empty `target`."""
        if self.level(target):
            raise HandError(f"{target} is taken: nothing can slide there")
        self.put(target, self.lift(origin))

    def row(self, site: str, direction: str) -> tuple[str, ...]:
        """The sites of the unbroken row from `site` on, and last the empty one that it ends at."""
        if direction not in DIRECTIONS:
            raise HandError(f"{direction[:20]!r} is no direction; it is one of {', '.join(DIRECTIONS)}")
        named = {place: name for name, place in self._places.items()}
        row = [site] if self.level(site) else []
        x, y = self._places.get(site, (0, 0))
        while row and self.level(row[-1]):
            x, y = x + DIRECTIONS[direction][0], y + DIRECTIONS[direction][1]
            if (x, y) not in named:
                raise HandError(f"the row from {site} to the {direction} ends at the edge, with no empty site")
            row.append(named[x, y])
        if not row:
            raise HandError(f"there is nothing on {site} to push")
        return tuple(row)

    def push(self, site: str, direction: str) -> None:
        """Push the row from `site` one place on; `site` is empty afterwards."""
        row = self.row(site, direction)
        self.lay([*zip(row[1:], map(self.level, row[:-1]), strict=True), (site, 0)])

    def sow(self, site: str, path: Sequence[str]) -> None:
        """Lift the seeds of `site` and let one fall into each site of `path` until the hand is empty."""
        if len(path) < self.level(site):
            raise HandError(f"{site} holds {self.level(site)} seeds, and the path has only {len(path)} sites")
        for pit in path:
            self._at(pit)
        for _, pit in zip(range(self.lift(site)), path, strict=False):
            self.drop(pit)

    def knock_over(self, sites: Iterable[str] | None = None) -> None:
        """Knock the pieces off `sites` (off all of them if None); `put_back` remembers how they stood."""
        fallen = {site: self.level(site) for site in (self.sites if sites is None else sites)}
        self._fallen |= {site: level for site, level in fallen.items() if level}
        self.lay((site, 0) for site in fallen)

    def put_back(self) -> None:
        """Put every knocked-over piece back where it stood."""
        self.lay(self._fallen.items())
        self._fallen = {}
