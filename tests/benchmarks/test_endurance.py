"""Long use in short: nothing grows at a table that is kept, nor at a line that is lost again and again."""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.endurance import State, Times, folder, growth, handles, state, verdict
from benchmarks.losses import Tethered
from benchmarks.month import AILS, WELL, Evenings, coming_and_going
from firmware_bridge.records import read_record
from games.rules import names
from hardware.device import Sense

FLAT = State(50.0, 40_000, 6, 1)


@pytest.mark.slow
@pytest.mark.parametrize("sense", [Sense.PRESENCE, Sense.COUNT])
def test_evenings_at_a_table_that_is_kept_leave_nothing_behind(warm: None, sense: Sense, tmp_path: Path) -> None:
    times, done = Times(1000), Counter[str]()
    table = Evenings(sense, folder(str(tmp_path), sense), times.add, done)
    before = state()
    nights = []
    for _ in range(3):
        table.play_evening(2)
        nights.append(state())
    assert {(night.files, night.threads) for night in nights} == {(before.files, before.threads)}
    assert nights[2].objects < nights[1].objects * 1.05
    table.close()
    assert done["games"] == 3 * len(names())
    assert times.count > 5_000
    assert len(times.medians) == times.count // 1000
    records = sorted((tmp_path / sense.value).iterdir())
    assert len(records) >= done["games"]
    assert sum(read_record(path).sheet.length for path in records) > 0


def test_the_faults_come_one_after_another_and_leave_peace_between() -> None:
    faults = coming_and_going(Sense.COLOUR)
    again = (AILS + WELL) * len(faults)
    for now in range(0, round(2 * again), 10):
        assert sum(fault.active(now) for fault in faults) == ((now + 1) % (AILS + WELL) > WELL)


@pytest.mark.slow
def test_a_line_that_is_lost_comes_back_each_time_and_leaks_no_handle(tmp_path: Path) -> None:
    table = Tethered(tmp_path)
    table.lose(1)
    files = handles()
    for number in range(2, 31):
        table.lose(number)
        assert handles() == files
    assert table.losses == 30
    assert table.turns == 3
    table.close()
    assert handles() < files


# The verdict ----------------------------------------------------------------------------------


def test_steady_figures_are_flat(capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict(growth([FLAT] * 20, [6.0] * 20))
    assert capsys.readouterr().out.count("flat") == 5


@pytest.mark.parametrize(
    ("each", "what"),
    [
        (State(0.2, 0, 0, 0), "memory"),
        (State(0, 100, 0, 0), "objects"),
        (State(0, 0, 1, 0), "open files"),
        (State(0, 0, 0, 1), "threads"),
    ],
)
def test_growth_from_evening_to_evening_is_found(each: State, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    states = [State(*(value + night * more for value, more in zip(FLAT, each, strict=True))) for night in range(20)]
    assert not verdict(growth(states))
    grown = [line for line in capsys.readouterr().out.splitlines() if "GROWN" in line]
    assert [line.split(",")[0].strip().startswith(what) for line in grown] == [True]


def test_garbage_that_nobody_collects_counts() -> None:
    gc.disable()
    try:
        before = state().objects
        for _ in range(1000):
            ring: list[object] = []
            ring.append(ring)
        assert state().objects > before + 900
    finally:
        gc.enable()


def test_scans_that_become_slower_are_found() -> None:
    assert not verdict(growth([FLAT] * 20, [5 + night / 5 for night in range(20)]))


def test_the_first_evenings_may_load_what_is_kept() -> None:
    assert verdict(growth([State(30, 10_000, 6, 1), *[FLAT] * 19]))


@pytest.mark.parametrize(("step", "night", "flat"), [(2.2, 10, True), (2.2, 16, False), (3.2, 10, False)])
def test_memory_may_rise_once_by_a_little_and_not_at_the_end(step: float, night: int, flat: bool) -> None:
    higher = FLAT._replace(memory=FLAT.memory + step)
    assert verdict(growth([FLAT] * night + [higher] * (20 - night))) is flat


def test_the_median_of_each_window_is_taken() -> None:
    times = Times(3)
    for nanoseconds in (1000, 3000, 2000, 9000, 9000):
        times.add(nanoseconds)
    assert times.medians == [2.0]
    times.add(1000)
    assert times.medians == [2.0, 9.0]
