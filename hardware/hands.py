"""Simulated hands: from the steps of a turn to what a table's sites show, moment by moment.

A hand knows no rules. It works from `steps`, pairs of a site and the level it comes to show, in the order of a
careful hand; a `Style` says how this player likes to do the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Change = tuple[str, int]


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
