"""An evening at the simulated table: pieces, hands and the whole program, in a time of its own.

The same object serves tests and demonstrations, which let the time run by itself, and a player at the keyboard,
for whom it follows the clock.

A whole game by simulated hands, with one illegal turn that is flagged and put right.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from firmware_bridge.daemon import SCAN_HZ, Daemon, DaemonOptions, open_daemon, seat
from firmware_bridge.events import Event
from firmware_bridge.layout import lay_out
from firmware_bridge.reading import REACTION, Complete, Offered, Which
from firmware_bridge.score import ScoreSheet
from games.rules import Position, Turn
from hardware.bench import Bench, open_fake_bench
from hardware.board import Board, PointLights
from hardware.device import Sense
from hardware.simulation.hands import Act, Style, one_by_one, perform
from hardware.simulation.table import Named, Pieces, SimulatedTable

if TYPE_CHECKING:
    from random import Random

    from hardware.device import Levels
    from hardware.simulation.faulty_sensors import Fault, FaultyScanner
    from hardware.simulation.hands import Surroundings
    from hardware.simulation.mistakes import Hands, Performance

    Faults = tuple[Sequence[Fault], int]
import random
from collections.abc import Iterator

from firmware_bridge.i18n import system_words
from firmware_bridge.layout import fullest
from firmware_bridge.reading import Astray, Reconciler
from firmware_bridge.table import Table
from games.rules import Game, Reason, say
from hardware.simulation.hands import STYLES

SUPPLY = 1000
"""What the lights of a simulated table may draw, in mA."""


INSISTS = 4
"""Times that players press Done who say that a turn was made."""


class Simulation:
    """One game at one simulated table. `now` is in seconds."""

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
        """Hands that fumble; clean ones if None."""
        self.made: Performance | None = None
        """What such hands were really doing at the last turn."""
        self.onlookers: list[Callable[[Levels, float], None]] = []
        """Who else is shown the settled frame and the time after each scan."""
        self._sick: FaultyScanner | None = None
        self._acts: deque[tuple[float, Act]] = deque()

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
        while self._acts and self._acts[0][0] <= now:
            self.board.lay(self._acts.popleft()[1].changes)

    def do(self, acts: Iterable[Act]) -> None:
        """Let the hands do this, after what they are doing already."""
        due = self.still
        for act in acts:
            due += act.wait
            self._acts.append((due, act))

    def leave_off(self) -> None:
        """Let the hands do nothing of what they were about to do."""
        self._acts.clear()

    @property
    def busy(self) -> bool:
        """Whether the hands still have something to do."""
        return bool(self._acts)

    @property
    def still(self) -> float:
        """When the hands will have done all they have to do."""
        return self._acts[-1][0] if self._acts else self.now

    def run(self, seconds: float = 0.0) -> list[Event]:
        """Let time pass: until the hands are still, and `seconds` more."""
        seen = len(self.events)
        end = self.still + seconds
        while self.now < end:
            self.step(self.now + 1 / SCAN_HZ)
        return self.events[seen:]

    def close(self) -> None:
        """Lights dark, record safe, devices released."""
        self.daemon.close()
        if self.bench:
            self.bench.close()

    def sicken(self, faults: Sequence[Fault], seed: int = 0) -> None:
        """Let the sensors have these faults; `seed` says which of them, and when."""
        from hardware.simulation.faulty_sensors import FaultyScanner

        places = [self.table.game.places[site] for site in self.table.game.sites]
        self.daemon.scanner = self._sick = FaultyScanner(self.daemon.scanner, faults, lambda: self.now, seed, places)

    @property
    def ill(self) -> dict[int, tuple[str, ...]]:
        """The truth about the sites that are sick now, each by its number with what ails it."""
        return self._sick.ill(self.now) if self._sick else {}

    @property
    def lied(self) -> frozenset[int]:
        """The sites whose sensors have shown something else than what is there, each by its number."""
        return frozenset(self._sick.lied if self._sick else ())

    # What players do --------------------------------------------------------------------------

    def play(self, turn: Turn[Position], style: Style) -> None:
        """Make `turn` with the pieces as they lie."""
        acts = self._acts_of(turn, style)
        if self.hands:
            self.made = self.hands.make(acts, self._around(style, self.hands.choose))
            acts = self.made.acts
        self.do(acts)

    def _acts_of(self, turn: Turn[Position], style: Style) -> list[Act]:
        if self.table.game.pieces == "seeds":  # only the last seed tells what is captured
            style = replace(style, captures="after")
        return perform(turn.steps, style, {step.site: self.board.level(step.site) for step in turn.steps})

    def _around(self, style: Style, choose: Random) -> Surroundings:
        """What a fumbling hand sees, with a turn that it has in mind as well."""
        from hardware.simulation.hands import Surroundings

        game, turns = self.table.game, self.table.sheet.turns
        before = {site: self.board.level(site) for site in game.sites}
        other = self._acts_of(choose.choice(turns), style) if turns else ()
        return Surroundings(before, game.places, game.pieces == "seeds", other)

    def go_on(self, turn: Turn[Position], style: Style) -> bool:
        """Make what is left of `turn`; False, and nothing, if the pieces do not lie as it goes."""
        done = self.begun(turn)
        if done is not None:
            self.play(replace(turn, steps=turn.steps[done:]), style)
        return done is not None

    def begun(self, turn: Turn[Position]) -> int | None:
        """How many steps of `turn` have been made, as the pieces lie; None if they lie otherwise."""
        board = zip(self.table.game.sites, self.table.sheet.position.board, strict=True)
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

    def until_touched(self, seconds: float, act: int = 0) -> None:
        """Let time pass until the hands have done the first (or that `act`) of what is due, and `seconds` more."""
        end = (self._acts[act][0] if self._acts else self.now) + seconds
        while self.now < end:
            self.step(self.now + 1 / SCAN_HZ)

    def finish(self, turn: Turn[Position], style: Style) -> None:
        """Let the hands finish `turn`, press Done where the player does, and answer when the table asks."""
        length = self.table.sheet.length
        self.run(style.pace)
        if style.done and self.table.sheet.length == length:
            self.press("done")
        if self.table.sheet.length == length and self.table.pending:
            self.run(1.0)
        if self.table.sheet.length == length:
            self.answer(turn)

    def answer(self, turn: Turn[Position]) -> None:
        """Touch the piece where `turn` began, if the table has asked; press Done while it shows `turn`, if it does."""
        verdict = self.table.verdict
        if isinstance(verdict, Offered):
            self._point_out(turn)
        if self.events and self.events[-1].name == "asked" and isinstance(verdict, Which):
            begun = (signature.begins for signature in verdict.signatures if signature.turn.after == turn.after)
            site = next((site for site in begun if site is not None), None)
            if site is not None:
                self.touch(self.table.game.sites[site])
                self.run(0.1)

    def insist(self, turn: Turn[Position]) -> None:
        """Press Done, and answer, until the table has `turn` or knows no more."""
        for _ in range(INSISTS):
            if not self.has(turn) and not isinstance(self.table.verdict, Offered):
                self.press("done")
                self.answer(turn)

    def has(self, turn: Turn[Position]) -> bool:
        """Whether the table has counted `turn` last, or has it whole."""
        made, verdict = self.table.sheet.moments, self.table.verdict
        counted = bool(made) and made[-1].turn.after == turn.after
        return counted or (isinstance(verdict, Complete) and verdict.signature.turn.after == turn.after)

    def _point_out(self, turn: Turn[Position]) -> None:
        """Press Done whenever the table shows `turn`, until it has it, or has shown all."""
        while isinstance(verdict := self.table.verdict, Offered):
            self.run(2 * REACTION)
            if any(signature.turn.after == turn.after for signature in verdict.signatures):
                self.press("done")
            elif self.table.verdict is verdict:
                self.run(max(0.0, verdict.until - self.now))

    def press(self, button: str) -> list[Event]:
        """Press ``done``, ``undo`` or ``hint``."""
        events = self.daemon.press(button, self.now)
        self.events += events
        return events

    def request(self, what: Callable[[float], list[Event]]) -> list[Event]:
        """Anything that players ask of the table beside moving pieces."""
        events = self.daemon.ask(what, self.now)
        self.events += events
        return events

    def touch(self, site: str, pace: float = 0.3) -> None:
        """Lift what stands on `site` for a moment; where nothing does, lay something down for a moment."""
        level = self.board.level(site)
        self.do(one_by_one([(site, 0 if level else 1), (site, level)], Style(pace=pace)))

    def put_right(self, pace: float = 0.3) -> None:
        """Make the board equal the position, site by site."""
        due = zip(self.table.game.sites, self.table.sheet.position.board, strict=True)
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

    With sensors that tell this much on every site; or `on` a board, through its own scanner, whose wiring alone is
    simulated; DeviceError, SettingsError. `hands` may fumble, and sensors may have `faults`, with a seed for them.
    """
    simulation = laid_out(wired(sheet, on, given) if isinstance(on, Board) else plain(sheet, on, given))
    simulation.hands = hands
    if faults[0]:
        simulation.sicken(*faults)
    return simulation


