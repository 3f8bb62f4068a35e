"""A table without a screen, its real board under simulated hands, and its page in a process of its own.

It runs in the test's process, whose time is its own: nothing happens there but in `run`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import TypeVar

from firmware_bridge.score import ScoreSheet
from firmware_bridge.web.mirror import Mirror, ServerProcess
from hardware.device import Sense
from tests.session.screenless_players import ScreenlessTable

from .running import free_port

T = TypeVar("T")


class Mirrored:
    """The game on `sheet` at a table of squares, set up and ready, and its page at `origin`."""

    def __init__(self, sheet: ScoreSheet, sense: Sense = Sense.COLOUR) -> None:
        self.table = ScreenlessTable("grid", sense, sheet=sheet)
        self.hands = self.table.seated()
        self.pieces = self.hands.board
        """What lies on the sites of the game."""
        self.port = free_port("127.0.0.1")
        self.origin = f"http://127.0.0.1:{self.port}"
        self.mirror = Mirror(ServerProcess("127.0.0.1", self.port))
        self.pieces.lay(zip(sheet.game.sites, sheet.position.board, strict=True))
        while not self.mirror.listening:
            self.run(0.01)
            sleep(0.05)  # the other process needs the processor to start
        self.run(1.0)

    def run(self, seconds: float) -> None:
        """Let time pass at the table; what it asks and tells goes to the page."""
        session, end = self.table.session, self.table.now + seconds
        while self.table.now < end:
            now = self.table.now + 0.01
            self.hands.move(now)
            asked = [event for request in self.mirror.requests(session) for event in session.obey(request, now)]
            self.mirror.see(session, asked + self.table.step(now), now)

    def answered(self, ask: Callable[[int], T]) -> T:
        """What `ask`, with the port of the page, is answered while time passes at the table."""
        with ThreadPoolExecutor(1) as thread:
            answer = thread.submit(ask, self.port)
            while not answer.done():
                self.run(0.01)
                sleep(0.01)
            return answer.result()

    def close(self) -> None:
        """End the page and the table."""
        self.mirror.close()
        self.table.session.close()
