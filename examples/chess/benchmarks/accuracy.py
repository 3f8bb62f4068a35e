"""Whole games of chess by Stockfish, read by a table that senses presence and, beside it, in two other ways.

    python -m examples.chess.benchmarks.accuracy                 200 games, ten minutes; begun again, it goes on
    python -m examples.chess.benchmarks.accuracy --games 10 --first 40 --style "in hand"

Run it in the folder of the repository. Each game begins with a few random turns, so no two are the same; the program
that plays on is asked for a fixed number of nodes, so a seed is the same game everywhere with the same program. The
hands are clean, and of another style in each game. What right, asked, missed and wrong mean, and what the other two
readers are, `benchmarks.accuracy` and `benchmarks.rivals` say.

A promotion is a turn in which a pawn is exchanged: presence tells that there was one, and not for what, so the table
must ask. They are counted apart from all other turns.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import chess
import chess.engine
import msgspec
from tablelight_chess.rules import written
from tablelight_chess.search import NoProgram, program
from tqdm import tqdm

from benchmarks.cells import Cell
from benchmarks.followed import TABLE, Playing
from benchmarks.results import Counted, Followed, Games, Reading, commit, save
from benchmarks.rivals import READINGS
from games.rules import Position, Turn, load
from hardware.device import Sense
from hardware.simulation.hands import IN_HAND, STYLES, Style

HERE = Path(__file__).parents[1]
RESULTS = HERE / "results"
BEGUN = HERE.parents[1] / "build" / "chess"
"""Where the games that are done are kept, one file each, until all are; a folder for each commit."""

CELL = Cell("chess", Sense.PRESENCE)
HANDS: dict[str, Style] = {
    "in order": STYLES["finger"],
    "captures first": STYLES["captures first"],
    "in hand": IN_HAND,
    "quick": STYLES["quick"],
    "slow": STYLES["slow"],
    "done": STYLES["done"],
}
"""The styles that differ where no row is pushed."""
OPENING = range(2, 13)
"""How many random turns a game begins with; guessed."""
NODES = 400
"""How much the program looks at for a turn: enough for games as people play them."""
LONGEST = 150
"""Turns after which a game is left."""
PLAIN = len("e2-e4")
"""The length of the text of a turn in which no pawn is exchanged."""


# Playing --------------------------------------------------------------------------------------


def composed(engine: chess.engine.SimpleEngine, seed: int) -> chess.Board:
    """The game of this seed."""
    choose, board = Random(seed), chess.Board()
    for _ in range(choose.choice(OPENING)):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if moves:
            board.push(choose.choice(moves))
    while len(board.move_stack) < LONGEST and not board.is_game_over(claim_draw=True):
        found = engine.play(board, chess.engine.Limit(nodes=NODES), game=seed)
        if found.move is None:
            break
        board.push(found.move)
    return board


def made(board: chess.Board) -> Iterator[Turn[Position]]:
    """The turns of that game."""
    game = load("chess")
    position = game.start()
    for move in board.move_stack:
        turn = next(turn for turn in game.turns(position) if turn.text == written(move))
        yield turn
        position = turn.after


class Following(Playing):
    """A game that was composed before; `by_turn` has how each reader has read each turn, from 1."""

    def __init__(self, board: chess.Board, style: Style, seed: int) -> None:
        super().__init__(CELL, style, seed)
        self.turns = made(board)
        self.by_turn: dict[str, dict[int, str]] = {name: {} for name in READINGS}

    def judge(self) -> bool:
        """See `Playing`; and note what the other readers have made of this turn."""
        before = {name: Counter(self._others.tallies[name].count) for name in READINGS}
        right = super().judge()
        for name, was in before.items():
            for verdict in (self._others.tallies[name].count - was).keys() - {"turns"}:
                self.by_turn[name][len(self.accepted)] = verdict
        self.by_turn[TABLE] = self._verdicts
        return right


def played(engine: chess.engine.SimpleEngine, seed: int, style: str) -> Followed:
    """The game of this seed by hands of this style, as it was read."""
    board = composed(engine, seed)
    following = Following(board, HANDS[style], seed)
    try:
        following.play(LONGEST)
    finally:
        following.simulation.close()
    ended = board.outcome(claim_draw=True)
    outcome = ended.termination.name.lower().replace("_", " ") if ended else "left"
    wrong = f"{style}, seed {seed}, turn {following.at}: {following.what}" if following.what else ""
    read = {name: letters(verdicts) for name, verdicts in following.by_turn.items()}
    return Followed(seed, style, outcome, " ".join(map(written, board.move_stack)), read, wrong)


def letters(verdicts: dict[int, str]) -> str:
    """How each turn from 1 was read, a letter each."""
    return "".join(verdict[0] for number, verdict in sorted(verdicts.items()) if number)


# All games ------------------------------------------------------------------------------------


def games(wanted: argparse.Namespace, command: list[str]) -> Iterator[Followed]:
    """The games that were asked for, those kept from before among them; each is kept as it is done."""
    styles = list(HANDS)
    seeds = range(wanted.first, wanted.first + wanted.games)
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        for seed in tqdm(seeds, desc="games", unit="game"):
            style = wanted.style or styles[seed % len(styles)]
            kept = begun() / f"{seed} {style}.json"
            if not kept.exists():
                half = kept.with_suffix(".part")
                half.write_bytes(msgspec.json.encode(played(engine, seed, style)))
                half.rename(kept)
            game = msgspec.json.decode(kept.read_bytes(), type=Followed)
            if game.wrong:
                tqdm.write(game.wrong, file=sys.stderr)
            yield game


@cache
def begun() -> Path:
    """Where the games are kept that this state of the program has read; empty if it is no commit."""
    state = commit() or "+"
    folder = BEGUN / state
    if state.endswith("+") and folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def counted(games: Iterable[Followed], promotions: bool | None = None) -> Counted:
    """How the turns were read: all, only those in which a pawn is exchanged, or only the others."""
    count: dict[str, Counter[str]] = {name: Counter() for name in (TABLE, *READINGS)}
    for game in games:
        for name, read in game.read.items():
            for text, letter in zip(game.turns.split(), read, strict=False):
                if promotions is None or promotions == (len(text) > PLAIN):
                    count[name][letter] += 1
    readers = {name: Reading(each["r"], each["a"], each["m"], each["w"], None) for name, each in count.items()}
    return Counted(count[TABLE].total(), readers)


def total(games: list[Followed], program: str) -> Games:
    """The sums over these games, played by the program of this name."""
    rows = {"all": counted(games), "promotions": counted(games, True), "others": counted(games, False)}
    for style in HANDS:
        if by_these := [game for game in games if game.style == style]:
            rows[f"hands: {style}"] = counted(by_these)
    return Games(program, rows, games)


def tell(figures: Games) -> None:
    """Print the sums as a table in Markdown."""
    names = (TABLE, *READINGS)
    print("| | turns | " + " | ".join(f"{name}: right / asked / missed / wrong" for name in names) + " |")
    print("|---|---:|" + "---:|" * len(names))
    for row, read in figures.rows.items():
        each = (f"{r.right} / {r.asked} / {r.missed} / {r.wrong}" for r in read.readers.values())
        print(f"| {row} | {read.turns} | {' | '.join(each)} |")


def main() -> None:
    """Play the games, print the table, and save it if no style was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="how many games (200)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (0)")
    parser.add_argument("--style", choices=list(HANDS), help="the hands; all by turns if none is named")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the result (examples/chess/results)")
    wanted = parser.parse_args()
    try:
        command = program()
        with chess.engine.SimpleEngine.popen_uci(command) as engine:
            name = engine.id["name"]
    except NoProgram as missing:
        parser.exit(1, f"{missing}\n")
    figures = total(list(games(wanted, command)), name)
    tell(figures)
    if not wanted.style:
        save("accuracy", figures, wanted, seeds=f"{wanted.first} to {wanted.first + wanted.games - 1}")
        shutil.rmtree(begun())


if __name__ == "__main__":
    main()
