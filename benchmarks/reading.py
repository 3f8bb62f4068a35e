"""How people are read at the physical table: whole random games, each habit, each strength of sensors, every reader.

    make reading                                     all that is published, sick sensors too: hours
    make reading SHARE=0.05                          the same rows of fewer turns
    python -m benchmarks.reading --so-far            the tables and the result of what has been played by now
    python -m benchmarks.reading --tuning --share 0.1 --cell zong-heng:presence --habit mixed "take back"
    python -m benchmarks.reading --fault flicker     mixed evenings whose sensors are sick so; with no name, in all ways

All readers are shown the same frames (`benchmarks.judged` says what is right, asked, missed, wrong and scolded). Mixed
evenings have 2,000 turns a cell, and 8,500 by presence, so that presence comes to 50,000 in all; each habit by itself
has 300 a cell, and illegal turns are made in evenings of 700 a cell. The strengths of the sensors take turns.

With a fault there are 300 turns a cell, in evenings of up to 60, and it is counted which sick sites each reader named
within 30 turns of their first lie. To name a sensor is an accusation like any other: such turns are *scolded*.

What was played is kept in a file beside the results, an evening a line: a run that was cut off goes on from there. A
file that another program or another choice has begun is put aside; commits that change no code that plays or reads make
no difference. All rows grow alike, so that what has been played by any time is a smaller run of the same kind. The
seeds are those kept for publishing; `--tuning` takes others, and is saved nowhere but in a folder of one's own
(`--results`).
"""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import count
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import msgspec
from tqdm import tqdm

from benchmarks.ailing import ailing, everywhere
from benchmarks.cells import Cell, cells
from benchmarks.clear import clear
from benchmarks.evenings import LONGEST as WHOLE
from benchmarks.evenings import Evening, habits, play
from benchmarks.judged import FOLLOWERS, Judged, TableFollower, judge
from benchmarks.kept import resume
from benchmarks.results import (
    FOLDER,
    Evenings,
    Illegal,
    Prompted,
    ReadHabit,
    add_results_option,
    at,
    commit,
    program,
    save,
)
from benchmarks.tally import Naming, naming
from benchmarks.tally import wait as waits
from benchmarks.workers import add_worker_options, workers
from games.rules import load
from hardware.device import Sense
from hardware.simulation.faulty_sensors import FAULTS, suits
from hardware.simulation.habits import PUBLISHED
from hardware.simulation.physics import STRENGTHS

TURNS = {"mixed": 2000, "illegal": 700}
"""Turns a cell, of the habits that do not have `ALONE`."""
ALONE = 300
PRESENCE = 8500
"""Turns a cell of mixed evenings by presence."""
SHORTEST, LONGEST = 12, 40
"""Turns of one evening: no more than a row needs, within these bounds."""
SOON = 2
"""Actions within which all is to be right again."""
SOUND = "none"
"""What ails sensors that are not sick."""
TABLE = "table"
"""The reader whose turns are counted."""


class Row(NamedTuple):
    """What is pooled: a cell, a habit, and what ails the sensors."""

    cell: Cell
    habit: str
    fault: str = SOUND

    def __str__(self) -> str:
        return " ".join([str(self.cell), self.habit, *([self.fault] if self.fault != SOUND else [])])


class Played(msgspec.Struct, frozen=True):
    """An evening as it was read by every reader; how it is kept."""

    cell: str
    habit: str
    seed: int
    strength: str
    turns: int
    """How many legal turns were judged."""
    read: dict[str, list[Judged]]
    fault: str = SOUND
    named: dict[str, list[Naming]] = {}
    """For each reader which sites it named, and when each that lied was named."""
    clear: list[int] = []
    """The places of the turns that what was seen tells alone."""


