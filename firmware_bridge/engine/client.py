"""Questions to the search, and what has been answered so far: in a process of its own, or here and now.

A table asks one question at a time; the next one takes its place.

What is asked of the search in another process, and what it answers: MessagePack, one packet each.

Answers to the questions of a table, wherever they are asked from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from random import randrange
from typing import Protocol

from msgspec import Struct, msgpack
from msgspec.structs import replace

from firmware_bridge.engine import Found, Search, engine, never
from firmware_bridge.score import ScoreSheet
from firmware_bridge.worker import Worker
from games.rules import Game, Position, load

LARGEST = 1 << 18
"""Bytes of a packet at most."""


class Ask(Struct, frozen=True):
    """A good turn is wanted in `position`; a later question takes the place of an earlier one.

    `level` 1 to 8: the turn that a player of this level makes; 0: as good as can be found in `seconds`, or within
    `nodes` if that is not 0. `stood`: the positions that have stood twice. `among`: the turns to choose from, if not
    all. An answer bears the `number` of its question.
    """

    game: str
    options: dict[str, int | str]
    position: str
    stood: tuple[str, ...] = ()
    level: int = 0
    seconds: float = 10.0
    nodes: int = 0
    seed: int = 0
    among: tuple[str, ...] = ()
    number: int = 0


class Answer(Struct, frozen=True):
    """The best answer so far to the question of this number; none better follows a `final` one. See `engine.Found`."""

    number: int
    turn: str
    value: float
    line: tuple[str, ...]
    nodes: int
    proved: bool
    others: tuple[tuple[str, float], ...]
    final: bool


pack = msgpack.Encoder().encode
_questions = msgpack.Decoder(Ask)
_answers = msgpack.Decoder(Answer)


def read_ask(data: bytes) -> Ask | None:
    """A question read back; None if it is none."""
    try:
        return _questions.decode(data)
    except (ValueError, RecursionError):
        return None


def read_answer(data: bytes) -> Answer | None:
    """An answer read back; None if it is none."""
    try:
        return _answers.decode(data)
    except (ValueError, RecursionError):
        return None


def answers(ask: Ask, stop: Callable[[], bool] = never) -> Iterator[Answer]:
    """Ever better answers, the last one final, unless `stop()` comes before."""
    found = None
    for found in _found(ask, stop):
        if stop():
            return
        yield answer(ask, found, final=False)
    if found:
        yield answer(ask, found, final=True)


def answer(ask: Ask, found: Found, *, final: bool) -> Answer:
    """What was found, as an answer."""
    return Answer(ask.number, found.turn, found.value, found.line, found.nodes, found.proved, found.others, final)


def _found(ask: Ask, stop: Callable[[], bool]) -> Iterator[Found]:
    game = load(ask.game, **ask.options)
    position = game.position(ask.position)
    history = [game.position(text) for text in ask.stood for _ in range(2)]
    if ask.level:
        from firmware_bridge.engine.levels import chosen

        yield chosen(game, ask.level, position, history, ask.seed, stop)
        return
    search = _search(ask.game, tuple(ask.options.items()), ask.seed)
    limits = {"nodes": ask.nodes} if ask.nodes else {"seconds": ask.seconds}
    yield from search.find(position, history=history, stop=stop, among=ask.among, **limits)


@lru_cache(maxsize=4)
def _search(name: str, options: tuple[tuple[str, int | str], ...], seed: int) -> Search:
    return engine(load(name, **dict(options)), seed)


A_SCAN = 8
"""Answers that are read in a scan at most."""
MOST_STARTS = 3
"""How often a process may end over one question."""
DEEPEST = 10.0
"""Seconds for which a hint deepens."""
HERE = 2000
"""Nodes for which one deepens that is looked for here and now."""


class Inquiry:
    """A question, and the best answer to it so far."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.answer: Answer | None = None
        self.over = False
        """Whether no better answer will come."""

    def take(self, answer: Answer) -> None:
        """There is a better answer."""
        self.answer, self.over = answer, answer.final


class Searcher(Protocol):
    """Whoever answers questions."""

    luck: int
    """Decides between turns that the engine likes as well; others make other games."""
    failing: bool
    """Whether no answer is to be expected."""

    def ask(self, question: Ask, now: float) -> Inquiry:
        """Begin with `question` at `now` (seconds), and leave the one before."""

    def listen(self, now: float) -> None:
        """Take note of what has been answered."""

    def close(self) -> None:
        """No questions any more."""


class LocalSearch:
    """Answers at once, while the table waits: for a table in a time of its own. `nodes` limit a hint."""

    failing = False

    def __init__(self, nodes: int = HERE, luck: int = 0) -> None:
        self.luck = luck
        self._nodes = nodes

    def ask(self, question: Ask, now: float) -> Inquiry:
        """Answer `question`."""
        thought = Inquiry(replace(question, nodes=self._nodes))
        for answer in answers(thought.ask):
            thought.take(answer)
        return thought

    def listen(self, now: float) -> None:
        """All has been answered."""

    def close(self) -> None:
        """Nothing to do."""


class ProcessSearch:
    """Answers from a process of its own, which is started when the first question comes; nothing here waits."""

    def __init__(self, worker: Worker | None = None) -> None:
        self.worker = worker or Worker("firmware_bridge.engine", largest=LARGEST)
        self.luck = randrange(1 << 30)
        self.failing = False
        self._thought: Inquiry | None = None
        self._asked = self._told = self._starts = 0

    def ask(self, question: Ask, now: float) -> Inquiry:
        """Begin with `question`."""
        self._asked += 1
        self._thought, self._told = Inquiry(replace(question, number=self._asked)), 0
        self._starts, self.failing = self.worker.starts, False
        self.listen(now)
        return self._thought

    def listen(self, now: float) -> None:
        """Take note of what has been answered; a worker that has died is asked again when there is a new one."""
        thought = self._thought
        if not thought or thought.over or not self.worker.alive(now):
            return
        if self._told != self.worker.starts and self.worker.send(pack(thought.ask)):
            self._told = self.worker.starts
            self.failing = self._told - self._starts > MOST_STARTS
        for _ in range(A_SCAN):
            data = self.worker.receive()
            if not data:
                return
            told = read_answer(data)
            if told and told.number == thought.ask.number:
                thought.take(told)

    def close(self) -> None:
        """End the process."""
        self.worker.close()


def question(sheet: ScoreSheet, level: int = 0, seed: int = 0, among: tuple[str, ...] = ()) -> Ask:
    """What to play in the position that `sheet` has come to; see `Ask`."""
    game, stood = sheet.game, tuple(map(str, sheet.stood_twice))
    options = dict(game.chosen)
    return Ask(game.name, options, str(sheet.position), stood, level, DEEPEST, seed=seed, among=among)


def searchable(game: Game[Position]) -> bool:
    """Whether the engine knows the game."""
    return find_spec(f"games.fast.{game.name.replace('-', '_')}") is not None
