"""The index of past games: made from the records alone, searched and counted; no game is lost with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_bridge.clocks import clocks
from firmware_bridge.events import turn_event
from firmware_bridge.library import Index, Wanted, wanted
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import OptionError, load
from hardware.device import Sense

NOBODY = ("", "")


def kept(
    folder: Path, name: str, day: str, names: tuple[str, str] = NOBODY, *, won: int | None = None, drawn: bool = False,
    turns: int = 2, levels: tuple[int, int] = (0, 0),
) -> Path:  # fmt: skip
    """The record of a game of so many turns, which then one player gives up, or both; or neither."""
    sheet = ScoreSheet(load(name), names=names, levels=levels, clock=clocks("10+5"))
    path = folder / f"{name}-{day}-200000.table"
    record = Record(path, sheet, Sense.PRESENCE)
    for number in range(turns):
        turn, player = sheet.turns[0], sheet.player
        sheet.accept(turn)
        record.write([turn_event("played", player, turn)], 3.0 * number)
    if won is not None or drawn:
        record.write(sheet.agree() if won is None else sheet.resign(1 - won), 3.0 * turns)
    record.close()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six games of three people."""
    kept(tmp_path, "zong-heng", "20261101", ("Anna Berg", "Ben"), won=0)
    kept(tmp_path, "zong-heng", "20261102", ("Ben", "anna berg"), won=0, turns=4)
    kept(tmp_path, "zong-heng", "20261103", ("Anna Berg", ""), drawn=True)
    kept(tmp_path, "zhizhu", "20261104", ("Élodie", "Ben"), won=1)
    kept(tmp_path, "zhizhu", "20261105", ("Élodie", ""), levels=(0, 3), won=1)
    kept(tmp_path, "zhizhu", "20261106", ("Anna Berg", "Ben"))
    return tmp_path


@pytest.fixture
def index(folder: Path) -> Index:
    made = Index(folder)
    assert made.update() == 6
    return made


def days(index: Index, **what: str) -> list[str]:
    """The days of November on which the games that are wanted began."""
    return [game.began[8:10] for game in index.find(wanted(**what))]


