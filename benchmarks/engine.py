"""How fast the engine is beside others, plain and compiled: one run on one machine, in turns, in processor time.

    make bench-engine

Each figure is a median of rounds; in each round everything is measured once, one after another, and ratios are taken
within a round, so that what else the machine does falls on all alike. The others are python-chess, which makes and
takes back moves as we do, and OpenSpiel's games and tree search, which are C++. Figures for a Pi are scaled, not
measured. There are two comparisons.

- *From Python*: what a Python program gets, of us and of them. This flatters us, for a random game of ours is one call
  and one of OpenSpiel's is a call each ply. In its nine_mens_morris a capture is a ply of its own, so there whole
  games are counted.
- *Inside*: random games and lines within compiled code on both sides, which compares the engines. OpenSpiel's games
  are played by its own tree search in C++, `EVALUATED` from one position, so that hardly anything else takes time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from statistics import median

from tqdm import tqdm

from benchmarks.results import Engine, Nodes, Ratio, Speed, add_results_option, save
from benchmarks.speeds import CHESS, MIDDLE, has_core, versions

ROUNDS = 5
SLOWER = {"Pi 4": 4.5, "Zero 2 W": 13.5}
"""How many times slower a Pi is than one core here, by what others have measured."""


@dataclass(frozen=True)
class Row:
    """What is measured of us and of another, and what share of its speed is the aim."""

    kind: str
    ours: str
    theirs: str
    aim: float
    inside: bool = False
    """Whether both run within compiled code."""


SIMILAR = {"zhizhu": "nine_mens_morris", "zig-zag": "mancala", "zong-heng": "breakthrough", "yin-yang": "othello"}
"""The game of OpenSpiel's that is most like ours."""
ROWS = [
    *(
        Row("made turns", f"perft {game} {where}", f"chess {where}", 20 if game == "zong-heng" else 5)
        for game in MIDDLE
        for where in CHESS
    ),
    Row("random games", "games zhizhu", "games nine_mens_morris", 0.5),
    Row("random plies", "plies zig-zag", "plies mancala", 0.5),
    Row("random plies", "plies zong-heng", "plies breakthrough", 0.5),
    Row("random plies", "plies yin-yang", "plies othello", 0.5),
    *(
        Row("random plies", f"rollouts {game}", f"rollouts {similar}", 10 if game == "yin-yang" else 1, inside=True)
        for game, similar in SIMILAR.items()
    ),
    *(
        Row("simulations", f"search {game}", f"mcts {SIMILAR[game]}", 1, inside=True)
        for game in ("zong-heng", "yin-yang")
    ),
    *(
        Row("lines counted", f"lines {game} {where}", f"chess-lines {where}", 20, inside=True)
        for game in MIDDLE
        for where in CHESS
    ),
]
SEARCHES = [f"search {game}" for game in MIDDLE]


# Who measures ---------------------------------------------------------------------------------


