"""What every strip of lights promises; one more driver is one more rig in light_rigs.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.device import Colour, DeviceError
from tests.hardware.light_rigs import DRIVERS, PIXELS, RIGS, Rig

RED, DARK = (255, 0, 0), (0, 0, 0)


def opened(request: pytest.FixtureRequest, folder: Path) -> Iterator[Rig]:
    """The rig, closed in the end whatever the test did to it."""
    rig = request.param(folder)
    yield rig
    rig.heal()
    rig.lights.close()


@pytest.fixture(params=RIGS.values(), ids=list(RIGS))
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    yield from opened(request, tmp_path)


@pytest.fixture(params=DRIVERS.values(), ids=list(DRIVERS))
def driver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    yield from opened(request, tmp_path)


def gradient(pixels: int) -> list[Colour]:
    """A picture in which no two pixels are alike."""
    return [(pixel, 2 * pixel, 255 - pixel) for pixel in range(pixels)]


def test_lights_are_dark_at_first(rig: Rig) -> None:
    assert list(rig.lit()) == [DARK] * rig.lights.pixels == [DARK] * PIXELS


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


# Drivers, which can fail and save themselves work ------------------------------------------------


def test_the_picture_that_is_shown_is_sent_again_only_to_lights_that_forget_it(driver: Rig) -> None:
    driver.lights.show(gradient(PIXELS))
    driver.wipe()
    driver.lights.show(tuple(gradient(PIXELS)))
    assert list(driver.lit()) == (gradient(PIXELS) if driver.lights.refresh else [])


def test_a_picture_that_was_shown_before_the_last_is_sent_again(driver: Rig) -> None:
    for picture in ([RED] * PIXELS, gradient(PIXELS), [RED] * PIXELS):
        driver.lights.show(picture)
    assert list(driver.lit()) == [RED] * PIXELS


def test_lights_that_fail_say_so_in_one_sentence_at_every_picture(driver: Rig) -> None:
    driver.fail()
    for picture in ([RED] * PIXELS, [RED] * PIXELS, gradient(PIXELS)):
        with pytest.raises(DeviceError, match=r"^[^\n]+: [^\n]+[^.\n]$"):
            driver.lights.show(picture)


def test_lights_that_work_again_show_the_next_picture(driver: Rig) -> None:
    driver.lights.show([RED] * PIXELS)
    driver.fail()
    with pytest.raises(DeviceError):
        driver.lights.show(gradient(PIXELS))
    driver.heal()
    driver.lights.show(gradient(PIXELS))
    assert list(driver.lit()) == gradient(PIXELS)


def test_after_a_failure_the_picture_before_it_is_sent_again(driver: Rig) -> None:
    driver.lights.show([RED] * PIXELS)
    driver.fail()
    with pytest.raises(DeviceError):
        driver.lights.show(gradient(PIXELS))
    driver.heal()
    driver.wipe()
    driver.lights.show([RED] * PIXELS)
    assert list(driver.lit()) == [RED] * PIXELS


def test_lights_that_fail_can_be_closed(driver: Rig) -> None:
    driver.lights.show([RED] * PIXELS)
    driver.fail()
    driver.lights.close()
    driver.lights.close()
    with pytest.raises(ValueError, match="closed"):
        driver.lights.show([RED] * PIXELS)


def test_lights_failing_before_and_healed_by_the_end_are_dark_when_closed(driver: Rig) -> None:
    driver.lights.show([RED] * PIXELS)
    driver.fail()
    with pytest.raises(DeviceError):
        driver.lights.show(gradient(PIXELS))
    driver.heal()
    driver.lights.close()
    assert list(driver.lit()) == [DARK] * PIXELS
