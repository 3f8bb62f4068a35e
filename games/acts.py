"""What hands do in a turn: a small vocabulary with a physical meaning, and which doing must come before which.

========  ==============================  ==================================================
kind      sites                           levels
========  ==============================  ==================================================
carry     from, to                        what is carried
push      the row, then where it ends     what stood on each site of the row
lay       one                             what is laid there, out of the supply
take      one                             none: what stands there goes off the board
sow       the pit lifted, pit after pit   how many seeds each of these holds once its seed fell
flip      one                             what the piece becomes, turned over or exchanged
========  ==============================  ==================================================

A push moves each piece of a row one place on: ``push(("c3", "d3", "e3"), (1, 2, 1))`` takes the piece of c3 to d3 and
that of d3 to e3, wherever e3 may lie. A piece is carried to, laid on and pushed to a site that is empty by then: what
is captured there is taken first. Acts are plain values: strings, numbers and tuples of them.

The order is partial. `steps` has the order of a careful hand; `precedence` says what of it must be so:

 1. What happens to one site happens in the order in which the acts are listed.
 2. A piece is lifted before it is put down. Seeds fall one after another.
 3. An act comes after all the acts that it `needs`.

All else is free: a hand may capture before it moves where nothing of this forbids it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

Site = str
"""The name of a point of the board: ``c3``, ``a1``, ``S4``."""
Kind = Literal["carry", "push", "lay", "take", "sow", "flip"]


class Step(NamedTuple):
    """`site` comes to show `level`: 0 empty, 1 dark, 2 light, or a number of seeds."""

    site: Site
    level: int


class Act(NamedTuple):
    """One thing that a hand does; `needs` are the places, in its turn, of acts that must be done before."""

    kind: Kind
    sites: tuple[Site, ...]
    levels: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()


def carry(origin: Site, target: Site, level: int, needs: tuple[int, ...] = ()) -> Act:
    """The piece of `level` goes from `origin` to `target`."""
    return Act("carry", (origin, target), (level,), needs)


def push(row: tuple[Site, ...], levels: tuple[int, ...], needs: tuple[int, ...] = ()) -> Act:
    """The pieces of `levels` go one place on along `row`, which has one site more than there are pieces."""
    return Act("push", row, levels, needs)


def lay(site: Site, level: int, needs: tuple[int, ...] = ()) -> Act:
    """A new piece of `level` comes on `site`."""
    return Act("lay", (site,), (level,), needs)


def take(site: Site, needs: tuple[int, ...] = ()) -> Act:
    """What stands on `site` goes off the board."""
    return Act("take", (site,), (), needs)


def sow(pits: tuple[Site, ...], counts: tuple[int, ...], needs: tuple[int, ...] = ()) -> Act:
    """The seeds of the first of `pits` fall one by one into the others, which hold `counts` as each has its seed."""
    return Act("sow", pits, counts, needs)


def flip(site: Site, level: int, needs: tuple[int, ...] = ()) -> Act:
    """The piece on `site` becomes one of `level`."""
    return Act("flip", (site,), (level,), needs)


def done(act: Act) -> Iterator[Step]:
    """The steps of one act, in the order of a careful hand: a row moves from its far end."""
    if act.kind == "push":
        for to, at, level in zip(act.sites[:0:-1], act.sites[-2::-1], reversed(act.levels), strict=True):
            yield from (Step(at, 0), Step(to, level))
        return
    if act.kind in ("carry", "take", "sow"):
        yield Step(act.sites[0], 0)
    yield from map(Step, act.sites[-len(act.levels) :] if act.levels else (), act.levels)


def steps(acts: tuple[Act, ...]) -> tuple[Step, ...]:
    """What the sites of a turn come to show, in the order of a careful hand."""
    return tuple([step for act in acts for step in done(act)])


def precedence(acts: tuple[Act, ...]) -> tuple[frozenset[int], ...]:
    """For each of `steps` the places of those that must come before it at once; what these need follows from them."""
    before: list[frozenset[int]] = []
    ends: list[range] = []
    latest: dict[Site, int] = {}
    for act in acts:
        first = len(before)
        needed = [other for need in act.needs for other in ends[need]]
        for place, step in enumerate(done(act), start=first):
            due = [*needed, latest[step.site]] if step.site in latest else needed
            linked = place > first and (act.kind != "push" or step.level)
            before.append(frozenset([*due, place - 1] if linked else due))
            latest[step.site] = place
        ends.append(range(first, len(before)))
    return tuple(before)
