"""Whole games of chess by Stockfish, read by a table that senses presence and, beside it, in two other ways.

    python -m examples.chess.benchmarks.accuracy                 200 games, ten minutes; begun again, it goes on
    python -m examples.chess.benchmarks.accuracy --games 10 --first 40 --style "in hand"

Run it in the folder of the repository. Each game begins with a few random turns, so no two are the same; the program
that plays on is asked for a fixed number of nodes, so a seed is the same game everywhere with the same program. The
hands are clean, and of another style in each game. What right, asked, missed and wrong mean, and what the other two
readers are, `benchmarks.accuracy` and `benchmarks.rivals` say.

*Promotion* is a turn in which a pawn is exchanged: of these, presence can tell nothing but that there was one, so
they must be asked about. They are counted apart: `others` are all other turns.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
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
from benchmarks.results import Plain, Reading, save
from benchmarks.rivals import READINGS
from benchmarks.tally import reading
from games.rules import Position, Turn, load
from hardware.device import Sense
from hardware.simulation.hands import IN_HAND, STYLES, Style

HERE = Path(__file__).parents[1]
RESULTS = HERE / "results"
BEGUN = HERE.parents[1] / "build" / "chess"
"""Where the games that are done are kept, one file each, until all are."""

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
VERDICTS = ("right", "asked", "missed", "wrong")
PLAIN = len("e2-e4")
"""The length of the text of a turn in which no pawn is exchanged."""


class Game(Plain, frozen=True):
    """One game: by whose hands, its turns, and how each reader has read them, all and those that are no promotions."""

    seed: int
    style: str
    turns: list[str]
    outcome: str
    readers: dict[str, Reading]
    others: dict[str, Reading]
    asked: list[str] = []
    """The turns that the table asked about, with their numbers from 1."""
    wrong: str = ""


class Games(Plain, frozen=True):
    """chess: all games, the sums over them, and by which program they were played."""

    program: str
    turns: int
    promotions: int
    readers: dict[str, Reading]
    others: dict[str, Reading]
    styles: dict[str, dict[str, Reading]]
    wrong: list[str]
    games: list[Game]


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


class Followed(Playing):
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


def played(engine: chess.engine.SimpleEngine, seed: int, style: str) -> Game:
    """The game of this seed by hands of this style, as it was read."""
    board = composed(engine, seed)
    playing = Followed(board, HANDS[style], seed)
    try:
        playing.play(LONGEST)
    finally:
        playing.simulation.close()
    texts = [written(move) for move in board.move_stack]
    tallies = playing.tallies()
    whole = {name: reading(tallies[name]) for name in (TABLE, *READINGS)}
    plain = {name: counted(verdicts, texts) for name, verdicts in playing.by_turn.items()}
    asked = [
        f"{number} {texts[number - 1]}" for number, verdict in playing.by_turn[TABLE].items() if verdict == "asked"
    ]
    ended = board.outcome(claim_draw=True)
    wrong = f"{style}, seed {seed}, turn {playing.at}: {playing.what}" if playing.what else ""
    return Game(seed, style, texts, ended.termination.name.lower() if ended else "left", whole, plain, asked, wrong)


def counted(verdicts: dict[int, str], texts: list[str]) -> Reading:
    """How many of the turns that are no promotions were read so."""
    count = Counter(verdict for number, verdict in verdicts.items() if number and len(texts[number - 1]) == PLAIN)
    return Reading(count["right"], count["asked"], count["missed"], count["wrong"], None)


# All games ------------------------------------------------------------------------------------


def games(wanted: argparse.Namespace, command: list[str]) -> Iterator[Game]:
    """The games that were asked for, those kept from before among them; each is kept as it is done."""
    styles = list(HANDS)
    seeds = range(wanted.first, wanted.first + wanted.games)
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        for seed in tqdm(seeds, desc="games", unit="game"):
            style = wanted.style or styles[seed % len(styles)]
            kept = BEGUN / f"{seed} {style}.json"
            if not kept.exists():
                kept.parent.mkdir(parents=True, exist_ok=True)
                half = kept.with_suffix(".part")
                half.write_bytes(msgspec.json.encode(played(engine, seed, style)))
                half.rename(kept)
            game = msgspec.json.decode(kept.read_bytes(), type=Game)
            if game.wrong:
                tqdm.write(game.wrong, file=sys.stderr)
            yield game


def summed(readings: Iterable[Reading]) -> Reading:
    """The sum, without waits."""
    each = list(readings)
    right, asked, missed, wrong = (sum(getattr(one, part) for one in each) for part in VERDICTS)
    return Reading(right, asked, missed, wrong, None)


def total(all_: list[Game], name: str) -> Games:
    """The sums over these games, played by the program of this name."""
    names = (TABLE, *READINGS)
    readers = {reader: summed(game.readers[reader] for game in all_) for reader in names}
    others = {reader: summed(game.others[reader] for game in all_) for reader in names}
    styles = {
        style: {reader: summed(game.readers[reader] for game in all_ if game.style == style) for reader in names}
        for style in HANDS
        if any(game.style == style for game in all_)
    }
    turns, plain = (sum((r.right, r.asked, r.missed, r.wrong)) for r in (readers[TABLE], others[TABLE]))
    wrong = [game.wrong for game in all_ if game.wrong]
    return Games(name, turns, turns - plain, readers, others, styles, wrong, all_)


def tell(figures: Games) -> None:
    """Print the sums as a table in Markdown."""
    print("| turns | " + " | ".join(f"{name}: right / asked / missed / wrong" for name in figures.readers) + " |")
    print("|---|" + "---:|" * len(figures.readers))
    rows = {"all": figures.readers, "without promotions": figures.others} | figures.styles
    for row, readers in rows.items():
        told = (f"{r.right} / {r.asked} / {r.missed} / {r.wrong}" for r in readers.values())
        print(f"| {row} | {' | '.join(told)} |")


def main() -> None:
    """Play the games, print the table, and save it if no style was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="how many games (200)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (0)")
    parser.add_argument("--style", choices=list(HANDS), help="the hands; all by turns if none is named")
    parser.add_argument("--fresh", action="store_true", help="play again what was played before this was stopped")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the result (examples/chess/results)")
    wanted = parser.parse_args()
    try:
        command = program()
        with chess.engine.SimpleEngine.popen_uci(command) as engine:
            name = engine.id["name"]
    except NoProgram as missing:
        parser.exit(1, f"{missing}\n")
    if wanted.fresh and BEGUN.exists():
        shutil.rmtree(BEGUN)
    figures = total(list(games(wanted, command)), name)
    tell(figures)
    if not wanted.style:
        save("accuracy", figures, wanted, seeds=f"{wanted.first} to {wanted.first + wanted.games - 1}")


if __name__ == "__main__":
    main()
