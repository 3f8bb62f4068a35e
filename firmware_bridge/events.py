"""Events: what the table says to its players, each with a sentence that tells what to do next.

An event is data. Records, the page, lights and speech are made from it. The events about a board that is not as it
should be are put together in `table.referee`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.rules import Outcome, Position, Reason, Site, Turn, say


class Event(NamedTuple):
    """Something that happened at the table."""

    name: str
    """What kind of event it is: ``played``, ``astray``, ``blind`` and others."""
    say: Reason
    """The sentence for the players."""
    turn: Turn[Position] | None = None
    """The turn that was accepted, if one was."""
    sites: tuple[str, ...] = ()
    """The sites that it is about."""

    @classmethod
    def of(cls, name: str, **values: int | str) -> Event:
        """The event `name` with the sentence ``table.<name>``, about no turn and no site."""
        return cls(name, Reason.of(f"table.{name}", **values))


def turn_event(name: str, player: str, turn: Turn[Position]) -> Event:
    """`player` made `turn`, and it was accepted; `name` is ``played``, ``amended`` or, if forced, ``passed``."""
    return Event(name, turn_reason(name, player, turn), turn)


def turn_reason(name: str, player: str, turn: Turn[Position]) -> Reason:
    """The sentence of `turn_event`; what a turn takes is told in words, for signs are to be learnt."""
    if taken := captured(turn):
        return Reason.of(f"table.{name}-takes", player=player, turn=move_text(turn), taken=", ".join(taken))
    said = "passes" if name == "played" and not turn.acts else name
    return Reason.of(f"table.{said}", player=player, turn=turn.text)


def captured(turn: Turn[Position]) -> tuple[Site, ...]:
    """The sites whose pieces `turn` takes off."""
    return tuple(site for act in turn.acts if act.kind == "take" for site in act.sites)


def move_text(turn: Turn[Position]) -> str:
    """The text of `turn` without the signs of what it takes and does not go to: ``a1-a2xb3xc4`` is ``a1-a2``."""
    goes = {site for act in turn.acts if act.kind != "take" for site in act.sites}
    text = turn.text
    for site in reversed(captured(turn)):
        text = text if site in goes else text.removesuffix(f"x{site}")
    return text


def undone_event(turns: Sequence[str]) -> Event:
    """These turns were taken back."""
    return Event.of("undone", turns=", ".join(turns), count=len(turns))


def outcome_event(outcome: Outcome) -> Event:
    """The game is over: ``won`` or ``drawn``."""
    return Event("drawn" if outcome.winner is None else "won", outcome.reason, sites=outcome.sites)


def ready_event(player: str, *, unseen: bool) -> Event:
    """The board equals the position, and `player` is to move; `unseen`: as far as the sensors tell."""
    return Event("ready", Reason.of("table.looks-ready" if unseen else "table.ready", player=player))


def sensor_event(name: str, sites: Iterable[str]) -> Event:
    """The sensors of `sites` are no longer believed (``doubted``), are believed again (``trusted``), or show a symptom.

    The symptoms are ``late``, ``crosstalk``, ``miscount``, ``restless`` and ``mute``; `reading.reliability` finds
    them.
    """
    named = tuple(sites)
    return Event(name, Reason.of(f"table.{name}", sites=", ".join(named), count=len(named)), sites=named)


say(
    "table",
    ready="{player} to play.",
    looks_ready="{player} to play. These sensors tell only where something lies: look whether the colours are right.",
    opening="{player} begins. {why}",
    opening_you="You are {player}, and begin. {why}",
    opening_other="You are {player}, and {other} begins. {why}",
    to_play="Turn {number}: {player} to play.",
    played="{player} plays {turn}.",
    played_takes="{player} plays {turn} and captures {taken}.",
    amended="{player} changes the turn to {turn}.",
    amended_takes="{player} changes the turn to {turn} and captures {taken}.",
    passed="{player} has no turn and passes.",
    passes="{player} passes.",
    may_pass="{player} has not moved yet. To pass, press Done again.",
    undone="Taken back: {turns}.",
    goes_on="The game goes on.",
    nothing_undone="There is no turn to take back.",
    dropped="{turn} is not to be made any more: {player} chooses again.",
    nothing_dropped="No turn is being made that was asked for: there is nothing to drop.",
    nothing_done="{player} has not moved yet. If a turn was made all the same, press Done again.",
    press_again="If the board is right all the same, press Done again: that sensor is then not believed.",
    no_standing="{game} does not tell who is ahead before the end.",
    over="The game is over; take a turn back, or begin a new game.",
    righted="The board is right again.",
    righted_in_turn="That is right again; the turn is not finished yet: the lights show what is left to do.",
    looks_right="The board looks right again. If seeds were moved, put them back: they cannot be counted here.",
    sighted="The table sees again.",
    doubted="The sensor at {sites} cannot be believed: the table goes by the others, and asks where they do not tell.",
    trusted="The sensor at {sites} can be believed again.",
    late="The sensor at {sites} sees late that a piece has gone: its switch may stick, or the magnet be too strong. "
    "The game goes on.",
    crosstalk="The sensor at {sites} also sees what happens beside it: it may lie too close, or wires may touch. The "
    "game goes on.",
    miscount="The sensor at {sites} seems to miscount: it sees several seeds more at once. The game goes on; what it "
    "counts may be wrong.",
    restless="The sensor at {sites} sees a piece come and go again and again. If no hand does it, its contact is "
    "loose. The game goes on.",
    mute="The sensor at {sites} tells nothing: check its contact. The table goes by the others, and asks where they do "
    "not tell.",
    asked="Which turn was it? Touch the piece where it began ({sites}), or put the board back as it was.",
    asked_which="Which turn was it? Touch one of these ({choices}), or put the board back as it was.",
    asked_one="Was that the turn that begins at {sites}? Touch the piece there if it was, or put the board back as it "
    "was.",
    offered="Was it one of these turns: {turns}? Press Done while the lights show them; if not, wait for others.",
    offered_one="Was it {turns}? Press Done while the lights show it; if not, wait, or put the board back as it was.",
    off_plan="{player} plays {turn}: what was done at {sites} is no part of it. The lights show how to go on.",
    debt_laid="{player}'s new piece is still missing on {site}: lay it there. The game goes on.",
    debt_taken="{player} still has the piece on {site} to take: take it off. The game goes on.",
    owed="The turn is not finished: the lights show what is left to do.",
    blind="The table sees nothing: check the cable and the power of the sensors. The game is kept.",
    ghosts="Pieces read as others: what stands on {sites} ({count} in all) cannot be told, for diodes are missing "
    "there. Take the pieces off these sites, and solder the diodes in; the game is kept.",
    grounded="A wire touches ground: what stands on {sites} ({count} in all) cannot be told. Look along the wire that "
    "they share for bare copper or a drop of solder; the game is kept.",
    silent="The sensors of {sites} ({count} in all) do not answer: check the wires that lead there, and their power. "
    "The game is kept.",
    unlit="The lights fail ({fault}). The game goes on without them, and they are tried again.",
    lit="The lights work again.",
    unwritten="The record cannot be written ({fault}): make room for it. Until then the lights show no new turn.",
    written="The record is written again.",
    extra="{site} should be empty: take the piece off.",
    missing="A {colour} stone belongs on {site}.",
    replace="The stone on {site} should be {colour}.",
    back="Move the {colour} stone from {site} back to {target}.",
    back_goes="Move the {colour} stone from {site} back to {target}; from there it may go to {goals}.",
    seeds="Seeds that belong in {site}: {level}.",
    to_right="To put right",
    to_look="The sensors cannot tell colours: look at them yourselves, and put right",
    to_count="The sensors cannot count seeds: look into all the pits, and put right",
    to_go_on="The game is over: take a turn back, begin a new game, or put right",
    right_dark="{why} ({count}): black on {dark}.",
    right_light="{why} ({count}): white on {light}.",
    right_none="{why} ({count}): nothing on {none}.",
    right_dark_light="{why} ({count}): black on {dark}; white on {light}.",
    right_dark_none="{why} ({count}): black on {dark}; nothing on {none}.",
    right_light_none="{why} ({count}): white on {light}; nothing on {none}.",
    right_dark_light_none="{why} ({count}): black on {dark}; white on {light}; nothing on {none}.",
    right_seeds="{why} ({count}): {pits}.",
    resigned="{player} wins: {other} resigns.",
    agreed="Both agree on a draw.",
    timed_out="{player} wins: the time of {other} is up.",
    time_short="{player} has {seconds} seconds left.",
    time_periods="{player} has no main time left: a turn may take {seconds} seconds. Periods left: {count}.",
)
