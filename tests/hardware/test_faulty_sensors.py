"""Sensors that fail: each fault does what its name says, comes and goes as it is told, and leaves the rest alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from random import Random

import pytest

from hardware.device import Levels, Sense
from hardware.simulation.faulty_sensors import FAULTS, Fault, FaultyScanner, suits
from hardware.simulation.table import SimulatedTable

SITES = [f"{file}{rank}" for rank in "1234" for file in "abcd"]
PLACES = [(float(channel % 4), float(channel // 4)) for channel in range(16)]


class FaultyTable:
    """A simulated table with faults, and the time there."""

    def __init__(self, *faults: Fault, sense: Sense = Sense.PRESENCE, seed: int = 0) -> None:
        self.now = 0.0
        self.table = SimulatedTable(SITES, sense)
        self.scanner = FaultyScanner(self.table, faults, lambda: self.now, seed, PLACES)

    def lay(self, channel: int, level: int) -> None:
        self.table.lay([(SITES[channel], level)])

    def at(self, now: float) -> Levels:
        """What is seen at `now`."""
        self.now = now
        return self.scanner.scan()

    def seen(self, channel: int, seconds: float, each: float = 0.01) -> list[int | None]:
        """What is seen there, scan by scan."""
        return [self.at(self.now + each)[channel] for _ in range(round(seconds / each))]


def only(kind: str, channel: int = 5, **more: float) -> Fault:
    return replace(Fault(kind, channels=(channel,)), **more)  # type: ignore[arg-type]  # floats are all it has


def lit(levels: Levels) -> list[int]:
    return [channel for channel, level in enumerate(levels) if level]


# Each kind ------------------------------------------------------------------------------------


def test_stuck_on_always_shows_something() -> None:
    for sense in Sense:
        faulty = FaultyTable(only("stuck on"), sense=sense)
        held = faulty.at(0)[5]
        assert held
        faulty.lay(5, 2)
        assert faulty.at(1)[5] == held


def test_stuck_off_never_shows_anything() -> None:
    faulty = FaultyTable(only("stuck off"))
    faulty.lay(5, 1)
    faulty.lay(6, 1)
    assert lit(faulty.at(0)) == [6]


def test_a_dead_row_is_a_row() -> None:
    faulty = FaultyTable(*(replace(fault, since=0.0) for fault in FAULTS["dead row"]), seed=4)
    faulty.table.lay((site, 1) for site in SITES)
    dark = [channel for channel, level in enumerate(faulty.at(0)) if not level]
    assert len(dark) == 4
    assert len({PLACES[channel][1] for channel in dark}) == 1


def test_a_mute_sensor_says_that_it_cannot_tell() -> None:
    assert FaultyTable(only("mute")).at(0)[5] is None


def test_a_contact_bounces_for_its_time_and_no_longer() -> None:
    faulty = FaultyTable(only("bounce", time=0.1))
    faulty.at(0)
    faulty.lay(5, 1)
    seen = faulty.seen(5, 0.3, each=0.002)
    assert set(seen[:50]) == {0, 1}
    assert set(seen[51:]) == {1}


def test_slow_sensors_miss_what_is_over_before_they_look() -> None:
    faulty = FaultyTable(Fault("slow", time=0.1, count=0))
    faulty.at(0)
    faulty.lay(5, 1)
    assert set(faulty.seen(5, 0.08)) == {0}
    faulty.lay(5, 0)
    assert set(faulty.seen(5, 0.3)) == {0}
    faulty.lay(5, 1)
    assert faulty.seen(5, 0.2)[-1] == 1


def test_a_weak_magnet_releases_late() -> None:
    faulty = FaultyTable(only("weak", time=0.4))
    faulty.lay(5, 1)
    faulty.at(0)
    faulty.lay(5, 0)
    assert set(faulty.seen(5, 0.18)) == {1}
    assert faulty.seen(5, 0.3)[-1] == 0


def test_crosstalk_shows_what_changes_next_to_it_for_a_while() -> None:
    faulty = FaultyTable(only("crosstalk", time=0.1))
    faulty.at(0)
    faulty.lay(10, 1)  # slantwise
    assert lit(faulty.at(0.01)) == [10]
    faulty.lay(6, 1)
    assert lit(faulty.at(0.02)) == [5, 6, 10]
    assert lit(faulty.at(0.2)) == [6, 10]


def test_a_colour_is_misread_as_long_as_the_stone_stands() -> None:
    faulty = FaultyTable(only("misread", time=0.0), sense=Sense.COLOUR)
    faulty.at(0)
    for level in (1, 2):
        faulty.lay(5, level)
        assert set(faulty.seen(5, 1.0)) == {3 - level}
        faulty.lay(5, 0)
        assert faulty.seen(5, 0.01) == [0]


def test_a_colour_is_misread_for_a_moment() -> None:
    faulty = FaultyTable(only("misread", time=0.3), sense=Sense.COLOUR)
    faulty.at(0)
    faulty.lay(5, 1)
    assert set(faulty.seen(5, 0.25)) == {2}
    assert faulty.seen(5, 0.2)[-1] == 1


def test_a_count_is_off_by_one_until_it_changes() -> None:
    faulty = FaultyTable(only("miscount"), sense=Sense.COUNT)
    faulty.at(0)
    for level in (4, 7):
        faulty.lay(5, level)
        seen = set(faulty.seen(5, 1.0))
        assert seen in ({level - 1}, {level + 1})


def test_a_count_drifts_by_one_and_comes_back() -> None:
    faulty = FaultyTable(only("drift", time=10.0), sense=Sense.COUNT)
    faulty.lay(5, 4)
    assert [faulty.at(10.0 * step)[5] for step in range(8)] == [4, 5, 6, 7, 6, 5, 4, 5]


def test_a_flicker_comes_now_and_then_and_is_short() -> None:
    faulty = FaultyTable(only("flicker", rate=1.0, time=0.05))
    faulty.lay(5, 1)
    seen = faulty.seen(5, 60.0)
    lost = "".join(map(str, seen)).split("1")
    gaps = [len(gap) for gap in lost if gap]
    assert 30 < len(gaps) < 90
    assert max(gaps) <= 10


def test_stones_are_not_miscounted_nor_seeds_taken_for_another_colour() -> None:
    for kind, sense in (("misread", Sense.COUNT), ("miscount", Sense.COLOUR), ("drift", Sense.PRESENCE)):
        with pytest.raises(ValueError, match=f"^{kind} ails sensors of .*; these sense {sense.value}$"):
            FaultyTable(Fault(kind), sense=sense)


# Many, and in time ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_not_sick_is_shown_as_it_is(name: str) -> None:
    sense = next(sense for sense in (Sense.PRESENCE, Sense.COLOUR, Sense.COUNT) if suits(name, sense))
    faulty = FaultyTable(*FAULTS[name], sense=sense, seed=1)
    for place in range(300):
        faulty.lay(place * 7 % 16, place % 3)
        seen, true = faulty.at(place * 0.05), faulty.table.scan()
        affected = faulty.scanner.faults_at(faulty.now)
        assert all(seen[channel] == true[channel] for channel in range(16) if channel not in affected)


@pytest.mark.parametrize("name", [name for name in FAULTS if name != "none"])
def test_every_named_fault_shows_in_time(name: str) -> None:
    sense = next(sense for sense in (Sense.PRESENCE, Sense.COLOUR, Sense.COUNT) if suits(name, sense))
    faulty = FaultyTable(*FAULTS[name], sense=sense, seed=1)

    choose = Random(1)

    def differs(place: int) -> bool:
        faulty.lay(choose.randrange(16), choose.randrange(3))
        return faulty.at(place * 0.05) != faulty.table.scan()

    assert any(differs(place) for place in range(2000))


def seen_in_a_minute(seed: int) -> list[Levels]:
    faulty = FaultyTable(only("flicker", rate=2.0), only("weak", 6), Fault("stuck on", count=2), seed=seed)
    levels = []
    for place in range(600):
        faulty.lay(place * 5 % 16, place % 2)
        levels.append(faulty.at(place * 0.1))
    return levels


def test_the_same_seed_is_the_same_trouble() -> None:
    assert seen_in_a_minute(1) == seen_in_a_minute(1)
    assert seen_in_a_minute(1) != seen_in_a_minute(2)


def test_several_faults_ail_at_once_and_the_truth_is_kept() -> None:
    faulty = FaultyTable(only("stuck on", 1), only("mute", 2), only("mute", 1, since=5.0))
    assert faulty.at(0)[:4] == (0, 1, None, 0)
    assert faulty.scanner.faults_at(0) == {1: ("stuck on",), 2: ("mute",)}
    assert faulty.at(6)[:3] == (0, None, None)
    assert faulty.scanner.faults_at(6) == {1: ("stuck on", "mute"), 2: ("mute",)}


def test_a_fault_comes_and_goes() -> None:
    faulty = FaultyTable(only("stuck on", since=10.0, until=40.0, every=10.0, lasts=2.0))
    on = [second for second in range(60) if faulty.at(second)[5]]
    assert on == [10, 11, 20, 21, 30, 31]


def test_what_changed_while_a_fault_was_away_is_no_news_to_it() -> None:
    faulty = FaultyTable(only("misread", every=10.0, lasts=5.0, time=0.0), sense=Sense.COLOUR)
    faulty.at(0)
    faulty.at(6)
    faulty.lay(5, 1)
    assert faulty.at(7)[5] == 1
    assert faulty.at(12)[5] == 1


@pytest.mark.parametrize("sense", Sense)
def test_what_the_scanner_cannot_tell_stays_untold(sense: Sense) -> None:
    faulty = FaultyTable(only("stuck on"), Fault("slow", count=0), sense=sense)
    faulty.at(0)
    faulty.table.sighted = False
    assert faulty.at(0.01) == (None,) * 16


def test_the_truth_below_is_not_touched() -> None:
    faulty = FaultyTable(Fault("stuck on", count=0))
    faulty.at(0)
    assert faulty.table.scan() == (0,) * 16


def test_nothing_is_worked_out_while_nothing_happens() -> None:
    faulty = FaultyTable(only("flicker", rate=0.001), only("weak", 6), only("stuck on", 7))
    first = faulty.at(0)
    assert all(faulty.at(0.01 * scan) is first for scan in range(100))


WRONG: list[Callable[[], Fault]] = [
    lambda: Fault("measles"),
    lambda: Fault("weak", rate=0),
    lambda: Fault("weak", time=-1),
    lambda: Fault("weak", every=1, lasts=2),
    lambda: Fault("weak", since=2, until=1),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_fault_that_cannot_be_is_refused(wrong: Callable[[], Fault]) -> None:
    with pytest.raises(ValueError, match=r"fault|suffers"):
        wrong()


def test_a_fault_that_never_begins_is_none() -> None:
    faulty = FaultyTable(Fault("stuck on", count=0, since=inf))
    assert faulty.at(1e9) == (0,) * 16
    assert faulty.scanner.faults_at(1e9) == {}
