"""Games that were chosen at a table with no keyboard."""

from __future__ import annotations

from itertools import islice

from benchmarks.cells import random_turns
from games.rules import load
from hardware.simulation.hands import STYLES
from tests.session.screenless_players import Hands, ScreenlessTable


def begun(name: str, **given) -> ScreenlessTable:
    """A game chosen at the table and set up as the lights show."""
    table = ScreenlessTable(**given)
    table.choose(name)
    for _ in range(5):  # who plays, the clocks, how much the lights tell, the seats, the brightness
        table.choose(0)
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    return table


def playing(name: str = "zong-heng", turns: int = 3, **given) -> tuple[ScreenlessTable, Hands]:
    """A game some turns on."""
    table = begun(name, **given)
    hands = table.seated()
    style = STYLES["done" if load(name).pieces == "seeds" else "finger"]
    for turn in islice(random_turns(load(name), 3), turns):
        hands.take(turn, style)
    hands.run(3.0)
    return table, hands


def texts(hands: Hands) -> list[str]:
    return [entry.turn.text for entry in hands.table.sheet.played_turns]


def since(table: ScreenlessTable, seen: int) -> list[str]:
    return table.said[seen:]
