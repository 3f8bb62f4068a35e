"""Whole random games by simulated hands, followed by the table: how many turns were right, asked about, wrong.

A turn is wrong when the table has it wrong, or not at all, once the next turn has begun.

    make accuracy            300 games a cell
    python -m benchmarks.accuracy --games 20 --cell zong-heng:presence
    python -m benchmarks.accuracy --hands clumsy child --fault none weak --turns 200

With fumbling hands or sick sensors a turn that the table has not got at all is *missed*: it shows that it waits, or
what it misses. Players then press Done and answer (the turn counts as asked); if that does not help, the game is left.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import count as count_from
from itertools import product
from typing import NamedTuple

from tqdm import tqdm

from firmware_bridge.evening import open_evening
from firmware_bridge.sheet import Sheet
from firmware_bridge.verdict import Complete
from games.rules import Game, Position, Turn, load, names
from hardware.device import Sense
from hardware.fumbles import HANDS, Hands, Made
from hardware.hands import STYLES, Style
from hardware.sick import FAULTS, suits

LONGEST = 120
"""Turns after which a game is left: two of the games can go on for ever."""

GIVEN_UP = 3.0
"""Seconds that pass after a turn was given up, before it is begun again."""


class Cell(NamedTuple):
    """A game and what its sensors can tell."""

    game: str
    sense: Sense

    def __str__(self) -> str:
        return f"{self.game}:{self.sense.value}"


class Trouble(NamedTuple):
    """Whose hands, and what ails the sensors: names of `HANDS` and `FAULTS`."""

    hands: str = "steady"
    fault: str = "none"


CLEAN = Trouble()


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


class Wrong(NamedTuple):
    """What a table got wrong, and how to see it again."""

    cell: Cell
    style: str
    trouble: Trouble
    seed: int
    turn: int
    """Which turn of the game, from 1."""
    what: str

    def __str__(self) -> str:
        hands = f"{self.style}, {self.trouble.hands} hands, {self.trouble.fault} sensors"
        return f"{self.cell} {hands}, seed {self.seed}, turn {self.turn}: {self.what}"


class Playing:
    """One game, followed by the table; counts turns, and those asked about, missed and wrong."""

    def __init__(self, cell: Cell, style: Style, seed: int, trouble: Trouble = CLEAN) -> None:
        hands = Hands(HANDS[trouble.hands], seed) if HANDS[trouble.hands] else None
        sheet = Sheet(load(cell.game), house_rule=False)
        self.sitting = open_evening(sheet, cell.sense, hands=hands, faults=(FAULTS[trouble.fault], seed))
        self.turns = random_turns(sheet.game, seed)
        self.style = style
        self.accepted: list[Turn[Position]] = []
        self.count: Counter[str] = Counter()
        self.fumbles: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
        """What the hands fumbled, by the number of the turn."""
        self.what = ""
        """What went wrong, if anything."""
        self.at = 0
        """In which turn, from 1."""

    def play(self, longest: int) -> Counter[str]:
        """Play to the end, for `longest` turns, or until the table has it wrong."""
        self.sitting.run(0.1)
        for turn in self.turns:
            if not self.follows(turn) or len(self.accepted) == longest:
                return self.count
        self.sitting.press("done")
        self.sitting.answer(self.accepted[-1])
        self.judge()
        return self.count

    def follows(self, turn: Turn[Position]) -> bool:
        """Make `turn`; whether the table has all those before it right, once this one has begun."""
        seen, right = len(self.sitting.events), True
        made = prompted = False
        while right and not made:  # a turn that is given up is begun again
            right, made = self.begins(turn)
            prompted = made and self.finish(turn)
            self.sitting.run(0 if made else GIVEN_UP)
        self.count["turns"] += 1
        self.count["asked"] += prompted or any(event.name == "asked" for event in self.sitting.events[seen:])
        self.accepted.append(turn)
        return right

    def begins(self, turn: Turn[Position]) -> tuple[bool, bool]:
        """Begin `turn`; whether the table has those before it right by now, and whether this one will be made."""
        self.sitting.play(turn, self.style)
        fumbled = self.sitting.made or Made([])
        self.fumbles[len(self.accepted) + 1] += fumbled.kinds
        self.sitting.until_touched(0.05, fumbled.begins)
        return self.judge(), fumbled.made

    def finish(self, turn: Turn[Position]) -> bool:
        """As players do who see whether the table has got it; if not, they press Done, and answer, and it is True."""
        sitting = self.sitting
        sitting.finish(turn, self.style)
        if len(self.played()) > len(self.accepted) or isinstance(sitting.table.verdict, Complete):
            return False
        sitting.press("done")
        sitting.answer(turn)
        return True

    def played(self) -> list[Turn[Position]]:
        """The turns that the table has accepted; passes it plays by itself."""
        return [moment.turn for moment in self.sitting.table.sheet.moments if moment.turn.text != "pass"]

    def judge(self) -> bool:
        """Whether the table has accepted these turns, or, begun already, one more."""
        played = self.played()
        results, due = [turn.after for turn in played], [turn.after for turn in self.accepted]
        if self._waits():  # for a lift that it has not seen yet
            results.append(due[-1])
        if results[: len(due)] == due and len(results) <= len(due) + 1:
            return True
        missed = results == due[:-1]
        self.count["missed" if missed else "wrong"] += 1
        self.at = len(self.accepted)
        self.what = f"{'missed' if missed else 'wrong'}: {self._tell(played)}"
        return False

    def _waits(self) -> bool:
        """Whether the table has the last turn whole, and only waits for the next to begin."""
        verdict = self.sitting.table.verdict
        whole = isinstance(verdict, Complete) and len(self.played()) == len(self.accepted) - 1
        return whole and verdict.way.turn.after == self.accepted[-1].after

    def _tell(self, played: list[Turn[Position]]) -> str:
        """Which turns differ, what the table shows, and what the hands fumbled there."""
        number = len(self.accepted)
        same = [turn.after == due.after for turn, due in zip(played, self.accepted, strict=False)]
        first = same.index(False) if False in same else min(len(played), number)
        texts = [" ".join(turn.text for turn in turns[first:]) or "nothing" for turns in (played, self.accepted)]
        happened = [(turn, self.fumbles[turn]) for turn in range(number - 1, number + 2) if self.fumbles[turn]]
        fumbled = [f"{', '.join(kinds)} in turn {turn}" for turn, kinds in happened]
        shown = type(self.sitting.table.verdict).__name__
        return "; ".join([f"has {texts[0]} for {texts[1]}, shows {shown}", *fumbled, *self._ill()])

    def _ill(self) -> list[str]:
        """The sites that are sick."""
        sites = self.sitting.table.game.sites
        return [f"{', '.join(kinds)}: {sites[site]}" for site, kinds in self.sitting.ill.items()]


def by_hands(cell: Cell, games: int) -> dict[str, Counter[str]]:
    """The counts of the hands that leave gaps, and of those that push with the new stone."""
    total: dict[str, Counter[str]] = {"with gaps": Counter(), "new stone pushes": Counter()}
    styles = list(STYLES.values())
    for seed in tqdm(range(games), desc=str(cell), unit="game", leave=False):
        style = styles[seed % len(styles)]
        hands = "new stone pushes" if style.row == "new stone" else "with gaps"
        count = Playing(cell, style, seed).play(LONGEST)
        total[hands] += count + Counter(wrong=count["missed"])
    return total


def in_trouble(cell: Cell, trouble: Trouble, turns: int, longest: int = 30) -> tuple[Counter[str], list[Wrong]]:
    """The counts over at least `turns` turns by hands of every style that leaves gaps, and what went wrong."""
    styles = [name for name, style in STYLES.items() if style.gap]
    total, found = Counter[str](), []
    for seed in count_from(0):
        style = styles[seed % len(styles)]
        playing = Playing(cell, STYLES[style], seed, trouble)
        total += playing.play(longest)
        if playing.what:
            found.append(Wrong(cell, style, trouble, seed, playing.at, playing.what))
        if total["turns"] >= turns:
            return total, found
    raise AssertionError("there are always more games")


def main() -> None:
    """Print the table of all cells, with progress."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="games a cell, spread over the styles (default 300)")
    parser.add_argument("--cell", choices=list(map(str, cells())), help="only this cell")
    parser.add_argument("--hands", choices=list(HANDS), nargs="+", metavar="NAME", help=f"one of: {', '.join(HANDS)}")
    parser.add_argument("--fault", choices=list(FAULTS), nargs="+", metavar="NAME", help=f"one of: {', '.join(FAULTS)}")
    parser.add_argument("--turns", type=int, default=100, help="turns a cell in trouble (default 100)")
    wanted = parser.parse_args()
    chosen = [cell for cell in cells() if wanted.cell in (None, str(cell))]
    if wanted.hands or wanted.fault:
        troubles = map(Trouble._make, product(wanted.hands or ["steady"], wanted.fault or ["none"]))
        survey(chosen, list(troubles), wanted.turns)
    else:
        clean(chosen, wanted.games)


