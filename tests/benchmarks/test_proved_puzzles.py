"""The puzzles of the games, proved without the engine where that is short: one turn decides, and no other does."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.forced import Lines
from benchmarks.puzzles import Played, effort, finder
from games.fast import load_fast
from games.puzzles import alike, known, to_find
from games.rules import Game, Position, Puzzle, game_class, load, names

EACH = pytest.mark.parametrize("name", names())
SAMPLED = 3
"""One of so many puzzles is proved each time."""
SHORT = 5
"""Turns left in a game that fills its board for a proof that is short."""


def chosen(name: str, every: int) -> list[tuple[Game[Any], Puzzle]]:
    return [(load(name, **dict(puzzle.options)), puzzle) for puzzle in game_class(name).puzzles[::every]]


def short(game: Game[Any], puzzle: Puzzle) -> bool:
    """Whether the proof is."""
    fast: Any = load_fast(game)
    return (
        puzzle.goal == "soon"
        or fast.left(fast.state(game.position(puzzle.position))) <= SHORT + (game.name == "yin-yang") * 5
    )


def steps(game: Game[Any], puzzle: Puzzle) -> list[tuple[Position, str]]:
    """The positions in which a turn is to be found, each with that turn."""
    position, found = game.position(puzzle.position), []
    for place, text in enumerate(puzzle.turns):
        if not place % 2:
            found.append((position, text))
        position = known(game, position, text).after
    return found


def losing(game: Game[Any], position: Position, plies: int) -> list[str]:
    """The turns after which the other side cannot but lose within so many plies: every line is looked at."""
    fast = load_fast(game)
    lines = Lines(fast, 400_000)
    return [turn.text for turn in game.turns(position) if lines.loses(fast.state(turn.after), plies)]


@EACH
def test_each_turn_to_find_is_the_only_one_that_decides(name: str) -> None:
    proved = [each for each in chosen(name, SAMPLED) if short(*each)]
    assert len(proved) >= 3
    prove(proved)


@pytest.mark.long
@EACH
def test_so_it_is_in_all_puzzles(name: str) -> None:
    prove(chosen(name, 1))


def prove(puzzles: list[tuple[Game[Any], Puzzle]]) -> None:
    """Look at every line."""
    for game, puzzle in puzzles:
        left = to_find(puzzle)
        for position, text in steps(game, puzzle):
            legal = {turn.text: turn for turn in game.turns(position)}
            if puzzle.goal == "soon":
                good = losing(game, position, 2 * left - 2)
            else:
                decides = finder(game)
                assert isinstance(decides, Played)
                good = [turn.text for turn in decides.deciding(position)]
            assert text in good
            assert alike(legal[each] for each in good)
            assert len({turn.after for turn in legal.values()}) > len({legal[each].after for each in good})
            left -= 1


@EACH
def test_what_wins_soon_is_won_on_the_board(name: str) -> None:
    for game, puzzle in chosen(name, 1):
        if puzzle.goal == "soon":
            position, text = steps(game, puzzle)[-1]
            fast = load_fast(game)
            assert Lines(fast).loses(fast.state(known(game, position, text).after), 0)


def test_a_turn_that_wins_at_once_takes_the_engine_less_than_one_that_is_far_off() -> None:
    puzzles = game_class("zhizhu").puzzles
    game = load("zhizhu")
    assert effort(game, puzzles[0]) <= effort(game, puzzles[-1])
