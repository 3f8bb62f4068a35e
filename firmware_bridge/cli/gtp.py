"""The engine under Go Text Protocol, version 2: a command a line, each answered with ``=`` or ``?`` and an empty line.

The protocol's colours are the players: black (b) is the first, white (w) the second. Its moves are the texts of turns,
in either case. Answers are in English in every language, for programs read them. Under a game clock a turn gets its
share of the time that is left: first of the main time, then of each period.
"""

from __future__ import annotations

import re
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TextIO

from firmware_bridge.cli.terminal import draw_board, plain
from firmware_bridge.engine import compiled, engine
from firmware_bridge.records import option
from firmware_bridge.workshop.machine import installed
from games.rules import Game, IllegalTurn, OptionError, Position, Reason, clip, load, play

# The protocol ------------------------------------------------------------------------------------

LONGEST_LINE = 1000
"""Bytes of a line without its comment; guessed: no command of the protocol is near it."""
LARGEST_ID = 2**31 - 1
"""The largest id of a command: the protocol's integers end there."""
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
"""The players by the protocol's names of colours."""
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
"""The characters that are left out of a line, as the protocol has it: control characters but for the tab."""
Words = list[str]
"""The arguments of a command."""

# The clock --------------------------------------------------------------------------------------

TURNS_AHEAD = 25
"""Turns among which main time is divided; guessed: fewer than a game has, for late turns need less thought."""
USED_SHARE = 0.9
"""The part of a turn's share that is used; guessed: the rest is for whoever carries the turn to the clock."""


class Refused(Exception):
    """A command that cannot be done; its text is the answer."""


class Clock:
    """The clock of one player: `main` seconds, then `turns` turns in each `period` of seconds; 0 turns: no period."""

    def __init__(self, main: float, period: float, turns: int) -> None:
        self._period, self._turns = period, turns
        if main or not turns:
            self.set(main, 0)
        else:
            self.set(period, turns)

    def set(self, left: float, due: int) -> None:
        """Set the clock to `left` seconds, in which `due` turns are still to be made; 0 turns: main time."""
        self._left, self._due = max(0.0, left), due

    def share(self) -> float:
        """The seconds that the search for the next turn may take."""
        if self._due:
            return USED_SHARE * self._left / self._due
        later = self._period / self._turns if self._turns else 0.0
        return USED_SHARE * (self._left / TURNS_AHEAD + later)

    def spend(self, seconds: float) -> None:
        """Take the seconds of a turn off the clock."""
        left, due = self._left - seconds, self._due
        if due == 1:
            self.set(self._period, self._turns)
        elif due or left > 0 or not self._turns:
            self.set(left, max(0, due - 1))
        else:  # main time has run out
            self.set(left + self._period, self._turns)


