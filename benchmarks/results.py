"""What the benchmarks measured, kept as JSON in benchmarks/results/, from which docs/figures.py writes the tables.

A file holds the figures of one benchmark and how they came about. It is rewritten whole. Numbers carry their unit in
the name: `_ms` and `_us` for milliseconds and microseconds, `_s` for seconds, `_mb` for megabytes; names without one
are counts, shares are 0 to 1. None stands for what was not measured.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from hashlib import sha1
from pathlib import Path
from time import process_time
from typing import Any, Generic, TypeVar

import msgspec

FOLDER = Path(__file__).parent / "results"

PROGRAM = ("games", "hardware", "firmware_bridge", "tests", "benchmarks", "examples", ":!*/results/*")
"""What is measured, as git names paths: results that were just saved make no difference."""
READS = ("games", "hardware", "firmware_bridge", "benchmarks", ":!*/results/*", ":!*/locale/*")
"""What may change how evenings are played and read."""

T = TypeVar("T")


class Plain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all of them are: fixed once made, and refused when a file holds anything else."""


# How figures came about ---------------------------------------------------------------------------


class Machine(Plain, frozen=True):
    """A computer, as far as it is known.

    `squares_ms`: what summing the first million squares took when a figure was saved, for computers of one name differ,
    and a virtual one by the hour.
    """

    processor: str
    python: str | None = None
    squares_ms: float | None = None


class Measured(Plain, frozen=True):
    """The command with its options, those left to their defaults too; the day, the commit, and on which machine."""

    command: str
    options: dict[str, bool | int | float | str | None]
    date: datetime.date
    commit: str | None
    machine: Machine
    note: str = ""


