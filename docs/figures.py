"""Writes every measured figure of the documentation from the results of the benchmarks, saved in benchmarks/results/.

A page holds its figures between two marks, <!-- figures: NAME --> and <!-- /figures -->, and nothing else that was
measured; what stands between them is written anew. README.md has the block `summary`, whose mark needs no name.

    make figures
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from benchmarks.before import COMMIT
from benchmarks.results import (
    FOLDER,
    Accuracy,
    Attack,
    Beside,
    Calibration,
    Chip,
    Club,
    Counted,
    Crowd,
    Engine,
    Forced,
    Games,
    Growth,
    Guests,
    Hardware,
    Held,
    Helpers,
    Latency,
    Linked,
    Losses,
    Matched,
    Memory,
    Month,
    Ratio,
    Read,
    Reading,
    Scanner,
    Seen,
    Sensitivity,
    Speed,
    Spread,
    Strength,
    Thirds,
    load,
)
from docs import hands
from docs.tables import KINDS, amount, bounded, ms, percent, provenance, table, title
from firmware_bridge.engine.levels import LEVELS, levels
from firmware_bridge.reading.constants import BOUNDS
from games import rules
from games.rules import names

ROOT = Path(__file__).parents[1]
MARKED = re.compile(r"(<!-- figures(?:: (?P<name>[a-z-]+))? -->\n).*?(<!-- /figures -->)", re.DOTALL)
READERS = {"table": "Tablelight", "picture": "picture", "pair": "pair"}


# How often it is right ----------------------------------------------------------------------------


def kind(row: Read) -> str:
    """Whether its sensors tell presence alone, or more."""
    return KINDS[row.sensed != KINDS[0]]


def named_by(row: Read) -> list[str]:
    """The words that name a row."""
    return [title(row.game), row.sensed, row.hands] if row.game else [row.sensors, row.sensed]


def heads_of(rows: Sequence[Read]) -> list[str]:
    """The heads of the columns with these words."""
    return ["game", "sensed", "hands"] if rows[0].game else ["sensors", "sensed"]


def added(rows: Iterable[Read], reader: str = "table") -> tuple[int, Reading]:
    """The turns of all rows, and how one reader read them."""
    chosen = list(rows)
    readings = [row.readers[reader] for row in chosen]
    right, asked = sum(each.right for each in readings), sum(each.asked for each in readings)
    missed, wrong = sum(each.missed for each in readings), sum(each.wrong for each in readings)
    return sum(row.turns for row in chosen), Reading(right, asked, missed, wrong, None)


def totals(rows: Sequence[Read], cells: Callable[[Sequence[Read]], list[str]]) -> Iterator[list[str]]:
    """A last row for each kind of sensors."""
    width = len(heads_of(rows))
    for each in KINDS:
        chosen = [row for row in rows if kind(row) == each]
        yield [f"**all, {each}**", *[""] * (width - 1), *cells(chosen)]


def read_rightly(rows: Sequence[Read]) -> str:
    """How Tablelight read the turns."""

    def cells(chosen: Sequence[Read]) -> list[str]:
        turns, reading = added(chosen)
        counts = (reading.right, reading.asked, reading.missed, reading.wrong)
        return [f"{turns:,}", *(bounded(count, turns) for count in counts)]

    heads = [*heads_of(rows), "turns", *(f"{verdict}, %" for verdict in ("right", "asked", "missed", "wrong"))]
    body = [[*named_by(row), *cells([row])] for row in rows]
    return table(heads, [*body, *totals(rows, cells)], len(heads_of(rows)))


def read_otherwise(rows: Sequence[Read]) -> str:
    """How the other two read the same turns."""

    def cells(chosen: Sequence[Read]) -> list[str]:
        both = [added(chosen, reader) for reader in ("picture", "pair")]
        return [bounded(count, turns) for turns, reading in both for count in (reading.asked, reading.wrong)]

    heads = [*heads_of(rows), *(f"{who}: {what}, %" for who in ("picture", "pair") for what in ("asked", "wrong"))]
    body = [[*named_by(row), *cells([row])] for row in rows]
    return table(heads, [*body, *totals(rows, cells)], len(heads_of(rows)))


def waited(rows: Sequence[Read]) -> str:
    """How long the turns took to be counted, and the sick sites that were named."""

    def wait(spread: Spread | None) -> str:
        return f"{ms(spread.median_ms, 0)} / {ms(spread.p99_ms, 0)}" if spread else "-"

    def cells(row: Read) -> Iterator[str]:
        yield wait(row.readers["table"].wait)
        share = row.at_once_turns / row.of_waits if row.of_waits else 0
        yield f"{wait(row.at_once)} ({share:.0%})"
        yield from (wait(row.readers[reader].wait) for reader in ("picture", "pair"))
        sound = f", and {row.named_sound} sound" if row.named_sound else ""
        yield (f"{row.named} of {row.lied}" if row.lied else "-") + sound

    heads = [*heads_of(rows), "Tablelight, ms", "of it at once, ms", "picture, ms", "pair, ms", "named"]
    return table(heads, [[*named_by(row), *cells(row)] for row in rows], len(heads_of(rows)))


def accuracy(name: str) -> str:
    """The three tables of one kind of trouble, and what went wrong."""
    saved = load(f"accuracy-{name}", Accuracy)
    rows, wrong = saved.figures.rows, saved.figures.wrong
    parts = [
        "How Tablelight read the turns:",
        read_rightly(rows),
        "How the other two read them:",
        read_otherwise(rows),
        "From the last touch to the counted turn, median / 99 %, and the sick sites named:",
        waited(rows),
        "What went wrong:\n\n" + "\n".join(f"- {each}" for each in wrong) if wrong else "",
        provenance(saved.measured),
    ]
    return "\n\n".join(filter(None, parts))


def played(folder: Path) -> str:
    """Whole games of another distribution, whose results lie in `folder`, as each way of reading had them."""
    saved = load("accuracy", Games, folder)

    def cells(row: Counted) -> Iterator[str]:
        table = row.readers["table"]
        yield f"{row.turns:,}"
        yield from (bounded(count, row.turns) for count in (table.asked, table.missed, table.wrong))
        others = [row.readers[reader] for reader in ("picture", "pair")]
        yield from (bounded(count, row.turns) for each in others for count in (each.asked, each.wrong))

    verdicts = ["Tablelight: asked, %", "missed, %", "wrong, %", "picture: asked, %", "wrong, %", "pair: asked, %"]
    heads = ["", "turns", *verdicts, "wrong, %"]
    rows = ([name, *cells(row)] for name, row in saved.figures.rows.items())
    ended = Counter(game.outcome for game in saved.figures.games)
    told = ", ".join(f"{outcome} {count}" for outcome, count in ended.most_common())
    games = f"{len(saved.figures.games)} games by {saved.figures.program}, and how they ended: {told}."
    return f"{table(heads, rows)}\n\n{games}\n\n{provenance(saved.measured)}"


def sensitivity() -> str:
    """How much hangs on each constant of the likelihood, those first that are used now."""
    saved = load("sensitivity", Sensitivity)
    rows = {(row.constant, row.factor): row for row in saved.figures.rows}

    def cells(name: str, factor: float) -> list[str]:
        row = rows.get((name, factor))
        if row is None:
            return [f"`{name}`", f"x {factor:g}", *["not measured yet"], *["-"] * 6]
        read = row.read
        shares = [bounded(count, read.turns) for count in (read.right, read.asked, read.missed)]
        shares += [f"{read.wrong_told} / {read.wrong_silent}", bounded(read.scolded, read.turns)]
        named = [f"`{name}`", f"{row.value:g}"] if name else ["**all as usual**", ""]
        return [*named, f"{read.turns:,}", *shares, ms(read.wait.median_ms if read.wait else None, 0)]

    verdicts = ["right, %", "asked, %", "missed, %", "wrong: told / silent", "scolded, %", "wait, ms"]
    wanted = [("", 1.0), *((name, factor) for name in BOUNDS for factor in (0.5, 2.0))]
    shown = table(["constant", "at", "turns", *verdicts], (cells(*each) for each in wanted))
    return f"{shown}\n\n{provenance(saved.measured)}"


# How long, how fast -------------------------------------------------------------------------------


def endurance() -> str:
    """A month and the losses of the line."""
    month, lost = load("month", Month), load("losses", Losses)
    done = ", ".join(f"{count:,} {what}" for what, count in month.figures.done.items())
    heads = (
        "",
        f"{month.figures.evenings} evenings: {done}, {month.figures.scans:,} scans",
        f"{lost.figures.losses:,} losses, {lost.figures.turns:,} turns between them"
        + ("" if lost.figures.asked is None else f", {lost.figures.asked:,} of them asked for"),
    )
    names = {
        "memory, MB": ("memory_mb", 1),
        "objects under the garbage collector": ("objects", 0),
        "open files": ("files", 0),
        "threads": ("threads", 0),
        "a scan, us": ("scan_us", 1),
    }

    def cell(growth: Growth, name: str, places: int) -> str:
        thirds: Thirds | None = getattr(growth, name)
        return f"{thirds.first:,.{places}f}, then {thirds.last:,.{places}f}" if thirds else ""

    rows = [
        [what, *(cell(each, *name) for each in (month.figures.growth, lost.figures.growth))]
        for what, name in names.items()
    ]
    shown = table(heads, (row for row in rows if any(row[1:])))
    return f"{shown}\n\n{provenance(month.measured, lost.measured)}"


def shown(times: Spread | None) -> list[str]:
    """Median, the 99th percentile and the worst."""
    return [ms(value) for value in (times.median_ms, times.p99_ms, times.worst_ms)] if times else [""] * 3


ANSWERED = (
    "Lights answer at the table's own pace: scans follow each other a hundredth of a second apart, and as fast as can "
    "be while light waits for them. The first piece is lifted when hands have rested, and its time is from the scan "
    "that finds it gone, so up to a hundredth of a second is to be added; 5 ms of it is debouncing."
)


def latency() -> str:
    """From a changed level to the picture."""
    saved = load("latency", Latency)
    rows = [
        [title(row.game), row.sensed, *shown(row.changed), ms(row.clock_ms), *shown(row.weighing), *shown(row.idle)]
        for row in saved.figures.rows
    ]
    heads = (
        "game",
        "sensed",
        "changed: median, ms",
        "99 %, ms",
        "worst, ms",
        "by the clock, ms",
        "weighing: median, ms",
        "99 %, ms",
        "worst, ms",
        "idle: median, ms",
        "99 %, ms",
        "worst, ms",
    )
    parts = ("game", "sensed", "squares", *heads[2:5], "most of it", "ms", *heads[6:9])
    larger = [
        [
            *(title(row.game), row.sensed, f"{row.size} x {row.size}"),
            *(*shown(row.changed), row.part, ms(row.part_ms), *shown(row.weighing)),
        ]
        for row in saved.figures.large
    ]
    start = f"The board of `tablelight play` is on the terminal after {saved.figures.start_s:.2f} s; the program has "
    start += f"{saved.figures.memory_mb:.0f} MB resident at most by then."
    kept = ("a sync takes", "a turn is kept back: median, ms", "99 %, ms", "worst, ms", "longest scan by the clock, ms")
    cards = [[row.sync, *shown(row.kept_back), ms(row.scan_ms)] for row in saved.figures.cards]
    lit = ("game", "sensed", "first piece of a turn lifted to other lights: median, ms", "99 %, ms", "worst, ms")
    answers = [[title(row.game), row.sensed, *shown(row.light)] for row in saved.figures.answers]
    extra = ((parts, larger, 2), (kept, cards, 1), (lit, answers, 2))
    others = [table(each, under, count) for each, under, count in extra if under]
    tables = "\n\n".join([table(heads, rows, 2), *others, *([ANSWERED] if answers else [])])
    return f"{tables}\n\n{start}\n\n{provenance(saved.measured)}"


def hardware() -> str:
    """What sensors and lights cost, and what that would be on a Zero 2 W."""
    saved = load("hardware", Hardware)
    cost = saved.figures

    def cells(scanner: Scanner) -> list[str]:
        least, most = (scanner.operations * us / 1000 for us in cost.operation_us)
        shares = (f"{each / 1000 * cost.scan_hz:.0%}" for each in (least, most))
        return [scanner.name, f"{scanner.operations}", f"{least:.1f} to {most:.1f}", " to ".join(shares)]

    heads = ("64 sites", "operations", "on a Zero 2 W, ms", f"share of a core at {cost.scan_hz} Hz")
    picture = (
        f"A picture of {cost.lights} lights takes {cost.painting_us:.0f} us to paint, {cost.budget_us:.0f} us to bring "
        f"within the power budget and {cost.encoding_us:.0f} us to encode on the computer named below, and "
        f"{cost.wire_us / 1000:.1f} ms on the wire. The whole loop with a matrix and {cost.picture_hz} pictures a "
        f"second would take {cost.loop_there[0]:.0%} to {cost.loop_there[1]:.0%} of one core of a Zero 2 W, which is "
        f"estimated to be {cost.slower[0]:g} to {cost.slower[1]:g} times slower, at {cost.operation_us[0]:g} to "
        f"{cost.operation_us[1]:g} us an operation."
    )
    return f"{table(heads, map(cells, cost.scanners))}\n\n{picture}\n\n{provenance(saved.measured)}"


def beside() -> str:
    """What guests of the page and the search cost the table, and what guests cost each other."""
    page, thinking = load("page", Guests), load("thinking", Beside)

    def cells(what: str, of: Attack | Beside) -> list[str]:
        return [what, ms(of.alone.p99_ms, 2), ms(of.among.p99_ms, 2), f"{of.slower:.2f}", ms(of.among.worst_ms, 1)]

    def guest(of: Attack) -> list[str]:
        number = page.measured.options["browsers"] if of.what.startswith("watch") else "one"
        clock = ms(of.clock_ms, 1)
        return [*cells(f"{number} {of.what}", of), clock, f"{of.served} of {of.asked}", f"{of.longest_s:.2f}"]

    heads = ("meanwhile", "without, ms", "with, ms", "times as long", "worst, ms")
    heads += ("by the clock, ms", "others served", "longest, s")
    rows = [
        *map(guest, page.figures.rows),
        [*cells("the engine searches in its own process", thinking.figures), "", "", ""],
    ]
    first, then = page.figures.memory_alone_mb, page.figures.memory_among_mb
    memory = f"The page's server has {first:.0f} MB resident, and {then:.0f} MB after all these guests."
    return f"{table(heads, rows)}\n\n{memory}\n\n{provenance(page.measured, thinking.measured)}"


def page() -> str:
    """What somebody at the page sees of it."""
    try:
        saved = load("browser", Seen)
    except FileNotFoundError:
        return "*Not measured yet.* `make bench-page` does it, on a computer that has nothing else to do."
    light, frames, paint, weight = saved.figures.light, saved.figures.frames, saved.figures.paint, saved.figures.weight
    rows = [
        [
            f"pointer down to changed light, {saved.figures.lifts} times",
            ms(light.median_ms, 0),
            "",
            ms(light.p99_ms, 0),
        ],
        [f"between {frames.frames} frames, rows slide", ms(frames.median_ms, 1), ms(frames.p95_ms, 1), ""],
        [f"first paint, {paint.windows} windows", ms(paint.median_ms, 0), "", ""],
    ]
    for row, worst in zip(rows, (light.worst_ms, frames.worst_ms, paint.worst_ms), strict=True):
        row.append(ms(worst, 0))
    fetched = (
        f"To open the first screen, to begin a game and to make a turn, a browser fetches {weight.files} files of "
        f"{weight.whole_kb:.0f} kB, {weight.sent_kb:.0f} kB as they are sent; the table tells {weight.told_kb:.0f} kB."
    )
    shown = table(("what", "median, ms", "95 %, ms", "99 %, ms", "worst, ms"), rows)
    return f"{shown}\n\n{fetched}\n\n{provenance(saved.measured)}"


def helpers() -> str:
    """What became of games whose helpers were killed or stopped."""
    saved = load("helpers", Helpers)
    heads = ("what", "how", "times", "told", "replaced", "went on", "without it: median, s", "longest, s")
    rows = [
        [row.program, row.sign]
        + [str(count) for count in (row.losses, row.told, row.back, row.went_on)]
        + ["-" if value is None else f"{value:.1f}" for value in (row.median_s, row.longest_s)]
        for row in saved.figures.rows
    ]
    gap = max(row.gap_s or 0.0 for row in saved.figures.rows)
    told = (
        f"The longest pause between two scans of any of the {saved.measured.options['tables']} tables was {gap:.2f} s."
    )
    return f"{table(heads, rows, 2)}\n\n{told}\n\n{provenance(saved.measured)}"


def club(folder: Path = FOLDER) -> str:
    """What became of games of two tables whose broker died now and then; a row a kind of game."""
    try:
        saved = load("club", Club, folder)
    except FileNotFoundError:
        return "*Not measured yet.* `make bench-club` does it."
    games = saved.figures.games
    counted = ("turns", "lost", "invented", "doubled", "asked", "kills", "cuts", "dropped")
    heads = ("game", "played", "scores equal", "turns", "lost", "invented", "doubled", "questions")
    heads += ("broker killed", "lines cut", "messages dropped")
    rows = []
    for name in ("", *dict.fromkeys(row.game for row in games)):
        of = [row for row in games if name in ("", row.game)]
        sums = [[getattr(row, count) for row in of] for count in counted]
        cells = ["-" if None in each else f"{sum(each):,}" for each in sums]
        rows.append([title(name) if name else "**all**", f"{len(of)}", f"{sum(row.equal for row in of)}", *cells])
    rows = [*rows[1:], rows[0]]
    light = saved.figures.light
    told = (
        f"From the turn to its light at the other table: median {seconds(light.median_ms)} s, 99 % below "
        f"{seconds(light.p99_ms)} s, those among them that had to wait for the broker."
    )
    if spared := sum(row.spared for row in games):
        told += f" In {spared} of {len(games)} games nothing was played for two minutes; then the line was left alone."
    return f"{table(heads, rows, 1)}\n\n{told}\n\n{provenance(saved.measured)}"


def seconds(milliseconds: float | None) -> str:
    """So many seconds."""
    return "-" if milliseconds is None else f"{milliseconds / 1000:.1f}"


def crowd(folder: Path = FOLDER) -> str:
    """How a broker bears many tables."""
    try:
        saved = load("crowd", Crowd, folder)
    except FileNotFoundError:
        return "*Not measured yet.* `make bench-crowd` does it, on a computer that has nothing else to do."

    def times(spread: Spread | None) -> list[str]:
        return [ms(spread.median_ms), ms(spread.p99_ms)] if spread else ["", ""]

    heads = ("tables", "whole", "turns heard", "median, ms", "99 %, ms", "turns lit", "median, ms", "99 %, ms")
    heads += ("broker, % of a core", "MB", "messages a turn", "bytes a turn")
    rows = []
    for row in saved.figures.rows:
        heard = [f"{row.turns:,}", *times(row.heard)]
        lit = [f"{row.lit:,}", *times(row.shown)]
        broker = [f"{100 * row.broker_share:.1f}", f"{row.broker_mb:.1f}"]
        turn = [f"{row.messages_a_turn:.2f}", f"{row.bytes_a_turn:,.0f}"]
        rows.append([f"{row.tables:,}", f"{row.whole}", *heard, *lit, *broker, *turn])
    return f"{table(heads, rows, 0)}\n\n{provenance(saved.measured)}"


def linked(folder: Path = FOLDER) -> str:
    """What a line to another table costs the table, and what its processes hold."""
    try:
        saved = load("linked", Linked, folder)
    except FileNotFoundError:
        return "*Not measured yet.* `make bench-linked` does it, on a computer that has nothing else to do."
    cost = saved.figures
    heads = ("from a changed level to the picture", "median, ms", "99 %, ms", "worst, ms")
    rows = [["no other table", *shown(cost.alone)], ["with another table", *shown(cost.among)]]
    told = (
        f"The slowest hundredth of {cost.changes:,} changes takes {cost.slower:.2f} times as long with another table."
    )
    held = [[f"that {each.name}", f"{each.pss_mb:.1f}", f"{each.uss_mb:.1f}"] for each in cost.processes]
    holds = table(("the process", "proportional set size, MB", "of it shared with none, MB"), held)
    return f"{table(heads, rows)}\n\n{told}\n\n{holds}\n\n{provenance(saved.measured)}"


def memory() -> str:
    """What all processes of a table hold together."""
    saved = load("memory", Memory)

    def cells(when: str, held: Held) -> list[str]:
        each = (held.all_mb, held.daemon_mb, held.page_mb, held.engine_mb, held.report_mb)
        return [title(held.game), when, *(f"{value:.0f}" if value else "-" for value in each)]

    heads = ("game", "meanwhile", "together, MB", "daemon", "page", "engine", "report")
    rows = [cells("the engine plays", held) for held in saved.figures.playing]
    rows += [cells("the report is made", held) for held in saved.figures.reporting]
    return f"{table(heads, rows, 2)}\n\n{provenance(saved.measured)}"


def chip() -> str:
    """The whole way at a micro-controller."""
    saved = load("mcu", Chip)
    stages = {
        f"from the contact to the program, {saved.figures.debounce_ms:g} ms of it debouncing": "known",
        "the program: verdict, scene, picture": "program",
        "the picture, to its acknowledgement": "picture",
        "**the whole way**": "whole",
    }
    parts = []
    for way in saved.figures.ways:
        rows = [
            [what, ms(getattr(way, name).median_ms, 1), ms(getattr(way, name).p99_ms, 1)]
            for what, name in stages.items()
        ]
        parts.append(table((f"{way.contact}, {way.changes} times", "median, ms", "99 %, ms"), rows))
    return "\n\n".join([*parts, provenance(saved.measured)])


# How strong ---------------------------------------------------------------------------------------


def engine() -> str:
    """The engine's speed beside others, and what that would be on a Pi."""
    saved = load("engine", Engine)

    def ratio(value: Ratio | None) -> str:
        if value is None:
            return "-"
        bounds = f" ({value.least:.3g} to {value.most:.3g})" if value.least is not None else ""
        return f"{value.median:.3g}{bounds}"

    def cells(row: Speed) -> list[str]:
        _, game, *where = row.ours.split()
        what = f"{title(game)}, {row.kind}" + (f", {where[0]}" if where else "")
        them = "python-chess" if row.theirs.startswith("chess") else f"OpenSpiel, {row.theirs}"
        rates = (amount(rate) for rate in (row.ours_compiled, row.theirs_rate))
        return [what, them, *rates, ratio(row.compiled), ratio(row.plain), f"{row.aim:g}"]

    heads = ("what", "beside", "ours a second, compiled", "theirs", "ratio compiled", "ratio plain", "aim")
    parts = []
    for inside, told in INSIDE.items():
        rows = [cells(row) for row in saved.figures.rows if row.inside == inside]
        parts += [told, table(heads, rows, 2) if rows else "*Not measured yet.* `make bench-engine` does it."]
    if saved.figures.versions:
        parts.append("Beside " + ", ".join(" ".join(each) for each in saved.figures.versions.items()) + ".")
    slower = saved.figures.slower
    nodes = [
        [
            title(each.game),
            amount(each.compiled),
            *(amount(each.compiled and each.compiled / by) for by in slower.values()),
            f"{best(each.game) / each.compiled * max(slower.values()):.2f}" if each.compiled else "-",
        ]
        for each in saved.figures.nodes
    ]
    there = (f"{name}, {by:g} times slower" for name, by in slower.items())
    slowest = f"a turn of level {LEVELS} on the slowest, s"
    parts.append(table(("nodes a second, compiled", "measured", *there, slowest), nodes))
    return "\n\n".join([*parts, provenance(saved.measured)])


