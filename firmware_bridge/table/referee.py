"""The referee: the events about a board that is not as it should be, and when they are said.

A fault is said once, and only when it has stood for a moment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from math import inf
from typing import NamedTuple

from firmware_bridge.events import Event
from firmware_bridge.verdict import (
    Astray,
    AtRest,
    Blind,
    Complete,
    Debt,
    SensorView,
    Signature,
    Verdict,
    Which,
    sites_to_touch,
)
from games.rules import DARK, EMPTY, LIGHT, Game, Position, Reason, Turn, colour
from hardware.device import Levels, Trouble

MOST_NAMED = 8
"""How many sites a sentence names at most; a guess at what players still read."""
TO_RIGHT = "table.to-right"
"""The message id of the usual words before the sites to put right."""
GROUPS = (("dark", DARK), ("light", LIGHT), ("none", EMPTY))
"""The values of a sentence that name sites, in their order, each with the level that belongs there."""
STANDS_FOR = 0.2
"""Seconds that something must be wrong before it is said: a piece may jump, or a hand pass. A guess."""
REPEATS_AFTER = 2.0
"""Seconds before the same fault is said again, so that a loose contact does not make the table chatter. A guess."""

# Events ---------------------------------------------------------------------------------------


def question_event(game: Game[Position], which: Which) -> Event:
    """The question which turn it was, or whether the one that it looks like was made at all."""
    touched = sites_to_touch(game, which.signatures)
    pairs = {
        game.sites[site]: signature
        for site, signature in zip(touched, which.signatures, strict=True)
        if site is not None
    }
    sites = tuple(pairs)
    if any(signature.begins != site for site, signature in zip(touched, which.signatures, strict=True)):
        choices = ", ".join(f"{site}: {signature.turn.text}" for site, signature in pairs.items())
        return Event("asked", Reason.of("table.asked-which", choices=choices), sites=sites)
    name = "asked-one" if len(sites) == 1 else "asked"
    return Event("asked", Reason.of(f"table.{name}", sites=", ".join(sites)), sites=sites)


def offer_event(choices: Sequence[Sequence[Turn[Position]]]) -> Event:
    """The question whether one of `choices` was made, which the lights show.

    A choice is a turn, or two where the turn before it does not count yet either.
    """
    turns = ", ".join(" ".join(turn.text for turn in choice) for choice in choices)
    sites = tuple(dict.fromkeys(site for choice in choices for site in choice[-1].path))
    name = "offered-one" if len(choices) == 1 else "offered"
    return Event("offered", Reason.of(f"table.{name}", turns=turns, count=len(choices)), sites=sites)


def debt_event(game: Game[Position], debt: Debt) -> Event:
    """A turn that counts still owes a piece, or has one to take."""
    name, site = "debt-laid" if debt.level else "debt-taken", game.sites[debt.site]
    return Event("debt", Reason.of(f"table.{name}", player=game.players[debt.side], site=site), sites=(site,))


def unfinished_event(signature: Signature | None) -> Event:
    """The turn is not whole; `signature` is the illegal turn that it would be now, if it would be one."""
    if signature and signature.turn.reason:
        return Event("owed", signature.turn.reason, sites=signature.turn.path)
    return Event.of("owed")


class Purpose(NamedTuple):
    """Why the board is to be put right."""

    setting: bool = False
    """Whether it is being made equal to the position before anything counts."""
    over: bool = False
    """Whether the game is over."""
    unseen: frozenset[int] = frozenset()
    """Sites where another colour is due than lay there, which the sensors do not tell."""

    @property
    def name(self) -> str:
        """The name of the event."""
        return "setting" if self.setting else "astray"

    def lead(self, *, strict: bool) -> str:
        """The message id of the words before the sites; `strict` where the sensors cannot count the seeds."""
        if self.over and not self.setting:
            return "table.to-go-on"
        if strict:
            return "table.to-count"
        return "table.to-look" if self.unseen else TO_RIGHT


def astray_event(
    sensors: SensorView,
    position: Position,
    frame: Levels,
    verdict: Astray,
    purpose: Purpose,
    signatures: Iterable[Signature] = (),
) -> Event:
    """What is wrong: the rule that is broken, or what belongs on each site.

    `signatures` are those of the legal turns: they say where a stone that was carried off may go.
    """
    sites = tuple(sensors.game.sites[site] for site in verdict.sites)
    if verdict.refused and verdict.refused.turn.reason:
        return Event("astray", verdict.refused.turn.reason, sites=sites)
    due = dict(enumerate(position.board)) | (verdict.toward.result if verdict.toward else {})
    named = range(len(frame)) if sensors.strict else sorted({*verdict.sites, *purpose.unseen})
    why = _differences(sensors, frame, {site: due[site] for site in named}, purpose.lead(strict=sensors.strict))
    if why.id == "table.back" and not (purpose.setting or verdict.toward):
        why = _with_goals(sensors, signatures, why)
    return Event(purpose.name, why, sites=sites)


def _with_goals(sensors: SensorView, signatures: Iterable[Signature], back: Reason) -> Reason:
    """The sentence `back`, that a stone goes back to where it was, and where it may go from there by `signatures`."""
    values = dict(back.values)
    origin = sensors.number[str(values["target"])]
    goals = sorted({signature.travel[1] for signature in signatures if signature.origin == origin})
    named = _site_list([sensors.game.sites[goal] for goal in goals])
    return Reason.of("table.back-goes", **values, goals=named) if goals else back


def off_plan_event(player: str, turn: Turn[Position], sites: Sequence[str]) -> Event:
    """Something else was done at `sites` than the engine's turn, which is being carried out."""
    reason = Reason.of("table.off-plan", player=player, turn=turn.text, sites=_site_list(sites))
    return Event("astray", reason, sites=tuple(sites))


