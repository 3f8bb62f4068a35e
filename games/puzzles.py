"""Puzzles: what solves them. A game has them beside its rules as `Game.puzzles`; the data are in `games.rules`.

Each turn of the side that is to move must be found; the answers of the other side are known before. A turn is right
that comes to the same position as the one that is known, or that wins the game at once: then nothing is left to find.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.acts import Act
from games.rules import Game, IllegalTurn, Position, PositionError, Puzzle, Turn, clip, play


def game_of(puzzle: Puzzle, kind: type[Game[Any]]) -> Game[Any]:
    """The game of this `kind` in which the puzzle lies; OptionError."""
    return kind(**dict(puzzle.options))


def to_find(puzzle: Puzzle) -> int:
    """How many turns are to be found."""
    return (len(puzzle.turns) + 1) // 2


def right(puzzle: Puzzle, step: int, game: Game[Any], position: Position, turn: Turn[Any]) -> bool:
    """Whether the legal `turn` of `position` is the one to be found after `step` others."""
    return turn.after == known(game, position, puzzle.turns[2 * step]).after or wins(game, position, turn)


def known(game: Game[Any], position: Position, text: str) -> Turn[Any]:
    """The legal turn `text` of `position`; IllegalTurn."""
    found = next((turn for turn in game.turns(position) if turn.text == text), None)
    if found is None:
        play(game, position, text)
        raise AssertionError(text)
    return found


def wins(game: Game[Any], position: Position, turn: Turn[Any]) -> bool:
    """Whether `turn` ends the game, and who makes it has won."""
    outcome = game.outcome(turn.after)
    return outcome is not None and outcome.winner == position.side


def faults(kind: type[Game[Any]]) -> Iterator[str]:
    """What is wrong with the puzzles of a game, as sentences."""
    positions = [puzzle.position for puzzle in kind.puzzles]
    for number, puzzle in enumerate(kind.puzzles, start=1):
        about = f"Puzzle {number}, {clip(puzzle.position, 60)},"
        if positions.count(puzzle.position) > 1:
            yield f"{about} is there twice."
        if not len(puzzle.turns) % 2:
            yield f"{about} ends with an answer: its last turn is one to find."
            continue
        try:
            yield from (f"{about} {fault}" for fault in astray(puzzle, game_of(puzzle, kind)))
        except (PositionError, IllegalTurn) as fault:
            yield f"{about} cannot be played: {fault}"


def astray(puzzle: Puzzle, game: Game[Any]) -> Iterator[str]:
    """What is wrong along the line of a puzzle; PositionError, IllegalTurn."""
    position = game.position(puzzle.position)
    for place, text in enumerate(puzzle.turns):
        turn, (step, answers) = known(game, position, text), divmod(place, 2)
        good = [] if answers else [each for each in game.turns(position) if right(puzzle, step, game, position, each)]
        if not turn.acts:
            yield "has a pass, which nobody need find."
        if good and not alike(good):
            yield f"has several turns that win at once, {text} and others: there is little to find."
        position = turn.after


def alike(turns: Iterable[Turn[Any]]) -> bool:
    """Whether these are one turn to a player: they come to one position, or differ in nothing but what they take."""
    turns = tuple(turns)
    return len({turn.after for turn in turns}) == 1 or len({way(turn) for turn in turns}) == 1


def way(turn: Turn[Any]) -> tuple[Act, ...]:
    """What hands do in a turn but for what they take."""
    return tuple(act for act in turn.acts if act.kind != "take")
