"""Tablelight for programs: games, the table, records and the search, under one name.

    >>> import tablelight
    >>> game = tablelight.load("zhizhu")
    >>> position = tablelight.play(game, game.start(), "a1")
    >>> len(game.turns(position))
    23

A table is told at each scan what its sensors show, with the time in seconds, and answers with events:

    >>> table = tablelight.Table(tablelight.ScoreSheet(game), tablelight.Sense.PRESENCE)
    >>> empty, stone = game.start().board, position.board
    >>> seen = [(scan / 100, empty if scan < 100 else stone) for scan in range(150)]
    >>> [str(event.say) for now, frame in seen for event in table.see(frame, now)]
    ['Black plays a1.']

A search finds better and better turns, for so many seconds or nodes:

    >>> *_, best = tablelight.engine(game).find(position, nodes=500)
    >>> best.turn in {turn.text for turn in game.turns(position)}
    True

Importing this module loads the rules alone; the others come when they are first asked for. In a process that has
imported it, `games` and `hardware` are the packages of this program.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from firmware_bridge import __version__  # first: it finds `games`
from games.rules import load, play

if TYPE_CHECKING:
    from firmware_bridge.engine import engine
    from firmware_bridge.records import read_record
    from firmware_bridge.score import ScoreSheet
    from firmware_bridge.table import Table
    from hardware.device import Sense

__all__ = ["ScoreSheet", "Sense", "Table", "__version__", "engine", "load", "play", "read_record"]

_LATE = {
    "ScoreSheet": "firmware_bridge.score",
    "Sense": "hardware.device",
    "Table": "firmware_bridge.table",
    "engine": "firmware_bridge.engine",
    "read_record": "firmware_bridge.records",
}


def __getattr__(name: str) -> Any:
    """The names that cost more to load than the rules: on first use, and once."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_LATE[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
