"""A table with faults of wiring, and a player at it who looks at nothing but the lights."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from firmware_bridge.workshop.wiring import ORANGE, WHITE, Wired, Wiring
from hardware.board import BLACK
from hardware.device import Levels, Sense
from hardware.simulation.table import SimulatedTable

SQUARES = [f"{file}{rank}" for rank in range(1, 9) for file in ascii_lowercase[:8]]
HZ = 25


class Faulty:
    """The sensors of `table` with faults of wiring, frame by frame."""

    def __init__(self, table: SimulatedTable, channels: int, seed: int = 0) -> None:
        self.table, self.channels = table, channels
        self.stuck: set[int] = set()
        self.flickering: set[int] = set()
        self.also: dict[int, int] = {}
        """Channel -> one more that closes with it."""
        self.bounce = 0
        """Frames for which a channel chatters after a change."""
        self._chance = random.Random(seed)
        self._clean: Levels | None = None
        self._since: dict[int, int] = {}
        self._frame: Levels = ()

    def scan(self) -> Levels:
        """The next frame."""
        clean = self.table.scan()
        if clean is self._clean and not self._since and not self.flickering:
            return self._frame
        self._since = {channel: left - 1 for channel, left in self._since.items() if left > 1}
        if self.bounce and self._clean:
            changed = (n for n, (new, old) in enumerate(zip(clean, self._clean, strict=True)) if new != old)
            self._since |= dict.fromkeys(changed, self.bounce)
        self._clean = clean
        self._frame = tuple(self._levels(list(clean) + [0] * (self.channels - len(clean))))
        return self._frame

    def readings(self) -> Levels:
        """No readings: these sensors are switches."""
        return ()

    def _levels(self, levels: list[int | None]) -> list[int | None]:
        for channel, other in self.also.items():
            levels[other] = levels[channel] or levels[other]
        for channel in self.flickering:
            levels[channel] = self._chance.randrange(2)
        for channel in self._since:
            levels[channel] = self._chance.randrange(2)
        for channel in self.stuck:
            levels[channel] = 1
        return levels


def idle(_: float) -> None:
    """Nothing happens beside the game."""


class Player:
    """Looks at the lights of `table` and does what they ask for; times in seconds.

    `fresh`: takes a new piece each time. `slides`: pushes the piece over other points on the way. `again`: now and
    then lifts the piece and puts it again.
    """

    def __init__(
        self,
        table: SimulatedTable,
        *,
        reach: float = 0.6,
        carry: float = 0.5,
        fresh: bool = False,
        slides: bool = False,
        again: bool = False,
        seed: int = 0,
    ) -> None:
        self.table, self.reach, self.carry, self.fresh = table, reach, carry, fresh
        self.slides, self.again = slides, again
        self.chance = random.Random(seed)
        self.at = ""
        self.todo: list[tuple[float, list[tuple[str, int]]]] = []
        """What the hands are about to do, and when, soonest last."""
        self.seen: object = None

    def play(self, now: float) -> None:
        """Let the hands go on until `now`."""
        if self.table.pictures[-1] is not self.seen:
            self.seen = self.table.pictures[-1]
            self.look(now)
        while self.todo and self.todo[-1][0] <= now:
            self.table.lay(self.todo.pop()[1])

    def look(self, now: float) -> None:
        """Decide on what the lights ask for."""
        lit = {site: self.table.light(site) for site in self.table.sites}
        white = [site for site, colour in lit.items() if colour == WHITE]
        if set(lit.values()) == {ORANGE}:
            self.todo = [(now + self.reach, [(site, 0) for site in self.table.sites])]
            self.at = ""
        elif white:
            assert len(white) == 1
            self.todo = sorted(self.carry_acts(white[0], now + self.reach), key=lambda act: -act[0])
            self.at = white[0]

    def carry_acts(self, to: str, now: float) -> Iterable[tuple[float, list[tuple[str, int]]]]:
        """The acts that bring a piece to `to`."""
        if self.again and self.at and self.chance.random() < 0.3:
            yield now, [(self.at, 0)]
            yield now + 0.3, [(self.at, 1)]
            now += 0.8
        if self.at and not self.fresh:
            yield now, [(self.at, 0)]
        if self.slides:
            for over in self.chance.sample([site for site in self.table.sites if not self.table.level(site)], 3):
                yield now + 0.01, [(over, 1)]
                yield (now := now + 0.09), [(over, 0)]
        yield now + self.carry, [(to, 1)]


def shuffled(seed: int, channels: int = 80, dead: int = 3) -> dict[str, int]:
    """A wiring of the squares to any of the channels, `dead` of them to none."""
    chance = random.Random(seed)
    wired = chance.sample(SQUARES, len(SQUARES) - dead)
    return dict(zip(sorted(wired, key=SQUARES.index), chance.sample(range(channels), len(wired)), strict=True))


def run(
    asked: Wiring, sensors: Faulty, player: Player, *, most: float = 3600.0, each: Callable[[float], bool | None] = idle
) -> Wired:
    """Let the player be asked until the wiring is known; `each` is told the time first and may keep the player away."""
    table, shown = sensors.table, None
    for tick in range(int(most * HZ)):
        away = each(tick / HZ)
        ask = asked.feed(sensors.scan(), tick / HZ, sensors.readings())
        if (ask.put, ask.clear) != shown:
            shown = (ask.put, ask.clear)
            table.show([*asked.picture(table.sites), BLACK, BLACK])
        if asked.result:
            return asked.result
        if not away:
            player.play(tick / HZ)
    raise AssertionError(f"not at its end after {most} s: {asked.ask.say}")


def found(wiring: Mapping[str, int], *, channels: int = 80, sites: Sequence[str] = SQUARES, **habits: Any) -> Wired:
    """What is found out about `wiring` by a player with these habits."""
    table = SimulatedTable(sites, Sense.PRESENCE, wiring=wiring)
    return run(Wiring(sites, channels), Faulty(table, channels), Player(table, **habits))


def at(wiring: Mapping[str, int], channel: int) -> str:
    """The point that `channel` reads."""
    return next(point for point, wired in wiring.items() if wired == channel)


def turned(seed: int) -> dict[str, int]:
    """The wiring of a board built turned, mirrored or with swapped columns."""
    places = [(x, y) for y in range(8) for x in range(8)]
    for _ in range(seed % 4):
        places = [(7 - y, x) for x, y in places]
    if seed & 4:
        places = [(7 - x, y) for x, y in places]
    if seed & 8:
        places = [({2: 5, 5: 2}.get(x, x), y) for x, y in places]
    return {point: 8 * y + x for point, (x, y) in zip(SQUARES, places, strict=True)}
