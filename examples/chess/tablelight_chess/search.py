"""The search for a good turn: any program that speaks UCI, in a process of its own.

The program is Stockfish where it is installed, or the one that the environment variable TABLELIGHT_UCI names, with its
arguments if it takes any. Where there is none, the table's own search plays, which knows no more of chess than who
wins random games; a sentence on the standard error says so.

A process is started for each question and ended with it. So nothing is left behind when the question is given up, and
the same question has the same answer. It costs a fraction of a second.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import chess
import chess.engine

from firmware_bridge.engine import Found, Search, never
from games.rules import Game, OptionError, Position
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
"""Seconds within which the program must start; guessed: a Zero 2 W reads 50 MB from its card in some of them."""
LOOK = 0.01
"""Seconds from one look whether to stop to the next."""


class NoProgram(OptionError):
    """There is no program that speaks UCI, or it does not answer; says what was looked for."""


def program() -> list[str]:
    """The command of the program; `NoProgram` if there is none."""
    named = shlex.split(os.environ.get(VARIABLE, ""))
    for command in [named] if named else [[name] for name in USUAL]:
        if found := shutil.which(command[0]):
            return [found, *command[1:]]
    if named:
        raise NoProgram(f"{VARIABLE} names {named[0]}, which is no program on this computer")
    raise NoProgram(f"no opponent for chess: install stockfish, or let {VARIABLE} name a program that speaks UCI")


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
        free = {turn.text for turn in wanted} - {*drawing}
        if not free:
            yield drawn(drawing, 0)
            return
        limit = chess.engine.Limit(time=seconds, nodes=nodes)
        for found in self._answers(position.set_up(), free, limit, stop):
            yield drawn(drawing, found.nodes) if drawing and found.value < 0.5 else found

    def _answers(
        self, board: chess.Board, wanted: Collection[str], limit: chess.engine.Limit, stop: Callable[[], bool]
    ) -> Iterator[Found]:
        moves = [move for move in board.legal_moves if written(move) in wanted]
        try:
            with chess.engine.SimpleEngine.popen_uci(self._command, timeout=PATIENCE) as engine:
                lines = min(1 + OTHERS, len(moves)) if "MultiPV" in engine.options else None
                with engine.analysis(board, limit, multipv=lines, root_moves=moves) as analysis:
                    yield from answers(analysis, moves, lines or 1, stop)
        except (OSError, TimeoutError, chess.engine.EngineError) as error:
            raise NoProgram(f"{self._command[0]} does not play chess by UCI: {error or type(error).__name__}") from None


def answers(
    analysis: chess.engine.SimpleAnalysisResult, moves: Collection[chess.Move], lines: int, stop: Callable[[], bool]
) -> Iterator[Found]:
    """An answer whenever all `lines` of a depth have been told, and a last one; until `stop()`, or a proof."""
    told: dict[int, chess.engine.InfoDict] = {}
    ready = False
    while not stop():
        if analysis.would_block():
            time.sleep(LOOK)
            continue
        try:
            info = analysis.get()
        except chess.engine.AnalysisComplete:
            break
        if not tells(info, moves):
            continue
        place = info.get("multipv", 1)
        told[place] = info
        if ready := place == lines:
            yield (answer := found(told))
            if answer.proved:
                return
    else:
        return
    if not told:  # it plays and says nothing of its thoughts
        move = written(analysis.wait().move or next(iter(moves)))
        yield Found(move, 0.5, (move,), 0, False, ())
    elif not ready:
        yield found(told)


def tells(info: chess.engine.InfoDict, moves: Collection[chess.Move]) -> bool:
    """Whether it says what a line that begins with one of these moves is worth, and not only a bound on that."""
    line, bound = info.get("pv"), "lowerbound" in info or "upperbound" in info
    return line is not None and any(move in moves for move in line[:1]) and "score" in info and not bound


def found(told: dict[int, chess.engine.InfoDict]) -> Found:
    """What the program has told of its best lines, by their rank from 1."""
    values: dict[str, float] = {}
    for _, info in sorted(told.items()):
        values.setdefault(written(info["pv"][0]), worth(info["score"]))
    (turn, value), *others = values.items()
    first = told[min(told)]
    line = tuple(map(written, first["pv"][:LONGEST]))
    return Found(turn, value, line, first.get("nodes", 0), first["score"].is_mate(), tuple(others))


def worth(score: chess.engine.PovScore) -> float:
    """The expected score of the side to move: a mate is sure, and nothing else is."""
    if score.is_mate():
        return 1.0 if score.relative > chess.engine.Cp(0) else 0.0
    return min(0.999, max(0.001, score.relative.wdl(model="sf").expectation()))


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
