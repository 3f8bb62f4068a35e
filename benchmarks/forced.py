"""Positions with a forced win, and whether the engine finds it.

    python -m benchmarks.forced                  one second a position; --nodes N instead, --game GAME
    python -m benchmarks.forced --write          find the positions anew and write benchmarks/forced/

A position is taken from a random game, so many plies before its end or a few more, if the side to move can force a win
within these plies and not sooner, and if half of its different results at most win. This is found by looking at every
line, without any part of the engine, on positions of its own (`plain_rules`), so that the same ones are found whatever
becomes of the engine. A line of a file: plies, position, and the turns that win: in the games that fill the board every
one that does, in the others those that win as soon.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.forever import Forever, TooManyError
from benchmarks.matches import decided
from benchmarks.plain import Plain, Words, words_of
from benchmarks.players import COMPILED
from benchmarks.results import Forced as Result
from benchmarks.results import Solved, add_results_option, save
from firmware_bridge.engine import engine
from games.fast import Fast, load_fast
from games.rules import Game, Position, load, names

FOLDER = Path(__file__).parent / "forced"
DEPTHS = (1, 3, 5, 7, 9)
EACH = 32
"""Positions of each depth."""
PATIENCE = 40_000
"""Positions looked at before an answer of the engine is left aside as too hard to prove, by its fast form."""
THOROUGH = 3_000_000
"""The same for a position that is to be found: a second or two where they are compiled."""
FARTHER = 8
"""Plies farther from the end of the random game that are tried, where a game may end at any time."""
LATER = 12
"""Plies by which a win may come later than it could, to count as found without looking at all that can come."""
REACHED = 200_000
"""Positions that can come, of which all are looked at for a win that comes later still."""
TRIED = 100_000
"""Random games a depth."""


class Forced(NamedTuple):
    """A position whose side to move can force a win."""

    plies: int
    position: Position
    turns: frozenset[str]


class TooHardError(Exception):
    """More positions than patience."""


class Lines:
    """What can be forced within so many plies, by looking at every line."""

    def __init__(self, fast: Fast, patience: int = PATIENCE) -> None:
        self._fast = fast
        self._left = patience
        self._wins = lru_cache(maxsize=None)(self._look_wins)
        self._loses = lru_cache(maxsize=None)(self._look_loses)

    def after(self, state: int) -> set[int]:
        """The different states after one move."""
        return {self._fast.after(state, move) for move in self._fast.moves(state)}

    def wins(self, state: int, plies: int) -> bool:
        """Whether the side to move wins within `plies`, whatever the other does; TooHardError."""
        return self._wins(state, plies)

    def loses(self, state: int, plies: int) -> bool:
        """Whether the side to move loses within `plies`, whatever it does; TooHardError."""
        return self._loses(state, plies)

    def _look_wins(self, state: int, plies: int) -> bool:
        result = self._ended(state)
        if result is not None or not plies:
            return result == 1 - self._fast.side(state)
        return any(self._loses(after, plies - 1) for after in self.after(state))

    def _look_loses(self, state: int, plies: int) -> bool:
        result = self._ended(state)
        if result is not None or not plies:
            return result == self._fast.side(state)
        return all(self._wins(after, plies - 1) for after in self.after(state))

    def _ended(self, state: int) -> float | None:
        self._left -= 1
        if self._left < 0:
            raise TooHardError
        return decided(self._fast, state)


def random_game(plain: Plain, start: Words, seed: int) -> list[Words]:
    """The positions of a random game before its end, the first first."""
    random, positions = Random(seed), list[Words]()
    proof = plain.proof(THOROUGH)
    words = start
    while results := proof.results(words):
        positions.append(words)
        words = random.choice(results)
    return positions


def winning(plain: Plain, words: Words, plies: int) -> set[Words]:
    """What the winning turns lead to, if the win takes exactly `plies` and half of the results at most have it."""
    proof, deep = plain.proof(THOROUGH), int(plain.rules.left(*words)) or plies
    try:
        if plies > 1 and proof.wins(words, plies - 2):
            return set()
        if not proof.wins(words, plies):
            return set()
        results = set(proof.results(words))
        won = {after for after in results if proof.loses(after, deep - 1)}
    except plain.TooHardError:
        return set()
    return won if 2 * len(won) <= len(results) else set()


def found(name: str, plies: int) -> Iterator[Forced]:
    """Positions of one depth, from as many random games as are needed, no two alike."""
    game = load(name)
    plain, start, seen = Plain(game, COMPILED), words_of(game.start()), set[Words]()
    farther = 0 if plain.rules.left(*start) else FARTHER
    for seed in range(TRIED):
        path = random_game(plain, start, 100_000 * plies + seed)
        for place in range(len(path) - plies, max(-1, len(path) - plies - farther - 1), -1):
            if path[place] not in seen and (won := winning(plain, path[place], plies)):
                seen.add(path[place])
                yield told(game, plies, path[: place + 1], won)
                break


def told(game: Game[Any], plies: int, path: list[Words], won: set[Words]) -> Forced:
    """The last position of a path in the words of the rules, and its turns that lead to `won`."""
    position: Position = game.start()
    for words in path[1:]:
        position = next(turn.after for turn in game.turns(position) if words_of(turn.after) == words)
    return Forced(plies, position, frozenset(turn.text for turn in game.turns(position) if words_of(turn.after) in won))


def write(name: str) -> None:
    """Find the positions of a game and write its file."""
    lines = []
    for plies in DEPTHS:
        some = tqdm(islice(found(name, plies), EACH), f"{name}, in {plies}", EACH, leave=False)
        lines += [f"{forced.plies} | {forced.position} | {' '.join(sorted(forced.turns))}\n" for forced in some]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text("".join(lines))


def read(name: str) -> list[Forced]:
    """The positions of a game."""
    game = load(name)
    rows = (line.split(" | ") for line in (FOLDER / f"{name}.txt").read_text().splitlines())
    return [Forced(int(plies), game.position(text), frozenset(turns.split())) for plies, text, turns in rows]


def solves(name: str, forced: Forced, seconds: float | None, nodes: int | None) -> bool:
    """Whether the engine's answer is one of the turns that win, or forces the win later."""
    *_, answer = engine(load(name), playing=True).find(forced.position, seconds=seconds, nodes=nodes)
    return answer.turn in forced.turns or wins_later(name, forced, answer.turn)


