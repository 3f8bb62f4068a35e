"""One exercise at one table, a lesson or a puzzle: the tutor asks for turns, and says whether what was made is one.

The tutor takes the place of the engine's assistant at a daemon. The table judges the hands as in any game: what is
illegal is refused with its rule.

1. Once the board is as it should be, the task is told; again when it was put back after another turn.
2. A turn that is right counts as soon as it has stood for `STANDS`, for a hand may still go on with it.
3. In a puzzle the other side then answers, by a turn that is planned like the engine's, until nothing is left to find.
4. Another legal turn is told to be one, and taken back; the lights show the way, as they do after Undo.
5. Hint says the hint, and lights the turns that solve it like any hint. In a puzzle it lights where the turn begins,
   and another place where nothing but that turn begins there; Hint, pressed again, shows the turn.
6. After it Done, or a button of the page, asks for the next; after the last lesson a game begins, at `FIRST_LEVEL`.
7. Where the last turn of a solved one is taken back, that turn is asked for again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from firmware_bridge.engine.advice import Shown, plans
from firmware_bridge.events import Event
from firmware_bridge.lessons.exercises import Exercise, LessonExercise, PuzzleExercise, own_puzzle, puzzle_of
from firmware_bridge.lessons.own import OwnPuzzle
from firmware_bridge.lessons.progress import Progress
from firmware_bridge.lighting import Hint
from firmware_bridge.score import PEOPLE, ScoreSheet
from firmware_bridge.table import Table
from firmware_bridge.verdict import AtRest, Signature
from games.rules import Game, Position, Reason, say
from hardware.device import Levels

STANDS = 0.8
"""Seconds that a turn must have stood before it is judged; guessed: a hand that changes its mind is quicker."""
FIRST_LEVEL = 1
"""The engine's level in the first game."""


class Stage(NamedTuple):
    """How far an exercise is: turns that were found, whether it is solved, and what it took."""

    found: int = 0
    solved: bool = False
    missed: bool = False
    """Whether another turn was made."""
    helped: int = 0
    """How much of the hint was shown: 0, or 1 for where the turn begins, or 2 for the turn."""


