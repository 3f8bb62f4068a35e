"""Choosing by light: a question is a few signs of light on the board, and a stone put on one of them is the answer.

A dialogue is a generator: it yields questions, is sent the answers, and returns what was chosen. There are three: what
to play and how, what to do with an unfinished game, and what to do in mid-game. Done gives the usual answer to this
question and to all that follow; Undo goes back to the question before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from math import dist, inf
from typing import Generic, Literal, NamedTuple, TypeVar, get_args

from firmware_bridge.clocks import Control, control
from firmware_bridge.events import Event
from firmware_bridge.lighting import MODES, Cue, LightOutput, LightSettings, Mode, Scene
from firmware_bridge.reading import Debounce
from firmware_bridge.score import PEOPLE
from firmware_bridge.table import blind_event
from games.rules import Game, Position, Reason, say
from hardware.board import Board
from hardware.device import Lights, Scanner

SETTLE = 0.3
"""Seconds that a stone must stand on a sign to count; guessed."""
PHASE = 0.6
"""Seconds by which the rhythm of each sign follows that of the one before; guessed."""

# Signs

WIDE = 3
"""Lights that a sign is wide, and at most 4 high: four of them, with dark lights between, fit on 8 by 8 squares."""
MARKS = {"#": 0, "x": 1, "o": 2}
"""The characters that stand for a light of a sign, each with the piece whose colour it takes; 0 for none."""
SIGNS = {
    "go-on": ("#..", "##.", "#.."),
    "new": (".#.", "###", ".#."),
    "end": ("#.#", ".#.", "#.#"),
    "first": ("...", ".x.", "..."),
    "second": ("...", "o.o", "..."),
    "agree": ("###", "...", "###"),
    "near": ("...", ".x.", "xxx"),
    "far": ("xxx", ".x.", "..."),
    "people": ("x..", "...", "..o"),
    "second-engine": ("x..", ".##", ".##"),
    "first-engine": ("##.", "##.", "..o"),
    "learn": ("##.", "..#", ".#.", ".#."),
    "coach": ("###", "###", "###"),
    "referee": (".#.", ".#.", "...", ".#."),
    "quiet": ("...", ".#.", "..."),
}
"""The signs of answers: an arrow goes on, a cross is new, a full square tells all, an exclamation mark flags."""

# Answers

BRIGHTNESS = (16, 32, 48, 72, 104, 144, 192, 255)
"""The brightnesses to choose from, 0-255; guessed."""
TIMES = ("", "3+2", "5", "10", "10+5", "15+10", "30")
"""How time may be given, from none to half an hour, beside how it was given last; those that the page offers first."""
USUAL_LEVEL = 3
"""The level of the engine unless another was chosen before; guessed."""
Doing = Literal["first", "second", "agree", "go-on"]
"""What is to be done with a begun game: one player resigns, both agree on a draw, or it goes on."""
PUZZLE = "puzzle"
"""The answer that asks for a puzzle in the place of a lesson."""
DOINGS: tuple[Doing, ...] = get_args(Doing)


# Questions and dialogues --------------------------------------------------------------------------


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


class Plan(NamedTuple):
    """A new game as it was chosen at the table; `brightness` 0-255; `levels` as on a sheet."""

    game: str
    mode: Mode
    turned: bool
    brightness: int
    levels: tuple[int, int] = PEOPLE
    lesson: int = 0
    """The number of a lesson, from 1 on; 0 for a game."""
    puzzle: bool = False
    """Whether it is the next puzzle."""
    clock: str = ""
    """How time is given, as `firmware_bridge/clocks` reads it; empty for no clocks."""


Answer = Plan | Doing
"""What a dialogue returns."""


def option(id: str) -> Choice:
    """An answer with its sentence and sign."""
    return Choice(id, Reason.of(f"menu.{id}"), SIGNS.get(id, ()))


def one_of(id: str, choices: Sequence[Choice], usual: str, **values: str) -> Dialogue[str]:
    """Ask for one of `choices`, if there are several; returns its id. `usual` is the id of the usual answer."""
    if len(choices) == 1:
        return choices[0].id
    names = [choice.id for choice in choices]
    say = Reason.of(f"table.ask-{id}", **values)
    answer = yield Question(say, tuple(choices), names.index(usual) if usual in names else 0)
    return answer


def new_game(
    games: Sequence[Game[Position]], usual: Plan, board: Board, due: Callable[[Game[Position]], int] = lambda _: 1
) -> Dialogue[Plan]:
    """What to play, of `games` that fit on `board`, and how; or which lesson, of which `due` tells the usual one."""
    offered = [Choice(game.name, Reason.of("menu.game", game=game.title), game.sign) for game in games]
    which = "game" if draws(len(offered), board) else "game-of-many"
    name = yield from one_of(which, offered, usual.game, games=", ".join(game.title for game in games))
    game = next(game for game in games if game.name == name)
    levels = yield from who_plays(usual.levels, learn=bool(game.lessons))
    if levels is None:
        bars = [
            Choice(str(number), Reason.of("menu.lesson", number=number)) for number, _ in enumerate(game.lessons, 1)
        ]
        if game.puzzles:
            bars.append(Choice(PUZZLE, Reason("menu.puzzle")))
        chosen = yield from one_of("lesson-or-puzzle" if game.puzzles else "lesson", bars, str(due(game)))
        number = 0 if chosen == PUZZLE else int(chosen)
        return Plan(name, "coach", usual.turned, usual.brightness, PEOPLE, number, puzzle=chosen == PUZZLE)
    clock = yield from how_much_time(usual.clock)
    mode = yield from one_of("mode", [option(mode) for mode in MODES], usual.mode)
    sides = [option("near"), option("far")] if board.grid else [option("near")]
    side = yield from one_of("sides", sides, "far" if usual.turned else "near")
    bars = [Choice(str(level), Reason.of("menu.brightness", level=level)) for level in BRIGHTNESS]
    nearest = min(BRIGHTNESS, key=lambda level: abs(level - usual.brightness))
    brightness = yield from one_of("brightness", bars, str(nearest))
    return Plan(name, next(each for each in MODES if each == mode), side == "far", int(brightness), levels, clock=clock)


def who_plays(usual: tuple[int, int], *, learn: bool) -> Dialogue[tuple[int, int] | None]:
    """Two people, or one and the engine, and how well it plays; None to `learn` the game, where it has lessons."""
    before = "people" if usual == PEOPLE else "second-engine" if usual[1] else "first-engine"
    ways = ["people", "second-engine", "first-engine", *(["learn"] if learn else [])]
    who = yield from one_of("who" if not learn else "who-or-learn", [option(each) for each in ways], before)
    if who == "learn":
        return None
    if who == "people":
        return PEOPLE
    bars = [Choice(str(level), Reason.of("menu.level", level=level)) for level in range(1, 9)]
    level = int((yield from one_of("level", bars, str(max(usual) or USUAL_LEVEL))))
    return (0, level) if who == "second-engine" else (level, 0)


def how_much_time(usual: str) -> Dialogue[str]:
    """How time is given: bars, the first for no clocks; where another way is usual, that is the last."""
    times = TIMES if usual in TIMES else (*TIMES, usual)
    bars = [Choice(time, time_said(control(time))) for time in times]
    return (yield from one_of("clock", bars, usual, times=", ".join(filter(None, times))))


def time_said(given: Control | None) -> Reason:
    """How time is given, in words."""
    if not given:
        return Reason("menu.no-clock")
    minutes = f"{given.main / 60:g}"
    if given.periods:
        return Reason.of("menu.clock-periods", minutes=minutes, count=given.periods, seconds=f"{given.period:g}")
    if given.increment:
        return Reason.of("menu.clock-increment", minutes=minutes, seconds=f"{given.increment:g}")
    return Reason.of("menu.clock-minutes", minutes=minutes)


def begun(then: Callable[[], Dialogue[Answer]]) -> Dialogue[Answer]:
    """After a start with an unfinished game: go on with it, or begin another by the dialogue `then`."""
    if (yield from one_of("begun", [option("go-on"), option("new")], "go-on")) == "go-on":
        return "go-on"
    return (yield from then())


def pause(then: Callable[[], Dialogue[Answer]]) -> Dialogue[Answer]:
    """In mid-game: go on, begin another game by the dialogue `then`, or end this one."""
    doing = yield from one_of("pause", [option("go-on"), option("new"), option("end")], "go-on")
    if doing == "new":
        return (yield from then())
    if doing == "end":
        how = yield from one_of("end", [option(each) for each in DOINGS], "go-on")
        return next(each for each in DOINGS if each == how)
    return "go-on"


# The menu on the board ----------------------------------------------------------------------------


Lit = dict[str, int]
"""The points of a sign, each with the piece whose colour it takes."""


class Menu(Generic[T]):
    """A dialogue on all points of a board; `result` is what it returned, once it is `over`."""

    def __init__(
        self,
        board: Board,
        scanner: Scanner,
        lights: Lights,
        dialogue: Callable[[], Dialogue[T]],
        light_settings: LightSettings,
    ) -> None:
        self._board = board
        self._points = tuple(board.places)
        self._scanner = scanner
        self.light = LightOutput(lights, self._points, light_settings)
        self._debounce = Debounce()
        self._dialogue = dialogue
        self._answers: list[str] = []
        self._frame: object = None
        self._blind = False
        self.result: T | None = None
        self.over = False
        self._events = self._ask()

    def _ask(self) -> list[Event]:
        """Run the dialogue from its beginning with the answers so far, to the question after them."""
        dialogue = self._dialogue()
        try:
            self.question = next(dialogue)
            for answer in self._answers:
                self.question = dialogue.send(answer)
        except StopIteration as end:
            self.result, self.over = end.value, True
            return []
        self.signs = place_signs(self.question, self._board)
        self.scene = signs_scene(self.signs)
        self._empty: set[str] = set()
        self._choice, self._since = -1, inf
        self._frame = None
        return [Event("choose", self.question.say)]

    # Scans and buttons ------------------------------------------------------------------------

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
        """Find the sign that holds a stone; a stone counts only where the site was empty since the question was put."""
        self._empty.update(point for point, level in levels.items() if level == 0)
        put = {point for point in self._empty if levels[point]}
        touched = {number for number, sign in enumerate(self.signs) if not put.isdisjoint(sign)}
        choice = touched.pop() if len(touched) == 1 else -1
        if choice != self._choice:
            self._choice, self._since = choice, now if choice >= 0 else inf
        was, self._blind = self._blind, all(level is None for level in levels.values())
        if self._blind == was:
            return []
        return [blind_event(self._scanner.trouble) if self._blind else Event.of("sighted")]

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
        """Darken the lights."""
        self.light.close()


def signs_scene(signs: Sequence[Lit]) -> Scene:
    """The signs, each in a rhythm a little later than the one before."""
    cues = {
        point: Cue("choose", level, phase=number * PHASE)
        for number, sign in enumerate(signs)
        for point, level in sign.items()
    }
    return Scene(cues)


# Where the signs lie ------------------------------------------------------------------------------


def place_signs(question: Question, board: Board) -> list[Lit]:
    """The points of the sign of each choice; at least one point of each sign is sensed.

    On boards of squares up to four signs are drawn, each in a corner; more are bars of one, two, three lights and so
    on. On other boards a sign is a row of as many points, or a single point where there are too many signs.
    """
    count = len(question.choices)
    if not board.grid:
        signs = runs(count, tuple(board.places))
    elif draws(count, board):
        signs = drawings(question, board)
    else:
        signs = bars(count, board)
    return reachable(list(signs), board)


def draws(count: int, board: Board) -> bool:
    """Whether there is room on the board to draw so many signs."""
    return board.grid and count <= 4 and min(board.size) >= 8


def reachable(signs: list[Lit], board: Board) -> list[Lit]:
    """The signs, each with a point that is sensed: a sign without one gets the nearest that no other sign has."""
    for number, sign in enumerate(signs):
        if sign and not any(point in board.channels for point in sign):
            near = board.places[next(iter(sign))]
            free = [point for point in board.channels if not any(point in other for other in signs)]
            if free:
                nearest = min(free, key=lambda point: dist(near, board.places[point]))
                signs[number] = sign | {nearest: next(iter(sign.values()))}
    return signs


def drawings(question: Question, board: Board) -> Iterator[Lit]:
    """Two signs one above the other, the first nearer; or four in the corners of the board, the first top left."""
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
    """One point for the first choice, two for the second and so on, a dark one between; a point each if too many."""
    if count * (count + 3) // 2 - 1 > len(points):
        return ({points[number]: 0} for number in range(count))
    starts = (number * (number + 3) // 2 for number in range(count))
    return (dict.fromkeys(points[start : start + number + 1], 0) for number, start in enumerate(starts))


say(
    "table",
    ask_game="Which game? Put a stone on one of the lit signs, from the top left: {games}.",
    ask_game_of_many="Which game? Put a stone on one of the bars or points of light, which are, in order: {games}.",
    ask_who="Who plays? Two people (two lights), or a person who begins, or does not, and the computer (the square).",
    ask_who_or_learn="Who plays? Two people (two lights), or a person who begins, or does not, and the computer "
    "(the square). Or learn the game (the question mark).",
    ask_lesson_or_puzzle="Which lesson? Put a stone on one of the bars, the last of which is for puzzles; Done takes "
    "the first lesson that was not solved.",
    ask_lesson="Which lesson? Put a stone on one of the bars; Done takes the first that was not solved.",
    ask_level="How well shall the computer play? Put a stone on one of the bars: the first is a child's first game.",
    ask_clock="How much time has each player? Put a stone on one of the bars: the first is for none, then come "
    "{times} (minutes, and seconds more after each turn).",
    ask_mode="How much shall the lights tell? All, what is wrong (the mark of exclamation), or only what must be told.",
    ask_sides="On which side does the first player sit? Put a stone on the sign before that player.",
    ask_brightness="How bright shall the lights be? Put a stone on one of the bars.",
    ask_begun="Go on with the game that was not finished (the arrow), or begin a new one (the cross)?",
    ask_pause="Go on (the arrow), begin a new game (the upright cross), or end this one (the slanting one)?",
    ask_end="How does it end? The first player resigns (one light), the second (two), both agree on a draw (bars), "
    "or it goes on (the arrow).",
    begins="{game}: set the board up as the lights show.",
    goes_on_with="{game} goes on where it stood.",
    left_out="A game is left out: {fault}.",
    off="The table is switched off.",
)
say(
    "menu",
    game="{game}.",
    people="Two people play.",
    first_engine="The computer begins.",
    learn="Learn the game.",
    lesson="Lesson {number}.",
    puzzle="Puzzles.",
    second_engine="The computer plays second.",
    level="The computer plays at level {level} of 8.",
    no_clock="Without clocks.",
    clock_minutes="Each player has {minutes} minutes.",
    clock_increment="Each player has {minutes} minutes, and {seconds} seconds more after each turn.",
    clock_periods="Each player has {minutes} minutes, then {count} periods of {seconds} seconds.",
    coach="The lights tell all.",
    referee="The lights tell what is wrong.",
    quiet="The lights tell only what must be.",
    near="The first player sits at the near side.",
    far="The first player sits at the far side.",
    brightness="Brightness {level} of 255.",
    go_on="The game goes on.",
    new="A new game.",
    end="The game is to end.",
    first="The first player resigns.",
    second="The second player resigns.",
    agree="Both agree on a draw.",
)
