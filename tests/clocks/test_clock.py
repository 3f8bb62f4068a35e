"""The clock as a value: how time is given, spent, shown, and given back."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.clocks import Clock, Control, Left, clocks, control
from games.rules import OptionError


def begun(text: str) -> Clock:
    """The clocks after the first turn, which was made at 100 s; the second player's runs."""
    clock = clocks(text)
    assert clock
    return clock.turn(100.0, 1).run(100.0)


# How time is given ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("10", Control(600)),
        ("10+5", Control(600, 5)),
        ("0.5+2", Control(30, 2)),
        ("10+3x30", Control(600, 0, 3, 30)),
        ("0+1x60", Control(0, 0, 1, 60)),
        ("off", None),
        ("", None),
    ],
)
def test_time_is_given_as_players_write_it(text: str, given: Control | None) -> None:
    assert control(text) == given
    assert not given or str(given) == text


@pytest.mark.parametrize("text", ["0", "0+0", "x", "10:5", "601", "10+601", "10+0x30", "10+3x0", "10+21x5", "+5"])
def test_what_is_no_time_control_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(OptionError, match=r"clock: .* such as 10, 10\+5 or 10\+3x30"):
        control(text)


# Rule 1: the first turn begins it -------------------------------------------------------------------


def test_1_nobody_uses_time_before_the_first_turn() -> None:
    clock = clocks("10")
    assert clock
    assert clock.run(5.0).shown(0, 500.0).seconds == 600
    assert clock.run(5.0).falls == inf
    assert begun("10").left == (Left(600), Left(600))


# What a turn takes ----------------------------------------------------------------------------------


def test_a_turn_takes_the_time_up_to_its_last_touch() -> None:
    """Rule 2: it came to count later, and from its last touch on the other one's time has run."""
    clock = begun("10").turn(112.5, 0)
    assert clock.left == (Left(600), Left(587.5))
    assert clock.shown(0, 114.5).seconds == 598


def test_an_increment_comes_after_each_turn() -> None:
    clock = begun("10+5").turn(112.0, 0)
    assert clock.left == (Left(605), Left(593))


def test_a_period_is_used_up_only_by_a_turn_that_takes_longer() -> None:
    clock = begun("1+3x30").turn(100.0 + 60 + 29, 0)
    assert clock.left[1] == Left(0, 3)
    clock = clock.turn(190.0, 1).turn(190.0 + 31, 0)
    assert clock.left[1] == Left(0, 2)
    assert clock.turn(230.0, 1).turn(230.0 + 30, 0).left[1] == Left(0, 1)


def test_periods_are_shown_as_they_run_out() -> None:
    clock = begun("1+2x30")
    assert clock.shown(1, 159.0) == (1, 2, False)
    assert clock.shown(1, 160.0) == (30, 2, True)
    assert clock.shown(1, 195.0) == (25, 1, True)
    assert clock.shown(1, 220.0) == (0, 0, True)
    assert clock.falls == 220


@pytest.mark.parametrize("text", ["1", "1+10", "1+2x30", "0+1x60", "0+60"])
def test_the_flag_falls_when_nothing_is_left_to_be_shown(text: str) -> None:
    clock = begun(text)
    assert clock.shown(1, clock.falls - 0.5).seconds == pytest.approx(0.5)
    assert clock.shown(1, clock.falls)[:2] == (0, 0)


@pytest.mark.parametrize(
    ("seconds", "text"), [(3723, "1:02:03"), (598, "9:58"), (10.2, "0:11"), (9.48, "0:09.4"), (0, "0:00.0")]
)
def test_the_last_seconds_show_their_tenths(seconds: float, text: str) -> None:
    assert begun("100").shown(1, 100.0)._replace(seconds=seconds).text == text


# Rule 3: what is taken back, rule 4: when it stands -------------------------------------------------


def test_4_time_does_not_pass_while_it_stands() -> None:
    clock = begun("10").stop(130.0)
    assert clock.shown(1, 999.0).seconds == 570
    assert clock.falls == inf
    assert clock.run(1000.0).turn(1005.0, 0).left[1] == Left(565)


def test_3_what_a_player_thought_stays_used_where_the_turn_is_taken_back() -> None:
    before = begun("10+5").upto(130.0)
    assert before.left == (Left(605), Left(600))
    assert before.shown(1, 140.0).seconds == 560
    assert before.hold().run(500.0).shown(1, 500.0).seconds == 570


@given(st.lists(st.tuples(st.sampled_from(["turn", "stop", "run", "upto"]), st.floats(0, 20)), max_size=30))
def test_no_time_is_lost_or_given(steps: list[tuple[str, float]]) -> None:
    """By sudden death both together have used just the time for which a clock ran."""
    clock, now, ran = begun("600"), 100.0, 0.0
    for what, wait in steps:
        ran, now = ran + (wait if clock.since is not None else 0.0), now + wait
        clock = clock.turn(now, 1 - clock.side) if what == "turn" else getattr(clock, what)(now)
    left = sum(clock.shown(side, now).seconds for side in (0, 1))
    assert left == pytest.approx(72000 - ran)


# How short of time ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "used", "pace"),
    [("10", 0, ""), ("10", 541, "low"), ("10", 591, "last"), ("1+2x30", 60, ""), ("1+2x30", 85, "low"),
     ("1+2x30", 115, "last"), ("1+2x30", 55, "low")],
)  # fmt: skip
def test_the_pace_tells_how_short_time_is(text: str, used: float, pace: str) -> None:
    clock = begun(text)
    assert clock.pace(100.0 + used) == pace
    assert clock.stop(100.0 + used).pace(100.0 + used) == ""


@pytest.mark.parametrize("text", ["2", "1+5", "1+2x30", "0+3x10"])
def test_the_pace_changes_when_it_is_said_to(text: str) -> None:
    clock, now = begun(text), 100.0
    while now < clock.falls:
        changes = clock.changes(now)
        assert changes > now
        assert clock.pace(now + (min(changes, clock.falls) - now) * 0.99) == clock.pace(now + 1e-6)
        now = changes + 1e-6
