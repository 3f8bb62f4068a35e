"""Clocks at a table without a screen: they stand while the menu has the board, and come with games from anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.clocks import clocks
from firmware_bridge.config import Config, GameConfig
from firmware_bridge.records import read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import New
from games.rules import load
from hardware.device import Sense
from tests.session.screenless_players import ScreenlessTable


def left(table: ScreenlessTable, side: int) -> float:
    """What the clock of `side` shows, in seconds."""
    clock = table.sheet.clock
    return round(clock.shown(side, table.now).seconds)


def test_clocks_stand_while_the_menu_has_the_board() -> None:
    table = ScreenlessTable("web", Sense.COLOUR, sheet=ScoreSheet(load("zhizhu"), clock=clocks("10")))
    table.seated().board.lay([("a1", 1)])
    table.run(10.0)
    assert (left(table, 0), left(table, 1)) == (600, 590)
    table.press("done", 2.5)
    shown = left(table, 1)
    table.run(60.0)
    assert left(table, 1) == shown
    table.choose("go-on")
    assert not table.session.menu
    table.run(10.0)
    assert left(table, 1) == pytest.approx(shown - 10, abs=1.0)


def test_the_configuration_gives_time_to_games_from_the_menu() -> None:
    config = Config(game=GameConfig(name="zhizhu", clock="3+2", names=("Anna", "")))
    table = ScreenlessTable("web", Sense.COLOUR, config=config)
    table.press("done")
    sheet = table.sheet
    assert (str(sheet.clock.control), sheet.names) == ("3+2", ("Anna", ""))


def test_the_page_gives_time_and_names_to_a_new_game(tmp_path: Path) -> None:
    table = ScreenlessTable("web", Sense.COLOUR, folder=tmp_path)
    assert table.session.obey(New("zhizhu", clock="0.5+2x10", names=(" Anna ", "Ben")), table.now) == []
    table.run(1.0)
    sheet = read_record(tmp_path / "1-zhizhu.table").sheet
    assert (str(sheet.clock.control), sheet.names) == ("0.5+2x10", ("Anna", "Ben"))


@pytest.mark.parametrize("wrong", [{"clock": "soon"}, {"names": ("x" * 31, "")}])
def test_what_cannot_be_given_changes_nothing(wrong: dict) -> None:
    table = ScreenlessTable("web", Sense.COLOUR, sheet=ScoreSheet(load("zhizhu")))
    before = table.session.daemon
    (event,) = table.session.obey(New("zhizhu", **wrong), table.now)
    assert event.name == "refused"
    table.run(0.5)
    assert table.session.daemon is before