def evening(row: Row, seed: int, longest: int, readers: Sequence[str]) -> Played:
    """Play one evening and let every reader read it."""
    strength = [*STRENGTHS][seed % len(STRENGTHS)]
    found, lied = play(row.cell, row.habit, strength, seed, longest), dict[int, float]()
    told = clear(found)
    if row.fault != SOUND:
        found, lied = ailing(found, row.fault, seed)
    followers = {
        name: TableFollower(row.cell, lied=lied) if name == TABLE else FOLLOWERS[name](row.cell) for name in readers
    }
    read = {name: judge(found, follower) for name, follower in followers.items()}
    named = {
        name: [] if everywhere(row.fault) else namings(found, lied, follower.blamed)
        for name, follower in followers.items()
    }
    turns = sum(each.legal for each in read[TABLE])
    return Played(str(row.cell), row.habit, seed, strength, turns, read, row.fault, named, told)


def namings(evening: Evening, lied: dict[int, float], named: dict[int, float]) -> list[Naming]:
    """For each site that lied or was named in which turn that was, of times in seconds."""
    begun = [made.began for made in evening.turns]
    turns = [{site: bisect_right(begun, at) for site, at in times.items()} for times in (named, lied)]
    return [Naming(turns[0].get(site), turns[1].get(site), len(begun)) for site in sorted({*lied, *named})]


def due(row: Row, share: float) -> int:
    """How many turns of a row are wanted."""
    turns = PRESENCE if row.habit == "mixed" and row.cell.sense is Sense.PRESENCE else TURNS.get(row.habit, ALONE)
    turns = turns if row.fault == SOUND else ALONE
    return max(1, round(turns * share))


# Playing them all -----------------------------------------------------------------------------


@dataclass
class Run:
    """All evenings of some rows, from `first` seed on, those in `kept` being there already."""

    rows: Sequence[Row]
    share: float
    readers: Sequence[str]
    first: int
    kept: Path
    done: dict[Row, dict[int, Played]] = field(default_factory=lambda: defaultdict(dict))

    def load(self, how: str) -> None:
        """Take what is kept, if it was kept of the same run; else put it aside."""
        named = {(str(row.cell), row.habit, row.fault): row for row in self.rows}
        for line in resume(self.kept, how):
            try:
                played = msgspec.json.decode(line, type=Played)
            except msgspec.DecodeError:  # cut off in the midst of a line
                continue
            if row := named.get((played.cell, played.habit, played.fault)):
                self.done[row][played.seed] = played
        if self.done:
            print(f"{sum(map(len, self.done.values()))} evenings were played before.", file=sys.stderr)

    def evenings(self, row: Row) -> list[Played]:
        """The evenings of a row in the order of their seeds, without a gap, as many as are needed."""
        found, turns, seed = [], 0, self.first
        while turns < due(row, self.share) and seed in self.done[row]:
            found.append(self.done[row][seed])
            turns, seed = turns + found[-1].turns, seed + 1
        return found

    def turns(self, row: Row) -> int:
        """How many turns of a row there are, of those that are due."""
        return min(due(row, self.share), sum(each.turns for each in self.evenings(row)))

    def play(self, jobs: int, cluster: str | None = None) -> None:
        """Play what is missing, with so many processes at once, or on a cluster; `ClusterError`."""
        total = sum(due(row, self.share) for row in self.rows)
        with (
            workers(jobs, cluster) as (pool, count),
            tqdm(total=total, unit="turn", desc="evenings") as progress,
            self.kept.open("a") as kept,
        ):
            progress.initial = progress.n = sum(map(self.turns, self.rows))
            under_way: dict[Future[Played], tuple[Row, int]] = {}
            while True:
                while len(under_way) < 2 * count and (job := self._next(list(under_way.values()))):
                    under_way[pool.submit(evening, *job, longest(job[0], self.share), self.readers)] = job
                if not under_way:
                    break
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    (row, seed), played = under_way.pop(future), future.result()
                    self.done[row][seed] = played
                    kept.write(f"\n{msgspec.json.encode(played).decode()}")
                    kept.flush()
                progress.n = sum(map(self.turns, self.rows))
                progress.refresh()

    def _next(self, under_way: Sequence[tuple[Row, int]]) -> tuple[Row, int] | None:
        """The next evening: of the row that is furthest behind, counting those `under_way`; None if none is missing.

        These are taken to have as many turns as others of their row.
        """
        behind: list[tuple[float, Row]] = []
        for row in self.rows:
            done, wanted = self.done[row].values(), due(row, self.share)
            usual = sum(each.turns for each in done) / len(done) if done else longest(row, self.share) - 1
            part = (self.turns(row) + usual * sum(each == row for each, _ in under_way)) / wanted
            if part < 1:
                behind.append((part, row))
        if not behind:
            return None
        row = min(behind, key=lambda pair: pair[0])[1]
        taken = {seed for each, seed in under_way if each == row} | self.done[row].keys()
        return row, next(seed for seed in count(self.first) if seed not in taken)


