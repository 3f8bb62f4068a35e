"""How much hangs on each constant: what is tried, on which evenings, and how it goes on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from benchmarks import fit, sensitivity
from benchmarks.cells import Cell, cells
from benchmarks.sensitivity import FIRST, TURNS, Choice, Due, choices, due, figures, gather, tell
from firmware_bridge.reading.constants import BOUNDS, USUAL
from hardware.device import Sense
from hardware.simulation.habits import PUBLISHED

CELL = Cell("zhizhu", Sense.PRESENCE)
PRESENCE = [cell for cell in cells() if cell.sense is Sense.PRESENCE]


def test_each_constant_is_tried_at_half_and_at_double_and_nothing_else_changes() -> None:
    tried = choices(list(BOUNDS))
    assert tried[0].constants == USUAL
    assert len(tried) == 1 + 2 * len(BOUNDS)
    for each in tried[1:]:
        changed = {name for name, value in asdict(each.constants).items() if value != getattr(USUAL, name)}
        assert changed == {each.constant}
    assert Choice("debt", 2.0).constants.debt == 2 * USUAL.debt


def test_no_value_is_out_of_bounds() -> None:
    assert Choice("scolded", 2.0).value == BOUNDS["scolded"][1]
    for each in choices(list(BOUNDS))[1:]:
        assert BOUNDS[each.constant][0] <= each.value <= BOUNDS[each.constant][1]


def test_evenings_are_by_presence_and_their_seeds_are_nobody_elses() -> None:
    wanted = due(1.0, choices([]))
    assert {each.cell.sense for each in wanted} == {Sense.PRESENCE}
    assert len(wanted) == 4 * TURNS / sensitivity.LONGEST
    assert fit.FIRST + fit.EVENINGS < FIRST
    assert max(each.seed for each in wanted) < PUBLISHED


def test_a_small_share_is_one_short_evening_of_each_cell_with_every_choice() -> None:
    chosen = choices(list(BOUNDS))
    few = due(0.001, chosen)
    assert [(each.cell, each.choice) for each in few] == [(cell, choice) for cell in PRESENCE for choice in chosen]
    assert {each.longest for each in few} == {sensitivity.SHORTEST}
    assert {each.longest for each in due(1.0, chosen)} == {sensitivity.LONGEST}


def test_all_choices_read_the_same_evening_and_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    kept, chosen = tmp_path / "kept.jsonl", choices(["back"])
    wanted = [Due(CELL, FIRST + number, 3, choice) for number in range(2) for choice in chosen]
    first = gather(wanted, kept, 1)
    found = figures(first)
    assert [(row.constant, row.factor) for row in found.rows] == [("", 1.0), ("back", 0.5), ("back", 2.0)]
    assert {row.read.turns for row in found.rows} == {4}
    assert [line.split("|")[1].strip() for line in tell(found)][2:] == ["all usual", "`back` x 0.5", "`back` x 2"]
    lines = kept.read_text().splitlines()
    kept.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:-9])  # the power was cut in the midst of a line
    assert figures(gather(wanted, kept, 1)) == found
    more = [Due(CELL, FIRST, 3, choice) for choice in choices(["back", "lie"])]
    assert [each.choice for each in gather(more, kept, 1)] == choices(["back", "lie"])
    assert len(kept.read_text().splitlines()) == len(lines) + 1 + 2  # and the line that was cut off
