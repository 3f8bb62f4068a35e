"""Turns that others have chosen: the only ones that count, by their picture."""

from __future__ import annotations

from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from games.rules import load
from hardware.device import Sense
from hardware.simulation.hands import STYLES


def test_a_sowing_that_others_have_chosen_counts_by_presence_without_done() -> None:
    simulation = open_simulation(ScoreSheet(load("zig-zag"), away=0), Sense.PRESENCE)
    turn = simulation.table.sheet.turns[1]
    simulation.run(0.1)
    simulation.table.plan(turn)
    simulation.play(turn, STYLES["finger"])
    simulation.run(5.0)
    assert [entry.turn.text for entry in simulation.table.sheet.played_turns] == [turn.text]


def test_where_another_table_is_to_move_nothing_may_be_done_here() -> None:
    table = open_simulation(ScoreSheet(load("zong-heng"), away=0), Sense.COLOUR).table
    assert table.signatures == ()
    assert not table.sheet.here


def test_a_row_pushed_by_the_new_stone_counts_by_presence_where_it_is_planned() -> None:
    """No sensor sees a square empty: among all turns the table would have to ask."""
    simulation = open_simulation(ScoreSheet(load("zong-heng"), away=0), Sense.PRESENCE)
    for _ in range(4):
        sheet = simulation.table.sheet
        sheet.away = sheet.position.side
        simulation.run(0.1)
        turn = max(sheet.turns, key=lambda turn: len(turn.steps))
        simulation.table.plan(turn)
        simulation.play(turn, STYLES["new stone"])
        simulation.run(1.0)
    assert simulation.table.sheet.length == 4
    assert "asked" not in [event.name for event in simulation.events]


def test_a_sowing_that_leaves_the_picture_as_it_was_waits_for_a_hand() -> None:
    """North's seeds go round all pits, and all of them are full before and after."""
    game = load("zig-zag")
    sheet = ScoreSheet(game, game.position("0,12,0,5,0,12/0,12,0,17,0,2 0,0 S - -"))
    simulation = open_simulation(sheet, Sense.PRESENCE)
    simulation.run(0.1)
    simulation.play(next(turn for turn in sheet.turns if turn.text == "S6"), STYLES["finger"])
    simulation.run(20.0)
    chosen = next(turn for turn in sheet.turns if turn.text == "N2")
    simulation.table.plan(chosen)
    simulation.run(60.0)
    assert [entry.turn.text for entry in sheet.played_turns] == ["S6"]
    simulation.play(chosen, STYLES["finger"])
    simulation.run(40.0)
    assert [entry.turn.text for entry in sheet.played_turns] == ["S6", "N2"]
