"""Puzzles from a game that is explained: turns that threw much away where one turn alone was far better.

1. A person made the turn, and it lost at least `THROWN`.
2. The better turn leaves that player with at least `GOOD`.
3. Every other turn is worse than that by at least `APART`: a search of them alone says so.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import cast

from firmware_bridge.analysis.evaluation import Effort, EvaluatedTurn, worth
from firmware_bridge.engine import engine, never
from firmware_bridge.lessons import OwnPuzzle
from firmware_bridge.score import ScoreSheet
from games.puzzles import alike, wins

THROWN = 0.3
"""The expected score that a turn has lost at least; a guess: single searches are some 0.1 off."""
GOOD = 0.6
"""The expected score after the better turn, at least; guessed."""
APART = 0.25
"""The expected score by which every other turn is worse than the better one; guessed."""


class OwnGame:
    """The puzzles of the game on `sheet`, whose file is `record`; `beat` is called as searches go on."""

    def __init__(self, sheet: ScoreSheet, record: Path, effort: Effort, beat: Callable[[], bool] = never) -> None:
        self.found: list[OwnPuzzle] = []
        self._sheet, self._record, self._effort, self._beat = sheet, record, effort, beat

    def take(self, number: int, turn: EvaluatedTurn | None) -> bool:
        """Look at the turn that was made after `number` turns; whether it is a puzzle."""
        if not turn or not turn.better or not self._thrown(turn) or not self._alone(number, turn):
            return False
        game, side = self._sheet.game, turn.made.side
        wins = turn.better.proved and worth(turn.better.value, side) == 1
        day = date.fromtimestamp(self._record.stat().st_mtime).isoformat()
        position, better = str(self._sheet.played_turns[number].position), turn.better.line[0]
        self.found.append(
            OwnPuzzle(
                game.name, cast(dict[str, int | str], dict(game.chosen)), position, "win" if wins else "better", better,
                day, number + 1, self._record.name,
            )
        )  # fmt: skip
        return True

    def _thrown(self, turn: EvaluatedTurn) -> bool:
        """Whether a person has thrown much away with it."""
        made, better = turn.made, turn.better
        person = not self._sheet.levels[made.side]
        return person and made.loss >= THROWN and better is not None and worth(better.value, made.side) >= GOOD

    def _alone(self, number: int, turn: EvaluatedTurn) -> bool:
        """Whether every turn but the better one is far worse; those that win at once are one, whatever they take."""
        assert turn.better
        game, position = self._sheet.game, self._sheet.played_turns[number].position
        turns = game.turns(position)
        best = next(each for each in turns if each.text == turn.better.line[0])
        won = [each for each in turns if wins(game, position, best) and wins(game, position, each)]
        others = [each.text for each in turns if each.after != best.after and each not in won]
        if not others or not alike([best, *won]):
            return False
        search = engine(game, self._effort.seed)
        seconds, nodes = self._effort.seconds, self._effort.nodes
        *_, rest = search.find(position, seconds=seconds, nodes=nodes, stop=self._beat, among=others)
        return worth(turn.better.value, turn.made.side) - rest.value >= APART