def longest(row: Row, share: float) -> int:
    """The most turns of an evening of this row."""
    return WHOLE if row.fault != SOUND else min(LONGEST, max(SHORTEST, due(row, share)))


# Figures --------------------------------------------------------------------------------------


def bounds(part: int, whole: int) -> tuple[float, float]:
    """The 95 % bounds of a share, by Wilson's interval."""
    if not whole:
        return 0.0, 1.0
    z, share = 1.96, part / whole
    middle, off = share + z * z / 2 / whole, z * sqrt(share * (1 - share) / whole + z * z / 4 / whole / whole)
    return max(0.0, (middle - off) / (1 + z * z / whole)), min(1.0, (middle + off) / (1 + z * z / whole))


def prompted(judged: Iterable[Judged], clear: Iterable[Judged] = ()) -> Prompted:
    """The counts of some turns, those that are `clear` among them."""
    legal, told = [each for each in judged if each.legal], list(clear)
    verdicts = Counter(each.verdict for each in legal)
    broken = [each for each in legal if each.verdict in ("missed", "wrong silent", "wrong told")]
    actions = [each.actions for each in broken if each.actions is not None]
    return Prompted(
        turns=len(legal),
        right=verdicts["right"],
        asked=verdicts["asked"],
        missed=verdicts["missed"],
        wrong_told=verdicts["wrong told"],
        wrong_silent=verdicts["wrong silent"],
        scolded=sum(each.scolded for each in legal),
        back_soon=sum(each.actions is not None and each.actions <= SOON for each in broken),
        not_back=sum(each.lost for each in broken),
        wait=waits([each.wait for each in legal if each.wait is not None]),
        undone=sum(each.undone for each in legal),
        actions_median=round(at(actions, 0.5)) if actions else None,
        actions_p95=round(at(actions, 0.95)) if actions else None,
        clear=len(told),
        clear_wait=waits([each.wait for each in told if each.wait is not None]),
    )


def illegal(judged: Iterable[Judged]) -> Illegal | None:
    """The counts of the illegal turns; None if there are none."""
    tried = [each for each in judged if not each.legal]
    verdicts = Counter(each.verdict for each in tried)
    seen = [each for each in tried if each.verdict != "hidden"]
    return (
        Illegal(
            turns=len(tried),
            hidden=verdicts["hidden"],
            accepted=verdicts["accepted"],
            silent=verdicts["silent"],
            lit=waits([each.lit for each in seen if each.lit is not None]),
            told=waits([each.told for each in seen if each.told is not None]),
        )
        if tried
        else None
    )


def read(
    cell: str, habit: str, strength: str, played: Sequence[Played], fault: str = SOUND, counts: tuple[int, int] = (0, 0)
) -> ReadHabit:
    """A row as it is saved; `counts` are the turns that are due and those played."""
    readers = [*played[0].read] if played else []
    judged = {name: [each for evening in played for each in evening.read[name]] for name in readers}
    told = {name: [each for evening in played for each in told_alone(evening, name)] for name in readers}
    return ReadHabit(
        cell,
        habit,
        strength,
        len(played),
        {name: prompted(turns, told[name]) for name, turns in judged.items()},
        {name: found for name, turns in judged.items() if (found := illegal(turns))},
        fault,
        {name: naming([each for one in played for each in one.named[name]]) for name in judged}
        if fault != SOUND
        else {},
        *counts,
    )


