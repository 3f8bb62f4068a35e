"""One position by itself: of the game in hand, to be shared or played on from, or of a link that somebody has opened.

A link has the game, its options and the text of the position, and so holds at any table; what it says is checked by the
rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlencode

from msgspec import Struct

from firmware_bridge.drawing.board import picture, standing
from firmware_bridge.drawing.shapes import svg
from firmware_bridge.i18n import Words
from firmware_bridge.session import Story
from firmware_bridge.web.snapshots import cached_game
from games.rules import Game, OptionError, Position, PositionError, Reason, play, say

LONGEST = 400
"""Characters of a position's text at most, guessed: that of a game has some eighty."""


class PositionForm(Struct, frozen=True):
    """A position: its `game` with `options`, its text, who is to move (0 or 1), and whether the game is over there.

    `title` of the game, `told`: who is to move, or how it ended. `drawing`: the board as an ``<svg>``. `link`: what
    stands behind the ``?`` of an address that shows it.
    """

    game: str
    options: Mapping[str, int | str]
    position: str
    side: int
    over: bool
    title: str
    told: str
    drawing: str
    link: str


class Unreadable(ValueError):
    """What is wrong with a link, as a sentence."""


def position_form(game: Game[Position], position: Position, words: Words) -> PositionForm:
    """A position for browsers."""
    options, text, outcome = dict(game.chosen), str(position), game.outcome(position)
    to_move = Reason.of("position.to-move", player=game.players[position.side])
    told = words.say(outcome.reason if outcome else to_move)
    drawn = svg(picture(game, standing(game, position), [game.title, told])).decode()
    link = urlencode({"game": game.name, **options, "position": text})
    return PositionForm(game.name, options, text, position.side, bool(outcome), game.title, told, drawn, link)


def of_story(game: Game[Position], story: Story, number: int) -> Position:
    """The position of the game in hand after `number` turns, or the nearest one that is told."""
    texts = tuple(turn.text for turn in story.turns[: max(0, number - story.before)])
    return replayed(game, story.begun, texts)


@lru_cache(32)
def replayed(game: Game[Position], start: str, texts: tuple[str, ...]) -> Position:
    """The position after these turns from `start`."""
    position = game.position(start)
    for text in texts:
        position = play(game, position, text)
    return position


def of_link(told: Mapping[str, str]) -> tuple[Game[Position], Position]:
    """The game and the position of a link; Unreadable."""
    chosen = dict(told)
    name, text = chosen.pop("game", ""), chosen.pop("position", "")
    try:
        game = cached_game(name, tuple((option, written(value)) for option, value in chosen.items()))
        if len(text) > LONGEST:
            raise PositionError(f"{len(text)} characters are too many for a position")
        return game, game.position(text)
    except (OptionError, PositionError) as fault:
        raise Unreadable(str(fault)) from None


def written(value: str) -> int | str:
    """The value of an option as it stands in a link."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else value


say(
    "position",
    to_move="{player} is to move.",
    unreadable="This link holds no position that can be shown: {fault}. Ask for it once more, or begin a game of your "
    "own.",
)
