"""Boards drawn in tests, random games, and short questions to a game."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import more_games
import pytest

from games import conformance
from games.conformance import Ply
from games.rules import Game, IllegalTurn, Position, PositionError, Turn, perft, play

FOLDERS = tuple(sorted(module.name for module in pkgutil.iter_modules(more_games.__path__) if module.ispkg))
"""The games of this distribution, as their folders are named."""


@cache
def game(name: str) -> Game[Any]:
    """The game in the folder `name`, with its default options."""
    loaded: Game[Any] = import_module(f"more_games.{name.replace('-', '_')}").GAME()
    return loaded


def walk(game: Game[Any], seed: int, most: int = 300) -> Iterator[Ply]:
    """A random game to its end, or its first `most` plies."""
    return conformance.walk(game, Random(seed), most)


@cache
def sample(name: str) -> conformance.Sample:
    """Some plies of three random games of the game in the folder `name`, the last ones included."""
    return conformance.sampled(game(name), *map(Random, range(3)))


def board(drawing: str) -> str:
    """The rows of a drawing, from the top one down, as a position text writes them; blanks only space it out."""
    return "/".join("".join(line.split()) for line in drawing.strip().splitlines())


def texts(game: Game[Any], position: Position) -> set[str]:
    """The texts of the legal turns."""
    return {turn.text for turn in game.turns(position)}


def turn(game: Game[Any], position: Position, text: str) -> Turn[Any]:
    """The legal turn `text`."""
    (found,) = (turn for turn in game.turns(position) if turn.text == text)
    return found


def refusal(game: Game[Any], position: Position, text: str) -> str:
    """What a player reads who plays `text` although the rules refuse it."""
    with pytest.raises(IllegalTurn) as caught:
        play(game, position, text)
    return str(caught.value)


def faults(game: Game[Any], position: Position, text: str) -> set[str]:
    """The reasons of the listed illegal turns with this text."""
    return {str(turn.reason) for turn in game.refused(position) if turn.text == text}


def complaint(game: Game[Any], text: str) -> str:
    """What is said about a position text that cannot be read."""
    with pytest.raises(PositionError) as caught:
        game.position(text)
    return str(caught.value)


def sequences(game: Game[Any], depth: int) -> list[int]:
    """The number of turn sequences of length 1, 2, ... `depth`."""
    return [count.sequences for count in perft(game, depth)]
