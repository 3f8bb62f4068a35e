"""Positions by name, and short questions to the game."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from tablelight_chess import GAME
from tablelight_chess.rules import Diagram

from games.acts import Act
from games.conformance import Ply, Sample, sampled
from games.rules import IllegalTurn, PositionError, Turn, play

CHESS = GAME()
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
"""Nothing but kings and rooks, and all castlings."""
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
POSITIONS = (
    ROOKS,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
    "7k/8/8/8/8/8/8/K6R b - -",
)
"""Castling, pins, promotion, a capture en passant, a check."""


def at(text: str) -> Diagram:
    """The position of this text; where it says no more than the pieces, White is to move and nothing else is so."""
    return CHESS.position(text if " " in text else f"{text} w - -")


def texts(position: Diagram, origin: str = "") -> set[str]:
    """The texts of the legal turns that begin so."""
    return {turn.text for turn in CHESS.turns(position) if turn.text.startswith(origin)}


def turn(position: Diagram, text: str) -> Turn[Diagram]:
    """The legal turn `text`."""
    (found,) = (turn for turn in CHESS.turns(position) if turn.text == text)
    return found


def acts(position: Diagram, text: str) -> list[Act]:
    """What hands do in it."""
    return list(turn(position, text).acts)


def after(position: Diagram, *turns: str) -> Diagram:
    """The position after these turns."""
    for text in turns:
        position = play(CHESS, position, text)
    return position


def refusal(position: Diagram, text: str) -> str:
    """What a player reads who plays `text` although the rules refuse it."""
    with pytest.raises(IllegalTurn) as caught:
        play(CHESS, position, text)
    return str(caught.value)


def complaint(text: str) -> str:
    """What is said about a position text that cannot be read."""
    with pytest.raises(PositionError) as caught:
        CHESS.position(text)
    return str(caught.value)


@cache
def sample() -> Sample:
    """The named positions, and plies spread over whole random games, the last of them included."""
    random = sampled(CHESS, *(Random(seed) for seed in range(4)), kept=16, most=400)
    named = (Ply(at(text), CHESS.turns(at(text)), None) for text in POSITIONS)
    return random._replace(plies=(*named, *random.plies))
