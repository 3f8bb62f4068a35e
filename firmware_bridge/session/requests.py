"""What is asked of a game in hand other than by its pieces: the same at a simulated table and at a real one."""

from __future__ import annotations

from firmware_bridge.daemon import Daemon
from firmware_bridge.session.messages import AnyRequest, End, Hinting, Press, Show
from firmware_bridge.table.referee import Event, told
from games.rules import say


def ask(daemon: Daemon, request: AnyRequest, now: float) -> list[Event]:
    """Do what is asked of the game in hand at `now` (seconds)."""
    table = daemon.table
    if isinstance(request, Show):
        daemon.show_as(request.mode)
        return []
    if isinstance(request, Hinting):
        daemon.hint_as(request.hints)
        return []
    if isinstance(request, End):
        side = request.resigns
        return daemon.ask(lambda _: table.agree() if side is None else table.resign(side), now)
    if isinstance(request, Press):
        return daemon.press(request.button, now)
    return [told("by-hand")]


def refused(fault: object) -> list[Event]:
    """That something cannot be done, and why."""
    return [told("refused", fault=str(fault))]


say(
    "table",
    by_hand="The pieces of a real table are moved by hand: this cannot be done on the page.",
    refused="This cannot be done: {fault}.",
    not_sensed="Such sensors tell nothing of the pieces of {game}: choose others.",
    not_there="There is no place {site} that could hold {level}.",
    no_such_turn="{turn} is no turn now: the lights show what may be moved.",
    not_begun="The pieces do not lie as {turn} goes: put them back first.",
    still_busy="The hands are still busy: wait until they have finished.",
)
