"""Turns that threw a game away become puzzles, where one turn alone was better; the newest are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_bridge.analysis.command import write_report
from firmware_bridge.analysis.moments import Moment
from firmware_bridge.events import turn_event
from firmware_bridge.lessons import OwnPuzzle, keep, path_of, read_own
from firmware_bridge.lessons.own import MOST
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.puzzles import known
from games.rules import game_class, load
from hardware.device import Sense

PUZZLE = game_class("zong-heng").puzzles[3]
"""One turn alone wins."""
OWN = OwnPuzzle("yin-yang", {}, "-", "win", "a2-a1", "2026-11-25", 9, "x.table")


def recorded(path: Path, *, good: bool, levels: tuple[int, int] = (0, 0)) -> Path:
    """The record of a game that begins with the puzzle; its first turn is the good one, or another."""
    game = load("zong-heng", **dict(PUZZLE.options))
    start = game.position(PUZZLE.position)
    sheet = ScoreSheet(game, start, levels=levels)
    better = known(game, start, PUZZLE.turns[0])
    turn = better if good else next(each for each in game.turns(start) if each.after != better.after)
    record = Record(path, ScoreSheet(game, start, levels=levels), Sense.COLOUR)
    record.write([turn_event("played", sheet.player, turn)], 0.0)
    sheet.accept(turn)
    record.write(sheet.agree(), 1.0)
    record.close()
    return path


def explained(record: Path) -> tuple[list[OwnPuzzle], list[Moment]]:
    """The puzzles that are kept, and what is told on the way."""
    told: list[Moment] = []
    place = path_of(record.parent)
    write_report(record, record.with_suffix(".html"), tell=told.append, puzzles=place)
    return read_own(place), told


def test_a_win_that_was_thrown_away_is_a_puzzle(tmp_path: Path) -> None:
    record = recorded(tmp_path / "game.table", good=False)
    (own,), told = explained(record)
    assert (own.position, own.better, own.goal) == (PUZZLE.position, PUZZLE.turns[0], "win")
    assert (own.game, own.options["size"], own.turn, own.record) == ("zong-heng", 6, 1, "game.table")
    assert [each.puzzle for each in told] == [False, True]
    again, _ = explained(record)
    assert again == [own]  # the same game gives it once


def test_the_good_turn_leaves_none_and_so_does_the_engine(tmp_path: Path) -> None:
    assert explained(recorded(tmp_path / "good.table", good=True))[0] == []
    side = load("zong-heng", size=6).position(PUZZLE.position).side
    levels = (3, 0) if side == 0 else (0, 3)
    assert explained(recorded(tmp_path / "engine.table", good=False, levels=levels))[0] == []
    assert not path_of(tmp_path).exists()


def test_the_newest_are_kept_and_come_first(tmp_path: Path) -> None:
    place = path_of(tmp_path)
    for number in range(MOST + 3):
        keep(place, f"{number}.table", [replace(OWN, record=f"{number}.table")])
    kept = [each.record for each in read_own(place)]
    assert kept[0] == f"{MOST + 2}.table"
    assert len(kept) == MOST


@pytest.mark.parametrize("data", [b"", b"{}", b'[{"game": 3}]', b"\xff", b"[" * 300_000])
def test_a_damaged_file_holds_none_and_is_replaced(tmp_path: Path, data: bytes) -> None:
    place = path_of(tmp_path)
    place.parent.mkdir()
    place.write_bytes(data)
    assert read_own(place) == []
    keep(place, "x.table", [OWN])
    assert read_own(place) == [OWN]


def test_a_report_is_made_where_no_puzzle_can_be_kept(tmp_path: Path) -> None:
    record = recorded(tmp_path / "game.table", good=False)
    (tmp_path / "puzzles").write_text("in the way")
    write_report(record, tmp_path / "game.html", puzzles=path_of(tmp_path))
    assert (tmp_path / "game.html").exists()
