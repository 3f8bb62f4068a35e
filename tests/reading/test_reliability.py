"""What ails sensors, by the turns that nobody disputes: who is named, who is believed, and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.ailing import ailing
from benchmarks.cells import Cell, random_turns
from benchmarks.evenings import play
from benchmarks.judged import judge
from benchmarks.reading import namings
from firmware_bridge.reading.constants import USUAL
from firmware_bridge.reading.reliability import Found, Reliability
from games.rules import Position, Turn, load
from hardware.device import Levels, Sense
from tests.reading.by_itself import ByItself
from tests.reading.test_likelihood import Watched

CELLS = {
    "stones": Cell("zhizhu", Sense.COLOUR),
    "rows": Cell("zong-heng", Sense.PRESENCE),
    "seeds": Cell("zig-zag", Sense.COUNT),
}


def work_out(sensors: Reliability) -> None:
    """All that follows from the turns that are known."""
    while not sensors.learned:
        sensors.learn()


# Over the reader ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "pieces", "name"),
    [
        ("stuck on", "stones", "doubted"),
        ("stuck off", "rows", "doubted"),
        ("flicker", "stones", "doubted"),
        ("dead row", "rows", "doubted"),
        ("drift", "seeds", "doubted"),
        ("mute", "stones", "mute"),
    ],
)
def test_a_sick_sensor_is_named_within_thirty_turns_and_no_other(
    fault: str, pieces: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, lied = ailing(play(CELLS[pieces], "steady", "usual", 1, 32), fault, 1)
    follower = ByItself(evening.cell)
    told: list[str] = []
    monkeypatch.setattr(Reliability, "tell", noting(told))
    judge(evening, follower)
    found = namings(evening, lied, follower.blamed)
    assert any(each.soon for each in found)
    assert False not in [each.soon for each in found]
    assert set(follower.blamed) <= set(lied)
    assert name in told


def noting(told: list[str]) -> Callable[[Reliability], list[Found]]:
    """What it tells, and the names noted."""
    tell = Reliability.tell

    def noted(self: Reliability) -> list[Found]:
        found = tell(self)
        told.extend(each.name for each in found)
        return found

    return noted


@pytest.mark.parametrize("strength", ["usual", "strong"])
@pytest.mark.parametrize("pieces", CELLS)
def test_hands_that_fumble_make_no_sensor_sick(pieces: str, strength: str) -> None:
    evening = play(CELLS[pieces], "mixed", strength, 2, 14)
    follower = ByItself(evening.cell)
    judge(evening, follower)
    assert follower.blamed == {}


def test_a_sensor_that_players_insist_against_is_left_out_and_the_others_go_on() -> None:
    watched = Watched("zhizhu", Sense.COLOUR)
    lies = watched.game.sites.index("c5")
    watched.frame = (*watched.frame[:lies], 2, *watched.frame[lies + 1 :])
    watched.wait(0.05)
    reader = watched.reader
    assert reader.reliability.insisted(reader.likelihood.shows(watched.position))
    assert [(found.name, found.sites) for found in reader.reliability.tell()] == [("doubted", (lies,))]
    assert not reader.reliability.insisted(reader.likelihood.shows(watched.position))
    for site, stone in (("a1", 1), ("a3", 2), ("b2", 1)):
        watched.hands((1.0, site, stone))
        watched.wait(1.0)
    assert watched.counted == ["a1", "a3", "b2"]


def test_a_turn_to_a_sensor_that_is_left_out_is_read_by_the_others() -> None:
    watched = Watched("yin-yang", Sense.COLOUR)
    turn = watched.turn("d3-d2")
    hidden = watched.game.sites.index("d2")
    watched.reader.reliability.masked[hidden] = (0, False)
    watched.make(turn)
    watched.wait(2.0)
    assert watched.reader.likelihood.frame[hidden] is None
    assert [counted.after for counted in watched.reader.turns] == [turn.after]


# By itself ------------------------------------------------------------------------------------


class Seen:
    """A game of ZhiZhu by colour that is known to be read right; sensors show what `show` makes of the truth."""

    def __init__(self, seed: int = 1) -> None:
        self.game = load("zhizhu")
        self.sensors = Reliability(self.game, Sense.COLOUR)
        self.turns: Iterator[Turn[Position]] = random_turns(self.game, seed)
        self.position: Position = self.game.start()
        self.now = 0.0
        self.told: list[tuple[str, tuple[int, ...]]] = []
        self.see(self.position.cells)

    def see(self, cells: bytes | Levels) -> None:
        """The sensors show this, a tenth of a second later."""
        self.now += 0.1
        self.sensors.see(tuple(cells), self.now)

    def blink(self, *sites: int, seconds: float = 0.05) -> None:
        """These sites show something else, and then the truth, while no hand is at work."""
        levels = list(self.position.cells)
        for site in sites:
            levels[site] = 0 if levels[site] else 1
        self.now += 1.0
        self.sensors.see(tuple(levels), self.now)
        self.now += seconds
        self.sensors.see(tuple(self.position.cells), self.now)
        self.now += 1.0

    def turn(self, wrong: dict[int, int | None] | None = None) -> None:
        """The next turn is made, and known; the sensors in `wrong` show these levels instead."""
        turn = next(self.turns)
        levels: list[int | None] = list(turn.after.cells)
        for site, level in (wrong or {}).items():
            levels[site] = level
        self.see(tuple(levels))
        self.sensors.played(self.position, turn, self.now)
        work_out(self.sensors)
        self.position = turn.after
        self.told += self.sensors.tell()


def lies_at(seen: Seen, site: int, turns: int) -> None:
    for _ in range(turns):
        seen.turn({site: 1 if seen.position.cells[site] != 1 else 2})


def test_a_sensor_that_lies_is_doubted_once_and_its_lies_cost_less() -> None:
    seen = Seen()
    lies_at(seen, 5, 6)
    assert seen.told == [("doubted", (5,))]
    assert seen.sensors.lies[5] == pytest.approx(log(2))
    assert {cost for site, cost in enumerate(seen.sensors.lies) if site != 5} == {USUAL.lie}
    assert seen.sensors.doubtful == {5}


def test_a_doubted_sensor_that_tells_the_truth_again_is_trusted_again() -> None:
    seen = Seen(3)
    site = next(site for site in range(len(seen.game.sites)) if stays_empty(site, 3, 40))
    for _ in range(8):
        seen.blink(site)
        seen.turn()
    assert seen.told == [("doubted", (site,))]
    for _ in range(12):
        seen.turn()
    assert seen.told[1:] == []
    trusted = None
    for number in range(60):
        seen.turns = random_turns(seen.game, number + 10) if number % 20 == 0 else seen.turns
        seen.position = seen.game.start() if number % 20 == 0 else seen.position
        if number % 20 == 0:
            seen.see(seen.position.cells)
            seen.sensors.begin()
        seen.turn()
        if trusted is None and seen.told[1:]:
            trusted = number
    assert seen.told[1:] == [("trusted", (site,))]
    assert seen.sensors.excursions[site] > USUAL.excursion - 1


def stays_empty(site: int, seed: int, turns: int) -> bool:
    """Whether no stone comes there so soon."""
    return all(
        turn.after.cells[site] == 0 for turn, _ in zip(random_turns(load("zhizhu"), seed), range(turns), strict=False)
    )


def test_what_comes_and_goes_at_every_site_is_hands() -> None:
    seen, choose = Seen(), Random(1)
    for _ in range(40):
        seen.blink(*choose.sample(range(len(seen.game.sites)), 4), seconds=choose.choice((0.05, 0.6)))
        seen.turn()
    assert seen.told == []


@pytest.mark.parametrize(("seconds", "name"), [(0.05, "doubted"), (0.9, "restless")])
def test_what_comes_and_goes_at_one_site_is_its_contact(seconds: float, name: str) -> None:
    seen = Seen()
    for _ in range(5):
        seen.blink(7, seconds=seconds)
        seen.turn()
    assert seen.told == [(name, (7,))]
    assert seen.sensors.excursions[7] < USUAL.excursion
    assert {*seen.sensors.lies} == {USUAL.lie}  # it shows in the end what stands there


@pytest.mark.parametrize("seconds", [0.05, 0.9])
def test_a_hand_that_carries_its_piece_over_the_same_site_each_time_is_no_contact(seconds: float) -> None:
    seen = Seen(3)
    site = next(site for site in range(len(seen.game.sites)) if stays_empty(site, 3, 10))
    for _ in range(10):
        seen.blink(site, seconds=seconds)
        seen.now -= 0.9  # then it comes to where it goes
        seen.turn()
    assert seen.told == []
    assert {*seen.sensors.excursions} == {USUAL.excursion}


def test_a_cable_that_is_off_makes_no_sensor_mute() -> None:
    seen = Seen()
    seen.turn()
    for _ in range(10):
        seen.turn(dict.fromkeys(range(len(seen.game.sites)), None))
    assert seen.told == []


def test_a_masked_sensor_is_believed_again_after_it_told_the_truth_for_long_and_through_a_change() -> None:
    seen = Seen(5)
    site = next(
        site for site in range(len(seen.game.sites)) if not stays_empty(site, 5, 40) and stays_empty(site, 5, 20)
    )
    wrong = [*seen.position.cells]
    wrong[site] = 1
    seen.see(tuple(wrong))
    assert seen.sensors.insisted(tuple(seen.position.cells))
    assert seen.sensors.see(tuple(wrong), seen.now)[site] is None
    for number in range(60):
        if site not in seen.sensors.masked:
            break
        assert number < 45
        seen.turn()
    assert seen.told == [("doubted", (site,)), ("trusted", (site,))]
    assert seen.sensors.see(tuple(seen.position.cells), seen.now)[site] == seen.position.cells[site]


def test_players_who_insist_against_several_rows_are_not_believed() -> None:
    game = load("yin-yang")
    sensors = Reliability(game, Sense.COLOUR)
    due = tuple(game.start().cells)

    def wrong(*names: str) -> Levels:
        return tuple(1 if site in names else level for site, level in zip(game.sites, due, strict=True))

    sensors.see(wrong("a1", "b2"), 0.0)
    assert not sensors.insisted(due)
    assert not sensors.masked
    sensors.see(wrong("a1", "b1"), 1.0)
    assert sensors.insisted(due)
    assert {game.sites[site] for site in sensors.masked} == {"a1", "b1"}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 1), st.sampled_from([Sense.PRESENCE, Sense.COLOUR]))
def test_costs_stay_between_those_of_a_coin_and_of_a_sound_sensor(seed: int, rate: float, sense: Sense) -> None:
    choose, game = Random(seed), load("yin-yang")
    sensors = Reliability(game, sense)
    position, now = game.start(), 0.0
    for turn, _ in zip(random_turns(game, seed), range(25), strict=False):
        for _ in range(choose.randint(1, 5)):
            now += choose.uniform(0.01, 2.0)
            levels = [choose.choice((None, 0, 1)) if choose.random() < rate else level for level in turn.after.cells]
            sensors.see(tuple(None if level is None else sense.of(level) for level in levels), now)
        if choose.random() < rate / 4:
            sensors.insisted(tuple(map(sense.of, turn.after.cells)))
        sensors.played(position, turn, now)
        work_out(sensors)
        position = turn.after
        assert all(log(2) <= cost <= USUAL.lie for cost in sensors.lies)
        assert all(log(2) <= cost <= USUAL.excursion for cost in sensors.excursions)
        assert all(0 <= sick <= 1 for record in sensors.records.values() for sick in record.sick)
