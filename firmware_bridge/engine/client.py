"""A table's questions to the search, and the answers so far.

    inquiry = searcher.ask(question(sheet), now)
    searcher.listen(now)                        # after each scan; inquiry.answer gets better until inquiry.over

A table asks one question at a time; a new one takes the place of the last. `ProcessSearch` has each answered by a
process of its own and never waits; `LocalSearch` answers at once, in the caller's process. Questions and answers
between processes are MessagePack, one packet each. `answers` works them out, in either process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import inf
from random import randrange
from typing import Protocol

from msgspec import Struct, msgpack
from msgspec.structs import replace

from firmware_bridge.engine import Found, Search, engine, never
from firmware_bridge.engine.calibration import calibrated
from firmware_bridge.score import ScoreSheet
from firmware_bridge.worker import Loss, Worker
from games.rules import load

LARGEST = 1 << 18
"""Bytes of a packet at most; guessed, far more than any question or answer has."""
ANSWERS_PER_SCAN = 8
"""Answers that are read after one scan at most, so that a scan stays short; guessed."""
RESTARTS = 3
"""How often the process may end over one question before no answer is expected; guessed."""
LONGEST = 300.0
"""Seconds after which the process is given up over one question; a guess: the slowest level on a small computer needs
less than half."""
HINT_SECONDS = 10.0
"""Seconds for which a hint deepens; guessed."""
LOCAL_NODES = 2000
"""Nodes to which `LocalSearch` limits a hint, since the caller waits; guessed."""


# Questions and answers ------------------------------------------------------------------------


class Ask(Struct, frozen=True):
    """The question which turn is good in `position`."""

    game: str
    options: dict[str, int | str]
    position: str
    stood: tuple[str, ...] = ()
    """The positions that have stood twice."""
    level: int = 0
    """1 to 8: the turn that a player of this level makes; 0: the best that is found within `nodes` or `seconds`."""
    seconds: float = HINT_SECONDS
    """The limit where `nodes` is 0."""
    nodes: int = 0
    seed: int = 0
    among: tuple[str, ...] = ()
    """The turns to choose from; all if empty."""
    number: int = 0
    """Its answers bear the same number."""


class Answer(Struct, frozen=True):
    """The best answer so far to the question of this number; a `final` one is the last. See `engine.Found`.

    Its values are expected scores as games bear them out (`engine.calibration`); a level's are the search's own."""

    number: int
    turn: str
    value: float
    line: tuple[str, ...]
    nodes: int
    proved: bool
    others: tuple[tuple[str, float], ...]
    final: bool
    errors: tuple[float, ...] = ()


pack = msgpack.Encoder().encode
_questions = msgpack.Decoder(Ask)
_answers = msgpack.Decoder(Answer)


def read_ask(data: bytes) -> Ask | None:
    """The question in a packet; None if there is none."""
    try:
        return _questions.decode(data)
    except (ValueError, RecursionError):
        return None


def read_answer(data: bytes) -> Answer | None:
    """The answer in a packet; None if there is none."""
    try:
        return _answers.decode(data)
    except (ValueError, RecursionError):
        return None


def answers(ask: Ask, stop: Callable[[], bool] = never) -> Iterator[Answer]:
    """Better and better answers; the last one is final, unless `stop()` ends them before."""
    found = None
    for found in _found(ask, stop):
        if stop():
            return
        yield _answer(ask, found, final=False)
    if found:
        yield _answer(ask, found, final=True)


def _answer(ask: Ask, found: Found, *, final: bool) -> Answer:
    told = (found.turn, found.value, found.line, found.nodes, found.proved, found.others)
    return Answer(ask.number, *told, final, found.errors)


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
    for found in search.find(position, history=history, stop=stop, among=ask.among, **limits):
        yield calibrated(game, found)


@lru_cache(maxsize=4)
def _search(name: str, options: tuple[tuple[str, int | str], ...], seed: int) -> Search:
    return engine(load(name, **dict(options)), seed)


# Asking ---------------------------------------------------------------------------------------


class Inquiry:
    """A question, and the best answer to it so far."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.answer: Answer | None = None
        self.over = False
        """Whether no better answer will come."""

    def take(self, answer: Answer) -> None:
        """Replace the answer by a better one."""
        self.answer, self.over = answer, answer.final