def wins_later(name: str, forced: Forced, turn: str) -> bool:
    """Whether `turn` forces the win as well, but later than need be: in Zig Zag by more seeds, or when play goes round.

    Said without the engine, by every line of some plies more, or by every position that can come.
    """
    game = load(name)
    fast = load_fast(game)
    state = fast.state(forced.position)
    after = next(fast.after(state, move) for move in fast.moves(state) if fast.text(state, move) == turn)
    plain, words = Plain(game, COMPILED), words_of(fast.position(after))
    with suppress(plain.TooHardError):
        proof = plain.proof(THOROUGH if COMPILED else 4 * PATIENCE)
        if any(proof.loses(words, forced.plies - 1 + late) for late in range(2, LATER + 1, 2)):
            return True
    with suppress(TooManyError):
        return Forever(game, fast, after, REACHED).forces(forced.position.side)
    return False


def row(name: str, seconds: float | None, nodes: int | None) -> list[Solved]:
    """How many of the game's positions are solved, by depth."""
    results: dict[int, list[bool]] = {plies: [] for plies in DEPTHS}
    for forced in tqdm(read(name), desc=name, leave=False):
        results[forced.plies].append(solves(name, forced, seconds, nodes))
    return [Solved(name, plies, sum(solved), len(solved)) for plies, solved in results.items()]


def line(rows: list[Solved]) -> str:
    """The line of one game in the table: solved of all, by depth."""
    cells = (f"{row.solved}/{row.of}".rjust(8) for row in rows)
    share = sum(row.solved for row in rows) / sum(row.of for row in rows)
    return f"{rows[0].game:10}{''.join(cells)}  {100 * share:5.0f} %"


def main() -> int:
    """Print how many are found, by depth, and save it if all games were asked for; 1 unless all are found."""
    wanted = arguments()
    chosen = [wanted.game] if wanted.game else list(names())
    for name in chosen if wanted.write else ():
        write(name)
    print("win in    " + "".join(f"{plies:8}" for plies in DEPTHS) + "      all")
    found = []
    for name in chosen:
        rows = row(name, None if wanted.nodes else wanted.seconds, wanted.nodes)
        print(line(rows), flush=True)
        found += rows
    if not wanted.game:
        save("forced", Result(found), wanted)
    return any(each.solved < each.of for each in found)


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=names(), help="only this game")
    parser.add_argument("--seconds", type=float, default=1.0, help="for a position (default 1)")
    parser.add_argument("--nodes", type=int, help="for a position, instead of seconds: the same on every computer")
    add_results_option(parser)
    parser.add_argument(
        "--write", action="store_true", help="find the positions anew first; minutes, if the engine is compiled"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