def best(name: str) -> int:
    """The nodes for a turn of the best level of a game."""
    return levels(rules.load(name))[-1].nodes


INSIDE = {
    False: "What a Python program gets of both: it flatters us, for a random game of ours is one call, and one of "
    "OpenSpiel's a call each ply.",
    True: "Within compiled code on both sides, which compares the engines: OpenSpiel's games are those of its own tree "
    "search in C++, and lines of play are counted without making the turns of the last ply.",
}
"""Whether both run within compiled code -> what is compared."""


def forced() -> str:
    """Forced wins that are found."""
    saved = load("forced", Forced)
    depths = sorted({row.plies for row in saved.figures.rows})
    rows = []
    for game, each in groupby(saved.figures.rows, lambda row: row.game):
        found = {row.plies: row for row in each}
        whole = bounded(sum(row.solved for row in found.values()), sum(row.of for row in found.values()))
        rows.append([title(game), *(f"{found[plies].solved} of {found[plies].of}" for plies in depths), whole])
    heads = ("game", *(f"in {plies}" for plies in depths), "all, %")
    return f"{table(heads, rows)}\n\n{provenance(saved.measured)}"


def calibration() -> str:
    """What was expected of positions, and what came."""
    saved = load("calibration", Calibration)

    def points(share: float) -> str:
        return f"{100 * share:.1f}"

    off = [
        [
            title(each.game),
            f"{each.slope:g}",
            f"{each.favour:g}",
            *map(points, (each.raw, each.error, each.chance)),
            f"{each.games}",
            f"{sum(row.number for row in each.bins)}",
        ]
        for each in saved.figures.games
    ]
    rows = [
        [
            title(each.game),
            f"{100 * row.low:.0f} to {100 * row.high:.0f}",
            points(row.predicted),
            f"{points(row.actual)} ({points(row.least)} to {points(row.most)})",
            f"{row.number}",
        ]
        for each in saved.figures.games
        for row in each.bins
    ]
    mean = table(
        (
            "game",
            "slope",
            "favour",
            "off as the search has it, points",
            "off, points",
            "by chance alone",
            "games",
            "positions",
        ),
        off,
    )
    bins = table(("game", "the side ahead, %", "expected, %", "came, %", "positions"), rows, 2)
    return f"{mean}\n\n{bins}\n\n{provenance(saved.measured)}"


