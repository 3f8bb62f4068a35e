"""Who is ahead, and why: told by the rules of each game, and agreeing with the end where both compare the same."""

from __future__ import annotations

from random import Random

import pytest

from games.conformance import a_standing_can_be_told, sampled, walk
from games.rules import Game, Reason, Standing, load, names
from tests.games.boards import board
from tests.games.small_games import Clobber


def standing(name: str, text: str, **options: int | str) -> Standing:
    game = load(name, **options)
    told = game.standing(game.position(text))
    assert told is not None
    return told


# Zong-Heng ------------------------------------------------------------------------------------


def on_six(drawing: str) -> Standing:
    return standing("zong-heng", f"{board(drawing)} x", size=6)


def test_the_larger_group_is_ahead_and_its_squares_are_named() -> None:
    told = on_six("""
        . o . o . o
        o . x . x .
        . o . o . o
        x . o . x .
        . x . x . o
        x x x . o .""")
    assert told.counts == (4, 1)
    assert told.ahead == 0
    assert told.sites[0] == ("a1", "b1", "c1", "b2")
    assert dict(told.reason.values)["black"] == "4, 1, 1"


def test_equal_largest_groups_are_told_apart_by_the_next() -> None:
    told = on_six("""
        . o . o . o
        o . x . x .
        . o . o . o
        x x o . x .
        . o . x . o
        x x x . o o""")
    assert told.counts == (3, 3)
    assert told.ahead == 0
    assert dict(told.reason.values) == {"black": "3, 2, 1", "white": "3, 1, 1"}
    assert told.sites == (("a1", "b1", "c1"), ("e1", "f1", "f2"))


def test_equal_groups_leave_nobody_ahead() -> None:
    level = standing("zong-heng", str(load("zong-heng").start()))
    assert level.ahead is None
    assert level.counts == (1, 1)


def test_without_stones_of_a_colour_it_has_no_group() -> None:
    told = standing("zong-heng", "/".join(["xxxxxx"] * 6) + " x", size=6)
    assert told.counts == (36, 0)
    assert "White 0" in str(told)


# Yin-Yang -------------------------------------------------------------------------------------


def test_at_the_start_all_stones_stand_on_the_other_shade() -> None:
    told = standing("yin-yang", str(load("yin-yang").start()))
    assert (told.counts, told.ahead) == ((0, 4), 1)
    assert told.sites == ((), ("c3", "d3", "c4", "d4"))


def test_equal_scores_are_an_advantage_of_two_and_it_says_so() -> None:
    told = standing("yin-yang", "....../....../...o../..x.../....../...... 1")
    assert told.counts == (1, 1)
    assert told.ahead == 1
    assert "Two wins ties" in str(told)


# ZhiZhu ---------------------------------------------------------------------------------------


def test_captured_stones_and_those_to_place_are_told() -> None:
    told = standing("zhizhu", "xxx...../o......./o....... o 4,6 -,-")
    assert told.counts == (1, 2)
    assert told.ahead == 1
    assert {"to_dark": 4, "to_light": 6}.items() <= dict(told.reason.values).items()


def test_when_all_are_placed_only_captured_stones_are_told() -> None:
    told = standing("zhizhu", "xxxxx.../oo....../oooo.... o 0,0 -,-")
    assert told.counts == (3, 4)
    assert told.reason == Reason.of("zhizhu.standing", dark=3, light=4)
    assert told.sites == (("a1", "a2", "a3", "a4", "a5"), ())


# Zig Zag --------------------------------------------------------------------------------------


def test_stores_and_the_seeds_in_reach_of_both_are_told() -> None:
    told = standing("zig-zag", "0,0,0,0,0,0/7,1,0,0,0,0 20,32 S - N")
    assert told.counts == (20, 32)
    assert told.ahead == 1
    south = load("zig-zag").turns(load("zig-zag").position("0,0,0,0,0,0/7,1,0,0,0,0 20,32 S - N"))
    most = max(turn.after.stores[0] - 20 for turn in south)
    assert most > 0
    assert dict(told.reason.values)["in_south"] == most
    assert told.sites[1] == ()


def test_the_restriction_is_of_the_side_to_move_alone() -> None:
    barred = standing("zig-zag", "5,5,5,0,5,5/5,5,1,5,5,5 4,5 S S3 N")
    free = standing("zig-zag", "5,5,5,0,5,5/5,5,1,5,5,5 4,5 N - N")
    assert dict(barred.reason.values)["in_north"] == dict(free.reason.values)["in_north"]


# All ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["zong-heng", "yin-yang"])
def test_whoever_is_ahead_at_the_end_has_won(name: str) -> None:
    game = load(name)
    for seed in range(10):
        last = [*walk(game, Random(seed))][-1].position
        outcome, told = game.outcome(last), game.standing(last)
        assert outcome
        assert told
        assert told.ahead == outcome.winner


@pytest.mark.parametrize("name", names())
def test_a_standing_is_told_in_every_position(name: str) -> None:
    game = load(name)
    assert all(game.standing(ply.position) for ply in walk(game, Random(1), most=60))
    assert [*a_standing_can_be_told(sampled(game, Random(1)))] == []


def test_a_game_without_one_tells_none() -> None:
    game = Clobber()
    assert game.standing(game.start()) is None
    assert [*a_standing_can_be_told(sampled(game, Random(1)))] == []


def faults(told: object) -> list[str]:
    class Odd(Clobber):
        standing = told  # type: ignore[assignment]

    game: Game[object] = Odd()  # type: ignore[type-var, assignment]
    return [*a_standing_can_be_told(sampled(game, Random(1)))]


@pytest.mark.parametrize(
    ("told", "what"),
    [
        (3, "must be the method"),
        (lambda *_: Standing((1, -1), None, Reason("rules.repetition")), "two numbers"),
        (lambda *_: Standing((1, 1), 2, Reason("rules.repetition")), "it is 0, 1 or None"),
        (lambda *_: Standing((1, 1), 0, Reason("rules.dark")), "does not end with a full stop"),
        (lambda *_: Standing((1, 1), 0, Reason("rules.repetition"), (("z9",), ())), "names sites"),
    ],
)
def test_an_odd_standing_is_named(told: object, what: str) -> None:
    assert what in faults(told)[0]
