"""The daemon: the loop between a scanner, a table, its record and its lights.

Each cycle scans the sensors, debounces their levels, tells the table, writes its events down and lights the scene.
Everything runs in one thread. The caller gives the time of each cycle.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from math import inf
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

from firmware_bridge.engine.advice import Assistant, Shown, plans
from firmware_bridge.events import Event
from firmware_bridge.health import ENGINE, READING, RECORD, SCENE, SENSORS, SESSION, UNTIMED, Stopwatch
from firmware_bridge.layout import lay_out, usable_sense
from firmware_bridge.lessons import Tutor
from firmware_bridge.lighting import Hint, LightOutput, LightSettings, Mode, Scene, scene, standing_scene
from firmware_bridge.link import Partner
from firmware_bridge.reading import USUAL, Debounce, Patience
from firmware_bridge.reading.constants import Own
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.table import Table, Timekeeper, blind_event
from games.rules import Standing
from hardware.bench import Bench
from hardware.device import Levels, Lights, Scanner, Sense

if TYPE_CHECKING:  # loaded where a trace is kept
    from firmware_bridge.records import Trace

SCAN_HZ = 100
"""Scans a second; a guess at what misses no hand."""
LISTING = 0.001
"""Seconds between two scans while the turns that may follow are listed, a few in each; a guess: 20 to 540 such scans
follow a turn, and quick hands have begun the next one before as many usual ones have passed."""
SAVING, SAVES = 0.002, 0.1
"""Seconds between two scans while light waits for the card, and for how long at most; guesses: a sync takes 1 to 40 ms,
and a card that fails is waited for at the usual pace."""
HINT_LASTS = 6.0
"""Seconds for which the Hint button shows all that a coach would; a guess."""
RESTING = 60.0
"""Seconds in which nothing changes, again and again, before garbage is collected; a guess at when nobody plays."""
BREATH = 0.001
"""Seconds for which the thread that lets go of a game leaves the processor to the scans, again and again; a guess."""
NEW, ALL = 1, 2
"""Generations of Python's garbage collector: what is new since the last time goes into the one that ends with `ALL`."""
MOST_NEW = 1_000_000
"""Objects more than after the last collection with which garbage is collected though hands are at work; a guess: some
150 MB. Turns leave none, and the reader keeps less in a game; drivers of others may leave some in each scan."""


class DaemonOptions(TypedDict, total=False):
    """The options of a daemon; every one may be left out.

    `setting`: the board is to be set up first. `supply` is in mA; left out, it is what the board says. `constants` are
    those of this table. `prepared`, which is usual: its table has listed what may be done first, which takes some
    milliseconds; else whoever makes the daemon has that done.
    """

    setting: bool
    patience: Patience
    debounce: Debounce
    constants: Own
    light_settings: LightSettings
    record: Record | None
    assistant: Assistant | Tutor | Partner | None
    trace: Trace | None
    supply: float | None
    prepared: bool


