"""What the table says to its players: events, each with a sentence that tells what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from firmware_bridge.verdict import Astray, Which
from firmware_bridge.way import Way
from games.rules import Game, Outcome, Position, Reason, Turn, colour, say
from hardware.device import Levels, Trouble

NAMED_SITES = 8
"""How many sites a sentence names at most."""
CHATTER = 2.0
"""Seconds for which the same fault is not spoken of again."""


class Event(NamedTuple):
    """Something that happened at the table: its name, a sentence for the players, and what it is about."""

    name: str
    say: Reason
    turn: Turn[Position] | None = None
    sites: tuple[str, ...] = ()


def told(name: str, **values: int | str) -> Event:
    """The event `name` with the table's own sentence for it."""
    return Event(name, Reason.of(f"table.{name}", **values))


def played(name: str, player: str, turn: Turn[Position]) -> Event:
    """A turn was accepted: ``played``, ``amended`` or ``passed``."""
    return Event(name, Reason.of(f"table.{name}", player=player, turn=turn.text), turn)


def ended(outcome: Outcome) -> Event:
    """The game is over."""
    return Event("drawn" if outcome.winner is None else "won", outcome.reason, sites=outcome.sites)


def asked(game: Game[Position], which: Which) -> Event:
    """The evidence does not tell which turn it was."""
    sites = tuple(dict.fromkeys(game.sites[way.begins] for way in which.ways if way.begins is not None))
    return Event("asked", Reason.of("table.asked", sites=", ".join(sites)), sites=sites)


def owed(way: Way | None) -> Event:
    """The turn is not whole; `way` is the illegal turn that it would be now."""
    if way and way.turn.reason:
        return Event("owed", way.turn.reason, sites=way.turn.path)
    return told("owed")


def astray(game: Game[Position], position: Position, frame: Levels, verdict: Astray, *, setting: bool) -> Event:
    """What is wrong: the rule that an illegal turn breaks, or what the first site that differs should hold."""
    sites = tuple(game.sites[site] for site in verdict.sites)
    if verdict.refused and verdict.refused.turn.reason:
        return Event("astray", verdict.refused.turn.reason, sites=sites)
    return Event("setting" if setting else "astray", difference(game, position, frame, verdict.sites), sites=sites)


def blind(trouble: Trouble | None) -> Event:
    """The table sees nothing, and why, where its scanner knows."""
    if not trouble:
        return told("blind")
    sites = trouble.names
    first = ", ".join(sites[:NAMED_SITES]) + (" ..." if len(sites) > NAMED_SITES else "")
    return Event("blind", Reason.of(f"table.{trouble.kind}", sites=first, count=len(sites)), sites=sites)


class Voice:
    """Speaks of what is wrong once, and of its being right again."""

    def __init__(self) -> None:
        self._said: Event | None = None
        self._latest: Event | None = None
        self.muted = False
        """Whether something is wrong of which nothing was said, as it had been said just before."""
        self._at = -inf

    @property
    def waits(self) -> bool:
        """Whether something was said to be wrong, and not yet that it is right again."""
        return self._said is not None

    def wrong(self, event: Event, now: float) -> list[Event]:
        """Say `event`, unless the players have just heard it: the lights follow every change."""
        was, self._said = self._said, event
        self.muted = False
        if was and said_already(event, was):
            return []
        again = event == self._latest and now < self._at + CHATTER
        if again:  # a loose contact is no reason to chatter
            self._said, self.muted = None, True
            return []
        self._latest, self._at = event, now
        return [event]

    def right(self, *, strict: bool) -> list[Event]:
        """Say that all is right again, if it was said that something is not."""
        was, self._said, self.muted = self._said, None, False
        if was and was.name == "blind":
            return [told("sighted")]
        looks = "looks-right" if strict else "righted"  # seeds by presence only look right
        return [Event("righted", Reason(f"table.{looks}"))] if was else []


def said_already(event: Event, before: Event) -> bool:
    """Whether `event` tells the players nothing new after `before`."""
    general = all(each.say.id.startswith("table.") for each in (event, before))
    return set(event.sites) <= set(before.sites) if general else event.say.id == before.say.id


def difference(game: Game[Position], position: Position, frame: Levels, sites: Sequence[int]) -> Reason:
    """What the first of `sites` should hold, and how many there are to put right."""
    first, count = sites[0], len(sites)
    level = position.board[first]
    if game.pieces == "seeds":
        return Reason.of("table.seeds", site=game.sites[first], level=level, count=count)
    if level == 0:
        return Reason.of("table.extra", site=game.sites[first], count=count)
    name = "replace" if frame[first] else "missing"
    return Reason.of(f"table.{name}", site=game.sites[first], colour=colour(level), count=count)


say(
    "table",
    ready="The board is as it should be: it is {player}'s turn.",
    to_play="Turn {number}: {player} to play.",
    played="{player} plays {turn}.",
    amended="{player} changes the turn to {turn}.",
    passed="{player} has no turn and passes.",
    undone="Taken back: {turns}.",
    goes_on="The game goes on.",
    nothing_undone="There is no turn to take back.",
    nothing_done="No turn has been made yet: it is {player}'s turn.",
    over="The game is over; take a turn back, or begin a new game.",
    righted="All is as it should be again.",
    looks_right="The board looks right again. If seeds were moved, put them back: they cannot be counted here.",
    sighted="The table sees again.",
    asked="Which turn was it? Touch the piece where it began ({sites}), or put the board back as it was.",
    owed="The turn is not finished: the lights show what is left to do.",
    blind="The table sees nothing: check the cable and the power of the sensors. The game is kept.",
    ghosts="Pieces read as others: what stands on {sites} ({count} in all) cannot be told, for diodes are missing "
    "there. Take the pieces off these sites, and solder the diodes in; the game is kept.",
    unlit="The lights fail ({fault}). The game goes on without them, and they are tried again.",
    lit="The lights work again.",
    unwritten="The record cannot be written ({fault}): make room for it. Until then the lights stand still.",
    written="The record is written again.",
    extra="{site} should be empty: take the piece off. Sites to put right: {count}.",
    missing="A {colour} stone belongs on {site}. Sites to put right: {count}.",
    replace="The stone on {site} should be {colour}. Sites to put right: {count}.",
    seeds="Seeds that belong in {site}: {level}. Sites to put right: {count}.",
    resigned="{player} wins: {other} resigns.",
    agreed="Both agree on a draw.",
)
