"""One lesson at one table: it asks for a turn, and says whether the one that was made is it.

The tutor takes the place of the engine's assistant at a daemon. The table judges the hands as in any game: what is
illegal is refused with its rule.

1. Once the board is as it should be, the task is told; again when it was put back after another turn.
2. A turn that solves the lesson counts as soon as it has stood for `STANDS`, for a hand may still go on with it.
3. Another legal turn is told to be one, and taken back; the lights show the way, as they do after Undo.
4. Hint says the hint, and lights the turns that solve it like any hint.
5. After a lesson Done, or a button of the page, asks for the next; after the last one a game begins, at `FIRST_LEVEL`.
"""

from __future__ import annotations

from typing import Any

from firmware_bridge.engine.advice import Shown
from firmware_bridge.events import Event
from firmware_bridge.lessons.progress import Progress
from firmware_bridge.lighting import Hint
from firmware_bridge.score import ScoreSheet
from firmware_bridge.table import Table
from firmware_bridge.verdict import AtRest
from games.lessons import met, solutions
from games.rules import Game, OptionError, Position, Reason, game_class, load, say
from hardware.device import Levels

STANDS = 0.8
"""Seconds that a turn must have stood before it is judged; guessed: a hand that changes its mind is quicker."""
FIRST_LEVEL = 1
"""The engine's level in the first game."""


def begin_lesson(name: str, number: int, progress: Progress, *, turned: bool = False) -> tuple[ScoreSheet, Tutor]:
    """The sheet and the tutor of lesson `number` of the game `name`, 0 for the first that was not solved.

    OptionError if there is no such game or lesson. `turned` as on a sheet.
    """
    game = load(name, **game_class(name).lesson_options)
    count = len(game.lessons)
    if not 0 <= number <= count or not count:
        raise OptionError(f"{game.title} has {count} lessons, and no lesson {number}")
    tutor = Tutor(game, number or progress.next(game), progress)
    start: Position = game.position(tutor.lesson.position)
    return ScoreSheet(game, start, house_rule=False, turned=turned), tutor


def lesson_event(tutor: Tutor) -> Event:
    """A lesson begins."""
    return Event("begins", Reason.of("table.lesson-begins", number=tutor.number, game=tutor.game.title))


class Tutor:
    """Lesson `number` of `game`, from 1 on; what is solved is noted in `progress`."""

    worker = None
    """It needs no process of its own."""
    whisper = None
    """What it says is for all."""

    def __init__(self, game: Game[Any], number: int, progress: Progress) -> None:
        self.game, self.number = game, number
        self.lesson = game.lessons[number - 1]
        self.shown: Shown = "button"
        self.hint: Hint | None = None
        """What the lights are to show of the hint."""
        self.solved = False
        self.progress = progress
        self._results = {turn.after for turn in solutions(self.lesson, game)}
        self._told = self._wanted = False
        self._stands: tuple[Position, Levels] | None = None
        self._since = 0.0

    @property
    def next(self) -> int:
        """The number of the lesson after this one; 0 after the last."""
        return self.number + 1 if self.number < len(self.game.lessons) else 0

    def show(self, shown: Shown) -> None:
        """Hints of a lesson are there whenever they are asked for."""

    def close(self) -> None:
        """There is nothing to end."""

    def want(self, table: Table, *, whispered: bool = False) -> list[Event]:
        """The Hint button was pressed; all at the table learn together."""
        del whispered
        if self.solved or table.setting:
            return []
        self._wanted = True
        return [Event("lesson-hint", self.game.lesson_says(self.lesson, "hint"))]

    def see(self, table: Table, now: float) -> list[Event]:
        """Follow the table at `now` (seconds), after each scan."""
        sheet = table.sheet
        if (sheet.position, table.frame) != self._stands or table.pending:
            self._stands, self._since = (sheet.position, table.frame), now
        if self.solved or table.setting:
            self.hint = None
            return []
        if not sheet.played_turns:
            self._light(table)
            return self._tell()
        self.hint = None
        judged = now - self._since >= STANDS and isinstance(table.verdict, AtRest)
        return self._judge(table, now) if judged else []

    def _tell(self) -> list[Event]:
        """The task, once."""
        if self._told:
            return []
        self._told = True
        return [Event("lesson", self.game.lesson_says(self.lesson))]

    def _light(self, table: Table) -> None:
        """Show the hint while it is wanted, whatever the hand holds."""
        if self._wanted and self.hint is None:
            good = [each for each in table.signatures if each.turn.after in self._results]
            self.hint = Hint(tuple((each, 1.0) for each in good), dict.fromkeys(self._results, 1.0))

    def _judge(self, table: Table, now: float) -> list[Event]:
        entry = table.sheet.played_turns[0]
        if met(self.lesson.goal, self.game, entry.position, entry.turn):
            self.solved = True
            self.progress.note(self.game, self.number)
            done = Event("lesson-done", self.game.lesson_says(self.lesson, "done"))
            return [done, Event.of("lesson-next" if self.next else "lessons-over")]
        self._told = self._wanted = False
        return [Event.of("lesson-other", turn=entry.turn.text), *table.undo(now)]


say(
    "table",
    lesson_other="{turn} is a turn, but not the one that this lesson asks for: it is taken back. Try again.",
    lesson_next="Press Done for the next lesson.",
    lessons_over="These were all lessons. Press Done for a first game, coached, against the engine at its easiest.",
    lesson_begins="Lesson {number} of {game}.",
)
