"""How scenes look: colours and rhythms for their cues, pictures for the strip, and the output that shows them.

A palette gives each cue its colour. A rhythm of its own tells each cue without a colour. `paint` makes a picture of a
scene; `LightOutput` shows scenes. `PictureOutput` sends pictures when they have changed, and once more to lights that
would forget them, and goes on when the lights fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil, inf, pi, sin
from typing import NamedTuple

from firmware_bridge.events import Event
from firmware_bridge.lighting.scene import Cue, Mode, Scene
from hardware.device import Colour, DeviceError, Lights

BLACK: Colour = (0, 0, 0)

# Palettes -------------------------------------------------------------------------------------

_DEFAULT: dict[str, Colour] = {
    "wrong": (255, 0, 0),
    "missing": (255, 0, 200),
    "ask": (255, 200, 0),
    "begin": (0, 200, 60),
    "hint": (255, 60, 160),
    "capture": (255, 90, 0),
    "place-here": (0, 255, 255),
    "target": (0, 110, 255),
    "travelling": (160, 160, 255),
    "movable": (0, 200, 60),
    "tally": (255, 255, 255),
    "for-first": (255, 220, 120),
    "for-second": (130, 170, 255),
    "won": (255, 170, 30),
    "last": (150, 150, 150),
    "blind": (255, 120, 0),
    "choose": (0, 200, 160),
    "dark": (110, 0, 255),
    "light": (255, 220, 160),
    "turn": (255, 255, 255),
}
_CLEAR: dict[str, Colour] = {  # Okabe and Ito's colours, which colour-blind eyes tell apart
    "wrong": (213, 94, 0),
    "missing": (204, 121, 167),
    "ask": (240, 228, 66),
    "begin": (0, 158, 115),
    "hint": (204, 121, 167),
    "capture": (230, 159, 0),
    "place-here": (86, 180, 233),
    "target": (0, 114, 178),
    "travelling": (200, 200, 255),
    "movable": (0, 158, 115),
    "won": (240, 228, 66),
    "blind": (230, 159, 0),
    "choose": (0, 158, 115),
    "dark": (0, 60, 220),
    "light": (255, 240, 200),
}
PALETTES: dict[str, Mapping[str, Colour]] = {
    "default": _DEFAULT,
    "clear": _DEFAULT | _CLEAR,
    "dim": {name: (red // 4, green // 4, blue // 4) for name, (red, green, blue) in _DEFAULT.items()},
}
"""The colour of each cue, of both stones (``dark``, ``light``) and of the turn lamps (``turn``), 0-255 a channel.

All but the colours of ``clear`` were chosen by eye.
"""
PIECE_COLOURED = frozenset({"missing", "place-here", "tally", "choose"})
"""The cues that take the colour of the piece they speak of."""

# Rhythms --------------------------------------------------------------------------------------


class Rhythm(NamedTuple):
    """A strength of light that comes again after `period` seconds."""

    period: float
    at: Callable[[float], float]
    """The strength (0..1) at a time in seconds."""


def steady(strength: float) -> Rhythm:
    """Always the same `strength` (0..1)."""
    return Rhythm(1.0, lambda _: strength)


def breathe(period: float, low: float = 0.15) -> Rhythm:
    """A light that swells to 1 and fades to `low` once in `period` seconds."""
    return Rhythm(period, lambda now: low + (1 - low) * (0.5 + 0.5 * sin(2 * pi * now / period)))


def blinks(count: int, period: float, on: float) -> Rhythm:
    """`count` blinks of `on` seconds, as far apart, at the start of each `period`; a glimmer between them."""
    return Rhythm(period, lambda now: 1.0 if now % period < 2 * on * count and now % period % (2 * on) < on else 0.06)


def pulses(period: float, on: float) -> Rhythm:
    """Lit for `on` seconds at the start of each `period`, and dark for the rest."""
    return Rhythm(period, lambda now: 1.0 if now % period < on else 0.0)


def running(period: float) -> Rhythm:
    """A flash that fades in half a `period`. Sites with growing phases make it run."""
    return Rhythm(period, lambda now: max(0.08, 1 - (now % period) / period * 2))


RHYTHMS: dict[str, Rhythm] = {
    "wrong": blinks(1, 0.4, 0.2),
    "missing": blinks(1, 1.0, 0.5),
    "ask": blinks(3, 1.8, 0.15),
    "begin": blinks(1, 0.7, 0.5),
    "hint": breathe(1.0, 0.5),
    "capture": blinks(1, 0.24, 0.12),
    "place-here": blinks(2, 1.2, 0.15),
    "target": steady(0.8),
    "travelling": running(0.9),
    "movable": steady(0.3),
    "tally": steady(1.0),
    "for-first": steady(0.55),
    "for-second": blinks(2, 2.4, 0.3),
    "won": breathe(2.0),
    "last": steady(0.12),
    "blind": breathe(4.0),
    "choose": breathe(3.0, 0.4),
}
"""The rhythm of each cue. The periods and strengths were chosen by eye; a test holds every two of them apart."""
STEADY = frozenset({"target", "movable", "tally", "for-first", "last"})
"""The cues whose strength never changes."""
LAMP_RHYTHMS: dict[str, Rhythm] = {"low": pulses(2.0, 1.4), "last": pulses(0.5, 0.25), "away": pulses(3.0, 0.3)}
"""The rhythm of the turn lamp of a player who is short of time, by the pace, or away; with time enough it is steady.
Chosen by eye: each goes dark, so that a lamp alone tells it."""
CHOICE_RHYTHM = breathe(1.6, 0.3)
"""Laid over the rhythm of a cue that is one possibility of several."""


def samples_of(rhythm: Rhythm, count: int = 120) -> list[float]:
    """The strength (0..1) in the middle of each of `count` equal parts of a period; one value if it is steady."""
    levels = [round(rhythm.at((part + 0.5) * rhythm.period / count), 3) for part in range(count)]
    return levels[:1] if len(set(levels)) == 1 else levels


# Pictures -------------------------------------------------------------------------------------


def animated(scene: Scene) -> bool:
    """Whether the picture of `scene` changes with time."""
    return bool(scene.pace) or any(cue.choice or cue.kind not in STEADY for cue in scene.cues.values())


def paint(scene: Scene, sites: Sequence[str], palette: Mapping[str, Colour], now: float, full: float) -> list[Colour]:
    """A colour a site and one for each player's turn lamp, at `now` (seconds) and brightness `full` (0..1)."""
    cues = scene.cues
    picture = [_colour(cues[site], palette, full, now) if site in cues else BLACK for site in sites]
    pace = LAMP_RHYTHMS[scene.pace].at(now) if scene.pace else 1.0
    lamp = _scaled(palette["turn"], 0.4 * full * pace)
    return [*picture, lamp if scene.side == 0 else BLACK, lamp if scene.side == 1 else BLACK]


