"""The end of a game at a table with no keyboard, and the way from there to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.records import read_record
from firmware_bridge.session.session import CLEARED
from games.rules import load
from hardware.board import read_board
from hardware.simulation.hands import STYLES
from tests.session.chosen_games import begun, playing, texts
from tests.session.screenless_players import Hands, ScreenlessTable


def ended(name: str, seed: int, **given) -> tuple[ScreenlessTable, Hands]:
    """A game that has come to its own end."""
    table = begun(name, **given)
    hands = table.seated()
    for turn in random_turns(load(name), seed):
        if hands.table.sheet.outcome:
            break
        hands.take(turn, STYLES["done" if load(name).pieces == "seeds" else "finger"])
    hands.run(3.0)
    assert hands.table.sheet.outcome
    assert not hands.table.sheet.called_off
    return table, hands


@pytest.mark.parametrize("name", ["zong-heng", "yin-yang", "zig-zag"])
def test_a_board_swept_after_the_end_leads_to_the_menu(name: str, tmp_path: Path) -> None:
    table, hands = ended(name, 5, folder=tmp_path)
    outcome = hands.table.sheet.outcome
    table.clear()
    table.run(CLEARED - 0.2)
    assert not table.session.menu
    table.run(0.5)
    assert table.session.menu
    assert table.said[-1] == "choose"
    assert read_record(tmp_path / f"1-{name}.table").sheet.outcome == outcome
    table.choose(0)
    assert table.session.menu.question.say.id == "table.ask-who-or-learn"


@pytest.mark.parametrize(
    "first",
    [
        False,
        True,
    ],
)
def test_a_board_cleared_piece_by_piece_leads_to_the_menu(first: bool, tmp_path: Path) -> None:
    """`first`: beginning with a piece of the last turn."""
    table, hands = ended("zhizhu", 5, folder=tmp_path)
    length = hands.table.sheet.length
    path = set(hands.table.sheet.played_turns[-1].turn.path)
    standing = [site for site in hands.table.game.sites if hands.board.level(site)]
    for site in sorted(standing, key=lambda site: (site in path) != first):
        hands.board.lay([(site, 0)])
        table.run(0.3)
    table.run(CLEARED + 1.0)
    assert table.session.menu
    saved = read_record(tmp_path / "1-zhizhu.table").sheet
    assert (saved.length, bool(saved.outcome)) == (length, True)


def test_clearing_the_board_in_mid_game_does_not_lead_to_the_menu() -> None:
    table, hands = playing()
    made = texts(hands)
    table.clear()
    table.run(10.0)
    assert not table.session.menu
    table.table.put_back()
    table.run(1.0)
    assert texts(hands) == made
    assert table.said[-1] == "righted"


def test_pieces_put_back_at_once_keep_the_end_in_sight() -> None:
    table, _ = playing()
    table.press("done", 2.5)
    table.choose(2)
    table.choose(2)
    table.clear()
    table.run(CLEARED - 0.5)
    table.table.put_back()
    table.run(5.0)
    assert not table.session.menu


def test_a_session_needs_no_buttons(tmp_path: Path) -> None:
    """No buttons at all: chosen by stones, played to its end, cleared; and the next game is chosen."""
    path = tmp_path / "board.toml"
    path.write_text("[pixels]\nstatus = [64, 65]\n")
    board = read_board(path)
    assert not board.buttons.pins()
    table, hands = ended("zong-heng", 5, board=board, folder=tmp_path)
    assert not table.keys.down()
    table.clear()
    table.run(CLEARED + 0.5)
    for answer in ("yin-yang", 0, 0, 0, 0, 4):
        table.choose(answer)
    assert table.said[-2:] == ["begins", "setting"]
    assert table.seated().table.game.name == "yin-yang"
    table.session.close()
    assert read_record(tmp_path / "1-zong-heng.table").sheet.outcome == hands.table.sheet.outcome
    assert not table.lit()