def matches() -> str:
    """The matches of all games."""
    saved = [load(f"strength-{name}", Strength) for name in names()]
    rows = [
        [title(each.figures.game), player(row.first), player(row.second), score(row), *decided(row)]
        for each in saved
        for row in each.figures.rows
    ]
    heads = ("game", "player", "against", "score, %", "aim, %", "games", "the test says")
    return f"{table(heads, rows, 3)}\n\n{provenance(*(each.measured for each in saved))}"


def player(name: str) -> str:
    """Who plays, in words."""
    plain, _, seconds = name.partition("@")
    who, _, commit = plain.partition(":")
    called = {
        "random": "chance",
        "openspiel": "OpenSpiel's MCTS",
        "engine": "the engine",
        "alphabeta": "a plain alpha-beta",
        "before": f"the engine of `{commit or COMMIT}`",
    }
    return called.get(who, plain.replace("-", " ")) + (f", {seconds} s" if seconds else "")


def score(row: Matched) -> str:
    """The score of a match, with bounds where the number of games is known."""
    if row.least is not None and row.most is not None:
        return f"{percent(row.score)} ({percent(row.least)} to {percent(row.most)})"
    return bounded(row.score * row.games, row.games) if row.games else percent(row.score)


def decided(row: Matched) -> list[str]:
    """Its aim, its games, and whether the aim is reached."""
    return [f"{100 * row.demanded:g}", "-" if row.games is None else f"{row.games}", row.verdict]


