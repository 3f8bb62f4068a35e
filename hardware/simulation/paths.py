"""Hands at a table of magnets: acts carried out as ways of stones through space.

A `Person` has a manner of moving, drawn once, and a `Hand` of that person does one thing after another at times of its
own: it lifts, carries, slides, pushes rows, lays and takes. What it does changes no level: stones are sent on their
ways (`Magnets.move`), and the sensors show what follows. Two hands may be at work at once; a stone or a site that one
of them is busy with makes the other wait.

Ranges are guesses unless a source is named, and wider than any constant of the reader: pauses run from hundredths of a
second to minutes, heights from a scratch to a hand's breadth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist, exp, inf, log
from random import Random

from hardware.simulation.hands import Act
from hardware.simulation.physics import ABOVE, Magnets, Place, Stone, Waypoint

HIGH = ABOVE + 0.2
"""Pitches above the board at which a stone is out of reach of every sensor."""
THICK = 0.3
"""Pitches that a stone is high: what is slid lower must go round it. A guess: 12 mm on squares of 40."""
LINK = 1.6
"""Pitches between two sites beyond which a row is not pushed but carried stone by stone."""
NEAR = 1.5
"""Pitches between two sites that lie next to each other, straight or across."""
Halt = tuple[Place, float]
"""A place on the way where a hand holds its stone, and for how many seconds."""
Board = Mapping[str, int]
"""What stands on each site that is not empty: 1 dark, 2 light."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How one person moves.

    `pause`: median seconds between two acts, and `tail` the standard deviation of its logarithm (human response times
    are close to log-normal, with 0.2 to 0.6; the rest is a guess for absent minds). `speed`: pitches a second; aimed
    movements peak at 0.2 to 1.5 m/s, which is 4 to 40 squares. `height`: pitches that a stone is lifted. `aim`: the
    standard deviation in pitches of where it lands. `low`: the share of stones that are slid or carried low, `both`
    that of acts begun by the other hand before the first has ended. `size`: a stone's diameter in pitches. `row`: how
    rows are moved, with weights.
    """

    pause: float
    tail: float
    speed: float
    height: float
    aim: float
    low: float
    both: float
    size: float
    row: Mapping[str, float]


ROWS = ("fingers", "finger", "singly", "round", "new stone")
"""How a row is moved: with the stones kept apart; one pushing the next; stone by stone; its last stone carried to the
front, where all are alike; pushed by the new stone."""
CLEAN_ROWS = ("fingers", "finger", "singly", "round")
PAUSE, TAIL, SPEED, HEIGHT, AIM, SIZE = (0.05, 1.5), (0.2, 0.9), (4, 40), (0.1, 2.5), (0.01, 0.07), (0.6, 0.92)


def between(choose: Random, least: float, most: float) -> float:
    """A value between these, each doubling being as likely."""
    return exp(choose.uniform(log(least), log(most)))


def manner(choose: Random, rows: Sequence[str] = CLEAN_ROWS) -> Manner:
    """A person by chance, who moves rows in one of these ways, mostly in one of them."""
    usual = choose.choice(rows)
    return Manner(
        pause=between(choose, *PAUSE),
        tail=choose.uniform(*TAIL),
        speed=between(choose, *SPEED),
        height=between(choose, *HEIGHT),
        aim=between(choose, *AIM),
        low=choose.random() ** 3,
        both=choose.random() ** 3,
        size=choose.uniform(*SIZE),
        row={row: 0.8 if row == usual else 0.2 / max(1, len(rows) - 1) for row in rows},
    )


class Stones:
    """The stones of a game on a table of magnets: which is on which site, and until when each site is in use."""

    def __init__(self, table: Magnets, board: Board) -> None:
        self.table = table
        self.on = {site: table.stand(level, (*table.places[site], 0.0)) for site, level in board.items() if level}
        self.free: dict[str, float] = dict.fromkeys(table.sites, -inf)
        """Until when each site is in use, in seconds."""
        xs, ys = zip(*table.places.values(), strict=True)
        self._edges = (min(xs) - 2, max(xs) + 2), (min(ys) - 2, max(ys) + 2)

    def board(self) -> dict[str, int]:
        """What stands where once all that was begun has ended."""
        return {site: stone.level for site, stone in self.on.items()}

    def place(self, site: str) -> tuple[float, float]:
        """Where the site is, in pitches."""
        return self.table.places[site]

    def hand(self, manner: Manner, choose: Random, time: float) -> Hand:
        """A hand that begins then."""
        return Hand(self, manner, choose, time)

    def beside(self, site: str) -> list[str]:
        """The sites next to one."""
        here = self.place(site)
        return [other for other in self.table.sites if other != site and dist(here, self.place(other)) <= NEAR]

    def way_off(self, site: str, choose: Random) -> tuple[float, float]:
        """A place beside the board, straight from `site`."""
        x, y = self.place(site)
        left_right, low_high = self._edges
        return (choose.choice(left_right), y) if choose.random() < 0.5 else (x, choose.choice(low_high))


class Hand:
    """A hand at work from `time` (seconds) on; `time` is when it is done with what it was told so far."""

    def __init__(self, stones: Stones, manner: Manner, choose: Random, time: float) -> None:
        self.stones, self.manner, self.choose, self.time = stones, manner, choose, time
        self.begun = inf
        """When it first moved something, in seconds."""

    # Time and aim -------------------------------------------------------------------------------

    def pause(self, median: float | None = None) -> None:
        """Do nothing for a while: log-normal about `median` seconds."""
        self.time += (self.manner.pause if median is None else median) * exp(self.choose.gauss(0, self.manner.tail))

    def _speed(self) -> float:
        return self.manner.speed * exp(self.choose.gauss(0, 0.2))

    def _aimed(self, site: str) -> tuple[float, float]:
        x, y = self.stones.place(site)
        spread = self.manner.aim
        off = [max(-0.14, min(0.14, self.choose.gauss(0, spread))) for _ in "xy"]
        return x + off[0], y + off[1]

    # Ways ---------------------------------------------------------------------------------------

    def _send(self, stone: Stone, points: Sequence[tuple[float, Place]]) -> None:
        """Send `stone` along `points`: seconds to each, and where it is."""
        time, way = self.time, list[Waypoint]()
        for seconds, place in points:
            time += seconds
            way.append((time, *place))
        self.begun = min(self.begun, way[0][0])
        self.stones.table.move(stone, way)
        self.time = time

    def _way(self, start: Place, goal: Place, *, low: bool | None = None) -> list[tuple[float, Place]]:
        """The way from `start` to `goal`: up, over and down; or low above the board."""
        if low is None:
            low = self.choose.random() < self.manner.low
        speed = self._speed()
        height = self.manner.height * exp(self.choose.gauss(0, 0.25))
        if low:
            height = self.choose.uniform(0, 0.45)
            if self._crosses(start, goal):
                height = max(height, THICK)
        seconds = dist(start[:2], goal[:2]) / speed
        up, down = (max(0.02, abs(height - z) / speed) for z in (start[2], goal[2]))
        over = [(start[0], start[1], height), (goal[0], goal[1], height)]
        return [(0.0, start), (up, over[0]), (max(0.02, seconds), over[1]), (down, goal)]

    def _crosses(self, start: Place, goal: Place) -> bool:
        """Whether another stone stands on the straight way."""
        length = dist(start[:2], goal[:2])
        for site in self.stones.on:
            at = self.stones.place(site)
            a, b = dist(start[:2], at), dist(goal[:2], at)
            if min(a, b) > 0.5 and a + b < length + 0.4:
                return True
        return False

    # What hands do ------------------------------------------------------------------------------

    def _wait_for(self, *sites: str) -> None:
        self.time = max(self.time, *(self.stones.free[site] for site in sites))

    def lift(self, site: str) -> Stone:
        """Take the stone of `site` for what comes next."""
        self._wait_for(site)
        stone = self.stones.on.pop(site)
        self.time = max(self.time, stone.ends)
        return stone

    def carry(self, site: str, to: str, *, low: bool | None = None, halts: Sequence[Halt] = ()) -> None:
        """Carry a stone, and hold it at places on its way for some seconds each."""
        stone = self.lift(site)
        self._wait_for(to)
        points = [(0.0, stone.goal)]
        for place, seconds in halts:
            points += [*self._way(points[-1][1], place, low=low)[1:], (seconds, place)]
        points += self._way(points[-1][1], (*self._aimed(to), 0.0), low=low)[1:]
        begun = self.time
        self._send(stone, points)
        self.stones.on[to] = stone
        self.stones.free[site] = max(self.stones.free[site], begun + points[1][0] + points[2][0])
        self.stones.free[to] = self.time

    def lay(self, level: int, to: str, halts: Sequence[Halt] = ()) -> None:
        """Bring a new stone from beside the board."""
        self._wait_for(to)
        x, y = self.stones.way_off(to, self.choose)
        stone = Stone(level, (x, y, HIGH))
        points = [(0.0, stone.at)]
        for place, seconds in halts:
            points += [*self._way(points[-1][1], place)[1:], (seconds, place)]
        points += self._way(points[-1][1], (*self._aimed(to), 0.0))[1:]
        self.time -= min(sum(seconds for seconds, _ in points[:-2]), max(0.0, self.manner.pause))
        self.time = max(self.time, self.stones.table.clock)
        self._wait_for(to)
        self._send(stone, points)
        self.stones.on[to] = stone
        self.stones.free[to] = self.time

    def take(self, site: str, halts: Sequence[Halt] = ()) -> None:
        """Take a stone off the board."""
        stone = self.lift(site)
        points = [(0.0, stone.goal)]
        for place, seconds in halts:
            points += [*self._way(points[-1][1], place)[1:], (seconds, place)]
        away = *self.stones.way_off(site, self.choose), HIGH
        way = self._way(points[-1][1], away)
        begun = self.time
        self._send(stone, [*points, *way[1:]])
        self.stones.free[site] = max(self.stones.free[site], begun + sum(each for each, _ in points) + way[1][0])

    def shift(self, site: str, over: tuple[float, float], height: float, seconds: float) -> None:
        """Move the stone of `site` aside by `over`, `height` high, hold it there, and put it back."""
        stone = self.lift(site)
        start, (x, y) = stone.goal, self.stones.place(site)
        aside = x + over[0], y + over[1], height
        points = [(0.0, start), *self._way(start, aside, low=True)[-1:], (seconds, aside)]
        points += [(0.05 + dist(aside, start) / self._speed(), (*self._aimed(site), 0.0))]
        self._send(stone, points)
        self.stones.on[site] = stone
        self.stones.free[site] = self.time

    # Rows ---------------------------------------------------------------------------------------

    def push(self, row: Sequence[str], new: int | None, way: str, halts: Sequence[Halt] = ()) -> None:
        """Move the stones of a row one site on, and lay a `new` one where it began, if any, in one of `ROWS`."""
        levels = {self.stones.on[site].level for site in row[:-1]}
        links = [dist(self.stones.place(a), self.stones.place(b)) for a, b in pairwise(row)]
        if way == "round" and len(levels) == 1 and new is not None:
            self.carry(row[0], row[-1])
        elif way == "singly" or max(links) > LINK:
            for place in range(len(row) - 2, -1, -1):
                self.carry(row[place], row[place + 1], low=True if self.choose.random() < 0.7 else None)
                if place:
                    self.pause(self.manner.pause / 2)
        else:
            leading = new if way == "new stone" else None
            self._shove(row, leading, apart=way == "fingers" or self.choose.random() < 0.5)
            if leading is not None:
                return
        if new is not None:
            self.pause()
            self.lay(new, row[0], halts)

    def _shove(self, row: Sequence[str], leading: int | None, *, apart: bool) -> None:
        """Push a row from behind, with the `leading` new stone if any.

        The stones keep `apart` as they were; or each begins to move when the one behind it has come near, and at the
        end the row stands too close, until each stone has been put right.
        """
        self._wait_for(*row)
        stones = [self.stones.on[site] for site in row[:-1]]
        self.time = max(self.time, *(stone.ends for stone in stones))
        size = 1.0 if apart else self.manner.size
        places = [self.stones.place(site) for site in row]
        first, second = places[0], places[1]
        behind = 2 * first[0] - second[0], 2 * first[1] - second[1]
        speed = min(15.0, self._speed())
        times = [1 / speed * part / 8 for part in range(9)]
        if self.choose.random() < 0.15:  # a row that is pushed in two goes
            torn, seconds = self.choose.randint(2, 6), between(self.choose, 0.05, 2)
            times = [time + (seconds if part > torn else 0) for part, time in enumerate(times)]
        lags = [place * self.choose.uniform(0, 0.03) if apart else 0.0 for place in range(len(stones))]
        start = self.time + (0 if leading is None else 0.15)
        self.begun = min(self.begun, start)
        for number, stone in enumerate(stones):
            ahead = number * size if leading is None else (number + 1) * size - 1
            along = [max(float(number), part / 8 + ahead) for part in range(9)]
            way = [
                (start + lags[number] + time, *on_line(places, min(at, number + 1.0)), 0.0)
                for time, at in zip(times, along, strict=True)
            ]
            still = max(place for place in range(9) if along[place] == along[0])
            self.stones.table.move(stone, [(way[still][0], *stone.goal), *way[still + 1 :]])
        self.time = start + max(lags) + times[-1]
        if leading is not None:
            stone = Stone(leading, (*behind, HIGH))
            nearest = on_line([behind, first], 0.4)
            self.stones.table.move(stone, [(start - 0.15, *stone.at), (start, *nearest, THICK)])
            self.stones.table.move(stone, [(self.time, *self._aimed(row[0]), 0.0)])
        for site in row[:-1]:
            self.stones.on.pop(site)
        self.stones.on.update(zip(row[1:], stones, strict=True))
        if leading is not None:
            self.stones.on[row[0]] = stone
        self.stones.free.update(dict.fromkeys(row, self.time))
        for place in range(len(row) - 1, 0, -1):
            if dist(stones[place - 1].goal[:2], places[place]) > 0.1:
                self._straighten(row[place])

    def _straighten(self, site: str) -> None:
        """Push a stone that stands too near an edge to the middle."""
        stone = self.stones.on[site]
        self.pause(0.15)
        self.time = max(self.time, stone.ends)
        self._send(stone, [(0.0, stone.goal), (0.03 + 0.5 / self._speed(), (*self._aimed(site), 0.0))])
        self.stones.free[site] = self.time

    # Acts ---------------------------------------------------------------------------------------

    def flip(self, site: str, level: int) -> None:
        """Turn over or exchange the stone of `site`."""
        self.take(site)
        self.pause(self.manner.pause / 2)
        self.lay(level, site)

    def do(self, act: Act, halts: Sequence[Halt] = ()) -> None:
        """One act, as this hand does it now."""
        kind, sites, levels, _ = act
        if kind == "carry":
            self.carry(sites[0], sites[1], halts=halts)
        elif kind == "push":
            self.push(sites, None, self.row())
        elif kind == "lay":
            self.lay(levels[0], sites[0], halts)
        elif kind == "take":
            self.take(sites[0], halts)
        else:
            self.flip(sites[0], levels[0])

    def row(self) -> str:
        """How this person moves the next row."""
        return self.choose.choices(list(self.manner.row), list(self.manner.row.values()))[0]

    def restore(self, board: Board) -> None:
        """Put the stones so that they stand as on `board`: each to the nearest site that lacks one like it."""
        on = self.stones.on
        extra = [site for site, stone in on.items() if board.get(site, 0) != stone.level]
        for site in extra:
            here = self.stones.place(site)
            lacking = [
                other
                for other, level in board.items()
                if level == on[site].level and other not in on and self.stones.free[other] < inf
            ]
            goal = min(lacking, key=lambda other: dist(self.stones.place(other), here), default=None)
            if goal:
                self.carry(site, goal)
            else:
                self.take(site)
            self.pause()
        for site, level in board.items():
            if level and site not in on:
                self.lay(level, site)
                self.pause()


def on_line(places: Sequence[tuple[float, float]], along: float) -> tuple[float, float]:
    """The place `along` a line through `places`, which lie at 0, 1, 2 and so on."""
    part = max(0, min(len(places) - 2, int(along)))
    (ax, ay), (bx, by) = places[part], places[part + 1]
    share = along - part
    return ax + share * (bx - ax), ay + share * (by - ay)
