"""An unknown wiring is found out by a player who looks at nothing but the lights."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

import pytest

from firmware_bridge.workshop.calibration import Calibration, Weighing, Weights
from firmware_bridge.workshop.wire import BLACK, ORANGE, WHITE, Wiring
from firmware_bridge.workshop.wired import Wired
from hardware.device import Levels, Sense
from hardware.simulated import SimulatedTable

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
            self.todo = sorted(self.way(white[0], now + self.reach), key=lambda act: -act[0])
            self.at = white[0]

    def way(self, to: str, now: float) -> Iterable[tuple[float, list[tuple[str, int]]]]:
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


# Whole boards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(100))
def test_any_wiring_with_three_dead_points_is_found_exactly(seed: int) -> None:
    wiring = shuffled(seed)
    result = found(wiring, seed=seed)
    assert result.channels == wiring
    assert set(result.dead) == set(SQUARES) - set(wiring) == set(result.masked(SQUARES))
    assert len(result.dead) == 3


HABITS: dict[str, dict[str, Any]] = {
    "hasty": {"reach": 0.1, "carry": 0.08},
    "slow": {"reach": 4.0, "carry": 4.0},
    "slower than the patience": {"reach": 5.0, "carry": 12.0},
    "a new piece each time": {"fresh": True},
    "slides over other points": {"slides": True},
    "puts it again": {"again": True},
}


@pytest.mark.parametrize("habits", HABITS.values(), ids=HABITS.keys())
@pytest.mark.parametrize("seed", range(3))
def test_any_player_gets_there(habits: dict[str, Any], seed: int) -> None:
    wiring = shuffled(1000 + seed)
    result = found(wiring, seed=seed, **habits)
    assert result.channels == wiring
    assert set(result.dead) == set(SQUARES) - set(wiring)


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


@pytest.mark.parametrize("seed", range(16))
def test_a_board_built_turned_mirrored_or_with_swapped_columns_is_found(seed: int) -> None:
    result = found(turned(seed), channels=64)
    assert result.channels == turned(seed)
    assert not list(result.notes())


def test_named_points_are_found_as_well() -> None:
    pits = ["S1", "S2", "S3", "N1", "N2", "N3"]
    wiring = dict(zip(pits, (15, 3, 0, 7, 8, 1), strict=True))
    assert found(wiring, channels=16, sites=pits).channels == wiring


def test_a_row_with_a_broken_wire_is_dead_and_the_rest_is_found() -> None:
    wiring = {point: number for number, point in enumerate(SQUARES) if point[1] != "3"}
    result = found(wiring, channels=64)
    assert result.channels == wiring
    assert result.dead == tuple(point for point in SQUARES if point[1] == "3")


# Faults -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_stuck_and_flickering_channels_are_named_and_their_points_masked(seed: int, fresh: bool) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80, seed)
    stuck, loose, *_ = random.Random(seed).sample(sorted(wiring.values()), 3)
    sensors.stuck, sensors.flickering = {stuck}, {loose}
    result = run(Wiring(SQUARES, 80), sensors, Player(table, fresh=fresh))
    assert (result.stuck, result.flickering) == ((stuck,), (loose,))
    assert result.channels == {point: c for point, c in wiring.items() if c not in (stuck, loose)}
    assert set(result.dead) == set(SQUARES) - set(result.channels)


@pytest.mark.parametrize("period", [5, 12, 25, 60])
def test_a_channel_that_closes_now_and_then_is_named(period: int) -> None:
    wiring, seen = {"a1": 0, "b1": 1, "a2": 2}, []
    asked = Wiring(list(wiring), 5)
    for tick in range(40 * HZ):
        asked.feed((0, 0, 0, 0, int(tick % period < period // 2)), tick / HZ)
        seen.append(asked.ask.put)
    assert asked.found().flickering == (4,)
    assert any(seen)


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_a_point_that_closes_two_channels_keeps_one(seed: int, fresh: bool) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80)
    free = min(set(range(80)) - set(wiring.values()))
    one = random.Random(seed).choice(sorted(wiring.values()))
    sensors.also = {one: free}
    result = run(Wiring(SQUARES, 80), sensors, Player(table, fresh=fresh))
    assert result.doubled == {at(wiring, one): tuple(sorted((one, free)))}
    assert result.channels == wiring | {at(wiring, one): min(one, free)}


@pytest.mark.parametrize("seed", range(5))
def test_a_point_that_closes_another_ones_channel_too_keeps_its_own(seed: int) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80)
    one, other = random.Random(seed).sample(sorted(wiring.values()), 2)
    sensors.also = {one: other}
    result = run(Wiring(SQUARES, 80), sensors, Player(table))
    first, lost = at(wiring, one), at(wiring, other)
    assert result.doubled == {first: tuple(sorted((one, other)))}
    assert {other: {first, lost}} == {channel: set(points) for channel, points in result.shared.items()}
    assert result.channels == {point: channel for point, channel in wiring.items() if point != lost}


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_two_points_on_one_channel_are_both_named_and_masked(seed: int, fresh: bool) -> None:
    wiring = shuffled(seed)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 81)
    one, other = random.Random(seed).sample(sorted(wiring.values()), 2)
    sensors.also = {one: 80, other: 80}
    scan = sensors.scan
    sensors.scan = lambda: tuple(0 if n in (one, other) else level for n, level in enumerate(scan()))  # type: ignore[method-assign]
    result = run(Wiring(SQUARES, 81), sensors, Player(table, fresh=fresh))
    both = {at(wiring, one), at(wiring, other)}
    assert {80: both} == {channel: set(points) for channel, points in result.shared.items()}
    assert result.channels == {point: c for point, c in wiring.items() if point not in both}


@pytest.mark.parametrize("fresh", [False, True])
def test_bouncing_switches_are_read_as_if_they_did_not(fresh: bool) -> None:
    wiring = shuffled(7)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    sensors = Faulty(table, 80)
    sensors.bounce = 2
    result = run(Wiring(SQUARES, 80), sensors, Player(table, fresh=fresh, again=True))
    assert result.channels == wiring
    assert not result.flickering


def test_a_switch_that_begins_to_stick_is_named_with_its_point() -> None:
    wiring = {point: number for number, point in enumerate(SQUARES) if point != "h8"}
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked, sensors = Wiring(SQUARES, 64), Faulty(table, 64)

    def stick(_: float) -> None:
        if asked.ask.put == "c4":
            sensors.stuck = {wiring["b4"]}

    result = run(asked, sensors, Player(table), each=stick)
    assert result.unfit == {"b4": wiring["b4"]}
    assert "b4" not in result.channels
    assert result.dead == ("h8",)


# What hands do ----------------------------------------------------------------------------------


def test_pieces_on_the_board_are_to_be_taken_off_first() -> None:
    wiring = shuffled(3)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    table.lay([("a1", 1), ("c4", 1), ("h8", 1)])
    asked = Wiring(SQUARES, 80)
    for tick in range(50):
        asked.feed(table.scan() + (0,) * (80 - table.channels), tick / HZ)
    assert asked.ask.clear
    assert asked.ask.say.startswith("Take all pieces off the board: 3 channels are closed.")
    result = run(Wiring(SQUARES, 80), Faulty(table, 80), Player(table))
    assert result.channels == wiring
    assert not result.stuck


def test_a_piece_taken_for_a_stuck_channel_is_no_longer_once_it_is_lifted() -> None:
    frames = [(1, 0)] * 20 * HZ + [(0, 0)] * HZ
    asked = Wiring(["a1", "b1"], 2)
    stuck = [asked.feed(frame, tick / HZ) and asked.found().stuck for tick, frame in enumerate(frames)]
    assert stuck[15 * HZ] == (0,)
    assert stuck[-1] == ()


def test_a_piece_on_a_wrong_point_is_put_right_when_both_points_are_asked_again() -> None:
    asked, tick = Wiring(["a1", "b1", "c1"], 3), 0
    wiring = {"a1": 0, "b1": 1, "c1": 2}
    puts: list[str] = []
    while not asked.result:
        ask = asked.ask
        if ask.put != (puts[-1] if puts else ""):
            puts.append(ask.put)
        point = "c1" if puts == ["a1"] else ask.put  # the first time the piece is put on c1
        asked.feed(tuple(int(wiring.get(point) == channel) for channel in range(3)), tick / HZ)
        tick += 1
    assert asked.result.channels == wiring
    assert not list(asked.result.notes())
    assert puts.count("a1") >= 2


def test_two_pieces_at_once_are_not_believed() -> None:
    asked, tick, puts = Wiring(["a1", "b1", "c1"], 4), 0, 0
    wiring = {"a1": 0, "b1": 1, "c1": 2}
    while not asked.result:
        closed = {wiring.get(asked.ask.put)}
        if asked.ask.put == "b1" and asked.done == 1 and puts < 3 * HZ:
            puts += 1
            closed.add(3)  # a sleeve
        asked.feed(tuple(int(channel in closed) for channel in range(4)), tick / HZ)
        tick += 1
    assert asked.result.channels == wiring
    assert not asked.result.doubled


@pytest.mark.parametrize("left_at", [1.0, 3.0, 20.0, 62.0])
def test_a_player_who_goes_away_finds_the_course_waiting(left_at: float) -> None:
    wiring = shuffled(5)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked, player = Wiring(SQUARES, 80), Player(table)
    table.lay([("c4", 1)])
    result = run(asked, Faulty(table, 80), player, each=lambda now: left_at <= now < 1800)  # half an hour
    assert result.channels == wiring


def test_sensors_that_fail_for_a_while_cost_nothing_but_time() -> None:
    wiring = shuffled(6)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked = Wiring(SQUARES, table.channels)
    said: set[str] = set()

    def fail(now: float) -> bool:
        table.sighted = not 30 <= now < 300
        said.add(asked.ask.say)
        return not table.sighted

    assert run(asked, Faulty(table, table.channels), Player(table), each=fail).channels == wiring
    assert any("sensors tell nothing" in say for say in said)


def test_a_scanner_that_never_sees_anything_is_to_be_looked_at() -> None:
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring={})
    asked = Wiring(SQUARES, 64)
    with pytest.raises(AssertionError, match="see that the sensors are connected"):
        run(asked, Faulty(table, 64), Player(table), most=600)
    assert asked.found().masked(SQUARES) == asked.found().left == tuple(SQUARES)


def test_only_the_points_asked_for_are_asked_and_known_channels_stay() -> None:
    wiring = turned(0)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    known = {point: channel for point, channel in wiring.items() if point not in ("c4", "e5")}
    asked = Wiring(["c4", "e5"], 64, known=known)
    assert run(asked, Faulty(table, 64), Player(table), most=20).channels == wiring


def test_a_known_channel_that_answers_for_another_point_is_asked_again_too() -> None:
    wiring = turned(0)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    known = {point: channel for point, channel in wiring.items() if point != "c4"} | {"d4": wiring["c4"]}
    result = run(Wiring(["c4"], 64, known=known), Faulty(table, 64), Player(table), most=60)
    assert result.channels == wiring


def test_the_time_left_shrinks_to_nothing() -> None:
    wiring = turned(1)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked = Wiring(SQUARES, 64)
    told: dict[int, float | None] = {}
    run(asked, Faulty(table, 64), Player(table), each=lambda _: bool(told.update({asked.done: asked.left()})))
    assert told[0] is None
    assert asked.left() == 0
    assert told[32] is not None
    assert 30 < told[32] < 60


# When the light moves on ------------------------------------------------------------------------


class Asked:
    """A course over three points, fed by hand: `closed` are the channels that are closed from now on."""

    def __init__(self) -> None:
        self.course = Wiring(["a1", "b1", "c1"], 4)
        self.now = 0.0
        self.wait(2.5)

    def wait(self, seconds: float, *closed: int) -> str:
        """Let time pass; returns the point that is asked for then."""
        until = self.now + seconds
        while self.now < until:
            self.now += 1 / HZ
            self.course.feed(tuple(int(channel in closed) for channel in range(4)), self.now)
        return self.course.ask.put


def test_the_light_moves_on_half_a_second_after_the_piece_was_put() -> None:
    asked = Asked()
    assert asked.wait(0.0) == "a1"
    assert asked.wait(0.3, 0) == "a1"
    assert asked.wait(0.2, 0) == "b1"


def test_a_level_that_does_not_hold_is_not_seen() -> None:
    asked = Asked()
    for _ in range(5):
        asked.wait(0.08, 3)
        assert not asked.course._seen.closed
        asked.wait(0.3)
    asked.wait(0.5, 0)
    assert asked.course.found().channels == {"a1": 0}


def test_nothing_after_the_piece_was_lifted_takes_half_the_patience_of_nothing_at_all() -> None:
    asked = Asked()
    asked.wait(0.5, 0)
    assert asked.wait(9.8) == "b1"
    assert asked.wait(0.5) == "c1"
    asked = Asked()
    asked.wait(0.5, 0)
    assert asked.wait(19.5, 0) == "b1"
    assert asked.wait(0.6, 0) == "c1"


def test_a_channel_of_another_point_is_an_answer_only_after_a_while() -> None:
    asked = Asked()
    asked.wait(0.5, 0)
    asked.wait(0.5)
    assert asked.wait(1.9, 0) == "b1"  # the piece may have been put back
    assert asked.wait(0.3, 0) == "c1"


def test_a_jump_of_the_clock_is_no_patience() -> None:
    asked = Asked()
    asked.wait(0.5, 0)
    asked.now += 3600
    assert asked.wait(5, 0) == "b1"
    asked.now -= 7200
    assert asked.wait(5, 0) == "b1"


def test_a_course_left_alone_waits_at_a_point_that_works() -> None:
    wiring = turned(0)
    table = SimulatedTable(SQUARES, Sense.PRESENCE, wiring=wiring)
    asked = Wiring(SQUARES, 64)
    with pytest.raises(AssertionError, match="which works"):
        run(asked, Faulty(table, 64), Player(table), most=900, each=lambda now: now > 20)
    assert len(asked.found().dead) == 3


@pytest.mark.parametrize("period", [10, 25, 40])
def test_a_blink_of_a_frame_now_and_then_is_named(period: int) -> None:
    asked = Wiring(["a1", "b1"], 3)
    for tick in range(20 * HZ):
        asked.feed((0, 0, int(tick % period == 5)), tick / HZ)
    assert asked.found().flickering == (2,)
    assert asked.ask.put == "a1"


# Analogue sensors -------------------------------------------------------------------------------


class Halls(Faulty):
    """Hall sensors: `empty` and `swing` of each channel in counts, and noise of about 2."""

    def __init__(self, table: SimulatedTable, empty: Sequence[int], swing: Sequence[int]) -> None:
        super().__init__(table, len(empty))
        self.empty, self.swing, self.chance = empty, swing, random.Random(1)

    def scan(self) -> Levels:
        """Before it is calibrated this scanner sees nothing."""
        return (0,) * self.channels

    def readings(self) -> Levels:
        """Counts, 0 to 1023."""
        moved = [swing if level else 0 for swing, level in zip(self.swing, self.table.scan(), strict=True)]
        return tuple(round(e + m + self.chance.gauss(0, 2)) for e, m in zip(self.empty, moved, strict=True))


def test_analogue_sensors_are_measured_and_mapped() -> None:
    wiring = dict(zip(SQUARES[:8], (3, 0, 7, 6, 1, 2, 5, 4), strict=True))
    table = SimulatedTable(SQUARES[:8], Sense.PRESENCE, wiring=wiring)
    empty, swing = [480, 500, 505, 510, 515, 520, 530, 550], [200, -180, 220, 160, 240, 40, -150, 190]
    result = run(
        Wiring(SQUARES[:8], 8, calibration=Calibration(8)), Halls(table, empty, swing), Player(table), most=300
    )
    faint = at(wiring, 5)
    assert result.channels == {point: channel for point, channel in wiring.items() if point != faint}
    assert list(result.weak) == [faint]
    assert result.tuning is not None
    assert all(abs(told - true) <= 2 for told, true in zip(result.tuning.empty, empty, strict=True))
    assert 65 <= result.tuning.threshold <= 80  # half of 150
    assert 4 <= result.tuning.hysteresis <= 25


def test_scales_are_tared_and_weigh_a_seed() -> None:
    wiring = dict(zip(SQUARES[:6], (3, 0, 1, 2, 5, 4), strict=True))
    table = SimulatedTable(SQUARES[:6], Sense.PRESENCE, wiring=wiring)
    empty, swing = [-1234, 80_000, 0, 55, -9000, 400_000], [20_000, 21_000, -20_500, 20_000, 19_000, 22_000]
    result = run(Wiring(SQUARES[:6], 6, calibration=Weighing(6)), Halls(table, empty, swing), Player(table), most=300)
    assert result.channels == wiring
    assert isinstance(result.tuning, Weights)
    assert all(abs(told - true) <= 2 for told, true in zip(result.tuning.empty, empty, strict=True))
    assert all(abs(told - true / 5) <= 4 for told, true in zip(result.tuning.seed, swing, strict=True))


def test_a_heap_of_seeds_is_asked_for_by_name() -> None:
    asked = Wiring(["S1", "S2"], 2, calibration=Weighing(2))
    for tick in range(20 * HZ):
        asked.feed((0, 0), tick / HZ, (0, 0))
    assert asked.ask.say.startswith("Put a heap of 5 seeds on S1.")
