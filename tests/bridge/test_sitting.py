"""From the start to the power-off with no keyboard: games are chosen, set up, played and ended at the table."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from keyless import Hands, Keyless

from benchmarks.accuracy import random_turns
from firmware_bridge.config import Config, GameConfig, LightConfig
from firmware_bridge.saved import read_record
from firmware_bridge.sheet import Sheet
from firmware_bridge.sitting import CLEARED
from games.rules import load, names
from hardware.board import read_board
from hardware.device import Sense
from hardware.hands import STYLES

LONGEST = 60
"""Turns after which the players agree on a draw."""


def begun(name: str, **given) -> Keyless:
    """A game chosen at the table and set up as the lights show."""
    table = Keyless(**given)
    table.choose(name)
    for _ in range(3):  # how much the lights tell, the seats, the brightness
        table.choose(0)
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    return table


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
    assert [moment.turn.text for moment in sheet.moments if moment.turn.text != "pass"] == made
    assert sheet.outcome
    saved = read_record(tmp_path / f"1-{name}.table").sheet
    assert [moment.turn.text for moment in saved.moments] == [moment.turn.text for moment in sheet.moments]
    assert saved.outcome == sheet.outcome
    table.press("done")
    assert table.sitting.menu
    table.press("power", 2.5)
    assert table.sitting.over
    assert table.said[-1] == "off"
    table.sitting.close()
    assert not table.lit()


# In mid-game ----------------------------------------------------------------------------------


def playing(name: str = "zong-heng", turns: int = 3, **given) -> tuple[Keyless, Hands]:
    """A game some turns on."""
    table = begun(name, **given)
    hands = table.seated()
    style = STYLES["done" if load(name).pieces == "seeds" else "finger"]
    for turn in islice(random_turns(load(name), 3), turns):
        hands.take(turn, style)
    hands.run(3.0)
    return table, hands


def texts(hands: Hands) -> list[str]:
    return [moment.turn.text for moment in hands.table.sheet.moments]


def since(table: Keyless, seen: int) -> list[str]:
    return table.said[seen:]


def test_after_a_pause_the_board_is_put_right_first_and_nothing_is_played() -> None:
    table, hands = playing()
    made, turn = texts(hands), hands.table.sheet.turns[0]
    table.press("done", 2.5)
    seen = len(table.events)
    hands = table.seated()
    hands.play(turn, STYLES["finger"])  # a whole legal turn, while the menu is open
    hands.run(1.0)
    if table.sitting.menu:
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
    assert not table.sitting.menu
    assert not hands.table.setting
    assert table.said[-1] == "ready"
    turn = hands.table.sheet.turns[-1]
    table.seated().take(turn, STYLES["finger"])
    assert texts(hands)[-1] == turn.text


def test_after_a_pause_the_lights_are_those_of_the_game() -> None:
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
    assert [moment.turn.text for moment in saved.moments] == texts(hands) == [*made, turn.text]
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


def test_going_on_after_all_keeps_the_game() -> None:
    table, hands = playing()
    made = texts(hands)
    table.press("done", 2.5)
    table.choose(2)
    table.choose(3)
    table.run(1.0)
    assert not table.sitting.menu
    assert (texts(hands), hands.table.sheet.outcome) == (made, None)


def test_a_new_game_from_the_menu_leaves_the_old_record_as_it_is(tmp_path: Path) -> None:
    table, hands = playing(folder=tmp_path)
    made = texts(hands)
    table.press("done", 2.5)
    table.choose(1)
    for answer in ("yin-yang", "referee", "far", "48"):
        table.choose(answer)
    new = table.seated()
    assert new.table.game.name == "yin-yang"
    assert (new.table.sheet.turned, new.daemon.light.looks.mode, new.daemon.light.looks.brightness) == (
        True, "referee", 48,
    )  # fmt: skip
    table.clear()
    new.put_right()
    new.run(1.0)
    turn = new.table.sheet.turns[0]
    new.take(turn, STYLES["finger"])
    assert texts(new) == [turn.text]
    table.sitting.close()
    old = read_record(tmp_path / "1-zong-heng.table").sheet
    assert ([moment.turn.text for moment in old.moments], old.outcome) == (made, None)
    started = read_record(tmp_path / "2-yin-yang.table").sheet
    assert ([moment.turn.text for moment in started.moments], started.turned) == ([turn.text], True)


def test_undo_in_the_menu_leads_back_and_no_farther() -> None:
    table, hands = playing()
    made = texts(hands)
    table.press("done", 2.5)
    table.choose(1)
    table.choose(0)
    for _ in range(4):
        table.press("undo")
    assert table.sitting.menu.question.say.id == "table.ask-pause"
    table.press("done")
    assert table.sitting.daemon is hands.daemon
    assert texts(hands) == made


def test_the_hint_reveals_for_some_seconds_in_quiet_mode() -> None:
    table = Keyless(config=Config(lights=LightConfig(mode="quiet")))
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


# The end --------------------------------------------------------------------------------------


def ended(name: str, seed: int, **given) -> tuple[Keyless, Hands]:
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
    assert not table.sitting.menu
    table.run(0.5)
    assert table.sitting.menu
    assert table.said[-1] == "choose"
    assert read_record(tmp_path / f"1-{name}.table").sheet.outcome == outcome
    table.choose(0)
    assert table.sitting.menu.question.say.id == "table.ask-mode"


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
    path = set(hands.table.sheet.moments[-1].turn.path)
    standing = [site for site in hands.table.game.sites if hands.board.level(site)]
    for site in sorted(standing, key=lambda site: (site in path) != first):
        hands.board.lay([(site, 0)])
        table.run(0.3)
    table.run(CLEARED + 1.0)
    assert table.sitting.menu
    saved = read_record(tmp_path / "1-zhizhu.table").sheet
    assert (saved.length, bool(saved.outcome)) == (length, True)


def test_clearing_the_board_in_mid_game_does_not_lead_to_the_menu() -> None:
    table, hands = playing()
    made = texts(hands)
    table.clear()
    table.run(10.0)
    assert not table.sitting.menu
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
    assert not table.sitting.menu


def test_an_evening_by_pieces_alone(tmp_path: Path) -> None:
    """No buttons at all: chosen by stones, played to its end, cleared; and the next game is chosen."""
    path = tmp_path / "board.toml"
    path.write_text("[pixels]\nstatus = [64, 65]\n")
    board = read_board(path)
    assert not board.buttons.pins()
    table, hands = ended("zong-heng", 5, board=board, folder=tmp_path)
    assert not table.keys.down()
    table.clear()
    table.run(CLEARED + 0.5)
    for answer in ("yin-yang", 0, 0, 4):
        table.choose(answer)
    assert table.said[-2:] == ["begins", "setting"]
    assert table.seated().table.game.name == "yin-yang"
    table.sitting.close()
    assert read_record(tmp_path / "1-zong-heng.table").sheet.outcome == hands.table.sheet.outcome
    assert not table.lit()


# Power ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_game", [False, True])
def test_power_is_held_and_a_short_press_does_nothing(in_game: bool) -> None:
    table = playing()[0] if in_game else Keyless()
    seen = len(table.events)
    table.press("power", 1.8)
    table.run(3.0)
    assert not table.sitting.over
    assert since(table, seen) == []
    table.press("power", 2.2)
    assert table.sitting.over
    assert since(table, seen) == ["off"]
    table.sitting.close()
    table.sitting.close()
    assert not table.lit()


def test_a_held_undo_or_hint_is_a_short_one() -> None:
    table, hands = playing()
    made = texts(hands)
    table.press("undo", 4.0)
    assert texts(hands) == made[:-1]
    table.press("hint", 4.0)
    assert not table.sitting.menu


# After a restart ------------------------------------------------------------------------------


def broken_off(folder: Path) -> tuple[Path, list[str], dict[str, int]]:
    """A game with turned seats that was broken off: its record, its turns, and the pieces on the points."""
    table = Keyless(folder=folder)
    for answer in ("yin-yang", "coach", "far", "16"):
        table.choose(answer)
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    for turn in islice(random_turns(hands.table.game, 3), 4):
        hands.take(turn, STYLES["finger"])
    hands.run(1.0)
    table.sitting.close()
    pieces = {point: table.table.level(point) for point in table.board.places}
    return folder / "1-yin-yang.table", texts(hands), pieces


@pytest.mark.parametrize("at_once", [False, True])
def test_a_game_goes_on_after_a_restart_with_the_players_in_their_seats(at_once: bool, tmp_path: Path) -> None:
    path, made, pieces = broken_off(tmp_path)
    saved = read_record(path)
    assert saved.sheet.turned
    table = Keyless(saved=(path, saved), at_once=at_once)
    table.table.lay(pieces.items())
    table.run(0.5)
    if not at_once:
        assert table.sitting.menu.question.say.id == "table.ask-begun"
        table.press("done")
    assert "goes-on-with" in table.said
    hands = table.seated()
    assert texts(hands) == made
    table.run(1.0)
    assert not hands.table.setting
    turn = hands.table.sheet.turns[-1]
    hands.take(turn, STYLES["finger"])
    hands.run(3.0)
    table.sitting.close()
    after = read_record(path).sheet
    assert [moment.turn.text for moment in after.moments] == [*made, turn.text]


def test_after_a_restart_a_new_game_can_be_begun_as_well(tmp_path: Path) -> None:
    path, made, _ = broken_off(tmp_path)
    again = tmp_path / "again"
    table = Keyless(saved=(path, read_record(path)), folder=again)
    table.choose(1)
    table.press("done")
    assert table.said[-2:] == ["begins", "setting"]
    assert table.seated().table.game.name == "zong-heng"
    table.sitting.close()
    assert [moment.turn.text for moment in read_record(path).sheet.moments] == made


def test_a_game_named_at_the_start_begins_with_no_menu(tmp_path: Path) -> None:
    table = Keyless(sheet=Sheet(load("zhizhu")), folder=tmp_path)
    assert not table.sitting.menu
    assert table.said[:2] == ["begins", "ready"]  # it begins with an empty board


# Other boards, other sensors ------------------------------------------------------------------


@pytest.mark.parametrize(("board", "name"), [("web", "zhizhu"), ("pits", "zig-zag")])
def test_a_board_for_one_game(board: str, name: str, tmp_path: Path) -> None:
    table = Keyless(board=board, folder=tmp_path)
    assert table.sitting.menu.question.say.id == "table.ask-mode"
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
    table.sitting.close()
    assert [moment.turn.text for moment in read_record(tmp_path / f"1-{name}.table").sheet.moments] == made


@pytest.mark.parametrize(
    ("name", "sense", "told"),
    [
        ("zig-zag", Sense.COLOUR, Sense.PRESENCE),
        ("zong-heng", Sense.COLOUR, Sense.COLOUR),
        ("zig-zag", Sense.COUNT, Sense.COUNT),
        ("yin-yang", Sense.COUNT, Sense.PRESENCE),
    ],
)
def test_other_sensors_tell_what_they_can(name: str, sense: Sense, told: Sense, tmp_path: Path) -> None:
    table = begun(name, sense=sense, folder=tmp_path)
    hands = table.seated()
    made = []
    for turn in islice(random_turns(load(name), 4), 12):
        hands.take(turn, STYLES["done" if load(name).pieces == "seeds" else "finger"])
        made.append(turn.text)
    assert texts(hands) == made
    table.sitting.close()
    saved = read_record(tmp_path / f"1-{name}.table")
    assert saved.sense is told
    assert [moment.turn.text for moment in saved.sheet.moments] == made


def test_a_table_that_goes_blind_in_the_menu_and_in_the_game_goes_on() -> None:
    table, hands = playing()
    made = texts(hands)
    table.table.sighted = False
    table.press("done", 2.5)
    table.press("done")
    table.run(1.0)
    table.table.sighted = True
    table.run(1.0)
    assert not table.sitting.menu
    turn = hands.table.sheet.turns[0]
    table.seated().take(turn, STYLES["finger"])
    assert texts(hands) == [*made, turn.text]


# What goes wrong ------------------------------------------------------------------------------


def test_two_games_with_one_place_for_the_record_do_not_end_the_program(tmp_path: Path) -> None:
    table = Keyless(place=lambda game: tmp_path / "one.table")
    table.press("done")
    table.press("done", 2.5)
    table.choose(1)
    table.press("done")
    assert table.said.count("begins") == 2


def test_options_that_cannot_be_played_here_do_not_end_the_program_at_the_table() -> None:
    table = Keyless(config=Config(game=GameConfig(options={"size": 10})))
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
