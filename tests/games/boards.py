"""Boards drawn in tests, and short questions to a game about them."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Game, IllegalTurn, Position, PositionError, play


def board(drawing: str) -> str:
    """The rows of a drawing, from the top one down, as a position text writes them; blanks only space it out."""
    return "/".join("".join(line.split()) for line in drawing.strip().splitlines())


def pits(drawing: str, rest: str, south: int) -> str:
    """Two drawn rows of pits as a position text of Zig Zag; South has captured `south` seeds, North all the others."""
    rows = [[int(seeds) for seeds in line.split()] for line in drawing.strip().splitlines()]
    north = 60 - south - sum(map(sum, rows))
    return f"{'/'.join(','.join(map(str, row)) for row in rows)} {south},{north} {rest}"


def texts(game: Game[Any], position: Position) -> set[str]:
    """The texts of the legal turns."""
    return {turn.text for turn in game.turns(position)}


def ends(game: Game[Any], position: Position, start: str) -> set[str]:
    """Where the legal turns from the site `start` lead: the rest of their texts after ``start-``."""
    return {text.removeprefix(f"{start}-") for text in texts(game, position) if text.startswith(f"{start}-")}


def steps(game: Game[Any], position: Position, text: str) -> list[tuple[str, int]]:
    """The steps of the legal turn `text`."""
    (turn,) = (turn for turn in game.turns(position) if turn.text == text)
    return [tuple(step) for step in turn.steps]


def refusal(game: Game[Any], position: Position, text: str) -> str:
    """What a player reads who plays `text` although the rules refuse it."""
    with pytest.raises(IllegalTurn) as caught:
        play(game, position, text)
    assert str(caught.value) == str(caught.value.reason)
    return str(caught.value)


def faults(game: Game[Any], position: Position, text: str) -> set[str]:
    """The reasons of the listed illegal turns with this text."""
    return {str(turn.reason) for turn in game.refused(position) if turn.text == text}


def complaint(game: Game[Any], text: str) -> str:
    """What is said about a position text that cannot be read."""
    with pytest.raises(PositionError) as caught:
        game.position(text)
    return str(caught.value)


def other_side(game: Game[Any], position: Position) -> Position:
    """The same board with the other player to move; only for texts that end with the side."""
    text = str(position)
    marks = {"x": "o", "o": "x", "1": "2", "2": "1"}
    return game.position(text[:-1] + marks[text[-1]])
