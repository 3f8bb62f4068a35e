"""A game at the simulated table: pieces, hands and the whole program, in a time of its own.

The same object serves tests and demonstrations, which let the time run by itself, and a player at the keyboard, for
whom it follows the clock. The demonstration is a whole game by simulated hands, with one illegal turn that is flagged
and put right.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Unpack

from firmware_bridge.daemon import SCAN_HZ, Daemon, DaemonOptions, assemble, open_daemon
from firmware_bridge.events import Event
from firmware_bridge.i18n import system_words
from firmware_bridge.layout import full_sense, lay_out
from firmware_bridge.score import ScoreSheet
from firmware_bridge.table import DONE_REFERS_BACK, Table
from firmware_bridge.verdict import REACTION, Astray, Complete, Offered, Which, sites_to_touch
from games.rules import Game, Position, Reason, Turn, say
from hardware.bench import Bench, open_fake_bench
from hardware.board import Board, PointLights
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Style, Touch, one_by_one, perform
from hardware.simulation.table import Named, Pieces, SimulatedTable

if TYPE_CHECKING:
    from hardware.device import Levels
    from hardware.simulation.faulty_sensors import Fault, FaultyScanner
    from hardware.simulation.hands import Surroundings
    from hardware.simulation.mistakes import Hands, Performance

    Faults = tuple[Sequence[Fault], int]

SUPPLY = 1000
"""What the lights of a simulated table may draw, in mA; guessed."""

# The demonstration

ILLEGAL_AFTER = 4
"""The number of turns before the illegal one; guessed."""
REST = 0.6
"""Seconds between two turns of the demonstration; guessed."""


# The simulation -----------------------------------------------------------------------------------


class Simulation:
    """One game at one simulated table, with hands that move its pieces; `now` is its time in seconds."""

    def __init__(self, daemon: Daemon, board: Pieces, now: float = 0.0, bench: Bench | None = None) -> None:
        self.daemon = daemon
        self.bench = bench
        """The devices, where their wiring alone is simulated."""
        self.board = board
        self.table = daemon.table
        self.now = now
        self.events: list[Event] = []
        """Everything that happened so far."""
        self.hands: Hands | None = None
        """Hands that fumble; with None the hands make no mistakes."""
        self.made: Performance | None = None
        """What hands that fumble did at the last turn."""
        self.onlookers: list[Callable[[Levels, float], None]] = []
        """Functions that are called with the settled frame and the time after each scan."""
        self._faulty: FaultyScanner | None = None
        self._touches: deque[tuple[float, Touch]] = deque()

    @property
    def _sheet(self) -> ScoreSheet:
        return self.table.sheet

    @property
    def _game(self) -> Game[Position]:
        return self.table.game

    def step(self, now: float) -> list[Event]:
        """Let the hands do what is due, and the program take one cycle."""
        self.move(now)
        events = self.daemon.cycle(now)
        self.events += events
        for look in self.onlookers:
            look(self.table.frame, now)
        return events

    def move(self, now: float) -> None:
        """Let the hands do what is due at `now`."""
        self.now = now
        while self._touches and self._touches[0][0] <= now:
            self.board.lay(self._touches.popleft()[1].changes)

    def do(self, touches: Iterable[Touch]) -> None:
        """Let the hands do this, after what they are doing already."""
        due = self.hands_free_at
        for touch in touches:
            due += touch.wait
            self._touches.append((due, touch))

    def stop_hands(self) -> None:
        """Let the hands drop what they were about to do."""
        self._touches.clear()

    @property
    def busy(self) -> bool:
        """Whether the hands still have something to do."""
        return bool(self._touches)

    @property
    def hands_free_at(self) -> float:
        """When the hands will have done all they have to do."""
        return self._touches[-1][0] if self._touches else self.now

    def run(self, seconds: float = 0.0) -> list[Event]:
        """Let time pass: until the hands are still, and `seconds` more."""
        seen = len(self.events)
        end = self.hands_free_at + seconds
        while self.now < end:
            self.scan()
        return self.events[seen:]

    def scan(self) -> list[Event]:
        """The next scan, and those that follow it at once, as a daemon's do, while what was seen is weighed.

        No time passes between these, so a level that has still to hold ends them: a sensor may flicker in every scan.
        """
        events = self.step(self.now + 1 / SCAN_HZ)
        while self.daemon.table.weighing and not self.daemon.unsettled:
            events = events + self.step(self.now)
        return events

    def close(self) -> None:
        """Lights dark, record safe, devices released."""
        self.daemon.close()
        if self.bench:
            self.bench.close()

    def add_faults(self, faults: Sequence[Fault], seed: int = 0) -> None:
        """Give the sensors these faults; `seed` decides which sensors, and when."""
        from hardware.simulation.faulty_sensors import FaultyScanner

        places = [self._game.places[site] for site in self._game.sites]
        self.daemon.scanner = self._faulty = FaultyScanner(self.daemon.scanner, faults, lambda: self.now, seed, places)

    @property
    def faulty_sites(self) -> dict[int, tuple[str, ...]]:
        """The sites whose sensors are faulty now: the number of each, with the names of its faults."""
        return self._faulty.faults_at(self.now) if self._faulty else {}

    @property
    def misread_sites(self) -> frozenset[int]:
        """The numbers of the sites whose sensors have shown something else than what was there."""
        return frozenset(self._faulty.misreported if self._faulty else ())

    # What players do --------------------------------------------------------------------------

    def play(self, turn: Turn[Position], style: Style) -> None:
        """Make `turn` with the pieces as they lie; a pass by the Done button, pressed twice."""
        if not turn.acts:
            self.run(DONE_REFERS_BACK + style.pace)
            self.press("done")
            self.press("done")
            return
        self._make(self._touches_of(turn, style), style)

    def _make(self, touches: list[Touch], style: Style) -> None:
        """Make the touches of a turn, as these hands would."""
        if self.hands:
            self.made = self.hands.make(touches, self._around(style, self.hands.choose))
            touches = self.made.touches
        self.do(touches)

    def _touches_of(self, turn: Turn[Position], style: Style) -> list[Touch]:
        return perform(turn.acts, style)

    def _around(self, style: Style, choose: random.Random) -> Surroundings:
        """What a hand that fumbles sees, and another turn that it may mix up with this one."""
        from hardware.simulation.hands import Surroundings

        game, turns = self._game, self._sheet.turns
        before = {site: self.board.level(site) for site in game.sites}
        other = self._touches_of(choose.choice(turns), style) if turns else ()
        return Surroundings(before, game.places, game.pieces == "seeds", other)

    def go_on(self, turn: Turn[Position], style: Style) -> bool:
        """Make the rest of `turn`; False, and no move, if the pieces do not lie as some of its steps leave them."""
        done = self._begun(turn)
        if done == 0:
            self.play(turn, style)
        elif done is not None:
            self._make(one_by_one(turn.steps[done:], style), style)
        return done is not None

    def _begun(self, turn: Turn[Position]) -> int | None:
        """How many steps of `turn` have been made, as the pieces lie; None if they lie otherwise."""
        board = zip(self._game.sites, self._sheet.position.board, strict=True)
        wrong = {site for site, level in board if self.board.level(site) != level}
        for done, (site, level) in enumerate(turn.steps):
            if not wrong:
                return done
            if self.board.level(site) == level:
                wrong.discard(site)
            else:
                wrong.add(site)
        return None if wrong else len(turn.steps)

    def take(self, turn: Turn[Position], style: Style) -> None:
        """Make the whole of `turn`, press Done where the player does, and answer when the table asks."""
        self.play(turn, style)
        self.finish(turn, style)

    def run_to_touch(self, seconds: float, touch: int = 0) -> None:
        """Let time pass until the hands have done the first (or that `touch`) of what is due, and `seconds` more."""
        end = (self._touches[touch][0] if self._touches else self.now) + seconds
        while self.now < end:
            self.scan()

    def finish(self, turn: Turn[Position], style: Style) -> None:
        """Let the hands finish `turn`, press Done where the player does, and answer when the table asks."""
        if not turn.acts:
            return
        length = self._sheet.length
        self.run(style.pace)
        if style.done and self._sheet.length == length:
            self.press("done")
        if self._sheet.length == length and self.table.pending:
            self.run(1.0)
        if self._sheet.length == length:
            self.answer(turn)

    def answer(self, turn: Turn[Position]) -> None:
        """Touch the piece where `turn` began, if the table has asked; press Done while it shows `turn`, if it does."""
        verdict = self.table.verdict
        if isinstance(verdict, Offered):
            self._point_out(turn)
        if self.events and self.events[-1].name == "asked" and isinstance(verdict, Which):
            sites = zip(sites_to_touch(self._game, verdict.signatures), verdict.signatures, strict=True)
            meant = (site for site, signature in sites if signature.turn.after == turn.after)
            site = next((site for site in meant if site is not None), None)
            if site is not None:
                self.touch(self._game.sites[site])
                self.run(0.1)

    def _point_out(self, turn: Turn[Position]) -> None:
        """Press Done whenever the table shows `turn`, until it has it, or has shown all."""
        while isinstance(verdict := self.table.verdict, Offered):
            self.run(2 * REACTION)
            if any(signature.turn.after == turn.after for signature in verdict.signatures):
                self.press("done")
            elif self.table.verdict is verdict:
                self.run(max(0.0, verdict.until - self.now))

    def press(self, button: str) -> list[Event]:
        """Press ``done``, ``undo`` or ``hint``, or ask with ``standing`` who is ahead."""
        events = self.daemon.press(button, self.now)
        self.events += events
        return events

    def request(self, what: Callable[[float], list[Event]]) -> list[Event]:
        """Ask the table for something other than a button or a move; `what` is called with the time."""
        events = self.daemon.ask(what, self.now)
        self.events += events
        return events

    def touch(self, site: str, pace: float = 0.3) -> None:
        """Lift what stands on `site` for a moment; where nothing does, lay something down for a moment."""
        level = self.board.level(site)
        self.do(one_by_one([(site, 0 if level else 1), (site, level)], Style(pace=pace)))

    def put_right(self, pace: float = 0.3) -> None:
        """Make the board equal the position, site by site."""
        due = zip(self._game.sites, self._sheet.position.board, strict=True)
        wrong = [(site, level) for site, level in due if self.board.level(site) != level]
        self.do(one_by_one(sorted(wrong, key=lambda change: change[1]), Style(pace=pace)))


def open_simulation(
    sheet: ScoreSheet,
    on: Sense | Board,
    *,
    hands: Hands | None = None,
    faults: Faults = ((), 0),
    **given: Unpack[DaemonOptions],
) -> Simulation:
    """A simulated table for the game on `sheet`, its pieces laid out unless they are to be set up (`setting`).

    `on` is the sense of plain simulated sensors, or a board, of which only the wiring is simulated: its own drivers
    run. `hands` may fumble. `faults` are those of the sensors, and a seed for them. DeviceError, SettingsError.
    """
    simulation = with_pieces(
        board_simulation(sheet, on, given) if isinstance(on, Board) else plain_simulation(sheet, on, given)
    )
    simulation.hands = hands
    if faults[0]:
        simulation.add_faults(*faults)
    return simulation


def plain_simulation(sheet: ScoreSheet, sense: Sense, given: DaemonOptions) -> Simulation:
    """A simulation with sensors and lights of just the sites of the game."""
    board = SimulatedTable(sheet.game.sites, sense, sheet.game.places)
    supply = given.get("supply")
    lights = PointLights(board, [(pixel,) for pixel in range(board.pixels)], SUPPLY if supply is None else supply)
    return Simulation(assemble(board, lights, sheet, sense, given), board)


def board_simulation(sheet: ScoreSheet, board: Board, given: DaemonOptions) -> Simulation:
    """A simulation with a board's own drivers."""
    opened: list[Simulation] = []  # the wiring's time is that of the simulation, as soon as there is one
    bench, pieces = open_fake_bench(board, lambda: opened[0].now if opened else 0.0)
    opened.append(bench_simulation(sheet, bench, pieces, given))
    return opened[0]


