"""A table without a screen, from its start to its power-off: the menu by light, one game after another, the buttons.

1. At the start the players choose what to play, or to go on with an unfinished game.
2. A new game begins with setting its board up. When it is over, Done or clearing the board leads to the menu.
3. Holding Done leads to the menu in mid-game. Afterwards the board is put right, and the game goes on as it stood.
4. Holding Power ends the session: lights dark, record safe.

A short press of a button counts at once; a held press counts when the button was down long enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from math import inf
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from firmware_bridge.clocks import Clock, clocks, control_text
from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon, collect_garbage, open_daemon
from firmware_bridge.events import Event
from firmware_bridge.layout import fits, lay_out, seen_on, usable_sense
from firmware_bridge.lessons import FIRST_LEVEL, Tutor, begin_lesson, begin_puzzle
from firmware_bridge.link import Partner
from firmware_bridge.records import Record, RecordError, Saved
from firmware_bridge.score import ScoreSheet, people
from firmware_bridge.session.left_games import LeftGames
from firmware_bridge.session.linking import Linked, Linking
from firmware_bridge.session.menu import Answer, Dialogue, Doing, Menu, Plan, begun, new_game, pause
from firmware_bridge.session.messages import (
    AnyLinkRequest,
    AnyRequest,
    Brighten,
    Hinting,
    New,
    Return,
    Show,
    Solve,
    Teach,
    ask,
    ask_partner,
    refused,
    start_of,
    tutor_of,
)
from firmware_bridge.session.messages import Press as PressRequest
from firmware_bridge.table import Table
from games.rules import Game, IllegalTurn, OptionError, Position, PositionError, Reason, available, load
from hardware.bench import Bench
from hardware.device import Levels, Sense
from hardware.settings import SettingsError

STEADY = 0.03
"""Seconds that a button must be down or up to count; guessed. Contacts bounce for less."""
BUTTONS_HZ = 50
"""How often the buttons are read; guessed. Reading four lines takes a small computer a while."""
CLEARED = 2.0
"""Seconds for which the board must stand empty after a game before the menu comes; guessed."""


# Buttons ------------------------------------------------------------------------------------------


class Press(NamedTuple):
    """A press of a button; `held` once it was down long enough. Every held press follows a short one."""

    name: str
    held: bool = False


class Presses:
    """Turns buttons that are down into presses; a press is held after `hold` seconds."""

    def __init__(self, hold: float = 2.0) -> None:
        self.hold = hold
        self._raw: frozenset[str] = frozenset()
        self._since: dict[str, float] = {}
        self._down: dict[str, float] = {}
        self._held: set[str] = set()

    def feed(self, down: frozenset[str], now: float) -> list[Press]:
        """What was pressed by `now` (seconds), given the buttons that are down."""
        if down != self._raw:
            for name in down ^ self._raw:
                self._since[name] = now
            self._raw = down
        if not self._since and not self._down:
            return []
        return [*self._short(now), *self._long(now)]

    def _short(self, now: float) -> Iterable[Press]:
        for name in [name for name, since in self._since.items() if now - since >= STEADY]:
            since = self._since.pop(name)
            if name not in self._raw:
                self._down.pop(name, None)
                self._held.discard(name)
            elif name not in self._down:
                self._down[name] = since
                yield Press(name)

    def _long(self, now: float) -> Iterable[Press]:
        for name, since in self._down.items():
            if name in self._raw and name not in self._held and now - since >= self.hold:
                self._held.add(name)
                yield Press(name, held=True)


# The session --------------------------------------------------------------------------------------


class Session:
    """Games at one bench, one after another.

    `place` gives the path of the record of a new game; with None there is no record. `saved` is an unfinished game and
    the path of its record; with `at_once` it goes on without a question. `sheet` is a game that begins without a menu.
    `background`: a thread writes the record. `partner`: the other table, with which `sheet` is played.
    """

    def __init__(
        self,
        bench: Bench,
        config: Config,
        place: Callable[[Game[Position]], Path] | None = None,
        saved: tuple[Path, Saved] | None = None,
        sheet: ScoreSheet | None = None,
        *,
        at_once: bool = False,
        background: bool = True,
        partner: Partner | None = None,
    ) -> None:
        self.bench = bench
        self.hands = self.carried = False
        self.making = None
        self.daemon: Daemon | None = None
        self._retired: Thread | None = None
        self._dissolving: Thread | None = None
        self.menu: Menu[Answer] | None = None
        self.over = False
        """Whether the table was switched off."""
        self.offered = False
        self._partner = partner
        self.progress = config.record.progress(kept=place is not None)
        self.linking = Linking(config, lambda game: lay_out(game, bench.board), background=background)
        self._left_games = LeftGames()
        self._config, self._place, self._saved, self._background = config, place, saved, background
        light_settings = config.light_settings()
        given = config.game
        self._usual = Plan(
            given.name, light_settings.mode, False, light_settings.brightness, given.levels,
            clock=control_text(given.clocks),
        )  # fmt: skip
        self._presses = Presses(bench.board.buttons.hold)
        self._cleared = inf
        self._left = False
        """Whether a game was closed in the last scan; by the next one nothing holds it any more."""
        self._next_buttons = -inf
        self._first: Callable[[float], list[Event]] | None = None
        self._coming: Callable[[float], list[Event]] | None = None
        """The next part of beginning a game that was asked for on the page; one part a scan."""
        self._untold: list[Event] = []
        if sheet:
            self._first = lambda now: self._set_up(sheet, now)
        elif saved and at_once:
            self._first = self._resume
        else:
            self._ask((lambda: begun(self._new)) if saved else self._new)

    # The menu ---------------------------------------------------------------------------------

    def _new(self) -> Dialogue[Answer]:
        return new_game(self._games, self._usual, self.bench.board, self.progress.next_lesson)

    def _another(self) -> Dialogue[Answer]:
        """Another game with the other table is one of the same kind: there is nothing to choose."""
        yield from ()
        return self._usual

    @cached_property
    def _games(self) -> list[Game[Position]]:
        """The games that fit on the board. What keeps a game of others from being played is told once."""
        games, faults = available(self._load)
        self._untold = [Event.of("left-out", fault=str(fault)) for fault in faults]
        return [game for game in games if fits(game, self.bench.board)]

    def _load(self, name: str) -> Game[Position]:
        """The game with the options that the configuration gives it."""
        chosen = self._config.game
        return load(name, **(chosen.options if name == chosen.name else {}))

    def _ask(self, dialogue: Callable[[], Dialogue[Answer]]) -> None:
        board, light_settings = self.bench.board, self._config.light_settings()
        lights = board.strip(self.bench.lights, tuple(board.places), self._config.lights.supply)
        scanner = board.sensors(self.bench.scanner, tuple(board.places), Sense.PRESENCE)
        light_settings = replace(light_settings, brightness=self._usual.brightness)
        self.menu = Menu(board, scanner, lights, dialogue, light_settings)

    def _chosen(self, chosen: Answer, now: float) -> list[Event]:
        """The menu has come to an end."""
        self.menu = None
        if isinstance(chosen, Plan) and self.daemon and self.daemon.partner:
            partner = self.daemon.partner
            return [*self.daemon.set_right(now), *self.daemon.ask(lambda _: partner.again(), now)]
        if isinstance(chosen, Plan):
            self._usual = chosen._replace(lesson=0, puzzle=False)
            self._leave()
            return self.begin(chosen, now)
        if not self.daemon:
            return self._resume(now)
        return self._go_on(self.daemon, chosen, now)

    def _go_on(self, daemon: Daemon, doing: Doing, now: float) -> list[Event]:
        """Go back to the game in hand; stones that chose from the menu are to be taken off first."""
        events = daemon.set_right(now)
        if doing == "first":
            events += daemon.end(0, now)
        elif doing == "second":
            events += daemon.end(1, now)
        elif doing == "agree":
            events += daemon.end(None, now)
        return events

    # A game -----------------------------------------------------------------------------------

    def begin(self, plan: Plan, now: float) -> list[Event]:
        """Begin a new game, a lesson or a puzzle: the board is to be set up."""
        if plan.lesson:
            return self._teach(begin_lesson(plan.game, plan.lesson, self.progress), now)
        if plan.puzzle:
            return self._teach(begin_puzzle(plan.game, 0, None, self.progress), now)
        self._left_games.forget()
        given = self._config.game
        sheet = self._sheet(
            self._load(plan.game),
            turned=plan.turned,
            levels=plan.levels,
            clock=clocks(plan.clock),
            names=people(given.names),
        )
        return self._set_up(sheet, now)

    def _teach(self, tutor: Tutor, now: float) -> list[Event]:
        """Begin the lesson or the puzzle of `tutor`; SettingsError where the board has no room for it."""
        lay_out(tutor.game, self.bench.board)
        self._left_games.leave(self.daemon)
        self._leave()
        return self._play(tutor.sheet(turned=self._usual.turned), None, None, now, tutor)

    def _after_lesson(self, tutor: Tutor, now: float) -> list[Event]:
        """The next lesson or puzzle, or after the last lesson a first game."""
        if following := tutor.following():
            return self._teach(following, now)
        self._usual = self._usual._replace(game=tutor.game.name, mode="coach", levels=(0, FIRST_LEVEL))
        self._leave()
        return self.begin(self._usual, now)

    def _sheet(
        self,
        game: Game[Position],
        start: Position | None = None,
        *,
        turned: bool,
        levels: tuple[int, int],
        clock: Clock | None,
        names: tuple[str, str],
    ) -> ScoreSheet:
        house_rule = self._config.game.house_rule
        return ScoreSheet(game, start, house_rule=house_rule, turned=turned, levels=levels, clock=clock, names=names)

    def _set_up(self, sheet: ScoreSheet, now: float) -> list[Event]:
        return self._play(sheet, self._place(sheet.game) if self._place else None, None, now)

    def _resume(self, now: float) -> list[Event]:
        assert self._saved
        path, saved = self._saved
        return self._play(saved.sheet, path, saved, now)

    def _play(
        self,
        sheet: ScoreSheet,
        path: Path | None,
        saved: Saved | None,
        now: float,
        tutor: Tutor | None = None,
        *,
        back: bool = False,
    ) -> list[Event]:
        """Play on `sheet`; `back`: it is as it was left, and the board is to be made like it."""
        sense = usable_sense(sheet.game, self.bench.scanner.sense)
        begins = Event.of("goes-on-with" if saved else "begins", game=sheet.game.title)
        begins = Event("begins", Reason("table.gone-back")) if back else begins
        events = [tutor.begins() if tutor else begins]
        try:
            record = self._record(path, sheet, sense, saved, now) if path else None
        except RecordError as error:  # nobody at the table could do anything about it: the game goes on without
            record = None
            events.append(Event.of("unrecorded", fault=str(error)))
        config, usual = self._config, self._usual
        light_settings = replace(config.light_settings(), mode=usual.mode, brightness=usual.brightness)
        given = config.daemon_options(
            record, light_settings, setting=back or saved is None, background=self._background, tutor=tutor,
            partner=None if tutor else self._partner,
        )  # fmt: skip
        self.daemon = open_daemon(self.bench, sheet, **given)
        return events

    def _record(self, path: Path, sheet: ScoreSheet, sense: Sense, saved: Saved | None, now: float) -> Record:
        """The record of a game; RecordError. That of a new one is made after the last one has been finished."""
        shelf, after = self._config.record.shelf(), self._retired
        return Record(path, sheet, sense, saved, now=now, background=self._background, shelf=shelf, after=after)

    def _leave(self) -> None:
        """Close the game in hand; its record stays."""
        if self.daemon and self._background:
            self._retired, self._dissolving = self.daemon.retire()
        elif self.daemon:
            self.daemon.close()
        self.daemon = None
        self._left = True

    # Each scan --------------------------------------------------------------------------------

    def step(self, now: float) -> list[Event]:
        """One scan at `now` (seconds), and what follows from it."""
        if self._left and not self._coming and not (self._dissolving and self._dissolving.is_alive()):
            self._left = False
            collect_garbage(dropped=True)
        events = [event for press in self._pressed(now) for event in self._press(press, now)]
        if self._first:
            events += self._first(now)
            self._first = None
        events += self.linking.see(now)
        if (linked := self.linking.due) and not self._coming and not (self._retired and self._retired.is_alive()):
            self.linking.begun()
            self._coming = lambda now: self._begin_linked(linked, now)
        if self._coming:
            part, self._coming = self._coming, None
            events += part(now)
        if self.menu:
            events += [*self._untold, *self.menu.cycle(now)]
            self._untold = []
            if self.menu.over:
                assert self.menu.result is not None
                events += self._chosen(self.menu.result, now)
        elif self.daemon:
            events += self.daemon.cycle(now)
            if self.daemon.partner:
                events += self._play_another(self.daemon.partner, self.daemon.table.sheet, now)
            else:
                self._watch_cleared(self.daemon.table, now)
        return events

    def _pressed(self, now: float) -> list[Press]:
        """What was pressed; the buttons are read `BUTTONS_HZ` times a second, not in each scan."""
        if now < self._next_buttons:
            return []
        self._next_buttons = now + 1 / BUTTONS_HZ
        return self._presses.feed(self.bench.keys.down(), now)

    def _play_another(self, partner: Partner, before: ScoreSheet, now: float) -> list[Event]:
        """Begin the next game with the other table, once both have agreed upon it."""
        if not partner.another:
            return []
        self._partner = partner.following()
        self._leave()
        return self._set_up(before.another(), now)

    def _watch_cleared(self, table: Table, now: float) -> None:
        """Go to the menu when the board has been cleared after the end of a game."""
        empty = table.sheet.outcome is not None and table.empty
        self._cleared = min(self._cleared, now) if empty else inf
        if now - self._cleared >= CLEARED:
            self._afresh()

    def _afresh(self) -> None:
        self._cleared = inf
        self._leave()
        self._ask(self._new)

    def _press(self, press: Press, now: float) -> list[Event]:
        if press.name == "power":
            self.over = press.held
            return [Event.of("off")] if press.held else []
        if self.menu:
            return [] if press.held else self.menu.press(press.name)
        return self._in_game(self.daemon, press, now) if self.daemon else []

    def _in_game(self, daemon: Daemon, press: Press, now: float) -> list[Event]:
        if press.held:
            if press.name == "done":
                daemon.pause(now)
                then = self._another if daemon.partner else self._new
                self._ask(lambda: pause(then))
            return []
        if press.name == "done" and daemon.tutor and daemon.tutor.solved:
            return self._after_lesson(daemon.tutor, now)
        if press.name == "done" and daemon.table.sheet.outcome and not daemon.partner:
            self._afresh()
            return []
        return daemon.press(press.name, now)

    # The page ---------------------------------------------------------------------------------

    @property
    def shown(self) -> Daemon | None:
        """The game in hand, unless the menu has the board."""
        return None if self.menu else self.daemon

    def levels(self, daemon: Daemon) -> Levels:
        """What the sensors tell of the sites."""
        return daemon.table.frame

    def places(self, daemon: Daemon) -> tuple[tuple[float, float], ...]:
        """Where the sites lie on the board, as `messages.Table` has it."""
        return tuple(seen_on(daemon.table.game, self.bench.board).values())

    def power(self, daemon: Daemon) -> tuple[float, int]:
        """What the lights may draw, in mA, and how many there are."""
        board, supply = self.bench.board, self._config.lights.supply
        return board.supply if supply is None else supply, board.length

    def obey(self, request: AnyRequest, now: float) -> list[Event]:
        """Do what is asked on the page; what cannot be done is said in a sentence."""
        if isinstance(request, AnyLinkRequest):
            return self._link(request, now)
        if self.daemon and self.daemon.partner and isinstance(request, New | Teach | Solve | Return):
            return ask_partner(self.daemon, request, now)
        if isinstance(request, New):
            return self._begin_asked(request, now)
        if isinstance(request, Teach | Solve):
            return self._teach_asked(request, now)
        if isinstance(request, Return):
            return self._return(now)
        if not self.shown or not self.daemon:
            return self.menu.press(request.button) if self.menu and isinstance(request, PressRequest) else []
        tutor = self.daemon.tutor
        if isinstance(request, PressRequest) and request.button == "done" and tutor and tutor.solved:
            return self._after_lesson(tutor, now)
        if isinstance(request, Show):
            self._usual = self._usual._replace(mode=request.mode)
        if isinstance(request, Brighten):
            self._usual = self._usual._replace(brightness=request.level)
        if isinstance(request, Hinting):
            self._config = self._config.with_lights(hints=request.hints)
        return ask(self.daemon, request, now)

    def _begin_asked(self, request: New, now: float) -> list[Event]:
        if self._retired and self._retired.is_alive():
            return [Event.of("still-writing")]
        try:
            game = load(request.game, **request.options)
            start = start_of(game, request)
            lay_out(game, self.bench.board)
            clock, names = clocks(request.clock), people(request.names)
        except (OptionError, PositionError, SettingsError) as fault:
            return refused(fault)
        self._coming = lambda _: self._write_sheet(game, start, request.levels, clock, names)
        return []

    @property
    def beginning(self) -> bool:
        """Whether a game that was asked for on the page is being begun; nothing else is asked for meanwhile."""
        return self._coming is not None

    def _write_sheet(
        self,
        game: Game[Position],
        start: Position | None,
        levels: tuple[int, int],
        clock: Clock | None,
        names: tuple[str, str],
    ) -> list[Event]:
        sheet = self._sheet(game, start, turned=self._usual.turned, levels=levels, clock=clock, names=names)
        self._coming = lambda now: self._begin_on(sheet, now, tries=start is not None)
        return []

    def _begin_on(self, sheet: ScoreSheet, now: float, *, tries: bool) -> list[Event]:
        """Begin the game on `sheet`; one that `tries` a position leaves the way back open."""
        self.menu, self._first = None, None
        if tries:
            self._left_games.leave(self.daemon)
        else:
            self._left_games.forget()
        self._leave()
        return self._set_up(sheet, now)

    def _begin_linked(self, linked: Linked, now: float) -> list[Event]:
        """Begin, or go on with, the game with the other table that was met."""
        self.menu, self._first = None, None
        self._left_games.forget()
        self._leave()
        self._partner = linked.partner
        linked.sheet.turned = self._usual.turned
        return self._set_up(linked.sheet, now)

    def _link(self, request: AnyLinkRequest, now: float) -> list[Event]:
        """What is asked of another table; where the game goes on without it, so do the next ones."""
        events = self.linking.ask(request, self.daemon, now)
        if self.daemon and not self.daemon.partner:
            self._partner = None
        return events

    def _teach_asked(self, request: Teach | Solve, now: float) -> list[Event]:
        if self._retired and self._retired.is_alive():
            return [Event.of("still-writing")]
        try:
            events = self._teach(tutor_of(request, self.progress), now)
        except (OptionError, PositionError, IllegalTurn, SettingsError) as fault:
            return refused(fault)
        self.menu, self._first = None, None
        return events

    def _return(self, now: float) -> list[Event]:
        """Go back to the game that was left last; its pieces are to be laid out again."""
        if self._retired and self._retired.is_alive():
            return [Event.of("still-writing")]
        left = self._left_games.back()
        if not left:
            return []
        self.menu, self._first = None, None
        self._leave()
        return self._play(left.sheet, left.path, left.saved, now, back=True)

    @property
    def left(self) -> bool:
        """Whether there is a game to go back to."""
        return bool(self._left_games)

    def wait(self, seconds: float, asked: Callable[[float], None]) -> None:
        """Wait until the sensors may have news, at most `seconds`: what is asked at the page can wait as long."""
        del asked
        self.bench.wait(seconds)

    def close(self) -> None:
        """Lights dark, record safe, devices released."""
        self._leave()
        if self._retired:
            self._retired.join()
        self.linking.close()
        self.progress.close()
        self.bench.close()
