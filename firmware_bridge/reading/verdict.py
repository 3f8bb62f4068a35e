"""Verdicts, what a frame comes to, given the position and the evidence; and a snapshot of the table for the lights.

All are plain values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

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


def sites_to_touch(game: Game[Position], signatures: Sequence[Signature]) -> tuple[int | None, ...]:
    """For each of the turns to choose from the site that players touch to choose it; None where there is none.

    It is where the turn began. If turns with different results began at one site, it is where the piece came to; and
    where even that is one site, as when only the kind of a new piece differs, the next one gets the nearest site left.
    """
    begun: dict[int | None, set[Position]] = {}
    for signature in signatures:
        begun.setdefault(signature.begins, set()).add(signature.turn.after)
    if all(len(results) == 1 for results in begun.values()):
        return tuple(signature.begins for signature in signatures)
    chosen: dict[Position, int] = {}
    for signature in signatures:
        if signature.turn.after not in chosen:
            near = sorted(range(len(game.sites)), key=lambda site: distance(game, site, signature.goal))
            chosen[signature.turn.after] = next(site for site in near if site not in chosen.values())
    return tuple(chosen[signature.turn.after] for signature in signatures)


def distance(game: Game[Position], site: int, other: int | None) -> float:
    """How far apart two sites lie, in pitches of the board."""
    return 0.0 if other is None else dist(game.places[game.sites[site]], game.places[game.sites[other]])


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
    emptied: frozenset[int] = frozenset()
    """The sites that were seen empty since the board was last at rest."""
