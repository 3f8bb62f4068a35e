"""Whole random games by simulated hands, read by the table and, beside it, in other ways: how often each is right.

    make accuracy                         clean hands, hands that fumble, sensors that fail: a quarter of an hour
    make accuracy GAMES=300 TURNS=2000    the same at length: some hours
    make accuracy-examples                the games of examples/, clean and fumbling hands: half an hour
    python -m benchmarks.accuracy --games 20 --cell zong-heng:presence
    python -m benchmarks.accuracy --hands clumsy child --fault none weak --turns 200

What is printed are tables in Markdown; what went wrong, and how to see it again, is told beside them.

A turn is *right* when a reader has it as the next turn begins. It is *asked* when the table had to ask, or the players
had to press Done and to answer; and when another reader has no turn or several, or one that it owes to what the table
asked. It is *wrong* when it is read as another one. With fumbling hands or sick sensors a turn that the table has not
got at all, in spite of Done and answers, is *missed*: the table shows that it waits, or what it misses. After a turn
that the table has got wrong, or two that it has missed, the game is left. The other readers, ``picture``, ``pair`` and
``likelihood``, are those of `benchmarks.rivals`; they see the same settled frames.

A wait is the simulated time from the last touch of a turn to its being counted, over turns that were right and not
asked about. *At once* are those of the table that counted with the very frame that shows their result: all others had
to stand for a while, or waited for Done or the next player.

*Named* are sites that lied and were named within 30 turns, of those of which it is known. Where sensors are sick,
players look at the table for 1.5 s before each turn: what it has counted before anybody began, they take back.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count as count_from
from itertools import product

from tqdm import tqdm

from benchmarks.cells import CLEAN, Cell, Trouble, cells
from benchmarks.followed import TABLE, Playing, Wrong
from benchmarks.results import Accuracy, Read, add_results_option, save
from benchmarks.rivals import OTHERS
from benchmarks.tally import SOON, Tallies, Tally, named, naming, reading, shares, wait, waits
from hardware.device import Sense
from hardware.simulation.faulty_sensors import FAULTS, suits
from hardware.simulation.hands import STYLES
from hardware.simulation.mistakes import HANDS

LONGEST = 120
"""Turns after which a game is left: two of the games can go on for ever."""

SHORT = 2 * SOON
"""The same, where hands fumble or sensors fail."""
ALL_HANDS = [name for name in HANDS if name != CLEAN.hands]
MORE, FOREIGN_MORE = 20, 4
"""Times as many turns by fumbling hands, which are of 19 kinds, as with each fault; and, in games of others, as by
clean hands."""


# Playing --------------------------------------------------------------------------------------


def by_hands(cell: Cell, games: int) -> tuple[dict[str, Tallies], list[Wrong]]:
    """How the turns were read, by hands that leave gaps and by those that push with the new stone; what went wrong."""
    total = {"with gaps": Tallies(Tally), "new stone pushes": Tallies(Tally)}
    styles, found = list(STYLES.items()), []
    for seed in tqdm(range(games), desc=str(cell), unit="game", leave=False):
        name, style = styles[seed % len(styles)]
        playing = Playing(cell, style, seed, others=OTHERS)
        playing.play(LONGEST)
        add(total["new stone pushes" if style.row == "new stone" else "with gaps"], playing.tallies())
        found += wrong(playing, cell, name, CLEAN, seed)
    return total, found


def in_trouble(
    cell: Cell, trouble: Trouble | Sequence[Trouble], turns: int, longest: int = SHORT
) -> tuple[Tallies, list[Wrong]]:
    """How at least `turns` turns by hands of every style that leaves gaps were read, and what went wrong.

    Of several troubles each game has another one.
    """
    troubles = [trouble] if isinstance(trouble, Trouble) else trouble
    styles = [name for name, style in STYLES.items() if style.gap]
    total, found = Tallies(Tally), []
    for seed in count_from(0):
        style, trouble = styles[seed % len(styles)], troubles[seed % len(troubles)]
        playing = Playing(cell, STYLES[style], seed, trouble, others=OTHERS)
        playing.play(longest)
        add(total, playing.tallies())
        found += wrong(playing, cell, style, trouble, seed)
        if total[TABLE].count["turns"] >= turns:
            break
    return total, found


def add(total: Tallies, tallies: Tallies) -> None:
    """Take the `tallies` of one more game into the `total`."""
    for name, tally in tallies.items():
        total[name].add(tally)


def wrong(playing: Playing, cell: Cell, style: str, trouble: Trouble, seed: int) -> list[Wrong]:
    """What went wrong in this game, if anything."""
    return [Wrong(cell, style, trouble, seed, playing.at, playing.what)] if playing.what else []


# Tables ---------------------------------------------------------------------------------------

FIGURES = (
    "turns",
    "Tablelight: right / asked / missed / wrong, %",
    "picture: right / asked / wrong, %",
    "pair: right / asked / wrong, %",
    "likelihood: right / asked / wrong, %",
    "Tablelight waits, ms",
    "at once, ms",
    "picture waits, ms",
    "pair waits, ms",
    "likelihood waits, ms",
    "named",
    "likelihood named",
)
"""The columns of a table after those that name a row; waits are the median and what 99 % lie below."""


def figures(tallies: Tallies) -> Iterator[object]:
    """A row's figures: shares in %, waits in ms."""
    table = tallies[TABLE]
    yield table.count["turns"]
    yield shares(table, "right", "asked", "missed", "wrong")
    yield from (shares(tallies[name], "right", "asked", "wrong") for name in OTHERS)
    yield waits(table.waits)
    yield f"{waits(table.unique)} ({len(table.unique) / max(1, len(table.waits)):.0%})"
    yield from (waits(tallies[name].waits) for name in OTHERS)
    yield named(table)
    yield named(tallies["likelihood"])