def look_event(sensors: SensorView, position: Position, unseen: Collection[int]) -> Event:
    """What players must look at themselves after turns were taken back by hand: what the sensors do not tell."""
    due = {site: position.board[site] for site in sorted(unseen)}
    return Event("look", _differences(sensors, (), due, "table.to-look"))


def blind_event(trouble: Trouble | None) -> Event:
    """The table sees nothing; `trouble` is the reason, if its scanner knows one."""
    if not trouble:
        return Event.of("blind")
    sites = trouble.names
    reason = Reason.of(f"table.{trouble.kind}", sites=_site_list(sites), count=len(sites))
    return Event("blind", reason, sites=sites)


def _site_list(sites: Sequence[str]) -> str:
    """The first `MOST_NAMED` of `sites`, for a sentence."""
    return ", ".join(sites[:MOST_NAMED]) + (" ..." if len(sites) > MOST_NAMED else "")


def _differences(sensors: SensorView, frame: Levels, due: Mapping[int, int], lead: str = TO_RIGHT) -> Reason:
    """What belongs on each site of `due`, where `frame` differs; `lead` is the message id of the words before it."""
    if sensors.game.pieces == "seeds":
        return _seeds_differ(sensors, due, lead)
    if lead == TO_RIGHT and len(due) == 1:
        return _one_site(sensors, frame, *next(iter(due.items())))
    if lead == TO_RIGHT and len(due) == 2 and (back := _move_back(sensors, frame, due)):
        return back
    named = dict(islice(due.items(), MOST_NAMED))
    groups = {name: [sensors.game.sites[site] for site in named if named[site] == level] for name, level in GROUPS}
    texts = {name: ", ".join(sites) for name, sites in groups.items() if sites}
    if len(due) > MOST_NAMED:
        texts[list(texts)[-1]] += f" (+{len(due) - MOST_NAMED})"
    return Reason.of(f"table.right-{'-'.join(texts)}", why=lead, count=len(due), **texts)


def _seeds_differ(sensors: SensorView, due: Mapping[int, int], lead: str) -> Reason:
    """How many seeds belong in each pit of `due`."""
    named = [(sensors.game.sites[pit], level) for pit, level in due.items()]
    if lead == TO_RIGHT and len(named) == 1:
        return Reason.of("table.seeds", site=named[0][0], level=named[0][1])
    pits = ", ".join(f"{pit}: {level}" for pit, level in named)
    return Reason.of("table.right-seeds", why=lead, count=len(named), pits=pits)


