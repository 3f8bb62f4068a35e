"""A position by itself: of the game in hand after any turn, or of a link, as the rules have it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import story_snapshot
from firmware_bridge.web.positions import Unreadable, of_link, of_story
from games.rules import load, names
from tests.web.page_server import Serving, now, table

GAMES = names()


def played(name: str, turns: int) -> ScoreSheet:
    """A game in which the last legal turn was played each time."""
    sheet = ScoreSheet(load(name), house_rule=False)
    for _ in range(turns):
        sheet.accept(sheet.turns[-1])
    return sheet


@pytest.mark.parametrize("name", GAMES)
def test_any_position_of_a_game_is_found_again_by_its_link(name: str) -> None:
    sheet = played(name, 8)
    story = story_snapshot(sheet)
    for number, entry in enumerate(sheet.played_turns):
        position = of_story(sheet.game, story, number)
        assert position == entry.position
        link = {
            "game": name,
            **{key: str(value) for key, value in sheet.game.chosen.items()},
            "position": str(position),
        }
        game, found = of_link(link)
        assert (game.name, game.chosen, found) == (name, sheet.game.chosen, position)


@pytest.mark.parametrize(
    "link",
    [
        {}, {"game": "zong-heng"}, {"game": "go", "position": "x"}, {"game": "zong-heng", "position": "x" * 500},
        {"game": "zong-heng", "size": "7", "position": ""}, {"game": "zong-heng", "pace": "1", "position": ""},
        {"game": "zhizhu", "position": "......../......../........ x 9,9 - -"},
    ],
)  # fmt: skip
def test_a_link_that_holds_no_position_is_refused_with_a_reason(link: dict[str, str]) -> None:
    with pytest.raises(Unreadable) as refused:
        of_link(link)
    assert str(refused.value)


def position(serving: Serving, **query: Any) -> tuple[int, str]:
    """What the server answers."""
    answer, text = serving.fetch(f"/position?{urlencode(query)}", Accept_Language="en")
    return answer.status, text


def test_the_server_tells_the_position_after_a_turn_and_that_of_its_link(serving: Serving) -> None:
    sheet = played("zong-heng", 3)
    serving.tell(table(options=dict(sheet.game.chosen)), story_snapshot(sheet), now(levels=sheet.position.board))
    while (found := position(serving, after=2))[0] != 200:
        pass
    form = json.loads(found[1])
    stood = sheet.played_turns[2].position
    assert (form["position"], form["side"], form["over"]) == (str(stood), stood.side, False)
    assert form["told"] == "Black is to move."
    assert form["drawing"].startswith("<svg")
    status, same = serving.fetch("/position?" + form["link"], Accept_Language="en")
    assert status.status == 200
    assert json.loads(same) == form


def test_the_server_refuses_a_bad_link_in_the_readers_language(serving: Serving) -> None:
    status, told = position(serving, game="zong-heng", position="nonsense")
    assert status == 400
    assert told.startswith("This link holds no position that can be shown: ")
    assert position(serving, **{f"field{number}": number for number in range(99)})[0] == 400
    assert "Ce lien" in serving.fetch("/position?game=x&language=fr")[1]