def told_alone(played: Played, reader: str) -> list[Judged]:
    """The legal turns of an evening that what was seen tells alone, as this reader has read them."""
    return [each for each in played.read[reader] if each.legal and each.number in played.clear]


def figures(run: Run) -> Evenings:
    """The rows of cells and habits; of mixed evenings also by strength, and what is pooled over cells and habits."""
    every = [(row, each) for row in run.rows for each in run.evenings(row)]
    rows = [
        read(str(row.cell), row.habit, "all", run.evenings(row), row.fault, (due(row, run.share), run.turns(row)))
        for row in run.rows
    ]

    def pool(chosen: Sequence[Row], cell: str, habit: str, strength: str = "all", fault: str = SOUND) -> None:
        played = [each for row in chosen for each in run.evenings(row) if strength in ("all", each.strength)]
        if played:
            rows.append(read(cell, habit, strength, played, fault))

    of_kind = {kind: [row for row in run.rows if kind_of(row) == kind] for kind in KINDS}
    mixed = [row for row in run.rows if row.habit == "mixed"]
    if any(row.fault != SOUND for row in run.rows):
        for kind, chosen in of_kind.items():
            for fault in dict.fromkeys(row.fault for row in chosen):
                pool([row for row in chosen if row.fault == fault], kind, "mixed", fault=fault)
            pool(chosen, kind, "mixed", fault=ANY)
    else:
        for strength in STRENGTHS:
            pool(mixed, "all", "mixed", strength)
            for row in mixed:
                pool([row], str(row.cell), "mixed", strength)
        pool([row for row in run.rows if row.habit == "illegal"], "all", "illegal")
        for kind, chosen in of_kind.items():
            for habit in ("overlap", "steady"):
                pool([row for row in chosen if row.habit == habit], kind, habit)
            pool([row for row in chosen if row.habit not in APART], kind, POOLED)
    return Evenings(rows, [trouble for row, each in every for trouble in troubles(row, each)])


KINDS = ("presence", "colour or count")
"""What sensors tell, where cells are pooled."""
APART = ("illegal", "new stone")
"""The habits that are not pooled with the others."""
POOLED = f"all but {' and '.join(APART)}"
ANY = "any"
"""Where faults are pooled."""


def kind_of(row: Row) -> str:
    """What the sensors of a row tell, of `KINDS`."""
    return KINDS[row.cell.sense is not Sense.PRESENCE]


def troubles(row: Row, played: Played) -> Iterator[str]:
    """What the table had wrong, and how to see it again."""
    for each in played.read[TABLE]:
        if each.verdict in ("wrong silent", "wrong told", "accepted"):
            yield f"{row}, {played.strength}, seed {played.seed}, turn {each.number}: {each.verdict} ({each.habit})"


HEAD = (
    "| cell | habit | sensors | reader | turns | right % | asked % | missed % | wrong told / silent | scolded % "
    "| wait ms | back in two |"
)


def share(part: int, whole: int) -> str:
    """A share in % with its bounds."""
    least, most = bounds(part, whole)
    return f"{100 * part / max(1, whole):.1f} ({100 * least:.1f}-{100 * most:.1f})"


def tell(found: Evenings) -> Iterator[str]:
    """The table in Markdown, and that of the illegal turns."""
    sick = any(row.fault != SOUND for row in found.rows)
    yield HEAD + (" named |" if sick else "")
    yield "|---|---|---|---|" + "---:|" * (9 if sick else 8)
    for row in found.rows:
        for name, each in row.readers.items():
            parts = (each.right, each.asked, each.missed)
            broken = each.missed + each.wrong_told + each.wrong_silent
            spread = f"{each.wait.median_ms:.0f} / {each.wait.p99_ms:.0f}" if each.wait else "-"
            sensors = row.strength if row.fault == SOUND else row.fault
            cells = [row.cell, row.habit, sensors, name, each.turns, *(share(part, each.turns) for part in parts)]
            cells += [f"{each.wrong_told} / {each.wrong_silent}", share(each.scolded, each.turns), spread]
            yield f"| {' | '.join(map(str, cells))} | {each.back_soon} of {broken} |{blamed(row, name)}"
    yield ""
    yield "| cell | reader | illegal turns | hidden | accepted | silent | lit ms | told ms |"
    yield "|---|---|" + "---:|" * 6
    for row in found.rows:
        for name, tried in row.illegal.items():
            spreads = [f"{each.median_ms:.0f} / {each.p99_ms:.0f}" if each else "-" for each in (tried.lit, tried.told)]
            counts = (tried.turns, tried.hidden, tried.accepted, tried.silent)
            yield f"| {row.cell} | {name} | {' | '.join(map(str, (*counts, *spreads)))} |"


