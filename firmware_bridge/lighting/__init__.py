"""What the lights show: from a view of the table to cues, to colours, to the strip."""

from firmware_bridge.lighting.output import (
    BEATS,
    BLACK,
    CHOSEN,
    PALETTES,
    SPOKEN,
    Beat,
    LightOutput,
    LightSettings,
    alive,
    paint,
    sampled,
)
from firmware_bridge.lighting.scene import CUES, MODES, Cue, Hint, Mode, Scene, scene

__all__ = [
    "BEATS",
    "BLACK",
    "CHOSEN",
    "CUES",
    "MODES",
    "PALETTES",
    "SPOKEN",
    "Beat",
    "Cue",
    "Hint",
    "LightOutput",
    "LightSettings",
    "Mode",
    "Scene",
    "alive",
    "paint",
    "sampled",
    "scene",
]
