"""The score sheet: turns in, and what follows from each by itself; turns out again as if they had never been."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from firmware_bridge.events import Event
from firmware_bridge.score import PASS, ScoreSheet, person
from games.rules import Game, IllegalTurn, OptionError, names, play
from tests.games.small_games import Crowned, Crowning
from tests.simulation.midgame import game_of, sheet_at


def sheet_of(name: str, *turns: str, house_rule: bool = True) -> ScoreSheet:
    sheet = ScoreSheet(game_of(name), house_rule=house_rule)
    for turn in turns:
        sheet.read(turn)
    return sheet


def accept(sheet: ScoreSheet, text: str) -> list[Event]:
    return sheet.accept(next(turn for turn in sheet.turns if turn.text == text))


def facts(sheet: ScoreSheet) -> tuple[Any, ...]:
    """All that a sheet tells."""
    turns = [turn.text for turn in sheet.turns]
    return str(sheet.position), sheet.length, str(sheet.outcome), sheet.player, turns, sheet.before_last()


# Turns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_a_sheet_begins_with_the_game(name: str) -> None:
    sheet = sheet_of(name)
    assert (sheet.position, sheet.length, sheet.outcome, sheet.before_last()) == (sheet.start, 0, None, None)
    assert sheet.player == sheet.game.players[sheet.position.side]


@pytest.mark.parametrize("name", names())
def test_each_turn_leads_from_one_position_to_the_next(name: str) -> None:
    for seed in range(4):
        sheet = sheet_at(game_of(name), seed, 50)
        position = sheet.start
        for entry in sheet.played_turns:
            assert entry.position == position
            position = play(sheet.game, position, entry.turn.text)
        assert position == sheet.position


def test_the_legal_turns_are_those_of_the_position() -> None:
    sheet = sheet_of("zhizhu", "a1")
    assert [turn.text for turn in sheet.turns] == [turn.text for turn in sheet.game.turns(sheet.position)]


def test_a_turn_by_its_text() -> None:
    sheet = sheet_of("zong-heng", "c3-c4", "f6-f5")
    assert [entry.turn.text for entry in sheet.played_turns] == ["c3-c4", "f6-f5"]


@pytest.mark.parametrize("text", ["a1", "c3-c5", "", "pass", "c3-c4 ", "x" * 3000])
def test_what_is_no_turn_is_refused_and_changes_nothing(text: str) -> None:
    sheet = sheet_of("zong-heng", "c3-c4")
    before = facts(sheet)
    with pytest.raises(IllegalTurn, match="."):
        sheet.read(text)
    assert facts(sheet) == before


def test_short_names_are_those_players_type() -> None:
    assert sheet_of("zong-heng").short_names == ("black", "white")
    assert sheet_of("zig-zag").short_names == ("south", "north")


# Passes ---------------------------------------------------------------------------------------


def before_a_pass(game: Game[Any]) -> tuple[ScoreSheet, str]:
    """A Zong-Heng sheet and a turn after which the other side must pass, and the game goes on."""
    for seed in range(200):
        sheet = sheet_at(game, seed, 32)
        passes = [number for number, entry in enumerate(sheet.played_turns) if entry.turn.text == PASS]
        if passes:
            turn = sheet.played_turns[passes[0] - 1].turn.text
            sheet.back_to(passes[0] - 1)
            return sheet, turn
    raise LookupError("no game with a forced pass")


def test_a_forced_pass_is_played_at_once_and_told() -> None:
    sheet, turn = before_a_pass(game_of("zong-heng"))
    side, length = sheet.position.side, sheet.length
    events = accept(sheet, turn)
    assert [event.name for event in events][:1] == ["passed"]
    assert (sheet.position.side, sheet.length) == (side, length + 2)


def test_undoing_takes_the_forced_pass_along() -> None:
    sheet, turn = before_a_pass(game_of("zong-heng"))
    before = facts(sheet)
    accept(sheet, turn)
    assert [entry.turn.text for entry in sheet.undo()] == [turn, PASS]
    assert facts(sheet) == before


def test_a_game_that_begins_with_a_forced_pass_goes_on() -> None:
    """A position to begin from may have no other turn than the pass, which is the table's own to play."""
    game = game_of("zong-heng")
    sheet, turn = before_a_pass(game)
    stuck = play(game, sheet.position, turn)
    begun = ScoreSheet(game, stuck)
    assert begun.position.side != stuck.side
    assert begun.turns[0].text != PASS


