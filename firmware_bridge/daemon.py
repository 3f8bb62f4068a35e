"""The only loop: scan, settle, judge, write down, light up. One thread, and the scan is the clock."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf

from firmware_bridge.debounce import Debounce
from firmware_bridge.palette import PALETTES, alive, paint
from firmware_bridge.record import Record
from firmware_bridge.referee import Event, told
from firmware_bridge.scene import Mode, Scene, scene
from firmware_bridge.table import Table
from games.rules import Reason
from hardware.device import Colour, DeviceError, Lights, Scanner

SCAN_HZ = 100
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
        self._unlit = self._said_unlit = ""

    def cycle(self, now: float) -> list[Event]:
        """One scan at `now` (seconds), and what follows from it."""
        frame = self._debounce.feed(self.scanner.scan(), now)
        events = self.table.see(frame, now)
        if events:
            events = [self._blamed(event) for event in events]
            if self.record:
                self.record.write(events, now)
        events += self._troubles()
        changed = frame is not self._frame or bool(events)
        self._frame = frame
        self._light(now, changed=changed)
        return events

    def _blamed(self, event: Event) -> Event:
        """A blind table says why, where its scanner knows."""
        trouble = self.scanner.trouble if event.name == "blind" else None
        if not trouble:
            return event
        return Event("blind", Reason.of(f"table.{trouble.kind}", sites=", ".join(trouble.names)), sites=trouble.names)

    def _troubles(self) -> list[Event]:
        """What keeps the record from being written, and the lights from being lit, once each."""
        events = []
        problem = self.record.problem if self.record else ""
        if problem != self._problem:
            self._problem = problem
            events.append(told("unwritten", why=problem) if problem else told("written"))
        if bool(self._unlit) != bool(self._said_unlit):
            self._said_unlit = self._unlit
            events.append(told("unlit", why=self._unlit) if self._unlit else told("lit"))
        return events

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
        picture = paint(self.scene, self.table.game.sites, looks.palette, now, looks.brightness / 255)
        if picture != self._picture:
            self._show(picture, now)

    def _show(self, picture: Sequence[Colour], now: float) -> None:
        """Show a picture; lights that fail do not stop the game, and are tried again after a while."""
        try:
            self.lights.show(picture)
            self._picture, self._unlit = picture, ""
        except DeviceError as error:
            self._unlit = str(error)
            self._next_picture = now + RETRY

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
        with suppress(DeviceError):  # lights that fail are dark, or cannot be helped
            self.lights.close()
        self.scanner.close()
