"""Finds the puzzles of the games in games of the engine with itself, and writes them beside the rules.

    python -m benchmarks.puzzles --write         every game, or --game GAME; takes half an hour

The engine plays itself at low levels; the number of a game is its seed. From its last position backward each game is
searched for one that has exactly one turn that decides, and gives one puzzle at most.

1. *In games that fill the board* (`Bounded`) every line is played out. A puzzle goes on as long as one turn alone keeps
   what the position is worth; of the answers the one is taken after which it goes on longest.
2. *In the others* a win is forced within so many turns, and not sooner; no other turn wins as soon. That is proved by
   looking at every line, without the engine. The answers make the win take longest.
3. *To hold*: every other turn lets the other side force a win within `LOSES` turns.
4. Turns with one result are one turn, and so are those that differ only in what they take.
5. *Order*: by the turns to find, then by how much the engine looks at until it has found the first one for good.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from tqdm import tqdm

from benchmarks.forced import Lines, TooHardError
from firmware_bridge.engine import engine
from firmware_bridge.engine.exact import Exact
from firmware_bridge.engine.levels import chosen
from games.fast import Bounded, Fast, load_fast
from games.puzzles import alike, to_find
from games.rules import Game, Position, Puzzle, Turn, game_class, load, names

WANTED = {1: 12, 2: 12, 3: 8}
"""Puzzles of a game by the turns to find."""
HELD = 4
"""Puzzles of a game in which a turn holds, at the most; they are among those with one turn."""
LEVELS = (2, 3, 4)
"""Levels of the engine at which games are played, by turns."""
LONGEST = 160
"""Turns of a game at most: some go round for ever."""
FILLED = 12
"""Turns before the board is full from which positions are looked at, where the game is played out from there at all."""
BACK = 24
"""Positions of a game that are looked at, from its end, where the board does not fill."""
LOSES = 2
"""Turns within which all but one turn lose."""
CHOICES = 4
"""Different results that a position with one turn to find has at least: guessed, else there is nothing to look for."""
PATIENCE = 60_000
"""Positions looked at for one proof."""
LOOKED = 20_000
"""Positions, or ten times the random games, that the engine looks at to tell how hard a puzzle is."""
SAFE = 0.25
"""The expected score that the engine must see in a turn that holds."""
TRIED = 600
"""Games at most."""


class Found(NamedTuple):
    """A puzzle, and how much the engine looked at to find its first turn."""

    puzzle: Puzzle
    effort: int

    @property
    def order(self) -> tuple[int, int]:
        """What puts the easier ones first."""
        return to_find(self.puzzle), self.effort


# Games of the engine with itself ------------------------------------------------------------------


def played(game: Game[Any], number: int) -> list[Position]:
    """The positions of game `number`, the first one first."""
    position: Position = game.start()
    stood: list[Position] = []
    while len(stood) < LONGEST and game.turns(position):
        level = LEVELS[(number + len(stood) % 2) % len(LEVELS)]
        if [turn.text for turn in game.turns(position)] != ["pass"]:
            stood.append(position)
            text = chosen(game, level, position, seed=1000 * number + len(stood)).turn
        else:
            text = "pass"
        position = next(turn.after for turn in game.turns(position) if turn.text == text)
    return stood


# What decides -------------------------------------------------------------------------------------


class Played:
    """What decides in games that fill the board: every line is played out."""

    def __init__(self, game: Game[Any], fast: Bounded) -> None:
        core = fast.core()
        assert core
        self._game, self._fast, self._exact = game, fast, Exact(core)

    def near(self, stood: Sequence[Position]) -> Iterator[Position]:
        """The positions near the end, the last one first."""
        most = min(FILLED, self._fast.exact)
        return (each for each in reversed(stood) if 0 < self._fast.left(self._fast.state(each)) <= most)

    def worth(self, position: Position, side: int) -> float:
        """What the position is worth for `side`: 0, 0.5 or 1."""
        value = self._exact.value(self._fast.state(position))
        return value if side == position.side else 1 - value

    def deciding(self, position: Position) -> list[Turn[Any]]:
        """The turns that keep what the position is worth, if others do not."""
        worth = {turn: self.worth(turn.after, position.side) for turn in self._game.turns(position)}
        best, worst = max(worth.values(), default=0.0), min(worth.values(), default=0.0)
        return [turn for turn, value in worth.items() if value == best] if best > worst else []

    def puzzle(self, position: Position) -> Puzzle | None:
        """The puzzle of `position`, if it is one."""
        turns = self.line(position)
        goal = "win" if turns and self.worth(position, position.side) == 1 else "hold"
        return Puzzle(str(position), cast(Any, goal), tuple(turns), options(self._game)) if turns else None

    def line(self, position: Position) -> list[str]:
        """The turns to find and their answers, as long as there is one turn alone."""
        good = self.deciding(position)
        if not good or not alike(good) or not good[0].acts:
            return []
        return [good[0].text, *self.onward(good[0].after)]

    def onward(self, position: Position) -> list[str]:
        """The answer after which the puzzle goes on longest, and how; nothing where it does not go on."""
        kept = [turn for turn in self._game.turns(position) if turn.acts]
        if kept:
            least = {turn: self.worth(turn.after, position.side) for turn in kept}
            kept = [turn for turn in kept if least[turn] == max(least.values())]
        lines = [[turn.text, *self.line(turn.after)] for turn in one_each(kept)]
        best = max(lines, key=len, default=[])
        return best if len(best) > 1 else []


class Searched:
    """What decides in all other games: a win is forced within so many turns."""

    def __init__(self, game: Game[Any], fast: Fast) -> None:
        self._game, self._fast = game, fast
        self._search = engine(game)

    def near(self, stood: Sequence[Position]) -> Iterator[Position]:
        """The positions near the end, the last one first."""
        return reversed(stood[-BACK:])

    def wins(self, position: Position, turns: int) -> bool:
        """Whether the side to move forces a win within so many turns; TooHardError."""
        return Lines(self._fast, PATIENCE).wins(self._fast.state(position), 2 * turns - 1)

    def winning(self, position: Position, turns: int) -> list[Turn[Any]]:
        """The turns that force the win within so many turns of the side to move; TooHardError."""
        lines = Lines(self._fast, PATIENCE)
        legal = self._game.turns(position)
        lost = {turn.after for turn in one_each(legal) if lines.loses(self._fast.state(turn.after), 2 * turns - 2)}
        return [turn for turn in legal if turn.after in lost]

    def puzzle(self, position: Position) -> Puzzle | None:
        """The puzzle of `position`, if it is one."""
        with suppress(TooHardError):
            for turns in WANTED:
                if self.wins(position, turns):
                    line = self.line(position, turns)
                    return Puzzle(str(position), "soon", tuple(line), options(self._game)) if line else None
        with suppress(TooHardError):
            if held := self.holding(position):
                return Puzzle(str(position), "hold", (held,), options(self._game))
        return None

    def line(self, position: Position, turns: int) -> list[str]:
        """The turns to find and their answers, if each is the only one that wins so soon; else nothing."""
        good = self.winning(position, turns)
        if not good or not alike(good) or not good[0].acts:
            return []
        if turns == 1:
            return [good[0].text]
        if len({turn.after for turn in good}) > 1:
            return []
        return self.onward(good[0], turns - 1)

    def onward(self, turn: Turn[Any], turns: int) -> list[str]:
        """`turn`, and the answer that lets the win take so many turns more, if each is then the only one."""
        for reply in one_each(self._game.turns(turn.after)):
            if not reply.acts or not self._game.turns(reply.after):
                continue
            if (turns > 1 and self.wins(reply.after, turns - 1)) or not self.wins(reply.after, turns):
                continue
            if rest := self.line(reply.after, turns):
                return [turn.text, reply.text, *rest]
        return []

    def holding(self, position: Position) -> str:
        """The one turn after which the other side does not force a win within `LOSES` turns; empty if there is none."""
        legal = self._game.turns(position)
        if len({turn.after for turn in legal}) < CHOICES:
            return ""
        kept: list[Turn[Any]] = []
        for turn in one_each(legal):
            if not self.wins(turn.after, LOSES):
                kept.append(turn)
                if not alike(kept):
                    return ""
        holds = kept and kept[0].acts and not self.wins(kept[0].after, LOSES + 1)
        if not holds:
            return ""
        value = 1 - self._value(kept[0].after)
        return kept[0].text if value > SAFE else ""

    def _value(self, position: Position) -> float:
        """What the engine expects for the side to move."""
        if not self._game.turns(position):
            return 0.0
        *_, found = self._search.find(position, nodes=LOOKED)
        return found.value


def one_each(turns: Sequence[Turn[Any]]) -> list[Turn[Any]]:
    """One turn for each result, in their order."""
    return list({turn.after: turn for turn in reversed(turns)}.values())[::-1]


def options(game: Game[Any]) -> tuple[tuple[str, int | str], ...]:
    """The options of `game` that are not the usual ones."""
    return tuple((name, value) for name, value in game.chosen.items() if value != game.options[name][0])


# All puzzles of a game ----------------------------------------------------------------------------


def effort(game: Game[Any], puzzle: Puzzle) -> int:
    """What the engine has looked at when it has found the first turn for good."""
    position = game.position(puzzle.position)
    good = next(turn for turn in game.turns(position) if turn.text == puzzle.turns[0])
    legal = {turn.text: turn for turn in game.turns(position)}
    missed = 0
    for found in engine(game).find(position, nodes=LOOKED if hasattr(load_fast(game), "weigh") else LOOKED // 10):
        if not alike([legal[found.turn], good]):
            missed = found.nodes
    return missed


def search(name: str) -> list[Found]:
    """The puzzles of the game `name`, the easier ones first."""
    left, held = dict(WANTED), HELD
    made: list[Found] = []
    games = [load(name, **dict(each)) for each in variants(name)]
    finders = [finder(game) for game in games]
    for number in tqdm(range(TRIED), desc=name):
        game, decides = games[number % len(games)], finders[number % len(games)]
        best: Puzzle | None = None
        for position in decides.near(played(game, number)):
            puzzle = decides.puzzle(position)
            if not puzzle or not left.get(to_find(puzzle)) or (puzzle.goal == "hold" and not held):
                continue
            few = len({turn.after for turn in game.turns(position)}) < CHOICES
            if not (few and to_find(puzzle) == 1) and (not best or to_find(puzzle) > to_find(best)):
                best = puzzle
        if best and all(best.position != each.puzzle.position for each in made):
            left[to_find(best)] -= 1
            held -= best.goal == "hold"
            made.append(Found(best, effort(game, best)))
            print(name, number, best, flush=True)
        if not any(left.values()):
            break
    return sorted(made, key=lambda each: each.order)


def variants(name: str) -> list[dict[str, int | str]]:
    """The options with which games are played: those of the lessons, and the usual ones."""
    learnt = dict(game_class(name).lesson_options)
    return [learnt, {}] if learnt else [{}]


def finder(game: Game[Any]) -> Played | Searched:
    """What finds the puzzles of `game`."""
    fast = load_fast(game)
    return Played(game, cast(Bounded, fast)) if hasattr(fast, "left") else Searched(game, fast)


def write(name: str, found: Sequence[Found]) -> None:
    """Write the puzzles beside the rules of the game."""
    title = load(name).title
    lines = [f'"""Puzzles of {title}, from easy to hard, as benchmarks.puzzles has found them."""', ""]
    lines += ["from games.rules import Puzzle", "", "PUZZLES = ("]
    lines += [f"    Puzzle({', '.join(map(repr, each.puzzle[: 4 if each.puzzle.options else 3]))})," for each in found]
    path = Path(__file__).parents[1] / "games" / name.replace("-", "_") / "puzzles.py"
    path.write_text("\n".join([*lines, ")", ""]))
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(path)], check=True)


def main() -> int:
    """Find and write; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=names(), help="only this game")
    parser.add_argument("--write", action="store_true", help="write the files beside the rules")
    wanted = parser.parse_args()
    for name in [wanted.game] if wanted.game else names():
        found = search(name)
        print(name, {turns: sum(to_find(each.puzzle) == turns for each in found) for turns in WANTED})
        if wanted.write:
            write(name, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
