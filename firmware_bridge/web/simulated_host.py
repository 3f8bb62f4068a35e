"""Keeps the simulated table for those at the page: one game after another, hands, mishaps, other sensors."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.records import Record, RecordError, Saved
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import AnyRequest, Hinting, Lay, Make, Mishap, New, Press, Sensing, Show, messages
from firmware_bridge.simulation import SUPPLY, open_simulation
from games.rules import Game, OptionError, Position, Turn, load
from hardware.device import Levels, Sense
from hardware.simulation.hands import STYLES, Act

BUMPED = 4
"""Pieces that a bump makes jump."""
TIDY = 0.06
"""Seconds between two touches of hands that put the board right."""
Place = Callable[[Game[Position]], Path]


class SimulatedHost:
    """A simulated table at which `sheet` is played first. `place` says where a record goes; None keeps none.

    `saved`: `sheet` goes on from it, in the record `path`. `now` in seconds; `seed` makes the mishaps the same.
    """

    hands = True

    def __init__(
        self, config: Config, sheet: ScoreSheet, sense: Sense, place: Place | None = None, *,
        saved: tuple[Path, Saved] | None = None, set_up: bool = False, now: float = 0.0, background: bool = True,
        seed: int | None = None,
    ) -> None:  # fmt: skip
        self.over = False
        self._config, self._place, self._background = config, place, background
        self._luck = Random(seed)
        self._making: tuple[Turn[Position], int] | None = None
        self._events: list[Event] = []
        path = saved[0] if saved else self._path(sheet)
        record = self._record(path, sheet, sense, now, saved[1] if saved else None)
        self.simulation = open_simulation(
            sheet, sense, **config.daemon_options(record, setting=set_up, background=background)
        )
        self.simulation.now = now

    @property
    def daemon(self) -> Daemon:
        """The daemon of the game in hand."""
        return self.simulation.daemon

    @property
    def shown(self) -> Daemon:
        """The same: it is always shown."""
        return self.simulation.daemon

    def levels(self, daemon: Daemon) -> Levels:
        """What truly lies on the sites."""
        board = self.simulation.board
        return tuple(board.level(site) for site in daemon.table.game.sites)

    def power(self, daemon: Daemon) -> tuple[float, int]:
        """What the lights may draw, in mA, and how many there are."""
        supply = self._config.lights.supply
        return SUPPLY if supply is None else supply, len(daemon.table.game.sites) + 2

    def step(self, now: float) -> list[Event]:
        """Let the hands do what is due, and the program take one cycle."""
        events, self._events = self._events, []
        events += self.simulation.step(now)
        if self._making and not self.simulation.busy:
            turn, length = self._making
            self._making = None
            if self.daemon.table.sheet.length == length:
                self.simulation.answer(turn)
                events += self.simulation.press("done")
        self.simulation.events.clear()  # nobody asks for them here, and an evening may be long
        return events

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def close(self) -> None:
        """Lights dark, record safe."""
        self.simulation.close()

    # What is asked ----------------------------------------------------------------------------

    def obey(self, request: AnyRequest, now: float) -> list[Event]:
        """Do what is asked; what cannot be done is said in a sentence."""
        if isinstance(request, Lay):
            return self._lay(request)
        if isinstance(request, Make):
            return self._make(request.turn)
        if isinstance(request, Mishap):
            return self._befall(request.what)
        if isinstance(request, New):
            return self._begin(request, now)
        if isinstance(request, Sensing):
            return self._sense(Sense(request.sense), now)
        if isinstance(request, Show):
            self._config = self._config.with_lights(mode=request.mode)
        if isinstance(request, Hinting):
            self._config = self._config.with_lights(hints=request.hints)
        if isinstance(request, Press) and request.button == "undo":
            return self._undo(request, now)
        return messages.ask(self.daemon, request, now)

    def _undo(self, request: Press, now: float) -> list[Event]:
        """The hands leave what they were doing and make the board follow; a board that is being laid out is left.

        Of a sowing what is begun is taken back before what is done: it takes hands long.
        """
        table = self.daemon.table
        if table.game.pieces == "seeds" and self._making and not self._made():
            return self._stop(now)
        laying_out = table.setting
        events = messages.ask(self.daemon, request, now)
        if not laying_out or events[0].name == "undone":
            self._making = None
            self.simulation.stop_hands()
            self.simulation.put_right(TIDY)
        return events

    def _stop(self, now: float) -> list[Event]:
        """The hands put back what they have done of a turn."""
        self._making = None
        self.simulation.stop_hands()
        events = self.daemon.set_right(now)
        self.simulation.put_right(TIDY)
        return events

    def _lay(self, request: Lay) -> list[Event]:
        game, board = self.daemon.table.game, self.simulation.board
        most = sum(game.start().board) if game.pieces == "seeds" else 2
        for site, level in request.changes:
            if site not in game.places or level > most:
                return [Event.of("not-there", site=site, level=level)]
        board.lay(request.changes)
        return []

    def _make(self, text: str) -> list[Event]:
        """Let hands make the turn that `text` is, or is the only one to begin with."""
        turns = self.daemon.table.sheet.turns
        found = [turn for turn in turns if turn.text == text] or [turn for turn in turns if turn.text.startswith(text)]
        if self.simulation.busy and not self._made():
            return [Event.of("still-busy")]
        if len(found) != 1:
            return [Event.of("no-such-turn", turn=text)]
        if not self.simulation.go_on(found[0], STYLES["finger"]):
            return [Event.of("not-begun", turn=found[0].text)]
        self._making = found[0], self.daemon.table.sheet.length
        self.simulation.do([Act(0.5, ())])
        return []

    def _made(self) -> bool:
        """Whether the turn that the hands are making counts already: they only rest."""
        return self._making is not None and self.daemon.table.sheet.length != self._making[1]

    # Mishaps ----------------------------------------------------------------------------------

    def _befall(self, what: str) -> list[Event]:
        board = self.simulation.board
        if what in ("plug", "unplug"):
            board.sighted = what == "plug"
        elif what == "knock-over":
            board.knock_over()
        elif what == "tidy":
            self.simulation.put_right(TIDY)
        else:
            self._bump()
        return []

    def _bump(self) -> None:
        """Some pieces jump, and one slides off its site and back."""
        board = self.simulation.board
        standing = [site for site in board.sites if board.level(site)]
        jumping = self._luck.sample(standing, min(BUMPED, len(standing)))
        levels = [(site, board.level(site)) for site in jumping]
        for site, level in levels:
            self.simulation.do([Act(0.02, ((site, 0),)), Act(0.04, ((site, level),))])
        if levels:
            site, level = levels[0]
            self.simulation.do([Act(0.2, ((site, 0),)), Act(1.0, ((site, level),))])

    # Another game, other sensors --------------------------------------------------------------

    def _begin(self, request: New, now: float) -> list[Event]:
        try:
            game = load(request.game, **request.options)
        except OptionError as fault:
            return messages.refused(fault)
        sheet = ScoreSheet(game, house_rule=self._config.game.house_rule, levels=request.levels)
        sense = Sense(request.sense) if request.sense else self.daemon.table.sensors.sense
        events = self._seat(sheet, possible(game, sense), now, set_up=request.set_up)
        begins = Event.of("begins", game=game.title) if request.set_up else Event.of("ready", player=sheet.player)
        return [*events, begins._replace(name="begins")]

    def _sense(self, sense: Sense, now: float) -> list[Event]:
        """The game goes on over other sensors, in a record of its own: a record tells one sense."""
        sheet, board = self.daemon.table.sheet, self.simulation.board
        if possible(sheet.game, sense) is not sense:
            return [Event.of("not-sensed", game=sheet.game.title)]
        lying = [(site, board.level(site)) for site in board.sites]
        events = self._seat(sheet, sense, now, set_up=self.daemon.table.setting)
        self.simulation.board.lay(lying)
        return events

    def _seat(self, sheet: ScoreSheet, sense: Sense, now: float, *, set_up: bool) -> list[Event]:
        self.close()
        record = self._record(self._path(sheet), sheet, sense, now)
        self.simulation = open_simulation(
            sheet, sense, **self._config.daemon_options(record, setting=set_up, background=self._background)
        )
        self.simulation.now, self._making = now, None
        return []

    def _path(self, sheet: ScoreSheet) -> Path | None:
        return self._place(sheet.game) if self._place else None

    def _record(
        self, path: Path | None, sheet: ScoreSheet, sense: Sense, now: float, saved: Saved | None = None
    ) -> Record | None:
        """A record; a new game that cannot have one is played without, and a saved one is not gone on with."""
        if not path:
            return None
        try:
            return Record(path, sheet, sense, saved, now=now, background=self._background)
        except RecordError as fault:
            if saved:
                raise
            self._events.append(Event.of("unrecorded", fault=str(fault)))
            return None


def possible(game: Game[Position], sense: Sense) -> Sense:
    """`sense`, or presence where it tells nothing of the pieces of `game`."""
    impossible = Sense.COLOUR if game.pieces == "seeds" else Sense.COUNT
    return Sense.PRESENCE if sense is impossible else sense
