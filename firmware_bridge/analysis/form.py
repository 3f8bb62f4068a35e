"""An analysis as data, and so as JSON: every key is there each time; docs/analysis.md tells them for other programs.

Values are expected scores of player 0, the first of `players`: 0 lost, 0.5 drawn, 1 won, in hundredths.
"""

from __future__ import annotations

from msgspec import Struct

from games.rules import Reason

FORMAT = 2
"""The version of the form; a later one with the same number only has more keys."""
LEAST = 0.15
"""The expected score that a turning point has lost at least."""
MOST = 5
"""Turning points of a game."""
LITTLE = 0.02
"""The expected score by which a turn is better at least; less may be the searches' own error."""


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


class Made(Struct, frozen=True):
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
    turns: tuple[Made, ...]
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
