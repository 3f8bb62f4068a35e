"""The referee: what is said of a verdict, and when: once it has stood for a moment, and once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from math import inf
from typing import NamedTuple

from firmware_bridge.events import Event, told
from firmware_bridge.reading import Astray, AtRest, Blind, Complete, SensorView, Signature, Verdict, Which
from games.rules import DARK, EMPTY, LIGHT, Game, Position, Reason, Turn, colour
from hardware.device import Levels, Trouble

NAMED_SITES = 8
"""How many sites a sentence names at most."""
TO_RIGHT = "table.to-right"
"""What is said before the sites to put right, where there is nothing else to say."""
GROUPS = (("dark", DARK), ("light", LIGHT), ("none", EMPTY))
"""In the order in which a sentence names them: the name of the value that tells the sites, and what belongs there."""


def asked(game: Game[Position], which: Which) -> Event:
    """The evidence does not tell which turn it was, or whether the one that it looks like was made at all."""
    sites = tuple(
        dict.fromkeys(game.sites[signature.begins] for signature in which.signatures if signature.begins is not None)
    )
    name = "asked-one" if len(sites) == 1 else "asked"
    return Event("asked", Reason.of(f"table.{name}", sites=", ".join(sites)), sites=sites)


def offered(choices: Sequence[Sequence[Turn[Position]]]) -> Event:
    """Turns are shown by light, each with another before it that does not count yet, if there is one: was it that?"""
    turns = ", ".join(" ".join(turn.text for turn in choice) for choice in choices)
    sites = tuple(dict.fromkeys(site for choice in choices for site in choice[-1].path))
    name = "offered-one" if len(choices) == 1 else "offered"
    return Event("offered", Reason.of(f"table.{name}", turns=turns, count=len(choices)), sites=sites)


def owed(signature: Signature | None) -> Event:
    """The turn is not whole; `signature` is the illegal turn that it would be now."""
    if signature and signature.turn.reason:
        return Event("owed", signature.turn.reason, sites=signature.turn.path)
    return told("owed")


class Aim(NamedTuple):
    """What the board is to be put right for."""

    setting: bool = False
    """It is being made to equal the position before anything counts."""
    over: bool = False
    """The game is over."""
    unseen: frozenset[int] = frozenset()
    """Sites where another colour is due than lay there, and the sensors do not tell."""

    @property
    def name(self) -> str:
        """The name of the event."""
        return "setting" if self.setting else "astray"

    def lead(self, *, strict: bool) -> str:
        """The id of what is said before the sites."""
        if self.over and not self.setting:
            return "table.to-go-on"
        if strict:
            return "table.to-count"
        return "table.to-look" if self.unseen else TO_RIGHT


def astray(
    sensors: SensorView,
    position: Position,
    frame: Levels,
    verdict: Astray,
    aim: Aim,
    signatures: Iterable[Signature] = (),
) -> Event:
    """What is wrong: the rule that is broken, or what belongs on each site; `signatures`: of the legal turns."""
    sites = tuple(sensors.game.sites[site] for site in verdict.sites)
    if verdict.refused and verdict.refused.turn.reason:
        return Event("astray", verdict.refused.turn.reason, sites=sites)
    due = dict(enumerate(position.board)) | (verdict.toward.result if verdict.toward else {})
    named = range(len(frame)) if sensors.strict else sorted({*verdict.sites, *aim.unseen})
    why = difference(sensors, frame, {site: due[site] for site in named}, aim.lead(strict=sensors.strict))
    if why.id == "table.back" and not (aim.setting or verdict.toward):
        why = carried_off(sensors, signatures, why)
    return Event(aim.name, why, sites=sites)


def carried_off(sensors: SensorView, signatures: Iterable[Signature], back: Reason) -> Reason:
    """`back`, that a stone goes back to where it was, and where it may go from there by `signatures`, if anywhere."""
    values = dict(back.values)
    origin = sensors.number[str(values["target"])]
    goals = sorted({signature.travel[1] for signature in signatures if signature.origin == origin})
    named = named_sites([sensors.game.sites[goal] for goal in goals])
    return Reason.of("table.back-goes", **values, goals=named) if goals else back


def off_plan(player: str, turn: Turn[Position], sites: Sequence[str]) -> Event:
    """The engine's turn is carried out, and something else was done at these sites."""
    reason = Reason.of("table.off-plan", player=player, turn=turn.text, sites=named_sites(sites))
    return Event("astray", reason, sites=tuple(sites))


def look(sensors: SensorView, position: Position, unseen: Collection[int]) -> Event:
    """Turns were taken back by hand: what the sensors do not tell of it."""
    due = {site: position.board[site] for site in sorted(unseen)}
    return Event("look", difference(sensors, (), due, "table.to-look"))


def blind(trouble: Trouble | None) -> Event:
    """The table sees nothing, and why, where its scanner knows."""
    if not trouble:
        return told("blind")
    sites = trouble.names
    reason = Reason.of(f"table.{trouble.kind}", sites=named_sites(sites), count=len(sites))
    return Event("blind", reason, sites=sites)


def named_sites(sites: Sequence[str]) -> str:
    """The first of `sites`, for a sentence."""
    return ", ".join(sites[:NAMED_SITES]) + (" ..." if len(sites) > NAMED_SITES else "")


