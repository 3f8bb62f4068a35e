"""The puzzles of each game: legal lines with one turn alone that is right, and what counts as right."""

from __future__ import annotations

from typing import Any

import pytest

from games.acts import lay, take
from games.puzzles import alike, known, right, to_find, wins
from games.rules import Game, IllegalTurn, Position, Puzzle, Turn, game_class, load, names

EACH = pytest.mark.parametrize("name", names())


def played(puzzle: Puzzle, name: str) -> list[tuple[Game[Any], Position, Turn[Any]]]:
    """The line of a puzzle: each position with the turn that is known there."""
    game = load(name, **dict(puzzle.options))
    position, line = game.position(puzzle.position), []
    for text in puzzle.turns:
        turn = known(game, position, text)
        line.append((game, position, turn))
        position = turn.after
    return line


@EACH
def test_each_game_has_some_thirty_from_one_turn_to_several(name: str) -> None:
    puzzles = game_class(name).puzzles
    counts = [to_find(puzzle) for puzzle in puzzles]
    assert 20 <= len(puzzles) <= 40
    assert counts == sorted(counts)
    assert {*counts} == {1, 2, 3}
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles)


@EACH
def test_its_lines_are_legal_and_end_with_the_turn_to_find(name: str) -> None:
    for puzzle in game_class(name).puzzles:
        assert len(puzzle.turns) % 2
        game, position, _ = played(puzzle, name)[0]
        assert str(position) == puzzle.position
        assert len({turn.after for turn in game.turns(position)}) > 1
        assert all(turn.acts for _, _, turn in played(puzzle, name))


@EACH
def test_what_is_right_is_one_turn_alone(name: str) -> None:
    for puzzle in game_class(name).puzzles:
        for step, (game, position, turn) in enumerate(played(puzzle, name)[::2]):
            solved_by = [each for each in game.turns(position) if right(puzzle, step, game, position, each)]
            assert turn in solved_by
            assert alike(solved_by)


def test_a_turn_that_wins_at_once_is_right_whatever_it_takes() -> None:
    game = load("zhizhu")
    puzzle = Puzzle("...o.o../oo.oxo.o/.x.o.xo. o 0,0 -,-", "soon", ("c7-b7xb5xc2",))
    position = game.position(puzzle.position)
    other = known(game, position, "c7-b7xb5xc6")
    assert other.after != known(game, position, puzzle.turns[0]).after
    assert wins(game, position, other)
    assert right(puzzle, 0, game, position, other)
    assert not right(puzzle, 0, game, position, known(game, position, "c7-c8"))


def test_turns_are_alike_by_their_result_or_but_for_what_they_take() -> None:
    game = load("zhizhu")
    one, other = (load("zhizhu").position(f"{cells} x 0,0 -,-") for cells in ("x......./......../........",) * 2)
    assert one == other
    same = [Turn("a", one, (lay("b1", 1),)), Turn("b", other, (lay("b2", 1),))]
    assert alike(same)
    third = game.position("xx....../......../........ x 0,0 -,-")
    assert not alike([*same, Turn("c", third, (lay("b1", 1),))])
    assert alike([Turn("d", one, (lay("b1", 1), take("c1"))), Turn("e", third, (lay("b1", 1), take("c2")))])


def test_an_unknown_turn_has_the_usual_refusal() -> None:
    game = load("yin-yang")
    with pytest.raises(IllegalTurn, match="nonsense is no turn"):
        known(game, game.start(), "nonsense")
