"""Whole random games by simulated hands, followed by the table: how many turns were right, asked about, wrong.

A turn is wrong when the table has it wrong, or not at all, once the next turn has begun.

    make accuracy            300 games a cell
    python -m benchmarks.accuracy --games 20 --cell zong-heng:presence
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tqdm import tqdm

from firmware_bridge.evening import Evening, open_evening
from firmware_bridge.sheet import Sheet
from games.rules import Game, Position, Turn, load, names
from hardware.device import Sense
from hardware.hands import STYLES, Style

LONGEST = 120
"""Turns after which a game is left: two of the games can go on for ever."""


class Cell(NamedTuple):
    """A game and what its sensors can tell."""

    game: str
    sense: Sense

    def __str__(self) -> str:
        return f"{self.game}:{self.sense.value}"


def cells() -> list[Cell]:
    """Every game under every sense that makes sense for its pieces."""
    seeing = {"stones": (Sense.PRESENCE, Sense.COLOUR), "seeds": (Sense.PRESENCE, Sense.COUNT)}
    return [Cell(name, sense) for name in names() for sense in seeing[load(name).pieces]]


def random_turns(game: Game[Position], seed: int) -> Iterator[Turn[Position]]:
    """A random game; forced passes are the table's to play, and left out."""
    choose, position = random.Random(seed), game.start()
    while turns := game.turns(position):
        turn = choose.choice(turns)
        if turn.text != "pass":
            yield turn
        position = turn.after


def game_of(cell: Cell, style: Style, seed: int) -> Counter[str]:
    """Play one game; counts turns, asked and wrong."""
    game = load(cell.game)
    sitting = open_evening(Sheet(game, house_rule=False), cell.sense)
    sitting.run(0.1)
    count: Counter[str] = Counter()
    accepted: list[Turn[Position]] = []
    for turn in random_turns(game, seed):
        if not follows(sitting, turn, accepted, style, count) or len(accepted) == LONGEST:
            return count
    sitting.press("done")
    sitting.answer(accepted[-1])
    count["wrong"] += not agrees(sitting, accepted)
    return count


def follows(
    sitting: Evening, turn: Turn[Position], accepted: list[Turn[Position]], style: Style, count: Counter[str]
) -> bool:
    """Make `turn`; whether the table has all those before it right, once this one has begun."""
    seen = len(sitting.events)
    sitting.play(turn, style)
    sitting.until_touched(0.05)
    right = agrees(sitting, accepted)
    sitting.finish(turn, style)
    count["turns"] += 1
    count["asked"] += any(event.name == "asked" for event in sitting.events[seen:])
    count["wrong"] += not right
    accepted.append(turn)
    return right


def agrees(sitting: Evening, accepted: list[Turn[Position]]) -> bool:
    """Whether the table has accepted these turns, or, begun already, one more."""
    played = [moment.turn.after for moment in sitting.table.sheet.moments if moment.turn.text != "pass"]
    return played[: len(accepted)] == [turn.after for turn in accepted]


def main() -> None:
    """Print the table of all cells, with progress."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="games a cell, spread over the styles (default 300)")
    parser.add_argument("--cell", choices=list(map(str, cells())), help="only this cell")
    wanted = parser.parse_args()
    chosen = [cell for cell in cells() if wanted.cell in (None, str(cell))]
    print("| game | sensed | hands | turns | asked | wrong |\n|---|---|---|---:|---:|---:|")
    for cell in chosen:
        for hands, count in by_hands(cell, wanted.games).items():
            share = f"{100 * count['asked'] / max(1, count['turns']):.1f} %"
            row = (cell.game, cell.sense.value, hands, count["turns"], share, count["wrong"])
            tqdm.write(f"| {' | '.join(map(str, row))} |")


def by_hands(cell: Cell, games: int) -> dict[str, Counter[str]]:
    """The counts of the hands that leave gaps, and of those that push with the new stone."""
    total: dict[str, Counter[str]] = {"with gaps": Counter(), "new stone pushes": Counter()}
    styles = list(STYLES.values())
    for seed in tqdm(range(games), desc=str(cell), unit="game", leave=False):
        style = styles[seed % len(styles)]
        hands = "new stone pushes" if style.row == "new stone" else "with gaps"
        total[hands] += game_of(cell, style, seed)
    return total


if __name__ == "__main__":
    main()