class Match:
    """A game in which a pass is a turn of its own, unlike on a sheet: a controller asks for each of them."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.positions: list[Position] = [game.start()]
        """All positions so far; the last one stands."""
        self._look()

    def _look(self) -> None:
        """Find the legal turns and the outcome of the position that stands."""
        again = self.positions.count(self.position) >= 3
        self.outcome = self.game.repeated(self.position) if again else self.game.outcome(self.position)
        self.turns = [] if self.outcome else [turn.text for turn in self.game.turns(self.position)]

    @property
    def position(self) -> Position:
        """The position that stands."""
        return self.positions[-1]

    def play(self, text: str) -> None:
        """Make the turn; IllegalTurn, Refused."""
        text = next((turn for turn in self.turns if turn.lower() == text.lower()), text)
        after = play(self.game, self.position, text)
        if self.outcome:  # by the house rule, which the rules of a game do not know
            raise Refused(f"illegal move: {self.outcome}")
        self.positions.append(after)
        self._look()

    def undo(self) -> None:
        """Take the last turn back; Refused."""
        if len(self.positions) == 1:
            raise Refused("cannot undo")
        self.positions.pop()
        self._look()

    def diagram(self) -> Iterator[str]:
        """The lines of the board, of what is beside it and of whose turn it is; none is empty: that ends answers."""
        levels = dict(zip(self.game.sites, self.position.board, strict=True))
        kinds = self.game.marks(self.position)
        yield from filter(None, plain(draw_board(self.game, levels.__getitem__, kinds=kinds)))
        aside = self.game.aside(self.position)
        if aside:
            yield str(aside)
        player = self.game.players[self.position.side]
        yield str(self.outcome or Reason.of("table.to-play", number=len(self.positions), player=player))


class Gtp:
    """Answers the commands of a controller about one match. A search ends after `seconds` or `nodes`.

    A clock that the controller sets takes the place of `seconds`.
    """

    def __init__(
        self,
        game: Game[Any],
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        seed: int = 0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.over = False
        """Whether the controller has said ``quit``."""
        self._seconds, self._nodes, self._seed, self._now = seconds, nodes, seed, now
        self.clocks: list[Clock] = []
        """The players' clocks; none until the controller sets them."""
        self._begin(game)
        self._commands: dict[str, Callable[[Words], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"Tablelight {self._match.game.title}",
            "version": lambda _: installed("tablelight"),
            "known_command": lambda words: "true" if first_argument(words) in self._commands else "false",
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": lambda _: self._begin(self._match.game),
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._think,
            "undo": self._undo,
            "showboard": lambda _: "\n" + "\n".join(self._match.diagram()),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": lambda _: self._final_score(),
            "tablelight-turns": lambda _: "\n".join(self._match.turns),
            "tablelight-position": lambda _: str(self._match.position),
        }

    # A line and its answer --------------------------------------------------------------------

    def answer(self, line: str) -> str:
        """The whole answer to a line, its empty line with it; "" if the line asks for nothing."""
        told = line.partition("#")[0]
        words = CONTROL.sub("", told).split()
        if not words:
            return ""
        number = words.pop(0) if is_id(words[0]) else ""
        try:
            if len(told.rstrip("\r\n")) > LONGEST_LINE:
                raise Refused(f"line too long: {LONGEST_LINE} bytes are the most")
            mark, result = "=", self._do(words)
        except Refused as refused:
            mark, result = "?", str(refused)
        gap = " " if result and result[0] != "\n" else ""
        return f"{mark}{number}{gap}{result}\n\n"

    def _do(self, words: Words) -> str:
        if not words or words[0] not in self._commands:
            raise Refused("unknown command")
        try:
            return self._commands[words[0]](words[1:])
        except IllegalTurn as illegal:
            raise Refused(f"illegal move: {illegal}") from None
        except OptionError as fault:  # the search of a game of another distribution
            raise Refused(str(fault)) from None

    def _quit(self, _: Words) -> str:
        self.over = True
        return ""

    # The match --------------------------------------------------------------------------------

    def _begin(self, game: Game[Any]) -> str:
        self._match = Match(game)
        self._search = engine(game, self._seed, playing=True)
        return ""

    def _boardsize(self, words: Words) -> str:
        size, game = whole_number(first_argument(words)), self._match.game
        try:
            if "size" in game.options:
                game = load(game.name, **{**game.chosen, "size": size})
            elif size != size_of(game):
                raise Refused("unacceptable size")
        except OptionError:
            raise Refused("unacceptable size") from None
        return self._begin(game)

    def _play(self, words: Words) -> str:
        side = colour(words)
        if len(words) < 2:
            raise Refused("syntax error")
        self._check(side, "illegal move: ")
        self._match.play(" ".join(words[1:]))
        return ""

    def _undo(self, _: Words) -> str:
        self._match.undo()
        return ""

    def _check(self, side: int, refusal: str = "") -> None:
        """Refused if the game goes on and the other side is to move."""
        to_move = self._match.position.side
        if side != to_move and not self._match.outcome:
            raise Refused(f"{refusal}{self._match.game.player_name(to_move)} ({'bw'[to_move]}) is to move")

    def _final_score(self) -> str:
        outcome = self._match.outcome
        if not outcome:
            raise Refused("cannot score: the game goes on")
        return f"{'0' if outcome.winner is None else 'BW'[outcome.winner] + '+'} {outcome}"

    # Thinking ---------------------------------------------------------------------------------

    def _genmove(self, words: Words) -> str:
        turn = self._think(words)
        self._match.play(turn)
        return turn

    def _think(self, words: Words) -> str:
        """The turn that the engine chooses; the only legal turn needs no search."""
        side, match = colour(words), self._match
        self._check(side)
        if match.outcome:
            raise Refused(f"the game is over: {match.outcome}")
        return match.turns[0] if len(match.turns) == 1 else self._search_for(side)

    def _search_for(self, side: int) -> str:
        began, history = self._now(), self._match.positions[:-1]
        seconds = self.clocks[side].share() if self.clocks else self._seconds
        *_, found = self._search.find(self._match.position, seconds=seconds, nodes=self._nodes, history=history)
        if self.clocks:
            self.clocks[side].spend(self._now() - began)
        return found.turn

    def _time_settings(self, words: Words) -> str:
        """``MAIN PERIOD TURNS``; a period without turns means no limit."""
        if len(words) < 3:
            raise Refused("syntax error")
        main, period, turns = map(whole_number, words[:3])
        self.clocks = [] if period and not turns else [Clock(main, period, turns) for _ in range(2)]
        return ""

    def _time_left(self, words: Words) -> str:
        """``COLOUR SECONDS TURNS``; a controller that set no clock may still tell how it stands."""
        side = colour(words)
        if len(words) < 3:
            raise Refused("syntax error")
        left, due = whole_number(words[1].removeprefix("-")), whole_number(words[2])
        self.clocks = self.clocks or [Clock(left, 0, 0) for _ in range(2)]
        self.clocks[side].set(0 if words[1][0] == "-" else left, due)
        return ""


def is_id(word: str) -> bool:
    """Whether a word numbers a command."""
    return re.fullmatch("[0-9]{1,10}", word) is not None and int(word) <= LARGEST_ID


def first_argument(words: Words) -> str:
    """The first argument of a command; Refused if there is none."""
    if not words:
        raise Refused("syntax error")
    return words[0]


def size_of(game: Game[Any]) -> int:
    """The highest number in the names of the sites, as ranks or pits are numbered; the number of sites if none has."""
    numbers = [int(digits) for site in game.sites for digits in re.findall("[0-9]{1,9}", site)]
    return max(numbers, default=len(game.sites))


def whole_number(word: str) -> int:
    """The number from 0, of at most nine digits, that `word` is; Refused."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise Refused(f"syntax error: {clip(word)} is not a number from 0")
    return int(word)


def colour(words: Words) -> int:
    """The player (0 or 1) whose colour the first argument names; Refused."""
    side = COLOURS.get(first_argument(words).lower())
    if side is None:
        raise Refused("syntax error: the colours are black (b) and white (w)")
    return side


def lines(source: BinaryIO) -> Iterator[str]:
    """The lines of `source`; of one that is too long only the first bytes."""
    while start := source.readline(LONGEST_LINE + 3):
        rest = start
        while rest and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST_LINE)
        yield start.decode("latin-1")


def serve(gtp: Gtp, source: BinaryIO, answers: TextIO) -> None:
    """Answer line after line, until ``quit`` or the end of the lines."""
    for line in lines(source):
        answers.write(gtp.answer(line))
        answers.flush()
        if gtp.over:
            return


def run(wanted: Namespace, source: BinaryIO, answers: TextIO) -> int:
    """The command ``gtp``: serve until ``quit`` or the end of the input; the exit status. OptionError."""
    game = load(wanted.game, **dict(map(option, wanted.option)))
    compiled.tell(game)
    seconds = wanted.seconds if wanted.seconds or wanted.nodes else 1.0
    serve(Gtp(game, seconds=seconds, nodes=wanted.nodes, seed=wanted.seed), source, answers)
    return 0
