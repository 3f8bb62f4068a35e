"""What is read once the sensors tell something again, after a while in which they told nothing."""

from __future__ import annotations

import pytest

from firmware_bridge.reading.likelihood import Likelihood
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from games.rules import Position, load
from hardware.device import Sense
from hardware.simulation.hands import STYLES

POSITION, LAPS = "2,3,1,5,1,13/3,2,2,7,14,1 6,0 N - S", "N1"
"""A turn of four laps, most of whose seeds no sensor shows; it was taken for another one."""


@pytest.mark.parametrize("wait", [0.2, 0.4, 0.7])
def test_a_board_that_shows_what_stood_has_been_left_alone(wait: float) -> None:
    game = load("zig-zag")
    sheet = ScoreSheet(game, game.position(POSITION), house_rule=False)
    simulation = open_simulation(sheet, Sense.PRESENCE)
    simulation.run(1)
    simulation.board.sighted = False
    simulation.run(2)
    simulation.board.sighted = True
    simulation.run(wait)
    simulation.take(next(turn for turn in sheet.turns if turn.text == LAPS), STYLES["done"])
    simulation.run(1)
    assert [entry.turn.text for entry in sheet.played_turns] == [LAPS]
    assert not {"astray", "asked"} & {event.name for event in simulation.events}


def test_what_was_astray_before_is_all_that_is_seen_after_a_gap_in_which_nothing_was_done() -> None:
    """Not all sites, of which each might hide something: that was weighed for seconds, again and again."""
    simulation = open_simulation(ScoreSheet(load("zong-heng"), house_rule=False), Sense.PRESENCE)
    likelihood = simulation.table.reader.likelihood
    simulation.run(1)
    lifted = simulation.table.game.sites.index("d4")
    simulation.board.lift("d4")
    simulation.run(4)
    assert likelihood.touched == {lifted}
    simulation.board.sighted = False
    simulation.run(1)
    assert len(likelihood.touched) == len(simulation.table.game.sites)
    simulation.board.sighted = True
    simulation.run(0.1)
    assert likelihood.touched == {lifted}
    simulation.board.sighted = False
    simulation.run(1)
    simulation.board.lift("e5")
    simulation.board.sighted = True
    simulation.run(0.1)
    assert len(likelihood.touched) == len(simulation.table.game.sites)  # whatever was done, it may have been anywhere


def test_a_sensor_that_is_not_believed_tells_nothing_before_a_gap_nor_after_it() -> None:
    """What such a site has shown may begin with nothing at all, once a turn is final."""
    game = load("zong-heng")
    likelihood = Likelihood(game, Sense.PRESENCE, game.start())
    dead = game.sites.index("h8")

    def see(position: Position, now: float) -> None:
        shown = list(likelihood.shows(position))
        shown[dead] = None
        likelihood.see(tuple(shown), now)

    see(game.start(), 0.0)
    turn = next(turn for turn in game.turns(game.start()) if "h8" not in str(turn.acts))
    see(turn.after, 1.0)
    found = likelihood.weigh(2.0) or []
    node = next(each.node for each in found if each.kind == "rest" and each.node.position == turn.after)
    likelihood.advance(node, node)
    assert likelihood.touched == {dead}
    likelihood.see((None,) * len(game.sites), 3.0)
    see(turn.after, 6.0)
    assert likelihood.touched == {dead}
