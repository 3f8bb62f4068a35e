"""What every scanner promises; one more driver is one more rig in scanner_rigs.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.device import Levels, Sense
from tests.hardware.scanner_rigs import RIGS, Rig


@pytest.fixture(params=RIGS.values(), ids=RIGS.keys())
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    rig = request.param()
    yield rig
    rig.heal()
    rig.scanner.close()
    rig.close()


def seen(rig: Rig) -> Levels:
    """What the scanner shows, once it has gone over all its sensors."""
    return [rig.scanner.scan() for _ in range(rig.scans)][-1]


def empty(rig: Rig) -> Levels:
    """What the scanner shows while nothing stands there."""
    return (0,) * rig.scanner.channels


def with_one(rig: Rig, channel: int, level: int) -> Levels:
    """What it shows with one piece there."""
    levels = [0] * rig.scanner.channels
    levels[channel] = rig.scanner.sense.of(level)
    return tuple(levels)


def test_scan_gives_a_level_for_each_channel(rig: Rig) -> None:
    levels = rig.scanner.scan()
    assert isinstance(levels, tuple)
    assert levels == empty(rig)


@pytest.mark.parametrize("level", [1, 2])
def test_scan_shows_on_each_channel_what_stands_there_as_the_sense_tells_it(rig: Rig, level: int) -> None:
    for channel in range(rig.scanner.channels):
        rig.stand(channel, level)
        assert seen(rig) == with_one(rig, channel, level)
        rig.stand(channel, 0)


def test_scan_forgets_what_was_taken_away(rig: Rig) -> None:
    rig.stand(2, 1)
    seen(rig)
    rig.stand(2, 0)
    assert seen(rig) == empty(rig)


def test_scan_shows_a_full_table(rig: Rig) -> None:
    for channel in range(rig.scanner.channels):
        rig.stand(channel, 1)
    assert seen(rig) == (1,) * rig.scanner.channels
    assert rig.scanner.trouble is None


def test_a_scan_once_given_does_not_change(rig: Rig) -> None:
    before = rig.scanner.scan()
    rig.stand(1, 1)
    assert seen(rig) == with_one(rig, 1, 1)
    assert before == empty(rig)


def test_scan_gives_the_same_object_while_nothing_changes(rig: Rig) -> None:
    rig.stand(3, 1)
    assert seen(rig) is rig.scanner.scan()
    assert len({id(rig.scanner.scan()) for _ in range(rig.scans)}) == 1


def test_a_scanner_that_fails_tells_nothing_and_does_not_raise(rig: Rig) -> None:
    rig.stand(0, 1)
    rig.fail()
    assert rig.scanner.scan() == (None,) * rig.scanner.channels


def test_a_scanner_that_fails_from_one_scan_to_the_next_shows_no_old_levels(rig: Rig) -> None:
    rig.scanner.scan()
    rig.fail()
    assert rig.scanner.scan() == (None,) * rig.scanner.channels


def test_a_scanner_that_works_again_tells_what_stands_there_now(rig: Rig) -> None:
    rig.fail()
    rig.scanner.scan()
    rig.stand(4, 1)
    rig.heal()
    assert rig.scanner.scan() == with_one(rig, 4, 1)


def test_a_scanner_that_failed_for_long_works_again(rig: Rig) -> None:
    rig.fail()
    for _ in range(250):
        rig.scanner.scan()
    rig.heal()
    seen = [rig.scanner.scan() for _ in range(100)]
    assert seen[-1] == empty(rig)


def test_closing_a_scanner_twice_is_closing_it_once(rig: Rig) -> None:
    rig.scanner.close()
    rig.scanner.close()


# Senses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", range(40))
def test_every_sense_tells_empty_from_full(level: int) -> None:
    assert Sense.PRESENCE.of(level) == (level > 0)
    assert Sense.COLOUR.of(level) == Sense.COUNT.of(level) == level
