"""Notes, while a game goes on at a table, when its turns are counted."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from firmware_bridge.simulation import Simulation
from firmware_bridge.verdict import Astray
from games.rules import Position, Turn
from hardware.device import Levels


class Counted(NamedTuple):
    """When the table counted a turn, in seconds, and whether with the very frame that shows its result."""

    at: float
    unique: bool


class Onlooker:
    """Notes when the table of `simulation` asks, and when it counts the turns."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation, self._seen = simulation, 0
        self._frame: Levels = ()
        self.asked = -inf
        """When it asked last, in seconds."""
        self.astray = -inf
        """When something was wrong last."""
        self.counted: dict[int, Counted] = {}
        """The turns by their number, from 1."""
        simulation.onlookers.append(self.see)

    def see(self, frame: Levels, now: float) -> None:
        """The settled frame at `now` (seconds)."""
        events = self._simulation.events
        if len(events) > self._seen:
            new = [event.name for event in events[self._seen :]]
            self._seen = len(events)
            self.asked = now if "asked" in new else self.asked
            self._count(sum(name in ("played", "amended") for name in new), frame, now)
        if isinstance(self._simulation.table.verdict, Astray):
            self.astray = now
        self._frame = frame

    def _count(self, turns: int, frame: Levels, now: float) -> None:
        """So many turns have just been counted."""
        made = played(self._simulation) if turns else []
        for number in range(len(made) - turns, len(made)):
            shows = self._simulation.table.sensors.frame(made[number].after)
            self.counted[number + 1] = Counted(now, frame is not self._frame and frame == shows)


def played(simulation: Simulation) -> list[Turn[Position]]:
    """The turns that the table has accepted; forced passes it plays by itself."""
    return [entry.turn for entry in simulation.table.sheet.played_turns if not entry.forced]
