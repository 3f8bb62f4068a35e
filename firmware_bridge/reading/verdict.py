"""Verdicts, what a frame comes to, given the position and the evidence; and a snapshot of the table for the lights.

All are plain values.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.reading.signature import Signature
from games.rules import Game, Outcome, Position
from hardware.device import Levels


@dataclass(frozen=True, slots=True)
class AtRest:
    """The frame equals the position."""


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A turn has begun; these legal ones are still possible."""

    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Complete:
    """The frame is the result of one legal turn; `sure` when it need not be waited for."""

    signature: Signature
    sure: bool


@dataclass(frozen=True, slots=True)
class Which:
    """The evidence fits several results, or not enough of one; these turns are to choose from."""

    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """No sensor can tell which turn it was: these are shown until `until` (seconds), and Done says that it was one."""

    signatures: tuple[Signature, ...]
    until: float


@dataclass(frozen=True, slots=True)
class Astray:
    """No legal turn leads here; `refused` is the illegal turn that fits, `sites` are those to put right.

    They differ from the position; or from the result `toward` of a legal turn: the one of which the refused one, whole,
    is a slip, or the one that was to be carried out.
    """

    sites: tuple[int, ...]
    refused: Signature | None = None
    toward: Signature | None = None


@dataclass(frozen=True, slots=True)
class Blind:
    """The sensors tell nothing."""


Verdict = AtRest | UnderWay | Complete | Which | Offered | Astray | Blind


@dataclass(frozen=True, slots=True)
class View:
    """What the lights need to know; immutable."""

    game: Game[Position]
    position: Position
    frame: Levels
    rest: tuple[int, ...]
    verdict: Verdict
    signatures: tuple[Signature, ...]
    """The legal turns of the position."""
    last: Signature | None
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
    plan: Signature | None = None
    """The turn that the engine has chosen, for a hand to carry out."""
