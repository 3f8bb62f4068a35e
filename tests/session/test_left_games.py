"""A finished game that was left to try something is there to go back to, in its own record."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.config import Config, GameConfig
from firmware_bridge.records import read_record
from firmware_bridge.session import New, Press, Return, Solve, Teach
from firmware_bridge.session.messages import End
from tests.session.screenless_players import ScreenlessTable
from tests.session.test_lessons_by_light import set_up

POSITION = "....../....../..xo../..ox../....../...... 1"


def finished(folder: Path) -> ScreenlessTable:
    """A game of Yin-Yang that is over by agreement, in a record."""
    table = ScreenlessTable(folder=folder, config=Config(game=GameConfig("yin-yang")))
    table.session.obey(New("yin-yang"), table.now)
    table.run(0.2)
    set_up(table)
    table.session.obey(End(), table.now)
    assert table.sheet.outcome
    return table


def test_one_goes_back_to_where_it_ended_and_it_goes_on_in_its_record(tmp_path: Path) -> None:
    table = finished(tmp_path)
    game = table.session.shown
    path, sheet = game.record.path, game.table.sheet
    assert not table.session.left
    table.session.obey(New("yin-yang", position=POSITION), table.now)
    table.run(0.2)
    assert table.session.left
    tried = table.session.shown.record.path
    (said,) = table.session.obey(Return(), table.now)
    assert said.say.id == "table.gone-back"
    back = table.session.shown
    assert (back.table.sheet, back.record.path) == (sheet, path)
    assert back.table.setting  # its pieces are to be laid out again
    assert not table.session.left
    set_up(table)
    table.session.obey(Press("undo"), table.now)  # the agreement
    table.session.close()
    assert read_record(path).sheet.outcome is None
    assert read_record(tried).sheet.position == sheet.game.position(POSITION)  # what was tried is kept, too


def test_lessons_and_puzzles_lead_back_and_a_new_game_does_not(tmp_path: Path) -> None:
    table = finished(tmp_path)
    sheet = table.sheet
    table.session.obey(Solve("yin-yang", 1), table.now)
    table.session.obey(Teach("yin-yang", 1), table.now)  # a puzzle itself is nothing to go back to
    assert table.session.left
    table.session.obey(Return(), table.now)
    assert table.sheet is sheet
    assert table.session.obey(Return(), table.now) == []
    table.session.obey(New("yin-yang", position=POSITION), table.now)
    table.run(0.2)
    table.session.obey(New("yin-yang"), table.now)
    table.run(0.2)
    assert not table.session.left


def test_a_game_in_play_is_not_one_to_go_back_to(tmp_path: Path) -> None:
    table = ScreenlessTable(folder=tmp_path)
    table.session.obey(New("yin-yang"), table.now)
    table.run(0.2)
    table.session.obey(Solve("yin-yang", 1), table.now)
    assert not table.session.left
