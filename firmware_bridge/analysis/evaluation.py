"""Weighs every turn of a recorded game: the value after each, the turns that lost most, and what was better.

`analyse` gives an `Analysis`, as data and so as JSON: every key is there each time, and docs/analysis.md tells other
programs what they mean. Values are expected scores of player 0, the first of `players`, in hundredths: 0 lost, 0.5
drawn, 1 won.

Positions are weighed from the last to the first, for what came after a turn counts for the positions before it.

1. **The value** of a position is that of its best known turn: the one played, worth what came after it, or a better
   one. The last position has the value of the engine's turn there, or of how the game ended.
2. **Better** is a turn of the engine's by at least `LITTLE`; less may be an error of the searches. Its value is the
   mean of two searches, from the position and from its result, for every search errs a little in favour of the side to
   move. A turn that is proved to win is better by any amount, and so is any turn than one that is proved to lose.
3. **A loss** is what the value has fallen by for the player who moved, so neighbouring values differ by just that. A
   turn that comes to the same position as the best turn has lost nothing.
4. **More turns.** Where the result of the engine's turn is worth much less than the engine expected, its next best
   turns are searched too.
5. **Hundredths** are the only precision, and what is not proved is neither 0 nor 1: so sums are exact.
6. Where a turn was forced or is proved to win, nothing is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from firmware_bridge.engine import engine, never
from firmware_bridge.engine.calibration import calibrated
from firmware_bridge.score import PlayedTurn, ScoreSheet
from games.rules import Outcome, Position, Reason, play

FORMAT = 2
"""The version of the JSON; a later one with the same number only has more keys."""
LEAST = 0.15
"""The expected score that a turning point has lost at least; guessed."""
MOST = 5
"""Turning points of a game at most; guessed."""
LITTLE = 0.02
"""The expected score by which a turn is better at least; less may be an error of the searches; guessed."""
MUCH = 0.1
"""The expected score by which a search may be wrong before other turns are searched; guessed."""
LONGEST = 8
"""Turns of a line at most; guessed."""
Step = Callable[[int, int], None]
"""Told how many positions are done, and of how many."""
Tell = Callable[[int, "Evaluation", "EvaluatedTurn | None"], None]
"""Told of each position once it is weighed, the last first: its number, what is known of it, the turn made there."""


# An analysis as data --------------------------------------------------------------------------


class Effort(Struct, frozen=True):
    """How long each position was looked at; None for no limit."""

    seconds: float | None
    nodes: int | None
    seed: int


class Message(Struct, frozen=True):
    """A sentence: its id and values, and the English; `text` is empty where the id is not known here."""

    id: str
    values: dict[str, int | str]
    text: str


class Ended(Struct, frozen=True):
    """How the game ended: `winner` 0, 1, or None for a draw; `called_off` if the players resigned or agreed."""

    winner: int | None
    reason: Message
    called_off: bool


class Standing(Struct, frozen=True):
    """A position of the game, and what the engine expects of it."""

    position: str
    side: int
    """Who is to move, 0 or 1."""
    value: float
    proved: bool
    """Whether `value` is sure: 0, 0.5 or 1, with best play of both sides."""
    best: str | None
    """The best turn; None where the rules end the game."""
    line: tuple[str, ...]
    """What is expected from here, `best` first."""
    nodes: int
    """How much was looked at; 0 for what needed no search."""
    alone: float | None
    """What a search of this position by itself expects, whatever came after it; None if there was none."""


class AnalysedTurn(Struct, frozen=True):
    """A turn of the game, from standing `number` - 1 to standing `number`."""

    number: int
    side: int
    turn: str
    forced: bool
    """Whether no other result was possible."""
    best: bool
    """Whether nothing better was found."""
    loss: float
    """What the value has fallen by for who made it: that of the standing before it less that after it, 0 to 1."""
    help: tuple[Message, ...]
    """What the table told the player before it."""


class TurningPoint(Struct, frozen=True):
    """A turn that lost much, or more than any other of who made it."""

    number: int
    """Of the turn."""
    better: str
    value: float
    """After the better turn."""
    proved: bool
    line: tuple[str, ...]
    """What is expected, `better` first."""


class Analysis(Struct, frozen=True):
    """A whole game."""

    format: int
    game: str
    options: dict[str, int | str]
    players: tuple[str, str]
    """Their names, as records have them."""
    house_rule: bool
    """Whether the third standing of a position ended the game."""
    levels: tuple[int, int]
    """How well the engine played for each of them, 1 to 8; 0 is a person."""
    effort: Effort
    ended: Ended | None
    standings: tuple[Standing, ...]
    """The start, and the position after each turn."""
    turns: tuple[AnalysedTurn, ...]
    turning_points: tuple[TurningPoint, ...]
    """Those that lost most, in the order of the game."""
    worst: tuple[TurningPoint, ...]
    """The turn of each person that lost most, if at least `LITTLE`; turning points too. In the order of the game."""

    @property
    def explained(self) -> dict[int, TurningPoint]:
        """Number of a turn -> more about it: the turning points, then what else was the worst of a person."""
        return {point.number: point for point in (*self.turning_points, *self.worst)}

    @property
    def rough(self) -> float:
        """How far a search of one position by itself is from its value, on the average; 0 if all are proved."""
        open = [now for now in self.standings if not now.proved and now.alone is not None]
        return sum(abs(now.value - (now.alone or 0.0)) for now in open) / max(1, len(open))


def message(reason: Reason) -> Message:
    """A sentence as data."""
    return Message(reason.id, dict(reason.values), str(reason))


def worth(value: float, side: int) -> float:
    """The expected score of player `side`, for one of player 0."""
    return 1 - value if side else value


# The whole game -------------------------------------------------------------------------------


def analyse(
    sheet: ScoreSheet,
    effort: Effort,
    help: Mapping[int, Sequence[Message]],
    step: Step,
    beat: Callable[[], bool] = never,
    tell: Tell = lambda *_: None,
) -> Analysis:
    """The analysis of a game; `help` is turn number -> what the table told the player before it.

    `beat` is called as each search goes on, many times a second, and returns False. OptionError if the game cannot be
    searched.
    """
    evaluator = Evaluator(sheet, effort, beat)
    last = evaluator.last()
    turns = weighed(evaluator, last, help, step, tell)
    return Analysis(
        FORMAT, sheet.game.name, dict(sheet.game.chosen), sheet.short_names, sheet.house_rule, sheet.levels,
        effort, ended(sheet), tuple(standings(sheet, turns, last)), tuple(turn.made for turn in turns),
        turning_points(turns), worst(turns, sheet.levels),
    )  # fmt: skip


def weighed(
    evaluator: Evaluator, last: Evaluation, help: Mapping[int, Sequence[Message]], step: Step, tell: Tell
) -> list[EvaluatedTurn]:
    """All turns, in their order; `last` is the position that the last one came to."""
    turns: list[EvaluatedTurn] = []
    after, length = last, evaluator.length
    tell(length, last, None)
    for number in range(length, 0, -1):
        step(length - number + 1, length + 1)
        turns.append(evaluator.turn(number, after, tuple(help.get(number, ()))))
        after = turns[-1].before
        tell(number - 1, after, turns[-1])
    step(length + 1, length + 1)
    return turns[::-1]


def standings(sheet: ScoreSheet, turns: Sequence[EvaluatedTurn], last: Evaluation) -> Iterator[Standing]:
    """The start, and the position after each turn."""
    for entry, turn in zip(sheet.played_turns, turns, strict=True):
        yield standing(entry.position, turn.before)
    yield standing(sheet.position, last)


def ended(sheet: ScoreSheet) -> Ended | None:
    """How the game ended."""
    outcome = sheet.outcome
    return Ended(outcome.winner, message(outcome.reason), sheet.called_off) if outcome else None


def standing(position: Position, evaluation: Evaluation) -> Standing:
    """What is known of a position, as data."""
    best = evaluation.line[0] if evaluation.line else None
    return Standing(
        str(position),
        position.side,
        evaluation.value,
        evaluation.proved,
        best,
        evaluation.line,
        evaluation.nodes,
        evaluation.alone,
    )


def turning_points(turns: Sequence[EvaluatedTurn]) -> tuple[TurningPoint, ...]:
    """Those that lost most, the earlier one where two lost the same."""
    lost = sorted((turn for turn in turns if turn.made.loss >= LEAST), key=lambda turn: -turn.made.loss)
    return explained(lost[:MOST])


def worst(turns: Sequence[EvaluatedTurn], levels: Sequence[int]) -> tuple[TurningPoint, ...]:
    """The turn that lost most of each player who is a person, the earlier one where two lost the same."""
    people = [side for side, level in enumerate(levels) if not level]
    made = ([turn for turn in turns if turn.made.side == side and turn.made.loss >= LITTLE] for side in people)
    return explained([max(own, key=lambda turn: turn.made.loss) for own in made if own])


def explained(chosen: Sequence[EvaluatedTurn]) -> tuple[TurningPoint, ...]:
    """Some of the turns with what was better, in the order of the game."""
    found = [turning_point(turn.made.number, turn.better) for turn in chosen if turn.better]
    return tuple(sorted(found, key=lambda point: point.number))


def turning_point(number: int, better: Evaluation) -> TurningPoint:
    """A turn, and the line that was better."""
    return TurningPoint(number, better.line[0], better.value, better.proved, better.line)


# One position or turn -------------------------------------------------------------------------


class Evaluation(NamedTuple):
    """What is known of a position; `value`, `proved`, `line`, `nodes` and `alone` as `Standing` has them."""

    value: float
    proved: bool
    line: tuple[str, ...] = ()
    nodes: int = 0
    others: tuple[tuple[str, float], ...] = ()
    """The next best turns with their values."""
    alone: float | None = None
    """What a search of this position by itself has found."""

    def before(self, turn: str, proved: bool) -> Evaluation:
        """What is then known of the position before it, whose best turn is `turn`."""
        return Evaluation(self.value, proved, (turn, *self.line)[:LONGEST])

    def surely(self, side: int) -> bool:
        """Whether `side` is proved to win."""
        return self.proved and worth(self.value, side) == 1

    def above(self, other: Evaluation, side: int) -> bool:
        """Whether this is better for `side`, by more than searches err."""
        gain = round(worth(self.value, side) - worth(other.value, side), 2)
        return gain >= LITTLE or (gain > 0 and (self.surely(side) or other.surely(1 - side)))


class EvaluatedTurn(NamedTuple):
    """A turn, what is known of the position before it, and the better line, if there is one."""

    made: AnalysedTurn
    before: Evaluation
    better: Evaluation | None


def settled(known: Evaluation, found: Evaluation, side: int) -> Evaluation:
    """What is `known` of a position by its best turn, joined with what the search of it alone has `found`."""
    proved = known.surely(side) or (known.proved and found.proved)
    return known._replace(proved=proved, nodes=found.nodes, alone=found.value)


def hundredths(value: float, proved: bool) -> float:
    """A value in hundredths; one that is not proved is neither 0 nor 1."""
    return value if proved else round(min(0.99, max(0.01, value)), 2)


class Evaluator:
    """Evaluates the positions and turns of one game."""

    def __init__(self, sheet: ScoreSheet, effort: Effort, beat: Callable[[], bool] = never) -> None:
        self._sheet, self._game, self._effort, self._beat = sheet, sheet.game, effort, beat
        self._search = engine(sheet.game, effort.seed)
        self.length = sheet.length
        """Turns."""
        self._positions = [entry.position for entry in sheet.played_turns]

    def last(self) -> Evaluation:
        """The evaluation of the last position; a game that was called off is weighed as if it went on."""
        position, history = self._sheet.position, self._positions
        found = self._evaluate(position, history)
        if found.proved:
            return found
        result = play(self._game, position, found.line[0])
        known = self._both(found.line[0], found.value, result, [*history, position])
        return settled(known, found, position.side)

    def _evaluate(self, position: Position, history: Sequence[Position]) -> Evaluation:
        """The evaluation of a position by a search of it; `history` stood before it."""
        if outcome := self._over(position, history):
            return Evaluation(0.5 if outcome.winner is None else float(outcome.winner == 0), proved=True)
        stood = history if self._sheet.house_rule else ()
        effort = self._effort
        *_, found = self._search.find(
            position, seconds=effort.seconds, nodes=effort.nodes, history=stood, stop=self._beat
        )
        found = calibrated(self._game, found)
        value = hundredths(worth(found.value, position.side), found.proved)
        others = tuple((text, worth(each, position.side)) for text, each in found.others)
        return Evaluation(value, found.proved, found.line[:LONGEST], found.nodes, others, value)

    def _over(self, position: Position, history: Sequence[Position]) -> Outcome | None:
        third = self._sheet.house_rule and history.count(position) >= 2
        return self._game.repeated(position) if third else self._game.outcome(position)

    def turn(self, number: int, after: Evaluation, help: tuple[Message, ...]) -> EvaluatedTurn:
        """The evaluation of the turn of that number, whose result is `after`."""
        entry, history = self._sheet.played_turns[number - 1], self._positions[: number - 1]
        side, text = entry.position.side, entry.turn.text
        forced = len({turn.after for turn in self._game.turns(entry.position)}) == 1
        if forced or after.surely(side):
            return EvaluatedTurn(
                AnalysedTurn(number, side, text, forced, True, 0.0, help), after.before(text, after.proved), None
            )
        found = self._evaluate(entry.position, history)
        better = self._better(entry, history, found, after)
        known = better or after.before(text, after.proved and after.value == found.value)
        known = settled(known, found, side)
        loss = round(worth(known.value, side) - worth(after.value, side), 2)
        return EvaluatedTurn(AnalysedTurn(number, side, text, False, not better, loss, help), known, better)

    def _better(
        self, entry: PlayedTurn, history: Sequence[Position], found: Evaluation, after: Evaluation
    ) -> Evaluation | None:
        """The line that the engine prefers to a turn, with its value."""
        side, best = entry.position.side, None
        if found.proved:
            other = play(self._game, entry.position, found.line[0]) != entry.turn.after
            return found if other and found.above(after, side) else None
        hoped, top = worth(found.value, side) - MUCH, after
        for text, promised in ((found.line[0], found.value), *found.others):
            evaluation = self._instead(entry, history, text, promised)
            if evaluation and evaluation.above(top, side):
                best = top = evaluation
            if worth(top.value, side) >= hoped:
                break
        return best

    def _instead(self, entry: PlayedTurn, history: Sequence[Position], text: str, promised: float) -> Evaluation | None:
        """The evaluation of another turn that promised so much; None if it leads to what was played."""
        result = play(self._game, entry.position, text)
        return None if result == entry.turn.after else self._both(text, promised, result, [*history, entry.position])

    def _both(self, text: str, promised: float, result: Position, history: Sequence[Position]) -> Evaluation:
        """The mean of what a turn promised and of a search of its result."""
        evaluation = self._evaluate(result, history)
        value = evaluation.value if evaluation.proved else hundredths((evaluation.value + promised) / 2, False)
        return evaluation._replace(value=value).before(text, evaluation.proved)