def blamed(row: ReadHabit, reader: str) -> str:
    """How many sick sites a reader named soon, as the last cell of a row; nothing where the sensors are sound."""
    if reader not in row.named:
        return ""
    soon, lied, sound = row.named[reader]
    return f" {soon} of {lied}, and {sound} sound |"


# The command ----------------------------------------------------------------------------------


def rows(chosen: Sequence[str], wanted: Sequence[str], faults: Sequence[str] = ()) -> list[Row]:
    """The rows of these cells and habits, all where none is named; with `faults` mixed evenings if none is."""
    found = []
    if faults:
        for cell in cells():
            ails = [fault for fault in faults if suits(fault, cell.sense) and (not chosen or str(cell) in chosen)]
            found += [Row(cell, habit, fault) for fault in ails for habit in wanted or ["mixed"]]
        return found
    for cell in cells():
        if not chosen or str(cell) in chosen:
            every = ["mixed", "illegal", *habits(load(cell.game))]
            found += [Row(cell, habit) for habit in every if not wanted or habit in wanted]
    return found


def main() -> None:
    """Play what is missing, print the tables, and save them if all was played."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1.0, help="the share of the turns that is played (default 1)")
    parser.add_argument("--cell", nargs="+", choices=list(map(str, cells())), default=[], help="only these cells")
    every = sorted({"mixed", "illegal", *(habit for cell in cells() for habit in habits(load(cell.game)))})
    parser.add_argument("--habit", nargs="+", choices=every, default=[], help="only these habits")
    ailments = [name for name in FAULTS if name != SOUND]
    parser.add_argument("--fault", nargs="*", choices=ailments, metavar="NAME", help=f"one of: {', '.join(ailments)}")
    parser.add_argument("--reader", nargs="+", choices=list(FOLLOWERS), default=list(FOLLOWERS), help="these readers")
    parser.add_argument("--tuning", action="store_true", help="seeds for tuning; nothing is published")
    parser.add_argument("--so-far", action="store_true", help="play nothing more")
    add_worker_options(parser)
    add_results_option(parser)
    wanted = parser.parse_args()
    if not 0 < wanted.share <= 1:
        parser.error(f"--share {wanted.share:g} is no share; it is above 0 and at most 1")
    if TABLE not in wanted.reader:
        wanted.reader.insert(0, TABLE)
    first = 0 if wanted.tuning else PUBLISHED
    faults = ailments if wanted.fault == [] else wanted.fault or []
    name = "reading-faults" if faults else "reading"
    chosen = rows(wanted.cell, wanted.habit, faults)
    run = Run(chosen, wanted.share, wanted.reader, first, wanted.results / f"{name}.jsonl")
    commit()  # that of the code that plays, whatever is committed meanwhile
    run.load(f"program {program()}, share {wanted.share:g}, seeds from {first}, readers {' '.join(wanted.reader)}")
    if not wanted.so_far:
        run.play(wanted.jobs, wanted.cluster)
    found = figures(run)
    for line in tell(found):
        print(line)
    for trouble in found.wrong:
        print(trouble, file=sys.stderr)
    own = wanted.results.resolve() != FOLDER.resolve()
    if not (wanted.cell or wanted.habit or wanted.fault) and (own or not wanted.tuning):
        save(name, found, wanted, seeds=f"from {first} in each row")


if __name__ == "__main__":
    from benchmarks import reading  # workers elsewhere know it by this name alone

    reading.main()
