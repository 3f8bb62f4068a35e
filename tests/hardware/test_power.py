"""The power budget: figures of a WS2812 at 5 V, and nothing that draws more than the supply gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.device import Colour
from hardware.power import CONTROLLER_MA, DARK_MA, estimate, within

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
STEADY = settings(derandomize=True)
BYTE = st.integers(0, 255)
PICTURES = st.lists(st.tuples(BYTE, BYTE, BYTE), max_size=150)


@pytest.mark.parametrize(
    ("picture", "milliamperes"),
    [
        ([], 120),
        ([BLACK], 121),
        ([BLACK] * 64, 184),
        ([WHITE], 176),
        ([WHITE] * 64, 3704),
        ([(255, 0, 0)] * 3, 120 + 3 + 55),
        ([(51, 51, 51)], 121 + 11),
    ],
)
def test_the_estimate_follows_the_figures(picture: list[Colour], milliamperes: float) -> None:
    assert estimate(picture) == pytest.approx(milliamperes)


@STEADY
@given(PICTURES, st.floats(0, 5000))
def test_no_picture_draws_more_than_the_supply_if_darkness_fits(picture: list[Colour], supply: float) -> None:
    idle = CONTROLLER_MA + DARK_MA * len(picture)
    shown = within(picture, supply)
    assert len(shown) == len(picture)
    assert estimate(shown) <= max(supply, idle) + 1e-6


@STEADY
@given(PICTURES)
def test_a_picture_within_the_supply_is_shown_as_it_is(picture: list[Colour]) -> None:
    assert within(picture, estimate(picture) + 1e-6) is picture


@STEADY
@given(PICTURES, st.floats(0, 5000))
def test_a_picture_is_dimmed_as_a_whole(picture: list[Colour], supply: float) -> None:
    """No channel grows, none becomes brighter than another that was as bright, and hues keep to within rounding."""
    values = [value for colour in picture for value in colour]
    dimmed = [value for colour in within(picture, supply) for value in colour]
    scale = max((after / before for before, after in zip(values, dimmed, strict=True) if before), default=1)
    for before, after in zip(values, dimmed, strict=True):
        assert 0 <= after <= before
        assert after >= int(before * scale) - 1


@pytest.mark.parametrize("supply", [0, 100, 120, 184, -5])
def test_where_even_darkness_is_too_much_the_lights_are_black(supply: float) -> None:
    assert list(within([WHITE] * 64, supply)) == [BLACK] * 64


def test_channels_stay_whole_numbers() -> None:
    for supply in range(184, 3704, 37):
        assert all(isinstance(value, int) for colour in within([WHITE] * 64, supply) for value in colour)


def test_a_larger_supply_never_shows_less() -> None:
    brightness = [sum(map(sum, within([WHITE, (10, 200, 30)] * 32, supply))) for supply in range(150, 4000, 25)]
    assert brightness == sorted(brightness)
    assert brightness[0] == 0 < brightness[-1] == 32 * (765 + 240)