def read(game: str | None, sensed: str, hands: str, sensors: str, tallies: Tallies) -> Read:
    """A row as it is saved."""
    table = tallies[TABLE]
    readers = {name: reading(tallies[name]) for name in (TABLE, *OTHERS)}
    counts = len(table.unique), len(table.waits), *naming(table.naming)
    return Read(game, sensed, hands, sensors, table.count["turns"], readers, wait(table.unique), *counts)


def head(*names: str) -> None:
    """Print the head of a table whose rows have these names."""
    tell(*names, *FIGURES)
    print("|" + "---|" * len(names) + "---:|" * len(FIGURES))


def tell(*row: object) -> None:
    """Print a row of the table."""
    with tqdm.external_write_mode():
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def regret(found: list[Wrong]) -> None:
    """Say what was missed or wrong, and how to see it again."""
    for each in found:
        tqdm.write(str(each), file=sys.stderr)


def clean(chosen: Iterable[Cell], games: int) -> Accuracy:
    """Print two rows for each cell: clean hands and sound sensors."""
    result = Accuracy([], [])
    head("game", "sensed", "hands")
    for cell in tqdm(list(chosen), desc="clean", unit="cell"):
        rows, found = by_hands(cell, games)
        for hands, tallies in rows.items():
            tell(cell.game, cell.sense.value, hands, *figures(tallies))
            result.rows.append(read(cell.game, cell.sense.value, hands, CLEAN.fault, tallies))
        result.wrong.extend(map(str, found))
        regret(found)
    return result


def others(chosen: Iterable[Cell], turns: int) -> Accuracy:
    """Print two rows for each cell: clean hands, and all kinds of fumbling hands by turns; sound sensors."""
    result = Accuracy([], [])
    head("game", "sensed", "hands")
    kinds = {"clean": [CLEAN], "all that fumble": [Trouble(hands) for hands in ALL_HANDS]}
    for cell in tqdm(list(chosen), desc="games of others", unit="cell"):
        for hands, troubles in kinds.items():
            tallies, found = in_trouble(cell, troubles, turns if troubles == [CLEAN] else FOREIGN_MORE * turns)
            tell(cell.game, cell.sense.value, hands, *figures(tallies))
            result.rows.append(read(cell.game, cell.sense.value, hands, CLEAN.fault, tallies))
            result.wrong.extend(map(str, found))
            regret(found)
    return result


def survey(chosen: Iterable[Cell], troubles: Iterable[Trouble], turns: int) -> None:
    """Print a row for each cell in each trouble."""
    head("game", "sensed", "hands", "sensors")
    rows = [(trouble, cell) for trouble, cell in product(troubles, chosen) if suits(trouble.fault, cell.sense)]
    for trouble, cell in tqdm(rows, desc="trouble", unit="cell"):
        tallies, found = in_trouble(cell, trouble, turns)
        tell(cell.game, cell.sense.value, *trouble, *figures(tallies))
        regret(found)


