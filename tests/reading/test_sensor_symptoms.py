"""What is noticed of sensors that are still believed."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.cells import random_turns
from firmware_bridge.reading import SensorView
from firmware_bridge.reading.evidence import Change
from firmware_bridge.reading.sensor_health import ALONG, CALM, LATE, OFTEN, Symptoms, beside, late
from games.rules import Position, load
from hardware.device import Levels, Sense
from tests.reading.sensor_words import GAME, PLACES, SIGHT, counts, late_turn, level, made, starting


def test_sites_lie_beside_those_nearest_to_them() -> None:
    assert [GAME.sites[site] for site in beside(PLACES)[SIGHT.number["c3"]]] == ["c2", "b3", "d3", "c4"]
    for name in ("zhizhu", "zig-zag", "zong-heng"):
        assert all(beside([load(name).places[site] for site in load(name).sites]))


def test_a_site_that_sees_late_that_a_piece_has_gone_is_named_the_second_time() -> None:
    symptoms, rest = starting()
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)) == []
    symptoms.feed(rest, 2.0)
    counts(symptoms, "c4-c5")
    assert OFTEN["late"] == 2
    assert made(symptoms, "d3-d2", *late_turn(rest, 3.0)) == [("late", "d3")]
    symptoms.feed(rest, 4.0)
    assert made(symptoms, "d3-d2", *late_turn(rest, 5.0)) == []


def test_a_late_site_is_named_the_first_time_if_nothing_else_happened_in_many_turns() -> None:
    symptoms, rest = starting()
    for _ in range(CALM):
        assert made(symptoms, "c4-c5") == []
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)) == [("late", "d3")]


def test_no_site_is_late_if_the_hands_are_restless() -> None:
    symptoms, rest = starting()
    assert made(symptoms, "d3-d2", (0.5, level(rest, ("a1", 1))), (0.6, rest)) == []
    for _ in range(CALM):
        assert made(symptoms, "c4-c5") == []
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)) == []


def test_a_site_so_late_that_a_hand_was_slow_is_not_named() -> None:
    symptoms, rest = starting()
    put = level(rest, ("d2", 1))
    for start in (1.0, 5.0):
        frames = [(start, put), (start + 0.6, level(put, ("d3", 0))), (start + 0.8, put)]
        assert made(symptoms, "d3-d2", *frames) == []
        symptoms.feed(rest, start + 2.0)
        counts(symptoms, "c4-c5")


def test_no_site_is_late_if_two_hands_touch_at_the_same_time() -> None:
    symptoms, rest = starting()
    put = level(rest, ("d2", 1))
    for start in (1.0, 5.0):
        gone = start + 0.8 * LATE
        assert made(symptoms, "d3-d2", (start, put), (gone, level(put, ("d3", 0))), (start + 0.4, put)) == []
        symptoms.feed(rest, start + 2.0)
        counts(symptoms, "c4-c5")


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
        counts(symptoms, "c4-c5")
    assert found == [("crosstalk", "c3")]


def test_a_site_that_shows_the_contrary_of_its_neighbour_has_no_crosstalk() -> None:
    symptoms, rest = starting()
    for start in (1.0, 3.0):
        gone = level(rest, ("d3", 0))
        frames = [(start, level(gone, ("e3", 1))), (start + 0.08, gone), (start + 0.4, level(rest, ("d2", 1)))]
        assert made(symptoms, "d3-d2", *frames) == []
        symptoms.feed(rest, start + 1.0)
        counts(symptoms, "c4-c5")


def test_a_site_that_changes_some_time_after_its_neighbour_has_no_crosstalk() -> None:
    symptoms, rest = starting()
    for start in (1.0, 3.0):
        gone = level(rest, ("d3", 0))
        frames = [(start, gone), (start + 2 * ALONG, level(gone, ("c3", 0))), (start + 0.1, gone), (start + 0.4, rest)]
        assert made(symptoms, "c4-c5", *frames) == []


def test_a_site_where_the_turn_puts_something_has_no_crosstalk() -> None:
    symptoms, rest = starting()
    for start in (1.0, 3.0):
        put = level(rest, ("d2", 1))
        gone = level(put, ("d3", 0))
        frames = [(start, put), (start + 0.3, level(gone, ("d2", 0))), (start + 0.38, gone), (start + 0.6, put)]
        assert "crosstalk" not in dict(made(symptoms, "d3-d2", *frames))
        symptoms.feed(rest, start + 1.0)
        counts(symptoms, "c4-c5")


def test_of_a_row_only_the_stone_lifted_first_tells_whether_it_is_late() -> None:
    """The others of the row may be pushed by one another."""
    rules = load("zong-heng")
    sensors, position = SensorView(rules, Sense.PRESENCE), rules.start()
    signatures = []
    for played in random_turns(rules, 1):
        signatures += [sensors.signature(position, turn) for turn in rules.turns(position)]
        position = played.after
    signature = next(signature for signature in signatures if sum(not left for _, left in signature.seen) > 1)
    (first, put), (later, after) = [pair for pair in pairwise(signature.seen) if pair[1][1] and not pair[0][1]][:2]
    seen = [Change(site, filled, 1 - filled, now / 10) for now, (site, filled) in enumerate((put, first, after, later))]
    assert late(signature, seen) == {first[0]}


# Sowings --------------------------------------------------------------------------------------

SOWING = load("zig-zag")
PITS = SensorView(SOWING, Sense.PRESENCE)
NEAR = beside([SOWING.places[site] for site in SOWING.sites])


POSITION: Position = SOWING.position("5,0,5,5,5,5/2,1,0,5,5,5 7,10 S - S")


def pits(**changes: int) -> Levels:
    """What the sensors show at `POSITION`, but for these pits."""
    return tuple((dict(zip(SOWING.sites, PITS.frame(POSITION), strict=True)) | changes).values())


def calm(*before: tuple[float, Levels]) -> Symptoms:
    """Turns count in which nothing happened but, in the last, what belongs to the next one."""
    symptoms = Symptoms(NEAR)
    symptoms.feed(pits(), 0.0)
    for _ in range(CALM):
        assert sown(symptoms, "S2") == []
    assert sown(symptoms, "S2", *before) == []
    return symptoms


def sown(symptoms: Symptoms, text: str, *frames: tuple[float, Levels]) -> list[tuple[str, str]]:
    """The sowing counts after these frames; what is named."""
    for now, frame in frames:
        symptoms.feed(frame, now)
    return counts(symptoms, text, PITS, POSITION)


def test_a_pit_seen_empty_after_its_first_seed_was_sown_sees_late_however_soon() -> None:
    frames = [(1.0, pits(N2=1)), (1.01, pits(S1=0, N2=1)), (1.3, pits(S1=0, N2=1, S3=1))]
    assert sown(calm(), "S1", *frames) == [("late", "S1")]


def test_a_pit_seen_empty_before_its_first_seed_was_sown_does_not_see_late() -> None:
    frames = [(1.0, pits(S1=0)), (1.01, pits(S1=0, N2=1)), (1.3, pits(S1=0, N2=1, S3=1))]
    assert sown(calm(), "S1", *frames) == []


def test_what_was_seen_before_the_turn_before_counted_belongs_to_this_one() -> None:
    symptoms = calm((1.0, pits(N2=1)), (1.1, pits(S1=0, N2=1)))
    assert sown(symptoms, "S1", (1.3, pits(S1=0, N2=1, S3=1))) == [("late", "S1")]


def test_a_pit_that_is_lifted_when_a_lap_ends_there_sees_late() -> None:
    """S1 is sown into N2 and S3, which held seeds: it is lifted, and sown on into N4 and further."""
    position = SOWING.position("5,0,5,0,5,5/2,5,3,5,5,5 8,7 S - S")
    turn = next(turn for turn in SOWING.turns(position) if turn.text == "S1")
    assert [step.site for step in turn.steps[:5]] == ["S1", "N2", "S3", "S3", "N4"]
    seen = (("S1", 0), ("N2", 1), ("N4", 1), ("S3", 0))
    changes = [Change(SOWING.sites.index(site), new, 1 - new, now / 10) for now, (site, new) in enumerate(seen)]
    assert late(PITS.signature(position, turn), changes) == {SOWING.sites.index("S3")}


COUNTS = SensorView(SOWING, Sense.COUNT)
OPENING: Position = SOWING.start()


def counted(
    *shown: int, times: int = OFTEN["miscount"], site: str = "N2", sensors: SensorView = COUNTS
) -> list[tuple[str, str]]:
    """What is named if, as S1 is sown again and again, a pit with its five seeds shows these numbers first."""
    symptoms, rest = Symptoms(NEAR), COUNTS.frame(OPENING)
    place, found = SOWING.sites.index(site), []
    due = 5 + (site != "N1")
    for time in range(times):
        for now, number in enumerate((rest[place], *shown, due)):
            symptoms.feed((*rest[:place], number, *rest[place + 1 :]), 10.0 * time + now)
        found += counts(symptoms, "S1", sensors, OPENING)
    return [each for each in found if each[0] == "miscount"]


def test_a_pit_that_jumps_by_several_seeds_miscounts() -> None:
    assert counted(7) == [("miscount", "N2")]
    assert counted(7, times=OFTEN["miscount"] - 1) == []


def test_a_pit_does_not_miscount_if_seeds_come_one_by_one_or_go_by_handfuls_or_are_put_back() -> None:
    assert counted(6, 7) == counted(0) == counted(2, 0) == []


def test_a_pit_that_is_not_sown_or_not_counted_does_not_miscount() -> None:
    assert counted(7, site="N1") == counted(7, sensors=PITS) == []
