"""Past games and counts in words: the rows of tables, for the terminal and the page."""

from __future__ import annotations

from firmware_bridge.i18n import Words
from firmware_bridge.library.index import Game, Score, Tally
from games.rules import OptionError, Reason, load, say

HEADS = ("began", "game", "players", "result", "turns", "record")
"""The columns of a list of games, by the ends of the ids of their names."""


def score_head(words: Words) -> list[str]:
    """The names of the columns of `score_row`."""
    return [words.text(f"games.{name}") for name in ("player", "game", "played", "won", "drawn", "lost", "share")]


def score_row(score: Score) -> list[str]:
    """How a player has done in a game: the last column has the share of all points."""
    share = (score.won + score.drawn / 2) / score.played
    counts = (score.played, score.won, score.drawn, score.lost)
    return [score.who, title(score.game), *map(str, counts), f"{share:.0%}"]


def tally_head(words: Words) -> list[str]:
    """The names of the columns of `tally_row`."""
    return [words.text(f"games.{name}") for name in ("game", "played", "first-won", "drawn", "second-won", "turns")]


def tally_row(tally: Tally) -> list[str]:
    """How the games of one kind have ended."""
    counts = (tally.played, tally.first_won, tally.drawn, tally.second_won)
    return [title(tally.game), *map(str, counts), f"{tally.turns:.0f}"]


def versus(game: Game, words: Words) -> str:
    """Both players: their names, else what their sides are called; of the engine its level too."""
    sides = load(game.game).players if known(game) else ("", "")
    told = []
    for side, name, level in zip(sides, (game.first, game.second), (game.level_first, game.level_second), strict=True):
        called = name or (words.text(side) if side else "?")
        told.append(words.say(Reason.of("games.engine", side=called, level=level)) if level else called)
    return " : ".join(told)


def known(game: Game) -> bool:
    """Whether its rules are here, so that its sentences can be said."""
    try:
        load(game.game)
    except OptionError:
        return False
    return True


def title(name: str) -> str:
    """What a game is called."""
    try:
        return load(name).title
    except OptionError:
        return name


say(
    "games",
    began="began",
    game="game",
    players="players",
    player="player",
    result="result",
    turns="turns",
    record="record",
    played="games",
    won="won",
    drawn="drawn",
    lost="lost",
    share="points",
    first_won="first won",
    second_won="second won",
    none="There is no such game in {folder}.",
    count="Games: {count}, in {folder}.",
    unread="cannot be read: {fault}",
    engine="{side} (computer, level {level})",
    so_far="Records read: {done} of {every}, seconds left: about {left}",
)
