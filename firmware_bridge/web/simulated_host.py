"""The simulated table of the page: one game after another, with hands, mishaps and a choice of sensors.

Another game and other sensors take several times as long as a scan may. They are begun in parts, one a scan, while the
table shows what it showed; no other request comes meanwhile (`beginning`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Thread

from msgspec.structs import replace

from firmware_bridge.clocks import clocks
from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon, DaemonOptions
from firmware_bridge.events import Event
from firmware_bridge.layout import full_sense
from firmware_bridge.lessons import FIRST_LEVEL, Tutor
from firmware_bridge.link import Partner
from firmware_bridge.records import Record, RecordError, Saved
from firmware_bridge.score import ScoreSheet, people
from firmware_bridge.session import (
    AnyLinkRequest,
    AnyRequest,
    Brighten,
    Carrying,
    Drop,
    Hinting,
    Lay,
    LeftGame,
    LeftGames,
    Linked,
    Linking,
    Make,
    Mishap,
    New,
    Press,
    Return,
    Sensing,
    Show,
    Solve,
    Teach,
    messages,
)
from firmware_bridge.simulation import SUPPLY, open_simulation
from firmware_bridge.verdict import AtRest, Blind
from games.rules import Game, IllegalTurn, OptionError, Position, PositionError, Reason, Turn, load
from hardware.device import Levels, Sense
from hardware.simulation.hands import STYLES, Touch

BUMPED_PIECES = 4
"""Pieces that a bump makes jump; guessed."""
BEFORE_CARRYING = 0.7
"""Seconds that the engine's turn is lit before the hand sets out; guessed: time to look, and not to wait."""
TIDY_PACE = 0.06
"""Seconds between two touches of hands that put the board right; guessed: quick, but to be seen."""
SEEN = 1.0
"""Seconds for which a turn that is none of a lesson is left to be seen before hands take it back; guessed."""
RecordPath = Callable[[Game[Position]], Path]
"""What names the record of a new game."""


