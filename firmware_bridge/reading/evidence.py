"""What was seen to change since the board was last at rest: the evidence that turns are weighed by.

A hand cannot lift a piece and put it back in no time: a site that is back as it was within `FLICKER` was *shaken*,
and not touched; the table was bumped, or a contact is loose. Pieces that go off together, though no turn empties
their sites, were *spilt*; once they stand again as they stood, that is nothing either.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from math import inf
from typing import NamedTuple

from firmware_bridge.reading.signature import Signature
from hardware.device import Levels

LONGEST = 500
"""Changes that are kept one by one; no legal sowing shows as many."""
FLICKER = 0.09
"""Seconds within which no hand lifts a piece and puts one down; bumps and loose contacts are done by then."""
TOGETHER = 0.05
"""Seconds apart at most that pieces go off which are taken, pushed or swept off together."""

MANY = 12
"""More pieces than go off together unless the board is knocked over."""
RECENT = 0.2
"""Seconds before a turn begins within which what was shaken may belong to it."""


class Change(NamedTuple):
    """A site came to show `level`, where it had shown `before`, at `at` (seconds), in the frame of this number."""

    site: int
    level: int
    before: int | None
    at: float
    frame: int = 0


def changed(known: Sequence[int | None], frame: Levels, at: float, number: int = 0) -> list[Change]:
    """The sites that visibly show something else than was `known` of them, in the frame with this number."""
    pairs = enumerate(zip(known, frame, strict=True))
    return [Change(site, new, old, at, number) for site, (old, new) in pairs if new is not None and new != old]


class Evidence:
    """Fed with settled frames. `rest` is what the position shows; `strict`: only an order tells turns.

    `together` tells the sets of sites that turns empty.
    """

    def __init__(
        self, rest: tuple[int, ...], *, strict: bool, together: Callable[[], Collection[frozenset[int]]] = tuple
    ) -> None:
        self.rest = rest
        self.frame: Levels = rest
        """The settled frame seen last."""
        self.differs: tuple[int, ...] = ()
        """The sites that visibly differ from the rest."""
        self.emptied: list[frozenset[int]] = []
        """The sites seen empty, in order; those of one frame together."""
        self.replaced: set[int] = set()
        """The sites where one piece was seen to follow another without a gap."""
        self.shaken: dict[int, float] = {}
        """The sites that were empty for less than `FLICKER`, too short for most hands, or were spilt; and when."""
        self.forgiving = False
        """Whether owed lifts need not have been seen, for there was nobody to see them."""
        self._strict = strict
        self._together = together
        self._known: list[int | None] = list(rest)
        self._touched: dict[int, int] = {}
        self._filled: dict[int, int] = {}
        self._changes: list[set[tuple[int, int]]] = []
        self._since: dict[int, float] = {}
        self._log: list[Change] = []
        self._spilt: set[int] = set()
        self._knocked: set[int] = set()
        self._fed = 0

    def feed(self, frame: Levels, now: float) -> tuple[int, ...]:
        """Take note of what has changed at `now` (seconds); returns the sites."""
        self.frame = frame
        pairs = enumerate(zip(frame, self.rest, strict=True))
        self.differs = tuple(site for site, (level, rest) in pairs if level is not None and level != rest)
        if self.blind:
            self.forget()
            self.forgiving = True
            return ()
        new = changed(self._known, frame, now, self._fed + 1)
        self._fed += 1
        if not self._touched:
            self.shaken = {site: at for site, at in self.shaken.items() if now - at < RECENT}
        self._note([change for change in new if not self._is_nothing(change)])
        for change in new:
            self._known[change.site] = change.level
            self._since[change.site] = now
        return tuple(change.site for change in new)

    def glimpse(self, sites: Iterable[int], now: float) -> None:
        """These sites were empty at `now`, too shortly to be in a frame."""
        self.shaken.update(dict.fromkeys(sites, now))

    def _is_nothing(self, change: Change) -> bool:
        """Whether a site is back as it was after having been shaken, or spilt: then all of it is forgotten."""
        last = self._latest(change.site)
        if last is None or last.before != change.level or len(self._log) >= LONGEST:
            return False
        brief = change.at - last.at < FLICKER and not (last.level and self._upset(change))
        if not (brief or self._is_spilt(last)):
            return False
        if not last.level:
            self.shaken[last.site] = change.at
        self._spilt.discard(last.site)
        self._knocked.discard(last.site)
        self._log.remove(last)
        self._read_again()
        return True

    def _upset(self, change: Change) -> bool:
        """Whether others went off along with it: then what stood there has not just passed by."""
        return sum(not other.level and change.at - other.at < TOGETHER for other in self._log) > 1

    def _latest(self, site: int) -> Change | None:
        return next((change for change in reversed(self._log) if change.site == site), None)

    def _is_spilt(self, last: Change) -> bool:
        """Whether the site of `last` was emptied together with others that no turn empties with it."""
        group = self._emptied_with(last)
        if len(group) > 1:
            lifted = self._together()
            self._spilt |= group if not any(group <= lifts for lifts in lifted) else set()
            self._knocked |= group if len(group) > max([MANY, *map(len, lifted)]) else set()
        if last.site in self._knocked and len(self._knocked) > 1:
            return True  # no turn goes on before the last
        went_on = any(change.level and change.at > last.at for change in self._log)
        return last.site in self._spilt and not went_on  # spilt pieces are put back before a turn goes on

    def _emptied_with(self, last: Change) -> frozenset[int]:
        """The sites emptied about when `last` emptied its own, each soon after another."""
        emptied = [change for change in self._log if not change.level]
        group: list[Change] = []
        for change in emptied:
            if group and change.at - group[-1].at > TOGETHER:
                if last in group:
                    break
                group = []
            group.append(change)
        return frozenset(change.site for change in group if last in group)

    def _note(self, changes: list[Change]) -> None:
        """Let the changes of one frame count."""
        if len(self._log) < LONGEST:
            self._log += changes
            if self._strict:
                self._changes.append({(site, level) for site, level, *_ in changes})
        emptied = frozenset(change.site for change in changes if change.level == 0)
        if not all(self.lifted(site) for site in emptied):
            self.emptied.append(emptied)
        for site, level, before, _, frame in changes:
            if level and before:
                self.replaced.add(site)
            if level:
                self._filled[site] = frame
            self._touched.setdefault(site, frame)

    def _read_again(self) -> None:
        """Some changes have turned out to be nothing."""
        log, self._log = self._log, []
        self._clear()
        for _, changes in groupby(log, key=lambda change: change.frame):
            self._note(list(changes))

    def forget(self) -> None:
        """The board is at rest: a stone lifted and put back is nothing."""
        self._clear()
        self._log = []
        self.shaken.clear()
        self._spilt.clear()
        self._knocked.clear()

    def _clear(self) -> None:
        self._touched.clear()
        self._filled.clear()
        self.emptied.clear()
        self.replaced.clear()
        self._changes.clear()

    def frames(self) -> Iterator[tuple[float, Levels]]:
        """What counts of the frames since the last rest, each with its time; the last one is the frame now."""
        levels: list[int | None] = list(self.rest)
        at = -inf
        for (_, at), changes in groupby(self._log, key=lambda change: (change.frame, change.at)):
            for change in changes:
                levels[change.site] = change.level
            yield at, tuple(levels)
        yield at, self.frame

    def strayed(self) -> list[frozenset[int]]:
        """The sites that differ, together those that came to do so in one frame."""
        sites = sorted(self.differs, key=self.since)
        return [frozenset(group) for _, group in groupby(sites, key=self.since)]

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

    def since(self, site: int) -> float:
        """When `site` last changed, in seconds; -inf if never."""
        return self._since.get(site, -inf)

    def ripens(self, sites: Iterable[int]) -> float:
        """When those of `sites` that were filled or emptied have been so for longer than a flicker; in seconds."""
        changed = (self.since(site) for site in sites if (self.frame[site] == 0) != (self.rest[site] == 0))
        return max(changed, default=-inf) + FLICKER

    def swept(self, signature: Signature) -> bool:
        """Whether stones that `signature` takes went off as no hand takes them: two at once, or along with others."""
        gone = [change for site in signature.captures if self.frame[site] == 0 and (change := self._latest(site))]
        return any(
            self._is_spilt(change) or len(self._emptied_with(change) & signature.captures) > 1 for change in gone
        )

    def glimpsed(self, site: int) -> bool:
        """Whether `site` was seen empty, for however short a time."""
        return site in self.shaken or self.lifted(site)

    def in_order(self, signature: Signature) -> bool:
        """Whether what the first stone lifted fills was not filled before."""
        seen = [self._touched.get(site, 0) for site in signature.moved]
        return seen == sorted(seen) or 0 in seen

    def back(self, signature: Signature) -> int:
        """How many sites were touched and are back as they stood, though `signature` does not leave them so."""
        back = (site for site in self._touched if self.frame[site] in (self.rest[site], None))
        late = signature.last is not None and self._filled_after(signature.last, signature)
        return sum(signature.after.get(site) != self.rest[site] for site in back) + late + self._early(signature)

    def _early(self, signature: Signature) -> int:
        """How many new pieces of `signature` came before one that must be there by then."""
        filled = self._filled
        laid = ((filled[site], due) for site, due in signature.preceded.items() if site in filled)
        return sum(any(filled.get(other, 0) > frame for other in due) for frame, due in laid)

    def _filled_after(self, last: int, signature: Signature) -> bool:
        """Whether another site of `signature` was filled after the one that it fills last, as no row is pushed."""
        filled = self._filled
        return last in filled and any(filled.get(site, 0) > filled[last] for site in signature.path)

    def glimpsed_beside(self, signature: Signature) -> int:
        """How many sites were shaken of which `signature` lifts nothing."""
        return len(self.shaken.keys() - signature.lifts)

    def unmoved(self, signature: Signature) -> int:
        """Of the sites within a row that `signature` shifts: how many were never empty, if some were."""
        if not any(map(self.glimpsed, signature.inner)):
            return 0
        return sum(not (self.glimpsed(site) or site in self.replaced) for site in signature.inner)

    def followed(self, signature: Signature) -> tuple[int, int]:
        """How much of what a strict `signature` shows was seen, in order; and how many changes were no part of it.

        What it shows at a site that cannot be seen goes along with what was seen beside.
        """
        seen, strange = 0, 0
        for changes in self._changes:
            left = set(changes)
            while seen < len(signature.seen) and (
                signature.seen[seen] in left or self.frame[signature.seen[seen][0]] is None
            ):
                left.discard(signature.seen[seen])
                seen += 1
            strange += len(left)
        return seen, strange

    def shows(self, levels: dict[int, int]) -> bool:
        """Whether the frame shows these levels and is at rest elsewhere."""
        if any(site not in levels for site in self.differs):
            return False
        return all(self.frame[site] in (level, None) for site, level in levels.items())
