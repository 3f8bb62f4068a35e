"""The constants of the likelihood, estimated from evenings at the physical table and from traces of real ones.

    python -m benchmarks.fit                         mixed evenings of every cell: a few minutes
    python -m benchmarks.fit --share 0.1 --trace EVENING.trace ...

The estimate is that of `tablelight fit` (`firmware_bridge.workshop.estimate`), pooled over all cells, and no longer a
table's own. It prints each constant with what is proposed and where that comes from, and changes nothing: who follows a
proposal writes value and source into `firmware_bridge/reading/constants.py`, and measures again.

The evenings are of seeds for tuning. What they told is kept in a file beside the results, an evening a line: a run that
was cut off goes on from there.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from pathlib import Path

import msgspec
from tqdm import tqdm

from benchmarks.cells import Cell, cells
from benchmarks.evenings import Evening, play, scans
from benchmarks.kept import resume
from benchmarks.results import add_results_option, program
from benchmarks.workers import add_worker_options, workers
from firmware_bridge.reading import Debounce
from firmware_bridge.reading.constants import BOUNDS
from firmware_bridge.reading.ways import passed
from firmware_bridge.workshop.estimate import Evidence, Fitted, Made, Watched, estimate, observe
from firmware_bridge.workshop.fit_command import games, read_alike
from games.rules import load
from hardware.device import Levels
from hardware.simulation.physics import STRENGTHS

FIRST = 200_000
"""The first seed: for tuning, and not one of those by which the reader was tried while it was written."""
EVENINGS, LONGEST = 50, 40
"""Evenings a cell, and the turns of one at the most."""
COUNTS = 0.3
"""Seconds after its last touch by which a turn has counted; a guess, as `LATE` of the estimate comes on top."""


def watch(evening: Evening) -> Watched:
    """An evening as the estimate takes it; turns of which another one was made and taken back before are not clean."""
    game, debounce = load(evening.cell.game), Debounce()
    frames: list[tuple[float, Levels]] = []
    for now, levels in scans(evening, quick=True):
        frame = debounce.feed(levels, now)
        if not frames or frame is not frames[-1][1]:
            frames.append((now, frame))
    position, turns, clean = passed(game, game.start()), list[Made](), True
    for made in evening.turns:
        if made.turn.reason:
            clean = False
            continue
        turns.append(Made(made.turn, position, made.ended + COUNTS, clean and made.habit != "take back"))
        position, clean = passed(game, made.turn.after), True
    return Watched(game, evening.cell.sense, frames, turns, sum(each.habit == "take back" for each in evening.turns))


class Kept(msgspec.Struct, frozen=True):
    """What an evening told."""

    cell: str
    seed: int
    evidence: Evidence


def told(cell: Cell, seed: int) -> Kept:
    """Play one mixed evening; the strengths of the sensors take turns."""
    strength = [*STRENGTHS][seed % len(STRENGTHS)]
    return Kept(str(cell), seed, observe(watch(play(cell, "mixed", strength, seed, LONGEST))))


def gather(chosen: Sequence[Cell], evenings: int, kept: Path, jobs: int, cluster: str | None = None) -> Evidence:
    """What so many evenings of each cell tell; those in the file `kept` are not played again. `ClusterError`."""
    due = {(str(cell), seed): cell for cell in chosen for seed in range(FIRST, FIRST + evenings)}
    how = f"program {program()}, evenings of {LONGEST} turns"
    done: dict[tuple[str, int], Evidence] = {}
    for line in resume(kept, how):
        try:
            each = msgspec.json.decode(line, type=Kept)
        except msgspec.DecodeError:  # cut off in the midst of a line
            continue
        done[each.cell, each.seed] = each.evidence
    progress = tqdm(total=len(due), initial=len(due.keys() & done.keys()), unit="evening", desc="evenings")
    with progress, workers(jobs, cluster) as (pool, _), kept.open("a") as file:
        left = [pool.submit(told, cell, seed) for (name, seed), cell in due.items() if (name, seed) not in done]
        for job in as_completed(left):
            each = job.result()
            file.write(f"\n{msgspec.json.encode(each).decode()}")
            file.flush()
            done[each.cell, each.seed] = each.evidence
            progress.update()
    found = Evidence()
    for key in due:
        found.add(done[key])
    return found


def listen(paths: Sequence[Path]) -> Evidence:
    """What traces tell, of whatever games and sensors; RecordError."""
    found = Evidence()
    for path in paths:
        for watched in games(read_alike(path)):
            found.add(observe(watched))
    return found


def proposals(fitted: Sequence[Fitted], source: str) -> Iterator[str]:
    """The table in Markdown."""
    yield "| constant | value | proposed | bounds | observations | source |"
    yield "|---|---:|---:|---:|---:|---|"
    for each in fitted:
        least, most = BOUNDS[each.name]
        proposed = f"{each.value:g}" if each.value != each.usual else "="
        seen = source if each.observations else "nothing was seen of it"
        yield (
            f"| `{each.name}` | {each.usual:g} | {proposed} | {least:g} to {most:g} | {each.observations:,} | {seen} |"
        )


def main() -> None:
    """Gather what is missing and print what is proposed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1.0, help="the share of the evenings; 0 for traces alone (1)")
    parser.add_argument("--cell", nargs="+", choices=list(map(str, cells())), default=[], help="only these cells")
    parser.add_argument("--trace", nargs="+", type=Path, default=[], metavar="FILE", help="traces of real tables")
    add_worker_options(parser)
    add_results_option(parser)
    wanted = parser.parse_args()
    if not 0 <= wanted.share <= 1:
        parser.error(f"--share {wanted.share:g} is no share; it is at least 0 and at most 1")
    chosen = [cell for cell in cells() if not wanted.cell or str(cell) in wanted.cell]
    evenings = max(1, round(EVENINGS * wanted.share)) if wanted.share else 0
    evidence = Evidence()
    if evenings:
        evidence = gather(chosen, evenings, wanted.results / "fit.jsonl", wanted.jobs, wanted.cluster)
    evidence.add(listen(wanted.trace))
    played = f"{evenings} mixed evenings of {len(chosen)} cells from seed {FIRST}" if evenings else ""
    traces = f"{len(wanted.trace)} traces" if wanted.trace else ""
    source = " and ".join(filter(None, (played, traces)))
    for line in proposals(estimate(evidence), f"{evidence.turns:,} turns: {source}"):
        print(line)


if __name__ == "__main__":
    from benchmarks import fit  # workers elsewhere know it by this name alone

    fit.main()
