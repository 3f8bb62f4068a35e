"""Who is ahead: on the page in words and figures, and on the board when asked."""

from __future__ import annotations

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start, Visit
from .playing import PHONE


def test_the_standing_follows_the_game_and_lights_the_groups(start: Start, visit: Visit) -> None:
    program = start("zong-heng", "-O", "size=6", "--sense", "colour")
    player = visit(program)
    assert "Groups by size: Black 1, 1, 1" in player.text("#standing")
    assert "Both stand equal." in player.text("#standing")
    player.plays(ScoreSheet(load("zong-heng", size=6)), "c3-d3")
    assert "Black is ahead." in player.text("#standing button")
    assert "Black 3" in player.text("#standing .counts")
    player.tap("#standing button")
    player.hears("Groups by size: Black 3")
    player.lit("tally", "c3", "d3", "e3")
    player.tap('[data-look="back"]')
    player.page.locator("#standing").wait_for(state="hidden")


def test_prisoners_on_a_phone(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu"), **PHONE)
    assert "Left to place: Dark 9, Light 9." in player.text("#standing")
    assert player.page.locator("#standing").bounding_box()["width"] <= 360  # type: ignore[index]
    assert "Left to place" not in player.text("#status")
