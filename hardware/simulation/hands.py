"""Simulated hands: from the acts of a turn to what a table's sites show, moment by moment.

A hand knows no rules. It works from acts, plain values that say what is to be done and what must be done before it
(`Act`). A `Style` says how a player does it, and `perform` returns the `Touch`es. `HandMotion` is a turn being made,
into which other touches can be inserted; `hardware.simulation.mistakes` uses it.
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
Act = tuple[str, tuple[str, ...], tuple[int, ...], tuple[int, ...]]
"""What hands are to do: a kind, its sites, its levels, and the places in the turn of the acts to be done before.

``carry`` the piece of a level from a site to another; ``push`` a row one place on, with one site more than levels;
``lay`` a piece of a level on a site; ``take`` off what stands on a site; ``sow`` the seeds of the first site into the
others, which come to hold these numbers; ``flip`` the piece on a site to one of a level.
"""

NEAR = 1.5
"""How far apart two sites may lie for a hand to mistake them for each other (guessed); next to each other is 1."""


class Touch(NamedTuple):
    """`wait` seconds after the touch before, these sites come to show these levels, all at once."""

    wait: float
    changes: tuple[Change, ...]
    own: bool = False
    """Whether it belongs to the turn that is being made."""
    capture: bool = False
    """Whether it takes off a piece that the turn does not need to be taken when it is."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a player handles the pieces.

    `row`: how a row is pushed. ``finger``: all at once from behind. ``singly``: stone by stone from the far end.
    ``round``: the last stone carried to the front, where all the stones are alike (else as ``finger``).
    ``new stone``: the new stone does the pushing, and no site is ever seen empty.
    `captures`: whether captured pieces are taken where the turn has them, or before the rest of it if that is free;
    or, where a piece is carried to the site of a captured one, with that piece in the hand already.
    `pace`: seconds between two touches; `gap`: seconds a site stays empty while a piece slides on or is turned over.
    """

    row: Literal["finger", "singly", "round", "new stone"] = "finger"
    captures: Literal["in order", "first", "in hand"] = "in order"
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
IN_HAND = Style(captures="in hand")
"""One more, for games in which a piece goes where it captures."""


def perform(acts: Sequence[Act], style: Style) -> list[Touch]:
    """The touches of a turn."""
    free = captures(acts)
    if style.captures == "first":
        acts = [*(acts[place] for place in free), *(act for place, act in enumerate(acts) if place not in free)]
        free = list(range(len(free)))
    touches: list[Touch] = []
    left = list(enumerate(acts))
    while left:
        place, act = left.pop(0)
        beyond = left[0][1] if left else None
        if act[0] == "push" and beyond and beyond[0] == "lay" and beyond[1] == act[1][:1]:
            left.pop(0)
            touches += push(act, beyond[2][0], style)
        elif act[0] == "take" and style.captures == "in hand" and beyond and _goes_there(beyond, act):
            left.pop(0)
            touches += one_by_one(((beyond[1][0], 0), (act[1][0], 0), (act[1][0], beyond[2][0])), style)
        else:
            touches += [touch._replace(capture=place in free) for touch in alone(act, style)]
    return touches


def captures(acts: Sequence[Act]) -> list[int]:
    """The places of the captures that any moment of the turn is right for: no other act has to do with their sites."""
    off = [place for place, (kind, _, _, needs) in enumerate(acts) if kind == "take" and not needs]
    busy = [site for _, sites, _, _ in acts for site in {*sites}]
    free = [place for place in off if busy.count(acts[place][1][0]) == 1]
    return free if len(off) < len(acts) else []


def _goes_there(act: Act, taken: Act) -> bool:
    """Whether `act` carries a piece to where one was `taken`."""
    return act[0] == "carry" and act[1][1] == taken[1][0]


def alone(act: Act, style: Style) -> list[Touch]:
    """One act by itself."""
    kind, sites, levels, _ = act
    if kind == "push":
        return finger(sites, [*zip(sites[1:], levels, strict=True)], style)
    if kind == "flip" and style.gap:
        return [Touch(style.pace, ((sites[0], 0),)), Touch(style.gap, ((sites[0], levels[0]),))]
    lifted = [(sites[0], 0)] if kind in ("carry", "take", "sow") else []
    return one_by_one([*lifted, *zip(sites[len(sites) - len(levels) :], levels, strict=True)], style)


def one_by_one(steps: Iterable[Change], style: Style) -> list[Touch]:
    """Each step by itself."""
    return [Touch(style.pace, (step,)) for step in steps]


def push(act: Act, new: int, style: Style) -> list[Touch]:
    """A row moved one place on, and the `new` stone on the site it vacated."""
    _, row, levels, _ = act
    last, far = row[0], row[-1]
    moved = list(zip(row[1:], levels, strict=True))
    if style.row == "new stone":
        return [Touch(style.pace, (*moved, (last, new)))]
    if style.row == "round" and len({*levels}) == 1:
        return one_by_one([(last, 0), (far, levels[0]), (last, new)], style)
    if style.row == "singly":
        pairs = zip(reversed(row[:-1]), reversed(moved), strict=True)
        slid = [touch for origin, to in pairs for touch in (Touch(style.pace, ((origin, 0),)), Touch(style.gap, (to,)))]
        return [*slid, Touch(style.pace, ((last, new),))]
    return [*finger(row, moved, style), Touch(style.pace, ((last, new),))]


def finger(row: Sequence[str], moved: Sequence[Change], style: Style) -> list[Touch]:
    """All stones slide together: each leaves its site, and `gap` later the next one fills it."""
    stagger = min(style.stagger, style.gap / len(row))
    leaves = [(place * stagger, (site, 0)) for place, site in enumerate(row[:-1])]
    arrives = [(place * stagger + style.gap, to) for place, to in enumerate(moved)]
    timed = sorted(leaves + arrives, key=lambda moment: moment[0])
    waits = [moment[0] - earlier for moment, earlier in zip(timed, [-style.pace, *(t for t, _ in timed)], strict=False)]
    return [Touch(wait, (change,)) for wait, (_, change) in zip(waits, timed, strict=True)]


class Surroundings(NamedTuple):
    """What a hand sees: what stands on each site, where the sites lie, whether the pieces are seeds in pits.

    `other`: the touches of another turn that the player has in mind as well.
    """

    before: Mapping[str, int]
    places: Mapping[str, tuple[float, float]]
    seeds: bool = False
    other: Sequence[Touch] = ()


class HandMotion:
    """A turn being made, into which other touches are inserted."""

    def __init__(self, touches: Iterable[Touch], around: Surroundings, choose: Random) -> None:
        self.touches = [touch._replace(own=True) for touch in touches]
        self.around = around
        self.choose = choose
        self.made = True
        """Whether the turn is made in the end."""

    # What there is to choose from -------------------------------------------------------------

    def varied(self, seconds: float) -> float:
        """`seconds`, varied by up to a half either way."""
        return seconds * self.choose.uniform(0.5, 1.5)

    def own_places(self) -> list[int]:
        """The places of the turn's own touches."""
        return [place for place, touch in enumerate(self.touches) if touch.own]

    def placements(self) -> list[int]:
        """The places of the own touches that bring one piece, or one seed, to one site."""
        shown = [self.shown(place) for place in range(len(self.touches))]
        pairs = ((place, self.touches[place].changes) for place in self.own_places())
        return [place for place, changes in pairs if len(changes) == 1 and changes[0][1] > shown[place][changes[0][0]]]

    def any_placement(self) -> list[int]:
        """One of `placements`, or none."""
        return self.sample(self.placements(), 1, 1)

    def shown(self, place: int) -> dict[str, int]:
        """What stands where just before the touch at `place`."""
        levels = dict(self.around.before)
        for touch in self.touches[:place]:
            levels.update(touch.changes)
        return levels

    def untouched(self) -> dict[str, int]:
        """What stands on the sites that no touch changes so far."""
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

    # Inserting touches ------------------------------------------------------------------------

    def insert(self, place: int, errand: Iterable[Touch]) -> None:
        """Do `errand` before the touch at `place`; it must leave the board as it was."""
        self.touches[place:place] = errand

    def overlay(self, place: int, errand: Iterable[Touch]) -> None:
        """Do `errand` with another finger, from the touch at `place` on, on sites that no touch of the turn changes."""
        start = sum(touch.wait for touch in self.touches[: place + 1])
        timed = sorted([*stamped(self.touches), *stamped(errand, start)], key=lambda moment: moment[0])
        waits = [timed[0][0], *(now - earlier for (earlier, _), (now, _) in pairwise(timed))]
        self.touches = [touch._replace(wait=wait) for wait, (_, touch) in zip(waits, timed, strict=True)]

    def made_and_undone(self, place: int, touches: Sequence[Touch], time: float) -> list[Touch]:
        """`touches` made at `place`, and after `time` seconds taken back one by one, the last first."""
        done, back, levels = [], [], self.shown(place)
        for _, changes, *_ in touches:
            done.append(Touch(self.varied(0.3), changes))
            back.append(Touch(self.varied(0.3), tuple((site, levels[site]) for site, _ in changes)))
            levels.update(changes)
        back[-1] = back[-1]._replace(wait=self.varied(time))
        return done + back[::-1]

    def taken_off(self, place: int, sites: Iterable[str], apart: float, time: float) -> list[Touch]:
        """Touches that take off what stands on `sites`, `apart` seconds each, and put it back, `time` seconds each."""
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
