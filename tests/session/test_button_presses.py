"""Presses out of levels: bounce, short ones, held ones, several buttons at once."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.session.session import STEADY, Press, Presses

UP: frozenset[str] = frozenset()
DONE, BOTH = frozenset({"done"}), frozenset({"done", "power"})
SCAN = 0.01


def fed(presses: Presses, levels: Iterable[frozenset[str]], start: float = 0.0) -> list[tuple[int, Press]]:
    """What is pressed at which scan, given the buttons that are down at each."""
    told = []
    for number, down in enumerate(levels):
        told += [(number, press) for press in presses.feed(down, start + number * SCAN)]
    return told


def test_a_press_counts_when_it_has_been_steady_for_three_scans() -> None:
    assert fed(Presses(), [UP, UP, *[DONE] * 20, *[UP] * 20]) == [(5, Press("done"))]


@pytest.mark.parametrize("scans", [1, 2])
def test_a_shorter_touch_is_bounce(scans: int) -> None:
    assert fed(Presses(), [UP, *[DONE] * scans, *[UP] * 300]) == []


def test_bounce_at_both_ends_makes_one_press() -> None:
    bounce = [DONE, UP, DONE, DONE, UP, DONE, UP]
    assert fed(Presses(), [UP, *bounce, *[DONE] * 30, *bounce, *[UP] * 30]) == [(11, Press("done"))]


def test_a_bounce_within_a_press_is_no_second_one() -> None:
    assert fed(Presses(), [*[DONE] * 30, UP, UP, *[DONE] * 30, *[UP] * 30]) == [(3, Press("done"))]


def test_two_presses_are_told_as_two() -> None:
    levels = [*[DONE] * 10, *[UP] * 10] * 2
    assert fed(Presses(), levels) == [(3, Press("done")), (23, Press("done"))]


def test_a_held_press_follows_a_short_one_once() -> None:
    told = fed(Presses(2.0), [UP, *[DONE] * 700])
    assert told == [(4, Press("done")), (201, Press("done", held=True))]


def test_a_press_just_too_short_is_not_held() -> None:
    assert fed(Presses(2.0), [*[DONE] * 195, *[UP] * 300]) == [(3, Press("done"))]


def test_a_hold_can_be_repeated() -> None:
    told = fed(Presses(0.5), [*[DONE] * 60, *[UP] * 10] * 2)
    assert [press.held for _, press in told] == [False, True, False, True]


def test_buttons_are_followed_each_by_itself() -> None:
    told = fed(Presses(1.0), [*[DONE] * 50, *[BOTH] * 70, *[frozenset({"power"})] * 60, *[UP] * 10])
    assert told == [(3, Press("done")), (53, Press("power")), (100, Press("done", True)), (150, Press("power", True))]


def test_two_buttons_at_once_are_both_told() -> None:
    told = fed(Presses(), [*[BOTH] * 5])
    assert sorted(press.name for _, press in told) == ["done", "power"]


def test_presses_do_not_depend_on_where_time_begins() -> None:
    assert fed(Presses(), [DONE] * 6, start=-1000.0)[0][1] == Press("done")
    assert fed(Presses(), [DONE] * 6, start=1e7)[0][1] == Press("done")


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 80)), max_size=30), st.floats(0.5, 1.0))
def test_there_are_never_more_presses_than_rises(runs: list[tuple[bool, int]], hold: float) -> None:
    levels = [DONE if down else UP for down, scans in runs for _ in range(scans)]
    presses = Presses(hold)
    told = fed(presses, levels)
    rises = [n for n, down in enumerate(levels) if down and (n == 0 or not levels[n - 1])]
    shorts = [n for n, press in told if not press.held]
    assert len(shorts) <= len(rises)
    for number in shorts:  # it has stood for STEADY, and stands still
        assert all(levels[n] for n in range(number - round(STEADY / SCAN), number + 1))
    for number, press in told:
        if press.held:
            first = max(n for n in shorts if n < number)
            assert (number - first) * SCAN + STEADY >= hold - SCAN - 1e-9
            assert sum(1 for n, other in told if other.held and first <= n <= number) == 1


@given(st.lists(st.sampled_from([UP, DONE, BOTH]), max_size=60))
def test_bounce_of_one_button_does_not_touch_another(levels: list[frozenset[str]]) -> None:
    alone = [press for press in fed(Presses(), [level & {"power"} for level in levels]) if press[1].name == "power"]
    together = [press for press in fed(Presses(), levels) if press[1].name == "power"]
    assert together == alone


LET_GO = "a button counts as held until its release has been steady, although it is up"


def test_a_button_let_go_just_before_is_not_held() -> None:
    assert fed(Presses(2.0), [*[DONE] * 199, *[UP] * 300]) == [(3, Press("done"))]


def test_a_scan_that_is_late_makes_no_held_press_of_a_short_one() -> None:
    presses = Presses(2.0)
    presses.feed(DONE, 0.0)
    assert presses.feed(DONE, 0.03) == [Press("done")]
    assert presses.feed(UP, 3.0) == []  # the disk was slow: nobody has held the button
