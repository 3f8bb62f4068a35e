"""Choosing by light: a question is a few signs of light on the board, and the answer is a stone put on one of them.

What is asked is a dialogue, a generator that yields questions, is sent the answers and returns what was chosen. Done
takes the usual answer to this question and all that follow; Undo goes back to the question before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from math import dist, inf
from typing import Generic, NamedTuple, TypeVar

from firmware_bridge.lighting.output import Light, Looks
from firmware_bridge.lighting.scene import Cue, Scene
from firmware_bridge.reading.debounce import Debounce
from firmware_bridge.table import referee
from firmware_bridge.table.referee import Event, told
from games.rules import Reason
from hardware.board import Board
from hardware.device import Lights, Scanner

SETTLE = 0.3
"""Seconds that a stone must stand on a sign to count."""
WIDE = 3
"""Lights that a sign is wide; it is up to 4 high."""
MARKS = {"#": 0, "x": 1, "o": 2}
"""What a light of a sign is drawn as, and the piece whose colour it takes; 0 for none."""


class Choice(NamedTuple):
    """A possible answer: its name, the sentence for it, and its sign (lines of ``#``, ``x``, ``o`` and ``.``)."""

    id: str
    say: Reason
    sign: tuple[str, ...] = ()


class Question(NamedTuple):
    """A question with its answers; `usual` is the number of the answer that Done gives."""

    say: Reason
    choices: tuple[Choice, ...]
    usual: int = 0


T = TypeVar("T")
Dialogue = Generator[Question, str, T]
Lit = dict[str, int]
"""The points of a sign, each with the piece whose colour it takes."""


class Menu(Generic[T]):
    """A dialogue at the board, on all of its points; `result` is what it comes to."""

    def __init__(
        self, board: Board, scanner: Scanner, lights: Lights, dialogue: Callable[[], Dialogue[T]], looks: Looks
    ) -> None:
        self._board = board
        self._points = tuple(board.places)
        self._scanner = scanner
        self.light = Light(lights, self._points, looks)
        self._debounce = Debounce()
        self._dialogue = dialogue
        self._answers: list[str] = []
        self._frame: object = None
        self._blind = False
        self.result: T | None = None
        self.over = False
        self._events = self._ask()

    def _ask(self) -> list[Event]:
        """Lead the dialogue to where the answers so far bring it."""
        dialogue = self._dialogue()
        try:
            self.question = next(dialogue)
            for answer in self._answers:
                self.question = dialogue.send(answer)
        except StopIteration as end:
            self.result, self.over = end.value, True
            return []
        self.signs = placed(self.question, self._board)
        self.scene = lit(self.signs)
        self._empty: set[str] = set()
        self._choice, self._since = -1, inf
        self._frame = None
        return [Event("choose", self.question.say)]

    # What comes in ----------------------------------------------------------------------------

    def cycle(self, now: float) -> list[Event]:
        """One scan at `now` (seconds), and what follows from it."""
        events, self._events = self._events, []
        frame = self._debounce.feed(self._scanner.scan(), now)
        if frame is not self._frame:
            events += self._look(dict(zip(self._points, frame, strict=True)), now)
        fresh, self._frame = frame is not self._frame, frame
        if now - self._since >= SETTLE and not self.over:
            events += self._choose(self._choice)
            fresh = True
        if not self.over:
            self.light.show(self.scene, now, fresh=fresh)
        return events + self.light.troubles()

    def _look(self, levels: dict[str, int | None], now: float) -> list[Event]:
        """A stone counts where the site was seen empty since the question was put."""
        self._empty.update(point for point, level in levels.items() if level == 0)
        put = {point for point in self._empty if levels[point]}
        touched = {number for number, sign in enumerate(self.signs) if not put.isdisjoint(sign)}
        choice = touched.pop() if len(touched) == 1 else -1
        if choice != self._choice:
            self._choice, self._since = choice, now if choice >= 0 else inf
        blind, self._blind = self._blind, all(level is None for level in levels.values())
        if self._blind == blind:
            return []
        return [referee.blind(self._scanner.trouble) if self._blind else told("sighted")]

    def press(self, name: str) -> list[Event]:
        """The Done or Undo button."""
        if name == "undo" and self._answers:
            self._answers.pop()
            return self._ask()
        events: list[Event] = []
        while name == "done" and not self.over:
            events = self._choose(self.question.usual)
        return events

    def _choose(self, number: int) -> list[Event]:
        choice = self.question.choices[number]
        self._answers.append(choice.id)
        return [Event("chosen", choice.say), *self._ask()]

    def close(self) -> None:
        """Go dark."""
        self.light.close()


def lit(signs: Sequence[Lit]) -> Scene:
    """The signs, each in a rhythm a little later than the one before."""
    cues = {
        point: Cue("choose", level, phase=number * 0.6)
        for number, sign in enumerate(signs)
        for point, level in sign.items()
    }
    return Scene(cues)


# Where the signs lie --------------------------------------------------------------------------


def placed(question: Question, board: Board) -> list[Lit]:
    """The points of each choice's sign, on each of which there is one at least that is sensed.

    On squares up to four signs are drawn each in a corner of its own; more are bars of one, two, three lights and so
    on. On other boards a choice is so many points in a row, or a single point where there are too many.
    """
    count = len(question.choices)
    if not board.grid:
        signs = runs(count, tuple(board.places))
    elif count > 4 or min(board.size) < 8:
        signs = bars(count, board)
    else:
        signs = drawings(question, board)
    return reachable(list(signs), board)


def reachable(signs: list[Lit], board: Board) -> list[Lit]:
    """The signs, each with a point that is sensed: where a sign has none, the nearest one that no other sign has."""
    for number, sign in enumerate(signs):
        if sign and not any(point in board.channels for point in sign):
            near = board.places[next(iter(sign))]
            free = [point for point in board.channels if not any(point in other for other in signs)]
            if free:
                nearest = min(free, key=lambda point: dist(near, board.places[point]))
                signs[number] = sign | {nearest: next(iter(sign.values()))}
    return signs


def drawings(question: Question, board: Board) -> Iterator[Lit]:
    """Two signs one above the other, the first nearer; four in the corners of the board, the first top left."""
    files, ranks = board.size
    at = board.at
    for number, choice in enumerate(question.choices):
        right, top = (number % 2, number < 2) if len(question.choices) > 2 else (None, number == 1)
        left = (files - WIDE) // 2 if right is None else (files - WIDE) * right
        high = ranks - 1 if top else len(choice.sign) - 1
        marks = ((x, y, mark) for y, line in enumerate(choice.sign) for x, mark in enumerate(line) if mark in MARKS)
        yield {at[left + x, high - y]: MARKS[mark] for x, y, mark in marks}


def bars(count: int, board: Board) -> Iterator[Lit]:
    """A bar a choice, on a file of its own, from the lowest rank; single lights where there are too few squares."""
    files, ranks = board.size
    at = board.at
    if count > files or count > ranks:
        return runs(count, tuple(board.places))
    return ({at[number, y]: 0 for y in range(number + 1)} for number in range(count))


def runs(count: int, points: Sequence[str]) -> Iterator[Lit]:
    """One point for the first choice, two for the second and so on, a dark one between; else a point each."""
    if count * (count + 3) // 2 - 1 > len(points):
        return ({points[number]: 0} for number in range(count))
    starts = (number * (number + 3) // 2 for number in range(count))
    return (dict.fromkeys(points[start : start + number + 1], 0) for number, start in enumerate(starts))
