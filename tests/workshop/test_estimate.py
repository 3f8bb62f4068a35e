"""What is usual at a table, estimated: what each site showed told apart, and people who differ from the usual."""

from __future__ import annotations

from functools import cache
from math import inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.cells import Cell
from benchmarks.evenings import play
from benchmarks.fit import watch
from firmware_bridge.reading.constants import BOUNDS, USUAL, Constants
from firmware_bridge.workshop.estimate import (
    LAWS,
    Evidence,
    Fitted,
    State,
    align,
    constants,
    estimate,
    likeliest,
    observe,
    share,
)
from hardware.device import Sense

ROWS, PLACED = Cell("zong-heng", Sense.PRESENCE), Cell("zhizhu", Sense.PRESENCE)
STONE, GONE, BACK = (
    State(1, "", -1, -1, -inf, inf),
    State(0, "lift", 0, 0, -inf, inf),
    State(1, "lie", 1, 0, -inf, inf),
)


@cache
def fitted(habit: str, cell: Cell = ROWS) -> dict[str, Fitted]:
    """What is estimated of people with this habit, by two evenings of theirs."""
    evidence = Evidence()
    for seed in (700_000, 700_001):
        evidence.add(observe(watch(play(cell, habit, "usual", seed, 20))))
    return {each.name: each for each in estimate(evidence)}


def excursion(its: dict[str, Fitted], seconds: float) -> float:
    """What it costs there that a level lasts so long that no step puts there."""
    growth = its["excursion_growth"].value * log(1 + seconds / its["excursion_scale"].value)
    return its["excursion"].value + growth + seconds / its["excursion_limit"].value


# One site -------------------------------------------------------------------------------------


def test_steps_are_seen_when_their_levels_come() -> None:
    aligned = align((1, 0, 1), (0.0, 2.0, 5.0), 9.0, (STONE, GONE, BACK))
    assert aligned == ({1: 2.0, 2: 5.0}, [], [])


def test_what_no_step_puts_there_is_an_excursion_with_its_length() -> None:
    aligned = align((1, 0, 1, 0), (0.0, 1.0, 1.05, 4.0), 9.0, (STONE, GONE))
    assert aligned.seen == {1: 4.0}
    assert aligned.excursions == [(1.0, pytest.approx(0.05), False)]


def test_a_contact_that_flutters_does_the_same_again() -> None:
    aligned = align((1, 0, 1, 0, 1), (0.0, 1.0, 1.05, 1.1, 1.15), 9.0, (STONE,))
    assert [again for *_, again in sorted(aligned.excursions)] == [False, True]


def test_a_step_that_was_never_seen_is_missed_where_something_else_was_shown() -> None:
    assert align((1,), (0.0,), 9.0, (STONE, GONE, BACK)).skipped == [1]
    assert align((1,), (0.0,), 9.0, (STONE, GONE)) == ({}, [1], [])


def test_a_step_is_not_seen_long_before_its_turn_or_after_it() -> None:
    late = GONE._replace(since=3.0, until=5.0)
    aligned = align((1, 0, 1, 0), (0.0, 1.0, 2.0, 4.0), 9.0, (STONE, late))
    assert aligned.seen == {1: 4.0}
    assert align((1, 0), (0.0, 6.0), 9.0, (STONE, late)).skipped == [1]


# People ---------------------------------------------------------------------------------------


def test_people_who_put_stones_straight_make_excursions_likely() -> None:
    fidgety, steady = fitted("adjust", PLACED), fitted("steady", PLACED)
    assert fidgety["excursion"].value < steady["excursion"].value
    assert excursion(fidgety, 1.0) < excursion(steady, 1.0) - 1


def test_people_who_stop_in_the_midst_of_a_turn_make_pauses_likely() -> None:
    absent, steady = fitted("absent"), fitted("steady")
    assert absent["left_scale"].value > 2 * steady["left_scale"].value
    assert absent["left_scale"].observations == 40


