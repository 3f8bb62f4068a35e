"""Tables of endings, worked out once and looked up by alpha-beta: what those of all games share, and their files.

`endgame_zig_zag` and `endgame_zhizhu` have the tables of their games; `build` works them out.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection
from importlib import import_module
from pathlib import Path
from typing import Protocol

from games.fast import Fast
from games.rules import load

GAMES = ("zhizhu", "zig-zag")
"""The games that have endings."""
SHIPPED = Path(__file__).parent / "endings"
"""The folder of the files that the package brings."""
DIGEST = 32
"""Bytes of the SHA-256 at the end of a file."""
Ask = Callable[[int], int | None]
"""State -> its weight for its side to move; None where the table does not say."""


class EndgameError(Exception):
    """A file of endings cannot be used; the text says which and why."""


class Endings(Protocol):
    """The endings of one game, for searching. `stood` are the states that have stood twice before the search."""

    reach: int
    """The largest number of seeds in the pits, or of stones of each player."""

    def weight(self, state: int) -> int | None:
        """The exact weight of `state` for its side to move; None where the table does not say."""
        ...

    def known(self, root: int, stood: Collection[int]) -> Ask:
        """The weights that are looked up inside the search from `root`, in place of searching on."""
        ...

    def ahead(self, root: int, stood: Collection[int]) -> Ask:
        """The weights that are looked up at its horizon, in place of guessing."""
        ...

    def exact(self, root: int, stood: Collection[int]) -> Ask | None:
        """The exact weights of states after the turns of `root`, if `known` hides them; None if it does not.

        The turns of `root` are then ranked by these weights, and by the search among equals.
        """
        ...

    def write(self, path: Path) -> None:
        """Save the table; the file appears whole or not at all; OSError."""
        ...


class Kind(Protocol):
    """A module with the endings of one game."""

    LARGEST: int
    """The largest reach there can be."""

    def read(self, path: Path) -> Endings:
        """The table saved at `path`; `EndgameError` if it cannot be used."""
        ...

    def build(self, reach: int, progress: Callable[[int, int], None]) -> Endings:
        """Work out the endings up to `reach`; `progress` is told how many endings are done, and of how many."""
        ...

    def reached(self, done: int, reach: int) -> int:
        """The seeds or stones up to which all is worked out when `progress` has been told of `done`."""
        ...


def kind(game: str) -> Kind:
    """The module with the endings of this game."""
    module: Kind = import_module(f"{__package__}.endgame_{game.replace('-', '_')}")
    return module


def place(game: str) -> Path:
    """Where the endings of `game` are kept: in the user's own state folder."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "tablelight" / f"{game}.endings"


def stored(fast: Fast, folder: Path = SHIPPED) -> Endings | None:
    """The endings of this game with the largest reach, from `place` or from `folder`; None if there are none to use."""
    game = type(fast).__module__.rpartition(".")[2].replace("_", "-")
    files = (place(game), folder / f"{game}.endings") if game in GAMES else ()
    tables = (usable(game, path) for path in files)
    return max((table for table in tables if table), key=lambda table: table.reach, default=None)


def usable(game: str, path: Path) -> Endings | None:
    """The endings saved at `path`; None if they cannot be used."""
    try:
        return kind(game).read(path)
    except EndgameError:
        return None


def heading(game: str) -> bytes:
    """The first line of a file of endings."""
    return f"tablelight: endings of {game}, 1\n".encode()


def keep(path: Path, game: str, reach: int, table: bytes) -> None:
    """Save a table with its heading, its reach and a digest; the file appears whole or not at all; OSError."""
    data = heading(game) + bytes([reach]) + table
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(data + hashlib.sha256(data).digest())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def kept(path: Path, game: str, most: int) -> tuple[int, bytes]:
    """The reach and the table, of `most` bytes, in a file that `keep` saved; `EndgameError` if it cannot be used."""
    start = heading(game)
    try:
        with path.open("rb") as file:
            data = file.read(len(start) + 1 + most + DIGEST + 1)
    except OSError as error:
        raise EndgameError(f"{path}: {error.strerror or error}") from None
    whole, digest = data[:-DIGEST], data[-DIGEST:]
    if not whole.startswith(start) or len(whole) == len(start):
        raise EndgameError(f"{path}: not a file of endings of {load(game).title}; build it again")
    if hashlib.sha256(whole).digest() != digest:
        raise damaged(path)
    return whole[len(start)], whole[len(start) + 1 :]


def damaged(path: Path) -> EndgameError:
    """The error for a file whose table cannot be right."""
    return EndgameError(f"{path}: damaged; delete it and build it again")