def _one_site(sensors: SensorView, frame: Levels, site: int, level: int) -> Reason:
    """That `level` belongs on `site`."""
    name = sensors.game.sites[site]
    if level == 0:
        return Reason.of("table.extra", site=name)
    return Reason.of("table.replace" if frame[site] else "table.missing", site=name, colour=colour(level))


def _move_back(sensors: SensorView, frame: Levels, due: Mapping[int, int]) -> Reason | None:
    """That the stone on one site belongs on another one, if that is all that differs; `due` has two sites."""
    (there, level), (here, none) = sorted(due.items(), key=lambda pair: -pair[1])
    if none or not level or frame[there] or frame[here] != sensors.sense.of(level):
        return None
    return Reason.of(
        "table.back", site=sensors.game.sites[here], target=sensors.game.sites[there], colour=colour(level)
    )


# When they are said ---------------------------------------------------------------------------


class Announcer:
    """Says that something is wrong once that has stood for a moment, and says once that it is right again."""

    def __init__(self) -> None:
        self.due = inf
        """When the next event is to be said, in seconds."""
        self._next: Event | None = None
        self._said: Event | None = None
        self._blind = self._half_righted = False
        self._latest: Event | None = None
        self._said_at = -inf

    @property
    def complained(self) -> bool:
        """Whether something was said to be wrong, and not yet that it is right again."""
        return self._said is not None

    def hear(self, verdict: Verdict, astray: Event | None, since: float, how: str) -> list[Event]:
        """What is to be said of `verdict` at once; `since` when it has held, in seconds.

        `astray` says what is wrong; a table that is astray without it takes a turn back. `how` is the name of the
        sentence that all is right again.
        """
        if isinstance(verdict, Blind):
            return self._blinded(since)
        said = self._sighted()
        if astray:
            self._wrong(astray, since)
        elif isinstance(verdict, AtRest | Complete):
            righted = self.righted(how)
            said += righted if isinstance(verdict, AtRest) else []
        else:
            self._hush()  # hands under way may pass what looks right
        return said

    def _wrong(self, event: Event, since: float) -> None:
        """Have `event`, which says what is wrong since then, said soon, unless the players know it."""
        if self._said and _is_known(event, self._said):
            self._said = event
            self._hush()
            return
        just = event == self._latest and since < self._said_at + REPEATS_AFTER
        self._next, self.due = event, since + (REPEATS_AFTER if just else STANDS_FOR)

    def _blinded(self, since: float) -> list[Event]:
        """Have it said that the table sees nothing; what was wrong before is said again once it sees."""
        self._hush()
        self._said = None
        event = Event.of("blind")
        if not self._blind:
            just = event == self._latest and since < self._said_at + REPEATS_AFTER
            self._next, self.due = event, since + REPEATS_AFTER if just else since
        return self.speak(since)

    def _sighted(self) -> list[Event]:
        """Say that the table sees again, if it was said that it does not."""
        was, self._blind = self._blind, False
        return [Event.of("sighted")] if was else []

    def speak(self, now: float) -> list[Event]:
        """Say what is due at `now` (seconds)."""
        if not self._next or now < self.due:
            return []
        event = self._next
        self._hush()
        self._latest, self._said_at = event, now
        if event.name == "blind":
            self._blind = True
        else:
            self._said = event
        return [event]

    def insist(self, event: Event, now: float) -> list[Event]:
        """Say `event` at once, for a player has asked."""
        self._next, self.due = event, now
        return self.speak(now)

    def _hush(self) -> None:
        """Drop what was to be said, for it no longer holds."""
        self._next, self.due = None, inf

    def finished(self) -> None:
        """The turn that was under way counts: what was right again in its midst needs no more words."""
        self._half_righted = False

    def righted(self, how: str) -> list[Event]:
        """Say that all is right again, with the sentence `how`, if it was said that something is not."""
        self._hush()
        was, self._said = self._said or self._half_righted, None
        self._half_righted = how == "righted-in-turn"  # all is right once the turn, too, is finished or put back
        return [Event("righted", Reason(f"table.{how}"))] if was else []


def _is_known(event: Event, before: Event) -> bool:
    """Whether `event` tells the players nothing new after `before`."""
    general = all(each.say.id.startswith("table.") for each in (event, before))
    return set(event.sites) <= set(before.sites) if general else event.say.id == before.say.id
