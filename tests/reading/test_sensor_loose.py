"""Contacts that come and go, and sensors that tell nothing: which are named, and which are hands."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cells import random_turns
from firmware_bridge.reading import SensorView
from firmware_bridge.reading.sensor_health import MUTE, OFTEN, RECENT, UPSET, Symptoms, beside
from games.rules import load, names
from hardware.device import Levels, Sense
from hardware.simulation.hands import STYLES, perform
from tests.games.small_games import Turning
from tests.reading.sensor_words import GAME, SIGHT, START, counts, late_turn, level, made, starting


def twitching(
    times: int, site: str = "c3", *, along: str = "", lasts: float = 0.05, pause: int = 0
) -> list[tuple[str, str]]:
    """What is named if `site` shows nothing for so long in each of so many turns, as do the sites `along` after it.

    After each such turn there are so many in `pause` in which nothing happens.
    """
    symptoms, rest = starting()
    found = []
    for start in range(1, times + 1):
        found += made(symptoms, "d3-d2", *blinks(start, rest, site, *along.split(), lasts=lasts))
        for _ in range(pause):
            found += made(symptoms, "c4-c5")
    return found


def blinks(start: float, rest: Levels, *sites: str, lasts: float) -> list[tuple[float, Levels]]:
    """Each of the sites in turn shows another level, for so long."""
    found = []
    for place, site in enumerate(sites):
        other = level(rest, (site, 1 - (rest[SIGHT.number[site]] or 0)))
        found += [(start + 0.3 * place, other), (start + 0.3 * place + lasts, rest)]
    return found


def test_a_contact_that_comes_and_goes_for_a_moment_is_loose() -> None:
    assert twitching(OFTEN["loose"] - 1) == []
    assert twitching(OFTEN["loose"]) == [("loose", "c3")]


def test_a_loose_contact_is_no_crosstalk_though_the_turn_was_made_beside_it() -> None:
    symptoms, rest = starting()
    found = []
    for start in range(OFTEN["loose"]):
        turn = [(start + 0.5, level(rest, ("d3", 0))), (start + 0.6, rest)]
        found += made(symptoms, "d3-d2", *blinks(start, rest, "c3", lasts=0.05), *turn)
    assert found == [("loose", "c3")]


def test_a_contact_that_comes_and_goes_for_longer_is_restless() -> None:
    assert twitching(OFTEN["restless"] - 1, lasts=0.9) == []
    assert twitching(OFTEN["restless"], lasts=0.9) == [("restless", "c3")]


@pytest.mark.parametrize("lasts", [0.05, 0.9])
def test_what_was_long_ago_is_forgotten(lasts: float) -> None:
    assert twitching(3 * OFTEN["loose"], lasts=lasts, pause=RECENT // 4) != []
    assert twitching(3 * OFTEN["loose"], lasts=lasts, pause=RECENT // 3) == []


def test_two_contacts_may_be_loose() -> None:
    assert sorted(twitching(OFTEN["loose"], along="d4")) == [("loose", "c3"), ("loose", "d4")]


def test_more_than_two_contacts_that_come_and_go_are_bumps() -> None:
    assert twitching(3 * OFTEN["loose"], along="d4 a1") == []


@pytest.mark.parametrize(("swept", "named"), [(UPSET, []), (UPSET - 1, [("late", "d3")])])
def test_a_board_that_is_upset_tells_nothing(swept: int, named: list[tuple[str, str]]) -> None:
    symptoms, rest = starting()
    others = [site for site in GAME.sites if site[0] in "af"][:swept]
    found = []
    for start in (10.0, 20.0):
        found += made(symptoms, "d3-d2", *blinks(start, rest, *others, lasts=0.9), *late_turn(rest, start + 5.0))
        symptoms.feed(rest, start + 8.0)
        counts(symptoms, "c4-c5")
    assert found == named


def test_a_site_where_the_turn_is_made_is_not_loose() -> None:
    assert twitching(3 * OFTEN["loose"], "d3") == twitching(3 * OFTEN["loose"], "d3", lasts=0.9) == []


def test_a_site_that_is_not_believed_anyway_is_not_loose() -> None:
    symptoms, rest = starting()
    sick = {SIGHT.number["c3"]}
    turn = next(turn for turn in GAME.turns(START) if turn.text == "d3-d2")
    for start in range(OFTEN["loose"]):
        for now, frame in blinks(start, level(rest, ("a1", None)), "c3", lasts=0.05):
            symptoms.feed(frame, now)
        assert symptoms.played(SIGHT.signature(START, turn), SIGHT.frame(turn.after), sick | {SIGHT.number["a1"]}) == []


def test_a_site_that_is_believed_again_may_be_loose_again() -> None:
    symptoms, rest = starting()
    found = []
    for start in range(2 * OFTEN["loose"]):
        found += made(symptoms, "d3-d2", *blinks(start, rest, "c3", lasts=0.05))
        if start == OFTEN["loose"] - 1:
            symptoms.forget([SIGHT.number["c3"]])
    assert found == [("loose", "c3")] * 2


def test_what_twitches_a_thousand_times_is_seen_once_until_a_turn_counts() -> None:
    symptoms, rest = starting()
    for time in range(1000):
        symptoms.feed(level(rest, ("c3", 0)), 1.0 + time)
        symptoms.feed(rest, 1.05 + time)
    assert made(symptoms, "d3-d2") == []


def test_what_has_gone_when_a_turn_counts_may_come_back_in_the_next() -> None:
    symptoms, rest = starting()
    found = []
    for time in range(2 * OFTEN["restless"]):
        found += made(symptoms, "d3-d2", (1.0 + time, level(rest, ("c3", time % 2))))
    assert found == [("restless", "c3")]


@pytest.mark.parametrize("game", names())
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), style=st.sampled_from(sorted(STYLES)))
def test_a_sound_contact_is_never_loose_whatever_clean_hands_play(game: str, seed: int, style: str) -> None:
    rules, now = load(game), 0.0
    sensors, position = SensorView(rules, Sense.PRESENCE), rules.start()
    symptoms = Symptoms(beside([rules.places[site] for site in rules.sites]))
    shown = dict(zip(rules.sites, rules.start().board, strict=True))
    for _, turn in zip(range(25), random_turns(rules, seed), strict=False):
        for act in perform(turn.acts, STYLES[style]):
            now += act.wait
            shown.update(act.changes)
            symptoms.feed(tuple(shown.values()), now)
        assert "loose" not in dict(counts(symptoms, turn.text, sensors, position))
        position = turn.after
        now += random.Random(seed).uniform(0.1, 3.0)


# Sensors that tell nothing --------------------------------------------------------------------


def test_a_site_that_tells_nothing_is_named_once() -> None:
    symptoms, rest = starting()
    symptoms.feed(level(rest, ("a1", None)), 1.0)
    told = [found for _ in range(3 * MUTE) for found in made(symptoms, "d3-d2")]
    assert told == [("mute", "a1")]


def test_a_mute_site_is_named_again_only_after_it_has_told_something() -> None:
    symptoms, rest = starting()
    for told in (1, None, None):
        symptoms.feed(level(rest, ("a1", told)), 1.0)
        assert [made(symptoms, "d3-d2") for _ in range(MUTE - 1)] == [[]] * (MUTE - 1)
        symptoms.feed(rest, 2.0)
        assert made(symptoms, "d3-d2") == []


def test_no_site_is_mute_if_all_tell_nothing() -> None:
    symptoms, rest = starting()
    symptoms.feed((None,) * len(rest), 1.0)
    assert [made(symptoms, "d3-d2") for _ in range(3 * MUTE)] == [[]] * 3 * MUTE


def test_a_piece_that_is_turned_over_in_turn_after_turn_is_no_loose_contact() -> None:
    game = Turning()
    sensors = SensorView(game, Sense.PRESENCE)
    position = game.start()
    turn = game.turns(position)[0]
    symptoms = Symptoms(beside([game.places[site] for site in game.sites]))
    before, after = sensors.frame(position), sensors.frame(turn.after)
    (turned,) = sensors.signature(position, turn).flips
    for start in range(2 * OFTEN["loose"]):
        gone = tuple(0 if site == turned else shown for site, shown in enumerate(after))
        for at, frame in ((0.0, before), (0.3, after), (0.6, gone), (0.66, after)):
            symptoms.feed(frame, start + at)
        assert symptoms.played(sensors.signature(position, turn), after, set()) == []
