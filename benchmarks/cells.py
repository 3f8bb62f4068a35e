"""What is measured: each game under each sense, by which hands, with which faults, in random games by seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from games.rules import Game, Position, Turn, load, names
from hardware.device import Sense


class Cell(NamedTuple):
    """A game and what its sensors can tell."""

    game: str
    sense: Sense

    def __str__(self) -> str:
        return f"{self.game}:{self.sense.value}"


class Trouble(NamedTuple):
    """Whose hands, and what ails the sensors: names of `HANDS` and `FAULTS`."""

    hands: str = "steady"
    fault: str = "none"


CLEAN = Trouble()


def cells(*, others: bool = False) -> list[Cell]:
    """Every game under every sense that makes sense for its pieces: the four, or all `others` that are installed."""
    seeing = {"stones": (Sense.PRESENCE, Sense.COLOUR), "seeds": (Sense.PRESENCE, Sense.COUNT)}
    chosen = [name for name in names(installed=others) if not others or name not in names()]
    return [Cell(name, sense) for name in chosen for sense in seeing[load(name).pieces]]


def random_turns(game: Game[Position], seed: int) -> Iterator[Turn[Position]]:
    """A random game; forced passes are the table's to play, and left out."""
    choose, position = random.Random(seed), game.start()
    while turns := game.turns(position):
        turn = choose.choice(turns)
        if [turn.text for turn in turns] != ["pass"]:
            yield turn
        position = turn.after
