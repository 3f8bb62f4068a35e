"""Whether the engine's values come true: what it expects of positions, and how games from there really end.

    make calibrate
    python -m benchmarks.calibration --game zhizhu --share 0.1

The engine plays itself with few nodes a turn, after four plies by chance, other ones in each game. Of a few positions
of each game it then says what it expects, with as many nodes as a report on a finished game has for each. Values that
are proved are left out, for nothing is foretold by them. Even games fit the scale of
`firmware_bridge.engine.calibration`; the odd ones tell how far off the values are: in bins of what the side that is
ahead should score, what was expected and what came.

The error is the mean difference of both, weighted by the positions in a bin. Chance alone leaves some: `chance` is how
much on the average where every value is right. Positions of one game share their result, so bounds and chance go by
games. The values count nodes and so are the same on every computer. Finished games are kept in build/calibration.txt,
and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from functools import lru_cache
from math import ceil, exp, log, pi, sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.kept import ROOT, digest, resume, sources
from benchmarks.matches import OPENING, fast_form, follow, loaded, opening
from benchmarks.players import COMPILED, Player
from benchmarks.results import Bin, Calibrated, Calibration, add_results_option, save
from benchmarks.workers import add_worker_options, workers
from docs.tables import CERTAIN, wilson
from firmware_bridge.engine import Search, engine, kind, thorough
from firmware_bridge.engine.alphabeta import AlphaBeta
from firmware_bridge.engine.calibration import scale_of
from firmware_bridge.engine.uct import Uct
from games.fast import Scale
from games.rules import Position, names, play

KEPT = ROOT / "build" / "calibration.txt"
CODE = (
    "games/core.py",
    "games/rules.py",
    *(f"games/*/{name}" for name in ("rules.py", "fast.py", "endgame.py", "*.endings")),
    *(f"firmware_bridge/engine/{name}.py" for name in ("__init__", "alphabeta", "uct", "exact", "endgame")),
)
"""What values depend on, and how games are played."""
QUICK = {"uct": 400, "alphabeta": 2000}
"""Search -> nodes a turn of the engine that plays both sides: between the levels 4 and 6; guessed, and quick."""
REMEMBERED = 1 << 12
"""Positions that alpha-beta remembers there: the usual many would take most of the time to be made room for."""
GAMES = {"zong-heng": 260, "yin-yang": 600, "zhizhu": 230, "zig-zag": 130}
"""Games of each: some six minutes of processor time where the engine is compiled. More would tell more."""
EACH = 4
"""Positions of each game that are valued."""
BINS = 5
"""Of the values from 0.5 up, equally wide."""
SURE = 0.001
"""A value nearer to 0 or 1 counts as this near where scales are fitted."""
LEAST = 0.05
"""The slope that is fitted at least: values must say something."""
NEWTON, STEP = 40, 0.5
"""Steps of Newton's method, and how far they go at most; a few are enough where the data are no odd ones."""


class Valued(NamedTuple):
    """A position of game `number`: what the side to move is to expect by the engine, and what it scored (0 to 1)."""

    number: int
    value: float
    score: float

    def ahead(self, scale: Scale) -> Valued:
        """The same from the side that is ahead, with the calibrated value."""
        value = scale.score(self.value)
        return self._replace(value=value) if value >= 0.5 else Valued(self.number, 1 - value, 1 - self.score)


# Games ----------------------------------------------------------------------------------------


def valued(name: str, number: int) -> list[Valued]:
    """Some positions of game `number` that the engine is not sure of."""
    game, fast = loaded(name), fast_form(name)
    side = quick(name)
    result, turns = follow(game, fast, [side, side], number, *opening(game, fast, number, OPENING))
    stood = [game.start()]
    for text in turns[:-1]:
        stood.append(play(game, stood[-1], text))
    plies = range(OPENING, len(stood))
    found: list[Valued] = []
    for ply in Random(number).sample(plies, min(EACH, len(plies))):
        *_, best = searching(name).find(stood[ply], nodes=thorough(game), history=stood[:ply])
        if not best.proved:
            found.append(Valued(number, best.value, 1 - result if stood[ply].side else result))
    return found


