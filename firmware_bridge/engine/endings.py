"""Works out the endings of ZhiZhu and Zig Zag for the engine and keeps them where it looks."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.engine.endgame import EndgameError, kind, place
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.i18n.progress import Progress
from games.rules import Reason, say
from hardware.settings import SettingsError

COUNTED = {"zhizhu": "stones", "zig-zag": "seeds"}
"""What the reach of a game's endings counts."""


def work_out(reaches: Mapping[str, int], *, again: bool = False) -> int:
    """Work out the endings of these games, each up to so many seeds or stones, and write them; SettingsError.

    Those that are there and go as far stay, unless `again`; with nothing left to do that is an error.
    """
    there = {} if again else {game: kept(game) for game in reaches}
    wanted = {game: reach for game, reach in reaches.items() if there.get(game, 0) < reach}
    for game, reach in wanted.items():
        work_out_one(game, reach)
    if not wanted:
        raise SettingsError("; ".join(holding(game, reach) for game, reach in there.items()))
    return 0


def work_out_one(game: str, reach: int) -> None:
    """Work out the endings of a game and write them, whatever is there; SettingsError."""
    path = place(game)
    ready(path)
    made = kind(game)
    progress = Progress(lambda done, every, left: so_far(game, made.reached(done, reach), reach, left), sys.stderr)
    endings = made.build(reach, progress.step)
    try:
        endings.write(path)
    except OSError as error:
        raise unwritten(path, error) from None
    told = {"file": str(path), "size": f"{path.stat().st_size:,}"}
    print(here().say(Reason.of(f"endings.done-{COUNTED[game]}", count=reach, **told)))


def ready(path: Path) -> None:
    """Make the folder; SettingsError if nothing can be written to it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(None, "nothing can be written to its folder")
    except OSError as error:
        raise unwritten(path, error) from None


def kept(game: str) -> int:
    """The reach of the endings that are there; 0 if there are none that can be used."""
    try:
        return kind(game).read(place(game)).reach
    except EndgameError:
        return 0


def holding(game: str, reach: int) -> str:
    """What is said of endings that go as far as is wanted."""
    return f"{place(game)}: holds the endings up to {reach} {COUNTED[game]} already; --force works them out again"


def unwritten(path: Path, error: OSError) -> SettingsError:
    """What is said when the endings cannot be written."""
    return SettingsError(f"{path}: {error.strerror or error}; XDG_STATE_HOME can name another folder")


def so_far(game: str, done: int, reach: int, left: str) -> Reason:
    """What is said while they are worked out."""
    return Reason.of(f"endings.{COUNTED[game]}-so-far", done=done, count=reach, left=left)


say(
    "endings",
    seeds_so_far="Zig Zag, seeds: {done} of {count}, seconds left: about {left}",
    stones_so_far="ZhiZhu, stones of each player: {done} of {count}, seconds left: about {left}",
    done_seeds="{file}: the endings of Zig Zag with up to {count} seeds in the pits, {size} bytes. "
    "The engine looks them up.",
    done_stones="{file}: the endings of ZhiZhu with up to {count} stones of each player, {size} bytes. "
    "The engine looks them up.",
)