class Daemon:
    """One game at a table: its scanner, its lights, and what else is there for it.

    `record` keeps the events, `trace` every scan; `assistant` gives hints and plays for the engine, or teaches, or is
    the other table.
    """

    def __init__(
        self,
        scanner: Scanner,
        lights: Lights,
        table: Table,
        *,
        debounce: Debounce | None = None,
        light_settings: LightSettings | None = None,
        record: Record | None = None,
        assistant: Assistant | Tutor | Partner | None = None,
        trace: Trace | None = None,
        prepared: bool = True,
    ) -> None:
        self.scanner = scanner
        self.table = table
        self.light = LightOutput(lights, table.game.sites, light_settings or LightSettings())
        self.record = record
        self.assistant = assistant
        self.trace = trace
        self.scene = Scene()
        self.stopwatch: Stopwatch = UNTIMED
        """What times the parts of each cycle."""
        self._timekeeper = Timekeeper()
        self._debounce = debounce or Debounce()
        self._frame: Levels | None = None
        self._revision = 0
        self._hint: Hint | None = None
        self._hint_ends = self._standing_ends = -inf
        self._hint_at = 0
        """How many turns had been made when it was asked for."""
        self._standing: Standing | None = None
        """Who is ahead, while the lights show it."""
        self._problem = ""
        self._collect_at = inf
        """When garbage is collected if nothing changes until then, in seconds."""
        self._collected = False
        """Whether that was done since this game began."""
        self._kept_back = inf
        """Since when light has waited for the card, in seconds."""
        self.shown_at = -inf
        """When the lights last showed a scan that was judged, in seconds."""
        if prepared:
            deque(table.prepare(), maxlen=0)

    def cycle(self, now: float) -> list[Event]:
        """One scan at `now` (seconds); the events that follow from it."""
        lap = self.stopwatch.lap
        lap(SESSION)
        levels = self.scanner.scan()
        lap(SENSORS)
        if self.trace:
            now = self.trace.scan(levels, now)
        frame = self._debounce.feed(levels, now)
        if self._debounce.glimpsed:
            self.table.glimpse(self._debounce.glimpsed, now)
        events = self.table.see(frame, now)
        events += self._timekeeper.see(self.table, now)
        lap(READING)
        if self.assistant:
            events += self.assistant.see(self.table, now)
            lap(ENGINE)
        if events:
            events = [blind_event(self.scanner.trouble) if event.name == "blind" else event for event in events]
            if self.record:
                self.record.write(events, now)
                lap(RECORD)
        events += self._fault_events()
        hinted, revised = self._hint_changed(), self.table.revision != self._revision
        changed = frame is not self._frame or bool(events) or hinted or revised
        self._frame, self._revision = frame, self.table.revision
        self._light(now, changed=changed)
        lap(SCENE)
        if changed:
            self._collect_at = now + (RESTING if gc.get_count()[0] < MOST_NEW else 0.0)
        elif now >= self._collect_at:
            self._collect_at = now + RESTING
            collect_garbage(dropped=not self._collected)  # the first time also of the game before
            self._collected = True
        return events

    def due(self, now: float) -> float:
        """When the next scan after that at `now` is to come, in seconds: sooner than usual while light waits for it.

        That is once a level will have held, at once while what it tells is weighed, part by part, and soon while the
        card is to have a turn safe, or while the turns that may follow are listed: quick hands are answered by then.
        """
        if self.table.weighing:
            return now
        if self._kept_back <= now < self._kept_back + SAVES:
            return now + SAVING
        pause = 1 / SCAN_HZ if self.table.prepared else LISTING
        return min(now + pause, self._debounce.due)

    @property
    def hurried(self) -> bool:
        """Whether light is about to answer what was seen: a level has still to hold, or is being weighed."""
        return self.table.weighing or self.unsettled

    @property
    def unsettled(self) -> bool:
        """Whether a level has still to hold."""
        return self._debounce.due < inf

    @property
    def tutor(self) -> Tutor | None:
        """Who teaches, in a lesson."""
        return self.assistant if isinstance(self.assistant, Tutor) else None

    @property
    def partner(self) -> Partner | None:
        """The other table, in a game with one."""
        return self.assistant if isinstance(self.assistant, Partner) else None

    @property
    def settled(self) -> Levels:
        """The last settled frame, with the sensors that the table does not believe; () before the first."""
        return self._frame or ()

    def _hint_changed(self) -> bool:
        """Whether the hint has changed since the last cycle."""
        before, self._hint = self._hint, self.assistant.hint if self.assistant else None
        return self._hint is not before

    def _fault_events(self) -> list[Event]:
        """That the record, the trace or the lights fail, or work again; said once each."""
        others = self.light.troubles()
        if self.record and self.record.refused:
            others.append(Event.of("unrecorded", fault=self.record.refused))
            self.record.close()
            self.record = None
        if self.trace and self.trace.problem:
            others += self.trace.troubles()
        others += self.record.news() if self.record else []
        problem = self.record.problem if self.record else ""
        if problem == self._problem:
            return others
        self._problem = problem
        return [Event.of("unwritten", fault=problem) if problem else Event.of("written"), *others]

    def ask(self, request: Callable[[float], list[Event]], now: float) -> list[Event]:
        """Call `request`, such as a button of the table, with `now` (seconds); its events are recorded like any."""
        events = request(now)
        if events and self.record:
            self.record.write(events, now)
        self._light(now, changed=True)
        return events

    def set_right(self, now: float) -> list[Event]:
        """Go on after the pieces and lights have served another purpose; first the board is to be put right."""
        self._debounce = Debounce(self._debounce.hold)
        self.light.forget()
        frame = self._debounce.feed(self.scanner.scan(), now)
        return self.ask(lambda now: self.table.set_right(frame, now), now)

    def play_alone(self, assistant: Assistant, now: float) -> list[Event]:
        """Go on with the game without the other table; `assistant` takes the place of the partner, which still runs."""
        self.assistant, self.table.sheet.away = assistant, None
        return self.ask(lambda _: self.table.look_again(), now)

    def plan(self, text: str, now: float) -> list[Event]:
        """Have a hand carry out the turn `text`, or the only one that begins so, which a program has chosen.

        It is one of the player to move here; nothing else counts until then, or until it is dropped.
        """
        table = self.table
        sheet = table.sheet
        found = sheet.turns_called(text) if sheet.here else []
        if table.planned:
            return self.ask(lambda _: [Event.of("still-busy")], now)
        if len(found) != 1:
            return self.ask(lambda _: [Event.of("no-such-turn", turn=text)], now)
        (turn,) = found
        if not table.at_rest:
            return self.ask(lambda _: [Event.of("not-begun", turn=turn.text)], now)
        return self.ask(lambda _: [plans(table, turn), *table.plan(turn)], now)

    def drop(self, now: float) -> list[Event]:
        """A turn that was planned so is not to be made any more."""
        return self.ask(self.table.drop, now)

    def pause(self, now: float) -> None:
        """The pieces and lights serve another purpose from `now` (seconds) on, until `set_right`: the clocks stand."""
        self.table.sheet.stop_clock(now)

    def set_mode(self, mode: Mode) -> None:
        """Show as much as `mode` lets the players see, from now on."""
        if self.trace:
            self.trace.note_input(("mode", mode))
        self.light.settings = replace(self.light.settings, mode=mode)
        self._frame = None

    def set_brightness(self, level: int) -> None:
        """Have the lights as bright as `level` (0-255) lets them be, from now on."""
        self.light.settings = replace(self.light.settings, brightness=level)
        self._frame = None

    def set_hints(self, shown: Shown) -> None:
        """Show hints at the times that `shown` says, from now on."""
        if self.assistant:
            self.assistant.show(shown)

    def press(self, button: str, now: float) -> list[Event]:
        """Press a button of the table: ``done``, ``undo`` or ``hint``; or ask with ``standing`` who is ahead.

        Hint, pressed again while it is shown, asks the same, for a table without a screen has no other button for it;
        in a puzzle it shows more of the hint.
        ``whisper`` is a hint that neither lights nor sentences tell, but `assistant.whisper`.
        """
        if button == "whisper":
            assistant = self.assistant
            return self.ask(lambda _: assistant.want(self.table, whispered=True) if assistant else [], now)
        again = now < self._hint_ends and self._hint_at == self.table.sheet.length
        again = again and not (self.tutor and self.tutor.deepens)
        if button == "standing" or (button == "hint" and again):
            return self._show_standing(now)
        if button == "hint":
            return self._show_hint(now)
        partner = self.partner
        said = partner.press(button, self.table) if partner else None
        if said is not None:
            return self.ask(lambda _: said, now)
        return self.ask(self.table.done if button == "done" else self.table.undo, now)

    def end(self, resigns: Literal[0, 1] | None, now: float) -> list[Event]:
        """A player resigns (0 or 1), or both agree on a draw (None), in which another table has a say."""
        partner, table = self.partner, self.table
        if partner:
            return self.ask(lambda _: partner.end(resigns, table), now)
        return self.ask(lambda _: table.agree() if resigns is None else table.resign(resigns), now)

    def _show_hint(self, now: float) -> list[Event]:
        """Show for `HINT_LASTS` all that a coach would, and the best turns as soon as they are found."""
        if self.trace:
            now = self.trace.note_input(("hint",), now)
        self._hint_ends, self._hint_at = now + HINT_LASTS, self.table.sheet.length
        assistant = self.assistant
        return self.ask(lambda _: assistant.want(self.table) if assistant else [], now)

    def _show_standing(self, now: float) -> list[Event]:
        """Say who is ahead, and show the pieces that count for `HINT_LASTS`, or until a hand begins a turn."""
        if self.trace:
            now = self.trace.note_input(("standing",), now)
        table = self.table
        standing = table.game.standing(table.sheet.position)
        said = Event("standing", standing.reason) if standing else Event.of("no-standing", game=table.game.title)
        if self.trace:
            self.trace.note_answer([said])
        if standing:
            self._hint_ends, self._standing, self._standing_ends = -inf, standing, now + HINT_LASTS
        return self.ask(lambda _: [said], now)

    def _light(self, now: float, *, changed: bool) -> None:
        """Show the scene, but never a turn as accepted before it is safe on disk."""
        if self.record and not self.record.safe:
            self._frame = None
            self._kept_back = min(self._kept_back, now)
            return
        self._kept_back = inf
        fresh = changed or now >= self.scene.until
        if fresh:
            self.scene = self._paced(self._scene(now), now)
        self.light.show(self.scene, now, fresh=fresh)
        self.shown_at = now

    def _scene(self, now: float) -> Scene:
        if self._standing:
            if now < self._standing_ends and (
                shown := standing_scene(self.table.view(), self._standing, self._standing_ends)
            ):
                return shown
            self._standing = None
        if now >= self._hint_ends:
            shown = scene(self.table.view(), now, self.light.settings.mode, self._hint)
            return shown.without_invitations() if self.tutor and self.tutor.rests(self.table) else shown
        shown = scene(self.table.view(), now, "coach", self._hint)
        return replace(shown, until=min(shown.until, self._hint_ends))

    def _paced(self, shown: Scene, now: float) -> Scene:
        """`shown`, with how short of time the player to move is."""
        sheet = self.table.sheet
        clock = sheet.clock
        if self.partner and self.partner.away and shown.side == sheet.away and not sheet.outcome:
            return replace(shown, pace="away")
        if not clock:
            return shown
        return replace(shown, pace=clock.pace(now), until=min(shown.until, clock.changes(now)))

    @staticmethod
    def warm_up() -> None:
        """Switch Python's garbage collection off; to be called once before the first cycle.

        It comes at any time and takes longer than a scan may. Daemons collect instead when hands rest, and whoever
        drops a game does. What is loaded by now will never be garbage. Not for a process that draws on a terminal: that
        leaves 2 MB of garbage a second, whether anybody plays or not.
        """
        gc.collect()
        gc.freeze()
        gc.disable()

    def close(self) -> None:
        """Turn the lights off, finish the record and the trace, and release the devices."""
        self._finish()
        self.light.close()
        self.scanner.close()

    def retire(self) -> tuple[Thread, Thread]:
        """The same in mid-evening, when another game begins: nothing is waited for but the devices.

        The first thread that is returned finishes the record and the trace and ends the search; the program waits for
        it before it ends. A `Record` takes it as the one that it comes after. The other one lets go of what was read, a
        little at a time: all at once it would take longer than a scan may. Who collects garbage waits for it.
        """
        self.light.close()
        self.scanner.close()
        threads = (
            Thread(target=self._finish, name="finishing"),
            Thread(target=self._dissolve, name="dissolving", daemon=True),
        )
        for thread in threads:
            thread.start()
        return threads

    def _dissolve(self) -> None:
        for _ in self.table.dissolve():
            sleep(BREATH)

    def _finish(self) -> None:
        if self.assistant:
            self.assistant.close()
        if self.record:
            if self.table.sheet.clock and self.shown_at > -inf:  # what was used of the turn in hand
                self.table.sheet.stop_clock(self.shown_at)
                self.record.write((), self.shown_at)
            self.record.close()
        if self.trace:
            self.trace.close()


