"""What is noticed of sensors that are still believed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cells import random_turns
from firmware_bridge.symptoms import CALM, MUTE, TWICE, TWITCHES, WINDOW, Symptoms, beside
from firmware_bridge.way import Sight, Way
from games.rules import Position, load, names
from hardware.device import Levels, Sense
from hardware.hands import STYLES, perform

GAME = load("yin-yang")
SIGHT = Sight(GAME, Sense.PRESENCE)
PLACES = [GAME.places[site] for site in GAME.sites]
START: Position = GAME.start()


def way(text: str) -> Way:
    return SIGHT.way(START, next(turn for turn in GAME.turns(START) if turn.text == text))


def level(frame: Levels, *changes: tuple[str, int | None]) -> Levels:
    found = list(frame)
    for site, new in changes:
        found[SIGHT.number[site]] = new
    return tuple(found)


def made(symptoms: Symptoms, text: str, *frames: tuple[float, Levels]) -> list[tuple[str, str]]:
    """The turn counts after these frames; what is named."""
    for now, frame in frames:
        symptoms.feed(frame, now)
    return [(name, GAME.sites[site]) for name, site in symptoms.played(way(text))]


def starting() -> tuple[Symptoms, Levels]:
    symptoms, rest = Symptoms(beside(PLACES)), SIGHT.frame(START)
    symptoms.feed(rest, 0.0)
    return symptoms, rest


def test_sites_lie_beside_those_nearest_to_them() -> None:
    assert [GAME.sites[site] for site in beside(PLACES)[SIGHT.number["c3"]]] == ["c2", "b3", "d3", "c4"]
    for name in ("zhizhu", "zig-zag", "zong-heng"):
        assert all(beside([load(name).places[site] for site in load(name).sites]))


def late_turn(rest: Levels, start: float) -> list[tuple[float, Levels]]:
    """d3 is seen to go 0.2 s after d2 is filled."""
    both = level(rest, ("d2", 1))
    gone = level(both, ("d3", 0))
    return [(start, both), (start + 0.2, gone), (start + 0.4, level(gone, ("d3", 1))), (start + 0.6, rest)]


def test_a_site_that_sees_late_that_a_piece_has_gone_is_named_the_second_time() -> None:
    symptoms, rest = starting()
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)[:2]) == []
    symptoms.feed(rest, 2.0)
    list(symptoms.played(way("c4-c5")))
    assert TWICE == 2
    assert made(symptoms, "d3-d2", *late_turn(rest, 3.0)[:2]) == [("late", "d3")]
    symptoms.feed(rest, 4.0)
    assert made(symptoms, "d3-d2", *late_turn(rest, 5.0)[:2]) == []


def test_or_the_first_time_if_nothing_else_happened_in_many_turns() -> None:
    symptoms, rest = starting()
    for _ in range(CALM):
        assert made(symptoms, "c4-c5") == []
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)[:2]) == [("late", "d3")]


def test_not_if_the_hands_are_restless() -> None:
    symptoms, rest = starting()
    assert made(symptoms, "d3-d2", (0.5, level(rest, ("a1", 1))), (0.6, rest)) == []
    for _ in range(CALM):
        assert made(symptoms, "c4-c5") == []
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)[:2]) == []


def test_nor_if_it_is_so_late_that_a_hand_was_slow() -> None:
    symptoms, rest = starting()
    put = level(rest, ("d2", 1))
    for start in (1.0, 5.0):
        frames = [(start, put), (start + 0.6, level(put, ("d3", 0)))]
        assert made(symptoms, "d3-d2", *frames) == []
        symptoms.feed(rest, start + 2.0)
        list(symptoms.played(way("c4-c5")))


def test_players_who_lay_the_new_piece_first_have_no_bad_sensors() -> None:
    symptoms, rest = starting()
    for start, text in enumerate(("d3-d2", "c4-c5", "c3-b3", "d4-e4") * 2):
        origin, target = text.split("-")
        put = level(rest, (target, 1))
        found = made(symptoms, text, (start, put), (start + 0.3, level(put, (origin, 0))), (start + 0.6, rest))
        assert found == []


def test_a_site_that_shows_what_happens_beside_it_is_named() -> None:
    symptoms, rest = starting()
    lifted = level(rest, ("d3", 0))
    both = level(lifted, ("c3", 0))
    done = level(lifted, ("d2", 1))
    frames = [(0.0, both), (0.08, lifted), (0.4, done)]
    found = []
    for start in (1.0, 3.0):
        found += made(symptoms, "d3-d2", *((start + later, frame) for later, frame in frames))
        symptoms.feed(rest, start + 1.0)
        list(symptoms.played(way("c4-c5")))
    assert found == [("crosstalk", "c3")]


# A loose contact ------------------------------------------------------------------------------


def twitching(*, every: float, times: int, site: str = "c3", along: str | None = None) -> Symptoms:
    """`site` shows nothing for 50 ms in each of so many turns, `every` so many seconds; as does `along`."""
    symptoms, rest = starting()
    for time in range(times):
        start = 1.0 + every * time
        gone = level(rest, (site, 0))
        frames = [(start, gone), (start + 0.05, rest)]
        if along:
            frames.insert(1, (start + 0.01, level(gone, (along, 0))))
        assert made(symptoms, "d3-d2", *frames) == []
    return symptoms


def test_a_contact_that_twitches_is_loose_and_no_crosstalk() -> None:
    assert twitching(every=1.0, times=TWITCHES - 1).loose == ()
    symptoms = twitching(every=1.0, times=TWITCHES)
    assert symptoms.loose == (SIGHT.number["c3"],)
    symptoms.forget(symptoms.loose)
    assert symptoms.loose == ()


def test_not_if_it_does_so_now_and_then() -> None:
    assert twitching(every=WINDOW / (TWITCHES - 1), times=3 * TWITCHES).loose == ()


def test_nor_if_the_table_is_bumped() -> None:
    assert twitching(every=1.0, times=3 * TWITCHES, along="d4").loose == ()


def test_nor_where_the_turn_is_made() -> None:
    assert twitching(every=1.0, times=3 * TWITCHES, site="d3").loose == ()


def test_what_twitches_for_long_is_remembered_until_a_turn_counts() -> None:
    symptoms, rest = starting()
    for time in range(1000):
        symptoms.feed(level(rest, ("c3", 0)), 1.0 + time)
        symptoms.feed(rest, 1.05 + time)
    assert made(symptoms, "d3-d2") == []
    assert symptoms.loose == (SIGHT.number["c3"],)


@pytest.mark.parametrize("game", names())
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), style=st.sampled_from(sorted(STYLES)))
def test_a_healthy_contact_is_never_loose_whatever_is_played(game: str, seed: int, style: str) -> None:
    rules, now = load(game), 0.0
    sight, position = Sight(rules, Sense.PRESENCE), rules.start()
    symptoms = Symptoms(beside([rules.places[site] for site in rules.sites]))
    shown = dict(zip(rules.sites, rules.start().board, strict=True))
    for _, turn in zip(range(25), random_turns(rules, seed), strict=False):
        for act in perform(turn.steps, STYLES[style], shown):
            now += act.wait
            shown.update(act.changes)
            symptoms.feed(tuple(shown.values()), now)
        list(symptoms.played(sight.way(position, turn)))
        position = turn.after
        now += random.Random(seed).uniform(0.1, 3.0)
        assert symptoms.loose == ()


# Sensors that tell nothing --------------------------------------------------------------------


def test_a_site_that_tells_nothing_is_named_once() -> None:
    symptoms, rest = starting()
    symptoms.feed(level(rest, ("a1", None)), 1.0)
    told = [found for _ in range(3 * MUTE) for found in made(symptoms, "d3-d2")]
    assert told == [("mute", "a1")]


def test_but_not_if_all_do() -> None:
    symptoms, rest = starting()
    symptoms.feed((None,) * len(rest), 1.0)
    assert [made(symptoms, "d3-d2") for _ in range(3 * MUTE)] == [[]] * 3 * MUTE
