"""From the start to the power-off with no keyboard: games are chosen, set up, played and ended at the table."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from keyless import Keyless

from benchmarks.accuracy import random_turns
from firmware_bridge.saved import read_record
from games.rules import load, names
from hardware.hands import STYLES

LONGEST = 60
"""Turns after which the players agree on a draw."""


def begun(name: str, **given) -> Keyless:
    """A game chosen at the table and set up as the lights show."""
    table = Keyless(**given)
    table.choose(names().index(name))
    for _ in range(3):  # how much the lights tell, the seats, the brightness
        table.choose(0)
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    return table


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_game_is_chosen_played_and_ended_with_no_keyboard(name: str, tmp_path: Path) -> None:
    table = begun(name, folder=tmp_path)
    hands = table.seated()
    style = STYLES["done" if load(name).pieces == "seeds" else "finger"]
    made = []
    for turn in islice(random_turns(load(name), 5), LONGEST):
        hands.take(turn, style)
        made.append(turn.text)
    hands.run(1.0)
    if not hands.table.sheet.outcome:
        table.now = hands.now
        table.press("done", 2.5)
        table.choose(2)
        table.choose(2)
    sheet = hands.table.sheet
    assert [moment.turn.text for moment in sheet.moments if moment.turn.text != "pass"] == made
    assert sheet.outcome
    saved = read_record(tmp_path / f"1-{name}.table").sheet
    assert [moment.turn.text for moment in saved.moments] == [moment.turn.text for moment in sheet.moments]
    assert saved.outcome == sheet.outcome
    table.press("done")
    assert table.sitting.menu
    table.press("power", 2.5)
    assert table.sitting.over
    assert table.said[-1] == "off"
    table.sitting.close()
    assert not table.lit()