# The end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["yin-yang", "zong-heng"])
def test_the_end_by_the_rules_is_told_with_the_last_turn(name: str) -> None:
    sheet, choose = ScoreSheet(game_of(name)), Random(3)
    events: list[Event] = []
    while not sheet.outcome:
        events = sheet.accept(choose.choice(sheet.turns))
    assert events[-1].name in ("won", "drawn")
    assert events[-1].say == sheet.outcome.reason
    assert sheet.turns == ()


CIRCLE = ("a1-a8", "b2-b1", "a8-a1", "b1-b2")
SLIDING = "x.x.x.../.o.o.o../........ x 0,0 -,-"


def going_round(*, house_rule: bool) -> ScoreSheet:
    game = game_of("zhizhu")
    return ScoreSheet(game, game.position(SLIDING), house_rule=house_rule)


def test_the_third_time_a_position_stands_ends_the_game_by_the_house_rule() -> None:
    sheet = going_round(house_rule=True)
    events = [event.name for turn in CIRCLE * 2 for event in accept(sheet, turn)]
    assert events == ["drawn"]
    assert sheet.length == 8
    assert sheet.outcome == sheet.game.repeated(sheet.position)


def test_without_the_house_rule_it_goes_on() -> None:
    sheet = going_round(house_rule=False)
    assert [event for turn in CIRCLE * 4 for event in accept(sheet, turn)] == []
    assert sheet.outcome is None


def test_positions_that_were_taken_back_are_not_counted() -> None:
    sheet = going_round(house_rule=True)
    for turn in CIRCLE:
        accept(sheet, turn)
    for _ in range(5):
        sheet.back_to(3)
        assert accept(sheet, CIRCLE[3]) == []
    assert sheet.outcome is None


@pytest.mark.parametrize(("side", "winner"), [(0, "White"), (1, "Black")])
def test_who_resigns_loses(side: int, winner: str) -> None:
    sheet = sheet_of("zong-heng", "c3-c4")
    (event,) = sheet.resign(side)
    assert (event.name, sheet.outcome and sheet.outcome.winner) == ("won", 1 - side)
    assert str(event.say).startswith(winner)


def test_an_agreed_draw_has_no_winner() -> None:
    sheet = sheet_of("zong-heng")
    (event,) = sheet.agree()
    assert (event.name, sheet.outcome and sheet.outcome.winner) == ("drawn", None)


def test_after_the_end_no_turn_is_read() -> None:
    sheet = sheet_of("zong-heng", "c3-c4")
    sheet.resign(0)
    with pytest.raises(IllegalTurn, match="over"):
        sheet.read("f6-f5")
    assert sheet.length == 1


# Kinds of pieces ------------------------------------------------------------------------------


def lying(sheet: ScoreSheet, **levels: int | None) -> dict[str, str]:
    """The marks where these sites show something else than the position has there."""
    board = zip(sheet.game.sites, sheet.position.board, strict=True)
    return dict(sheet.marks(tuple(levels.get(site, level) for site, level in board)))


def test_pieces_that_stand_where_they_stood_have_their_marks() -> None:
    sheet = ScoreSheet(Crowned())
    assert lying(sheet) == {"a1": "K", "b1": "K"}
    assert lying(sheet, d4=None, c3=0) == {"a1": "K", "b1": "K"}
    assert lying(sheet, a1=None) == lying(sheet, a1=0) == {"b1": "K"}


