"""The only loop: scan, settle, judge, write down, light up. One thread, and the scan is the clock."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from firmware_bridge.debounce import Debounce
from firmware_bridge.palette import PALETTES, alive, paint
from firmware_bridge.record import Record
from firmware_bridge.referee import Event, told
from firmware_bridge.scene import Mode, Scene, scene
from firmware_bridge.table import Table
from hardware.device import Colour, Lights, Scanner
from hardware.power import within

SCAN_HZ = 100
PICTURE_HZ = 30


@dataclass(frozen=True, slots=True)
class Looks:
    """How the lights show a scene."""

    mode: Mode = "coach"
    palette: Mapping[str, Colour] = field(default_factory=lambda: PALETTES["default"])
    brightness: int = 128
    """0-255."""
    supply: float = 1000
    """What the lights may draw, in mA."""


class Daemon:
    """A table between its scanner and its lights, cycle by cycle."""

    def __init__(
        self,
        scanner: Scanner,
        lights: Lights,
        table: Table,
        *,
        debounce: Debounce | None = None,
        looks: Looks | None = None,
        record: Record | None = None,
    ) -> None:
        self.scanner = scanner
        self.lights = lights
        self.table = table
        self.looks = looks or Looks()
        self.record = record
        self.scene = Scene()
        self._debounce = debounce or Debounce()
        self._picture: Sequence[Colour] = ()
        self._frame: object = None
        self._next_picture = -inf
        self._problem = ""

    def cycle(self, now: float) -> list[Event]:
        """One scan at `now` (seconds), and what follows from it."""
        frame = self._debounce.feed(self.scanner.scan(), now)
        events = self.table.see(frame, now)
        if events and self.record:
            self.record.write(events, now)
        events += self._troubles()
        changed = frame is not self._frame or bool(events)
        self._frame = frame
        self._light(now, changed=changed)
        return events

    def _troubles(self) -> list[Event]:
        """What keeps the record from being written, once."""
        problem = self.record.problem if self.record else ""
        if problem == self._problem:
            return []
        self._problem = problem
        return [told("unwritten", why=problem) if problem else told("written")]

    def ask(self, request: Callable[[float], list[Event]], now: float) -> list[Event]:
        """Press a button or the like: `request` is called with `now`, and its events are treated as any."""
        events = request(now)
        if events and self.record:
            self.record.write(events, now)
        self._light(now, changed=True)
        return events

    def show_as(self, mode: Mode) -> None:
        """Let the lights tell more or less from now on."""
        self.looks = replace(self.looks, mode=mode)
        self._frame = None

    def _light(self, now: float, *, changed: bool) -> None:
        """Show the scene; a turn is never shown as accepted before it is safe on disk."""
        if self.record and not self.record.safe:
            self._next_picture = -inf
            self._frame = None
            return
        if changed or now >= self.scene.until:
            self.scene = scene(self.table.view(), now, self.looks.mode)
        elif now < self._next_picture:
            return
        self._next_picture = now + 1 / PICTURE_HZ if alive(self.scene) else inf
        looks = self.looks
        painted = paint(self.scene, self.table.game.sites, looks.palette, now, looks.brightness / 255)
        picture = within(painted, looks.supply)
        if picture != self._picture:
            self._picture = picture
            self.lights.show(picture)

    @staticmethod
    def warm_up() -> None:
        """To be called once before the first cycle.

        What is loaded by now will never be garbage to look through; and a turn makes thousands of small objects
        that are freed at once by themselves, so it is enough to look for others now and then.
        """
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)

    def close(self) -> None:
        """Lights off, record safe, devices released."""
        if self.record:
            self.record.close()
        self.lights.close()
        self.scanner.close()
