"""What is asked of the search in another process, and what it answers: MessagePack, one packet each."""

from __future__ import annotations

from msgspec import Struct, msgpack

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
