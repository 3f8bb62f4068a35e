"""Verdicts: what a frame comes to, in words that lights and sentences need; and a snapshot of the table for them.

All are plain values. `judge` finds the verdict from what a reader has made of the frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import dist
from typing import NamedTuple

from firmware_bridge.reading import Hypothesis, LikelihoodReader, Node, unpaid
from firmware_bridge.verdict.signature import SensorView, Signature
from games.rules import Game, Outcome, Position, Reason, Turn
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
    """The frame is most likely the result of this legal turn, which does not count yet."""

    signature: Signature


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
    doubtful: bool = False
    """Whether it is only likely, and not to be spoken of yet."""
    unfinished: bool = False
    """Whether a legal turn is under way, and all there is to say is that it is not whole: a piece lies aside."""


@dataclass(frozen=True, slots=True)
class Blind:
    """The sensors tell nothing."""


Verdict = AtRest | UnderWay | Complete | Which | Offered | Astray | Blind


class Debt(NamedTuple):
    """A piece that a turn which counts has not laid yet; or not taken, where the `level` due is 0."""

    site: int
    level: int
    side: int
    """Whose turn it was."""


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
    debts: tuple[Debt, ...] = ()
    """What turns that count still owe."""


# From what a reader has found -----------------------------------------------------------------

TOLD = 0.001
"""How likely an illegal turn must be, beside the likeliest that is wrong, to be told as such; a guess."""
NAMED = 0.2
"""How likely a turn must be, beside the likeliest that may be under way, to be lit as possible; a guess."""


def judge(reader: LikelihoodReader, sensors: SensorView) -> Verdict:
    """The verdict on the frame that `reader` has weighed last."""
    if reader.blind:
        return Blind()
    if reader.decision.call == "ask":
        return Which(tuple(_signature(reader, sensors, node) for node in reader.decision.nodes))
    rest, frame = sensors.frame(reader.position), reader.frame
    differs = tuple(site for site, (level, due) in enumerate(zip(frame, rest, strict=True)) if level not in (due, None))
    if reader.upset:
        return Astray(tuple(sorted(reader.upset.missing)), doubtful=reader.decision.call != "tell")
    if not reader.hypotheses or (not differs and not sensors.strict):
        return Astray(differs, doubtful=True) if differs else AtRest()
    if reader.put_back and differs and reader.patient:
        return Astray(differs)
    wrong: list[tuple[float, Hypothesis]] = []
    going: list[tuple[float, Hypothesis]] = []
    resting = returning = 0.0
    for share, each in zip(reader.shares, reader.hypotheses, strict=True):
        if each.kind in ("illegal", "astray"):
            wrong.append((share, each))
        elif (each.kind == "begun" and each.turn) or len(each.net) > len(reader.standing):
            going.append((share, each))
        elif each.returning:
            returning += share
        else:
            resting += share
    held = sum(share for share, _ in going) + returning  # who takes a turn back may make another
    if held >= max(resting, reader.doubt) and going and reader.decision.call != "tell":
        return _going_on(reader, sensors, going)
    debts = {debt.site for debt in owed(reader)}
    if resting >= reader.doubt and (not differs or debts.issuperset(differs) or sensors.strict):
        return AtRest()
    if not differs and not wrong:
        return AtRest()
    refused, doubtful = _refused(reader, sensors, wrong, differs), reader.decision.call != "tell" and not reader.told
    unsure = going and not refused and reader.decision.call != "tell"
    if unsure and isinstance(more := _going_on(reader, sensors, going), Astray):
        return more
    if refused and (meant := _meant(reader, sensors, refused)):
        if reader.decision.call != "tell" and any(each.turn == meant.turn for _, each in going):
            return _going_on(reader, sensors, going)  # a turn left off is shown as what is left of it
        due = sensors.frame(meant.turn.after)
        slips = tuple(site for site in range(len(due)) if frame[site] not in (due[site], None))
        if 0 < len(slips) <= len(differs):
            return Astray(slips, refused, meant, doubtful)
    if refused:
        right = _right(reader, sensors, refused)
        differs = tuple(site for site in differs if site not in right) or differs
    return Astray(differs, refused, None, doubtful)


def owed(reader: LikelihoodReader) -> tuple[Debt, ...]:
    """What the turns that count still owe."""
    due, found = reader.likelihood.shows(reader.position), []
    for node in reader.standing:
        site = node.owed
        if site is not None and node.parent and reader.frame[site] not in (due[site], None):
            found.append(Debt(site, reader.position.cells[site], node.parent.position.side))
    return tuple(found)


def _signature(reader: LikelihoodReader, sensors: SensorView, node: Node) -> Signature:
    """The last of the turns that led to `node`."""
    last = node.net[-1]
    before = last.parent.position if last.parent else node.position
    if last.turn is None:
        raise ValueError("no turn led here")
    return sensors.signature(reader.passed(before), last.turn)


def _meant(reader: LikelihoodReader, sensors: SensorView, refused: Signature) -> Signature | None:
    """The legal turn of which an illegal one is a slip, by its name."""
    stands = reader.passed(reader.position)
    legal = reader.legal(stands).turns
    turn = next((turn for turn in legal if turn.text == refused.turn.text), None)
    return sensors.signature(stands, turn) if turn else None


def _right(reader: LikelihoodReader, sensors: SensorView, refused: Signature) -> set[int]:
    """The sites of an illegal turn that are as a legal one leaves them which begins with the same acts.

    Who takes the wrong piece after a move that is right puts back that piece alone.
    """
    acts, number, frame, found = refused.turn.acts, sensors.number, reader.frame, set[int]()
    for turn in reader.legal(reader.passed(reader.position)).turns:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(acts, turn.acts, strict=False))
        sites = {number[site] for act, _ in same for site in act.sites}
        if sites:
            due = sensors.frame(turn.after)
            found |= {site for site in sites if frame[site] == due[site]}
    return found


def _going_on(
    reader: LikelihoodReader, sensors: SensorView, going: Sequence[tuple[float, Hypothesis]]
) -> UnderWay | Complete | Astray:
    """A turn is under way, or made and does not count yet; where more is to be seen for long, it may be wrong."""
    most, likeliest = max(going, key=lambda pair: pair[0])
    if likeliest.kind == "rest" and not unpaid(likeliest):
        return Complete(_signature(reader, sensors, likeliest.node))
    stands = likeliest.node if likeliest.kind == "begun" else likeliest.node.parent
    under_way: dict[Turn[Position], Signature] = {}
    for share, each in going:
        turn = each.turn or (each.node.turn if unpaid(each) else None)
        where = each.node if each.turn else each.node.parent
        if stands and turn and where is stands and share >= NAMED * most:
            under_way.setdefault(turn, sensors.signature(reader.passed(stands.position), turn))
    signatures = tuple(under_way.values())
    if reader.patient and stands and stands.net == reader.standing:
        frame, rest = reader.frame, sensors.frame(stands.position)
        debts = {debt.site for debt in owed(reader)}
        strange = tuple(
            site
            for site, level in enumerate(frame)
            if level not in (rest[site], None)
            and site not in debts
            and not any(each.puts(site, level) for each in signatures)
        )
        if strange:
            toward = signatures[0] if len(signatures) == 1 else None
            aside = any(frame[site] for site in strange)  # a piece put down for a while
            doubtful = aside and not (reader.left_off or reader.told)
            landed = any(level and level != rest[site] and site not in strange for site, level in enumerate(frame))
            more = landed and all(frame[site] and not rest[site] for site in strange)  # and not the one that was lifted
            return Astray(strange, None, toward, doubtful, more)
    return UnderWay(signatures)


def _refused(
    reader: LikelihoodReader, sensors: SensorView, wrong: Sequence[tuple[float, Hypothesis]], differs: Sequence[int]
) -> Signature | None:
    """The illegal turn that was made, if it may be one: to players it says more than where pieces belong."""
    found: dict[Reason, list[tuple[float, Signature]]] = {}
    for share, each in wrong:
        if each.turn and each.turn.reason:
            signature = sensors.signature(reader.passed(each.node.position), each.turn)
            if all(signature.puts(site, reader.frame[site]) for site in differs):
                found.setdefault(each.turn.reason, []).append((share, signature))
    most = max(found.values(), key=lambda shares: sum(share for share, _ in shares), default=[])
    if sum(share for share, _ in most) <= TOLD * sum(share for share, _ in wrong):
        return None
    return max(most, key=lambda pair: pair[0])[1]
