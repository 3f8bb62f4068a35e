"""Weighs every position of a game, from the last to the first, for what is proved of a position is so of those before.

1. **A loss** is the difference of two results, that of the better turn and that of the turn played, each looked at as
   long. What was expected before the turn is not used: every search errs a little in favour of who is to move.
2. **The same result**, the same turn: one that comes to the engine's own position has lost nothing.
3. **Second thoughts.** Where the result of the engine's turn is worth much less than the engine had expected, its next
   best turns are looked at too.
4. **The value** of a position is the mean of two searches, from it and from the result of its best turn, which err to
   either side; where they differ much, the later one's, which has seen more. It goes back one turn and no further,
   for it may be wrong itself. What is proved is the value.
5. **A win that is proved** after a turn is one before it, whatever the search before it has seen.
6. Where a turn was forced, the value is that of what follows, and nothing is searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from firmware_bridge.analysis import Step
from firmware_bridge.analysis.form import (
    FORMAT,
    LITTLE,
    Analysis,
    Effort,
    Ended,
    Made,
    Message,
    Standing,
    TurningPoint,
    message,
    worth,
)
from firmware_bridge.engine import engine
from firmware_bridge.sheet import Moment, Sheet
from games.rules import Outcome, Position, play

LEAST = 0.15
"""The expected score that a turning point has lost at least."""
MOST = 5
"""Turning points of a game."""
LONGEST = 8
"""Turns of a line."""
MUCH = 0.1
"""The expected score by which a search may be wrong before other turns are looked at."""


class Look(NamedTuple):
    """What one search knows of a position: the value for player 0, as `Standing` has it."""

    value: float
    proved: bool
    line: tuple[str, ...] = ()
    nodes: int = 0
    others: tuple[str, ...] = ()
    """The next best turns."""
    late: bool = False
    """Whether the value comes from the position after it, unproved."""

    def before(self, turn: str) -> Look:
        """The same of the position before it, whose best turn is `turn`."""
        return self._replace(line=(turn, *self.line)[:LONGEST], nodes=0, others=())

    def surely(self, side: int) -> bool:
        """Whether `side` is proved to win."""
        return self.proved and worth(self.value, side) == 1


class Weighed(NamedTuple):
    """A turn, the position before it as searched and as valued, and what would have been better, if anything."""

    made: Made
    searched: Look
    value: float
    better: Look | None


def analyse(sheet: Sheet, effort: Effort, help: Mapping[int, Sequence[Message]], step: Step) -> Analysis:
    """The analysis of a game; `help` is what was told before the turn of that number. OptionError."""
    scale = Scale(sheet, effort)
    last = scale.last()
    turns = weighed(scale, last, help, step)
    return Analysis(
        FORMAT, sheet.game.name, dict(sheet.game.chosen), sheet.short_names, sheet.house_rule, sheet.levels,
        effort, ended(sheet), tuple(standings(sheet, turns, last)), tuple(turn.made for turn in turns),
        turning_points(turns, last), worst(turns, last, sheet.levels),
    )  # fmt: skip


def weighed(scale: Scale, last: Look, help: Mapping[int, Sequence[Message]], step: Step) -> list[Weighed]:
    """All turns, in their order; the last one came to `last`."""
    turns: list[Weighed] = []
    after, length = last, scale.length
    for number in range(length, 0, -1):
        step(length - number + 1, length + 1)
        turns.append(scale.turn(number, after, tuple(help.get(number, ()))))
        after = turns[-1].searched
    step(length + 1, length + 1)
    return turns[::-1]


def standings(sheet: Sheet, turns: Sequence[Weighed], last: Look) -> Iterator[Standing]:
    """The start, and the position after each turn."""
    for moment, turn in zip(sheet.moments, turns, strict=True):
        yield standing(moment.position, turn.searched, turn.value)
    yield standing(sheet.position, last, last.value)


def ended(sheet: Sheet) -> Ended | None:
    """How the game ended."""
    outcome = sheet.outcome
    return Ended(outcome.winner, message(outcome.reason), sheet.called_off) if outcome else None


def standing(position: Position, look: Look, value: float) -> Standing:
    """What is known of a position, as data."""
    best = look.line[0] if look.line else None
    return Standing(str(position), position.side, value, look.proved, best, look.line, look.nodes)


def turning_points(turns: Sequence[Weighed], last: Look) -> tuple[TurningPoint, ...]:
    """Those that lost most, the earlier one where two lost the same."""
    lost = sorted((turn for turn in turns if turn.made.loss >= LEAST), key=lambda turn: -turn.made.loss)
    return explained(lost[:MOST], turns, last)


def worst(turns: Sequence[Weighed], last: Look, levels: Sequence[int]) -> tuple[TurningPoint, ...]:
    """The turn that lost most of each player who is a person, the earlier one where two lost the same."""
    people = [side for side, level in enumerate(levels) if not level]
    made = ([turn for turn in turns if turn.made.side == side and turn.made.loss >= LITTLE] for side in people)
    return explained([max(own, key=lambda turn: turn.made.loss) for own in made if own], turns, last)


def explained(chosen: Sequence[Weighed], turns: Sequence[Weighed], last: Look) -> tuple[TurningPoint, ...]:
    """Some of the turns with what was better, in the order of the game."""
    values = [*(turn.value for turn in turns[1:]), last.value]
    found = [turning_point(turn.made, turn.better, values[turn.made.number - 1]) for turn in chosen if turn.better]
    return tuple(sorted(found, key=lambda point: point.number))


def turning_point(made: Made, better: Look, after: float) -> TurningPoint:
    """A turn, after which the position was worth `after`; it is as much less than the better one's as was lost."""
    value = after - made.loss if made.side else after + made.loss
    value = better.value if better.proved else round(min(1.0, max(0.0, value)), 4)
    return TurningPoint(made.number, better.line[0], value, better.proved, better.line)