def quick(name: str) -> Player:
    """The engine with few nodes a turn."""
    fast: Any = fast_form(name)
    search = kind(fast)

    def turn(position: Position, before: Sequence[Position], number: int) -> str:
        turns = loaded(name).turns(position)
        if len(turns) == 1:
            return turns[0].text  # nothing to think about
        player: Search = Uct(fast, number) if search == "uct" else AlphaBeta(fast, number, most=REMEMBERED)
        *_, found = player.find(position, nodes=QUICK[search], history=before)
        return found.turn

    return turn


@lru_cache
def searching(name: str) -> Search:
    """The engine, with its table of endings."""
    return engine(loaded(name))


def all_valued(
    chosen: Sequence[str], share: float, kept: Path, jobs: int = 1, cluster: str | None = None
) -> dict[str, list[Valued]]:
    """The positions of all games; those of games that were finished before are read back. `ClusterError`."""
    lines = resume(kept, how())
    found: dict[str, dict[int, list[Valued]]] = defaultdict(dict)
    for line in lines:
        with suppress(ValueError):  # one that was cut off
            name, number, *values = json.loads(line)
            found[name][number] = [Valued(number, *each) for each in values]
    wanted = [(name, number) for name in chosen for number in range(ceil(share * GAMES[name]))]
    left = [(name, number) for name, number in wanted if number not in found[name]]
    with kept.open("a") as file, workers(jobs, cluster) as (pool, _):
        playing = {pool.submit(valued, name, number): (name, number) for name, number in left}
        for job in tqdm(as_completed(playing), total=len(left), unit="game", disable=None):
            name, number = playing[job]
            found[name][number] = job.result()
            file.write("\n" + json.dumps([name, number, *(each[1:] for each in found[name][number])]))
            file.flush()
    return {
        name: [each for other, number in wanted if other == name for each in found[name][number]] for name in chosen
    }


def how() -> str:
    """What the values depend on, and how games are played."""
    return f"{digest(sources(*CODE))} {QUICK} {EACH} {OPENING}"


# Figures --------------------------------------------------------------------------------------


def fitted(values: Sequence[Valued]) -> Scale:
    """The scale by which the scores are likeliest: logistic regression on the logarithms of the odds.

    `Scale()` counts as much as a guess with a standard deviation of 1, so that a handful of positions says little.
    """
    slope, against = 1.0, 0.0
    for _ in range(NEWTON):
        first, second = 1.0 - slope, -against
        both, one, other = 0.0, 1.0, 1.0
        for each in values:
            known = min(1 - SURE, max(SURE, each.value))
            odds = log(known / (1 - known))
            hoped = 1 / (1 + exp(against - slope * odds))
            off, weight = each.score - hoped, hoped * (1 - hoped)
            first, second = first + off * odds, second - off
            one, other, both = one + weight * odds * odds, other + weight, both - weight * odds
        whole = one * other - both * both
        steps = (first * other - second * both) / whole, (second * one - first * both) / whole
        short = min(1.0, STEP / max(STEP, *map(abs, steps)))
        slope, against = slope + short * steps[0], against + short * steps[1]
    return Scale(round(max(LEAST, slope), 2), round(exp(against), 2))


def grouped(values: Sequence[Valued], scale: Scale) -> Iterator[tuple[int, list[Valued]]]:
    """The positions from the side that is ahead, by the bins of their calibrated values."""
    groups: dict[int, list[Valued]] = defaultdict(list)
    for each in (value.ahead(scale) for value in values):
        groups[min(BINS - 1, int((2 * each.value - 1) * BINS))].append(each)
    return iter(sorted(groups.items()))


