"""The command that lists past games: columns for people, JSON for programs, one sentence for what cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from tests.library.test_index import kept

Run = Callable[..., list[str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command over two games; returns the lines that it prints."""
    kept(tmp_path, "zong-heng", "20261101", ("Anna Berg", "Ben"), won=0)
    kept(tmp_path, "zhizhu", "20261104", ("", "愛子"), levels=(3, 0), won=1)
    config = tmp_path / "tablelight.toml"
    config.write_text(f'[record]\nfolder = "{tmp_path}"\n')

    def command(*words: str, status: int = 0) -> list[str]:
        assert main(["games", "--config", str(config), *words]) == status
        printed = capsys.readouterr()
        return (printed.err if status else printed.out).splitlines()

    return command


def test_games_stand_in_columns_the_newest_first(run: Run, tmp_path: Path) -> None:
    head, new, old, count = run()
    assert head.split() == ["began", "game", "players", "result", "turns", "record"]
    assert new.startswith("2026-11-04 20:00  ZhiZhu     Black (computer, level 3) : 愛子  0 - 1   2")
    assert old.startswith("2026-11-01 20:00  Zong-Heng  Anna Berg : Ben                   1 - 0   2")
    assert count == f"Games: 2, in {tmp_path}."


def test_a_record_that_cannot_be_read_is_told_below(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.table").write_text("nothing\n")
    assert run()[3].startswith("x.table: cannot be read: line 1: ")


def test_results_are_counted(run: Run) -> None:
    lines = [line.split() for line in run("--stats", "--player", "anna")]
    assert lines[1] == ["Anna", "Berg", "Zong-Heng", "1", "1", "0", "0", "100%"]
    assert lines[4] == ["Zong-Heng", "1", "1", "0", "0", "2"]


def test_programs_get_json(run: Run) -> None:
    (line,) = run("--json", "--result", "won", "--player", "anna")
    told = json.loads(line)
    assert [game["reason"] for game in told["games"]] == ["Black wins: White resigns."]
    assert told["players"][0]["won"] == 1


def test_nothing_found_is_said(run: Run, tmp_path: Path) -> None:
    assert run("--result", "open") == [f"There is no such game in {tmp_path}."]


@pytest.mark.parametrize("words", [("--since", "soon"), ("--game", "ludo")])
def test_what_is_wrong_is_one_sentence(run: Run, words: tuple[str, str]) -> None:
    (line,) = run(*words, status=2)
    assert line.startswith("tablelight: ")
