"""Why a typed line cannot be done, as sentences in any language."""

from __future__ import annotations

from firmware_bridge.records.lines import LineError
from games.rules import IllegalTurn, Reason, say
from hardware.simulated import FAULTS, HandError


class Fault(LineError):
    """A line that cannot be done at this table; `reason` says why, `number` is that of the line, if it has one."""

    def __init__(self, reason: Reason, number: int = 0) -> None:
        super().__init__(f"line {number}: {reason}" if number else str(reason))
        self.reason = reason


def fault(name: str, **values: int | str) -> Fault:
    """The fault of that name, with its values."""
    return Fault(Reason.of(f"line.{name}", **values))


def numbered(error: HandError | LineError | IllegalTurn, number: int) -> LineError:
    """The same as the fault of a line with a number."""
    if isinstance(error, HandError):
        return Fault(Reason.of(f"hand.{error.name}", **error.values), number)
    if isinstance(error, Fault | IllegalTurn):
        return Fault(error.reason, number)
    return LineError(f"line {number}: {error}")


say("hand", **FAULTS)
say(
    "line",
    unknown="{word} is not a word of this table; try 'help'",
    usage="it reads {usage}",
    which_stone="the hand is empty: say what to put, dark or light",
    how_many="the hand is empty: say what to put, a number",
    seeds="{word} is not a number of seeds from 1 to 60",
    stone="{word} is not a stone: say dark or light",
    drop="stones are put on a site, not dropped to others: use put",
    pits="{pit} holds {count} seeds: name as many pits, or none to sow by the rules",
    over="the game is over",
    undo="{word} is not a number of turns that can be taken back here",
    nothing="there is no turn to change",
    level="{word} is no level at which the engine plays this: 1 to {most}, or 0 for a person",
    mode="{word} is no mode; one of {names}",
    style="{word} is no style of hands; one of {names}",
    seconds="{word} is not a number of seconds up to 3600",
)