def plain(sheet: ScoreSheet, sense: Sense, given: DaemonOptions) -> Simulation:
    """An evening at sensors and lights of just the sites of the game."""
    board = SimulatedTable(sheet.game.sites, sense, sheet.game.places)
    supply = given.get("supply")
    lights = PointLights(board, [(pixel,) for pixel in range(board.pixels)], SUPPLY if supply is None else supply)
    return Simulation(seat(board, lights, sheet, sense, given), board)


def wired(sheet: ScoreSheet, board: Board, given: DaemonOptions) -> Simulation:
    """An evening at a board's own drivers."""
    seated: list[Simulation] = []  # the wiring's time is the evening's, as soon as there is one
    bench, pieces = open_fake_bench(board, lambda: seated[0].now if seated else 0.0)
    seated.append(benched(sheet, bench, pieces, given))
    return seated[0]


def benched(sheet: ScoreSheet, bench: Bench, pieces: Pieces, given: DaemonOptions) -> Simulation:
    """An evening at an open bench, above whose sensors `pieces` lie on the points of its board."""
    points = lay_out(sheet.game, bench.board, turned=sheet.turned)
    named = Named(pieces, dict(zip(sheet.game.sites, points, strict=True)), sheet.game.places)
    return Simulation(open_daemon(bench, sheet, **given), named, bench=bench)


