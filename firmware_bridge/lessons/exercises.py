"""What the tutor asks for: the one turn of a lesson, or the turns of a puzzle, with the answers of the other side.

An exercise knows its game and its position, which turns are right, and its sentences; a `Tutor` watches the table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from firmware_bridge.events import Event, move_text
from firmware_bridge.lessons.own import OwnPuzzle
from firmware_bridge.lessons.progress import Progress
from firmware_bridge.score import PEOPLE
from games.lessons import met, slipped, solutions
from games.puzzles import known, right, to_find
from games.rules import Game, OptionError, Position, Puzzle, Reason, Turn, game_class, load, say

LACKS = ("push", "take", "sow")
"""The kinds of acts of which it is told that a turn has too few."""
ANSWERING = 8
"""The level that the other side of a puzzle is said to play at: its answers are the best there are."""


class Exercise(ABC):
    """Number `number` of `count` of `game`, from `start` on; `steps` turns are to be found."""

    steps = 1
    levels = PEOPLE
    """Who plays, as on a sheet: somebody must answer where there is an answer."""

    def __init__(self, game: Game[Any], start: Position, number: int, count: int) -> None:
        self.game, self.start, self.number, self.count = game, start, number, count

    @abstractmethod
    def right(self, step: int, position: Position, turn: Turn[Any]) -> bool:
        """Whether the legal `turn` of `position` is the one to be found after `step` others."""

    @abstractmethod
    def results(self, step: int, position: Position) -> set[Position]:
        """The positions to which the turns lead that are to be found there."""

    def answer(self, step: int, position: Position) -> Turn[Any] | None:
        """What the other side answers in `position`, after the turn number `step`; None if there is no more to find."""
        return None

    @abstractmethod
    def task(self, step: int) -> Reason:
        """What is asked for after `step` turns."""

    @property
    @abstractmethod
    def learnt(self) -> Reason:
        """What is told at the end."""

    @abstractmethod
    def hint(self, turn: Turn[Any]) -> Reason:
        """The sentence of the hint; `turn` is one of those to be found."""

    @abstractmethod
    def other(self, turn: Turn[Any]) -> Reason:
        """That `turn`, which is legal, is none of them, and why."""

    @property
    @abstractmethod
    def begins(self) -> Reason:
        """What it is."""

    @property
    @abstractmethod
    def after(self) -> Event:
        """What Done leads to once it is solved."""

    @abstractmethod
    def note(self, progress: Progress) -> None:
        """It is solved."""

    @abstractmethod
    def following(self, progress: Progress) -> Exercise | None:
        """What comes after it; None for a first game."""


# Lessons ------------------------------------------------------------------------------------------


class LessonExercise(Exercise):
    """Lesson `number` of a game, 0 for the first that was not solved; OptionError."""

    def __init__(self, name: str, number: int, progress: Progress) -> None:
        game = load(name, **game_class(name).lesson_options)
        count = len(game.lessons)
        if not 0 <= number <= count or not count:
            raise OptionError(f"{game.title} has {count} lessons, and no lesson {number}")
        number = number or progress.next_lesson(game)
        self.lesson = game.lessons[number - 1]
        super().__init__(game, game.position(self.lesson.position), number, count)

    def right(self, step: int, position: Position, turn: Turn[Any]) -> bool:
        """Whether it comes to the goal."""
        return met(self.lesson.goal, self.game, position, turn)

    def results(self, step: int, position: Position) -> set[Position]:
        """All that come to the goal."""
        return {turn.after for turn in solutions(self.lesson, self.game)}

    def task(self, step: int) -> Reason:
        """The game's own sentence, as are the next two."""
        return self.game.lesson_says(self.lesson)

    @property
    def learnt(self) -> Reason:
        """What was learnt."""
        return self.game.lesson_says(self.lesson, "done")

    def hint(self, turn: Turn[Any]) -> Reason:
        """How it goes."""
        return self.game.lesson_says(self.lesson, "hint")

    def other(self, turn: Turn[Any]) -> Reason:
        """What the lesson says of such turns, else what this one lacks."""
        if slip := slipped(self.lesson, self.game, turn):
            return Reason.of("table.lesson-slip", why=self.game.lesson_says(self.lesson, slip.name).id)
        goal, told = self.lesson.goal, move_text(turn)
        if goal.wins:
            return self._no_win(turn)
        if goal.count:
            standing = self.game.standing(turn.after)
            count = standing.counts[self.start.side] if standing else 0
            return Reason.of("table.lesson-other-count", turn=told, count=count, due=goal.count)
        if goal.kind in LACKS:
            return Reason.of(f"table.lesson-other-{goal.kind}", turn=told)
        return Reason.of("table.lesson-other", turn=told)

    def _no_win(self, turn: Turn[Any]) -> Reason:
        """What keeps this turn from winning: the game goes on, or these figures."""
        told, side = move_text(turn), self.start.side
        if not self.game.outcome(turn.after):
            return Reason.of("table.lesson-other-goes-on", turn=told)
        if not (standing := self.game.standing(turn.after)):
            return Reason.of("table.lesson-other-wins", turn=told)
        own, theirs = standing.counts[side], standing.counts[1 - side]
        return Reason.of("table.lesson-other-loses", turn=told, count=own, theirs=theirs)

    @property
    def begins(self) -> Reason:
        """Which lesson."""
        return Reason.of("table.lesson-begins", number=self.number, game=self.game.title)

    @property
    def after(self) -> Event:
        """The next lesson or a first game."""
        return Event.of("lesson-next" if self.number < self.count else "lessons-over")

    def note(self, progress: Progress) -> None:
        """By its name."""
        progress.note(self.game, self.lesson.name)

    def following(self, progress: Progress) -> Exercise | None:
        """The next lesson."""
        return LessonExercise(self.game.name, self.number + 1, progress) if self.number < self.count else None


