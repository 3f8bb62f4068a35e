"""The folder of records: the newest is known without a look at the others, and there are never too many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.records import Record, Shelf, read_record
from firmware_bridge.records.shelf import NOTE
from firmware_bridge.score import ScoreSheet
from games.rules import load
from hardware.device import Sense

MOST = 20


def begun(folder: Path, name: str, turns: int = 1, most: int = MOST) -> Record:
    """A record of a game with so many turns."""
    sheet = ScoreSheet(load("zhizhu"))
    for _ in range(turns):
        sheet.accept(sheet.turns[0])
    return Record(folder / f"{name}.table", sheet, Sense.COLOUR, shelf=Shelf(folder, most))


def many(folder: Path, count: int) -> list[Path]:
    """The records of so many games that are over, the newest last."""
    paths = []
    for number in range(count):
        record = begun(folder, f"game-{number:03}", most=count)
        record.close()
        paths.append(record.path)
    return paths


def names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.table"))


# The newest -------------------------------------------------------------------------------------


def test_there_is_none_in_an_empty_folder_nor_where_there_is_no_folder(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "no"):
        assert Shelf(folder).newest() is None
        assert Shelf(folder).latest() == 0.0
        assert Shelf(folder).records() == []


def test_the_newest_is_known_without_a_look_at_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = many(tmp_path, 5)
    monkeypatch.setattr(os, "scandir", lambda _: pytest.fail("the folder was listed"))
    assert Shelf(tmp_path).newest() == paths[-1]
    again = begun(tmp_path, "again")
    assert Shelf(tmp_path).newest() == again.path
    again.close()
    saved = read_record(paths[2])
    Record(paths[2], saved.sheet, saved.sense, saved, shelf=Shelf(tmp_path)).close()
    assert Shelf(tmp_path).newest() == paths[2]


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / NOTE).unlink(),
        lambda folder: (folder / NOTE).write_bytes(b""),
        lambda folder: (folder / NOTE).write_bytes(b"\xff\0 1 2"),
        lambda folder: (folder / NOTE).write_text(f"5 {folder.stat().st_mtime_ns} ../../etc/passwd\n"),
        lambda folder: (folder / NOTE).write_text(f"5 {folder.stat().st_mtime_ns} gone.table\n"),
        lambda folder: (folder / NOTE).write_bytes((folder / NOTE).read_bytes()[:7]),
        lambda folder: ((folder / NOTE).unlink(), os.mkfifo(folder / NOTE)),
        lambda folder: (folder / "other").write_text("the date of the folder is another now"),
    ],
)
def test_where_the_note_does_not_hold_all_are_looked_at(damage: object, tmp_path: Path) -> None:
    paths = many(tmp_path, 5)
    assert callable(damage)
    damage(tmp_path)
    assert Shelf(tmp_path).newest() == paths[-1]


def test_a_record_that_a_program_without_the_note_has_made_is_found(tmp_path: Path) -> None:
    """An earlier version, or a copy of a record: the folder's date tells."""
    many(tmp_path, 3)
    sheet = ScoreSheet(load("zhizhu"))
    Record(tmp_path / "theirs.table", sheet, Sense.COLOUR).close()
    assert Shelf(tmp_path).newest() == tmp_path / "theirs.table"


def test_a_record_elsewhere_leaves_no_note(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    shelf = Shelf(tmp_path / "shelf")
    Record(tmp_path / "mine" / "x.table", ScoreSheet(load("zhizhu")), Sense.COLOUR, shelf=shelf).close()
    assert os.listdir(tmp_path / "mine") == ["x.table"]
    assert not (tmp_path / "shelf").exists()


def test_a_folder_that_cannot_have_a_note_has_records(tmp_path: Path) -> None:
    (tmp_path / NOTE).mkdir()
    paths = many(tmp_path, 3)
    assert Shelf(tmp_path).newest() == paths[-1]


# Too many ---------------------------------------------------------------------------------------


def test_the_oldest_are_removed_and_the_players_are_told_once(tmp_path: Path) -> None:
    paths = many(tmp_path, MOST)
    record = begun(tmp_path, "last")
    (told,) = record.news()
    assert str(told.say).startswith("No more than 20 records are kept. Records removed: 1, those without a turn first")
    assert record.news() == []
    assert names(tmp_path) == [path.stem for path in paths[1:]] + ["last"]
    assert Shelf(tmp_path).newest() == record.path
    record.close()


def test_games_without_a_turn_go_before_all_others(tmp_path: Path) -> None:
    """So who begins game after game drives out no game that was played."""
    kept = many(tmp_path, MOST - 1)
    for number in range(3 * MOST):
        begun(tmp_path, f"x-empty-{number:03}", turns=0).close()
    assert names(tmp_path)[: MOST - 1] == [path.stem for path in kept]
    assert len(names(tmp_path)) <= MOST


def test_a_record_in_play_is_never_removed(tmp_path: Path) -> None:
    oldest = begun(tmp_path, "oldest", turns=0)
    many(tmp_path, MOST)
    begun(tmp_path, "last").close()
    assert oldest.path.exists()
    oldest.close()


def test_only_records_are_removed(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "folder.table").mkdir()
    (tmp_path / "link.table").symlink_to(tmp_path / "notes.txt")
    many(tmp_path, MOST)
    for number in range(5):
        begun(tmp_path, f"x{number}").close()
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "folder.table").is_dir()
    assert (tmp_path / "link.table").is_symlink()
    assert len([path for path in tmp_path.glob("*.table") if path.is_file() and not path.is_symlink()]) <= MOST


def test_all_are_looked_at_only_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[object] = []
    scandir = os.scandir

    def noting(path: Path) -> object:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noting)
    many(tmp_path, MOST)
    assert len(listed) == 1  # for there was no note yet
    begun(tmp_path, "last").close()
    assert len(listed) == 2
