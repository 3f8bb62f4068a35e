"""The command that turns files: a record to SGF text and back, and one sentence for what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from firmware_bridge.records import read_record
from tests.library.test_index import kept

Capture = pytest.CaptureFixture[str]


def test_a_record_becomes_text_and_a_record_again(tmp_path: Path, capsys: Capture) -> None:
    record = kept(tmp_path, "zong-heng", "20261101", ("Anna", "Ben"), won=0, turns=6)
    text, again = tmp_path / "evening.sgf", tmp_path / "again.table"
    assert main(["convert", str(record), "-o", str(text)]) == 0
    assert capsys.readouterr().out == f"{text}: Zong-Heng, turns: 6.\n"
    assert "DT[2026-11-01]" in text.read_text()
    assert main(["convert", str(text), "-o", str(again)]) == 0
    before, after = read_record(record).sheet, read_record(again).sheet
    assert [entry.turn for entry in after.played_turns] == [entry.turn for entry in before.played_turns]
    assert (after.outcome, after.names) == (before.outcome, before.names)


@pytest.mark.parametrize(
    ("text", "output", "why"),
    [
        ("(;GM[yin-yang];B[c3-c9])", "x.table", "Turn 1, c3-c9 of One, cannot be made."),
        ("(;GM[yin-yang])", "x.pdf", ".sgf or .table"),
        ("(;GM[yin-yang])", "none/x.sgf", "name another file with -o"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    tmp_path: Path, capsys: Capture, text: str, output: str, why: str
) -> None:
    (tmp_path / "told.sgf").write_text(text)
    assert main(["convert", str(tmp_path / "told.sgf"), "-o", str(tmp_path / output)]) != 0
    printed = capsys.readouterr()
    assert why in printed.err
    assert printed.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["told.sgf"]


def test_variations_that_are_left_out_are_told(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "told.sgf").write_text("(;GM[yin-yang](;B[c3-c2])(;B[c3-b3]))")
    assert main(["convert", str(tmp_path / "told.sgf"), "-o", str(tmp_path / "x.table")]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "Variations that were left out: 1."