def test_a_game_is_told_as_its_record_has_it(index: Index) -> None:
    (game,) = index.find(wanted(since="2026-11-02", until="2026-11-02"))
    assert (game.game, game.first, game.second, game.turns, game.clock) == ("zong-heng", "Ben", "anna berg", 4, "10+5")
    assert (game.began, game.lasted, game.result) == ("2026-11-02 20:00", 12.0, "1 - 0")
    assert str(game.outcome) == "Black wins: White resigns."


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ({}, "06 05 04 03 02 01"),
        ({"player": "anna"}, "06 03 02 01"),
        ({"player": "éLO"}, "05 04"),
        ({"player": "%"}, ""),
        ({"player": "anna", "result": "won"}, "01"),
        ({"player": "anna", "result": "lost"}, "02"),
        ({"result": "won"}, "05 04 02 01"),
        ({"result": "drawn"}, "03"),
        ({"result": "open"}, "06"),
        ({"game": "zhizhu", "since": "2026-11-05"}, "06 05"),
        ({"until": "2026-11-02"}, "02 01"),
        ({"player": "ben", "game": "zhizhu", "result": "won"}, "04"),
    ],
)
def test_games_are_found(index: Index, what: dict[str, str], found: str) -> None:
    assert days(index, **what) == found.split()
    assert index.count(wanted(**what)) == len(found.split())


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"game": "ludo"}, "'ludo' is not a game here; one of yin-yang"),
        ({"result": "glorious"}, "'glorious' is no result; one of won, lost, drawn, open"),
        ({"since": "2026-13-01"}, "'2026-13-01' is no day; it reads YEAR-MONTH-DAY"),
    ],
)
def test_what_cannot_be_wanted_is_said_in_one_sentence(what: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        wanted(**what)


def test_players_are_counted_whatever_letters_they_write_their_names_in(index: Index) -> None:
    scores = {(score.who, score.game): tuple(score[2:]) for score in index.scores(Wanted())}
    assert scores == {
        ("Anna Berg", "zong-heng"): (3, 1, 1, 1),
        ("Ben", "zhizhu"): (1, 1, 0, 0),
        ("Ben", "zong-heng"): (2, 1, 0, 1),
        ("Élodie", "zhizhu"): (2, 0, 0, 2),
    }


def test_games_are_counted(index: Index) -> None:
    assert [tuple(tally) for tally in index.tallies(Wanted())] == [
        ("zhizhu", 2, 0, 0, 2, 2.0), ("zong-heng", 3, 2, 1, 0, pytest.approx(8 / 3)),
    ]  # fmt: skip


def played(index: Index) -> Sequence[str]:
    return [game.name for game in index.find(Wanted())]


def test_only_what_has_changed_is_read_again(folder: Path, index: Index) -> None:
    assert index.update() == 0
    kept(folder, "yin-yang", "20261107")
    (folder / "zong-heng-20261101-200000.table").unlink()
    assert index.update() == 1
    assert len(played(index)) == 6
    assert played(index)[0] == "yin-yang-20261107-200000.table"


def test_the_index_is_kept(folder: Path, index: Index) -> None:
    index.close()
    assert Index(folder).update() == 0
    assert len(played(Index(folder, writing=False))) == 6


def test_an_index_that_is_damaged_is_made_anew(folder: Path, index: Index) -> None:
    before = played(index)
    index.close()
    (folder / "index" / "games.sqlite").write_bytes(b"no index" * 1000)
    again = Index(folder)
    assert again.update() == 6
    assert played(again) == before
    assert len(played(Index(folder, writing=False))) == 6


def test_an_index_of_another_version_is_made_anew(folder: Path, index: Index) -> None:
    index.close()
    base = sqlite3.connect(folder / "index" / "games.sqlite")
    base.execute("PRAGMA user_version = 99")
    base.close()
    assert played(Index(folder, writing=False)) == []
    assert Index(folder).update() == 6


def test_where_nothing_can_be_written_games_are_found_all_the_same(folder: Path) -> None:
    (folder / "index").write_text("a file, where the folder should be")
    index = Index(folder)
    assert index.update() == 6
    assert len(played(index)) == 6


def test_where_another_program_writes_games_are_found_all_the_same(folder: Path, index: Index) -> None:
    index.close()
    other = sqlite3.connect(folder / "index" / "games.sqlite")
    other.execute("BEGIN EXCLUSIVE")
    again = Index(folder, patience=0.1)
    assert again.update() == 6
    assert len(played(again)) == 6
    other.close()


def test_a_record_that_cannot_be_read_is_listed_with_the_reason(folder: Path) -> None:
    (folder / "broken-20261107-100000.table").write_text("tablelight 1\ngame zhizhu\nsense presence\nturn z9\n")
    index = Index(folder)
    index.update()
    game = index.find(Wanted())[0]
    assert game.fault.startswith("line 4: 'turn z9'")
    assert (len(days(index, result="open")), len(index.tallies(Wanted()))) == (1, 2)


def test_a_game_in_several_parts_is_one_game(folder: Path) -> None:
    first = folder / "zong-heng-20261101-200000.table"
    first.with_name("zong-heng-20261101-200000-part-2.table").write_bytes(first.read_bytes())
    index = Index(folder)
    index.update()
    assert [name for name in played(index) if "20261101" in name] == ["zong-heng-20261101-200000-part-2.table"]


def test_there_are_no_games_where_there_is_no_folder(tmp_path: Path) -> None:
    index = Index(tmp_path / "nowhere")
    assert index.update() == 0
    assert played(index) == []
    assert not (tmp_path / "nowhere").exists()
