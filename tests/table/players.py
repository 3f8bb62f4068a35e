"""Evenings with words for what hands and buttons do, for tests that tell a story."""

from __future__ import annotations

from typing import Any

from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import Position, Turn
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.simulation.midgame import game_of

P, C, N = Sense.PRESENCE, Sense.COLOUR, Sense.COUNT
SHORT = 0.05
"""Seconds between two touches."""
LAID = 0.15
"""Seconds after which a piece that was laid counts."""


class At:
    """An evening after some turns, with words for what hands do there."""

    def __init__(self, name: str, sense: Sense, *before: str, position: str = "", **options: Any) -> None:
        game = game_of(name)
        sheet = ScoreSheet(game, game.position(position) if position else None)
        for text in before:
            sheet.read(text)
        self.session: Simulation = open_simulation(sheet, sense, **options)
        self.table, self.sheet = self.session.table, sheet

    def seen(self) -> At:
        """After the first scans."""
        self.run(0.1)
        return self

    def turn(self, text: str) -> Turn[Position]:
        game = self.sheet.game
        return next(t for t in (*self.sheet.turns, *game.refused(self.sheet.position)) if t.text == text)

    def make(self, text: str, style: str = "finger", wait: float = LAID) -> list[str]:
        """The hands make a turn, legal or not; what the table says to it."""
        self.session.play(self.turn(text), STYLES[style])
        return self.run(wait)

    def lay(self, *changes: tuple[str, int], wait: float = LAID) -> list[str]:
        """These sites come to hold these levels, one after another."""
        said = []
        for change in changes:
            self.session.board.lay([change])
            said += self.run(SHORT)
        return said + self.run(wait - SHORT)

    def run(self, seconds: float) -> list[str]:
        return [event.name for event in self.session.run(max(0.0, seconds))]

    def press(self, button: str) -> list[str]:
        return [event.name for event in self.session.press(button)]

    def resign(self, side: int) -> list[str]:
        return [event.name for event in self.session.request(lambda _: self.table.resign(side))]

    def agree(self) -> list[str]:
        return [event.name for event in self.session.request(lambda _: self.table.agree())]

    @property
    def played(self) -> list[str]:
        return [entry.turn.text for entry in self.sheet.played_turns]


def at(name: str, sense: Sense, *before: str, **options: Any) -> At:
    """An evening after these turns, looked at for a moment."""
    return At(name, sense, *before, **options).seen()


CHAIN = "......../x.o...../x....... x 7,8 -,-"


def owing() -> At:
    """Black has just filled a line and owes a capture."""
    now = at("zhizhu", C, position=CHAIN)
    now.lay(("a1", 1))
    return now


def bumped() -> At:
    """A turn made while another stone was bumped."""
    now = at("zong-heng", P)
    now.lay(("h8", 0), ("c3", 0), ("c4", 1), ("h8", 1), ("c3", 1))
    return now


def unseen() -> At:
    """A sowing under way of which presence shows nothing but the first lift."""
    now = at("zig-zag", P)
    now.lay(("S1", 0))
    return now