def clean(chosen: Iterable[Cell], games: int) -> None:
    """Print two rows for each cell: clean hands and sound sensors."""
    print("| game | sensed | hands | turns | asked | wrong |\n|---|---|---|---:|---:|---:|")
    for cell in chosen:
        for hands, count in by_hands(cell, games).items():
            tell(cell.game, cell.sense.value, hands, count["turns"], share(count), count["wrong"])


def survey(chosen: Iterable[Cell], troubles: Iterable[Trouble], turns: int) -> None:
    """Print a row for each cell in each trouble, and how to see again what was wrong."""
    print("| game | sensed | hands | sensors | turns | asked | missed | wrong |\n|---|---|---|---|---:|---:|---:|---:|")
    rows = [(trouble, cell) for trouble, cell in product(troubles, chosen) if suits(trouble.fault, cell.sense)]
    wrong: list[Wrong] = []
    for trouble, cell in tqdm(rows, unit="cell"):
        count, found = in_trouble(cell, trouble, turns)
        tell(cell.game, cell.sense.value, *trouble, count["turns"], share(count), count["missed"], count["wrong"])
        wrong += found
    print("", *wrong, sep="\n")


def share(count: Counter[str]) -> str:
    """How many of the turns were asked about."""
    return f"{100 * count['asked'] / max(1, count['turns']):.1f} %"


def tell(*row: object) -> None:
    """Print a row of the table."""
    tqdm.write(f"| {' | '.join(map(str, row))} |")


if __name__ == "__main__":
    main()
