"""Scenes on lights: only what has changed is sent, and lights that fail do not stop the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf

from firmware_bridge.lighting.palette import PALETTES, alive, paint
from firmware_bridge.lighting.scene import Mode, Scene
from firmware_bridge.table.referee import Event, told
from hardware.device import Colour, DeviceError, Lights

PICTURE_HZ = 30
RETRY = 1.0
"""Seconds after which lights that have failed are tried again."""


@dataclass(frozen=True, slots=True)
class Looks:
    """How the lights show a scene."""

    mode: Mode = "coach"
    palette: Mapping[str, Colour] = field(default_factory=lambda: PALETTES["default"])
    brightness: int = 128
    """0-255."""


class Light:
    """Shows scenes on `lights`, a pixel for each of `sites` and the two turn lamps."""

    def __init__(self, lights: Lights, sites: Sequence[str], looks: Looks) -> None:
        self.looks = looks
        self._lights, self._sites = lights, sites
        self._picture: Sequence[Colour] = ()
        self._next = -inf
        self._failing = self._told = ""

    def show(self, scene: Scene, now: float, *, fresh: bool) -> None:
        """Show `scene` at `now` (seconds); one that is not `fresh` only when its rhythm asks for another picture."""
        if not fresh and now < self._next:
            return
        self._next = now + 1 / PICTURE_HZ if alive(scene) else inf
        picture = paint(scene, self._sites, self.looks.palette, now, self.looks.brightness / 255)
        if picture != self._picture:
            self._send(picture, now)

    def forget(self) -> None:
        """Others have used the lights: whatever comes next is to be sent."""
        self._picture, self._next = (), -inf

    def _send(self, picture: Sequence[Colour], now: float) -> None:
        try:
            self._lights.show(picture)
            self._picture, self._failing = picture, ""
        except DeviceError as error:
            self._failing = str(error)
            self._picture, self._next = (), now + RETRY

    def troubles(self) -> list[Event]:
        """That the lights have begun to fail, or to work again; once."""
        if bool(self._failing) == bool(self._told):
            return []
        self._told = self._failing
        return [told("unlit", fault=self._failing) if self._failing else told("lit")]

    def close(self) -> None:
        """Go dark."""
        with suppress(DeviceError):  # lights that fail cannot be helped
            self._lights.close()
