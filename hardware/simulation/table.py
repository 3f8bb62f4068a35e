"""A table in memory with the contract of a real one: pieces on sites, sensed as presence, colour or count.

`Pieces` has the verbs of people at a table. What a hand cannot do (lift from an empty site, put a stone where one
stands) raises `HandError` with a sentence and changes nothing. `SimulatedTable` is both scanner and lights; `Named`
is the same table by the names of the game that is laid on it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from hardware.device import LAMPS, Colour, Levels, Sense, Trouble

DIRECTIONS = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}
Places = Mapping[str, tuple[float, float]]


FAULTS = {
    "no-site": "there is no site {site}; the sites are {first} to {last}",
    "nothing-to-lift": "there is nothing on {site} to lift",
    "taken": "{site} is taken: lift what stands there first",
    "no-slide": "{site} is taken: nothing can slide there",
    "no-direction": "{direction} is no direction; it is one of {names}",
    "edge": "the row from {site} to the {direction} ends at the edge, with no empty site",
    "nothing-to-push": "there is nothing on {site} to push",
    "short": "{site} holds {count} seeds, and the path has only {length} sites",
}
"""What a hand cannot do, by name, with values in braces."""


class HandError(Exception):
    """Something that a hand cannot do with the pieces as they lie; says what and where.

    `name` and `values` are those of `FAULTS`, for whoever says it in another language.
    """

    def __init__(self, name: str, **values: int | str) -> None:
        super().__init__(FAULTS[name].format(**values))
        self.name, self.values = name, values


class Pieces(ABC):
    """Pieces on `sites`, which lie at `places`, and what hands do with them."""

    sighted: bool
    """Whether the sensors are connected."""

    def __init__(self, sites: Sequence[str], places: Places | None) -> None:
        self.sites = tuple(sites)
        self._places = dict(places or {})
        self._fallen: dict[str, int] = {}

    @abstractmethod
    def level(self, site: str) -> int:
        """What truly stands on `site`: 0 empty, 1 dark, 2 light, or the number of seeds."""

    @abstractmethod
    def lay(self, levels: Iterable[tuple[str, int]]) -> None:
        """Make these sites hold these levels, at once; nothing changes if one of them is none."""

    @abstractmethod
    def light(self, site: str) -> Colour:
        """The colour that `site` shows now."""

    def _known(self, site: str) -> str:
        """`site`, if it is one of the sites."""
        if site not in self.sites:
            raise HandError("no-site", site=repr(site[:20]), first=self.sites[0], last=self.sites[-1])
        return site

    def lift(self, site: str) -> int:
        """Take what stands on `site` into the hand; returns its level."""
        level = self.level(site)
        if not level:
            raise HandError("nothing-to-lift", site=site)
        self.lay([(site, 0)])
        return level

    def put(self, site: str, level: int) -> None:
        """Put a stone, or that many seeds, on the empty `site`."""
        if self.level(site):
            raise HandError("taken", site=site)
        self.lay([(site, level)])

    def drop(self, site: str, seeds: int = 1) -> None:
        """Let seeds fall into `site`, to those that lie there."""
        self.lay([(site, self.level(site) + seeds)])

    def slide(self, origin: str, target: str) -> None:
        """Move what stands on `origin` to the empty `target`."""
        if self.level(target):
            raise HandError("no-slide", site=target)
        self.put(target, self.lift(origin))

    def row(self, site: str, direction: str) -> tuple[str, ...]:
        """The sites of the unbroken row from `site` on, and last the empty one that it ends at."""
        if direction not in DIRECTIONS:
            raise HandError("no-direction", direction=repr(direction[:20]), names=", ".join(DIRECTIONS))
        named = {place: name for name, place in self._places.items()}
        row = [site] if self.level(site) else []
        x, y = self._places.get(site, (0, 0))
        while row and self.level(row[-1]):
            x, y = x + DIRECTIONS[direction][0], y + DIRECTIONS[direction][1]
            if (x, y) not in named:
                raise HandError("edge", site=site, direction=direction)
            row.append(named[x, y])
        if not row:
            raise HandError("nothing-to-push", site=site)
        return tuple(row)

    def push(self, site: str, direction: str) -> None:
        """Push the row from `site` one place on; `site` is empty afterwards."""
        row = self.row(site, direction)
        self.lay([*zip(row[1:], map(self.level, row[:-1]), strict=True), (site, 0)])

    def sow(self, site: str, path: Sequence[str]) -> None:
        """Lift the seeds of `site` and let one fall into each site of `path` until the hand is empty."""
        if len(path) < self.level(site):
            raise HandError("short", site=site, count=self.level(site), length=len(path))
        for pit in path:
            self._known(pit)
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


class SimulatedTable(Pieces):
    """The device: a channel and a pixel a site in that order, then two lamps; or else `length` pixels in all.

    `wiring` gives sites other channels, of as many as the highest says; a site that it leaves out is not sensed.
    """

    def __init__(
        self,
        sites: Sequence[str],
        sense: Sense,
        places: Places | None = None,
        *,
        length: int | None = None,
        remember: int = 1000,
        wiring: Mapping[str, int] | None = None,
        pixels: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        super().__init__(sites, places)
        self.sense = sense
        self.refresh: float | None = None
        self._index = {site: index for index, site in enumerate(self.sites)}
        self._wiring = dict(self._index if wiring is None else wiring)
        self._wired = {channel: self._index[site] for site, channel in self._wiring.items()}
        self._lamps = {site: (index,) for site, index in self._index.items()} if pixels is None else dict(pixels)
        self.channels = 1 + max(self._wiring.values(), default=-1)
        self.pixels = len(self.sites) + LAMPS if length is None else length
        self.pictures: deque[tuple[Colour, ...]] = deque([((0, 0, 0),) * self.pixels], maxlen=remember)
        """The pictures shown, oldest first; the last one is what the lights show now."""
        self.closed = False
        self.trouble: Trouble | None = None
        self.settled = False
        self.sighted = True
        self._levels = [0] * len(self.sites)
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
        """What truly stands on `site`."""
        return self._levels[self._index[self._known(site)]]

    def sensed(self, channel: int) -> int:
        """What truly stands where `channel` looks; 0 where it looks at no site."""
        index = self._wired.get(channel)
        return 0 if index is None else self._levels[index]

    def lay(self, levels: Iterable[tuple[str, int]]) -> None:
        """Make these sites hold these levels, at once; nothing changes if one of them is none."""
        for number, level in [(self._index[self._known(site)], level) for site, level in levels]:
            self._levels[number] = level
        self._seen = tuple(self.sense.of(self.sensed(channel)) for channel in range(self.channels))

    def light(self, site: str) -> Colour:
        """The colour of the site's first pixel; black if it has none."""
        lamps = self._lamps[self._known(site)]
        return self.pictures[-1][lamps[0]] if lamps else (0, 0, 0)


