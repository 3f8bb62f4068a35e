"""Boards that were upset: pieces knocked over or swept off, which are put back before the game goes on.

Hands take pieces one after another; a sleeve takes several at once, and more than any turn does. What has come to other
sites meanwhile was carried there: players who overlap lift several at once, too. Until each of those swept off is back
they are taken to stand where they stood, so that what went on before goes on after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from hardware.device import Levels

AT_ONCE = 0.12
"""Seconds from one piece to the next that is swept off with it; a guess, quicker than a hand takes two."""
FEWEST = 3
"""Pieces that must go at once; a guess: two hands take two."""
BESIDES = 2
"""How many of them must be more than one turn takes: the next player may lift one."""


class Fall(NamedTuple):
    """A piece went from a site at a time (seconds), where `level` had been shown."""

    at: float
    site: int
    level: int


class Moves(NamedTuple):
    """The sites that a turn empties, and those that it fills, as the sensors see them."""

    emptied: frozenset[int]
    filled: frozenset[int]


class Upset:
    """What was swept off and is not yet back."""

    def __init__(self) -> None:
        self.missing: dict[int, int] = {}
        """The sites with what stood there."""
        self.suspected = False
        """Whether pieces have gone so that it has to be judged."""
        self._falls: list[Fall] = []
        self._came: dict[int, float] = {}
        """Where pieces stand that are not due, and since when (seconds)."""

    @property
    def sites(self) -> list[int]:
        """The sites from which pieces have gone, each swept off or lifted."""
        return [fall.site for fall in self._falls]

    def __bool__(self) -> bool:
        return bool(self.missing)

    def clear(self) -> None:
        """Whatever was swept off, the board is to stand otherwise now."""
        self.missing.clear()
        self.suspected = False
        self._falls.clear()
        self._came.clear()

    def see(self, before: Levels, frame: Levels, now: float, due: Levels) -> list[int]:
        """Take note of a change at `now`; the sites where pieces are back.

        `due`: what the sensors show of the position; a piece that is still under way is nothing to put back.
        """
        self._came = {
            site: self._came.get(site, now)
            for site, (level, rest) in enumerate(zip(frame, due, strict=True))
            if level and not rest
        }
        back = [site for site, level in self.missing.items() if frame[site] == level]
        for site in back:
            del self.missing[site]
        gone = [
            Fall(now, site, was)
            for site, (was, level) in enumerate(zip(before, frame, strict=True))
            if was and was == due[site] and level == 0
        ]
        if gone and self._falls and now - self._falls[-1].at > AT_ONCE:
            self._falls.clear()
        self._falls = [fall for fall in self._falls if frame[fall.site] != fall.level] + gone
        self.suspected = self.suspected or (bool(gone) and bool(self.missing or len(self._falls) >= FEWEST))
        return back

    def judge(self, emptying: Callable[[Iterable[int]], Iterable[Moves]]) -> list[Fall]:
        """What turns out to have been swept off. `emptying`: what turns do that may be made and empty these sites."""
        self.suspected = False
        turns = list(emptying(self.sites))
        if not (self.missing or (len(self._falls) >= FEWEST and self._is_upset(turns))):
            return []
        lifted = {site for turn in turns for site in self._lifted(turn)}
        self._falls = [fall for fall in self._falls if fall.site not in lifted]
        new = [fall for fall in self._falls if fall.site not in self.missing]
        self.missing |= {fall.site: fall.level for fall in new}
        return new

    def standing(self, frame: Levels) -> Levels:
        """The frame as if what was swept off stood where it belongs."""
        missing = self.missing
        return tuple(missing.get(site, level) for site, level in enumerate(frame)) if missing else frame

    def _is_upset(self, turns: Iterable[Moves]) -> bool:
        """Whether more went at once than a turn takes, and than has come elsewhere: players who overlap carry those."""
        sites, begun = {fall.site for fall in self._falls}, self._falls[0].at
        came = {site for site, at in self._came.items() if at > begun}
        return all(len(sites - turn.emptied) - len(came - turn.filled) >= BESIDES for turn in turns)

    def _lifted(self, turn: Moves) -> Iterator[int]:
        """The sites where this turn has lifted a piece, if it has laid one since."""
        if came := max((self._came[site] for site in turn.filled if site in self._came), default=None):
            yield from (fall.site for fall in self._falls if fall.at < came and fall.site in turn.emptied)
