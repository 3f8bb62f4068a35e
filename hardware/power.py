"""The power budget: the one place through which every picture passes on its way to the lights.

The estimate is a WS2812's at 5 V: 55 mA at full white beside 1 mA when dark, and 120 mA for the controller.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.device import Colour

CONTROLLER_MA = 120
DARK_MA = 1
WHITE_MA = 55


def estimate(picture: Sequence[Colour]) -> float:
    """The current that `picture` draws from the supply, in mA."""
    light = sum(map(sum, picture))
    return CONTROLLER_MA + DARK_MA * len(picture) + light * WHITE_MA / 765


def within(picture: Sequence[Colour], supply: float) -> Sequence[Colour]:
    """`picture`, scaled down as a whole if it would draw more than `supply` mA; black if even darkness would."""
    idle = CONTROLLER_MA + DARK_MA * len(picture)
    drawn = estimate(picture) - idle
    if drawn <= max(0.0, supply - idle):
        return picture
    scale = max(0.0, supply - idle) / drawn
    return [(int(red * scale), int(green * scale), int(blue * scale)) for red, green, blue in picture]
