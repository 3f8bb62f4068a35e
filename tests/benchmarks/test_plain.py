"""The plain alpha-beta plays by the rules: its turns and its ends are those of the readable ones."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from benchmarks.forced import read
from benchmarks.plain import Plain, words_of
from benchmarks.plain_rules import WON, Turns, Words
from games.rules import load, names

EACH = pytest.mark.parametrize("name", names())
GAMES = {"zhizhu": 40, "zig-zag": 25, "zong-heng": 25, "yin-yang": 25}
"""Random games."""


def listed(plain: Plain, words: Words) -> list[Words]:
    turns = Turns()
    plain.rules.fill(*words, turns)
    return [(slot.a, slot.b, slot.c) for slot in turns.slots[: turns.many]]


@EACH
def test_turns_and_ends_are_those_of_the_rules(name: str) -> None:
    game, random = load(name), Random(7)
    plain = Plain(game, compiled=False)
    for _ in range(GAMES[name]):
        position = game.start()
        for _ in range(200):
            turns = game.turns(position)
            mine = listed(plain, words_of(position))
            assert Counter(mine) == Counter(words_of(turn.after) for turn in turns), position
            if not turns:
                break
            position = random.choice(turns).after
        outcome = game.outcome(position)
        if outcome:
            weight = plain.rules.ended(*words_of(position))
            scored = 0 if outcome.winner is None else 1 if outcome.winner == position.side else -1
            assert (weight > 0) - (weight < 0) == scored
            assert abs(weight) >= WON or not scored


@EACH
def test_it_beats_chance(name: str) -> None:
    game, random, won = load(name), Random(2), 0.0
    plain = Plain(game, compiled=False)
    for number in range(4):
        positions = [game.start()]
        while (turns := game.turns(positions[-1])) and len(positions) < 300:
            mine = positions[-1].side == number % 2
            text = plain.turn(positions[-1], positions[:-1], 0.0, nodes=400) if mine else random.choice(turns).text
            positions.append(next(turn.after for turn in turns if turn.text == text))
        outcome = game.outcome(positions[-1])
        won += 0.5 if not outcome or outcome.winner is None else outcome.winner == number % 2
    assert won >= 3


def test_a_win_in_one_is_played_at_once() -> None:
    for forced in read("zhizhu"):
        if forced.plies == 1:
            assert Plain(load("zhizhu"), compiled=False).turn(forced.position, [], 0.0, nodes=3000) in forced.turns


def test_who_is_ahead_avoids_a_position_that_stands_for_the_third_time() -> None:
    game = load("zhizhu")
    position = words_of(game.position("x.x.x.../x...x.../o...o.o. x 0,0 -,-"))
    plain = Plain(game, compiled=False)
    after = plain.search.best(position, set(), 0.0, 2000)
    assert plain.search.best(position, {after}, 0.0, 2000) not in (after, position)
