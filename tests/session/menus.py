"""Questions that are asked by light, and a menu at a simulated board with hands that lay stones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.lighting import LightSettings
from firmware_bridge.session.menu import SETTLE, Dialogue, Menu, Plan, Question, new_game
from games.rules import load, names
from hardware.board import Board, find_board, read_board
from hardware.device import Sense
from hardware.simulation.table import SimulatedTable

USUAL = Plan("zong-heng", "coach", False, 104)
PLAIN = "[scanner]\nkind = 'shift_register'\nregisters = 32\n"


def shipped(name: str) -> Board:
    return read_board(find_board(name))


def own(text: str, folder: Path) -> Board:
    path = folder / "board.toml"
    path.write_text(text)
    return read_board(path)


FITTING = {"grid": names(), "web": ("zhizhu",), "pits": ("zig-zag",)}


def asked(board: str) -> Callable[[], Dialogue[Any]]:
    """The dialogue for a new game at that board."""
    games = [load(name) for name in FITTING[board]]
    return lambda: new_game(games, USUAL, shipped(board))


def questions(dialogue: Callable[[], Dialogue[Any]]) -> list[Question]:
    """Every question that the dialogue can come to, whatever is answered."""
    found: dict[tuple[str, ...], Question] = {}
    paths: list[list[str]] = [[]]
    for path in paths:
        asking = dialogue()
        try:
            question = next(asking)
            for answer in path:
                question = asking.send(answer)
        except StopIteration:
            continue
        ids = tuple(choice.id for choice in question.choices)
        if ids not in found:
            paths += [[*path, choice.id] for choice in question.choices]
        found[ids] = question
    return list(found.values())


class Asked:
    """A menu at a simulated board, and hands that lay stones."""

    def __init__(self, dialogue: Callable[[], Dialogue[Any]], board: Board | None = None, *before: str) -> None:
        self.board = board or shipped("grid")
        self.table = SimulatedTable(
            tuple(self.board.places), Sense.PRESENCE, self.board.places, length=self.board.length,
            wiring=self.board.channels, pixels=self.board.pixels,
        )  # fmt: skip
        self.table.lay([(point, 1) for point in before])
        points = tuple(self.board.places)
        scanner, lights = self.board.sensors(self.table, points), self.board.strip(self.table, points)
        self.menu: Menu[Any] = Menu(self.board, scanner, lights, dialogue, LightSettings())
        self.now = 0.0
        self.said: list[str] = []
        self.run(0.1)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * SCAN_HZ)):
            self.now += 1 / SCAN_HZ
            self.said += [event.say.id for event in self.menu.cycle(self.now)]

    def press(self, name: str) -> None:
        self.said += [event.say.id for event in self.menu.press(name)]
        self.run(0.1)

    def lay(self, *changes: tuple[str, int], wait: float = SETTLE + 0.05) -> None:
        """All at once, and then nothing for a while."""
        self.table.lay(changes)
        self.run(wait)

    def point(self, number: int) -> str:
        """A point of that answer's sign."""
        return next(iter(self.menu.signs[number]))

    @property
    def question(self) -> str:
        return self.menu.question.say.id

    def lit(self) -> set[str]:
        return {point for point in self.table.sites if any(self.table.light(point))}
