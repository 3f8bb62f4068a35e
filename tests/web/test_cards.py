"""What the living cards play: legal turns of each game, the same each time."""

from __future__ import annotations

import pytest
from msgspec import json, to_builtins

from firmware_bridge.web.cards import TURNS, card, cards
from games.rules import load, names
from tests.games.small_games import Clobber


@pytest.mark.parametrize("name", names())
def test_a_card_plays_legal_turns(name: str) -> None:
    game = load(name)
    told = card(game)
    assert told.start == list(game.start().board)
    assert 8 <= len(told.turns) <= TURNS
    position = game.start()
    for acts, levels in told.turns:
        possible = {
            turn.after
            for turn in game.turns(position)
            if list(turn.after.board) == levels
            and [list(act.sites) for act in turn.acts] == [list(act.sites) for act in acts]
        }
        assert possible
        position = possible.pop()


def test_all_cards_are_one_text_and_small() -> None:
    assert sorted(json.decode(cards())) == list(names())
    assert len(cards()) < 80_000
    assert cards() is cards()


def test_a_game_that_does_not_tell_who_is_ahead_is_played_all_the_same() -> None:
    assert to_builtins(card(Clobber()))["turns"]
