"""A game at a micro-controller board whose serial line is lost, again and again: a real port on a pseudo terminal.

The cable is pulled, or the board falls silent; stones may be moved meanwhile and are put back. Each time the table must
come to see again what stands, rest, and have its picture shown; now and then a turn is made, which must count, or be
asked for.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from firmware_bridge.daemon import SCAN_HZ, collect_garbage
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation
from firmware_bridge.simulation.table import bench_simulation, with_pieces
from firmware_bridge.verdict import AtRest
from games.rules import load, names
from hardware.bench import open_bench
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from hardware.simulation.table import SimulatedTable
from tests.hardware.pretend_board import Clock, Makeup, PretendBoard, PseudoTerminal, attended
from tests.simulation.test_serial_games import described

TURN_EACH, LONGEST = 10, 10
"""Losses from turn to turn, and turns of a game."""
ASKS = 5.0
"""Seconds within which a table that is in doubt about a turn has asked; guessed."""
LATEST = 12.0
"""Seconds within which a board that answers again must have been found."""


class Tethered:
    """All four games in turn at the real drivers and a board at the other end of a pseudo terminal."""

    def __init__(self, folder: Path) -> None:
        self.turns = self.asked = 0
        """The turns that were made, and how often the table asked which one it was."""
        self.rounds = 0
        """How often all games have been played."""
        self._choose = Random(1)
        self._simulation: Simulation | None = None
        clock = Clock()
        clock.follow = lambda: self._simulation.now if self._simulation else 0.0
        board = described("presence", folder)
        self._pieces = SimulatedTable(tuple(board.places), Sense.COUNT, board.places, wiring=board.channels)
        self.chip = PretendBoard(
            lambda channel: min(self._pieces.sensed(channel), 1), clock, Makeup(pixels=board.length)
        )
        self._terminal = PseudoTerminal(self.chip)
        self._link = attended(self._terminal, clock, board.scanner.settings.port).conversation
        self._bench = open_bench(board)
        self._games = 0
        self._next_game()

    @property
    def losses(self) -> int:
        """How often the conversation broke off."""
        return self._link.losses

    def _next_game(self) -> None:
        now = self._simulation.now if self._simulation else 0.0
        if self._simulation:
            self._simulation.daemon.close()
            self._simulation = None
            collect_garbage(dropped=True)  # as a session does between games
        self._pieces.knock_over()
        rounds, game = divmod(self._games, len(names()))
        sheet = ScoreSheet(load(names()[game]), house_rule=False)
        self._games, self.rounds = self._games + 1, rounds
        self._simulation = with_pieces(bench_simulation(sheet, self._bench, self._pieces, {}))
        self._simulation.now = now
        self._simulation.run(0.5)

    def lose(self, number: int) -> None:
        """Lose the line for the `number`th time, and see that all is right again."""
        assert self._simulation
        before = self.losses
        (self._unplugged if number % 2 else self._silent)(self._simulation)
        self._come_back(self._simulation)
        assert self.losses == before + 1, self._link.problem
        if number % TURN_EACH == 0:
            self._turn(self._simulation)
        self.chip.asked.clear()  # what a test would look at

    def _unplugged(self, simulation: Simulation) -> None:
        """The cable is pulled, by which the board has its power, and plugged in again."""
        self._terminal.unplug()
        self._away(simulation, 0.4)
        self._terminal.plug()
        self.chip.reset()

    def _silent(self, simulation: Simulation) -> None:
        """The board works on, and nothing is heard of it."""
        self.chip.mute = True
        self._away(simulation, 2.0)
        self.chip.mute = False

    def _away(self, simulation: Simulation, seconds: float) -> None:
        """A piece is lifted while nobody can see it, and put back."""
        site = self._choose.choice(simulation.table.game.sites)
        level = simulation.board.level(site)
        simulation.run(seconds / 2)
        simulation.board.lay([(site, 0)])
        simulation.run(seconds / 2)
        assert set(simulation.table.frame) == {None}
        simulation.board.lay([(site, level)])

    def _come_back(self, simulation: Simulation) -> None:
        """The table sees what stands, rests, and its picture is shown."""
        sheet, end = simulation.table.sheet, simulation.now + LATEST
        made = sheet.length
        stands = simulation.table.sensors.frame(sheet.position)
        while not (self._link.shown and simulation.table.frame == stands):
            assert simulation.now < end, self._link.problem or "the table does not see what stands"
            simulation.step(simulation.now + 1 / SCAN_HZ)
        assert isinstance(simulation.table.verdict, AtRest)
        assert sheet.length == made
        assert len(set(self.chip.pictures[-1])) > 1, "one colour everywhere is no picture of a game"

    def _turn(self, simulation: Simulation) -> None:
        """Make some turn: it counts, and no other.

        Hands may have done something while nothing was seen, so the table may ask whether it was this turn or another.
        """
        sheet = simulation.table.sheet
        length, turn = sheet.length, self._choose.choice(sheet.turns)
        simulation.take(turn, STYLES["done" if sheet.game.pieces == "seeds" else "finger"])
        if sheet.length == length:
            simulation.run(ASKS)
            simulation.answer(turn)
            self.asked += 1
        assert sheet.played_turns[length].turn.after == turn.after, turn.text
        self.turns += 1
        simulation.run(0.5)
        if sheet.outcome or sheet.length >= LONGEST:
            self._next_game()
        simulation.events.clear()

    def close(self) -> None:
        """End the game, and pull the cable for good."""
        assert self._simulation
        self._simulation.close()
        self._terminal.unplug()
