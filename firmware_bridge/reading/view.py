"""A snapshot of the table, for the lights."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.reading.signature import Way
from firmware_bridge.reading.verdict import Verdict
from games.rules import Game, Outcome, Position
from hardware.device import Levels


@dataclass(frozen=True, slots=True)
class View:
    """What the lights need to know; immutable."""

    game: Game[Position]
    position: Position
    frame: Levels
    rest: tuple[int, ...]
    verdict: Verdict
    ways: tuple[Way, ...]
    """The legal turns of the position."""
    last: Way | None
    """The last turn accepted."""
    since: float
    """When it was."""
    stood: float
    """Since when the frame has stood."""
    asked: bool
    """Whether the question of a `Which` has been put."""
    flagged: bool
    """Whether what is left to do has been called for."""
    setting: bool
    """Whether the board is being made to equal the position."""
    outcome: Outcome | None
    plan: Way | None = None
    """The turn that the engine has chosen, for a hand to carry out."""