def _colour(cue: Cue, palette: Mapping[str, Colour], full: float, now: float) -> Colour:
    spoken = cue.kind in PIECE_COLOURED and cue.level in (1, 2)
    colour = palette["dark" if cue.level == 1 else "light"] if spoken else palette[cue.kind]
    light = RHYTHMS[cue.kind].at(now - cue.phase) * cue.strength * (CHOICE_RHYTHM.at(now) if cue.choice else 1.0)
    return _scaled(colour, light * full)


def _scaled(colour: Colour, by: float) -> Colour:
    return (ceil(colour[0] * by), ceil(colour[1] * by), ceil(colour[2] * by))  # rounded up: a dim light never goes out


# Output ---------------------------------------------------------------------------------------

PICTURE_HZ = 30
"""Pictures a second of an animated scene; a guess at what looks smooth."""
RETRY = 1.0
"""Seconds after which lights that have failed are tried again; a guess."""
CALM = 5
"""How many of their refresh periods lights must take without a failure before they count as working again: a network
tells late, and not of each picture, that nobody is there. Linux says so every 3 s of an address that does not answer.
"""


@dataclass(frozen=True, slots=True)
class LightSettings:
    """How the lights show a scene."""

    mode: Mode = "coach"
    palette: Mapping[str, Colour] = field(default_factory=lambda: PALETTES["default"])
    brightness: int = 128
    """0-255."""


class PictureOutput:
    """Sends pictures to `lights`: what is new, what they would forget, and what they have failed to take."""

    def __init__(self, lights: Lights) -> None:
        self.failing = ""
        """Why the lights fail; empty while they work."""
        self.due = inf
        """When `show` is to be called again, with the same picture if there is no other, in seconds."""
        self._lights = lights
        self._refresh = lights.refresh or inf
        self._calm = CALM * (lights.refresh or 0.0)
        self._failed = -inf
        self._picture: Sequence[Colour] = ()

    def show(self, picture: Sequence[Colour], now: float) -> None:
        """Show `picture` at `now` (seconds), which may be the one that is shown already."""
        if picture == self._picture and now < self.due:
            return
        try:
            self._lights.show(picture)
        except DeviceError as error:
            self.failing, self._failed = str(error), now
            self._picture, self.due = (), now + RETRY
        else:
            self._picture, self.due = picture, now + self._refresh
            if now - self._failed >= self._calm:
                self.failing = ""

    def forget(self) -> None:
        """Others have used the lights: whatever comes next is to be sent."""
        self._picture, self.due = (), -inf

    def close(self) -> None:
        """Go dark."""
        with suppress(DeviceError):  # lights that fail cannot be helped
            self._lights.close()


class LightOutput:
    """Shows scenes on `lights`, a pixel for each of `sites` and the two turn lamps."""

    def __init__(self, lights: Lights, sites: Sequence[str], settings: LightSettings) -> None:
        self.settings = settings
        self._output, self._sites = PictureOutput(lights), sites
        self._next = -inf
        self._told = ""

    def show(self, scene: Scene, now: float, *, fresh: bool) -> None:
        """Show `scene` at `now` (seconds); one that is not `fresh` only when its rhythm asks for another picture."""
        output = self._output
        if not fresh and now < self._next and now < output.due:
            return
        self._next = now + 1 / PICTURE_HZ if animated(scene) else inf
        output.show(paint(scene, self._sites, self.settings.palette, now, self.settings.brightness / 255), now)

    def forget(self) -> None:
        """Others have used the lights: whatever comes next is to be sent."""
        self._output.forget()

    def troubles(self) -> list[Event]:
        """That the lights have begun to fail, or to work again; once."""
        failing = self._output.failing
        if bool(failing) == bool(self._told):
            return []
        self._told = failing
        return [Event.of("unlit", fault=failing) if failing else Event.of("lit")]

    def close(self) -> None:
        """Go dark."""
        self._output.close()