def bench_simulation(sheet: ScoreSheet, bench: Bench, pieces: Pieces, given: DaemonOptions) -> Simulation:
    """A simulation at an open bench; `pieces` lie above its sensors, on the points of its board."""
    points = lay_out(sheet.game, bench.board, turned=sheet.turned)
    named = Named(pieces, dict(zip(sheet.game.sites, points, strict=True)), sheet.game.places)
    return Simulation(open_daemon(bench, sheet, **given), named, bench=bench)


def with_pieces(simulation: Simulation) -> Simulation:
    """Lay the pieces out, unless the players are to do that."""
    table = simulation.table
    if not table.setting:
        simulation.board.lay(zip(table.game.sites, table.sheet.position.board, strict=True))
    return simulation


# The demonstration --------------------------------------------------------------------------------


def demo_simulation(game: Game[Position]) -> Simulation:
    """A simulated table whose sensors tell the most that `game` can use."""
    return open_simulation(ScoreSheet(game), full_sense(game))


def demo_plain(simulation: Simulation, seed: int, out: Callable[[str], None]) -> None:
    """The whole game in plain lines, as fast as it goes."""
    told = turns = 0
    for text in demonstrate(simulation, seed):
        if text:
            out(text)
        simulation.run(REST)
        for event in simulation.events[told:]:
            turns += event.turn is not None
            out(f"{turns if event.turn else '':4}  {system_words().say(event.say)}")
        told = len(simulation.events)


