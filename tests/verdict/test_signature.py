"""A turn as the sensors see it: derived from its steps, and true to what hands show of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from benchmarks.cells import Cell
from firmware_bridge.verdict import SensorView, Signature
from firmware_bridge.verdict.signature import REMEMBERED
from games.rules import Game, Position
from hardware.device import Sense
from tests.games.small_games import Blocking
from tests.simulation.midgame import CELLS, game_of, sheet_at

PLACES = [(seed, length) for seed in range(3) for length in (0, 7, 19, 31)]


def positions(game: Game[Any]) -> Iterator[Position]:
    """Positions from all over some random games."""
    for seed, length in PLACES:
        yield sheet_at(game, seed, length).position


@cache
def signatures(cell: Cell) -> tuple[tuple[Position, Signature], ...]:
    """Some turns of each of them, legal and refused."""
    return tuple(some_ways(cell))


def some_ways(cell: Cell) -> Iterator[tuple[Position, Signature]]:
    game = game_of(cell.game)
    sensors = SensorView(game, cell.sense)
    for number, position in enumerate(positions(game)):
        turns = [turn for turn in (*game.turns(position), *game.refused(position)) if turn.steps]
        for turn in Random(number).sample(turns, min(25, len(turns))):
            yield position, sensors.signature(position, turn)


def signature(name: str, text: str, sense: Sense = Sense.COLOUR, after: str = "", position: str = "") -> Signature:
    """The way of one turn, after these turns or in this position."""
    game = game_of(name)
    at = game.position(position) if position else game.start()
    for earlier in after.split():
        at = next(turn.after for turn in game.turns(at) if turn.text == earlier)
    turn = next(turn for turn in (*game.turns(at), *game.refused(at)) if turn.text == text)
    return SensorView(game, sense).signature(at, turn)


def named(found: Signature, name: str) -> set[str]:
    """The sites that the attribute `name` numbers."""
    game = game_of("zong-heng" if len(found.turn.after.board) == 64 else GAMES[len(found.turn.after.board)])
    return {game.sites[number] for number in getattr(found, name)}


GAMES = {36: "yin-yang", 24: "zhizhu", 12: "zig-zag"}


# For every turn -------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_result_is_what_the_steps_leave(cell: Cell) -> None:
    for position, each in signatures(cell):
        board = list(position.board)
        for site, level in each.steps:
            board[site] = level
        assert each.result == {site: board[site] for site in each.path}
        assert each.after == {site: cell.sense.of(board[site]) for site in each.path}


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_a_legal_result_is_that_of_the_rules(cell: Cell) -> None:
    for position, each in signatures(cell):
        if each.turn.reason is None:
            changed = dict(enumerate(position.board)) | each.result
            assert tuple(changed.values()) == each.turn.after.board


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_a_refused_result_is_what_its_steps_leave(cell: Cell) -> None:
    """An illegal turn is in the same form as a legal one."""
    for position, each in signatures(cell):
        changed = dict(enumerate(position.board)) | each.result
        assert tuple(changed.values()) == each.turn.after.board, (str(position), each.turn.text)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_every_state_on_the_way_is_reached_and_no_step_shows_what_it_does_not_put(cell: Cell) -> None:
    for position, each in signatures(cell):
        frame = [cell.sense.of(level) for level in position.board]
        for count, (site, level) in enumerate(each.steps, start=1):
            frame[site] = cell.sense.of(level)
            reached = each.reached(tuple(frame))
            assert reached is not None
            assert 1 <= reached <= count
            assert each.puts(site, frame[site])
            assert each.puts(site, None)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_what_is_seen_are_the_changes_of_the_frame(cell: Cell) -> None:
    for position, each in signatures(cell):
        frame, seen = {site: cell.sense.of(position.board[site]) for site in each.path}, []
        for site, level in each.steps:
            if frame[site] != cell.sense.of(level):
                frame[site] = cell.sense.of(level)
                seen.append((site, frame[site]))
        assert each.seen == tuple(seen)
        assert each.veiled == (len(seen) < len(each.steps))
        assert each.state(len(seen)) == frame


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_parts_of_a_way_belong_together(cell: Cell) -> None:
    for _, each in signatures(cell):
        assert each.path == tuple(dict.fromkeys(site for site, _ in each.steps))
        assert each.opens <= each.lifts
        assert each.owed | each.inner == each.lifts
        assert not each.owed & each.inner
        assert each.origin is None or each.origin in each.owed
        assert each.begins in each.path
        assert set(each.travel) == set(each.path)
        assert all(each.after[site] == 0 for site in each.captures)


def test_no_step_shows_another_level() -> None:
    push = signature("zong-heng", "c3-c4")
    c3, c4 = push.travel
    assert [push.puts(c3, level) for level in (0, 1, 2)] == [True, True, False]
    assert [push.puts(c4, level) for level in (0, 1, 2)] == [False, True, False]
    assert not push.puts(0, 1)


def test_a_level_of_many_seeds_is_a_level_like_any_other() -> None:
    sowing = signature("zig-zag", "S1", Sense.COUNT, position="0,0,0,0,0,0/39,0,0,0,0,0 11,10 S - -")
    assert sowing.puts(0, 0)
    assert not sowing.puts(0, 39)
    assert sowing.reached(tuple([39] + [0] * 11)) is None


# What hands must do ---------------------------------------------------------------------------


def test_a_single_push_owes_the_lift_of_its_stone() -> None:
    push = signature("zong-heng", "c3-c4")
    assert (named(push, "owed"), named(push, "inner"), named(push, "captures")) == ({"c3"}, set(), set())
    assert game_of("zong-heng").sites[push.origin or 0] == "c3"


def test_a_row_owes_only_where_no_stone_comes_in_from_behind() -> None:
    row = signature("zong-heng", "a1-d1", after="c1-b1 f6-f5")
    assert (named(row, "owed"), named(row, "inner")) == ({"a1"}, {"b1", "c1"})
    assert named(row, "opens") == {"a1", "b1", "c1"}
    assert [game_of("zong-heng").sites[site] for site in row.travel] == ["a1", "b1", "c1", "d1"]


def test_a_move_owes_its_stone_and_a_new_one_owes_nothing() -> None:
    assert named(signature("yin-yang", "c3-c2"), "owed") == {"c3"}
    placed = signature("zhizhu", "a1")
    assert (named(placed, "owed"), placed.origin, placed.begins) == (set(), None, 0)


def test_a_capture_is_owed_and_may_come_first_but_is_no_origin() -> None:
    taken = signature("zhizhu", "a1xb3", position="......../x.o...../x....... x 7,8 -,-")
    assert named(taken, "owed") == named(taken, "opens") == named(taken, "captures") == {"b3"}
    assert taken.origin is None
    slid = signature("zhizhu", "a2-a1xb3", position=".x....../x.o.x..o/x....o.. x 0,0 -,-")
    assert named(slid, "owed") == named(slid, "opens") == {"a2", "b3"}
    assert game_of("zhizhu").sites[slid.origin or 0] == "a2"


def test_a_sowing_begins_with_its_pit_and_nothing_else() -> None:
    sowing = signature("zig-zag", "S3", Sense.PRESENCE)
    assert named(sowing, "opens") == {"S3"}
    assert (sowing.sown, sowing.strict, sowing.veiled) == (True, True, True)
    counted = signature("zig-zag", "S3", Sense.COUNT)
    assert (counted.sown, counted.strict, counted.veiled) == (True, False, False)


def test_a_pass_is_a_way_without_steps() -> None:
    """It may be the last turn when a game is gone on with, and the lights ask where it went."""
    game = game_of("zong-heng")
    for seed in range(100):
        passed = [entry for entry in sheet_at(game, seed, 40).played_turns if entry.turn.text == "pass"]
        if passed:
            each = SensorView(game, Sense.COLOUR).signature(*passed[0][:2])
            assert (each.path, each.travel, each.origin, each.begins) == ((), (), None, None)
            return


# Ways are shared ------------------------------------------------------------------------------


def test_the_same_steps_from_the_same_levels_are_worked_out_once() -> None:
    game = game_of("zong-heng")
    sensors = SensorView(game, Sense.COLOUR)
    start = game.start()
    turn = game.turns(start)[0]
    one, two = sensors.signature(start, turn), sensors.signature(start, turn)
    assert one.result is two.result
    assert one.turn is turn


def test_the_same_steps_from_other_levels_are_another_shape() -> None:
    sensors = SensorView(game_of("zig-zag"), Sense.PRESENCE)
    seen = set()
    for text in ("5,5,5,5,5,5/1,5,5,5,5,5 2,2 S - -", "5,0,5,5,5,5/1,5,5,5,5,5 2,7 S - -"):
        position = sensors.game.position(text)
        seen.add(sensors.signature(position, sensors.game.turns(position)[0]).seen)
    assert len(seen) == 2


def test_what_was_remembered_too_long_is_worked_out_again_the_same() -> None:
    game = game_of("zhizhu")
    sensors = SensorView(game, Sense.COLOUR)
    moments = [entry for seed in range(12) for entry in sheet_at(game, seed, 120).played_turns]
    turns = [(entry.position, turn) for entry in moments for turn in game.turns(entry.position)]
    assert len(turns) > 5 * REMEMBERED
    for position, turn in turns:
        sensors.signature(position, turn)
    for position, turn in turns[:: len(turns) // 50]:
        assert sensors.signature(position, turn).seen == SensorView(game, Sense.COLOUR).signature(position, turn).seen


@pytest.mark.parametrize("sense", [Sense.PRESENCE, Sense.COLOUR], ids=str)
def test_sensors_see_the_board_and_no_kinds_of_pieces(sense: Sense) -> None:
    game = Blocking()
    sensors = SensorView(game, sense)
    position = game.position("...o/#.../..../x... o -")
    assert {*position.cells} == {0, 1, 2, 3}
    assert sensors.frame(position) == tuple(map(sense.of, position.board))
    for turn in game.turns(position):
        assert sensors.signature(position, turn).state(9) == {
            game.sites.index(site): sense.of(turn.after.board[game.sites.index(site)]) for site in turn.path
        }
    assert sensors.alike(position, game.position("...o/x.../..../x... o -")) == frozenset()
