"""What was seen to change since the board was last at rest: the evidence that turns are weighed by."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.way import Way
from hardware.device import Levels

LONGEST = 500
"""Changes of a sowing that are kept; no legal one shows as many."""


class Evidence:
    """Fed with settled frames. `rest` is what the position shows; `strict`: only an order tells turns (see `Way`)."""

    def __init__(self, rest: tuple[int, ...], *, strict: bool) -> None:
        self.rest = rest
        self.frame: Levels = rest
        """The settled frame seen last."""
        self.differs: tuple[int, ...] = ()
        """The sites that visibly differ from the rest."""
        self.emptied: list[frozenset[int]] = []
        """The sites seen empty, in order; those of one frame together."""
        self.replaced: set[int] = set()
        """The sites where one piece was seen to follow another without a gap."""
        self.forgiving = False
        """Whether owed lifts need not have been seen, for there was nobody to see them."""
        self._strict = strict
        self._known: list[int | None] = list(rest)
        self._touched: dict[int, int] = {}
        self._changes: list[set[tuple[int, int]]] = []
        self._fed = 0

    def feed(self, frame: Levels) -> tuple[int, ...]:
        """Take note of what changed; returns the sites."""
        self.frame = frame
        pairs = enumerate(zip(frame, self.rest, strict=True))
        self.differs = tuple(site for site, (level, rest) in pairs if level is not None and level != rest)
        if self.blind:
            self.forget()
            self.forgiving = True
            return ()
        changed = tuple(site for site, level in enumerate(frame) if level is not None and level != self._known[site])
        self._fed += 1
        self._note_order(changed)
        for site in changed:
            self._touch(site, frame[site])
        return changed

    def _note_order(self, changed: Iterable[int]) -> None:
        frame = self.frame
        if self._strict and len(self._changes) < LONGEST:
            self._changes.append({(site, level) for site in changed if (level := frame[site]) is not None})
        emptied = frozenset(site for site in changed if frame[site] == 0)
        if not all(self.lifted(site) for site in emptied):
            self.emptied.append(emptied)

    def _touch(self, site: int, level: int | None) -> None:
        if level and self._known[site]:
            self.replaced.add(site)
        self._known[site] = level
        self._touched.setdefault(site, self._fed)

    def forget(self) -> None:
        """The board is at rest: a stone lifted and put back is nothing."""
        self._touched.clear()
        self.emptied.clear()
        self.replaced.clear()
        self._changes.clear()

    # What it tells ----------------------------------------------------------------------------

    @property
    def blind(self) -> bool:
        """Whether the sensors tell nothing."""
        return all(level is None for level in self.frame)

    @property
    def hidden(self) -> bool:
        """Whether a site that was touched can no longer be seen."""
        return any(self.frame[site] is None for site in self._touched)

    @property
    def touched(self) -> Iterable[int]:
        """The sites whose level has changed, in order."""
        return self._touched.keys()

    @property
    def first_touched(self) -> list[int]:
        """The sites that changed first, in one frame."""
        first = min(self._touched.values(), default=0)
        return [site for site, number in self._touched.items() if number == first]

    @property
    def first_emptied(self) -> frozenset[int]:
        """The sites seen empty first, in one frame."""
        return self.emptied[0] if self.emptied else frozenset()

    def lifted(self, site: int) -> bool:
        """Whether `site` was seen empty."""
        return any(site in group for group in self.emptied)

    def in_order(self, way: Way) -> bool:
        """Whether what the first stone lifted fills was not filled before."""
        seen = [self._touched.get(site, 0) for site, _ in way.steps[:2]]
        return way.steps[0][1] > 0 or seen == sorted(seen) or 0 in seen

    def back(self, way: Way) -> int:
        """How many sites were touched and are back as they stood, though `way` does not leave them so."""
        back = (site for site in self._touched if self.frame[site] in (self.rest[site], None))
        return sum(way.after.get(site) != self.rest[site] for site in back)

    def followed(self, way: Way) -> tuple[int, int]:
        """How much of what a strict `way` shows was seen, in order; and how many changes were no part of it."""
        seen, strange = 0, 0
        for changes in self._changes:
            left = set(changes)
            while seen < len(way.seen) and way.seen[seen] in left:
                left.remove(way.seen[seen])
                seen += 1
            strange += len(left)
        return seen, strange

    def shows(self, levels: dict[int, int]) -> bool:
        """Whether the frame shows these levels and is at rest elsewhere."""
        if any(site not in levels for site in self.differs):
            return False
        return all(self.frame[site] in (level, None) for site, level in levels.items())