def collect_garbage(*, dropped: bool = False) -> None:
    """Collect garbage where Python does not (`Daemon.warm_up`): of what is new since the last time.

    `dropped`: a game was, and nobody plays: of all there is but what was loaded at the start.
    """
    if not gc.isenabled():
        gc.collect(ALL if dropped else NEW)


def open_daemon(bench: Bench, sheet: ScoreSheet, **options: Unpack[DaemonOptions]) -> Daemon:
    """The daemon of the game on `sheet`, laid out on the board of `bench`; SettingsError if it does not fit.

    Levels that the scanner has debounced itself are not debounced again.
    """
    board = bench.board
    points = lay_out(sheet.game, board, turned=sheet.turned)
    sense = usable_sense(sheet.game, bench.scanner.sense)
    if bench.scanner.settled:
        options["debounce"] = Debounce(0)
    strip = board.strip(bench.lights, points, options.get("supply"))
    return assemble(board.sensors(bench.scanner, points, sense), strip, sheet, sense, options)


def assemble(scanner: Scanner, lights: Lights, sheet: ScoreSheet, sense: Sense, options: DaemonOptions) -> Daemon:
    """The daemon of the game on `sheet`, from sensors and lights of just its sites."""
    debounce, patience = options.get("debounce") or Debounce(), options.get("patience")
    trace, setting = options.get("trace"), options.get("setting", False)
    costs = options.get("constants", {}).get((sheet.game.name, sense), USUAL)
    if trace:
        table: Table = trace.follow(sheet, sense, debounce, patience, setting=setting, costs=costs)
    else:
        table = Table(sheet, sense, patience, setting=setting, costs=costs)
    return Daemon(
        scanner,
        lights,
        table,
        debounce=debounce,
        light_settings=options.get("light_settings"),
        record=options.get("record"),
        assistant=options.get("assistant"),
        trace=trace,
        prepared=options.get("prepared", True),
    )
