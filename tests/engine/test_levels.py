"""The levels of play: the same turn each time, better ones above, and none that a child would be ashamed of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.forced import read
from benchmarks.matches import Match, play_game
from firmware_bridge.engine.levels import LEVELS, chosen, levels
from games.fast import Level, beside
from games.rules import Game, Position, load, names, play

ENGINE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text()
EACH = pytest.mark.parametrize("name", names())


def reached(game: Game[Any], seed: int, plies: int) -> list[Position]:
    """The positions of a random game, that many at most."""
    random, positions = Random(seed), [game.start()]
    while len(positions) < plies and (turns := game.turns(positions[-1])):
        positions.append(random.choice(turns).after)
    return positions


def wins(game: Game[Any], position: Position) -> set[str]:
    """The turns that end the game won, by the readable rules."""
    ends = ((turn.text, game.outcome(turn.after)) for turn in game.turns(position))
    return {text for text, outcome in ends if outcome and outcome.winner == position.side}


def giving_away(game: Game[Any], position: Position) -> set[str]:
    """The turns after which the other side ends the game won at once."""
    return {turn.text for turn in game.turns(position) if wins(game, turn.after)}


def dangerous(game: Game[Any]) -> Iterator[tuple[Position, set[str]]]:
    """Positions near the end of random games where some turns give the game away and others do not."""
    for seed in range(60):
        for position in reached(game, seed, 400)[-3:-1]:
            away = giving_away(game, position)
            if not wins(game, position) and 0 < len(away) < len(game.turns(position)):
                yield position, away


@EACH
def test_every_game_says_all_its_levels(name: str) -> None:
    said = beside(load(name), "levels")
    assert said
    assert levels(load(name)) == said.LEVELS
    assert len(said.LEVELS) == LEVELS


@EACH
def test_each_level_looks_as_far_as_the_one_below_and_errs_no_more(name: str) -> None:
    for lower, higher in pairwise(levels(load(name))):
        assert higher.nodes >= lower.nodes
        assert higher.softness <= lower.softness
        assert (higher.depth or inf) >= (lower.depth or inf)
        assert higher != lower


@EACH
def test_every_level_is_sane_and_the_last_one_errs_not_at_all(name: str) -> None:
    for level in levels(load(name)):
        assert type(level.nodes) is int
        assert level.nodes >= 1
        assert 0 <= level.softness <= 1
        assert level.depth is None or 1 <= level.depth <= 20
    assert levels(load(name))[-1].softness == 0
    assert levels(load(name))[-1].depth is None


@EACH
def test_the_levels_are_those_of_the_documentation(name: str) -> None:
    """docs/engine.md has a row a level, and there a cell for each game."""
    rows = [line.strip("| ").split(" | ") for line in ENGINE.splitlines() if re.match(r"\| [1-8] \|", line)]
    column = ["zong-heng", "yin-yang", "zhizhu", "zig-zag"].index(name) + 1
    assert [row[column] for row in rows] == [told(level) for level in levels(load(name))]


def told(level: Level) -> str:
    """A level as the documentation has it: nodes / softness / depth, what it lacks as a dash or not at all."""
    parts = [str(level.nodes), f"{level.softness:g}" if level.softness else "-", str(level.depth or "-")]
    while parts[-1] == "-":
        parts.pop()
    return " / ".join(parts)


@EACH
def test_the_same_question_has_the_same_turn(name: str) -> None:
    *before, position = reached(load(name), 1, 9)
    for level in (1, 3, 5):
        one, other = (chosen(load(name), level, position, before, seed=4) for _ in range(2))
        assert one == other
        assert one.turn == one.line[0]
        play(load(name), position, one.turn)  # raises if it is not legal


@EACH
def test_the_first_level_has_more_than_one_idea(name: str) -> None:
    game = load(name)
    assert len({chosen(game, 1, game.start(), seed=seed).turn for seed in range(12)}) >= 3


@EACH
def test_a_turn_that_was_not_the_best_says_so(name: str) -> None:
    game = load(name)
    for seed in range(12):
        found = chosen(game, 1, reached(game, 2, 6)[-1], seed=seed)
        texts = [found.turn, *(text for text, _ in found.others)]
        assert len(set(texts)) == len(texts) >= 2
        assert found.turn == found.line[0]
        assert 0 <= found.value <= 1


@EACH
@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_no_level_misses_a_win_in_one(name: str, level: int) -> None:
    for forced in read(name)[:4]:
        assert forced.plies == 1
        assert chosen(load(name), level, forced.position, seed=level).turn in forced.turns


@pytest.mark.parametrize("name", ["yin-yang", "zhizhu", "zong-heng"])
def test_the_first_level_does_not_give_the_game_away(name: str) -> None:
    game, seen = load(name), 0
    for position, away in dangerous(game):
        assert chosen(game, 1, position, seed=seen).turn not in away
        seen += 1
        if seen == 3:
            break
    assert seen == 3


@EACH
def test_a_higher_level_wins(name: str) -> None:
    match = Match(name, "level-4", "level-1", 0.6, 0.75)
    assert sum(play_game(match, number).score for number in range(4)) >= 3


@pytest.mark.parametrize("level", [0, LEVELS + 1])
def test_there_are_no_other_levels(level: int) -> None:
    with pytest.raises(ValueError, match="the levels are 1 to 8"):
        chosen(load("zig-zag"), level, load("zig-zag").start())


def test_a_finished_game_is_refused() -> None:
    game = load("yin-yang")
    with pytest.raises(ValueError, match="the game is over"):
        chosen(game, 1, reached(game, 0, 100)[-1])
