"""The terminal as a screen: the board on top, below it what was said, and a line to type in.

Its library takes a while to load, so only a command that shows a screen imports this module.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import BeforeInput

from firmware_bridge.cli.terminal import HIDDEN_WORDS, SESSION_WORDS, Console, draw_table, legend, status
from firmware_bridge.i18n import system_words
from firmware_bridge.simulation import REST, WORDS, Simulation, demonstrate
from games.rules import Reason, say

REDRAW_HZ = 15
"""Pictures a second; guessed: lights that fade look smooth."""


class Screen:
    """A simulated table on the screen; with `typing` there is a line to type in."""

    def __init__(self, simulation: Simulation, *, typing: bool) -> None:
        self._simulation = simulation
        self._said: deque[str] = deque(maxlen=200)
        self.typed: deque[str] = deque()
        """The lines that were typed and not yet done."""
        self._buffer = Buffer(
            completer=WordCompleter(self._words, WORD=True),
            history=InMemoryHistory(),
            multiline=False,
            accept_handler=self._accept,
        )
        prompt = Window(BufferControl(self._buffer, input_processors=[BeforeInput("> ")]), height=1)
        rows = [
            Window(FormattedTextControl(self._board), dont_extend_height=True),
            Window(FormattedTextControl(self._talk), wrap_lines=True),
        ]
        keys = KeyBindings()
        for key in ("c-c", "c-d") if typing else ("c-c", "c-d", "q"):
            keys.add(key)(lambda event: event.app.exit())
        layout = Layout(HSplit([*rows, prompt] if typing else rows), focused_element=prompt if typing else None)
        self._app: Application[None] = Application(
            layout, key_bindings=keys, full_screen=True, refresh_interval=1 / REDRAW_HZ
        )

    def _leave(self) -> None:
        if self._app.is_running:
            self._app.exit()

    def say(self, text: str) -> None:
        """Add to what was said."""
        self._said.extend(text.split("\n"))

    def _words(self) -> list[str]:
        table = self._simulation.table
        turns = [signature.turn.text for signature in table.signatures]
        words = (word for word in WORDS if word not in HIDDEN_WORDS)
        return list(dict.fromkeys((*words, *SESSION_WORDS, *turns, *table.game.sites)))

    def _accept(self, buffer: Buffer) -> bool:
        self.typed.append(buffer.text)
        return False

    def _board(self) -> StyleAndTextTuples:
        daemon = self._simulation.daemon
        lines = draw_table(daemon, self._simulation.board)
        drawn: StyleAndTextTuples = [part for line in lines for part in (*line, ("", "\n"))]
        return [*drawn, ("bold", f"{status(daemon)}\n"), ("", legend(daemon.scene.cues))]

    def _talk(self) -> str:
        board = len(draw_table(self._simulation.daemon, self._simulation.board)) + 4
        left = self._app.output.get_size().rows - board
        return "\n".join(list(self._said)[-max(4, left) :])

    async def show(self, advance: Callable[[float], bool]) -> None:
        """Show the table until the player leaves, or `advance`, called each scan with the time in seconds, is False."""

        async def follow() -> None:
            while advance(now := time.monotonic()):
                await asyncio.sleep(max(0.0, self._simulation.daemon.due(now) - time.monotonic()))
            self._leave()

        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._leave)
        following = asyncio.ensure_future(follow())
        try:
            await self._app.run_async()
        finally:
            following.cancel()


def play_typed(simulation: Simulation) -> int:
    """Play at a terminal until the player leaves; the exit status."""
    screen = Screen(simulation, typing=True)
    console = Console(simulation, screen.say)
    signatures = simulation.table.signatures
    screen.say(system_words().say(Reason.of("screen.type", turn=signatures[0].turn.text if signatures else "c3-c4")))
    screen.say(system_words().text("screen.keys"))

    def advance(now: float) -> bool:
        if screen.typed and not simulation.busy:
            raw = screen.typed.popleft()
            screen.say(f"> {raw}")
            console.line(raw)
        before = len(simulation.events)
        simulation.step(now)
        console.report(before)
        return not console.over

    asyncio.run(screen.show(advance))
    return 0


def show_demo(simulation: Simulation, seed: int, speed: float) -> None:
    """Show the demonstration, `speed` times as fast as hands are."""
    screen = Screen(simulation, typing=False)
    story = demonstrate(simulation, seed)
    begun = time.monotonic()
    still, told = 0.0, 0
    screen.say(system_words().text("screen.demo"))

    def advance(now: float) -> bool:
        nonlocal still, told
        simulation.step((now - begun) * speed)
        for event in simulation.events[told:]:
            screen.say(system_words().say(event.say))
        told = len(simulation.events)
        if simulation.busy:
            still = simulation.now
        elif simulation.now > still + REST:
            still = simulation.now
            text = next(story, None)
            if text:
                screen.say(text)
            return text is not None
        return True

    asyncio.run(screen.show(advance))


def show_steps(simulation: Simulation, steps: Iterator[float], speed: float) -> None:
    """Show `steps`, which yield the time of each scan before it is done, `speed` times as fast as they were."""
    screen = Screen(simulation, typing=False)
    begun, first = time.monotonic(), next(steps, None)
    due, told = first, 0
    screen.say(system_words().text("screen.again"))

    def advance(now: float) -> bool:
        nonlocal due, told
        while first is not None and due is not None and (due - first) <= (now - begun) * speed:
            due = next(steps, None)
        for event in simulation.events[told:]:
            screen.say(system_words().say(event.say))
        told = len(simulation.events)
        return due is not None

    asyncio.run(screen.show(advance))
    for _ in steps:  # the rest is compared even if the player leaves early
        pass


say(
    "screen",
    again="A trace is played again. Press q to leave.",
    type="Type a turn such as 'turn {turn}'; 'help' lists what else there is.",
    keys="Tab completes, the arrow keys repeat, Ctrl-D leaves.",
    demo="Simulated hands play a whole game. Press q to leave.",
)