class Named(Pieces):
    """The pieces of `table` under other names: `points` gives the site of the table that each name stands for."""

    def __init__(self, table: Pieces, points: Mapping[str, str], places: Places | None = None) -> None:
        super().__init__(tuple(points), places)
        self._table = table
        self._points = dict(points)

    def level(self, site: str) -> int:
        """What truly stands on `site`."""
        return self._table.level(self._points[self._known(site)])

    def lay(self, levels: Iterable[tuple[str, int]]) -> None:
        """Make these sites hold these levels, at once."""
        self._table.lay([(self._points[self._known(site)], level) for site, level in levels])

    def light(self, site: str) -> Colour:
        """The colour that `site` shows now."""
        return self._table.light(self._points[self._known(site)])

    @property
    def sighted(self) -> bool:
        """Whether the sensors are connected."""
        return self._table.sighted

    @sighted.setter
    def sighted(self, sighted: bool) -> None:
        self._table.sighted = sighted


class SimulatedButtons:
    """Push buttons in memory."""

    def __init__(self) -> None:
        self.pressed: set[str] = set()

    def down(self) -> frozenset[str]:
        """The names of the buttons that are pressed now."""
        return frozenset(self.pressed)

    def close(self) -> None:
        """Let go of all."""
        self.pressed.clear()
