"""The positions of a game as they are weighed, one after another: what the process of a report tells on its way.

Nothing of the search is loaded with this module, for the page's server reads what it writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, msgpack

from games.acts import Act

if TYPE_CHECKING:
    from firmware_bridge.analysis.evaluation import EvaluatedTurn, Evaluation
    from firmware_bridge.score import ScoreSheet


class Better(Struct, frozen=True):
    """A turn that was better than the one played; `much`: by so much that the turn played is a turning point."""

    turn: str
    acts: tuple[Act, ...]
    much: bool


class Moment(Struct, frozen=True):
    """The position after `number` turns, `of` so many; `value` and `proved` as `Standing` has them."""

    number: int
    of: int
    value: float
    proved: bool
    better: Better | None = None
    """None, too, for the last position."""
    puzzle: bool = False
    """Whether the better turn is so by far, and alone."""


def moment(
    sheet: ScoreSheet, number: int, known: Evaluation, turn: EvaluatedTurn | None, *, puzzle: bool = False
) -> Moment:
    """What is `known` of a position of the game, and of the `turn` made there; whether it makes a `puzzle`."""
    from firmware_bridge.analysis.evaluation import LEAST  # only where games are weighed

    better = None
    if turn and turn.better:
        text, position = turn.better.line[0], sheet.played_turns[number].position
        acts = next(each.acts for each in sheet.game.turns(position) if each.text == text)
        better = Better(text, acts, turn.made.loss >= LEAST)
    return Moment(number, sheet.length, known.value, known.proved, better, puzzle)


pack = msgpack.Encoder().encode
_moments = msgpack.Decoder(Moment)


def read(packet: bytes) -> Moment:
    """A moment read back; DecodeError."""
    return _moments.decode(packet)
