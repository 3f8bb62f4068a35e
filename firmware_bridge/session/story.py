"""The game so far as the page is told: the turns of a score sheet, each with the board after it and what hands did."""

from __future__ import annotations

from functools import lru_cache

from firmware_bridge.score import PlayedTurn, ScoreSheet
from firmware_bridge.session.messages import MOST_TURNS, Played, Story, said
from games.rules import Game, Position


def story_snapshot(sheet: ScoreSheet, *, hands: bool = False) -> Story:
    """The snapshot of the game so far; for `hands` on the page also the turns there are now."""
    told = sheet.played_turns[-MOST_TURNS:]
    before = sheet.length - len(told)
    start = sheet.played_turns[before].position if before else sheet.start
    turns = tuple(played(sheet.game, entry) for entry in told)
    outcome = sheet.outcome
    winner = outcome.winner if outcome else None
    reason = said(outcome.reason) if outcome else None
    ways = tuple((turn.text, turn.acts) for turn in (sheet.turns if hands else ()))
    beside, marks = sheet.game.beside(sheet.position), dict(sheet.game.marks(start))
    return Story(
        bytes(start.board), turns, before, reason, winner, beside, ways, marks, str(sheet.position), str(start)
    )


def played(game: Game[Position], entry: PlayedTurn) -> Played:
    """A turn of the story."""
    before, after = entry.position, entry.turn.after
    marks = changed_marks(game, before, after) if game.kinds else {}
    return Played(entry.turn.text, before.side, bytes(after.board), marks, entry.turn.acts)


@lru_cache(MOST_TURNS)  # a story is told anew after each turn
def changed_marks(game: Game[Position], before: Position, after: Position) -> dict[str, str]:
    """The sites whose marks differ, each with the later one, empty for none."""
    was, now = game.marks(before), game.marks(after)
    return {site: now.get(site, "") for site in game.sites if was.get(site) != now.get(site)}