class Saved(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """The figures of a benchmark and how they came about."""

    measured: Measured
    figures: T


def add_results_option(parser: argparse.ArgumentParser) -> None:
    """Let the user of a benchmark choose where its result is kept."""
    parser.add_argument("--results", type=Path, default=FOLDER, help="folder of the result (benchmarks/results)")


WHERE = frozenset({"results", "keep", "jobs", "cluster", "port"})
"""Options that tell where something is worked out and kept, which makes no difference."""


def save(name: str, figures: Plain, wanted: argparse.Namespace, **seeds: int | str) -> None:
    """Write the result `name` anew, measured just now by this command with the options in `wanted`; OSError."""
    given = {key: value for key, value in vars(wanted).items() if key not in WHERE}
    options = {
        key: " ".join(map(str, value)) or None if isinstance(value, list) else value for key, value in given.items()
    }
    spec = sys.modules["__main__"].__spec__
    command = ["python", "-m", spec.name if spec else name, *sys.argv[1:]]
    how = Measured(shlex.join(command), options | seeds, datetime.date.today(), commit(), machine())
    write(name, Saved(how, figures), wanted.results)


def write(name: str, saved: Saved[Any], folder: Path = FOLDER) -> None:
    """Write a result as it is; OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(saved), indent=1) + b"\n")


def load(name: str, kind: type[T], folder: Path = FOLDER) -> Saved[T]:
    """The saved result `name`, whose figures are of this kind; OSError, msgspec.ValidationError."""
    return msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=Saved[kind])  # type: ignore[valid-type]


@cache
def commit() -> str | None:
    """The commit that was checked out when this was asked first, and `+` if the program differed; None without git."""
    try:
        return git("rev-parse", "--short=7", "HEAD") + (
            "+" if git("diff", "HEAD", "--name-only", "--", *PROGRAM) else ""
        )
    except (OSError, subprocess.CalledProcessError):
        return None


def program() -> str | None:
    """The program as it is now, whatever else was committed since: equal for equal code; None without git."""
    try:
        code = git("ls-files", "-s", "--", *READS) + git("diff", "--", *READS)
        return sha1(code.encode(), usedforsecurity=False).hexdigest()[:10]
    except (OSError, subprocess.CalledProcessError):
        return None


def git(*words: str) -> str:
    """What git answers; OSError, subprocess.CalledProcessError."""
    command = ["git", *words]
    return subprocess.run(command, cwd=FOLDER.parents[1], capture_output=True, text=True, check=True).stdout.strip()


def machine() -> Machine:
    """This computer."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text().splitlines() if listed.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor() or platform.machine()
    return Machine(model, platform.python_version(), round(min(squares() for _ in range(5)) * 1000, 1))


def squares() -> float:
    """Seconds of processor time that summing the first million squares takes: how fast this computer is just now."""
    begun = process_time()
    sum(number * number for number in range(1_000_000))
    return process_time() - begun


# The figures of each benchmark --------------------------------------------------------------------


class Spread(Plain, frozen=True):
    """The median of some times in milliseconds, what 99 % of them lie below, and the longest."""

    median_ms: float | None
    p99_ms: float | None
    worst_ms: float | None = None


def at(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of all lie."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def spread(ms: Sequence[float]) -> Spread:
    """The spread of some milliseconds, one at least."""
    return Spread(at(ms, 0.5), at(ms, 0.99), max(ms))


class Reading(Plain, frozen=True):
    """How many turns one way of reading had right, asked about, missed and had wrong; and how long a right one took."""

    right: int
    asked: int
    missed: int
    wrong: int
    wait: Spread | None


class Read(Plain, frozen=True):
    """A row of accuracy: who moved which pieces over which sensors, and how each reader read that.

    `at_once` are the waits of the table's turns that counted with the very frame that shows their result, and so many
    turns these were, `of_waits` in all. Of `lied` sick sites `named` were named soon; `named_sound` were not sick.
    """

    game: str | None
    sensed: str
    hands: str
    sensors: str
    turns: int
    readers: dict[str, Reading]
    at_once: Spread | None
    at_once_turns: int
    of_waits: int
    named: int
    lied: int
    named_sound: int


class Accuracy(Plain, frozen=True):
    """accuracy-clean, accuracy-fumbling, accuracy-faults: rows, and what went wrong, a sentence each."""

    rows: list[Read]
    wrong: list[str]


class Prompted(Plain, frozen=True):
    """How one reader read so many legal turns, see `benchmarks.judged`.

    Of those missed or wrong `back_soon` were right again after two actions of the players, and `not_back` never; of the
    others half took `actions_median` at most, and 95 % `actions_p95`. For `undone` of those asked players pressed Undo.
    `clear` turns are told by what was seen of them alone (`benchmarks.clear`); of those right `clear_wait`.
    """

    turns: int
    right: int
    asked: int
    missed: int
    wrong_told: int
    wrong_silent: int
    scolded: int
    back_soon: int
    not_back: int
    wait: Spread | None
    undone: int | None = None
    actions_median: int | None = None
    actions_p95: int | None = None
    clear: int = 0
    clear_wait: Spread | None = None


class Illegal(Plain, frozen=True):
    """Illegal turns, and how a reader took them.

    `hidden` ones look like a legal turn to all sensors; so many of the others counted, or nothing was said.
    """

    turns: int
    hidden: int
    accepted: int
    silent: int
    lit: Spread | None
    told: Spread | None


class ReadHabit(Plain, frozen=True):
    """A row of reading, or reading-faults: a cell, what the people do, the sensors; and how each reader read that."""

    cell: str
    habit: str
    strength: str
    evenings: int
    readers: dict[str, Prompted]
    illegal: dict[str, Illegal]
    fault: str = "none"
    named: dict[str, tuple[int, int, int]] = {}
    """For each reader how many sick sites it named soon, of how many, and how many sound ones."""
    due: int = 0
    """How many turns are wanted; 0 where rows are pooled."""
    played: int = 0
    """How many of them were played."""


class Evenings(Plain, frozen=True):
    """reading, reading-rules, reading-faults: the rows, and what the table had wrong, a sentence each."""

    rows: list[ReadHabit]
    wrong: list[str]


class Varied(Plain, frozen=True):
    """How the likelihood reads with one constant at `factor` of what is usual, or at its bound; an empty name: none."""

    constant: str
    factor: float
    value: float
    read: Prompted


class Sensitivity(Plain, frozen=True):
    """sensitivity: the usual constants first, then each at half and at double, on the same evenings."""

    rows: list[Varied]


class Counted(Plain, frozen=True):
    """How each reader read so many turns."""

    turns: int
    readers: dict[str, Reading]


class Followed(Plain, frozen=True):
    """One game: its hands, how it ended, its turns, and for each reader the first letters of how it read them.

    If the table had a turn wrong, `wrong` says which, and the game was followed no further.
    """

    seed: int
    style: str
    outcome: str
    turns: str
    read: dict[str, str]
    wrong: str = ""


class Games(Plain, frozen=True):
    """accuracy of a game that is played well: by which program, the sums by what they are of, and the games."""

    program: str
    rows: dict[str, Counted]
    games: list[Followed]


class Thirds(Plain, frozen=True):
    """A figure in the first, the second and the last third of the time."""

    first: float
    second: float | None
    last: float


class Growth(Plain, frozen=True):
    """What a process held by thirds: the most of each, and the median of the scan's time."""

    memory_mb: Thirds
    objects: Thirds
    files: Thirds
    threads: Thirds | None = None
    scan_us: Thirds | None = None


class Month(Plain, frozen=True):
    """month: what was done in so many evenings, and the growth."""

    evenings: int
    scans: int
    done: dict[str, int]
    growth: Growth


class Losses(Plain, frozen=True):
    """losses: how often the serial line was lost, the turns between, and the growth.

    `asked`: how often the table asked which turn it was; None: that ended the run.
    """

    losses: int
    turns: int
    growth: Growth
    asked: int | None = None


class Scan(Plain, frozen=True):
    """A row of latency: from a changed level to the picture, and a scan with nothing changed and nothing to weigh.

    `weighing`: scans with nothing changed that go on weighing what has; None: they are among the idle ones. `clock_ms`
    is the worst of the first by the clock, where the others are processor time; None: all are by the clock.
    """

    game: str
    sensed: str
    changed: Spread
    idle: Spread
    clock_ms: float | None = None
    weighing: Spread | None = None


class Large(Plain, frozen=True):
    """The same on a board of `size` x `size` squares, and the part of the worst scan that took most of it."""

    game: str
    sensed: str
    size: int
    changed: Spread
    part: str
    part_ms: float
    weighing: Spread | None = None


class Card(Plain, frozen=True):
    """From a turn that counts to the lights that say so, where a `sync` takes so long; and the longest scan."""

    sync: str
    kept_back: Spread
    scan_ms: float


class Answer(Plain, frozen=True):
    """From the scan in which the first piece of a turn was gone to other lights, at the table's own pace."""

    game: str
    sensed: str
    light: Spread


class Latency(Plain, frozen=True):
    """latency: scans, and the start of the command."""

    rows: list[Scan]
    start_s: float
    memory_mb: float
    large: list[Large] = []
    cards: list[Card] = []
    answers: list[Answer] = []


class Scanner(Plain, frozen=True):
    """What a scan of 64 sites costs: operations on lines, and its time over simulated wiring."""

    name: str
    operations: int
    simulated_us: float | None


class Hardware(Plain, frozen=True):
    """hardware: scanners, a picture of `lights`, and the loop; pairs are the least and the most that are estimated.

    `slower` is how many times slower a Zero 2 W is than one core here, `operation_us` what an operation takes there.
    """

    scanners: list[Scanner]
    lights: int
    painting_us: float
    budget_us: float
    encoding_us: float
    wire_us: float
    scan_hz: int
    picture_hz: int
    slower: tuple[float, float]
    operation_us: tuple[float, float]
    loop_here: float | None
    loop_there: tuple[float, float]


class Way(Plain, frozen=True):
    """From a contact to the acknowledged picture: the stages and the whole."""

    contact: str
    changes: int
    known: Spread
    program: Spread
    picture: Spread
    whole: Spread


class Chip(Plain, frozen=True):
    """mcu: the way at a micro-controller, of contacts that close cleanly and of those that bounce."""

    debounce_ms: float
    ways: list[Way]


class Beside(Plain, frozen=True):
    """thinking: changes at a table by itself and beside other work; the slowest hundredth by turns in one run."""

    alone: Spread
    among: Spread
    slower: float
    changes: int | None = None


class Attack(Plain, frozen=True):
    """What guests did, all scans without and with them, and what a modest guest asked meanwhile.

    Of `asked` requests `served` were done, the last of them after `longest_s`. `clock_ms` is the worst scan with them
    by the clock, where the others are processor time; None: all are by the clock.
    """

    what: str
    alone: Spread
    among: Spread
    slower: float
    asked: int
    served: int
    longest_s: float
    clock_ms: float | None = None


class Guests(Plain, frozen=True):
    """page: the attacks, when the page was served, and what its server holds without guests and after them."""

    rows: list[Attack]
    served_s: float
    memory_alone_mb: float
    memory_among_mb: float


class Frames(Plain, frozen=True):
    """The milliseconds between frames while pieces slide: the median, what 95 % lie below, the longest; of so many."""

    median_ms: float
    p95_ms: float
    worst_ms: float
    frames: int


class Paint(Plain, frozen=True):
    """The milliseconds until something is painted, in so many windows."""

    median_ms: float
    worst_ms: float
    windows: int


class Weight(Plain, frozen=True):
    """What a browser fetches, in thousands of bytes: files as they are and as sent; what the table tells besides."""

    files: int
    whole_kb: float
    sent_kb: float
    told_kb: float


class Seen(Plain, frozen=True):
    """browser: from the pointer to the light that answers, in so many lifts; motion, first paint and weight."""

    light: Spread
    lifts: int
    frames: Frames
    paint: Paint
    weight: Weight


class Loss(Plain, frozen=True):
    """A process that was lost: the seconds until players were told, until another one did its work, and until the game
    had gone on; None where that did not follow. `gap_s`: the longest pause between two scans of that round.
    """

    program: str
    sign: str
    told_s: float | None
    back_s: float | None
    went_on_s: float | None
    gap_s: float


class Helper(Plain, frozen=True):
    """All losses of one kind: how many of them were told, replaced, and survived by the game.

    Seconds without the process, in the middle and the longest; the longest pause between two scans.
    """

    program: str
    sign: str
    losses: int
    told: int
    back: int
    went_on: int
    median_s: float | None
    longest_s: float | None
    gap_s: float | None


class ClubGame(Plain, frozen=True):
    """A game of two tables: its turns, whether both have the same score, how often one asked what the plan answers.

    How often the broker was killed, all lines were cut, and messages were dropped; from each turn to its light there.
    Turns that hands made and a score lacks, that a score has and no hand made, that counted twice where they were made.
    Whether nothing was played for so long that the line was left alone from then on.
    """

    game: str
    turns: int
    equal: bool
    asked: int
    kills: int
    cuts: int
    dropped: int
    took_ms: list[float]
    lost: int | None = None
    invented: int | None = None
    doubled: int | None = None
    spared: bool = False


class Club(Plain, frozen=True):
    """club: all games, and how long turns took to be lit at the other table."""

    games: list[ClubGame]
    light: Spread


class Crowded(Plain, frozen=True):
    """A row of crowd: so many tables at a broker, `whole` ones among them; what was seen of them in `seconds`.

    `lit`: turns of whole tables, and `shown` how long they took to be lit at the other table. `turns` of light tables,
    and `heard` how long they took to be heard there. `broker_share` of a core, and what the broker held at the end.
    """

    whole: int
    tables: int
    seconds: float
    lit: int
    shown: Spread | None
    turns: int
    heard: Spread
    broker_share: float
    broker_mb: float
    messages_a_turn: float
    bytes_a_turn: float


class Crowd(Plain, frozen=True):
    """crowd: how it grows, and whole tables among light ones."""

    rows: list[Crowded]


class Process(Plain, frozen=True):
    """What a process holds: its proportional set size, and what it shares with no other one."""

    name: str
    pss_mb: float
    uss_mb: float


class Linked(Plain, frozen=True):
    """linked: from a changed level to the picture in turns made here, without a line to another table and with one.

    The slowest hundredth with it is `slower` times as slow; of so many `changes` with it. What its processes hold.
    """

    alone: Spread
    among: Spread
    slower: float
    changes: int
    processes: list[Process]


class Held(Plain, frozen=True):
    """The most that a game's processes held together, in MB, and what each of them held then."""

    game: str
    all_mb: float
    daemon_mb: float
    page_mb: float
    engine_mb: float
    report_mb: float


class Memory(Plain, frozen=True):
    """memory: each game, while it is played and while its report is made."""

    playing: list[Held]
    reporting: list[Held]


class Helpers(Plain, frozen=True):
    """helpers: each kind of process, killed and stopped."""

    rows: list[Helper]


class Ratio(Plain, frozen=True):
    """Ours to theirs: the median of the rounds, the least and the most."""

    median: float
    least: float | None
    most: float | None


class Speed(Plain, frozen=True):
    """A row of engine: what is done in a second, plain and compiled, beside another program.

    `inside` if both run within compiled code; else both are driven from Python.
    """

    kind: str
    ours: str
    theirs: str
    aim: float
    ours_plain: float | None
    ours_compiled: float | None
    theirs_rate: float
    plain: Ratio
    compiled: Ratio | None
    inside: bool = False


class Nodes(Plain, frozen=True):
    """Positions or random games a second of a search."""

    game: str
    plain: float | None
    compiled: float | None


class Engine(Plain, frozen=True):
    """engine: beside others, and how many nodes a second; `slower` is how many times slower a Pi is than this.

    `versions` of the others' packages, by their names.
    """

    rows: list[Speed]
    nodes: list[Nodes]
    slower: dict[str, float]
    versions: dict[str, str] = {}


class Solved(Plain, frozen=True):
    """How many of a game's positions with a forced win in so many plies the engine solved."""

    game: str
    plies: int
    solved: int
    of: int


class Forced(Plain, frozen=True):
    """forced: all depths of all games."""

    rows: list[Solved]


class Matched(Plain, frozen=True):
    """A match: its score is a share of the points, a draw counting half, and lies between `least` and `most`."""

    first: str
    second: str
    demanded: float
    score: float
    games: int | None
    verdict: str
    drawn: int | None = None
    plies: float | None = None
    digest: str = ""
    least: float | None = None
    most: float | None = None


class Strength(Plain, frozen=True):
    """strength-GAME: its matches."""

    game: str
    compiled: bool
    rows: list[Matched]


class Bin(Plain, frozen=True):
    """Positions whose side ahead was to score between `low` and `high`: expected, scored with bounds, how many."""

    low: float
    high: float
    predicted: float
    actual: float
    number: int
    least: float
    most: float


class Calibrated(Plain, frozen=True):
    """A game's values beside results: the scale in force and the one fitted by the other half of the games.

    Mean errors as shares: `raw` of the search's own values, `error` of the calibrated ones, `chance` what chance alone
    leaves on the average. `games` that were judged have `bins` of positions.
    """

    game: str
    slope: float
    favour: float
    fitted_slope: float
    fitted_favour: float
    raw: float
    error: float
    chance: float
    games: int
    bins: list[Bin]


class Calibration(Plain, frozen=True):
    """calibration: all games."""

    games: list[Calibrated]
