"""The only loop: scan, settle, judge, write down, light up. One thread, and the scan is the clock."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, TypedDict, Unpack

from firmware_bridge.engine.advice import Assistant, Shown
from firmware_bridge.events import Event, told
from firmware_bridge.layout import lay_out, sensed
from firmware_bridge.lighting import Hint, LightOutput, LightSettings, Mode, Scene, scene
from firmware_bridge.reading import Debounce, Patience
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.table import Table, blind
from hardware.bench import Bench
from hardware.device import Lights, Scanner, Sense

if TYPE_CHECKING:  # loaded where a trace is kept
    from firmware_bridge.records import Trace

SCAN_HZ = 100
REVEALED = 6.0
"""Seconds for which the Hint button shows all that a coach would."""


class Daemon:
    """A table between its scanner and its lights, cycle by cycle."""

    def __init__(
        self,
        scanner: Scanner,
        lights: Lights,
        table: Table,
        *,
        debounce: Debounce | None = None,
        looks: LightSettings | None = None,
        record: Record | None = None,
        assistant: Assistant | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.scanner = scanner
        self.table = table
        self.light = LightOutput(lights, table.game.sites, looks or LightSettings())
        self.record = record
        self.assistant = assistant
        self.trace = trace
        self.scene = Scene()
        self._debounce = debounce or Debounce()
        self._frame: object = None
        self._hint: Hint | None = None
        self._revealed = -inf
        self._problem = ""

    def cycle(self, now: float) -> list[Event]:
        """One scan at `now` (seconds), and what follows from it."""
        levels = self.scanner.scan()
        if self.trace:
            now = self.trace.scan(levels, now)
        frame = self._debounce.feed(levels, now)
        if self._debounce.glimpsed:
            self.table.glimpse(self._debounce.glimpsed, now)
        events = self.table.see(frame, now)
        if self.assistant:
            events += self.assistant.see(self.table, now)
        if events:
            events = [blind(self.scanner.trouble) if event.name == "blind" else event for event in events]
            if self.record:
                self.record.write(events, now)
        events += self._troubles()
        changed = frame is not self._frame or bool(events) or self._hinted()
        self._frame = frame
        self._light(now, changed=changed)
        return events

    def _hinted(self) -> bool:
        """Whether the lights are to show another hint."""
        before, self._hint = self._hint, self.assistant.hint if self.assistant else None
        return self._hint is not before

    def _troubles(self) -> list[Event]:
        """What keeps the record and the trace from being written, and the lights from being lit, once each."""
        others = self.light.troubles()
        if self.trace and self.trace.problem:
            others += self.trace.troubles()
        problem = self.record.problem if self.record else ""
        if problem == self._problem:
            return others
        self._problem = problem
        return [told("unwritten", fault=problem) if problem else told("written"), *others]

    def ask(self, request: Callable[[float], list[Event]], now: float) -> list[Event]:
        """Press a button or the like: `request` is called with `now`, and its events are treated as any."""
        events = request(now)
        if events and self.record:
            self.record.write(events, now)
        self._light(now, changed=True)
        return events

    def set_right(self, now: float) -> list[Event]:
        """Go on after the pieces have served another purpose: first the board is put right."""
        self._debounce = Debounce(self._debounce.hold)
        self.light.forget()
        frame = self._debounce.feed(self.scanner.scan(), now)
        return self.ask(lambda now: self.table.set_right(frame, now), now)

    def show_as(self, mode: Mode) -> None:
        """Let the lights tell more or less from now on."""
        if self.trace:
            self.trace.note_input(("mode", mode))
        self.light.looks = replace(self.light.looks, mode=mode)
        self._frame = None

    def hint_as(self, shown: Shown) -> None:
        """Show hints at other times from now on."""
        if self.assistant:
            self.assistant.show(shown)

    def press(self, button: str, now: float) -> list[Event]:
        """A button of the table: ``done``, ``undo`` or ``hint``."""
        if button == "hint":
            return self._help(now)
        return self.ask(self.table.done if button == "done" else self.table.undo, now)

    def _help(self, now: float) -> list[Event]:
        """Show for a while all that a coach would, and the best turns as soon as they are found."""
        if self.trace:
            now = self.trace.note_input(("hint",), now)
        self._revealed = now + REVEALED
        assistant = self.assistant
        return self.ask(lambda _: assistant.want(self.table) if assistant else [], now)

    def _light(self, now: float, *, changed: bool) -> None:
        """Show the scene; a turn is never shown as accepted before it is safe on disk."""
        if self.record and not self.record.safe:
            self._frame = None
            return
        fresh = changed or now >= self.scene.until
        if fresh:
            self.scene = self._scene(now)
        self.light.show(self.scene, now, fresh=fresh)

    def _scene(self, now: float) -> Scene:
        if now >= self._revealed:
            return scene(self.table.view(), now, self.light.looks.mode, self._hint)
        shown = scene(self.table.view(), now, "coach", self._hint)
        return replace(shown, until=min(shown.until, self._revealed))

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
        if self.assistant:
            self.assistant.close()
        if self.record:
            self.record.close()
        if self.trace:
            self.trace.close()
        self.light.close()
        self.scanner.close()


class DaemonOptions(TypedDict, total=False):
    """What may be given for a game at a table; what is left out is as usual.

    `setting`: the board is to be set up first. `supply` in mA; left out, it is what the board says.
    """

    setting: bool
    patience: Patience
    debounce: Debounce
    looks: LightSettings
    record: Record | None
    assistant: Assistant | None
    trace: Trace | None
    supply: float | None


def open_daemon(bench: Bench, sheet: ScoreSheet, **given: Unpack[DaemonOptions]) -> Daemon:
    """The daemon of the game on `sheet`, on the points of the bench that it lies on; SettingsError if it does not fit.

    Levels that the scanner has debounced itself are not debounced again.
    """
    board = bench.board
    points = lay_out(sheet.game, board, turned=sheet.turned)
    sense = sensed(sheet.game, bench.scanner.sense)
    if bench.scanner.settled:
        given["debounce"] = Debounce(0)
    strip = board.strip(bench.lights, points, given.get("supply"))
    return seat(board.sensors(bench.scanner, points, sense), strip, sheet, sense, given)


def seat(scanner: Scanner, lights: Lights, sheet: ScoreSheet, sense: Sense, given: DaemonOptions) -> Daemon:
    """The daemon of the game on `sheet` over sensors and lights of just its sites."""
    debounce, looks, record = given.get("debounce") or Debounce(), given.get("looks"), given.get("record")
    assistant, trace = given.get("assistant"), given.get("trace")
    patience, setting = given.get("patience"), given.get("setting", False)
    if trace:
        table: Table = trace.follow(sheet, sense, debounce, patience, setting=setting)
    else:
        table = Table(sheet, sense, patience, setting=setting)
    return Daemon(
        scanner, lights, table, debounce=debounce, looks=looks, record=record, assistant=assistant, trace=trace
    )