def laid_out(simulation: Simulation) -> Simulation:
    """Lay the pieces out, unless the players are to do that."""
    table = simulation.table
    if not table.setting:
        simulation.board.lay(zip(table.game.sites, table.sheet.position.board, strict=True))
    return simulation


SLIP = 4
"""The number of turns before the illegal one."""
REST = 0.6
"""Seconds between two turns."""


def demo_simulation(game: Game[Position]) -> Simulation:
    """A table that sees all there is to see."""
    return open_simulation(ScoreSheet(game), fullest(game))


def demonstrate(simulation: Simulation, seed: int) -> Iterator[str]:
    """Let the hands begin one thing after another, and tell what; time must run until they are still each time."""
    table, chance = simulation.table, random.Random(seed)
    while not table.sheet.outcome:
        if isinstance(table.verdict, Complete):
            simulation.press("done")  # the lights show that the table waits: it may all be about to be put back
            yield ""
            continue
        wrong = slip(table, chance) if table.sheet.length == SLIP else None
        if wrong:
            simulation.play(wrong, STYLES["finger"])
            yield system_words().say(Reason.of("demo.tries", player=table.sheet.player, turn=wrong.text))
            if not isinstance(table.verdict, Astray):
                simulation.press("done")  # a turn left off is not wrong before its player says that it is over
            simulation.put_right()
            yield system_words().text("demo.put-right")
        style = STYLES[chance.choice(["finger", "singly", "round"])]
        simulation.play(choose(table.game, table.sheet.position, chance), style)
        yield ""


def choose(game: Game[Position], position: Position, chance: random.Random) -> Turn[Position]:
    """A turn at random, one that captures where there is one, so that the game comes to an end."""
    turns = game.turns(position)
    captures = [turn for turn in turns if turn.steps[-1].level == 0]
    return chance.choice(captures or turns)


def slip(table: Table, chance: random.Random) -> Turn[Position] | None:
    """An illegal turn that is no slip of a legal one, and no change of the turn before."""
    watch = Reconciler(table.sensors, table.sheet.position)
    touched = table.sheet.moments[-1].turn.path if table.sheet.moments else ()
    legal = {turn.text for turn in watch.turns}
    begun = [
        (signature, table.game.sites[signature.origin]) for signature in watch.refused if signature.origin is not None
    ]
    tries = [
        signature.turn
        for signature, site in begun
        if signature.turn.text not in legal and (signature.sown or site not in touched)
    ]
    return chance.choice(tries) if tries else None


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


say(
    "demo",
    tries="{player} tries {turn}, which is against the rules.",
    put_right="The board is put right, as the lights ask.",
)
