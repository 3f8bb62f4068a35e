"""Rule 3 of the table: turns that a hand takes back, and puts again."""

from __future__ import annotations

import pytest
from seated import C, P, at

from firmware_bridge.verdict import AtRest
from hardware.device import Sense


@pytest.mark.parametrize(("sense", "after", "said"), [(P, 2.0, ["undone", "look"]), (C, 0.1, ["undone"])])
def test_3_the_board_as_it_was_takes_the_turn_back(sense: Sense, after: float, said: list[str]) -> None:
    """By presence one site is seen to be put back; and nobody sees of which colour the stone left behind is now."""
    now = at("yin-yang", sense)
    now.make("c3-c2")
    now.lay(("c2", 0), ("c3", 0), ("c3", 2), wait=0.05)
    assert now.run(after - 0.05) == []
    assert now.run(0.1) == said
    assert (now.played, now.table.verdict) == ([], AtRest())


def test_3_what_is_put_again_is_played_again() -> None:
    now = at("zhizhu", C)
    for text in ("a1", "b5", "c3"):
        now.make(text)
    now.lay(("c3", 0), ("b5", 0), wait=2.5)
    assert now.played == ["a1"]
    assert now.lay(("c3", 1), ("b5", 2)).count("played") == 2
    assert now.played == ["a1", "b5", "c3"]


def test_3_something_else_is_another_turn() -> None:
    now = at("zhizhu", C)
    for text in ("a1", "b5", "c3"):
        now.make(text)
    now.lay(("c3", 0), ("b5", 0), wait=2.5)
    now.make("b6")
    assert now.played == ["a1", "b6"]


def test_3_seeds_that_are_not_counted_are_taken_back_by_the_button_alone() -> None:
    now = at("zig-zag", P)
    now.make("S3")
    now.press("done")
    start = now.sheet.start.board
    now.lay(*zip(now.sheet.game.sites, start, strict=True), wait=5.0)
    assert now.played == ["S3"]
    now.press("undo")
    assert (now.played, now.sheet.position.board) == ([], start)