def fumbling(chosen: Iterable[Cell], turns: int) -> Accuracy:
    """Print a row for each cell: all kinds of fumbling hands by turns, and sound sensors."""
    result = Accuracy([], [])
    head("game", "sensed", "hands")
    for cell in tqdm(list(chosen), desc="fumbling", unit="cell"):
        tallies, found = in_trouble(cell, [Trouble(hands) for hands in ALL_HANDS], turns)
        tell(cell.game, cell.sense.value, "all that fumble", *figures(tallies))
        result.rows.append(read(cell.game, cell.sense.value, "all that fumble", CLEAN.fault, tallies))
        result.wrong.extend(map(str, found))
        regret(found)
    return result


def overview(chosen: list[Cell], troubles: Iterable[Trouble], turns: int) -> Accuracy:
    """Print two rows for each trouble, all games by presence and all by what tells more; so many turns of each."""
    result = Accuracy([], [])
    head("hands", "sensors", "sensed")
    left = [(trouble, kind) for trouble in troubles for kind in kinds(chosen, trouble).items()]
    with tqdm(total=sum(len(these) for _, (_, these) in left), desc="trouble", unit="cell") as progress:
        for trouble, (kind, these) in left:
            total, found = Tallies(Tally), list[Wrong]()
            for cell in these:
                tallies, more = in_trouble(cell, trouble, turns)
                add(total, tallies)
                found += more
                progress.update()
            tell(*trouble, kind, *figures(total))
            result.rows.append(read(None, kind, *trouble, total))
            result.wrong.extend(map(str, found))
            regret(found)
    return result


def kinds(chosen: Iterable[Cell], trouble: Trouble) -> dict[str, list[Cell]]:
    """The cells that can have this trouble, by how much their sensors tell."""
    found = defaultdict(list)
    for cell in chosen:
        if suits(trouble.fault, cell.sense):
            found["presence" if cell.sense is Sense.PRESENCE else "colour or count"].append(cell)
    return found


def every_fault() -> list[Trouble]:
    """Steady hands with each fault."""
    return [Trouble(fault=fault) for fault in FAULTS if fault != CLEAN.fault]


# The command ----------------------------------------------------------------------------------


def main() -> None:
    """Print the tables, with progress, and save them if all cells were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=24, help="clean games a cell, spread over the styles (default 24)")
    parser.add_argument("--turns", type=int, default=100, help="turns a cell with each fault (100)")
    every = [*cells(), *cells(others=True)]
    parser.add_argument("--cell", choices=list(map(str, every)), help="only this cell")
    parser.add_argument("--others", type=int, metavar="TURNS", help="so many turns a cell of other installed games")
    parser.add_argument("--hands", choices=list(HANDS), nargs="+", metavar="NAME", help=f"one of: {', '.join(HANDS)}")
    parser.add_argument("--fault", choices=list(FAULTS), nargs="+", metavar="NAME", help=f"one of: {', '.join(FAULTS)}")
    add_results_option(parser)
    wanted = parser.parse_args()
    chosen = [cell for cell in every if wanted.cell == str(cell)] or cells(others=bool(wanted.others))
    if wanted.hands or wanted.fault:
        troubles = map(Trouble._make, product(wanted.hands or [CLEAN.hands], wanted.fault or [CLEAN.fault]))
        survey(chosen, list(troubles), wanted.turns)
        return
    if wanted.others:
        made = others(chosen, wanted.others)
        if not wanted.cell:
            save("accuracy-examples", made, wanted, seeds="from 0 in each cell")
        return
    found = clean(chosen, wanted.games)
    if not wanted.cell:
        save("accuracy-clean", found, wanted, seeds=f"0 to {wanted.games - 1} in each cell")
        print()
        save("accuracy-fumbling", fumbling(chosen, MORE * wanted.turns), wanted, seeds="from 0 in each cell")
        print()
        save("accuracy-faults", overview(chosen, every_fault(), wanted.turns), wanted, seeds="from 0 in each cell")


if __name__ == "__main__":
    main()
