"""Questions to the search, and what has been answered so far: in a process of its own, or here and now.

A table asks one question at a time; the next one takes its place.
"""

from __future__ import annotations

from importlib.util import find_spec
from random import randrange
from typing import Protocol

from msgspec.structs import replace

from firmware_bridge.engine.questions import LARGEST, Answer, Ask, pack, read_answer
from firmware_bridge.score import Sheet
from firmware_bridge.worker import Worker
from games.rules import Game, Position

A_SCAN = 8
"""Answers that are read in a scan at most."""
MOST_BIRTHS = 3
"""How often a process may end over one question."""
DEEPEST = 10.0
"""Seconds for which a hint deepens."""
HERE = 2000
"""Nodes for which one deepens that is looked for here and now."""


class Thought:
    """A question, and the best answer to it so far."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.answer: Answer | None = None
        self.over = False
        """Whether no better answer will come."""

    def take(self, answer: Answer) -> None:
        """There is a better answer."""
        self.answer, self.over = answer, answer.final


class Thinker(Protocol):
    """Whoever answers questions."""

    luck: int
    """Decides between turns that the engine likes as well; others make other games."""
    failing: bool
    """Whether no answer is to be expected."""

    def ask(self, question: Ask, now: float) -> Thought:
        """Begin with `question` at `now` (seconds), and leave the one before."""

    def listen(self, now: float) -> None:
        """Take note of what has been answered."""

    def close(self) -> None:
        """No questions any more."""


class Here:
    """Answers at once, while the table waits: for a table in a time of its own. `nodes` limit a hint."""

    failing = False

    def __init__(self, nodes: int = HERE, luck: int = 0) -> None:
        self.luck = luck
        self._nodes = nodes

    def ask(self, question: Ask, now: float) -> Thought:
        """Answer `question`."""
        from firmware_bridge.engine.answers import answers  # not where a process of its own does

        thought = Thought(replace(question, nodes=self._nodes))
        for answer in answers(thought.ask):
            thought.take(answer)
        return thought

    def listen(self, now: float) -> None:
        """All has been answered."""

    def close(self) -> None:
        """Nothing to do."""


class Apart:
    """Answers from a process of its own, which is started when the first question comes; nothing here waits."""

    def __init__(self, worker: Worker | None = None) -> None:
        self.worker = worker or Worker("firmware_bridge.engine", largest=LARGEST)
        self.luck = randrange(1 << 30)
        self.failing = False
        self._thought: Thought | None = None
        self._asked = self._told = self._births = 0

    def ask(self, question: Ask, now: float) -> Thought:
        """Begin with `question`."""
        self._asked += 1
        self._thought, self._told = Thought(replace(question, number=self._asked)), 0
        self._births, self.failing = self.worker.births, False
        self.listen(now)
        return self._thought

    def listen(self, now: float) -> None:
        """Take note of what has been answered; a worker that has died is asked again when there is a new one."""
        thought = self._thought
        if not thought or thought.over or not self.worker.alive(now):
            return
        if self._told != self.worker.births and self.worker.send(pack(thought.ask)):
            self._told = self.worker.births
            self.failing = self._told - self._births > MOST_BIRTHS
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


def question(sheet: Sheet, level: int = 0, seed: int = 0, among: tuple[str, ...] = ()) -> Ask:
    """What to play in the position that `sheet` has come to; see `Ask`."""
    game, stood = sheet.game, tuple(map(str, sheet.stood_twice))
    options = dict(game.chosen)
    return Ask(game.name, options, str(sheet.position), stood, level, DEEPEST, seed=seed, among=among)


def searchable(game: Game[Position]) -> bool:
    """Whether the engine knows the game."""
    return find_spec(f"games.fast.{game.name.replace('-', '_')}") is not None
