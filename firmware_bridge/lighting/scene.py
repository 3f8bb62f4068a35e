"""What each site has to say by light: from a view of the table to cues. Pure, and without a colour in it.

Cues come from the verdict and from the acts of the turns still possible; nothing here asks which game it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile
from math import inf
from typing import Literal, NamedTuple

from firmware_bridge.clocks import Pace
from firmware_bridge.verdict import (
    Astray,
    AtRest,
    Blind,
    Complete,
    Offered,
    Signature,
    UnderWay,
    View,
    Which,
    sites_to_touch,
)
from games.rules import Position, Standing, say

Mode = Literal["coach", "referee", "quiet"]
Lamp = Pace | Literal["away"]
"""What the turn lamp tells of the player to move: how short of time, or at another table that is away."""
MODES: tuple[Mode, ...] = ("coach", "referee", "quiet")

CUES = {
    "wrong": "this piece does not belong here",
    "missing": "a piece belongs here",
    "ask": "touch one of these",
    "begin": "the other side's turn begins here",
    "hint": "a good turn begins or goes on here",
    "capture": "take this piece off",
    "place-here": "a new piece goes here",
    "target": "the piece may go here",
    "travelling": "what this turn changes",
    "movable": "this piece may be moved",
    "tally": "the pieces that count",
    "for-first": "counts for the first player",
    "for-second": "counts for the second player",
    "won": "what decided the game",
    "last": "the last turn",
    "blind": "the sensors tell nothing",
    "choose": "put a stone here to choose this",
}
"""Every cue and what it tells a player; where two fall on one site, the earlier one is shown."""
RANK = {kind: rank for rank, kind in enumerate(CUES)}
INVITING = frozenset({"movable", "target", "begin"})
"""What bids hands begin a turn, while the board is at rest."""
say("cue", **CUES, **{"capture-later": "then this piece can be taken off"})

FAULTS = frozenset({"wrong", "missing", "tally", "ask", "won", "blind"})
"""What a referee shows: what is wrong, and the end."""
BRIEF = 1.5
"""Seconds for which an accepted turn travels once more along its path."""
LATER = 0.3
"""The strength (0..1) of what is to be done later in a turn."""
DOUBTFUL = 0.4
"""The strength (0..1) of what is only likely to be wrong; a guess."""
STANDING = 3.0
"""Seconds after which quiet mode, too, shows what is wrong."""


class Hint(NamedTuple):
    """The best turns with the strengths (0..1) of their lights, the best first; and the positions they lead to."""

    signatures: tuple[tuple[Signature, float], ...]
    results: Mapping[Position, float]


class Cue(NamedTuple):
    """What one site shows. `level` is the piece it speaks of, `strength` 0..1, `phase` a delay in seconds."""

    kind: str
    level: int = 0
    strength: float = 1.0
    phase: float = 0.0
    choice: bool = False
    """Whether this is one of several possibilities."""
    under: str = ""
    """The cue that a hint in mid-turn takes the place of: what is to be done there."""
    order: int = 0
    """Which of the seeds in the hand falls here, counted from 1; 0 where none does."""

    @property
    def message(self) -> str:
        """The id of the sentence that tells a player what it says."""
        return "cue.capture-later" if self.kind == "capture" and self.strength == LATER else f"cue.{self.kind}"


@dataclass(frozen=True, slots=True)
class Scene:
    """A cue for each site that has something to say, and whose turn it is (None when the game is over)."""

    cues: Mapping[str, Cue] = field(default_factory=dict)
    side: int | None = None
    until: float = inf
    """When it changes by itself, in seconds."""
    pace: Lamp = ""
    """How short of time that player is, or that the table is away at which the player sits."""

    def without_invitations(self) -> Scene:
        """The same without what bids hands begin a turn."""
        return replace(self, cues={site: cue for site, cue in self.cues.items() if cue.kind not in INVITING})


def scene(view: View, now: float, mode: Mode = "coach", hint: Hint | None = None) -> Scene:
    """The scene of `view` at `now`, as `mode` lets the players see it, with the `hint` that was asked for."""
    cues: dict[int, Cue] = {}
    owed = {debt.site for debt in view.debts}
    for site, cue in chain(_owed(view), _hinted(view, hint) if hint else (), _cues(view, now)):
        if (site in owed or _shown(cue.kind, view, now, mode)) and (
            site not in cues or RANK[cue.kind] < RANK[cues[site].kind]
        ):
            cues[site] = cue
    named = {view.game.sites[site]: cue for site, cue in cues.items()}
    side = view.outcome.winner if view.outcome else view.position.side
    moments = [view.since + BRIEF if view.last else 0.0, view.stood + STANDING]
    moments += [view.verdict.until] if isinstance(view.verdict, Offered) else []
    return Scene(named, side, min((moment for moment in moments if moment > now), default=inf))


def standing_scene(view: View, standing: Standing, until: float) -> Scene | None:
    """The pieces by which each player stands as they do, each with the light of whom it counts for, up to `until`.

    `until` is in seconds. None unless the board is at rest: what hands do has the lights.
    """
    if not isinstance(view.verdict, AtRest) or view.debts:
        return None
    kinds = zip(("for-first", "for-second"), standing.sites, strict=True)
    cues = {site: Cue(kind) for kind, sites in kinds for site in sites}
    return Scene(cues, view.outcome.winner if view.outcome else view.position.side, until)


def _shown(kind: str, view: View, now: float, mode: Mode) -> bool:
    """Coach shows all; referee what is wrong, or called for; quiet only what the table cannot go on without."""
    if mode == "coach" or kind in ("ask", "hint", "won", "blind") or view.setting or view.plan:
        return True
    if isinstance(view.verdict, Offered):
        return True
    if mode == "quiet" and now < view.stood + STANDING:
        return False
    return kind in FAULTS or view.flagged


def _cues(view: View, now: float) -> Iterator[tuple[int, Cue]]:
    verdict = view.verdict
    if isinstance(verdict, Blind):
        yield from ((site, Cue("blind")) for site in range(len(view.frame)))
    elif isinstance(verdict, Astray):
        yield from _astray(view, verdict, now)
    elif isinstance(verdict, Which) and view.asked:
        sites = sites_to_touch(view.game, verdict.signatures)
        yield from ((site, Cue("ask")) for site in sites if site is not None)
    elif isinstance(verdict, Offered):
        yield from (lit for signature in verdict.signatures for lit in _along(signature))
    elif view.plan and isinstance(verdict, AtRest | UnderWay | Complete):
        yield from _planned(view, view.plan)
    elif isinstance(verdict, UnderWay):
        yield from _under_way(view, verdict.signatures)
    elif isinstance(verdict, Complete) and verdict.signature.veiled:
        yield from _left(view, verdict.signature)
    elif isinstance(verdict, AtRest):
        yield from _at_rest(view, now)


def _owed(view: View) -> Iterator[tuple[int, Cue]]:
    """The pieces that turns which count still owe: the game goes on meanwhile."""
    if not isinstance(view.verdict, Blind):
        for debt in view.debts:
            yield debt.site, Cue("place-here", debt.level) if debt.level else Cue("capture")


def _at_rest(view: View, now: float) -> Iterator[tuple[int, Cue]]:
    """Where a turn may begin, the last turn, and at the end what decided the game."""
    decided = [view.game.sites.index(site) for site in view.outcome.sites] if view.outcome else []
    yield from ((site, Cue("won", phase=n * 0.1)) for n, site in enumerate(decided))
    if view.last and now < view.since + BRIEF:  # what decided, and what may be moved now, is not hidden by what was
        later = {*decided, *(signature.origin for signature in view.signatures)}
        yield from (lit for lit in _along(view.last) if lit[0] not in later)
    elif view.last:
        yield from ((site, Cue("last")) for site in view.last.path)
    for signature in view.signatures:
        if signature.origin is not None:
            yield signature.origin, Cue("movable")
        elif signature.begins in signature.captures:  # nothing is done but taking pieces off
            yield from ((site, Cue("capture", choice=True)) for site in sorted(signature.captures))
        elif signature.begins in signature.flips:
            yield signature.begins, Cue("movable")
        elif signature.begins is not None:
            yield signature.begins, Cue("target", signature.result[signature.begins], choice=True)


def _along(signature: Signature) -> Iterator[tuple[int, Cue]]:
    """A light that runs along the path, from where the turn began."""
    return ((site, Cue("travelling", phase=place * 0.12)) for place, site in enumerate(signature.travel))


def _under_way(view: View, signatures: Iterable[Signature]) -> Iterator[tuple[int, Cue]]:
    """What is left to do: steady where all the turns still possible agree, a choice where they do not."""
    turns = [(signature, dict(_left(view, signature))) for signature in signatures]
    left = [cues for _, cues in turns]
    for signature, cues in turns:
        moves = any(cue.kind == "target" for cue in cues.values())
        for site, cue in cues.items():
            agreed = all(site in others for others in left)
            new = cue.kind == "place-here" and not view.frame[site]
            later = moves and (new or _afterwards(signature, site, cue))
            yield site, cue._replace(choice=not agreed, strength=LATER if later else cue.strength)
    rows = sorted((signature for signature in signatures if signature.inner), key=lambda signature: len(signature.path))
    if rows and len({signature.travel[-1] for signature in signatures}) == 1:
        yield from _along(rows[0])


def _afterwards(signature: Signature, site: int, cue: Cue) -> bool:
    """Whether this is a capture that a careful hand makes when it has moved or laid all else."""
    return cue.kind == "capture" and not signature.sown and site not in signature.swapped


def _planned(view: View, signature: Signature) -> Iterator[tuple[int, Cue]]:
    """The turn to carry out: where it begins, the way from there, and dimmer what is to be taken off afterwards."""
    left = (
        dict(_left(view, signature))
        if not signature.sown
        else dict(_sowing(signature, signature.reached(view.frame) or 0))
    )
    if isinstance(view.verdict, AtRest) and signature.origin is not None:
        left[signature.origin] = Cue("begin")
    elif isinstance(view.verdict, AtRest) and not left:  # the sensors show nothing of it
        left = dict.fromkeys(signature.flips, Cue("begin"))
    going = False  # whether a piece is still to be moved or laid before, in the order of a careful hand
    for site, cue in sorted(left.items(), key=lambda lit: signature.path.index(lit[0])):
        later = going and _afterwards(signature, site, cue)
        yield site, cue._replace(strength=LATER) if later else cue
        going = going or cue.kind != "capture"
    if signature.inner and going:
        yield from _along(signature)


def _hinted(view: View, hint: Hint) -> Iterator[tuple[int, Cue]]:
    """Where the best turns begin; once a piece is lifted, where they go on as others do not."""
    if isinstance(view.verdict, AtRest):
        for signature, strength in hint.signatures:
            if signature.begins is not None:
                yield (
                    signature.begins,
                    Cue("hint", 0 if signature.origin is not None else signature.result[signature.begins], strength),
                )
    elif isinstance(view.verdict, UnderWay):
        left = [(signature, dict(_left(view, signature))) for signature in view.verdict.signatures]
        for signature, cues in left:
            good = hint.results.get(signature.turn.after, 0.0)
            own = (site for site in cues if any(site not in others for _, others in left))
            yield from ((site, Cue("hint", cues[site].level, good, under=cues[site].kind)) for site in own if good)


def _left(view: View, signature: Signature) -> Iterator[tuple[int, Cue]]:
    """What is left to do of one turn."""
    done = signature.reached(view.frame) if signature.sown else None
    if done is not None:
        yield from _sowing(signature, done)
        return
    for site, due in signature.after.items():
        if site in signature.swapped and view.frame[site] and site not in view.emptied:
            if view.frame[site] == view.rest[site]:
                yield site, Cue("capture")
        elif view.frame[site] != due:
            yield site, _difference(view, signature, site, due)


def _difference(view: View, signature: Signature, site: int, due: int) -> Cue:
    if due == 0:
        return Cue("capture" if site in signature.captures else "movable")
    if site in signature.inner:
        return Cue("travelling", phase=0.12 * signature.travel.index(site))
    new = view.rest[site] and site not in signature.swapped
    return Cue("place-here" if new else "target", signature.result[site])


def _sowing(signature: Signature, done: int) -> Iterator[tuple[int, Cue]]:
    """The pits still to come, the next one brightest; those of the seeds in the hand have their `order`."""
    left = signature.steps[done:]
    lifts = 0 if done else 1
    falling = lifts + sum(1 for _ in takewhile(lambda step: step[1], left[lifts:]))
    seen: set[int] = set()
    for place, (site, level) in enumerate(left):
        if site in seen:
            continue
        strength = max(0.15, 0.6 ** len(seen))
        seen.add(site)
        kind = "target" if level else "capture" if site in signature.captures else "movable"
        yield site, Cue(kind, strength=strength, order=place + 1 - lifts if level and place < falling else 0)


def _astray(view: View, astray: Astray, now: float) -> Iterator[tuple[int, Cue]]:
    """Everything that differs, and where an illegal turn counted too few, the pieces that count, as they lie now.

    These come first for `STANDING` seconds: once it is seen why, what is to be put right is lit on the same sites.
    """
    board = view.position.board
    due = astray.toward.result if astray.toward else {}
    strength = DOUBTFUL if astray.doubtful else 1.0
    counted = _counted(view, astray.refused) if astray.refused else {}
    yield from ((site, Cue("tally", level)) for site, level in counted.items())
    for site in astray.sites:
        if site in counted and now < view.stood + STANDING:
            continue
        level = due.get(site, board[site]) if view.game.pieces == "stones" else 0
        yield site, Cue("wrong" if view.frame[site] else "missing", level, strength)


def _counted(view: View, refused: Signature) -> dict[int, int]:
    """The pieces of a row that counted too few, on the sites where they lie now."""
    reason = refused.turn.reason
    if not reason or "own" not in dict(reason.values):
        return {}
    return {site: refused.result[site] for site in refused.path if view.frame[site] and refused.result[site]}