class Scale:
    """Weighs the positions of one game."""

    def __init__(self, sheet: Sheet, effort: Effort) -> None:
        self._sheet, self._game, self._effort = sheet, sheet.game, effort
        self._search = engine(sheet.game, effort.seed)
        self.length = sheet.length
        """Turns."""
        self._positions = [moment.position for moment in sheet.moments]

    def last(self) -> Look:
        """The position that the game came to; one that was called off is weighed as if it went on."""
        return self.look(self._sheet.position, self._positions)

    def look(self, position: Position, history: Sequence[Position]) -> Look:
        """Search one position; `history` stood before it."""
        if outcome := self._over(position, history):
            return Look(0.5 if outcome.winner is None else float(outcome.winner == 0), proved=True)
        stood = history if self._sheet.house_rule else ()
        effort = self._effort
        *_, found = self._search.find(position, seconds=effort.seconds, nodes=effort.nodes, history=stood)
        value, others = round(worth(found.value, position.side), 4), tuple(text for text, _ in found.others)
        return Look(value, found.proved, found.line[:LONGEST], found.nodes, others)

    def _over(self, position: Position, history: Sequence[Position]) -> Outcome | None:
        third = self._sheet.house_rule and history.count(position) >= 2
        return self._game.repeated(position) if third else self._game.outcome(position)

    def turn(self, number: int, after: Look, help: tuple[Message, ...]) -> Weighed:
        """Weigh the turn of that number, its result being `after`."""
        moment, history = self._sheet.moments[number - 1], self._positions[: number - 1]
        side, text = moment.position.side, moment.turn.text
        if len({turn.after for turn in self._game.turns(moment.position)}) == 1:
            return Weighed(Made(number, side, text, True, True, 0.0, help), after.before(text), after.value, None)
        found = self.look(moment.position, history)
        better = self._better(moment, history, found, after)
        loss = round(worth(better.value, side) - worth(after.value, side), 4) if better else 0.0
        searched, value = valued(found, better or after.before(text), side)
        return Weighed(Made(number, side, text, False, not better, loss, help), searched, value, better)

    def _better(self, moment: Moment, history: Sequence[Position], found: Look, after: Look) -> Look | None:
        """The line that the engine prefers to a turn, the value being that of a look at its result."""
        side = moment.position.side
        played, hoped = worth(after.value, side), worth(found.value, side) - MUCH
        if found.proved:
            return self._instead(moment, history, found, found.line[0]) if played < hoped + MUCH else None
        best, top = None, played
        for text in (found.line[0], *found.others):
            look = self._instead(moment, history, found, text)
            if look and worth(look.value, side) > top:
                best, top = look, worth(look.value, side)
            if top >= hoped:
                break
        return best

    def _instead(self, moment: Moment, history: Sequence[Position], found: Look, text: str) -> Look | None:
        """A look at what would have come of another turn; None if that is what came."""
        result = play(self._game, moment.position, text)
        if result == moment.turn.after:
            return None
        if found.proved and text == found.line[0]:
            return found
        return self.look(result, [*history, moment.position]).before(text)


def valued(found: Look, best: Look, side: int) -> tuple[Look, float]:
    """What is known of a position by a search and by the look at the result of its best turn, and its value."""
    if found.proved:
        return found, found.value
    if best.surely(side) or (not best.late and abs(best.value - found.value) > MUCH):
        return best._replace(proved=best.surely(side), nodes=found.nodes, late=not best.proved), best.value
    return found, round((found.value + best.value) / 2, 4)