class Tutor:
    """What asks for an `exercise`; what is solved is noted in `progress`."""

    worker = None
    """It needs no process of its own."""
    whisper = None
    """What it says is for all."""

    def __init__(self, exercise: Exercise, progress: Progress) -> None:
        self.exercise, self.progress = exercise, progress
        self.shown: Shown = "button"
        self.hint: Hint | None = None
        """What the lights are to show of the hint."""
        self.stage = Stage()
        self._told = False
        self._wanted = 0
        """How much of the hint is to be shown of this turn."""
        self._stands: tuple[Position, Levels] | None = None
        self._since = 0.0

    @property
    def game(self) -> Game[Position]:
        """The game that is played."""
        return self.exercise.game

    @property
    def number(self) -> int:
        """The number of the exercise."""
        return self.exercise.number

    @property
    def solved(self) -> bool:
        """Whether nothing is left to find."""
        return self.stage.solved

    def rests(self, table: Table) -> bool:
        """Whether nobody is to make a turn: it is solved, or another turn was made, which is taken back."""
        return self.solved or (not self.deepens and table.sheet.length > 0)

    @property
    def deepens(self) -> bool:
        """Whether Hint, pressed again, shows more."""
        return isinstance(self.exercise, PuzzleExercise)

    def sheet(self, *, turned: bool = False) -> ScoreSheet:
        """A score sheet on which it begins; `turned` as on a sheet."""
        exercise = self.exercise
        return ScoreSheet(exercise.game, exercise.start, house_rule=False, turned=turned, levels=exercise.levels)

    def begins(self) -> Event:
        """The event with which it begins."""
        return Event("begins", self.exercise.begins)

    def following(self) -> Tutor | None:
        """What asks for the next one; None where a first game follows."""
        exercise = self.exercise.following(self.progress)
        return Tutor(exercise, self.progress) if exercise else None

    def show(self, shown: Shown) -> None:
        """Hints of an exercise are there whenever they are asked for."""

    def close(self) -> None:
        """There is nothing to end."""

    def want(self, table: Table, *, whispered: bool = False) -> list[Event]:
        """The Hint button was pressed; all at the table learn together."""
        del whispered
        if self.solved or table.setting or table.sheet.length != 2 * self.stage.found:
            return []
        self._wanted = min(2, self._wanted + 1) if self.deepens else 2
        self.stage = self.stage._replace(helped=max(self.stage.helped, self._wanted))
        self.hint = None
        if self._wanted == 1:
            return [Event("lesson-hint", Reason("table.puzzle-hint"))]
        good = self._good(table)
        return [Event("lesson-hint", self.exercise.hint(good[0].turn))] if good else []

    def see(self, table: Table, now: float) -> list[Event]:
        """Follow the table at `now` (seconds), after each scan."""
        sheet = table.sheet
        if (sheet.position, table.frame) != self._stands or table.pending:
            self._stands, self._since = (sheet.position, table.frame), now
        if sheet.length < 2 * self.stage.found - 1:  # players have taken back what was right
            self._go_on(sheet.length // 2)
            if self.solved:
                return self._ask_again(table)
        if self.solved or table.setting:
            self.hint = None
            return []
        if sheet.length == 2 * self.stage.found:
            self._light(table)
            return self._tell()
        self.hint = None
        if now - self._since < STANDS or not isinstance(table.verdict, AtRest):
            return []
        return self._judge(table, now) if sheet.length > 2 * self.stage.found else self._answer(table)

    def _go_on(self, found: int) -> None:
        """So many turns are found: ask for the next."""
        self.stage = self.stage._replace(found=found)
        self._told = False
        self._wanted = 0

    def _tell(self) -> list[Event]:
        """The task, once."""
        if self._told:
            return []
        self._told = True
        return [Event("lesson", self.exercise.task(self.stage.found))]

    def _good(self, table: Table) -> list[Signature]:
        """The turns that are to be found now."""
        results = self.exercise.results(self.stage.found, table.sheet.position)
        return [each for each in table.signatures if each.turn.after in results]

    def _light(self, table: Table) -> None:
        """Show the hint while it is wanted: the whole of it whatever the hand holds."""
        if not self._wanted or self.hint:
            return
        good = self._good(table)
        if self._wanted == 1:
            self.hint = Hint(tuple((each, 1.0) for each in (*good, *_beside(good, table.signatures))), {})
        else:
            self.hint = Hint(tuple((each, 1.0) for each in good), {each.turn.after: 1.0 for each in good})

    def _judge(self, table: Table, now: float) -> list[Event]:
        found = self.stage.found
        entry = table.sheet.played_turns[2 * found]
        if self.exercise.right(found, entry.position, entry.turn):
            self._go_on(found + 1)
            return self._end(table) if found + 1 == self.exercise.steps or table.sheet.outcome else []
        self._go_on(found)
        self.stage = self.stage._replace(missed=True)
        return [Event("lesson-other", self.exercise.other(entry.turn)), *table.undo(now)]

    def _end(self, table: Table) -> list[Event]:
        """Nothing is left to find, and nobody answers any more."""
        self.stage = self.stage._replace(solved=True)
        self.exercise.note(self.progress)
        table.sheet.levels = PEOPLE
        return [Event("lesson-done", self.exercise.learnt), self.exercise.after, *table.look_again()]

    def _ask_again(self, table: Table) -> list[Event]:
        """What was solved is to be found again, from the turn on that was taken back."""
        self.stage = self.stage._replace(solved=False)
        table.sheet.levels = self.exercise.levels
        return table.look_again()

    def _answer(self, table: Table) -> list[Event]:
        """Let the other side's turn be made, by whoever carries out those of the engine."""
        turn = None if table.planned else self.exercise.answer(self.stage.found, table.sheet.position)
        return [plans(table, turn), *table.plan(turn)] if turn else []


def _beside(good: Sequence[Signature], every: Sequence[Signature]) -> list[Signature]:
    """A turn that begins elsewhere, where nothing but one that is good begins where that does: else that told all."""
    begins = {each.begins for each in good}
    results = {each.turn.after for each in good}
    if any(each.begins in begins and each.turn.after not in results for each in every):
        return []
    others = [each for each in every if each.begins not in begins]
    return others[len(others) // 2 :][:1]


def begin_lesson(name: str, number: int, progress: Progress) -> Tutor:
    """The tutor of lesson `number` of the game `name`, 0 for the first that was not solved; OptionError."""
    return Tutor(LessonExercise(name, number, progress), progress)


def begin_puzzle(name: str, number: int, own: OwnPuzzle | None, progress: Progress) -> Tutor:
    """The tutor of puzzle `number` of the game `name`, 0 for the first that was not solved, or of one's `own`.

    OptionError, PositionError, IllegalTurn.
    """
    return Tutor(own_puzzle(own) if own else puzzle_of(name, number, progress), progress)


say(
    "table",
    puzzle_hint="The turn begins at one of the lit places.",
)
