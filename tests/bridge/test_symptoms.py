"""What is noticed of sensors that are still believed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cells import random_turns
from firmware_bridge.symptoms import CALM, MUTE, OFTEN, UPSET, Symptoms, beside
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
    return [(start, both), (start + 0.2, gone), (start + 0.4, both)]


def test_a_site_that_sees_late_that_a_piece_has_gone_is_named_the_second_time() -> None:
    symptoms, rest = starting()
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)) == []
    symptoms.feed(rest, 2.0)
    symptoms.played(way("c4-c5"))
    assert OFTEN["late"] == 2
    assert made(symptoms, "d3-d2", *late_turn(rest, 3.0)) == [("late", "d3")]
    symptoms.feed(rest, 4.0)
    assert made(symptoms, "d3-d2", *late_turn(rest, 5.0)) == []


def test_or_the_first_time_if_nothing_else_happened_in_many_turns() -> None:
    symptoms, rest = starting()
    for _ in range(CALM):
        assert made(symptoms, "c4-c5") == []
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)) == [("late", "d3")]


def test_not_if_the_hands_are_restless() -> None:
    symptoms, rest = starting()
    assert made(symptoms, "d3-d2", (0.5, level(rest, ("a1", 1))), (0.6, rest)) == []
    for _ in range(CALM):
        assert made(symptoms, "c4-c5") == []
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)) == []


def test_nor_if_it_is_so_late_that_a_hand_was_slow() -> None:
    symptoms, rest = starting()
    put = level(rest, ("d2", 1))
    for start in (1.0, 5.0):
        frames = [(start, put), (start + 0.6, level(put, ("d3", 0))), (start + 0.8, put)]
        assert made(symptoms, "d3-d2", *frames) == []
        symptoms.feed(rest, start + 2.0)
        symptoms.played(way("c4-c5"))


def test_players_who_lay_the_new_piece_first_have_no_bad_sensors() -> None:
    symptoms, rest = starting()
    for start, text in enumerate(("d3-d2", "c4-c5", "c3-b3", "d4-e4") * 2):
        origin, target = text.split("-")
        put = level(rest, (target, 1))
        found = made(symptoms, text, (start, put), (start + 0.3, level(put, (origin, 0))), (start + 0.6, put))
        assert found == []


def test_a_site_that_shows_what_happens_beside_it_is_named() -> None:
    symptoms, rest = starting()
    lifted = level(rest, ("d3", 0))
    both = level(lifted, ("c3", 0))
    done = level(lifted, ("d2", 1))
    frames = [(0.0, both), (0.08, lifted), (0.4, done), (0.6, level(done, ("d3", 1)))]
    found = []
    for start in (1.0, 3.0):
        found += made(symptoms, "d3-d2", *((start + later, frame) for later, frame in frames))
        symptoms.feed(rest, start + 1.0)
        symptoms.played(way("c4-c5"))
    assert found == [("crosstalk", "c3")]


# Sowings --------------------------------------------------------------------------------------

SOWING = load("zig-zag")
PITS = Sight(SOWING, Sense.PRESENCE)


POSITION: Position = SOWING.position("5,0,5,5,5,5/2,1,0,5,5,5 7,10 S - S")


OPENING: Position = SOWING.start()


def pits(**changes: int) -> Levels:
    """What the sensors show at `POSITION`, but for these pits."""
    return tuple((dict(zip(SOWING.sites, PITS.frame(POSITION), strict=True)) | changes).values())


def calm(*before: tuple[float, Levels]) -> Symptoms:
    """Turns count in which nothing happened but, in the last, what belongs to the next one."""
    symptoms = Symptoms(beside([SOWING.places[site] for site in SOWING.sites]))
    symptoms.feed(pits(), 0.0)
    for _ in range(CALM):
        assert sown(symptoms, "S2") == []
    assert sown(symptoms, "S2", *before) == []
    return symptoms


def sown(symptoms: Symptoms, text: str, *frames: tuple[float, Levels]) -> list[tuple[str, str]]:
    """The sowing counts after these frames; what is named."""
    for now, frame in frames:
        symptoms.feed(frame, now)
    turn = next(turn for turn in SOWING.turns(POSITION) if turn.text == text)
    return [(name, SOWING.sites[site]) for name, site in symptoms.played(PITS.way(POSITION, turn))]


def test_a_pit_seen_empty_after_its_first_seed_was_sown_sees_late_however_soon() -> None:
    frames = [(1.0, pits(N2=1)), (1.01, pits(S1=0, N2=1)), (1.3, pits(S1=0, N2=1, S3=1))]
    assert sown(calm(), "S1", *frames) == [("late", "S1")]


def test_a_pit_seen_empty_before_does_not() -> None:
    frames = [(1.0, pits(S1=0)), (1.01, pits(S1=0, N2=1)), (1.3, pits(S1=0, N2=1, S3=1))]
    assert sown(calm(), "S1", *frames) == []


def test_what_was_seen_before_the_turn_before_counted_belongs_to_this_one() -> None:
    symptoms = calm((1.0, pits(N2=1)), (1.1, pits(S1=0, N2=1)))
    assert sown(symptoms, "S1", (1.3, pits(S1=0, N2=1, S3=1))) == [("late", "S1")]


COUNTS = Sight(SOWING, Sense.COUNT)


def counted(shown: int, *, times: int = OFTEN["miscount"]) -> list[tuple[str, str]]:
    """What is named if, as S1 is sown again and again, N2 with its five seeds shows so many for a while."""
    symptoms, rest = Symptoms(beside([SOWING.places[site] for site in SOWING.sites])), COUNTS.frame(OPENING)
    turn = next(turn for turn in SOWING.turns(OPENING) if turn.text == "S1")
    site, found = SOWING.sites.index("N2"), []
    for time in range(times):
        for now, level in enumerate((rest[site], shown, 6)):
            symptoms.feed((*rest[:site], level, *rest[site + 1 :]), 10.0 * time + now)
        found += [(name, SOWING.sites[site]) for name, site in symptoms.played(COUNTS.way(OPENING, turn))]
    return found


def test_a_pit_that_jumps_by_several_seeds_miscounts() -> None:
    assert counted(7) == counted(3) == [("miscount", "N2")]
    assert counted(7, times=OFTEN["miscount"] - 1) == []


def test_not_if_it_goes_one_by_one_or_all_is_lifted_and_put_back() -> None:
    assert counted(6) == counted(0) == []


# A loose contact ------------------------------------------------------------------------------


def twitching(*, times: int, site: str = "c3", along: str = "", lasts: float = 0.05) -> list[tuple[str, str]]:
    """What is named if `site` shows nothing for 50 ms in each of so many turns, as do the sites `along` with it."""
    symptoms, rest = starting()
    found = []
    for start in range(1, times + 1):
        gone = level(rest, (site, 0))
        all_gone = level(gone, *((other, 0) for other in along.split()))
        found += made(symptoms, "d3-d2", (start, gone), (start + 0.01, all_gone), (start + lasts, rest))
    return found


def test_a_contact_that_comes_and_goes_is_loose_and_no_crosstalk() -> None:
    assert twitching(times=OFTEN["loose"] - 1) == []
    assert twitching(times=OFTEN["loose"]) == [("loose", "c3")]


def test_for_however_long() -> None:
    assert twitching(times=OFTEN["loose"], lasts=0.9) == [("loose", "c3")]


def test_and_again_if_it_is_believed_again() -> None:
    assert twitching(times=2 * OFTEN["loose"]) == [("loose", "c3")] * 2


def test_not_if_the_table_is_bumped() -> None:
    assert twitching(times=3 * OFTEN["loose"], along="d4") == []


def test_nor_if_the_board_is_upset() -> None:
    others = GAME.sites[:UPSET]
    assert "c3" not in others
    symptoms, rest = starting()
    for start in range(1, 3 * OFTEN["loose"]):
        gone = level(rest, ("c3", 0))
        upset = level(gone, *((site, 1 - rest[SIGHT.number[site]]) for site in others))
        assert made(symptoms, "d3-d2", (start, upset), (start + 0.5, rest)) == []


def test_nor_where_the_turn_is_made() -> None:
    assert twitching(times=3 * OFTEN["loose"], site="d3") == []


def test_what_twitches_for_long_is_seen_once_until_a_turn_counts() -> None:
    symptoms, rest = starting()
    for time in range(1000):
        symptoms.feed(level(rest, ("c3", 0)), 1.0 + time)
        symptoms.feed(rest, 1.05 + time)
    assert made(symptoms, "d3-d2") == []


def test_what_has_gone_when_a_turn_counts_may_come_back_in_the_next() -> None:
    symptoms, rest = starting()
    found = []
    for time in range(2 * OFTEN["loose"]):
        found += made(symptoms, "d3-d2", (1.0 + time, level(rest, ("c3", time % 2))))
    assert found == [("loose", "c3")]


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
        assert "loose" not in dict(symptoms.played(sight.way(position, turn)))
        position = turn.after
        now += random.Random(seed).uniform(0.1, 3.0)


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