# In short -----------------------------------------------------------------------------------------


def summary() -> str:
    """The figures that tell most, for README.md."""
    groups = {"how often right": hands.often_right(), "how fast": how_fast(), "how strong": how_strong()}
    rows = [
        [f"**{group}**" if not place else "", *row] for group, its in groups.items() for place, row in enumerate(its)
    ]
    return table(("", "", "measured, with 95 % bounds"), rows, 2)


def how_fast() -> Iterator[list[str]]:
    """From a touch to the turn, from a sensor to the picture, from a contact to the lights."""
    yield ["from the last touch to the counted turn, median", hands.counted()]
    changes = [row.changed.p99_ms for row in load("latency", Latency).figures.rows]
    slow = sorted(value for value in changes if value is not None)
    yield ["from a sensor to the finished picture, 99 % within", f"{ms(slow[0], 1)} to {ms(slow[-1], 1)} ms, by game"]
    with suppress(FileNotFoundError):
        light = load("browser", Seen).figures.light
        yield ["from the pointer on the page to the changed light there, median", f"{ms(light.median_ms, 0)} ms"]
    whole = load("mcu", Chip).figures.ways[0].whole
    yield ["from a contact to the lights, at a micro-controller, median", f"{ms(whole.median_ms, 1)} ms"]


