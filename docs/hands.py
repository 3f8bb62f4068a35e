"""The figures of hands at the physical table, as `docs.figures` writes them; what is missing is said to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchmarks.results import Evenings, Prompted, ReadHabit, Saved, Spread, T, load
from docs.tables import KINDS, bounded, percent, provenance, table, wilson

BY_READER = {"table": "Tablelight", "rules": "Tablelight by rules, as it was", "picture": "picture", "pair": "pair"}
"""The readers of the physical table, in order, with their names."""
OTHERS = [name for name in BY_READER if name != "table"]
NOT_YET = "not measured yet"
SICK = "reading-faults"
ANY = "any"
"""The name of all faults."""
MANY_HABITS = ("mixed", "illegal")
OURS = ("table", "rules")
"""The readers that tell what is illegal."""
STRENGTHS = ("weak", "usual", "strong")


def saved_if_any(name: str) -> Saved[Evenings] | None:
    """The saved evenings of this name; None where they have not been measured yet."""
    try:
        return load(name, Evenings)
    except FileNotFoundError:
        return None


def evenings() -> list[Saved[Evenings]]:
    """What was measured at the physical table, the present reader first."""
    return [saved for name in ("reading", "reading-rules") if (saved := saved_if_any(name))]


def at_the_table() -> list[ReadHabit]:
    """The rows of all readers, each reader as it was measured last; of the present one alone, how much is due."""
    found: dict[tuple[str, str, str], ReadHabit] = {}
    for row in (row for saved in evenings() for row in saved.figures.rows):
        same = found.setdefault((row.cell, row.habit, row.strength), row)
        readers, tried = row.readers | same.readers, row.illegal | same.illegal
        found[row.cell, row.habit, row.strength] = msgspec.structs.replace(same, readers=readers, illegal=tried)
    return list(found.values())


def in_order(readers: Mapping[str, T]) -> Iterator[tuple[str, T | None]]:
    """The readers by name with what each has; the present one also where it has nothing yet."""
    for name, called in BY_READER.items():
        if name in readers or name == "table":
            yield called, readers.get(name)


def turns_of(row: ReadHabit, reader: str, turns: int) -> str:
    """How many turns a reader was judged by; and how many were played of how many, where the run goes on."""
    goes_on = reader == BY_READER["table"] and row.played < row.due
    return f"{turns:,}" + (f" ({row.played:,} played of {row.due:,})" if goes_on else "")


def spread_ms(wait: Spread | None) -> str:
    """The median of some waits, and what 99 % of them lie below, in ms."""
    return f"{wait.median_ms:.0f} / {wait.p99_ms:.0f}" if wait else "-"


HANDS_HEADS = (
    "hands, sensors", "read by", "turns", "right, %", "asked, %", "missed, %", "wrong, %", "of them silent",
    "scolded, %", "wait, ms: median / 99 %", "back within two actions",
)  # fmt: skip


def prompted(row: ReadHabit, what: str) -> Iterator[list[str]]:
    """How each reader read the turns of a row, named by `what`."""
    for reader, read in in_order(row.readers):
        if read is None:
            yield [what, reader, NOT_YET, *["-"] * (len(HANDS_HEADS) - 3)]
            continue
        wrong = read.wrong_told + read.wrong_silent
        shares = (bounded(count, read.turns) for count in (read.right, read.asked, read.missed, wrong))
        back = f"{read.back_soon} of {read.missed + wrong}" + (
            f"; 95 % within {read.actions_p95}" if read.actions_p95 is not None else ""
        )
        turns = turns_of(row, reader, read.turns)
        silent, scolded = f"{read.wrong_silent}", bounded(read.scolded, read.turns)
        yield [what, reader, turns, *shares, silent, scolded, spread_ms(read.wait), back]


def read() -> str:
    """Hands as every way of reading had them: pooled, by strength, by cell."""
    rows = at_the_table()
    pooled = [row for row in rows if row.habit.startswith("all but")]
    mixed = [row for row in rows if row.habit == "mixed"]
    chosen = {f"{row.cell}, {row.habit}": row for row in pooled}
    chosen |= {f"all, mixed, {row.strength}": row for row in mixed if row.cell == "all"}
    chosen |= {f"{row.cell}, mixed": row for row in mixed if row.strength == "all"}
    body = [cells for what, row in chosen.items() for cells in prompted(row, what)]
    return "\n\n".join([table(HANDS_HEADS, body, 2), strengths(mixed), provenance(*(s.measured for s in evenings()))])


def strengths(mixed: Sequence[ReadHabit]) -> str:
    """How the present reader read mixed evenings of each cell with sensors of each strength."""
    found = {(row.cell, row.strength): row.readers["table"] for row in mixed if "table" in row.readers}
    cells = [row.cell for row in mixed if row.strength == "all"]

    def right(cell: str, strength: str) -> str:
        read = found.get((cell, strength))
        return f"{bounded(read.right, read.turns)} of {read.turns:,}" if read else NOT_YET

    body = [[cell, *(right(cell, strength) for strength in STRENGTHS)] for cell in cells]
    return "Right by Tablelight, %, by the strength of the sensors:\n\n" + table(["mixed evenings", *STRENGTHS], body)


def habits() -> str:
    """Each habit by itself."""
    rows = [row for row in at_the_table() if row.strength == "all" and ":" in row.cell and row.habit not in MANY_HABITS]

    def cells(row: ReadHabit) -> Iterator[str]:
        if read := row.readers.get("table"):
            yield turns_of(row, BY_READER["table"], read.turns)
            yield from (bounded(count, read.turns) for count in (read.right, read.asked, read.missed))
            yield f"{read.wrong_told} / {read.wrong_silent}"
            yield bounded(read.scolded, read.turns)
            yield spread_ms(read.wait)
        else:
            yield from (NOT_YET, *["-"] * 6)
        for other in (row.readers.get(name) for name in OTHERS):
            yield f"{bounded(other.right, other.turns)} of {other.turns:,}" if other else "-"

    own = ["turns", "right, %", "asked, %", "missed, %", "wrong: told / silent", "scolded, %", "wait, ms"]
    heads = ["cell", "habit", *own, *(f"{BY_READER[name]}: right, %" for name in OTHERS)]
    return table(heads, ([row.cell, row.habit, *cells(row)] for row in rows), 2)


def illegal() -> str:
    """Illegal turns."""
    heads = ["cell", "read by", "tried", "hidden", "accepted", "silent", "lit, ms", "told, ms"]
    body = []
    for row in at_the_table():
        if row.habit != "illegal":
            continue
        for reader, tried in in_order({name: each for name, each in row.illegal.items() if name in OURS}):
            if tried is None:
                body.append([row.cell, reader, NOT_YET, *["-"] * 5])
                continue
            shown = tried.turns - tried.hidden
            shares = (bounded(count, shown) for count in (tried.accepted, tried.silent))
            counts = (f"{tried.turns:,}", f"{tried.hidden:,}")
            body.append([row.cell, reader, *counts, *shares, spread_ms(tried.lit), spread_ms(tried.told)])
    return table(heads, body, 2)


def reaching_in() -> str:
    """The next player reaching in, and clean hands."""
    rows = [row for row in at_the_table() if row.strength == "all"]
    overlap = []
    for row in (row for row in rows if row.habit == "overlap"):
        for reader, read in in_order(row.readers):
            if read is None:
                overlap.append([row.cell, reader, NOT_YET, *["-"] * 4])
                continue
            good = read.right + read.asked
            shares = [bounded(count, read.turns) for count in (good, read.asked, read.turns - good)]
            undone = "not counted" if read.undone is None else f"{read.undone}"
            overlap.append([row.cell, reader, turns_of(row, reader, read.turns), *shares, undone])
    clean = []
    for row in (row for row in rows if row.habit == "steady"):
        if (read := row.readers.get("table")) is None:
            clean.append([row.cell, NOT_YET, *["-"] * 3])
            continue
        told = f"{read.clear:,}", spread_ms(read.clear_wait)
        clean.append([row.cell, turns_of(row, BY_READER["table"], read.turns), *told, spread_ms(read.wait)])
    reads = ["right or asked, %", "asked, %", "missed or wrong, %", "asked, and Undo pressed"]
    waits = ["turns", "told by what was seen alone", "their waits, ms: median / 99 %", "all waits, ms"]
    return "\n\n".join(
        [
            "The next player reaches in between 0.3 s before and 0.3 s after the end of the turn:",
            table(["sensors", "read by", "turns", *reads], overlap, 2),
            "Clean hands, one act after the other:",
            table(["sensors", *waits], clean),
        ]
    )


def sick() -> str:
    """Mixed evenings whose sensors are sick."""
    saved = saved_if_any(SICK)
    if saved is None:
        return f"{NOT_YET.capitalize()}: `make reading`."
    heads = ("sensors", *HANDS_HEADS[:-1], "sick sites named within 30 turns")
    pooled = [cells for row in saved.figures.rows if row.cell in KINDS for cells in ailing(row)]
    single = [next(ailing(row)) for row in saved.figures.rows if row.cell not in KINDS]
    wrong = "\n".join(f"- {each}" for each in saved.figures.wrong)
    told = f"What went wrong:\n\n{wrong}" if wrong else ""
    by_cell = ["By cell:", table(heads, single, 3)] if single else []
    return "\n\n".join(filter(None, [table(heads, pooled, 3), *by_cell, told, provenance(saved.measured)]))


def ailing(row: ReadHabit) -> Iterator[list[str]]:
    """How each reader read the turns of a row with sick sensors, the present one first; and what it named."""
    readers = [name for name in BY_READER if name in row.readers]
    for name, cells in zip(readers, prompted(row, row.cell), strict=True):
        soon, lied, sound = row.named[name]
        named = (f"{soon} of {lied}" if lied else "-") + (f", and {sound} sound" if sound else "")
        yield [row.fault, *cells[:-1], named if name == "table" else "-"]


# In short -----------------------------------------------------------------------------------------


def often_right() -> Iterator[list[str]]:
    """Turns read rightly and wrongly, at the physical table."""
    rows = {row.cell: row.readers.get("table") for row in at_the_table() if row.habit.startswith("all but")}
    for each in KINDS:
        read = rows.get(each)
        right = bounded(read.right, read.turns) + " %" if read else NOT_YET
        yield [f"turns read without a question, sensors tell {each}", right]
    yield ["turns read wrongly, sound sensors", wrongly([rows.get(each) for each in KINDS])]
    saved = saved_if_any(SICK)
    chosen = [row.readers["table"] for row in saved.figures.rows if row.fault == ANY] if saved else [None]
    yield ["turns read wrongly, sensors that fail", wrongly(chosen)]


def wrongly(chosen: Sequence[Prompted | None]) -> str:
    """How many turns were read wrongly, told or silent."""
    reads = [read for read in chosen if read]
    if len(reads) < len(chosen):
        return NOT_YET
    turns = sum(read.turns for read in reads)
    silent = sum(read.wrong_silent for read in reads)
    wrong = silent + sum(read.wrong_told for read in reads)
    return f"{wrong} of {turns:,}, {silent} silent; at most {percent(wilson(wrong, turns)[1])} %"


def counted() -> str:
    """How long it takes until a turn of a mixed evening counts, in the median."""
    mixed = [row.readers.get("table") for row in at_the_table() if row.habit == "mixed" and row.strength == "all"]
    middles = sorted(read.wait.median_ms for read in mixed if read and read.wait and read.wait.median_ms is not None)
    return f"{middles[0]:.0f} to {middles[-1]:.0f} ms, by game" if middles else NOT_YET
