"""How much hangs on each constant of the likelihood: one after another at half and at double, on the same evenings.

    make sensitivity                                 all that is published: hours
    make sensitivity SHARE=0.05                      the same rows of fewer turns
    python -m benchmarks.sensitivity --share 0.05 --constant back lie

Mixed evenings by presence, 300 turns a cell, the strengths of the sensors taking turns. Each is played once, and read
with the usual constants and with every other choice of them; `benchmarks.judged` says what is right, asked, missed,
wrong and scolded. A value that would be out of bounds is at the bound.

What was read is kept in a file beside the results, an evening a line: a run that was cut off goes on from there. The
seeds are for tuning, and no other benchmark has them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

import msgspec
from tqdm import tqdm

from benchmarks.cells import Cell, cells
from benchmarks.evenings import play
from benchmarks.judged import Judged, LikelihoodFollower, judge
from benchmarks.kept import resume
from benchmarks.reading import prompted, share
from benchmarks.results import Sensitivity, Varied, add_option, commit, save
from firmware_bridge.reading.constants import BOUNDS, USUAL, Constants
from hardware.device import Sense
from hardware.simulation.physics import STRENGTHS

FIRST = 400_000
"""The first seed of each cell."""
TURNS, LONGEST = 300, 20
"""Turns a cell, and of one evening at the most."""
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
    """An evening as it was read with each choice."""

    cell: str
    seed: int
    read: list[tuple[Choice, list[Judged]]]


def evening(cell: Cell, seed: int, chosen: Sequence[Choice]) -> Kept:
    """Play one evening and read it with each choice."""
    found = play(cell, "mixed", [*STRENGTHS][seed % len(STRENGTHS)], seed, LONGEST)
    return Kept(str(cell), seed, [(each, judge(found, LikelihoodFollower(cell, each.constants))) for each in chosen])


def due(wanted_share: float) -> list[tuple[Cell, int]]:
    """The evenings that are wanted: a cell and a seed."""
    evenings = max(1, round(TURNS * wanted_share / LONGEST))
    seeing = [cell for cell in cells() if cell.sense is Sense.PRESENCE]
    return [(cell, seed) for seed in range(FIRST, FIRST + evenings) for cell in seeing]


def gather(wanted: Sequence[tuple[Cell, int]], chosen: Sequence[Choice], kept: Path, jobs: int) -> list[Kept]:
    """All these evenings; those in the file `kept` are not read again."""
    names = " ".join(dict.fromkeys(each.constant for each in chosen if each.constant))
    done: dict[tuple[str, int], Kept] = {}
    for line in resume(kept, f"commit {commit()}, evenings of {LONGEST} turns, constants {names}"):
        try:
            each = msgspec.json.decode(line, type=Kept)
        except msgspec.DecodeError:  # cut off in the midst of a line
            continue
        done[each.cell, each.seed] = each
    left = [(cell, seed) for cell, seed in wanted if (str(cell), seed) not in done]
    progress = tqdm(total=len(wanted), initial=len(wanted) - len(left), unit="evening", desc="evenings")
    with progress, ProcessPoolExecutor(jobs) as pool, kept.open("a") as file:
        for job in as_completed([pool.submit(evening, cell, seed, chosen) for cell, seed in left]):
            each = job.result()
            file.write(f"\n{msgspec.json.encode(each).decode()}")
            file.flush()
            done[each.cell, each.seed] = each
            progress.update()
    return [done[str(cell), seed] for cell, seed in wanted]


def figures(found: Sequence[Kept]) -> Sensitivity:
    """How each choice has read all these evenings."""
    pooled: dict[Choice, list[Judged]] = {}
    for each in found:
        for choice, judged in each.read:
            pooled.setdefault(choice, []).extend(judged)
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
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    add_option(parser)
    wanted = parser.parse_args()
    if not 0 < wanted.share <= 1:
        parser.error(f"--share {wanted.share:g} is no share; it is above 0 and at most 1")
    chosen = choices([name for name in BOUNDS if not wanted.constant or name in wanted.constant])
    evenings = due(wanted.share)
    found = figures(gather(evenings, chosen, wanted.results / "sensitivity.jsonl", wanted.jobs))
    for line in tell(found):
        print(line)
    if not wanted.constant:
        save("sensitivity", found, wanted, seeds=f"{FIRST} to {max(seed for _, seed in evenings)} in each cell")


if __name__ == "__main__":
    main()