class SimulatedHost:
    """A simulated table at which `sheet` is played first. `place` says where a record goes; None keeps none.

    `saved`: `sheet` goes on from it, in the record `path`. `now` in seconds; `seed` makes the mishaps the same.
    `offered`: nobody has chosen the game on `sheet`, so the page offers all of them first. `partner`: the other table,
    in a game with one.
    """

    hands = True

    def __init__(
        self, config: Config, sheet: ScoreSheet, sense: Sense, place: RecordPath | None = None, *,
        saved: tuple[Path, Saved] | None = None, set_up: bool = False, now: float = 0.0, background: bool = True,
        seed: int | None = None, offered: bool = False, partner: Partner | None = None,
    ) -> None:  # fmt: skip
        self.over = False
        self.offered = offered
        self.progress = config.record.progress(kept=place is not None)
        self.linking = Linking(config, lambda _: None, background=background)
        self._left_games = LeftGames()
        self._config, self._place, self._background = config, place, background
        self._luck = Random(seed)
        self._making: tuple[Turn[Position], int] | None = None
        self._taking_back = False
        """Whether hands are to take back what was no turn of the lesson, once it has been seen."""
        self._carries_at: tuple[str, float] | None = None
        """The engine's turn that is lit, and when the hand sets out (seconds); None while there is none."""
        self._retired: Thread | None = None
        self._parts: Iterator[list[Event]] | None = None
        """What is left to be done of another game, or of other sensors; each part tells its events."""
        self._resting = False
        """Whether the last game is closed and the next one not yet there."""
        self._events: list[Event] = []
        record = (
            self._open_record(saved[0], sheet, sense, now, saved[1])
            if saved
            else self._record(self._path(sheet), sheet, sense, now)
        )
        self.simulation = open_simulation(sheet, sense, **self._options(record, setting=set_up, partner=partner))
        self.simulation.now = now
        if partner:
            self.simulation.board.lay(zip(sheet.game.sites, sheet.position.board, strict=True))

    @property
    def daemon(self) -> Daemon:
        """The daemon of the game in hand."""
        return self.simulation.daemon

    @property
    def shown(self) -> Daemon:
        """The daemon of the game in hand, which is always shown."""
        return self.simulation.daemon

    @property
    def _sheet(self) -> ScoreSheet:
        return self.simulation.table.sheet

    def levels(self, daemon: Daemon) -> Levels:
        """The true levels of the sites, whatever the sensors tell."""
        board = self.simulation.board
        return tuple(board.level(site) for site in daemon.table.game.sites)

    def places(self, daemon: Daemon) -> tuple[tuple[float, float], ...]:
        """Nothing: the table is as the page draws it."""
        del daemon
        return ()

    def power(self, daemon: Daemon) -> tuple[float, int]:
        """What the lights may draw, in mA, and how many there are."""
        supply = self._config.lights.supply
        return SUPPLY if supply is None else supply, len(daemon.table.game.sites) + 2

    def step(self, now: float) -> list[Event]:
        """Let the hands do what is due at `now` (seconds) and the daemon do one cycle; the events that follow."""
        events, self._events = self._events, []
        if self._parts:
            events += self._next_part()
            if self._resting:
                return events
        events += self.simulation.step(now)
        if self.daemon.tutor and any(event.name == "lesson-other" for event in events):
            self.simulation.stop_hands()
            self.simulation.do([Touch(SEEN, ())])
            self._taking_back = True
        elif self._taking_back and not self.simulation.busy:  # only now: a hand may have changed the board meanwhile
            self._taking_back = False
            self.simulation.put_right(TIDY_PACE)
        partner = self.daemon.partner
        if partner and any(event.name == "undone" for event in events):
            self._put_right()
        if partner and partner.another and not self._parts:
            self._parts = self._play_another(partner, now)
        events += self.linking.see(now)
        if (linked := self.linking.due) and not self._busy:
            self.linking.begun()
            events += self._in_parts(self._play_linked(linked, now))
        if self._making and not self.simulation.busy:
            turn, length = self._making
            self._making = None
            if self._sheet.length == length:
                self.simulation.answer(turn)
                events += self.simulation.press("done")
        if self.carried:
            self._carry(now)
        self.simulation.events.clear()  # nobody asks for them here, and an evening may be long
        return events

    @property
    def carried(self) -> bool:
        """Whether a hand that is nobody's carries out the engine's turns."""
        return self._config.page.carry

    @property
    def making(self) -> Turn[Position] | None:
        """The turn that hands make which are nobody's."""
        return self._making[0] if self._making else None

    def _carry(self, now: float) -> None:
        """Let the hand make the engine's turn once it has been seen: again later, if the board was not right."""
        table = self.daemon.table
        turn = table.planned
        if not turn or table.setting or self.simulation.busy or not isinstance(table.verdict, AtRest):
            self._carries_at = None
        elif not self._carries_at or self._carries_at[0] != turn.text:
            self._carries_at = turn.text, now + BEFORE_CARRYING
        elif now >= self._carries_at[1]:
            self._make(turn.text)
            self._carries_at = None

    def wait(self, seconds: float, asked: Callable[[float], None]) -> None:
        """Wait for so many seconds, or until a hand of the page does something, for here no wire sets the pace."""
        asked(seconds)

    def close(self) -> None:
        """Make the lights dark and keep the record safe."""
        while self._resting:
            self._next_part()
        self.simulation.close()
        if self._retired:
            self._retired.join()
        self.linking.close()
        self.progress.close()

    # What is asked ----------------------------------------------------------------------------

    @property
    def beginning(self) -> bool:
        """Whether another game, or a table with other sensors, is being begun."""
        return self._parts is not None

    @property
    def _busy(self) -> bool:
        """Whether no other game can begin: one does, or the record of the last one is still being written."""
        return bool(self._parts or (self._retired and self._retired.is_alive()))

    def obey(self, request: AnyRequest, now: float) -> list[Event]:
        """Do a request at `now` (seconds), or tell in an event why it cannot be done."""
        if isinstance(request, AnyLinkRequest):
            return self.linking.ask(request, self.daemon, now)
        self.offered = False
        if self.daemon.partner and isinstance(request, New | Sensing | Teach | Solve | Return):
            return messages.ask_partner(self.daemon, request, now)
        if isinstance(request, Lay):
            return self._lay(request)
        if isinstance(request, Make):
            return self._make(request.turn)
        if isinstance(request, Drop):
            busy = self._making and self.simulation.busy and not self._made()
            return self._stop(now) if busy and self.daemon.table.sheet.here else [Event.of("nothing-dropped")]
        if isinstance(request, Mishap):
            return self._cause(request.what)
        busy = self._busy
        if isinstance(request, New | Sensing | Teach | Solve | Return) and busy:
            return [Event.of("still-writing")]
        if isinstance(request, New):
            return self._in_parts(self._begin(request, now))
        if isinstance(request, Sensing):
            return self._in_parts(self._sense(Sense(request.sense), now))
        if isinstance(request, Teach | Solve):
            return self._in_parts(self._teach_asked(request, now))
        if isinstance(request, Return):
            left = self._left_games.back()
            return self._in_parts(self._return(left, now)) if left else []
        tutor = self.daemon.tutor
        if isinstance(request, Press) and request.button == "done" and tutor and tutor.solved and not busy:
            return self._in_parts(self._after_lesson(tutor, now))
        if isinstance(request, Show):
            self._config = self._config.with_lights(mode=request.mode)
        if isinstance(request, Brighten):
            self._config = self._config.with_lights(brightness=request.level)
        if isinstance(request, Carrying):
            self._config = replace(self._config, page=replace(self._config.page, carry=request.alone))
            return []
        if isinstance(request, Hinting):
            self._config = self._config.with_lights(hints=request.hints)
        if isinstance(request, Press) and request.button == "undo":
            return self._undo(request, now)
        return messages.ask(self.daemon, request, now)

    def _undo(self, request: Press, now: float) -> list[Event]:
        """Undo, and let hands make the board follow; they leave a board alone that is being laid out.

        What hands have begun, or done wrong, is taken back alone, for it is no turn yet; not the engine's, which would
        be made again.
        """
        table = self.daemon.table
        if not table.planned and not table.setting and self._is_begun():
            return self._stop(now)
        laying_out = table.setting
        events = messages.ask(self.daemon, request, now)
        if self.daemon.partner:
            return events
        if not laying_out or events[0].name == "undone":
            self._put_right()
        return events

    def _is_begun(self) -> bool:
        """Whether hands are at a turn that does not count yet, or have left the board as no turn leaves it."""
        return bool(self._making and not self._made()) or not isinstance(self.daemon.table.verdict, AtRest | Blind)

    def _put_right(self) -> None:
        """Let hands make the board follow the score, whatever they were at."""
        self._making = None
        self.simulation.stop_hands()
        self.simulation.put_right(TIDY_PACE)

    def _stop(self, now: float) -> list[Event]:
        """Let the hands put back what they have done of a turn."""
        self._making = None
        self.simulation.stop_hands()
        events = self.daemon.set_right(now)
        self.simulation.put_right(TIDY_PACE)
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
        """Let hands make the turn `text`, or the only turn that begins so."""
        found = self._sheet.turns_called(text)
        if self.simulation.busy and not self._made():
            return [Event.of("still-busy")]
        if len(found) != 1:
            return [Event.of("no-such-turn", turn=text)]
        if not self.simulation.go_on(found[0], STYLES["finger"]):
            return [Event.of("not-begun", turn=found[0].text)]
        self._making = found[0], self._sheet.length
        self.simulation.do([Touch(0.5, ())])
        return []

    def _made(self) -> bool:
        """Whether the turn of the hands is accepted already and they only rest."""
        return self._making is not None and self._sheet.length != self._making[1]

    # Mishaps ----------------------------------------------------------------------------------

    def _cause(self, what: str) -> list[Event]:
        board = self.simulation.board
        if what in ("plug", "unplug"):
            board.sighted = what == "plug"
        elif what == "knock-over":
            board.knock_over()
        elif what == "tidy":
            self.simulation.put_right(TIDY_PACE)
        else:
            self._bump()
        return []

    def _bump(self) -> None:
        """Let some pieces jump, and one of them slide off its site and back."""
        board = self.simulation.board
        standing = [site for site in board.sites if board.level(site)]
        jumping = self._luck.sample(standing, min(BUMPED_PIECES, len(standing)))
        levels = [(site, board.level(site)) for site in jumping]
        for site, level in levels:
            self.simulation.do([Touch(0.02, ((site, 0),)), Touch(0.04, ((site, level),))])
        if levels:
            site, level = levels[0]
            self.simulation.do([Touch(0.2, ((site, 0),)), Touch(1.0, ((site, level),))])

    # Another game, other sensors --------------------------------------------------------------

    def _in_parts(self, parts: Iterator[list[Event]]) -> list[Event]:
        """Begin with the first of `parts`; in a time that runs by itself all are done at once."""
        self._parts = parts
        events = self._next_part()
        while self._parts and not self._background:
            events += self._next_part()
        return events

    def _next_part(self) -> list[Event]:
        """Do the next part; its events."""
        assert self._parts
        events = next(self._parts, None)
        if events is None:
            self._parts = None
        return events or []

    def _begin(self, request: New, now: float) -> Iterator[list[Event]]:
        try:
            game, clock = load(request.game, **request.options), clocks(request.clock)
            start, names = messages.start_of(game, request), people(request.names)
        except (OptionError, PositionError) as fault:
            yield messages.refused(fault)
            return
        yield []
        house_rule = self._config.game.house_rule
        sheet = ScoreSheet(game, start, house_rule=house_rule, levels=request.levels, clock=clock, names=names)
        sense = Sense(request.sense) if request.sense else self.daemon.table.sensors.sense
        yield []
        if start is not None:
            self._left_games.leave(self.daemon)
        else:
            self._left_games.forget()
        yield from self._seat(sheet, possible_sense(game, sense), now, set_up=request.set_up)
        begins = Event.of("begins", game=game.title) if request.set_up else sheet.opening()
        chosen = Event.of("from-position", player=sheet.player) if request.position else begins
        yield [chosen._replace(name="begins")]

    def _teach_asked(self, request: Teach | Solve, now: float) -> Iterator[list[Event]]:
        """Begin the lesson or the puzzle that was asked for."""
        try:
            tutor = messages.tutor_of(request, self.progress)
        except (OptionError, PositionError, IllegalTurn) as fault:
            yield messages.refused(fault)
            return
        yield []
        yield from self._teach(tutor, now)

    def _teach(self, tutor: Tutor, now: float) -> Iterator[list[Event]]:
        """Begin the lesson or the puzzle of `tutor`."""
        self._left_games.leave(self.daemon)
        yield from self._seat(tutor.sheet(), full_sense(tutor.game), now, set_up=False, tutor=tutor)
        yield [tutor.begins()]

    def _after_lesson(self, tutor: Tutor, now: float) -> Iterator[list[Event]]:
        """The next lesson or puzzle, or after the last lesson a first game."""
        name = tutor.game.name
        if following := tutor.following():
            yield []
            yield from self._teach(following, now)
            return
        self._config = self._config.with_lights(mode="coach")
        yield from self._begin(New(name, sense=full_sense(tutor.game).value, levels=(0, FIRST_LEVEL)), now)

    def _return(self, left: LeftGame, now: float) -> Iterator[list[Event]]:
        """Go back to the game that was left."""
        yield []
        yield from self._seat(left.sheet, left.sense, now, set_up=False, left=left)
        yield [Event("begins", Reason("table.gone-back"))]

    def _play_another(self, partner: Partner, now: float) -> Iterator[list[Event]]:
        """Begin the next game with the other table, as both have agreed."""
        sheet = self._sheet.another()
        sense = self.daemon.table.sensors.sense
        yield []
        yield from self._seat(sheet, sense, now, set_up=False, partner=partner.following())
        yield [sheet.opening()._replace(name="begins")]

    def _play_linked(self, linked: Linked, now: float) -> Iterator[list[Event]]:
        """Begin, or go on with, the game with the other table that was met."""
        sheet, sensors = linked.sheet, self.daemon.table.sensors
        full = sensors.sense is full_sense(self._sheet.game)
        usual = full_sense(sheet.game) if full else Sense.PRESENCE
        self.offered = False
        self._left_games.forget()
        yield []
        sense = possible_sense(sheet.game, linked.sense) if linked.sense else usual
        yield from self._seat(sheet, sense, now, set_up=False, partner=linked.partner)
        self.simulation.board.lay(zip(sheet.game.sites, sheet.position.board, strict=True))
        yield [sheet.opening()._replace(name="begins")]

    @property
    def left(self) -> bool:
        """Whether there is a game to go back to."""
        return bool(self._left_games)

    def _sense(self, sense: Sense, now: float) -> Iterator[list[Event]]:
        """Go on with the game over other sensors, in a new record: a record tells one sense."""
        sheet, board = self._sheet, self.simulation.board
        if possible_sense(sheet.game, sense) is not sense:
            yield [Event.of("not-sensed", game=sheet.game.title)]
            return
        lying = [(site, board.level(site)) for site in board.sites]
        yield from self._seat(sheet, sense, now, set_up=self.daemon.table.setting)
        self.simulation.board.lay(lying)
        yield []

    def _seat(
        self,
        sheet: ScoreSheet,
        sense: Sense,
        now: float,
        *,
        set_up: bool,
        tutor: Tutor | None = None,
        left: LeftGame | None = None,
        partner: Partner | None = None,
    ) -> Iterator[list[Event]]:
        """Close the game in hand, and make the table of the next one, which takes its place in the last part.

        One that was `left` goes on in its record.
        """
        if self._background:
            self._retired, _ = self.daemon.retire()
        else:
            self.simulation.close()
            deque(self.daemon.table.dissolve(), maxlen=0)
        path = None if tutor else left.path if left else self._path(sheet)
        record = self._record(path, sheet, sense, now, left.saved if left else None)
        options = self._options(record, setting=set_up, tutor=tutor, partner=partner)
        options["prepared"] = False
        self._resting = True
        yield []
        coming = open_simulation(sheet, sense, **options)
        yield []
        for _ in coming.daemon.table.prepare():
            yield []
        self._resting, self._making, self._taking_back = False, None, False
        self.simulation, coming.now = coming, now

    def _options(
        self, record: Record | None, *, setting: bool, tutor: Tutor | None = None, partner: Partner | None = None
    ) -> DaemonOptions:
        """Those of the configuration, for sensors that do not bounce."""
        return self._config.daemon_options(
            record, setting=setting, background=self._background, settled=True, tutor=tutor, partner=partner
        )

    def _path(self, sheet: ScoreSheet) -> Path | None:
        return self._place(sheet.game) if self._place else None

    def _record(
        self, path: Path | None, sheet: ScoreSheet, sense: Sense, now: float, saved: Saved | None = None
    ) -> Record | None:
        """A record; a game that cannot have one is played without."""
        try:
            return self._open_record(path, sheet, sense, now, saved) if path else None
        except RecordError as fault:
            self._events.append(Event.of("unrecorded", fault=str(fault)))
            return None

    def _open_record(
        self, path: Path, sheet: ScoreSheet, sense: Sense, now: float, saved: Saved | None = None
    ) -> Record:
        """A record, which goes on from `saved`; RecordError."""
        shelf, background = self._config.record.shelf(), self._background
        return Record(path, sheet, sense, saved, now=now, background=background, shelf=shelf, after=self._retired)


def possible_sense(game: Game[Position], sense: Sense) -> Sense:
    """`sense`, or presence where it tells nothing of the pieces of `game`."""
    impossible = Sense.COLOUR if game.pieces == "seeds" else Sense.COUNT
    return Sense.PRESENCE if sense is impossible else sense