def difference(sensors: SensorView, frame: Levels, due: Mapping[int, int], lead: str = TO_RIGHT) -> Reason:
    """What belongs on each site of `due`, which differ from `frame`; `lead` is the id of what is said first."""
    if sensors.game.pieces == "seeds":
        return seeds(sensors, due, lead)
    if lead == TO_RIGHT and len(due) == 1:
        return single(sensors, frame, *next(iter(due.items())))
    if lead == TO_RIGHT and len(due) == 2 and (back := moved(sensors, frame, due)):
        return back
    named = dict(islice(due.items(), NAMED_SITES))
    groups = {name: [sensors.game.sites[site] for site in named if named[site] == level] for name, level in GROUPS}
    texts = {name: ", ".join(sites) for name, sites in groups.items() if sites}
    if len(due) > NAMED_SITES:
        texts[list(texts)[-1]] += f" (+{len(due) - NAMED_SITES})"
    return Reason.of(f"table.right-{'-'.join(texts)}", why=lead, count=len(due), **texts)


def seeds(sensors: SensorView, due: Mapping[int, int], lead: str) -> Reason:
    """What belongs in each pit."""
    named = [(sensors.game.sites[pit], level) for pit, level in due.items()]
    if lead == TO_RIGHT and len(named) == 1:
        return Reason.of("table.seeds", site=named[0][0], level=named[0][1])
    pits = ", ".join(f"{pit}: {level}" for pit, level in named)
    return Reason.of("table.right-seeds", why=lead, count=len(named), pits=pits)


def single(sensors: SensorView, frame: Levels, site: int, level: int) -> Reason:
    """What belongs on `site`, where `level` does."""
    name = sensors.game.sites[site]
    if level == 0:
        return Reason.of("table.extra", site=name)
    return Reason.of("table.replace" if frame[site] else "table.missing", site=name, colour=colour(level))


def moved(sensors: SensorView, frame: Levels, due: Mapping[int, int]) -> Reason | None:
    """That the stone on one site belongs on another, if that is all that differs."""
    (there, level), (here, none) = sorted(due.items(), key=lambda pair: -pair[1])
    if none or not level or frame[there] or frame[here] != sensors.sense.of(level):
        return None
    return Reason.of(
        "table.back", site=sensors.game.sites[here], target=sensors.game.sites[there], colour=colour(level)
    )


MOMENT = 0.2
"""Seconds that something must be wrong before it is said: a piece that jumps, or a hand that passes, is nothing."""
CHATTER = 2.0
"""Seconds for which the same fault is not spoken of again."""


class Announcer:
    """Speaks of what is wrong once it has stood for a moment, and of its being right again."""

    def __init__(self) -> None:
        self.due = inf
        """When something is to be said, in seconds."""
        self._next: Event | None = None
        self._told: Event | None = None
        self._blind = self._half = False
        self._latest: Event | None = None
        self._at = -inf

    @property
    def waits(self) -> bool:
        """Whether something was said to be wrong, and not yet that it is right again."""
        return self._told is not None

    def hear(self, verdict: Verdict, astray: Event | None, since: float, how: str) -> list[Event]:
        """What is to be said of `verdict` at once; `astray` tells what is wrong, `how` that it is right again.

        A table that is astray without such an event takes a turn back.
        """
        if isinstance(verdict, Blind):
            return self.blind(since)
        said = self.sighted()
        if astray:
            self.wrong(astray, since)
        elif isinstance(verdict, AtRest | Complete):
            righted = self.right(how)
            said += righted if isinstance(verdict, AtRest) else []
        else:
            self.hush()  # hands under way may pass what looks right
        return said

    def wrong(self, event: Event, since: float) -> None:
        """`event` tells what is wrong `since` then; it is to be said unless the players know: lights are faster."""
        if self._told and said_already(event, self._told):
            self._told = event
            self.hush()
            return
        just = event == self._latest and since < self._at + CHATTER  # a loose contact is no reason to chatter
        self._next, self.due = event, since + (CHATTER if just else MOMENT)

    def blind(self, since: float) -> list[Event]:
        """The table sees nothing: what was wrong before is to be said again once it sees."""
        self.hush()
        self._told = None
        event = told("blind")
        if not self._blind:
            just = event == self._latest and since < self._at + CHATTER
            self._next, self.due = event, since + CHATTER if just else since
        return self.speak(since)

    def sighted(self) -> list[Event]:
        """The table sees; say so, if it was said that it does not."""
        was, self._blind = self._blind, False
        return [told("sighted")] if was else []

    def speak(self, now: float) -> list[Event]:
        """Say what is due."""
        if not self._next or now < self.due:
            return []
        event = self._next
        self.hush()
        self._latest, self._at = event, now
        if event.name == "blind":
            self._blind = True
        else:
            self._told = event
        return [event]

    def insist(self, event: Event, now: float) -> list[Event]:
        """Say `event`, for somebody has asked."""
        self._next, self.due = event, now
        return self.speak(now)

    def hush(self) -> None:
        """What was to be said no longer holds."""
        self._next, self.due = None, inf

    def right(self, how: str) -> list[Event]:
        """Say that all is right again, and `how`, if it was said that something is not."""
        self.hush()
        was, self._told = self._told or self._half, None
        self._half = how == "righted-in-turn"  # once the turn is put back as well, all is
        return [Event("righted", Reason(f"table.{how}"))] if was else []


def said_already(event: Event, before: Event) -> bool:
    """Whether `event` tells the players nothing new after `before`."""
    general = all(each.say.id.startswith("table.") for each in (event, before))
    return set(event.sites) <= set(before.sites) if general else event.say.id == before.say.id