class Measuring:
    """A process that measures what it is told, plain or compiled; a process has its modules once and for all."""

    def __init__(self, compiled: bool) -> None:
        told = {"TABLELIGHT_COMPILED": "yes" if compiled else "no"}
        command = [sys.executable, "-m", "benchmarks.speeds"]
        self._process = subprocess.Popen(
            command, env=os.environ | told, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def measure(self, what: str) -> float:
        """What is done in a second."""
        assert self._process.stdin
        assert self._process.stdout
        print(what, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


Figures = dict[tuple[str, str], list[float]]
"""Who and what -> a figure a round."""


def measured(rows: list[Row], compiled: bool) -> Figures:
    """All figures of all rounds."""
    who = {"plain": Measuring(False), "peer": Measuring(False)} | ({"compiled": Measuring(True)} if compiled else {})
    wanted = dict.fromkeys(asked(rows, [name for name in who if name != "peer"]))
    for name, what in wanted:  # what fills itself is filled
        who[name].measure(what)
    figures: Figures = {key: [] for key in wanted}
    for name, what in tqdm(list(wanted) * ROUNDS, desc="Measuring", unit="figure", leave=False):
        figures[name, what].append(who[name].measure(what))
    for each in who.values():
        each.close()
    return figures


def asked(rows: list[Row], modes: list[str]) -> Iterator[tuple[str, str]]:
    """Who measures what, those next to each other that are compared."""
    for row in rows:
        yield "peer", row.theirs
        yield from ((mode, row.ours) for mode in modes)
    yield from ((mode, what) for what in SEARCHES for mode in modes)


# Tables ---------------------------------------------------------------------------------------


def ratio(ours: list[float], theirs: list[float]) -> Ratio:
    """Of the ratios of each round."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return Ratio(median(ratios), min(ratios), max(ratios))


def told(ratio: Ratio) -> str:
    """How it reads with its range."""
    return f"{ratio.median:6.2f} ({ratio.least:.2f} to {ratio.most:.2f})"


def beside(rows: list[Row], figures: Figures, mode: str, inside: bool) -> None:
    """Print how fast we are in one mode beside the others, from Python or inside."""
    head = f"{mode}, {'inside' if inside else 'from Python'}, in a second"
    print(f"\n{head:35} {'ours':>11}  {'theirs':24} {'':>11}  {'ours to theirs':26} {'aim':>5}")
    for row in rows:
        if row.inside != inside:
            continue
        one, other = figures[mode, row.ours], figures["peer", row.theirs]
        found = ratio(one, other)
        name = f"{row.kind} {row.ours.split(maxsplit=1)[1]}"
        short = "" if found.median >= row.aim else "  NOT reached"
        rates = f"{median(one):11,.0f}  {row.theirs:24} {median(other):11,.0f}"
        print(f"{name:35} {rates}  {told(found):26} {row.aim:5}{short}")


def scaled(figures: Figures, modes: list[str]) -> None:
    """Print the nodes of each search, here and on smaller computers."""
    print(f"\n{'nodes a second':28} {'here':>11} " + "".join(f"{'about, ' + name:>18}" for name in SLOWER))
    for what in SEARCHES:
        for mode in modes:
            here = median(figures[mode, what])
            there = "".join(f"{here / slower:18,.0f}" for slower in SLOWER.values())
            print(f"{what.removeprefix('search ') + ', ' + mode:28} {here:11,.0f} {there}")
        if len(modes) > 1:
            print(f"{'':28} {'compiled':>11} {told(ratio(figures['compiled', what], figures['plain', what]))} times")


def result(rows: list[Row], figures: Figures, modes: list[str]) -> Engine:
    """All figures: rates are medians of the rounds."""

    def rate(who: str, what: str) -> float | None:
        return median(figures[who, what]) if who in (*modes, "peer") else None

    def speed(row: Row) -> Speed:
        plain, compiled = (
            ratio(figures[mode, row.ours], figures["peer", row.theirs]) if mode in modes else None
            for mode in ("plain", "compiled")
        )
        assert plain
        one, other = rate("plain", row.ours), rate("compiled", row.ours)
        theirs = median(figures["peer", row.theirs])
        return Speed(row.kind, row.ours, row.theirs, row.aim, one, other, theirs, plain, compiled, row.inside)

    nodes = [Nodes(what.split()[1], rate("plain", what), rate("compiled", what)) for what in SEARCHES]
    return Engine([speed(row) for row in rows], nodes, SLOWER, versions())


def can_compile() -> bool:
    """Whether there are compiled modules to measure; says why not."""
    from firmware_bridge.engine.build import build
    from hardware.settings import SettingsError

    try:
        build()
    except SettingsError as error:
        print(f"Only plain: {error}", file=sys.stderr)
        return False
    return True


def main() -> None:
    """Print all figures, and save them if there is somebody to compare with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_results_option(parser)
    wanted = parser.parse_args()
    rows = [row for row in ROWS if not row.ours.startswith("lines") or has_core(row.ours.split()[1])]
    if not find_spec("chess") or not find_spec("pyspiel"):
        print(
            "Nobody to compare with: pip install 'tablelight[peers]' brings python-chess and OpenSpiel.",
            file=sys.stderr,
        )
        rows = []
    compiled = can_compile()
    modes = ["plain", "compiled"] if compiled else ["plain"]
    figures = measured(rows, compiled)
    if rows:
        print("beside " + ", ".join(f"{package} {number}" for package, number in versions().items()))
    for mode, inside in product(modes if rows else [], (False, True)):
        beside(rows, figures, mode, inside)
    scaled(figures, modes)
    if rows:
        save("engine", result(rows, figures, modes), wanted, rounds=ROUNDS)


if __name__ == "__main__":
    main()
