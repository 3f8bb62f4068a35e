"""A table with no keyboard is switched off, and goes on after it was switched on again."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.records import read_record
from firmware_bridge.score import ScoreSheet
from games.rules import load
from hardware.simulation.hands import STYLES
from tests.session.chosen_games import playing, since, texts
from tests.session.screenless_players import ScreenlessTable

# Power ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_game", [False, True])
def test_power_is_held_and_a_short_press_does_nothing(in_game: bool) -> None:
    table = playing()[0] if in_game else ScreenlessTable()
    seen = len(table.events)
    table.press("power", 1.8)
    table.run(3.0)
    assert not table.session.over
    assert since(table, seen) == []
    table.press("power", 2.2)
    assert table.session.over
    assert since(table, seen) == ["off"]
    table.session.close()
    table.session.close()
    assert not table.lit()


def test_a_held_undo_or_hint_is_a_short_one() -> None:
    table, hands = playing()
    made = texts(hands)
    table.press("undo", 4.0)
    assert texts(hands) == made[:-1]
    table.press("hint", 4.0)
    assert not table.session.menu


# After a restart ------------------------------------------------------------------------------


def broken_off(folder: Path) -> tuple[Path, list[str], dict[str, int]]:
    """A game with turned seats that was broken off: its record, its turns, and the pieces on the points."""
    table = ScreenlessTable(folder=folder)
    for answer in ("yin-yang", "people", "", "coach", "far", "16"):
        table.choose(answer)
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    for turn in islice(random_turns(hands.table.game, 3), 4):
        hands.take(turn, STYLES["finger"])
    hands.run(1.0)
    table.session.close()
    pieces = {point: table.table.level(point) for point in table.board.places}
    return folder / "1-yin-yang.table", texts(hands), pieces


@pytest.mark.parametrize("at_once", [False, True])
def test_a_game_goes_on_after_a_restart_with_the_players_in_their_seats(at_once: bool, tmp_path: Path) -> None:
    path, made, pieces = broken_off(tmp_path)
    saved = read_record(path)
    assert saved.sheet.turned
    table = ScreenlessTable(saved=(path, saved), at_once=at_once)
    table.table.lay(pieces.items())
    table.run(0.5)
    if not at_once:
        assert table.session.menu.question.say.id == "table.ask-begun"
        table.press("done")
    assert "goes-on-with" in table.said
    hands = table.seated()
    assert texts(hands) == made
    table.run(1.0)
    assert not hands.table.setting
    turn = hands.table.sheet.turns[-1]
    hands.take(turn, STYLES["finger"])
    hands.run(3.0)
    table.session.close()
    after = read_record(path).sheet
    assert [entry.turn.text for entry in after.played_turns] == [*made, turn.text]


def test_a_new_game_can_be_begun_after_a_restart(tmp_path: Path) -> None:
    path, made, _ = broken_off(tmp_path)
    again = tmp_path / "again"
    table = ScreenlessTable(saved=(path, read_record(path)), folder=again)
    table.choose(1)
    table.press("done")
    assert table.said[-2:] == ["begins", "setting"]
    assert table.seated().table.game.name == "zong-heng"
    table.session.close()
    assert [entry.turn.text for entry in read_record(path).sheet.played_turns] == made


def test_a_game_named_at_the_start_begins_with_no_menu(tmp_path: Path) -> None:
    table = ScreenlessTable(sheet=ScoreSheet(load("zhizhu")), folder=tmp_path)
    assert not table.session.menu
    assert table.said[:2] == ["begins", "ready"]  # it begins with an empty board