def how_strong() -> Iterator[list[str]]:
    """Forced wins, and the matches against the strongest other program."""
    saved = load("forced", Forced)
    solved, options = saved.figures.rows, saved.measured.options
    given = f"{options['nodes']} nodes" if options["nodes"] else f"{options['seconds']:g} s"
    wins, positions = sum(row.solved for row in solved), sum(row.of for row in solved)
    yield [f"forced wins found in {given}, up to {max(row.plies for row in solved)} plies", f"{wins} of {positions}"]
    for name in names():
        [match] = [row for row in load(f"strength-{name}", Strength).figures.rows if row.second.startswith("openspiel")]
        yield [f"score against OpenSpiel's search, as much time: {title(name)}", score(match) + " %"]


BLOCKS: dict[str, Callable[[], str]] = {
    "summary": summary,
    "clean": lambda: accuracy("clean"),
    "fumbling": lambda: accuracy("fumbling"),
    "faults": lambda: accuracy("faults"),
    "examples": lambda: accuracy("examples"),
    "chess": lambda: played(ROOT / "examples" / "chess" / "results"),
    "sensitivity": sensitivity,
    "hands": hands.read,
    "illegal": hands.illegal,
    "reaching-in": hands.reaching_in,
    "habits": hands.habits,
    "sick": hands.sick,
    "endurance": endurance,
    "latency": latency,
    "hardware": hardware,
    "beside": beside,
    "page": page,
    "helpers": helpers,
    "club": club,
    "crowd": crowd,
    "linked": linked,
    "memory": memory,
    "mcu": chip,
    "engine": engine,
    "forced": forced,
    "calibration": calibration,
    "strength": matches,
}
"""What can stand between two marks, by name."""


def pages() -> list[Path]:
    """The pages that have figures."""
    found = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("examples/*/README.md")))
    return [path for path in found if MARKED.search(path.read_text())]


def written(text: str) -> str:
    """The text of a page, each block in it written anew; KeyError for a name that there is not."""

    def anew(found: re.Match[str]) -> str:
        return f"{found[1]}{BLOCKS[found['name'] or 'summary']()}\n{found[3]}"

    return MARKED.sub(anew, text)


def main() -> None:
    """Write the pages."""
    for path in pages():
        path.write_text(written(path.read_text()))
        print(f"{path.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