# Puzzles ------------------------------------------------------------------------------------------


class PuzzleExercise(Exercise):
    """A puzzle of `game`: number `number` of those that it brings, or with 0 the one of `own`."""

    def __init__(self, game: Game[Any], puzzle: Puzzle, number: int = 0, own: OwnPuzzle | None = None) -> None:
        super().__init__(game, game.position(puzzle.position), number, len(game.puzzles))
        self.puzzle, self.own = puzzle, own
        self.steps = to_find(puzzle)
        self.levels = (ANSWERING, 0) if self.start.side else (0, ANSWERING)

    def right(self, step: int, position: Position, turn: Turn[Any]) -> bool:
        """Whether it is the turn that is known, or wins at once."""
        return right(self.puzzle, step, self.game, position, turn)

    def results(self, step: int, position: Position) -> set[Position]:
        """Where the turn that is known leads to."""
        return {known(self.game, position, self.puzzle.turns[2 * step]).after}

    def answer(self, step: int, position: Position) -> Turn[Any] | None:
        """The answer that is known."""
        return known(self.game, position, self.puzzle.turns[2 * step - 1]) if step < self.steps else None

    def task(self, step: int) -> Reason:
        """What the turns do, and how many there are."""
        if step:
            return Reason.of("table.puzzle-on", number=step + 1, count=self.steps)
        id = f"table.puzzle-{self.puzzle.goal}"
        return Reason.of(f"{id}-in", player=self._player, count=self.steps) if self.steps > 1 else self._said(id)

    @property
    def learnt(self) -> Reason:
        """What the turn did."""
        return self._said(f"table.puzzle-{self.puzzle.goal}-done")

    def hint(self, turn: Turn[Any]) -> Reason:
        """The turn itself: where it begins is told before."""
        return Reason.of("table.puzzle-solution", turn=turn.text)

    def other(self, turn: Turn[Any]) -> Reason:
        """A turn, and not the one."""
        return Reason.of("table.puzzle-other", turn=turn.text)

    @property
    def begins(self) -> Reason:
        """Which puzzle."""
        if self.own:
            return Reason.of("table.puzzle-own", game=self.game.title, number=self.own.turn, day=self.own.day)
        return Reason.of("table.puzzle-begins", number=self.number, game=self.game.title)

    @property
    def after(self) -> Event:
        """The next puzzle, or a game where there is none."""
        return Event.of("puzzle-next" if self.count else "puzzles-over")

    def note(self, progress: Progress) -> None:
        """By its position; those of one's own games are no part of the game."""
        if not self.own:
            progress.note(self.game, self.puzzle.position)

    def following(self, progress: Progress) -> Exercise | None:
        """The next puzzle that was not solved."""
        return puzzle_of(self.game.name, 0, progress, after=self.number) if self.count else None

    @property
    def _player(self) -> str:
        return self.game.players[self.start.side]

    def _said(self, id: str) -> Reason:
        return Reason.of(id, player=self._player)