def test_a_piece_that_is_carried_takes_its_mark_along() -> None:
    sheet = ScoreSheet(Crowned(), Crowned().position("x.o./..../..../xo.. x a1,b1"))
    assert lying(sheet, a1=0, d3=1) == {"d3": "K", "b1": "K"}  # no turn, and still the king
    assert lying(sheet, a1=0, b1=1) == {"b1": "K"}  # takes the other king
    assert lying(sheet, a1=0, a4=0, d3=1) == {"b1": "K"}  # the king, or the other black stone
    assert lying(sheet, d3=1) == {"a1": "K", "b1": "K"}  # from the supply
    assert lying(sheet, a4=0, b2=1, b1=0, b3=2) == {"a1": "K", "b3": "K"}


def test_a_piece_that_becomes_another_has_no_mark_until_it_is_known_which() -> None:
    sheet = ScoreSheet(Crowning(), Crowning().position("...x/..../..../.o.. o -d4k"))
    assert lying(sheet, b1=0, b2=2) == {"d4": "K"}
    sheet = ScoreSheet(Crowning(), Crowning().position("...x/x.../..../.... x -d4k"))
    assert lying(sheet, a3=0, a4=1) == {"d4": "K"}
    sheet.read("a3-a4f")
    assert lying(sheet) == {"a4": "F", "d4": "K"}


def test_a_game_whose_pieces_are_all_alike_has_no_marks() -> None:
    assert lying(sheet_of("zhizhu", "a1"), a1=0, b1=1) == {}


# Taking back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_what_is_taken_back_has_never_been(name: str) -> None:
    choose, sheet = Random(7), ScoreSheet(game_of(name))
    story = [facts(sheet)]
    while not sheet.outcome and sheet.length < 60:
        sheet.accept(choose.choice(sheet.turns))
        story += [facts(sheet)] * (sheet.length - len(story) + 1)
    while sheet.length:
        length = sheet.before_last()
        assert length is not None
        sheet.undo()
        assert sheet.length == length
        assert facts(sheet) == story[length]


def test_nothing_is_undone_at_the_start() -> None:
    sheet = sheet_of("zhizhu")
    assert (sheet.undo(), sheet.length) == ([], 0)


def test_the_last_turn_of_a_game_can_be_taken_back() -> None:
    sheet, choose = ScoreSheet(game_of("zong-heng")), Random(5)
    while not sheet.outcome:
        sheet.accept(choose.choice(sheet.turns))
    sheet.undo()
    assert sheet.outcome is None
    assert sheet.turns


# Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "name"), [("  Anna   Berg ", "Anna Berg"), ("", ""), ("愛子", "愛子")])
def test_a_name_has_no_blanks_that_nobody_sees(text: str, name: str) -> None:
    assert person(text) == name


@pytest.mark.parametrize("text", ["x" * 31, "An\x1bna", "\u202eAnna"])
def test_what_is_no_name_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(OptionError, match="names: .* is no name of a player; it has at most 30 letters"):
        person(text)


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ((0, 0), "Black begins. Whoever captures seven of the other's nine stones wins."),
        ((3, 3), "Black begins. Whoever captures seven of the other's nine stones wins."),
        ((0, 1), "You are Black, and begin. Whoever captures seven of the other's nine stones wins."),
        ((1, 0), "You are White, and Black begins. Whoever captures seven of the other's nine stones wins."),
    ],
)
def test_a_game_begins_with_who_one_is_and_how_it_is_won(levels: tuple[int, int], told: str) -> None:
    assert str(ScoreSheet(game_of("zhizhu"), levels=levels).opening().say) == told


def test_a_position_that_was_given_begins_with_whose_turn_it_is() -> None:
    game = game_of("zhizhu")
    given = game.position("x......./......../........ o 8,9 -,-")
    assert str(ScoreSheet(game, given).opening().say) == "White to play."
