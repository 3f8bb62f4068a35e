"""The simulated table as text: the board with its lights, readable without colours, and lines that hands type.

A line is typed at a keyboard or comes from a pipe. After each that changes the game the board is shown as it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TextIO

from firmware_bridge.clocks import Clock
from firmware_bridge.daemon import Daemon
from firmware_bridge.i18n import print_lines, system_words, wrapped
from firmware_bridge.lighting import CUES, Cue
from firmware_bridge.records import LineError, read_line
from firmware_bridge.simulation import PAUSE, WORDS, Fault, Script, Simulation
from games.rules import Game, Position, Reason, Standing, say
from hardware.device import Colour
from hardware.simulation.table import Pieces

Fragment = tuple[str, str]
"""A style and a text."""
MARKS = {
    "wrong": "!!",
    "missing": "??",
    "ask": "<>",
    "begin": "><",
    "hint": "^^",
    "capture": "--",
    "place-here": "{}",
    "target": "[]",
    "travelling": "~~",
    "movable": "()",
    "tally": "==",
    "for-first": "11",
    "for-second": "22",
    "won": "**",
    "last": "::",
    "blind": "%%",
    "choose": "++",
}
"""What stands before and behind a piece whose site shows a cue."""
OWED_CUES = frozenset({"missing", "place-here"})
"""Cues of empty sites that show, in capitals, the piece that belongs there."""
HIDDEN_WORDS = ("note", "expect", "amend", "time", "flag")
"""Words of records and scenarios that a player at the keyboard has no use for."""
SESSION_WORDS = {
    "board": "draw the board again",
    "turns": "list the legal turns",
    "rules": "the rules in short",
    "help": "this list",
    "quit": "leave; the game is kept",
}
"""Words about the session, beside those for the hands, and what each does."""


# The board ---------------------------------------------------------------------------------------


class Canvas:
    """A sheet of characters with styles, which grows as it is written on."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], Fragment] = {}

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write `text` from (row, column), both counted from 0, to the right."""
        for place, mark in enumerate(text):
            self._cells[row, column + place] = (style, mark)

    def lines(self) -> list[list[Fragment]]:
        """The rows from the top, each as fragments."""
        rows = range(max(row for row, _ in self._cells) + 1)
        width = max(column for _, column in self._cells) + 1
        return [[self._cells.get((row, column), ("", " ")) for column in range(width)] for row in rows]


def scale(game: Game[Position]) -> tuple[int, int]:
    """The columns and rows from one site of the board to the next."""
    if game.links:
        return 7, 3
    return (4, 1) if game.pieces == "stones" else (6, 3)


def draw_table(daemon: Daemon, board: Pieces) -> list[list[Fragment]]:
    """The pieces as they lie on `board`, with the cues and colours of its lights."""
    game, sheet = daemon.table.game, daemon.table.sheet
    kinds = sheet.marks(tuple(map(board.level, game.sites)))
    return draw_board(game, board.level, daemon.scene.cues, board.light, kinds)


def draw_board(
    game: Game[Position],
    level: Callable[[str], int],
    cues: Mapping[str, Cue] = MappingProxyType({}),
    light: Callable[[str], Colour] = lambda _: (0, 0, 0),
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> list[list[Fragment]]:
    """The board of `game`: the `level` of each site, its cue if it has one, and the colour of its light.

    The mark of a piece, which `kinds` has, stands behind its colour: ``oK`` is a light king.
    """
    across, down = scale(game)
    top = max(y for _, y in game.places.values())
    left = min(x for x, _ in game.places.values())
    place = {s: (round((top - y) * down), 4 + round((x - left) * across)) for s, (x, y) in game.places.items()}
    canvas = Canvas()
    _draw_links(canvas, game, place)
    _draw_names(canvas, game, place)
    for site in game.sites:
        row, column = place[site]
        marks = MARKS[cues[site].kind] if site in cues else "  "
        piece = _piece(game, site, level(site), cues.get(site))
        shown = f"{marks[0]}{piece}{kinds.get(site, '')}{marks[1]}"
        canvas.put(row, column - len(piece) // 2 - 1, shown, _style(light(site)))
    return canvas.lines()


def _piece(game: Game[Position], site: str, level: int, cue: Cue | None) -> str:
    if game.pieces == "seeds":
        return f"{level:2}"
    if level:
        return ".xo"[level]
    if cue and cue.kind in OWED_CUES and cue.level:
        return " XO"[cue.level]
    return site if game.links else ":" if site in game.shaded else "."


def _style(light: Colour) -> str:
    """A background in the colour of the light, and letters that can be read on it."""
    if not any(light):
        return ""
    red, green, blue = light
    ink = "#000000" if 2 * red + 5 * green + blue > 900 else "#ffffff"
    return f"bg:#{red:02x}{green:02x}{blue:02x} {ink}"


def _draw_links(canvas: Canvas, game: Game[Position], place: Mapping[str, tuple[int, int]]) -> None:
    for one, other in game.links:
        (row, column), (row_to, column_to) = place[one], place[other]
        up, across = row_to - row, column_to - column
        mark = "-" if abs(up) * 4 < abs(across) else "|" if abs(across) < abs(up) else "\\" if up * across > 0 else "/"
        for step in (1, 2, 3, 4):
            canvas.put(round(row + up * step / 5), round(column + across * step / 5), mark, "#808080")


def _draw_names(canvas: Canvas, game: Game[Position], place: Mapping[str, tuple[int, int]]) -> None:
    """Ranks and files beside squares, the name of each pit under it."""
    for site, (row, column) in place.items():
        if game.pieces == "seeds":
            canvas.put(row + 1, column - 1, site, "#808080")
        elif not game.links:
            canvas.put(row, 0, site[1:].rjust(2), "#808080")
            canvas.put(max(at for at, _ in place.values()) + 1, column, site[0], "#808080")


def legend(cues: Mapping[str, Cue]) -> str:
    """What the marks of these cues mean."""
    shown = {cue.kind for cue in cues.values()}
    tells = system_words().text
    return "   ".join(f"{MARKS[kind][0]}{MARKS[kind][1]} {tells(f'cue.{kind}')}" for kind in CUES if kind in shown)


def status(daemon: Daemon) -> str:
    """Whose turn it is and what stands beside the board, or the outcome; and what time the players have left."""
    sheet, words = daemon.table.sheet, system_words()
    beside = f"\n{players_line(daemon)}" if sheet.clock or any(sheet.names) else ""
    if sheet.outcome:
        return words.say(sheet.outcome.reason) + beside
    number = words.say(Reason.of("table.to-play", number=sheet.length + 1, player=sheet.player))
    told = sheet.game.standing(sheet.position) or sheet.game.aside(sheet.position)
    reason = told.reason if isinstance(told, Standing) else told
    return (f"{number} {words.say(reason)}" if reason else number) + beside


def players_line(daemon: Daemon) -> str:
    """What both players are called, and what time they have left; a mark before the one whose clock runs."""
    sheet, words = daemon.table.sheet, system_words()
    clock, told = sheet.clock, []
    for side, player in enumerate(sheet.game.players):
        name = f"{sheet.names[side]} ({words.text(player)})" if sheet.names[side] else words.text(player)
        runs = ">" if clock and clock.since is not None and clock.side == side else " "
        told.append(f"{runs} {name} {clock_text(clock, side, daemon.shown_at)}".rstrip())
    return "   ".join(told)


def clock_text(clock: Clock | None, side: int, now: float) -> str:
    """What the clock of `side` shows at `now` (seconds), with the periods that are left; empty without one."""
    if not clock:
        return ""
    shown = clock.shown(side, now)
    return shown.text + (f" ({shown.periods} x {clock.control.period:g})" if shown.periods else "")


def plain(lines: Sequence[Sequence[Fragment]]) -> Iterator[str]:
    """The lines without styles."""
    return ("".join(text for _, text in line).rstrip() for line in lines)


# Typed lines ------------------------------------------------------------------------------------


def help_text() -> str:
    """All words that may be typed, each with what it does."""
    usages = {name: word.usage for name, word in WORDS.items() if name not in HIDDEN_WORDS} | {
        name: name for name in SESSION_WORDS
    }
    tells = system_words().text
    return "\n".join(f"  {usage:34} {tells(f'typed.{name}')}" for name, usage in usages.items())


def rules_text(game: Game[Position]) -> str:
    """The rules in short, in lines that fit the terminal."""
    return "\n".join(line for part in system_words().summary(game) for line in wrapped(part))


class Console:
    """Does typed lines at a simulated table; `say` is given each text that comes of them."""

    def __init__(self, simulation: Simulation, say: Callable[[str], None]) -> None:
        self._simulation = simulation
        self._script = Script(simulation)
        self.say = say
        self.faults = 0
        """The number of lines that could not be done."""
        self.over = False
        """Whether the player has left."""

    def line(self, raw: str) -> None:
        """Do one typed line, or say in a sentence why it cannot be done."""
        try:
            line = read_line(raw.strip())
            if line and line.word in SESSION_WORDS:
                self._about(line.word)
            elif line:
                self._script.do(line)
        except LineError as error:
            self.faults += 1
            self.say(
                system_words().say(error.reason) if isinstance(error, Fault) else str(error).removeprefix("line 1: ")
            )

    def _about(self, word: str) -> None:
        table = self._simulation.table
        if word == "quit":
            self.over = True
        elif word == "turns":
            self.say(
                " ".join(signature.turn.text for signature in table.signatures) or system_words().text("typed.over")
            )
        else:
            self.say({"help": help_text, "rules": lambda: rules_text(table.game), "board": self.board}[word]())

    def board(self) -> str:
        """The board, the legend of its lights, and whose turn it is."""
        daemon = self._simulation.daemon
        lines = plain(draw_table(daemon, self._simulation.board))
        about = [text for text in (legend(daemon.scene.cues), status(daemon)) if text]
        return "\n".join([*lines, *about])

    def report(self, before: int) -> None:
        """Say what has happened since there were `before` events."""
        for event in self._simulation.events[before:]:
            self.say(system_words().say(event.say))


def play_piped(simulation: Simulation, lines: Iterable[str], out: TextIO) -> int:
    """Do all lines in simulated time and print what happens: 0, or 1 if some line could not be done."""
    console = Console(simulation, lambda text: print_lines(*text.split("\n"), file=out))
    simulation.run(PAUSE)
    console.report(0)
    console.say(console.board())
    for raw in lines:
        if raw.strip():
            console.say(f"> {raw.strip()}")
        before, length = len(simulation.events), simulation.table.sheet.length
        console.line(raw)
        simulation.run(PAUSE)
        console.report(before)
        if simulation.table.sheet.length != length:
            console.say(console.board())
        if console.over:
            break
    return 1 if console.faults else 0


say("typed", **SESSION_WORDS, **{name: word.tells for name, word in WORDS.items() if name not in HIDDEN_WORDS})
say("typed", over="The game is over.")
