"""The debounce: a level counts once it has held, whatever the sensor did before."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.reading import Debounce
from hardware.device import Levels

HOLD = 0.005
TICK = 0.001


def feed(debounce: Debounce, *frames: Levels, start: float = 0.0) -> list[Levels]:
    """The settled frames after each of `frames`, a millisecond apart."""
    return [debounce.feed(frame, start + number * TICK) for number, frame in enumerate(frames)]


def test_the_first_frame_counts_at_once() -> None:
    assert Debounce(HOLD).feed((1, 0, None), 0.0) == (1, 0, None)


def test_a_change_counts_once_it_has_held() -> None:
    settled = feed(Debounce(HOLD), (0,), *[(1,)] * 8)
    assert [frame[0] for frame in settled] == [0, 0, 0, 0, 0, 0, 1, 1, 1]


def test_a_bounce_shorter_than_the_hold_is_nothing() -> None:
    frames = [(0,), (1,), (1,), (0,), (1,), (1,), (1,), (0,), (0,), (0,), (0,), (0,), (0,)]
    assert {frame[0] for frame in feed(Debounce(HOLD), *frames)} == {0}


def test_the_wait_begins_anew_with_each_other_level() -> None:
    settled = feed(Debounce(HOLD), (0,), (1,), (1,), (1,), (2,), (2,), (2,), (2,), (2,), (2,))
    assert [frame[0] for frame in settled] == [0] * 9 + [2]


def test_each_site_waits_by_itself() -> None:
    settled = feed(Debounce(HOLD), (0, 0), (1, 0), (1, 0), (1, 1), *[(1, 1)] * 5)
    assert settled[6] == (1, 0)
    assert settled[-1] == (1, 1)


def test_a_sensor_that_cannot_tell_is_debounced_too() -> None:
    settled = feed(Debounce(HOLD), (1,), (None,), (1,), *[(None,)] * 7)
    assert [frame[0] for frame in settled] == [1] * 8 + [None] * 2


def test_a_change_ripens_although_the_scanner_gives_the_same_object_again() -> None:
    debounce, full = Debounce(HOLD), (1,)
    debounce.feed((0,), 0.0)
    debounce.feed(full, 1.0)
    assert debounce.feed(full, 1.004) == (0,)
    assert debounce.feed(full, 1.006) == (1,)


def test_the_same_object_comes_out_while_nothing_changes() -> None:
    debounce = Debounce(HOLD)
    settled = debounce.feed((0, 1), 0.0)
    assert all(debounce.feed((0, 1), now / 10) is settled for now in range(1, 20))


def test_a_scan_late_by_hours_settles_what_has_held() -> None:
    debounce = Debounce(HOLD)
    debounce.feed((0,), 0.0)
    debounce.feed((1,), 0.001)
    assert debounce.feed((1,), 9999.0) == (1,)


def test_no_hold_lets_every_frame_through() -> None:
    assert feed(Debounce(0), (0,), (1,), (0,), (2,)) == [(0,), (1,), (0,), (2,)]


def test_another_number_of_channels_begins_anew() -> None:
    debounce = Debounce(HOLD)
    debounce.feed((0, 0), 0.0)
    debounce.feed((1, 0), 0.001)
    assert debounce.feed((0, 0, 1), 0.002) == (0, 0, 1)


FRAMES = st.lists(st.tuples(*[st.sampled_from([0, 1, 2, None])] * 2), min_size=1, max_size=60)


@settings(derandomize=True)
@given(FRAMES)
def test_what_is_settled_has_held_and_what_has_held_is_settled(frames: list[Levels]) -> None:
    """A settled level is the one that stood for the last time as long as the hold, five scans and one more."""
    held = round(HOLD / TICK) + 1
    for site in (0, 1):
        expected = frames[0][site]
        for number, frame in enumerate(feed(Debounce(HOLD - TICK / 10), *frames)):
            recent = {raw[site] for raw in frames[max(0, number + 1 - held) : number + 1]}
            if number + 1 >= held and len(recent) == 1:
                expected = frames[number][site]
            assert frame[site] == expected
