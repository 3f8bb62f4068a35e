"""What the lights show: from a view of the table to cues, to colours, to the strip."""

from firmware_bridge.lighting.output import (
    BLACK,
    CHOICE_RHYTHM,
    LAMP_RHYTHMS,
    PALETTES,
    PIECE_COLOURED,
    RHYTHMS,
    LightOutput,
    LightSettings,
    PictureOutput,
    Rhythm,
    animated,
    paint,
    samples_of,
)
from firmware_bridge.lighting.scene import CUES, MODES, Cue, Hint, Lamp, Mode, Scene, scene, standing_scene

__all__ = [
    "BLACK",
    "CHOICE_RHYTHM",
    "CUES",
    "LAMP_RHYTHMS",
    "MODES",
    "PALETTES",
    "PIECE_COLOURED",
    "RHYTHMS",
    "Cue",
    "Hint",
    "Lamp",
    "LightOutput",
    "LightSettings",
    "Mode",
    "PictureOutput",
    "Rhythm",
    "Scene",
    "animated",
    "paint",
    "samples_of",
    "scene",
    "standing_scene",
]
