"""The benchmark of readers on the physical table: what is pooled, how it goes on, and its bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.ailing import ailing, everywhere
from benchmarks.cells import Cell
from benchmarks.evenings import play, scans
from benchmarks.judged import Judged, TableFollower, judge
from benchmarks.reading import TABLE, Played, Row, Run, bounds, due, evening, figures, namings, prompted, rows, tell
from benchmarks.tally import Naming
from hardware.device import Sense
from hardware.simulation.faulty_sensors import FAULTS, ONSET

ROW = Row(Cell("zhizhu", Sense.COLOUR), "steady")


def run(kept: Path, readers: tuple[str, ...] = (TABLE,)) -> Run:
    """Three turns of a row, by a seed for tuning."""
    return Run([ROW], 0.01, readers, 0, kept)


def test_a_run_that_was_cut_off_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    first = run(kept)
    first.load("as before")
    first.play(1)
    assert first.turns(ROW) == due(ROW, 0.01) == 3
    kept.write_text(kept.read_text() + '\n{"cell": "zhi')  # the power was cut in the midst of a line
    second = run(kept)
    second.load("as before")
    assert figures(second) == figures(first)
    second.share = 0.05
    second.play(1)
    fourth = run(kept)
    fourth.load("as before")
    assert fourth.done == second.done
    for aside in ("kept.old", "kept.old1"):  # nothing that was played is ever lost
        third = run(kept)
        third.load(f"another program than before {aside}")
        assert not third.done
        assert (tmp_path / aside).exists()


def test_all_rows_grow_alike_and_no_more_evenings_are_begun_than_are_needed(tmp_path: Path) -> None:
    other = ROW._replace(habit="mixed")
    found = Run([ROW, other], 0.1, (TABLE,), 0, tmp_path / "kept")
    under_way: list[tuple[Row, int]] = []
    while (job := found._next(under_way)) and len(under_way) < 99:
        under_way.append(job)
    of_row = [seed for row, seed in under_way if row == ROW]
    assert of_row == list(range(len(of_row)))
    assert len(of_row) == 2  # of 29 turns that count, each, for 30
    assert under_way[:3] == [(ROW, 0), (other, 0), (other, 1)]  # there are 200 of the other, by 39
    assert len(under_way) - len(of_row) == 6
    found.done[ROW][0] = Played(str(ROW.cell), ROW.habit, 0, "usual", 30, {TABLE: []})
    assert found._next([(other, seed) for seed in range(6)]) is None


def test_evenings_are_pooled_in_the_order_of_their_seeds_without_a_gap(tmp_path: Path) -> None:
    found = run(tmp_path / "kept")
    for seed, turns in ((1, 1), (0, 1), (3, 5)):
        found.done[ROW][seed] = Played(str(ROW.cell), ROW.habit, seed, "usual", turns, {TABLE: []})
    assert [each.seed for each in found.evenings(ROW)] == [0, 1]


def test_turns_are_counted_by_verdict_and_by_what_it_took_to_be_right_again() -> None:
    judged = [
        Judged(0, True, "steady", "right", wait=0.1),
        Judged(1, True, "steady", "wrong silent", scolded=True, actions=2),
        Judged(3, True, "steady", "missed", lost=True),
        Judged(5, True, "steady", "wrong told", actions=3),
        Judged(7, False, "steady", "accepted"),
    ]
    found = prompted(judged, judged[:1])
    assert (found.turns, found.right, found.missed, found.wrong_silent, found.wrong_told) == (4, 1, 1, 1, 1)
    assert (found.scolded, found.back_soon, found.not_back) == (1, 1, 1)
    assert found.wait is not None
    assert found.wait.median_ms == 100
    assert (found.clear, found.clear_wait) == (1, found.wait)
    assert (found.undone, found.actions_median, found.actions_p95) == (0, 3, 3)


@pytest.mark.parametrize(
    ("part", "whole", "least", "most"),
    [(0, 100, 0, 0.0370), (50, 100, 0.4038, 0.5962), (1, 1, 0.2065, 1), (0, 0, 0, 1)],
)
def test_bounds_are_those_of_wilson(part: int, whole: int, least: float, most: float) -> None:
    assert bounds(part, whole) == pytest.approx((least, most), abs=0.0001)


def test_rows_are_chosen_by_cell_and_habit() -> None:
    assert rows(["zhizhu:colour"], ["steady", "mixed"]) == [ROW._replace(habit="mixed"), ROW]
    assert len(rows([], ["mixed"])) == 8


def test_rows_with_a_fault_are_mixed_evenings_of_the_sensors_that_can_have_it() -> None:
    cells = [row.cell for row in rows([], [], ["misread"])]
    assert {cell.sense for cell in cells} == {Sense.COLOUR}
    assert rows(["zhizhu:colour"], [], ["misread", "drift"]) == [ROW._replace(habit="mixed", fault="misread")]


def test_a_fault_changes_what_the_sensors_show_and_nothing_else() -> None:
    sound = play(ROW.cell, "mixed", "usual", 3, 12)
    sick, lied = ailing(sound, "stuck off", 3)
    assert (sick.turns, sick.ends, sick.frames[0]) == (sound.turns, sound.ends, sound.frames[0])
    assert len(lied) == 1
    (site,) = lied
    shown = dict(scans(sick))
    for now, levels in scans(sound):
        due = list(levels)
        due[site] = 0 if now >= ONSET else levels[site]
        assert shown[now] == tuple(due)


def test_what_was_named_is_counted_by_turns() -> None:
    evening = play(ROW.cell, "mixed", "usual", 3, 12)
    begun = [made.began for made in evening.turns]
    found = namings(evening, {4: begun[2] + 0.1}, {4: begun[7] + 0.1, 6: begun[8] + 0.1})
    assert found == [Naming(8, 3, len(begun)), Naming(9, None, len(begun))]
    assert found[0].soon


def test_where_all_sensors_are_sick_there_is_none_to_name() -> None:
    assert [name for name in FAULTS if everywhere(name)] == ["bounce", "slow", "misread for a moment"]
    assert evening(ROW._replace(habit="mixed", fault="bounce"), 3, 4, (TABLE,)).named == {TABLE: []}


@pytest.mark.parametrize("fault", ["stuck off", "dead row"])
def test_a_sick_sensor_is_named_though_players_put_right_what_it_cannot_show(fault: str) -> None:
    sick, lied = ailing(play(Cell("zong-heng", Sense.PRESENCE), "steady", "usual", 1, 32), fault, 1)
    follower = TableFollower(sick.cell, lied=lied)
    judge(sick, follower)
    assert set(lied) <= set(follower.blamed)


def test_presence_comes_to_fifty_thousand_turns() -> None:
    pooled = [row for row in rows([], []) if row.cell.sense is Sense.PRESENCE]
    assert sum(due(row, 1) for row in pooled if row.habit not in ("illegal", "new stone")) >= 50_000


def test_every_reader_has_a_line_in_the_table(tmp_path: Path) -> None:
    found = run(tmp_path / "kept", (TABLE, "pair"))
    found.load("now")
    found.play(1)
    lines = list(tell(figures(found)))
    assert [line.split("|")[4].strip() for line in lines[2:4]] == [TABLE, "pair"]
