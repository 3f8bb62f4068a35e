"""Playing on the simulated table: hands typed at a keyboard or piped in, the board drawn as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from firmware_bridge.cli.terminal import draw, legend, plain, status
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.i18n.columns import wrapped
from firmware_bridge.records.lines import LineError, read_line
from firmware_bridge.simulation.faults import Fault
from firmware_bridge.simulation.script import PAUSE, WORDS, Script
from firmware_bridge.simulation.table import Evening
from games.rules import Game, Position, say

HIDDEN = ("note", "expect", "amend")
"""Words of records and scenarios, of no use to a player at the keyboard."""
SIT = {
    "board": "draw the board again",
    "turns": "list the legal turns",
    "rules": "the rules in short",
    "help": "this list",
    "quit": "leave; the game is kept",
}
"""Words about the session, beside those for the hands."""


def help_text() -> str:
    """All words with what they do."""
    usages = {name: word.usage for name, word in WORDS.items() if name not in HIDDEN} | {name: name for name in SIT}
    tells = here().text
    return "\n".join(f"  {usage:34} {tells(f'typed.{name}')}" for name, usage in usages.items())


def rules_text(game: Game[Position]) -> str:
    """The rules in short, in lines that fit the terminal."""
    return "\n".join(line for part in here().paragraphs(f"{game.name}.summary") for line in wrapped(part))


class Console:
    """Does typed lines at an evening and says what comes of them through `say`."""

    def __init__(self, evening: Evening, say: Callable[[str], None]) -> None:
        self.evening = evening
        self.script = Script(evening)
        self.say = say
        self.faults = 0
        """How many lines could not be done."""
        self.over = False

    def line(self, raw: str) -> None:
        """Do one typed line; what cannot be done is said in a sentence."""
        try:
            line = read_line(raw.strip())
            if line and line.word in SIT:
                self._about(line.word)
            elif line:
                self.script.do(line)
        except LineError as error:
            self.faults += 1
            self.say(here().say(error.reason) if isinstance(error, Fault) else str(error).removeprefix("line 1: "))

    def _about(self, word: str) -> None:
        table = self.evening.table
        if word == "quit":
            self.over = True
        elif word == "turns":
            self.say(" ".join(way.turn.text for way in table.view().ways) or here().text("typed.over"))
        else:
            self.say({"help": help_text, "rules": lambda: rules_text(table.game), "board": self.board}[word]())

    def board(self) -> str:
        """The board, the legend of its lights, and whose turn it is."""
        lines = plain(draw(self.evening.daemon, self.evening.board))
        about = [text for text in (legend(self.evening.daemon.scene.cues), status(self.evening.daemon)) if text]
        return "\n".join([*lines, *about])

    def report(self, before: int) -> None:
        """Say what has happened since there were `before` events."""
        for event in self.evening.events[before:]:
            self.say(here().say(event.say))


def play_piped(evening: Evening, lines: Iterable[str], out: TextIO) -> int:
    """Do all lines in a time of the table's own and print what happens; 1 if some line could not be done."""
    console = Console(evening, lambda text: print(text, file=out, flush=True))
    evening.run(PAUSE)
    console.report(0)
    console.say(console.board())
    for raw in lines:
        if raw.strip():
            console.say(f"> {raw.strip()}")
        before, length = len(evening.events), evening.table.sheet.length
        console.line(raw)
        evening.run(PAUSE)
        console.report(before)
        if evening.table.sheet.length != length:
            console.say(console.board())
        if console.over:
            break
    return 1 if console.faults else 0


say("typed", **SIT, **{name: word.tells for name, word in WORDS.items() if name not in HIDDEN})
say("typed", over="The game is over.")
