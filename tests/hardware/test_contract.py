"""What every scanner and every strip of lights promises; one more device is one more rig."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest

from hardware.device import Colour, Lights, Scanner, Sense
from hardware.simulated import SimulatedTable

CHANNELS = 6
PIXELS = 8
RED, DARK = (255, 0, 0), (0, 0, 0)


class Rig(NamedTuple):
    """A device and the world around it: `stand` puts levels under its sensors, `lit` is what its lights truly show.

    `fail` cuts the sensors off and `heal` connects them again.
    """

    scanner: Scanner
    lights: Lights
    stand: Callable[[int, int], None]
    lit: Callable[[], Sequence[Colour]]
    fail: Callable[[], None]
    heal: Callable[[], None]


def simulated(sense: Sense) -> Rig:
    """The table in memory."""
    sites = [f"p{number}" for number in range(CHANNELS)]
    table = SimulatedTable(sites, sense, spare=PIXELS - CHANNELS)

    def sighted(value: bool) -> None:
        table.sighted = value

    return Rig(
        table,
        table,
        lambda channel, level: table.lay([(sites[channel], level)]),
        lambda: table.pictures[-1],
        lambda: sighted(False),
        lambda: sighted(True),
    )


RIGS = {f"simulated {sense.value}": (simulated, sense) for sense in Sense}


@pytest.fixture(params=RIGS.values(), ids=RIGS.keys())
def rig(request: pytest.FixtureRequest) -> Rig:
    opened, sense = request.param
    return opened(sense)


def gradient(pixels: int) -> list[Colour]:
    """A picture in which no two pixels are alike."""
    return [(pixel, 2 * pixel, 255 - pixel) for pixel in range(pixels)]


# Scanners -------------------------------------------------------------------------------------


def test_scan_gives_a_level_for_each_channel(rig: Rig) -> None:
    levels = rig.scanner.scan()
    assert isinstance(levels, tuple)
    assert levels == (0,) * rig.scanner.channels == (0,) * CHANNELS


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("channel", [0, CHANNELS - 1])
def test_scan_shows_what_stands_there_as_the_sense_tells_it(rig: Rig, channel: int, level: int) -> None:
    rig.stand(channel, level)
    expected = [0] * CHANNELS
    expected[channel] = rig.scanner.sense.of(level)
    assert rig.scanner.scan() == tuple(expected)


def test_scan_forgets_what_was_taken_away(rig: Rig) -> None:
    rig.stand(2, 1)
    rig.scanner.scan()
    rig.stand(2, 0)
    assert rig.scanner.scan() == (0,) * CHANNELS


def test_a_scan_once_given_does_not_change(rig: Rig) -> None:
    before = rig.scanner.scan()
    rig.stand(1, 1)
    assert before == (0,) * CHANNELS


def test_scan_gives_the_same_object_while_nothing_changes(rig: Rig) -> None:
    rig.stand(3, 1)
    assert rig.scanner.scan() is rig.scanner.scan()


def test_a_scanner_that_fails_tells_nothing_and_does_not_raise(rig: Rig) -> None:
    rig.stand(0, 1)
    rig.fail()
    assert rig.scanner.scan() == (None,) * CHANNELS


def test_a_scanner_that_works_again_tells_what_stands_there_now(rig: Rig) -> None:
    rig.fail()
    rig.scanner.scan()
    rig.stand(4, 1)
    rig.heal()
    assert rig.scanner.scan() == (0, 0, 0, 0, 1, 0)


def test_closing_a_scanner_twice_is_closing_it_once(rig: Rig) -> None:
    rig.scanner.close()
    rig.scanner.close()


# Lights ---------------------------------------------------------------------------------------


def test_lights_are_dark_at_first(rig: Rig) -> None:
    assert list(rig.lit()) == [DARK] * rig.lights.pixels


def test_show_shows_the_whole_picture(rig: Rig) -> None:
    rig.lights.show(gradient(rig.lights.pixels))
    assert list(rig.lit()) == gradient(PIXELS)


def test_show_replaces_the_picture_before(rig: Rig) -> None:
    rig.lights.show([RED] * PIXELS)
    rig.lights.show(tuple(gradient(PIXELS)))
    assert list(rig.lit()) == gradient(PIXELS)


@pytest.mark.parametrize("pixels", [0, 1, PIXELS - 1, PIXELS + 1, 2 * PIXELS])
def test_a_picture_of_another_length_is_refused_and_not_shown(rig: Rig, pixels: int) -> None:
    rig.lights.show(gradient(PIXELS))
    with pytest.raises(ValueError, match=str(pixels)):
        rig.lights.show([RED] * pixels)
    assert list(rig.lit()) == gradient(PIXELS)


def test_what_is_shown_does_not_follow_the_callers_list(rig: Rig) -> None:
    picture = gradient(PIXELS)
    rig.lights.show(picture)
    picture[0] = RED
    assert list(rig.lit()) == gradient(PIXELS)


def test_closed_lights_are_dark(rig: Rig) -> None:
    rig.lights.show([RED] * PIXELS)
    rig.lights.close()
    assert list(rig.lit()) == [DARK] * PIXELS


def test_closing_lights_twice_is_closing_them_once(rig: Rig) -> None:
    rig.lights.close()
    rig.lights.close()
    assert list(rig.lit()) == [DARK] * PIXELS


# Senses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", range(40))
def test_every_sense_tells_empty_from_full(level: int) -> None:
    assert Sense.PRESENCE.of(level) == (level > 0)
    assert Sense.COLOUR.of(level) == Sense.COUNT.of(level) == level
