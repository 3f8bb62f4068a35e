"""What the first screen's living cards play: a few turns of each game, as data, made once in a process.

Who plays them looks one turn ahead, by the standing alone: enough for a board that seems to know what it wants.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from msgspec import Struct, json

from firmware_bridge.web.forms import ActForm, BoardForm
from firmware_bridge.web.snapshots import act_forms, board_form, cached_game
from games.rules import Game, Position, Turn, names

TURNS = 14
"""Turns of a card; guessed: half a minute until it begins again."""
LIVELY = 4
"""Acts that a turn of a card has at most: longer sowings would hold it up; guessed."""
LOOKED_AT = 8
"""Turns of which the best is chosen at most; guessed: the server waits for it once."""


class CardForm(Struct, frozen=True):
    """A game that a card plays: its board, what stands at the start, and the acts of each turn with what stands after.

    `stones`: a level is a colour, else a number of seeds.
    """

    board: BoardForm
    stones: bool
    start: Sequence[int]
    turns: Sequence[tuple[Sequence[ActForm], Sequence[int]]]


@cache
def cards() -> bytes:
    """The cards of the program's own games, as JSON by their names; others have a card without a board."""
    return json.encode({name: card(cached_game(name, ())) for name in names()})


def card(game: Game[Any]) -> CardForm:
    """What the card of `game` plays, the same each time; names of sites would be too small to be read there."""
    chance, position = Random(game.name), game.start()
    turns: list[tuple[Sequence[ActForm], Sequence[int]]] = []
    while len(turns) < TURNS:
        choices = [turn for turn in game.turns(position) if turn.acts]
        lively = [turn for turn in choices if len(turn.acts) <= LIVELY] or choices
        if not lively:
            break
        tried = chance.sample(lively, min(LOOKED_AT, len(lively)))
        turn = max(tried, key=lambda turn: gain(game, position, turn))
        turns.append((act_forms(turn.acts), list(turn.after.board)))
        position = turn.after
    return CardForm(board_form(game, named=False), game.pieces == "stones", list(game.start().board), turns)


def gain(game: Game[Any], position: Position, turn: Turn[Any]) -> int:
    """How much better the mover stands after `turn` than the other; 0 in games that do not tell."""
    standing = game.standing(turn.after)
    return standing.counts[position.side] - standing.counts[1 - position.side] if standing else 0
