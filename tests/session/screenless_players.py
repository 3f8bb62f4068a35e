"""People at a table that has no screen and no keyboard: they see lights, move pieces and press buttons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware_bridge.config import Config
from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.events import Event
from firmware_bridge.layout import lay_out
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Session
from firmware_bridge.simulation import Simulation
from games.rules import Game, Position
from hardware.bench import Bench
from hardware.board import Board, find_board, read_board
from hardware.device import Scanner, Sense
from hardware.simulation.faulty_sensors import Fault, FaultyScanner
from hardware.simulation.table import Named, SimulatedButtons, SimulatedTable


class ScreenlessTable:
    """A session at a simulated board with buttons, whose sensors may have `faults`, with a seed for them."""

    def __init__(
        self,
        board: str | Board = "grid",
        sense: Sense = Sense.PRESENCE,
        folder: Path | None = None,
        faults: tuple[Sequence[Fault], int] = ((), 0),
        **given: Any,
    ) -> None:
        self.board = read_board(find_board(board)) if isinstance(board, str) else board
        self.table = SimulatedTable(
            tuple(self.board.places),
            sense,
            self.board.places,
            length=self.board.length,
            wiring=self.board.channels,
            pixels=self.board.pixels,
        )
        self.keys = SimulatedButtons()
        self.now = 0.0
        self.events: list[Event] = []
        self._folder, self._games = folder, 0
        given = {"config": Config(), "place": self._place if folder else None, **given}
        bench = Bench(self.board, self._sensors(*faults), self.table, self.keys)
        self.session = Session(bench, background=False, **given)
        self.run(0.2)

    @property
    def sheet(self) -> ScoreSheet:
        """The score sheet of the game in hand."""
        return self.session.daemon.table.sheet

    def _sensors(self, faults: Sequence[Fault], seed: int) -> Scanner:
        places = [self.board.places[point] for point in self.table.sites]
        return FaultyScanner(self.table, faults, lambda: self.now, seed, places) if faults else self.table

    def _place(self, game: Game[Position]) -> Path:
        self._games += 1
        return self._folder / f"{self._games}-{game.name}.table"

    def step(self, now: float) -> list[Event]:
        """One scan."""
        self.now = now
        events = self.session.step(now)
        self.events += events
        return events

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while self.now < end:
            self.step(self.now + 1 / SCAN_HZ)

    def press(self, name: str, seconds: float = 0.15) -> None:
        """Hold a button for a while."""
        self.keys.pressed.add(name)
        self.run(seconds)
        self.keys.pressed.discard(name)
        self.run(0.15)

    def lit(self) -> set[str]:
        """The points that are lit."""
        return {point for point in self.table.sites if any(self.table.light(point))}

    def choose(self, answer: int | str) -> None:
        """Touch the answer of that number or name: a stone on an empty point of its sign, or a piece lifted and put."""
        menu = self.session.menu
        named = [choice.id for choice in menu.question.choices]
        sign = menu.signs[answer if isinstance(answer, int) else named.index(answer)]
        point = min(sign, key=lambda point: self.table.level(point))
        level = self.table.level(point)
        self.table.lay([(point, 0)])
        self.run(0.1)
        self.table.lay([(point, level or 1)])
        self.run(0.5)
        self.table.lay([(point, level)])
        self.run(0.1)

    def clear(self) -> None:
        """Sweep the board."""
        self.table.knock_over()

    def seated(self) -> Hands:
        """Hands at the game in hand."""
        return Hands(self)

    @property
    def said(self) -> list[str]:
        """The names of all that happened."""
        return [event.name for event in self.events]


class Hands(Simulation):
    """The hands at a table whose program is run by the session alone."""

    def __init__(self, keyless: ScreenlessTable) -> None:
        daemon = keyless.session.daemon
        game, sheet = daemon.table.game, daemon.table.sheet
        points = lay_out(game, keyless.board, turned=sheet.turned)
        pieces = Named(keyless.table, dict(zip(game.sites, points, strict=True)), game.places)
        super().__init__(daemon, pieces, keyless.now)
        self._keyless = keyless

    def step(self, now: float) -> list[Event]:
        """Let the hands do what is due, and the sitting take one cycle."""
        self.move(now)
        events = self._keyless.step(now)
        self.events += events
        return events

    def press(self, button: str) -> list[Event]:
        """Press the real button; the hands go on meanwhile."""
        seen = len(self.events)
        self._keyless.keys.pressed.add(button)
        self.run(0.15)
        self._keyless.keys.pressed.discard(button)
        self.run(0.15)
        return self.events[seen:]
