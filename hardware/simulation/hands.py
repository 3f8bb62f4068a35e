"""Simulated hands: from the steps of a turn to what a table's sites show, moment by moment.

A hand knows no rules. It works from `steps`, pairs of a site and the level that it comes to show, in the order of a
careful hand. A `Style` says how a player makes them, and `perform` returns the `Act`s. `HandMotion` is a turn being
made, into which other acts can be inserted; `hardware.simulation.mistakes` uses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T")
Change = tuple[str, int]
"""A site and the level that it comes to show."""

NEAR = 1.5
"""How far apart two sites may lie for a hand to mistake them for each other (guessed); next to each other is 1."""


class Act(NamedTuple):
    """`wait` seconds after the act before, these sites come to show these levels, all at once."""

    wait: float
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """How a player handles the pieces.

    `row`: how a row is pushed. ``finger``: all at once from behind. ``singly``: stone by stone from the far end.
    ``round``: the last stone carried to the front, where all the stones are alike (else as ``finger``).
    ``new stone``: the new stone does the pushing, and no site is ever seen empty.
    `captures`: whether captured pieces are taken after the move or before it.
    `pace`: seconds between two touches; `gap`: seconds a site stays empty while a stone slides on.
    """

    row: Literal["finger", "singly", "round", "new stone"] = "finger"
    captures: Literal["after", "first"] = "after"
    pace: float = 0.30
    gap: float = 0.06
    stagger: float = 0.01
    done: bool = False
    """Whether this player presses Done after each turn."""


STYLES = {
    "finger": Style(),
    "singly": Style(row="singly"),
    "round": Style(row="round"),
    "new stone": Style(row="new stone", gap=0),
    "captures first": Style(captures="first"),
    "quick": Style(pace=0.12, gap=0.04),
    "slow": Style(row="singly", pace=1.2, gap=0.3),
    "done": Style(done=True),
}
"""The clean styles, by name."""


def perform(steps: Sequence[Change], style: Style, before: Mapping[str, int]) -> list[Act]:
    """The acts of a turn on a table that shows `before`."""
    end = len(steps)
    while end and steps[end - 1][1] == 0:  # a capture is a step to 0 that nothing follows
        end -= 1
    moves, captures = list(steps[:end]), list(steps[end:])
    row = shifted(moves)
    acts = push(row, moves[-1][1], style, before) if row else one_by_one(moves, style)
    taken = one_by_one(captures, style)
    return taken + acts if style.captures == "first" else acts + taken


def one_by_one(steps: Iterable[Change], style: Style) -> list[Act]:
    """Each step by itself."""
    return [Act(style.pace, (step,)) for step in steps]


def shifted(steps: Sequence[Change]) -> list[str]:
    """The sites of a shifted row, the last stone's first and the one that fills last; empty if it is no row.

    A row moves from its far end: (e3, 0) (f3, x) (d3, 0) (e3, x) (c3, 0) (d3, x) and last the new stone on c3.
    """
    lifted, filled = steps[:-1:2], steps[1::2]
    if len(steps) % 2 == 0 or len(steps) < 3 or any(level for _, level in lifted):
        return []
    chained = all(to[0] == origin[0] for to, origin in zip(filled[1:], lifted, strict=False))
    if not chained or steps[-1][0] != lifted[-1][0]:
        return []
    return [site for site, _ in reversed(lifted)] + [filled[0][0]]


def push(row: Sequence[str], new: int, style: Style, before: Mapping[str, int]) -> list[Act]:
    """A row moved one place on, and the `new` stone on the site it vacated."""
    last, far = row[0], row[-1]
    moved = list(zip(row[1:], (before[site] for site in row[:-1]), strict=True))
    if style.row == "new stone":
        return [Act(style.pace, (*moved, (last, new)))]
    if style.row == "round" and len({level for _, level in moved}) == 1:
        return one_by_one([(last, 0), (far, before[last]), (last, new)], style)
    if style.row == "singly":
        pairs = zip(reversed(row[:-1]), reversed(moved), strict=True)
        slid = [act for origin, to in pairs for act in (Act(style.pace, ((origin, 0),)), Act(style.gap, (to,)))]
        return [*slid, Act(style.pace, ((last, new),))]
    return [*finger(row, moved, style), Act(style.pace, ((last, new),))]


def finger(row: Sequence[str], moved: Sequence[Change], style: Style) -> list[Act]:
    """All stones slide together: each leaves its site, and `gap` later the next one fills it."""
    stagger = min(style.stagger, style.gap / len(row))
    leaves = [(place * stagger, (site, 0)) for place, site in enumerate(row[:-1])]
    arrives = [(place * stagger + style.gap, to) for place, to in enumerate(moved)]
    timed = sorted(leaves + arrives, key=lambda moment: moment[0])
    waits = [moment[0] - earlier for moment, earlier in zip(timed, [-style.pace, *(t for t, _ in timed)], strict=False)]
    return [Act(wait, (change,)) for wait, (_, change) in zip(waits, timed, strict=True)]


class Surroundings(NamedTuple):
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


class HandMotion:
    """A turn being made, into which other acts are inserted."""

    def __init__(self, acts: Iterable[Act], around: Surroundings, choose: Random) -> None:
        self.touches = [Touch(*act, own=True) for act in acts]
        self.around = around
        self.choose = choose
        self.made = True
        """Whether the turn is made in the end."""

    # What there is to choose from -------------------------------------------------------------

    def varied(self, seconds: float) -> float:
        """`seconds`, varied by up to a half either way."""
        return seconds * self.choose.uniform(0.5, 1.5)

    def own_places(self) -> list[int]:
        """The places of the turn's own acts."""
        return [place for place, touch in enumerate(self.touches) if touch.own]

    def placements(self) -> list[int]:
        """The places of the own acts that bring one piece, or one seed, to one site."""
        shown = [self.shown(place) for place in range(len(self.touches))]
        pairs = ((place, self.touches[place].changes) for place in self.own_places())
        return [place for place, changes in pairs if len(changes) == 1 and changes[0][1] > shown[place][changes[0][0]]]

    def any_placement(self) -> list[int]:
        """One of `placements`, or none."""
        return self.sample(self.placements(), 1, 1)

    def shown(self, place: int) -> dict[str, int]:
        """What stands where just before the act at `place`."""
        levels = dict(self.around.before)
        for touch in self.touches[:place]:
            levels.update(touch.changes)
        return levels

    def untouched(self) -> dict[str, int]:
        """What stands on the sites that no act changes so far."""
        busy = {site for touch in self.touches for site, _ in touch.changes}
        return {site: level for site, level in self.around.before.items() if site not in busy}

    def beside(self, site: str, among: Iterable[str]) -> list[str]:
        """Those of `among` that lie next to `site`."""
        x, y = self.around.places[site]
        places = ((other, self.around.places[other]) for other in among if other != site)
        return [other for other, (a, b) in places if (a - x) ** 2 + (b - y) ** 2 <= NEAR**2]

    def sample(self, among: Sequence[T], least: int, most: int) -> list[T]:
        """From `least` to `most` of them, by chance; fewer where there are no more."""
        return self.choose.sample(among, min(len(among), self.choose.randint(least, most)))

    # Inserting acts ---------------------------------------------------------------------------

    def insert(self, place: int, errand: Iterable[Touch]) -> None:
        """Do `errand` before the act at `place`; it must leave the board as it was."""
        self.touches[place:place] = errand

    def overlay(self, place: int, errand: Iterable[Touch]) -> None:
        """Do `errand` with another finger, from the act at `place` on, on sites that no act of the turn changes."""
        start = sum(touch.wait for touch in self.touches[: place + 1])
        timed = sorted([*stamped(self.touches), *stamped(errand, start)], key=lambda moment: moment[0])
        waits = [timed[0][0], *(now - earlier for (earlier, _), (now, _) in pairwise(timed))]
        self.touches = [touch._replace(wait=wait) for wait, (_, touch) in zip(waits, timed, strict=True)]

    def made_and_undone(self, place: int, acts: Sequence[Touch], time: float) -> list[Touch]:
        """`acts` made at `place`, and after `time` seconds taken back one by one, the last first."""
        done, back, levels = [], [], self.shown(place)
        for _, changes, *_ in acts:
            done.append(Touch(self.varied(0.3), changes))
            back.append(Touch(self.varied(0.3), tuple((site, levels[site]) for site, _ in changes)))
            levels.update(changes)
        back[-1] = back[-1]._replace(wait=self.varied(time))
        return done + back[::-1]

    def taken_off(self, place: int, sites: Iterable[str], apart: float, time: float) -> list[Touch]:
        """Acts that take off what stands on `sites`, `apart` seconds each, and put it back, `time` seconds each."""
        levels = [(site, level) for site, level in self.shown(place).items() if site in set(sites) and level]
        return [
            *(Touch(self.varied(apart), ((site, 0),)) for site, _ in levels),
            *(Touch(self.varied(time), (change,)) for change in levels),
        ]


def stamped(touches: Iterable[Touch], start: float = 0.0) -> list[tuple[float, Touch]]:
    """The touches with their times, the waits counted from `start`."""
    timed = []
    for touch in touches:
        start += touch.wait
        timed.append((start, touch))
    return timed
