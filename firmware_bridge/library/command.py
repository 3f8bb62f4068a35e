"""The command ``games``: past games searched, listed and counted, in columns or as JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from msgspec import json, to_builtins

from firmware_bridge.config import default_config, read_config
from firmware_bridge.i18n import Progress, Words, columns, print_lines, system_words
from firmware_bridge.library.index import Game, Index, Wanted, wanted
from firmware_bridge.library.wording import HEADS, known, score_head, score_row, tally_head, tally_row, title, versus
from games.rules import Reason


def games(asked: argparse.Namespace) -> int:
    """List the past games that are wanted; OptionError, SettingsError."""
    what = wanted(asked.player, asked.game, asked.result, asked.since, asked.until)
    index = Index(read_config(asked.config or default_config()).record.directory())
    try:
        with Progress(so_far, sys.stderr) as progress:
            index.update(progress.step)
        if asked.json:
            print_lines(as_json(index, what))
        else:
            print_lines(*(lines_of_scores(index, what) if asked.stats else lines_of_games(index, what)))
    finally:
        index.close()
    return 0


def so_far(done: int, every: int, left: str) -> Reason:
    """What is told while records are read."""
    return Reason.of("games.so-far", done=done, every=every, left=left)


def as_json(index: Index, what: Wanted) -> str:
    """All there is to tell, for programs."""
    told = {
        "folder": str(index.folder),
        "games": [to_builtins(game) | {"reason": said(game)} for game in index.find(what, -1)],
        "players": [score._asdict() for score in index.scores(what)],
        "kinds": [tally._asdict() for tally in index.tallies(what)],
    }
    return json.encode(told).decode()


def said(game: Game) -> str:
    """How it ended, in English."""
    return str(game.outcome) if game.outcome and known(game) else ""


# Lines ----------------------------------------------------------------------------------------------


def lines_of_games(index: Index, what: Wanted) -> Iterator[str]:
    """The games in columns, the newest first."""
    words, found = system_words(), index.find(what, -1)
    if not found:
        yield words.say(Reason.of("games.none", folder=str(index.folder)))
        return
    head = [words.text(f"games.{name}") for name in HEADS]
    yield from columns([head, *(row(game, words) for game in found if not game.fault)])
    yield from (
        f"{game.name}: {words.say(Reason.of('games.unread', fault=game.fault))}" for game in found if game.fault
    )
    yield words.say(Reason.of("games.count", count=len(found), folder=str(index.folder)))


def row(game: Game, words: Words) -> list[str]:
    """A game as a line of the list."""
    return [game.began, title(game.game), versus(game, words), game.result, str(game.turns), game.name]


def lines_of_scores(index: Index, what: Wanted) -> Iterator[str]:
    """How the players have done, and how the games have ended, in columns."""
    words, scores, tallies = system_words(), index.scores(what), index.tallies(what)
    if not tallies:
        yield words.say(Reason.of("games.none", folder=str(index.folder)))
        return
    if scores:
        yield from columns([score_head(words), *map(score_row, scores)])
        yield ""
    yield from columns([tally_head(words), *map(tally_row, tallies)])
