"""The search for a good turn: any program that speaks UCI, in a process of its own.

The program is Stockfish where it is installed, or the one that the environment variable TABLELIGHT_UCI names, with its
arguments if it takes any. Where there is none, the table's own search plays, which knows no more of chess than who
wins random games; a sentence on the standard error says so.

A process is started for each question and ended with it. So nothing is left behind when the question is given up, and
the same question has the same answer. It costs a fraction of a second.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from time import monotonic
from typing import Any, NamedTuple

import chess
from chess.engine import Cp

from firmware_bridge.engine import Found, Search, never
from games.rules import Game, OptionError, Position, clip
from tablelight_chess.rules import Diagram, written

VARIABLE = "TABLELIGHT_UCI"
"""The environment variable that names the program."""
USUAL = ("stockfish", "/usr/games/stockfish")
"""Where it is looked for otherwise; Debian puts it where a service does not look."""
OTHERS = 4
"""The best few other turns in an answer."""
LONGEST = 6
"""Turns of an expected line."""
PATIENCE = 20.0
"""Seconds within which the program must be ready; guessed: a Zero 2 W reads 50 MB from its card in some of them."""
LOOK = 0.02
"""Seconds from one look whether to stop to the next."""
PIECE = 1 << 16
"""Bytes that are read at once at most."""


class NoProgram(OptionError):
    """There is no program that speaks UCI, or it does not answer; says which, and what is wrong."""


def program() -> list[str]:
    """The command of the program; `NoProgram` if there is none."""
    words = os.environ.get(VARIABLE, "")
    try:
        named = shlex.split(words)
    except ValueError as error:
        raise NoProgram(f"{VARIABLE} is {clip(words)}, which is no command: {error}") from None
    for command in [named] if named else [[name] for name in USUAL]:
        if found := shutil.which(command[0]):
            return [found, *command[1:]]
    if named:
        raise NoProgram(f"{VARIABLE} names {clip(named[0], 90)}, which is no program on this computer")
    raise NoProgram(f"no opponent for chess: install stockfish, or let {VARIABLE} name a program that speaks UCI")


# The program ----------------------------------------------------------------------------------


class Process:
    """The running program, by lines; it ends with the ``with`` block."""

    def __init__(self, command: Sequence[str]) -> None:
        self._name = command[0]
        try:
            self._process = subprocess.Popen(
                command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise NoProgram(f"{self._name} cannot be started: {error.strerror}") from None
        self._rest = b""

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:
            self._process.kill()

    def tell(self, line: str) -> None:
        """Send a line; that the program has ended is seen when it is read from."""
        assert self._process.stdin
        with suppress(BrokenPipeError):
            self._process.stdin.write(line.encode() + b"\n")

    def until(self, last: str) -> list[str]:
        """The lines before `last`, which must come soon."""
        lines: list[str] = []
        due = monotonic() + PATIENCE
        for line in self.lines(lambda: monotonic() > due):
            if line == last:
                return lines
            lines.append(line)
        raise NoProgram(f"{self._name} does not speak UCI: no {last} within {PATIENCE:.0f} s")

    def lines(self, stop: Callable[[], bool]) -> Iterator[str]:
        """The lines as they come, until `stop()`; `NoProgram` if it ends before."""
        assert self._process.stdout
        out = self._process.stdout.fileno()
        while not stop():
            line, newline, rest = self._rest.partition(b"\n")
            if newline:
                self._rest = rest
                yield line.decode(errors="replace").strip()
            elif select.select([out], [], [], LOOK)[0]:
                if not (piece := os.read(out, PIECE)):
                    raise self.fails(f"it has ended, with status {self._process.wait()}")
                self._rest += piece

    def fails(self, how: str) -> NoProgram:
        """The error that it does so."""
        return NoProgram(f"{self._name} does not play chess by UCI: {how}")


class Told(NamedTuple):
    """A line of ``info``: the rank of the turns it begins with, what they are worth, and what was looked at for it."""

    rank: int
    value: float
    sure: bool
    nodes: int
    turns: tuple[str, ...]


def told(line: str, board: chess.Board) -> Told | None:
    """What the program tells of a line of play; None if it tells something else, or but a bound."""
    info, _, pv = line.partition(" pv ")
    words = info.split()
    numbers = {name: number(value) for name, value in pairwise(words)}
    turns = legal(board, pv.split()[:LONGEST])
    if not turns or "score" not in words or {"lowerbound", "upperbound", "string"} & {*words}:
        return None
    mate = numbers.get("mate")
    if mate is None and "cp" not in numbers:
        return None
    value = worth(numbers["cp"]) if mate is None else float(mate > 0)
    return Told(max(1, numbers.get("multipv", 1)), value, mate is not None, numbers.get("nodes", 0), turns)


def number(word: str) -> int:
    """The number that a word is; 0 for any other."""
    try:
        return int(word)
    except ValueError:
        return 0


def worth(centipawns: int) -> float:
    """The expected score of the side to move; never quite sure."""
    return min(0.999, max(0.001, Cp(centipawns).wdl(model="sf").expectation()))


def legal(board: chess.Board, moves: Sequence[str]) -> tuple[str, ...]:
    """The texts of these moves, as far as they can be played."""
    board, turns = board.copy(stack=False), list[str]()
    for uci in moves:
        try:
            turns.append(written(board.push_uci(uci)))
        except ValueError:
            break
    return tuple(turns)


# The search -----------------------------------------------------------------------------------


class Uci:
    """Asks the program that `command` starts."""

    def __init__(self, game: Game[Diagram], command: Sequence[str]) -> None:
        self._game, self._command = game, list(command)

    def find(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        history: Sequence[Position] = (),
        stop: Callable[[], bool] = never,
        among: Collection[str] = (),
    ) -> Iterator[Found]:
        """Better and better answers, one for each depth that is done; see `Search.find`. `NoProgram` if it fails.

        The program is not told what stood before. Turns after which the house rule would draw the game are kept from
        it, unless there are no others or all others are worse than a draw.
        """
        if not isinstance(position, Diagram) or not (turns := self._game.turns(position)):
            raise ValueError(f"{position}: the game is over, so there is no turn to find")
        stood = {before for before, times in Counter(history).items() if times >= 2}
        wanted = [turn for turn in turns if not among or turn.text in among]
        drawing = [turn.text for turn in wanted if turn.after in stood]
        free = [turn.text for turn in wanted if turn.after not in stood]
        if not free:
            yield drawn(drawing, 0)
            return
        limit = f"movetime {max(1, round(1000 * seconds))}" if seconds is not None else "infinite"
        limit = f"nodes {nodes}" if nodes is not None else limit
        for found in self._answers(position.set_up(), free, limit, stop):
            yield drawn(drawing, found.nodes) if drawing and found.value < 0.5 else found

    def _answers(
        self, board: chess.Board, wanted: Sequence[str], limit: str, stop: Callable[[], bool]
    ) -> Iterator[Found]:
        """An answer whenever all lines of a depth have been told, and a last one; until `stop()`, or a proof."""
        with Process(self._command) as process:
            process.tell("uci")
            offered = any(line.split()[:3] == ["option", "name", "MultiPV"] for line in process.until("uciok"))
            lines = min(1 + OTHERS, len(wanted)) if offered else 1
            if offered:
                process.tell(f"setoption name MultiPV value {lines}")
            process.tell("isready")
            process.until("readyok")
            process.tell(f"position fen {board.fen()}")
            process.tell(f"go {limit} searchmoves {' '.join(text.replace('-', '') for text in wanted)}")
            best: dict[int, Told] = {}
            complete = False
            for line in process.lines(stop):
                if line.startswith("bestmove"):
                    if not complete:
                        yield found(best) if best else plain(process, line, board, wanted)
                    return
                if (now := told(line, board)) and now.turns[0] in wanted:
                    best[now.rank] = now
                    if complete := now.rank == lines:
                        yield (answer := found(best))
                        if answer.proved:
                            return


def found(told: dict[int, Told]) -> Found:
    """What the program has told of its best lines, by their rank from 1."""
    ranked = [line for _, line in sorted(told.items())]
    values: dict[str, float] = {}
    for line in ranked:
        values.setdefault(line.turns[0], line.value)
    best, (_, *others) = ranked[0], values.items()
    return Found(best.turns[0], best.value, best.turns, best.nodes, best.sure, tuple(others))


def plain(process: Process, line: str, board: chess.Board, wanted: Collection[str]) -> Found:
    """The turn of a program that says nothing of its thoughts."""
    turns = legal(board, line.split()[1:2])
    if not turns or turns[0] not in wanted:
        raise process.fails(f"{clip(line, 40)!r} is no turn of {board.epd()}")
    return Found(turns[0], 0.5, turns, 0, False, ())


def drawn(texts: Sequence[str], nodes: int) -> Found:
    """The first of these turns, by which the house rule draws the game."""
    return Found(texts[0], 0.5, (texts[0],), nodes, True, tuple((text, 0.5) for text in texts[1:]))


def search(game: Game[Any], seed: int = 0) -> Search | None:
    """What searches chess, the same for every seed; None where there is no program, and a sentence says so."""
    try:
        return Uci(game, program())
    except NoProgram as missing:
        print(f"{missing}; until then the table's own search plays", file=sys.stderr)
        return None


SEARCH = search
