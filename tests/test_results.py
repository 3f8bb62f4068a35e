"""Saved results: what is written is what is read, with how it came about; damage is refused."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

import msgspec
import pytest

from benchmarks.results import Forced, Latency, Scan, Solved, add_results_option, load, save, spread

ROWS = Forced([Solved("zig-zag", 3, 7, 8)])


def saved(folder: Path, *words: str) -> None:
    """Save `ROWS` as a benchmark does that was called with these words."""
    parser = ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    add_results_option(parser)
    save("forced", ROWS, parser.parse_args(["--results", str(folder), *words]), seed=3)


def test_figures_are_read_as_they_were_saved(tmp_path: Path) -> None:
    saved(tmp_path)
    assert load("forced", Forced, tmp_path).figures == ROWS


def test_options_and_seeds_are_saved_with_the_figures_and_where_they_are_kept_is_not(tmp_path: Path) -> None:
    saved(tmp_path, "--seconds", "2")
    measured = load("forced", Forced, tmp_path).measured
    assert measured.options == {"seconds": 2.0, "write": False, "only": None, "seed": 3}
    assert measured.machine.python
    assert measured.machine.processor
    assert measured.date.year > 2025


def test_an_option_of_several_words_is_saved_as_it_was_written(tmp_path: Path) -> None:
    saved(tmp_path, "--only", "one", "two")
    assert load("forced", Forced, tmp_path).measured.options["only"] == "one two"


def test_a_result_is_rewritten_whole(tmp_path: Path) -> None:
    path = tmp_path / "forced.json"
    path.write_text("x" * 10_000)
    saved(tmp_path)
    assert set(json.loads(path.read_text())) == {"measured", "figures"}


def test_a_result_of_another_kind_is_refused(tmp_path: Path) -> None:
    saved(tmp_path)
    with pytest.raises(msgspec.ValidationError):
        load("forced", Latency, tmp_path)


def test_a_spread_has_the_median_and_the_last_hundredth_and_the_worst() -> None:
    times = spread([float(value) for value in range(1, 201)])
    assert (times.median_ms, times.p99_ms, times.worst_ms) == (101.0, 199.0, 200.0)
    assert Scan("zig-zag", "count", times, times).changed == times
