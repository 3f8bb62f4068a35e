"""How much hangs on each constant of the likelihood: one after another at half and at double, on the same evenings.

    make sensitivity                                 all that is published: hours
    make sensitivity SHARE=0.02                      the same rows of fewer turns: some minutes
    python -m benchmarks.sensitivity --share 0.05 --constant back lie

Mixed evenings by presence, 300 turns a cell, the strengths of the sensors taking turns. Each is read by the table with
the usual constants and with every other choice of them; `benchmarks.judged` says what is right, asked, missed, wrong
and scolded. A value that would be out of bounds is at the bound.

What was read is kept in a file beside the results, a reading of an evening a line: a run that was cut off goes on from
there, also with other constants to be tried. The seeds are for tuning, and no other benchmark has them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from tqdm import tqdm

from benchmarks.cells import Cell, cells
from benchmarks.evenings import Evening, play
from benchmarks.judged import Judged, TableFollower, judge
from benchmarks.kept import resume
from benchmarks.reading import prompted, share
from benchmarks.results import Sensitivity, Varied, add_results_option, commit, program, save
from benchmarks.workers import add_worker_options, workers
from firmware_bridge.reading.constants import BOUNDS, USUAL, Constants
from hardware.device import Sense
from hardware.simulation.physics import STRENGTHS

FIRST = 400_000
"""The first seed of each cell."""
TURNS, LONGEST, SHORTEST = 300, 20, 5
"""Turns a cell; and of one evening at the most, and at least where there is but one."""
FACTORS = (0.5, 2.0)
ALL_USUAL = ""
"""The name of the constant where none is changed."""


class Choice(msgspec.Struct, frozen=True):
    """One constant at another value, or none of them."""

    constant: str = ALL_USUAL
    factor: float = 1.0

    @property
    def value(self) -> float:
        """Its value there; 0 where there is none."""
        if not self.constant:
            return 0.0
        least, most = BOUNDS[self.constant]
        return float(min(most, max(least, self.factor * getattr(USUAL, self.constant))))

    @property
    def constants(self) -> Constants:
        """All of them."""
        return replace(USUAL, **{self.constant: self.value}) if self.constant else USUAL


def choices(names: Sequence[str]) -> list[Choice]:
    """The usual constants, and each of those named at half and at double."""
    return [Choice(), *(Choice(name, factor) for name in names for factor in FACTORS)]


class Kept(msgspec.Struct, frozen=True):
    """An evening as it was read with a choice."""

    cell: str
    seed: int
    choice: Choice
    judged: list[Judged]


class Due(NamedTuple):
    """An evening of so many turns that is to be read with a choice."""

    cell: Cell
    seed: int
    longest: int
    choice: Choice

    @property
    def key(self) -> tuple[str, int, Choice]:
        """By which it is found among those that are kept."""
        return str(self.cell), self.seed, self.choice


@lru_cache(maxsize=2)
def played(cell: Cell, seed: int, longest: int) -> Evening:
    """The evening, kept for the next choice."""
    return play(cell, "mixed", [*STRENGTHS][seed % len(STRENGTHS)], seed, longest)


def read(due: Due) -> Kept:
    """Read an evening with a choice."""
    evening = played(due.cell, due.seed, due.longest)
    return Kept(*due.key, judge(evening, TableFollower(due.cell, due.choice.constants)))


def due(wanted_share: float, chosen: Sequence[Choice]) -> list[Due]:
    """What is to be read, seed after seed, so that a part of it is a smaller run of the same kind."""
    evenings = max(1, round(TURNS * wanted_share / LONGEST))
    longest = min(LONGEST, max(SHORTEST, round(TURNS * wanted_share)))
    seeing = [cell for cell in cells() if cell.sense is Sense.PRESENCE]
    seeds = range(FIRST, FIRST + evenings)
    return [Due(cell, seed, longest, choice) for seed in seeds for cell in seeing for choice in chosen]


def gather(wanted: Sequence[Due], kept: Path, jobs: int, cluster: str | None = None) -> list[Kept]:
    """All these; those in the file `kept` are not read again. `ClusterError`."""
    commit()  # that of the code that reads, whatever is committed meanwhile
    done: dict[tuple[str, int, Choice], Kept] = {}
    for line in resume(kept, f"program {program()}, evenings of {wanted[0].longest} turns"):
        try:
            each = msgspec.json.decode(line, type=Kept)
        except msgspec.DecodeError:  # cut off in the midst of a line
            continue
        done[each.cell, each.seed, each.choice] = each
    left = [each for each in wanted if each.key not in done]
    progress = tqdm(total=len(wanted), initial=len(wanted) - len(left), unit="reading", desc="evenings")
    with (
        progress,
        workers(jobs, cluster) as (pool, _),
        kept.open("a") as file,
    ):
        for job in as_completed([pool.submit(read, each) for each in left]):
            found = job.result()
            file.write(f"\n{msgspec.json.encode(found).decode()}")
            file.flush()
            done[found.cell, found.seed, found.choice] = found
            progress.update()
    return [done[each.key] for each in wanted]


def figures(found: Sequence[Kept]) -> Sensitivity:
    """How each choice has read all these evenings."""
    pooled: dict[Choice, list[Judged]] = {}
    for each in found:
        pooled.setdefault(each.choice, []).extend(each.judged)
    rows = [Varied(each.constant, each.factor, each.value, prompted(judged)) for each, judged in pooled.items()]
    return Sensitivity(rows)


def tell(found: Sensitivity) -> Iterator[str]:
    """The table in Markdown."""
    yield "| constant | value | turns | right % | asked % | missed | wrong | scolded % | wait ms |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for row in found.rows:
        read = row.read
        name = f"`{row.constant}` x {row.factor:g} | {row.value:g}" if row.constant else "all usual | "
        shares = [share(read.right, read.turns), share(read.asked, read.turns), read.missed]
        shares += [read.wrong_told + read.wrong_silent, share(read.scolded, read.turns)]
        shares += [f"{read.wait.median_ms:.0f}" if read.wait else "-"]
        yield f"| {name} | {read.turns} | {' | '.join(map(str, shares))} |"


def main() -> None:
    """Read what is missing, print the table, and save it if every constant was changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1.0, help="the share of the turns that is played (default 1)")
    parser.add_argument("--constant", nargs="+", choices=list(BOUNDS), default=[], help="only these constants")
    add_worker_options(parser)
    add_results_option(parser)
    wanted = parser.parse_args()
    if not 0 < wanted.share <= 1:
        parser.error(f"--share {wanted.share:g} is no share; it is above 0 and at most 1")
    chosen = choices([name for name in BOUNDS if not wanted.constant or name in wanted.constant])
    readings = due(wanted.share, chosen)
    found = figures(gather(readings, wanted.results / "sensitivity.jsonl", wanted.jobs, wanted.cluster))
    for line in tell(found):
        print(line)
    if not wanted.constant:
        save("sensitivity", found, wanted, seeds=f"{FIRST} to {readings[-1].seed} in each cell")


if __name__ == "__main__":
    from benchmarks import sensitivity  # workers elsewhere know it by this name alone

    sensitivity.main()
