"""A table of magnets or of pits, whose levels follow from where the pieces are: nobody scripts a level.

Stones carry magnets, each site has a switch, or a Hall sensor, beneath it. Places are in pitches, the distance of the
nearest two sites: x to the right, y up, z above the board. What a magnet does to a site is that of an upright dipole,
``DEPTH`` above the sensor: it grows as the stone comes near or comes down, and is 1 where it stands in the middle.

 1. *Hysteresis.* A site closes where the field of all stones together passes what one stone does at the distance
    `reach`, and opens where it falls below what one does at `reach` + `slack`. Both differ from site to site.
 2. *Lateness and bounce.* The contact follows some milliseconds later, and may open and close again before it rests.
 3. *Reading.* A scan reads row after row, and a converter only a part of the sites each time.
 4. *Colour.* A dark stone has its north up, a light one its south: fields add up, or cancel. By presence all are alike.
 5. *Seeds* have weights that differ, a scale is slow, and a hand in the pit presses on it. By presence a pit shows
    whether a seed lies in it.

Where a range has no source it is a guess; each is wider than any time or distance that the reader knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import dist, exp, inf
from random import Random

from hardware.device import Levels, Sense

DEPTH = 0.5
"""Pitches from a sensor to the magnet of a stone that stands on the board; a guess: 20 mm on squares of 40."""
STRIDE, TICK = 0.04, 0.001
"""Fields are worked out once a stone has moved by so many pitches, but not sooner than after so many seconds."""
FAR = 0.9
"""Pitches beyond which a stone does nothing to a site."""
ABOVE = 1.6
"""Pitches above the board beyond which it does nothing either."""
ACROSS = 8
"""Sites in a row of the matrix."""
WEIGHED = 1 / 80
"""Seconds between two conversions of a scale: an HX711 at its faster rate (its data sheet: 10 or 80 a second)."""

Place = tuple[float, float, float]
Waypoint = tuple[float, float, float, float]
"""A time in seconds and a place."""


@dataclass(frozen=True, slots=True)
class Sensors:
    """How the sensors of a table are made. Pairs are the least and the most; each site, or bounce, has its own.

    `reach`: pitches at which a site closes (guess); `spread`: how much that differs between sites, as a share (data
    sheets of reed switches give pull-in classes of 5 to 10 ampere turns). `slack`: pitches more until it opens (guess;
    data sheets have a drop-out of half to nine tenths of the pull-in). `late`: seconds (guess; a reed takes 0.5 ms, a
    slow converter far more). `bounce`: seconds until a contact rests: Ganssle measured 0 to 6 ms, and one of 157.
    `row`: seconds from one row to the next. `parts`: in how many scans all sites are read once, where a converter reads
    Hall sensors, which do not bounce; half of the tables that tell colours have such.
    """

    reach: float = 0.42
    spread: float = 0.08
    slack: tuple[float, float] = (0.03, 0.14)
    late: tuple[float, float] = (0.0, 0.03)
    bounce: tuple[float, float] = (0.0, 0.012)
    row: tuple[float, float] = (0.0, 0.0008)
    parts: tuple[int, ...] = (1, 2, 4)


STRENGTHS = {
    "weak": Sensors(reach=0.29),
    "usual": Sensors(),
    "strong": Sensors(reach=0.54),
}
"""Three strengths of sensors: at the first a stone must stand well in its square, at the last a square's edge closes
two of them."""


def field(beside: float, above: float) -> float:
    """What a stone does to a site whose middle it is `beside` and `above`, in pitches: 1 where it stands on it.

    The upright part of a dipole's field. Farther aside it turns over and is weaker by an order of magnitude; that lobe
    is left out.
    """
    z = above + DEPTH
    z2, d2 = z * z, beside * beside
    if d2 >= min(2 * z2, FAR * FAR):
        return 0.0
    return float((2 * z2 - d2) * DEPTH**3 / (2 * (z2 + d2) ** 2.5))


class Stone:
    """A stone of `level` (1 dark, 2 light) at a place, and where it is going."""

    __slots__ = ("at", "begun", "leg", "level", "way")

    def __init__(self, level: int, at: Place) -> None:
        self.level, self.at = level, at
        self.way: list[Waypoint] = []
        self.leg = 0
        self.begun = False

    @property
    def ends(self) -> float:
        """When it will have come to rest, in seconds; -inf if it has."""
        return self.way[-1][0] if self.way else -inf

    @property
    def goal(self) -> Place:
        """Where it will then be."""
        return self.way[-1][1:] if self.way else self.at

    def place(self, time: float) -> Place:
        """Where it is at `time`, which never goes back: it starts and stops softly on each leg of its way."""
        way = self.way
        while self.leg + 1 < len(way) and way[self.leg + 1][0] <= time:
            self.leg += 1
        start, x, y, z = way[self.leg]
        if self.leg + 1 == len(way) or time <= start:
            return x, y, z
        end, to_x, to_y, to_z = way[self.leg + 1]
        share = (time - start) / (end - start)
        share *= share * (3 - 2 * share)
        return x + share * (to_x - x), y + share * (to_y - y), z + share * (to_z - z)

    def next(self, time: float) -> float:
        """When to look at it again (seconds): once it has moved by `STRIDE`, or as soon as it does again."""
        if self.leg + 1 == len(self.way):
            return self.way[-1][0]
        start, end = self.way[self.leg], self.way[self.leg + 1]
        if time < start[0]:
            return start[0]
        length = dist(start[1:], end[1:])
        if length < STRIDE or min(start[3], end[3]) >= ABOVE:
            return end[0]
        return min(end[0], time + max(TICK, STRIDE / 1.5 * (end[0] - start[0]) / length))


class Contacts:
    """What the sensors of all sites show, some time after it has happened to them."""

    def __init__(self, sites: Sequence[str], sense: Sense, sensors: Sensors, seed: int | str) -> None:
        self.sites, self.sense, self.channels = tuple(sites), sense, len(sites)
        self.trouble = None
        self.settled = False
        self.now = 0.0
        self.choose = Random(f"sensors {seed}")
        self._sensors = sensors
        row = self.choose.uniform(*sensors.row)
        self._read_at = [row * (number // ACROSS) for number in range(len(sites))]
        """Seconds from the beginning of a scan to the reading of each site."""
        converter = sense is Sense.COLOUR and self.choose.random() < 0.5
        self._parts = self.choose.choice(sensors.parts) if converter else 1
        self._scans = 0
        self._late = [self.choose.uniform(*sensors.late) for _ in sites]
        self._bounces = [0.0 if converter else self.choose.uniform(*sensors.bounce) for _ in sites]
        self._last = [-inf] * len(sites)
        self._order = count()
        self._coming: list[tuple[float, int, int, int]] = []
        self._contacts = [0] * len(sites)
        self._unread: set[int] = set()
        self._levels: Levels = (0,) * len(sites)

    def _switch(self, number: int, level: int, time: float) -> None:
        """The site of this number comes to `level` at `time`: its contact follows, and may bounce."""
        at = max(time + self._late[number], self._last[number])
        before = self._after(number)
        end = at + self.choose.uniform(0, self._bounces[number])
        while end > at and self.choose.random() < 0.7:
            self._follow(at, number, level)
            opened = self.choose.uniform(at, end)
            self._follow(opened, number, before)
            at = self.choose.uniform(opened, end)
        self._follow(at, number, level)

    def _after(self, number: int) -> int:
        """What the contact shows once it has followed all that has happened."""
        return max((each for each in self._coming if each[2] == number), default=(0, 0, 0, self._contacts[number]))[3]

    def _follow(self, at: float, number: int, level: int) -> None:
        self._last[number] = at
        heappush(self._coming, (at, next(self._order), number, level))

    def _happen(self, until: float) -> None:
        """Let happen what happens until then (seconds)."""

    def advance(self, now: float) -> None:
        """Scan at `now` (seconds), which never goes back."""
        self.now, self._scans = now, self._scans + 1
        latest = now + self._read_at[-1]
        self._happen(latest)
        if not self._coming and not self._unread:
            return
        later = []
        while self._coming and self._coming[0][0] <= latest:
            change = heappop(self._coming)
            if change[0] <= now + self._read_at[change[2]]:
                self._contacts[change[2]] = change[3]
                self._unread.add(change[2])
            else:
                later.append(change)
        for change in later:
            heappush(self._coming, change)
        read = {number for number in self._unread if number % self._parts == self._scans % self._parts}
        if any(self._levels[number] != self._contacts[number] for number in read):
            levels = list(self._levels)
            for number in read:
                levels[number] = self._contacts[number]
            self._levels = tuple(levels)
        self._unread -= read

    def scan(self) -> Levels:
        """The levels of the last scan; the same object while nothing has changed."""
        return self._levels

    def close(self) -> None:
        """Nothing."""


class Magnets(Contacts):
    """Sites with sensors for magnets, and stones that move above them."""

    def __init__(
        self,
        places: Mapping[str, tuple[float, float]],
        sense: Sense,
        sensors: Sensors = STRENGTHS["usual"],
        seed: int | str = 0,
    ) -> None:
        super().__init__(tuple(places), sense, sensors, seed)
        self.places = to_pitches(places)
        self.reach = [min(0.6, sensors.reach * self._differs(sensors.spread)) for _ in self.sites]
        """Pitches at which each site closes."""
        slack = [min(0.68 - reach, self.choose.uniform(*sensors.slack)) for reach in self.reach]
        self._close = [field(reach, 0) for reach in self.reach]
        self._open = [field(reach + more, 0) for reach, more in zip(self.reach, slack, strict=True)]
        self._still = [0.0] * len(self.sites)
        self._closed = [0] * len(self.sites)
        self._touched: set[int] = set()
        self._moving: list[Stone] = []
        self._starts: list[tuple[float, int, Stone]] = []
        self._due = inf
        self.clock = 0.0
        """Until when the stones have moved, in seconds: what is yet to begin begins later."""
        self._near: dict[tuple[int, int], list[tuple[int, float, float]]] = {}

    def _differs(self, spread: float) -> float:
        return 1 + min(2.5, max(-2.5, self.choose.gauss(0, 1))) * spread

    def stand(self, level: int, at: Place) -> Stone:
        """A stone that stands at a place from now on."""
        stone = Stone(level, at)
        self._rest(stone, 1)
        for number, _, _ in self._around(*at[:2]):
            self._feel(number, self._still[number], self.clock)
        return stone

    def move(self, stone: Stone, way: Iterable[Waypoint]) -> None:
        """Move `stone` along `way`, a place at each time, from where it will then be."""
        for point in way:
            if point[0] < max(self.clock, stone.ends):
                raise ValueError(f"a stone cannot be moved at {point[0]:.3f} s: the time is over, or it moves then")
            stone.way.append(point)
        if not stone.begun:
            stone.begun = True
            heappush(self._starts, (stone.way[stone.leg][0], next(self._order), stone))

    @property
    def quiet_until(self) -> float:
        """Until when nothing will change what the sensors show, in seconds; `inf` if nothing is to move at all."""
        return min(self._next(), self._coming[0][0] if self._coming else inf, self.now if self._unread else inf)

    def _happen(self, until: float) -> None:
        while (time := self._next()) <= until:
            self.clock = time
            self._tick(time)
        self.clock = max(self.clock, until)

    def _next(self) -> float:
        """When something moves next."""
        if not self._moving:
            return self._starts[0][0] if self._starts else inf
        return min(self._due, self._starts[0][0]) if self._starts else self._due

    def _tick(self, time: float) -> None:
        """What all sites feel at `time`."""
        while self._starts and self._starts[0][0] <= time:
            stone = heappop(self._starts)[2]
            self._rest(stone, -1)
            self._moving.append(stone)
        felt = dict.fromkeys(self._touched, 0.0)
        self._touched = touched = set()
        self._due = inf
        for stone in self._moving[:]:
            stone.at = x, y, z = stone.place(time)
            if stone.ends <= time:
                self._moving.remove(stone)
                stone.begun, stone.way, stone.leg = False, stone.way[-1:], 0
                self._rest(stone, 1)
                felt.update((number, felt.get(number, 0.0)) for number, _, _ in self._around(x, y))
                continue
            self._due = min(self._due, stone.next(time))
            if z < ABOVE:
                sign = self._sign(stone)
                z += DEPTH
                z2 = z * z
                for number, sx, sy in self._around(x, y):
                    d2 = (x - sx) * (x - sx) + (y - sy) * (y - sy)
                    if d2 < 2 * z2 and d2 < FAR * FAR:  # the same as `field`, without its call
                        moved = sign * (2 * z2 - d2) * DEPTH**3 / (2 * (z2 + d2) ** 2.5)
                        felt[number] = felt.get(number, 0.0) + moved
                        touched.add(number)
        for number, moved in felt.items():
            self._feel(number, self._still[number] + moved, time)

    def _feel(self, number: int, strength: float, time: float) -> None:
        """A site feels a field of that strength."""
        state = self._closed[number]
        if (-strength if state == 2 else strength) >= (self._open if state else self._close)[number] and state != 2:
            new = 1
        elif state == 2 and -strength >= self._open[number]:
            new = 2
        else:
            new = 2 if -strength >= self._close[number] else 1 if strength >= self._close[number] else 0
        if new != state:
            self._closed[number] = new
            self._switch(number, new, time)

    def _sign(self, stone: Stone) -> int:
        return -1 if self.sense is Sense.COLOUR and stone.level == 2 else 1

    def _rest(self, stone: Stone, sign: int) -> None:
        """Add a stone that rests to what the sites feel (`sign` 1), or take it off (-1)."""
        x, y, z = stone.at
        if z < ABOVE:
            for number, sx, sy in self._around(x, y):
                self._still[number] += sign * self._sign(stone) * field(dist((x, y), (sx, sy)), z)

    def _around(self, x: float, y: float) -> list[tuple[int, float, float]]:
        """The sites that a stone there may do something to, with their places."""
        key = round(2 * x), round(2 * y)
        found = self._near.get(key)
        if found is None:
            sites = ((number, *self.places[site]) for number, site in enumerate(self.sites))
            middle = key[0] / 2, key[1] / 2
            found = self._near[key] = [site for site in sites if dist(site[1:], middle) < FAR + 0.36]
        return found


@dataclass(frozen=True, slots=True)
class Scales:
    """How pits sense seeds. Pairs are the least and the most; each pit has its own.

    `spread`: how much the weights of seeds differ, as a share (guess; glass beads are sold to 3 %). `slow`: the time
    constant of a scale in seconds (guess: a filter over one to ten conversions). `press`: how hard a hand that is in
    the pit presses on it, in seeds (guess). `noise`: that of the scale at rest, in seeds.
    """

    spread: float = 0.02
    slow: tuple[float, float] = (0.01, 0.12)
    press: tuple[float, float] = (0.2, 3.0)
    noise: float = 0.02


SCALES = {
    "weak": Scales(slow=(0.05, 0.2), press=(1, 6)),
    "usual": Scales(press=(0.1, 1.5)),
    "strong": Scales(slow=(0.005, 0.03), press=(0, 0.5)),
}
"""Scales by the same names: slow ones on which a hand weighs much, and quick ones that it hardly touches."""
SURE = 0.6
"""How far from a number of seeds a scale must be to show another one."""


class Pits(Contacts):
    """Pits with seeds: weighed, or by presence with an eye in each that sees whether one lies there.

    Hands are in a pit for a while, and seeds leave it or fall into it at some time.
    """

    def __init__(
        self,
        places: Mapping[str, tuple[float, float]],
        sense: Sense,
        strength: str = "usual",
        seed: int | str = 0,
    ) -> None:
        super().__init__(tuple(places), sense, STRENGTHS[strength], seed)
        self._scales = scales = SCALES[strength]
        self._slow = [self.choose.uniform(*scales.slow) for _ in self.sites]
        self._press = [self.choose.uniform(*scales.press) for _ in self.sites]
        self._lying: list[list[float]] = [[] for _ in self.sites]
        self._value = [0.0] * len(self.sites)
        self._pressed = [0.0] * len(self.sites)
        self._shows = [0] * len(self.sites)
        self._hands = [0] * len(self.sites)
        self._restless: dict[int, float] = {}
        self._number = {site: number for number, site in enumerate(self.sites)}
        self._due: list[tuple[float, int, str, int, int]] = []
        self._held: list[float] = []
        self.clock = 0.0
        """Until when the hands have moved, in seconds."""

    def fill(self, seeds: Mapping[str, int]) -> None:
        """Let so many seeds lie in the pits, from the beginning."""
        for site, many in seeds.items():
            number = self._number[site]
            self._lying[number] = [self._seed() for _ in range(many)]
            self._value[number] = float(many)
            self._contacts[number] = self._shows[number] = self.sense.of(many)
        self._levels = tuple(self._contacts)

    def _seed(self) -> float:
        return 1 + min(2.5, max(-2.5, self.choose.gauss(0, 1))) * self._scales.spread

    def reach(self, site: str, begins: float, ends: float) -> None:
        """A hand is in the pit from one time to another (seconds)."""
        self._plan(begins, "hand", site, 1)
        self._plan(ends, "hand", site, -1)

    def fall(self, site: str, time: float, many: int) -> None:
        """So many seeds come to the pit at `time`, or leave it, if that is less than none."""
        self._plan(time, "seeds", site, many)

    def _plan(self, time: float, kind: str, site: str, many: int) -> None:
        if time < self.clock:
            raise ValueError(f"nothing can be done at {time:.3f} s: the time is over")
        heappush(self._due, (time, next(self._order), kind, self._number[site], many))

    @property
    def quiet_until(self) -> float:
        """Until when nothing will change what the sensors show, in seconds; `inf` if nothing is to move at all."""
        return min(self._next(), self._coming[0][0] if self._coming else inf, self.now if self._unread else inf)

    def _next(self) -> float:
        return min(self._due[0][0] if self._due else inf, min(self._restless.values(), default=inf))

    def _happen(self, until: float) -> None:
        while (time := self._next()) <= until:
            self.clock = time
            if self._due and self._due[0][0] <= time:
                _, _, kind, number, many = heappop(self._due)
                self._change(kind, number, many)
                if self.sense is Sense.COUNT:
                    self._restless.setdefault(number, time + WEIGHED)
                elif self._shows[number] != bool(self._lying[number]):
                    self._shows[number] ^= 1
                    self._switch(number, self._shows[number], time)
            else:
                number = min(self._restless, key=lambda pit: (self._restless[pit], pit))
                self._weigh(number, time)
        self.clock = max(self.clock, until)

    def _change(self, kind: str, number: int, many: int) -> None:
        lying = self._lying[number]
        if kind == "hand":
            self._hands[number] += many
        elif many > 0:
            back = [self._held.pop() for _ in range(min(many, len(self._held)))]
            lying += back + [self._seed() for _ in range(many - len(back))]
        else:
            self._held += [lying.pop() for _ in range(min(-many, len(lying)))]

    def _weigh(self, number: int, time: float) -> None:
        """One conversion of a scale: it nears what lies on it, with whatever a hand adds."""
        pressed = self._pressed[number] * exp(-WEIGHED / 0.06)
        if self._hands[number]:
            pressed += self.choose.gauss(0, self._press[number] * 0.5)
        self._pressed[number] = pressed if abs(pressed) > 0.01 else 0.0
        load = max(0.0, sum(self._lying[number]) + self._pressed[number])
        value = self._value[number]
        value += (load - value) * (1 - exp(-WEIGHED / self._slow[number]))
        self._value[number] = value
        noisy = value + self.choose.gauss(0, self._scales.noise)
        if abs(noisy - self._shows[number]) > SURE:
            self._shows[number] = max(0, round(noisy))
            self._follow(max(time + self._late[number], self._last[number]), number, self._shows[number])
        if self._hands[number] or self._pressed[number] or abs(load - value) > 0.01:
            self._restless[number] = time + WEIGHED
        else:
            del self._restless[number]


def to_pitches(places: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """The places of sites, scaled so that the nearest two are one pitch apart."""
    all_places = list(places.values())
    pairs = (dist(a, b) for number, a in enumerate(all_places) for b in all_places[:number])
    pitch = min((apart for apart in pairs if apart > 1e-6), default=1.0)
    return {site: (x / pitch, y / pitch) for site, (x, y) in places.items()}