def bins(values: Sequence[Valued], scale: Scale) -> Iterator[Bin]:
    """What was expected of the side ahead, and what it scored.

    Bounds are those of as many games, or those by how the scores of games differ, whichever are wider.
    """
    for place, group in grouped(values, scale):
        predicted, actual = (sum(each[field] for each in group) / len(group) for field in (1, 2))
        off = CERTAIN * doubt(group)
        games = len({each.number for each in group})
        widest = wilson(actual * games, games)
        low, high = ((1 + part / BINS) / 2 for part in (place, place + 1))
        yield Bin(
            low,
            high,
            predicted,
            actual,
            len(group),
            min(widest[0], max(0.0, actual - off)),
            max(widest[1], min(1.0, actual + off)),
        )


def doubt(group: Sequence[Valued]) -> float:
    """The standard error of the mean score: games are independent, positions of one are not."""
    mean = sum(each.score for each in group) / len(group)
    games: dict[int, float] = defaultdict(float)
    for each in group:
        games[each.number] += each.score - mean
    return sqrt(sum(off * off for off in games.values())) / len(group)


def error(table: Sequence[Bin]) -> float:
    """The mean difference of what was expected and what came (0 to 1), weighted by positions."""
    return sum(each.number * abs(each.predicted - each.actual) for each in table) / max(
        1, sum(each.number for each in table)
    )


def chance(values: Sequence[Valued], scale: Scale) -> float:
    """The error that is left on the average, roughly, where every value is right; as of normal distributions."""
    spread = sum(len(group) * doubt(group) for _, group in grouped(values, scale))
    return sqrt(2 / pi) * spread / max(1, len(values))


def figures(name: str, values: Sequence[Valued]) -> Calibrated:
    """All figures of a game: the odd games judged, the scale fitted by the even ones."""
    learnt = [each for each in values if each.number % 2 == 0]
    judged = [each for each in values if each.number % 2]
    scale, new = scale_of(loaded(name)) or Scale(), fitted(learnt)
    table = list(bins(judged, scale))
    raw, left = error(list(bins(judged, Scale()))), chance(judged, scale)
    games = len({each.number for each in judged})
    return Calibrated(name, *scale, *new, raw, error(table), left, games, table)


def shown(found: Calibrated) -> Iterator[str]:
    """The figures in lines."""
    fitted = f"fitted {found.fitted_slope:g} and {found.fitted_favour:g}"
    yield f"{found.game}: slope {found.slope:g}, favour {found.favour:g}; {fitted}; {found.games} games"
    points = (100 * share for share in (found.error, found.chance, found.raw))
    yield "  mean error {:.1f} points; by chance alone {:.1f}; as the search has it {:.1f}".format(*points)
    for each in found.bins:
        came = f"came {each.actual:.3f} ({each.least:.3f} to {each.most:.3f})"
        yield f"  expected {each.predicted:.3f}  {came}  positions {each.number}"


def main() -> int:
    """Play, print and save; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=names(), help="only this game; nothing is saved")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the games, above 0 to 1 (1)")
    parser.add_argument("--keep", type=Path, default=KEPT, help="where finished games are kept")
    add_worker_options(parser)
    add_results_option(parser)
    wanted = parser.parse_args()
    if not 0 < wanted.share <= 1:
        parser.error(f"--share {wanted.share:g} is no share; it is above 0 and at most 1")
    print(f"The engine is {'' if COMPILED else 'not '}compiled.", flush=True)
    chosen = [wanted.game] if wanted.game else list(names())
    values = all_valued(chosen, wanted.share, wanted.keep, wanted.jobs, wanted.cluster)
    rows = [figures(name, each) for name, each in values.items()]
    print("\n".join(line for row in rows for line in shown(row)))
    if not wanted.game:
        save("calibration", Calibration(rows), wanted)
    return 0


if __name__ == "__main__":
    from benchmarks import calibration  # workers elsewhere know it by this name alone

    try:
        sys.exit(calibration.main())
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
