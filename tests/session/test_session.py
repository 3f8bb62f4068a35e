"""From the start to the power-off with no keyboard: games are chosen, set up, played and ended at the table."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.config import Config, GameConfig, LightConfig
from firmware_bridge.layout import fits
from firmware_bridge.records import read_record
from firmware_bridge.session import Brighten, New
from games.rules import available, load, names
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.distributions import install
from tests.session.chosen_games import begun, playing, since, texts
from tests.session.menus import shipped
from tests.session.screenless_players import ScreenlessTable

LONGEST = 60
"""Turns after which the players agree on a draw."""


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_game_is_chosen_played_and_ended_with_no_keyboard(name: str, tmp_path: Path) -> None:
    table = begun(name, folder=tmp_path)
    hands = table.seated()
    style = STYLES["done" if load(name).pieces == "seeds" else "finger"]
    made = []
    for turn in islice(random_turns(load(name), 5), LONGEST):
        hands.take(turn, style)
        made.append(turn.text)
    hands.run(1.0)
    if not hands.table.sheet.outcome:
        table.now = hands.now
        table.press("done", 2.5)
        table.choose(2)
        table.choose(2)
    sheet = hands.table.sheet
    assert [entry.turn.text for entry in sheet.played_turns if entry.turn.text != "pass"] == made
    assert sheet.outcome
    saved = read_record(tmp_path / f"1-{name}.table").sheet
    assert [entry.turn.text for entry in saved.played_turns] == [entry.turn.text for entry in sheet.played_turns]
    assert saved.outcome == sheet.outcome
    table.press("done")
    assert table.session.menu
    table.press("power", 2.5)
    assert table.session.over
    assert table.said[-1] == "off"
    table.session.close()
    assert not table.lit()


# In mid-game ----------------------------------------------------------------------------------


def test_the_board_is_put_right_after_a_pause_and_nothing_is_played() -> None:
    table, hands = playing()
    made, turn = texts(hands), hands.table.sheet.turns[0]
    table.press("done", 2.5)
    seen = len(table.events)
    hands = table.seated()
    hands.play(turn, STYLES["finger"])  # a whole legal turn, while the menu is open
    hands.run(1.0)
    if table.session.menu:
        table.press("done")
    hands.run(5.0)
    assert hands.table.setting
    assert texts(hands) == made
    hands.put_right()
    hands.run(1.0)
    assert not hands.table.setting
    assert since(table, seen)[-1] == "ready"
    assert texts(hands) == made
    hands.take(turn, STYLES["finger"])
    assert texts(hands) == [*made, turn.text]


def test_a_pause_with_nothing_moved_goes_on_at_once() -> None:
    table, hands = playing()
    table.press("done", 2.5)
    table.press("done")
    assert not table.session.menu
    assert not hands.table.setting
    assert table.said[-1] == "ready"
    turn = hands.table.sheet.turns[-1]
    table.seated().take(turn, STYLES["finger"])
    assert texts(hands)[-1] == turn.text


def test_the_lights_are_those_of_the_game_after_a_pause() -> None:
    table, hands = playing()
    before = table.lit()
    table.press("done", 2.5)
    assert table.lit() != before
    table.press("done")
    hands.run(3.0)
    assert table.lit() == before


@pytest.mark.parametrize(
    ("number", "winner", "line"), [(0, 1, "resign black"), (1, 0, "resign white"), (2, None, "agree")]
)
def test_a_game_is_given_up_from_the_menu_and_taken_up_again(number: int, winner, line: str, tmp_path: Path) -> None:
    table, hands = playing(folder=tmp_path)
    made = texts(hands)
    table.press("done", 2.5)
    table.choose(2)
    table.choose(number)
    table.run(1.0)
    assert hands.table.sheet.outcome.winner is winner
    assert table.said.count("won") + table.said.count("drawn") == 1
    path = tmp_path / "1-zong-heng.table"
    assert f" {line} ~" in path.read_text()
    table.press("undo")
    assert table.said[-1] == "undone"
    assert hands.table.sheet.outcome is None
    hands = table.seated()
    turn = hands.table.sheet.turns[0]
    hands.take(turn, STYLES["finger"])
    saved = read_record(path).sheet
    assert [entry.turn.text for entry in saved.played_turns] == texts(hands) == [*made, turn.text]
    assert saved.outcome is None


def test_nobody_is_told_to_move_after_the_end() -> None:
    table, hands = playing()
    table.press("done", 2.5)
    table.choose(2)
    table.choose(0)
    seen = len(table.events)
    table.run(2.0)
    hands.put_right()
    hands.run(1.0)
    assert hands.table.sheet.outcome
    at = table.said.index("won")
    assert not any("turn" in str(event.say) for event in table.events[min(at, seen) :])


def test_games_of_others_are_offered_and_one_that_is_broken_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"test-clobber": "tests.games.small_games:Clobber", "torn": "nowhere:Torn"}
    install(tmp_path, "others", {"tablelight.games": points}, {})
    monkeypatch.syspath_prepend(tmp_path)
    table, hands = playing("test-clobber", turns=2)
    assert len(texts(hands)) == 2
    told = [str(event.say) for event in table.events if event.name == "left-out"]
    assert len(told) == 1
    assert told[0].startswith("A game is left out: the game torn (nowhere:Torn of others) cannot be loaded")
    asked = next(str(event.say) for event in table.events if event.name == "choose")
    assert asked.startswith("Which game? Put a stone on one of the bars or points of light, which are, in order: ")
    assert "Zong-Heng, " in asked
    assert "Clobber" in asked


def test_going_on_after_all_keeps_the_game() -> None:
    table, hands = playing()
    made = texts(hands)
    table.press("done", 2.5)
    table.choose(2)
    table.choose(3)
    table.run(1.0)
    assert not table.session.menu
    assert (texts(hands), hands.table.sheet.outcome) == (made, None)


def test_a_new_game_from_the_menu_leaves_the_old_record_as_it_is(tmp_path: Path) -> None:
    table, hands = playing(folder=tmp_path)
    made = texts(hands)
    table.press("done", 2.5)
    table.choose(1)
    for answer in ("yin-yang", "people", "10+5", "referee", "far", "48"):
        table.choose(answer)
    new = table.seated()
    assert new.table.game.name == "yin-yang"
    assert str(new.table.sheet.clock.control) == "10+5"
    assert (new.table.sheet.turned, new.daemon.light.settings.mode, new.daemon.light.settings.brightness) == (
        True, "referee", 48,
    )  # fmt: skip
    table.clear()
    new.put_right()
    new.run(1.0)
    turn = new.table.sheet.turns[0]
    new.take(turn, STYLES["finger"])
    assert texts(new) == [turn.text]
    table.session.close()
    old = read_record(tmp_path / "1-zong-heng.table").sheet
    assert ([entry.turn.text for entry in old.played_turns], old.outcome) == (made, None)
    started = read_record(tmp_path / "2-yin-yang.table").sheet
    assert ([entry.turn.text for entry in started.played_turns], started.turned) == ([turn.text], True)


def test_undo_in_the_menu_leads_back_and_no_farther() -> None:
    table, hands = playing()
    made = texts(hands)
    table.press("done", 2.5)
    table.choose(1)
    table.choose(0)
    for _ in range(4):
        table.press("undo")
    assert table.session.menu.question.say.id == "table.ask-pause"
    table.press("done")
    assert table.session.daemon is hands.daemon
    assert texts(hands) == made


def test_the_hint_reveals_for_some_seconds_in_quiet_mode() -> None:
    table = ScreenlessTable(config=Config(lights=LightConfig(mode="quiet", hints="off")))
    table.press("done")
    hands = table.seated()
    hands.put_right()
    hands.run(1.0)
    assert not table.lit()
    table.press("hint")
    shown = table.lit()
    assert {"a1", "c1", "e1"} <= shown
    table.run(5.5)
    assert table.lit() == shown
    table.run(0.5)
    assert not table.lit()


def test_the_engine_is_chosen_at_the_table_and_its_turns_wait_for_the_hand() -> None:
    table = ScreenlessTable()
    for answer in ("yin-yang", "first-engine", "1"):
        table.choose(answer)
    table.press("done")
    hands = table.seated()
    hands.put_right()
    hands.run(1.0)
    assert hands.table.sheet.levels == (1, 0)
    planned = hands.table.planned
    assert planned
    hands.take(planned, STYLES["finger"])
    assert texts(hands) == [planned.text]


# Other boards, other sensors ------------------------------------------------------------------


@pytest.mark.parametrize(("board", "name"), [("web", "zhizhu"), ("pits", "zig-zag")])
def test_a_board_for_one_game_offers_no_other(board: str, name: str, tmp_path: Path) -> None:
    if [game.name for game in available()[0] if fits(game, shipped(board))] != [name]:
        pytest.skip("another game is installed that fits this board")
    table = ScreenlessTable(board=board, folder=tmp_path)
    assert table.session.menu.question.say.id == "table.ask-who-or-learn"
    table.choose("people")
    table.choose("")
    table.choose(2)
    table.choose(0)
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    made = []
    for turn in islice(random_turns(load(name), 3), 20):
        hands.take(turn, STYLES["done" if name == "zig-zag" else "finger"])
        made.append(turn.text)
    assert texts(hands) == made
    table.press("power", 2.5)
    table.session.close()
    assert [entry.turn.text for entry in read_record(tmp_path / f"1-{name}.table").sheet.played_turns] == made


@pytest.mark.parametrize(
    ("name", "sense", "told"),
    [
        ("zig-zag", Sense.COLOUR, Sense.PRESENCE),
        ("zong-heng", Sense.COLOUR, Sense.COLOUR),
        ("zig-zag", Sense.COUNT, Sense.COUNT),
        ("yin-yang", Sense.COUNT, Sense.PRESENCE),
    ],
)
def test_a_game_is_played_by_the_sense_of_its_sensors(name: str, sense: Sense, told: Sense, tmp_path: Path) -> None:
    table = begun(name, sense=sense, folder=tmp_path)
    hands = table.seated()
    made = []
    for turn in islice(random_turns(load(name), 4), 12):
        hands.take(turn, STYLES["done" if load(name).pieces == "seeds" else "finger"])
        made.append(turn.text)
    assert texts(hands) == made
    table.session.close()
    saved = read_record(tmp_path / f"1-{name}.table")
    assert saved.sense is told
    assert [entry.turn.text for entry in saved.sheet.played_turns] == made


def test_a_table_that_goes_blind_in_the_menu_and_in_the_game_goes_on() -> None:
    table, hands = playing()
    made = texts(hands)
    table.table.sighted = False
    table.press("done", 2.5)
    table.press("done")
    table.run(1.0)
    table.table.sighted = True
    table.run(1.0)
    assert not table.session.menu
    turn = hands.table.sheet.turns[0]
    table.seated().take(turn, STYLES["finger"])
    assert texts(hands) == [*made, turn.text]


# What goes wrong ------------------------------------------------------------------------------


def test_two_games_with_one_place_for_the_record_do_not_end_the_program(tmp_path: Path) -> None:
    table = ScreenlessTable(place=lambda game: tmp_path / "one.table")
    table.press("done")
    table.press("done", 2.5)
    table.choose(1)
    table.press("done")
    assert table.said.count("begins") == 2


def test_options_that_cannot_be_played_here_do_not_end_the_program_at_the_table() -> None:
    table = ScreenlessTable(config=Config(game=GameConfig(options={"size": 10})))
    table.press("done")
    assert table.said[-1] in ("begins", "setting", "choose")


def test_everything_that_is_said_is_a_sentence(tmp_path: Path) -> None:
    table, hands = playing(folder=tmp_path)
    hands.board.lay([("d4", 2), ("e5", 1)])
    table.run(5.0)
    table.press("undo")
    table.press("done", 2.5)
    table.choose(2)
    table.choose(2)
    table.press("power", 2.5)
    for event in table.events:
        assert str(event.say)[-1] in ".?"
        assert "{" not in str(event.say)


def test_a_brightness_that_is_asked_for_lasts_into_the_next_game() -> None:
    table = ScreenlessTable()
    for name in ("zong-heng", "yin-yang"):
        table.session.obey(New(name), table.now)
        table.run(0.2)
        if name == "zong-heng":
            table.session.obey(Brighten(7), table.now)
        assert table.session.daemon
        assert table.session.daemon.light.settings.brightness == 7
        table.run(0.1)
        assert 0 < max(map(max, table.table.pictures[-1])) <= 8
