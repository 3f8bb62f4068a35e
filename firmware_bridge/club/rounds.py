"""Everybody plays everybody: the rounds of an evening, by the circle method, and the table of results. Pure.

Players are numbers from 0 on. The pairings are the Berger tables (FIDE Handbook C.05, annex on round robins): numbers
from 1 on sit in a circle around the last one, who changes sides each time, and move on by half a circle a round. So
everybody meets everybody once, and begins in as many games as not, or in one more or one fewer. With an odd number of
players one of them, who would have met the number that is missing, has a bye.

Who stands equal in points is told apart as the FIDE Handbook defines it (C.07, Tie-Break Regulations, from 1 September
2023): by *Sonneborn-Berger*, the points of those who were beaten and half of those who drew, then by *direct
encounter*, the points in the games of those who are still equal among themselves. Who is equal then shares a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

FEWEST, MOST = 2, 16
"""Players of an evening; the most is a guess: fifteen rounds."""


class Pair(NamedTuple):
    """Who meets whom; the `first` begins."""

    first: int
    second: int


class Round(NamedTuple):
    """The games of a round, and who has none; None where all play."""

    pairs: tuple[Pair, ...]
    bye: int | None


def round_robin(count: int) -> list[Round]:
    """The rounds for `count` players."""
    even = count + count % 2
    rounds = []
    for number in range(even - 1):
        place = {(i + 1): _round(i + 1, number, even) for i in range(even - 1)}
        pairs = [Pair(one, other) for one, other in _pairs(place, even)]
        playing = tuple(Pair(one - 1, other - 1) for one, other in pairs if max(one, other) <= count)
        bye = next((min(pair) - 1 for pair in pairs if max(pair) > count), None)
        rounds.append(Round(playing, bye))
    return rounds


def _round(player: int, number: int, even: int) -> int:
    """Whom `player`, from 1 on and not the last, meets in this round: the numbers of both and the round go together."""
    other = (number + 2 - player - 1) % (even - 1) + 1
    return even if other == player else other


def _pairs(meets: dict[int, int], even: int) -> Iterable[tuple[int, int]]:
    """Each pair of a round once, who begins first: the smaller number where both add up to an odd one."""
    for one, other in meets.items():
        if other == even:
            yield (one, other) if one <= even // 2 else (other, one)
        elif one < other:
            yield (one, other) if (one + other) % 2 else (other, one)


class Score(NamedTuple):
    """A game that counts: who played, and who won, by the places in the pair; None is a draw."""

    pair: Pair
    winner: int | None


class Row(NamedTuple):
    """A player's line of the table."""

    place: int
    """From 1 on; who is equal by all that counts shares it."""
    player: int
    points: float
    tie_break: float
    """Sonneborn-Berger."""
    games: int
    results: tuple[float | None, ...]
    """Points against each player, in the order of the lines; None where there was no game."""


def cross_table(count: int, scores: Sequence[Score]) -> list[Row]:
    """The lines of the table, the best one first; `scores` has each pair at most once."""
    won: list[dict[int, float]] = [{} for _ in range(count)]
    for (first, second), winner in scores:
        won[first][second] = 0.5 if winner is None else float(winner == 0)
        won[second][first] = 1 - won[first][second]
    points = [sum(each.values(), 0.0) for each in won]
    berger = [sum((part * points[other] for other, part in each.items()), 0.0) for each in won]

    def rank(player: int) -> tuple[float, float]:
        return -points[player], -berger[player]

    ordered: list[tuple[int, int]] = []
    for _, tied in groupby(sorted(range(count), key=rank), key=rank):
        group = [*tied]
        direct = {one: sum(won[one].get(other, 0.0) for other in group) for one in group}
        for _, equal in groupby(sorted(group, key=lambda one: -direct[one]), key=direct.__getitem__):
            place = len(ordered) + 1
            ordered += [(place, player) for player in equal]
    order = [player for _, player in ordered]
    return [
        Row(
            place, player, points[player], berger[player], len(won[player]),
            tuple(won[player].get(other) for other in order),
        )
        for place, player in ordered
    ]  # fmt: skip
