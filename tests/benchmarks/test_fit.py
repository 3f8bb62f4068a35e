"""Constants estimated from a corpus: what is kept of evenings, and what is proposed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import fit
from benchmarks.cells import Cell
from benchmarks.evenings import play
from benchmarks.fit import FIRST, gather, proposals, watch
from benchmarks.kept import resume
from firmware_bridge.workshop.estimate import Evidence, Fitted
from hardware.device import Sense
from hardware.simulation.habits import PUBLISHED

CELL = Cell("zhizhu", Sense.PRESENCE)


def test_an_evening_is_watched_from_its_position_on_with_all_its_turns() -> None:
    evening = play(CELL, "take back", seed=FIRST, longest=6)
    watched = watch(evening)
    assert set(watched.frames[0][1]) == {0}
    assert [made.turn for made in watched.turns] == [made.turn for made in evening.turns]
    assert watched.taken_back == 6
    assert not any(made.clean for made in watched.turns)


def test_seeds_are_for_tuning() -> None:
    assert FIRST + fit.EVENINGS < PUBLISHED


def test_a_gathering_that_was_cut_off_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "LONGEST", 4)
    kept = tmp_path / "fit.jsonl"
    first = gather([CELL], 2, kept, 1)
    assert first.turns > 4
    kept.write_text(kept.read_text() + '\n{"cell": "zhi')  # the power was cut in the midst of a line
    played: list[object] = []
    monkeypatch.setattr(fit, "play", lambda *_: played.append(_))
    assert gather([CELL], 2, kept, 1) == first
    assert not played


def test_each_constant_has_a_proposal_with_its_source() -> None:
    lines = list(proposals([Fitted("lie", 12.0, 9.5, 1200), Fitted("sown", 0.3, 0.3, 0)], "90 turns: x"))
    assert lines[2:] == [
        "| `lie` | 12 | 9.5 | 6 to 20 | 1,200 | 90 turns: x |",
        "| `sown` | 0.3 | = | 0.02 to 6 | 0 | nothing was seen of it |",
    ]


def test_a_file_of_another_run_is_put_aside(tmp_path: Path) -> None:
    kept = tmp_path / "folder" / "x.jsonl"
    assert resume(kept, "one") == []
    kept.write_text(f"{kept.read_text()}a\nb\n")
    assert resume(kept, "one") == ["a", "b"]
    assert resume(kept, "two") == []
    assert (kept.parent / "x.old").read_text() == "one\na\nb\n"
    assert kept.read_text() == "two\n"


def test_nothing_was_learned_where_nothing_was_played(tmp_path: Path) -> None:
    assert gather([], 0, tmp_path / "x.jsonl", 1) == Evidence()
