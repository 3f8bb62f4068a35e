"""Tables of endings, worked out once and looked up by alpha-beta: which games have one, and their files.

The tables themselves are the games' own (`games.endings`); `build` works them out.
"""

from __future__ import annotations

import hashlib
import os
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from games.endings import Endings, Kind
from games.fast import beside, folder
from games.rules import Game
from hardware import files

DIGEST = 32
"""Bytes of the SHA-256 at the end of a file."""


class EndgameError(Exception):
    """A file of endings cannot be used; the text says which and why."""


def kind(game: Game[Any]) -> Kind | None:
    """What works out the endings of `game`; None if it has none."""
    module = beside(game, "endgame")
    return cast(Kind, module) if module else None


def place(game: Game[Any]) -> Path:
    """Where the user's endings of `game` are kept: in the user's own state folder."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "tablelight" / f"{game.name}.endings"


def shipped(game: Game[Any]) -> Path:
    """Where the endings that come with `game` are kept: in its folder."""
    return Path(import_module(folder(game)).__path__[0]) / f"{game.name}.endings"


def stored(game: Game[Any]) -> Endings | None:
    """The endings of `game` with the largest reach, the user's or those of its folder; None if none can be used."""
    if not kind(game):
        return None
    tables = (usable(game, path) for path in (place(game), shipped(game)))
    return max((table for table in tables if table), key=lambda table: table.reach, default=None)


def usable(game: Game[Any], path: Path) -> Endings | None:
    """The endings saved at `path`; None if they cannot be used."""
    try:
        return read(game, path)
    except EndgameError:
        return None


def heading(game: Game[Any]) -> bytes:
    """The first line of a file of endings."""
    return f"tablelight: endings of {game.name}, 1\n".encode()


def write(game: Game[Any], path: Path, reach: int, table: bytes) -> None:
    """Save a packed table with its heading, its reach and a digest; the file appears whole or not at all; OSError."""
    data = heading(game) + bytes([reach]) + table
    files.write(path, data + hashlib.sha256(data).digest())


def read(game: Game[Any], path: Path) -> Endings:
    """The endings that `write` saved at `path`; `EndgameError` if they cannot be used."""
    start, endings = heading(game), kind(game)
    if not endings:
        raise EndgameError(f"{path}: {game.title} has no endings")
    try:
        with path.open("rb") as file:
            data = file.read(len(start) + 1 + endings.most() + DIGEST + 1)
    except OSError as error:
        raise EndgameError(f"{path}: {error.strerror or error}") from None
    whole, digest = data[:-DIGEST], data[-DIGEST:]
    if not whole.startswith(start) or len(whole) == len(start):
        raise EndgameError(f"{path}: not a file of endings of {game.title}; build it again")
    damaged = EndgameError(f"{path}: damaged; delete it and build it again")
    if hashlib.sha256(whole).digest() != digest:
        raise damaged
    try:
        return endings.unpacked(whole[len(start)], whole[len(start) + 1 :])
    except ValueError:
        raise damaged from None
