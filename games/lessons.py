"""Lessons: what solves them. A game declares them beside its rules as `Game.lessons`; the data are in `games.rules`.

A game says three sentences for each: the task (``<game>.lesson-<name>``), what was learnt once it is solved (``-done``)
and a hint (``-hint``); and one for each of its slips, why such a turn does not solve it (``-<slip>``). One turn solves
a lesson or does not; what is illegal is refused by the rules as in any game.
"""

from __future__ import annotations

from typing import Any

from games.acts import Kind
from games.rules import Game, Goal, Lesson, Position, Slip, Turn


def met(goal: Goal, game: Game[Any], position: Position, turn: Turn[Any]) -> bool:
    """Whether the legal `turn` of `position` comes to `goal`."""
    after, side = turn.after, position.side
    level = dict(zip(game.sites, after.board, strict=True))
    outcome = game.outcome(after) if goal.wins else None
    standing = game.standing(after) if goal.count else None
    return (
        (not goal.wins or (outcome is not None and outcome.winner == side))
        and (not goal.kind or goal.least <= amount(turn, goal.kind) <= goal.most)
        and (not goal.count or (standing is not None and standing.counts[side] >= goal.count))
        and all(level[site] == due for site, due in goal.shows)
    )


def amount(turn: Turn[Any], kind: Kind) -> int:
    """How much of a kind of acts a turn has: the stones of the longest row for pushes, else the acts."""
    if kind == "push":
        return max((len(act.levels) for act in turn.acts if act.kind == kind), default=0)
    return sum(act.kind == kind for act in turn.acts)


def solutions(lesson: Lesson, game: Game[Any]) -> tuple[Turn[Any], ...]:
    """The legal turns that solve `lesson`."""
    position = game.position(lesson.position)
    return tuple(turn for turn in game.turns(position) if met(lesson.goal, game, position, turn))


def slipped(lesson: Lesson, game: Game[Any], turn: Turn[Any]) -> Slip | None:
    """The slip of `lesson` that its legal `turn`, which does not solve it, is; None if it is none that is foreseen."""
    position = game.position(lesson.position)
    return next((slip for slip in lesson.slips if met(slip.goal, game, position, turn)), None)
