"""The book of openings of a game: first turns that are about equally good, so that evenings begin differently.

    opened(game, position, seed)        # a turn of the book, with its value; None outside it

A file ``<game>.openings`` in the game's folder has a line of JSON that tells how it was made, then a line for each
position: its text, what a search expects of it for the side to move, and replies, each with its weight and what it
loses beside the best by that search. `benchmarks.openings` makes it. A book is read when it is first asked, and only
for a game with its usual options. One that cannot be read is no book: the engine thinks instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from firmware_bridge.engine import Found
from games.fast import folder
from games.rules import Game, Position

LARGEST = 60_000
"""Bytes of a book at most."""


class Reply(NamedTuple):
    """A turn of the book: how often it is played beside the others, and the expected score (0..1) that it loses."""

    turn: str
    weight: int
    loss: float


class Entry(NamedTuple):
    """A position of the book: the expected score of its side to move, and the replies, the best first."""

    value: float
    replies: tuple[Reply, ...]


def place(game: Game[Any]) -> Path | None:
    """Where the book of `game` is, if it has one; None of a game without a folder."""
    package = folder(game)
    return Path(import_module(package).__path__[0]) / f"{game.name}.openings" if package else None


def opened(game: Game[Any], position: Position, seed: int) -> Found | None:
    """A turn of the book: the same for the same seed; None where the book does not have the position."""
    if any(value != game.options[name][0] for name, value in game.chosen.items()):
        return None
    entry = book(place(game)).get(str(position))
    if not entry:
        return None
    weights = [reply.weight for reply in entry.replies]
    reply = Random(f"{seed} {position}").choices(entry.replies, weights)[0]
    others = tuple((each.turn, entry.value - each.loss) for each in entry.replies if each != reply)
    return Found(reply.turn, entry.value - reply.loss, (reply.turn,), 0, False, others)


@lru_cache(maxsize=4)
def book(path: Path | None) -> Mapping[str, Entry]:
    """Position -> what the book at `path` says of it; empty where there is none that can be read."""
    if not path:
        return {}
    try:
        with path.open("rb") as file:
            _, *lines = file.read(LARGEST + 1).splitlines()
        return dict(map(entry, lines))
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def entry(line: bytes) -> tuple[str, Entry]:
    """A position of a book from its line; ValueError, TypeError, KeyError."""
    told = json.loads(line)
    return told["position"], Entry(told["value"], tuple(Reply(*reply) for reply in told["replies"]))