class Searcher(Protocol):
    """What answers questions; `now` is in seconds."""

    luck: int
    """The seed by which the engine chooses between turns that it values alike: another one makes another game."""
    failing: bool
    """Whether no answer is to be expected."""

    @property
    def worker(self) -> Worker | None:
        """The process that searches, if it is one of its own."""

    def ask(self, question: Ask, now: float) -> Inquiry:
        """Begin with `question`, and give up the one before."""

    def listen(self, now: float) -> None:
        """Take in what has been answered since."""

    def news(self) -> Loss | None:
        """What became of the process that searches, if it was lost; told once."""

    def close(self) -> None:
        """End the search; nothing may be asked after that."""


class LocalSearch:
    """Answers at once while the caller waits: for simulated tables, whose time is virtual. `nodes` limit a hint."""

    failing = False
    worker = None

    def __init__(self, nodes: int = LOCAL_NODES, luck: int = 0) -> None:
        self.luck = luck
        self._nodes = nodes

    def ask(self, question: Ask, now: float) -> Inquiry:
        """Answer `question`."""
        inquiry = Inquiry(replace(question, nodes=self._nodes))
        for answer in answers(inquiry.ask):
            inquiry.take(answer)
        return inquiry

    def listen(self, now: float) -> None:
        """Nothing is left to take in: `ask` has answered."""

    def news(self) -> None:
        """There is no process that could be lost."""

    def close(self) -> None:
        """Nothing to do."""


class ProcessSearch:
    """Answers from a process of its own, which is started when the first question comes; no call waits for it."""

    def __init__(self, worker: Worker | None = None) -> None:
        self.worker = worker or Worker("firmware_bridge.engine", largest=LARGEST)
        self.luck = randrange(1 << 30)
        self.failing = False
        self._inquiry: Inquiry | None = None
        self._asked = 0
        """How many questions were asked: the number of the last one."""
        self._told = 0
        """Which process was told the question, by the worker's count of starts; 0 for none yet."""
        self._due = inf
        """When the process is given up, in seconds."""
        self._starts = 0
        """The worker's count of starts when the question was asked."""

    def ask(self, question: Ask, now: float) -> Inquiry:
        """Begin with `question`, and give up the one before."""
        self._asked += 1
        self._inquiry, self._told = Inquiry(replace(question, number=self._asked)), 0
        self._starts, self.failing = self.worker.starts, False
        self.listen(now)
        return self._inquiry

    def listen(self, now: float) -> None:
        """Take in what has been answered since; a new process is told the question again after the last has died."""
        inquiry = self._inquiry if self._inquiry and not self._inquiry.over else None
        if not (inquiry or self.worker.starts) or not self.worker.alive(now):
            return
        if inquiry and self._told != self.worker.starts and self.worker.send(pack(inquiry.ask)):
            self._told, self._due = self.worker.starts, now + LONGEST
            self.failing = self._told - self._starts > RESTARTS
        if inquiry and self._told and now > self._due:
            self.worker.give_up()
        for _ in range(ANSWERS_PER_SCAN):
            data = self.worker.receive()
            if not data:
                return
            told = read_answer(data)
            if inquiry and told and told.number == inquiry.ask.number:
                inquiry.take(told)

    def news(self) -> Loss | None:
        """What became of the process, if it was lost; told once."""
        return self.worker.news()

    def close(self) -> None:
        """End the process."""
        self.worker.close()


def question(sheet: ScoreSheet, level: int = 0, seed: int = 0, among: tuple[str, ...] = ()) -> Ask:
    """The question what to play in the last position of `sheet`; see `Ask`."""
    game, stood = sheet.game, tuple(map(str, sheet.stood_twice))
    options = dict(game.chosen)
    return Ask(game.name, options, str(sheet.position), stood, level, HINT_SECONDS, seed=seed, among=among)