def demonstrate(simulation: Simulation, seed: int) -> Iterator[str]:
    """Let the hands begin one thing after another, and yield a sentence for each, or an empty text.

    The caller lets time run until the hands are still before it asks for the next.
    """
    table, chance = simulation.table, random.Random(seed)
    while not table.sheet.outcome:
        if isinstance(table.verdict, Complete):
            simulation.press("done")  # the lights show that the table waits: it may all be about to be put back
            yield ""
            continue
        wrong = illegal_turn(table, chance) if table.sheet.length == ILLEGAL_AFTER else None
        if wrong:
            simulation.play(wrong, STYLES["finger"])
            yield system_words().say(Reason.of("demo.tries", player=table.sheet.player, turn=wrong.text))
            if not isinstance(table.verdict, Astray):
                simulation.press("done")  # an unfinished turn is not wrong before its player says that it is over
            simulation.put_right()
            yield system_words().text("demo.put-right")
        style = STYLES[chance.choice(["finger", "singly", "round"])]
        simulation.play(random_turn(table.game, table.sheet.position, chance), style)
        yield ""


def random_turn(game: Game[Position], position: Position, chance: random.Random) -> Turn[Position]:
    """A turn at random, one that captures where there is one, so that the game comes to an end."""
    turns = game.turns(position)
    captures = [turn for turn in turns if any(act.kind == "take" for act in turn.acts)]
    return chance.choice(captures or turns)


def illegal_turn(table: Table, chance: random.Random) -> Turn[Position] | None:
    """An illegal turn that cannot be taken for a legal one or for a change of the turn before, if there is one."""
    refused = table.sensors.refused(table.sheet.position)
    touched = table.sheet.played_turns[-1].turn.path if table.sheet.played_turns else ()
    legal = {turn.text for turn in table.sheet.turns}
    begun = [(signature, table.game.sites[signature.origin]) for signature in refused if signature.origin is not None]
    tries = [
        signature.turn
        for signature, site in begun
        if signature.turn.text not in legal and (signature.sown or site not in touched)
    ]
    return chance.choice(tries) if tries else None


say(
    "demo",
    tries="{player} tries {turn}, which is against the rules.",
    put_right="The board is put right, as the lights ask.",
)