def test_people_who_reach_in_early_make_overlaps_likely() -> None:
    hasty, steady = fitted("overlap"), fitted("steady")
    assert hasty["overlap"].value < USUAL.overlap < steady["overlap"].value
    assert hasty["reply"].value < steady["reply"].value
    assert 0.1 < hasty["overlap_scale"].value < 0.5


@pytest.mark.parametrize(
    ("habit", "cell", "name"),
    [("take back", PLACED, "back"), ("debt", ROWS, "debt"), ("captures first", PLACED, "taken_early")],
)
def test_what_people_often_do_costs_less(habit: str, cell: Cell, name: str) -> None:
    often, never = fitted(habit, cell)[name], fitted("steady", cell)[name]
    assert often.value < often.usual < never.value
    assert often.observations > 1


def test_rows_moved_stone_by_stone_show_the_sites_within_them() -> None:
    assert fitted("singly")["inner"].value > fitted("fingers")["inner"].value


def test_pits_are_seen_to_pass_through_numbers_of_seeds() -> None:
    evidence = observe(watch(play(Cell("zig-zag", Sense.COUNT), "steady", "usual", 700_000, 30)))
    happened, times = evidence.trials["sown"]
    assert happened < times
    assert times > 10


# The estimate ---------------------------------------------------------------------------------


def test_without_evidence_nothing_changes() -> None:
    assert constants(estimate(Evidence())) == USUAL


def test_little_evidence_changes_little() -> None:
    evidence = Evidence()
    evidence.note("lie", 0, 10)
    evidence.last("excursion", 5.0)
    its = {each.name: each for each in estimate(evidence)}
    assert its["lie"].value == USUAL.lie
    assert USUAL.excursion_limit < its["excursion_limit"].value < 1.5 * USUAL.excursion_limit


def test_a_share_of_much_evidence_is_that_of_the_evidence() -> None:
    assert share(5_000, 10_000, 6.0) == pytest.approx(share(50_000, 100_000, 0.1), abs=0.5)
    assert share(50_000, 100_000, 3.0) == pytest.approx(0.693, abs=0.01)


def test_a_law_is_found_again_in_what_follows_it() -> None:
    growth, start = 2.0, 0.2
    lasted: dict[float, int] = {}
    for place in range(1, 2000):  # the quantiles of the law
        seconds = start * ((1 - place / 2000) ** (-1 / growth) - 1)
        lasted[round(seconds, 3) or 0.001] = lasted.get(round(seconds, 3), 0) + 1
    names, law = LAWS["early"]
    assert likeliest(names, lasted, law, USUAL) == [pytest.approx(growth, rel=0.25), pytest.approx(start, rel=0.25)]


NAMES = sorted(BOUNDS)
LASTING = ("excursion", "early", "pause", "overlap", "reply")


@given(
    st.dictionaries(st.sampled_from(NAMES), st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)).map(sorted)),
    st.dictionaries(
        st.sampled_from(LASTING), st.dictionaries(st.integers(1, 10_000_000), st.integers(1, 10_000), max_size=4)
    ),
)
def test_nothing_that_is_seen_takes_a_constant_beyond_its_bounds(
    trials: dict[str, list[int]], times: dict[str, dict[int, int]]
) -> None:
    evidence = Evidence(1000, {name: (happened, of) for name, (happened, of) in trials.items()}, times)
    its = constants(estimate(evidence))
    for name, (least, most) in BOUNDS.items():
        assert least <= getattr(its, name) <= most
    assert isinstance(its, Constants)


def test_evidence_of_evenings_adds_up() -> None:
    one, two = Evidence(1, {"lie": (1, 4)}, {"pause": {20: 1}}), Evidence(2, {"lie": (0, 2)}, {"pause": {20: 2, 30: 1}})
    one.add(two)
    assert one == Evidence(3, {"lie": (1, 6)}, {"pause": {20: 3, 30: 1}})
