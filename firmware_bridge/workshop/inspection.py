"""The sensors and lights of a board as the doctor looks at them: values in, findings, lines and pictures out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from firmware_bridge.workshop.chart import chart
from firmware_bridge.workshop.doctor import Finding, Findings, Grade
from firmware_bridge.workshop.unrest import Unrest
from firmware_bridge.workshop.wire import BLACK, WHITE
from firmware_bridge.workshop.wired import listed
from hardware.board import Board
from hardware.device import LAMPS, Colour, Levels, Trouble

SLOW = 0.005
"""Seconds of a scan beyond which 100 scans a second leave too little time for the rest."""
CHANGES = 3
"""Changes of a channel nobody touches that are too many."""


class Watch:
    """Fed with the frames of sensors that nobody touches, the time, and what each scan took, in seconds."""

    def __init__(self, channels: int) -> None:
        self._unrest = Unrest(channels, changes=CHANGES)
        self._costs: deque[float] = deque(maxlen=10_000)
        self._count = 0
        self._begun: float | None = None
        self._now = 0.0
        self._channels = channels
        self._troubles: set[Trouble] = set()

    def feed(self, frame: Levels, now: float, cost: float, trouble: Trouble | None = None) -> None:
        """Note one scan."""
        self._begun = now if self._begun is None else self._begun
        self._now = now
        self._count += 1
        self._costs.append(cost)
        self._unrest.feed(frame, now)
        if trouble:
            self._troubles.add(trouble)

    def findings(self, names: Mapping[int, str]) -> Findings:
        """What the sensors have shown; `names` are the points of channels."""
        unrest = self._unrest
        if not self._costs or len(unrest.silent) == self._channels:
            yield Finding(
                "fault", "sensors", "No channel tells anything: see that the sensors are connected and powered."
            )
            return
        yield from self._pace()
        yield from (Finding(grade, "sensors", f"{called(c, names)} {say}.") for grade, c, say in self._odd() if c)
        if not any(channels for _, channels, _ in self._odd()):
            yield Finding("ok", "sensors", f"{self._channels} channels, all of them open and quiet.")

    def _odd(self) -> Iterator[tuple[Grade, frozenset[int], str]]:
        """Channels that are not as they should be, and what to do about them."""
        unrest = self._unrest
        yield "fault", unrest.silent, "told nothing all the time: see the connection"
        yield "fault", unrest.flickering, "changed again and again: leave the board alone, else see for a cold joint"
        yield "remark", unrest.stuck, "closed all the time: a piece stands there, or the sensor is stuck"
        for trouble in self._troubles:
            say = f"show {trouble.kind}: clear the board; if it stays, see the diodes there"
            yield "fault", frozenset(trouble.channels), say

    def _pace(self) -> Findings:
        lasted, cost = self._now - (self._begun or 0.0), median(self._costs)
        pace = f"{round(self._count / lasted)} scans a second, " if lasted else ""
        slow = "; a hundred a second leave little time for the rest" if cost > SLOW else ""
        yield Finding("remark" if slow else "ok", "scan", f"{pace}{1000 * cost:.2f} ms each{slow}.")


def called(channels: frozenset[int], names: Mapping[int, str]) -> str:
    """Channels as the subject of a sentence, each with its point."""
    told = [f"{number} ({names[number]})" if number in names else str(number) for number in sorted(channels)]
    return f"Channel{'s' if len(told) > 1 else ''} {listed(told)}"


class Shot(NamedTuple):
    """A test picture, what should be seen, and for how many seconds."""

    say: str
    picture: tuple[Colour, ...]
    lasts: float


def shots(points: Sequence[str]) -> Iterator[Shot]:
    """The corner, a light that runs over the points, the turn lamps, then all lights in each colour."""
    yield Shot(f"One white light, at {points[0]}.", only(0, points), 2.0)
    for place in range(len(points)):
        yield Shot(f"A white light runs from {points[0]} to {points[-1]}.", only(place, points), 0.15)
    for lamp in range(LAMPS):
        say = f"The turn lamp of the {('first', 'second')[lamp]} player, where there is one."
        yield Shot(say, only(len(points) + lamp, points), 1.5)
    colours = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": WHITE}
    for name, colour in colours.items():
        yield Shot(f"All lights in {name}.", (colour,) * (len(points) + LAMPS), 2.0)


def only(place: int, points: Sequence[str]) -> tuple[Colour, ...]:
    """A picture of points and lamps in which one is white."""
    return tuple(WHITE if number == place else BLACK for number in range(len(points) + LAMPS))


def live(board: Board, levels: Levels, readings: Levels) -> Iterator[str]:
    """The lines of the board as its sensors show it: a mark for each point, the readings of analogue sensors."""
    cells = dict.fromkeys(board.places, "-")
    for point, channel in board.channels.items():
        cells[point] = mark(levels[channel]) + (f"{readings[channel]}" if readings else "")
    yield from chart(board, cells)
    known = set(board.channels.values())
    other = [str(channel) for channel, level in enumerate(levels) if level and channel not in known]
    yield f"closed channels of no point: {', '.join(other) or 'none'}"


def mark(level: int | None) -> str:
    """A level as one character, as long as it is below ten."""
    return "?" if level is None else "." if not level else "#" if level == 1 else str(level)


def changes(board: Board, before: Levels, after: Levels) -> Iterator[str]:
    """A line for each channel that has changed."""
    names = {channel: point for point, channel in board.channels.items()}
    for channel, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            yield f"channel {channel} ({names.get(channel, 'no point')}): {mark(old)} -> {mark(new)}"
