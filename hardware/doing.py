"""A turn being made by hand, and the ways to work something into it that the turn itself does not ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeVar

from hardware.hands import Act, Change

T = TypeVar("T")
NEAR = 1.5
"""How far apart two sites may lie for a hand to mistake them for each other; next to each other is 1."""


class Around(NamedTuple):
    """What a hand sees: what stands on each site, where the sites lie, whether the pieces are seeds in pits.

    `other`: the acts of another turn that the player has in mind as well.
    """

    before: Mapping[str, int]
    places: Mapping[str, tuple[float, float]]
    seeds: bool = False
    other: Sequence[Act] = ()


class Touch(NamedTuple):
    """An act that still knows whether it is the turn's `own`."""

    wait: float
    changes: tuple[Change, ...]
    own: bool = False


class Doing:
    """A turn being made, into which fumbles are worked."""

    def __init__(self, acts: Iterable[Act], around: Around, choose: Random) -> None:
        self.touches = [Touch(*act, own=True) for act in acts]
        self.around = around
        self.choose = choose
        self.made = True
        """Whether the turn is made in the end."""

    # What there is to choose from -------------------------------------------------------------

    def about(self, seconds: float) -> float:
        """Half as long or up to half as long again."""
        return seconds * self.choose.uniform(0.5, 1.5)

    def own(self) -> list[int]:
        """The places of the turn's own acts."""
        return [place for place, touch in enumerate(self.touches) if touch.own]

    def fills(self) -> list[int]:
        """The places of the own acts that bring one piece, or one seed, to one site."""
        shown = [self.shown(place) for place in range(len(self.touches))]
        pairs = ((place, self.touches[place].changes) for place in self.own())
        return [place for place, changes in pairs if len(changes) == 1 and changes[0][1] > shown[place][changes[0][0]]]

    def fill(self) -> list[int]:
        """One of `fills`, or none."""
        return self.some(self.fills(), 1, 1)

    def shown(self, place: int) -> dict[str, int]:
        """What stands where just before the act at `place`."""
        levels = dict(self.around.before)
        for touch in self.touches[:place]:
            levels.update(touch.changes)
        return levels

    def still(self) -> dict[str, int]:
        """What stands on the sites that nothing has to do with so far."""
        busy = {site for touch in self.touches for site, _ in touch.changes}
        return {site: level for site, level in self.around.before.items() if site not in busy}

    def beside(self, site: str, among: Iterable[str]) -> list[str]:
        """Those of `among` that lie next to `site`."""
        x, y = self.around.places[site]
        places = ((other, self.around.places[other]) for other in among if other != site)
        return [other for other, (a, b) in places if (a - x) ** 2 + (b - y) ** 2 <= NEAR**2]

    def some(self, among: Sequence[T], least: int, most: int) -> list[T]:
        """From `least` to `most` of them; fewer where there are no more."""
        return self.choose.sample(among, min(len(among), self.choose.randint(least, most)))

    # Working something in ---------------------------------------------------------------------

    def between(self, place: int, errand: Iterable[Touch]) -> None:
        """Before the act at `place` goes on, this is done; it ends with the board as it was."""
        self.touches[place:place] = errand

    def meanwhile(self, place: int, errand: Iterable[Touch]) -> None:
        """This is done by another finger, from the act at `place` on, on sites that nothing has to do with."""
        start = sum(touch.wait for touch in self.touches[: place + 1])
        timed = sorted([*stamped(self.touches), *stamped(errand, start)], key=lambda moment: moment[0])
        waits = [timed[0][0], *(now - earlier for (earlier, _), (now, _) in pairwise(timed))]
        self.touches = [touch._replace(wait=wait) for wait, (_, touch) in zip(waits, timed, strict=True)]

    def undone(self, place: int, acts: Sequence[Touch], time: float) -> list[Touch]:
        """`acts` begun at `place`, and after `time` taken back one by one, the last first."""
        done, back, levels = [], [], self.shown(place)
        for _, changes, *_ in acts:
            done.append(Touch(self.about(0.3), changes))
            back.append(Touch(self.about(0.3), tuple((site, levels[site]) for site, _ in changes)))
            levels.update(changes)
        back[-1] = back[-1]._replace(wait=self.about(time))
        return done + back[::-1]

    def off(self, place: int, sites: Iterable[str], apart: float, time: float) -> list[Touch]:
        """What stands on `sites` goes off, `apart` seconds each, and is put back, `time` seconds each."""
        levels = [(site, level) for site, level in self.shown(place).items() if site in set(sites) and level]
        return [
            *(Touch(self.about(apart), ((site, 0),)) for site, _ in levels),
            *(Touch(self.about(time), (change,)) for change in levels),
        ]


def stamped(touches: Iterable[Touch], start: float = 0.0) -> list[tuple[float, Touch]]:
    """The touches with their times, the waits counted from `start`."""
    timed = []
    for touch in touches:
        start += touch.wait
        timed.append((start, touch))
    return timed