def puzzle_of(name: str, number: int, progress: Progress, *, after: int = 0) -> PuzzleExercise:
    """Puzzle `number` of the game `name`, 0 for the first one behind `after` that was not solved; OptionError."""
    kind = game_class(name)
    count = len(kind.puzzles)
    if not 0 <= number <= count or not count:
        raise OptionError(f"{kind.title} has {count} puzzles, and no puzzle {number}")
    number = number or progress.next_puzzle(kind, after)
    puzzle = kind.puzzles[number - 1]
    return PuzzleExercise(load(name, **dict(puzzle.options)), puzzle, number)


def own_puzzle(own: OwnPuzzle) -> PuzzleExercise:
    """A puzzle from somebody's own game; OptionError, PositionError, IllegalTurn."""
    game = load(own.game, **own.options)
    position = game.position(own.position)
    known(game, position, own.better)
    return PuzzleExercise(game, Puzzle(own.position, own.goal, (own.better,), tuple(own.options.items())), own=own)


say(
    "table",
    lesson_slip="{why} The turn is taken back: try again.",
    lesson_other="{turn} is allowed, but is not what is asked for here. It is taken back: try again.",
    lesson_other_wins="{turn} is allowed, but does not win the game. It is taken back: try again.",
    lesson_other_goes_on="{turn} is allowed, but the game goes on after it. It is taken back: try again.",
    lesson_other_loses="{turn} is allowed, but ends the game with your {count} against {theirs}, which does not win. "
    "It is taken back: try again.",
    lesson_other_count="{turn} is allowed, but makes {count}, and {due} are asked for. It is taken back: try again.",
    lesson_other_push="{turn} is allowed, but its row is too short. It is taken back: try again.",
    lesson_other_take="{turn} is allowed, but does not capture what is asked for. It is taken back: try again.",
    lesson_other_sow="{turn} is allowed, but its sowing ends too soon. It is taken back: try again.",
    lesson_next="Press Done for the next lesson.",
    lessons_over="These were all lessons. Press Done for a first game, coached, against the computer at its easiest.",
    lesson_begins="Lesson {number} of {game}.",
    puzzle_begins="Puzzle {number} of {game}.",
    puzzle_own="A puzzle from one of your games of {game}: {day}, turn {number}.",
    puzzle_soon="{player} is to move, and wins the game with this turn. Find it.",
    puzzle_soon_in="{player} is to move, and wins in {count} turns, whatever the other side does. Find the first.",
    puzzle_win="{player} is to move. Only one turn keeps the win. Find it.",
    puzzle_win_in="{player} is to move. The win takes {count} turns, each the only good one. Find the first.",
    puzzle_hold="{player} is to move. Every turn but one loses. Find it.",
    puzzle_hold_in="{player} is to move. Every turn but one loses, {count} times over. Find the first.",
    puzzle_better="{player} is to move. In the game another turn was made here, and cost much. Find the better one.",
    puzzle_on="Right. The other side answers: find turn {number} of {count}.",
    puzzle_soon_done="Solved: {player} has won.",
    puzzle_win_done="Solved: from here {player} wins, whatever the other side does.",
    puzzle_hold_done="Solved: after any other turn {player} would have lost.",
    puzzle_better_done="Solved: that was the turn.",
    puzzle_other="{turn} is a turn, but not the one that is looked for: it is taken back. Look once more.",
    puzzle_solution="The turn is {turn}: the lights show the way.",
    puzzle_next="Press Done for the next puzzle.",
    puzzles_over="Press Done for a game against the computer.",
)
